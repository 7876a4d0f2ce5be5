"""Replies of real models to BLINK, MMMU, MMMU-Pro and MathVista, read by our rules and held against recorded letters.

Nobody's recorded letter is the truth here: which letters are wrong is settled by what stands in the reply. Each
disagreement about a letter is listed by id below and has a reason that anyone can check; none of the texts is kept.
"""

from __future__ import annotations

import ast
import json
import re
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from answerable.score.readers.options import READER
from answerable.score.readers.reading import Abstained, Answered, Invalid, Item, Reading
from tests.shared import SHARED, needs_shared

pytestmark = needs_shared
FOLDER = SHARED / "data" / "recorded_outputs"
#: BLINK's tasks with few options, and the texts of those that do not change from question to question.
FIXED = {
    "Object Localization": ("Box A", "Box B"), "Spatial Relation": ("yes", "no"),
    "IQ Test": ("picture A", "picture B", "picture C", "picture D"),
}  # fmt: skip
TWO = ("Jigsaw", "Relative Depth", "Art Style")


@dataclass(frozen=True)
class Row:
    """One recorded reply."""

    source: str
    id: str
    model: str
    reply: str
    options: dict[str, str]
    peer: str | None
    """The letter that was recorded for it; None where none was."""

    @property
    def reading(self) -> Reading:
        """Ours."""
        return READER.read(self.reply, "complete" if self.reply.strip() else "empty", Item(self.options))

    @property
    def ours(self) -> str | None:
        """Our letter."""
        reading = self.reading
        return reading.text if isinstance(reading, Answered) else None


def lines(name: str) -> list[dict[str, Any]]:
    return [json.loads(line) for line in (FOLDER / name).read_text(encoding="utf-8").split("\n") if line.strip()]


def blink() -> Iterator[Row]:
    for name in ("blink_outputs.jsonl", "blink_refusal_like.jsonl"):
        for row in lines(name):
            texts = FIXED.get(row["task"], tuple(f"choice number {n}" for n in range(2 if row["task"] in TWO else 4)))
            letter = row["prediction"].strip("()")
            options = dict(zip("ABCD", texts, strict=False))
            peer = letter if letter in options else None
            yield Row("BLINK", row["idx"], row["model"], row["full_prediction"], options, peer)


def mmmu() -> Iterator[Row]:
    for row in lines("mmmu_llava1.5_13b.jsonl"):
        if row["question_type"] == "multiple-choice":
            yield Row("MMMU", row["id"], "llava1.5_13b", row["response"], row["index2ans"], row["total_val_output"])


def mmmu_pro() -> Iterator[Row]:
    for row in lines("mmmu_pro_gpt4o_vision_cot_subset.jsonl"):
        options = dict(zip("ABCDEFGHIJ", map(str, ast.literal_eval(row["options"])), strict=False))
        yield Row("MMMU-Pro", row["id"], "gpt4o", row["response"], options, None)


def mathvista() -> Iterator[Row]:
    for row in lines("mathvista_outputs.jsonl"):
        if row["question_type"] == "multi_choice":
            options = dict(zip("ABCDEFGH", row["choices"], strict=False))
            peer = next((letter for letter, text in options.items() if text == row["prediction"]), None)
            yield Row("MathVista", row["pid"], row["model"], row["response"], options, peer)


def rows() -> list[Row]:
    """All with a recorded letter, or a recorded lack of one."""
    return [*blink(), *mmmu(), *mathvista()]


def declares(row: Row, letter: str | None) -> bool:
    """Whether the reply holds the letter as a token of its own, or the option's whole text."""
    if letter is None:
        return False
    text = re.escape(row.options[letter])
    return bool(
        re.search(rf"(?<!\w){letter}(?!\w)", row.reply) or re.search(rf"(?<!\w){text}(?!\w)", row.reply, re.IGNORECASE)
    )


#: The recorded letter is wrong: the reply names one option by letter and text, or by its text alone, and it is ours.
PEER_WRONG = {
    ("MMMU", "validation_Psychology_4", "llava1.5_13b"): ("A", "C"),
    ("MathVista", "150", "llava_llama2_13b"): ("C", "A"),
    ("MathVista", "150", "idefics_9b"): ("C", "A"),
    ("MathVista", "355", "idefics_9b"): ("A", "B"),
    ("MathVista", "250", "idefics_9b"): ("A", "C"),
    ("MathVista", "635", "idefics_9b"): ("C", "B"),
    ("MathVista", "95", "mplugowl"): ("B", "C"),
    ("MathVista", "675", "mplugowl"): ("A", "C"),
}


def test_the_files_are_what_they_were() -> None:
    assert Counter(row.source for row in rows()) == {"BLINK": 569, "MMMU": 279, "MathVista": 274}
    assert len(list(mmmu_pro())) == 46


def test_every_letter_that_differs_is_listed_and_the_reply_names_ours() -> None:
    differs = {
        (row.source, row.id, row.model): (row.peer, row.ours)
        for row in rows()
        if row.ours is not None and row.ours != row.peer
    }
    assert differs == PEER_WRONG
    for row in rows():
        if (row.source, row.id, row.model) in PEER_WRONG:
            assert row.ours is not None
            named = [text for text in row.options.values() if text in row.reply.split("\n", maxsplit=1)[0]]
            assert named == [row.options[row.ours]]


