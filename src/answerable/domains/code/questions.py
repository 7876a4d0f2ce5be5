"""Questions on what a program prints, answered by yes or no, or by the number it prints. Wordings are our own.

Source: TUBench 3.1 (UCR): what is the output, what it cannot be, how probable it is.
"""

from __future__ import annotations

from fractions import Fraction
from typing import Literal

from answerable.core.records import Record
from answerable.core.seeds import Stream
from answerable.domains.code.visibility import Above, Hide
from answerable.domains.code.world import CodeWorld, Window

Asking = Literal["prints", "can", "chance", "number"]
Scope = Literal["output", "line"]
Than = Literal["=", ">", "<"]


class Query(Record, frozen=True):
    """A question as data."""

    kind: Asking
    """``prints``: in every run; ``can``: in some run; ``chance``: with which probability; ``number``: which one."""
    scope: Scope
    """Whether the text is the whole output or one of its lines."""
    text: str
    """What is printed; for ``number`` the name of the file, which the window must show."""
    than: Than = "="
    chance: Fraction = Fraction(0)

    def __post_init__(self) -> None:
        if (
            not self.text
            or self.text != self.text.strip()
            or len(self.text) > 60
            or set(self.text) & set("\u201c\u201d")
        ):
            raise ValueError(f"expected a text of 1 to 60 signs that can be quoted; got {self.text[:60]!r}")
        if not self.text.isprintable():
            raise ValueError(f"expected printable text; got {self.text[:60]!r}")
        if not 0 <= self.chance <= 1 or self.chance.denominator > 10**6:
            raise ValueError("expected a probability from 0 to 1")


#: Question kind and scope -> wordings.
WORDINGS: dict[tuple[Asking, Scope], tuple[str, ...]] = {
    ("prints", "output"): (
        "Is the output of the code \u201c{text}\u201d?",
        "Will the output of this program be exactly \u201c{text}\u201d?",
        "When the code is run, does it print \u201c{text}\u201d and nothing else?",
    ),
    ("prints", "line"): (
        "Will the program print a line that reads \u201c{text}\u201d?",
        "Is \u201c{text}\u201d one of the lines that the code prints?",
    ),
    ("can", "output"): (
        "Does any run of the complete program output \u201c{text}\u201d?",
        "Is there a run of the complete program whose output is \u201c{text}\u201d?",
    ),
    ("can", "line"): (
        "Does any run of the complete program print a line that reads \u201c{text}\u201d?",
        "Is \u201c{text}\u201d a line that some run of the complete program prints?",
    ),
    ("chance", "output"): (
        "Is the probability that the complete program outputs \u201c{text}\u201d {than} {chance}?",
        "Does the complete program output \u201c{text}\u201d with a probability {than} {chance}?",
    ),
    ("chance", "line"): (
        "Is the probability that the complete program prints a line reading \u201c{text}\u201d {than} {chance}?",
    ),
    ("number", "output"): (
        "Which number does the program in \u201c{text}\u201d print?",
        "What number is printed when \u201c{text}\u201d is run?",
    ),
}
_THAN = {"=": "equal to", ">": "greater than", "<": "less than"}


def shown_file(window: Window) -> str:
    """The file name that the picture shows; empty for a window without a title bar."""
    return "" if window.frame == "none" else window.file


def chance_text(chance: Fraction) -> str:
    """``90%`` where that is whole, ``1/3`` otherwise."""
    return f"{chance * 100}%" if (chance * 100).denominator == 1 else str(chance)


def wordings(query: Query, world: CodeWorld, hide: Hide | None) -> tuple[str, ...]:
    """Every way a group asks this; the same words for all its views.

    Args:
        hide: how the group hides things; what may be out of sight is then said, seen or not.
    """
    if query.kind == "number":
        # Nothing of such a program is ever out of sight, and its file must be named in the picture.
        named = hide is None and shown_file(world.window) == query.text
        return tuple(form.format(text=query.text) for form in WORDINGS[query.kind, "output"]) if named else ()
    ending = " Capital letters matter. Answer yes or no."
    if isinstance(hide, Above):
        ending += (
            " If lines are out of sight, they only import modules or set a variable to a whole number from "
            f"{world.low} to {world.high}."
        )
    elif hide is not None:
        ending += (
            f" If the end of a line is covered, a single whole number from {world.low} to {world.high} stands there, "
            "besides closing brackets."
        )
    return tuple(
        form.format(text=query.text, than=_THAN[query.than], chance=chance_text(query.chance)) + ending
        for form in WORDINGS[query.kind, query.scope]
    )


def ask(query: Query, world: CodeWorld, hide: Hide | None, stream: Stream) -> str:
    """One of the wordings."""
    return stream.pick(wordings(query, world, hide))
