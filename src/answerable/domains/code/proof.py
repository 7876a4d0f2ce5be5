"""Proofs about code, and how the kernel gets at what they speak of."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from functools import cached_property

import msgspec

from answerable.core.codec import decode, digest
from answerable.core.errors import ProofError
from answerable.core.records import Record, Refusal
from answerable.domains.code import answers, cpython, interpreter, screen
from answerable.domains.code.checking import problems
from answerable.domains.code.language import Path, Program
from answerable.domains.code.questions import Query, chance_text, shown_file, wordings
from answerable.domains.code.slices import lines_read
from answerable.domains.code.slots import fillings
from answerable.domains.code.visibility import Above, Hide, hidden_lines
from answerable.domains.code.world import CodeWorld, texts, world_problems
from answerable.domains.draft import Shown
from answerable.domains.raster import png
from answerable.logic.outcomes import Outcome, answer_of
from answerable.logic.program import Cell

DOMAIN = "code"
#: Fillings of hidden places that are run for one view.
MAX_FILLINGS = 100
#: Worlds a proof may have; ours have four at most.
MAX_WORLDS = 8


class Claim(Shown, frozen=True):
    """One view: which world it shows, and what of it is hidden."""

    hide: Hide | None = None


class CodeProof(Record, frozen=True, omit_defaults=True):
    """Everything needed to draw a group's views again and to answer its question again."""

    question: str
    query: Query
    version: str
    """Of what drew the views; pixels are only compared with the same one."""
    worlds: dict[str, CodeWorld]
    """``F``, ``S``, ``C``, and ``M`` where chance leaves the answer open."""
    claims: tuple[Claim, ...]
    instruction: str = ""
    """Said after the question."""

    def __post_init__(self) -> None:
        if not 1 <= len(self.worlds) <= MAX_WORLDS or "F" not in self.worlds:
            raise ValueError(f"expected a world F and at most {MAX_WORLDS} worlds; got {sorted(self.worlds)[:9]}")


class CodeCase:
    """What the kernel asks of the domain: answers and pixels, all made anew from the proof's worlds."""

    executors = ("interpreter", "cpython")
    offers: tuple[str, ...] = ()

    def __init__(self, proof: CodeProof, images: Mapping[str, bytes]) -> None:
        self._proof, self._images = proof, images
        self.question, self.claims, self.instruction = proof.question, proof.claims, proof.instruction
        self.worlds = tuple(proof.worlds)
        self._pixels: dict[tuple[str, Hide | None], bytes] = {}

    @property
    def versions(self) -> tuple[str, str]:
        """The version that drew the views, and the one that would draw now."""
        return self._proof.version, screen.version()

    @cached_property
    def _runs(self) -> dict[str, _Run]:
        """Both executors on every well-formed world, CPython on all in one go."""
        sound = [name for name in self.worlds if not world_problems(self._proof.worlds[name])]
        return dict(zip(sound, _both([self._proof.worlds[name].program for name in sound]), strict=True))

    def execute(self, executor: str, world: str) -> Outcome:
        """The question's answer on a world.

        Raises:
            ProofError: it cannot be run; ``admissible`` says why.
        """
        run = self._runs.get(world)
        if run is None or run.problem:
            raise ProofError("a program that both executors can run", run.problem if run else "a malformed one")
        return run.answer(self._proof.query, executor, shown_file(self._proof.worlds[world].window))

    def asked(self) -> bool:
        """Whether the question is one of the wordings of what is computed."""
        hide = next((claim.hide for claim in self.claims if claim.hide is not None), None)
        return self.question in wordings(self._proof.query, self._proof.worlds["F"], hide)

    @cached_property
    def _read(self) -> frozenset[int]:
        return lines_read(self._proof.worlds["F"].program)

    def reads(self) -> frozenset[Cell]:
        """The lines that the output may depend on, and the file that is named."""
        lines = {("line", str(number)) for number in self._read}
        return frozenset(lines | self._files("F").keys())

    def _files(self, world: str) -> dict[Cell, str]:
        """The file name as a fact, where the question names a file."""
        file = self._proof.worlds[world].window.file
        return {("file", file): file} if self._proof.query.kind == "number" else {}

    def facts(self, world: str) -> dict[Cell, str]:
        """Every line."""
        shown = enumerate(texts(self._proof.worlds[world]), 1)
        return {("line", str(number)): text for number, text in shown} | self._files(world)

    def admissible(self, world: str) -> tuple[str, ...]:
        """Why a world is malformed, does not type, may fail, or takes more than an executor gives."""
        found = world_problems(self._proof.worlds[world])
        return found or tuple(filter(None, (self._runs[world].problem,)))

    def fixed_facts(self, world: str) -> str:
        """Digest of the window and of what numbers out of sight may be."""
        shown = self._proof.worlds[world]
        return digest([shown.window, shown.low, shown.high])

    def looks(self, world: str) -> dict[str, str]:
        """Nothing beyond the window."""
        del world
        return {}

    def problems(self, world: str, hide: Hide | None) -> tuple[Refusal, ...]:
        """What keeps a rendering from being whole, or what is hidden from being what the question says."""
        return screen.problems(self._proof.worlds[world], hide)

    def hidden(self, world: str, hide: Hide) -> frozenset[Cell]:
        """Lines that are hidden, whole or in part."""
        program = self._proof.worlds[world].program
        return frozenset(("line", str(number)) for number, _ in hidden_lines(program, hide))

    def look(self, hide: Hide) -> str:
        """Cropped above, or a line's end covered."""
        return "above" if isinstance(hide, Above) else "end"

    def undetermined(self, hide: Hide) -> str:
        """Runs every admissible content of the hidden places that are read; empty when all give F's answer."""
        return undetermined(self._proof.worlds["F"], self._proof.query, hide)

    def told(self) -> str:
        """What is computed, in words."""
        query = self._proof.query
        if query.kind == "number":
            return f"the number that every run of “{query.text}” prints"
        what = f"exactly “{query.text}”" if query.scope == "output" else f"a line that reads “{query.text}”"
        if query.kind == "chance":
            than = {"=": "of", ">": "above", "<": "below"}[query.than]
            return f"whether the program prints {what} with a probability {than} {chance_text(query.chance)}"
        return f"whether {'every run' if query.kind == 'prints' else 'some run'} of the program prints {what}"

    def named(self, cell: Cell) -> str:
        """A line by its number."""
        return f"{cell[0]} {cell[1]}"

    def settled(self, hide: Hide) -> str:
        """What was gone through where ``undetermined`` finds nothing, in words."""
        full = self._proof.worlds["F"]
        count = len(_open_places(full, hide))
        places = "one hidden place that is read" if count == 1 else f"{count} hidden places that are read"
        runs = (full.high - full.low + 1) ** count
        return (
            f"with every whole number from {full.low} to {full.high} in {places}, {runs} programs in all, "
            "both executors find one answer"
        )

    def chances(self, world: str) -> tuple[tuple[str, str, Fraction], ...]:
        """All that a world may print, the likeliest first, as both executors find it.

        Returns:
            Output, the answer that a run with this output gives, and the output's probability.
        """
        query = self._proof.query
        found = []
        for printed, chance in self._runs[world].states.items():
            file = shown_file(self._proof.worlds[world].window)
            given = answer_of(answers.of_states(query, {printed: Fraction(1)}, file))
            found.append(("\n".join(printed), given.target if given else "", chance))
        return tuple(sorted(found, key=lambda one: (-one[2], one[0])))

    def rendered(self, world: str, hide: Hide | None) -> bytes:
        """Size and pixels of a world, drawn now."""
        return png.comparable(screen.render(self._proof.worlds[world], hide))

    def stored(self, view: str) -> bytes:
        """Size and pixels of a stored image, decoded now."""
        return png.comparable(png.decode(self._images[view]))


