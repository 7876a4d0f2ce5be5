"""What an answer rests on: by trace, by changing one thing at a time, and by running through all that may be hidden.

All three run the executor over objects again, thousands of times a second; whoever proves something with them checks
the worlds they name with both executors.

"When Does an Image Determine the Answer?", sections 3.1 and 3.2: an answer is missing where two admissible worlds
that look alike give different ones. Admissible is a world that CLEVR's rules for placing allow.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product

from msgspec.structs import replace

from answerable.core.records import Record
from answerable.domains.scene.objects import index, outcome, run
from answerable.domains.scene.outcomes import IllPosed, Outcome, WellPosed
from answerable.domains.scene.program import SIGNATURES, Program
from answerable.domains.scene.vocabulary import ATTRIBUTES, RADIUS, VALUES, Attribute
from answerable.domains.scene.world import Scene, Thing, changed, fits, with_thing

Fact = tuple[int, Attribute]
Change = tuple[Attribute, str]


class Touched(Record, frozen=True):
    """What one run of a program looked at."""

    attributes: tuple[Fact, ...]
    """Objects with the attribute that was looked at, in order."""
    members: tuple[int, ...]
    """Objects that were in a set which was counted, tested, or said to be one: what the question refers to."""
    places: tuple[int, ...]
    """Objects from which the program looked left, right, behind or in front."""


def touched(scene: Scene, program: Program) -> Touched:
    """What the program looks at on this scene, up to where it may be ill-posed."""
    done, _ = run(program, index(scene))
    attributes: set[Fact] = set()
    members: set[int] = set()
    places: set[int] = set()
    everything = range(len(scene.things))
    for node, value in zip(program.nodes, done, strict=False):
        attribute = SIGNATURES[node.function].attribute
        if node.function.startswith(("filter_", "query_")) and attribute is not None:
            given = done[node.inputs[0]]
            looked = _bits(given) if node.function.startswith("filter_") else (given,)
            attributes |= {(place, attribute) for place in looked}
        elif node.function.startswith("same_") and attribute is not None:
            attributes |= {(place, attribute) for place in everything}
        elif node.function == "relate":
            places.add(done[node.inputs[0]])
        elif node.function == "unique":
            members.add(value)
        elif node.function in ("count", "exist"):
            members.update(_bits(done[node.inputs[0]]))
    return Touched(attributes=_ordered(attributes), members=tuple(sorted(members)), places=tuple(sorted(places)))


def _bits(number: int) -> Iterator[int]:
    return (place for place in range(number.bit_length()) if number >> place & 1)


def _ordered(facts: set[Fact]) -> tuple[Fact, ...]:
    return tuple(sorted(facts, key=lambda fact: (fact[0], ATTRIBUTES.index(fact[1]))))


def admissible_values(scene: Scene, place: int, attribute: Attribute) -> tuple[str, ...]:
    """The values that an attribute may have: all of them, but no size that brings an object too near another."""
    thing = scene.things[place]
    if attribute != "size":
        return VALUES[attribute]
    return tuple(
        value for value in VALUES["size"]
        if value == thing.size or fits(scene, changed(thing, "size", value), without=place)
    )  # fmt: skip


def relevant(scene: Scene, program: Program, *, answered: bool = False) -> tuple[Fact, ...]:
    """Attributes of which some admissible change, alone, changes the answer or whether there is one.

    Args:
        answered: leaves out changes after which there is no answer: the question itself rules them out.
    """
    full = index(scene)
    now = outcome(program, full)
    found = {
        (place, attribute)
        for place in range(len(scene.things))
        for attribute in ATTRIBUTES
        for value in admissible_values(scene, place, attribute)
        if _differs(outcome(program, full.with_values(place, {attribute: value})), now, answered=answered)
    }
    return _ordered(found)


def _differs(found: Outcome, now: Outcome, *, answered: bool) -> bool:
    return found != now and not (answered and isinstance(found, IllPosed))


def relevant_presence(scene: Scene, program: Program, *, answered: bool = False) -> tuple[int, ...]:
    """Objects without which the answer, or whether there is one, would change; see ``relevant``."""
    full = index(scene)
    now = outcome(program, full)
    places = range(len(scene.things))
    return tuple(
        place for place in places if _differs(outcome(program, full.without(place)), now, answered=answered)
    )  # fmt: skip


class HiddenThing(Record, frozen=True, tag="thing"):
    """An object of which some attributes are hidden. That it is there, and where, is known."""

    thing: int
    attributes: tuple[Attribute, ...] = ATTRIBUTES


class HiddenPlace(Record, frozen=True, tag="place"):
    """A place that may hold an object of any kind, or none: that of an object of the scene, or a free one."""

    x: float
    y: float
    thing: int | None = None
    """The object that stands there in the scene; None where the place is free."""


Hidden = HiddenThing | HiddenPlace


class Alternative(Record, frozen=True):
    """What a hidden object may be, and the answer then. Among those of one answer, the one nearest to the scene."""

    outcome: Outcome
    changes: tuple[Change, ...]
    """Attributes that differ from the scene's; of an object that the scene lacks, all of them."""
    absent: bool
    """Whether there is no object."""
    world: Scene
    """Complete, with the alternative in it."""


