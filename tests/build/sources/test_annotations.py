"""PlotQA and FigureQA annotations: exact text, the file's own axis, and refusals for everything else."""

from __future__ import annotations

import json
from collections.abc import Callable
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest

from answerable.build.sources import Figure
from answerable.build.sources.annotations import TYPES, AnnotationSource, thinned
from answerable.core.codec import encode
from answerable.core.errors import SourceError
from answerable.core.records import Refusal
from answerable.domains.chart.layout import whole_problems
from answerable.domains.chart.styles import STYLES
from answerable.domains.chart.world import Axis, ChartWorld
from tests.build.sources.figures import figure, put


def read(folder: Path, content: Any, **options: Any) -> list[Figure | Refusal]:
    return list(AnnotationSource((put(folder, content),), **options).figures())


def world(folder: Path, content: Any, **options: Any) -> ChartWorld:
    (found,) = read(folder, content, **options)
    assert isinstance(found, Figure), found
    return found.worlds[0]


def refusal(folder: Path, content: Any, **options: Any) -> Refusal:
    (found,) = read(folder, content, **options)
    assert isinstance(found, Refusal)
    return found


@pytest.mark.parametrize("kind", sorted(TYPES))
def test_every_type_becomes_a_world(kind: str, tmp_path: Path) -> None:
    made = world(tmp_path, figure(kind))
    assert made.kind == TYPES[kind]
    assert (made.title, made.position_title, made.value_title) == ("Catch landed", "Port", "Tonnes")
    assert made.series == ("s0", "s1")
    assert made.positions == ("p0", "p1", "p2", "p3")
    assert made.values == (tuple(map(Fraction, (5, 6, 7, 8))), tuple(map(Fraction, (13, 14, 15, 16))))
    assert made.colours == ("#0060ff", "#2860c3")
    assert (made.scale, made.decimals) == (1, 2)


def test_a_dot_figure_with_names_on_the_side_lies_down(tmp_path: Path) -> None:
    lying = figure("hbar_categorical") | {"type": "dot"}
    assert world(tmp_path, lying).kind == "hbar"
    assert world(tmp_path, figure("dot")).kind == "dot_line"


@pytest.mark.parametrize("kind", ["vbar_categorical", "hbar_categorical"])
def test_the_axis_is_the_files_own(kind: str, tmp_path: Path) -> None:
    # The rule reaches from -2 to 44; the next minor steps outwards are -2.5 and 45.
    assert world(tmp_path, figure(kind)).axis == Axis(Fraction(-5, 2), Fraction(45), Fraction(10))


def test_without_an_axis_range_a_figure_is_refused_unless_the_data_may_make_one(tmp_path: Path) -> None:
    bare = figure()
    del bare["general_figure_info"]["y_axis"]["major_ticks"]["bboxes"]
    found = refusal(tmp_path, bare)
    assert found.reason == "no axis range"
    assert "annotations.json#0" in found.detail
    made = world(tmp_path, bare, axis="data")
    assert made.axis == Axis(Fraction(0), Fraction(20), Fraction(5))


@pytest.mark.parametrize(
    "spoil",
    [
        lambda axis: axis.pop("rule"),
        lambda axis: axis["rule"].update(bbox=None),
        lambda axis: axis["rule"]["bbox"].update(h="high"),
        lambda axis: axis["major_ticks"].update(values=[1]),
        lambda axis: axis["major_ticks"].update(values=["a", "b"]),
        lambda axis: axis["major_ticks"].update(values=[5, 5, 5, 5, 5]),
        lambda axis: axis["major_ticks"].update(bboxes=[{"x": 1}] * 5),
        lambda axis: axis["major_ticks"].update(bboxes=[axis["major_ticks"]["bboxes"][0]] * 5),
        lambda axis: axis.update(major_ticks=[1, 2, 3]),
    ],
)
def test_a_damaged_axis_is_no_axis(spoil: Callable[[dict[str, Any]], Any], tmp_path: Path) -> None:
    broken = figure()
    spoil(broken["general_figure_info"]["y_axis"])
    assert refusal(tmp_path, broken).reason == "no axis range"


