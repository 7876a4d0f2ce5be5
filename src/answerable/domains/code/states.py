"""From one made-up program to a group: its states, their pictures and their proof.

Strategies of TUBench 3.1. ``s1``: nothing is hidden; chance leaves the answer of M open and no other's. ``s2``: the
first lines, which set variables, are above the picture. ``s3``: the end of a line is covered. In s2 and s3, K hides
something that is not read, D something that is read and cannot matter, M what decides the answer.
"""

from __future__ import annotations

from typing import Literal

import msgspec

from answerable.core.records import Abstain, Obligation, Refusal, State
from answerable.core.seeds import Stream
from answerable.domains.code import screen
from answerable.domains.code.generator import Sketch, Strategy
from answerable.domains.code.language import Assign, Int, Path, Program, RandInt, at, depth, replaced
from answerable.domains.code.printing import lines
from answerable.domains.code.proof import DOMAIN, Claim, CodeProof, answer, undetermined
from answerable.domains.code.questions import Asking, Query, ask
from answerable.domains.code.selection import by_chance, by_hiding, outputs
from answerable.domains.code.slices import paths_read
from answerable.domains.code.slots import tail, tail_column, with_tail
from answerable.domains.code.visibility import Above, End, Hide
from answerable.domains.code.world import (
    FRAMES,
    MAX_COLUMNS,
    MAX_ROWS,
    CodeWorld,
    Frame,
    ThemeName,
    Window,
    texts,
    world_problems,
)
from answerable.domains.draft import Draft, Manner, Sheet, assemble_group
from answerable.domains.raster import png
from answerable.logic.outcomes import Several, answer_of

#: Numbers that a hidden place may hold.
LOW, HIGH = 0, 9
_SHARED: dict[State, str] = {
    "F": "the complete program",
    "S": "a line that nothing depends on edited",
    "C": "a line edited so that the answer changes",
}
NOTES: dict[Strategy, dict[State, str]] = {
    "s1": {**_SHARED, "M": "S.1: a line edited so that chance decides"},
    "s2": {
        **_SHARED,
        "K": "lines above that nothing depends on are out of sight",
        "D": "a setting that is used is out of sight above; no admissible number changes the answer",
        "M": "S.2: the setting that decides is out of sight; two complete programs give these pixels",
    },
    "s3": {
        **_SHARED,
        "K": "the end of a line that nothing depends on is covered",
        "D": "the end of a line that is used is covered; no admissible number changes the answer",
        "M": "S.3: the end of the line that decides is covered; two complete programs give these pixels",
    },
}


#: Question kind -> the family of programs that scores are split by.
FAMILIES: dict[Asking, str] = {
    "prints": "printed text",
    "can": "possible text",
    "chance": "probability",
    "number": "printed number",
}


class Request(msgspec.Struct, frozen=True):
    """What to make of a program."""

    source: str
    figure: str
    split: Literal["test", "train"]
    strategy: Strategy
    themes: tuple[ThemeName, ...]
    wants: bool
    """The answer that F should have."""
    names: tuple[str | int, ...]
    """Seed of every choice below."""
    manner: Manner = Manner()


Plan = tuple[tuple[State, str, Hide | None], ...]


class _Parts(msgspec.Struct, frozen=True):
    """A group before it is drawn."""

    worlds: dict[str, CodeWorld]
    plan: Plan
    query: Query


