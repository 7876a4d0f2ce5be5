"""The dataset card."""

from __future__ import annotations

from pathlib import Path

from answerable.build.pipeline import ChartSettings, build
from answerable.build.sources.sampler import SamplerSource
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
