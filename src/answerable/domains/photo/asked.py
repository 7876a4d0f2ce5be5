"""A question on a photo, whatever its source: what it rests on, what else is there, where it counts."""

from __future__ import annotations

from typing import Annotated, Literal

import msgspec

from answerable.core.records import Answer, Record
from answerable.domains.photo.graph import MAX_THINGS, Side, Thing, one_of

#: Residual cues ("visual answerability", section 6.2): a mask may keep the place that is asked for.
PLACES = ("left", "right", "top", "bottom")
PLACE, OTHER = "place answer (left, right, top, bottom)", "other answer"


class Asked(Record, frozen=True):
    """A question whose answer rests on things that have boxes."""

    id: str
    """The source's, unique in the source."""
    photo: str
    """The source's name of the photo; splits are made by it."""
    file: str
    """Of the photo, in the folder of photos."""
    width: Side
    """Of the photo as its boxes mean it, in pixels."""
    height: Side
    question: str
    answer: str
    boolean: bool
    """Whether it is answered by yes or no."""
    needed: tuple[Thing, ...]
    """What the answer depends on."""
    others: Annotated[tuple[Thing, ...], msgspec.Meta(max_length=MAX_THINGS)]
    """Everything else that has a box."""
    spoken: tuple[str, ...] = ()
    """Ids of other things that the question's or the answer's words mean: S leaves them in sight."""
    names: tuple[str, ...] = ()
    """What the question calls the needed things, where that is not their name."""
    family: str = ""
    """Of the question's program; empty without one."""
    depth: int = 0
    checked: Literal["agrees", "not executable", "no program"] = "no program"
    """What re-executing the program says of the answer."""

    @property
    def obligation(self) -> Answer:
        """To answer so."""
        if self.boolean:
            return Answer(target=self.answer.casefold(), type="boolean")
        return Answer(target=self.answer, type="text")

    @property
    def ability(self) -> str:
        """The stratum of residual cues."""
        return PLACE if self.answer.strip().casefold() in PLACES else OTHER

    @property
    def topic(self) -> str:
        """The stratum of answer types."""
        return "boolean answer" if self.boolean else "text answer"

    @property
    def shown(self) -> tuple[Thing, ...]:
        """What S must leave in sight."""
        return (*self.needed, *(thing for thing in self.others if thing.id in self.spoken))

    @property
    def called(self) -> frozenset[str]:
        """Every name of a needed thing, its plural and its case aside."""
        return frozenset(map(one_of, (*self.names, *(thing.name for thing in self.needed))))
