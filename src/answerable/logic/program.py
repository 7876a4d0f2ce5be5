"""Programs and the data they run over. Data only: every interpreter lives in a module of its own.

A program is a tree of the nodes below over the cells of a grid. Its answer is a number (an exact rational), an
integer, a label or a boolean; ``logic.types`` has the rules. What has no answer (a division by zero, a tie where one
label is asked for) gives ``Undefined`` with a reason. All interpreters follow one reading:

* operands are taken from left to right, and the first that is undefined makes the whole undefined with its reason;
  that holds for ``And`` and ``Or`` too, which look at all their operands;
* ``If`` looks at its condition and at the branch taken, never at the other one;
* a selection that names something absent is undefined; then the threshold of a condition is taken; then emptiness
  is looked at.
"""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from typing import Literal

from answerable.core.records import Record

#: A cell's address: series and position.
Cell = tuple[str, str]

#: Bounds of a program, checked whenever a node is made or decoded: no interpreter can run out of stack or time.
MAX_DEPTH = 32
MAX_NODES = 512
#: Cells one selection may list.
MAX_CELLS = 512

Operator = Literal["==", "!=", "<", "<=", ">", ">="]
Function = Literal["sum", "mean", "min", "max", "count"]
Rank = Literal["highest", "lowest", "second highest", "second lowest"]
Trending = Literal["increasing", "decreasing", "neither"]
Reason = Literal[
    "no such series", "no such position", "no such file", "division by zero", "tie", "nothing selected", "too few"
]  # fmt: skip


class Grid(Record, frozen=True):
    """A complete table of numbers: ``values[i][j]`` is series ``i`` at position ``j``."""

    series: tuple[str, ...]
    positions: tuple[str, ...]
    values: tuple[tuple[Fraction, ...], ...]


class Row(Record, frozen=True, tag="row"):
    """Every cell of one series, in the order of positions."""

    series: str


class Column(Record, frozen=True, tag="column"):
    """Every cell at one position, in the order of series."""

    position: str


class Cells(Record, frozen=True, tag="cells"):
    """Some cells, each named once."""

    cells: tuple[Cell, ...]

    def __post_init__(self) -> None:
        if not 1 <= len(self.cells) <= MAX_CELLS:
            raise ValueError(f"expected 1 to {MAX_CELLS} cells; got {len(self.cells)}")
        if len(set(self.cells)) != len(self.cells):
            raise ValueError("expected each cell once; got one twice")


class Everything(Record, frozen=True, tag="everything"):
    """All cells, series by series."""


Line = Row | Column
Selection = Row | Column | Cells | Everything


class Node(Record, frozen=True):
    """Base of what a program is made of."""

    def __post_init__(self) -> None:
        check_size(self)


class Lookup(Node, frozen=True, tag="lookup"):
    """The value of one series at one position (template D15 of PlotQA)."""

    series: str
    position: str

    def __post_init__(self) -> None:
        """A leaf has no size to check."""

    def cells(self) -> frozenset[Cell]:
        """The cells the answer may depend on."""
        return frozenset({(self.series, self.position)})


class Number(Node, frozen=True, tag="number"):
    """A number that the question itself gives."""

    value: Fraction


class Label(Node, frozen=True, tag="label"):
    """A label that the question itself gives."""

    text: str


class Boolean(Node, frozen=True, tag="boolean"):
    """True or false."""

    value: bool


class Sum(Node, frozen=True, tag="sum"):
    """Numbers added; one or more."""

    items: tuple[Expression, ...]


class Difference(Node, frozen=True, tag="difference"):
    """``left - right``."""

    left: Expression
    right: Expression


class Product(Node, frozen=True, tag="product"):
    """Numbers multiplied; one or more."""

    items: tuple[Expression, ...]


class Mean(Node, frozen=True, tag="mean"):
    """The arithmetic mean of one or more numbers."""

    items: tuple[Expression, ...]


class Ratio(Node, frozen=True, tag="ratio"):
    """``left / right``; undefined (division by zero) where ``right`` is zero."""

    left: Expression
    right: Expression


class Where(Record, frozen=True, tag="where"):
    """Keeps the selected cells whose value stands in this relation to ``than``."""

    operator: Operator
    than: Expression


