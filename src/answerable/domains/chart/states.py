"""From one world and one cell to a group: the states F, S, K, C, M, I, their pictures and their proof.

Source: "When Does an Image Determine the Answer?", sections 3.1 and 3.2, with two states of ours (K, and later D).
"""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from typing import Literal

import msgspec

from answerable.core.benchmark import ProofRecord
from answerable.core.codec import answer_text, digest, digest_bytes, encode
from answerable.core.records import Abstain, Answer, Evidence, Group, Obligation, Refusal, State, View
from answerable.core.seeds import Stream
from answerable.domains.chart.families import Family
from answerable.domains.chart.layout import scene, whole_problems
from answerable.domains.chart.proof import DOMAIN, ChartProof, Claim
from answerable.domains.chart.questions import ask
from answerable.domains.chart.visibility import Appearance, Hide
from answerable.domains.chart.world import ChartWorld, grid, value_at, with_value, without_position, without_series
from answerable.domains.draft import Draft
from answerable.domains.raster import png
from answerable.logic.direct import execute
from answerable.logic.program import Cell, Defined, Lookup

#: Tries to find an edited value whose chart renders whole.
_TRIES = 24
NOTES: dict[str, str] = {
    "F": "the complete chart",
    "S": "one value elsewhere changed",
    "K": "another position hidden the way M hides",
    "C": "the asked value changed",
    "M": "the asked position hidden; two complete charts give these pixels",
    "I": "what the question names removed",
}


class Request(msgspec.Struct, frozen=True):
    """What to make of a world."""

    source: str
    figure: str
    split: Literal["test", "train"]
    cell: Cell
    appearance: Appearance
    names: tuple[str | int, ...]
    """Seed of every choice below."""


def make_group(world: ChartWorld, request: Request, family: Family) -> Draft | Refusal:
    """Build all six states, or say why not. Refusals have one of the reasons of the ledger."""
    stream = Stream(*request.names)
    program = Lookup(series=request.cell[0], position=request.cell[1])
    others = [name for name in world.positions if name != program.position]
    if not others:
        return Refusal(reason="no other position", detail=f"only {program.position[:60]!r}")
    problems = whole_problems(world, family.style)
    if problems:
        return problems[0]
    worlds = _worlds(world, program, others, family, stream)
    if isinstance(worlds, Refusal):
        return worlds
    hide = Hide(position=program.position, appearance=request.appearance)
    control = Hide(position=stream.pick(others), appearance=request.appearance)
    plan: tuple[tuple[State, str, Hide | None], ...] = (
        ("F", "F", None),
        ("S", "S", None),
        ("K", "F", control),
        ("C", "C", None),
        ("M", "F", hide),
        ("I", "I", None),
    )
    pixels = {state: family.render(scene(worlds[name], family.style, hidden)) for state, name, hidden in plan}
    # The witness: the other complete world must look the same once hidden.
    if (family.render(scene(worlds["C"], family.style, hide)) != pixels["M"]).any():
        return Refusal(reason="witness fails", detail="the hidden renderings of the two worlds differ")
    shown = {state: png.encode(image) for state, image in pixels.items()}
    return _assemble(request, program, family, worlds, plan, shown, ask(world, program, stream))


def _worlds(
    world: ChartWorld, program: Lookup, others: list[str], family: Family, stream: Stream
) -> dict[str, ChartWorld] | Refusal:
    """The complete worlds F, S, C and I, each whole."""
    elsewhere = [(series, position) for series in world.series for position in others]
    same = _edited(world, lambda: stream.pick(elsewhere), family, stream)
    if isinstance(same, Refusal):
        return same
    changed = _edited(world, lambda: (program.series, program.position), family, stream)
    if isinstance(changed, Refusal):
        return changed
    gone = without_series(world, program.series) if len(world.series) > 1 else without_position(world, program.position)
    problems = whole_problems(gone, family.style)
    if problems:
        return problems[0]
    return {"F": world, "S": same, "C": changed, "I": gone}


def _edited(world: ChartWorld, cell: Callable[[], Cell], family: Family, stream: Stream) -> ChartWorld | Refusal:
    """The world with a clearly different value in a cell, drawn anew until it renders whole."""
    last = Refusal(reason="no other value", detail="the axis holds one value only")
    for _ in range(_TRIES):
        series, position = cell()
        value = _other_value(world, value_at(world, series, position), stream)
        if value is None:
            continue
        edited = with_value(world, series, position, value)
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


def _obligation(state: str, worlds: dict[str, ChartWorld], name: str, program: Lookup) -> Obligation:
    if state == "M":
        return Abstain(reason="missing")
    outcome = execute(program, grid(worlds[name]))
    if isinstance(outcome, Defined):
        return Answer(target=answer_text(outcome.value), type="number")
    return Abstain(reason="invalid_reference")


def _assemble(
    request: Request,
    program: Lookup,
    family: Family,
    worlds: dict[str, ChartWorld],
    plan: tuple[tuple[State, str, Hide | None], ...],
    images: dict[State, bytes],
    question: str,
) -> Draft:
    content = digest([worlds["F"], program, family.name, request.appearance])
    group_id = digest(["group", request.source, request.figure, content])[:20]
    ids = {state: digest(["view", group_id, state, *request.names])[:24] for state in images}
    claims = tuple(
        Claim(state=state, view=ids[state], image_sha256=digest_bytes(images[state]), world=name, hide=hidden)
        for state, name, hidden in plan
    )
    proof = ProofRecord(
        group=group_id,
        domain=DOMAIN,
        body=msgspec.Raw(
            encode(
                ChartProof(
                    question=question,
                    program=program,
                    family=family.name,
                    version=family.version,
                    worlds=worlds,
                    claims=claims,
                )
            )
        ),
    )
    mark = proof.digest()
    views = tuple(
        View(
            id=claim.view,
            group=group_id,
            source=request.source,
            split=request.split,
            figure=request.figure,
            state=claim.state,
            question=question,
            obligation=_obligation(claim.state, worlds, claim.world, program),
            evidence=Evidence(level="proved", proof=mark, note=NOTES[claim.state]),
            image_sha256=claim.image_sha256,
            width=family.style.width,
            height=family.style.height,
            renderer=family.version,
        )
        for claim in claims
    )
    group = Group(id=group_id, source=request.source, split=request.split, views=views)
    return Draft(group, tuple(images[claim.state] for claim in claims), proof, content)
