"""Faults planted in table groups."""

from __future__ import annotations

import msgspec

from answerable.certify.checks import Parcel
from answerable.certify.faults import Plant
from answerable.certify.faults.parts import Parts, apart, falsify_target, pass_off_as_determined, plant_pixel, together
from answerable.core.records import Answer
from answerable.core.seeds import Stream
from answerable.domains.raster import png
from answerable.domains.table.asking import removals
from answerable.domains.table.cells import Field
from answerable.domains.table.choices import with_choices
from answerable.domains.table.layout import render
from answerable.domains.table.proof import TableProof
from answerable.domains.table.templates import draw, template_of, wordings
from answerable.domains.table.visibility import Hide
from answerable.domains.table.world import TableWorld, grid, value_at, with_values, without_row
from answerable.logic.direct import execute
from answerable.logic.program import Expression, Lookup
from answerable.logic.types import cells


def _ask(parts: Parts[TableProof], **changes: object) -> None:
    """Change what the proof asks, in the proof and in every view."""
    parts.replace_proof(**changes)
    parts.replace_proof(question=with_choices(parts.proof.wording, parts.proof.choices))
    for state in parts.views:
        parts.replace_view(state, question=parts.proof.question)


def _show(parts: Parts[TableProof], state: str, world: TableWorld, hide: Hide | None = None) -> None:
    """Draw a view anew."""
    pixels = render(world, hide)
    parts.images[state] = png.encode(pixels)
    parts.replace_view(state, width=pixels.shape[1], height=pixels.shape[0])


def plant_target(parcel: Parcel, stream: Stream) -> Parcel:
    """Another target in a supported view."""
    parts = apart(parcel, TableProof)
    falsify_target(parts, (*parts.proof.worlds["F"].rows, "none"), stream)
    return together(parcel, parts)


def plant_program(parcel: Parcel, stream: Stream) -> Parcel:
    """A program with another answer on F; the question is made to ask for it too."""
    parts = apart(parcel, TableProof)
    world = parts.proof.worlds["F"]
    right = execute(parts.proof.program, grid(world))
    shown = [field.name for field in world.fields if field.numeric and field.kind != "time"]
    others: list[Expression] = [Lookup(series=row, position=column) for row in world.rows for column in shown]
    drawn = draw(template_of(world, parts.proof.program) or "look-up", world, stream)
    others += [drawn] * len(others) if drawn is not None else []
    # With no other answer anywhere, any other program will do: what it reads is not what was edited.
    other = stream.pick([found for found in others if execute(found, grid(world)) != right] or others)
    _ask(parts, program=other, wording=stream.pick(wordings(world, other)))
    return together(parcel, parts)


def plant_equal_answers(parcel: Parcel, _: Stream) -> Parcel:
    """A witness whose second world has the answer of the first: C is F with a cell changed that is not read."""
    parts = apart(parcel, TableProof)
    same = parts.proof.worlds.get("S") or parts.proof.worlds["F"]
    parts.replace_proof(worlds=parts.proof.worlds | {"C": same})
    _show(parts, "C", same)
    parts.replace_view("C", obligation=parts.views["F"].obligation)
    return together(parcel, parts)


def plant_observation(parcel: Parcel, stream: Stream) -> Parcel:
    """Another observation condition: M hides another cell, or looks otherwise, or shows a cell that C edited."""
    parts = apart(parcel, TableProof)
    world = parts.proof.worlds["F"]
    places = [(row, field.name) for row in world.rows for field in world.fields]
    claims, way = [], stream.below(3)
    for claim in parts.proof.claims:
        hide = claim.hide
        if hide is not None and (way == 1 or claim.state == "M"):
            ink = "ink" if hide.appearance == "patch" else "patch"
            others = tuple(stream.sample([cell for cell in places if cell not in hide.cells], len(hide.cells)))
            hide = msgspec.structs.replace(hide, cells=others) if way == 0 else _inked(hide, ink)
        claims.append(msgspec.structs.replace(claim, hide=hide))
    parts.replace_proof(claims=tuple(claims))
    for claim in claims:
        if way == 0 and claim.state == "M":
            _show(parts, "M", world, claim.hide)
    return together(parcel, parts)


