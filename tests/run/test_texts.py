"""Texts to a model: put once, kept as said, resumed, and nothing given to whoever knows the answers."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import msgspec
import pytest

from answerable.core.errors import ProviderError, RunLockedError, RunMismatchError, SettingsError
from answerable.core.rewordings import Put, read_said
from answerable.core.runlog import Sampling
from answerable.run.prompts import judge_meaning, rephrase
from answerable.run.providers.base import Failed, ProviderSettings, Replied
from answerable.run.providers.reference import ReferenceProvider
from answerable.run.settings import RunSettings
from answerable.run.texts import TextSummary, ask_texts, put_in_words
from tests.run.test_judge import FakeJudge, says

QUICK = RunSettings(retries=0, fsync_every=1, concurrency=2)
PUTS = [Put("What is this?"), Put("Who is that?"), Put("What is this?")]
REPLY = json.dumps({"wordings": ["a", "b", "c"]})


def rephraser(answer: Callable[[str], Replied | Failed]) -> FakeJudge:
    model = FakeJudge(answer)
    model.settings = ProviderSettings(model.model, rephrase.PROMPT, Sampling())
    return model


def ask(path: Path, model: FakeJudge, puts: list[Put] = PUTS) -> TextSummary:
    return ask_texts(path, "reword", puts, model, QUICK)


def test_each_text_is_put_once_without_a_picture(tmp_path: Path) -> None:
    model = rephraser(lambda _: says(REPLY))
    summary = ask(tmp_path / "new" / "r.jsonl", model)
    assert (summary.texts, summary.kept, summary.new, summary.missing, summary.complete) == (2, 0, 2, 0, True)
    assert sorted(request.question for request in model.asked) == ["What is this?", "Who is that?"]
    assert all(request.image is None and request.key is None for request in model.asked)
    found = read_said(tmp_path / "new" / "r.jsonl", "reword")
    assert found is not None and {said.text for said in found.said.values()} == {REPLY}
    assert found.asked.prompt.name == "rephrase"


def test_what_is_said_is_not_asked_again_and_what_failed_is(tmp_path: Path) -> None:
    path = tmp_path / "r.jsonl"
    bad = rephraser(lambda text: Failed("server_error", "down", 503) if "Who" in text else says(REPLY))
    summary = ask(path, bad)
    assert (summary.new, summary.failed, summary.missing) == (1, {"server_error": 1}, 1)
    good = rephraser(lambda _: says(REPLY))
    summary = ask(path, good, [*PUTS, Put("And this?")])
    assert (summary.kept, summary.new, summary.missing) == (1, 2, 0)
    assert sorted(request.question for request in good.asked) == ["And this?", "Who is that?"]
    lines = path.read_bytes()
    assert ask(path, rephraser(lambda _: says("never"))).new == 0
    assert path.read_bytes() == lines


def test_another_model_or_task_needs_another_file(tmp_path: Path) -> None:
    path = tmp_path / "r.jsonl"
    ask(path, rephraser(lambda _: says(REPLY)))
    other = rephraser(lambda _: says(REPLY))
    other.settings = ProviderSettings("judge-1", rephrase.PROMPT, Sampling(temperature=1.0))
    with pytest.raises(RunMismatchError, match=r"started with \(sampling="):
        ask(path, other)
    judge = FakeJudge(lambda _: says("SAME"))
    judge.settings = ProviderSettings(judge.model, judge_meaning.PROMPT, Sampling())
    with pytest.raises(Exception, match="one model asked for 'meaning'"):
        ask_texts(path, "meaning", [Put("a", "b")], judge, QUICK)


def test_one_writer_at_a_time(tmp_path: Path) -> None:
    path = tmp_path / "r.jsonl"
    inner: list[Exception] = []

    def answer(_: str) -> Replied | Failed:
        try:
            from answerable.core.rewordings import SaidLog
            from answerable.run.texts import _manifest

            stored = read_said(path, "reword")
            assert stored is not None
            with SaidLog(path, stored.asked, _manifest(stored.asked, 1, QUICK), {}):
                pass
        except RunLockedError as error:
            inner.append(error)
        return says(REPLY)

    ask(path, rephraser(answer), [Put("q")])
    assert len(inner) == 1


def test_responders_that_know_the_answers_are_refused(tmp_path: Path) -> None:
    known = ReferenceProvider(ProviderSettings("reference/oracle", rephrase.PROMPT, Sampling()))
    with pytest.raises(SettingsError, match="a model; got 'reference/oracle', which is told the right answers"):
        ask_texts(tmp_path / "r.jsonl", "reword", PUTS, known, QUICK)
    assert not (tmp_path / "r.jsonl").exists()


def test_a_server_that_turns_us_away_ends_it(tmp_path: Path) -> None:
    model = rephraser(lambda _: msgspec.structs.replace(Failed("unauthorised", "no key", 401), fatal=True))
    with pytest.raises(ProviderError, match="no key"):
        ask(tmp_path / "r.jsonl", model)


def test_a_secret_is_never_written(tmp_path: Path) -> None:
    model = rephraser(lambda _: says(REPLY))
    sampling = Sampling(extra=msgspec.Raw(b'{"user": "sk-secret"}'))
    model.settings = ProviderSettings(model.model, rephrase.PROMPT, sampling)
    with pytest.raises(SettingsError, match="settings without secrets"):
        ask(tmp_path / "r.jsonl", model)
    assert not list(tmp_path.iterdir())


def test_prompts_tell_nothing_but_the_texts() -> None:
    assert put_in_words(Put("Why?")) == "Why?"
    assert put_in_words(Put("Why?", "How come?")) == "First:\nWhy?\n\nSecond:\nHow come?"
    text = rephrase.PROMPT.user("Is {reply} it?")
    assert "[question]\nIs {reply} it?\n[/question]" in text and '{"wordings"' in text
