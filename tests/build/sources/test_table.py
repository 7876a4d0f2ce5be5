"""A user's own tables: what fits is read exactly, and what does not is named by file, line and column."""

from __future__ import annotations

from decimal import Decimal
from fractions import Fraction
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from answerable.build.sources import SOURCES, Figure
from answerable.build.sources import table as module
from answerable.build.sources.table import TableOptions, TableSource, read_sheet
from answerable.core.errors import SourceError
from answerable.domains.chart.layout import whole_problems
from answerable.domains.chart.styles import STYLES
from answerable.domains.chart.world import KINDS, Kind
from tests.core.small import no_text

WIDE = "Year,North,Süd\n2019,1.5,2\n2020,2.5,3\n2021,3.5,4\n"
LONG = "Series,Position,Value\nNorth,2019,1.5\nNorth,2020,2.5\nSüd,2019,2\nSüd,2020,3\n"


def put(folder: Path, text: str | bytes, name: str = "data.csv") -> Path:
    path = folder / name
    path.write_bytes(text.encode() if isinstance(text, str) else text)
    return path


def parquet(folder: Path, **columns: Any) -> Path:
    path = folder / "data.parquet"
    pq.write_table(pa.table(columns), path)
    return path


def test_a_wide_table(tmp_path: Path) -> None:
    sheet = read_sheet(put(tmp_path, WIDE))
    assert sheet.positions == ("2019", "2020", "2021")
    assert sheet.series == ("North", "Süd")
    assert sheet.corner == "Year"
    assert sheet.values == ((Fraction(3, 2), Fraction(5, 2), Fraction(7, 2)), (Fraction(2), Fraction(3), Fraction(4)))


def test_a_long_table_is_known_by_its_columns(tmp_path: Path) -> None:
    sheet = read_sheet(put(tmp_path, LONG))
    assert (sheet.series, sheet.positions, sheet.corner) == (("North", "Süd"), ("2019", "2020"), "")
    assert sheet.values == ((Fraction(3, 2), Fraction(5, 2)), (Fraction(2), Fraction(3)))
    swapped = "value,extra,position,series\n1.5,x,2019,North\n2.5,y,2020,North\n2,z,2019,Süd\n3,w,2020,Süd\n"
    assert read_sheet(put(tmp_path, swapped)) == sheet


def test_the_shape_can_be_said(tmp_path: Path) -> None:
    numbers = "series,position,value\n1,2,3\n4,5,6\n"
    assert read_sheet(put(tmp_path, numbers), "wide").series == ("position", "value")
    assert read_sheet(put(tmp_path, "series,position,value\na,b,3\n"), "long").series == ("a",)
    with pytest.raises(SourceError, match="expected one column each named series, position, value; got Year, North"):
        read_sheet(put(tmp_path, WIDE), "long")


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("data.tsv", WIDE.replace(",", "\t")),
        ("data.csv", WIDE.replace(",", ";")),
        ("data.csv", "\ufeff" + WIDE),
        ("data.csv", WIDE.replace("\n", "\r\n")),
        ("data.csv", WIDE.replace("\n", "\r")),
        ("data.csv", WIDE + "\n\n"),
        ("data.csv", WIDE.rstrip("\n")),
        ("data.csv", "\n" + WIDE),
        ("data.csv", WIDE.replace("North", '"North"')),
        ("data.csv", WIDE.replace("2019,", "2019 ,").replace("North", " North ")),
    ],
    ids=["tab", "semicolon", "bom", "crlf", "cr", "blank-end", "no-newline", "blank-start", "quotes", "spaces"],
)
def test_other_ways_to_write_the_same_table(name: str, text: str, tmp_path: Path) -> None:
    assert read_sheet(put(tmp_path, text, name)) == read_sheet(put(tmp_path, WIDE, "plain.csv"))


def test_grouped_numbers_in_quotes(tmp_path: Path) -> None:
    sheet = read_sheet(put(tmp_path, 'Year,A\n2019,"1,234.5"\n2020,"12,345"\n'))
    assert sheet.values == ((Fraction(2469, 2), Fraction(12345)),)


def test_decimals_never_pass_through_a_float(tmp_path: Path) -> None:
    sheet = read_sheet(put(tmp_path, "Year,A\n1,0.1\n2,0.1234567890123456\n3,12345678901234567.1\n"))
    assert sheet.values == ((Fraction(1, 10), Fraction(1234567890123456, 10**16), Fraction(123456789012345671, 10)),)


