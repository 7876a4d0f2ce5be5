"""The prompts: text as data, one file each, and one line in the table below."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Callable, Iterable
from typing import Final

import msgspec

from answerable.core.codec import encode
from answerable.core.errors import SettingsError
from answerable.core.registry import Registry
from answerable.core.runlog import Instead, PromptText

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
    control: str = ""
    """The control that the wording is for, and that a run must have: ``text-only`` speaks of no picture."""

    def check(self, questions: Iterable[str], control: str) -> None:
        """Refuse what cannot be asked with this prompt, before anything is.

        Args:
            questions: as the benchmark puts them, each with its options and its instruction.
            control: of the run.

        Raises:
            SettingsError: the run has another control, or a question does not end with a known instruction.
        """
        if self.control and control != self.control:
            raise SettingsError(
                f"--control {self.control} with prompt {self.text.name!r}", f"control={control!r}", "--control",
                fix=f"add --control {self.control}: the wording is for questions without a picture",
            )  # fmt: skip
        for question in questions if self.text.instead else ():
            self._reworded(question)

    def _reworded(self, question: str) -> str:
        """The question with its instruction reworded.

        Raises:
            SettingsError: it does not end with an instruction that the prompt knows.
        """
        for known in self.text.instead:
            if question.endswith(f"\n{known.instruction}"):
                return known.template.replace(QUESTION, question[: -len(known.instruction) - 1])
        if not self.text.instead:
            return question
        raise SettingsError(
            f"questions that end with an instruction which prompt {self.text.name!r} knows, such as"
            f" {self.text.instead[0].instruction[:60]!r}...",
            f"one that ends with {question.rpartition(chr(10))[2][:60]!r}", "--prompt",
            fix="leave --prompt out to ask this benchmark as it is meant; see the table of prompts for what each is of",
        )  # fmt: skip

    def user(self, question: str, earlier: str | None = None) -> str:
        """The user text of one question; of its second turn, when the first reply is given.

        Raises:
            SettingsError: the question does not end with an instruction that the prompt knows.
        """
        question = self._reworded(question)
        if earlier is None:
            return self.text.user.replace(QUESTION, question)
        # In one pass: neither text may fill a place that the other one brings along.
        places = {QUESTION: question, REPLY: earlier}
        return _PLACES.sub(lambda match: places[match[0]], self.text.second)


def prompt_text(
    name: str, system: str, user: str, second: str = "", *, instead: tuple[Instead, ...] = ()
) -> PromptText:
    """A prompt with its digest.

    Raises:
        ValueError: a text has not exactly one place for the question, or the second none for the first reply.
    """
    if any(other.template.count(QUESTION) != 1 for other in instead):
        raise ValueError(f"expected one {QUESTION} in every wording of prompt {name!r}")
    if second and (second.count(QUESTION) != 1 or second.count(REPLY) != 1):
        raise ValueError(f"expected one {QUESTION} and one {REPLY} in the second turn of prompt {name!r}")
    if user.count(QUESTION) != 1:
        raise ValueError(f"expected one {QUESTION} in the user text of prompt {name!r}; got {user.count(QUESTION)}")
    whole: dict[str, object] = {"system": system, "user": user}
    whole |= ({"second": second} if second else {}) | ({"instead": instead} if instead else {})
    sha256 = hashlib.sha256(encode(whole)).hexdigest()
    return PromptText(name=name, system=system, user=user, sha256=sha256, second=second, instead=instead)


PROMPTS: Final[Registry[Prompt]] = Registry(
    "prompt",
    "answerable.prompts",
    {
        "json-answerability": "answerable.run.prompts.json_answerability:PROMPT",
        "as-asked": "answerable.run.prompts.as_asked:PROMPT",
        "chain-of-thought": "answerable.run.prompts.chain_of_thought:PROMPT",
        "self-reflection": "answerable.run.prompts.self_reflection:PROMPT",
        "tubench-no-first": "answerable.run.prompts.tubench:NO_FIRST",
        "tubench-answerable-first": "answerable.run.prompts.tubench:ANSWERABLE_FIRST",
        "tubench-question-last": "answerable.run.prompts.tubench:QUESTION_LAST",
        "tubench-explanation-first": "answerable.run.prompts.tubench:EXPLANATION_FIRST",
        "tubench-text-only": "answerable.run.prompts.tubench:TEXT_ONLY",
        "tubench-chinese": "answerable.run.prompts.tubench:CHINESE",
    },
)
