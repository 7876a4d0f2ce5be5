"""UCR: in each numbered folder a screenshot ``n.png`` with its questions in ``n.txt``, and ``n_u1`` to ``n_u3``, where
the code was changed by S.1 to S.3. A line is a question, a tab, and Yes, No or Unanswerable.

``n`` is the folder's number, or 1 in every folder. A question asked of several screenshots of a folder is one pair.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from answerable.build.importers.items import Folder, Item, extra, label, worded
from answerable.build.sources.mcq import UnusableError, refused
from answerable.core.records import Refusal

NAME = re.compile(r"([0-9]{1,9})(?:_u([0-9]{1,3}))?\.(png|txt)")


def items(folder: Folder, language: str) -> Iterator[Item | Refusal]:
    """The questions of each folder, those on the whole code first; a refusal for a line or screenshot that is none."""
    for place in folder.places():
        if isinstance(place, Refusal):
            yield place
            continue
        stems: dict[tuple[str, str], None] = {}
        for name in folder.names(place):
            found = NAME.fullmatch(name)
            if found is None or found[1] not in (place, "1"):
                yield extra(f"{place}/{name}")
            else:
                stems[found[1], found[2] or ""] = None
        bases = {base for base, _ in stems}
        if len(bases) != 1:
            detail = "screenshots of two numbers" if bases else "no screenshot"
            yield refused(place, UnusableError("the folder holds no one program", detail))
            continue
        for base, change in sorted(stems):
            yield from _screenshot(folder, place, base, change, language)


def _screenshot(folder: Folder, place: str, base: str, change: str, language: str) -> Iterator[Item | Refusal]:
    stem = f"{place}/{base}_u{change}" if change else f"{place}/{base}"
    try:
        if change not in ("", "1", "2", "3"):
            raise UnusableError("an unknown strategy", f"u{change}: expected u1, u2 or u3")
        image = folder.picture(f"{stem}.png")
        lines = folder.text(f"{stem}.txt").split("\n")
    except UnusableError as error:
        yield refused(stem, error)
        return
    seen: set[str] = set()
    for number, line in enumerate(lines, start=1):
        if not line.strip():
            continue
        try:
            # The label comes last and holds no tab: a tab before it belongs to the question.
            question, tab, answer = line.strip().rpartition("\t")
            if not tab:
                raise UnusableError("the line is no question with a label", repr(line.strip()[:60]))
            question, due = worded(question, "question"), label(answer)
            if question in seen:
                raise UnusableError("the question is there twice", repr(question[:60]))
        except UnusableError as error:
            yield refused(f"{stem}.txt, line {number}", error)
            continue
        seen.add(question)
        # Case matters in a question on what is printed.
        yield Item(
            id=f"{stem}:{number}", pair=f"{place}: {' '.join(question.split())}", image=image, question=question,
            answer=due, strategy=f"S.{change}" if change else "", language=language,
        )  # fmt: skip
