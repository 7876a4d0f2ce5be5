"""What a column may hold and how its cells show it: typed formats, exact values, and the widest text of a column.

A cell is an exact rational whatever its type: a time is minutes after midnight, a text is its place in the column's
list of words. So every type has bounds, and the room a column needs follows from its declaration alone.
"""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from functools import lru_cache
from typing import Literal

from answerable.core.records import Record

Kind = Literal["text", "integer", "decimal", "money", "percent", "time"]
KINDS: tuple[Kind, ...] = ("text", "integer", "decimal", "money", "percent", "time")
#: Minutes of a day.
DAY = 24 * 60
MAX_DECIMALS = 6
#: Texts one column may choose from.
MAX_WORDS = 200
#: Digits of a bound; more fit in no cell.
MAX_BOUND = Fraction(10) ** 15
MINUS = "\u2212"


class Field(Record, frozen=True):
    """A column: fixed metadata that no edit of a cell may touch."""

    name: str
    """In the header."""
    kind: Kind
    lower: Fraction = Fraction(0)
    """Least admissible value; 0 for texts."""
    upper: Fraction = Fraction(0)
    """Greatest admissible value; the last place in ``words`` for texts."""
    decimals: int = 0
    """Digits after the point."""
    prefix: str = ""
    """Before the digits, such as ``$``."""
    suffix: str = ""
    """After the digits, such as ``%``."""
    grouped: bool = True
    """Thousands have commas."""
    clock: Literal["12", "24"] = "12"
    """How times are written: ``2:35 P.M.`` or ``14:35``."""
    words: tuple[str, ...] = ()
    """The texts that a cell of a text column may hold."""
    measure: str = ""
    """What the numbers count or measure; only columns of one measure are compared or added up."""

    @property
    def numeric(self) -> bool:
        """Whether programs may read it."""
        return self.kind != "text"

    @property
    def step(self) -> Fraction:
        """Between neighbouring values that a cell can show."""
        return Fraction(1, 10**self.decimals)


def field_problems(field: Field) -> Iterator[str]:
    """What makes a declaration malformed."""
    if not 0 <= field.decimals <= MAX_DECIMALS:
        yield f"expected 0 to {MAX_DECIMALS} decimals; got {field.decimals}"
    if not -MAX_BOUND <= field.lower <= field.upper <= MAX_BOUND:
        yield f"expected bounds -10^15 <= lower <= upper <= 10^15 in the column {field.name[:60]!r}"
    if field.kind in ("text", "time", "integer") and field.decimals:
        yield f"expected no decimals in a column of kind {field.kind}; got {field.decimals}"
    if field.kind == "time" and not 0 <= field.lower <= field.upper < DAY:
        yield f"expected times from 0 to {DAY - 1} minutes after midnight in the column {field.name[:60]!r}"
    if (field.kind == "text") != bool(field.words):
        yield f"expected words for a column of texts, and for no other; got {len(field.words)} for {field.kind}"
    if field.kind == "text" and not (field.lower == 0 and field.upper == len(field.words) - 1):
        yield f"expected the places 0 to {len(field.words) - 1} as bounds of the column {field.name[:60]!r}"
    if len(field.words) > MAX_WORDS or len(set(field.words)) != len(field.words):
        yield f"expected at most {MAX_WORDS} different words; got {len(field.words)}"


@lru_cache(maxsize=1 << 15)
def shown(field: Field, value: Fraction) -> str | None:
    """The text of a cell; None when the column's format cannot show the value exactly."""
    scaled = value * 10**field.decimals
    if scaled.denominator != 1:
        return None
    if field.kind == "text":
        return field.words[int(value)] if 0 <= value < len(field.words) else None
    if field.kind == "time":
        return clock(value, field.clock) if 0 <= value < DAY else None
    whole, part = divmod(abs(scaled.numerator), 10**field.decimals)
    digits = f"{whole:,}" if field.grouped else str(whole)
    digits += f".{part:0{field.decimals}d}" if field.decimals else ""
    return f"{MINUS if value < 0 else ''}{field.prefix}{digits}{field.suffix}"


def clock(minutes: Fraction, form: str) -> str:
    """A time of day, whole minutes after midnight."""
    hour, minute = divmod(int(minutes), 60)
    if form == "24":
        return f"{hour:02d}:{minute:02d}"
    return f"{hour % 12 or 12}:{minute:02d} {'A' if hour < 12 else 'P'}.M."


def admits(field: Field, value: Fraction) -> bool:
    """Whether a cell of the column may hold a value: inside the bounds, and shown exactly."""
    return field.lower <= value <= field.upper and shown(field, value) is not None


@lru_cache(maxsize=4096)
def extreme_texts(field: Field) -> tuple[str, ...]:
    """Texts among which is the widest that any admissible value can have.

    The font's digits are all of one width, so a number is as wide as it has digits: most at one of the bounds.
    """
    if field.kind == "text":
        return field.words
    if field.kind == "time":
        return ("12:00 A.M.", "12:00 P.M.") if field.clock == "12" else ("00:00",)
    ends = (_towards_zero(field.lower, field.step), _towards_zero(field.upper, field.step))
    return tuple(text for text in (shown(field, end) for end in ends) if text is not None)


def _towards_zero(value: Fraction, step: Fraction) -> Fraction:
    return int(value / step) * step
