"""The Hugging Face form: ``metadata.jsonl`` beside its pictures, a question a line.

``file_name`` (or ``image``), ``question`` and ``answer`` are needed. ``choices`` (or ``options``), ``strategy``,
``id``, ``pair`` (or ``pair_id``), ``language`` and ``dataset`` are read where they are there. Without a pair a question
is a group of its own.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from typing import Any

from answerable.build.importers.items import STRATEGIES, Folder, Item, an_object, choices, label, worded
from answerable.build.importers.tubench_utabmwp import letter_of
from answerable.build.sources.mcq import UnusableError, refused, words_of
from answerable.core.choices import LETTERS
from answerable.core.errors import SourceError
from answerable.core.records import Refusal

FILE = "metadata.jsonl"


def items(folder: Folder, language: str, name: str = FILE) -> Iterator[Item | Refusal]:
    """A question a line, in order; a refusal for a line that is none.

    Args:
        language: rows that say another one are refused; empty takes all.
        name: of the file.

    Raises:
        SourceError: the file cannot be read, or two lines have one id.
    """
    try:
        lines = folder.text(name).split("\n")
    except UnusableError as error:
        raise SourceError(f"a readable {name}", f"{error.reason}: {error.detail}", where=str(folder.root)) from error
    numbered = [(f"{name}, line {number}", number, line) for number, line in enumerate(lines, start=1)]
    found = [_read(folder, line, where, number, language) for where, number, line in numbered if line.strip()]
    ids = Counter(item.id for item in found if isinstance(item, Item))
    twice = sorted(one for one, count in ids.items() if count > 1)
    if twice:
        raise SourceError(
            "every id once", f"more than one line for {', '.join(twice[:5])}", where=f"{folder.root}/{name}",
            fix="remove the lines that are there twice; nothing decides which of them is meant",
        )  # fmt: skip
    yield from found


def _read(folder: Folder, line: str, where: str, number: int, language: str) -> Item | Refusal:
    try:
        return _item(folder, an_object(line, where), f"line {number}", language)
    except UnusableError as error:
        return refused(where, error)


def _item(folder: Folder, row: Mapping[str, Any], fallback: str, language: str) -> Item:
    spoken = words_of(row, "language") or language or "en"
    if language and spoken != language:
        raise UnusableError("another language", spoken[:20])
    strategy = words_of(row, "strategy")
    if strategy and strategy not in STRATEGIES:
        raise UnusableError("an unknown strategy", f"{strategy[:20]!r}: expected S.1 to S.10")
    offered = row.get("choices") or row.get("options")
    options = choices(offered) if offered else ()
    answer = worded(row.get("answer"), "answer")
    due = _option(answer, options) if options else label(answer)
    name = worded(words_of(row, "id") or fallback, "id")
    return Item(
        id=name,
        pair=worded(words_of(row, "pair", "pair_id") or f"alone: {name}", "pair"),
        image=folder.picture(worded(words_of(row, "file_name", "image"), "image")),
        question=worded(row.get("question"), "question"),
        options=options,
        answer=due,
        strategy=strategy,
        language=worded(spoken, "language"),
        topic=words_of(row, "dataset"),
    )


def _option(answer: str, options: tuple[str, ...]) -> str | None:
    """A letter, as the file gives it or from the option's text; None for Unanswerable."""
    if answer.casefold() == "unanswerable":
        return None
    bare = answer.strip("().").upper()
    if len(bare) == 1 and bare in LETTERS[: len(options)]:
        return bare
    return letter_of(answer, options)
