"""``answerable run``: flags, summary, exit codes."""

from __future__ import annotations

import argparse
import json
from pathlib import Path

import msgspec
import pytest

from answerable.cli.common import find_benchmark
from answerable.cli.run import _note, add_parser, main, make_provider
from answerable.core.benchmark import Benchmark
from answerable.core.codec import canonical
from answerable.core.errors import BenchmarkError, SettingsError
from answerable.core.runlog import RunFolder
from answerable.run.settings import Progress
from tests.run.helpers import make_benchmark, replies


def parse(*flags: str) -> argparse.Namespace:
    """The flags as the command line gives them."""
    parser = argparse.ArgumentParser()
    add_parser(parser.add_subparsers())
    return parser.parse_args(["run", *flags])


@pytest.fixture
def bench(tmp_path: Path) -> Benchmark:
    """Three groups of six views."""
    return make_benchmark(tmp_path / "bench")


def test_a_reference_run(bench: Benchmark, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    args = parse(str(bench.path), "--model", "reference/oracle", "--out", str(tmp_path / "r"))
    assert args.handler == "answerable.cli.run:main"
    assert main(args) == 0
    printed = capsys.readouterr().out
    for words in ("reference/oracle on", "18 of 18 replied (18 new)", "replies/s", "next: answerable score"):
        assert words in printed
    assert len(replies(tmp_path / "r")) == 18
    assert find_benchmark(tmp_path / "r", None).manifest == bench.manifest


def test_json(bench: Benchmark, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    flags = [str(bench.path), "--model", "reference/random", "--out", str(tmp_path / "r"), "--json", "--repeats", "2"]
    assert main(parse(*flags, "--limit", "2", "--seed", "7", "--control", "text-only")) == 0
    value = json.loads(capsys.readouterr().out)
    assert (value["expected"], value["replied"], value["new"], value["not_run"]) == (24, 24, 24, 0)
    assert (value["statuses"], value["failed"], value["ended"]) == ({"complete": 24}, {}, "done")
    manifest = RunFolder(tmp_path / "r").manifest
    assert (manifest.repeats, manifest.limit, manifest.seed, manifest.control) == (2, 2, 7, "text-only")


def test_the_prompt_is_the_one_the_benchmark_is_meant_for_unless_another_is_named() -> None:
    words = ("b", "--model", "reference/oracle", "--out", "r")
    assert make_provider(parse(*words), "as-asked").settings.prompt.text.name == "as-asked"
    named = make_provider(parse(*words, "--prompt", "chain-of-thought"), "as-asked")
    assert named.settings.prompt.text.name == "chain-of-thought"


def test_every_setting_of_the_sampler_reaches_run_json(bench: Benchmark) -> None:
    provider = make_provider(
        parse(
            str(bench.path), "--model", "m", "--out", "r", "--base-url", "http://h", "--temperature", "none",
            "--max-tokens", "9", "--max-tokens-field", "max_completion_tokens", "--json-schema",
            "--extra", '{"top_p": 1}', "--api-key-env", "NO_SUCH_VARIABLE_HERE", "--timeout", "7",
            "--connect-timeout", "3", "--read-timeout", "2", "--concurrency", "5",
        ),
        "json-answerability",
    )  # fmt: skip
    assert canonical(provider.settings.sampling) == {
        "temperature": None, "max_tokens": 9, "max_tokens_field": "max_completion_tokens", "json_schema": True,
        "extra": {"top_p": 1},
    }  # fmt: skip
    settings = provider.settings
    assert (settings.total_timeout, settings.connect_timeout, settings.read_timeout) == (7, 3, 2)
    assert (settings.connections, provider.name) == (5, "openai-chat")


@pytest.mark.parametrize(
    ("flags", "words"),
    [
        (["--model", "m"], "give --base-url URL, or a reference responder"),
        (["--model", "reference/none"], "reference/oracle"),
        (["--model", "reference/oracle", "--base-url", "http://h"], "no base URL with a reference responder"),
        (["--model", "m", "--base-url", "h:8000"], "where: --base-url"),
        (["--model", "reference/oracle", "--temperature", "warm"], "a number, or none; got 'warm'"),
        (["--model", "m", "--base-url", "http://h", "--extra", "{"], "where: --extra"),
        (["--model", "m", "--base-url", "http://h", "--extra", "[]"], "one JSON object"),
        (
            ["--model", "reference/oracle", "--prompt", "rhyme"],
            "chain-of-thought, self-reflection, tubench-no-first, .*; got 'rhyme'",
        ),
        (["--model", "m", "--provider", "carrier-pigeon"], "a provider, one of openai-chat, local, reference"),
        (["--model", "reference/oracle", "--max-cost", "1"], "prices beside --max-cost"),
        (["--model", "reference/oracle", "--split", "dev"], "a split with views, one of test"),
        (["--model", "reference/oracle", "--concurrency", "0"], "where: --concurrency"),
        (["--model", "m", "--base-url", "http://h", "--api-key-env", "sk-0-1"], "the name of an environment variable"),
    ],
)
def test_bad_flags(bench: Benchmark, tmp_path: Path, flags: list[str], words: str) -> None:
    with pytest.raises(SettingsError, match=words) as caught:
        main(parse(str(bench.path), "--out", str(tmp_path / "r"), *flags))
    assert caught.value.exit_code == 2
    assert not (tmp_path / "r").exists()


def test_no_benchmark(tmp_path: Path) -> None:
    with pytest.raises(BenchmarkError, match=r"a benchmark folder with benchmark\.json"):
        main(parse(str(tmp_path), "--model", "reference/oracle", "--out", str(tmp_path / "r")))


def test_the_key_is_never_a_flag() -> None:
    with pytest.raises(SystemExit):
        parse("b", "--model", "m", "--out", "r", "--api-key", "sk-1")


def test_the_estimate_is_printed_before_the_start(
    bench: Benchmark, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    flags = ["--price-in", "1", "--price-out", "2", "--out", str(tmp_path / "r")]
    assert main(parse(str(bench.path), "--model", "reference/oracle", *flags)) == 0
    captured = capsys.readouterr()
    words = " ".join(captured.err.split())
    assert words.startswith("18 requests, about ")
    assert "with short replies, at most $" in words
    assert "cost" in captured.out


def test_the_note_of_the_progress_bar() -> None:
    now = Progress(
        expected=10, replied=4, failed=1, in_flight=3, limit=8, rate=2.5, left=2.0, tokens=99, cost=0.5,
        longest=(("abc", 12.4), ("def", 1.0)), paused=3.2,
    )  # fmt: skip
    assert _note(now) == (
        "2.5 replies/s, 3 of 8 in flight, longest 12 s (abc), 99 tokens, $0.5, 1 failed, paused 3 s by the server"
    )
    quiet = msgspec.structs.replace(now, longest=(), tokens=0, cost=None, failed=0, paused=0.0)
    assert _note(quiet) == "2.5 replies/s, 3 of 8 in flight"


def test_a_key_given_as_a_name_is_not_repeated() -> None:
    with pytest.raises(SettingsError, match="give the variable's name") as caught:
        make_provider(
            parse("b", "--model", "m", "--out", "r", "--base-url", "http://h", "--api-key-env", "sk-secret-1"),
            "as-asked",
        )
    assert "sk-secret" not in str(caught.value)
