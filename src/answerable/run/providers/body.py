"""The JSON body of a chat completion, built without ever passing the image through a JSON encoder."""

from __future__ import annotations

from typing import Any, Final

import msgspec

from answerable.core.codec import decode, encode
from answerable.core.errors import SettingsError
from answerable.core.runlog import Sampling
from answerable.run.prompts import Prompt
from answerable.run.providers.base import Ask

#: What this client decides itself; a second value in ``--extra`` would be sent beside it, or change what is asked.
_OURS: Final = {
    "messages": "the prompt decides it",
    "model": "use --model",
    "stream": "replies are read whole",
    "stream_options": "replies are read whole",
    "n": "use --repeats",
    "temperature": "use --temperature",
    "max_tokens": "use --max-tokens and --max-tokens-field",
    "max_completion_tokens": "use --max-tokens and --max-tokens-field",
    "response_format": "use --json-schema",
}
_KEYS: Final = frozenset({"api_key", "apikey", "api-key", "key", "authorization", "token", "password"})


def check_extra(sampling: Sampling) -> dict[str, Any]:
    """The extra body fields as plain JSON.

    Raises:
        SettingsError: not an object, or a field that a setting of its own decides.
    """
    try:
        extra = decode(bytes(sampling.extra), dict[str, Any])
    except msgspec.MsgspecError as error:
        raise SettingsError("one JSON object of extra body fields", str(error), where="--extra") from error
    for name in extra:
        if name in _OURS and name != "response_format":
            raise SettingsError("extra body fields with no setting of their own", name, "--extra", fix=_OURS[name])
        if name == "response_format" and sampling.json_schema:
            raise SettingsError("one response format", "response_format beside --json-schema", "--extra")
        if name == sampling.max_tokens_field:
            raise SettingsError("one token limit", name, "--extra", fix="use --max-tokens")
        if name.lower() in _KEYS:
            raise SettingsError(
                "no key among the extra body fields", name, "--extra",
                fix="keys come from an environment variable, named by --api-key-env",
            )  # fmt: skip
    return extra


class BodyBuilder:
    """Joins fixed, ready-made pieces with one question and one image. Holds nothing of any request."""

    def __init__(self, model: str, prompt: Prompt, sampling: Sampling) -> None:
        fields: dict[str, Any] = {"model": model}
        if sampling.temperature is not None:
            fields["temperature"] = sampling.temperature
        fields[sampling.max_tokens_field] = sampling.max_tokens
        if sampling.json_schema:
            if prompt.schema is None:
                raise SettingsError(
                    "a prompt with a JSON schema", f"prompt={prompt.text.name}", "--json-schema",
                    fix="leave out --json-schema",
                )  # fmt: skip
            schema = {"name": prompt.schema_name, "strict": True, "schema": msgspec.Raw(prompt.schema)}
            fields["response_format"] = {"type": "json_schema", "json_schema": schema}
        fields |= check_extra(sampling)
        self._prompt = prompt
        head = encode(fields)[:-1] + b',"messages":['
        if prompt.text.system:
            head += encode({"content": prompt.text.system, "role": "system"}) + b","
        self._head = head + b'{"role":"user","content":['

    def build(self, request: Ask) -> bytes:
        """The body of one request: image first, then the question."""
        text = (
            b'{"type":"text","text":'
            + msgspec.json.encode(self._prompt.user(request.question, request.earlier))
            + b"}]}]}"
        )
        if request.image is None:
            return self._head + text
        kind = request.image.media_type.encode()
        opening = b'{"type":"image_url","image_url":{"url":"data:' + kind + b";base64,"
        return b"".join((self._head, opening, request.image.base64, b'"}},', text))
