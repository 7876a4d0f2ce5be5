"""Unsolvable problems as a report draws them: every figure from the scores, nothing missing drawn as zero."""

from __future__ import annotations

import math
from pathlib import Path

import msgspec
import pytest

from answerable.core.records import Answer, View
from answerable.core.scores import Scores
from answerable.report.data import source_parts
from answerable.report.page import Gallery, facts, render
from answerable.report.plots.bars import against_bar
from answerable.report.plots.radar import radar
from answerable.report.unsolvable import Line, PublishedRow, Radar, dual_table, upd_parts
from answerable.report.words import percent as percent_text
from answerable.score.pipeline import score_runs
from tests.report.test_plots import parsed, percent
from tests.score.choices import choice_group
from tests.score.fake import groups_of, write_benchmark, write_run

ABILITIES = ("Colour", "Shape", "<b>Size</b>")


def oracle(view: View) -> str:
    return view.obligation.target if isinstance(view.obligation, Answer) else "None of the above."


def eager(view: View) -> str:
    """Always says A, and is right about colour alone."""
    return oracle(view) if view.ability == "Colour" else "A"


@pytest.fixture(scope="module")
def scores(tmp_path_factory: pytest.TempPathFactory) -> Scores:
    folder = tmp_path_factory.mktemp("upd")
    groups = [choice_group(f"a{n}", ability=name) for n, name in enumerate(ABILITIES)]
    groups += [choice_group(f"v{n}", "IVQD", ability=name) for n, name in enumerate(ABILITIES[:2])]
    bench = write_benchmark(folder / "bench", groups, reader="mcq")
    runs = [write_run(folder / name, bench, policy) for name, policy in (("gold", oracle), ("eager", eager))]
    return score_runs(bench, runs, draws=50).scores


def test_the_table_has_a_row_a_run_and_columns_by_source_and_setting(scores: Scores) -> None:
    table = dual_table(scores)
    assert table is not None
    assert table.sources == (("mc-aad", 4), ("mc-ivqd", 4))
    assert [column.words for column in table.columns[:4]] == ["original", "base", "option", "instruction"]
    for row, run in zip(table.rows, scores.runs, strict=True):
        assert row.name == run.name and not row.published
        for cell, column in zip(row.cells, table.columns, strict=True):
            figure = run.sources[column.source].metrics[column.metric]
            assert cell is not None
            assert (cell.value, cell.counts) == (figure.value, f"{figure.numerator}/{figure.denominator}")
    assert [cell and cell.text for cell in table.rows[0].cells] == [percent_text(1.0)] * 8


def test_published_models_stand_beside_and_lack_what_was_not_printed(scores: Scores) -> None:
    table = dual_table(scores, [PublishedRow("Paper-7B", {"AAD original": "74.4", "AAD base": "0.7"})])
    assert table is not None
    row = table.rows[-1]
    assert (
        row.published
        and [cell and cell.text for cell in row.cells] == [percent_text(0.744), percent_text(0.007)] + [None] * 6
    )
    first = row.cells[0]
    assert first is not None and (first.counts, first.interval) == ("", "") and "as published" in first.note


def test_standard_against_unsolvable_is_what_was_scored(scores: Scores) -> None:
    part = next(part for part in upd_parts(scores) if part.source == "mc-aad")
    assert len(part.against) == 6
    row = next(row for row in part.against if (row.name, row.setting) == ("eager", "base"))
    metrics = scores.runs[1].sources["mc-aad"].metrics
    assert (row.standard.value, row.upd.value, row.dual.value) == tuple(
        metrics[f"{name}_base"].value for name in ("Standard", "UPD", "Dual")
    )
    bars = parsed(against_bar(row))
    drawn = {
        rect.get("class"): percent(rect.get("width")) for rect in bars.findall("rect") if rect.get("class") != "track"
    }
    assert drawn["upd"] == pytest.approx(100 / 3, abs=0.001)
    assert bars.get("aria-label") == "eager, base: standard {0}, unsolvable {0}, both {0}".format(percent_text(1 / 3))