def test_values_are_taken_from_the_text_and_rounded_half_to_even(tmp_path: Path) -> None:
    text = json.dumps(figure(rows=1)).replace("[5, 6, 7, 8]", "[5.005, 6.015, 7.1234567890123456789, 8.995]")
    assert world(tmp_path, text).values == ((Fraction("5.00"), Fraction("6.02"), Fraction("7.12"), Fraction("9.00")),)


def test_large_values_are_scaled(tmp_path: Path) -> None:
    big = figure(rows=1)
    big["models"][0]["y"] = [3_990_000, 1_234_567, 2_000_000, 5_000_000]
    made = world(tmp_path, big, axis="data")
    assert (made.scale, made.decimals) == (1000, 2)
    assert made.values[0][1] == 1_234_570


def test_numbers_that_name_positions_are_written_shortly_and_exactly(tmp_path: Path) -> None:
    years = figure(rows=1)
    years["models"][0]["x"] = [1990.0, 1991.0, 1992.0, 1993.0]
    assert world(tmp_path, years).positions == ("1990", "1991", "1992", "1993")
    close = figure(rows=1)
    close["models"][0]["x"] = [0.123456, 0.5, 1.25, -1.5]
    assert world(tmp_path, close).positions == ("0.12", "0.50", "1.25", "-1.50")
    long = figure(rows=1)
    long["models"][0]["x"] = ["123456789012345678901", "123456789012345678902", "3", "4"]
    assert world(tmp_path, long).positions == ("123456789012345678901", "123456789012345678902", "3", "4")


def models(**changes: Any) -> dict[str, Any]:
    made = figure(rows=1)
    made["models"][0] |= changes
    return made


SURROGATE = figure() | {"type": "\ud800"}


@pytest.mark.parametrize(
    ("content", "reason", "detail"),
    [
        (figure("pie"), "unsupported figure type", "'pie'"),
        (figure() | {"type": None}, "unsupported figure type", "none given"),
        (SURROGATE, "unsupported figure type", "\\ud800"),
        (7, "not a figure", "got str"),
        ("text", "not a figure", "got str"),
        (None, "not a figure", "got NoneType"),
        (figure() | {"models": []}, "not a figure", "no list of models"),
        (figure() | {"models": {"a": 1}}, "not a figure", "no list of models"),
        (figure() | {"models": [1, 2]}, "not a figure", "no list of models"),
        (models(y=[1, 2]), "not a figure", "not lists of one length"),
        (models(y="1234"), "not a figure", "not lists of one length"),
        (models(x=[], y=[]), "not a figure", "not lists of one length"),
        (models(y=[1, 2, 3, "many"]), "value is not a number", "'many'"),
        (models(y=[1, 2, 3, None]), "value is not a number", "'None'"),
        (models(y=[1, 2, 3, [4]]), "value is not a number", "['4']"),
        (models(y=[1, 2, 3, True]), "value is not a number", "'True'"),
        (models(color="red"), "no colour", "'red'"),
        (models(color=None), "no colour", "''"),
        (models(name=""), "names not unique", "has none"),
        (models(x=["a", "a", "b", "c"]), "names not unique", "share a name"),
        (figure() | {"models": [*figure()["models"], *figure()["models"]]}, "names not unique", "share a name"),
        (
            figure() | {"models": [figure()["models"][0], figure()["models"][1] | {"x": ["a", "b", "c", "d"]}]},
            "positions differ between series",
            "no common grid",
        ),
    ],
)
def test_what_is_no_usable_figure_is_counted_with_a_reason(
    content: Any, reason: str, detail: str, tmp_path: Path
) -> None:
    found = refusal(tmp_path, [content])
    assert found.reason == reason
    assert detail in found.detail
    assert found.detail.startswith(f"{tmp_path.name}/annotations.json#0")
    # Refusals go into the ledger, whatever the file held.
    encode(found)


