"""Multiple choice, computed from the world: the right answers of a group, and other values that the table suggests.

Choices are part of the question's text; what counts as an answer stays the value's own text.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from fractions import Fraction

from answerable.core.codec import answer_text
from answerable.core.records import Answer
from answerable.core.seeds import Stream
from answerable.domains.table.world import TableWorld, grid
from answerable.logic.program import Aggregate, Expression, Ratio
from answerable.logic.types import cells

MOST_CHOICES = 6
#: Choices of a question whose answers are numbers or labels.
_USUAL = 4
_NUMBER = re.compile(r"-?[0-9]{1,40}(?:\.[0-9]{1,40}|/[0-9]{1,40})?", re.ASCII)


def with_choices(question: str, choices: Sequence[str]) -> str:
    """The question as it is asked."""
    return f"{question} Choose one of: {' | '.join(choices)}" if choices else question


def make_choices(world: TableWorld, program: Expression, answers: Sequence[Answer], stream: Stream) -> tuple[str, ...]:
    """Choices in random order, the answers among them.

    Args:
        answers: of F and of the edited worlds, all of one type.
    """
    found = list(dict.fromkeys(answer.target for answer in answers))
    if answers[0].type == "boolean":
        return ("yes", "no")
    others = _numbers(world, program, answers) if answers[0].type == "number" else _labels(world, answers)
    for text in stream.sample(others, len(others)):
        if len(found) >= max(_USUAL, len(set(found[: len(answers)]))):
            break
        if text not in found:
            found.append(text)
    if len(found) < _USUAL and answers[0].type == "number":
        found += _near(Fraction(found[0]), _USUAL - len(found), set(found))
    stream.shuffle(found)
    return tuple(found)


def _numbers(world: TableWorld, program: Expression, answers: Sequence[Answer]) -> list[str]:
    """Values of the columns that the program reads; sums and differences of them with the answer are likely slips."""
    if isinstance(program, Aggregate) and program.function == "count":
        return [str(count) for count in range(len(world.rows) + 1)]
    read = {column for _, column in cells(program, grid(world))}
    places = [place for place, field in enumerate(world.fields) if field.name in read]
    values = {line[place] for line in world.values for place in places}
    right = Fraction(answers[0].target)
    if isinstance(program, Ratio):
        total = sum(line[place] for line in world.values for place in places)
        values = {value / total for value in values} if total else values
    elif not any(right in line for line in world.values):
        values |= {abs(right - value) for value in values} | {right + value for value in values}
    return [answer_text(value) for value in sorted(values)]


def _labels(world: TableWorld, answers: Sequence[Answer]) -> list[str]:
    """Labels of the kind that the answers are; answers in words of the question have no others."""
    for names in (world.rows, grid(world).positions):
        if any(answer.target in names for answer in answers):
            return list(names)
    return []


def _near(value: Fraction, count: int, taken: set[str]) -> list[str]:
    """Round steps away from a number, for tables with too few values."""
    step = Fraction(1) if value.denominator == 1 else Fraction(1, value.denominator)
    while abs(value) >= 40 * step:
        step *= 10
    texts: Iterator[str] = (answer_text(value + step * sign * size) for size in range(1, 99) for sign in (1, -1))
    found: list[str] = []
    for text in texts:
        if len(found) == count:
            break
        if text not in taken and text not in found:
            found.append(text)
    return found


def choices_problem(choices: Sequence[str], answers: Sequence[Answer]) -> str:
    """Why a proof's choices are not fit for its answers; empty when they are."""
    if not choices:
        return ""
    if not 2 <= len(choices) <= MOST_CHOICES or len(set(choices)) != len(choices):
        return f"expected 2 to {MOST_CHOICES} different choices; got {len(choices)}"
    absent = [answer.target for answer in answers if answer.target not in choices]
    if absent:
        return f"the choices lack the answer {absent[0][:60]!r}"
    if any(answer.type == "number" for answer in answers):
        # One text a value, so different texts are different numbers.
        odd = [text for text in choices if not _NUMBER.fullmatch(text) or text != _plain(text)]
        if odd:
            return f"the choice {odd[0][:60]!r} is not a number in its plain form"
    folded = {text.casefold().strip() for text in choices}
    return "" if len(folded) == len(choices) else "two choices differ in case or white space only"


def _plain(text: str) -> str:
    top, _, bottom = text.partition("/")
    if bottom and int(bottom) == 0:
        return ""
    return answer_text(Fraction(top) / (int(bottom) if bottom else 1))
