"""From a table and a program to a group: the states F, S, K, C, D, M, I, their pictures and their proof.

K, C and M are the RA, revised and UA images of "TUBench" (section 3.1, UTabMWP, S.10): an irrelevant cell hidden, and
a critical one. Every label is proved as in "When Does an Image Determine the Answer?", sections 3.1 and 3.2.
"""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from typing import Literal

import msgspec

from answerable.core.errors import InputError
from answerable.core.records import Refusal, State
from answerable.core.seeds import Stream
from answerable.domains.draft import Draft, Manner, Sheet, assemble_group, obligation_of
from answerable.domains.raster import png
from answerable.domains.table.asking import asks, removals
from answerable.domains.table.cells import Field
from answerable.domains.table.choices import choices_problem, make_choices, with_choices
from answerable.domains.table.determinacy import undetermined
from answerable.domains.table.layout import render, version, whole_problems
from answerable.domains.table.proof import DOMAIN, Claim, TableProof
from answerable.domains.table.templates import wordings
from answerable.domains.table.visibility import Appearance, Hide
from answerable.domains.table.world import TableWorld, field_of, grid, value_at, with_values
from answerable.logic.direct import execute
from answerable.logic.outcomes import answer_of
from answerable.logic.program import Cell, Expression, Named, Result, Undefined, depth
from answerable.logic.types import cells, family, schema_of, type_of

#: Values tried in one cell, and exchanges of two cells tried.
_TRIES, _EXCHANGES = 16, 12
NOTES: dict[State, str] = {
    "F": "the complete table",
    "S": "one cell elsewhere changed",
    "K": "an irrelevant cell hidden the way M hides",
    "C": "a cell that is asked for changed",
    "D": "a cell that is asked for hidden; the answer is the same whatever it holds",
    "M": "a cell that is asked for hidden; two complete tables give these pixels",
    "I": "a row or column that is asked for removed",
}


class Request(msgspec.Struct, frozen=True):
    """What to make of a table."""

    source: str
    figure: str
    split: Literal["test", "train"]
    program: Expression
    appearance: Appearance
    names: tuple[str | int, ...]
    """Seed of every choice below."""
    wording: str = ""
    """The question; empty to take one of our own."""
    choices: bool = False
    """Whether the question offers choices."""
    manner: Manner = Manner()
    controls: bool = True
    """Refuse the table when nothing is left unread, so that there is no S and no K."""


class Plan(msgspec.Struct):
    """The worlds of a group, and which of them each state shows, how."""

    worlds: dict[str, TableWorld]
    shown: list[tuple[State, str, Hide | None]]


def make_group(world: TableWorld, request: Request) -> Draft | Refusal:
    """Build every state the program allows, or say why not. Refusals have one of the reasons of the ledger.

    F, C, M and I are always there; S and K need a cell that the program does not read, D one that it reads but that
    leaves the answer determined.
    """
    stream = Stream(*request.names)
    problems = whole_problems(world)
    if problems:
        return problems[0]
    wording = _wording(world, request, stream)
    if isinstance(wording, Refusal):
        return wording
    plan = _plan(world, request, wording, stream)
    if isinstance(plan, Refusal):
        return plan
    pixels = {state: render(plan.worlds[name], hide) for state, name, hide in plan.shown}
    missing = next(hide for state, _, hide in plan.shown if state == "M")
    # The witness: the other complete world must look the same once hidden.
    again = render(plan.worlds["C"], missing)
    if again.shape != pixels["M"].shape or (again != pixels["M"]).any():
        return Refusal(reason="witness fails", detail="the hidden renderings of the two worlds differ")
    choices = _choices(plan, request, stream)
    if isinstance(choices, Refusal):
        return choices
    images = {state: png.encode(image) for state, image in pixels.items()}
    sizes = {state: (image.shape[1], image.shape[0]) for state, image in pixels.items()}
    return _assemble(request, plan, images, sizes, wording, choices)


def _wording(world: TableWorld, request: Request, stream: Stream) -> str | Refusal:
    """The question, which must ask for the program; the program must type, and have an answer."""
    try:
        type_of(request.program, schema_of(grid(world)))
    except InputError as error:
        return Refusal(reason="program does not fit the table", detail=f"{error.expected}; got {error.got}")
    outcome = execute(request.program, grid(world))
    if isinstance(outcome, Undefined):
        return Refusal(reason="no answer", detail=outcome.reason)
    known = (request.wording,) if request.wording else wordings(world, request.program)
    if not known or not asks(known[0], world, request.program):
        return Refusal(reason="no wording", detail=f"no question asks for this program: {request.wording[:80]!r}")
    return stream.pick(known)


def _plan(world: TableWorld, request: Request, wording: str, stream: Stream) -> Plan | Refusal:
    program = request.program
    read = sorted(cells(program, grid(world)))
    every = [(row, field.name) for row in world.rows for field in world.fields]
    unread = [cell for cell in every if cell not in set(read)]
    same = _same(world, unread, stream)
    if same is None and request.controls:
        return Refusal(reason="nothing else to edit", detail="the program reads every cell")
    changed = _changed(world, program, wording, read, stream)
    if changed is None:
        return Refusal(reason="no other value", detail="no admissible edit of what is read changes the answer as asked")
    gone = removals(world, wording, program)
    whole = [found for found in gone if not whole_problems(found)]
    if not whole:
        return Refusal(reason="nothing to remove", detail="without any one part the question still has an answer")
    edited, other_world = changed

    def hidden(*places: Cell) -> Hide:
        return Hide(cells=places, appearance=request.appearance)

    shown: list[tuple[State, str, Hide | None]] = [("F", "F", None)]
    worlds = {"F": world}
    if same is not None:
        worlds["S"] = same
        shown.append(("S", "S", None))
    control = _control(unread, edited, stream)
    if control:
        shown.append(("K", "F", hidden(*control)))
    shown.append(("C", "C", None))
    settled = [cell for cell in read if cell not in edited and not undetermined(world, program, hidden(cell))]
    if settled and len(edited) == 1:
        shown.append(("D", "F", hidden(stream.pick(settled))))
    shown += [("M", "F", hidden(*edited)), ("I", "I", None)]
    return Plan(worlds | {"C": other_world, "I": stream.pick(whole)}, shown)


