"""Building benchmarks of proved unsolvable problems: quotas, shared questions, settings, and the same bytes."""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from typing import Any

import msgspec
import pytest

from answerable.build import choice_benchmarks
from answerable.build.choice_bases import BASES, label_options
from answerable.build.choice_benchmarks import ChoiceRecipe, ChoiceSettings, base_of, build, check_settings
from answerable.certify.checks import certify
from answerable.core.benchmark import Benchmark
from answerable.core.choices import number_of
from answerable.core.errors import SettingsError
from answerable.core.records import Answer, Refusal, View
from answerable.core.seeds import Stream
from answerable.exec import ProcessPool, ThisProcess
from answerable.run.prompts import PROMPTS
from answerable.score.readers import READERS

SETTINGS = ChoiceSettings("table", 8, 5, train_groups=2, settings=("base", "option", "original"))


def contents(folder: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in sorted(folder.iterdir())}


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> Path:
    out = tmp_path_factory.mktemp("choice") / "b"
    build(SETTINGS, out, ThisProcess())
    return out


@pytest.fixture(scope="module")
def views(built: Path) -> list[View]:
    return list(Benchmark(built).views())


def test_every_problem_has_its_quota_in_every_split(built: Path) -> None:
    benchmark = Benchmark(built)
    benchmark.verify()
    counts = {(count.source, count.split): (count.groups, count.states) for count in benchmark.manifest.sources}
    assert counts == {
        (f"table-{problem.lower()}", split): (groups, ("F", problem))
        for problem in ("AAD", "IASD", "IVQD")
        for split, groups in (("test", 8), ("train", 2))
    }
    ledger = benchmark.ledger()
    assert [line.source for line in ledger.lines] == ["table-aad", "table-iasd", "table-ivqd"]
    assert (ledger.asked, ledger.kept, benchmark.manifest.proofs) == (30, 30, 30)
    assert certify(benchmark, ThisProcess()).statuses == {"accepted": 30}


def test_the_manifest_names_a_prompt_and_a_reader_that_exist(built: Path) -> None:
    manifest = Benchmark(built).manifest
    assert (manifest.prompt, manifest.reader) == ("as-asked", "mcq")
    assert manifest.prompt in PROMPTS.names()
    assert manifest.reader in READERS.names()
    assert manifest.licence == "CC0-1.0"


def test_splits_share_no_figure_and_problems_do(views: list[View]) -> None:
    by_split = {split: {view.figure for view in views if view.split == split} for split in ("test", "train")}
    assert not by_split["test"] & by_split["train"]
    asked: dict[str, set[str]] = {}
    for view in views:
        asked.setdefault(view.source, set()).add(view.question)
    assert len(asked["table-iasd"] & asked["table-aad"]) >= 5


def test_targets_are_spread_over_the_letters(views: list[View]) -> None:
    letters = Counter(
        view.obligation.target for view in views if isinstance(view.obligation, Answer) and len(view.options) == 4
    )
    assert len(letters) == 4
    assert max(letters.values()) == min(letters.values())  # every rotation is there


def test_settings_that_are_not_asked_for_are_not_there(views: list[View]) -> None:
    assert {view.setting for view in views} == {"base", "option", "original"}
    assert {(view.topic, view.renderer != "") for view in views} == {("table", True)}
    assert {view.ability for view in views} <= set(base_of("table").templates)


def test_the_same_bytes_on_one_process_or_two(built: Path, tmp_path: Path) -> None:
    pool = ProcessPool(2, chunk=5)
    try:
        build(SETTINGS, tmp_path / "b", pool)
    finally:
        pool.close()
    assert contents(tmp_path / "b") == contents(built)


def test_another_seed_gives_other_questions(built: Path, views: list[View], tmp_path: Path) -> None:
    build(msgspec.structs.replace(SETTINGS, seed=6), tmp_path / "b", ThisProcess())
    other = {view.id for view in Benchmark(tmp_path / "b").views()}
    assert not other & {view.id for view in views}


def test_the_card_says_what_is_proved(built: Path) -> None:
    text = (built / "README.md").read_text(encoding="utf-8")
    assert "Every obligation is proved" in text
    assert "`AAD`" in text
    assert Benchmark(built).manifest.fingerprint in text


