"""Builds the report: one HTML file from a scores folder and the benchmark it was measured on."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import Literal

import msgspec

from answerable.core.benchmark import Benchmark, ImageStore
from answerable.core.errors import FingerprintError, InputError, SettingsError
from answerable.core.files import write_bytes
from answerable.core.records import Group, Record
from answerable.core.scores import Scores
from answerable.report.cards import in_order, proof_places
from answerable.report.consistency import load_consistency
from answerable.report.data import load_scores, source_parts
from answerable.report.gallery import choose, kinds
from answerable.report.pack import MOST_PICTURE, Packer, beside, different, in_page
from answerable.report.page import Example, Facts, Gallery, facts, render
from answerable.report.pictures import fitted
from answerable.report.review import load_review
from answerable.report.unsolvable import PublishedRow
from answerable.report.verdicts import VerdictTable

#: A report without a folder beside it stays below this many bytes.
MAX_BYTES = 25_000_000
#: Groups shown by default, if they fit.
CHOICE = 48


class Built(Record, frozen=True):
    """What was written."""

    path: str
    bytes: int
    """Of the HTML file."""
    shown: int
    total: int
    """Groups with verdicts."""
    folder: str
    """Folder beside the file; empty when there is none."""


class Survey(Record, frozen=True):
    """The groups with verdicts, in benchmark order."""

    groups: tuple[str, ...]
    states: tuple[str, ...]
    levels: dict[str, int]
    """Views of each evidence level."""


def build_report(
    scores_folder: Path,
    benchmark: Benchmark,
    out: Path,
    *,
    groups: Literal["choice", "all"] | int = "choice",
    title: str = "",
    peers: Sequence[PublishedRow] = (),
    review: Path | None = None,
    consistency: Path | None = None,
    advance: Callable[[int], None] | None = None,
) -> Built:
    """Write the report of a scores folder.

    Args:
        scores_folder: ``scores.json`` and ``verdicts.parquet``.
        benchmark: the benchmark that was measured, for its pictures and obligations.
        out: the HTML file to write. With ``groups="all"`` a folder ``<stem>_files`` is written beside it.
        groups: ``"choice"`` shows up to 48 groups in which every kind of result occurs; a number asks for that
            many (never fewer than every kind needs, never more than 25 MB hold); ``"all"`` shows every one.
        title: heading of the page; the benchmark's name when empty.
        peers: published models to stand beside the runs, where questions have unsolvable forms.
        review: ``agreement.json`` of a review of the benchmark.
        consistency: ``consistency.json`` of runs on the benchmark.
        advance: told how many steps of four are done.

    Raises:
        FingerprintError: the scores are of another benchmark, or an image is not the one that was built.
        InputError: a folder cannot be read, verdicts name groups the benchmark does not have, or so many runs are
            compared that even one group of each kind does not fit.
        StorageError: the disk refused a write; an older report stays as it was.
    """
    if isinstance(groups, int) and groups < 1:
        raise SettingsError("a number of groups of at least 1, or 'all'", f"groups={groups}", where="--groups")
    step = advance or (lambda _: None)
    scores = load_scores(scores_folder)
    _check_match(scores, benchmark)
    table = VerdictTable(scores_folder)
    survey = _survey(benchmark, table)
    step(1)
    packer = Packer(scores, table)
    reviewed = load_review(review, benchmark.manifest.fingerprint) if review else None
    known = facts(
        benchmark.manifest, scores, title or benchmark.manifest.name, len(survey.groups), survey.states, survey.levels
    )
    compared = load_consistency(consistency, benchmark) if consistency else None
    known = msgspec.structs.replace(known, review=reviewed, consistency=compared)
    if groups == "all":
        page, shown, folder = _with_folder(packer, benchmark, known, survey, out, peers)
    else:
        wanted = CHOICE if groups == "choice" else groups
        page, shown, folder = *_alone(packer, benchmark, known, survey, wanted, peers), ""
    step(2)
    data = page.encode()
    if not folder and len(data) >= MAX_BYTES:
        raise InputError(
            f"a page below {MAX_BYTES:,} bytes", f"{len(data):,} for {len(scores.runs)} runs",
            fix="report fewer runs at a time, or ask for --groups all, which has no bound",
        )  # fmt: skip
    write_bytes(out, data)
    step(1)
    return Built(path=str(out), bytes=len(data), shown=shown, total=len(survey.groups), folder=folder)


def _check_match(scores: Scores, benchmark: Benchmark) -> None:
    if scores.benchmark_fingerprint != benchmark.manifest.fingerprint:
        raise FingerprintError(
            f"the benchmark that was scored (fingerprint={scores.benchmark_fingerprint[:16]}...)",
            f"fingerprint={benchmark.manifest.fingerprint[:16]}...",
            where=str(benchmark.path),
            fix="name the benchmark folder the runs were made on with --benchmark",
        )


def _survey(benchmark: Benchmark, table: VerdictTable) -> Survey:
    order: list[str] = []
    states: set[str] = set()
    levels: dict[str, int] = {}
    for group in benchmark.groups():
        if group.id not in table:
            continue
        order.append(group.id)
        for view in group.views:
            states.add(view.state)
            levels[view.evidence.level] = levels.get(view.evidence.level, 0) + 1
    unknown = sorted(set(table.groups()) - set(order))
    if unknown:
        raise InputError(
            "verdicts on groups of the benchmark", f"{len(unknown)} others, the first {unknown[0]!r}",
            where=str(table.path), fix="score the runs again on this benchmark",
        )  # fmt: skip
    return Survey(groups=tuple(order), states=tuple(sorted(states)), levels=levels)


def _load(benchmark: Benchmark, wanted: Iterable[str]) -> dict[str, Group]:
    names = set(wanted)
    return {group.id: group for group in benchmark.groups() if group.id in names}


def _example(packer: Packer, groups: Sequence[Group], images: ImageStore, allowance: int) -> Example | None:
    """The group that shows best what a question is: proved, many states, runs that differ."""

    def worth(group: Group) -> tuple[bool, int, int]:
        return proof_places(in_order(group)) is not None, len(group.views), len(set(packer.table.marks_of(group.id)))

    best = max(groups, key=worth, default=None)
    if best is None:
        return None
    # Circular shifts show the same picture again: the first is enough here.
    views = tuple(view for view in in_order(best) if view.rotation == 0)
    best = msgspec.structs.replace(best, views=views)
    pictures = [fitted(view, images.read(view.id), allowance) for view in views]
    return Example(
        question=views[0].question,
        card=packer.card(best, [picture.note for picture in pictures], 0),
        urls=tuple(picture.url() for picture in pictures),
    )


def _alone(
    packer: Packer, benchmark: Benchmark, known: Facts, survey: Survey, wanted: int, peers: Sequence[PublishedRow]
) -> tuple[str, int]:
    """The page with a choice of groups inside it."""
    parts, images = source_parts(packer.scores), benchmark.images()
    empty = Gallery(shown=0, total=0, chosen=True, note="", islands=())
    frame = len(render(known, packer.scores, parts, None, empty, folder=False, beside=peers).encode())
    # The example repeats one group's pictures (twice for the three of its proof).
    room = max(2_000_000, MAX_BYTES - frame - 12 * MOST_PICTURE - 500_000)
    loaded = _load(benchmark, survey.groups)
    used = 0

    def fits(name: str) -> bool:
        nonlocal used
        used += sum(min(len(images.read(view.id)), MOST_PICTURE) for view in different(loaded[name].views))
        return used <= room // 2

    found = kinds(packer.table.marks())
    by_group = {name: [kind for mark in packer.table.marks_of(name) for kind in found[mark]] for name in survey.groups}
    chosen = [loaded[name] for name in choose(by_group, wanted, fits)]
    full = len(chosen) < min(wanted, len(survey.groups))
    note = "More do not fit into one file of 25 MB: --groups all writes a folder beside it." if full else ""
    gallery = Gallery(
        shown=len(chosen), total=len(survey.groups), chosen=len(chosen) < len(survey.groups), note=note,
        islands=in_page(packer, chosen, images, room),
    )  # fmt: skip
    example = _example(packer, chosen, images, MOST_PICTURE)
    return render(known, packer.scores, parts, example, gallery, folder=False, beside=peers), len(chosen)


def _with_folder(
    packer: Packer, benchmark: Benchmark, known: Facts, survey: Survey, out: Path, peers: Sequence[PublishedRow]
) -> tuple[str, int, str]:
    """The page with every group in a folder beside it."""
    folder = out.with_name(f"{out.stem}_files")
    index, shown = beside(packer, benchmark, None, folder, set(survey.groups))
    gallery = Gallery(shown=len(shown), total=len(survey.groups), chosen=False, note="", islands=(index,))
    some = list(_load(benchmark, survey.groups[:200]).values())
    example = _example(packer, some, benchmark.images(), MOST_PICTURE)
    page = render(known, packer.scores, source_parts(packer.scores), example, gallery, folder=True, beside=peers)
    return page, len(shown), str(folder)
