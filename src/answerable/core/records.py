"""What a benchmark is made of: views, their obligations, and the evidence behind them."""

from __future__ import annotations

from typing import Literal

import msgspec

#: The states a view can be in: those of complete-question evaluation, then those of unsolvable problem detection,
#: where F is the standard question.
State = Literal["F", "S", "K", "C", "D", "M", "I", "AAD", "IASD", "IVQD"]

#: What each state means, for people. The order is the order in tables.
STATES: dict[str, str] = {
    "F": "FULL: the original picture",
    "S": "A_SAME: an edit that keeps the answer",
    "K": "A_MASKED: something irrelevant is hidden the way M hides",
    "C": "A_CHANGED: an edit that changes the answer",
    "D": "A_DETERMINED: something relevant is hidden, the answer is determined all the same",
    "M": "U_MISSING: the evidence is hidden",
    "I": "U_INVALID: what the question refers to is not there",
    "AAD": "ABSENT_ANSWER: the right option is not among those offered",
    "IASD": "INCOMPATIBLE_ANSWERS: the options belong to another question",
    "IVQD": "INCOMPATIBLE_IMAGE: the picture belongs to another question",
}

#: States that a view must answer; the others must abstain.
SUPPORTED = ("F", "S", "K", "C", "D")
UNSUPPORTED = ("M", "I", "AAD", "IASD", "IVQD")
#: The states of the visual-answerability paper: ``J_k`` and ``B_k`` run over those a source has.
PAPER_STATES = ("F", "S", "C", "M", "I")

AbstainReason = Literal[
    "missing", "invalid_reference", "absent_answer", "incompatible_answers", "incompatible_image", "indeterminate"
]
AnswerType = Literal["number", "text", "boolean", "integer"]
#: The problems of unsolvable problem detection, which are states too, and why each leaves nothing to answer.
Problem = Literal["AAD", "IASD", "IVQD"]
PROBLEMS: dict[Problem, AbstainReason] = {
    "AAD": "absent_answer",
    "IASD": "incompatible_answers",
    "IVQD": "incompatible_image",
}
#: How a multiple-choice question is put: as it is, with an option that abstains, with an instruction that allows it,
#: or, the standard question alone, with the plain demand for a letter.
Setting = Literal["base", "option", "instruction", "original", "given"]
SETTINGS: tuple[Setting, ...] = ("base", "option", "instruction", "original")
#: A probe besides: the right answer is told, and the model must find that no option is it (AAD).
GIVEN: Setting = "given"
#: ``proved``: the kernel re-checks it; ``attested``: independent solvers agree; ``derived``: a program and a
#: recorded edit; ``annotated``: people. From strongest to weakest.
Level = Literal["proved", "attested", "derived", "annotated"]
LEVELS: tuple[Level, ...] = ("proved", "attested", "derived", "annotated")


class Record(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Base of every stored record: frozen, and unknown fields are an error."""


class Answer(Record, frozen=True, tag_field="kind", tag="answer"):
    """The obligation to answer."""

    target: str
    """The right answer; a number is exact: ``321.5``, or ``p/q`` where no decimal ends."""
    type: AnswerType
    """How it is compared: numbers by exact value, text after normalising."""


class Abstain(Record, frozen=True, tag_field="kind", tag="abstain"):
    """The obligation to abstain."""

    reason: AbstainReason
    """Why there is nothing to answer."""


Obligation = Answer | Abstain


class Evidence(Record, frozen=True):
    """Why the obligation holds."""

    level: Level
    """How strong it is."""
    proof: str = ""
    """Digest of the proof record that the kernel checks; empty below ``proved``."""
    note: str = ""
    """For people: the edit, strategy or annotation in a few words."""


class Option(Record, frozen=True):
    """One of the options that a multiple-choice question offers."""

    letter: str
    """A capital letter; letters need not follow one another."""
    text: str
    role: Literal["content", "abstain", "instructed"] = "content"
    """``abstain``: choosing it abstains; ``instructed``: so too, and only the instruction names it."""


class View(Record, frozen=True):
    """One picture and question a model meets. ``id`` is opaque and carries no state."""

    id: str
    """Opaque, unique in the benchmark."""
    group: str
    """The group it belongs to; never sent."""
    source: str
    """Where the group comes from, for example ``chart-sampler``; never sent."""
    split: str
    """``test`` or ``train``."""
    figure: str
    """The source figure; splits never share one."""
    state: State
    """Never sent."""
    question: str
    """The question text: the same in every view of a group whose worlds differ, not where the words do (some sets of
    TUBench, told answers)."""
    obligation: Obligation
    """What the reply must do; never sent."""
    evidence: Evidence
    """Why; never sent."""
    image_sha256: str
    """Digest of the image file as it is stored and sent."""
    width: int
    """Pixels."""
    height: int
    """Pixels."""
    renderer: str = ""
    """Family and version that drew it, empty for photos."""
    program: str = ""
    """Family of the question's program, such as ``look-up`` or ``comparison``; empty without a program."""
    depth: int = 0
    """Levels of the program's tree: 1 for a look-up; 0 without a program."""
    options: tuple[Option, ...] = ()
    """What is offered, in the order shown; empty for a free answer. The target of an answer is then a letter."""
    instruction: str = ""
    """Said after the options."""
    setting: Literal["", "base", "option", "instruction", "original", "given"] = ""
    """How a multiple-choice question is put; never sent as such."""
    rotation: int = 0
    """By how many places the content options are shifted."""
    withheld: str = ""
    """The right option that was taken away: naming it in words meets an obligation to abstain. Never sent."""
    ability: str = ""
    """What the source says the question tests; empty when it says nothing."""
    topic: str = ""
    """The source's wider heading above ``ability``."""


class Group(Record, frozen=True):
    """A question and its views, in the order of ``STATES``."""

    id: str
    source: str
    split: str
    views: tuple[View, ...]

    def view(self, state: str) -> View | None:
        """The view in this state, if the group has one."""
        return next((view for view in self.views if view.state == state), None)


class Refusal(Record, frozen=True):
    """Why a candidate did not become a group."""

    reason: str
    """A fixed short word, counted in the ledger: ``labels collide``, ``no other position`` ..."""
    detail: str = ""
    """What exactly, for people."""
