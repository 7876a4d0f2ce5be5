"""The group of a question on a photo: F as it is, S with masks beside what it asks about, M with masks on it.

Nothing here is proved. That the answer cannot be seen in M is derived: a program, or a person, said on what it rests,
and a recorded mask hides that. Cues may remain, above all the place of what is hidden (paper, section 6.2).
"""

from __future__ import annotations

from typing import Literal

from answerable.core.codec import digest, digest_bytes
from answerable.core.records import Abstain, Evidence, Group, Record, Refusal, State, View
from answerable.domains.draft import Draft
from answerable.domains.photo.asked import Asked
from answerable.domains.photo.coding import encode
from answerable.domains.photo.pictures import masked, read_photo
from answerable.domains.photo.planning import Edits

Split = Literal["test", "train"]
STATES: tuple[State, ...] = ("F", "S", "M")
_MOST_NAMED = 6


class Request(Record, frozen=True):
    """The group to make."""

    source: str
    split: Split
    asked: Asked
    edits: Edits
    seed: int
    """Part of the views' opaque ids."""


def make_group(request: Request, file: bytes) -> Draft | Refusal:
    """The group with its three pictures.

    Args:
        file: of the photo, as it was found.

    Returns:
        A draft; a refusal when the photo cannot be used, or a mask changes nothing in it.
    """
    asked, edits = request.asked, request.edits
    pixels = read_photo(file, asked.width, asked.height, asked.file)
    if isinstance(pixels, Refusal):
        return pixels
    drawn = {"F": pixels, "S": masked(pixels, edits.same), "M": masked(pixels, edits.missing)}
    images = [encode(drawn[state]) for state in STATES]
    if len(set(images)) < len(images):
        return Refusal(reason="a mask changes nothing", detail=f"{asked.id}: the photo is grey there")
    content = digest(["photo", asked.question, asked.answer, digest_bytes(images[0]), edits.missing, edits.same])
    group = digest(["group", request.source, asked.photo, content])[:20]
    views = tuple(_view(request, group, state, image) for state, image in zip(STATES, images, strict=True))
    return Draft(
        group=Group(id=group, source=request.source, split=request.split, views=views),
        images=tuple(images),
        proof=None,
        content=content,
    )


def _view(request: Request, group: str, state: State, image: bytes) -> View:
    asked = request.asked
    return View(
        id=digest(["view", group, state, request.seed])[:24],
        group=group,
        source=request.source,
        split=request.split,
        figure=asked.photo,
        state=state,
        question=asked.question,
        obligation=Abstain(reason="missing") if state == "M" else asked.obligation,
        evidence=Evidence(level="derived", note=note(asked, request.edits, state)),
        image_sha256=digest_bytes(image),
        width=asked.width,
        height=asked.height,
        program=asked.family,
        depth=asked.depth,
        ability=asked.ability,
        topic=asked.topic,
    )


_CHECKED = {
    "agrees": "its program gives the answer on the scene graph",
    "not executable": "its program cannot be run on the scene graph, so the answer is not checked",
    "no program": "the answer is as the sheet has it",
}


def note(asked: Asked, edits: Edits, state: State) -> str:
    """The evidence in a few words."""
    if state == "F":
        return f"question {_said(asked.id)}; {_CHECKED[asked.checked]}"
    if state == "S":
        names = {thing.id: thing.name for thing in asked.others}
        of = _listed([names.get(pair.other, pair.other) for pair in edits.pairs])
        ratios = [(pair.size_ratio, pair.aspect_ratio, pair.distance) for pair in edits.pairs]
        size, aspect, distance = (max(each) for each in zip(*ratios, strict=True)) if ratios else (1.0, 1.0, 0.0)
        return (
            f"masked, not needed: {of}; beside M's masks at worst: areas {size:.2f} to 1, aspect ratios {aspect:.2f}"
            f" to 1, middles {distance:.2f} of the diagonal apart; of a needed thing hidden: {edits.touched:.2f}"
        )
    needed = _listed([thing.name for thing in asked.needed])
    least = f"hidden of each at least {edits.least:.2f}"
    return f"masked, needed: {needed}; {least}; other things of the name left visible: {edits.twins}"


def _listed(names: list[str]) -> str:
    more = f" and {len(names) - _MOST_NAMED} more" if len(names) > _MOST_NAMED else ""
    return ", ".join(map(_said, names[:_MOST_NAMED])) + more


def _said(text: str) -> str:
    """A stranger's word in a note: one short line."""
    return "".join(sign if sign.isprintable() else "?" for sign in text[:60])
