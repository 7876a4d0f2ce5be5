"""What people should look at before a benchmark is used."""

from __future__ import annotations

from pathlib import Path

import msgspec

from answerable.build.variations.upd import Pairing
from answerable.core.codec import decode, digest_bytes, encode
from answerable.core.errors import SourceError
from answerable.core.files import write_bytes
from answerable.core.records import Problem, Record


class ReviewLine(Record, frozen=True):
    """One line of ``review.jsonl``: a pair that a program finds doubtful."""

    group: str
    """What a decision names."""
    source: str
    problem: Problem
    question: str
    """Id in the source."""
    text: str
    hint: str
    options: tuple[str, ...]
    """Of the standard question, in the source's order."""
    right: str
    offered: tuple[str, ...]
    """Of the unsolvable views."""
    other: str
    """The question that lends options or picture; empty where there is none, or the source paired them itself."""
    other_text: str
    image_sha256: str
    shown_sha256: str
    """Of the picture of the unsolvable views."""
    why: tuple[str, ...]
    left_out: bool
    """Left out until somebody decides ``keep``; the other lines are built until somebody decides ``drop``."""


def line_of(pairing: Pairing, other_text: str, why: tuple[str, ...], *, left_out: bool) -> ReviewLine:
    """The review line of a pair."""
    asked = pairing.question
    return ReviewLine(
        group=pairing.group_id(), source=pairing.source, problem=pairing.problem, question=asked.id, text=asked.text,
        hint=asked.hint, options=asked.options, right=pairing.right, offered=pairing.offered, other=pairing.other,
        other_text=other_text, image_sha256=digest_bytes(asked.image), shown_sha256=digest_bytes(pairing.shown),
        why=why, left_out=left_out,
    )  # fmt: skip


def write_review(path: Path, lines: tuple[ReviewLine, ...]) -> None:
    """Write the review list; a file that holds somebody's work is never replaced.

    Raises:
        SourceError: a file is there that is no review list of ours.
        StorageError: the disk refused the write.
    """
    check_review(path)
    write_bytes(path, b"".join(encode(line) + b"\n" for line in lines))


def check_review(path: Path) -> None:
    """Refuse a place for the review list that holds something else.

    Raises:
        SourceError: what is there is no review list of ours.
    """
    if not path.exists():
        return
    try:
        for line in path.read_bytes().splitlines():
            decode(line, ReviewLine)
    except (OSError, msgspec.MsgspecError) as error:
        raise SourceError(
            "a place for the review list", f"{path.name}, which holds something else: {str(error)[:80]}",
            where=str(path), fix="name another place: --review FILE",
        ) from error  # fmt: skip
