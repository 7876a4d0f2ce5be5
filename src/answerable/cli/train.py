"""``answerable train``: an adapter on a frozen model, or a network that gives pictures a style."""

from __future__ import annotations

import argparse
import os
import signal
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from answerable.core.errors import SettingsError

if TYPE_CHECKING:
    from answerable.models.adapter import AdapterShape
    from answerable.train.examples import Wording
    from answerable.train.loop import Schedule, Step, Watch

_EXAMPLES = """examples:
  answerable build chart --groups 100 --train-groups 400 --out BENCH
  answerable train adapter BENCH --model FOLDER --method prefix --out ADAPTER
  answerable run BENCH --model local/FOLDER --adapter ADAPTER --out RUN

  answerable train style --style picture.jpg --content PHOTOS --out mine.onnx

Repeat the same command to resume: a stopped training goes on from its last state, to the same bits.
"""
#: What CUDA's library of matrices needs, to be set before it loads, for the same numbers each time.
_CUBLAS = "CUBLAS_WORKSPACE_CONFIG"


def add_parser(subparsers: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Declare the verb and its flags."""
    parser = subparsers.add_parser(
        "train",
        help="train an adapter on a benchmark's training split, or a style network",
        description="Train on this machine, the same bits for the same seed (extra: train).",
        epilog=_EXAMPLES,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    kinds = parser.add_subparsers(dest="kind", metavar="KIND", required=True)
    _adapter_flags(kinds.add_parser("adapter", help="the prefix adapter of MM-R3, or LoRA, on a frozen model"))
    _style_flags(kinds.add_parser("style", help="a small feed-forward style network, as an ONNX file"))


def _adapter_flags(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("benchmark", type=Path, metavar="BENCH", help="benchmark folder with a training split")
    parser.add_argument("--model", required=True, metavar="FOLDER_OR_NAME", help="a model on this machine")
    parser.add_argument("--out", required=True, type=Path, metavar="FOLDER", help="adapter folder, new or to resume")
    parser.add_argument("--method", choices=("prefix", "lora"), default="prefix", help="kind of adapter (prefix)")
    parser.add_argument("--prompt", metavar="NAME", help="default: the one that the benchmark is meant for")
    parser.add_argument("--device", default="auto", metavar="NAME", help="cpu, cuda, or auto (auto)")
    parser.add_argument("--dtype", default="auto", metavar="NAME", help="of the frozen weights; auto: as stored (auto)")
    sizes = parser.add_argument_group("sizes")
    sizes.add_argument("--prefix", type=int, default=3, metavar="N", help="vectors before the prompt (3)")
    sizes.add_argument("--layers", type=int, default=2, metavar="N", help="of the Bi-LSTM (2)")
    sizes.add_argument("--hidden", type=int, default=0, metavar="N", help="of the Bi-LSTM; 0: the model's width (0)")
    sizes.add_argument("--rank", type=int, default=8, metavar="N", help="of LoRA (8)")
    sizes.add_argument("--alpha", type=int, default=16, metavar="N", help="of LoRA (16)")
    sizes.add_argument(
        "--targets", default="q_proj,v_proj", metavar="NAMES", help="linear layers that LoRA adapts (q_proj,v_proj)"
    )
    times = parser.add_argument_group("how long and how fast")
    times.add_argument("--epochs", type=int, default=1, metavar="N", help="times every view is seen (1)")
    times.add_argument("--steps", type=int, metavar="N", help="in place of --epochs")
    times.add_argument("--batch", type=int, default=2, metavar="N", help="views a step (2)")
    times.add_argument("--rate", type=float, default=1e-5, metavar="R", help="at first; falls linearly to 0 (1e-5)")
    times.add_argument("--seed", type=int, default=0, metavar="S", help="of first weights and order (0)")
    times.add_argument("--checkpoint-every", type=int, default=100, metavar="N", help="steps (100)")
    parser.set_defaults(handler="answerable.cli.train:adapter")


def _style_flags(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--style", required=True, type=Path, metavar="IMAGE", help="the picture whose style is learned")
    parser.add_argument("--content", required=True, type=Path, metavar="FOLDER", help="photos to learn on")
    parser.add_argument("--out", required=True, type=Path, metavar="FILE.onnx", help="not a published network's name")
    parser.add_argument("--size", type=int, default=128, metavar="N", help="pixels of a training square's side (128)")
    parser.add_argument("--style-size", type=int, default=256, metavar="N", help="of the style picture (256)")
    parser.add_argument("--width", type=int, default=16, metavar="N", help="channels of the first layer (16)")
    parser.add_argument("--content-weight", type=float, default=1.0, metavar="W", help="(1)")
    parser.add_argument("--style-weight", type=float, default=3.0, metavar="W", help="(3)")
    parser.add_argument("--smooth-weight", type=float, default=0.05, metavar="W", help="(0.05)")
    parser.add_argument("--steps", type=int, default=1000, metavar="N", help="(1000)")
    parser.add_argument("--batch", type=int, default=1, metavar="N", help="photos a step (1)")
    parser.add_argument("--rate", type=float, default=2e-3, metavar="R", help="at first; falls linearly to 0 (0.002)")
    parser.add_argument("--seed", type=int, default=0, metavar="S", help="of first weights, order and squares (0)")
    parser.add_argument("--checkpoint-every", type=int, default=100, metavar="N", help="steps (100)")
    parser.set_defaults(handler="answerable.cli.train:style")


def adapter(args: argparse.Namespace) -> int:
    """Train an adapter and say what became of the loss."""
    import msgspec

    from answerable.cli.console import out
    from answerable.core.benchmark import Benchmark
    from answerable.models.folder import find_model
    from answerable.models.local import LocalModel
    from answerable.run.providers.local import PREFIX
    from answerable.train.adapters import train_adapter

    os.environ.setdefault(_CUBLAS, ":4096:8")
    shape, schedule = _shape(args), _schedule(args)
    shape.check()
    benchmark = Benchmark(args.benchmark)
    wording = wording_of(args.prompt or benchmark.manifest.prompt)
    folder = find_model(args.model.removeprefix(PREFIX))
    local = LocalModel(folder, device=args.device, dtype=args.dtype)
    with _interruptible() as stop, _bars("training") as watch:
        card, before = train_adapter(benchmark, wording, local, shape, schedule, args.out, watch=watch, stop=stop)
    done, steps, first, last = ("was trained before" if before else "trained"), *msgspec.structs.astuple(card.losses)
    out(f"{args.out}: {done}, {steps} steps on the training split; loss {first:.4g} -> {last:.4g}")
    out(f"next: answerable run {args.benchmark} --model {PREFIX}{args.model.removeprefix(PREFIX)} --adapter {args.out}"
        " --out RUN")  # fmt: skip
    return 0


def style(args: argparse.Namespace) -> int:
    """Train a style network and say what became of the loss."""
    from answerable.cli.console import out
    from answerable.train.loop import Schedule
    from answerable.train.style import StyleSettings, train_style

    settings = StyleSettings(
        size=args.size,
        style_size=args.style_size,
        width=args.width,
        content_weight=args.content_weight,
        style_weight=args.style_weight,
        smooth_weight=args.smooth_weight,
    )
    times = Schedule(
        steps=args.steps, batch=args.batch, rate=args.rate, seed=args.seed, every=args.checkpoint_every
    )  # fmt: skip
    with _interruptible() as stop, _bars("training") as watch:
        first, last = train_style(
            args.style, args.content, args.out, settings, times, watch=watch(args.steps), stop=stop
        )
    out(f"{args.out}: {last.step} steps; loss {first.loss:.4g} -> {last.loss:.4g}; {args.out.stat().st_size} bytes")
    return 0


def _shape(args: argparse.Namespace) -> AdapterShape:
    from answerable.models.adapter import AdapterShape
    from answerable.models.lora import LoraShape
    from answerable.models.prefix import PrefixShape

    if args.method == "lora":
        targets = tuple(name.strip() for name in args.targets.split(","))
        return AdapterShape(lora=LoraShape(rank=args.rank, alpha=args.alpha, targets=targets))
    return AdapterShape(prefix=PrefixShape(prefix=args.prefix, layers=args.layers, hidden=args.hidden))


def _schedule(args: argparse.Namespace) -> Callable[[int], Schedule]:
    """The schedule, once the number of examples is known."""
    from answerable.train.loop import Schedule

    if args.epochs < 1:
        raise SettingsError("a whole number from 1", f"{args.epochs}", where="--epochs")

    def made(examples: int) -> Schedule:
        steps = args.steps if args.steps is not None else -(-examples * args.epochs // max(1, args.batch))
        return Schedule(steps=steps, batch=args.batch, rate=args.rate, seed=args.seed, every=args.checkpoint_every)

    made(1).check()
    return made


def wording_of(name: str) -> Wording:
    """What a run with this prompt would ask.

    Raises:
        SettingsError: it asks twice, or without the picture.
    """
    from answerable.run.prompts import PROMPTS
    from answerable.train.examples import Wording

    prompt = PROMPTS.load(name)
    if prompt.text.second or prompt.control:
        raise SettingsError("a prompt of one turn with a picture", f"{name!r}", where="--prompt")
    return Wording(name, prompt.text.sha256, prompt.text.system, prompt.user, prompt.reply)


@contextmanager
def _interruptible() -> Iterator[Callable[[], bool]]:
    """Tells whether Ctrl-C was pressed: the step under way ends, and its state is kept. A second one stops at once."""
    asked = threading.Event()
    if threading.current_thread() is not threading.main_thread():
        yield asked.is_set
        return

    def caught(*_: object) -> None:
        if asked.is_set():
            raise KeyboardInterrupt
        asked.set()

    old = {number: signal.signal(number, caught) for number in (signal.SIGINT, signal.SIGTERM)}
    try:
        yield asked.is_set
    finally:
        for number, handler in old.items():
            signal.signal(number, signal.SIG_DFL if handler is None else handler)


@contextmanager
def _bars(title: str) -> Iterator[Callable[[int], Watch]]:
    """A progress bar that starts when the number of steps is known."""
    from contextlib import ExitStack

    from answerable.cli.console import progress

    with ExitStack() as stack:

        def begin(steps: int) -> Watch:
            bar = stack.enter_context(progress(title, steps, "steps"))
            shown = 0

            def watch(line: Step) -> None:
                nonlocal shown
                bar.advance(line.step - shown, note=f"loss {line.loss:.4g}")
                shown = line.step

            return watch

        yield begin
