"""Training adapters from end to end on a tiny random model."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import msgspec
import pytest

from answerable.cli.train import wording_of
from answerable.core.benchmark import Benchmark
from answerable.core.errors import RunMismatchError
from answerable.models.adapter import CARD, WEIGHTS, AdapterShape, load_on
from answerable.models.folder import find_model
from answerable.models.local import LocalModel, Sampler
from answerable.models.lora import LoraShape
from answerable.models.prefix import PrefixShape
from answerable.train.adapters import train_adapter
from answerable.train.examples import Examples, Wording
from answerable.train.loop import LOG, STATE, Schedule, Step
from tests.core.small import write

pytestmark = pytest.mark.torch

EVERY = ("q_proj", "k_proj", "v_proj", "o_proj", "gate_proj", "up_proj", "down_proj")
PREFIX = AdapterShape(prefix=PrefixShape())
LORA = AdapterShape(lora=LoraShape(targets=EVERY))


@pytest.fixture
def bench(tmp_path: Path) -> Benchmark:
    """Two groups to train on and one that is not."""
    return write(tmp_path / "bench", ((0, "test"), (1, "train"), (2, "train")))


def opened(model: Path) -> LocalModel:
    """The tiny model, open."""
    return LocalModel(find_model(str(model)), device="cpu")


def one_word() -> Wording:
    """Replies of a token, which a prefix can bring about in a model that knows no language."""
    return msgspec.structs.replace(wording_of("as-asked"), reply=lambda answer, _: answer or "None")


def right(local: LocalModel, examples: Examples) -> int:
    """How many replies are right to the letter."""
    said = (local.reply(examples.question(number), Sampler(40)).text for number in range(len(examples)))
    return sum(text == examples.target(number) for number, text in enumerate(said))


def weights(local: LocalModel) -> dict[str, Any]:
    """The model's own weights, copied."""
    named = local.model.named_parameters()
    return {name.replace(".base_layer", ""): value.clone() for name, value in named if "lora_" not in name}


@pytest.mark.parametrize(
    ("shape", "batch", "steps", "enough"), [(PREFIX, 3, 240, 4), (LORA, 2, 90, 6)], ids=["prefix", "lora"]
)
def test_the_loss_falls_the_model_stays_and_replies_become_right(
    bench: Benchmark, model: Path, tmp_path: Path, shape: AdapterShape, batch: int, steps: int, enough: int
) -> None:
    import torch

    local, wording = opened(model), one_word()
    before, examples = weights(local), Examples(bench, wording)
    at_first = right(local, examples)
    card, was = train_adapter(
        bench, wording, local, shape, lambda count: Schedule(steps, batch, 1e-2), tmp_path / "a"
    )  # fmt: skip
    assert not was
    assert card.losses.last < 0.2 * card.losses.first
    after = weights(local)
    assert set(after) == set(before)
    assert all(torch.equal(after[name], before[name]) for name in before)
    assert at_first == 0
    learned = right(local, examples)
    assert learned >= enough
    # The saved adapter on a model opened anew says the same.
    again = opened(model)
    load_on(again, tmp_path / "a")
    assert right(again, examples) == learned
    assert not (tmp_path / "a" / STATE).exists()


@pytest.mark.parametrize("shape", [AdapterShape(prefix=PrefixShape(hidden=8)), LORA], ids=["prefix", "lora"])
def test_two_trainings_and_a_resumed_one_are_the_same_to_the_bit(
    bench: Benchmark, model: Path, tmp_path: Path, shape: AdapterShape
) -> None:
    def once(out: Path, stop_at: int = 0) -> None:
        steps: list[Step] = []
        train_adapter(
            bench, wording_of("json-answerability"), opened(model), shape, lambda _: Schedule(6, 2, 1e-3, every=4), out,
            watch=lambda _: steps.append, stop=lambda: bool(steps) and steps[-1].step == stop_at,
        )  # fmt: skip

    once(tmp_path / "one")
    once(tmp_path / "two")
    with pytest.raises(KeyboardInterrupt):
        once(tmp_path / "parts", stop_at=3)
    assert (tmp_path / "parts" / STATE).exists()
    assert not (tmp_path / "parts" / CARD).exists()
    once(tmp_path / "parts")
    names = sorted(path.name for path in (tmp_path / "one").iterdir())
    assert {CARD, WEIGHTS, LOG} < set(names)
    for other in ("two", "parts"):
        assert sorted(path.name for path in (tmp_path / other).iterdir()) == names
        for name in names:
            assert (tmp_path / other / name).read_bytes() == (tmp_path / "one" / name).read_bytes(), (other, name)


def test_the_card_says_what_decided_it(bench: Benchmark, model: Path, tmp_path: Path) -> None:
    shape = AdapterShape(prefix=PrefixShape(hidden=4))

    def once(rate: float) -> bool:
        return train_adapter(
            bench, one_word(), opened(model), shape, lambda count: Schedule(count // 3, 1, rate), tmp_path / "a"
        )[1]

    assert not once(1e-3)
    card = json.loads((tmp_path / "a" / CARD).read_text())
    plan = card["plan"]
    assert (plan["benchmark_fingerprint"], plan["split"], plan["examples"]) == (
        bench.manifest.fingerprint, "train", 6,
    )  # fmt: skip
    assert plan["schedule"] == {"steps": 2, "batch": 1, "rate": 1e-3, "seed": 0, "every": 100}
    assert set(plan["libraries"]) == {"torch", "transformers"}
    assert card["losses"]["steps"] == 2
    assert str(tmp_path) not in (tmp_path / "a" / CARD).read_text()
    whole = (tmp_path / "a" / WEIGHTS).read_bytes()
    assert once(1e-3)
    with pytest.raises(RunMismatchError, match="schedule="):
        once(2e-3)
    assert (tmp_path / "a" / WEIGHTS).read_bytes() == whole


def test_logged_views_are_of_the_training_split(bench: Benchmark, model: Path, tmp_path: Path) -> None:
    shape = AdapterShape(prefix=PrefixShape(hidden=4))
    train_adapter(bench, one_word(), opened(model), shape, lambda count: Schedule(count, 2), tmp_path / "a")
    used = [view for line in (tmp_path / "a" / LOG).read_text().splitlines() for view in json.loads(line)["examples"]]
    trained = {view.id for view in bench.views("train")}
    assert set(used) == trained
    assert all(used.count(view) == 2 for view in trained)
