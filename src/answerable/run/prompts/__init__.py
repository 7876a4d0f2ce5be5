"""The prompts: text as data, one file each, and one line in the table below."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Callable
from typing import Final

import msgspec

from answerable.core.codec import encode
from answerable.core.registry import Registry
from answerable.core.runlog import PromptText

#: Where the question goes in the user text.
QUESTION = "{question}"
#: Where the model's first reply goes in the text of a second turn.
REPLY = "{reply}"


_PLACES = re.compile(f"{re.escape(QUESTION)}|{re.escape(REPLY)}")


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

    def user(self, question: str, earlier: str | None = None) -> str:
        """The user text of one question; of its second turn, when the first reply is given."""
        if earlier is None:
            return self.text.user.replace(QUESTION, question)
        # In one pass: neither text may fill a place that the other one brings along.
        places = {QUESTION: question, REPLY: earlier}
        return _PLACES.sub(lambda match: places[match[0]], self.text.second)


def prompt_text(name: str, system: str, user: str, second: str = "") -> PromptText:
    """A prompt with its digest.

    Raises:
        ValueError: a user text has not exactly one place for the question, or the second none for the first reply.
    """
    if second and (second.count(QUESTION) != 1 or second.count(REPLY) != 1):
        raise ValueError(f"expected one {QUESTION} and one {REPLY} in the second turn of prompt {name!r}")
    if user.count(QUESTION) != 1:
        raise ValueError(f"expected one {QUESTION} in the user text of prompt {name!r}; got {user.count(QUESTION)}")
    whole = {"system": system, "user": user} | ({"second": second} if second else {})
    sha256 = hashlib.sha256(encode(whole)).hexdigest()
    return PromptText(name=name, system=system, user=user, sha256=sha256, second=second)


PROMPTS: Final[Registry[Prompt]] = Registry(
    "prompt",
    "answerable.prompts",
    {
        "json-answerability": "answerable.run.prompts.json_answerability:PROMPT",
        "as-asked": "answerable.run.prompts.as_asked:PROMPT",
        "chain-of-thought": "answerable.run.prompts.chain_of_thought:PROMPT",
        "self-reflection": "answerable.run.prompts.self_reflection:PROMPT",
    },
)
