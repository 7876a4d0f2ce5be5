"""From a world and a program to a group: the states F, S, K, C, D, M, I, their pictures and their proof.

Source: "When Does an Image Determine the Answer?", sections 3.1 and 3.2, with two states of ours (K and D).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from fractions import Fraction
from functools import partial
from typing import Literal

import msgspec

from answerable.core.records import Refusal, State
from answerable.core.seeds import Stream
from answerable.domains.chart.determinacy import determined
from answerable.domains.chart.families import Family
from answerable.domains.chart.layout import scene, whole_problems
from answerable.domains.chart.proof import DOMAIN, ChartProof, Claim
from answerable.domains.chart.templates import template_of, wordings
from answerable.domains.chart.visibility import Appearance, Hide
from answerable.domains.chart.world import ChartWorld, grid, value_at, with_value, without_position, without_series
from answerable.domains.draft import Draft, Sheet, assemble_group, obligation_of
from answerable.domains.raster import png
from answerable.logic.direct import execute
from answerable.logic.program import Cell, Expression, Lookup, Undefined, depth
from answerable.logic.types import cells

#: Tries to find an edited value whose chart renders whole.
_TRIES = 24
#: Positions that one picture hides at most.
_MOST_HIDDEN = 3
#: Sets of positions tried for D beside each that is read.
_STARTS = 4
NOTES: dict[State, str] = {
    "F": "the complete chart",
    "S": "one value elsewhere changed",
    "K": "another position hidden the way M hides",
    "C": "a value that is asked for changed",
    "D": "something that is asked for hidden; the answer is the same in every admissible chart",
    "M": "something that is asked for hidden; two complete charts give these pixels",
    "I": "what the question names removed",
}


class Request(msgspec.Struct, frozen=True):
    """What to make of a world."""

    source: str
    figure: str
    split: Literal["test", "train"]
    program: Expression
    appearance: Appearance
    names: tuple[str | int, ...]
    """Seed of every choice below."""


class Plan(msgspec.Struct):
    """The worlds of a group, and which of them each state shows, how."""

    worlds: dict[str, ChartWorld]
    shown: list[tuple[State, str, Hide | None]]


def make_group(world: ChartWorld, request: Request, family: Family) -> Draft | Refusal:
    """Build every state the program allows, or say why not. Refusals have one of the reasons of the ledger.

    F, S, C, M and I are always there. K needs a position that the program does not read, D one that it reads but
    whose hiding leaves the answer determined.
    """
    stream = Stream(*request.names)
    problems = whole_problems(world, family.style)
    if problems:
        return problems[0]
    plan = _plan(world, request, family, stream)
    if isinstance(plan, Refusal):
        return plan
    pixels = {state: family.render(scene(plan.worlds[name], family.style, hide)) for state, name, hide in plan.shown}
    missing = next(hide for state, _, hide in plan.shown if state == "M")
    # The witness: the other complete world must look the same once hidden.
    if (family.render(scene(plan.worlds["C"], family.style, missing)) != pixels["M"]).any():
        return Refusal(reason="witness fails", detail="the hidden renderings of the two worlds differ")
    images = {state: png.encode(image) for state, image in pixels.items()}
    return _assemble(request, family, plan, images, stream.pick(wordings(world, request.program)))


def _plan(world: ChartWorld, request: Request, family: Family, stream: Stream) -> Plan | Refusal:
    program = request.program
    outcome = execute(program, grid(world))
    if isinstance(outcome, Undefined):
        return Refusal(reason="no answer", detail=outcome.reason)
    reads = cells(program, grid(world))
    read = [position for position in world.positions if any(place == position for _, place in reads)]
    others = [position for position in world.positions if position not in read]
    if not others and isinstance(program, Lookup):
        return Refusal(reason="no other position", detail=f"only {program.position[:60]!r}")
    same = _same(world, reads, others, family, stream)
    if isinstance(same, Refusal):
        return same
    changed = _changed(world, program, reads, read, family, stream)
    if isinstance(changed, Refusal):
        return changed
    gone = _gone(world, program, reads, family)
    if isinstance(gone, Refusal):
        return gone
    position, other_world = changed
    masks = _masks(world, request, position, read, others, stream)
    shown: list[tuple[State, str, Hide | None]] = [("F", "F", None), ("S", "S", None)]
    if "K" in masks:
        shown.append(("K", "F", masks["K"]))
    shown.append(("C", "C", None))
    if "D" in masks:
        shown.append(("D", "F", masks["D"]))
    shown += [("M", "F", masks["M"]), ("I", "I", None)]
    return Plan({"F": world, "S": same, "C": other_world, "I": gone}, shown)


def _masks(
    world: ChartWorld, request: Request, decisive: str, read: list[str], others: list[str], stream: Stream
) -> dict[State, Hide]:
    """What M, K and D hide: as many positions each, so that nothing but their place tells them apart.

    M hides the position that decides, and more of what is read where there are several; K only what is not read; D
    something that is read, yet settled. K and D are left out where there is nothing of the kind.
    """

    def hidden(places: Sequence[str]) -> Hide:
        return Hide(positions=tuple(places), appearance=request.appearance)

    # All that M hides is read, and a K of as many positions must be possible where one of a single position is.
    most = min(_MOST_HIDDEN, len(read), len(world.positions) - 1, len(others) or _MOST_HIDDEN)
    count = stream.between(1, most) if most > 1 else 1
    settled = _settled(world, request, [place for place in read if place != decisive], others, count, stream)
    if settled is None and count > 1:
        # D is rarer than M over several positions: it decides.
        single = _settled(world, request, [place for place in read if place != decisive], others, 1, stream)
        settled, count = (single, 1) if single else (None, count)
    rest = [place for place in read if place != decisive]
    masks: dict[State, Hide] = {"M": hidden([decisive, *stream.sample(rest, count - 1)])}
    if others:
        masks["K"] = hidden(stream.sample(others, count))
    if settled is not None:
        masks["D"] = hidden(settled)
    return masks


def _settled(
    world: ChartWorld, request: Request, read: list[str], others: list[str], count: int, stream: Stream
) -> list[str] | None:
    """Positions, one of them read, whose hiding together leaves the answer determined; None if none was found."""
    for first in stream.sample(read, len(read)):
        # Hiding what is not read leaves as much settled as hiding nothing, so it comes last.
        rest = [place for place in stream.sample(read, len(read)) if place != first]
        rest += stream.sample(others, len(others))
        for start in range(_STARTS if count > 1 else 1):
            chosen = [first, *rest[start : start + count - 1]]
            if len(chosen) == count and determined(world, request.program, Hide(tuple(chosen), request.appearance)):
                return chosen
    return None


def _same(
    world: ChartWorld, reads: frozenset[Cell], others: list[str], family: Family, stream: Stream
) -> ChartWorld | Refusal:
    """S: a value that is not read changed, at another position where there is one."""
    unread = [(series, place) for series in world.series for place in world.positions if (series, place) not in reads]
    elsewhere = [cell for cell in unread if cell[1] in others] or unread
    if not elsewhere:
        return Refusal(reason="nothing else to edit", detail="the program reads every value")
    return _edited(world, lambda: stream.pick(elsewhere), family, stream, lambda _: True)


def _changed(
    world: ChartWorld, program: Expression, reads: frozenset[Cell], read: list[str], family: Family, stream: Stream
) -> tuple[str, ChartWorld] | Refusal:
    """C, and the position whose hiding makes F and C alike: a value that is read changed so that the answer changes."""
    outcome = execute(program, grid(world))

    def differs(edited: ChartWorld) -> bool:
        result = execute(program, grid(edited))
        return result != outcome and not isinstance(result, Undefined)

    last = Refusal(reason="no other value", detail="the program reads nothing")
    for position in stream.sample(read, len(read)):
        here = sorted(cell for cell in reads if cell[1] == position)
        found = _edited(world, partial(stream.pick, here), family, stream, differs)
        if not isinstance(found, Refusal):
            return position, found
        last = found
    return last


def _gone(world: ChartWorld, program: Expression, reads: frozenset[Cell], family: Family) -> ChartWorld | Refusal:
    """I: the chart without a series that is named, or, with a single series, without a position that is."""
    if len(world.series) > 1:
        smaller = [without_series(world, series) for series in sorted({series for series, _ in reads})]
    else:
        smaller = [without_position(world, position) for position in sorted({position for _, position in reads})]
    last = Refusal(reason="nothing to remove", detail="without any one part the question still has an answer")
    for candidate in smaller:
        if not isinstance(execute(program, grid(candidate)), Undefined):
            continue
        problems = whole_problems(candidate, family.style)
        if not problems:
            return candidate
        last = problems[0]
    return last


def _edited(
    world: ChartWorld,
    cell: Callable[[], Cell],
    family: Family,
    stream: Stream,
    fits: Callable[[ChartWorld], bool],
) -> ChartWorld | Refusal:
    """The world with a clearly different value in a cell, drawn anew until it fits and renders whole."""
    last = Refusal(reason="no other value", detail="no value was drawn that changes what it should")
    for _ in range(_TRIES):
        series, position = cell()
        value = _other_value(world, value_at(world, series, position), stream)
        if value is None:
            continue
        edited = with_value(world, series, position, value)
        if not fits(edited):
            continue
        problems = whole_problems(edited, family.style)
        if not problems:
            return edited
        last = problems[0]
    return last


def _other_value(world: ChartWorld, old: Fraction, stream: Stream) -> Fraction | None:
    """A value the chart can show, clearly but not wildly away from the old one; None if the draw is not."""
    axis = world.axis
    unit = Fraction(world.scale, 10**world.decimals) if world.value_labels else axis.step / axis.minor
    # Marks stay clear of the axis ends, where a bar would have no height, if that leaves a choice.
    margin = (axis.upper - axis.lower) / 25
    low, high = -(-(axis.lower + margin) // unit), (axis.upper - margin) // unit
    if high - low < 1:
        low, high = -(-axis.lower // unit), axis.upper // unit
    count = int(high - low) + 1
    if count < 2:
        return None
    value = (low + stream.below(count)) * unit
    share = abs(value - old) / (axis.upper - axis.lower)
    # A line that leaps across the chart would give the edit away.
    most = Fraction(2, 5) if world.kind in ("line", "dot_line") else 1
    return value if Fraction(1, 20) <= share <= most else None


def _assemble(request: Request, family: Family, plan: Plan, images: dict[State, bytes], question: str) -> Draft:
    program = request.program
    return assemble_group(
        request,
        DOMAIN,
        [plan.worlds["F"], program, family.name, request.appearance],
        plan.shown,
        images,
        dict.fromkeys(images, (family.style.width, family.style.height)),
        Sheet(question, NOTES, family.version, template_of(plan.worlds["F"], program), depth(program)),
        lambda state, name: obligation_of(state, execute(program, grid(plan.worlds[name]))),
        Claim,
        lambda claims: ChartProof(
            question=question,
            program=program,
            family=family.name,
            version=family.version,
            worlds=plan.worlds,
            claims=claims,
        ),
    )
