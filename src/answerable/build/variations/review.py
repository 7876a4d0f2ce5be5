"""What people should look at before a benchmark is used, and what they decided."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Literal

import msgspec

from answerable.build.variations.upd import Pairing
from answerable.core.codec import decode, digest_bytes, encode
from answerable.core.errors import SourceError
from answerable.core.files import write_bytes
from answerable.core.records import Problem, Record, Refusal

#: Of a file of decisions.
MAX_BYTES = 1 << 28


class ReviewLine(Record, frozen=True):
    """One line of ``review.jsonl``: a pair that a program finds doubtful."""

    group: str
    """What a decision names."""
    source: str
    problem: Problem
    question: str
    """Id in the source."""
    text: str
    hint: str
    options: tuple[str, ...]
    """Of the standard question, in the source's order."""
    right: str
    offered: tuple[str, ...]
    """Of the unsolvable views."""
    other: str
    """The question that lends options or picture; empty where there is none, or the source paired them itself."""
    other_text: str
    image_sha256: str
    shown_sha256: str
    """Of the picture of the unsolvable views."""
    why: tuple[str, ...]
    left_out: bool
    """Left out until somebody decides ``keep``; the other lines are built until somebody decides ``drop``."""


class Decision(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """One line of a file of decisions."""

    group: str
    decision: Literal["keep", "drop"]
    reviewer: str
    reason: str = ""
    """Needed to drop; counted in the ledger."""


def line_of(pairing: Pairing, other_text: str, why: tuple[str, ...], *, left_out: bool) -> ReviewLine:
    """The review line of a pair."""
    asked = pairing.question
    return ReviewLine(
        group=pairing.group_id(), source=pairing.source, problem=pairing.problem, question=asked.id, text=asked.text,
        hint=asked.hint, options=asked.options, right=pairing.right, offered=pairing.offered, other=pairing.other,
        other_text=other_text, image_sha256=digest_bytes(asked.image), shown_sha256=digest_bytes(pairing.shown),
        why=why, left_out=left_out,
    )  # fmt: skip


def write_review(path: Path, lines: tuple[ReviewLine, ...]) -> None:
    """Write the review list; a file that holds somebody's work is never replaced.

    Raises:
        SourceError: a file is there that is no review list of ours.
        StorageError: the disk refused the write.
    """
    check_review(path)
    write_bytes(path, b"".join(encode(line) + b"\n" for line in lines))


def check_review(path: Path) -> None:
    """Refuse a place for the review list that holds something else.

    Raises:
        SourceError: what is there is no review list of ours.
    """
    if not path.exists():
        return
    try:
        for line in path.read_bytes().splitlines():
            decode(line, ReviewLine)
    except (OSError, msgspec.MsgspecError) as error:
        raise SourceError(
            "a place for the review list", f"{path.name}, which holds something else: {str(error)[:80]}",
            where=str(path), fix="name another place: --review FILE",
        ) from error  # fmt: skip


class Decisions:
    """What reviewers decided, by group.

    Raises:
        SourceError: a line is no decision, drops without a reason, or decides a second time.
    """

    def __init__(self, paths: tuple[Path, ...]) -> None:
        self.paths = paths
        self._said: dict[str, dict[str, Decision]] = {}
        for path in paths:
            self._read(path)

    def _read(self, path: Path) -> None:
        try:
            if path.stat().st_size > MAX_BYTES:
                raise SourceError(f"a file of at most {MAX_BYTES} bytes", str(path.stat().st_size), where=str(path))
            lines = path.read_bytes().split(b"\n")
        except OSError as error:
            raise SourceError("a file of decisions", error.strerror or str(error), where=str(path)) from error
        for number, line in enumerate(lines, start=1):
            if not line.strip():
                continue
            where = f"{path}, line {number}"
            try:
                found = decode(line, Decision)
            except (msgspec.MsgspecError, UnicodeDecodeError) as error:
                raise SourceError(
                    'a decision: {"group", "decision": "keep" or "drop", "reviewer", "reason"}', str(error)[:160],
                    where=where,
                ) from error  # fmt: skip
            self._add(found, where)

    def _add(self, found: Decision, where: str) -> None:
        if not found.group or not found.reviewer.strip():
            raise SourceError("a decision with a group and a reviewer", f"{found!r:.120}", where=where)
        if found.decision == "drop" and not found.reason.strip():
            raise SourceError("a reason to drop", f"none for group={found.group}", where=where)
        mine = self._said.setdefault(found.group, {})
        if found.reviewer in mine:
            raise SourceError(
                "one decision of a reviewer on a group", f"a second of {found.reviewer!r} on group={found.group}",
                where=where, fix="remove the one that no longer holds",
            )  # fmt: skip
        mine[found.reviewer] = found

    @property
    def said(self) -> Mapping[str, Mapping[str, str]]:
        """Group -> reviewer -> ``keep`` or ``drop``."""
        return {
            group: {name: decision.decision for name, decision in mine.items()} for group, mine in self._said.items()
        }

    def on(self, group: str) -> Refusal | Literal["keep"] | None:
        """A refusal when the group is dropped or disputed, ``keep`` when all keep it, None when nobody decided."""
        mine = self._said.get(group)
        if not mine:
            return None
        words = {decision.decision for decision in mine.values()}
        names = ", ".join(f"{name}: {decision.decision}" for name, decision in sorted(mine.items()))
        if len(words) > 1:
            return Refusal("reviewers disagree", f"{group} ({names})")
        if words == {"keep"}:
            return "keep"
        # The first by name, so that the order of the files does not matter.
        first = mine[min(mine)]
        return Refusal(f"dropped in review: {' '.join(first.reason.split())[:80]}", f"{group} ({names})")

    def unknown(self, groups: set[str]) -> tuple[str, ...]:
        """Groups that were decided on and are not among these."""
        return tuple(sorted(set(self._said) - groups))
