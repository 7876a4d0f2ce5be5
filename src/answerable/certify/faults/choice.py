"""Faults planted in multiple-choice groups. Every plant makes a fault of its kind under any of the three problems."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from typing import Any

import msgspec
import numpy as np

from answerable.certify.checks import Parcel
from answerable.certify.faults import Plant
from answerable.core.benchmark import ProofRecord
from answerable.core.choices import LETTERS, number_of, says, truth_of
from answerable.core.codec import decode, digest_bytes, encode
from answerable.core.records import PROBLEMS, Abstain, Answer, Option, View
from answerable.core.seeds import Stream
from answerable.domains import CASES
from answerable.domains.choice.proof import ChoiceCase, ChoiceProof, open_case
from answerable.domains.raster import png
from answerable.logic.outcomes import answer_of


class Parts:
    """A parcel taken apart: views and images in order, the proof, and its base body as plain JSON."""

    def __init__(self, parcel: Parcel) -> None:
        if parcel.proof is None:
            raise ValueError("expected a group with a proof; got none")
        self.parcel = parcel
        self.views, self.images = list(parcel.group.views), list(parcel.images)
        self.proof = decode(bytes(parcel.proof.body), ChoiceProof)
        self.body: dict[str, Any] = msgspec.json.decode(self.proof.body)

    @property
    def problem(self) -> str:
        """The state of the unsolvable views."""
        return self.proof.problem

    def case(self) -> ChoiceCase:
        """The proof as it now is."""
        return open_case(encode(msgspec.structs.replace(self.proof, body=msgspec.Raw(encode(self.body)))), {})

    def answer(self) -> Answer:
        """The program's, on F."""
        case = self.case()
        found = answer_of(case.execute(case.executors[0], "F"))
        if found is None:
            raise ValueError("expected a program with an answer on F")
        return found

    def replace(self, place: int, **changes: object) -> None:
        """Change fields of the view at a place."""
        self.views[place] = msgspec.structs.replace(self.views[place], **changes)

    def places(self, *states: str) -> list[int]:
        """Where views in these states stand."""
        return [place for place, view in enumerate(self.views) if view.state in states]

    def rename(self, old: str, new: str, *states: str) -> None:
        """Change the text of an option wherever these states offer it."""
        for place in self.places(*states):
            options = tuple(
                msgspec.structs.replace(option, text=new) if option.text == old else option
                for option in self.views[place].options
            )
            self.replace(place, options=options)

    def show(self, world: str, *states: str) -> None:
        """Draw a world anew into the views in these states, and let the proof claim it of them."""
        size, _, pixels = CASES.load(self.proof.base)(encode(self.body), {}).rendered(world, None).partition(b" ")
        width, height = map(int, size.split(b"x"))
        image = png.encode(np.frombuffer(pixels, np.uint8).reshape(height, width, 3))
        for place in self.places(*states):
            self.images[place] = image
            self.replace(place, width=width, height=height)
        shown = {self.views[place].id for place in self.places(*states)}
        claims = (msgspec.structs.replace(c, world=world) if c.view in shown else c for c in self.proof.claims)
        self.proof = msgspec.structs.replace(self.proof, claims=tuple(claims))

    def together(self) -> Parcel:
        """Everything put back with every digest and name made right, so that only a premise can catch the fault."""
        marks = {view.id: digest_bytes(data) for view, data in zip(self.views, self.images, strict=True)}
        worlds = {claim.view: claim for claim in self.proof.claims}
        claims = tuple(
            msgspec.structs.replace(worlds[view.id], image_sha256=marks[view.id]) for view in self.views
        )  # fmt: skip
        proof = msgspec.structs.replace(self.proof, claims=claims, body=msgspec.Raw(encode(self.body)))
        group = self.parcel.group
        record = ProofRecord(group=group.id, domain="choice", body=msgspec.Raw(encode(proof)))
        views = tuple(
            msgspec.structs.replace(
                view,
                image_sha256=marks[view.id],
                evidence=msgspec.structs.replace(view.evidence, proof=record.digest()),
            )
            for view in self.views
        )
        return Parcel(msgspec.structs.replace(group, views=views), tuple(self.images), record)


