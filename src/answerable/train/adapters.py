"""Training an adapter: a frozen model, a training split, and the loop."""

from __future__ import annotations

from collections.abc import Callable
from importlib.metadata import version
from pathlib import Path

from answerable import __version__
from answerable.core.benchmark import Benchmark
from answerable.core.codec import encode
from answerable.core.records import Record
from answerable.models.adapter import CARD, AdapterCard, AdapterShape, Losses, put_on, read_card, save
from answerable.models.engine import Tensor
from answerable.models.local import LocalModel
from answerable.train.examples import TRAIN, Examples, Wording
from answerable.train.loop import STATE, Schedule, Watch, settle, train


class AdapterPlan(Record, frozen=True):
    """``train.json``: everything that decides an adapter's numbers."""

    answerable: str
    """Version."""
    benchmark: str
    benchmark_fingerprint: str
    split: str
    examples: int
    model: str
    model_sha256: str
    prompt: str
    prompt_sha256: str
    shape: AdapterShape
    schedule: Schedule
    device: str
    dtype: str
    """Of the frozen weights; the adapter's own are 32-bit floats."""
    libraries: dict[str, str]


class _Work:
    """See ``loop.Work``."""

    def __init__(self, local: LocalModel, examples: Examples, parameters: dict[str, Tensor]) -> None:
        self._local, self._examples, self._parameters = local, examples, parameters
        self.count = len(examples)

    def name(self, example: int) -> str:
        """The view's id."""
        return self._examples.view(example)

    def parameters(self) -> dict[str, Tensor]:
        """The adapter's."""
        return self._parameters

    def loss(self, example: int, step: int) -> Tensor:
        """Cross-entropy of the right reply."""
        del step
        return self._local.loss(self._examples.question(example), self._examples.target(example))


def train_adapter(
    benchmark: Benchmark,
    wording: Wording,
    local: LocalModel,
    shape: AdapterShape,
    schedule: Callable[[int], Schedule],
    out: Path,
    *,
    watch: Callable[[int], Watch] | None = None,
    stop: Callable[[], bool] = lambda: False,
) -> tuple[AdapterCard, bool]:
    """Train an adapter on a benchmark's training split; the same call resumes.

    Args:
        benchmark: verified before the first step; only its training split is read.
        wording: of the prompt.
        local: the model, without an adapter.
        shape: kind and sizes.
        schedule: told the number of examples.
        out: the adapter folder.
        watch: told the number of steps, gives what is told of each.
        stop: asked after each step.

    Returns:
        The adapter's card, and whether it was finished before.

    Raises:
        SettingsError: no training split, or a setting that makes no sense.
        RunMismatchError: ``out`` holds another training.
        KeyboardInterrupt: stopped; the state is kept.
    """
    shape.check()
    examples = Examples(benchmark, wording)
    times = schedule(len(examples))
    times.check()
    plan = _plan(benchmark, wording, local, shape, times, len(examples))
    if (out / CARD).is_file():
        settle(out, plan)
        return read_card(out), True
    adapter = put_on(local, shape, times.seed)
    work = _Work(local, examples, adapter.parameters())
    first, last = train(work, times, plan, out, watch=watch(times.steps) if watch else None, stop=stop)
    losses = Losses(last.step, first.loss, last.loss)
    card = save(out, adapter, local.folder.name, local.folder.sha256, losses, encode(plan))
    (out / STATE).unlink(missing_ok=True)
    return card, False


def _plan(
    benchmark: Benchmark, wording: Wording, local: LocalModel, shape: AdapterShape, schedule: Schedule, count: int
) -> AdapterPlan:
    names = ("torch", "transformers", *(("peft",) if shape.lora else ()))
    return AdapterPlan(
        answerable=__version__,
        benchmark=benchmark.manifest.name,
        benchmark_fingerprint=benchmark.manifest.fingerprint,
        split=TRAIN,
        examples=count,
        model=local.folder.name,
        model_sha256=local.folder.sha256,
        prompt=wording.name,
        prompt_sha256=wording.sha256,
        shape=shape,
        schedule=schedule,
        device=local.device,
        dtype=local.dtype,
        libraries={name: version(name) for name in names},
    )
