"""A LLaVA of a few thousand numbers, drawn at random, with a vocabulary made of the texts that a test needs."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from answerable.run.prompts import PROMPTS

TEMPLATE = (
    "{{ bos_token }}{% for message in messages %}{{ message['role'] }}: "
    "{% for part in message['content'] %}{% if part['type'] == 'image' %}<image>{% else %}{{ part['text'] }}"
    "{% endif %}{% endfor %}{{ '\\n' }}{% endfor %}{% if add_generation_prompt %}assistant: {% endif %}"
)
#: The same, for a family whose template refuses a system role.
NO_SYSTEM = (
    "{% if messages[0]['role'] == 'system' %}{{ raise_exception('System role not supported') }}{% endif %}" + TEMPLATE
)


def make_model(path: Path, *, seed: int = 0, template: str = TEMPLATE, context: int = 2048, width: int = 32) -> Path:
    """Write a model folder as ``save_pretrained`` does, and return it.

    Its numbers are larger than usual ones, or it would say every token alike and nothing before them would matter.
    """
    import torch
    from transformers import (
        CLIPVisionConfig,
        LlamaConfig,
        LlavaConfig,
        LlavaForConditionalGeneration,
        LlavaProcessor,
    )
    from transformers.models.clip.image_processing_pil_clip import CLIPImageProcessorPil
    from transformers.utils import logging

    logging.disable_progress_bar()
    tokenizer = tiny_tokenizer()
    processor = LlavaProcessor(
        image_processor=CLIPImageProcessorPil(size={"shortest_edge": 16}, crop_size={"height": 16, "width": 16}),
        tokenizer=tokenizer, patch_size=8, vision_feature_select_strategy="default", chat_template=template,
        num_additional_image_tokens=1,
    )  # fmt: skip
    vision = CLIPVisionConfig(
        hidden_size=16, intermediate_size=32, num_hidden_layers=1, num_attention_heads=2, image_size=16, patch_size=8,
        projection_dim=16,
    )  # fmt: skip
    text = LlamaConfig(
        vocab_size=len(tokenizer), hidden_size=width, intermediate_size=2 * width, num_hidden_layers=2,
        num_attention_heads=2, num_key_value_heads=2, initializer_range=0.4, max_position_embeddings=context,
        bos_token_id=tokenizer.bos_token_id, eos_token_id=tokenizer.eos_token_id, pad_token_id=tokenizer.pad_token_id,
    )  # fmt: skip
    image = tokenizer.convert_tokens_to_ids("<image>")
    config = LlavaConfig(vision_config=vision, text_config=text, image_token_id=image, vision_feature_layer=-1)
    with torch.random.fork_rng(devices=[]):
        torch.manual_seed(seed)
        LlavaForConditionalGeneration(config).save_pretrained(path)
    processor.save_pretrained(path)
    return path


def tiny_tokenizer() -> Any:
    """A vocabulary of the prompt and its replies."""
    from tokenizers import Tokenizer, decoders, models, pre_tokenizers, trainers
    from transformers import PreTrainedTokenizerFast

    prompt = PROMPTS.load("json-answerability")
    made = Tokenizer(models.BPE())
    made.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
    made.decoder = decoders.ByteLevel()
    trainer = trainers.BpeTrainer(
        vocab_size=900, special_tokens=["<s>", "</s>", "<pad>", "<image>"], show_progress=False,
        initial_alphabet=pre_tokenizers.ByteLevel.alphabet(),
    )  # fmt: skip
    words = (prompt.reply("42", "the image shows it"), prompt.reply(None, "the evidence is hidden"))
    made.train_from_iterator([prompt.text.system, prompt.text.user, *words, "None of the above."], trainer)
    return PreTrainedTokenizerFast(
        tokenizer_object=made, bos_token="<s>", eos_token="</s>", pad_token="<pad>",
        extra_special_tokens={"image_token": "<image>"},
    )  # fmt: skip
