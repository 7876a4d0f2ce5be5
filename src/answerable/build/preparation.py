"""What is done to questions before they are paired: named steps, each of which can be switched off.

Section B.1 to B.4 of the paper. A step refuses a question, edits its options, or leaves it out until a person decides:
what rests on a pattern of words is never final by itself.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from pathlib import Path
from typing import Any, Literal

import msgspec

from answerable.build.sources.mcq import Question, folded
from answerable.core.choices import LETTERS
from answerable.core.codec import decode, digest_bytes
from answerable.core.errors import SettingsError, SourceError
from answerable.core.parquet import check
from answerable.core.records import PROBLEMS, Problem, Record, Refusal
from answerable.core.scores import SCORES, VERDICTS, Scores


class Step(Record, frozen=True):
    """One step of the preparation."""

    problems: tuple[Problem, ...]
    """Those it runs for."""
    does: Literal["edits", "refuses", "leaves out"]
    """``leaves out``: until somebody decides to keep it."""
    words: str
    """What it does, for people."""


_ALL: tuple[Problem, ...] = tuple(PROBLEMS)
#: In the order in which they run.
STEPS: dict[str, Step] = {
    "none-of-these": Step(_ALL, "edits", "an option such as 'None of the above' is deleted; as the answer it refuses"),
    "cannot-judge": Step(_ALL, "edits", "an option such as 'Can't judge' says why (AAD, IASD) or is deleted (IVQD)"),
    "image-quality": Step(_ALL, "refuses", "questions of the ability Image Quality"),
    "two-options": Step(("AAD",), "refuses", "questions of two options: one would be left"),
    "both-all": Step(("AAD",), "refuses", "questions whose answer is both or all of the others"),
    "suits-most": Step(("IVQD",), "leaves out", "questions that suit most pictures, by their words or ability"),
    "text-only": Step(_ALL, "refuses", "questions answered without the image, by --text-only SCORES"),
}

_NONE = re.compile(
    r"(?:none|neither|no one|not any)(?: one)? of(?: the| these| those| them| all| given)+"
    r"(?: above| below| following| others?)?(?: options?| choices?| answers?)?"
    r"(?: (?:is|are) (?:correct|right|true|suitable))?"
    r"|all(?: of)?(?: the)? above (?:is|are) (?:not (?:right|correct|true)|wrong|incorrect|false)"
    r"|(?:there is )?no (?:correct|right) (?:answer|option)|no option is (?:correct|right)"
    r"|以上(?:都|皆|均)?(?:不是|不对|非|错误)|(?:都|皆)不是|以上选项都不(?:对|正确)"
)
_JUDGE = re.compile(
    r"(?:i |we |it |this |one )?(?:can't|cannot|can not|could not|couldn't|unable to|impossible to) (?:be )?"
    r"(?:judged?|determined?|tell|told|known?|say|said|inferred?|decided?|concluded?)"
    r"(?:,? (?:from|based|by|with|without|due|because|since|as|for sure|whether|which|if)\b.*)?"
    r"|(?:there is )?(?:not enough|insufficient) (?:information|info|evidence)(?: .*)?"
    r"|(?:无法|不能)(?:从图像中|从图中)?(?:判断|确定|得知).*"
)
_BOTH_ALL = re.compile(
    r"both|both of (?:them|these|those|the above|the two)|both (?:options|answers)(?: .*)?"
    r"|both [a-z](?: ?,? ?(?:and|or|&|,) ?[a-z])+(?: .*)?"
    r"|all(?: of)? (?:the )?(?:above|these|those|them|options|choices|answers|following)(?: .*)?|all"
    r"|(?:以上)?(?:都|皆|全部|全都)(?:是|对|正确)|以上(?:所有|全部|都是|皆是)|两者都是|两者皆是"
)
#: The paper's wording of "Can't judge", and ours in Chinese.
CLARIFIED = "Can't judge from the image due to the lack of image information"
_CLARIFIED_ZH = "由于图像信息不足，无法从图像中判断"

#: Questions that most pictures suit, after the paper's table C; each is a guess from words.
_SUITS: dict[str, re.Pattern[str]] = {
    "how many": re.compile(r"\bhow many\b|\bnumber of\b|多少|几[个只辆位]"),
    "profession": re.compile(r"\bprofessions?\b|\boccupations?\b|\bjobs?\b|职业"),
    "caption": re.compile(r"\bcaptions?\b|\bbest describes?\b|\bassociated text\b|标题|描述这张"),
    "mood": re.compile(r"\bmoods?\b|\bemotions?\b|\bfeelings?\b|\batmosphere\b|情感|情绪|氛围"),
    "what happens next": re.compile(r"\bhappens? next\b|\bgoing to happen\b|\bpredict\b|接下来|将会发生"),
    "code": re.compile(r"\bpython code\b|\bgenerate the content\b|代码"),
    "style": re.compile(r"\bstyles?\b|风格"),
    "topic": re.compile(r"\btopic\b|\btheme\b|\bwants? to express\b|\bmain idea\b|主题|想要表达"),
}
#: Abilities of which the published IVQD set kept no question (table B).
_SUITING = (
    "identity reasoning", "structuralized imagetext understanding", "structuralized image-text understanding",
    "future prediction", "image topic", "image emotion", "image style",
)  # fmt: skip


class Prepared(msgspec.Struct, frozen=True):
    """A question that may be paired."""

    question: Question
    edits: tuple[str, ...] = ()
    """What was changed, in words; each begins with its step."""
    doubts: tuple[str, ...] = ()
    """Why it is left out until somebody decides to keep it."""


def check_steps(off: Iterable[str]) -> tuple[str, ...]:
    """The steps that run when these are switched off.

    Raises:
        SettingsError: one is no step.
    """
    without = tuple(off)
    for name in without:
        if name not in STEPS:
            raise SettingsError(f"steps among {', '.join(STEPS)}", repr(name), where="--without")
    return tuple(name for name in STEPS if name not in without)


def _plain(option: str) -> str:
    return folded(option).replace("\u2019", "'").replace("\u3002", "").rstrip("!")


def none_of_these(option: str) -> bool:
    """Whether an option says that none of the others is right."""
    return _NONE.fullmatch(_plain(option)) is not None


def cannot_judge(option: str) -> bool:
    """Whether an option says that the picture does not tell."""
    return _JUDGE.fullmatch(_plain(option)) is not None


def both_or_all(option: str) -> bool:
    """Whether an option says that several or all of the others are right."""
    return _BOTH_ALL.fullmatch(_plain(option)) is not None


def may_lend_options(question: Question) -> bool:
    """Whether its options may be put to another question: that none is right, or that one can't judge, fits any.

    A letter must be left for the abstention.
    """
    return len(question.options) < len(LETTERS) and not any(
        none_of_these(option) or cannot_judge(option) for option in question.options
    )


def suits_most(question: Question) -> tuple[str, ...]:
    """Why most pictures may suit the question; empty when no pattern says so."""
    text = folded(question.text)
    found = [f"its words ({name}) suit most pictures" for name, pattern in _SUITS.items() if pattern.search(text)]
    if _ability(question) in _SUITING:
        found.append(f"its ability ({question.ability}) suits most pictures")
    return tuple(found)


def _ability(question: Question) -> str:
    return folded(question.ability.replace("_", " "))


def prepare(question: Question, problem: Problem, steps: tuple[str, ...]) -> Prepared | Refusal:
    """Run the steps on a question, for a problem.

    Args:
        steps: names of those that run; ``text-only`` is not run here, since it needs the pair's id.
    """
    running = [name for name in STEPS if name in steps and problem in STEPS[name].problems]
    edits: list[str] = []
    doubts: tuple[str, ...] = ()
    for name in running:
        done: Question | Refusal | None = None
        if name == "none-of-these":
            done = _without(question, none_of_these, name)
        elif name == "cannot-judge":
            done = _without(question, cannot_judge, name) if problem == "IVQD" else _clarified(question)
        elif name == "suits-most":
            doubts = suits_most(question)
        elif reason := _unfit(question, name):
            done = Refusal(reason, question.id)
        if isinstance(done, Refusal):
            return done
        if done is not None and done.options != question.options:
            fewer = len(done.options) < len(question.options)
            edits.append(f"{name}: {'an option was deleted' if fewer else 'an option was reworded'}")
            question = done
    if len(question.options) < 2:
        return Refusal("fewer than two options left", question.id)
    return Prepared(question, tuple(edits), doubts)


def _unfit(question: Question, step: str) -> str:
    """The reason for which a step refuses a question; empty when it does not."""
    right = question.options[question.answer] if question.answer is not None else ""
    if step == "image-quality" and _ability(question) == "image quality":
        return "ability Image Quality"
    if step == "two-options" and len(question.options) < 3:
        return "two options only"
    if step == "both-all" and both_or_all(right):
        return "the answer is both or all"
    return ""


def _without(question: Question, unwanted: Any, step: str) -> Question | Refusal:
    """The question without the options of a kind; a refusal when its answer is one."""
    kept = [place for place, option in enumerate(question.options) if not unwanted(option)]
    if len(kept) == len(question.options):
        return question
    if question.answer not in kept:
        reason = "the answer is none of these" if step == "none-of-these" else "the answer is that one can't judge"
        return Refusal(reason, question.id)
    return msgspec.structs.replace(
        question, options=tuple(question.options[place] for place in kept), answer=kept.index(question.answer)
    )


def _clarified(question: Question) -> Question:
    """The question whose "Can't judge" says that the picture is to blame, not the options."""
    texts = tuple(_reworded(option) if cannot_judge(option) else option for option in question.options)
    # Two options of that kind stay as they are: reworded they would be equal.
    return question if len(set(texts)) < len(texts) else msgspec.structs.replace(question, options=texts)


def _reworded(option: str) -> str:
    return CLARIFIED if option.isascii() or "\u2019" in option else _CLARIFIED_ZH


class TextOnly:
    """What a run without images got right, by view.

    Args:
        folder: a scores folder; every run in it whose control is ``text-only`` counts.

    Raises:
        SourceError: no scores folder, or no such run.
    """

    def __init__(self, folder: Path) -> None:
        import pyarrow as pa
        import pyarrow.parquet as pq

        try:
            scores = decode((folder / SCORES).read_bytes(), Scores)
            table = pq.read_table(folder / VERDICTS, columns=["run", "view", "outcome"])
            check(table)
        except (OSError, ValueError, KeyError, pa.ArrowException, msgspec.MsgspecError) as error:
            raise SourceError(
                f"a scores folder with {SCORES} and {VERDICTS}", str(error)[:200], where=str(folder),
                fix="name what 'answerable score --out' wrote",
            ) from error  # fmt: skip
        blind = {run.name for run in scores.runs if run.control == "text-only"}
        if not blind:
            raise SourceError(
                "a run with the control text-only",
                ", ".join(f"{run.name} ({run.control})" for run in scores.runs)[:120] or "no runs",
                where=str(folder),
                fix="run the questions with 'answerable run --control text-only' first",
            )
        self.sha256 = digest_bytes((folder / VERDICTS).read_bytes())
        self._right: dict[tuple[str, str], bool] = {}
        for run, view, outcome in zip(*(table[name].to_pylist() for name in table.column_names), strict=True):
            if run in blind:
                # With repeats every one must be right.
                self._right[run, view] = self._right.get((run, view), True) and outcome == "correct"
        self._runs = sorted(blind)

    def __contains__(self, view: str) -> bool:
        return any((run, view) in self._right for run in self._runs)

    def answered(self, views: tuple[str, ...]) -> bool | None:
        """Whether a run got all of these views right; None when none of them was asked."""
        if not any(view in self for view in views):
            return None
        return any(all(self._right.get((run, view), False) for view in views) for run in self._runs)
