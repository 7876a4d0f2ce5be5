"""SVG builders: well-formed, escaped, and where the numbers say."""

from __future__ import annotations

from typing import Any, cast
from xml.etree import ElementTree as ET

import pytest
from hypothesis import given
from hypothesis import strategies as st

from answerable.core.scores import LOSSES, Figure
from answerable.report.cells import cell
from answerable.report.data import Difference, Forest, Histogram, LossBar, Part
from answerable.report.plots.bars import loss_bar, rate_bar
from answerable.report.plots.forest import axis, difference, place
from answerable.report.plots.histogram import histogram
from answerable.report.plots.svg import element, number, share
from tests.report.fake import HOSTILE


def parsed(markup: str) -> ET.Element:
    """The markup as XML: an unescaped character would not parse."""
    parser: ET.XMLPullParser[Any] = ET.XMLPullParser(["start"])
    parser.feed(markup)
    parser.close()
    return cast("list[tuple[str, ET.Element]]", list(parser.read_events()))[0][1]


def percent(text: str | None) -> float:
    """``"25%"`` -> 25.0."""
    assert text is not None
    assert text.endswith("%")
    return float(text[:-1])


@given(st.floats(-1e6, 1e6))
def test_numbers_are_short_and_plain(value: float) -> None:
    text = number(value)
    assert abs(float(text) - value) <= 0.00051
    assert "e" not in text
    assert text != "-0"


@pytest.mark.parametrize("text", [text.replace("\x00", "").replace("\x07", "") for text in HOSTILE])
def test_names_are_text(text: str) -> None:
    bar = LossBar(name=text, groups=2, parts=(Part(kind="success", words=text, count=2),))
    root = parsed(loss_bar(bar))
    assert root.get("aria-label") == f"{text}, 2 groups: {text} 2"
    assert {node.tag for node in root.iter()} == {"svg", "rect", "title", "text"}
    assert parsed(element("text", {"class": text}, text)).text == text


def test_loss_segments_fill_the_bar_in_order() -> None:
    counts = (6, 2, 3, 9)
    parts = tuple(Part(kind=kind, words=kind, count=count) for kind, count in zip(LOSSES, counts, strict=True))
    rects = parsed(loss_bar(LossBar(name="a", groups=20, parts=parts))).findall("rect")
    assert [percent(rect.get("width")) for rect in rects] == [30, 10, 15, 45]
    assert [percent(rect.get("x")) for rect in rects] == [0, 30, 40, 55]


def test_a_narrow_segment_has_no_number_and_an_empty_one_is_not_drawn() -> None:
    parts = (Part(kind="success", words="s", count=99), Part(kind="wrong_answer", words="w", count=1))
    root = parsed(loss_bar(LossBar(name="a", groups=100, parts=(*parts, Part(kind="other", words="o", count=0)))))
    assert [text.text for text in root.findall("text")] == ["99"]
    assert len(root.findall("rect")) == 2


def test_a_rate_and_its_interval_lie_where_they_should() -> None:
    root = parsed(rate_bar(cell(Figure(value=0.3, numerator=3, denominator=10, interval=(0.1, 0.55)))))
    assert percent(root.findall("rect")[1].get("width")) == 30
    line = root.findall("line")[0]
    assert (percent(line.get("x1")), percent(line.get("x2"))) == (10, 55)


def test_an_undefined_rate_has_only_a_track() -> None:
    root = parsed(rate_bar(cell(Figure(value=None, numerator=0, denominator=0))))
    assert len(list(root)) == 1


@pytest.mark.parametrize(("bins", "ticks"), [(1, 1), (6, 6), (14, 14), (15, 8), (26, 13), (200, 14)])
def test_histogram_ticks_never_crowd(bins: int, ticks: int) -> None:
    root = parsed(histogram(Histogram(name="a", counts=(1,) + (0,) * (bins - 1), first=1, additional=0), 1))
    texts = [(text.get("class"), text.text) for text in root.iter("text")]
    found = [text for kind, text in texts if kind == "tick"]
    assert len(found) == ticks and found[0] == "0"
    assert sum(kind == "count zero" for kind, _ in texts) == (bins - 1 if bins <= 14 else 0)


def test_histogram_columns_are_to_scale() -> None:
    root = parsed(histogram(Histogram(name="a", counts=(10, 0, 5), first=5, additional=0), 20))
    heights = [float(rect.get("height", "")) for rect in root.findall("rect")]
    assert len(heights) == 2
    assert heights[0] == pytest.approx(2 * heights[1])
    texts = [text.text for text in root.findall("text")]
    assert texts == ["10", "0", "0", "1", "5", "2"]


@pytest.mark.parametrize(("value", "where"), [(-0.5, 2), (0, 50), (0.5, 98), (0.25, 74), (7, 98)])
def test_differences_lie_on_the_axis(value: float, where: float) -> None:
    assert percent(place(value, 0.5)) == pytest.approx(where)


def test_differences_that_exclude_zero_stand_out() -> None:
    row = Difference(a="<a>", b="b", value=0.2, low=0.1, high=0.3, excludes_zero=True, text="+20.0", groups=9)
    plot = Forest(source="s", metric="J", rows=(row,), undefined=0, limit=0.5)
    root = parsed(difference(row, plot))
    assert root.get("class") == "difference sure"
    label = root.get("aria-label")
    assert label is not None
    assert label.startswith("<a> minus b: +20.0")
    assert label.endswith("excludes zero")
    ticks = [text.text for text in parsed(axis(plot)).findall("text")]
    assert ticks == ["−50", "−25", "0", "+25", "+50"]


def test_shares() -> None:
    assert share(0.25) == "25%"
    assert share(1 / 3) == "33.333%"
