"""Listing the views and reading their images when it is their turn."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pyarrow.parquet as pq
import pytest

from answerable.core import view_rows as core
from answerable.core.benchmark import Benchmark
from answerable.core.errors import BenchmarkError, FingerprintError, SettingsError
from answerable.core.records import Answer
from answerable.run.views import load
from tests.run.helpers import make_benchmark, png


def check_images(bench: Benchmark) -> None:
    """Every image read by its place is the stored one, in any order."""
    stored = {view.id: (view, image) for view, image in bench.views_with_images("test")}
    views, _ = load(bench, "test", None, keep_key=False, seed=0)
    with views:
        assert views.ids == [view.id for view in bench.views("test")]
        for number in reversed(range(len(views))):
            view, image = stored[views.ids[number]]
            assert views.image(number) == image
            assert views.sha256(number) == view.image_sha256
            assert (views.widths[number], views.heights[number]) == (view.width, view.height)
            assert views.questions[number] == view.question


def test_images_over_several_files_and_row_groups(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(core, "ROWS_A_GROUP", 7)
    monkeypatch.setattr(core, "ROWS_A_FILE", 28)
    bench = make_benchmark(tmp_path / "bench", 20)
    assert len(bench.files("test")) > 3
    check_images(bench)


def test_row_groups_are_closed_by_bytes(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(core, "BYTES_A_GROUP", 20_000)
    bench = make_benchmark(tmp_path / "bench", 5, filler=6_000)
    assert pq.ParquetFile(bench.files("test")[0]).num_row_groups == 8
    check_images(bench)


def test_equal_images_and_images_inside_others(tmp_path: Path) -> None:
    small = png(2, 2, (9, 9, 9))
    bench = make_benchmark(
        tmp_path / "bench", 4, image=lambda index, state: small if state in "FM" else small + bytes([index]) + small
    )
    check_images(bench)


def test_pictures_that_views_share_lie_in_a_file_once_and_are_found(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(core, "ROWS_A_GROUP", 9)
    one, other = png(40, 40, (1, 2, 3), filler=20_000), png(40, 40, (3, 2, 1), filler=20_000)
    shared = make_benchmark(tmp_path / "shared", 6, image=lambda index, state: one if state in "FSM" else other)
    views, _ = load(shared, "test", None, keep_key=False, seed=0)
    assert all(place >= 0 for place in views._place), "none is looked for elsewhere"
    check_images(shared)
    groups = pq.ParquetFile(shared.files("test")[0]).num_row_groups
    size = shared.files("test")[0].stat().st_size
    assert 2 * groups * 20_000 < size < 3 * groups * 20_000


@pytest.mark.parametrize("layout", [{"compression": "zstd"}, {"use_dictionary": True}])
def test_a_file_that_somebody_wrote_anew(tmp_path: Path, layout: dict[str, Any]) -> None:
    bench = make_benchmark(tmp_path / "bench", 4, filler=3_000)
    [path] = bench.files("test")
    pq.write_table(pq.read_table(path), path, **layout)
    check_images(bench)


def test_a_part_of_a_split(tmp_path: Path) -> None:
    bench = make_benchmark(tmp_path / "bench", 5)
    views, key = load(bench, "test", 2, keep_key=True, seed=3)
    assert views.ids == [view.id for view in bench.views("test")][:12]
    assert list(views.group) == [0] * 6 + [1] * 6
    assert key.answers == ("1", "11", "2", "21")
    assert (key.frequent_answer, key.answers_more_often, key.seed) == ("1", True, 3)
    assert isinstance(views.obligations[0], Answer)
    assert load(bench, "test", None, keep_key=False, seed=0)[0].obligations == []


def test_an_unknown_split(bench: Benchmark) -> None:
    with pytest.raises(SettingsError, match=r"one of test; got 'train'\n.*--split"):
        load(bench, "train", None, keep_key=False, seed=0)


def test_a_benchmark_edited_by_hand(tmp_path: Path) -> None:
    bench = make_benchmark(tmp_path / "bench", 2)
    [path] = bench.files("test")
    table = pq.read_table(path).to_pylist()
    table[3]["question"] = "Another?"
    pq.write_table(pq.ParquetFile(path).read().from_pylist(table, schema=pq.read_schema(path)), path)
    with pytest.raises(FingerprintError, match="never edited by hand"):
        load(bench, "test", None, keep_key=False, seed=0)


def test_an_image_replaced_after_the_check(tmp_path: Path) -> None:
    bench = make_benchmark(tmp_path / "bench", 2)
    [path] = bench.files("test")
    views, _ = load(bench, "test", None, keep_key=False, seed=0)
    with views:
        image = views.image(5)
        data = bytearray(path.read_bytes())
        data[data.index(image) + 50] ^= 1
        path.write_bytes(data)
        with pytest.raises(FingerprintError, match="changed while the run was under way"):
            views.image(5)


def test_view_ids_are_used_once(tmp_path: Path) -> None:
    bench = make_benchmark(tmp_path / "bench", 1, states=("F", "F"))
    with pytest.raises(BenchmarkError, match="view ids used once"):
        load(bench, "test", None, keep_key=False, seed=0)
