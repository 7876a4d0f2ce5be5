"""The loop: order, schedule, checkpoints, and what is refused."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from answerable.core.errors import LogError, RunMismatchError, SettingsError
from answerable.core.records import Record
from answerable.train.loop import LOG, PLAN, STATE, Order, Schedule, Step, rate_at, settle, train

TIMES = Schedule(steps=6, batch=2, rate=0.05, seed=3, every=2)


class Plan(Record, frozen=True):
    """A plan."""

    name: str = "a"
    size: int = 1


class Line:
    """A straight line through points: four examples, two numbers."""

    def __init__(self) -> None:
        import torch

        self.count = 4
        self.slope = torch.zeros(1, requires_grad=True)
        self.offset = torch.zeros((), requires_grad=True)
        self.bad_from = 10**6

    def name(self, example: int) -> str:
        return f"p{example}"

    def parameters(self) -> dict[str, Any]:
        return {"slope": self.slope, "offset": self.offset}

    def loss(self, example: int, step: int) -> Any:
        wanted = 3 * example + 1 if step < self.bad_from else float("nan")
        return ((self.slope * example + self.offset).sum() - wanted) ** 2

    def numbers(self) -> tuple[float, float]:
        """The weights, to the bit."""
        return float(self.slope.detach()), float(self.offset.detach())


@given(count=st.integers(1, 30), batch=st.integers(1, 7), seed=st.integers(0, 3))
def test_every_example_comes_once_before_any_comes_again(count: int, batch: int, seed: int) -> None:
    order = Order(count, batch, seed)
    drawn = [example for step in range(2 * count) for example in order.batch(step)]
    for start in range(0, len(drawn) - count + 1, count):
        assert sorted(drawn[start : start + count]) == list(range(count))
    # A step knows its examples whatever was asked before.
    assert Order(count, batch, seed).batch(count) == drawn[count * batch : (count + 1) * batch]


def test_orders_differ_from_pass_to_pass_and_with_the_seed() -> None:
    order = Order(20, 20, 1)
    assert order.batch(0) != order.batch(1)
    assert order.batch(0) != Order(20, 20, 2).batch(0)


def test_the_rate_falls_in_a_straight_line() -> None:
    assert [rate_at(Schedule(steps=4, rate=1.0), step) for step in range(4)] == [1.0, 0.75, 0.5, 0.25]


@pytest.mark.parametrize(
    ("times", "flag"),
    [
        (Schedule(steps=0), "--steps"),
        (Schedule(steps=1, batch=0), "--batch"),
        (Schedule(steps=1, every=0), "--checkpoint-every"),
        (Schedule(steps=1, rate=0.0), "--rate"),
        (Schedule(steps=1, rate=float("nan")), "--rate"),
    ],
)
def test_schedules_that_make_no_sense(times: Schedule, flag: str) -> None:
    with pytest.raises(SettingsError, match=flag):
        times.check()


def test_a_folder_of_something_else_is_left_alone(tmp_path: Path) -> None:
    (tmp_path / "notes.txt").write_text("mine")
    with pytest.raises(RunMismatchError, match="which has something else"):
        settle(tmp_path, Plan())
    with pytest.raises(RunMismatchError, match="which has something else"):
        settle(tmp_path / "notes.txt", Plan())
    assert [path.name for path in tmp_path.iterdir()] == ["notes.txt"]


def test_another_plan_is_named(tmp_path: Path) -> None:
    settle(tmp_path / "a", Plan())
    settle(tmp_path / "a", Plan())
    with pytest.raises(RunMismatchError, match="size=2, not 1"):
        settle(tmp_path / "a", Plan(size=2))
    (tmp_path / "a" / PLAN).write_text("{")
    with pytest.raises(RunMismatchError, match="a file that cannot be read"):
        settle(tmp_path / "a", Plan())


@pytest.mark.torch
def test_it_learns_and_says_so(tmp_path: Path) -> None:
    line, seen = Line(), list[Step]()
    first, last = train(line, Schedule(steps=300, batch=2, rate=0.2), Plan(), tmp_path / "a", watch=seen.append)
    assert last.loss < first.loss / 100
    assert line.numbers() == pytest.approx((3, 1), abs=0.2)
    assert [step.step for step in seen] == list(range(1, 301))
    assert [json.loads(text)["loss"] for text in (tmp_path / "a" / LOG).read_text().splitlines()] == [
        step.loss for step in seen
    ]


@pytest.mark.torch
@pytest.mark.parametrize("stops", [(1,), (3,), (2, 5), (1, 2, 3, 4, 5)])
def test_stopped_and_resumed_is_the_same_to_the_bit(tmp_path: Path, stops: tuple[int, ...]) -> None:
    whole = Line()
    ends = train(whole, TIMES, Plan(), tmp_path / "whole")

    def stopped(at: int) -> int:
        steps: list[Step] = []
        with pytest.raises(KeyboardInterrupt):
            train(
                Line(), TIMES, Plan(), tmp_path / "parts", watch=steps.append, stop=lambda: steps[-1].step == at
            )  # fmt: skip
        return steps[-1].step

    assert tuple(stopped(at) for at in stops) == stops
    rest = Line()
    assert train(rest, TIMES, Plan(), tmp_path / "parts") == ends
    assert rest.numbers() == whole.numbers()
    for name in (LOG, PLAN, STATE):
        assert (tmp_path / "parts" / name).read_bytes() == (tmp_path / "whole" / name).read_bytes()


@pytest.mark.torch
def test_killed_between_checkpoints_is_the_same_too(tmp_path: Path) -> None:
    whole = Line()
    train(whole, TIMES, Plan(), tmp_path / "whole")

    def killed(step: Step) -> None:
        if step.step == 3:
            raise RuntimeError("no time to keep anything")

    with pytest.raises(RuntimeError, match="no time"):
        train(Line(), TIMES, Plan(), tmp_path / "parts", watch=killed)
    assert len((tmp_path / "parts" / LOG).read_text().splitlines()) == 3
    # A line that was being written.
    with (tmp_path / "parts" / LOG).open("ab") as log:
        log.write(b'{"step":4,"lo')
    rest = Line()
    train(rest, TIMES, Plan(), tmp_path / "parts")
    assert rest.numbers() == whole.numbers()
    assert (tmp_path / "parts" / LOG).read_bytes() == (tmp_path / "whole" / LOG).read_bytes()


@pytest.mark.torch
def test_a_finished_training_is_not_trained_again(tmp_path: Path) -> None:
    ends, line, seen = train(Line(), TIMES, Plan(), tmp_path / "a"), Line(), list[Step]()
    assert train(line, TIMES, Plan(), tmp_path / "a", watch=seen.append) == ends
    assert seen == []
    assert line.numbers() != (0, 0)


@pytest.mark.torch
def test_a_loss_that_is_no_number_stops_with_what_was_kept(tmp_path: Path) -> None:
    line = Line()
    line.bad_from = 3
    with pytest.raises(SettingsError, match=r"a finite number; got nan for p\d at step 4(.|\n)*smaller --rate"):
        train(line, TIMES, Plan(), tmp_path / "a")
    assert len((tmp_path / "a" / LOG).read_text().splitlines()) == 3


@pytest.mark.torch
def test_damaged_checkpoints_and_logs(tmp_path: Path) -> None:
    from safetensors.torch import load_file, save_file

    train(Line(), TIMES, Plan(), tmp_path / "a")
    state, log = tmp_path / "a" / STATE, tmp_path / "a" / LOG
    whole, lines = state.read_bytes(), log.read_bytes()
    log.write_bytes(lines.split(b"\n")[0] + b"\n")
    with pytest.raises(LogError, match="a log with the 6 steps"):
        train(Line(), TIMES, Plan(), tmp_path / "a")
    log.write_bytes(lines)
    tensors = load_file(state)
    for notes, words in (
        ({}, "a checkpoint of ours"),
        ({"answerable": '{"step": 2, "plan": "x"}'}, "a checkpoint of this training; got one of step 2"),
    ):
        save_file(tensors, state, metadata=notes or None)
        with pytest.raises((SettingsError, RunMismatchError), match=words):
            train(Line(), TIMES, Plan(), tmp_path / "a")
    state.write_bytes(whole[:-9])
    with pytest.raises(SettingsError, match="a whole safetensors file"):
        train(Line(), TIMES, Plan(), tmp_path / "a")
    state.write_bytes(whole)
    train(Line(), TIMES, Plan(), tmp_path / "a")
