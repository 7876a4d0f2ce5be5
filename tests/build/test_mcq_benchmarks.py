"""Benchmarks of unsolvable problem detection: the same bytes, ledgers that add up, reviews, decisions, scores."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import msgspec
import pytest

from answerable.build.mcq_benchmarks import LEFT_OUT, McqRecipe, McqSettings, build, check_settings
from answerable.build.sources.mcq import Question
from answerable.build.variations.upd import Pairing, original_ids
from answerable.core.benchmark import Benchmark
from answerable.core.decisions import Decisions
from answerable.core.errors import SettingsError, SourceError
from answerable.core.records import PROBLEMS, Problem, Refusal
from answerable.exec import ProcessPool, ThisProcess
from tests.build.sources.test_mcq import question
from tests.build.test_preparation import scores_folder
from tests.core.small import picture

KINDS = (("cat", "dog", "cow"), ("red", "blue", "green", "pink"), ("one", "two", "three"), ("here", "there", "away"))


class Made:
    """A source of questions that are made here."""

    name, licence = "made", "CC0-1.0"

    def __init__(self, *items: Question | Refusal) -> None:
        self._items = items

    def describe(self) -> tuple[str, ...]:
        return ("made up",)

    def questions(self) -> Iterator[Question | Refusal]:
        yield from self._items


def some(count: int = 12, **changes: Any) -> tuple[Question, ...]:
    """Questions of several kinds."""
    return tuple(
        question(f"q{n}", text=f"Which thing number {n} is it?", ability=f"kind {n % 4}", answer=n % 3,
                 options=tuple(f"{text}{n // 4}" for text in KINDS[n % 4]), **changes)
        for n in range(count)
    )  # fmt: skip


def make(out: Path, *items: Question | Refusal, executor: Any = None, **changes: Any) -> Benchmark:
    """A benchmark of these questions, or of some."""
    given = {name: changes.pop(name) for name in ("decisions", "text_only") if name in changes}
    settings = msgspec.structs.replace(McqSettings(seed=3), **changes)
    build(McqRecipe(settings, Made(*(items or some())), **given), out, executor or ThisProcess())
    return Benchmark(out)


def everything(folder: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in sorted(folder.iterdir())}


def test_the_same_bytes_on_one_process_and_on_two(tmp_path: Path) -> None:
    make(tmp_path / "one")
    pool = ProcessPool(2, chunk=2)
    try:
        make(tmp_path / "two", executor=pool)
    finally:
        pool.close()
    assert everything(tmp_path / "one") == everything(tmp_path / "two")
    assert everything(tmp_path / "one") != everything(make(tmp_path / "other", seed=4).path)


def test_a_benchmark_verifies_and_says_what_it_is(tmp_path: Path) -> None:
    made = make(tmp_path / "b")
    made.verify()
    manifest = made.manifest
    assert (manifest.prompt, manifest.reader, manifest.licence) == ("as-asked", "mcq", "CC0-1.0")
    assert [(one.source, one.groups, one.states) for one in manifest.sources] == [
        ("made-aad", 12, ("F", "AAD")), ("made-iasd", 12, ("F", "IASD")), ("made-ivqd", 12, ("F", "IVQD")),
    ]  # fmt: skip
    settings = msgspec.json.decode(bytes(manifest.settings))
    assert settings["source"] == ["made up"]
    assert settings["mcq"]["preparation"][:2] == ["none-of-these", "cannot-judge"]
    card = (made.path / "README.md").read_text(encoding="utf-8")
    # Of n options: 3 x (n + n - 1) + n views with one taken away, 7 x n with another picture.
    counts = {one.source: one.views for one in manifest.sources}
    assert (counts["made-aad"], counts["made-ivqd"]) == (9 * 18 + 3 * 25, 9 * 21 + 3 * 28)
    assert f"36 groups, {manifest.views} views, 0 proofs. Licence: CC0-1.0." in card
    assert "| `IVQD` | INCOMPATIBLE_IMAGE: the picture belongs to another question |" in card
    assert "Obligations are derived, not proved" in card
    assert "Every obligation is proved" not in card
    assert "- `both-all` refuses: questions whose answer is both or all of the others" in card
    assert manifest.views == sum(counts.values())


def test_what_is_lent_never_fits_by_its_words(tmp_path: Path) -> None:
    made = make(tmp_path / "b", *some(24))
    images = {digest: view.figure for view in made.views() if view.state == "F" for digest in (view.image_sha256,)}
    right = {view.group: view for view in made.views() if view.state == "F" and view.setting == "base"}
    for view in made.views():
        own = right[view.group]
        content = {option.text for option in view.options if option.role == "content"}
        if view.state == "IASD":
            assert not content & {option.text for option in own.options}
            assert view.image_sha256 == own.image_sha256
        if view.state == "IVQD":
            assert images[view.image_sha256] != own.figure
            assert content == {option.text for option in own.options}


def test_the_ledger_has_a_line_a_problem_and_each_adds_up(tmp_path: Path) -> None:
    items: tuple[Question | Refusal, ...] = (
        *some(8), question("two", options=("sun", "moon")), question("dup", text="Which thing number 0 is it?",
        options=("dog0", "cat0", "cow0"), answer=1, image=picture("q0")), Refusal("no image", "row 9"),
        question("many", text="How many?", options=("11", "12", "13")),
    )  # fmt: skip
    ledger = make(tmp_path / "b", *items).ledger()
    assert [line.source for line in ledger.lines] == ["made-aad", "made-iasd", "made-ivqd"]
    for line in ledger.lines:
        assert line.scanned == 12
        assert sum(line.refused.values()) == line.scanned - line.kept - line.unattempted
    assert ledger.lines[0].refused == {"no image": 1, "same as another group": 1, "two options only": 1}
    assert ledger.lines[1].refused == {"no image": 1, "same as another group": 1}
    assert ledger.lines[2].refused == {"no image": 1, "same as another group": 1, LEFT_OUT: 1}
    assert ledger.examples["no image"] == ("row 9",)
    assert ledger.kept == sum(line.kept for line in ledger.lines) == 9 + 10 + 9


def test_steps_that_are_off_are_noted(tmp_path: Path) -> None:
    items = (*some(8), question("many", text="How many?", options=("11", "12", "Can't judge")))
    made = make(tmp_path / "b", *items, preparation=("cannot-judge",))
    (aad, _, ivqd) = made.ledger().lines
    assert "cannot-judge: an option was reworded: 1 questions" in aad.notes
    assert "cannot-judge: an option was deleted: 1 questions" in ivqd.notes
    assert "step suits-most switched off" in ivqd.notes
    assert ivqd.refused == {}


def test_groups_bounds_each_problem(tmp_path: Path) -> None:
    made = make(tmp_path / "b", groups=2)
    assert Counter(one.source for one in made.groups()) == {"made-aad": 2, "made-iasd": 2, "made-ivqd": 2}
    assert made.ledger().asked == 6


def test_splits_share_no_picture(tmp_path: Path) -> None:
    train = tuple(msgspec.structs.replace(one, id=f"t-{one.id}", image=picture("t", one.id), split="train")
                  for one in some(8))  # fmt: skip
    shared = question("shared", split="train", image=picture("q1"), text="Shared?")
    made = make(tmp_path / "b", *some(8), *train, shared)
    figures = {split: {view.image_sha256 for view in made.views(split)} for split in ("test", "train")}
    assert figures["test"]
    assert figures["train"]
    assert not figures["test"] & figures["train"]
    assert made.ledger().lines[0].refused == {"its picture is in the test split too": 1}


def test_a_curated_source_says_which_problems_and_what_is_lent(tmp_path: Path) -> None:
    curated = question("c", problems=("IASD", "IVQD"), given_options=("far", "near"), given_image=picture("given"))
    made = make(tmp_path / "b", curated)
    assert [one.source for one in made.groups()] == ["made-iasd", "made-ivqd"]
    iasd, ivqd = made.groups()
    assert {option.text for view in iasd.views if view.state == "IASD" for option in view.options[:2]} == {
        "far",
        "near",
    }
    assert len({view.image_sha256 for view in ivqd.views}) == 2
    assert made.ledger().lines[0].refused == {"the source makes no such problem of it": 1}


def pairs(problem: Problem, recipe: McqRecipe) -> list[Pairing]:
    """What the recipe would make of a problem."""
    return [job.work.pairing for job in recipe.jobs_of(problem) if not isinstance(job, Refusal)]


def test_doubtful_pairs_are_listed_and_decided(tmp_path: Path) -> None:
    items = (*some(8), question("many", text="How many?", options=("11", "12", "13")))
    recipe = McqRecipe(McqSettings(seed=3), Made(*items))
    (left,) = [line for line in recipe.review if line.left_out]
    assert (left.problem, left.question, left.why[0]) == ("IVQD", "many", "its words (how many) suit most pictures")
    dropped = pairs("AAD", recipe)[0].group_id()
    disputed = pairs("AAD", recipe)[1].group_id()
    path = tmp_path / "d.jsonl"
    lines = [(left.group, "keep", "Ann", ""), (dropped, "drop", "Ann", "near the answer"),
             (disputed, "keep", "Ann", ""), (disputed, "drop", "Bo", "no"), ("unknown", "keep", "Bo", "")]  # fmt: skip
    path.write_bytes(b"\n".join(
        msgspec.json.encode(dict(zip(("group", "decision", "reviewer", "reason"), line, strict=True))) for line in lines
    ))  # fmt: skip
    decided = McqRecipe(McqSettings(seed=3), Made(*items), decisions=Decisions((path,)))
    assert decided.review == recipe.review
    assert decided.undecided == ("unknown",)
    _, ledger = build(decided, tmp_path / "b", ThisProcess())
    assert ledger.lines[0].refused == {"dropped in review: near the answer": 1, "reviewers disagree": 1}
    assert ledger.examples["reviewers disagree"] == (f"{disputed} (Ann: keep, Bo: drop)",)
    assert ledger.lines[2].refused == {}
    assert left.group in {one.id for one in Benchmark(tmp_path / "b").groups()}
    settings = msgspec.json.decode(bytes(Benchmark(tmp_path / "b").manifest.settings))
    assert settings["source"][1].startswith("decisions d.jsonl sha256=")


def test_questions_answered_without_the_image_are_refused(tmp_path: Path) -> None:
    items = some(8)
    recipe = McqRecipe(McqSettings(seed=3), Made(*items))
    first, second, third = pairs("AAD", recipe)[:3]
    verdicts = [("blind", view, "correct") for view in original_ids(first)]
    verdicts += [("blind", view, "correct") for view in original_ids(second)[1:]]
    verdicts += [("blind", original_ids(second)[0], "wrong_answer")]
    # One that was asked under another problem.
    asked = next(pair for pair in pairs("IASD", recipe) if pair.question.id == third.question.id)
    verdicts += [("blind", view, "correct") for view in original_ids(asked)]
    scores = scores_folder(tmp_path / "s", verdicts, {"blind": "text-only"})
    made = make(tmp_path / "b", *items, text_only=scores)
    for line in made.ledger().lines:
        assert line.refused == {"answered without the image": 2}
        assert "not covered by the text-only run: 5 questions, kept" in line.notes
    assert made.ledger().examples["answered without the image"] == ("q0", "q2")
    off = make(tmp_path / "off", *items, text_only=scores, preparation=("none-of-these",))
    assert off.manifest.groups == 24


def test_scores_of_something_else(tmp_path: Path) -> None:
    scores = scores_folder(tmp_path / "s", [("blind", "x", "correct")], {"blind": "text-only"})
    with pytest.raises(SourceError) as caught:
        McqRecipe(McqSettings(seed=3), Made(*some()), text_only=scores)
    assert "expected text-only scores of an earlier build of these questions, with the setting original" in str(
        caught.value
    )
    assert caught.value.where == str(scores)


def test_a_source_that_gives_nothing(tmp_path: Path) -> None:
    with pytest.raises(SettingsError) as caught:
        make(tmp_path / "b", Refusal("no image", "row 1"))
    assert "expected a source that gives at least one group; got none; refused: {'no image': 3}" in str(caught.value)
    assert not (tmp_path / "b" / "benchmark.json").exists()
    with pytest.raises(SettingsError, match="no other question lends its options"):
        make(tmp_path / "c", question(), problems=("IASD",))


@pytest.mark.parametrize(
    ("changes", "message", "where"),
    [
        ({"problems": ()}, "expected some of AAD, IASD, IVQD; got none", "--problems"),
        ({"problems": ("AAD", "XYZ")}, "got 'XYZ'", "--problems"),
        (
            {"settings": ("base", "odd")},
            "expected some of base, option, instruction, original, given; got 'odd'",
            "--settings",
        ),
        ({"groups": 0}, "expected at least one group; got groups=0", "--groups"),
    ],
)
def test_settings_that_cannot_be_met(changes: dict[str, Any], message: str, where: str) -> None:
    with pytest.raises(SettingsError) as caught:
        check_settings(msgspec.structs.replace(McqSettings(seed=0), **changes))
    assert message in str(caught.value)
    assert caught.value.where == where


def test_the_recipe_lists_its_attempts_problem_after_problem() -> None:
    recipe = McqRecipe(McqSettings(seed=3), Made(*some(4)))
    assert len(list(recipe.jobs())) == 4 * len(PROBLEMS)
    assert (recipe.test_groups, recipe.train_groups) == (12, 0)
