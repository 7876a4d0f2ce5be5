"""A vision-language model in this process: one picture and one question in, tokens or a reply out.

Everything goes through the model's own processor and its own chat template. Weights stay as they are: every parameter
is frozen when the model is opened, and dropout is off.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable
from typing import TYPE_CHECKING, Any, Final

import msgspec

from answerable.core.errors import ImageError, SettingsError
from answerable.models.engine import (
    DTYPES,
    Module,
    Tensor,
    device_named,
    safetensors_or_missing,
    torch_or_missing,
    transformers_or_missing,
)
from answerable.models.folder import ModelFolder

if TYPE_CHECKING:
    from PIL.Image import Image

#: What a model folder that does not hold together makes the libraries raise.
_LOADING: Final = (OSError, ValueError, RuntimeError, KeyError, TypeError, AttributeError, ImportError, IndexError)


class Question(msgspec.Struct, frozen=True):
    """What is put to the model: nothing of any other question."""

    system: str
    """May be empty."""
    user: str
    picture: Image | None
    """None: the text alone."""


class Sampler(msgspec.Struct, frozen=True):
    """How tokens are chosen."""

    max_tokens: int
    temperature: float = 0.0
    """0: the likeliest token each time."""
    top_p: float = 1.0
    top_k: int = 0
    """0: all tokens."""


class Said(msgspec.Struct, frozen=True):
    """A reply."""

    text: str
    cut: bool
    """It was ended by ``max_tokens``."""
    stopped: bool
    """It was ended from outside; the text is a part."""
    prompt_tokens: int
    """Those of the picture included."""
    tokens: int


class LocalModel:
    """A model and its processor. Not for two threads at once.

    Args:
        folder: where it lies; its code, if it brings any, is never run.
        device: ``cpu`` or ``cuda``.
        dtype: of the weights; ``auto`` as they are stored.

    Raises:
        SettingsError: it is no image-text-to-text model, or one that this class cannot ask.
        MissingExtraError: torch or transformers are not installed.
    """

    def __init__(self, folder: ModelFolder, *, device: str = "auto", dtype: str = "auto") -> None:
        if dtype not in DTYPES:
            raise SettingsError(f"a number format, one of {', '.join(DTYPES)}", f"{dtype!r}", "--dtype")
        self.folder, self.device = folder, device_named(device)
        self.processor, self.model = _load(folder, dtype)
        self.model.requires_grad_(False)
        self.model.eval().to(self.device)
        self.dtype = str(self.model.dtype).removeprefix("torch.")
        text = self.model.config.get_text_config()
        if getattr(text, "is_encoder_decoder", False):
            raise SettingsError(
                "a model whose reply continues its prompt (decoder only)", "one with an encoder for text", folder.name,
                fix="serve it by any OpenAI-compatible server and use --base-url",
            )  # fmt: skip
        self.context: int | None = getattr(text, "max_position_embeddings", None)
        """Most tokens of prompt and reply together; None where the model does not say."""
        self.width: int = self.model.get_input_embeddings().weight.shape[1]
        """Numbers that stand for a token."""
        self.placeholders = 0
        """Places kept free before every prompt, for a prefix."""
        self.before_prompt: Callable[[int], None] = lambda _: None
        """Told the length of a prompt, placeholders included, before the model meets it."""
        self.after_prompt: Callable[[], None] = lambda: None
        """Called when the model has met it."""
        self._system_role = True
        self._ends = _ends(self.model, self.processor)
        # What a model's maker recommends (penalties, sampling) is not what was asked for.
        pad = getattr(self._tokenizer, "pad_token_id", None)
        self.model.generation_config = transformers_or_missing().GenerationConfig(
            eos_token_id=list(self._ends), pad_token_id=self._ends[0] if pad is None else pad
        )
        self._keeps = "logits_to_keep" in inspect.signature(self.model.forward).parameters

    @property
    def decoder(self) -> Module:
        """The module that takes the embeddings of text and picture, merged, and continues them."""
        return self.model.get_decoder()

    @property
    def _tokenizer(self) -> Any:
        return self.processor.tokenizer

    def encode(self, question: Question) -> dict[str, Tensor]:
        """The inputs of a question, a batch of one, placeholders in front.

        Raises:
            SettingsError: the template or the processor cannot take it.
        """
        inputs = self._templated(question)
        tokens = inputs["input_ids"]
        if tokens.shape[0] != 1:
            raise SettingsError("one question a prompt", f"{tokens.shape[0]}", where=self.folder.name)
        if self.placeholders:
            # The last token of a prompt is text in every template, so nothing takes the placeholders for a picture.
            inputs = _extended(inputs, tokens[:, -1:].expand(1, self.placeholders), front=True)
        return {name: value.to(self.device) for name, value in inputs.items()}

    def _templated(self, question: Question) -> dict[str, Tensor]:
        from jinja2 import TemplateError

        try:
            return self._apply(question, system_role=self._system_role)
        except TemplateError as error:
            if not (question.system and self._system_role):
                raise SettingsError("a chat template that takes a question", str(error), self.folder.name) from error
        except (*_LOADING, StopIteration) as error:
            raise SettingsError(
                "a question that the processor takes", f"{type(error).__name__}: {error}"[:300], self.folder.name
            ) from error
        # Templates without a system role refuse it; the same words then stand before the question.
        self._system_role = False
        return self._templated(question)

    def _apply(self, question: Question, *, system_role: bool) -> dict[str, Tensor]:
        words = question.user
        if question.system and not system_role:
            words = f"{question.system}\n\n{words}"
        content: list[dict[str, Any]] = [{"type": "text", "text": words}]
        if question.picture is not None:
            content.insert(0, {"type": "image", "image": question.picture})
        messages: list[dict[str, Any]] = [{"role": "user", "content": content}]
        if question.system and system_role:
            messages.insert(0, {"role": "system", "content": [{"type": "text", "text": question.system}]})
        made = self.processor.apply_chat_template(
            messages, add_generation_prompt=True, tokenize=True, return_dict=True, return_tensors="pt"
        )
        torch = torch_or_missing()
        inputs = {str(name): value for name, value in made.items() if isinstance(value, torch.Tensor)}
        for name, value in inputs.items():
            if value.is_floating_point():
                inputs[name] = value.to(self.model.dtype)
        return inputs

    def target_tokens(self, text: str) -> list[int]:
        """A reply's tokens, with the one that ends it."""
        found = self._tokenizer(text, add_special_tokens=False)["input_ids"]
        return [*(int(token) for token in found), self._ends[0]]

    def loss(self, question: Question, target: str) -> Tensor:
        """Mean cross-entropy of a reply's tokens after a question, in nats; shape ().

        Raises:
            SettingsError: prompt and reply together are longer than the model takes.
        """
        torch = torch_or_missing()
        inputs = self.encode(question)
        prompt = int(inputs["input_ids"].shape[1])
        reply = self.target_tokens(target)
        self._check_length(prompt, len(reply))
        wanted = torch.tensor([reply], device=self.device)
        inputs = _extended(inputs, wanted, front=False)
        more = {"logits_to_keep": len(reply) + 1} if self._keeps else {}
        self.before_prompt(prompt)
        logits = self.model(**inputs, **more, use_cache=False).logits[0, -(len(reply) + 1) : -1]
        self.after_prompt()
        return torch.nn.functional.cross_entropy(logits.float(), wanted[0])

    def reply(self, question: Question, sampler: Sampler, stop: Callable[[], bool] = lambda: False) -> Said:
        """Continue a question. Draws come from torch's own generator: seed it before.

        Args:
            question: what is asked.
            sampler: how.
            stop: asked after every token; True ends the reply there.

        Raises:
            SettingsError: the prompt cannot be made, or does not fit.
        """
        torch = torch_or_missing()
        inputs = self.encode(question)
        prompt = int(inputs["input_ids"].shape[1])
        self._check_length(prompt, sampler.max_tokens)
        how: dict[str, Any] = {"do_sample": False}
        if sampler.temperature > 0:
            how = {
                "do_sample": True,
                "temperature": sampler.temperature,
                "top_p": sampler.top_p,
                "top_k": sampler.top_k,
            }
        stopped = False

        def criterion(tokens: Tensor, _scores: Tensor, **_: Any) -> Tensor:
            nonlocal stopped
            stopped = stopped or stop()
            return torch.full((tokens.shape[0],), stopped, device=tokens.device, dtype=torch.bool)

        self.before_prompt(prompt)
        with torch.inference_mode():
            made = self.model.generate(
                **inputs, **how, max_new_tokens=sampler.max_tokens, stopping_criteria=[criterion], num_beams=1
            )
        self.after_prompt()
        tokens = made[0, prompt:].tolist()
        ended = bool(tokens) and tokens[-1] in self._ends
        return Said(
            text=self._tokenizer.decode(tokens, skip_special_tokens=True),
            cut=not ended and len(tokens) >= sampler.max_tokens,
            stopped=stopped and not ended,
            prompt_tokens=prompt,
            tokens=len(tokens),
        )

    def _check_length(self, prompt: int, reply: int) -> None:
        if self.context is not None and prompt + reply > self.context:
            raise ImageError(
                f"a prompt and a reply of at most {self.context} tokens together", f"{prompt} and {reply}",
                where=self.folder.name, fix="allow a shorter reply, or use a model that takes more",
            )  # fmt: skip


