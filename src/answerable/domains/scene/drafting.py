"""A question in the making: objects are named, and a program grows along with the words."""

from __future__ import annotations

from collections.abc import Collection

import msgspec

from answerable.core.seeds import Stream
from answerable.domains.scene.descriptions import NOUNS, Description, place_words, referent, some_group
from answerable.domains.scene.objects import Index
from answerable.domains.scene.program import Builder
from answerable.domains.scene.vocabulary import ATTRIBUTES, RELATIONS, VALUES, Attribute, Relation


class Anchor(msgspec.Struct, frozen=True):
    """An object that was named."""

    node: int
    """The place of its ``unique`` in the program."""
    place: int
    words: str
    """``the small cube behind the red sphere``."""
    description: Description
    alone: bool
    """Whether the description suffices in the whole scene, without a relation."""


class Draft:
    """A question in the making: a scene, a program so far, and a stream to draw from."""

    def __init__(self, scene: Index, stream: Stream, wanted: str) -> None:
        self.scene, self.stream, self.wanted = scene, stream, wanted
        self.builder = Builder()
        self.noun = stream.pick(NOUNS)

    def asked(self) -> Attribute:
        """The attribute to ask for: the one of the wanted answer, where one is wanted."""
        fitting = [attribute for attribute in ATTRIBUTES if self.wanted in VALUES[attribute]]
        return fitting[0] if fitting else self.stream.pick(ATTRIBUTES)

    def relation(self) -> Relation:
        """One of the four."""
        return self.stream.pick(RELATIONS)

    def everything(self) -> int:
        """A new ``scene`` node."""
        return self.builder.add("scene")

    def target(self, bits: int, asked: Attribute | None) -> int | None:
        """An object among ``bits``, one with the wanted value where that is what is asked for."""
        if asked is not None and self.wanted in VALUES[asked]:
            bits &= self.scene.having[self.wanted]
        members = [place for place in range(bits.bit_length()) if bits >> place & 1]
        return self.stream.pick(members) if members else None

    def named(self, banned: Collection[Attribute] = (), asked: Attribute | None = None) -> Anchor | None:
        """An object named by its attributes alone."""
        place = self.target(self.scene.present, asked)
        if place is None:
            return None
        found = referent(self.scene, self.stream, place, self.scene.present, banned)
        if found is None or not found.parts():
            return None
        node = self.builder.add("unique", found.add(self.builder, self.everything()))
        return Anchor(node, place, f"the {found.words(self.noun)}", found, True)

    def named_within(
        self, bits: int, source: int, where: str, banned: Collection[Attribute] = (), asked: Attribute | None = None
    ) -> Anchor | None:
        """An object named by attributes and by where it stands (or whom it is like), neither of which would do alone.

        Args:
            bits: what stands there; ``source`` is the node that gives it.
            where: ``that stands behind the red cube``.
        """
        place = self.target(bits, asked)
        if place is None:
            return None
        found = referent(self.scene, self.stream, place, bits, banned, noun_too=False)
        if found is None or found.within(self.scene, self.scene.present).bit_count() < 2:
            return None
        node = self.builder.add("unique", found.add(self.builder, source))
        return Anchor(node, place, f"the {found.words(self.noun)} {where}", found, False)

    def hops(self, count: int) -> tuple[int, int, str, Anchor] | None:
        """Objects related to an object that is named by ``count - 1`` relations.

        Returns:
            Their bits, their node, where they stand, and the object named first.
        """
        anchor = first = self.named()
        for left in range(count, 0, -1):
            if anchor is None or first is None:
                return None
            relation = self.relation()
            bits = self.scene.relation[relation][anchor.place]
            node, where = self.builder.add("relate", anchor.node, value=relation), place_words(relation, anchor.words)
            if left == 1:
                return bits, node, where, first
            anchor = self.named_within(bits, node, f"that stands {where}")
        return None

    def group(
        self, bits: int, source: int, least: int, anchors: tuple[Anchor, ...] = (), banned: Collection[Attribute] = ()
    ) -> tuple[Description, int] | None:
        """Objects among ``bits`` by a description, and their node.

        None where it narrows nothing, or where nothing can fit: what fits *the* red cube is that cube, and no cube is
        behind itself.
        """
        found = some_group(self.scene, self.stream, bits, banned, least)
        if found is None or any(anchor.alone and found.implies(anchor.description) for anchor in anchors):
            return None
        if bits != self.scene.present and found.within(self.scene, bits) == found.within(
            self.scene, self.scene.present
        ):
            return None
        return found, found.add(self.builder, source)
