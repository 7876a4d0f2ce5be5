"""UTabMWP: ``n/n.json`` with ``n.png`` and ``n_u1.png``, where a critical cell is occluded (S.10).

A third picture, ``n_1.png``, is the published control in which an irrelevant cell is occluded: state K.
"""

from __future__ import annotations

from collections.abc import Iterator

from answerable.build.importers.items import Folder, Item, choices, extra, worded
from answerable.build.sources.mcq import UnusableError, folded, refused
from answerable.core.choices import LETTERS
from answerable.core.records import Refusal

_CODE = "S.10"


def items(folder: Folder, language: str) -> Iterator[Item | Refusal]:
    """The items of each folder, the whole table first; a refusal for a folder that is no pair."""
    for place in folder.places():
        if isinstance(place, Refusal):
            yield place
            continue
        names = folder.names(place)
        known = {f"{place}.json", f"{place}.png", f"{place}_u1.png", f"{place}_1.png"}
        try:
            yield from _pair(folder, place, language, control=f"{place}_1.png" in names)
        except UnusableError as error:
            yield refused(place, error)
        for name in names:
            if name not in known:
                yield extra(f"{place}/{name}")


def _pair(folder: Folder, place: str, language: str, *, control: bool) -> Iterator[Item]:
    fields = folder.fields(f"{place}/{place}.json")
    question = worded(fields.get("question"), "question")
    options = choices(fields.get("choices"))
    answer = letter_of(worded(fields.get("answer"), "answer"), options)
    shown = [(f"{place}.png", answer, False), (f"{place}_u1.png", None, False)]
    if control:
        shown.append((f"{place}_1.png", answer, True))
    # Every picture is read before the first item is given: a pair is whole or refused.
    pictures = [folder.picture(f"{place}/{name}") for name, _, _ in shown]
    if pictures[0] == pictures[1]:
        raise UnusableError("both pictures are equal", place)
    for (name, due, masked), image in zip(shown, pictures, strict=True):
        yield Item(
            id=f"{place}:{name}", pair=place, image=image, question=question, options=options, answer=due,
            strategy=_CODE, language=language, masked=masked,
        )  # fmt: skip


def letter_of(answer: str, options: tuple[str, ...]) -> str:
    """The letter of the option with this text.

    Raises:
        UnusableError: there is none.
    """
    for letter, option in zip(LETTERS, options, strict=False):
        if folded(option) == folded(answer):
            return letter
    raise UnusableError("the answer is no option", f"{answer[:40]!r} of {len(options)} options")
