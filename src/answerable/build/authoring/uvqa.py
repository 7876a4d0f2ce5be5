"""Questions that people write on a folder of photos (TUBench's UVQA): a sheet is checked, and becomes a benchmark.

A row is a photo's name, a question, Yes, No or Unanswerable, and for unanswerable questions the strategy, S.4 to S.8.
The questions on one photo are one group, as in the published set.
"""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Callable, Iterable
from fractions import Fraction
from pathlib import Path, PurePosixPath

import msgspec

from answerable.build.authoring.findings import (
    PHOTO_STRATEGIES,
    Finding,
    balance,
    counts_of,
    repeated,
    tell_tales,
)
from answerable.build.authoring.sheets import Row, read_rows
from answerable.build.importers.items import MAX_ENTRIES, PICTURES, Folder, Item, label, worded
from answerable.build.importers.tubench import make_group
from answerable.build.importers.writing import UNSTATED, Plan, check_licence, write
from answerable.build.sources.mcq import UnusableError, folded, refused
from answerable.core.benchmark import Ledger, Manifest
from answerable.core.decisions import Decisions
from answerable.core.errors import SettingsError, SourceError
from answerable.core.records import Record, Refusal

NEEDED, KNOWN = ("image", "question", "answer"), ("strategy", "id")
SOURCE = "uvqa"
_PARAGRAPH = """Nothing here is proved: obligations are the authors' (`evidence_level` is `annotated`), and
`evidence_note` names the row and the strategy that makes a question unanswerable."""


class SheetSettings(Record, frozen=True):
    """What decides every byte, together with the files and the decisions."""

    balance_limit: str = "2"
    """How many times as many questions one side may have before that is said."""

    def limit(self) -> Fraction:
        """The limit as a number.

        Raises:
            SettingsError: it is none, or below 1.
        """
        try:
            found = Fraction(self.balance_limit)
        except (ValueError, ZeroDivisionError):
            found = Fraction(0)
        if found < 1 or len(self.balance_limit) > 20:
            raise SettingsError("a number of 1 or more", repr(self.balance_limit[:40]), where="--balance-limit")
        return found


class Authored(msgspec.Struct, frozen=True):
    """What a sheet gave."""

    settings: SheetSettings
    groups: tuple[tuple[Item, ...], ...]
    """The questions of each photo, in the order of the sheet."""
    refused: tuple[Refusal, ...]
    findings: tuple[Finding, ...]
    """Errors, then warnings, then notes."""
    notes: tuple[str, ...]


def read(photos: Path, sheet: Path, settings: SheetSettings) -> Authored:
    """Read and check a sheet of questions on a folder of photos.

    Args:
        photos: names of pictures in the sheet are read from here.
        sheet: a CSV, TSV, JSON or YAML file, here or elsewhere.

    Raises:
        SourceError: the folder or the sheet cannot be read.
        SettingsError: the limit is none.
    """
    limit = settings.limit()
    if not photos.is_dir():
        raise SourceError("a folder of photos", f"{photos}, which is not there", where="--from")
    if not sheet.is_file():
        raise SourceError("a sheet of questions", f"{sheet}, which is not there", where="--questions")
    folder, beside = Folder(photos), Folder(sheet.parent)
    rows = read_rows(beside, sheet.name, NEEDED, KNOWN)
    found = _once(rows, _Reading(folder, rows))
    items = [item for item in found if isinstance(item, Item)]
    refusals = tuple(item for item in found if isinstance(item, Refusal))
    findings = (
        *(Finding("error", one.reason, one.detail) for one in refusals),
        *balance(items, limit),
        *_unused(photos, {row.cells["image"] for row in rows if "image" in row.cells}),
        *repeated(items),
        *tell_tales(items),
    )
    order = ("error", "warning", "note")
    groups: dict[str, list[Item]] = {}
    for item in items:
        groups.setdefault(item.pair, []).append(item)
    said = tuple(f"{one.level}: {one.what}: {one.detail}" for one in findings if one.level == "warning")
    return Authored(
        settings, tuple(map(tuple, groups.values())), refusals,
        tuple(sorted(findings, key=lambda one: order.index(one.level))),
        (*folder.describe(), *(f"sheet: {line}" for line in beside.describe()), counts_of(items), *said),
    )  # fmt: skip


