"""Tables from a user's files: windows of typed columns, and what is refused."""

from __future__ import annotations

from fractions import Fraction
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from answerable.build.sources.table_worlds import SheetSource, TableFigure, TableSamplerSource
from answerable.core.errors import SourceError
from answerable.core.records import Refusal
from answerable.domains.table.layout import whole_problems
from answerable.domains.table.world import facts

CSV = """Day,Kind,Visitors,Opens,Income
Mon,rain,120,08:30,"$1,200.50"
Tue,sun,80,09:00,"$1,100.00"
Wed,sun,99,09:30,$900.25
Thu,rain,1040,10:00,"$1,000.00"
"""


def put(folder: Path, text: str, name: str = "hall_visits.csv") -> Path:
    path = folder / name
    path.write_text(text, encoding="utf-8")
    return path


def figures(path: Path) -> list[TableFigure | Refusal]:
    return list(SheetSource((path,)).figures())


def test_columns_keep_their_types(tmp_path: Path) -> None:
    (figure,) = figures(put(tmp_path, CSV))
    assert isinstance(figure, TableFigure)
    world = figure.world
    assert world is not None
    assert [field.kind for field in world.fields] == ["text", "integer", "time", "money"]
    assert (world.title, world.corner, world.rows) == ("hall visits", "Day", ("Mon", "Tue", "Wed", "Thu"))
    assert facts(world)[("Mon", "Income")] == "$1,200.50"
    assert facts(world)[("Thu", "Visitors")] == "1040"
    assert facts(world)[("Tue", "Opens")] == "09:00"
    assert whole_problems(world) == ()
    assert figure.questions == 12


def test_parquet_is_read_exactly(tmp_path: Path) -> None:
    path = tmp_path / "t.parquet"
    table = pa.table({"Name": ["a", "b"], "x": [0.1, 0.2], "n": pa.array([3, 4], pa.int8())})
    pq.write_table(table, path)
    (figure,) = figures(path)
    assert isinstance(figure, TableFigure)
    assert figure.world is not None
    assert figure.world.values == ((Fraction(1, 10), Fraction(3)), (Fraction(1, 5), Fraction(4)))


def test_large_tables_are_cut_into_windows(tmp_path: Path) -> None:
    header = "id," + ",".join(f"c{column}" for column in range(7))
    lines = "".join(f"r{row}," + ",".join(str(row * 7 + column) for column in range(7)) + "\n" for row in range(20))
    found = figures(put(tmp_path, f"{header}\n{lines}"))
    sizes = [(len(figure.world.rows), len(figure.world.fields)) for figure in found
             if isinstance(figure, TableFigure) and figure.world is not None]  # fmt: skip
    assert sizes == [(9, 5), (9, 2), (9, 5), (9, 2), (2, 5), (2, 2)]
    assert len({figure.id for figure in found if isinstance(figure, TableFigure)}) == 6


def test_a_hundred_thousand_rows(tmp_path: Path) -> None:
    path = put(tmp_path, "id,a,b\n" + "".join(f"r{row},{row % 977},{row % 13}.5\n" for row in range(100_000)))
    count = 0
    for figure in SheetSource((path,)).figures():
        assert isinstance(figure, TableFigure)
        count += 1
    assert count == 11_112


@pytest.mark.parametrize(
    ("text", "reason", "detail"),
    [
        ("n,a\nx,1\nx,2\n", "rows share a label", "'x'"),
        ("n,a\nx,1\nX,2\n", "rows share a label", "'x'"),
        ("n,a\nx,1\n ,2\n", "row without a label", "line 3"),
        ("n,a,b\nx,1,\ny,2,3\n", "empty cell", "column 'b'"),
    ],
)
def test_windows_that_are_no_table_are_refused(text: str, reason: str, detail: str, tmp_path: Path) -> None:
    (found,) = figures(put(tmp_path, text))
    assert isinstance(found, Refusal)
    assert found.reason == reason
    assert detail in found.detail


def test_a_window_of_texts_only_is_refused(tmp_path: Path) -> None:
    header = "id,a,b,c,d,e,f"
    found = figures(put(tmp_path, f"{header}\nx,p,q,r,s,t,1\ny,p,q,r,s,t,2\n"))
    assert [type(figure).__name__ for figure in found] == ["Refusal", "TableFigure"]
    assert isinstance(found[0], Refusal)
    assert found[0].reason == "no column of numbers"


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("n,a\nx,p\ny,q\n", "expected a column of numbers or times beside the first; got texts only: a"),
        ("n,a\n", "at least two columns and one line of data"),
        ("n,a,a\nx,1,2\n", "a different name in every column"),
        ("n,a\nx,1,2\n", "expected 2 cells; got 3"),
        ("", "a table with a first line of names"),
    ],
)
def test_files_that_are_no_table_are_errors(text: str, message: str, tmp_path: Path) -> None:
    with pytest.raises(SourceError) as caught:
        figures(put(tmp_path, text))
    assert message in str(caught.value)


@pytest.mark.parametrize("cell", ["東京", "שלום", "x" * 250])
def test_texts_that_cannot_be_drawn_are_left_to_whoever_draws(cell: str, tmp_path: Path) -> None:
    (figure,) = figures(put(tmp_path, f"n,k,a\nx,{cell},1\ny,b,2\n"))
    assert isinstance(figure, TableFigure)
    assert figure.world is not None
    assert whole_problems(figure.world) != ()


def test_sources_describe_themselves(tmp_path: Path) -> None:
    source = SheetSource((put(tmp_path, CSV),))
    assert source.describe()[0].startswith("hall_visits.csv sha256=")
    assert TableSamplerSource(3).describe() == ("made-up tables from seed 3",)
    figure = next(iter(TableSamplerSource(3).figures()))
    assert isinstance(figure, TableFigure)
    assert (figure.id, figure.world) == ("table-3-0", None)