@pytest.mark.parametrize("number", ["NaN", "Infinity", "-Infinity", "1e999999999", "1" * 10_000])
def test_numbers_that_are_none_are_refused(number: str, tmp_path: Path) -> None:
    text = json.dumps(figure(rows=1)).replace("[5, 6, 7, 8]", f"[5, 6, 7, {number}]")
    assert refusal(tmp_path, text).reason == "value is not a number"


@pytest.mark.parametrize("info", [None, [], "x", 5, {"title": 3, "x_axis": [], "y_axis": "y"}])
def test_a_file_without_titles_still_has_its_values(info: Any, tmp_path: Path) -> None:
    made = world(tmp_path, figure() | {"general_figure_info": info}, axis="data")
    assert (made.title, made.position_title, made.value_title) == ("", "", "Value")


def test_lone_surrogates_in_names_become_refusals_of_the_layout(tmp_path: Path) -> None:
    made = world(tmp_path, models(name="\ud800"))
    problems = whole_problems(made, STYLES["skia"])
    assert [problem.reason for problem in problems] == ["malformed world"]
    encode(problems)


@pytest.mark.parametrize("text", ["", "{", "[" * 100_000, '{"a": 1} {"b": 2}', "\ufffe"])
def test_what_is_not_json_is_named(text: str, tmp_path: Path) -> None:
    with pytest.raises(SourceError, match="an annotation file in JSON") as caught:
        read(tmp_path, text)
    assert caught.value.where.endswith("annotations.json")
    assert len(str(caught.value)) < 500


def test_another_encoding_is_named(tmp_path: Path) -> None:
    path = tmp_path / "a.json"
    path.write_bytes('{"title": "Süd"}'.encode("latin-1"))
    with pytest.raises(SourceError, match="an annotation file in JSON"):
        list(AnnotationSource((path,)).figures())
    path.write_bytes(b"\xef\xbb\xbf" + json.dumps(figure()).encode())
    assert isinstance(next(AnnotationSource((path,)).figures()), Figure)


def test_a_file_that_is_too_large_is_not_read(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("answerable.build.sources.annotations.MAX_BYTES", 10)
    with pytest.raises(SourceError, match="at most 10 bytes"):
        read(tmp_path, figure())


def test_figures_are_numbered_by_file_and_place(tmp_path: Path) -> None:
    found = read(tmp_path, [figure(), figure("pie"), figure("line")])
    assert [type(item).__name__ for item in found] == ["Figure", "Refusal", "Figure"]
    names = [item.id for item in found if isinstance(item, Figure)]
    assert names == [f"{tmp_path.name}/annotations.json#0", f"{tmp_path.name}/annotations.json#2"]


def test_dense_figures_are_thinned_step_by_step(tmp_path: Path) -> None:
    made = world(tmp_path, figure("line", rows=5, columns=30), axis="data")
    parts = list(thinned(made, "name"))
    assert parts[0] == made
    assert list(thinned(made, "name")) == parts
    sizes = [(len(part.series), len(part.positions)) for part in parts]
    assert sizes[1] == (5, 10)
    assert min(sizes) == (1, 4)
    for part in parts:
        assert set(part.series) <= set(made.series)
        assert set(part.positions) <= set(made.positions)
        for series, line, colour in zip(part.series, part.values, part.colours, strict=True):
            row = made.series.index(series)
            assert colour == made.colours[row]
            assert line == tuple(made.values[row][made.positions.index(position)] for position in part.positions)
        assert part.axis == made.axis


def test_the_ledger_says_what_was_done_to_the_values(tmp_path: Path) -> None:
    lines = AnnotationSource((put(tmp_path, figure()),)).describe()
    assert lines[0].startswith("annotations.json sha256=")
    assert any("half to even, to 2 decimals" in line for line in lines)
