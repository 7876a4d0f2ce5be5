"""A model in this process, asked by the runner."""

from __future__ import annotations

import asyncio
import json
import sys
from pathlib import Path
from typing import Any

import msgspec
import pytest

from answerable.cli.train import wording_of
from answerable.core.benchmark import Benchmark
from answerable.core.errors import MissingExtraError, ProviderError, RunMismatchError, SettingsError
from answerable.core.runlog import RunFolder, Sampling
from answerable.models.adapter import AdapterShape
from answerable.models.folder import find_model
from answerable.models.local import LocalModel
from answerable.models.prefix import PrefixShape
from answerable.run.images import picture
from answerable.run.prompts import PROMPTS
from answerable.run.providers.base import Ask, Failed, Provider, ProviderSettings, Replied
from answerable.run.providers.local import LocalProvider
from answerable.run.runner import run
from answerable.run.settings import RunSettings
from answerable.train.adapters import train_adapter
from answerable.train.loop import Schedule
from tests.core.small import write
from tests.models.tiny import make_model
from tests.run.helpers import content, make_benchmark, png, replies

QUICK = RunSettings(concurrency=1, concurrency_start=1, retries=0)
RED = picture(png(8, 6, (255, 0, 0)), None)


@pytest.fixture(scope="module")
def model(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A model folder."""
    return make_model(tmp_path_factory.mktemp("models") / "tiny")


def made(model: Path, prompt: str = "as-asked", **settings: Any) -> LocalProvider:
    """A provider; settings are those of the sampler, or else the provider's own."""
    how = {"max_tokens": 6} | {name: settings.pop(name) for name in Sampling.__struct_fields__ if name in settings}
    how["extra"] = msgspec.Raw(json.dumps(how.get("extra", {})).encode())
    settings = {"device": "cpu"} | settings
    return LocalProvider(ProviderSettings(f"local/{model}", PROMPTS.load(prompt), Sampling(**how), **settings))


def asked(provider: Provider, *requests: Ask) -> list[Replied | Failed]:
    """What comes of requests, one after another."""

    async def work() -> list[Replied | Failed]:
        async with provider:
            return [await provider.ask(request) for request in requests]

    return asyncio.run(work())


@pytest.mark.torch
def test_a_run_from_end_to_end(model: Path, tmp_path: Path) -> None:
    bench = make_benchmark(tmp_path / "bench", 2)
    summary = run(bench, made(model), QUICK, tmp_path / "one")
    assert (summary.expected, summary.replied, summary.ended) == (12, 12, "done")
    assert summary.statuses == {"truncated": 12}
    again = run(bench, made(model), msgspec.structs.replace(QUICK, seed=9), tmp_path / "two")
    assert again.replied == 12
    assert content(tmp_path / "one") == content(tmp_path / "two")
    reply = next(iter(replies(tmp_path / "one").values()))
    assert (reply.finish_reason, reply.usage.completion, reply.image_sha256 is not None) == ("length", 6, True)
    manifest = RunFolder(tmp_path / "one").manifest
    assert (manifest.model, manifest.provider, manifest.endpoint) == ("local/tiny", "local", "")
    assert {"torch", "transformers"} <= set(manifest.versions)
    assert json.loads(bytes(manifest.sampling.extra)) == {
        "model_sha256": find_model(str(model)).sha256, "device": "cpu", "dtype": "auto", "seed": 0, "top_k": 0,
        "top_p": 1.0,
    }  # fmt: skip
    assert str(tmp_path) not in (tmp_path / "one" / "run.json").read_text()


@pytest.mark.torch
def test_a_run_is_not_resumed_with_another_checkpoint(model: Path, tmp_path: Path) -> None:
    bench = make_benchmark(tmp_path / "bench", 1)
    run(bench, made(model), QUICK, tmp_path / "run")
    other = make_model(tmp_path / "tiny", seed=1)
    with pytest.raises(RunMismatchError, match="sampling="):
        run(bench, made(other), QUICK, tmp_path / "run")


@pytest.mark.torch
def test_an_adapter_is_named_and_used(model: Path, tmp_path: Path) -> None:
    bench = write(tmp_path / "b")
    shape = AdapterShape(prefix=PrefixShape(hidden=8))
    opened = LocalModel(find_model(str(model)), device="cpu")
    train_adapter(bench, wording_of("as-asked"), opened, shape, lambda _: Schedule(20, 1, 2e-2), tmp_path / "mine")
    run(Benchmark(bench.path), made(model), QUICK, tmp_path / "plain")
    run(Benchmark(bench.path), made(model, adapter=str(tmp_path / "mine")), QUICK, tmp_path / "adapted")
    assert RunFolder(tmp_path / "adapted").manifest.model == "local/tiny+mine"
    assert {reply.text for reply in replies(tmp_path / "plain").values()} != {
        reply.text for reply in replies(tmp_path / "adapted").values()
    }
    with pytest.raises(SettingsError, match="the model that the adapter was trained on, 'tiny'"):
        made(make_model(tmp_path / "tiny2", seed=1), adapter=str(tmp_path / "mine"))
    with pytest.raises(SettingsError, match=r"an adapter folder with adapter\.json"):
        made(model, adapter=str(tmp_path))


@pytest.mark.torch
def test_draws_derive_from_seed_view_and_repeat(model: Path) -> None:
    one, two = Ask("v1", 0, "Why?", RED), Ask("v2", 0, "Why?", RED)
    warm = made(model, temperature=2.0, extra={"seed": 1})
    first = asked(warm, one, two, Ask("v1", 1, "Why?", RED))
    assert asked(made(model, temperature=2.0, extra={"seed": 1}), two, one) == [first[1], first[0]]
    assert len({str(outcome) for outcome in first}) == 3
    assert asked(made(model, temperature=2.0, extra={"seed": 2}), one) != [first[0]]
    cold = asked(made(model), one, two)
    assert cold[0] == cold[1]


@pytest.mark.torch
def test_failures_are_no_replies(model: Path, tmp_path: Path) -> None:
    broken = msgspec.structs.replace(RED, data=RED.data[:-30])
    small = made(make_model(tmp_path / "small", context=32), max_tokens=20)
    (cut, names, long) = (
        asked(made(model), Ask("v", 0, "Why?", broken))[0],
        asked(made(model), Ask("v", 0, "What is <image>?", RED))[0],
        asked(small, Ask("v", 0, "Why?", RED))[0],
    )
    assert isinstance(cut, Failed)
    assert (cut.kind, cut.tries) == ("rejected", 1)
    assert isinstance(names, Failed)
    assert names.kind == "rejected"
    assert isinstance(long, Failed)
    assert "at most 32 tokens together" in long.message


@pytest.mark.torch
def test_a_reply_that_takes_too_long_is_a_timeout(model: Path) -> None:
    (outcome,) = asked(made(model, max_tokens=500, total_timeout=0.001), Ask("v", 0, "Why?", RED))
    assert isinstance(outcome, Failed)
    assert (outcome.kind, outcome.message) == ("timeout", "no whole reply within 0.001 s")


@pytest.mark.torch
def test_without_a_picture_and_in_a_second_turn(model: Path) -> None:
    plain, shown, second = asked(
        made(model, "self-reflection"),
        Ask("v", 0, "Why?", None), Ask("v", 0, "Why?", RED), Ask("v", 0, "Why?", RED, earlier="Because."),
    )  # fmt: skip
    tokens = [outcome.usage.prompt or 0 for outcome in (plain, shown, second) if isinstance(outcome, Replied)]
    assert tokens[0] + 4 == tokens[1] < tokens[2]


@pytest.mark.torch
def test_out_of_memory_is_too_large(model: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    import torch

    def full(*_: object) -> None:
        raise torch.OutOfMemoryError("tried to allocate 900 GiB")

    monkeypatch.setattr(LocalModel, "reply", full)
    (outcome,) = asked(made(model), Ask("v", 0, "Why?", RED))
    assert isinstance(outcome, Failed)
    assert (outcome.kind, outcome.tries) == ("too_large", 1)


@pytest.mark.torch
@pytest.mark.parametrize(
    ("flags", "words"),
    [
        ({"base_url": "http://h"}, "no base URL with a model in this process"),
        ({"json_schema": True}, "leave out --json-schema"),
        ({"temperature": None}, "0 is greedy"),
        ({"extra": {"min_p": 1}}, "seed, top_p or top_k"),
        ({"extra": {"top_p": 0}}, "a share above 0"),
        ({"extra": {"top_k": -1}}, "--extra top_k"),
        ({"extra": {"seed": -1}}, "--extra seed"),
        ({"device": "tpu"}, "a device, one of"),
        ({"dtype": "int4"}, "a number format, one of"),
    ],
)
def test_settings_it_has_not(model: Path, flags: dict[str, Any], words: str) -> None:
    with pytest.raises(SettingsError, match=words):
        made(model, **flags)


@pytest.mark.torch
def test_outside_of_with(model: Path) -> None:
    with pytest.raises(ProviderError, match="an open provider"):
        asyncio.run(made(model).ask(Ask("v", 0, "Why?", RED)))


def test_without_the_extra(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "torch", None)
    (tmp_path / "config.json").write_text('{"model_type": "llava"}')
    (tmp_path / "model.safetensors").write_bytes(b"w")
    with pytest.raises(MissingExtraError, match="the optional part 'train'; got no module named 'torch'"):
        made(tmp_path)


def test_no_such_model(tmp_path: Path) -> None:
    with pytest.raises(SettingsError, match="a folder with a model"):
        made(tmp_path / "none")
