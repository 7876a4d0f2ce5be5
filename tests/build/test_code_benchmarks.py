"""Building benchmarks of code: quotas, balance, splits, settings, and the same bytes every time."""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from typing import Any

import msgspec
import pytest

from answerable.build import code_benchmarks
from answerable.build.code_benchmarks import CodeSettings, build, check_settings, training_themes
from answerable.core.benchmark import Benchmark
from answerable.core.codec import decode
from answerable.core.errors import SettingsError
from answerable.core.records import Answer, Refusal, View
from answerable.domains.code.proof import CodeProof
from answerable.exec import ProcessPool, ThisProcess

SETTINGS = CodeSettings(groups=18, seed=5, train_groups=6, held_out="nord")


def contents(folder: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in sorted(folder.iterdir())}


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> Path:
    out = tmp_path_factory.mktemp("code") / "b"
    build(SETTINGS, out, ThisProcess())
    return out


@pytest.fixture(scope="module")
def views(built: Path) -> list[View]:
    return list(Benchmark(built).views())


def test_quotas_are_met_by_strategy(built: Path) -> None:
    benchmark = Benchmark(built)
    benchmark.verify()
    counts = {(count.source, count.split): (count.groups, count.states) for count in benchmark.manifest.sources}
    hiding = ("F", "S", "K", "C", "D", "M")
    assert counts == {
        ("code-s1", "test"): (6, ("F", "S", "C", "M")), ("code-s1", "train"): (2, ("F", "S", "C", "M")),
        ("code-s2", "test"): (6, hiding), ("code-s2", "train"): (2, hiding),
        ("code-s3", "test"): (6, hiding), ("code-s3", "train"): (2, hiding),
    }  # fmt: skip
    ledger = benchmark.ledger()
    assert (ledger.asked, ledger.kept, benchmark.manifest.proofs) == (24, 24, 24)
    assert benchmark.manifest.licence == "CC0-1.0"


def test_yes_is_as_frequent_as_no(views: list[View]) -> None:
    answers = Counter(
        (view.source, view.split, view.state, view.obligation.target)
        for view in views
        if isinstance(view.obligation, Answer) and view.state in "FC"
    )
    assert {key[0] for key in answers} == {"code-s1", "code-s2", "code-s3"}
    for (source, split, state, answer), count in answers.items():
        assert count == answers[source, split, state, "no" if answer == "yes" else "yes"]


def test_splits_never_share_a_program_or_the_held_out_theme(built: Path, views: list[View]) -> None:
    by_split = {split: {view.figure for view in views if view.split == split} for split in ("test", "train")}
    assert not by_split["test"] & by_split["train"]
    train = {view.group for view in views if view.split == "train"}
    for proof in Benchmark(built).proofs():
        if proof.group in train:
            assert decode(bytes(proof.body), CodeProof).worlds["F"].window.theme != "nord"


def test_views_name_program_family_and_depth(views: list[View]) -> None:
    assert {view.program for view in views} <= {"printed text", "possible text", "probability"}
    assert all(view.depth >= 1 for view in views)


def test_the_same_bytes_on_one_process_or_two(built: Path, tmp_path: Path) -> None:
    pool = ProcessPool(2, chunk=5)
    try:
        build(SETTINGS, tmp_path / "b", pool)
    finally:
        pool.close()
    assert contents(tmp_path / "b") == contents(built)


@pytest.mark.parametrize(("programs", "kinds"), [("plain", {"prints"}), ("random", {"can", "chance"})])
def test_programs_can_be_chosen(programs: Any, kinds: set[str], tmp_path: Path) -> None:
    build(CodeSettings(groups=6, seed=1, programs=programs, strategies=("s2", "s3")), tmp_path / "b", ThisProcess())
    found = {decode(bytes(proof.body), CodeProof).query.kind for proof in Benchmark(tmp_path / "b").proofs()}
    assert found <= kinds


def test_themes_can_be_chosen(tmp_path: Path) -> None:
    build(CodeSettings(groups=4, seed=1, themes=("vs",)), tmp_path / "b", ThisProcess())
    for proof in Benchmark(tmp_path / "b").proofs():
        assert decode(bytes(proof.body), CodeProof).worlds["F"].window.theme == "vs"


@pytest.mark.parametrize(
    ("changes", "words", "where"),
    [
        ({"groups": 0}, "groups=0", "--groups"),
        ({"train_groups": -1}, "train_groups=-1", "--groups"),
        ({"strategies": ()}, "got none", "--strategies"),
        ({"strategies": ("s9",)}, "'s9'", "--strategies"),
        ({"themes": ("pink",)}, "'pink'", "--themes"),
        ({"programs": "few"}, "'few'", "--programs"),
        ({"themes": ("vs",), "held_out": "nord"}, "'nord'", "--held-out"),
        ({"themes": ("nord",)}, "a theme for training besides the held-out one", "--themes"),
    ],
)
def test_settings_that_cannot_be_met_are_refused(changes: dict[str, Any], words: str, where: str) -> None:
    with pytest.raises(SettingsError) as caught:
        check_settings(msgspec.structs.replace(SETTINGS, **changes))
    assert words in str(caught.value)
    assert caught.value.where == where


def test_training_themes_leave_one_out() -> None:
    assert "nord" not in training_themes(SETTINGS)
    assert len(training_themes(SETTINGS)) == len(SETTINGS.themes) - 1


def test_a_build_that_never_fits_is_given_up(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(code_benchmarks, "make_group", lambda *_: Refusal(reason="never", detail="x"))
    with pytest.raises(SettingsError, match="'never': 120"):
        build(CodeSettings(groups=1, seed=0), tmp_path / "b", ThisProcess())
