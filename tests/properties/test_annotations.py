"""Any JSON at all in an annotation file gives figures or refusals, never a crash."""

from __future__ import annotations

import json
import tempfile
from pathlib import Path
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from answerable.build.sources import Figure
from answerable.build.sources.annotations import TYPES, AnnotationSource
from answerable.core.codec import encode
from answerable.core.records import Refusal
from answerable.domains.chart.layout import whole_problems
from answerable.domains.chart.styles import STYLES
from tests.build.sources.figures import figure

scalars = (
    st.none() | st.booleans() | st.integers(-(10**25), 10**25) | st.floats() | st.text(max_size=5)
    | st.sampled_from(["\ud800", "1e99", "#ff0000", "9" * 40, "x" * 400])
)  # fmt: skip
keys = st.sampled_from(
    ["type", "models", "name", "label", "x", "y", "w", "h", "color", "colors", "general_figure_info", "x_axis",
     "y_axis", "title", "text", "major_ticks", "minor_ticks", "values", "bboxes", "rule", "bbox"]
)  # fmt: skip
values: st.SearchStrategy[Any] = st.recursive(
    scalars, lambda inner: st.lists(inner, max_size=4) | st.dictionaries(keys, inner, max_size=5), max_leaves=20
)


def check(content: Any, axis: str) -> None:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "a.json"
        path.write_text(json.dumps(content), encoding="utf-8")
        for found in AnnotationSource((path,), axis=axis).figures():
            if isinstance(found, Refusal):
                encode(found)
                assert ":" not in found.reason
                continue
            assert isinstance(found, Figure)
            for world in found.worlds[:3]:
                encode(whole_problems(world, STYLES["skia"]))


@given(st.lists(values, max_size=3) | values, st.sampled_from(["annotation", "data"]))
def test_any_json(content: Any, axis: str) -> None:
    check(content, axis)


def paths(node: Any, path: tuple[str | int, ...] = ()) -> list[tuple[str | int, ...]]:
    inner = list(node.items()) if isinstance(node, dict) else list(enumerate(node)) if isinstance(node, list) else []
    return [path, *(deeper for key, value in inner for deeper in paths(value, (*path, key)))]


@given(st.sampled_from(sorted(TYPES)), st.data(), values, st.sampled_from(["annotation", "data"]))
@settings(max_examples=200)
def test_a_good_figure_with_one_thing_replaced(kind: str, data: st.DataObject, value: Any, axis: str) -> None:
    made = json.loads(json.dumps(figure(kind)))
    path = data.draw(st.sampled_from(paths(made)[1:]))
    spot = made
    for key in path[:-1]:
        spot = spot[key]
    spot[path[-1]] = value
    check(made, axis)
