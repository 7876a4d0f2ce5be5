"""What TUBench's zero-shot prompts say after a question, or after its choices (He et al., table 7).

Protocol constants: a benchmark stores one with every view, and prompts that vary the wording know it by every letter.
"""

from __future__ import annotations

from typing import Final

#: The last sentence of each.
ANSWER_FIRST: Final = "Give your answer first and then output the explanation."
#: The same, where there are choices.
CHOOSE: Final = "select your answer from the answer choices. Give your answer first and then output the explanation."

UCR: Final = (
    "Please analyze the given image and question step by step. If you find the question does not have a deterministic "
    f'answer, please answer "Unanswerable". If it does, answer either "Yes" or "No". {ANSWER_FIRST}'
)
UVQA: Final = (
    "Please analyze the given image and question step by step. If you find that the given image lacks the information "
    'necessary to answer the question, please answer "Unanswerable". If the image contains the information needed to '
    f'answer the question, answer either "Yes" or "No". {ANSWER_FIRST}'
)
UGEOQA: Final = (
    "Please analyze the given image and question step by step. If you find that the given question and image lack the "
    'information necessary to answer the question, please answer "Unanswerable". If the question and image contain the '
    f"information needed to answer the question, {CHOOSE}"
)
UTABMWP: Final = (
    "Please analyze the table in the given image and question step by step. If you find the table lacks the "
    'information necessary to answer the question, please answer "Unanswerable". If the table contains the information '
    f"needed to answer the question, {CHOOSE}"
)
