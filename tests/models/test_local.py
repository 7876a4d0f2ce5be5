"""A model in this process: inputs, replies, losses."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from PIL import Image

from answerable.core.errors import ImageError, SettingsError
from answerable.models.engine import deterministic
from answerable.models.folder import find_model
from answerable.models.local import LocalModel, Question, Sampler
from tests.models.tiny import NO_SYSTEM, make_model

pytestmark = pytest.mark.torch

RED = Image.new("RGB", (8, 6), "red")
ASKED = Question("Be brief.", "What is the value?", RED)


@pytest.fixture(scope="module")
def local(model: Path) -> LocalModel:
    """The tiny model, open."""
    return LocalModel(find_model(str(model)), device="cpu")


def decoded(local: LocalModel, question: Question) -> str:
    """The prompt as the model meets it."""
    return str(local.processor.tokenizer.decode(local.encode(question)["input_ids"][0].tolist()))


def test_a_prompt_has_the_system_the_picture_and_the_question(local: LocalModel) -> None:
    text = decoded(local, ASKED)
    assert text == f"<s>system: Be brief.\nuser: {'<image>' * 4}What is the value?\nassistant: "
    assert decoded(local, Question("", "Why?", None)) == "<s>user: Why?\nassistant: "


def test_a_template_without_a_system_role_gets_the_words_before_the_question(tmp_path: Path) -> None:
    other = LocalModel(find_model(str(make_model(tmp_path / "m", template=NO_SYSTEM))), device="cpu")
    for _ in range(2):
        assert decoded(other, ASKED) == f"<s>user: {'<image>' * 4}Be brief.\n\nWhat is the value?\nassistant: "


def test_everything_is_frozen(local: LocalModel) -> None:
    assert not any(value.requires_grad for value in local.model.parameters())
    assert not local.model.training
    assert (local.width, local.context, local.dtype, local.device) == (32, 2048, "float32", "cpu")


def test_greedy_replies_repeat_and_depend_on_the_picture(local: LocalModel) -> None:
    said = local.reply(ASKED, Sampler(12))
    assert said == local.reply(ASKED, Sampler(12))
    assert (said.tokens, said.cut, said.stopped) == (12, True, False)
    assert said.prompt_tokens == local.encode(ASKED)["input_ids"].shape[1]
    others = {local.reply(Question("", "x", Image.new("RGB", (8, 6), name)), Sampler(12)).text
              for name in ("red", "blue", "white", "black")}  # fmt: skip
    assert len(others) > 1


def test_draws_repeat_with_the_seed(local: LocalModel) -> None:
    def drawn(seed: int) -> str:
        with deterministic(seed):
            return local.reply(ASKED, Sampler(12, temperature=1.5)).text

    assert drawn(1) == drawn(1)
    assert len({drawn(seed) for seed in range(4)}) > 1


def test_a_reply_is_ended_from_outside(local: LocalModel) -> None:
    calls: list[int] = []

    def stop() -> bool:
        calls.append(1)
        return len(calls) == 3

    said = local.reply(ASKED, Sampler(50), stop)
    assert (said.stopped, said.cut, said.tokens) == (True, False, 3)


def test_the_loss_is_the_cross_entropy_of_each_token_of_the_reply(local: LocalModel) -> None:
    import torch

    tokens = local.target_tokens("42")
    inputs = local.encode(ASKED)
    total = 0.0
    for token in tokens:
        logits = local.model(**inputs).logits[0, -1]
        total -= float(torch.log_softmax(logits, 0)[token])
        more = torch.tensor([[token]])
        inputs["input_ids"] = torch.cat([inputs["input_ids"], more], 1)
        inputs["attention_mask"] = torch.ones_like(inputs["input_ids"])
    assert float(local.loss(ASKED, "42")) == pytest.approx(total / len(tokens), rel=1e-4)
    assert tokens[-1] == local.processor.tokenizer.eos_token_id


def test_a_prompt_that_does_not_fit(tmp_path: Path) -> None:
    small = LocalModel(find_model(str(make_model(tmp_path / "m", context=40))), device="cpu")
    with pytest.raises(ImageError, match=r"a prompt and a reply of at most 40 tokens together; got .* and 30"):
        small.reply(ASKED, Sampler(30))
    with pytest.raises(ImageError, match="at most 40 tokens"):
        small.loss(ASKED, "a" * 80)


def test_a_question_that_names_a_picture_it_does_not_bring(local: LocalModel) -> None:
    with pytest.raises((SettingsError, ValueError)):
        local.reply(Question("", "<image><image>", RED), Sampler(2))


def test_what_the_maker_recommends_is_not_used(tmp_path: Path) -> None:
    import json

    path = make_model(tmp_path / "m")
    plain = LocalModel(find_model(str(path)), device="cpu").reply(ASKED, Sampler(12)).text
    settings = json.loads((path / "generation_config.json").read_text())
    settings |= {"repetition_penalty": 9.0, "do_sample": True, "temperature": 3.0, "max_new_tokens": 2}
    (path / "generation_config.json").write_text(json.dumps(settings))
    assert LocalModel(find_model(str(path)), device="cpu").reply(ASKED, Sampler(12)).text == plain


def broken(name: str, path: Path) -> None:
    """Damage a model folder."""
    if name == "weights":
        (path / "model.safetensors").write_bytes(b"\x00" * 64)
    elif name == "template":
        (path / "chat_template.jinja").unlink()
    elif name == "kind":
        (path / "config.json").write_text('{"model_type": "no-such-model"}')
    else:
        (path / "tokenizer.json").write_text("{}")


def test_weights_that_are_missing_are_not_drawn_at_random(tmp_path: Path) -> None:
    from safetensors.torch import load_file, save_file

    path = make_model(tmp_path / "m")
    weights = load_file(path / "model.safetensors")
    del weights[next(name for name in sorted(weights) if "q_proj" in name)]
    save_file(weights, path / "model.safetensors", metadata={"format": "pt"})
    with pytest.raises(SettingsError, match="all weights of the model; got 1 missing"):
        LocalModel(find_model(str(path)), device="cpu")


@pytest.mark.parametrize("part", ["weights", "template", "kind", "tokenizer"])
def test_a_folder_that_does_not_hold_together(tmp_path: Path, part: str) -> None:
    path = make_model(tmp_path / "m")
    broken(part, path)
    words = "chat template" if part == "template" else "that transformers can load"
    with pytest.raises(SettingsError, match=words):
        LocalModel(find_model(str(path)), device="cpu")


def test_code_that_a_folder_brings_is_never_run(tmp_path: Path) -> None:
    import json

    path = make_model(tmp_path / "m")
    config: dict[str, Any] = json.loads((path / "config.json").read_text())
    config |= {"model_type": "mine", "auto_map": {"AutoConfig": "evil.Config", "AutoModel": "evil.Model"}}
    (path / "config.json").write_text(json.dumps(config))
    mark = tmp_path / "ran"
    (path / "evil.py").write_text(f"open({str(mark)!r}, 'w').close()\n")
    with pytest.raises(SettingsError):
        LocalModel(find_model(str(path)), device="cpu")
    assert not mark.exists()


def test_no_such_number_format(model: Path) -> None:
    with pytest.raises(SettingsError, match="a number format, one of auto, float32, bfloat16, float16; got 'int4'"):
        LocalModel(find_model(str(model)), dtype="int4")


def test_a_number_format(model: Path) -> None:
    other = LocalModel(find_model(str(model)), device="cpu", dtype="bfloat16")
    assert other.dtype == "bfloat16"
    assert other.reply(ASKED, Sampler(3)).tokens == 3