def make_group(made: Sketch, request: Request) -> Draft | Refusal:
    """Build all states, or say why not. Refusals have one of the reasons of the ledger."""
    stream = Stream(*request.names)
    parts = _parts(made, request, stream)
    if isinstance(parts, Refusal):
        return parts
    for _, name, hide in parts.plan:
        problems = screen.problems(parts.worlds[name], hide)
        if problems:
            return problems[0]
    for name, world in parts.worlds.items():
        outcome = answer(world, parts.query)
        if isinstance(outcome, str):
            return Refusal(reason="cannot be run", detail=outcome)
        if (name == "M") != isinstance(outcome, Several):
            return Refusal(reason="chance decides elsewhere", detail=f"world {name}")
    pixels = {state: screen.render(parts.worlds[name], hide) for state, name, hide in parts.plan}
    missing = next(hide for state, _, hide in parts.plan if state == "M")
    if missing is not None and (screen.render(parts.worlds["C"], missing) != pixels["M"]).any():
        return Refusal(reason="witness fails", detail="the hidden renderings of the two worlds differ")
    hide = next((hide for _, _, hide in parts.plan if hide is not None), None)
    question = ask(parts.query, parts.worlds["F"], hide, stream)
    return _assemble(request, parts, {state: png.encode(image) for state, image in pixels.items()}, question)


def _parts(made: Sketch, request: Request, stream: Stream) -> _Parts | Refusal:
    full = CodeWorld(program=made.program, window=window_of(made, request.themes, FRAMES, stream), low=LOW, high=HIGH)
    wrong = world_problems(full)
    if wrong:
        return Refusal(reason="malformed program", detail=wrong[0])
    read = paths_read(made.program)
    if made.idle in read or made.critical not in read:
        return Refusal(reason="other lines matter", detail="what is meant to be idle is read, or the other way round")
    if request.strategy == "s1":
        return _by_chance(made, request, full, stream)
    return _by_hiding(made, request, full, stream)


def _by_hiding(made: Sketch, request: Request, full: CodeWorld, stream: Stream) -> _Parts | Refusal:
    """Strategies s2 and s3."""
    critical = _critical(made, request, full, stream)
    numbers = [number for number in range(LOW, HIGH + 1) if number != _value(full, critical)]
    stream.shuffle(numbers)
    found = by_hiding(full, [_with(full, critical, number) for number in numbers], request.wants, stream)
    if found is None:
        return Refusal(reason="no other answer", detail="no admissible number changes what can be asked")
    query, changed = found
    plan: list[tuple[State, str, Hide | None]] = [
        ("F", "F", None),
        ("S", "S", None),
        ("K", "F", _hide(full, request.strategy, made.idle)),
        ("C", "C", None),
    ]
    partly = _hide(full, request.strategy, made.neutral)
    if undetermined(full, query, partly):
        return Refusal(reason="nothing determined", detail="the setting that should not matter does")
    plan += [("D", "F", partly), ("M", "F", _hide(full, request.strategy, critical))]
    worlds = {"F": full, "S": _idle_edited(full, made.idle, stream), "C": changed}
    return _Parts(worlds, tuple(plan), query)


def _critical(made: Sketch, request: Request, full: CodeWorld, stream: Stream) -> Path:
    """The line whose number is hidden: for s3, now and then another line that is read and ends with a number."""
    program = full.program
    ends = [
        path
        for path in sorted(paths_read(program) - {made.neutral, made.critical})
        if _value(full, path) is not None and not screen.problems(full, _hide(full, "s3", path))
    ]
    return stream.pick(ends) if ends and request.strategy == "s3" and stream.below(3) else made.critical


def _by_chance(made: Sketch, request: Request, full: CodeWorld, stream: Stream) -> _Parts | Refusal:
    """Strategy s1: worlds that differ in one setting; chance decides in M alone."""
    numbers = list(range(25))
    stream.shuffle(numbers)
    candidates = [_with(full, made.critical, number) for number in numbers]
    drawn = candidates
    if len(outputs(full) or ()) == 1:
        # Nothing that matters is drawn yet: in M, the setting is.
        drawn = [_drawn(full, made.critical, high) for high in (stream.between(4, 8), stream.between(9, 20))]
    found = by_chance(candidates, drawn, request.wants, stream)
    if found is None:
        return Refusal(reason="no other answer", detail="no settings make it certain, its opposite certain, and open")
    query, chosen, changed, undecided = found
    worlds = {"F": chosen, "S": _idle_edited(chosen, made.idle, stream), "C": changed, "M": undecided}
    return _Parts(worlds, (("F", "F", None), ("S", "S", None), ("C", "C", None), ("M", "M", None)), query)