class _Reading:
    """Rows to questions; a picture is read once."""

    def __init__(self, folder: Folder, rows: Iterable[Row]) -> None:
        self._folder = folder
        self._pictures: dict[str, bytes | UnusableError] = {}
        self._ids = Counter(row.cells.get("id", "") for row in rows)

    def item(self, row: Row) -> Item:
        """The question of a row.

        Raises:
            UnusableError: it is none.
        """
        name = worded(row.cells.get("image"), "image")
        question = worded(row.cells.get("question"), "question")
        due = label(worded(row.cells.get("answer"), "answer"))
        strategy = _strategy(row.cells.get("strategy", ""), due)
        given = row.cells.get("id", "")
        if given and self._ids[given] > 1:
            raise UnusableError("the id is there twice", repr(given[:60]))
        return Item(
            id=given[:200] or f"row {row.number}", pair=PurePosixPath(name).as_posix(), image=self._picture(name),
            question=question, answer=due, strategy=strategy,
        )  # fmt: skip

    def _picture(self, name: str) -> bytes:
        if name not in self._pictures:
            try:
                self._pictures[name] = self._folder.picture(name)
            except UnusableError as error:
                self._pictures[name] = error
        found = self._pictures[name]
        if isinstance(found, UnusableError):
            raise UnusableError(found.reason, found.detail)
        return found


def _strategy(given: str, due: str | None) -> str:
    code = given.upper()
    if code and code not in PHOTO_STRATEGIES:
        raise UnusableError("an unknown strategy", f"{given[:20]!r}: expected {', '.join(PHOTO_STRATEGIES)}")
    if code and due is not None:
        raise UnusableError("an answerable question with a strategy", f"{given[:20]!r}")
    if not code and due is None:
        raise UnusableError("an unanswerable question without a strategy", f"expected {', '.join(PHOTO_STRATEGIES)}")
    return code


def _once(rows: Iterable[Row], reading: _Reading) -> list[Item | Refusal]:
    """The questions of rows, each once for a picture; one that is there with two answers is none."""
    found: list[tuple[str, Item | UnusableError]] = []
    answers: dict[tuple[str, str], set[str | None]] = {}
    for row in rows:
        where = f"row {row.number}"
        try:
            item = reading.item(row)
        except UnusableError as error:
            found.append((where, error))
            continue
        found.append((where, item))
        answers.setdefault((item.pair, folded(item.question)), set()).add(item.answer)
    seen: set[tuple[str, str]] = set()
    kept: list[Item | Refusal] = []
    for where, one in found:
        if isinstance(one, UnusableError):
            kept.append(refused(where, one))
            continue
        mark = (one.pair, folded(one.question))
        if len(answers[mark]) > 1:
            kept.append(refused(where, UnusableError("one question with two answers", repr(one.question[:60]))))
        elif mark in seen:
            kept.append(refused(where, UnusableError("the question is there twice", repr(one.question[:60]))))
        else:
            kept.append(one)
        seen.add(mark)
    return kept


def _unused(photos: Path, named: set[str]) -> Iterable[Finding]:
    """Pictures of the folder that no row names."""
    used = {PurePosixPath(name).as_posix() for name in named}
    looked = 0
    for where, folders, files in os.walk(photos):
        folders.sort()
        for name in sorted(files):
            looked += 1
            if looked > MAX_ENTRIES:
                raise SourceError(f"at most {MAX_ENTRIES} files in the folder", "more", where=str(photos))
            path = (Path(where) / name).relative_to(photos).as_posix()
            if PurePosixPath(name).suffix.casefold() in PICTURES and path not in used:
                yield Finding("warning", "an image that no question uses", path.encode("utf-8", "replace").decode())


def build(
    authored: Authored,
    out: Path,
    *,
    name: str = "uvqa",
    licence: str = UNSTATED,
    decisions: Decisions | None = None,
    on_kept: Callable[[], None] = lambda: None,
) -> tuple[Manifest, Ledger]:
    """Build the benchmark folder; rows with an error are left out and counted.

    Args:
        out: a new or empty folder.
        licence: of the questions and pictures, in words.
        decisions: of reviewers; dropped and disputed groups are left out and counted.
        on_kept: called for every group kept, for progress.

    Raises:
        SettingsError: nothing was kept, or the licence is no line of text.
    """
    plan = Plan(
        domain="uvqa", source=SOURCE, settings=authored.settings, groups=len(authored.groups),
        drafts=(make_group("uvqa", items, SOURCE) for items in authored.groups), refused=authored.refused,
        notes=lambda: authored.notes, licence=check_licence(licence), reader="yes-no", paragraph=_PARAGRAPH,
    )  # fmt: skip
    return write(plan, out, name=name, decisions=decisions, on_kept=on_kept)
