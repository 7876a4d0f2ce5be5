"""A finished group on its way into a benchmark; every domain's builder gives these, put together alike."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Literal, Protocol, TypeVar

import msgspec

from answerable.core.benchmark import ProofRecord
from answerable.core.choices import lettered
from answerable.core.codec import digest, digest_bytes, encode
from answerable.core.records import Abstain, Answer, Evidence, Group, Obligation, Record, State, View
from answerable.logic.outcomes import Outcome, answer_of


class Draft(msgspec.Struct, frozen=True):
    """A group with its image files, in the order of its views, and its proof."""

    group: Group
    images: tuple[bytes, ...]
    proof: ProofRecord | None
    content: str
    """Digest of what makes the group what it is: equal for groups that are alike."""


class Shown(Record, frozen=True):
    """What a proof says of one view: which world it shows. Each domain's claims add what of it is hidden."""

    state: State
    view: str
    """Id of the view."""
    image_sha256: str
    world: str
    """A key of the proof's worlds."""


class Wanted(Protocol):
    """What every domain's request says of the group to make."""

    @property
    def source(self) -> str: ...
    @property
    def figure(self) -> str: ...
    @property
    def split(self) -> Literal["test", "train"]: ...
    @property
    def names(self) -> tuple[str | int, ...]:
        """Seed of every choice; part of the views' opaque ids."""


C = TypeVar("C", bound=Record)


class Manner(Record, frozen=True):
    """How a group's question is put, and under which headings it counts, where it is not asked freely."""

    instruction: str = ""
    """Said after question and options."""
    lettered: bool = False
    """Whether choices are options under letters; otherwise they are part of the question's text."""
    ability: str = ""
    topic: str = ""


class Sheet(msgspec.Struct, frozen=True):
    """What is common to a group's views."""

    question: str
    notes: Mapping[State, str]
    """State -> the evidence in a few words."""
    renderer: str
    program: str
    """Family of the question's program."""
    depth: int
    manner: Manner = Manner()
    offers: tuple[str, ...] = ()
    """Options in the order of their letters, the answers among them."""


def obligation_of(state: str, outcome: Outcome) -> Obligation:
    """What a view must do when its world gives ``outcome``: abstain in M and where there is no answer."""
    if state == "M":
        return Abstain(reason="missing")
    return answer_of(outcome) or Abstain(reason="invalid_reference")


def _by_letter(duty: Obligation, offers: tuple[str, ...]) -> Obligation:
    if isinstance(duty, Abstain) or not offers:
        return duty
    (letter,) = (option.letter for option in lettered(offers) if option.text == duty.target)
    return Answer(target=letter, type="text")


def assemble_group(
    wanted: Wanted,
    domain: str,
    content: object,
    shown: Sequence[tuple[State, str, Any]],
    images: Mapping[State, bytes],
    sizes: Mapping[State, tuple[int, int]],
    sheet: Sheet,
    duty: Callable[[State, str], Obligation],
    claim: type[C],
    prove: Callable[[tuple[C, ...]], Record],
) -> Draft:
    """Name the group and its views, bind them to their proof, and put them in order.

    Args:
        content: what makes the group what it is; groups of equal content are alike.
        shown: state, world and operation of each view, in order.
        images: the image file of each state.
        sizes: width and height of each state's image, in pixels.
        duty: the obligation of a state that shows a world.
        claim: the domain's record of what a proof says of one view.
        prove: the proof's body, from its claims.
    """
    alike = digest(content)
    group_id = digest(["group", wanted.source, wanted.figure, alike])[:20]
    names = {state: digest(["view", group_id, state, *wanted.names])[:24] for state in images}
    marks = {state: digest_bytes(image) for state, image in images.items()}
    claims = tuple(
        claim(state=state, view=names[state], image_sha256=marks[state], world=world, hide=hide)
        for state, world, hide in shown
    )
    proof = ProofRecord(group=group_id, domain=domain, body=msgspec.Raw(encode(prove(claims))))
    mark = proof.digest()
    views = tuple(
        View(
            id=names[state],
            group=group_id,
            source=wanted.source,
            split=wanted.split,
            figure=wanted.figure,
            state=state,
            question=sheet.question,
            obligation=_by_letter(duty(state, world), sheet.offers),
            evidence=Evidence(level="proved", proof=mark, note=sheet.notes[state]),
            image_sha256=marks[state],
            width=sizes[state][0],
            height=sizes[state][1],
            renderer=sheet.renderer,
            program=sheet.program,
            depth=sheet.depth,
            options=lettered(sheet.offers),
            instruction=sheet.manner.instruction,
            ability=sheet.manner.ability,
            topic=sheet.manner.topic,
        )
        for state, world, _ in shown
    )
    group = Group(id=group_id, source=wanted.source, split=wanted.split, views=views)
    return Draft(group, tuple(images[state] for state, _, _ in shown), proof, alike)
