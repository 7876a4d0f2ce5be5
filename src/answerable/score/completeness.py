"""Groups that must be whole: every expected row there once, nothing counted twice, nothing left out.

Used wherever rows are joined into groups (states of a question, rotations of a choice, a question and its
unanswerable partner, rephrasings). The expected rows come from the item list, never from the replies, so a missing
partner makes a group incomplete and keeps it in the denominator.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Mapping, Sequence
from fractions import Fraction
from typing import Literal, TypeVar

from answerable.core.errors import InputError
from answerable.core.records import Record

K = TypeVar("K", bound=Hashable)
V = TypeVar("V")

GroupStatus = Literal["complete", "incomplete", "empty"]


class GroupResult(Record, frozen=True):
    """What became of one group."""

    status: GroupStatus
    hit: bool | None
    """Every expected row is there and right; None for a group without expected rows: nothing to divide by."""
    missing: tuple[str, ...] = ()
    """Expected rows that are not there or were not scored."""


class Coverage(Record, frozen=True):
    """A share read both ways, and how much of it was scored."""

    right: int
    scored: int
    """Rows with a verdict."""
    total: int
    """Rows that were due, scored or not."""

    @property
    def over_all(self) -> Fraction | None:
        """Right over all rows due: what is missing counts as wrong. None when none was due."""
        return Fraction(self.right, self.total) if self.total else None

    @property
    def over_scored(self) -> Fraction | None:
        """Right over the rows that were scored. None when none was."""
        return Fraction(self.right, self.scored) if self.scored else None

    @property
    def coverage(self) -> Fraction | None:
        """Scored over due. None when none was due."""
        return Fraction(self.scored, self.total) if self.total else None


def unique(rows: Iterable[tuple[K, V]], what: str) -> dict[K, V]:
    """Rows by id.

    Raises:
        InputError: an id comes twice; neither row is chosen.
    """
    found: dict[K, V] = {}
    for key, value in rows:
        if key in found:
            raise InputError(f"each {what} once", f"duplicate id {key!r}", fix="remove the row that does not belong")
        found[key] = value
    return found


def judge_group(expected: Sequence[str], verdicts: Mapping[str, bool | None]) -> GroupResult:
    """One group from the rows that were due and the verdicts there are.

    Args:
        expected: ids of the rows of the group, from the item list.
        verdicts: id -> right or wrong; None for a row that is there and could not be scored.
    """
    if not expected:
        return GroupResult("empty", None)
    missing = tuple(key for key in expected if verdicts.get(key) is None)
    if missing:
        return GroupResult("incomplete", hit=False, missing=missing)
    return GroupResult("complete", all(verdicts[key] for key in expected))


def group_share(groups: Iterable[GroupResult]) -> Fraction | None:
    """Share of groups that are hit, incomplete ones in the denominator; None without any group that has rows."""
    hits = [group.hit for group in groups if group.hit is not None]
    return Fraction(sum(hits), len(hits)) if hits else None


def coverage(verdicts: Iterable[bool | None]) -> Coverage:
    """Rows due, scored and right; None is a row without a verdict (transport error, judge failure)."""
    rows = list(verdicts)
    scored = [row for row in rows if row is not None]
    return Coverage(right=sum(scored), scored=len(scored), total=len(rows))


class Consistency(Record, frozen=True):
    """Whether several readings of one item agree."""

    consistent: bool | None
    """None without readings. Never true when one is unreadable: failures that look alike are not agreement."""
    unreadable: int


def consistency(readings: Sequence[Hashable | None]) -> Consistency:
    """Agreement of the readings of one item; None is an unreadable one."""
    unreadable = sum(reading is None for reading in readings)
    if not readings:
        return Consistency(None, 0)
    return Consistency(unreadable == 0 and len(set(readings)) == 1, unreadable)


def content_rotations(options: Sequence[str], fixed: int) -> tuple[tuple[str, ...], ...]:
    """Every circular shift of the first options; the last ``fixed`` ones ("None of the above") keep their place.

    Raises:
        InputError: there would be nothing to rotate.
    """
    count = len(options) - fixed
    if fixed < 0 or count < 1:
        raise InputError("at least one option that may move", f"options={len(options)}, fixed={fixed}")
    content, tail = tuple(options[:count]), tuple(options[count:])
    return tuple(content[shift:] + content[:shift] + tail for shift in range(count))
