"""What reviewers decided on groups: files of decisions, one JSON object a line."""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Mapping, Sequence
from pathlib import Path
from typing import Literal, TypeVar

import msgspec

from answerable.core.codec import decode
from answerable.core.errors import SourceError
from answerable.core.records import Refusal

Word = TypeVar("Word", bound=Hashable)

#: Of a file of decisions.
MAX_BYTES = 1 << 28


class Decision(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """One line of a file of decisions."""

    group: str
    decision: Literal["keep", "drop"]
    reviewer: str
    reason: str = ""
    """Needed to drop; counted in the ledger."""


def settled(words: Sequence[Word]) -> Word | None:
    """What holds where several spoke: the word of all, or of more than half of three or more; None when disputed.

    Args:
        words: what each said, in any order.

    Returns:
        None too where nobody said anything.
    """
    if not words:
        return None
    word, count = Counter(words).most_common(1)[0]
    return word if count == len(words) or (len(words) >= 3 and 2 * count > len(words)) else None


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
        """What holds for a group: the word of all, or of more than half where three or more decided.

        Returns:
            A refusal when the group is dropped or disputed, ``keep`` when it is kept, None when nobody decided.
        """
        mine = self._said.get(group)
        if not mine:
            return None
        names = ", ".join(f"{name}: {decision.decision}" for name, decision in sorted(mine.items()))
        word = settled(tuple(decision.decision for decision in mine.values()))
        if word is None:
            return Refusal("reviewers disagree", f"{group} ({names})")
        if word == "keep":
            return "keep"
        # The first by name, so that the order of the files does not matter.
        first = min((decision for decision in mine.values() if decision.decision == word), key=lambda one: one.reviewer)
        return Refusal(f"dropped in review: {' '.join(first.reason.split())[:80]}", f"{group} ({names})")

    def unknown(self, groups: set[str]) -> tuple[str, ...]:
        """Groups that were decided on and are not among these."""
        return tuple(sorted(set(self._said) - groups))