class _Run(msgspec.Struct, frozen=True):
    """A program's distribution by each executor, or why one of them has none."""

    states: interpreter.Distribution
    runs: cpython.Distribution
    problem: str = ""

    def answer(self, query: Query, executor: str, file: str) -> Outcome:
        if executor == "interpreter":
            return answers.of_states(query, self.states, file)
        return answers.of_runs(query, self.runs, file)


def _both(programs: list[Program]) -> list[_Run]:
    """Run checked programs by both executors; CPython meets none that the interpreter found too much."""
    firsts = [_interpreted(program) for program in programs]
    asked = [program for program, first in zip(programs, firsts, strict=True) if not isinstance(first, str)]
    seconds = iter(cpython.shared().run(asked))
    found = []
    for first in firsts:
        if isinstance(first, str):
            found.append(_Run({}, {}, problem=first))
            continue
        second = next(seconds)
        if isinstance(second, cpython.Failed):
            found.append(_Run({}, {}, problem=f"CPython: {second.reason}"))
        elif second != first:
            # A difference that no answer to this question shows is a fault all the same.
            found.append(_Run(first, second, problem=_differ(first, second)))
        else:
            found.append(_Run(first, second))
    return found


def _differ(first: interpreter.Distribution, second: cpython.Distribution) -> str:
    return f"the executors find {len(first)} and {len(second)} outputs, not the same ones with the same chances"


def _interpreted(program: Program) -> interpreter.Distribution | str:
    try:
        return interpreter.run(program)
    except interpreter.DividesByZeroError:
        return "it may divide by zero"
    except interpreter.TooMuchError as error:
        return str(error)


def answer(world: CodeWorld, query: Query) -> Outcome | str:
    """The answer on a checked world where both executors agree, or why there is none."""
    (run,) = _both([world.program])
    return run.problem or run.answer(query, "interpreter", shown_file(world.window))


def _open_places(world: CodeWorld, hide: Hide) -> tuple[Path, ...]:
    """The hidden places that the output may depend on."""
    read = lines_read(world.program)
    return tuple(line.path for number, line in hidden_lines(world.program, hide) if number in read)


def undetermined(world: CodeWorld, query: Query, hide: Hide) -> str:
    """Why an answer is not shown to be determined once part of its world is hidden; empty when it is."""
    paths = _open_places(world, hide)
    count = (world.high - world.low + 1) ** len(paths)
    if count > MAX_FILLINGS:
        return f"{count} fillings of {len(paths)} hidden places are too many to run"
    programs = list(fillings(world.program, paths, world.low, world.high))
    for program in programs:
        wrong = problems(program)
        if wrong:
            return wrong[0]
    results = _both(programs)
    for run in results:
        if run.problem:
            return run.problem
    file = shown_file(world.window)
    answers_found = {run.answer(query, name, file) for run in results for name in CodeCase.executors}
    if len(answers_found) > 1:
        return f"{len(programs)} fillings of the hidden places give different answers"
    return ""


def open_case(body: bytes, images: Mapping[str, bytes]) -> CodeCase:
    """Read a proof about code.

    Args:
        body: canonical JSON of a ``CodeProof``.
        images: image files by view id.

    Raises:
        ProofError: not such a proof.
    """
    try:
        return CodeCase(decode(body, CodeProof), images)
    except msgspec.MsgspecError as error:
        raise ProofError("a proof about code", str(error)) from error
