"""Zero-shot chain of thought (Kojima et al., 2022): the question as it is, and the phrase that asks for steps."""

from __future__ import annotations

from typing import Final

from answerable.run.prompts import Prompt, prompt_text
from answerable.run.prompts.as_asked import PROMPT as AS_ASKED

PROMPT: Final = Prompt(
    text=prompt_text("chain-of-thought", "", "{question}\nLet's think step by step."),
    schema_name="",
    schema=None,
    reply=AS_ASKED.reply,
)