def test_no_letter_where_the_recorded_judgement_is_that_there_is_none() -> None:
    silent = [row for row in blink() if row.peer is None]
    assert len(silent) == 73
    assert [row.id for row in silent if row.ours is not None] == []
    assert sum(isinstance(row.reading, Abstained) for row in silent) == 20


def test_no_letter_from_an_empty_reply() -> None:
    empty = [row for row in mathvista() if not row.reply.strip()]
    assert len(empty) == 14
    assert all(row.peer is not None for row in empty), "the recorded extraction gave a letter to every one"
    assert all(row.reading == Invalid("empty", "status") for row in empty)


def test_a_letter_of_ours_always_stands_in_the_reply() -> None:
    for row in [*rows(), *mmmu_pro()]:
        assert row.ours is None or declares(row, row.ours), (row.source, row.id, row.model)


def test_cot_replies_are_read_as_their_own_last_line_says() -> None:
    unread = []
    for row in mmmu_pro():
        said = re.findall(r"[Aa]nswer(?:\*\*)?:?(?: is)?:?[\s*$\\({]*(?:boxed\{)?\(?([A-J])\b", row.reply)
        if row.ours is None:
            unread.append(row.id)
        elif said:
            assert row.ours == said[-1], row.id
    assert unread == ["validation_Accounting_5"]


def reason(row: Row) -> str:
    """Why we do not give the letter that was recorded."""
    if (row.source, row.id, row.model) in PEER_WRONG:
        return "the reply names ours"
    reading = row.reading
    if isinstance(reading, Abstained):
        return "abstains"
    assert isinstance(reading, Invalid)
    if reading.why != "no_choice":
        return {
            "empty": "empty reply", "outside_options": "names letters that were not offered",
            "contradiction": "letter and text of different options", "refused": "refuses",
        }[reading.why]  # fmt: skip
    return "no rule reads it" if declares(row, row.peer) else "letter and text nowhere in the reply"


#: How often each reason occurs, in every source. The table of ``docs/reference/readers.md`` says the same.
REASONS = {
    ("BLINK", "letter and text nowhere in the reply"): 5,
    ("BLINK", "no rule reads it"): 65,
    ("MMMU", "the reply names ours"): 1,
    ("MathVista", "empty reply"): 14,
    ("MathVista", "letter and text nowhere in the reply"): 24,
    ("MathVista", "letter and text of different options"): 16,
    ("MathVista", "names letters that were not offered"): 15,
    ("MathVista", "no rule reads it"): 24,
    ("MathVista", "refuses"): 1,
    ("MathVista", "the reply names ours"): 7,
}


def disagreements() -> list[tuple[Row, str]]:
    """Every recorded letter that is not our reading, with the reason."""
    return [(row, reason(row)) for row in rows() if row.peer is not None and row.ours != row.peer]


def said(row: Row) -> str:
    """Our reading in a word."""
    return row.ours or ("abstains" if isinstance(row.reading, Abstained) else "unread")


def table_row(row: Row, why: str) -> str:
    """A row of the table in the documentation."""
    return f"| {row.source} | `{row.id}` | `{row.model}` | {row.peer} | {said(row)} | {why} |"


def test_every_disagreement_has_a_reason_and_stands_in_the_documentation() -> None:
    found = [table_row(row, why) for row, why in disagreements()]
    print("\n".join(found))  # noqa: T201
    assert Counter((row.source, why) for row, why in disagreements()) == REASONS
    page = (Path(__file__).resolve().parents[2] / "docs" / "reference" / "readers.md").read_text(encoding="utf-8")
    table = [line for line in page.split("\n") if line.startswith(("| BLINK |", "| MMMU |", "| MathVista |"))]
    assert table == sorted(found)


def first_letter(row: Row) -> str | None:
    """A usual way to read: the first offered letter that stands alone."""
    found = re.search(rf"(?<!\w)[{''.join(row.options)}](?!\w)", row.reply)
    return found[0] if found else None


def last_letter(row: Row) -> str | None:
    """Another: the last one."""
    found = re.findall(rf"(?<!\w)[{''.join(row.options)}](?!\w)", row.reply)
    return found[-1] if found else None


def text_inside(row: Row) -> str | None:
    """Another: the first option whose text is somewhere inside."""
    return next((letter for letter, text in row.options.items() if text.lower() in row.reply.lower()), None)


def wrong(row: Row, letter: str | None) -> bool:
    """Whether a letter is wrong by what is settled: it is not the one named, or there is nothing that names any."""
    if letter is None:
        return False
    settled = PEER_WRONG.get((row.source, row.id, row.model))
    if settled is not None:
        return letter != settled[1]
    nothing = not row.reply.strip() or (row.source == "BLINK" and row.peer is None)
    return nothing or isinstance(row.reading, Abstained)


@pytest.mark.parametrize("peer", [first_letter, last_letter, text_inside, lambda row: row.peer])
def test_no_reader_gives_fewer_wrong_letters(peer: Callable[[Row], str | None]) -> None:
    ours = sum(wrong(row, row.ours) for row in rows())
    theirs = sum(wrong(row, peer(row)) for row in rows())
    assert ours == 0 < theirs
