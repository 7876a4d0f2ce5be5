"""Every scene that looks the same once a place is hidden."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product

from msgspec.structs import replace

from answerable.domains.scene.dependencies import Hidden, HiddenPlace, admissible_values, thing_at
from answerable.domains.scene.vocabulary import ATTRIBUTES
from answerable.domains.scene.world import Scene, changed, with_thing


def fillings(scene: Scene, hidden: Hidden) -> Iterator[Scene]:
    """Each scene in which another thing, or none where that may be, stands at the hidden place; the first is first
    by the order of the attributes' values, and one of them is the scene itself.

    A size that would bring a thing too near another is left out.
    """
    number = hidden.thing
    if isinstance(hidden, HiddenPlace):
        yield scene if number is None else with_thing(scene, number, None)
        if number is None:
            thing = thing_at(scene, hidden.x, hidden.y)
            if thing is None:
                return
            number = len(scene.things)
            scene = replace(scene, things=(*scene.things, thing))
    if number is None:
        return
    options = [admissible_values(scene, number, attribute) for attribute in ATTRIBUTES]
    for values in product(*options):
        thing = scene.things[number]
        for attribute, value in zip(ATTRIBUTES, values, strict=True):
            thing = changed(thing, attribute, value)
        yield with_thing(scene, number, thing)
