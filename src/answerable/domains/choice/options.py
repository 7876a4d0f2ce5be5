"""Which options a question offers: the answer, and others that its picture suggests. None of them could be another's.

Others are answers to questions of the same kind on the same picture, so nothing but the picture tells them apart;
where there are too few, numbers close by.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from fractions import Fraction

from answerable.core.choices import alike, is_option
from answerable.core.codec import answer_text
from answerable.core.seeds import Stream

#: Options of a question, where the world has as many.
USUAL = 4
#: Steps that a near miss is away.
_STEPS = (1, 2, 3, 5, 10, 20, 4, 7)
TRUTHS = ("Yes", "No")


def grouped(value: Fraction) -> str:
    """A number written out, thousands apart: ``3,990,000``, ``-0.5``; ``p/q`` where no decimal ends."""
    text = answer_text(value)
    if "/" in text:
        return text
    whole, point, part = text.lstrip("-").partition(".")
    return f"{'-' if value < 0 else ''}{int(whole):,}{point}{part}"


def choose(right: str, others: Iterable[str], stream: Stream, most: int = USUAL) -> tuple[str, ...]:
    """The right text and the first of the others that could be neither it nor one another, in random order.

    Args:
        others: from the most to the least wanted.
    """
    chosen = [right]
    for text in others:
        if len(chosen) == most:
            break
        if is_option(text) and not any(alike(text, one) for one in chosen):
            chosen.append(text)
    stream.shuffle(chosen)
    return tuple(chosen)


def near(value: Fraction, unit: Fraction, stream: Stream, *, negative: bool) -> tuple[Fraction, ...]:
    """Numbers some units away from a value, on both sides, the closest ones not first.

    Args:
        unit: between numbers that the picture can tell apart; positive.
        negative: whether they may be below zero.
    """
    found = [value + unit * sign * size for size in _STEPS for sign in (1, -1)]
    stream.shuffle(found)
    return tuple(number for number in found if negative or number >= 0)


def numbers(
    right: Fraction, suggested: Sequence[Fraction], unit: Fraction, stream: Stream, *, negative: bool
) -> tuple[Fraction, ...]:
    """Numbers from the most to the least wanted beside the right one: two of the picture, one close by, and the rest.

    What is close by is close to the right number or to a wrong one, by chance alike: else a pair of neighbours would
    tell where the answer is.

    Args:
        suggested: by the picture.
    """
    drawn = stream.sample(suggested, len(suggested))
    beside = drawn[0] if drawn and stream.below(2) else right
    close = near(beside, unit, stream, negative=negative)
    return (*drawn[:2], *close[:1], *drawn[2:], *near(right, unit, stream, negative=negative))
