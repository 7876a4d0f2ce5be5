"""TUBench's variants of its own prompts: other orders, no picture, other language; nothing of the benchmark changes.

A benchmark stores the published instruction with every view. These prompts know it and say something else in its place.
The wordings are those of the authors' ``prompt.json`` of each set, except for ``EXPLANATION_FIRST``, which is ours: the
paper has every model answer first.
"""

from __future__ import annotations

from typing import Final

from answerable.core.instructions import ANSWER_FIRST, CHOOSE, UCR, UGEOQA, UTABMWP, UVQA
from answerable.core.runlog import Instead
from answerable.run.prompts import QUESTION, Prompt, prompt_text

_KNOWN: Final = {"UCR": UCR, "UVQA": UVQA, "UGeoQA": UGEOQA, "UTabMWP": UTABMWP}
_YES_NO: Final = {"UCR": UCR, "UVQA": UVQA}


def _label_first(answer: str | None, _reason: str) -> str:
    return "Unanswerable" if answer is None else answer


def _label_last(answer: str | None, reason: str) -> str:
    return f"{reason.capitalize()}.\nAnswer: {_label_first(answer, reason)}"


def _after(instructions: dict[str, str], known: dict[str, str] = _KNOWN) -> tuple[Instead, ...]:
    """Each set's own instruction, and another after the question."""
    return tuple(
        Instead(instruction=known[name], template=f"{QUESTION}\n{said}") for name, said in instructions.items()
    )


def _variant(name: str, instead: tuple[Instead, ...]) -> Prompt:
    return Prompt(
        text=prompt_text(name, "", QUESTION, instead=instead), schema_name="", schema=None, reply=_label_first
    )


#: The authors' ``user_prompt_order2``: "No" is named before "Yes".
NO_FIRST: Final = _variant(
    "tubench-no-first",
    _after({name: text.replace('either "Yes" or "No"', 'either "No" or "Yes"') for name, text in _YES_NO.items()}),
)
#: The authors' ``user_prompt_order3``: what to do with an answerable question comes before what to do with the others.
ANSWERABLE_FIRST: Final = _variant(
    "tubench-answerable-first",
    _after(
        {
            "UCR": (
                "Please analyze the given image and question step by step. If you find the question has a "
                'deterministic answer, please answer either "Yes" or "No". If it does not, answer "Unanswerable". '
                f"{ANSWER_FIRST}"
            ),
            "UVQA": (
                "Please analyze the given image and question step by step. If the image contains the information "
                'needed to answer the question, answer either "Yes" or "No". If you find that the given image lacks '
                f'the information necessary to answer the question, please answer "Unanswerable". {ANSWER_FIRST}'
            ),
        }
    ),
)
#: The authors' ``user_prompt2`` of UCR: the instruction comes before the question.
QUESTION_LAST: Final = _variant(
    "tubench-question-last", (Instead(instruction=UCR, template=f"{UCR}\n\nQ: {QUESTION}\nA: "),)
)
#: The authors' ``user_prompt2`` of UGeoQA: the instruction in the language of its questions.
CHINESE: Final = _variant(
    "tubench-chinese",
    _after(
        {
            "UGeoQA": (
                '请逐步分析给定的图像和问题。如果你发现给定的问题和图像缺乏回答问题所需的信息，请回答"Unanswerable"。'
                "如果问题和图像包含回答问题所需的信息，请从答案选项中选择您的答案。请先给出答案，然后输出解释。"
            )
        }
    ),
)
#: Ours: the same, the other way round.
EXPLANATION_FIRST: Final = Prompt(
    text=prompt_text(
        "tubench-explanation-first",
        "",
        QUESTION,
        instead=_after(
            {
                name: text.replace(ANSWER_FIRST, "Output the explanation first and then give your answer.")
                for name, text in _KNOWN.items()
            }
        ),
    ),
    schema_name="",
    schema=None,
    reply=_label_last,
)

_LACKS: Final = (
    "Please analyze the given question step by step. If you find that the question lacks sufficient information to be "
    'answered, please answer "Unanswerable". Otherwise, '
)
#: The authors' ``llm_prompt``: the question without the picture, and no word of one.
TEXT_ONLY: Final = Prompt(
    text=prompt_text(
        "tubench-text-only",
        "",
        QUESTION,
        instead=_after(
            {
                "UCR": (
                    "Please analyze the given question step by step. If you find the question does not have a "
                    'deterministic answer, please answer "Unanswerable". If it does, answer either "Yes" or "No". '
                    f"{ANSWER_FIRST}"
                ),
                "UVQA": f'{_LACKS}answer either "Yes" or "No". {ANSWER_FIRST}',
                "UGeoQA": f"{_LACKS}{CHOOSE}",
                "UTabMWP": f"{_LACKS}{CHOOSE}",
            }
        ),
    ),
    schema_name="",
    schema=None,
    reply=_label_first,
    control="text-only",
)
