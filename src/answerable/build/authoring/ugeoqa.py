"""Candidates of UGeoQA from any geometry set: a question, and the same without one of its conditions.

Until reviewers keep it, a pair is ``derived``: a program took a condition out, and nobody has said that the rest cannot
be answered. So no annotated figure counts it.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Literal

import msgspec

from answerable.build.authoring.clauses import language_of
from answerable.build.authoring.conditions import Candidate, candidates
from answerable.build.importers import tubench_hf, tubench_ugeoqa
from answerable.build.importers.items import Folder, Item, worded
from answerable.build.importers.tubench import make_group
from answerable.build.importers.writing import UNSTATED, Plan, check_licence, write
from answerable.build.sources.mcq import UnusableError, refused
from answerable.core.benchmark import Ledger, Manifest
from answerable.core.decisions import Decisions
from answerable.core.errors import SettingsError, SourceError
from answerable.core.records import Evidence, Record, Refusal
from answerable.domains.draft import Draft

LANGUAGES = ("auto", "zh", "en")
SOURCE = "ugeoqa-candidates"
_CODE = "S.9"
#: Characters of a question that is cut into clauses; longer ones are no geometry question.
MAX_QUESTION = 2_000
_PARAGRAPH = """Nothing here is proved. A pair whose `evidence_level` is `derived` is a program's candidate: one
condition was taken out of the text, and nobody has said yet that the rest cannot be answered. A pair that
reviewers kept is `annotated`. `evidence_note` names the condition."""


class GeometrySettings(Record, frozen=True):
    """What decides every byte, together with the files and the decisions."""

    language: Literal["auto", "zh", "en"] = "auto"
    """Of the questions. ``auto``: Chinese of a folder that has it, and of a line whatever its text is in."""
    reviewed_only: bool = False
    """Leave out what nobody decided on."""


class Geometry(msgspec.Struct, frozen=True):
    """What a set gave."""

    settings: GeometrySettings
    questions: tuple[Item, ...]
    """Answerable ones, with choices."""
    refused: tuple[Refusal, ...]
    notes: tuple[str, ...]


def read(given: Path, settings: GeometrySettings) -> Geometry:
    """Read the answerable questions of a set.

    Args:
        given: a folder in the layout of UGeoQA, whose unanswerable fields are not needed, or a JSONL file whose lines
            have ``image``, ``question``, ``choices``, ``answer`` and, if you like, ``id``.

    Raises:
        SourceError: it is neither, or names something twice.
        SettingsError: there is no such language.
    """
    if settings.language not in LANGUAGES:
        raise SettingsError(f"one of {', '.join(LANGUAGES)}", repr(settings.language), where="--language")
    if given.is_dir():
        folder = Folder(given)
        found = list(_folder(folder, settings.language))
    elif given.is_file():
        folder = Folder(given.parent)
        found = [_line(item, settings.language) for item in tubench_hf.items(folder, "", given.name)]
    else:
        raise SourceError("a folder or a file of lines", f"{given}, which is not there", where="--from")
    return Geometry(
        settings,
        tuple(item for item in found if isinstance(item, Item)),
        tuple(item for item in found if isinstance(item, Refusal)),
        folder.describe(),
    )


def _folder(folder: Folder, language: str) -> Iterator[Item | Refusal]:
    for place in folder.places():
        if isinstance(place, Refusal):
            yield place
            continue
        try:
            fields = folder.fields(f"{place}/{place}.json")
            spoken = language
            if language == "auto":
                spoken = next((one for one, names in tubench_ugeoqa.FIELDS.items() if fields.get(names[0])), "zh")
            yield tubench_ugeoqa.answerable(folder, place, spoken, fields)
        except UnusableError as error:
            yield refused(place, error)


def _line(item: Item | Refusal, language: str) -> Item | Refusal:
    if isinstance(item, Refusal):
        return item
    spoken = language_of(item.question)
    if not item.options:
        return refused(item.id, UnusableError("no options", "a line needs choices"))
    if item.answer is None:
        return refused(item.id, UnusableError("already unanswerable", "candidates are made from answerable questions"))
    if language not in ("auto", spoken):
        return refused(item.id, UnusableError("another language", spoken))
    return msgspec.structs.replace(item, strategy=_CODE, language=spoken, topic="")


def proposals(geometry: Geometry, decisions: Decisions) -> Iterator[Draft | Refusal]:
    """A pair for every condition of every question, in order; a refusal for a question without any."""
    for item in geometry.questions:
        if len(item.question) > MAX_QUESTION:
            long = UnusableError("text is too long", f"{len(item.question)} characters, of at most {MAX_QUESTION}")
            yield refused(item.id, long)
            continue
        found = candidates(item.question, "zh" if item.language == "zh" else "en")
        if not found:
            yield refused(item.id, UnusableError("no condition can be taken out", item.question[:60]))
        for candidate in found:
            yield _proposal(item, candidate, decisions, geometry.settings)


def _proposal(item: Item, candidate: Candidate, decisions: Decisions, settings: GeometrySettings) -> Draft | Refusal:
    try:
        text = worded(candidate.text, "question")
    except UnusableError as error:
        return refused(item.id, error)
    without = msgspec.structs.replace(item, id=f"{item.id} without {candidate.removed}", question=text, answer=None)
    without = msgspec.structs.replace(without, id=without.id[:200])
    draft = _pair(item, without, candidate, "not reviewed", "derived")
    word = decisions.on(draft.group.id)
    if word == "keep":
        return _pair(item, without, candidate, "kept in review", "annotated")
    if word is None and settings.reviewed_only:
        return Refusal(reason="not reviewed", detail=draft.group.id)
    return draft


def _pair(
    item: Item, without: Item, candidate: Candidate, review: str, level: Literal["derived", "annotated"]
) -> Draft:
    removed = f"condition removed ({candidate.part}): {candidate.removed[:80]}"

    def evidence(one: Item) -> Evidence:
        said = removed if one.answer is None else "the source's answer"
        return Evidence(level=level, note=f"item {item.id[:80]}; {said}; {review}")

    return make_group("ugeoqa", (item, without), SOURCE, evidence)


def build(
    geometry: Geometry,
    out: Path,
    *,
    name: str = "ugeoqa",
    licence: str = UNSTATED,
    decisions: Decisions | None = None,
    on_kept: Callable[[], None] = lambda: None,
) -> tuple[Manifest, Ledger]:
    """Build the folder of candidates.

    Args:
        out: a new or empty folder.
        licence: of the questions and pictures, in words.
        decisions: of reviewers: what they kept is annotated, what they dropped or dispute is left out and counted.
        on_kept: called for every candidate kept, for progress.

    Raises:
        SettingsError: nothing was kept, or the licence is no line of text.
    """
    decided = decisions or Decisions(())
    drafts = tuple(proposals(geometry, decided))
    made = sum(isinstance(draft, Draft) for draft in drafts)
    spoken = Counter(item.language for item in geometry.questions)
    notes = (
        *geometry.notes,
        f"questions read: {len(geometry.questions)} ({', '.join(f'{one} {n}' for one, n in sorted(spoken.items()))})",
        f"candidates: {made}",
    )
    plan = Plan(
        domain="ugeoqa", source=SOURCE, settings=geometry.settings, groups=made, drafts=drafts,
        refused=geometry.refused, notes=lambda: notes, licence=check_licence(licence), reader="mcq",
        paragraph=_PARAGRAPH,
    )  # fmt: skip
    return write(plan, out, name=name, decisions=decided, on_kept=on_kept)