def answers_over(scene: Scene, program: Program, hidden: Hidden) -> tuple[Alternative, ...]:
    """Every outcome over all admissible assignments of what is hidden, each once, in a fixed order.

    The first is the scene's own. Where the place of an object is hidden, the object may be absent, or be any that
    stands at that very place.
    """
    if isinstance(hidden, HiddenThing):
        return _over_thing(scene, program, hidden.thing, hidden.attributes)
    if hidden.thing is not None:
        return _over_place(scene, program, hidden.thing)
    return _over_free_place(scene, program, hidden)


def _over_thing(
    scene: Scene, program: Program, place: int, attributes: tuple[Attribute, ...]
) -> tuple[Alternative, ...]:
    full = index(scene)
    found: dict[Outcome, tuple[Change, ...]] = {}
    for changes in _assignments(scene, place, attributes):
        result = outcome(program, full.with_values(place, dict(changes)))
        if result not in found or len(changes) < len(found[result]):
            found[result] = changes
    first = outcome(program, full)
    ordered = [first, *(result for result in found if result != first)]
    return tuple(
        Alternative(result, found[result], False, applied(scene, place, found[result])) for result in ordered
    )  # fmt: skip


def _assignments(scene: Scene, place: int, attributes: tuple[Attribute, ...]) -> Iterator[tuple[Change, ...]]:
    """Every joint value of some attributes, as changes from the scene."""
    thing = scene.things[place]
    options = [admissible_values(scene, place, attribute) for attribute in attributes]
    for values in product(*options):
        pairs = zip(attributes, values, strict=True)
        yield tuple((attribute, value) for attribute, value in pairs if value != thing.value(attribute))


def applied(scene: Scene, place: int, changes: tuple[Change, ...]) -> Scene:
    """The scene with an object changed."""
    thing = scene.things[place]
    for attribute, value in changes:
        thing = changed(thing, attribute, value)
    return with_thing(scene, place, thing)


def _over_place(scene: Scene, program: Program, place: int) -> tuple[Alternative, ...]:
    without = outcome(program, index(scene).without(place))
    found = _over_thing(scene, program, place, ATTRIBUTES)
    if any(one.outcome == without for one in found):
        return found
    return (*found, Alternative(without, (), True, with_thing(scene, place, None)))


def _over_free_place(scene: Scene, program: Program, hidden: HiddenPlace) -> tuple[Alternative, ...]:
    own = Alternative(outcome(program, index(scene)), (), True, scene)
    thing = thing_at(scene, hidden.x, hidden.y)
    if thing is None:
        return (own,)
    place = len(scene.things)
    more = replace(scene, things=(*scene.things, thing))
    return (
        own,
        *(
            Alternative(one.outcome, _described(one.world.things[place]), False, one.world)
            for one in _over_thing(more, program, place, ATTRIBUTES)
            if one.outcome != own.outcome
        ),
    )


def _described(thing: Thing) -> tuple[Change, ...]:
    return tuple((attribute, thing.value(attribute)) for attribute in ATTRIBUTES)


