"""UGeoQA: ``id/id.json`` and ``id/id.png``; a question, and the same without one of its conditions (S.9)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

import msgspec

from answerable.build.importers.items import Folder, Item, choices, extra, numbered, worded
from answerable.build.sources.mcq import UnusableError, refused
from answerable.core.choices import LETTERS
from answerable.core.records import Refusal

LANGUAGES = ("zh", "en")
#: By language, the fields of the whole question and of the one without a condition.
FIELDS = {
    "zh": ("subject", "unanswerable_subject"),
    "en": ("eng_subject", "unanswerable_eng_subject"),
}
_CODE = "S.9"


def items(folder: Folder, language: str) -> Iterator[Item | Refusal]:
    """Two items a folder, the answerable one first; a refusal for a folder that is no pair."""
    for place in folder.places():
        if isinstance(place, Refusal):
            yield place
            continue
        try:
            yield from _pair(folder, place, language)
        except UnusableError as error:
            yield refused(place, error)
        for name in folder.names(place):
            if name not in (f"{place}.json", f"{place}.png"):
                yield extra(f"{place}/{name}")


def answerable(folder: Folder, place: str, language: str, fields: Mapping[str, Any]) -> Item:
    """The whole question of a folder.

    Args:
        fields: of its file.

    Raises:
        UnusableError: it is none.
    """
    if "id" in fields and fields["id"] != place:
        raise UnusableError("the id is not the folder's", f"id={str(fields['id'])[:20]}")
    name = FIELDS[language][0]
    whole = worded(fields.get(name), f"question in {name}")
    options = choices(fields.get("choices"))
    number = str(fields.get("label"))
    if not numbered(number) or int(number) >= len(options):
        raise UnusableError("the answer is no option", f"label={number[:20]} of {len(options)} options")
    return Item(
        id=f"{place}:answerable", pair=place, image=folder.picture(f"{place}/{place}.png"), question=whole,
        options=options, answer=LETTERS[int(number)], strategy=_CODE, language=language,
    )  # fmt: skip


def _pair(folder: Folder, place: str, language: str) -> tuple[Item, Item]:
    fields = folder.fields(f"{place}/{place}.json")
    name = FIELDS[language][1]
    without = worded(fields.get(name), f"question in {name}")
    whole = answerable(folder, place, language, fields)
    if whole.question == without:
        raise UnusableError("both questions are equal", without[:60])
    return whole, msgspec.structs.replace(whole, id=f"{place}:unanswerable", question=without, answer=None)
