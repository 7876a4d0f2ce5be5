"""Unsolvable problem detection: one question under one problem, in every setting and every circular shift.

AAD takes the right option away, IASD offers the options of another question, IVQD shows the picture of another
question (paper, sections 3 and 4.3). Each setting puts the same addition to the standard question.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Literal

import msgspec

from answerable.build.sources.mcq import Question, folded
from answerable.core.choices import INSTRUCTED, LETTERS, addition, instructed_letter, lettered, rotated
from answerable.core.codec import digest, digest_bytes
from answerable.core.records import (
    GIVEN,
    PROBLEMS,
    SETTINGS,
    Abstain,
    Answer,
    Evidence,
    Group,
    Obligation,
    Problem,
    Refusal,
    Setting,
    State,
    View,
)
from answerable.domains.draft import Draft
from answerable.domains.raster.images import inspect

#: Said between question and options where the answer is told (paper, section 5.3).
TOLD = "The answer is {answer}. Choose the option that best fits the above answer."


class Pairing(msgspec.Struct, frozen=True):
    """A question under a problem, with what another question lends it. Small enough to send, but for the images."""

    problem: Problem
    question: Question
    """As the preparation left it."""
    other: str = ""
    """Id of the question that lends options or picture; empty for AAD, and where the source paired them itself."""
    options: tuple[str, ...] = ()
    """The options that IASD offers instead."""
    image: bytes = b""
    """The picture that IVQD shows instead."""
    edits: tuple[str, ...] = ()
    """What the preparation changed, in words."""

    @property
    def source(self) -> str:
        """Of the group: ``mmbench-aad`` and so on."""
        return f"{self.question.source}-{self.problem.lower()}"

    @property
    def right(self) -> str:
        """Text of the right option."""
        return self.question.options[self.place]

    @property
    def place(self) -> int:
        """Place of the right option."""
        if self.question.answer is None:
            raise ValueError(f"expected a question with an answer; got question={self.question.id}")
        return self.question.answer

    @property
    def offered(self) -> tuple[str, ...]:
        """The options of the unsolvable views."""
        if self.problem == "AAD":
            return tuple(text for place, text in enumerate(self.question.options) if place != self.place)
        return self.options if self.problem == "IASD" else self.question.options

    @property
    def shown(self) -> bytes:
        """The picture of the unsolvable views."""
        return self.image if self.problem == "IVQD" else self.question.image

    def content(self) -> str:
        """Digest of what the question is: equal for groups that are alike, whatever is lent."""
        asked = self.question
        return digest(
            ["mcq", self.problem, folded(asked.hint), folded(asked.text), sorted(map(folded, asked.options)),
             folded(self.right), digest_bytes(asked.image)]
        )  # fmt: skip

    def group_id(self) -> str:
        """Opaque; it depends on the question, the problem and what is lent, not on settings or seed."""
        asked = self.question
        return digest(
            ["group", self.source, asked.id, asked.hint, asked.text, asked.options, asked.answer,
             digest_bytes(asked.image), self.options, digest_bytes(self.image)]
        )[:20]  # fmt: skip


def view_id(group: str, setting: Setting, state: State, rotation: int) -> str:
    """Opaque, and the same in every build that has this group."""
    return digest(["view", group, setting, state, rotation])[:24]


def original_ids(pairing: Pairing) -> tuple[str, ...]:
    """Ids of the views that ask the question the original way, one a rotation."""
    group = pairing.group_id()
    return tuple(view_id(group, "original", "F", turn) for turn in range(len(pairing.question.options)))


def abstain_letter(pairing: Pairing) -> str:
    """The letter that the instruction names: F, or the next that no view of the group uses."""
    return instructed_letter(_most(pairing))


def _most(pairing: Pairing) -> int:
    """Content options of the view that has most."""
    return max(len(pairing.question.options), len(pairing.offered))


def make_group(pairing: Pairing, settings: tuple[Setting, ...]) -> Draft | Refusal:
    """The group of a pairing: views ordered by setting, state and rotation, each with its picture.

    Args:
        settings: those to put the question in, in any order.
    """
    most = _most(pairing)
    if most >= len(LETTERS) and {"option", "instruction", GIVEN} & set(settings):
        return Refusal(
            "no letter left for the abstention", f"{pairing.question.id}: {most} options, settings option, instruction"
        )
    group = pairing.group_id()
    made = [
        _view(pairing, group, setting, state, turn)
        for setting in (*SETTINGS, GIVEN)
        if setting in settings
        for state in _states(pairing, setting)
        for turn in range(len(_content(pairing, state)))
    ]
    # A file is read for its size once, not once a view.
    facts = {data: inspect(data) for data in {image for _, image in made}}
    views = tuple(
        msgspec.structs.replace(
            view, image_sha256=digest_bytes(image), width=facts[image].width, height=facts[image].height
        )
        for view, image in made
    )
    split: Literal["test", "train"] = "train" if pairing.question.split == "train" else "test"
    return Draft(
        group=Group(id=group, source=pairing.source, split=split, views=views),
        images=tuple(image for _, image in made),
        proof=None,
        content=pairing.content(),
    )


def _states(pairing: Pairing, setting: Setting) -> Iterator[State]:
    if setting == GIVEN:
        # Told the answer, a question with other options or another picture asks nothing new.
        if pairing.problem == "AAD":
            yield "AAD"
        return
    yield "F"
    if setting != "original":
        yield pairing.problem


def _content(pairing: Pairing, state: State) -> tuple[str, ...]:
    return pairing.question.options if state == "F" else pairing.offered


def _view(pairing: Pairing, group: str, setting: Setting, state: State, turn: int) -> tuple[View, bytes]:
    asked, problem = pairing.question, pairing.problem
    texts = rotated(_content(pairing, state), turn)
    extra, instruction = addition(problem, setting, len(texts), _most(pairing))
    told = TOLD.format(answer=pairing.right) if setting == GIVEN else ""
    duty: Obligation = Abstain(reason=PROBLEMS[problem])
    if state == "F":
        duty = Answer(target=LETTERS[(pairing.place - turn) % len(texts)], type="text")
    view = View(
        id=view_id(group, setting, state, turn),
        group=group,
        source=pairing.source,
        split=asked.split,
        figure=figure_of(asked),
        state=state,
        question="\n".join(filter(None, (asked.hint, asked.text, told))),
        obligation=duty,
        evidence=Evidence(level="derived", note=_note(pairing, setting, state)),
        image_sha256="",
        width=0,
        height=0,
        options=lettered(texts) + extra,
        instruction=instruction,
        setting=setting,
        rotation=turn,
        withheld=pairing.right if state in ("AAD", "IASD") else "",
        ability=asked.ability,
        topic=asked.topic,
    )
    return view, asked.image if state == "F" else pairing.shown


def figure_of(question: Question) -> str:
    """Questions on one picture share a figure."""
    return f"{question.source}-{digest_bytes(question.image)[:16]}"


def _note(pairing: Pairing, setting: Setting, state: State) -> str:
    """What was done to the source's question, for people."""
    lent = f"question {pairing.other[:80]}" if pairing.other else "another question, as the source pairs them"
    done = {
        "F": "standard question, with the source's answer",
        "AAD": f"the right option was taken away{' and told' if setting == GIVEN else ''}: {pairing.right[:80]}",
        "IASD": f"the options are those of {lent}",
        "IVQD": f"the picture is that of {lent}",
    }[state]
    parts = [f"question {pairing.question.id[:80]}", done, *pairing.edits]
    letter = abstain_letter(pairing) if setting == "instruction" else INSTRUCTED
    if letter != INSTRUCTED:
        parts.append(f"{INSTRUCTED} is the letter of an option, so the instruction names {letter}")
    return "; ".join(parts)
