"""Printed percentages and the whole counts behind them; exact, without floats.

The papers print a share of questions with one digit after the point. A half goes to the even digit: 9 of 16 is
56.25 and stands as 56.2, 3 of 16 is 18.75 and stands as 18.8.
"""

from __future__ import annotations

import re
from fractions import Fraction
from itertools import islice
from math import ceil, floor

from answerable.core.errors import SourceError
from answerable.core.records import Record

_PER_CENT = re.compile(r"(?:[0-9]{1,2}|100)(?:\.([0-9]{1,6}))?", re.ASCII)


class Share(Record, frozen=True):
    """So many of so many questions."""

    count: int
    """Questions that are right."""
    questions: int
    """Questions asked."""

    @property
    def value(self) -> Fraction:
        """Per cent, exact."""
        return Fraction(100 * self.count, self.questions)

    @property
    def printed(self) -> str:
        """Per cent as a table prints it."""
        return printed(self.count, self.questions)


def printed(count: int, questions: int, digits: int = 1) -> str:
    """A share in per cent with so many digits after the point; a half goes to the even digit.

    Raises:
        ValueError: no questions, or a count outside 0 to ``questions``.
    """
    if questions < 1 or not 0 <= count <= questions:
        raise ValueError(f"expected 0 <= count <= questions and questions >= 1; got {count} of {questions}")
    # The rounding of a Fraction is exact, and by definition goes to even.
    steps = round(Fraction(100 * count * 10**digits, questions))
    whole, part = divmod(steps, 10**digits)
    return f"{whole}.{part:0{digits}d}" if digits else str(whole)


def whole_count(text: str, questions: int, where: str = "") -> int:
    """The only count of questions whose share is printed so.

    Args:
        text: per cent as printed, such as ``56.2``.
        questions: how many were asked.
        where: for the message.

    Raises:
        SourceError: the text is no percentage, or no count or several counts print as it.
    """
    match = _PER_CENT.fullmatch(text)
    if match is None or questions < 1 or Fraction(text) > 100:
        raise SourceError("per cent of at least one question, such as '56.2'", f"{text!r} of {questions}", where)
    digits, value = len(match[1] or ""), Fraction(text)
    half = Fraction(1, 2 * 10**digits)
    low, high = ceil((value - half) * questions / 100), floor((value + half) * questions / 100)
    near = range(max(low, 0), min(high, questions) + 1)
    found = list(islice((count for count in near if printed(count, questions, digits) == text), 2))
    if len(found) != 1:
        raise SourceError(
            f"per cent of {questions} questions that one whole count gives",
            f"{text!r}, which {'several counts give' if found else 'no count gives'}",
            where,
        )
    return found[0]
