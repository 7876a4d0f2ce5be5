"""Table benchmarks: the same bytes every time, splits, held-out styles, settings that cannot be met."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import msgspec
import pytest

from answerable.build.assembly import Job, assemble
from answerable.build.sources.table_worlds import SheetSource, TableFigure, TableSamplerSource
from answerable.build.table_benchmarks import TableRecipe, TableSettings, attempt, check_settings
from answerable.core.benchmark import Benchmark
from answerable.core.errors import SettingsError
from answerable.core.records import Refusal
from answerable.domains.draft import Draft
from answerable.domains.table.templates import TEMPLATES
from answerable.exec import ProcessPool, ThisProcess

ALL = tuple(TEMPLATES)


def make(out: Path, executor: Any = None, seed: int = 5, **changes: Any) -> Benchmark:
    settings = TableSettings(groups=10, seed=seed, programs=ALL, mask="mixed")
    recipe = TableRecipe(msgspec.structs.replace(settings, **changes), TableSamplerSource(seed))
    assemble(recipe, out, executor or ThisProcess(), name="tables")
    return Benchmark(out)


def everything(folder: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in sorted(folder.iterdir())}


def test_the_same_bytes_on_one_process_and_on_two(tmp_path: Path) -> None:
    make(tmp_path / "one", choices=True)
    pool = ProcessPool(2, chunk=2)
    try:
        make(tmp_path / "two", pool, choices=True)
    finally:
        pool.close()
    assert everything(tmp_path / "one") == everything(tmp_path / "two")
    assert everything(tmp_path / "one") != everything(make(tmp_path / "other", seed=6, choices=True).path)


def test_splits_and_held_out_styles(tmp_path: Path) -> None:
    made = make(tmp_path / "b", groups=24, train_groups=8, held_out="sheet")
    train = {view.figure for view in made.views() if view.split == "train"}
    test = {view.figure for view in made.views() if view.split == "test"}
    assert not train & test
    styles: dict[str, set[str]] = {"train": set(), "test": set()}
    splits = {view.group: view.split for view in made.views()}
    for proof in made.proofs():
        worlds = msgspec.json.decode(bytes(proof.body))["worlds"]
        styles[splits[proof.group]].add(worlds["F"]["style"].split("-")[0])
    assert "sheet" in styles["test"]
    assert "sheet" not in styles["train"]
    assert "The family `sheet` draws test groups only." in (made.path / "README.md").read_text(encoding="utf-8")


def test_every_family_of_questions_and_both_masks_come_up(tmp_path: Path) -> None:
    made = make(tmp_path / "b", groups=26)
    programs = {view.program for view in made.views()}
    assert programs >= {"look-up", "arithmetic", "aggregate", "extreme", "extreme label", "comparison", "conditional"}
    looks = {b'"ink"' in bytes(proof.body) for proof in made.proofs()}
    assert looks == {True, False}
    assert "D" in {view.state for view in made.views()}


def test_look_ups_of_one_table_ask_for_different_cells(tmp_path: Path) -> None:
    path = tmp_path / "t.csv"
    path.write_text("n,a,b\nx,10,1\ny,25,2\nz,31,3\n", encoding="utf-8")
    settings = TableSettings(groups=50, seed=1)
    assemble(TableRecipe(settings, SheetSource((path,))), tmp_path / "b", ThisProcess(), name="t")
    made = Benchmark(tmp_path / "b")
    assert made.manifest.groups == 6
    hidden = [view.question for view in made.views() if view.state == "M"]
    assert len({question.split("\u201c", 1)[1] for question in hidden}) == 6
    assert made.manifest.licence == "as the user's data"


def test_per_figure_bounds_the_groups_of_a_table(tmp_path: Path) -> None:
    path = tmp_path / "t.csv"
    path.write_text("n,a,b\nx,10,1\ny,25,2\nz,31,3\n", encoding="utf-8")
    recipe = TableRecipe(TableSettings(groups=50, seed=1, per_figure=2), SheetSource((path,)))
    assert len(list(recipe.jobs())) == 2


def test_a_family_that_fits_no_table_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "t.csv"
    path.write_text("n,a\nx,10\n", encoding="utf-8")
    settings = TableSettings(groups=1, seed=1, programs=("trend",))
    recipe = TableRecipe(settings, SheetSource((path,)))
    (job,) = recipe.jobs()
    assert isinstance(job, Job)
    found = attempt(settings, job.work)
    assert found == Refusal(reason="question does not fit", detail="no trend question on t.csv#0")


def test_the_sampler_never_repeats_a_table() -> None:
    settings = TableSettings(groups=40, seed=3, programs=ALL)
    recipe = TableRecipe(settings, TableSamplerSource(3))
    work, contents = recipe.worker(), []
    for _, job in zip(range(40), recipe.jobs(), strict=False):
        assert isinstance(job, Job)
        found = work(job.work)
        if isinstance(found, Draft):
            contents.append(found.content)
    assert len(set(contents)) == len(contents) >= 36


def test_an_endless_source_that_gives_nothing_ends() -> None:
    class Nothing(TableSamplerSource):
        def figures(self) -> Any:
            while True:
                yield Refusal(reason="nothing", detail="")

    recipe = TableRecipe(TableSettings(groups=1, seed=0), Nothing(0))
    assert len(list(recipe.jobs())) == 1051


@pytest.mark.parametrize(
    ("changes", "message", "where"),
    [
        ({"groups": 0}, "expected at least one group; got groups=0", "--groups"),
        ({"train_groups": -1}, "train_groups=-1", "--groups"),
        ({"styles": ()}, "expected families of styles among ruled, zebra, sheet, book; got none", "--styles"),
        ({"styles": ("ruled", "x")}, "got ruled, x", "--styles"),
        ({"held_out": "book", "styles": ("ruled",)}, "a held-out family of styles among ruled", "--held-out"),
        ({"held_out": "book", "styles": ("book",), "train_groups": 2}, "besides the held-out one", "--styles"),
        ({"mask": "gap"}, "expected patch, ink or mixed; got 'gap'", "--mask"),
        ({"per_figure": -1}, "per_figure=-1", "--per-figure"),
        ({"programs": ("look-up", "median")}, "or all; got 'median'", "--programs"),
        ({"programs": ()}, "got 'none'", "--programs"),
    ],
)
def test_settings_that_cannot_be_met(changes: dict[str, Any], message: str, where: str) -> None:
    with pytest.raises(SettingsError) as caught:
        check_settings(msgspec.structs.replace(TableSettings(groups=1, seed=0), **changes))
    assert message in str(caught.value)
    assert caught.value.where == where


def test_figures_are_small_enough_to_send() -> None:
    figure = next(iter(TableSamplerSource(1).figures()))
    assert isinstance(figure, TableFigure)
    assert figure.questions == 1
