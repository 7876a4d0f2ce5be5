"""Chart proofs, and how the kernel gets at what they speak of."""

from __future__ import annotations

from collections.abc import Mapping

import msgspec

from answerable.core.codec import answer_text, decode, digest
from answerable.core.errors import ProofError, SettingsError
from answerable.core.records import Record, Refusal
from answerable.domains.chart.determinacy import determined
from answerable.domains.chart.families import Family, family
from answerable.domains.chart.layout import scene, whole_problems
from answerable.domains.chart.templates import wordings
from answerable.domains.chart.visibility import Hide, hidden_cells
from answerable.domains.chart.world import ChartWorld, grid, shape_problems
from answerable.domains.draft import Shown
from answerable.domains.raster import png
from answerable.logic import direct, sql
from answerable.logic.outcomes import Outcome
from answerable.logic.program import Cell, Expression
from answerable.logic.types import cells, words

DOMAIN = "chart"


class Claim(Shown, frozen=True):
    """One view: which world it shows, and what of it is hidden."""

    hide: Hide | None = None


class ChartProof(Record, frozen=True):
    """Everything needed to draw a group's views again and to answer its question again."""

    question: str
    program: Expression
    family: str
    version: str
    """Of the family that drew the views; pixels are only compared with the same one."""
    worlds: dict[str, ChartWorld]
    """``F``, ``S``, ``C`` and ``I``. F and C are the two complete worlds of the witness for M."""
    claims: tuple[Claim, ...]


_EXECUTORS = {"direct": direct.execute, "sql": sql.execute}


class ChartCase:
    """What the kernel asks of the domain: grids, problems and pixels, all made anew from the proof's worlds."""

    executors = tuple(_EXECUTORS)
    offers: tuple[str, ...] = ()
    instruction = ""

    def __init__(self, proof: ChartProof, images: Mapping[str, bytes]) -> None:
        self._proof, self._images = proof, images
        self._family: Family = family(proof.family)
        self.question, self.claims = proof.question, proof.claims
        self.worlds = tuple(proof.worlds)

    @property
    def versions(self) -> tuple[str, str]:
        """The version that drew the views, and the one that would draw now."""
        return self._proof.version, self._family.version

    def execute(self, executor: str, world: str) -> Outcome:
        """The program's answer on a world."""
        return _EXECUTORS[executor](self._proof.program, grid(self._proof.worlds[world]))

    def reads(self) -> frozenset[Cell]:
        """The cells that the answer may depend on."""
        return cells(self._proof.program, grid(self._proof.worlds["F"]))

    def facts(self, world: str) -> dict[Cell, str]:
        """Every value, exact: a decimal, or ``p/q`` where none ends."""
        shown = grid(self._proof.worlds[world])
        return {
            (series, position): answer_text(value)
            for series, line in zip(shown.series, shown.values, strict=True)
            for position, value in zip(shown.positions, line, strict=True)
        }

    def undetermined(self, hide: Hide) -> str:
        """Why the answer is not shown to be determined once hidden."""
        if determined(self._proof.worlds["F"], self._proof.program, hide):
            return ""
        return f"with {', '.join(map(repr, hide.positions))} hidden, no interval over the axis settles the answer"

    def admissible(self, world: str) -> tuple[str, ...]:
        """What makes a world inadmissible, in words; empty when nothing does."""
        shown = self._proof.worlds[world]
        outside = (
            f"{value} is outside the axis [{shown.axis.lower}, {shown.axis.upper}]"
            for line in shown.values
            for value in line
            if not shown.axis.lower <= value <= shown.axis.upper
        )
        return (*shape_problems(shown), *outside)

    def fixed_facts(self, world: str) -> str:
        """Digest of all that no edit of a value, series or position may change."""
        return digest(
            msgspec.structs.replace(self._proof.worlds[world], series=(), positions=(), values=(), colours=())
        )

    def asked(self) -> bool:
        """Whether the question's words name what the program reads."""
        return self.question in wordings(self._proof.worlds["F"], self._proof.program)

    def looks(self, world: str) -> dict[str, str]:
        """The colour of every series."""
        shown = self._proof.worlds[world]
        return dict(zip(shown.series, shown.colours, strict=True))

    def problems(self, world: str, hide: Hide | None) -> tuple[Refusal, ...]:
        """What keeps a rendering from being whole."""
        return whole_problems(self._proof.worlds[world], self._family.style, hide)

    def hidden(self, world: str, hide: Hide) -> frozenset[Cell]:
        """Cells that the operation hides."""
        return hidden_cells(self._proof.worlds[world], hide)

    def look(self, hide: Hide) -> str:
        """How a mask looks, wherever it is."""
        return f"{hide.appearance} on {len(hide.positions)}"

    def told(self) -> str:
        """What the program computes, in words."""
        return words(self._proof.program)

    def named(self, cell: Cell) -> str:
        """A cell as ``told`` names it."""
        return f"{cell[0]}[{cell[1]}]"

    def settled(self, hide: Hide) -> str:
        """What was gone through where ``undetermined`` finds nothing, in words."""
        axis, count = self._proof.worlds["F"].axis, len(self.hidden("F", hide))
        ends = f"from {answer_text(axis.lower)} to {answer_text(axis.upper)}, the ends of the axis"
        each = "the hidden value" if count == 1 else f"each of {count} hidden values"
        return f"{each} may be any number {ends}, and interval propagation leaves one answer"

    def rendered(self, world: str, hide: Hide | None) -> bytes:
        """Size and pixels of a world, drawn now."""
        return png.comparable(self._family.render(scene(self._proof.worlds[world], self._family.style, hide)))

    def stored(self, view: str) -> bytes:
        """Size and pixels of a stored image, decoded now."""
        return png.comparable(png.decode(self._images[view]))


def open_case(body: bytes, images: Mapping[str, bytes]) -> ChartCase:
    """Read a chart proof.

    Args:
        body: canonical JSON of a ``ChartProof``.
        images: image files by view id.

    Raises:
        ProofError: not a chart proof.
    """
    try:
        return ChartCase(decode(body, ChartProof), images)
    except (msgspec.MsgspecError, SettingsError) as error:
        raise ProofError("a chart proof", str(error)) from error
