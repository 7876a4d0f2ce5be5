"""What is known of a photo: its size, and things with names and boxes; of scene graphs, attributes and relations."""

from __future__ import annotations

import unicodedata
from typing import Annotated

import msgspec

from answerable.core.records import Record
from answerable.domains.photo.boxes import Box

#: Things on one photo, characters of a name, and pixels along a side or away from the corner.
MAX_THINGS, MAX_NAME, MAX_SIDE = 2_000, 100, 1_000_000

Number = Annotated[int, msgspec.Meta(ge=-MAX_SIDE, le=MAX_SIDE)]
Side = Annotated[int, msgspec.Meta(ge=1, le=MAX_SIDE)]
Name = Annotated[str, msgspec.Meta(max_length=MAX_NAME)]


class Thing(Record, frozen=True):
    """Something on a photo that has a box."""

    id: str
    """The source's, unique on the photo."""
    name: str
    """As the source calls it."""
    box: Box
    """As the source gives it, which may reach over the edge."""


class Relation(msgspec.Struct, frozen=True):
    """From a thing to another: this ``name`` that ``object``."""

    object: Name
    name: Name


class Node(msgspec.Struct, frozen=True):
    """A thing of a scene graph in GQA's words. Fields that are not named here are of no use to us."""

    name: Name
    x: Number
    y: Number
    w: Number
    h: Number
    attributes: tuple[Name, ...] = ()
    relations: tuple[Relation, ...] = ()

    @property
    def box(self) -> Box:
        """Where it is."""
        return Box(left=self.x, top=self.y, width=self.w, height=self.h)


class Graph(msgspec.Struct, frozen=True):
    """A scene graph in GQA's words."""

    width: Side
    height: Side
    objects: Annotated[dict[Name, Node], msgspec.Meta(max_length=MAX_THINGS)]
    location: Name | None = None
    weather: Name | None = None

    def thing(self, id: str) -> Thing:
        """The thing of that id, which must be there."""
        node = self.objects[id]
        return Thing(id=id, name=node.name, box=node.box)


def plain(text: str) -> str:
    """For comparing names: case, spaces, hyphens and apostrophes do not count (``snow suit`` is ``snowsuit``)."""
    folded = unicodedata.normalize("NFKC", text).casefold()
    return "".join(sign for sign in folded if not sign.isspace() and sign not in "-'")


#: Endings of plurals, longest first, and what stands in their place.
_PLURALS = (("sses", "ss"), ("shes", "sh"), ("ches", "ch"), ("ies", "y"), ("xes", "x"), ("men", "man"), ("s", ""))


def one_of(name: str) -> str:
    """The name of one such thing, roughly: ``cows`` and ``cow`` are alike. For finding things of one name."""
    text = plain(name)
    if text.endswith("ss"):
        return text
    for ending, single in _PLURALS:
        if text.endswith(ending) and len(text) > len(ending) + 1:
            return text.removesuffix(ending) + single
    return text
