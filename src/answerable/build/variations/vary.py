"""From a question on a picture to a group: the original and its variants, each saying what was varied.

A variant has the obligation of what it varies. A variant of F is in state S, an edit that keeps the answer; variants of
other states stay in theirs. ``topic`` says what was varied and ``ability`` how, as ``core.consistency`` reads them.

A proved question keeps its proof in other words that its domain's checker understands; a picture in another style does
not, since nobody looked whether the answer can still be seen.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

import msgspec

from answerable.build.authoring.sheets import Row
from answerable.build.importers.items import Folder
from answerable.build.sources.mcq import UnusableError, refused
from answerable.build.variations import restyle
from answerable.build.variations.proving import keep_proof
from answerable.build.variations.restyle import Style, read_pixels
from answerable.core.benchmark import ProofRecord
from answerable.core.codec import digest, digest_bytes
from answerable.core.consistency import kinds_text
from answerable.core.errors import ImageError
from answerable.core.records import LEVELS, STATES, Answer, Evidence, Group, Level, Record, Refusal, View
from answerable.domains.draft import Draft
from answerable.domains.photo import coding
from answerable.domains.raster.images import inspect
from answerable.domains.raster.kinds import media_type

#: Views of one group at most; what is compared grows with the square.
MOST_VIEWS = 2000


class Words(Record, frozen=True):
    """Other words for a question."""

    text: str
    note: str
    """Who wrote them, and what was checked."""
    understood: bool = False
    """Whether the domain's checker finds that they ask for what the question's proof reads."""


class Looks(msgspec.Struct, frozen=True):
    """The styles and sizes in which pictures are shown again."""

    styles: tuple[Style, ...] = ()
    resolutions: tuple[int, ...] = ()
    """Pixels of the longer side before styling; empty: their own."""

    def each(self) -> Iterator[tuple[Style, int]]:
        """Every style in every size."""
        for style in self.styles:
            for side in self.resolutions or (0,):
                yield style, side


class Stored(msgspec.Struct, frozen=True):
    """A group of a benchmark, sent to whoever varies it."""

    group: Group
    images: tuple[bytes, ...]
    words: Mapping[str, tuple[Words, ...]]
    """By question."""
    looks: Looks
    named: str
    """The benchmark, for notes."""
    proof: ProofRecord | None = None
    """Of the group, where all of its views are here."""


class Asked(msgspec.Struct, frozen=True):
    """A question on a picture of a folder, with its answer."""

    source: str
    id: str
    split: str
    folder: str
    file: str
    """In the folder; the group's figure."""
    question: str
    answer: Answer
    level: Level
    note: str
    words: tuple[Words, ...]
    looks: Looks


def weaker(one: Level, other: Level) -> Level:
    """The weaker of two levels of evidence."""
    return max(one, other, key=LEVELS.index)


def vary_stored(work: Stored) -> Draft | Refusal:
    """A group with its variants, or why there are none. Depends on its argument only."""
    originals = []
    for view, image in zip(work.group.views, work.images, strict=True):
        level, data = view.evidence.level, image
        note = f"view {view.id} of {work.named}, {level} there; {view.evidence.note}"
        evidence = Evidence(level=weaker(level, "derived"), note=note)
        try:
            if work.looks.styles and media_type(data) != "image/png":
                # So that no file tells a variant from its original.
                data = coding.encode(read_pixels(data))
        except ImageError as error:
            return Refusal("the picture cannot be read", f"view {view.id}: {error.got:.120}")
        originals.append((_with_image(msgspec.structs.replace(view, evidence=evidence), data), data))
    draft = assemble(work.group, originals, work.words, work.looks)
    if isinstance(draft, Refusal) or work.proof is None:
        return draft
    known = {one.text for words in work.words.values() for one in words if one.understood}
    return keep_proof(draft, work.proof, work.group, known)


def vary_asked(work: Asked) -> Draft | Refusal:
    """The same for a question on a picture of a folder, which is read now."""
    try:
        pixels = read_pixels(Folder(Path(work.folder)).picture(work.file))
    except UnusableError as error:
        return refused(work.id, error)
    except ImageError as error:
        return Refusal("the image cannot be read", f"{work.id}: {error.got:.120}")
    image = coding.encode(pixels)
    view = View(
        id="", group="", source=work.source, split=work.split, figure=work.file, state="F", question=work.question,
        obligation=work.answer, evidence=Evidence(level=work.level, note=work.note), image_sha256="", width=0, height=0,
    )  # fmt: skip
    group = Group(id=work.id, source=work.source, split=work.split, views=())
    return assemble(group, [(_with_image(view, image), image)], {work.question: work.words}, work.looks)


