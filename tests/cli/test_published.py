"""``answerable published`` as a user calls it."""

from __future__ import annotations

import csv
import io
import json

import pytest

from answerable.cli.main import run_command
from answerable.score.published import PUBLISHED, load

Captured = pytest.CaptureFixture[str]


def call(*words: str) -> int:
    return run_command(["published", *words])


def lines(capsys: Captured) -> list[list[str]]:
    """The cells of every printed row that has some."""
    text = capsys.readouterr().out
    return [[cell.strip() for cell in line.strip("│┃").replace("┃", "│").split("│")] for line in text.splitlines()]


def test_the_first_table_is_table_1(capsys: Captured) -> None:
    assert call("upd") == 0
    found = lines(capsys)
    assert ["", "", *(problem for problem in ("AAD", "IASD", "IVQD") for _ in range(4))] in found
    assert ["model", "access", *("original", "base", "option", "instruction") * 3] in found
    figures = "83.2 45.6 57.8 59.3 80.5 56.1 68.9 68.0 76.4 65.2 69.4 66.0"
    assert ["GPT4o", "closed", *figures.split()] in found
    assert sum(row[1:2] in (["open"], ["closed"]) for row in found) == 22
    [source] = found[-1]
    assert source == (
        "source: A. Miyai et al. (2025), Unsolvable Problem Detection: Robust Understanding Evaluation for Large "
        "Multimodal Models, ACL 2025, arXiv 2403.20331; table 1"
    )


def test_filters_keep_rows_and_columns(capsys: Captured) -> None:
    assert call("upd", "--problem", "aad", "--setting", "option", "--model", "gpt4O") == 0
    found = lines(capsys)
    assert ["GPT4o-mini", "closed", "48.9"] in found and ["GPT4o", "closed", "57.8"] in found
    assert not [row for row in found if row[0] == "GPT4V"]


def test_abilities_make_a_page_for_each_model_and_setting(capsys: Captured) -> None:
    assert call("upd", "--table", "ability", "--model", "GPT4o", "--setting", "base", "--metric", "dual") == 0
    found = lines(capsys)
    titles = [row[0] for row in found if "accuracy by ability" in row[0]]
    assert [title.split(":")[0] for title in titles] == ["GPT4o-mini, base", "GPT4o, base"]
    assert ["OCR", "71.4", "79.5", "64.5"] in found
    # The paper asks nothing of this ability for IVQD.
    assert [row[-1] for row in found if row[0] == "Image Style"] == ["-", "-"]


@pytest.mark.parametrize("name", PUBLISHED.names())
def test_every_table_of_every_paper_prints_with_its_source_and_notes(name: str, capsys: Captured) -> None:
    paper = load(name)
    for sheet in paper.about.tables:
        filters = ["--model", "GPT4V"] if sheet.name == "ability" else []
        assert call(name, "--table", sheet.name, *filters) == 0
        text = capsys.readouterr().out
        assert f"source: {paper.about.cited}; {sheet.place}\n" in text
        assert all(f"note: {note}\n" in text for note in sheet.notes)


def test_json_has_every_figure_with_its_printed_digits(capsys: Captured) -> None:
    assert call("upd", "--json") == 0
    found = json.loads(capsys.readouterr().out)
    assert set(found) == {"paper", "table", "rows"}
    assert (found["paper"]["name"], found["paper"]["year"]) == ("upd", 2025)
    assert (found["table"]["place"], found["table"]["unit"]) == ("table 1", "per cent of questions")
    assert len(found["rows"]) == 264
    wanted = {"model": "GPT4o", "access": "closed", "problem": "IASD", "setting": "instruction", "value": "68.0"}
    assert wanted in found["rows"]


def test_csv_has_the_same_rows(capsys: Captured) -> None:
    words = ("upd", "--table", "ability", "--problem", "IVQD", "--metric", "upd")
    assert call(*words, "--csv") == 0
    rows = list(csv.DictReader(io.StringIO(capsys.readouterr().out)))
    assert call(*words, "--json") == 0
    assert rows == json.loads(capsys.readouterr().out)["rows"]
    assert len(rows) == 22 * 3 * 12
    assert list(rows[0]) == ["model", "problem", "setting", "metric", "ability", "value"]


def test_without_a_paper_all_are_listed(capsys: Captured) -> None:
    assert call() == 0
    text = capsys.readouterr().out
    for name in PUBLISHED.names():
        about = load(name).about
        assert f"{name}: " in text
        assert all(sheet.name in text and sheet.place in text for sheet in about.tables)
    assert call("--json") == 0
    assert [paper["name"] for paper in json.loads(capsys.readouterr().out)] == list(PUBLISHED.names())


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (
            ["udp"],
            "expected a paper with published figures, one of upd, visual-answerability, tubench, mm-r3; got 'udp'\n",
        ),
        (
            ["upd", "--table", "table 1"],
            (
                "expected a table of 'upd', one of dual, ability, correlation, llm-driven, instruction-tuning, "
                "heterogeneity, counts; got 'table 1'\n"
            ),
        ),
        (["upd", "--problem", "AA"], "expected a problem of 'dual', one of AAD, IASD, IVQD; got 'AA'\n"),
        (
            ["upd", "--setting", "orig"],
            "expected a setting of 'dual', one of original, base, option, instruction; got 'orig'\n",
        ),
        (
            ["upd", "--table", "counts", "--setting", "base"],
            "expected a key of 'counts', one of ability, number, problem; got 'setting'\n",
        ),
        (["upd", "--model", "GPT5"], "expected part of the name of a model of 'dual', one of LLaVA1.5-13b, "),
        (["tubench", "--metric", "F2"], "expected a metric of 'results', one of F1, 2ACC, OACC; got 'F2'\n"),
        (["--table", "dual"], "expected a paper, one of upd, visual-answerability, tubench, mm-r3; got none\n"),
        (["--csv"], "expected a paper, one of upd, visual-answerability, tubench, mm-r3; got none\n"),
    ],
)
def test_a_bad_name_is_one_readable_error_with_the_choices(words: list[str], message: str, capsys: Captured) -> None:
    assert call(*words) == 2
    captured = capsys.readouterr()
    assert captured.out == ""
    assert captured.err.startswith(f"answerable published: {message}")


def test_one_form_at_a_time(capsys: Captured) -> None:
    with pytest.raises(SystemExit) as caught:
        call("upd", "--json", "--csv")
    assert caught.value.code == 2
    assert "not allowed with argument --json" in capsys.readouterr().err
