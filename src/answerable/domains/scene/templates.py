"""The sorts of questions: what each computes, and three ways of asking for it.

The words ask about the scene and not about what one can see of it, so that something hidden leaves a question open.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Literal

import msgspec

from answerable.core.records import AnswerType
from answerable.domains.scene.descriptions import Description, place_words, with_article
from answerable.domains.scene.drafting import Anchor, Draft
from answerable.domains.scene.program import Function
from answerable.domains.scene.vocabulary import ATTRIBUTES, Attribute

QUERIES: dict[Attribute, Function] = {
    "size": "query_size", "color": "query_color", "material": "query_material", "shape": "query_shape"
}  # fmt: skip
_EQUALS: dict[Attribute, Function] = {
    "size": "equal_size", "color": "equal_color", "material": "equal_material", "shape": "equal_shape"
}  # fmt: skip
_SAMES: dict[Attribute, Function] = {
    "size": "same_size", "color": "same_color", "material": "same_material", "shape": "same_shape"
}  # fmt: skip

#: The wordings of a finished program.
Sketch = tuple[str, ...]

#: Groups drawn for one pair of places, which is harder to come by.
_TRIES = 8


def _query(draft: Draft, anchor: Anchor | None, asked: Attribute) -> Sketch | None:
    if anchor is None:
        return None
    draft.builder.add(QUERIES[asked], anchor.node)
    return (
        f"Name the {asked} of {anchor.words}.",
        f"Which {asked} does {anchor.words} have?",
        f"Consider {anchor.words}: of which {asked} is it?",
    )


def _count(draft: Draft, node: int, plural: str, where: str) -> Sketch:
    draft.builder.add("count", node)
    return (
        f"How many {plural} stand {where}?",
        f"Count the {plural} {where}. What is the total?",
        f"Give the number of {plural} that stand {where}.",
    )


def _exist(draft: Draft, node: int, singular: str, where: str) -> Sketch:
    draft.builder.add("exist", node)
    return (
        f"Does {with_article(singular)} stand {where}?",
        f"Is at least one {singular} standing {where}?",
        f"Say whether {with_article(singular)} stands {where}.",
    )


def _query_hops(hops: int) -> Callable[[Draft], Sketch | None]:
    def draw(draft: Draft) -> Sketch | None:
        asked = draft.asked()
        if hops == 0:
            return _query(draft, draft.named((asked,), asked), asked)
        found = draft.hops(hops)
        if found is None:
            return None
        bits, node, where, _ = found
        return _query(draft, draft.named_within(bits, node, where, (asked,), asked), asked)

    return draw


def _group_hops(hops: int, function: Literal["count", "exist"]) -> Callable[[Draft], Sketch | None]:
    def draw(draft: Draft) -> Sketch | None:
        if hops == 0:
            found = draft.group(draft.scene.present, draft.everything(), 1)
            return _about_group(draft, function, found, "in the scene")
        hopped = draft.hops(hops)
        if hopped is None:
            return None
        bits, node, where, first = hopped
        return _about_group(draft, function, draft.group(bits, node, _least(function), (first,)), where)

    return draw


def _least(function: str) -> int:
    """``How many things stand there`` is a question; whether anything stands there at all hardly is."""
    return 0 if function == "count" else 1


def _about_group(
    draft: Draft, function: Literal["count", "exist"], found: tuple[Description, int] | None, where: str
) -> Sketch | None:
    if found is None:
        return None
    description, node = found
    if function == "count":
        return _count(draft, node, description.words(draft.noun, plural=True), where)
    return _exist(draft, node, description.words(draft.noun), where)


def _both(draft: Draft) -> tuple[int, int, str, tuple[Anchor, Anchor]] | None:
    """What stands so to one object and so to another, where neither condition is idle."""
    one = draft.named()
    other = draft.named() if one is not None else None
    if one is None or other is None or one.place == other.place:
        return None
    first, second = draft.relation(), draft.relation()
    here, there = draft.scene.relation[first][one.place], draft.scene.relation[second][other.place]
    node = draft.builder.add(
        "intersect",
        draft.builder.add("relate", one.node, value=first),
        draft.builder.add("relate", other.node, value=second),
    )
    if here & there in (here, there):
        return None
    return (
        here & there,
        node,
        f"both {place_words(first, one.words)} and {place_words(second, other.words)}",
        (one, other),
    )


def _and_query(draft: Draft) -> Sketch | None:
    asked = draft.asked()
    found = _both(draft)
    if found is None:
        return None
    bits, node, where, _ = found
    return _query(draft, draft.named_within(bits, node, f"that stands {where}", (asked,), asked), asked)


def _and_group(function: Literal["count", "exist"]) -> Callable[[Draft], Sketch | None]:
    def draw(draft: Draft) -> Sketch | None:
        found = _both(draft)
        if found is None:
            return None
        bits, node, where, anchors = found
        for _ in range(_TRIES):
            group = draft.group(bits, node, _least(function), anchors)
            if group is not None:
                return _about_group(draft, function, group, where)
        return None

    return draw


def _two_groups(draft: Draft) -> tuple[tuple[Description, int], tuple[Description, int]] | None:
    """Two descriptions of which neither takes in the other."""
    one = draft.group(draft.scene.present, draft.everything(), 1)
    other = draft.group(draft.scene.present, draft.everything(), 1) if one is not None else None
    if one is None or other is None or one[0].implies(other[0]) or other[0].implies(one[0]):
        return None
    return one, other


def _either(draft: Draft) -> tuple[tuple[Description, int], tuple[Description, int]] | None:
    """Two groups that are joined; every attribute leaves objects out that are not in the other group."""
    found, scene = _two_groups(draft), draft.scene
    if found is None:
        return None
    one, other = found[0][0], found[1][0]
    here, there = one.within(scene, scene.present), other.within(scene, scene.present)
    idle = not one.narrows(scene, scene.present & ~there) or not other.narrows(scene, scene.present & ~here)
    return None if idle else found


def _or_count(draft: Draft) -> Sketch | None:
    found = _either(draft)
    if found is None:
        return None
    (one, here), (other, there) = found
    draft.builder.add("count", draft.builder.add("union", here, there))
    a, b = one.words(draft.noun), other.words(draft.noun)
    return (
        f"Count every {a} and every {b} in the scene, none of them twice. What is the total?",
        f"How many things in the scene are {with_article(a)}, {with_article(b)}, or both at once?",
        f"Give the number of things in the scene that may be called {with_article(a)} or {with_article(b)}.",
    )


def _or_exist(draft: Draft) -> Sketch | None:
    found = _either(draft)
    if found is None:
        return None
    (one, here), (other, there) = found
    draft.builder.add("exist", draft.builder.add("union", here, there))
    a, b = one.words(draft.noun), other.words(draft.noun)
    return (
        f"Does {with_article(a)} or {with_article(b)} stand in the scene?",
        f"Is at least one {a} or at least one {b} standing in the scene?",
        f"Say whether the scene holds {with_article(a)} or {with_article(b)}, or both.",
    )


Number = Literal["equal_integer", "less_than", "greater_than"]
_NUMBERS: dict[Number, tuple[str, ...]] = {
    "greater_than": (
        "Do the {a} in the scene outnumber the {b}?",
        "Does the scene hold more {a} than {b}?",
        "Count the {a} in the scene, then the {b}: is the first count the larger?",
    ),
    "less_than": (
        "Are the {a} in the scene outnumbered by the {b}?",
        "Does the scene hold fewer {a} than {b}?",
        "Count the {a} in the scene, then the {b}: is the first count the smaller?",
    ),
    "equal_integer": (
        "Do the {a} and the {b} in the scene come in equal numbers?",
        "Does the scene hold exactly as many {a} as {b}?",
        "Count the {a} in the scene, then the {b}: do the two counts agree?",
    ),
}


def _compare_numbers(draft: Draft) -> Sketch | None:
    found = _two_groups(draft)
    if found is None:
        return None
    (one, here), (other, there) = found
    function = draft.stream.pick(tuple(_NUMBERS))
    draft.builder.add(function, draft.builder.add("count", here), draft.builder.add("count", there))
    a, b = one.words(draft.noun, plural=True), other.words(draft.noun, plural=True)
    return tuple(text.format(a=a, b=b) for text in _NUMBERS[function])


def _compare_attributes(draft: Draft) -> Sketch | None:
    asked = draft.stream.pick(ATTRIBUTES)
    one = draft.named((asked,))
    other = draft.named((asked,)) if one is not None else None
    if one is None or other is None or one.place == other.place:
        return None
    here, there = draft.builder.add(QUERIES[asked], one.node), draft.builder.add(QUERIES[asked], other.node)
    draft.builder.add(_EQUALS[asked], here, there)
    return (
        f"Do {one.words} and {other.words} share a {asked}?",
        f"Does {one.words} match {other.words} in {asked}?",
        f"Compare {one.words} with {other.words}: are they alike in {asked}?",
    )


class _Like(msgspec.Struct, frozen=True):
    """What is like a named object in one attribute."""

    anchor: Anchor
    attribute: Attribute
    bits: int
    node: int


def _like(draft: Draft) -> _Like | None:
    anchor, attribute = draft.named(), draft.stream.pick(ATTRIBUTES)
    if anchor is None:
        return None
    value = draft.scene.values[anchor.place][attribute]
    bits = draft.scene.having[value] & ~(1 << anchor.place)
    return _Like(anchor, attribute, bits, draft.builder.add(_SAMES[attribute], anchor.node))


def _other(description: Description, anchor: Anchor) -> str:
    """``other`` is said only where the named object itself would fit the description."""
    return "" if description.contradicts(anchor.description) else "other "


def _same_query(draft: Draft) -> Sketch | None:
    asked, like = draft.asked(), _like(draft)
    if like is None or like.attribute == asked:
        return None
    found = draft.named_within(like.bits, like.node, "", (asked, like.attribute), asked)
    if found is None:
        return None
    draft.builder.add(QUERIES[asked], found.node)
    words = _other(found.description, like.anchor) + found.description.words(draft.noun)
    return (
        f"Name the {asked} of the {words} that matches {like.anchor.words} in {like.attribute}.",
        f"One {words} matches {like.anchor.words} in {like.attribute}. Which {asked} does it have?",
        f"Consider the {words} that is like {like.anchor.words} in {like.attribute}: of which {asked} is it?",
    )


def _same_group(function: Literal["count", "exist"]) -> Callable[[Draft], Sketch | None]:
    def draw(draft: Draft) -> Sketch | None:
        like = _like(draft)
        if like is None:
            return None
        found = draft.group(like.bits, like.node, draft.stream.below(2), (like.anchor,), (like.attribute,))
        if found is None:
            return None
        description, node = found
        draft.builder.add(function, node)
        singular = _other(description, like.anchor) + description.words(draft.noun)
        plural = _other(description, like.anchor) + description.words(draft.noun, plural=True)
        whom, attribute = like.anchor.words, like.attribute
        if function == "count":
            return (
                f"How many {plural} match {whom} in {attribute}?",
                f"Count the {plural} that are like {whom} in {attribute}. What is the total?",
                f"Give the number of {plural} whose {attribute} is that of {whom}.",
            )
        return (
            f"Does any {singular} match {whom} in {attribute}?",
            f"Say whether some {singular} is like {whom} in {attribute}.",
            f"Is the {attribute} of {whom} found again on any {singular}?",
        )

    return draw


class Family(msgspec.Struct, frozen=True):
    """A sort of question."""

    type: AnswerType
    draw: Callable[[Draft], Sketch | None]
    """Finishes a program; None where the draw gives no sound question."""


FAMILIES: dict[str, Family] = {
    **{f"query-{hops}": Family("text", _query_hops(hops)) for hops in range(3)},
    **{f"count-{hops}": Family("integer", _group_hops(hops, "count")) for hops in range(3)},
    **{f"exist-{hops}": Family("boolean", _group_hops(hops, "exist")) for hops in range(3)},
    "compare-numbers": Family("boolean", _compare_numbers),
    "compare-attributes": Family("boolean", _compare_attributes),
    "same-query": Family("text", _same_query),
    "same-count": Family("integer", _same_group("count")),
    "same-exist": Family("boolean", _same_group("exist")),
    "and-query": Family("text", _and_query),
    "and-count": Family("integer", _and_group("count")),
    "and-exist": Family("boolean", _and_group("exist")),
    "or-count": Family("integer", _or_count),
    "or-exist": Family("boolean", _or_exist),
}