def _content(view: View) -> list[str]:
    return [option.text for option in view.options if option.role == "content"]


def _wrong(parts: Parts, stream: Stream, state: str) -> str:
    """An option that the views in a state offer and that is not the answer."""
    answer = parts.answer()
    return stream.pick([text for text in _content(parts.views[parts.places(state)[0]]) if not says(text, answer)])


def plant_answer(parcel: Parcel, stream: Stream) -> Parcel:
    """The answer is still there: among the options left, among another question's, or in the other picture."""
    parts = Parts(parcel)
    if parts.problem == "IVQD":
        parts.body["worlds"]["V"] = parts.body["worlds"]["F"]
        parts.show("V", "IVQD")
        return parts.together()
    right = next(text for text in _content(parts.views[parts.places("F")[0]]) if says(text, parts.answer()))
    parts.rename(_wrong(parts, stream, parts.problem), right, parts.problem)
    return parts.together()


def plant_type(parcel: Parcel, stream: Stream) -> Parcel:
    """An option of the unsolvable views that is another value of the answer's type."""
    parts = Parts(parcel)
    answer = parts.answer()
    if answer.type == "number":
        value = str(Fraction(answer.target).__floor__() + stream.between(11, 99))
    elif answer.type == "boolean":
        value = stream.pick(("Yes", "No", "True", "Always"))
    else:
        names = sorted({name for name in parts.case().labels() if len(name) > 1 and name != answer.target})
        value = stream.pick(names)
    if value in _content(parts.views[parts.places(parts.problem)[0]]):
        value = f"{value} "
    parts.rename(_wrong(parts, stream, parts.problem), value, parts.problem)
    return parts.together()


def plant_referent(parcel: Parcel, stream: Stream) -> Parcel:
    """Another picture in which what the question names is there; F itself passed off as one under AAD and IASD."""
    parts = Parts(parcel)
    worlds = parts.body["worlds"]
    if parts.problem != "IVQD":
        worlds["V"] = worlds["F"]
        parts.show("V", parts.problem)
        return parts.together()
    name, other = stream.pick(sorted(parts.case().referents())), worlds["V"]
    if parts.proof.base == "code":
        other["window"]["file"] = name
        parts.show("V", "IVQD")
        return parts.together()
    fields = "series" if parts.proof.base == "chart" else "rows"
    if name in worlds["F"]["positions"] if parts.proof.base == "chart" else name not in worlds["F"]["rows"]:
        fields = "positions" if parts.proof.base == "chart" else "fields"
    place = stream.below(len(other[fields]))
    if fields == "fields":
        other[fields][place]["name"] = name
    else:
        other[fields][place] = name
    parts.show("V", "IVQD")
    return parts.together()


def plant_target(parcel: Parcel, stream: Stream) -> Parcel:
    """The letter of another option as the target of a standard view."""
    parts = Parts(parcel)
    place = stream.pick(parts.places("F"))
    duty = parts.views[place].obligation
    letters = LETTERS[: len(_content(parts.views[place]))]
    if isinstance(duty, Answer):
        wrong = stream.pick([letter for letter in letters if letter != duty.target])
        parts.replace(place, obligation=msgspec.structs.replace(duty, target=wrong))
    return parts.together()


def plant_rotation(parcel: Parcel, stream: Stream) -> Parcel:
    """One rotation twice, and another not at all."""
    parts = Parts(parcel)
    place = stream.pick(range(len(parts.views)))
    one = parts.views[place]
    alike = [
        view for view in parts.views if (view.setting, view.state) == (one.setting, one.state) and view.id != one.id
    ]
    parts.views[place] = msgspec.structs.replace(stream.pick(alike), id=one.id)
    return parts.together()


