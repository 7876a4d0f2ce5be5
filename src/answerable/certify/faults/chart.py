"""Faults planted in chart groups."""

from __future__ import annotations

from fractions import Fraction

import msgspec

from answerable.certify.checks import Parcel
from answerable.certify.faults import Plant
from answerable.certify.faults.parts import apart, together
from answerable.core.codec import answer_text
from answerable.core.records import Answer
from answerable.core.seeds import Stream
from answerable.domains.chart.proof import ChartProof
from answerable.domains.chart.questions import ask
from answerable.domains.chart.world import value_at
from answerable.domains.raster import png


def plant_target(parcel: Parcel, stream: Stream) -> Parcel:
    """Another target in a supported view."""
    parts = apart(parcel, ChartProof)
    state = stream.pick([state for state, view in parts.views.items() if isinstance(view.obligation, Answer)])
    duty = parts.views[state].obligation
    if isinstance(duty, Answer):
        wrong = answer_text(Fraction(duty.target) + stream.between(1, 9))
        parts.replace_view(state, obligation=msgspec.structs.replace(duty, target=wrong))
    return together(parcel, parts)


def plant_program(parcel: Parcel, stream: Stream) -> Parcel:
    """A program that reads another cell."""
    parts = apart(parcel, ChartProof)
    world, program = parts.proof.worlds["F"], parts.proof.program
    cells = [
        (series, position)
        for series in world.series
        for position in world.positions
        if (series, position) != (program.series, program.position)
    ]
    series, position = stream.pick(cells)
    other = msgspec.structs.replace(program, series=series, position=position)
    # The question is made to ask for it too.
    parts.replace_proof(program=other, question=ask(world, other, stream))
    for state in parts.views:
        parts.replace_view(state, question=parts.proof.question)
    return together(parcel, parts)


def plant_pixel(parcel: Parcel, stream: Stream) -> Parcel:
    """One pixel of one stored image, one step brighter or darker in one channel."""
    parts = apart(parcel, ChartProof)
    state = stream.pick(sorted(parts.images))
    pixels = png.decode(parts.images[state])
    y, x, channel = stream.below(pixels.shape[0]), stream.below(pixels.shape[1]), stream.below(3)
    old = int(pixels[y, x, channel])
    pixels[y, x, channel] = old + 1 if old < 255 else old - 1
    parts.images[state] = png.encode(pixels)
    return together(parcel, parts)


def plant_equal_answers(parcel: Parcel, _: Stream) -> Parcel:
    """A witness whose second world has the answer of the first: C becomes a world that only differs elsewhere."""
    parts = apart(parcel, ChartProof)
    proof = parts.proof
    # S differs from F in one value that the program does not read, and is drawn whole already.
    parts.replace_proof(worlds=proof.worlds | {"C": proof.worlds["S"]})
    parts.images["C"] = parts.images["S"]
    answer = value_at(proof.worlds["S"], proof.program.series, proof.program.position)
    parts.replace_view("C", obligation=Answer(target=answer_text(answer), type="number"))
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
            others = [name for name in world.positions if name != hide.position]
            hide = msgspec.structs.replace(hide, position=stream.pick(others))
        elif hide is not None and (way == 2 or (way == 1 and claim.state == "M")):
            hide = msgspec.structs.replace(hide, appearance="gap" if hide.appearance == "patch" else "patch")
        claims.append(msgspec.structs.replace(claim, hide=hide))
    parts.replace_proof(claims=tuple(claims))
    return together(parcel, parts)


FAULTS: dict[str, Plant] = {
    "target": plant_target,
    "program": plant_program,
    "one pixel": plant_pixel,
    "equal answers": plant_equal_answers,
    "observation condition": plant_observation,
}
