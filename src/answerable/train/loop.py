"""The training loop: the same settings and seed give the same bits, stopped and resumed or not.

Examples come in an order that derives from the seed, so the number of the step is all the order there is to remember.
A checkpoint is one safetensors file: the trained tensors, both moments of Adam, and the step; no pickle. The log has
one line a step and no times; what a resumed loop had logged beyond its checkpoint is cut off and written again.

Source of the schedule: MM-R3, implementation details (cross-entropy, 1e-5, linear decay, batches of 2). The paper does
not name its optimiser; this is Adam.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from pathlib import Path
from typing import Any, Final, Protocol

import msgspec

from answerable.core.codec import canonical, decode, encode, encode_pretty
from answerable.core.errors import LogError, RunMismatchError, SettingsError, StorageError
from answerable.core.files import write_bytes
from answerable.core.records import Record
from answerable.core.runlog import read_lines
from answerable.core.seeds import Stream, seed_from
from answerable.models.engine import Tensor, deterministic, torch_or_missing
from answerable.models.tensors import fill, load_tensors, save_tensors

STATE, LOG, PLAN = "state.safetensors", "log.jsonl", "train.json"
_NOTE: Final = "answerable"
_MAX_PLAN: Final = 1 << 20
#: Numbers of Adam, beside the rate.
_BETAS, _EPSILON = (0.9, 0.999), 1e-8


class Schedule(Record, frozen=True):
    """How long, how fast, and how often a state is kept."""

    steps: int
    batch: int = 2
    """Examples whose gradients are averaged for one step."""
    rate: float = 1e-5
    """At the first step; it falls in a straight line to 0."""
    seed: int = 0
    every: int = 100
    """Steps between two checkpoints."""

    def check(self) -> None:
        """Raise ``SettingsError`` for the first setting that makes no sense."""
        for flag, value in (("--steps", self.steps), ("--batch", self.batch), ("--checkpoint-every", self.every)):
            if value < 1:
                raise SettingsError("a whole number from 1", f"{value}", where=flag)
        if not (math.isfinite(self.rate) and self.rate > 0):
            raise SettingsError("a rate above 0", f"{self.rate:g}", where="--rate")


class Step(Record, frozen=True):
    """One line of ``log.jsonl``."""

    step: int
    """From 1."""
    loss: float
    """Mean over the batch, before the step."""
    rate: float
    examples: tuple[str, ...]
    """What the batch was made of."""


class _Mark(Record, frozen=True):
    """What a checkpoint says of itself."""

    step: int
    plan: str
    """The whole plan it belongs to, as canonical JSON."""


class Work(Protocol):
    """What is trained, and on what."""

    count: int
    """Examples."""

    def name(self, example: int) -> str:
        """What the log calls an example."""

    def parameters(self) -> dict[str, Tensor]:
        """What is trained, by name."""

    def loss(self, example: int, step: int) -> Tensor:
        """The loss of one example, shape ()."""


#: Called after each step.
Watch = Callable[[Step], None]


def train(
    work: Work,
    schedule: Schedule,
    plan: Record,
    folder: Path,
    *,
    watch: Watch | None = None,
    stop: Callable[[], bool] = lambda: False,
) -> tuple[Step, Step]:
    """Train from the checkpoint in ``folder``, or from the beginning, to the end.

    Args:
        work: what is trained; its parameters hold the result.
        schedule: how.
        plan: everything that decides the result; a checkpoint of another plan is refused.
        folder: a new one, or one of the same plan.
        watch: told of every step.
        stop: asked after every step; True keeps the state and ends.

    Returns:
        The first and the last line of the log.

    Raises:
        RunMismatchError: the folder holds the training of another plan.
        SettingsError: a loss that is no finite number, or a damaged checkpoint.
        KeyboardInterrupt: ``stop`` said so; the same call resumes.
        StorageError: the disk refused a write.
    """
    schedule.check()
    settle(folder, plan)
    loop = _Loop(work, schedule, plan, folder)
    begin = loop.resume()
    with deterministic(seed_from("training", schedule.seed)):
        for number in range(begin, schedule.steps):
            line = loop.step(number)
            if watch is not None:
                watch(line)
            halt = stop()
            if halt or (number + 1) % schedule.every == 0 or number + 1 == schedule.steps:
                loop.keep(number + 1)
            if halt and number + 1 < schedule.steps:
                raise KeyboardInterrupt
    return loop.ends()


def settle(folder: Path, plan: Record) -> None:
    """Write the plan, or see that the folder's is the same.

    Raises:
        RunMismatchError: it is another one, or the folder holds something else.
    """
    path = folder / PLAN
    if path.is_file():
        if path.stat().st_size > _MAX_PLAN or path.read_bytes() != encode_pretty(plan):
            raise RunMismatchError(
                "the settings the training was started with", _difference(path, plan), where=str(path),
                fix="repeat the first command to resume, or choose another --out",
            )  # fmt: skip
        return
    if folder.exists() and (not folder.is_dir() or any(folder.iterdir())):
        raise RunMismatchError(
            "a new or empty folder, or one of this training", f"{folder}, which has something else",
            fix="choose another --out",
        )  # fmt: skip
    write_bytes(path, encode_pretty(plan))


def _difference(path: Path, plan: Record) -> str:
    """The first setting that differs, in words."""
    try:
        theirs = decode(path.read_bytes()[:_MAX_PLAN], dict[str, Any])
    except msgspec.MsgspecError:
        return "a file that cannot be read"
    mine = canonical(plan)
    for name in sorted({*mine, *theirs}):
        if mine.get(name) != theirs.get(name):
            return f"{name}={encode(mine.get(name)).decode()[:120]}, not {encode(theirs.get(name)).decode()[:120]}"
    return "the same settings, written otherwise"


def rate_at(schedule: Schedule, step: int) -> float:
    """The rate of a step, from 0: a straight line that would reach 0 after the last one."""
    return schedule.rate * (schedule.steps - step) / schedule.steps


class Order:
    """Which examples a step takes: every one once before any comes again, in an order of its own each time."""

    def __init__(self, count: int, batch: int, seed: int) -> None:
        self._count, self._batch, self._seed = count, batch, seed
        self._pass, self._places = -1, list(range(count))

    def batch(self, step: int) -> list[int]:
        """Numbers of the examples of a step, from 0."""
        return [self._at(place) for place in range(step * self._batch, (step + 1) * self._batch)]

    def _at(self, place: int) -> int:
        number, within = divmod(place, self._count)
        if number != self._pass:
            self._pass, self._places = number, list(range(self._count))
            Stream("order of training", self._seed, number).shuffle(self._places)
        return self._places[within]


class _Loop:
    """One training under way."""

    def __init__(self, work: Work, schedule: Schedule, plan: Record, folder: Path) -> None:
        self._work, self._schedule, self._folder = work, schedule, folder
        self._plan = encode(plan).decode()
        self._order = Order(work.count, schedule.batch, schedule.seed)
        self._names = sorted(work.parameters())
        self._parameters = work.parameters()
        self._adam = torch_or_missing().optim.Adam(
            [self._parameters[name] for name in self._names],
            lr=schedule.rate,
            betas=_BETAS,
            eps=_EPSILON,
            foreach=False,
        )

    def step(self, number: int) -> Step:
        """One step, and its line in the log."""
        examples = self._order.batch(number)
        self._adam.zero_grad(set_to_none=True)
        total = 0.0
        for example in examples:
            loss = self._work.loss(example, number) / len(examples)
            value = float(loss.detach())
            if not math.isfinite(value):
                raise SettingsError(
                    "a loss that is a finite number", f"{value} for {self._work.name(example)} at step {number + 1}",
                    "--rate", fix="choose a smaller --rate and another --out",
                )  # fmt: skip
            loss.backward()
            total += value
        rate = rate_at(self._schedule, number)
        for group in self._adam.param_groups:
            group["lr"] = rate
        self._adam.step()
        line = Step(number + 1, total, rate, tuple(self._work.name(example) for example in examples))
        try:
            with (self._folder / LOG).open("ab") as log:
                log.write(encode(line) + b"\n")
        except OSError as error:
            raise StorageError.from_os(error, self._folder / LOG) from error
        return line

    def keep(self, step: int) -> None:
        """Write a checkpoint."""
        tensors = {f"parameter/{name}": self._parameters[name] for name in self._names}
        for name in self._names:
            state = self._adam.state[self._parameters[name]]
            tensors |= {f"first/{name}": state["exp_avg"], f"second/{name}": state["exp_avg_sq"]}
        save_tensors(self._folder / STATE, tensors, {_NOTE: encode(_Mark(step, self._plan)).decode()})

    def resume(self) -> int:
        """Take up the checkpoint and cut the log to it; how many steps are done.

        Raises:
            SettingsError: it is damaged.
            RunMismatchError: it is of another plan.
        """
        path, step = self._folder / STATE, 0
        if path.is_file():
            tensors, notes = load_tensors(path)
            try:
                mark = decode(notes.get(_NOTE, ""), _Mark)
            except msgspec.MsgspecError as error:
                raise SettingsError("a checkpoint of ours", str(error), where=str(path)) from error
            if mark.plan != self._plan or not 0 < mark.step <= self._schedule.steps:
                raise RunMismatchError("a checkpoint of this training", f"one of step {mark.step}", where=str(path))
            step = mark.step
            self._restore(tensors, step, path)
        self._cut_log(step)
        return step

    def _restore(self, tensors: dict[str, Tensor], step: int, path: Path) -> None:
        torch = torch_or_missing()
        parts: dict[str, dict[str, Tensor]] = {"parameter": {}, "first": {}, "second": {}}
        for name, value in tensors.items():
            part, _, rest = name.partition("/")
            parts.setdefault(part, {})[rest] = value
        moments = [{name: torch.zeros_like(value) for name, value in self._parameters.items()} for _ in range(2)]
        fill(self._parameters, parts["parameter"], path)
        fill(moments[0], parts["first"], path)
        fill(moments[1], parts["second"], path)
        for name, value in self._parameters.items():
            self._adam.state[value] = {
                "step": torch.tensor(float(step), dtype=torch.float32),
                "exp_avg": moments[0][name],
                "exp_avg_sq": moments[1][name],
            }

    def _cut_log(self, step: int) -> None:
        path = self._folder / LOG
        lines = list(read_lines(path, Step)) if path.is_file() else []
        kept = [encode(line) for _, line in lines[:step]]
        if len(kept) < step or any(line.step != number for number, line in lines[:step]):
            raise LogError(
                f"a log with the {step} steps of the checkpoint", f"{len(lines)} lines", where=str(path),
                fix="restore the log, or choose another --out",
            )  # fmt: skip
        write_bytes(path, b"".join(line + b"\n" for line in kept))

    def ends(self) -> tuple[Step, Step]:
        """First and last line of the log."""
        lines = [line for _, line in read_lines(self._folder / LOG, Step)]
        return lines[0], lines[-1]
