"""Rows of a table, which of them are wanted, and its pages."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from answerable.core.errors import SettingsError
from answerable.score.published.tables import About, Paper, Sheet, Table

SHEET = Sheet(
    name="dual", place="table 1", what="accuracy", unit="per cent", file="dual.csv",
    keys=("model", "problem"), spread="setting", columns=("base", "option"),
    down=("model",), across=("problem", "setting"),
)  # fmt: skip
TABLE = Table(
    SHEET,
    (
        ("GPT4o", "AAD", "base", "45.6"), ("GPT4o", "AAD", "option", "57.8"), ("GPT4o", "IVQD", "base", "65.2"),
        ("Qwen2", "AAD", "base", "11.5"),
    ),
)  # fmt: skip
COUNTS = Sheet(
    name="counts", place="table 6", what="questions", unit="questions", file="counts.csv",
    keys=("model", "problem"), columns=("right", "asked"), down=("model", "problem"), across=(),
)  # fmt: skip


def test_a_table_is_one_page_with_a_dash_for_what_is_not_printed() -> None:
    [page] = TABLE.pages()
    assert page.title == ()
    assert page.columns == ("model", "AAD\nbase", "AAD\noption", "IVQD\nbase")
    assert page.rows == (("GPT4o", "45.6", "57.8", "65.2"), ("Qwen2", "11.5", "-", "-"))


def test_keys_of_pages_make_pages() -> None:
    sheet = Sheet(
        name="dual", place="table 1", what="accuracy", unit="per cent", file="dual.csv", keys=("model", "problem"),
        spread="setting", columns=("base", "option"), down=("setting",), across=("problem",), pages=("model",),
    )  # fmt: skip
    pages = Table(sheet, TABLE.rows).pages()
    assert [page.title for page in pages] == [("GPT4o",), ("Qwen2",)]
    assert pages[0].columns == ("setting", "AAD", "IVQD")
    assert pages[0].rows == (("base", "45.6", "65.2"), ("option", "57.8", "-"))
    assert pages[1].columns == ("setting", "AAD")


def test_several_figures_in_a_row_are_columns() -> None:
    table = Table(COUNTS, (("a", "AAD", "3", "4"), ("b", "AAD", "", "4")))
    assert table.header == ("model", "problem", "right", "asked")
    [page] = table.pages()
    assert page.columns == ("model", "problem", "right", "asked")
    assert page.rows == (("a", "AAD", "3", "4"), ("b", "AAD", "-", "4"))


def test_selecting() -> None:
    assert TABLE.select() == TABLE
    assert TABLE.header == ("model", "problem", "setting", "value")
    assert [row[-1] for row in TABLE.select(problem="aad").rows] == ["45.6", "57.8", "11.5"]
    assert [row[-1] for row in TABLE.select(model="gpt").rows] == ["45.6", "57.8", "65.2"]
    assert [row[-1] for row in TABLE.select("4O", problem="AAD", setting="option").rows] == ["57.8"]
    assert [row[-1] for row in TABLE.select(problem="IVQD", setting="").rows] == ["65.2"]


def test_a_whole_value_is_meant_except_for_models() -> None:
    with pytest.raises(SettingsError) as caught:
        TABLE.select(problem="AA")
    assert str(caught.value) == "expected a problem of 'dual', one of AAD, IVQD; got 'AA'\n  where: problem"


def test_choices_are_those_that_are_left() -> None:
    with pytest.raises(SettingsError, match=r"part of the name of a model of 'dual', one of GPT4o; got 'Qwen'"):
        TABLE.select(model="Qwen", setting="option")


def test_a_key_that_the_table_lacks() -> None:
    with pytest.raises(SettingsError) as caught:
        TABLE.select(metric="upd")
    assert str(caught.value) == (
        "expected a key of 'dual', one of model, problem, setting; got 'metric'\n  where: metric"
    )


ABOUT = About(name="upd", title="A Title", read="tables", tables=(SHEET, COUNTS))


def test_a_paper_gives_its_first_table_unless_one_is_named() -> None:
    paper = Paper(ABOUT, {"dual": TABLE, "counts": Table(COUNTS, ())})
    assert paper.table() is TABLE
    assert paper.table("counts").sheet is COUNTS
    with pytest.raises(SettingsError, match="a table of 'upd', one of dual, counts; got 'dua'"):
        paper.table("dua")


def test_how_a_paper_is_cited() -> None:
    assert ABOUT.cited == "A Title"
    known = replace(ABOUT, authors=("A. Miyai", "J. Yang"), year=2025, where="ACL 2025")
    assert known.cited == "A. Miyai et al. (2025), A Title, ACL 2025"
    assert replace(ABOUT, authors=("A. Miyai",)).cited == "A. Miyai, A Title"
