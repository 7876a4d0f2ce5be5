"""Made-up tables: whole, varied, plausible."""

from __future__ import annotations

from answerable.core.codec import digest
from answerable.core.seeds import Stream
from answerable.domains.table.layout import whole_problems
from answerable.domains.table.sampler import sample_world
from answerable.domains.table.styles import STYLES
from answerable.domains.table.vocabulary import ORDERED, POOLS, TOPICS
from answerable.domains.table.world import numeric

MADE = [sample_world(Stream("sampler", seed), tuple(STYLES)) for seed in range(250)]


def test_made_up_tables_are_whole() -> None:
    assert {problem.reason for made in MADE for problem in whole_problems(made)} == set()


def test_no_two_are_alike() -> None:
    assert len({digest(made) for made in MADE}) == len(MADE)
    assert digest(sample_world(Stream("sampler", 3), tuple(STYLES))) == digest(MADE[3])


def test_all_kinds_styles_and_topics_come_up() -> None:
    assert {field.kind for made in MADE for field in made.fields} == {
        "text", "integer", "decimal", "money", "percent", "time"
    }  # fmt: skip
    assert {made.style for made in MADE} == set(STYLES)
    assert {made.corner for made in MADE} == {topic.corner for topic in TOPICS}
    assert {field.clock for made in MADE for field in made.fields if field.kind == "time"} == {"12", "24"}


def test_every_table_has_numbers_to_ask_for() -> None:
    for made in MADE:
        assert any(field.kind != "time" for field in numeric(made))
        assert 2 <= len(made.fields) <= 4
        assert len(made.rows) >= 4


def test_timetables_run_forwards() -> None:
    for made in MADE:
        times = [place for place, field in enumerate(made.fields) if field.kind == "time"]
        if times:
            assert len(times) == 2
            assert all(line[times[0]] < line[times[1]] for line in made.values)
            starts = [line[times[0]] for line in made.values]
            assert starts == sorted(starts)


def test_ordered_rows_keep_their_order() -> None:
    for pool in ORDERED:
        order = {name: place for place, name in enumerate(POOLS[pool])}
        for made in MADE:
            if set(made.rows) <= order.keys():
                places = [order[row] for row in made.rows]
                assert places == list(range(places[0], places[0] + len(places)))


def test_only_the_styles_asked_for_are_used() -> None:
    assert {sample_world(Stream("one", seed), ("sheet-plain",)).style for seed in range(5)} == {"sheet-plain"}
