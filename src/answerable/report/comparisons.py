"""The gallery of a section on consistency: variants side by side, what each run says, and how alike that is."""

from __future__ import annotations

from collections.abc import Sequence

from answerable.core.benchmark import Benchmark, ImageStore
from answerable.core.consistency import ShownItem, ShownRun
from answerable.core.errors import InputError
from answerable.core.records import Record, View
from answerable.report.cards import clip
from answerable.report.cells import heat_step
from answerable.report.pictures import fitted

#: Items, views of an item and runs that a page draws at most.
MOST_ITEMS, MOST_VIEWS, MOST_RUNS = 24, 12, 6
#: Bytes of all pictures together, and of one.
ALL_PICTURES, MOST_PICTURE = 5_000_000, 60_000


class ComparedView(Record, frozen=True):
    """One picture and question."""

    url: str
    """Data URL; empty without a picture."""
    note: str
    caption: str
    """``original``, or what was varied."""
    asks: str
    """Its question where it is not the first one's."""
    width: int
    height: int


class ComparedReply(Record, frozen=True):
    """What was said to one view."""

    text: str
    """The reply, ``abstains``, or why there is none."""
    more: int
    """Characters that are left out."""
    kind: str
    """Class of its mark: correct, wrong_answer, false_rejection or invalid."""


class MatrixCell(Record, frozen=True):
    """How alike two replies are."""

    text: str
    """``0.27``; a dash where it is undefined."""
    step: int
    """0 (the same) to 10 (nothing alike)."""


class ComparedRun(Record, frozen=True):
    """One run on the item."""

    name: str
    replies: tuple[ComparedReply, ...]
    matrix: tuple[tuple[MatrixCell, ...], ...]


class ComparedItem(Record, frozen=True):
    """One item of the gallery."""

    source: str
    question: str
    target: str
    views: tuple[ComparedView, ...]
    more: int
    """Views that are not shown."""
    runs: tuple[ComparedRun, ...]


def compared_items(shown: Sequence[ShownItem], benchmark: Benchmark, where: str) -> tuple[ComparedItem, ...]:
    """The items with their pictures, which are read from the benchmark.

    Raises:
        InputError: an item names a view that the benchmark lacks, or its replies and its matrix do not fit.
        FingerprintError: a picture is not the one that was built.
    """
    kept = shown[:MOST_ITEMS]
    if not kept:
        return ()
    wanted = {view.view for item in kept for view in item.views[:MOST_VIEWS]}
    views = {view.id: view for view in benchmark.views() if view.id in wanted}
    missing = sorted(wanted - views.keys())
    if missing:
        raise InputError(
            "items of this benchmark", f"view {missing[0][:80]!r}, which it lacks", where=where,
            fix="measure the runs again on this benchmark",
        )  # fmt: skip
    allowance = min(MOST_PICTURE, ALL_PICTURES * 3 // 4 // len(wanted))
    images = benchmark.images()
    return tuple(_item(item, views, images, allowance, where) for item in kept)


def _item(
    item: ShownItem, views: dict[str, View], images: ImageStore, allowance: int, where: str
) -> ComparedItem:  # fmt: skip
    shown = item.views[:MOST_VIEWS]
    first = shown[0].question if shown else ""
    found: list[ComparedView] = []
    for one in shown:
        view = views[one.view]
        picture = fitted(view, images.read(view.id), allowance)
        kind = one.kind.replace("=", " ").replace(";", ", ").replace("_", " ")
        caption = clip(": ".join(part for part in (one.variation, kind) if part) or "original", 120)
        found.append(
            ComparedView(
                url=picture.url(), note=picture.note, caption=caption, width=view.width, height=view.height,
                asks="" if one.question == first else clip(one.question),
            )
        )  # fmt: skip
    return ComparedItem(
        source=item.source, question=clip(first), target=clip(item.target), views=tuple(found),
        more=item.more + len(item.views) - len(shown),
        runs=tuple(_run(run, len(item.views), len(shown), where) for run in item.runs[:MOST_RUNS]),
    )  # fmt: skip


def _run(run: ShownRun, due: int, shown: int, where: str) -> ComparedRun:
    if len(run.replies) != due or [len(row) for row in run.similarity] != [due] * due:
        raise InputError(
            f"a reply and a row of the matrix for each of {due} views", f"{len(run.replies)} replies", where=where,
            fix="measure the runs again",
        )  # fmt: skip
    replies = tuple(
        ComparedReply(
            text=clip(one.text, 400) if one.said == "answered" else clip(one.said, 120),
            more=max(0, one.length - min(400, len(one.text))), kind=_kind(one.said, one.right),
        )
        for one in run.replies[:shown]
    )  # fmt: skip
    matrix = tuple(tuple(_cell(value) for value in row[:shown]) for row in run.similarity[:shown])
    return ComparedRun(name=run.run, replies=replies, matrix=matrix)


def _kind(said: str, right: bool | None) -> str:
    if said == "abstained":
        return "correct" if right is None else "false_rejection"
    if said != "answered":
        return "invalid"
    return "false_acceptance" if right is None else "correct" if right else "wrong_answer"


def _cell(value: float | None) -> MatrixCell:
    if value is None:
        return MatrixCell("–", 0)
    return MatrixCell(f"{value:.2f}".replace("-", "−"), heat_step(1 - min(1.0, max(0.0, value))))
