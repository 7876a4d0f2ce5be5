"""The closed sets of words that scenes are made of, and the figures that go with them.

The words, colours and sizes are those of CLEVR v1.0 ("CLEVR: A Diagnostic Dataset for Compositional Language and
Elementary Visual Reasoning"), as its ``properties.json`` and ``metadata.json`` have them.
"""

from __future__ import annotations

from typing import Literal, get_args

Shape = Literal["cube", "sphere", "cylinder"]
Size = Literal["large", "small"]
Material = Literal["rubber", "metal"]
Color = Literal["gray", "red", "blue", "green", "brown", "purple", "cyan", "yellow"]
Attribute = Literal["size", "color", "material", "shape"]
Relation = Literal["left", "right", "behind", "front"]

SHAPES: tuple[Shape, ...] = get_args(Shape)
SIZES: tuple[Size, ...] = get_args(Size)
MATERIALS: tuple[Material, ...] = get_args(Material)
COLORS: tuple[Color, ...] = get_args(Color)
RELATIONS: tuple[Relation, ...] = get_args(Relation)
#: In the order in which CLEVR's programs filter and people say adjectives.
ATTRIBUTES: tuple[Attribute, ...] = get_args(Attribute)
#: Every admissible value. No word belongs to two attributes.
VALUES: dict[Attribute, tuple[str, ...]] = {
    "size": SIZES,
    "color": COLORS,
    "material": MATERIALS,
    "shape": SHAPES,
}

#: 0 to 255, as a surface is painted, not as it looks under light.
RGB: dict[Color, tuple[int, int, int]] = {
    "gray": (87, 87, 87),
    "red": (173, 35, 35),
    "blue": (42, 75, 215),
    "green": (29, 105, 20),
    "brown": (129, 74, 25),
    "purple": (129, 38, 192),
    "cyan": (41, 208, 208),
    "yellow": (255, 238, 51),
}
#: World units: what a shape of size one is scaled by, its radius when objects are placed, and the height of its
#: centre above the ground. CLEVR's placement code would shrink a cube by the square root of two, but only under a
#: name that its assets do not have: in the published scenes every shape has these radii and heights.
RADIUS: dict[Size, float] = {"large": 0.7, "small": 0.35}

#: An object is left of another (right, in front, behind) when it is farther that way by more than this.
EPSILON = 0.2

#: How people say where something is.
PLACE_WORDS: dict[Relation, str] = {
    "left": "to the left of",
    "right": "to the right of",
    "behind": "behind",
    "front": "in front of",
}
