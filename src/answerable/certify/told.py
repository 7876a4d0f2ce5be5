"""What is told of one group, as data: records, and the words for premises and worlds."""

from __future__ import annotations

from fractions import Fraction
from typing import Literal

from answerable.certify.checks import Status
from answerable.core.records import Record

Result = Literal["holds", "fails", "not reached", "not compared"]

#: In the order in which they are checked: of the image files, then the kernel's.
ESTABLISHES: dict[str, str] = {
    "image": "every image file is the one its view names, may be sent as it is, and holds nothing but pixels",
    "bound": "the proof is the one its views name, and speaks of this group, this question and these image files",
    "admissible": "every world is one the domain admits, and what no edit may touch is the same in all",
    "complete": "every world draws whole, also once part of it is hidden",
    "executors": "executors that share no code compute the same on every world",
    "answers": "every view asks for what the program gives; S keeps the answer, C changes it",
    "edits": "S differs from F in what is not read, C in what is; I is F without what the question names",
    "hidden": "M and D hide something that is read, K nothing that is, and all hide in the same way",
    "determined": "what D or K hides cannot change the answer in any admissible world",
    "witness": "two worlds with different answers both give the stored pixels of M once hidden",
    "pixels": "every other stored picture is its world's drawing, pixel for pixel",
}

#: What each world of a proof is.
WORLDS: dict[str, str] = {
    "F": "the original",
    "S": "F with something changed that is not read",
    "C": "F with something changed that is read, so that the answer is another",
    "I": "F without something that the question names",
    "M": "F with something changed that is read, so that chance decides",
}

#: What became of a group, in a few words.
STATUS_WORDS: dict[Status, str] = {
    "accepted": "accepted: every premise holds",
    "refused": "refused",
    "other_renderer": "drawn by another version: pixels not compared",
    "stored": "all but the pixels checked; not drawn again",
    "unproved": "without a proof",
}
NO_PROOF = "No proof is claimed: the duties rest on the evidence named with each view, which nothing here re-checks."

#: What M means where it shows a world of its own.
CHANCE = "U_MISSING: nothing is hidden, and chance decides"


class Fact(Record, frozen=True):
    """A cell, or a line, and what it holds."""

    name: str
    content: str


class Change(Record, frozen=True):
    """Where a world differs from F."""

    name: str
    before: str
    """In F."""
    after: str
    """Empty where it is gone."""


class WorldTold(Record, frozen=True):
    """One world of the proof."""

    name: str
    meaning: str
    changes: tuple[Change, ...]
    """Against F; the first eight."""
    changed: int
    """How many there are in all."""
    computed: dict[str, str]
    """Executor -> what it finds on this world now."""


class ViewTold(Record, frozen=True):
    """One view of the group."""

    state: str
    meaning: str
    id: str
    world: str
    """The world it shows; empty where no proof says so."""
    hidden: tuple[str, ...]
    """Names of the cells that are hidden."""
    offered: tuple[str, ...]
    """The options of a multiple-choice question, each with its letter; empty for a free answer."""
    setting: str
    """How such a question is put; empty for any other."""
    duty: str
    """The obligation in words."""
    level: str
    """Of the evidence."""
    note: str
    """The evidence in the builder's words."""


class PremiseTold(Record, frozen=True):
    """One premise, in the order of checking."""

    name: str
    establishes: str
    result: Result
    detail: str = ""
    """Why it fails, or why there was nothing to compare."""


class Chance(Record, frozen=True):
    """One possible output of a world."""

    output: str
    answer: str
    """What a run with this output answers."""
    probability: Fraction


class Argument(Record, frozen=True):
    """Why a view must be abstained from, or answered although something is hidden."""

    state: str
    kind: Literal["witness", "determined", "chance"]
    text: str
    answers: tuple[str, ...]
    """Of F and C for a witness, of F for what is determined, the possible ones for chance."""
    pixels: int = 0
    """Of each of the two pictures that a witness compares."""
    chances: tuple[Chance, ...] = ()


class Explanation(Record, frozen=True):
    """All of it, as data."""

    benchmark: str
    group: str
    source: str
    domain: str
    """Empty without a proof."""
    question: str
    status: Status
    premise: str
    """The premise that fails; empty where none does."""
    detail: str
    program: str
    """What is computed, in words; empty where no proof says so."""
    reads: tuple[Fact, ...]
    """The cells of F that the answer may depend on."""
    cells: int
    """How many cells F has."""
    worlds: tuple[WorldTold, ...]
    views: tuple[ViewTold, ...]
    premises: tuple[PremiseTold, ...]
    arguments: tuple[Argument, ...]
    drawn_by: str
    """Version that drew the views, as the proof says; empty where none was opened."""
    drawn_here: str
    """Version that draws now."""

    @property
    def holds(self) -> bool:
        """Whether nothing is claimed that does not hold; as ``certify`` counts it."""
        return self.status in ("accepted", "unproved")
