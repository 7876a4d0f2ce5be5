"""Reference responders say what their names promise."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from answerable.core.benchmark import Benchmark
from answerable.core.errors import ProviderError, SettingsError
from answerable.core.records import Abstain, Answer, View
from answerable.core.runlog import Sampling
from answerable.domains.code.screen import render as window
from answerable.domains.code.visibility import End
from answerable.domains.raster.png import encode
from answerable.run.images import blank
from answerable.run.providers.base import Ask, Failed, KeyHolder, ProviderSettings, Replied
from answerable.run.providers.reference import RESPONDERS, ReferenceProvider, shows_mask
from answerable.run.runner import run
from answerable.run.settings import RunSettings
from tests.domains.code.make import world
from tests.run.helpers import content, make_benchmark, png, prompt, reference, replies

SETTINGS = RunSettings()


def said(bench: Benchmark, name: str, out: Path, settings: RunSettings = SETTINGS) -> list[tuple[View, str | None]]:
    """Every view and the answer given (None: abstained), in stored order."""
    run(bench, reference(name), settings, out)
    logged = replies(out)
    found = []
    for view in bench.views("test"):
        value = json.loads(logged[(view.id, 0)].text or "")
        assert set(value) == {"answerable", "answer", "reason"}
        assert value["answerable"] == (value["answer"] is not None)
        assert value["reason"]
        found.append((view, value["answer"]))
    return found


def test_oracle(bench: Benchmark, tmp_path: Path) -> None:
    for view, answer in said(bench, "oracle", tmp_path / "r"):
        assert answer == (view.obligation.target if isinstance(view.obligation, Answer) else None)


def test_always_answer_and_abstain(bench: Benchmark, tmp_path: Path) -> None:
    assert {answer for _, answer in said(bench, "always-answer", tmp_path / "a")} == {"1"}
    assert {answer for _, answer in said(bench, "always-abstain", tmp_path / "b")} == {None}


def test_always_answer_where_nothing_is_to_be_answered(tmp_path: Path) -> None:
    bench = make_benchmark(tmp_path / "bench", states=("M", "I"))
    assert {answer for _, answer in said(bench, "always-answer", tmp_path / "a")} == {"0"}


def test_frequent_follows_the_majority(bench: Benchmark, tmp_path: Path) -> None:
    assert {answer for _, answer in said(bench, "frequent", tmp_path / "a")} == {"1"}
    other = make_benchmark(tmp_path / "other", states=("F", "M", "I"))
    assert {answer for _, answer in said(other, "frequent", tmp_path / "b")} == {None}


def test_random_depends_on_view_and_seed_only(tmp_path: Path) -> None:
    bench = make_benchmark(tmp_path / "bench", 10)
    first = said(bench, "random", tmp_path / "a", RunSettings(seed=1, concurrency=1))
    assert first == said(bench, "random", tmp_path / "b", RunSettings(seed=1, concurrency=8))
    assert first != said(bench, "random", tmp_path / "c", RunSettings(seed=2))
    targets = {view.obligation.target for view, _ in first if isinstance(view.obligation, Answer)}
    answers = {answer for _, answer in first}
    assert None in answers
    assert len(answers) > 3
    assert answers - {None} <= targets


def masked(state: str) -> bool:
    """Which states of the fake pictures show a mask."""
    return state in "KM"


def test_mask_shy_abstains_where_it_sees_a_mask_in_the_pixels(tmp_path: Path) -> None:
    marked = png(8, 6, (250, 0, 250))
    bench = make_benchmark(
        tmp_path / "bench", image=lambda index, state: marked if masked(state) else png(8, 6, (index, 0, ord(state)))
    )
    looked: list[bytes] = []

    def sees_mask(data: bytes) -> bool:
        looked.append(data)
        return data == marked

    provider = ReferenceProvider(ProviderSettings("reference/mask-shy", prompt(), Sampling()), sees_mask=sees_mask)
    run(bench, provider, RunSettings(), tmp_path / "r")
    assert len(looked) == 18
    wrong = set()
    for view in bench.views():
        answer = json.loads(replies(tmp_path / "r")[(view.id, 0)].text or "")["answer"]
        if answer != (view.obligation.target if isinstance(view.obligation, Answer) else None):
            wrong.add(view.state)
    assert wrong == {"K"}


def test_the_real_detector_sees_no_mask_in_a_white_picture() -> None:
    assert shows_mask(blank(65, 45)) is False


def test_the_real_detector_sees_a_covered_line_of_code() -> None:
    assert shows_mask(encode(window(world(), End(3, 4)))) and not shows_mask(encode(window(world())))


def test_mask_shy_without_an_image_sees_no_mask(bench: Benchmark, tmp_path: Path) -> None:
    run(bench, reference("mask-shy"), RunSettings(control="text-only"), tmp_path / "r")
    run(bench, reference("oracle"), RunSettings(control="text-only"), tmp_path / "o")
    assert [value[1] for value in content(tmp_path / "r").values()] == [
        value[1] for value in content(tmp_path / "o").values()
    ]


@pytest.mark.parametrize("name", RESPONDERS)
def test_every_responder_gets_no_more_than_an_obligation(name: str, bench: Benchmark, tmp_path: Path) -> None:
    asked: list[Ask] = []

    class Spy(ReferenceProvider):
        async def ask(self, request: Ask) -> Replied | Failed:
            asked.append(request)
            return await super().ask(request)

    provider = Spy(reference(name).settings)
    assert isinstance(provider, KeyHolder)
    run(bench, provider, RunSettings(control="text-only"), tmp_path / "r")
    assert len(asked) == 18
    for request in asked:
        assert request.__struct_fields__ == ("view", "repeat", "question", "image", "key", "earlier")
        assert isinstance(request.key, (Answer, Abstain))


async def test_an_unprepared_responder_says_so() -> None:
    with pytest.raises(ProviderError, match="a prepared responder"):
        await reference("oracle").ask(Ask("v", 0, "q", None))


def test_unknown_names_and_addresses() -> None:
    with pytest.raises(SettingsError, match="reference/oracle, reference/always-answer"):
        reference("clever")
    with pytest.raises(SettingsError, match="no base URL with a reference responder"):
        ReferenceProvider(ProviderSettings("reference/oracle", prompt(), Sampling(), base_url="http://h"))
