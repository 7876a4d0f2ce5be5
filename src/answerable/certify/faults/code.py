"""Faults planted in groups of code."""

from __future__ import annotations

from fractions import Fraction

import msgspec

from answerable.certify.checks import Parcel
from answerable.certify.faults import Plant
from answerable.certify.faults.parts import Parts, apart, falsify_target, plant_equal_answers, plant_pixel, together
from answerable.core.records import Abstain
from answerable.core.seeds import Stream
from answerable.domains.code.language import Comment, Int, Program, at, walk
from answerable.domains.code.printing import lines
from answerable.domains.code.proof import CodeProof
from answerable.domains.code.questions import Query, wordings
from answerable.domains.code.screen import render
from answerable.domains.code.slices import paths_read
from answerable.domains.code.slots import tail, with_tail
from answerable.domains.code.visibility import Above, End, Hide
from answerable.domains.code.world import THEMES, CodeWorld, texts
from answerable.domains.raster import png


def _open(parcel: Parcel) -> Parts[CodeProof]:
    return apart(parcel, CodeProof)


def _redrawn(parts: Parts[CodeProof]) -> None:
    """Draw every picture of the proof's worlds anew, as far as that goes."""
    for claim in parts.proof.claims:
        parts.images[claim.state] = png.encode(render(parts.proof.worlds[claim.world], claim.hide))


def plant_target(parcel: Parcel, stream: Stream) -> Parcel:
    """The other target in a supported view; answers about code are yes or no."""
    parts = _open(parcel)
    falsify_target(parts, (), stream)
    return together(parcel, parts)


def plant_program(parcel: Parcel, stream: Stream) -> Parcel:
    """Another question asked: of another text, or of a probability; its words made right."""
    parts = _open(parcel)
    query = parts.proof.query
    if query.kind == "chance" and stream.below(2):
        other = Query(kind="chance", scope=query.scope, text=query.text, than="<", chance=Fraction(0))
    else:
        other = msgspec.structs.replace(query, text=query.text[:55] + stream.pick(("?", "!", "x", "0")))
    hide = next((claim.hide for claim in parts.proof.claims if claim.hide is not None), None)
    question = wordings(other, parts.proof.worlds["F"], hide)[0]
    parts.replace_proof(query=other, question=question)
    for state in parts.views:
        parts.replace_view(state, question=question)
    return together(parcel, parts)


def plant_observation(parcel: Parcel, stream: Stream) -> Parcel:
    """M shows more than it may, or nothing is left to chance in it."""
    parts = _open(parcel)
    missing = next(claim for claim in parts.proof.claims if claim.state == "M")
    if missing.hide is None:
        # M shows the world of F, where chance decides nothing.
        parts.replace_proof(worlds=parts.proof.worlds | {"M": parts.proof.worlds["C"]})
        parts.images["M"] = parts.images["C"]
        return together(parcel, parts)
    easy: dict[str, Hide | None] = {claim.state: claim.hide for claim in parts.proof.claims}
    way = stream.below(3)
    if way == 0:
        hide = easy["K"]
    elif way == 1:
        hide = easy["D"]
    elif isinstance(missing.hide, Above):
        hide = End(missing.hide.lines, 4)
    else:
        hide = Above(missing.hide.line)
    claims = (msgspec.structs.replace(c, hide=hide) if c.state == "M" else c for c in parts.proof.claims)
    parts.replace_proof(claims=tuple(claims))
    if stream.below(2):
        _redrawn(parts)
    return together(parcel, parts)


def plant_determined(parcel: Parcel, _: Stream) -> Parcel:
    """D hides what decides the answer, drawn accordingly; without a D, M is said to be answered."""
    parts = _open(parcel)
    missing = next(claim for claim in parts.proof.claims if claim.state == "M")
    if missing.hide is None:
        parts.replace_view("M", obligation=parts.views["F"].obligation)
        return together(parcel, parts)
    claims = (msgspec.structs.replace(c, hide=missing.hide) if c.state == "D" else c for c in parts.proof.claims)
    parts.replace_proof(claims=tuple(claims))
    _redrawn(parts)
    return together(parcel, parts)


