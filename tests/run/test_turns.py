"""Two turns: the model meets its own reply, both are logged, and no half of an exchange is read."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import msgspec
import pytest

from answerable.core.benchmark import Benchmark
from answerable.core.runlog import RunFolder, Sampling
from answerable.run.budget import estimate
from answerable.run.prompts import PROMPTS, prompt_text
from answerable.run.providers.base import ProviderSettings
from answerable.run.providers.openai_chat import OpenAIChat
from answerable.run.providers.reference import ReferenceProvider
from answerable.run.runner import run, run_async
from answerable.run.settings import RunSettings
from answerable.run.views import load
from tests.run.helpers import KEY, KEY_NAME, QUICK, Server, completion, make_benchmark, replies, say

#: One group's views.
VIEWS = 6
ONE_AT_A_TIME = msgspec.structs.replace(QUICK, concurrency=1, concurrency_start=1, limit=1)


@pytest.fixture
def bench(tmp_path: Path) -> Benchmark:
    return make_benchmark(tmp_path / "bench", 2)


def reflecting(url: str) -> OpenAIChat:
    return OpenAIChat(
        ProviderSettings(
            model="stub", prompt=PROMPTS.load("self-reflection"), sampling=Sampling(), base_url=url,
            api_key_env=KEY_NAME, environment={KEY_NAME: KEY}, total_timeout=5.0, connect_timeout=2.0,
        )
    )  # fmt: skip


def text_of(request: dict[str, Any]) -> str:
    (part,) = [part for part in request["messages"][-1]["content"] if part["type"] == "text"]
    return str(part["text"])


def pictures(request: dict[str, Any]) -> list[str]:
    return [part["image_url"]["url"] for part in request["messages"][-1]["content"] if part["type"] == "image_url"]


async def test_the_second_turn_shows_picture_question_and_the_first_reply(
    server: Server, bench: Benchmark, tmp_path: Path
) -> None:
    first = "(B) with {question} and {reply} in it"
    server.steps = [say(completion(first)), say(completion("2"))] * VIEWS
    await run_async(bench, reflecting(server.url), ONE_AT_A_TIME, tmp_path / "r")
    assert len(server.requests) == 2 * VIEWS
    one, two = server.requests[:2]
    assert pictures(one) == pictures(two) and len(pictures(one)) == 1
    assert text_of(two).startswith(text_of(one)) and f"Your Previous Answer: {first}\n" in text_of(two)
    assert text_of(two).endswith("2. False\nAnswer with the letter of either option: 1 or 2 directly.")
    logged = list(replies(tmp_path / "r").values())
    assert [(reply.text, reply.earlier) for reply in logged] == [("2", first)] * VIEWS
    assert logged[0].usage.prompt == 1800 and logged[0].usage.completion == 40
    assert logged[0].usage.reasoning is None
    manifest = RunFolder(tmp_path / "r").manifest
    assert "{reply}" in manifest.prompt.second


async def test_a_failed_second_turn_fails_the_whole_and_is_asked_again_from_the_start(
    server: Server, bench: Benchmark, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("answerable.run.pace._FIRST_WAIT", 0.005)
    good = [say(completion("B")), say(completion("1"))]
    server.steps = [say(completion("A")), say({"error": {"message": "busy"}}, 500), *good * VIEWS]
    summary = await run_async(bench, reflecting(server.url), ONE_AT_A_TIME, tmp_path / "r")
    assert summary.failed == {} and summary.replied == VIEWS
    assert {(reply.text, reply.earlier) for reply in replies(tmp_path / "r").values()} == {("1", "B")}
    assert sorted(reply.attempts for reply in replies(tmp_path / "r").values()) == [1] * (VIEWS - 1) + [2]


@pytest.mark.parametrize(
    ("body", "status"),
    [(completion("", finish="content_filter"), "refused"), (completion("I thi", finish="length"), "truncated"),
     (completion(""), "empty")],
)  # fmt: skip
async def test_a_first_reply_that_is_not_complete_is_final(
    server: Server, bench: Benchmark, tmp_path: Path, body: object, status: str
) -> None:
    server.steps = [say(body)]
    await run_async(bench, reflecting(server.url), ONE_AT_A_TIME, tmp_path / "r")
    assert len(server.requests) == VIEWS
    assert {(reply.status, reply.earlier) for reply in replies(tmp_path / "r").values()} == {(status, None)}


async def test_one_turn_stays_one_turn(server: Server, bench: Benchmark, tmp_path: Path) -> None:
    plain = ProviderSettings(
        model="stub", prompt=PROMPTS.load("chain-of-thought"), sampling=Sampling(), base_url=server.url
    )
    await run_async(bench, OpenAIChat(plain), ONE_AT_A_TIME, tmp_path / "r")
    assert len(server.requests) == VIEWS
    assert all(text_of(request).endswith("\nLet's think step by step.") for request in server.requests)
    assert all(reply.earlier is None for reply in replies(tmp_path / "r").values())


def test_reference_responders_stand_by_their_answer(bench: Benchmark, tmp_path: Path) -> None:
    settings = ProviderSettings("reference/oracle", PROMPTS.load("self-reflection"), Sampling())
    run(bench, ReferenceProvider(settings), RunSettings(), tmp_path / "r")
    found = replies(tmp_path / "r").values()
    assert {reply.text for reply in found} == {"1"} and all(reply.earlier for reply in found)


def test_two_turns_cost_twice(bench: Benchmark) -> None:
    settings = RunSettings(price_in=1.0, price_out=2.0)
    views, _ = load(bench, "test", None, keep_key=False, seed=0)
    one, two = (estimate(views, PROMPTS.load(name), 100, settings, 10) for name in ("as-asked", "self-reflection"))
    assert one is not None and two is not None
    assert two.prompt_tokens == 2 * one.prompt_tokens + 10 * 60
    assert two.high > 1.9 * one.high and two.requests == one.requests


@pytest.mark.parametrize("second", ["no places", "{question}", "{reply}", "{question} {reply} {reply}"])
def test_a_second_turn_without_its_places_is_refused(second: str) -> None:
    with pytest.raises(ValueError, match=r"expected one \{question\} and one \{reply\}"):
        prompt_text("p", "", "{question}", second)


def test_the_digest_depends_on_the_second_turn() -> None:
    plain = prompt_text("p", "", "{question}")
    assert prompt_text("p", "", "{question}", "{question} {reply}").sha256 != plain.sha256