class Aggregate(Node, frozen=True, tag="aggregate"):
    """A figure over selected cells.

    The sum and the count of no cells are 0; mean, min and max of none are undefined (nothing selected).
    """

    function: Function
    over: Selection
    where: Where | None = None


class Extreme(Node, frozen=True, tag="extreme"):
    """The value at a rank. The second is undefined (tie) where the first is shared, for then people disagree."""

    rank: Rank
    over: Selection


class ExtremeLabel(Node, frozen=True, tag="extreme-label"):
    """Where the value at a rank stands: a position of a row, a series of a column.

    Undefined (tie) where more than one cell has that rank, or none has the second because the first is shared.
    """

    rank: Rank
    over: Line


class Compare(Node, frozen=True, tag="compare"):
    """Two numbers compared; labels and booleans by ``==`` and ``!=`` only."""

    operator: Operator
    left: Expression
    right: Expression


class Trend(Node, frozen=True, tag="trend"):
    """``increasing`` or ``decreasing`` where every step is strictly so, else ``neither``; two cells at least."""

    over: Line


class If(Node, frozen=True, tag="if"):
    """``then`` where the condition holds, else ``otherwise``."""

    condition: Expression
    then: Expression
    otherwise: Expression


class And(Node, frozen=True, tag="and"):
    """All hold; one or more."""

    items: tuple[Expression, ...]


class Or(Node, frozen=True, tag="or"):
    """At least one holds; one or more."""

    items: tuple[Expression, ...]


class Not(Node, frozen=True, tag="not"):
    """It does not hold."""

    item: Expression


Expression = (
    Lookup
    | Number
    | Label
    | Boolean
    | Sum
    | Difference
    | Product
    | Mean
    | Ratio
    | Aggregate
    | Extreme
    | ExtremeLabel
    | Compare
    | Trend
    | If
    | And
    | Or
    | Not
)

#: What a question of direct look-up asks. The whole language is ``Expression``.
Program = Lookup


class Defined(Record, frozen=True, tag="defined"):
    """The program has a value, a number."""

    value: Fraction


class Named(Record, frozen=True, tag="named"):
    """The program has a value, a label."""

    value: str


class Truth(Record, frozen=True, tag="truth"):
    """The program has a value, true or false."""

    value: bool


class Undefined(Record, frozen=True, tag="undefined"):
    """The program has none, and why."""

    reason: Reason


#: What a look-up gives.
Outcome = Defined | Undefined
#: What any program gives. Two results are the same answer when they are equal.
Result = Defined | Named | Truth | Undefined


def children(node: Node) -> tuple[Expression, ...]:
    """The nodes right below, in the order in which they are taken."""
    match node:
        case Sum() | Product() | Mean() | And() | Or():
            return node.items
        case Difference() | Ratio() | Compare():
            return (node.left, node.right)
        case If():
            return (node.condition, node.then, node.otherwise)
        case Not():
            return (node.item,)
        case Aggregate():
            return (node.where.than,) if node.where is not None else ()
        case _:
            return ()


def nodes(program: Node) -> Iterator[Node]:
    """Every node of the tree, parents first."""
    stack: list[Node] = [program]
    while stack:
        node = stack.pop()
        yield node
        stack.extend(reversed(children(node)))


def depth(program: Node) -> int:
    """Levels of the tree: 1 for a look-up."""
    deepest, level = 0, [program]
    while level:
        deepest += 1
        level = [child for node in level for child in children(node)]
    return deepest


def check_size(node: Node) -> None:
    """Refuse a tree that is too deep or too large, and an operation on nothing.

    Raises:
        ValueError: with the bound; ``msgspec`` makes it a ``ValidationError`` while decoding.
    """
    if isinstance(node, (Sum, Product, Mean, And, Or)) and not node.items:
        raise ValueError(f"expected at least one operand of {type(node).__name__}; got none")
    level: list[Node] = [node]
    count = levels = 0
    while level:
        count, levels = count + len(level), levels + 1
        if levels > MAX_DEPTH:
            raise ValueError(f"expected a program of depth {MAX_DEPTH} or less; got a deeper one")
        if count > MAX_NODES:
            raise ValueError(f"expected a program of {MAX_NODES} nodes or fewer; got more")
        level = [child for parent in level for child in children(parent)]