def _control(unread: list[Cell], edited: tuple[Cell, ...], stream: Stream) -> tuple[Cell, ...]:
    """As many cells for K as M hides, of the same columns where there are some, so that the patches are alike."""
    pool = stream.sample(unread, len(unread))
    columns = {column for _, column in edited}
    pool.sort(key=lambda cell: cell[1] not in columns)  # a stable order: the same columns first
    return tuple(pool[: len(edited)]) if len(pool) >= len(edited) else ()


def _same(world: TableWorld, unread: list[Cell], stream: Stream) -> TableWorld | None:
    """S: a cell that is not read changed; None where there is none."""
    for cell in stream.sample(unread, len(unread)):
        for _ in range(_TRIES):
            value = _other_value(world, cell, stream)
            if value is not None:
                return with_values(world, [(cell, value)])
    return None


def _changed(
    world: TableWorld, program: Expression, wording: str, read: list[Cell], stream: Stream
) -> tuple[tuple[Cell, ...], TableWorld] | None:
    """C, and the cells whose hiding makes F and C alike: one cell edited, or two exchanged."""
    outcome = execute(program, grid(world))
    for edited, candidate in _edits(world, read, stream):
        result = execute(program, grid(candidate))
        if result != outcome and sayable(candidate, wording, result):
            return edited, candidate
    return None


def _edits(world: TableWorld, read: list[Cell], stream: Stream) -> Iterator[tuple[tuple[Cell, ...], TableWorld]]:
    order = stream.sample(read, len(read))
    for cell in order:
        for _ in range(_TRIES):
            value = _other_value(world, cell, stream)
            if value is not None:
                yield (cell,), with_values(world, [(cell, value)])
    for _ in range(_EXCHANGES if len(order) > 1 else 0):
        one, other = stream.sample(order, 2)
        here, there = value_at(world, one), value_at(world, other)
        if one[1] == other[1] and here != there:
            yield (one, other), with_values(world, [(one, there), (other, here)])


def sayable(world: TableWorld, wording: str, outcome: Result) -> bool:
    """Whether a result is an answer that the question lets one give: a value, a label, or a word it offers."""
    if isinstance(outcome, Named):
        return outcome.value in (*world.rows, *grid(world).positions) or outcome.value in wording
    return not isinstance(outcome, Undefined)


def _other_value(world: TableWorld, cell: Cell, stream: Stream) -> Fraction | None:
    """Another admissible value in the manner of the column's values; None where the draw gives none."""
    field = field_of(world, cell[1])
    if field is None:
        return None
    column = [value_at(world, (row, field.name)) for row in world.rows]
    unit = _unit(field, column)
    low, high = -(-field.lower // unit), field.upper // unit
    if high <= low:
        return None
    value = (low + stream.below(int(high - low) + 1)) * unit
    return None if value == value_at(world, cell) else value


def _unit(field: Field, column: list[Fraction]) -> Fraction:
    """The coarsest round step on which all values of a column lie, so that an edited one does not stand out."""
    if field.kind == "text":
        return Fraction(1)
    sizes = (15, 10, 5, 1) if field.kind == "time" else (10_000, 1000, 100, 50, 10, 5, 1)
    enough = (field.upper - field.lower) / 12
    for size in sizes:
        unit = field.step * size
        if all((value / unit).denominator == 1 for value in column) and (size == 1 or unit <= enough or size <= 10):
            return unit
    return field.step


def _choices(plan: Plan, request: Request, stream: Stream) -> tuple[str, ...] | Refusal:
    if not request.choices:
        return ()
    program = request.program
    found = [answer_of(execute(program, grid(plan.worlds[name]))) for name in ("F", "C")]
    answers = [answer for answer in found if answer is not None]
    choices = make_choices(plan.worlds["F"], program, answers, stream)
    problem = choices_problem(choices, answers)
    return Refusal(reason="no choices", detail=problem) if problem else choices


def _assemble(
    request: Request,
    plan: Plan,
    images: dict[State, bytes],
    sizes: dict[State, tuple[int, int]],
    wording: str,
    choices: tuple[str, ...],
) -> Draft:
    program, manner = request.program, request.manner
    question = wording if manner.lettered else with_choices(wording, choices)
    content: list[object] = [plan.worlds["F"], program, request.appearance, bool(choices)]
    return assemble_group(
        request,
        DOMAIN,
        # What is put differently is another group; what is put freely keeps its name.
        content if manner == Manner() else [*content, manner],
        plan.shown,
        images,
        sizes,
        Sheet(question, NOTES, version(), family(program), depth(program), manner, choices if manner.lettered else ()),
        lambda state, name: obligation_of(state, execute(program, grid(plan.worlds[name]))),
        Claim,
        lambda claims: TableProof(
            question=question,
            wording=wording,
            choices=choices,
            program=program,
            version=version(),
            worlds=plan.worlds,
            claims=claims,
            lettered=manner.lettered,
            instruction=manner.instruction,
        ),
    )
