"""No prompt of ours: the question as the benchmark puts it, with its own options and its own instruction."""

from __future__ import annotations

from typing import Final

from answerable.run.prompts import QUESTION, Prompt, prompt_text

#: Abstains in every setting: as the wording, and as the text of the option that says the same. A reason after it could
#: turn the reply into something else, so none is given.
_ABSTAINS: Final = "None of the above."


def _reply(answer: str | None, _reason: str) -> str:
    return _ABSTAINS if answer is None else answer


PROMPT: Final = Prompt(
    text=prompt_text("as-asked", "", QUESTION),
    schema_name="",
    schema=None,
    reply=_reply,
)
