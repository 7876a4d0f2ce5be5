"""Groups of annotated questions into a benchmark folder, with what reviewers decided; for importers and authoring."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable
from pathlib import Path

import msgspec

from answerable.build.assembly import Job, Tally, new_manifest
from answerable.build.importers.card import ANNOTATED, card
from answerable.core.benchmark import BenchmarkWriter, Ledger, Manifest
from answerable.core.codec import digest_bytes
from answerable.core.decisions import Decisions
from answerable.core.errors import SettingsError
from answerable.core.records import Record, Refusal
from answerable.domains.draft import Draft

PROMPT = "as-asked"
METRICS = ("F1_unanswerable", "ACC2", "OACC", "J", "B")


#: Of questions whose authors say nothing.
UNSTATED = "unstated"


def check_licence(licence: str) -> str:
    """A licence in words, on one line.

    Raises:
        SettingsError: it is empty, long, or more than a line.
    """
    if not licence.strip() or len(licence) > 200 or not licence.isprintable():
        raise SettingsError("a licence in one line of at most 200 characters", repr(licence[:60]), where="--licence")
    return licence.strip()


class Plan(msgspec.Struct, frozen=True):
    """A benchmark to write."""

    domain: str
    """Of ``answerable build``."""
    source: str
    """Of the groups, for the ledger."""
    settings: Record
    """What decides every byte, together with the files and the decisions."""
    groups: int
    """How many there are at most."""
    drafts: Iterable[Draft | Refusal]
    """Groups, and why some are none, in a fixed order."""
    refused: tuple[Refusal, ...]
    """What was refused while reading."""
    notes: Callable[[], tuple[str, ...]]
    """Lines for the ledger, once every draft was made."""
    licence: str
    reader: str
    """``mcq`` or ``yes-no``."""
    tag: str = "tubench"
    paragraph: str = ANNOTATED
    """For the card: who vouches for the labels."""
    metrics: tuple[str, ...] = METRICS


def about_decisions(decisions: Decisions, groups: Iterable[str]) -> tuple[str, ...]:
    """Lines for the ledger: the files, and how many groups were kept, dropped, disputed and not decided.

    Args:
        groups: ids of every group that could be decided on.
    """
    if not decisions.paths:
        return ()
    every = set(groups)
    counts: Counter[str] = Counter()
    for group in every:
        word = decisions.on(group)
        if isinstance(word, Refusal):
            counts["disputed" if word.reason == "reviewers disagree" else "dropped"] += 1
        else:
            counts["kept" if word == "keep" else "undecided"] += 1
    said = ", ".join(f"{name} {counts[name]}" for name in ("kept", "dropped", "disputed", "undecided"))
    files = (f"decisions {path.name} sha256={digest_bytes(path.read_bytes())}" for path in decisions.paths)
    return (*files, f"groups in review: {said}; decisions on no group of this build: {len(decisions.unknown(every))}")


def write(
    plan: Plan,
    out: Path,
    *,
    name: str,
    decisions: Decisions | None = None,
    on_kept: Callable[[], None] = lambda: None,
) -> tuple[Manifest, Ledger]:
    """Write the benchmark folder.

    Args:
        out: a new or empty folder.
        on_kept: called for every group kept, for progress.

    Raises:
        SettingsError: nothing was kept.
    """
    decisions = decisions or Decisions(())
    tally = Tally(max(plan.groups, 1), 0)
    for refusal in plan.refused:
        tally.settle(None, refusal)
    groups: dict[str, None] = {}
    with BenchmarkWriter(out) as writer:
        for result in plan.drafts:
            if isinstance(result, Refusal):
                tally.settle(None, result)
                continue
            groups[result.group.id] = None
            word = decisions.on(result.group.id)
            settled = word if isinstance(word, Refusal) else result
            draft = tally.settle(Job("test", result.group.id, None), settled)
            if draft is not None:
                writer.add(draft.group, draft.images, None)
                on_kept()
        if not writer.groups:
            raise SettingsError(
                "a folder that gives at least one group",
                f"none; refused: {dict(sorted(tally.refused.items())) or 'nothing was there'}",
                fix=f"see the reasons; 'answerable build {plan.domain} --help' says what is needed",
            )
        notes = (*plan.notes(), *about_decisions(decisions, groups))
        manifest = new_manifest(
            name, {plan.domain: plan.settings, "source": notes}, plan.licence,
            prompt=PROMPT, reader=plan.reader, metrics=plan.metrics,
        )  # fmt: skip
        ledger = tally.ledger(plan.source, notes)
        return writer.finish(manifest, ledger, card(manifest, ledger, writer, plan.tag, plan.paragraph)), ledger