def _with(world: CodeWorld, path: Path, number: int) -> CodeWorld:
    return msgspec.structs.replace(world, program=with_tail(world.program, path, Int(number)))


def _drawn(world: CodeWorld, path: Path, high: int) -> CodeWorld:
    """The world with a setting that is drawn."""
    old = at(world.program.statements, path)
    name = old.name if isinstance(old, Assign) else ""
    statements = replaced(world.program.statements, path, Assign(name, RandInt(1, high)))
    return msgspec.structs.replace(world, program=Program(statements))


def _idle_edited(world: CodeWorld, path: Path, stream: Stream) -> CodeWorld:
    """The world with another number, or another range, in a line that nothing depends on."""
    old = at(world.program.statements, path)
    if isinstance(old, Assign) and isinstance(old.value, RandInt):
        high = stream.pick([number for number in range(10, 60) if number != old.value.high])
        new = replaced(world.program.statements, path, Assign(old.name, RandInt(old.value.low, high)))
        return msgspec.structs.replace(world, program=Program(new))
    return _with(world, path, stream.pick([n for n in range(LOW, HIGH + 1) if n != _value(world, path)]))


def _value(world: CodeWorld, path: Path) -> int | None:
    literal = tail(at(world.program.statements, path))
    return literal.value if isinstance(literal, Int) else None


def _line(world: CodeWorld, path: Path) -> int:
    """Number of the first line of a statement."""
    return next(number for number, line in enumerate(lines(world.program), 1) if line.path == path)


def _hide(world: CodeWorld, strategy: Strategy, path: Path) -> Hide:
    """Everything down to a line out of sight, or that line's last number covered."""
    number = _line(world, path)
    if strategy == "s2":
        return Above(number)
    literal = tail(at(world.program.statements, path))
    if literal is None:
        raise ValueError(f"expected a line that ends with a literal; got line {number}")
    return End(number, tail_column(texts(world)[number - 1], literal))


def window_of(made: Sketch, themes: tuple[ThemeName, ...], frames: tuple[Frame, ...], stream: Stream) -> Window:
    """A window that the program fits; its size is declared before anything is hidden."""
    written = lines(made.program)
    widest = max(len(line.text) for line in written)
    return Window(
        file=made.file,
        theme=stream.pick(themes),
        frame=stream.pick(frames),
        cell=stream.pick((8, 9, 10)),
        rows=min(MAX_ROWS, len(written) + stream.between(0, 2)),
        columns=min(MAX_COLUMNS, max(widest, 36) + stream.between(3, 9)),
    )


def _obligation(state: State, world: CodeWorld, name: str, query: Query) -> Obligation:
    if state == "M":
        return Abstain(reason="indeterminate" if name == "M" else "missing")
    outcome = answer(world, query)
    duty = None if isinstance(outcome, str) else answer_of(outcome)
    if duty is None:
        raise ValueError(f"expected an answer in state {state}; got {outcome}")
    return duty


def _assemble(request: Request, parts: _Parts, images: dict[State, bytes], question: str) -> Draft:
    full, places = parts.worlds["F"], screen.Places(parts.worlds["F"].window)
    content: list[object] = [full.program, parts.query, request.strategy]
    family = FAMILIES[parts.query.kind]
    return assemble_group(
        request,
        DOMAIN,
        content if request.manner == Manner() else [*content, request.manner],
        parts.plan,
        images,
        dict.fromkeys(images, (places.width, places.height)),
        Sheet(question, NOTES[request.strategy], screen.version(), family, depth(full.program), request.manner),
        lambda state, name: _obligation(state, parts.worlds[name], name, parts.query),
        Claim,
        lambda claims: CodeProof(
            question=question,
            query=parts.query,
            version=screen.version(),
            worlds=parts.worlds,
            claims=claims,
            instruction=request.manner.instruction,
        ),
    )
