"""A scene's world: objects on a plane, the directions in which it is looked at, and what makes one malformed.

Numbers are floats that are written as the shortest text which reads back as the same float, so that equal scenes
have equal bytes. Axes and units are CLEVR's: x and y lie in the ground plane, z is the height, an angle is in degrees.
"""

from __future__ import annotations

import math
from collections.abc import Iterator

from msgspec.structs import force_setattr, replace

from answerable.core.records import Record
from answerable.domains.scene.vocabulary import (
    ATTRIBUTES,
    EPSILON,
    RADIUS,
    RELATIONS,
    VALUES,
    Attribute,
    Color,
    Material,
    Relation,
    Shape,
    Size,
)

#: CLEVR places ten at most; more than these make no picture.
MAX_THINGS = 20
#: Farther from the middle than this is nowhere near the picture. CLEVR places objects up to ``REACH``.
MAX_COORDINATE, REACH = 100.0, 3.0
#: CLEVR's rules for placing: free space between two objects, and how far apart they are along each direction.
LEAST_GAP, MARGIN = 0.25, 0.4
#: The published pictures' size in pixels.
WIDTH, HEIGHT = 480, 320
MAX_PIXEL = 100_000

Vector = tuple[float, float, float]


def _number(value: float, name: str, most: float = MAX_COORDINATE) -> float:
    """A finite float, and one only for each value: whole numbers become floats, and zero loses its sign."""
    if not math.isfinite(value) or abs(value) > most:
        raise ValueError(f"expected a finite {name} of at most {most:g} either way; got {name}={value!r}")
    return float(value) + 0.0


def _vectors(record: Record, most: float) -> None:
    """Make the numbers of a record of vectors plain."""
    for name in record.__struct_fields__:
        force_setattr(record, name, tuple(_number(number, name, most) for number in getattr(record, name)))


class Thing(Record, frozen=True):
    """An object of a scene."""

    shape: Shape
    size: Size
    material: Material
    color: Color
    x: float
    y: float
    z: float
    """Height of its centre."""
    rotation: float
    """About the vertical, in degrees."""
    pixel: tuple[int, int, float] | None = None
    """Where its centre is seen: column, row, and depth; None when no camera has looked."""

    def __post_init__(self) -> None:
        for attribute in ATTRIBUTES:
            word = self.value(attribute)
            if word not in VALUES[attribute]:
                raise ValueError(f"expected a {attribute} out of {', '.join(VALUES[attribute])}; got {word!r:.40}")
        for name in ("x", "y", "z"):
            force_setattr(self, name, _number(getattr(self, name), name))
        force_setattr(self, "rotation", _number(self.rotation, "rotation", 3600.0))
        if self.pixel is not None:
            column, row, depth = self.pixel
            if max(abs(column), abs(row)) > MAX_PIXEL:
                raise ValueError(f"expected a pixel of at most {MAX_PIXEL} either way; got pixel={(column, row)}")
            force_setattr(self, "pixel", (column, row, _number(depth, "depth", 1e6)))

    def value(self, attribute: Attribute) -> str:
        """The value of one attribute."""
        word: str = getattr(self, attribute)
        return word


class Directions(Record, frozen=True):
    """Unit vectors of what the camera calls left, right and so on. The first four lie in the ground plane."""

    left: Vector
    right: Vector
    behind: Vector
    front: Vector
    above: Vector
    below: Vector

    def __post_init__(self) -> None:
        _vectors(self, 1.001)
        for name in self.__struct_fields__:
            vector: Vector = getattr(self, name)
            if abs(math.hypot(*vector) - 1) > 1e-3:
                raise ValueError(f"expected a direction of length 1; got {name}={vector}")
        for name in RELATIONS:
            if self.toward(name)[2] != 0:
                raise ValueError(f"expected a direction in the ground plane; got {name}={self.toward(name)}")
        for name, other in (("left", "right"), ("behind", "front"), ("above", "below")):
            one, two = getattr(self, name), getattr(self, other)
            if any(abs(a + b) > 1e-6 for a, b in zip(one, two, strict=True)):
                raise ValueError(f"expected {other} to be opposite to {name}; got {one} and {two}")
        if abs(self.left[0] * self.behind[0] + self.left[1] * self.behind[1]) > 1e-3:
            raise ValueError(f"expected behind at a right angle to left; got {self.behind} and {self.left}")

    def toward(self, relation: Relation) -> Vector:
        """The vector of one relation."""
        vector: Vector = getattr(self, relation)
        return vector


#: Of the published scenes: they are taken before the camera is moved a little, so all scenes share them.
DIRECTIONS = Directions(
    left=(-0.6563112735748291, -0.7544902563095093, 0.0),
    right=(0.6563112735748291, 0.7544902563095093, -0.0),
    behind=(-0.754490315914154, 0.6563112735748291, 0.0),
    front=(0.754490315914154, -0.6563112735748291, -0.0),
    above=(0.0, 0.0, 1.0),
    below=(-0.0, -0.0, -1.0),
)


