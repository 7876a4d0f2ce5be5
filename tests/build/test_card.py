"""The dataset card."""

from __future__ import annotations

from pathlib import Path

import pytest

from answerable.build.pipeline import ChartSettings, build
from answerable.build.sources.sampler import SamplerSource
from answerable.build.sources.table import TableOptions, TableSource
from answerable.core.benchmark import Benchmark
from answerable.exec import ThisProcess


def test_the_card_says_what_a_stranger_needs(tmp_path: Path) -> None:
    settings = ChartSettings(groups=2, seed=3, train_groups=1, families=("skia", "matplotlib"), held_out="matplotlib")
    build(settings, SamplerSource(3), tmp_path / "b", ThisProcess(), name="my charts")
    text = (tmp_path / "b" / "README.md").read_text(encoding="utf-8")
    front, _, body = text.removeprefix("---\n").partition("\n---\n")
    assert "  - split: test\n    path: views-test-*.parquet" in front
    assert "  - split: train\n    path: views-train-*.parquet" in front
    assert "license_name: cc0-1.0" in front
    assert body.lstrip().startswith("# my charts")
    assert "3 groups, 18 pictures, 3 proofs. Licence: CC0-1.0." in body
    assert f"Fingerprint: `{Benchmark(tmp_path / 'b').manifest.fingerprint}`" in body
    assert "The family `matplotlib` draws test groups only." in body
    for state in "FSKCMI":
        assert f"| `{state}` | " in body
    for column in ("image", "question", "answerable", "target", "reason", "image_sha256"):
        assert f"`{column}`" in body


def test_a_split_that_is_not_there_is_not_listed(tmp_path: Path) -> None:
    build(ChartSettings(groups=1, seed=3, families=("skia",)), SamplerSource(3), tmp_path / "b", ThisProcess())
    text = (tmp_path / "b" / "README.md").read_text(encoding="utf-8")
    assert "train" not in text.split("\n---\n")[0]
    assert "draws test groups only" not in text


def test_datasets_opens_the_folder_by_its_card(tmp_path: Path) -> None:
    datasets = pytest.importorskip("datasets", reason="a development dependency")
    settings = ChartSettings(groups=2, seed=3, train_groups=1, families=("skia",))
    build(settings, SamplerSource(3), tmp_path / "b", ThisProcess())
    found = datasets.load_dataset(str(tmp_path / "b"), cache_dir=str(tmp_path / "cache"))
    assert {split: len(rows) for split, rows in found.items()} == {"test": 12, "train": 6}
    assert found["train"][0]["image"].size == (650, 450)


def test_a_split_that_was_asked_for_and_stayed_empty_is_not_listed(tmp_path: Path) -> None:
    path = tmp_path / "one.csv"
    path.write_text("Year,A\n2019,10\n2020,20\n2021,30\n", encoding="utf-8")
    for seed in range(9):
        settings = ChartSettings(groups=3, seed=seed, train_groups=3, families=("skia",), kinds=("vbar",))
        source = TableSource((path,), ("vbar",), TableOptions(), value_labels=True)
        manifest, _ = build(settings, source, tmp_path / f"b{seed}", ThisProcess())
        (split,) = {count.split for count in manifest.sources}
        front = (tmp_path / f"b{seed}" / "README.md").read_text(encoding="utf-8").split("\n---\n")[0]
        assert [line for line in front.splitlines() if "split:" in line] == [f"  - split: {split}"]
