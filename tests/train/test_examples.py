"""What is learned: the training split alone, asked as a run asks it."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from answerable.cli.train import wording_of
from answerable.core.asking import asked_text
from answerable.core.benchmark import Benchmark
from answerable.core.errors import BenchmarkError, FingerprintError, SettingsError
from answerable.core.records import Answer
from answerable.core.runlog import ReplyStatus
from answerable.run.prompts import PROMPTS
from answerable.score.readers.json_reply import READER
from answerable.score.readers.reading import Abstained, Answered, Item
from answerable.train.examples import Examples
from tests.core.small import edit_rows, group, ledger, manifest, write

DONE: ReplyStatus = "complete"


def test_the_training_split_alone(tmp_path: Path) -> None:
    bench = write(tmp_path / "b", ((0, "test"), (1, "train"), (2, "test"), (3, "train")))
    examples = Examples(bench, wording_of("json-answerability"))
    views = list(bench.views("train"))
    assert [examples.view(number) for number in range(len(examples))] == [view.id for view in views]
    assert len(views) == 6


def test_questions_are_those_of_a_run_and_replies_meet_the_obligation(tmp_path: Path) -> None:
    bench = write(tmp_path / "b")
    examples, prompt = Examples(bench, wording_of("json-answerability")), PROMPTS.load("json-answerability")
    for number, view in enumerate(bench.views("train")):
        asked = examples.question(number)
        assert (asked.system, asked.user) == (prompt.text.system, prompt.user(asked_text(view)))
        assert asked.picture is not None
        assert asked.picture.size == (5, 4)
        read = READER.read(examples.target(number), DONE, Item())
        if isinstance(view.obligation, Answer):
            assert isinstance(read, Answered)
            assert read.text == view.obligation.target
        else:
            assert isinstance(read, Abstained)
            assert json.loads(examples.target(number))["reason"]


def test_no_training_split(tmp_path: Path) -> None:
    bench = write(tmp_path / "b", ((0, "test"),))
    with pytest.raises(SettingsError, match=r"with a training split; got splits=test(.|\n)*--train-groups N"):
        Examples(bench, wording_of("json-answerability"))


def test_a_figure_that_is_tested_on_too(tmp_path: Path) -> None:
    import msgspec

    from answerable.core.benchmark import BenchmarkWriter

    with BenchmarkWriter(tmp_path / "b") as writer:
        for split in ("test", "train"):
            made, pictures = group(1, split)
            views = tuple(msgspec.structs.replace(view, figure="shared") for view in made.views)
            writer.add(msgspec.structs.replace(made, views=views), pictures, None)
        writer.finish(manifest(), ledger(2), "card")
    with pytest.raises(BenchmarkError, match="1 in the training split and in another, such as 'shared'"):
        Examples(Benchmark(tmp_path / "b"), wording_of("json-answerability"))


def test_an_edited_benchmark(tmp_path: Path) -> None:
    bench = write(tmp_path / "b")
    edit_rows(next(bench.path.glob("views-train-*")), lambda rows: [row | {"target": "7"} for row in rows])
    with pytest.raises(FingerprintError):
        Examples(Benchmark(bench.path), wording_of("json-answerability"))


@pytest.mark.parametrize("name", ["self-reflection", "tubench-text-only"])
def test_prompts_of_two_turns_or_without_a_picture(name: str) -> None:
    with pytest.raises(SettingsError, match=f"a prompt of one turn with a picture; got '{name}'"):
        wording_of(name)
