"""The build: quotas, splits, families, the ledger, and the same bytes every time."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import msgspec
import pytest

from answerable.build import pipeline
from answerable.build.pipeline import ChartSettings, build, check_settings, training_families
from answerable.build.sources import Figure
from answerable.build.sources.annotations import AnnotationSource
from answerable.build.sources.sampler import SamplerSource
from answerable.build.sources.table import TableOptions, TableSource
from answerable.core.benchmark import Benchmark, Ledger, Manifest
from answerable.core.errors import BenchmarkError, SettingsError
from answerable.core.records import Refusal, View
from answerable.exec import ProcessPool, ThisProcess
from tests.build.sources.figures import figure, put

SETTINGS = ChartSettings(groups=8, seed=5, train_groups=5, families=("skia", "matplotlib"), held_out="matplotlib")


def run(out: Path, settings: ChartSettings = SETTINGS, source: Any = None) -> tuple[Manifest, Ledger]:
    return build(settings, source or SamplerSource(settings.seed), out, ThisProcess())


def contents(folder: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in sorted(folder.iterdir())}


def adds_up(ledger: Ledger) -> None:
    for line in ledger.lines:
        assert line.scanned == line.kept + line.unattempted + sum(line.refused.values())
        assert line.attempted == line.eligible - line.unattempted
        assert set(ledger.examples) == set(line.refused)
    assert ledger.kept == sum(line.kept for line in ledger.lines)


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """One benchmark with a training split and a family held out of it."""
    out = tmp_path_factory.mktemp("built") / "b"
    run(out)
    return out


@pytest.fixture(scope="module")
def views(built: Path) -> list[View]:
    return list(Benchmark(built).views())


def test_quotas_are_met_and_the_ledger_adds_up(built: Path) -> None:
    benchmark = Benchmark(built)
    benchmark.verify()
    counts = {count.split: (count.groups, count.views, count.states) for count in benchmark.manifest.sources}
    states = ("F", "S", "K", "C", "M", "I")
    assert counts == {"test": (8, 48, states), "train": (5, 30, states)}
    assert benchmark.manifest.proofs == 13
    ledger = benchmark.ledger()
    assert (ledger.asked, ledger.kept) == (13, 13)
    adds_up(ledger)


def test_splits_never_share_a_figure(views: list[View]) -> None:
    by_split = {split: {view.figure for view in views if view.split == split} for split in ("test", "train")}
    assert by_split["test"]
    assert by_split["train"]
    assert not by_split["test"] & by_split["train"]


def test_the_held_out_family_draws_no_training_picture(views: list[View]) -> None:
    drawn = {split: {view.renderer.split()[0] for view in views if view.split == split} for split in ("test", "train")}
    assert drawn == {"test": {"skia-python", "matplotlib"}, "train": {"skia-python"}}


def test_families_and_looks_take_turns(built: Path) -> None:
    looks: dict[tuple[str, str], int] = {}
    for proof in Benchmark(built).proofs():
        body = json.loads(bytes(proof.body))
        hide = next(claim["hide"]["appearance"] for claim in body["claims"] if claim["state"] == "M")
        looks[(body["family"], hide)] = looks.get((body["family"], hide), 0) + 1
    assert set(looks) == {("skia", "patch"), ("skia", "gap"), ("matplotlib", "patch"), ("matplotlib", "gap")}


def test_ids_are_opaque_and_a_groups_views_ask_the_same(views: list[View]) -> None:
    assert len({view.id for view in views}) == len(views)
    assert all(set(view.id) <= set("0123456789abcdef") for view in views)
    assert len({(view.group, view.question) for view in views}) == 13


def test_the_manifest_holds_settings_and_source(built: Path) -> None:
    found = Benchmark(built).manifest
    settings = json.loads(bytes(found.settings))
    assert settings["chart"]["seed"] == 5
    assert settings["chart"]["held_out"] == "matplotlib"
    assert settings["source"] == ["made-up charts from seed 5"]
    assert (found.prompt, found.reader, found.licence) == ("json-answerability", "json", "CC0-1.0")
    assert found.generator.startswith("answerable ")


def test_the_same_settings_give_the_same_bytes_on_one_process_or_two(built: Path, tmp_path: Path) -> None:
    run(tmp_path / "again")
    assert contents(tmp_path / "again") == contents(built)
    pool = ProcessPool(2, chunk=3)
    try:
        build(SETTINGS, SamplerSource(5), tmp_path / "pool", pool)
    finally:
        pool.close()
    assert contents(tmp_path / "pool") == contents(built)


def test_another_seed_gives_other_groups(built: Path, tmp_path: Path) -> None:
    run(tmp_path / "b", msgspec.structs.replace(SETTINGS, seed=6))
    one, other = Benchmark(built), Benchmark(tmp_path / "b")
    assert one.manifest.fingerprint != other.manifest.fingerprint
    assert not {view.image_sha256 for view in one.views()} & {view.image_sha256 for view in other.views()}


def test_kept_groups_are_reported_one_by_one(tmp_path: Path) -> None:
    seen: list[int] = []
    settings = ChartSettings(groups=3, seed=1, families=("skia",))
    build(settings, SamplerSource(1), tmp_path / "b", ThisProcess(), on_kept=lambda: seen.append(1), name="mine")
    assert len(seen) == 3
    assert Benchmark(tmp_path / "b").manifest.name == "mine"


@pytest.mark.parametrize("mask", ["patch", "gap"])
def test_one_look_and_kinds_can_be_asked_for(mask: str, tmp_path: Path) -> None:
    run(tmp_path / "b", ChartSettings(groups=4, seed=2, families=("skia",), kinds=("hbar",), mask=mask))
    for proof in Benchmark(tmp_path / "b").proofs():
        body = json.loads(bytes(proof.body))
        assert {claim["hide"]["appearance"] for claim in body["claims"] if claim["hide"]} == {mask}
        assert {world["kind"] for world in body["worlds"].values()} == {"hbar"}


def test_without_value_labels(tmp_path: Path) -> None:
    run(tmp_path / "b", ChartSettings(groups=4, seed=2, families=("skia",), value_labels=False))
    for proof in Benchmark(tmp_path / "b").proofs():
        assert not json.loads(bytes(proof.body))["worlds"]["F"]["value_labels"]


def table(folder: Path, rows: int) -> TableSource:
    """Two series over some years."""
    lines = [f"{2000 + row},{10 + 7 * row % 40},{30 + 7 * row % 40}" for row in range(rows)]
    path = folder / "numbers.csv"
    path.write_text("\n".join(["Year,s0,s1", *lines]), encoding="utf-8")
    return TableSource((path,), ("vbar",), TableOptions(), value_labels=True)


def test_every_cell_of_a_table_is_asked_once(tmp_path: Path) -> None:
    settings = ChartSettings(groups=100, seed=0, families=("skia",))
    _, ledger = run(tmp_path / "b", settings, table(tmp_path, 4))
    adds_up(ledger)
    cells = [json.loads(bytes(proof.body))["program"] for proof in Benchmark(tmp_path / "b").proofs()]
    asked = {(cell["series"], cell["position"]) for cell in cells}
    assert len(asked) == len(cells) == ledger.kept == 8


def test_groups_of_one_figure_can_be_limited(tmp_path: Path) -> None:
    settings = ChartSettings(groups=100, seed=0, families=("skia",), per_figure=2)
    _, ledger = run(tmp_path / "b", settings, table(tmp_path, 16))
    assert ledger.kept == 4
    adds_up(ledger)
    figures = [view.figure for view in Benchmark(tmp_path / "b").views() if view.state == "F"]
    assert sorted(figures) == ["numbers.csv#0", "numbers.csv#0", "numbers.csv#1", "numbers.csv#1"]


def test_a_quota_smaller_than_the_source_leaves_the_rest_unattempted(tmp_path: Path) -> None:
    _, ledger = run(tmp_path / "b", ChartSettings(groups=3, seed=0, families=("skia",)), table(tmp_path, 16))
    assert (ledger.asked, ledger.kept) == (3, 3)
    adds_up(ledger)


def test_more_than_the_source_has_is_said_not_made_up(tmp_path: Path) -> None:
    source = AnnotationSource((put(tmp_path, [figure(), figure("pie"), figure("line")]),))
    _, ledger = run(tmp_path / "b", ChartSettings(groups=50, seed=0, families=("skia",)), source)
    assert (ledger.asked, ledger.kept) == (50, 2)
    assert ledger.lines[0].refused == {"unsupported figure type": 1}
    assert ledger.lines[0].scanned == 3
    adds_up(ledger)
    assert Benchmark(tmp_path / "b").manifest.licence.startswith("CC-BY-4.0")


def test_groups_that_are_alike_are_kept_once(tmp_path: Path) -> None:
    source = AnnotationSource((put(tmp_path, [figure(rows=1, columns=2)] * 3),))
    _, ledger = run(tmp_path / "b", ChartSettings(groups=50, seed=0, families=("skia",), mask="gap"), source)
    adds_up(ledger)
    kept = [view.image_sha256 for view in Benchmark(tmp_path / "b").views() if view.state == "F"]
    contents_kept = [json.loads(bytes(p.body)) for p in Benchmark(tmp_path / "b").proofs()]
    programs = [json.dumps(body["program"]) for body in contents_kept]
    assert len(programs) == len(set(programs)) == ledger.kept == len(kept)
    assert ledger.kept <= 2
    assert ledger.lines[0].refused.get("same as another group", 0) == 3 - ledger.kept


class Nothing:
    """A source that has nothing whole."""

    name, licence, per_figure = "nothing", "none", 1

    def __init__(self, figures: list[Figure | Refusal]) -> None:
        self._figures = figures

    def describe(self) -> tuple[str, ...]:
        return ("nothing",)

    def figures(self) -> Iterator[Figure | Refusal]:
        return iter(self._figures)


def test_nothing_kept_is_an_error_that_says_why_and_leaves_no_benchmark(tmp_path: Path) -> None:
    source = Nothing([Refusal(reason="too ugly", detail="one"), Refusal(reason="too ugly", detail="two")])
    with pytest.raises(SettingsError, match="a source that gives at least one group") as caught:
        run(tmp_path / "b", ChartSettings(groups=2, seed=0, families=("skia",)), source)
    assert "'too ugly': 2" in str(caught.value)
    with pytest.raises(BenchmarkError):
        Benchmark(tmp_path / "b")
    with pytest.raises(SettingsError, match="nothing was there"):
        run(tmp_path / "b", ChartSettings(groups=2, seed=0, families=("skia",)), Nothing([]))
    # The folder is as good as new.
    run(tmp_path / "b", ChartSettings(groups=2, seed=0, families=("skia",)))
    Benchmark(tmp_path / "b").verify()


def test_a_table_that_cannot_be_drawn_says_why(tmp_path: Path) -> None:
    path = tmp_path / "long.csv"
    path.write_text("Year,שלום\n2019,1\n2020,2\n", encoding="utf-8")
    source = TableSource((path,), ("vbar",), TableOptions(title="שלום"), value_labels=True)
    with pytest.raises(SettingsError, match="'no glyph': "):
        run(tmp_path / "b", ChartSettings(groups=2, seed=0, families=("skia",)), source)


def test_an_endless_source_that_never_fits_is_given_up(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def never(*_: object) -> Refusal:
        return Refusal(reason="never", detail="x")

    monkeypatch.setattr(pipeline, "make_group", never)
    with pytest.raises(SettingsError, match="'never': 1051"):
        run(tmp_path / "b", ChartSettings(groups=1, seed=0, families=("skia",)))


def test_a_full_folder_is_not_built_into(tmp_path: Path) -> None:
    (tmp_path / "notes.txt").write_text("mine", encoding="utf-8")
    with pytest.raises(BenchmarkError, match="an empty or new folder to build into"):
        run(tmp_path)
    assert (tmp_path / "notes.txt").read_text(encoding="utf-8") == "mine"


@pytest.mark.parametrize(
    ("changes", "words", "where"),
    [
        ({"groups": 0}, "groups=0", "--groups"),
        ({"groups": -3}, "groups=-3", "--groups"),
        ({"train_groups": -1}, "train_groups=-1", "--groups"),
        ({"families": ()}, "at least one rendering family; got none", "--families"),
        ({"families": ("gnuplot",), "held_out": None}, "one of matplotlib, vega, skia; got 'gnuplot'", ""),
        ({"held_out": "vega"}, "a held-out family among skia, matplotlib; got 'vega'", "--held-out"),
        ({"families": ("skia",), "held_out": "skia"}, "a family for training besides the held-out one", "--families"),
        ({"mask": "blur"}, "patch, gap or mixed; got 'blur'", "--mask"),
        ({"kinds": ()}, "kinds of chart among vbar, hbar, line, dot_line; got none", "--kinds"),
        ({"per_figure": -1}, "got per_figure=-1", "--per-figure"),
    ],
)
def test_settings_that_cannot_be_met_name_the_flag(changes: dict[str, Any], words: str, where: str) -> None:
    with pytest.raises(SettingsError) as caught:
        check_settings(msgspec.structs.replace(SETTINGS, **changes))
    assert words in str(caught.value)
    assert caught.value.where == where


def test_training_families_leave_the_held_out_one_out() -> None:
    assert training_families(SETTINGS) == ("skia",)
    check_settings(SETTINGS)