def assemble(
    group: Group, originals: Sequence[tuple[View, bytes]], words: Mapping[str, tuple[Words, ...]], looks: Looks
) -> Draft | Refusal:
    """The originals and every variant as one group.

    Args:
        group: what the originals are from; its id is the seed of the new one's.
        originals: views and their image files.
    """
    made = list(originals)
    try:
        for view, image in originals:
            made += _reworded(view, image, words.get(view.question, ()))
            made += _restyled(view, image, looks)
    except ImageError as error:
        return Refusal("the picture cannot be restyled", f"{group.id[:60]}: expected {error.expected}; got {error.got}")
    if len(made) == len(originals):
        return Refusal("nothing to vary", f"{group.id[:120]}: {originals[0][0].question[:60]!r}")
    if len(made) > MOST_VIEWS:
        return Refusal("too many views of one question", f"{group.id[:60]}: {len(made)}, of at most {MOST_VIEWS}")
    return as_group(group.id, group.source, group.split, made)


def as_group(name: str, source: str, split: str, made: Sequence[tuple[View, bytes]]) -> Draft:
    """Views with their image files, named and in the order of their states."""
    content = digest(["varied", source, name, [_said(view) for view, _ in made]])
    group = digest(["group", source, content])[:20]
    order = list(STATES)
    ranked = sorted(enumerate(made), key=lambda one: (order.index(one[1][0].state), one[0]))
    views = tuple(
        msgspec.structs.replace(view, id=digest(["view", group, place])[:24], group=group, source=source)
        for place, (view, _) in ranked
    )
    return Draft(Group(group, source, split, views), tuple(image for _, (_, image) in ranked), None, content)


def _said(view: View) -> list[object]:
    return [view.question, view.obligation, view.state, view.image_sha256, view.topic, view.ability, view.options]


def variant(view: View, topic: str, kinds: Mapping[str, str], note: str) -> View:
    """A view that varies another one."""
    evidence = Evidence(level=weaker(view.evidence.level, "derived"), note=f"{note}; {view.evidence.note}")
    return msgspec.structs.replace(
        view, topic=topic, ability=kinds_text(kinds), evidence=evidence, state="S" if view.state == "F" else view.state
    )


def _reworded(view: View, image: bytes, words: Sequence[Words]) -> Iterator[tuple[View, bytes]]:
    for number, one in enumerate(words, start=1):
        changed = variant(view, "rephrase", {"wording": str(number)}, f"in other words, {one.note}")
        yield msgspec.structs.replace(changed, question=one.text), image


def _restyled(view: View, image: bytes, looks: Looks) -> Iterator[tuple[View, bytes]]:
    if not looks.styles:
        return
    pixels = read_pixels(image)
    for style, side in looks.each():
        data = coding.encode(restyle.apply(style, pixels, side))
        kinds = {"style": style.name} | ({"resolution": str(side)} if side else {})
        note = f"shown in {style.words()}; nobody looked whether the answer can still be seen"
        yield _with_image(variant(view, "restyle", kinds, note), data), data


def _with_image(view: View, data: bytes) -> View:
    facts = inspect(data)
    return msgspec.structs.replace(view, image_sha256=digest_bytes(data), width=facts.width, height=facts.height)


def due_of(row: Row) -> Answer:
    """The answer of a row of a sheet.

    Raises:
        UnusableError: there is none, or it is none of its type.
    """
    from fractions import Fraction

    from answerable.core.codec import answer_text

    text, kind = " ".join(row.cells.get("answer", "").split()), row.cells.get("type", "").casefold()
    if not text:
        raise UnusableError("no reference answer", "a reply has nothing to be held against; a caption will do")
    if kind in ("", "text"):
        return Answer(text, "text")
    if kind == "boolean":
        if text.casefold() not in ("yes", "no"):
            raise UnusableError("the answer is not of its type", f"{text[:40]!r}: expected yes or no")
        return Answer(text.casefold(), "boolean")
    if kind != "number":
        raise UnusableError("an unknown type of answer", f"{kind[:20]!r}: expected text, number or boolean")
    try:
        if len(text) > 40 or "e" in text.casefold():
            raise ValueError
        return Answer(answer_text(Fraction(text.replace(",", ""))), "number")
    except (ValueError, ZeroDivisionError) as error:
        raise UnusableError("the answer is not of its type", f"{text[:40]!r}: expected a number") from error