def test_parquet_types_are_read_by_their_shortest_text(tmp_path: Path) -> None:
    sheet = read_sheet(
        parquet(
            tmp_path,
            year=pa.array([2019, 2020]),
            double=pa.array([0.1, 1e16]),
            single=pa.array([0.1, 2.5], pa.float32()),
            decimal=pa.array([Decimal("1.50"), Decimal("2.25")]),
            whole=pa.array([3, -4], pa.int8()),
            text=pa.array(["1,000", "7"]),
        )
    )
    assert sheet.positions == ("2019", "2020")
    assert sheet.series == ("double", "single", "decimal", "whole", "text")
    assert sheet.values == (
        (Fraction(1, 10), Fraction(10**16)),
        (Fraction(1, 10), Fraction(5, 2)),
        (Fraction(3, 2), Fraction(9, 4)),
        (Fraction(3), Fraction(-4)),
        (Fraction(1000), Fraction(7)),
    )


BAD: dict[str, tuple[str | bytes, str, str]] = {
    "text": ("Year,A,B\n2019,1,2\n2020,3,many\n", "a finite decimal number", "line 3, column 'B'"),
    "nan": ("Year,A\n2019,1\n2020,NaN\n", "'NaN'", "line 3, column 'A'"),
    "infinity": ("Year,A\n2019,inf\n2020,1\n", "'inf'", "line 2, column 'A'"),
    "overflow": ("Year,A\n2019,1e999999999\n", "'1e999999999'", "line 2, column 'A'"),
    "unit": ("Year,A\n2019,5 kg\n", "'5 kg'", "line 2, column 'A'"),
    "percent": ("Year,A\n2019,5%\n", "'5%'", "line 2, column 'A'"),
    "comma decimals": ("Year;A\n2019;1,5\n2020;2,5\n", "'1,5'", "line 2, column 'A'"),
    "empty cell": ("Year,A,B\n2019,1,2\n2020,,4\n", "an empty cell", "line 3, column 'A'"),
    "short line": ("Year,A,B\n2019,1,2\n2020,3\n", "expected 3 cells; got 2", "line 3"),
    "long line": ("Year,A\n2019,1\n2020,3,4\n", "expected 2 cells; got 3", "line 3"),
    "same position": ("Year,A\n2019,1\n2019,2\n", "'2019' again", "line 3"),
    "no position": ("Year,A\n2019,1\n ,2\n", "a name in the first column; got an empty cell", "line 3"),
    "same column": ("Year,A,A\n2019,1,2\n", "a different name in every column", "line 1"),
    "same column but for space": ("Year,A,A \n2019,1,2\n", "a different name in every column", "line 1"),
    "unnamed column": ("Year,A,\n2019,1,2\n", "a different name in every column", "line 1"),
    "empty file": ("", "an empty file", "data.csv"),
    "blank file": ("\n\n , \n", "an empty file", "data.csv"),
    "one column": ("Year\n2019\n", "at least two columns and one line of data", "data.csv"),
    "no data": ("Year,A\n", "at least two columns and one line of data", "data.csv"),
    "latin-1": ("Year,S\xfcd\n2019,1\n".encode("latin-1"), "byte 0xfc at place 6", "data.csv"),
    "utf-16": ("Year,A\n2019,1\n".encode("utf-16"), "a table in UTF-8", "data.csv"),
    "open quote": ('Year,A\n2019,"1\n', "a well-formed CSV file", "data.csv"),
    "two in long": ("series,position,value\na,1,2\na,1,3\n", "two for 'a' at '1'", "line 3"),
    "gap in long": ("series,position,value\na,1,2\na,2,3\nb,1,4\n", "none for 'b' at '2'", "data.csv"),
    "no name in long": ("series,position,value\n,1,2\n", "a series and a position", "line 2"),
    "text in long": ("series,position,value\na,1,x\n", "'x'", "line 2, column 'value'"),
}  # fmt: skip


@pytest.mark.parametrize("name", BAD)
def test_what_does_not_fit_is_named(name: str, tmp_path: Path) -> None:
    text, words, where = BAD[name]
    with pytest.raises(SourceError) as caught:
        read_sheet(put(tmp_path, text))
    message = str(caught.value)
    assert words in message
    assert where in caught.value.where
    assert str(tmp_path / "data.csv") in caught.value.where
    assert caught.value.exit_code == 2


def test_lines_are_counted_as_an_editor_counts_them(tmp_path: Path) -> None:
    text = 'Year,A\n\n\n"2019",1\n"a\nb",2\n2021,x\n'
    with pytest.raises(SourceError) as caught:
        read_sheet(put(tmp_path, text))
    assert "line 7, column 'A'" in caught.value.where


@pytest.mark.parametrize(
    ("columns", "words"),
    [
        ({"year": [1, 2], "a": [1.0, float("nan")]}, "'nan'"),
        ({"year": [1, 2], "a": [1.0, float("inf")]}, "'inf'"),
        ({"year": [1, 2], "a": [1.0, None]}, "an empty cell"),
        ({"year": [1, 2], "a": [True, False]}, "'True'"),
        ({"year": [1, 2], "a": [[1], [2]]}, "'[1]'"),
        ({"year": [1, 1], "a": [1, 2]}, "'1' again"),
        ({"year": [1, 2]}, "at least two columns"),
        ({"year": pa.array([], pa.int64()), "a": pa.array([], pa.int64())}, "at least two columns and one line"),
    ],
)
def test_bad_parquet_is_named(columns: dict[str, Any], words: str, tmp_path: Path) -> None:
    with pytest.raises(SourceError) as caught:
        read_sheet(parquet(tmp_path, **columns))
    assert words in str(caught.value)
    assert "data.parquet" in caught.value.where


