"""A benchmark of photos from its recipe: the same masks on somebody's own copy, and every digest compared."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import msgspec

from answerable.build.assembly import Job
from answerable.build.photo_benchmarks import (
    Made,
    PhotoSource,
    Work,
    attempt,
    check_photos,
    photo_path,
    views_digest,
)
from answerable.build.photo_card import card
from answerable.build.recipes import Line, Recipe, libraries
from answerable.core.benchmark import MANIFEST, BenchmarkWriter, Ledger, Manifest
from answerable.core.errors import SettingsError, SourceError
from answerable.core.records import Refusal
from answerable.domains.photo.boxes import within
from answerable.domains.photo.states import Request
from answerable.exec import Executor

_SHOWN = 8


def rebuild(
    recipe: Recipe,
    source: PhotoSource,
    photos: Path,
    out: Path,
    executor: Executor,
    *,
    on_kept: Callable[[], None] = lambda: None,
) -> tuple[Manifest, Ledger]:
    """Build the benchmark that a recipe is of. What comes of it has the recipe's fingerprint, or there is an error.

    Args:
        source: the files that it was made of, for questions and answers.
        photos: the folder of photos.
        out: a new or empty folder; nothing stays in it after an error.
        on_kept: called for every group, for progress.

    Raises:
        SettingsError: the recipe is of another source.
        SourceError: photos or questions are missing (all are counted before anything is written), or a photo, picture
            or question differs from the recipe's; the message has both digests.
    """
    header = recipe.header
    if header.source != source.name:
        raise SettingsError(
            f"the files of the source {header.source}", f"those of {source.name}", where="--questions",
            fix="photo-gqa needs --scene-graphs; photo-coco needs --instances",
        )  # fmt: skip
    check_photos(photos)
    works = _works(recipe, source, photos)
    with BenchmarkWriter(out) as writer:
        results = executor.map(_attempt, (Job(work.request.split, "", work) for work in works))
        for line, result in zip(recipe.lines, results, strict=True):
            made = _same(line, result, header.made_with)
            writer.add(made.draft.group, made.draft.images, None)
            on_kept()
        ledger = header.ledger
        finished = writer.finish(header.manifest, ledger, card(header.manifest, ledger, writer))
        if finished.fingerprint != header.manifest.fingerprint:
            # Without its manifest the folder is unfinished, and is swept.
            (out / MANIFEST).unlink()
            raise SourceError(
                f"a benchmark with fingerprint={header.manifest.fingerprint[:80]}",
                f"fingerprint={finished.fingerprint}", where="the recipe's first line",
                fix="every group is the recipe's, so its first line was changed: get the recipe anew",
            )  # fmt: skip
    return finished, ledger


def _attempt(job: Job) -> Made | Refusal:
    return attempt(job.work)


def _works(recipe: Recipe, source: PhotoSource, photos: Path) -> list[Work]:
    """What to do for each line, in order.

    Raises:
        SourceError: what is missing, counted, with some of its names.
    """
    works, lost = [], list[Refusal]()
    for line in recipe.lines:
        found = _work(line, recipe.header.seed, source, photos)
        if isinstance(found, Refusal):
            lost.append(found)
        else:
            works.append(found)
    for what, of in (("no photo", "photos"), ("", "questions")):
        missing = [one for one in lost if one.reason == what] if what else lost
        if missing:
            names = sorted({one.detail for one in missing})
            shown = ", ".join(names[:_SHOWN]) + (f" and {len(names) - _SHOWN} more" if len(names) > _SHOWN else "")
            raise SourceError(
                f"all {of} of the recipe's {len(recipe.lines)} groups",
                f"{len(missing)} groups without: {missing[0].reason}: {shown}",
                where=str(photos) if what else "--questions",
                fix="get what is missing and build again; nothing was written",
            )  # fmt: skip
    return works


def _work(line: Line, seed: int, source: PhotoSource, photos: Path) -> Work | Refusal:
    path = photo_path(photos, line.file)
    if isinstance(path, Refusal):
        return Refusal(reason="no photo", detail=line.file[:80])
    asked = source.asked(line.question, checked=False)
    if isinstance(asked, Refusal):
        return asked
    if asked.file != line.file or any(
        not box.area or within(box, asked.width, asked.height) != 1 for box in (*line.edits.missing, *line.edits.same)
    ):
        return Refusal(reason="the question is on another photo", detail=f"{line.question}: {asked.file}")
    request = Request(
        source=source.name, split=line.split, asked=msgspec.structs.replace(asked, checked=line.checked),
        edits=line.edits, seed=seed,
    )  # fmt: skip
    return Work(request, str(path), line.photo_sha256)


def _same(line: Line, result: Made | Refusal, made_with: dict[str, str]) -> Made:
    """The group, when it is the recipe's.

    Raises:
        SourceError: naming the photo and both digests.
    """
    if isinstance(result, Refusal):
        if result.reason == "another photo":
            raise SourceError(
                f"the photo with sha256={line.photo_sha256}", f"sha256={result.detail}", where=line.file,
                fix="the recipe was made with another copy of this photo: get the original file",
            )  # fmt: skip
        raise SourceError("a photo that can be used", f"{result.reason}: {result.detail}", where=line.file)
    views = result.draft.group.views
    for view in views:
        due = getattr(line.pictures, view.state)
        if view.image_sha256 != due:
            raise SourceError(
                f"the picture {view.state} with sha256={due}", f"sha256={view.image_sha256}",
                where=f"{line.file}, question {line.question}", fix=_versions(made_with),
            )  # fmt: skip
    found = views_digest(result.draft.group)
    if found != line.views:
        raise SourceError(
            f"question and answer with sha256={line.views}", f"sha256={found}",
            where=f"{line.file}, question {line.question}",
            fix="the photo is the same, the files of questions are not: get those that the recipe's ledger names",
        )  # fmt: skip
    return result


def _versions(made_with: dict[str, str]) -> str:
    here = libraries()
    other = [f"{name}=={made_with[name]} (here {here[name]})" for name in here if made_with.get(name, "") != here[name]]
    if not other:
        return "the photo is the same: its masks in the recipe were changed, so get the recipe anew"
    return f"the photo is the same, and read otherwise: install {', '.join(other)}"