def plant_control(parcel: Parcel, stream: Stream) -> Parcel:
    """K hides something that is read; without a K, S is edited in a line that is read."""
    parts = _open(parcel)
    hides = {claim.state: claim.hide for claim in parts.proof.claims}
    if "K" in hides:
        hide = hides[stream.pick(("D", "M"))]
        claims = (msgspec.structs.replace(c, hide=hide) if c.state == "K" else c for c in parts.proof.claims)
        parts.replace_proof(claims=tuple(claims))
    else:
        parts.replace_proof(worlds=parts.proof.worlds | {"S": parts.proof.worlds["C"]})
    _redrawn(parts)
    return together(parcel, parts)


def plant_inadmissible(parcel: Parcel, stream: Stream) -> Parcel:
    """A world of other fixed facts, with a line too many, or with a number that is not among the declared ones."""
    parts = _open(parcel)
    worlds = dict(parts.proof.worlds)
    name = stream.pick(sorted(worlds.keys() - {"F"}))
    world = worlds[name]
    way = stream.below(3 if any(claim.hide for claim in parts.proof.claims) else 2)
    if way == 0:
        theme = stream.pick([theme for theme in THEMES if theme != world.window.theme])
        worlds[name] = msgspec.structs.replace(world, window=msgspec.structs.replace(world.window, theme=theme))
    elif way == 1:
        longer = Program((*world.program.statements, Comment("one more line")))
        worlds[name] = msgspec.structs.replace(world, program=longer)
    else:
        worlds["C"] = _beyond(worlds["C"], worlds["F"])
    parts.replace_proof(worlds=worlds)
    _redrawn(parts)
    return together(parcel, parts)


def _beyond(world: CodeWorld, full: CodeWorld) -> CodeWorld:
    """The world with a number just outside the declared ones where it differs from F."""
    pairs = zip(lines(world.program), texts(world), texts(full), strict=True)
    path = next(line.path for line, one, other in pairs if one != other)
    return msgspec.structs.replace(world, program=with_tail(world.program, path, Int(world.high + 1)))


def plant_edit(parcel: Parcel, stream: Stream) -> Parcel:
    """S is edited in a line that is read as well, or C in one that is not."""
    parts = _open(parcel)
    worlds = dict(parts.proof.worlds)
    statements = worlds["F"].program.statements
    numbers = [path for path, node in walk(statements) if isinstance(tail(node), Int)]
    read = paths_read(worlds["F"].program)
    idle = [path for path in numbers if path not in read]
    name = "C" if idle and stream.below(2) else "S"
    path = stream.pick(idle if name == "C" else [path for path in numbers if path in read])
    old = tail(at(worlds[name].program.statements, path))
    new = Int(old.value + 1 if isinstance(old, Int) else 0)
    worlds[name] = msgspec.structs.replace(worlds[name], program=with_tail(worlds[name].program, path, new))
    parts.replace_proof(worlds=worlds)
    _redrawn(parts)
    return together(parcel, parts)


def plant_reason(parcel: Parcel, _: Stream) -> Parcel:
    """The other reason to abstain: chance instead of a hidden part, or the other way round."""
    parts = _open(parcel)
    duty = parts.views["M"].obligation
    other = "missing" if duty == Abstain(reason="indeterminate") else "indeterminate"
    parts.replace_view("M", obligation=Abstain(reason="missing" if other == "missing" else "indeterminate"))
    return together(parcel, parts)


FAULTS: dict[str, Plant] = {
    "target": plant_target,
    "program": plant_program,
    "one pixel": plant_pixel(CodeProof),
    "equal answers": plant_equal_answers(CodeProof),
    "observation condition": plant_observation,
    "not determined": plant_determined,
    "control": plant_control,
    "inadmissible world": plant_inadmissible,
    "edit of another line": plant_edit,
    "reason": plant_reason,
}
