"""Faults planted in chart groups."""

from __future__ import annotations

import msgspec

from answerable.certify.checks import Parcel
from answerable.certify.faults import Plant
from answerable.certify.faults.parts import (
    apart,
    falsify_target,
    pass_off_as_determined,
    plant_equal_answers,
    plant_pixel,
    together,
)
from answerable.core.seeds import Stream
from answerable.domains.chart.proof import ChartProof
from answerable.domains.chart.templates import draw, template_of, wordings
from answerable.domains.chart.world import grid
from answerable.logic.direct import execute
from answerable.logic.program import Expression, Lookup


def plant_target(parcel: Parcel, stream: Stream) -> Parcel:
    """Another target in a supported view."""
    parts = apart(parcel, ChartProof)
    falsify_target(parts, parts.proof.worlds["F"].positions, stream)
    return together(parcel, parts)


def plant_program(parcel: Parcel, stream: Stream) -> Parcel:
    """A program with another answer on F; the question is made to ask for it too."""
    parts = apart(parcel, ChartProof)
    world = parts.proof.worlds["F"]
    right = execute(parts.proof.program, grid(world))
    lookups = [Lookup(series=series, position=position) for series in world.series for position in world.positions]
    others: list[Expression] = [found for found in lookups if execute(found, grid(world)) != right]
    drawn = draw(template_of(world, parts.proof.program), world, stream)
    if drawn is not None and execute(drawn, grid(world)) != right:
        others = [drawn]
    other = stream.pick(others)
    parts.replace_proof(program=other, question=stream.pick(wordings(world, other)))
    for state in parts.views:
        parts.replace_view(state, question=parts.proof.question)
    return together(parcel, parts)


def plant_undetermined(parcel: Parcel, _: Stream) -> Parcel:
    """M passed off as D: the same picture, said to have the answer of F."""
    parts = apart(parcel, ChartProof)
    pass_off_as_determined(parts)
    return together(parcel, parts)


def plant_observation(parcel: Parcel, stream: Stream) -> Parcel:
    """Another observation condition: M hides another position, M alone looks otherwise, or both masks do."""
    parts = apart(parcel, ChartProof)
    world = parts.proof.worlds["F"]
    way = stream.below(3)
    claims = []
    for claim in parts.proof.claims:
        hide = claim.hide
        if hide is not None and way == 0 and claim.state == "M":
            others = [name for name in world.positions if name not in hide.positions]
            hide = msgspec.structs.replace(hide, positions=(stream.pick(others), *hide.positions[1:]))
        elif hide is not None and (way == 2 or (way == 1 and claim.state == "M")):
            hide = msgspec.structs.replace(hide, appearance="gap" if hide.appearance == "patch" else "patch")
        claims.append(msgspec.structs.replace(claim, hide=hide))
    parts.replace_proof(claims=tuple(claims))
    return together(parcel, parts)


FAULTS: dict[str, Plant] = {
    "target": plant_target,
    "program": plant_program,
    "one pixel": plant_pixel(ChartProof),
    "equal answers": plant_equal_answers(ChartProof),
    "observation condition": plant_observation,
    "undetermined as determined": plant_undetermined,
}
