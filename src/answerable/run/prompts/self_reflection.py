"""Self-reflection (Kadavath et al., 2022): the model meets its own answer again and says whether it is true.

Source: table F of the paper on unsolvable problem detection. A reply of "2" withdraws the answer.
"""

from __future__ import annotations

from typing import Final

from answerable.run.prompts import Prompt, prompt_text
from answerable.run.prompts.as_asked import PROMPT as AS_ASKED

_SECOND: Final = """\
{question}

Your Previous Answer: {reply}

The above answer is:
1. True
2. False
Answer with the letter of either option: 1 or 2 directly."""

PROMPT: Final = Prompt(
    text=prompt_text("self-reflection", "", "{question}", _SECOND),
    schema_name="",
    schema=None,
    reply=AS_ASKED.reply,
)