def _load(folder: ModelFolder, dtype: str) -> tuple[Any, Module]:
    """Processor and model, from this folder alone."""
    transformers, package = transformers_or_missing(), safetensors_or_missing()
    local = {"local_files_only": True, "trust_remote_code": False}
    try:
        processor = transformers.AutoProcessor.from_pretrained(folder.path, **local)
        model, found = transformers.AutoModelForImageTextToText.from_pretrained(
            folder.path, **local, use_safetensors=True, dtype=dtype, output_loading_info=True
        )
    except (*_LOADING, package.SafetensorError) as error:
        raise SettingsError(
            "an image-text-to-text model that transformers can load from its folder",
            f"{type(error).__name__}: {error}"[:300], where=folder.path,
        ) from error  # fmt: skip
    if found["missing_keys"]:
        # The library would draw them at random and go on.
        names = sorted(str(name) for name in found["missing_keys"])
        raise SettingsError("all weights of the model", f"{len(names)} missing, such as {names[0]}", folder.path)
    if not getattr(processor, "chat_template", None) or not hasattr(processor, "tokenizer"):
        raise SettingsError(
            "a model that knows how a question is put to it", "a processor without a chat template", folder.path,
            fix="put the model's chat_template.jinja into its folder",
        )  # fmt: skip
    return processor, model


def _ends(model: Module, processor: Any) -> tuple[int, ...]:
    """Tokens that end a reply, the tokenizer's own first."""
    named = model.generation_config.eos_token_id
    found = [named] if isinstance(named, int) else list(named or ())
    own = processor.tokenizer.eos_token_id
    if own is not None:
        found = [own, *(token for token in found if token != own)]
    if not found:
        raise SettingsError("a token that ends a reply", "a model that names none", where="generation_config.json")
    return tuple(int(token) for token in found)


def _extended(inputs: dict[str, Tensor], tokens: Tensor, *, front: bool) -> dict[str, Tensor]:
    """Inputs with more tokens, seen by attention; other marks of a token (its kind) are 0, as they are for text."""
    torch = torch_or_missing()
    shape = inputs["input_ids"].shape
    found = dict(inputs)
    for name, value in inputs.items():
        if value.shape != shape:
            continue
        more = tokens.to(value.device)
        if name != "input_ids":
            more = torch.full_like(tokens, 1 if name == "attention_mask" else 0).to(value.device, value.dtype)
        found[name] = torch.cat([more, value] if front else [value, more], dim=1)
    return found
