"""From a question with options to a group: one problem, every setting, every rotation, and the proof.

AAD takes the answer out of the options, IASD offers options of another kind, IVQD shows a picture without what the
question names. Source: "Unsolvable Problem Detection", sections 3 and 4.3.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import combinations
from typing import Literal

import msgspec

from answerable.core.benchmark import ProofRecord
from answerable.core.choices import (
    LETTERS,
    addition,
    akin,
    alike,
    fits,
    is_option,
    lettered,
    may_answer,
    rotated,
    says,
)
from answerable.core.codec import digest, digest_bytes, encode
from answerable.core.records import (
    PROBLEMS,
    SETTINGS,
    Abstain,
    Answer,
    Evidence,
    Group,
    Obligation,
    Problem,
    Record,
    Refusal,
    Setting,
    State,
    View,
)
from answerable.domains.choice.proof import DOMAIN, ChoiceCase, ChoiceProof, Claim, open_case
from answerable.domains.draft import Draft
from answerable.logic.outcomes import answer_of
from answerable.logic.program import Undefined

#: Options that AAD needs: with fewer, one would be left.
LEAST_FOR_AAD = 3
#: Content options of a view.
LEAST, MOST = 2, 4
NOTES: dict[State, str] = {
    "F": "the standard question: the program's answer is one of the options",
    "AAD": "the answer was taken out of the options",
    "IASD": "options of another question; none can be an answer in any admissible world",
    "IVQD": "another picture; what the question names is not in its world",
}


class Asked(msgspec.Struct, frozen=True):
    """A question of some domain with options, before a problem is made of it."""

    base: str
    """The domain."""
    body: Record
    """The domain's proof body without claims; its worlds are F and, for IVQD, V."""
    question: str
    answer: Answer
    """The program's, on F."""
    options: tuple[str, ...]
    """Two to four, the answer among them, in the order of rotation 0."""
    images: Mapping[str, bytes]
    """World -> image file."""
    sizes: Mapping[str, tuple[int, int]]
    """World -> width and height in pixels."""
    renderer: str
    program: str
    """Family of the question's program."""
    depth: int
    content: object
    """What makes the question what it is, whatever its options."""


class Request(msgspec.Struct, frozen=True):
    """What to make of a question."""

    source: str
    figure: str
    split: Literal["test", "train"]
    problem: Problem
    settings: tuple[Setting, ...]
    names: tuple[str | int, ...]
    """Seed of every choice; part of the views' opaque ids."""
    offered: tuple[str, ...] = ()
    """Another question's options, for IASD."""


class _Place(msgspec.Struct, frozen=True):
    """Where a view stands in its group."""

    setting: Setting
    state: State
    turn: int


def make_group(asked: Asked, request: Request) -> Draft | Refusal:
    """Build the group, or say why not. Refusals have one of the reasons of the ledger."""
    refusal = problem_of(asked, request)
    if refusal is not None:
        return refusal
    problem = request.problem
    offered = {"F": asked.options, problem: _unsolvable(asked, request)}
    worlds: dict[str, str] = {"F": "F", problem: "V" if problem == "IVQD" else "F"}
    content = digest([DOMAIN, asked.base, problem, asked.content])
    group = digest(["group", request.source, request.figure, content])[:20]
    places = [
        _Place(setting, state, turn)
        for setting in SETTINGS
        if setting in request.settings
        for state in _states(problem, setting)
        for turn in range(len(offered[state]))
    ]
    ids = {place: digest(["view", group, place, *request.names])[:24] for place in places}
    marks = {world: digest_bytes(data) for world, data in asked.images.items()}
    claims = tuple(Claim(ids[place], marks[worlds[place.state]], worlds[place.state]) for place in places)
    body = ChoiceProof(base=asked.base, problem=problem, body=msgspec.Raw(encode(asked.body)), claims=claims)
    proof = ProofRecord(group=group, domain=DOMAIN, body=msgspec.Raw(encode(body)))
    mark = proof.digest()
    views = tuple(
        msgspec.structs.replace(
            _view(asked, request, place, offered),
            id=ids[place],
            group=group,
            evidence=Evidence(level="proved", proof=mark, note=NOTES[place.state]),
            image_sha256=marks[worlds[place.state]],
            width=asked.sizes[worlds[place.state]][0],
            height=asked.sizes[worlds[place.state]][1],
        )
        for place in places
    )
    made = Group(id=group, source=request.source, split=request.split, views=views)
    return Draft(made, tuple(asked.images[worlds[place.state]] for place in places), proof, content)