def _inked(hide: Hide, look: str) -> Hide:
    return Hide(cells=hide.cells, appearance="ink" if look == "ink" else "patch")


def plant_undetermined(parcel: Parcel, _: Stream) -> Parcel:
    """M passed off as D: the same picture, said to have the answer of F."""
    parts = apart(parcel, TableProof)
    pass_off_as_determined(parts)
    return together(parcel, parts)


def plant_bounds(parcel: Parcel, _: Stream) -> Parcel:
    """A column whose declared width follows a hidden value: C alone declares other bounds than F."""
    parts = apart(parcel, TableProof)
    world = parts.proof.worlds["C"]
    read = {column for _, column in cells(parts.proof.program, grid(world))}
    fields = tuple(_wider(field) if field.name in read else field for field in world.fields)
    wider = msgspec.structs.replace(world, fields=fields)
    parts.replace_proof(worlds=parts.proof.worlds | {"C": wider})
    _show(parts, "C", wider)
    return together(parcel, parts)


def _wider(field: Field) -> Field:
    if field.kind == "time":
        return msgspec.structs.replace(field, clock="24" if field.clock == "12" else "12")
    return msgspec.structs.replace(field, upper=field.upper * 10 + 1000)


def plant_outside(parcel: Parcel, stream: Stream) -> Parcel:
    """A value that the column does not admit, in every world alike, where nothing is read or edited."""
    parts = apart(parcel, TableProof)
    worlds = parts.proof.worlds
    kept = [
        (row, field)
        for row in worlds["F"].rows
        for field in worlds["F"].fields
        if all(row in world.rows and field in world.fields for world in worlds.values())
    ]
    row, field = stream.pick(kept)
    value = field.upper + 1 if stream.below(2) else field.lower - 1
    changed = {name: with_values(world, [((row, field.name), value)]) for name, world in worlds.items()}
    parts.replace_proof(worlds=changed)
    for claim in parts.proof.claims:
        _show(parts, claim.state, changed[claim.world], claim.hide)
    return together(parcel, parts)


def plant_other_removal(parcel: Parcel, stream: Stream) -> Parcel:
    """I lacks something that the words do not name: its question still makes sense, or loses its answer unasked."""
    parts = apart(parcel, TableProof)
    proof = parts.proof
    full = proof.worlds["F"]
    right = removals(full, proof.wording, proof.program)
    wrong = [found for row in full.rows if len(full.rows) > 1 and (found := without_row(full, row)) not in right]
    cell = stream.pick([(row, field.name) for row in full.rows for field in full.fields])
    unlike = with_values(full, [(cell, value_at(full, cell))])
    gone = stream.pick(wrong) if wrong else unlike
    parts.replace_proof(worlds=proof.worlds | {"I": gone})
    _show(parts, "I", gone)
    return together(parcel, parts)


def plant_choices(parcel: Parcel, stream: Stream) -> Parcel:
    """Choices that lack the right answer."""
    parts = apart(parcel, TableProof)
    duty = parts.views["F"].obligation
    target = duty.target if isinstance(duty, Answer) else ""
    offered = [text for text in parts.proof.choices if text != target] or ["0", "1", "2"]
    wrong = [text for text in offered if text != target]
    wrong.append(str(stream.between(10**6, 10**7)))
    _ask(parts, choices=tuple(wrong))
    return together(parcel, parts)


FAULTS: dict[str, Plant] = {
    "target": plant_target,
    "program": plant_program,
    "one pixel": plant_pixel(TableProof),
    "equal answers": plant_equal_answers,
    "observation condition": plant_observation,
    "undetermined as determined": plant_undetermined,
    "column as wide as its content": plant_bounds,
    "value outside the bounds": plant_outside,
    "another part removed": plant_other_removal,
    "choices without the answer": plant_choices,
}
