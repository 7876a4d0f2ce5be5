"""What tables and plots draw is what the scores file holds."""

from __future__ import annotations

from pathlib import Path

import msgspec
import pytest

from answerable.core.codec import encode_pretty
from answerable.core.errors import InputError
from answerable.core.scores import LOSSES, SCORES, Figure, Scores
from answerable.report import data
from answerable.report.cells import cell
from answerable.report.data import headline_columns, load_scores, source_parts
from tests.report.conftest import Scored
from tests.report.fake import RUNS, STATES


def changed(scores: Scores, run: int, source: str, **fields: object) -> Scores:
    """The scores with fields of one source of one run replaced."""
    old = scores.runs[run]
    new = msgspec.structs.replace(old.sources[source], **fields)
    runs = list(scores.runs)
    runs[run] = msgspec.structs.replace(old, sources={**old.sources, source: new})
    return msgspec.structs.replace(scores, runs=tuple(runs))


def test_scores_are_read_back(scored: Scored) -> None:
    assert load_scores(scored.folder) == scored.scores


def test_columns_follow_the_protocol() -> None:
    names = {"A", "E_I", "J_4", "J_5", "B_5", "B_4", "E", "J", "B", "E_FSM", "E_K", "E_M", "E_A"}
    assert headline_columns(names) == ("J", "B", "J_5", "B_5", "J_4", "B_4", "E", "E_A", "E_M", "E_I", "E_K", "A")


def test_runs_stand_by_falling_j_and_undefined_ones_last(scored: Scored) -> None:
    source = "chart-sampler"
    metrics = dict(scored.scores.runs[0].sources[source].metrics)
    metrics["J"] = Figure(value=None, numerator=0, denominator=0)
    part = source_parts(changed(scored.scores, 0, source, metrics=metrics))[0]
    assert [row.name for row in part.table.rows] == [RUNS[1], RUNS[2], RUNS[0]]
    last = part.table.rows[-1].cells[0]
    assert last is not None
    assert last.text == "–"
    assert "undefined" in last.note


def test_the_largest_source_comes_first(scored: Scored) -> None:
    assert [part.key for part in source_parts(scored.scores)] == ["chart-sampler", "my table"]


def test_every_figure_is_in_the_scores(scored: Scored) -> None:
    for part in source_parts(scored.scores):
        for place, run in enumerate(scored.scores.runs):
            source = run.sources[part.key]
            for name, cells in part.every:
                drawn, figure = cells[place], source.metrics[name]
                assert drawn is not None
                assert drawn.value == figure.value
                assert drawn.counts == f"{figure.numerator}/{figure.denominator}"
            assert {p.kind: p.count for p in part.losses[place].parts} == source.losses
            assert sum(p.count for p in part.losses[place].parts) == source.groups
            assert part.histograms[place].counts == source.failed_views
            for tally, drawn_cell in zip(source.tallies, part.heat[place].cells, strict=True):
                assert drawn_cell is not None
                assert (drawn_cell.failed, drawn_cell.views) == (tally.failure.numerator, tally.failure.denominator)


def test_a_confusion_matrix_is_drawn_where_there_is_one(scored: Scored) -> None:
    assert source_parts(scored.scores)[0].confusions == ()
    found = {"answer": {"answer": 7, "unanswerable": 2, "unread": 1}, "unanswerable": {"answer": 3, "unanswerable": 9}}
    part = source_parts(changed(scored.scores, 0, "chart-sampler", confusion=found))[0]
    (matrix,) = part.confusions
    assert matrix.name == RUNS[0] and matrix.columns == ("answer", "unanswerable", "unread")
    assert matrix.rows == (("answer", (7, 2, 1)), ("unanswerable", (3, 9, 0)))


def test_losses_stand_in_the_order_of_the_protocol(scored: Scored) -> None:
    part = source_parts(scored.scores)[0]
    assert tuple(piece.kind for piece in part.losses[0].parts) == LOSSES


def test_heat_shows_any_failure_and_keeps_the_last_step_for_all(scored: Scored) -> None:
    source = scored.scores.runs[0].sources["chart-sampler"]
    rates = (0.0, 0.01, 0.5, 0.99, 1.0, None)
    tallies = tuple(
        msgspec.structs.replace(tally, failure=Figure(value=rate, numerator=0, denominator=0))
        for tally, rate in zip(source.tallies, rates, strict=True)
    )
    part = source_parts(changed(scored.scores, 0, "chart-sampler", tallies=tallies))[0]
    assert [found.step for found in part.heat[0].cells if found] == [0, 1, 5, 9, 10, 0]


def test_a_run_without_a_state_has_no_cell_there(scored: Scored) -> None:
    source = scored.scores.runs[0].sources["chart-sampler"]
    fewer = tuple(tally for tally in source.tallies if tally.state != "I")
    part = source_parts(changed(scored.scores, 0, "chart-sampler", tallies=fewer))[0]
    assert part.heat[0].cells[STATES.index("I")] is None
    assert part.heat[1].cells[STATES.index("I")] is not None