def test_a_damaged_parquet_file_is_named(tmp_path: Path) -> None:
    with pytest.raises(SourceError, match="a readable Parquet file"):
        read_sheet(put(tmp_path, b"PAR1 no", "data.parquet"))


def test_a_parquet_file_whose_text_is_no_text_is_named(tmp_path: Path) -> None:
    with pytest.raises(SourceError, match=r"a readable Parquet file; got .*Invalid UTF8") as caught:
        read_sheet(parquet(tmp_path, year=no_text(2), a=[1, 2]))
    assert "data.parquet" in caught.value.where


def test_tables_that_are_too_large_are_not_read(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "MAX_BYTES", 10)
    with pytest.raises(SourceError, match="a table of at most 10 bytes"):
        read_sheet(put(tmp_path, WIDE))
    monkeypatch.undo()
    monkeypatch.setattr(module, "MAX_CELLS", 3)
    with pytest.raises(SourceError, match="a table of at most 3 cells; got 2x2"):
        read_sheet(parquet(tmp_path, year=[1, 2], a=[1, 2]))


def source(path: Path, *kinds: Kind, labels: bool = True, **options: Any) -> TableSource:
    return TableSource((path,), kinds or KINDS, TableOptions(**options), value_labels=labels)


def figures(made: TableSource) -> list[Figure]:
    found = list(made.figures())
    assert all(isinstance(figure, Figure) for figure in found)
    return [figure for figure in found if isinstance(figure, Figure)]


def test_a_table_becomes_a_world(tmp_path: Path) -> None:
    (figure,) = figures(source(put(tmp_path, WIDE, "my_sales.csv"), "vbar", unit="kg", value_title="Sales"))
    (world,) = figure.worlds
    assert figure.cells == 6
    assert figure.id == "my_sales.csv#0"
    assert (world.title, world.position_title, world.value_title, world.unit) == ("my sales", "Year", "Sales", "kg")
    assert (world.scale, world.decimals) == (1, 1)
    assert world.axis.lower == 0
    assert world.axis.upper >= 4
    assert whole_problems(world, STYLES["skia"]) == ()


def test_options_say_what_a_table_cannot(tmp_path: Path) -> None:
    path = put(tmp_path, "Year,A\n2019,1500000\n2020,2500000\n2021,900000\n")
    (figure,) = figures(source(path, "vbar", title="T", position_title="P", scale=10**6))
    world = figure.worlds[0]
    assert (world.title, world.position_title, world.scale, world.decimals) == ("T", "P", 10**6, 1)
    assert figures(source(path, "vbar"))[0].worlds[0].scale == 1000
    with pytest.raises(SourceError, match="expected a scale of 1, 1000, 1000000, 1000000000; got scale=7"):
        source(path, scale=7)


def test_large_tables_are_cut_into_windows(tmp_path: Path) -> None:
    header = "Year," + ",".join(f"s{index}" for index in range(6))
    lines = [f"{2000 + row}," + ",".join(str(row + column) for column in range(6)) for row in range(19)]
    found = figures(source(put(tmp_path, "\n".join([header, *lines]))))
    shapes = [(len(f.worlds[0].series), len(f.worlds[0].positions)) for f in found]
    assert shapes == [(4, 8), (4, 8), (4, 3), (2, 8), (2, 8), (2, 3)]
    cells = [(s, p) for f in found for s in f.worlds[0].series for p in f.worlds[0].positions]
    assert len(cells) == len(set(cells)) == 6 * 19
    assert len({figure.id for figure in found}) == 6


def test_lines_need_positions_that_rise(tmp_path: Path) -> None:
    words = put(tmp_path, "City,A\nOslo,1\nBern,2\nRom,3\n", "words.csv")
    years = put(tmp_path, WIDE, "years.csv")
    assert figures(source(words, "line", "vbar"))[0].worlds[0].kind == "vbar"
    assert figures(source(years, "line"))[0].worlds[0].kind == "line"
    # Asked for nothing else, the user gets what was asked for.
    assert figures(source(words, "line"))[0].worlds[0].kind == "line"


def test_the_ledger_names_the_file_and_its_digest(tmp_path: Path) -> None:
    (line,) = source(put(tmp_path, WIDE)).describe()
    assert line.startswith("data.csv sha256=")
    assert len(line.split("=")[1]) == 64


def test_the_tables_of_sources_load() -> None:
    assert SOURCES.names() == ("sampler", "table", "annotations")
    assert SOURCES.load("table") is TableSource
    assert SOURCES.load("sampler")(3).name == "chart-sampler"