@pytest.mark.parametrize("domain", ["chart", "table"])
def test_options_of_one_question_are_written_alike(domain: str) -> None:
    base = base_of(domain)
    for template in base.templates:
        for seed in range(12):
            drawn = base.draw(template, base.looks[0], Stream("alike", seed))
            if drawn is None or drawn.answer.type != "number":
                continue
            assert all(number_of(text) is not None for text in drawn.options)
            signs = {(text.lstrip("\u2212-")[:1] in "$€", text.endswith("%")) for text in drawn.options}
            assert len(signs) == 1, drawn.options


def test_a_question_of_code_has_another_kind_of_options(tmp_path: Path) -> None:
    settings = ChoiceSettings("code", 5, 3, problems=("IASD",), settings=("option",), programs=("output",))
    build(settings, tmp_path / "b", ThisProcess())
    made = Benchmark(tmp_path / "b")
    assert certify(made, ThisProcess()).statuses == {"accepted": 5}
    assert {option.text for view in made.views() if view.state == "F" for option in view.options} == {
        "Yes", "No", "None of the above",
    }  # fmt: skip


def test_code_is_asked_for_the_number_that_a_named_file_prints(tmp_path: Path) -> None:
    build(ChoiceSettings("code", 3, 3, settings=("option",), programs=("number",)), tmp_path / "b", ThisProcess())
    made = Benchmark(tmp_path / "b")
    assert certify(made, ThisProcess()).statuses == {"accepted": 9}
    for group in made.groups():
        standard = next(view for view in group.views if view.state == "F")
        assert ".py\u201d" in standard.question and standard.program == "printed number"
        content = [option.text for option in standard.options if option.role == "content"]
        assert len(content) == 4 and all(number_of(text) is not None for text in content)


@pytest.mark.parametrize(
    ("changes", "words", "where"),
    [
        ({"groups": 0}, "groups=0", "--groups"),
        ({"train_groups": -1}, "train_groups=-1", "--groups"),
        ({"domain": "scene"}, "'scene'", "--domain"),
        ({"problems": ()}, "got none", "--problems"),
        ({"domain": "code", "programs": ("output",)}, "a family of questions for AAD", "--programs"),
        ({"settings": ("hard",)}, "'hard'", "--settings"),
        ({"settings": ()}, "got none", "--settings"),
        ({"settings": ("original",)}, "original alone", "--settings"),
        ({"programs": ("riddle",)}, "'riddle'", "--programs"),
        ({"programs": ("any", "trend")}, "a family of questions for AAD", "--programs"),
    ],
)
def test_settings_that_cannot_be_met_are_refused(changes: dict[str, Any], words: str, where: str) -> None:
    with pytest.raises(SettingsError) as caught:
        check_settings(msgspec.structs.replace(SETTINGS, **changes))
    assert words in str(caught.value)
    assert caught.value.where == where


def test_a_build_that_never_fits_is_given_up(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(choice_benchmarks, "make_group", lambda *_: Refusal(reason="never", detail="x"))
    with pytest.raises(SettingsError, match="'never': 148, 'too few options': 2"):
        build(ChoiceSettings("table", 1, 0, problems=("AAD",), settings=("base",)), tmp_path / "b", ThisProcess())


def test_every_base_keeps_to_what_it_says() -> None:
    for name in BASES.names():
        base = base_of(name)
        assert base.name == name
        assert set(base.truths) | set(base.labels) <= set(base.templates)
        assert base_of(base.lender).labels
        assert ChoiceRecipe(ChoiceSettings(name, 1, 0, problems=base.problems)).source == f"{name}-choice"
        assert set(base.nameless) <= set(base.templates)


def test_another_picture_of_code_always_names_its_file() -> None:
    worlds = [base_of("code").other("vs", Stream("x", number)) for number in range(20)]
    assert {world.window.frame for world in worlds if world is not None} == {"buttons", "tab"}


def test_a_label_of_no_kind_has_no_options() -> None:
    assert label_options("x", (("a", "b"), ("c",)), Stream("x")) is None
    found = label_options("b2", (("a1", "a2"), ("b1", "b2", "b3")), Stream("x"))
    assert found is not None
    assert sorted(found) == ["b1", "b2", "b3"]
