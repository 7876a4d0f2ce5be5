"""TUBench's variants: they reword what a benchmark stores, refuse what they do not know, and tell no picture of."""

from __future__ import annotations

from pathlib import Path

import msgspec
import pytest

from answerable.build.importers.tubench_sets import SETS
from answerable.core.errors import SettingsError
from answerable.core.instructions import ANSWER_FIRST, UCR, UGEOQA, UTABMWP, UVQA
from answerable.core.runlog import Instead, Sampling
from answerable.run.prompts import PROMPTS, Prompt, prompt_text
from answerable.run.providers.base import ProviderSettings
from answerable.run.providers.reference import ReferenceProvider
from answerable.run.runner import run
from answerable.run.settings import RunSettings
from answerable.score.readers import READERS
from answerable.score.readers.reading import Abstained, Answered, Item
from tests.run.helpers import make_benchmark

KNOWN = {"UCR": UCR, "UVQA": UVQA, "UGeoQA": UGEOQA, "UTabMWP": UTABMWP}
#: Prompt -> the sets that it is published for, or, for the fourth, made for.
FOR = {
    "tubench-no-first": {"UCR", "UVQA"},
    "tubench-answerable-first": {"UCR", "UVQA"},
    "tubench-question-last": {"UCR"},
    "tubench-explanation-first": set(KNOWN),
    "tubench-text-only": set(KNOWN),
    "tubench-chinese": {"UGeoQA"},
}
ASKED = "Is {x} shown?\nA. 1\nB. 2"


def test_every_variant_is_in_the_table() -> None:
    assert {name for name in PROMPTS.names() if name.startswith("tubench-")} == set(FOR)


@pytest.mark.parametrize("name", KNOWN)
def test_benchmarks_store_the_instructions_that_prompts_know(name: str) -> None:
    assert SETS[name.lower()].instruction == KNOWN[name]


@pytest.mark.parametrize("prompt_name", FOR)
@pytest.mark.parametrize("name", KNOWN)
def test_a_known_instruction_is_reworded_and_another_is_refused(prompt_name: str, name: str) -> None:
    prompt = PROMPTS.load(prompt_name)
    asked = f"{ASKED}\n{KNOWN[name]}"
    if name not in FOR[prompt_name]:
        with pytest.raises(
            SettingsError, match=r"(?s)an instruction which prompt 'tubench-.*--prompt.*leave --prompt out"
        ):
            prompt.user(asked)
        return
    said = prompt.user(asked)
    assert said.count(ASKED) == 1
    assert KNOWN[name] not in said or prompt_name == "tubench-question-last"
    assert said.count("Unanswerable") == 1


def test_the_words_that_change() -> None:
    def words(prompt: str, instruction: str) -> str:
        return PROMPTS.load(prompt).user(f"Q\n{instruction}").removeprefix("Q\n")

    assert words("tubench-no-first", UCR) == UCR.replace('"Yes" or "No"', '"No" or "Yes"') != UCR
    assert words("tubench-no-first", UVQA) == UVQA.replace('"Yes" or "No"', '"No" or "Yes"')
    for instruction in (UCR, UVQA):
        said = words("tubench-answerable-first", instruction)
        assert said.index('"Yes" or "No"') < said.index('"Unanswerable"') and said.endswith(ANSWER_FIRST)
    for instruction in KNOWN.values():
        said = words("tubench-explanation-first", instruction)
        assert said.endswith("Output the explanation first and then give your answer.")
        assert said.startswith(instruction.removesuffix(ANSWER_FIRST))
        said = words("tubench-text-only", instruction)
        assert said.endswith(ANSWER_FIRST) and not {"image", "table", "picture"} & set(said.lower().split())
    assert PROMPTS.load("tubench-question-last").user(f"Q\n{UCR}") == f"{UCR}\n\nQ: Q\nA: "
    assert words("tubench-chinese", UGEOQA).startswith("请逐步分析给定的图像和问题。")


def test_only_the_instruction_at_the_end_counts() -> None:
    prompt = PROMPTS.load("tubench-no-first")
    twice = f"Why {UCR}?\n{UCR}"
    assert prompt.user(twice).startswith(f"Why {UCR}?\n")
    for asked in (UCR, f"Q {UCR}", f"Q\n{UCR} ", f"Q\n{UCR}\nMore", "Q", ""):
        with pytest.raises(SettingsError):
            prompt.user(asked)


def test_a_question_cannot_fill_a_place_that_it_brings_along() -> None:
    said = PROMPTS.load("tubench-question-last").user(f"{{question}} {{reply}}\n{UCR}")
    assert said == f"{UCR}\n\nQ: {{question}} {{reply}}\nA: "


def test_the_wordings_are_in_the_digest_and_in_the_text_of_the_run() -> None:
    digests = {PROMPTS.load(name).text.sha256 for name in PROMPTS.names()}
    assert len(digests) == len(PROMPTS.names())
    text = PROMPTS.load("tubench-chinese").text
    assert text.instead[0].instruction == UGEOQA and "请先给出答案" in text.instead[0].template
    assert prompt_text("x", "", "{question}").sha256 == prompt_text("x", "", "{question}", instead=()).sha256
    with pytest.raises(ValueError, match="every wording"):
        prompt_text("x", "", "{question}", instead=(Instead("a", "b"),))


@pytest.mark.parametrize("name", FOR)
def test_replies_of_responders_are_read_as_meant(name: str) -> None:
    prompt, item = PROMPTS.load(name), Item({"A": "7", "B": "8"})
    for reader in ("mcq", "choice-published", "yes-no", "yes-no-published"):
        answer = "B" if reader in ("mcq", "choice-published") else "No"
        found = READERS.load(reader).read(prompt.reply(answer, "it is shown"), "complete", item)
        assert isinstance(found, Answered) and found.text == answer
        assert isinstance(READERS.load(reader).read(prompt.reply(None, "it is hidden"), "complete", item), Abstained)


def asked_with(prompt: Prompt, out: Path, control: str) -> None:
    provider = ReferenceProvider(ProviderSettings("reference/oracle", prompt, Sampling()))
    settings = msgspec.convert({"control": control}, RunSettings)
    run(make_benchmark(out / "bench", 1), provider, settings, out / "run")


def test_a_benchmark_with_another_instruction_is_refused_before_anything_is_asked(tmp_path: Path) -> None:
    with pytest.raises(SettingsError, match="questions that end with an instruction"):
        asked_with(PROMPTS.load("tubench-no-first"), tmp_path, "none")
    assert not (tmp_path / "run").exists()


@pytest.mark.parametrize("control", ["none", "blank-image"])
def test_the_wording_without_a_picture_wants_a_run_without_pictures(tmp_path: Path, control: str) -> None:
    with pytest.raises(SettingsError, match="--control text-only with prompt 'tubench-text-only'"):
        asked_with(PROMPTS.load("tubench-text-only"), tmp_path, control)
    assert not (tmp_path / "run").exists()
