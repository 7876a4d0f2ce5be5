"""Other families than LLaVA: several tiles a picture, and masks of pixels beside masks of tokens."""

from __future__ import annotations

from pathlib import Path

import pytest
from PIL import Image

from answerable.models.adapter import AdapterShape, put_on
from answerable.models.folder import find_model
from answerable.models.local import LocalModel, Question, Sampler
from answerable.models.lora import LoraShape
from answerable.models.prefix import PrefixShape
from tests.models.tiny import TEMPLATE, tiny_tokenizer

pytestmark = pytest.mark.torch

ASKED = Question("Be brief.", "What is it?", Image.new("RGB", (40, 30), "red"))


@pytest.fixture(scope="module")
def idefics(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A tiny Idefics3, the family of SmolVLM."""
    import torch
    from transformers import Idefics3Config, Idefics3ForConditionalGeneration, Idefics3Processor
    from transformers.models.idefics3.image_processing_pil_idefics3 import Idefics3ImageProcessorPil

    path, tokenizer = tmp_path_factory.mktemp("models") / "idefics", tiny_tokenizer()
    images = Idefics3ImageProcessorPil(size={"longest_edge": 64}, max_image_size={"longest_edge": 32})
    processor = Idefics3Processor(
        image_processor=images, tokenizer=tokenizer, image_seq_len=4, chat_template=TEMPLATE
    )  # fmt: skip
    vision = {
        "hidden_size": 16, "intermediate_size": 32, "num_hidden_layers": 1, "num_attention_heads": 2, "image_size": 32,
        "patch_size": 8,
    }  # fmt: skip
    text = {
        "model_type": "llama", "vocab_size": len(tokenizer), "hidden_size": 32, "intermediate_size": 64,
        "num_hidden_layers": 2, "num_attention_heads": 2, "num_key_value_heads": 2, "initializer_range": 0.4,
        "max_position_embeddings": 1024, "bos_token_id": 0, "eos_token_id": 1, "pad_token_id": 2,
    }  # fmt: skip
    image = tokenizer.convert_tokens_to_ids("<image>")
    with torch.random.fork_rng(devices=[]):
        torch.manual_seed(0)
        config = Idefics3Config(image_token_id=image, scale_factor=2, vision_config=vision, text_config=text)
        Idefics3ForConditionalGeneration(config).save_pretrained(path)
    processor.save_pretrained(path)
    return path


@pytest.mark.parametrize(
    "shape",
    [AdapterShape(prefix=PrefixShape(prefix=8, hidden=32)), AdapterShape(lora=LoraShape())],
    ids=["prefix", "lora"],
)
def test_an_adapter_learns_a_reply(idefics: Path, shape: AdapterShape) -> None:
    import torch

    local = LocalModel(find_model(str(idefics)), device="cpu")
    adapter = put_on(local, shape, 0)
    adam = torch.optim.Adam(adapter.parameters().values(), lr=1e-2)
    losses = []
    for _ in range(100):
        loss = local.loss(ASKED, "42")
        adam.zero_grad()
        loss.backward()
        adam.step()
        losses.append(float(loss.detach()))
    assert losses[-1] < losses[0] / 2
    assert local.reply(ASKED, Sampler(6)).text.startswith("42")