def _states(problem: Problem, setting: Setting) -> tuple[State, ...]:
    return ("F",) if setting == "original" else ("F", problem)


def _unsolvable(asked: Asked, request: Request) -> tuple[str, ...]:
    """The options of the unsolvable views."""
    if request.problem == "AAD":
        return tuple(text for text in asked.options if not says(text, asked.answer))
    return request.offered if request.problem == "IASD" else asked.options


def _view(asked: Asked, request: Request, place: _Place, offered: Mapping[str, Sequence[str]]) -> View:
    """A view without its names and digests."""
    texts = rotated(offered[place.state], place.turn)
    added, instruction = addition(request.problem, place.setting, len(texts), max(map(len, offered.values())))
    right = next(text for text in asked.options if says(text, asked.answer))
    duty: Obligation = Abstain(reason=PROBLEMS[request.problem])
    if place.state == "F":
        duty = Answer(target=LETTERS[texts.index(right)], type="text")
    return View(
        id="",
        group="",
        source=request.source,
        split=request.split,
        figure=request.figure,
        state=place.state,
        question=asked.question,
        obligation=duty,
        evidence=Evidence(level="proved"),
        image_sha256="",
        width=0,
        height=0,
        renderer=asked.renderer,
        program=asked.program,
        depth=asked.depth,
        options=lettered(texts) + added,
        instruction=instruction,
        setting=place.setting,
        rotation=place.turn,
        withheld=right if place.state in ("AAD", "IASD") else "",
        ability=asked.program,
        topic=asked.base,
    )


def problem_of(asked: Asked, request: Request) -> Refusal | None:
    """Why a question does not become a group under this problem; None when it does."""
    return _options_problem(asked, request) or _unsolvable_problem(asked, request)


def _options_problem(asked: Asked, request: Request) -> Refusal | None:
    for texts in (asked.options, request.offered if request.problem == "IASD" else asked.options):
        odd = next((text for text in texts if not is_option(text)), None)
        if not LEAST <= len(texts) <= MOST or odd is not None:
            return Refusal(reason="no options", detail=f"{len(texts)} options {odd or ''}".strip())
        if any(alike(one, other) for one, other in combinations(texts, 2)):
            return Refusal(reason="options alike", detail=" | ".join(texts))
    right = [text for text in asked.options if says(text, asked.answer)]
    if len(right) != 1 or not all(fits(text, asked.answer) for text in asked.options):
        return Refusal(reason="no options", detail=f"{asked.answer.target}: {' | '.join(asked.options)}")
    if request.problem == "AAD" and len(asked.options) < LEAST_FOR_AAD:
        return Refusal(reason="too few options", detail=f"of {len(asked.options)} options one would be left")
    return None


def _unsolvable_problem(asked: Asked, request: Request) -> Refusal | None:
    claimless = ChoiceProof(base=asked.base, problem=request.problem, body=msgspec.Raw(encode(asked.body)), claims=())
    case = open_case(encode(claimless), {})
    if answer_of(case.execute(case.executors[0], "F")) != asked.answer:
        return Refusal(reason="no answer", detail=asked.question)
    if request.problem == "IASD":
        labels = case.labels()
        why = next(
            (f"{text!r} {why}" for text in request.offered if (why := may_answer(text, asked.answer, labels))), ""
        )
        return Refusal(reason="the other options could answer", detail=why) if why else None
    if request.problem == "IVQD":
        return _other_picture_problem(case)
    return None


def _other_picture_problem(case: ChoiceCase) -> Refusal | None:
    """Why the question could be about the other picture: a name that is there, or nothing that could be missing."""
    referents = case.referents()
    if not referents:
        return Refusal(reason="the question names nothing", detail=case.question)
    texts = case.texts("V")
    found = [name for name in sorted(referents) if any(akin(name, text) for text in texts)]
    if found or not isinstance(case.execute(case.executors[0], "V"), Undefined):
        return Refusal(reason="the other picture could answer", detail=", ".join(found) or case.question)
    return None
