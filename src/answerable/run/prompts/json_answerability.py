"""The prompt of complete-question evaluation: one image, one question, one JSON object."""

from __future__ import annotations

from typing import Final

import msgspec

from answerable.run.prompts import Prompt, prompt_text

_SYSTEM: Final = (
    "You are given one image and one question about it. Use only what this image shows. "
    "First decide whether the image contains the information that determines the answer; then reply with JSON."
)

_USER: Final = """\
Question: {question}

Decide whether this image determines the answer.

Answerable: everything the question needs is shown in the image. Small, crowded, faint or awkward to read still \
counts as shown: if it can be read with care, read it and answer. Something covered, cut off or missing elsewhere in \
the image does not matter as long as what the question needs is there.

Not answerable: something the question needs is not in the image. It may be covered, blanked out, cut off or removed, \
or the question may name a thing that the image does not contain. Do not fill the gap with a guess, a trend, a \
typical value or outside knowledge.

Reply with exactly one JSON object and nothing before or after it, with these three keys:
{"answerable": true or false, "answer": a string or null, "reason": a nonempty string}

- "answerable" says whether the image determines the answer.
- "answer" is the answer alone, as a string, in the form the question asks for: a number, or a name as the image \
writes it, with no sentence around it. It must be null when "answerable" is false.
- "reason" says in one short sentence what in the image you relied on, or what is not there.
"""

_SCHEMA: Final = {
    "type": "object",
    "properties": {
        "answerable": {"type": "boolean"},
        "answer": {"type": ["string", "null"]},
        "reason": {"type": "string", "minLength": 1},
    },
    "required": ["answerable", "answer", "reason"],
    "additionalProperties": False,
}


def _reply(answer: str | None, reason: str) -> str:
    value = {"answerable": answer is not None, "answer": answer, "reason": reason}
    return msgspec.json.encode(value).decode()


PROMPT: Final = Prompt(
    text=prompt_text("json-answerability", _SYSTEM, _USER),
    schema_name="answerability",
    schema=msgspec.json.encode(_SCHEMA),
    reply=_reply,
)
