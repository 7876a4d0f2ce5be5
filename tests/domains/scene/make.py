"""Small scenes and programs for tests, and strategies for any of them."""

from __future__ import annotations

import functools
from typing import Any, cast

from hypothesis import strategies as st

from answerable.core.seeds import Stream
from answerable.domains.scene.program import SIGNATURES, Builder, Function, Program, Type
from answerable.domains.scene.sampler import sample_scene
from answerable.domains.scene.vocabulary import COLORS, MATERIALS, RADIUS, SHAPES, SIZES
from answerable.domains.scene.world import Scene, Thing


def thing(words: str, x: float = 0.0, y: float = 0.0, **more: Any) -> Thing:
    """``thing("large red rubber cube", 1, 2)``."""
    size, color, material, shape = words.split()
    named: dict[str, Any] = {"size": size, "color": color, "material": material, "shape": shape}
    return Thing(**named, x=x, y=y, z=RADIUS[named["size"]], rotation=0.0, **more)


def row(*words: str) -> Scene:
    """Objects side by side, each to the right of the one before it and a little in front."""
    right, front = (0.6563112735748291, 0.7544902563095093), (0.754490315914154, -0.6563112735748291)
    step = tuple(1.7 * a + 0.45 * b for a, b in zip(right, front, strict=True))
    first = -(len(words) - 1) / 2
    return Scene(
        things=tuple(thing(one, (first + at) * step[0], (first + at) * step[1]) for at, one in enumerate(words))
    )


def program(*calls: str) -> Program:
    """``program("scene", "filter_color red 0", "count 1")``: a function, perhaps a word, and inputs."""
    builder = Builder()
    for call in calls:
        function, *rest = call.split()
        inputs = [int(part) for part in rest if part.isdigit()]
        values = [part for part in rest if not part.isdigit()]
        builder.add(_function(function), *inputs, value=values[0] if values else "")
    return builder.program()


def _function(name: str) -> Function:
    return cast("Function", name)  # what is none is refused by the program


@functools.cache
def sampled(number: int) -> Scene:
    """One of our own scenes."""
    found = sample_scene(Stream("test-scene", number))
    assert isinstance(found, Scene)
    return found


def things() -> st.SearchStrategy[Thing]:
    """Any object, anywhere on a grid fine enough to hit and miss the rules."""
    places = st.integers(-12, 12).map(lambda at: at / 4)

    def build(size: Any, color: Any, material: Any, shape: Any, x: float, y: float) -> Thing:
        return Thing(shape=shape, size=size, material=material, color=color, x=x, y=y, z=RADIUS[size], rotation=0.0)

    return st.builds(
        build, st.sampled_from(SIZES), st.sampled_from(COLORS[:3]), st.sampled_from(MATERIALS),
        st.sampled_from(SHAPES), places, places,
    )  # fmt: skip


def scenes() -> st.SearchStrategy[Scene]:
    """Scenes of none to seven objects, overlapping or not; few values, so that likeness is frequent."""
    return st.lists(things(), max_size=7).map(lambda found: Scene(things=tuple(found)))


@st.composite
def programs(draw: st.DrawFn) -> Program:
    """Well-typed programs, ill-posed ones included; nodes are shared now and then."""
    builder = Builder()
    made: dict[Type, list[int]] = {}

    def grow(wanted: Type, depth: int) -> int:
        if made.get(wanted) and draw(st.integers(0, 9)) == 0:
            return draw(st.sampled_from(made[wanted]))
        names = [name for name, one in SIGNATURES.items() if one.output == wanted]
        if depth <= 0:
            shallow = {"ObjectSet": ["scene", "filter_color", "filter_shape"], "Object": ["unique"]}
            names = shallow.get(wanted, names)
        name = draw(st.sampled_from(names))
        if depth < -2 and wanted == "ObjectSet":
            name = "scene"
        inputs = [grow(one, depth - 1) for one in SIGNATURES[name].inputs]
        values = SIGNATURES[name].values
        value = draw(st.sampled_from(values[:4])) if values else ""
        place = builder.add(_function(name), *inputs, value=value)
        made.setdefault(wanted, []).append(place)
        return place

    last: Type = draw(st.sampled_from(("Integer", "Boolean", "Size", "Color", "Material", "Shape")))
    grow(last, draw(st.integers(1, 4)))
    return builder.program()
