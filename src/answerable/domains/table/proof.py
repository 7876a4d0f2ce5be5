"""Table proofs, and how the kernel gets at what they speak of."""

from __future__ import annotations

from collections.abc import Mapping

import msgspec

from answerable.core.codec import decode, digest
from answerable.core.errors import InputError, ProofError
from answerable.core.records import Record, Refusal
from answerable.domains.draft import Shown
from answerable.domains.raster import png
from answerable.domains.table.asking import asks, removals
from answerable.domains.table.cells import admits
from answerable.domains.table.choices import choices_problem, with_choices
from answerable.domains.table.determinacy import undetermined
from answerable.domains.table.layout import render, version, whole_problems
from answerable.domains.table.styles import STYLES
from answerable.domains.table.visibility import Hide, hidden_cells
from answerable.domains.table.world import TableWorld, facts, grid, shape_problems
from answerable.logic import direct, sql
from answerable.logic.outcomes import Outcome, answer_of
from answerable.logic.program import Cell, Expression
from answerable.logic.types import cells, schema_of, type_of, words

DOMAIN = "table"


class Claim(Shown, frozen=True):
    """One view: which world it shows, and what of it is hidden."""

    hide: Hide | None = None


class TableProof(Record, frozen=True, omit_defaults=True):
    """Everything needed to draw a group's views again and to answer its question again."""

    question: str
    """As it is asked, choices included."""
    wording: str
    """The question without its choices."""
    choices: tuple[str, ...]
    """In the order in which they are offered; empty for a free answer."""
    program: Expression
    version: str
    """Of what drew the views; pixels are only compared with the same one."""
    worlds: dict[str, TableWorld]
    """``F``, ``S``, ``C`` and ``I``. F and C are the two complete worlds of the witness for M."""
    claims: tuple[Claim, ...]
    lettered: bool = False
    """Whether the choices are options under letters, and no part of the question's text."""
    instruction: str = ""
    """Said after the options."""


_EXECUTORS = {"direct": direct.execute, "sql": sql.execute}


class TableCase:
    """What the kernel asks of the domain: grids, problems and pixels, all made anew from the proof's worlds."""

    executors = tuple(_EXECUTORS)

    def __init__(self, proof: TableProof, images: Mapping[str, bytes]) -> None:
        self._proof, self._images = proof, images
        self.question, self.claims = proof.question, proof.claims
        self.offers, self.instruction = proof.choices if proof.lettered else (), proof.instruction
        self.worlds = tuple(proof.worlds)

    @property
    def versions(self) -> tuple[str, str]:
        """The version that drew the views, and the one that would draw now."""
        return self._proof.version, version()

    def execute(self, executor: str, world: str) -> Outcome:
        """The program's answer on a world."""
        return _EXECUTORS[executor](self._proof.program, grid(self._proof.worlds[world]))

    def reads(self) -> frozenset[Cell]:
        """The cells that the answer may depend on."""
        return cells(self._proof.program, grid(self._proof.worlds["F"]))

    def facts(self, world: str) -> dict[Cell, str]:
        """Every cell with the text it shows."""
        return facts(self._proof.worlds[world])

    def undetermined(self, hide: Hide) -> str:
        """Why the answer is not shown to be determined once hidden."""
        return undetermined(self._proof.worlds["F"], self._proof.program, hide)

    def admissible(self, world: str) -> tuple[str, ...]:
        """What makes a world inadmissible, in words; empty when nothing does."""
        shown = self._proof.worlds[world]
        malformed = shape_problems(shown)
        if malformed:
            return malformed
        if shown.style not in STYLES:
            return (f"no style {shown.style[:40]!r}",)
        return tuple(
            f"{value} is not admissible in the column {field.name[:60]!r} [{field.lower}, {field.upper}]"
            for line in shown.values
            for field, value in zip(shown.fields, line, strict=True)
            if not admits(field, value)
        )

    def fixed_facts(self, world: str) -> str:
        """Digest of all that no edit of a cell, row or column may change."""
        return digest(msgspec.structs.replace(self._proof.worlds[world], fields=(), rows=(), values=()))

    def asked(self) -> bool:
        """Whether the words ask for what the program reads, the choices fit, and I lacks what the words name."""
        proof = self._proof
        full, gone = proof.worlds["F"], proof.worlds.get("I")
        if any(shape_problems(world) for world in proof.worlds.values()):
            return True  # refused by the next premise, which says what is malformed
        if proof.question != (proof.wording if proof.lettered else with_choices(proof.wording, proof.choices)):
            return False
        answers = [
            answer
            for name in ("F", "C")
            if name in proof.worlds and (answer := answer_of(direct.execute(proof.program, grid(proof.worlds[name]))))
        ]
        if choices_problem(proof.choices, answers) or not asks(proof.wording, full, proof.program):
            return False
        return gone is None or gone in removals(full, proof.wording, proof.program)

    def looks(self, world: str) -> dict[str, str]:
        """The declaration of every column, which decides its width and format."""
        return {field.name: digest(field) for field in self._proof.worlds[world].fields}

    def problems(self, world: str, hide: Hide | None) -> tuple[Refusal, ...]:
        """What keeps a rendering from being whole."""
        return whole_problems(self._proof.worlds[world], hide)

    def hidden(self, world: str, hide: Hide) -> frozenset[Cell]:
        """Cells that the operation hides."""
        return hidden_cells(self._proof.worlds[world], hide)

    def look(self, hide: Hide) -> str:
        """How a mask looks, wherever it is."""
        return f"{hide.appearance} on {len(hide.cells)}"

    def told(self) -> str:
        """What the program computes, in words."""
        return words(self._proof.program)

    def named(self, cell: Cell) -> str:
        """A cell as ``told`` names it."""
        return f"{cell[0]}[{cell[1]}]"

    def settled(self, hide: Hide) -> str:
        """What was gone through where ``undetermined`` finds nothing, in words."""
        count = len(self.hidden("F", hide))
        each = "the hidden cell" if count == 1 else f"each of {count} hidden cells"
        return (
            f"{each} may hold any number whatever (a time of day: any minute), interval propagation leaves one answer, "
            "and both executors confirm it at the ends"
        )

    def rendered(self, world: str, hide: Hide | None) -> bytes:
        """Size and pixels of a world, drawn now."""
        return png.comparable(render(self._proof.worlds[world], hide))

    def stored(self, view: str) -> bytes:
        """Size and pixels of a stored image, decoded now."""
        return png.comparable(png.decode(self._images[view]))


def open_case(body: bytes, images: Mapping[str, bytes]) -> TableCase:
    """Read a table proof.

    Args:
        body: canonical JSON of a ``TableProof``.
        images: image files by view id.

    Raises:
        ProofError: not a table proof, or its program does not type or refers to what F does not have.
    """
    try:
        proof = decode(body, TableProof)
    except msgspec.MsgspecError as error:
        raise ProofError("a table proof", str(error)) from error
    full = proof.worlds.get("F")
    # The kernel names a missing or malformed F itself; a program can only be typed over a sound one.
    if full is not None and not shape_problems(full):
        try:
            type_of(proof.program, schema_of(grid(full)))
        except InputError as error:
            raise ProofError("a program that types over the table", f"{error.expected}; got {error.got}") from error
    return TableCase(proof, images)