def test_abilities_have_a_heat_map_and_with_three_of_them_a_radar(scores: Scores) -> None:
    aad, ivqd = upd_parts(scores)
    assert len(aad.heats) == 3 and len(aad.radars) == 3
    assert len(ivqd.heats) == 3 and ivqd.radars == (), "two abilities have no area"
    heat = aad.heats[0]
    assert heat.names == ("gold", "eager")
    by_name = {row.value: [cell and (cell.figure.counts, cell.step) for cell in row.cells] for row in heat.rows}
    assert by_name["Colour"] == [("1/1", 0), ("1/1", 0)] and by_name["Shape"] == [("1/1", 0), ("0/1", 10)]


def test_a_radar_puts_values_on_their_axes() -> None:
    plot = Radar(
        setting="base", axes=("up", "right", "down", "left"), lines=(Line("a", (1.0, 0.5, 0.0, 0.25)),), left_out=0
    )
    root = parsed(radar(plot))
    dots = [(float(dot.get("cx") or "nan"), float(dot.get("cy") or "nan")) for dot in root.findall("circle")]
    assert dots == [(280.0, 70.0), (345.0, 200.0), (280.0, 200.0), (247.5, 200.0)]
    assert "up 100.0 %" in str(root.get("aria-label"))


def test_an_undefined_ability_leaves_a_gap_and_is_not_drawn_at_the_centre() -> None:
    plot = Radar(setting="base", axes=("a", "b", "c", "d"), lines=(Line("x", (1.0, None, 0.5, 0.5)),), left_out=0)
    root = parsed(radar(plot))
    assert len(root.findall("circle")) == 3
    assert not [node for node in root.findall("polygon") if "run" in str(node.get("class"))]
    assert len([node for node in root.findall("line") if "run" in str(node.get("class"))]) == 2
    assert "b undefined" in str(root.get("aria-label"))
    centre = [
        dot
        for dot in root.findall("circle")
        if math.dist((280, 200), (float(dot.get("cx") or 0), float(dot.get("cy") or 0))) < 1
    ]
    assert centre == []


def test_told_answers_have_a_table_of_their_own(tmp_path: Path) -> None:
    groups = [choice_group(f"g{number}", settings=("option", "given")) for number in range(2)]
    bench = write_benchmark(tmp_path / "b", groups, reader="mcq")

    def blind(view: View) -> str:
        return "A" if view.setting == "option" else oracle(view)

    scored = score_runs(bench, [write_run(tmp_path / "r", bench, blind)], draws=20).scores
    (part,) = upd_parts(scored)
    (probe,) = part.probes
    assert (probe.option.value, probe.given.value, probe.vision.value, probe.language.value) == (0.0, 1.0, 1.0, 0.0)
    known = facts(bench.manifest, scored, "t", 2, ("F", "AAD"), {"annotated": 1})
    empty = Gallery(shown=0, total=0, chosen=True, note="", islands=())
    page = render(known, scored, source_parts(scored), None, empty, folder=False)
    assert "lost by seeing" in page


def test_the_page_has_it_all_and_names_are_text(scores: Scores, tmp_path: Path) -> None:
    bench = write_benchmark(tmp_path / "plain", groups_of(1))
    known = facts(bench.manifest, scores, "t", 3, ("F", "AAD", "IVQD"), {"annotated": 1})
    empty = Gallery(shown=0, total=0, chosen=True, note="", islands=())
    beside = [PublishedRow("Paper <7B>", {"AAD base": "0.7"})]
    page = render(known, scores, source_parts(scores), None, empty, folder=False, beside=beside)
    assert 'id="unsolvable-h"' in page and "Paper &lt;7B&gt;" in page and "<b>Size</b>" not in page
    assert page.count('class="radar"') == 3 and page.count('class="against"') == 12
    none = msgspec.structs.replace(scores, runs=())
    assert dual_table(none) is None and upd_parts(none) == ()
    assert 'id="unsolvable-h"' not in render(known, none, (), None, empty, folder=False)