class Jitter(Record, frozen=True):
    """How far the camera and the three lamps stand from their places in the base scene, in world units."""

    camera: Vector
    key: Vector
    fill: Vector
    back: Vector

    def __post_init__(self) -> None:
        _vectors(self, MAX_COORDINATE)


class Scene(Record, frozen=True):
    """A complete scene."""

    things: tuple[Thing, ...]
    """Programs name none of them; their order means nothing."""
    directions: Directions = DIRECTIONS
    jitter: Jitter | None = None
    """None where it is not known, as in the published scenes."""

    def __post_init__(self) -> None:
        if len(self.things) > MAX_THINGS:
            raise ValueError(f"expected at most {MAX_THINGS} objects; got {len(self.things)}")


def relations(scene: Scene) -> dict[Relation, tuple[tuple[int, ...], ...]]:
    """For each relation and object, the objects that stand so to it: ``relations(s)["left"][i]`` are left of ``i``."""
    # The four directions lie in the ground plane, so heights add nothing.
    points = [(thing.x, thing.y) for thing in scene.things]
    return {relation: _standing(points, scene.directions.toward(relation)) for relation in RELATIONS}


def _standing(points: list[tuple[float, float]], toward: Vector) -> tuple[tuple[int, ...], ...]:
    a, b, _ = toward
    numbered = list(enumerate(points))
    return tuple(
        tuple([other for other, (u, v) in numbered if (u - x) * a + (v - y) * b > EPSILON]) for x, y in points
    )  # fmt: skip


def fits(scene: Scene, thing: Thing, without: int | None = None) -> bool:
    """Whether CLEVR's rules let an object stand there, beside the others.

    Args:
        without: the object that it stands in for, if any.
    """
    return not any(_quarrels(scene, thing, without))


def _quarrels(scene: Scene, thing: Thing, without: int | None) -> Iterator[str]:
    if max(abs(thing.x), abs(thing.y)) > REACH:
        yield f"is placed beyond {REACH:g} units"
    for other, standing in enumerate(scene.things):
        if other == without:
            continue
        gap = math.hypot(thing.x - standing.x, thing.y - standing.y) - RADIUS[thing.size] - RADIUS[standing.size]
        if gap < 0:
            yield f"overlaps object {other} by {-gap:.3f}"
        elif gap < LEAST_GAP:
            yield f"is {gap:.3f} from object {other}, nearer than {LEAST_GAP:g}"
        for relation in ("left", "behind"):
            toward = scene.directions.toward(relation)
            way = (thing.x - standing.x) * toward[0] + (thing.y - standing.y) * toward[1]
            if abs(way) < MARGIN:
                yield f"is {abs(way):.3f} apart from object {other} along {relation}, nearer than {MARGIN:g}"


def placement_faults(scene: Scene) -> tuple[str, ...]:
    """Where a scene breaks CLEVR's rules for placing objects, in words; published scenes break none.

    An object must rest on the ground within reach, keep its distance from the others, differ from them clearly along
    each direction, and be seen inside the picture, where that is known. Every pair is reported once.
    """
    found = []
    for place, thing in enumerate(scene.things):
        before = replace(scene, things=scene.things[:place])
        found += [f"object {place} {quarrel}" for quarrel in _quarrels(before, thing, None)]
        if abs(thing.z - RADIUS[thing.size]) > 1e-3:
            found.append(f"object {place} does not rest on the ground: z={thing.z}")
        if thing.pixel is not None and not (0 <= thing.pixel[0] < WIDTH and 0 <= thing.pixel[1] < HEIGHT):
            found.append(f"object {place} is off the picture: pixel={thing.pixel[:2]}")
    return tuple(found)


def with_value(scene: Scene, place: int, attribute: Attribute, value: str) -> Scene:
    """The scene with one attribute of one object changed. An object of another size still rests on the ground."""
    return with_thing(scene, place, changed(scene.things[place], attribute, value))


def changed(thing: Thing, attribute: Attribute, value: str) -> Thing:
    """The object with one attribute changed. Of another size, it still rests on the ground."""
    if attribute != "size" or value == thing.size:
        return replace(thing, **{attribute: value})
    # An unknown size is refused by the record itself.
    return replace(thing, size=value, z=RADIUS["large"] if value == "large" else RADIUS["small"], pixel=None)


def with_thing(scene: Scene, place: int, thing: Thing | None) -> Scene:
    """The scene with another object at a place of the list, or with none."""
    kept = (thing,) if thing is not None else ()
    return replace(scene, things=(*scene.things[:place], *kept, *scene.things[place + 1 :]))
