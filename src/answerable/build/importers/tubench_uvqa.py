"""UVQA: in each numbered folder one photo and ``vqa.txt``, whose lines are number, question, label and strategy.

The strategy, 1 to 5 for S.4 to S.8, stands on unanswerable lines only. The questions on one photo are one pair: the
data set ties an answerable question to an unanswerable one by nothing else.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import PurePosixPath

from answerable.build.importers.items import LABELS, PICTURES, Folder, Item, extra, label, worded
from answerable.build.sources.mcq import UnusableError, refused
from answerable.core.records import Refusal

QUESTIONS = "vqa.txt"
#: As the file writes them, and by their own names.
CODES = {str(number): f"S.{number + 3}" for number in range(1, 6)} | {f"S.{n}": f"S.{n}" for n in range(4, 9)}


def items(folder: Folder, language: str) -> Iterator[Item | Refusal]:
    """The questions of each folder in their order; a refusal for a line or folder that is none."""
    for place in folder.places():
        if isinstance(place, Refusal):
            yield place
            continue
        names = folder.names(place)
        photos = [name for name in names if PurePosixPath(name).suffix.lower() in PICTURES]
        for name in names:
            if name not in (*photos, QUESTIONS):
                yield extra(f"{place}/{name}")
        try:
            if len(photos) != 1:
                raise UnusableError("no image" if not photos else "several images", f"{len(photos)} in the folder")
            image = folder.picture(f"{place}/{photos[0]}")
            lines = folder.text(f"{place}/{QUESTIONS}").split("\n")
        except UnusableError as error:
            yield refused(place, error)
            continue
        yield from _questions(place, image, lines, language)


def _questions(place: str, image: bytes, lines: list[str], language: str) -> Iterator[Item | Refusal]:
    seen: set[str] = set()
    for line, text in enumerate(lines, start=1):
        if not text.strip():
            continue
        try:
            number, question, due, strategy = _parts(text)
            if number in seen:
                raise UnusableError("the number is there twice", number)
        except UnusableError as error:
            yield refused(f"{place}/{QUESTIONS}, line {line}", error)
            continue
        seen.add(number)
        yield Item(
            id=f"{place}:{number}", pair=place, image=image, question=question, answer=due, strategy=strategy,
            language=language,
        )  # fmt: skip


def _parts(text: str) -> tuple[str, str, str | None, str]:
    """Number, question, answer and strategy; tabs between the first and the label belong to the question."""
    fields = [field.strip() for field in text.strip().split("\t")]
    if len(fields) < 3:
        raise UnusableError("the line has too few fields", f"{len(fields)}: {text[:60]!r}")
    last = -1 if fields[-1].casefold() in LABELS else -2
    if len(fields) + last < 2:
        raise UnusableError("the answer is no label", f"{fields[-1][:40]!r}: expected Yes, No or Unanswerable")
    due = label(fields[last])
    code = fields[-1] if last == -2 else ""
    if code and due is not None:
        raise UnusableError("an answerable question with a strategy", f"{code[:20]!r}")
    if code and code not in CODES:
        raise UnusableError("an unknown strategy", f"{code[:20]!r}: expected 1 to 5")
    number = worded(fields[0], "number")[:20]
    return number, worded("\t".join(fields[1:last]), "question"), due, CODES.get(code, "")