def test_the_sentence_names_the_best_model_and_its_commonest_loss(scored: Scored) -> None:
    sentence = source_parts(scored.scores)[0].sentence
    source = scored.scores.runs[0].sources["chart-sampler"]
    figure = source.metrics["J"]
    assert "vision-large gets every picture of a question right" in sentence
    assert f"({figure.numerator} of {figure.denominator};" in sentence
    assert f"({max(source.losses[kind] for kind in LOSSES[1:])})" in sentence


def test_a_tie_is_called_a_tie(scored: Scored) -> None:
    twin = msgspec.structs.replace(scored.scores.runs[0], name="twin")
    runs = (*scored.scores.runs, twin)
    sentence = source_parts(msgspec.structs.replace(scored.scores, runs=runs))[0].sentence
    assert "; 2 of 4 runs share that" in sentence
    assert "the highest of 3 runs" in source_parts(scored.scores)[0].sentence


def test_repeats_fill_the_bar_and_no_more(scored: Scored) -> None:
    losses = {kind: 3 * count for kind, count in scored.scores.runs[0].sources["my table"].losses.items()}
    part = source_parts(changed(scored.scores, 0, "my table", losses=losses))[1]
    assert part.losses[0].groups == 3 * part.table.groups


def test_reference_responders_are_not_called_best(scored: Scored) -> None:
    runs = list(scored.scores.runs)
    runs[0] = msgspec.structs.replace(runs[0], provider="reference")
    sentence = source_parts(msgspec.structs.replace(scored.scores, runs=tuple(runs)))[0].sentence
    assert "vision-large" not in sentence
    assert RUNS[1] in sentence


def test_a_table_of_reference_responders_says_so(scored: Scored) -> None:
    runs = tuple(msgspec.structs.replace(run, provider="reference") for run in scored.scores.runs)
    sentence = source_parts(msgspec.structs.replace(scored.scores, runs=runs))[0].sentence
    assert sentence.startswith("Reference responders only. On chart-sampler, vision-large gets")


def test_incomplete_runs_and_controls_say_so(scored: Scored) -> None:
    runs = list(scored.scores.runs)
    runs[0] = msgspec.structs.replace(runs[0], control="text-only", repeats=3)
    rows = source_parts(msgspec.structs.replace(scored.scores, runs=tuple(runs)))[0].table.rows
    by_name = {row.name: row.notes for row in rows}
    assert by_name[RUNS[0]] == ("control: text-only", "3 repeats")
    assert by_name[RUNS[1]][0].startswith("incomplete: ")
    assert by_name[RUNS[2]] == ()


def test_pairs_without_a_difference_are_counted_not_drawn(scored: Scored) -> None:
    pairs = list(scored.scores.pairs)
    pairs[0] = msgspec.structs.replace(pairs[0], value=None, interval=None, groups=0)
    plot = source_parts(msgspec.structs.replace(scored.scores, pairs=tuple(pairs)))[0].forests[0]
    assert (plot.metric, len(plot.rows), plot.undefined) == ("J", 2, 1)
    assert all(abs(end) <= plot.limit for row in plot.rows for end in (row.low, row.high))


def test_too_many_pairs_leave_those_of_j(scored: Scored, monkeypatch: pytest.MonkeyPatch) -> None:
    assert [plot.metric for plot in source_parts(scored.scores)[0].forests] == ["J", "B", "E"]
    monkeypatch.setattr(data, "MOST_DIFFERENCES", len(scored.scores.pairs) - 1)
    assert [plot.metric for plot in source_parts(scored.scores)[0].forests] == ["J"]


def test_a_cell_says_which_interval_it_shows() -> None:
    found = cell(Figure(value=0.0, numerator=0, denominator=9, interval=(0.0, 0.0), wilson=(0.0, 0.3)), "J")
    assert found.note == "J = 0.0\u202f%; 0/9; 95 % Wilson interval 0.0–30.0"


def test_no_folder_of_scores(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"expected a scores folder with scores\.json; got .*nothing") as caught:
        load_scores(tmp_path / "nothing")
    assert "answerable score" in caught.value.fix


def test_damaged_scores(tmp_path: Path) -> None:
    (tmp_path / SCORES).write_text('{"format": 1', encoding="utf-8")
    with pytest.raises(InputError, match=r"expected a readable scores\.json"):
        load_scores(tmp_path)


def test_scores_of_another_format(tmp_path: Path, scored: Scored) -> None:
    (tmp_path / SCORES).write_bytes(encode_pretty(msgspec.structs.replace(scored.scores, format=99)))
    with pytest.raises(InputError, match="expected scores of format 1; got format=99"):
        load_scores(tmp_path)
