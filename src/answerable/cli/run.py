"""``answerable run``: put a benchmark to a model."""

from __future__ import annotations

import argparse
import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from answerable.core.errors import SettingsError

if TYPE_CHECKING:
    from answerable.core.runlog import Sampling
    from answerable.run.prompts import Prompt
    from answerable.run.providers.base import Provider
    from answerable.run.settings import Estimate, Progress, RunSettings, RunSummary, Watch

_EXAMPLES = """examples:
  answerable run BENCH --model reference/oracle --out RUN
  answerable run BENCH --model NAME --base-url http://127.0.0.1:8000/v1 --out RUN
  OPENAI_API_KEY=... answerable run BENCH --model NAME --base-url https://host/v1 --out RUN \\
      --price-in 0.15 --price-out 0.60 --max-cost 5
  answerable run BENCH --model local/FOLDER --adapter ADAPTER --out RUN

Repeat the same command to resume: views with a reply are not asked again, views that failed are.
"""


def add_parser(subparsers: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Declare the verb and its flags."""
    parser = subparsers.add_parser(
        "run",
        help="put a benchmark to a model and log every reply",
        description="Ask a model every view of a benchmark, one image and one question a request.",
        epilog=_EXAMPLES,
        formatter_class=argparse.RawDescriptionHelpFormatter,
        # --api-key must not be taken for --api-key-env.
        allow_abbrev=False,
    )
    parser.add_argument("benchmark", type=Path, metavar="BENCH", help="benchmark folder")
    parser.add_argument(
        "--model", required=True,
        help="the server's name of the model, reference/NAME, or local/FOLDER for one in this process",
    )  # fmt: skip
    parser.add_argument("--out", required=True, type=Path, metavar="RUN", help="run folder, new or to resume")
    _server_flags(parser)
    _local_flags(parser)
    _question_flags(parser)
    _pace_flags(parser)
    parser.add_argument("--json", action="store_true", help="print the summary as JSON")
    parser.set_defaults(handler="answerable.cli.run:main")


def _server_flags(parser: argparse.ArgumentParser) -> None:
    flags = parser.add_argument_group("the server")
    flags.add_argument("--base-url", default="", metavar="URL", help="OpenAI-compatible server, with or without /v1")
    flags.add_argument(
        "--provider", default="", metavar="NAME", help="openai-chat (the default), local, or an installed one"
    )
    flags.add_argument(
        "--api-key-env", default="OPENAI_API_KEY", metavar="VAR",
        help="environment variable that holds the key; sent only if set (default: OPENAI_API_KEY)",
    )  # fmt: skip
    flags.add_argument("--timeout", type=float, default=300.0, metavar="S", help="seconds for one request (300)")
    flags.add_argument("--connect-timeout", type=float, default=20.0, metavar="S", help="to reach the host (20)")
    flags.add_argument("--read-timeout", type=float, metavar="S", help="seconds without a byte (default: no limit)")


def _local_flags(parser: argparse.ArgumentParser) -> None:
    flags = parser.add_argument_group("a model in this process (--model local/FOLDER_OR_NAME; nothing is downloaded)")
    flags.add_argument("--adapter", default="", metavar="FOLDER", help="what 'answerable train adapter' made")
    flags.add_argument("--device", default="auto", metavar="NAME", help="cpu, cuda, or auto (auto)")
    flags.add_argument(
        "--dtype", default="auto", metavar="NAME", help="float32, bfloat16, float16, or auto: as stored (auto)"
    )


def _question_flags(parser: argparse.ArgumentParser) -> None:
    flags = parser.add_argument_group("what is asked (kept in run.json; a resumed run must repeat it)")
    flags.add_argument("--prompt", metavar="NAME", help="default: the one that the benchmark is meant for")
    flags.add_argument("--temperature", default="0", metavar="T", help="a number, or none to leave it out (0)")
    flags.add_argument("--max-tokens", type=int, default=512, metavar="N", help="output tokens a reply (512)")
    flags.add_argument(
        "--max-tokens-field", default="max_tokens", metavar="FIELD", help="some servers want max_completion_tokens"
    )
    flags.add_argument("--json-schema", action="store_true", help="send the prompt's JSON schema as response format")
    flags.add_argument("--extra", default="{}", metavar="JSON", help="""more body fields, such as '{"top_p": 1}'""")
    flags.add_argument("--repeats", type=int, default=1, metavar="N", help="times each view is asked (1)")
    flags.add_argument("--split", default="test", help="split to ask (test)")
    flags.add_argument("--limit", type=int, metavar="GROUPS", help="only the first so many whole groups")
    flags.add_argument(
        "--control", choices=("none", "text-only", "blank-image"), default="none",
        help="send no image, or a white one, to see what the text alone gives away",
    )  # fmt: skip
    flags.add_argument("--seed", type=int, default=0, metavar="S", help="of the order of requests (0)")


def _pace_flags(parser: argparse.ArgumentParser) -> None:
    flags = parser.add_argument_group("how fast, and how much")
    flags.add_argument("--concurrency", type=int, default=64, metavar="N", help="most requests at once (64)")
    flags.add_argument(
        "--concurrency-start", type=int, default=4, metavar="N", help="requests at once to begin with (4)"
    )
    flags.add_argument("--retries", type=int, default=5, metavar="N", help="further attempts a view (5)")
    flags.add_argument("--give-up-after", type=float, default=900.0, metavar="S", help="seconds for a view (900)")
    flags.add_argument(
        "--halt-after", type=int, default=50, metavar="N", help="stop when so many views fail in a row; 0: never (50)"
    )
    flags.add_argument(
        "--max-image-bytes", type=int, default=20_000_000, metavar="N", help="longest base64 of an image (20000000)"
    )
    flags.add_argument("--price-in", type=float, metavar="USD", help="for a million prompt tokens")
    flags.add_argument("--price-out", type=float, metavar="USD", help="for a million completion tokens")
    flags.add_argument("--max-cost", type=float, metavar="USD", help="stop before this is passed; needs both prices")
    flags.add_argument("--fsync-every", type=int, default=64, metavar="N", help="replies between forced writes (64)")


def main(args: argparse.Namespace) -> int:
    """Run and print what became of it."""
    from answerable.cli.common import remember_benchmark
    from answerable.cli.console import print_json
    from answerable.core.benchmark import Benchmark
    from answerable.run.runner import run
    from answerable.run.settings import exit_code

    settings = _settings(args)
    benchmark = Benchmark(args.benchmark)
    provider = make_provider(args, benchmark.manifest.prompt)

    def begin(expected: Estimate | None, requests: int) -> None:
        # Now the run folder is ours; also a run that is killed later can be scored by its own name.
        remember_benchmark(args.out, args.benchmark)
        _announce(expected, requests)

    with watching(args.model) as watch:
        summary = run(benchmark, provider, settings, args.out, watch=watch, announce=begin)
    if args.json:
        print_json(summary)
    else:
        show(summary, args)
    return exit_code(summary)


def make_provider(args: argparse.Namespace, meant: str) -> Provider:
    """The provider that the flags ask for, with the prompt that the benchmark is meant for unless they name one."""
    from answerable.run.prompts import PROMPTS

    return provider_with(args, PROMPTS.load(args.prompt or meant))


def provider_name(args: argparse.Namespace) -> str:
    """Whom the flags ask: a server's models may have any name, so a base URL decides before ``local/`` does."""
    if args.provider:
        return str(args.provider)
    if args.model.startswith("reference/"):
        return "reference"
    return "local" if args.model.startswith("local/") and not args.base_url else "openai-chat"


def provider_with(args: argparse.Namespace, prompt: Prompt) -> Provider:
    """The provider that the flags ask for, with a prompt."""
    from answerable.run.providers import PROVIDERS
    from answerable.run.providers.base import ProviderSettings

    # Verbs that ask servers only have no flags for a model in this process.
    adapter = getattr(args, "adapter", "")
    name = provider_name(args)
    if adapter and name != "local":
        raise SettingsError(
            "an adapter on a model in this process", f"model={args.model}", "--adapter", fix="use --model local/FOLDER"
        )
    return PROVIDERS.load(name)(
        ProviderSettings(
            model=args.model,
            prompt=prompt,
            sampling=_sampling(args),
            base_url=args.base_url,
            api_key_env=args.api_key_env,
            environment=os.environ,
            connections=args.concurrency,
            connect_timeout=args.connect_timeout,
            read_timeout=args.read_timeout,
            total_timeout=args.timeout,
            adapter=adapter,
            device=getattr(args, "device", "auto"),
            dtype=getattr(args, "dtype", "auto"),
        )
    )


def _sampling(args: argparse.Namespace) -> Sampling:
    import msgspec

    from answerable.core.runlog import Sampling

    try:
        temperature = None if args.temperature == "none" else float(args.temperature)
    except ValueError:
        raise SettingsError("a number, or none", repr(args.temperature), "--temperature") from None
    try:
        extra = msgspec.json.encode(msgspec.json.decode(args.extra))
    except (msgspec.MsgspecError, RecursionError) as error:
        raise SettingsError("a JSON object", f"{error}", "--extra", fix="""for example '{"top_p": 1}'""") from error
    return Sampling(
        temperature=temperature,
        max_tokens=args.max_tokens,
        max_tokens_field=args.max_tokens_field,
        json_schema=args.json_schema,
        extra=msgspec.Raw(extra),
    )


def _settings(args: argparse.Namespace) -> RunSettings:
    from answerable.run.settings import RunSettings

    # A model in this process takes one view at a time; others would only wait, and their time be counted.
    local = provider_name(args) == "local"
    settings = RunSettings(
        repeats=args.repeats,
        control=args.control,
        split=args.split,
        limit=args.limit,
        seed=args.seed,
        concurrency=1 if local else args.concurrency,
        concurrency_start=1 if local else args.concurrency_start,
        retries=args.retries,
        give_up_after=args.give_up_after,
        max_image_bytes=args.max_image_bytes,
        price_in=args.price_in,
        price_out=args.price_out,
        max_cost=args.max_cost,
        fsync_every=args.fsync_every,
        halt_after=args.halt_after,
    )
    settings.check()
    return settings


def _announce(expected: Estimate | None, requests: int) -> None:
    from answerable.cli.console import console

    if expected is not None:
        console().print(
            f"{requests} requests, about {expected.prompt_tokens} prompt tokens: "
            f"${expected.low:.4g} with short replies, at most ${expected.high:.4g} if each uses up its tokens "
            "(text at 4 characters a token, images at 28 x 28 pixels a token; servers count differently)"
        )


@contextmanager
def watching(model: str) -> Iterator[Watch]:
    """A progress bar that starts with the first news."""
    from contextlib import ExitStack

    from answerable.cli.console import Progress as Bar
    from answerable.cli.console import progress

    with ExitStack() as stack:
        bar: Bar | None = None
        shown = 0

        def watch(now: Progress) -> None:
            nonlocal bar, shown
            if bar is None:
                bar = stack.enter_context(progress(model, now.expected, "views"))
            done = now.replied + now.failed
            bar.advance(done - shown, note=_note(now))
            shown = done

        yield watch


def _note(now: Progress) -> str:
    parts = [f"{now.rate:.1f} replies/s", f"{now.in_flight} of {now.limit} in flight"]
    if now.longest and now.longest[0][1] >= 1:
        view, seconds = now.longest[0]
        parts.append(f"longest {seconds:.0f} s ({view})")
    if now.tokens:
        parts.append(f"{now.tokens} tokens")
    if now.cost is not None:
        parts.append(f"${now.cost:.4g}")
    if now.failed:
        parts.append(f"{now.failed} failed")
    if now.paused >= 1:
        parts.append(f"paused {now.paused:.0f} s by the server")
    return ", ".join(parts)


def show(summary: RunSummary, args: argparse.Namespace) -> None:
    """What became of the run: one line when all went well, else a table, and what to do next."""
    from answerable.cli.console import out, table

    title = f"{args.model} on {args.benchmark}"
    if summary.complete and set(summary.statuses) <= {"complete"}:
        out(f"{title}: {summary.replied} of {summary.expected} replied ({summary.new} new); {_spent(summary)}")
    else:
        table(title, ["", "views x repeats"], _rows(summary))
    if summary.message:
        out(f"ended early: {summary.message}")
    if summary.complete:
        out(f"next: answerable score {args.out}")
    else:
        out(f"repeat the command to ask what is missing; failures are listed in {args.out / 'failures.jsonl'}")


def _rows(summary: RunSummary) -> list[list[str]]:
    return [
        ["expected", str(summary.expected)],
        ["replied", f"{summary.replied} ({summary.new} new)"],
        *([f"  {status}", str(count)] for status, count in summary.statuses.items()),
        ["failed", str(sum(summary.failed.values()))],
        *([f"  {kind}", str(count)] for kind, count in summary.failed.items()),
        ["not run", str(summary.not_run)],
        ["spent", _spent(summary)],
    ]


def _spent(summary: RunSummary) -> str:
    """Time, tokens and cost in words; what the server did not count is said."""
    words = [f"{summary.seconds:.1f} s, {summary.rate:.1f} replies/s"]
    if summary.prompt_tokens or summary.completion_tokens:
        reasoning = f" of which {summary.reasoning_tokens} reasoning" if summary.reasoning_tokens else ""
        words.append(f"tokens in {summary.prompt_tokens}, out {summary.completion_tokens}{reasoning}")
    if summary.uncounted:
        words.append(f"{summary.uncounted} replies without token counts")
    if summary.cost is not None:
        words.append(f"cost ${summary.cost:.4g}")
    return "; ".join(words)
