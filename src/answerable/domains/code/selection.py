"""Choosing what to ask, so that worlds differ in the answer and yes is as frequent as no."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fractions import Fraction

from answerable.core.seeds import Stream
from answerable.domains.code.interpreter import Distribution, DividesByZeroError, TooMuchError, run
from answerable.domains.code.questions import Query, Scope, Than
from answerable.domains.code.world import CodeWorld

#: Probabilities that questions compare with.
_ROUND = tuple(
    Fraction(*pair) for pair in ((1, 10), (1, 5), (1, 4), (1, 3), (2, 5), (1, 2), (3, 5), (2, 3), (3, 4), (9, 10))
)


def outputs(world: CodeWorld) -> Distribution | None:
    """What a program prints; None when it cannot be run within the limits."""
    try:
        return run(world.program)
    except (DividesByZeroError, TooMuchError):
        return None


def share(found: Distribution, scope: Scope, text: str) -> Fraction:
    """The probability of a text."""
    hits = (weight for printed, weight in found.items() if printed == (text,) or (scope == "line" and text in printed))
    return sum(hits, Fraction(0))


def by_hiding(
    full: CodeWorld, others: Sequence[CodeWorld], wants: bool, stream: Stream
) -> tuple[Query, CodeWorld] | None:
    """A question that ``full`` answers by ``wants``, and the first other world that answers it the other way."""
    mine = outputs(full)
    if mine is None:
        return None
    for other in others:
        theirs = outputs(other)
        if theirs is None or theirs == mine:
            continue
        yes, no = (mine, theirs) if wants else (theirs, mine)
        queries = list(_plain(yes, no)) if len(mine) == len(theirs) == 1 else _drawn(yes, no, stream)
        if queries:
            return stream.pick(queries), other
    return None


def by_chance(
    candidates: Sequence[CodeWorld], drawn: Sequence[CodeWorld], wants: bool, stream: Stream
) -> tuple[Query, CodeWorld, CodeWorld, CodeWorld] | None:
    """A question with three worlds: one answers it by ``wants``, one the other way, one leaves it to chance.

    Args:
        candidates: worlds for the first two.
        drawn: worlds for the third.
    """
    known = [(world, found) for world in candidates if (found := outputs(world)) is not None]
    open_ = [(world, found) for world in drawn if (found := outputs(world)) is not None and len(found) > 1]
    questions = sorted({question for _, found in open_ for question in _texts(found)})
    stream.shuffle(questions)
    for scope, text in questions:
        certain = {answer: [w for w, found in known if share(found, scope, text) == answer] for answer in (0, 1)}
        undecided = [world for world, found in open_ if 0 < share(found, scope, text) < 1]
        if certain[0] and certain[1] and undecided:
            query = Query(kind="prints", scope=scope, text=text)
            return query, certain[int(wants)][0], certain[int(not wants)][0], undecided[0]
    return None


def _texts(found: Distribution) -> Iterator[tuple[Scope, str]]:
    """Texts that a question can quote, each with the scope it asks in."""
    scope: Scope = "output" if all(len(printed) == 1 for printed in found) else "line"
    for printed in found:
        for text in printed:
            if text and text == text.strip() and len(text) <= 40:
                yield scope, text


def _scoped(yes: Distribution, no: Distribution) -> Iterator[tuple[Scope, str]]:
    """Texts that one of two programs prints."""
    single = all(len(printed) == 1 for printed in (*yes, *no))
    for text in sorted({text for found in (yes, no) for _, text in _texts(found)}):
        yield ("output" if single else "line"), text


def _plain(yes: Distribution, no: Distribution) -> Iterator[Query]:
    """What is printed for certain."""
    for scope, text in _scoped(yes, no):
        if share(yes, scope, text) == 1 and not share(no, scope, text):
            yield Query(kind="prints", scope=scope, text=text)


def _drawn(yes: Distribution, no: Distribution, stream: Stream) -> list[Query]:
    """Questions on what chance may print; half of those that allow it ask what is possible at all."""
    possible = list(_possible(yes, no))
    return possible if possible and stream.below(2) else list(_probable(yes, no, stream))


def _possible(yes: Distribution, no: Distribution) -> Iterator[Query]:
    """What can and what cannot be printed."""
    for scope, text in _scoped(yes, no):
        if share(yes, scope, text) and not share(no, scope, text):
            yield Query(kind="can", scope=scope, text=text)


def _probable(yes: Distribution, no: Distribution, stream: Stream) -> Iterator[Query]:
    """How probable it is: equal to a figure, or on one side of it."""
    for scope, text in _scoped(yes, no):
        one, other = share(yes, scope, text), share(no, scope, text)
        if one == other:
            continue
        yield Query(kind="chance", scope=scope, text=text, than="=", chance=one)
        than: Than = ">" if one > other else "<"
        low, high = min(one, other), max(one, other)
        between = [figure for figure in _ROUND if low < figure < high]
        if between:
            yield Query(kind="chance", scope=scope, text=text, than=than, chance=stream.pick(between))
