"""Splits draw what the scores hold of each part, and nothing where there is nothing to split."""

from __future__ import annotations

import msgspec

from answerable.core.records import PAPER_STATES
from answerable.core.scores import Facet, Figure, PartScores, RunScores, Scores, SourceScores
from answerable.report.data import source_parts
from answerable.report.page import Gallery, facts, render
from answerable.report.splits import splits
from tests.report.conftest import Scored
from tests.report.fake import figure

STATES = PAPER_STATES


def part(facet: Facet, value: str, right: int, of: int, missed: int = 0) -> PartScores:
    metrics = {"J": figure(right, of), "E_F": figure(0, of), "E_M": figure(missed, of), "E_I": figure(0, 0)}
    return PartScores(facet=facet, value=value, groups=of, views=5 * of, metrics=metrics)


def held(scores: Scores, *parts: PartScores, run: int = 0) -> tuple[RunScores, SourceScores]:
    source = msgspec.structs.replace(scores.runs[run].sources["chart-sampler"], parts=parts)
    return msgspec.structs.replace(scores.runs[run], sources={"chart-sampler": source}), source


def test_a_source_without_programs_or_with_one_is_not_split(scored: Scored) -> None:
    assert splits([held(scored.scores)], STATES) == ()
    assert splits([held(scored.scores, part("program", "look-up", 3, 4), part("depth", "1", 3, 4))], STATES) == ()


def test_a_row_a_part_and_a_cell_a_run(scored: Scored) -> None:
    runs = [
        held(scored.scores, part("program", "look-up", 3, 4, 1), part("program", "trend", 0, 2, 2)),
        held(scored.scores, part("program", "trend", 2, 2), run=1),
    ]
    (split,) = splits(runs, STATES)
    assert split.words == "program family" and split.names == tuple(run.name for run, _ in runs)
    assert [(row.value, row.groups) for row in split.rows] == [("look-up", 4), ("trend", 2)]
    first, second = split.rows
    assert [cell and (cell.figure.counts, cell.step) for cell in first.cells] == [("3/4", 2), None]
    assert [cell and (cell.figure.counts, cell.step) for cell in second.cells] == [("0/2", 10), ("2/2", 0)]


def test_failures_by_state_leave_out_states_a_part_lacks(scored: Scored) -> None:
    (split,) = splits([held(scored.scores, part("depth", "1", 3, 4, 1), part("depth", "2", 0, 2, 2))], STATES)
    assert split.words == "levels of the program"
    by_state = {
        row.value: dict(zip(STATES, (cell and cell.figure.counts for cell in row.cells), strict=True))
        for row in split.heats[0].rows
    }
    assert by_state == {
        "1": {"F": "0/4", "S": None, "C": None, "M": "1/4", "I": None},
        "2": {"F": "0/2", "S": None, "C": None, "M": "2/2", "I": None},
    }


def test_an_undefined_figure_is_not_drawn_as_a_failure(scored: Scored) -> None:
    empty = msgspec.structs.replace(part("depth", "2", 0, 2), metrics={"J": Figure(None, 0, 0)})
    (split,) = splits([held(scored.scores, part("depth", "1", 1, 1), empty)], STATES)
    cell = split.rows[1].cells[0]
    assert cell is not None and (cell.figure.text, cell.step) == ("–", 0)


def test_the_page_draws_splits_and_values_are_text(scored: Scored) -> None:
    hostile = "<script>window.__hit=1</script>"
    run, _ = held(scored.scores, part("program", "look-up", 3, 4), part("program", hostile, 1, 2))
    scores = msgspec.structs.replace(scored.scores, runs=(run,), pairs=())
    known = facts(scored.benchmark.manifest, scores, "t", 30, STATES, {"proved": 1})
    empty = Gallery(shown=0, total=0, chosen=True, note="", islands=())
    page = render(known, scores, source_parts(scores), None, empty, folder=False)
    assert 'id="splits-h"' in page and "look-up" in page and hostile not in page
    assert "&lt;script&gt;window.__hit=1&lt;/script&gt;" in page
    plain = msgspec.structs.replace(scores, runs=scored.scores.runs)
    assert 'id="splits-h"' not in render(known, plain, source_parts(plain), None, empty, folder=False)
