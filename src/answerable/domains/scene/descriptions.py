"""Naming objects by their attributes: which description says enough, and how it reads."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from itertools import combinations

from answerable.core.records import Record
from answerable.core.seeds import Stream
from answerable.domains.scene.objects import Index
from answerable.domains.scene.program import Builder, Function
from answerable.domains.scene.vocabulary import ATTRIBUTES, PLACE_WORDS, VALUES, Attribute, Relation

#: What objects without a named shape are called.
NOUNS = ("thing", "object")
_FILTERS: dict[Attribute, Function] = {
    "size": "filter_size",
    "color": "filter_color",
    "material": "filter_material",
    "shape": "filter_shape",
}


class Description(Record, frozen=True):
    """Attributes that are named; the others may be anything."""

    size: str = ""
    color: str = ""
    material: str = ""
    shape: str = ""

    def parts(self) -> tuple[tuple[Attribute, str], ...]:
        """The named attributes with their values, in the order in which people say them."""
        found: tuple[tuple[Attribute, str], ...] = (
            ("size", self.size), ("color", self.color), ("material", self.material), ("shape", self.shape)
        )  # fmt: skip
        return tuple((attribute, value) for attribute, value in found if value)

    def within(self, scene: Index, bits: int) -> int:
        """The objects among ``bits`` that fit."""
        for _, value in self.parts():
            bits &= scene.having[value]
        return bits

    def add(self, builder: Builder, source: int) -> int:
        """Append its filters and give the place of the last node."""
        for attribute, value in self.parts():
            source = builder.add(_FILTERS[attribute], source, value=value)
        return source

    def narrows(self, scene: Index, bits: int) -> bool:
        """Whether every attribute that it names leaves objects out which the others would let in."""
        whole = self.within(scene, bits)
        return all(described(self, without=one).within(scene, bits) != whole for one, _ in self.parts())

    def implies(self, other: Description) -> bool:
        """Whether all that fits this fits the other."""
        return set(other.parts()) <= set(self.parts())

    def contradicts(self, other: Description) -> bool:
        """Whether nothing fits both."""
        theirs = dict(other.parts())
        return any(theirs.get(attribute, value) != value for attribute, value in self.parts())

    def words(self, noun: str, *, plural: bool = False) -> str:
        """How it reads, without an article: ``small red cube``, ``metal things``."""
        adjectives = [value for attribute, value in self.parts() if attribute != "shape"]
        return " ".join([*adjectives, (self.shape or noun) + ("s" if plural else "")])


def described(base: Description, *, without: Attribute) -> Description:
    """The description with one attribute less."""
    return Description(**{attribute: value for attribute, value in base.parts() if attribute != without})


def with_article(words: str) -> str:
    """``a cube``, ``an object``."""
    return f"{'an' if words[0] in 'aeiou' else 'a'} {words}"


def place_words(relation: Relation, of: str) -> str:
    """``behind the red cube``."""
    return f"{PLACE_WORDS[relation]} {of}"


def naming(scene: Index, place: int, attributes: Collection[Attribute]) -> Description:
    """The description of an object by some of its attributes."""
    return Description(**{attribute: scene.values[place][attribute] for attribute in attributes})


def sufficient(scene: Index, place: int, bits: int, banned: Collection[Attribute]) -> Iterator[Description]:
    """The descriptions that name one object among ``bits`` and would not do with one attribute less, shortest first.

    Args:
        banned: attributes that may not be named, as a question must not tell what it asks for.
    """
    free = [attribute for attribute in ATTRIBUTES if attribute not in banned]
    found: list[Description] = []
    for size in range(len(free) + 1):
        for attributes in combinations(free, size):
            one = naming(scene, place, attributes)
            if one.within(scene, bits) == 1 << place and not any(one.implies(shorter) for shorter in found):
                found.append(one)
                yield one


def referent(
    scene: Index, stream: Stream, place: int, bits: int, banned: Collection[Attribute], noun_too: bool = True
) -> Description | None:
    """A description of one object among ``bits``; now and then it also names a shape that it need not.

    None where no description tells it from the others.
    """
    found = list(sufficient(scene, place, bits, banned))
    if not found:
        return None
    one = stream.pick(found)
    if noun_too and not one.shape and "shape" not in banned and stream.below(3) == 0:
        return Description(size=one.size, color=one.color, material=one.material, shape=scene.values[place]["shape"])
    return one


def some_group(
    scene: Index, stream: Stream, bits: int, banned: Collection[Attribute], least: int
) -> Description | None:
    """A description of objects among ``bits``, of which each attribute narrows; it may fit none.

    Args:
        least: how many attributes it names at least.
    """
    free = [attribute for attribute in ATTRIBUTES if attribute not in banned]
    size = stream.between(least, min(3, len(free)))
    attributes = sorted(stream.sample(free, size), key=ATTRIBUTES.index)
    members = [place for place in range(bits.bit_length()) if bits >> place & 1]
    if members and stream.below(3):
        one = naming(scene, stream.pick(members), attributes)
    else:
        one = Description(**{attribute: stream.pick(VALUES[attribute]) for attribute in attributes})
    return one if one.narrows(scene, bits) else None
