"""Made-up charts: all different, whole nearly always, and of every sort."""

from __future__ import annotations

from collections import Counter

import pytest

from answerable.core.codec import digest
from answerable.core.seeds import Stream
from answerable.domains.chart.frame import frame_problems
from answerable.domains.chart.layout import whole_problems
from answerable.domains.chart.sampler import sample_world
from answerable.domains.chart.styles import MASK_FILL, STYLES, Style
from answerable.domains.chart.text import missing_glyphs
from answerable.domains.chart.vocabulary import PALETTES, PLACES, POOLS, POSITION_TITLES, TITLES, TOPICS
from answerable.domains.chart.world import KINDS, SCALES, ChartWorld, shape_problems
from tests.domains.chart.make import world

COUNT = 300


@pytest.fixture(scope="module")
def worlds() -> list[ChartWorld]:
    return [sample_world(Stream("sampler test", index)) for index in range(COUNT)]


def test_the_same_stream_gives_the_same_world(worlds: list[ChartWorld]) -> None:
    assert sample_world(Stream("sampler test", 7)) == worlds[7]


def test_all_are_different(worlds: list[ChartWorld]) -> None:
    assert len({digest(made) for made in worlds}) == COUNT
    assert len({digest([made.title, made.series, made.positions]) for made in worlds}) > COUNT * 0.98


def test_all_are_well_formed(worlds: list[ChartWorld]) -> None:
    assert [shape_problems(made) for made in worlds if shape_problems(made)] == []
    for made in worlds:
        flat = [value for line in made.values for value in line]
        assert made.axis.lower <= min(flat) <= max(flat) <= made.axis.upper


@pytest.mark.parametrize("style", STYLES.values(), ids=STYLES)
def test_nearly_all_render_whole(worlds: list[ChartWorld], style: Style) -> None:
    reasons = Counter(problems[0].reason for made in worlds if (problems := whole_problems(made, style)))
    assert sum(reasons.values()) < COUNT * 0.1, reasons


def test_every_kind_scale_and_topic_occurs(worlds: list[ChartWorld]) -> None:
    assert {made.kind for made in worlds} == set(KINDS)
    assert min(Counter(made.kind for made in worlds).values()) > COUNT * 0.15
    assert {made.scale for made in worlds} == set(SCALES)
    assert {made.value_title for made in worlds} == {topic.value for topic in TOPICS}
    assert {len(made.series) for made in worlds} == {1, 2, 3, 4}


def test_names_beyond_ascii_occur_in_series_positions_and_titles(worlds: list[ChartWorld]) -> None:
    for names in ([w.series for w in worlds], [w.positions for w in worlds], [(w.title,) for w in worlds]):
        assert sum(any(not name.isascii() for name in found) for found in names) > 5


def test_some_axes_do_not_start_at_zero(worlds: list[ChartWorld]) -> None:
    raised = [made for made in worlds if made.axis.lower > 0]
    assert raised
    assert {made.kind for made in raised} <= {"line", "dot_line"}


def test_without_labels_every_value_lies_on_a_gridline() -> None:
    for index in range(100):
        made = sample_world(Stream("no labels", index), value_labels=False)
        assert not made.value_labels
        fine = made.axis.step / made.axis.minor
        assert all((value / fine).denominator == 1 for line in made.values for value in line)
    whole = [
        not whole_problems(sample_world(Stream("no labels", index), value_labels=False), STYLES["skia"])
        for index in range(100)
    ]
    assert sum(whole) > 80


def test_only_the_kinds_asked_for_are_drawn() -> None:
    assert {sample_world(Stream("kinds", index), ("hbar",)).kind for index in range(20)} == {"hbar"}


def test_every_word_can_be_drawn() -> None:
    words = [*PLACES, *POSITION_TITLES.values(), *(word for pool in POOLS.values() for word in pool)]
    words += [text for topic in TOPICS for text in (topic.value, topic.unit)]
    words += [title.format(value="", by="", place="") for title in TITLES]
    for bold in (False, True):
        assert [word for word in words if missing_glyphs(word, bold)] == []


def test_topics_use_pools_that_exist() -> None:
    for topic in TOPICS:
        assert topic.series in POOLS
        assert set(topic.positions) <= {*POOLS, "years"}
        assert set(topic.scales) <= set(SCALES)
    assert all(len(set(pool)) == len(pool) for pool in POOLS.values())


@pytest.mark.parametrize("palette", PALETTES)
def test_palettes_differ_from_each_other_paper_and_mask(palette: tuple[str, ...]) -> None:
    made = world(series=("a", "b", "c", "d"), colours=palette, values=world().values * 2)
    assert not [p for p in frame_problems(made, STYLES["skia"]) if p.reason == "colours too alike"]
    assert MASK_FILL not in palette
