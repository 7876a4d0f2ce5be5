"""The prompts: text as data, one file each, and one line in the table below."""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from typing import Final

import msgspec

from answerable.core.codec import encode
from answerable.core.registry import Registry
from answerable.core.runlog import PromptText

#: Where the question goes in the user text.
QUESTION = "{question}"


class Prompt(msgspec.Struct, frozen=True):
    """What is asked of a model, and what a well-formed reply looks like."""

    text: PromptText
    """Goes whole into ``run.json``."""
    schema_name: str
    """Name under which the schema is sent."""
    schema: bytes | None
    """JSON schema of a reply, for servers that take a response format; None where a reply has no schema."""
    reply: Callable[[str | None, str], str]
    """``(answer or None to abstain, reason)`` -> the text of a well-formed reply; reference responders use it."""

    def user(self, question: str) -> str:
        """The user text of one question."""
        return self.text.user.replace(QUESTION, question)


def prompt_text(name: str, system: str, user: str) -> PromptText:
    """A prompt with its digest.

    Raises:
        ValueError: the user text has not exactly one place for the question.
    """
    if user.count(QUESTION) != 1:
        raise ValueError(f"expected one {QUESTION} in the user text of prompt {name!r}; got {user.count(QUESTION)}")
    sha256 = hashlib.sha256(encode({"system": system, "user": user})).hexdigest()
    return PromptText(name=name, system=system, user=user, sha256=sha256)


PROMPTS: Final[Registry[Prompt]] = Registry(
    "prompt",
    "answerable.prompts",
    {"json-answerability": "answerable.run.prompts.json_answerability:PROMPT"},
)