def plant_pixel(parcel: Parcel, stream: Stream) -> Parcel:
    """One pixel of one stored image, one step brighter or darker in one channel."""
    parts = Parts(parcel)
    place = stream.below(len(parts.images))
    pixels = png.decode(parts.images[place])
    y, x, channel = stream.below(pixels.shape[0]), stream.below(pixels.shape[1]), stream.below(3)
    pixels[y, x, channel] ^= 1
    parts.images[place] = png.encode(pixels)
    return parts.together()


def plant_abstention(parcel: Parcel, stream: Stream) -> Parcel:
    """What abstains is rotated with the rest, or, where no setting offers it, offered all the same."""
    parts = Parts(parcel)
    offering = [place for place, view in enumerate(parts.views) if view.setting == "option"]
    place = stream.pick(offering or range(len(parts.views)))
    view = parts.views[place]
    extra = next((option.text for option in view.options if option.role == "abstain"), "None of the above")
    texts = [(text, "content") for text in _content(view)]
    texts.insert(stream.below(len(texts)), (extra, "abstain"))
    options = tuple(
        Option(letter, text, "abstain" if role == "abstain" else "content")
        for letter, (text, role) in zip(LETTERS, texts, strict=False)
    )
    right = next((option.letter for option in options if says(option.text, parts.answer())), "A")
    duty = view.obligation
    if isinstance(duty, Answer):
        duty = msgspec.structs.replace(duty, target=right)
    parts.replace(place, options=options, obligation=duty)
    return parts.together()


def plant_withheld(parcel: Parcel, stream: Stream) -> Parcel:
    """Another option passed off as the one that was right; one that is withheld although it is offered."""
    parts = Parts(parcel)
    wrong = _wrong(parts, stream, "F")
    for place in parts.places(parts.problem):
        parts.replace(place, withheld=wrong)
    return parts.together()


def plant_reason(parcel: Parcel, stream: Stream) -> Parcel:
    """Another problem's reason to abstain."""
    parts = Parts(parcel)
    reasons = [reason for problem, reason in PROBLEMS.items() if problem != parts.problem]
    parts.replace(stream.pick(parts.places(parts.problem)), obligation=Abstain(reason=stream.pick(reasons)))
    return parts.together()


def plant_alike(parcel: Parcel, stream: Stream) -> Parcel:
    """Two options of the standard views that are one answer, written in two ways."""
    parts = Parts(parcel)
    answer = parts.answer()
    right = next(text for text in _content(parts.views[parts.places("F")[0]]) if says(text, answer))
    ways: tuple[Callable[[str], str], ...] = (str.upper, str.lower, lambda text: f"{text}.")
    again = next((way(right) for way in ways if way(right) != right), right)
    value = number_of(right)
    if value is not None:
        again = f"{value.numerator * 2}/{value.denominator * 2}"
    elif truth_of(right):
        again = right.upper()
    states = ("F", "AAD", "IVQD") if parts.problem != "IASD" else ("F",)
    parts.rename(_wrong(parts, stream, "F"), again, *states)
    return parts.together()


def plant_instruction(parcel: Parcel, stream: Stream) -> Parcel:
    """An instruction that its setting does not have."""
    parts = Parts(parcel)
    place = stream.below(len(parts.views))
    parts.replace(place, instruction=f"{parts.views[place].instruction} Think before you answer.".strip())
    return parts.together()


FAULTS: dict[str, Plant] = {
    "answer still there": plant_answer,
    "option of the answer's type": plant_type,
    "referent in the other picture": plant_referent,
    "target": plant_target,
    "one rotation twice": plant_rotation,
    "one pixel": plant_pixel,
    "abstention rotated": plant_abstention,
    "another option withheld": plant_withheld,
    "another reason": plant_reason,
    "two options alike": plant_alike,
    "another instruction": plant_instruction,
}
