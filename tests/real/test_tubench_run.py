"""The published geometry pairs, asked and scored in both languages: every figure follows from what the stub does."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import msgspec
import pytest
from aiohttp import web

from answerable.build.importers.tubench import build, read
from answerable.core.asking import asked_text
from answerable.core.benchmark import Benchmark
from answerable.core.codec import digest_bytes
from answerable.core.records import Abstain, Answer, View
from answerable.core.runlog import RunFolder, Sampling
from answerable.core.scores import Figure, Scores, SourceScores
from answerable.run.prompts import PROMPTS
from answerable.run.providers.base import ProviderSettings
from answerable.run.providers.openai_chat import OpenAIChat
from answerable.run.providers.reference import ReferenceProvider
from answerable.run.runner import run, run_async
from answerable.run.settings import RunSettings
from answerable.score.pipeline import score_runs
from tests.run.helpers import completion
from tests.shared import SHARED, needs_shared

PAIRS = 120
#: All metrics that the paper, or the protocol, has for these questions.
EVERY = (
    "F1_unanswerable", "P_unanswerable", "R_unanswerable", "R_unanswerable_S_9", "ACC2", "ACC2_published", "OACC", "J",
    "B",
)  # fmt: skip


@pytest.fixture(scope="module", params=["zh", "en"])
def bench(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Benchmark:
    """The 120 pairs in one language."""
    out = tmp_path_factory.mktemp(str(request.param)) / "bench"
    build(read(SHARED / "data" / "tubench", language=str(request.param)), out)
    return Benchmark(out)


def views_of(bench: Benchmark) -> list[View]:
    return [view for group in bench.groups() for view in group.views]


def asked(bench: Benchmark, model: str, out: Path, prompt: str = "as-asked", **settings: object) -> Path:
    provider = ReferenceProvider(ProviderSettings(f"reference/{model}", PROMPTS.load(prompt), Sampling()))
    run(bench, provider, msgspec.convert(settings, RunSettings), out)
    return out


def scored(bench: Benchmark, out: Path, **how: Any) -> tuple[SourceScores, Scores]:
    scores = score_runs(bench, [RunFolder(out)], draws=50, **how).scores
    return scores.runs[0].sources["tubench-ugeoqa"], scores


def shares(found: SourceScores) -> dict[str, tuple[int, int]]:
    assert set(EVERY) <= set(found.metrics)
    return {name: (found.metrics[name].numerator, found.metrics[name].denominator) for name in EVERY}


PROMPTS_OF_ALL = ("as-asked", "tubench-explanation-first", "tubench-text-only", "tubench-chinese")


@needs_shared
@pytest.mark.parametrize("prompt", PROMPTS_OF_ALL)
def test_an_oracle_gets_everything(bench: Benchmark, tmp_path: Path, prompt: str) -> None:
    control = "text-only" if prompt == "tubench-text-only" else "none"
    found, scores = scored(bench, asked(bench, "oracle", tmp_path / "run", prompt, control=control))
    assert {found.metrics[name].value for name in EVERY} == {1.0}
    assert (found.groups, found.views) == (PAIRS, 2 * PAIRS)
    assert scores.readings is not None and scores.readings.against == "choice-published 1"
    whole = scores.readings.counts[0]
    # "None of the above." abstains, and to the public evaluator says nothing, or names a choice that stands in it.
    assert whole.alike == (PAIRS if prompt == "as-asked" else 2 * PAIRS)
    if prompt != "as-asked":
        published, _ = scored(bench, tmp_path / "run", reader="choice-published")
        assert shares(published) == shares(found)


@needs_shared
def test_one_who_always_answers(bench: Benchmark, tmp_path: Path) -> None:
    found, _ = scored(bench, asked(bench, "always-answer", tmp_path / "run"))
    targets = [view.obligation.target for view in views_of(bench) if isinstance(view.obligation, Answer)]
    most = max(targets.count(letter) for letter in "ABCD")
    nothing, half = (0, PAIRS), (PAIRS, 2 * PAIRS)
    assert shares(found) == {
        "F1_unanswerable": (0, PAIRS), "P_unanswerable": (0, 0), "R_unanswerable": nothing,
        "R_unanswerable_S_9": nothing, "ACC2": half, "ACC2_published": half, "OACC": (most, 2 * PAIRS),
        "J": nothing, "B": nothing,
    }  # fmt: skip
    assert found.metrics["P_unanswerable"].value is None


@needs_shared
def test_one_who_always_abstains(bench: Benchmark, tmp_path: Path) -> None:
    found, _ = scored(bench, asked(bench, "always-abstain", tmp_path / "run"))
    every, half = (PAIRS, PAIRS), (PAIRS, 2 * PAIRS)
    assert shares(found) == {
        "F1_unanswerable": (2 * PAIRS, 3 * PAIRS), "P_unanswerable": half, "R_unanswerable": every,
        "R_unanswerable_S_9": every, "ACC2": half, "ACC2_published": half, "OACC": half, "J": (0, PAIRS),
        "B": (0, PAIRS),
    }  # fmt: skip


#: What the stub says, by the digest of what it was asked: each with an explanation, which may say "but".
SAYS: tuple[tuple[str, str | None], ...] = (
    ("Unanswerable. A length is not given, but it could be guessed.", "abstains"),
    ("(b) That follows from the angles, however they are measured.", "B"),
    ("The angles are given.\n\nAnswer: C", "C"),
    ("答案：A，解释：因为角度已知，但边长未知。", "A"),
    ("无法回答。题目缺少一个条件，但图中有角度。", "abstains"),
    ("Let me think about that for a while", None),
)


def said_to(text: str) -> tuple[str, str | None]:
    return SAYS[int(digest_bytes(text.encode())[:8], 16) % len(SAYS)]


async def served(bench: Benchmark, out: Path, answer: Callable[[str], str]) -> list[dict[str, Any]]:
    """Ask a loopback server; what it was sent."""
    sent: list[dict[str, Any]] = []

    async def chat(request: web.Request) -> web.StreamResponse:
        body = json.loads(await request.read())
        sent.append(body)
        text = next(part["text"] for part in body["messages"][-1]["content"] if part["type"] == "text")
        return web.json_response(completion(answer(text)))

    app = web.Application(client_max_size=1 << 28)
    app.router.add_post("/v1/chat/completions", chat)
    runner = web.AppRunner(app, shutdown_timeout=0.1)
    await runner.setup()
    try:
        await web.TCPSite(runner, "127.0.0.1", 0).start()
        provider = OpenAIChat(
            ProviderSettings(
                "stub", PROMPTS.load("as-asked"), Sampling(),
                base_url=f"http://127.0.0.1:{runner.addresses[0][1]}/v1", environment={},
            )
        )  # fmt: skip
        await run_async(bench, provider, RunSettings(), out)
    finally:
        await runner.cleanup()
    return sent


def f1(true: int, claimed: int, due: int) -> tuple[int, int]:
    return 2 * true, claimed + due


def decided(meant: str | None, due: str) -> bool:
    return meant is not None and (meant == "abstains") == (due == "abstains")


@needs_shared
def test_a_stub_behind_a_server_gets_what_its_replies_say(bench: Benchmark, tmp_path: Path) -> None:
    sent = asyncio.run(served(bench, tmp_path / "run", lambda text: said_to(text)[0]))
    assert len(sent) == 2 * PAIRS
    views = views_of(bench)
    meant = {view.id: said_to(asked_text(view))[1] for view in views}
    assert set(meant.values()) == {"abstains", "A", "B", "C", None}
    due = {view.id: "abstains" if isinstance(view.obligation, Abstain) else view.obligation.target for view in views}
    lost = [name for name in due if due[name] == "abstains"]
    true = sum(meant[name] == "abstains" for name in lost)
    claimed = sum(one == "abstains" for one in meant.values())
    classed = true + sum(meant[name] in ("A", "B", "C") for name in due if due[name] != "abstains")
    unread = sum(meant[name] is None for name in due if due[name] != "abstains")
    right = sum(meant[name] == due[name] for name in due)
    pairs = [[view.id for view in group.views] for group in bench.groups()]
    found, scores = scored(bench, tmp_path / "run")
    assert shares(found) == {
        "F1_unanswerable": f1(true, claimed, PAIRS), "P_unanswerable": (true, claimed),
        "R_unanswerable": (true, PAIRS), "R_unanswerable_S_9": (true, PAIRS), "ACC2": (classed, 2 * PAIRS),
        "ACC2_published": (classed + unread, 2 * PAIRS), "OACC": (right, 2 * PAIRS),
        "J": (sum(all(meant[name] == due[name] for name in pair) for pair in pairs), PAIRS),
        "B": (sum(all(decided(meant[name], due[name]) for name in pair) for pair in pairs), PAIRS),
    }  # fmt: skip
    assert isinstance(found.metrics["J"], Figure) and found.metrics["J"].numerator > 0
    assert scores.readings is not None
    whole, part = scores.readings.counts
    assert (part.topic, part.ability, part.replies) == ("UGeoQA", "S.9", 2 * PAIRS)
    said = [said_to(asked_text(view))[0] for view in views]
    # In English the public evaluator reads a choice as we do, and nothing as answerable.
    assert whole.read_as["B"] == {"B": said.count(SAYS[1][0])} and whole.read_as["C"] == {"C": said.count(SAYS[2][0])}
    assert whole.read_as["invalid"].get("no answer", 0) > 0 and "abstained" not in whole.read_as["invalid"]
    # A Chinese abstention is none to it.
    assert whole.read_as["abstained"]["abstained"] == said.count(SAYS[0][0]) < sum(whole.read_as["abstained"].values())
    assert {one.said for one in scores.readings.examples} <= {text for text, _ in SAYS}