def thing_at(scene: Scene, x: float, y: float) -> Thing | None:
    """An object that CLEVR's rules let stand at a free place, small if it must be; None where none may."""
    thing = Thing(
        shape="cube", size="small", material="rubber", color="gray", x=x, y=y, z=RADIUS["small"], rotation=0.0
    )  # fmt: skip
    return thing if fits(scene, thing) else None


class Edited(Record, frozen=True):
    """One attribute of one object changed: for S the answer is the same, for C another one."""

    thing: int
    attribute: Attribute
    value: str
    outcome: WellPosed
    world: Scene


class Occluded(Record, frozen=True):
    """One object or place hidden, and what follows."""

    hidden: Hidden
    answers: tuple[Alternative, ...]
    """Alternatives with an answer, the scene's own first: two or more for M, one for K and D."""
    ill_posed: bool
    """Whether some admissible worlds leave the question without an answer, so that only what it presupposes rules them
    out. Never for D."""
    even_absent: bool
    """Whether an absent object would give one of these answers too."""


class Candidates(Record, frozen=True):
    """What states a scene and a program allow; all in the order of objects, attributes and values."""

    outcome: WellPosed
    """Of the scene itself."""
    relevant: tuple[Fact, ...]
    same: tuple[Edited, ...]
    """S: an irrelevant attribute edited."""
    changed: tuple[Edited, ...]
    """C: a relevant attribute edited, so that there is another answer."""
    missing: tuple[Occluded, ...]
    """M: over what may be hidden there are two answers or more."""
    determined: tuple[Occluded, ...]
    """D: the question refers to the object, and has one and the same answer whatever it is."""
    controls: tuple[Occluded, ...]
    """K: no attribute of the object is relevant, the question does not refer to it, and there is one answer only."""


def candidates(scene: Scene, program: Program) -> Candidates | IllPosed:
    """Everything that may be edited or hidden, with witnesses; the outcome itself where there is no answer."""
    own = outcome(program, index(scene))
    if isinstance(own, IllPosed):
        return own
    facts = set(relevant(scene, program))
    same, other = _edits(scene, program, own, facts)
    missing, determined, controls = [], [], []
    members = set(touched(scene, program).members)
    for place in range(len(scene.things)):
        found = occluded(scene, program, HiddenThing(thing=place))
        if len(found.answers) > 1:
            missing.append(found)
        elif place in members and not found.ill_posed:
            determined.append(found)
        elif place not in members and not any(fact[0] == place for fact in facts):
            controls.append(found)
    return Candidates(
        outcome=own,
        relevant=_ordered(facts),
        same=same,
        changed=other,
        missing=tuple(missing),
        determined=tuple(determined),
        controls=tuple(controls),
    )


def _edits(
    scene: Scene, program: Program, own: WellPosed, facts: set[Fact]
) -> tuple[tuple[Edited, ...], tuple[Edited, ...]]:
    full = index(scene)
    same, other = [], []
    for place, thing in enumerate(scene.things):
        for attribute in ATTRIBUTES:
            for value in admissible_values(scene, place, attribute):
                result = outcome(program, full.with_values(place, {attribute: value}))
                if value == thing.value(attribute) or isinstance(result, IllPosed):
                    continue
                edit = Edited(place, attribute, value, result, applied(scene, place, ((attribute, value),)))
                if (place, attribute) not in facts:
                    same.append(edit)
                elif result != own:
                    other.append(edit)
    return tuple(same), tuple(other)


def occluded(scene: Scene, program: Program, hidden: Hidden) -> Occluded:
    """What hiding something does to the answer; the scene itself must have one."""
    found = answers_over(scene, program, hidden)
    answers = tuple(one for one in found if not isinstance(one.outcome, IllPosed))
    without = index(scene) if hidden.thing is None else index(scene).without(hidden.thing)
    even_absent = outcome(program, without) in {one.outcome for one in answers}
    return Occluded(
        hidden=hidden, answers=answers, ill_posed=len(answers) < len(found), even_absent=even_absent
    )  # fmt: skip
