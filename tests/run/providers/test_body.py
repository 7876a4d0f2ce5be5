"""The body is exactly the JSON that a JSON encoder would have made."""

from __future__ import annotations

import base64
import json

import msgspec
import pytest

from answerable.core.errors import SettingsError
from answerable.core.runlog import Sampling
from answerable.run.images import picture
from answerable.run.prompts import prompt_text
from answerable.run.prompts.json_answerability import PROMPT
from answerable.run.providers.base import Ask
from answerable.run.providers.body import BodyBuilder
from tests.run.helpers import png

IMAGE = png(4, 3, (1, 2, 3))


def body(sampling: Sampling, request: Ask) -> dict[str, object]:
    """Decoded."""
    value: dict[str, object] = json.loads(BodyBuilder("m/1", PROMPT, sampling).build(request))
    return value


def test_whole_body() -> None:
    question = 'How "many" \\ { } \u2028 é?'
    value = body(
        Sampling(temperature=0.0, max_tokens=7, json_schema=True, extra=msgspec.Raw(b'{"top_p":1,"seed":5}')),
        Ask("v", 0, question, picture(IMAGE, None)),
    )
    assert value == {
        "model": "m/1",
        "temperature": 0.0,
        "max_tokens": 7,
        "top_p": 1,
        "seed": 5,
        "response_format": {
            "type": "json_schema",
            "json_schema": {"name": "answerability", "strict": True, "schema": json.loads(PROMPT.schema or b"")},
        },
        "messages": [
            {"role": "system", "content": PROMPT.text.system},
            {
                "role": "user",
                "content": [
                    {
                        "type": "image_url",
                        "image_url": {"url": "data:image/png;base64," + base64.b64encode(IMAGE).decode()},
                    },
                    {"type": "text", "text": PROMPT.user(question)},
                ],
            },
        ],
    }


def test_without_image_temperature_or_system() -> None:
    prompt = msgspec.structs.replace(PROMPT, text=prompt_text("p", "", "{question}"))
    raw = BodyBuilder("m", prompt, Sampling(temperature=None)).build(Ask("v", 0, "q", None))
    value = json.loads(raw)
    assert "temperature" not in value
    assert value["messages"] == [{"role": "user", "content": [{"type": "text", "text": "q"}]}]


@pytest.mark.parametrize("model", ["gpt-o1", "o3", "demo1"])
def test_the_token_field_is_a_setting_and_never_follows_from_a_name(model: str) -> None:
    value = json.loads(BodyBuilder(model, PROMPT, Sampling()).build(Ask("v", 0, "q", None)))
    assert value["max_tokens"] == 512
    assert value["temperature"] == 0
    other = Sampling(max_tokens_field="max_completion_tokens")
    value = json.loads(BodyBuilder(model, PROMPT, other).build(Ask("v", 0, "q", None)))
    assert value["max_completion_tokens"] == 512
    assert "max_tokens" not in value


@pytest.mark.parametrize(
    ("extra", "words"),
    [
        (b"[1]", "one JSON object of extra body fields"),
        (b'{"messages":[]}', "the prompt decides it"),
        (b'{"stream":true}', "replies are read whole"),
        (b'{"n":2}', "use --repeats"),
        (b'{"model":"x"}', "use --model"),
        (b'{"temperature":1}', "use --temperature"),
        (b'{"max_tokens":1}', "use --max-tokens"),
        (b'{"max_completion_tokens":1}', "use --max-tokens"),
        (b'{"api_key":"x"}', "keys come from an environment variable"),
    ],
)
def test_extra_fields_that_are_ours(extra: bytes, words: str) -> None:
    with pytest.raises(SettingsError, match=words):
        BodyBuilder("m", PROMPT, Sampling(extra=msgspec.Raw(extra)))


def test_a_response_format_of_the_users_own() -> None:
    extra = msgspec.Raw(b'{"response_format":{"type":"json_object"}}')
    assert body(Sampling(extra=extra), Ask("v", 0, "q", None))["response_format"] == {"type": "json_object"}
    with pytest.raises(SettingsError, match="beside --json-schema"):
        BodyBuilder("m", PROMPT, Sampling(json_schema=True, extra=extra))
    with pytest.raises(SettingsError, match="one token limit"):
        BodyBuilder("m", PROMPT, Sampling(max_tokens_field="limit", extra=msgspec.Raw(b'{"limit":1}')))


def test_a_prompt_without_schema() -> None:
    with pytest.raises(SettingsError, match="leave out --json-schema"):
        BodyBuilder("m", msgspec.structs.replace(PROMPT, schema=None), Sampling(json_schema=True))
