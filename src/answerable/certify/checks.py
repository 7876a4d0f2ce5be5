"""Certifying a benchmark: every group through the kernel, image files too, over one process or many."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from itertools import groupby
from typing import Literal

import msgspec

from answerable.certify import choice_kernel, kernel
from answerable.core.benchmark import Benchmark, ProofPlace, ProofRecord
from answerable.core.codec import digest_bytes
from answerable.core.errors import FingerprintError, ImageError, ProofError, SettingsError
from answerable.core.records import Group, Record, View
from answerable.domains import CASES
from answerable.domains.raster import images, png
from answerable.exec import Executor

#: Domain whose proofs go to the kernel for multiple-choice questions.
CHOICES = "choice"

#: ``accepted``; ``refused``; ``other_renderer``: all but the pixels holds, and the pixels were drawn by another
#: version than is installed, so they were not compared; ``unproved``: the group claims no proof.
Status = Literal["accepted", "refused", "other_renderer", "unproved"]


class Verdict(Record, frozen=True):
    """What became of one group."""

    group: str
    status: Status
    premise: str = ""
    """The premise that failed: ``image``, or one of ``PREMISES`` of the kernel that checked it."""
    detail: str = ""


class Certificate(Record, frozen=True):
    """The result for a benchmark."""

    benchmark: str
    fingerprint: str
    fingerprint_holds: bool
    fingerprint_detail: str
    groups: int
    statuses: dict[str, int]
    premises: dict[str, int]
    """Refusals by premise."""
    refusals: tuple[Verdict, ...]
    """The first hundred groups that were not accepted."""
    orphans: tuple[str, ...]
    """Proofs for groups that the benchmark does not have."""

    @property
    def holds(self) -> bool:
        """Whether every claim of proof was re-checked and holds."""
        bad = self.statuses.get("refused", 0) + self.statuses.get("other_renderer", 0)
        return self.fingerprint_holds and not bad and not self.orphans


class Parcel(msgspec.Struct, frozen=True):
    """All that a worker needs for one group."""

    group: Group
    images: tuple[bytes, ...]
    proof: ProofRecord | None


def certify(benchmark: Benchmark, executor: Executor, *, on_group: Callable[[], None] = lambda: None) -> Certificate:
    """Check every group.

    Args:
        on_group: called once a group, for progress.
    """
    held, why = _fingerprint(benchmark)
    places = benchmark.proof_places()
    statuses: Counter[str] = Counter()
    premises: Counter[str] = Counter()
    refusals: list[Verdict] = []
    left = set(places)
    for verdict in executor.map(check_parcel, _parcels(benchmark, places)):
        statuses[verdict.status] += 1
        left.discard(verdict.group)
        if verdict.status in ("refused", "other_renderer"):
            premises[verdict.premise] += 1
            if len(refusals) < 100:
                refusals.append(verdict)
        on_group()
    return Certificate(
        benchmark=benchmark.manifest.name,
        fingerprint=benchmark.manifest.fingerprint,
        fingerprint_holds=held,
        fingerprint_detail=why,
        groups=sum(statuses.values()),
        statuses=dict(statuses),
        premises=dict(premises),
        refusals=tuple(refusals),
        orphans=tuple(sorted(left)[:100]),
    )


def _fingerprint(benchmark: Benchmark) -> tuple[bool, str]:
    try:
        benchmark.verify()
    except FingerprintError as error:
        return False, str(error)
    return True, ""


def parcels(benchmark: Benchmark) -> Iterator[Parcel]:
    """Every group with its images and proof, streamed."""
    return _parcels(benchmark, benchmark.proof_places())


def _parcels(benchmark: Benchmark, places: dict[str, ProofPlace]) -> Iterator[Parcel]:
    rows: Iterable[tuple[View, bytes]] = benchmark.views_with_images()
    for name, members in groupby(rows, key=lambda row: row[0].group):
        views, pictures = zip(*members, strict=True)
        first = views[0]
        group = Group(id=name, source=first.source, split=first.split, views=views)
        place = places.get(name)
        yield Parcel(group, pictures, place.read() if place else None)


def check_parcel(parcel: Parcel) -> Verdict:
    """One group: image files, then the proof. Never raises for what a stranger's file holds."""
    group = parcel.group
    problem = _image_problem(parcel)
    if problem:
        return Verdict(group=group.id, status="refused", premise="image", detail=problem)
    claimed = any(view.evidence.level == "proved" for view in group.views)
    if parcel.proof is None:
        if claimed:
            return Verdict(
                group=group.id, status="refused", premise="bound", detail="its views claim a proof: none is there"
            )
        return Verdict(group=group.id, status="unproved")
    return _check_proof(group, parcel.proof, dict(zip((view.id for view in group.views), parcel.images, strict=True)))


def _check_proof(group: Group, proof: ProofRecord, pictures: dict[str, bytes]) -> Verdict:
    try:
        case = CASES.load(proof.domain)(bytes(proof.body), pictures)
    except (ProofError, SettingsError) as error:
        return Verdict(group=group.id, status="refused", premise="bound", detail=str(error))
    drawn, installed = case.versions
    check = choice_kernel.check if proof.domain == CHOICES else kernel.check
    try:
        finding = check(group, proof.digest(), case, proof.group, pixels=drawn == installed)
    except ImageError as error:
        return Verdict(group=group.id, status="refused", premise="image", detail=str(error))
    if finding is not None:
        return Verdict(group=group.id, status="refused", premise=finding.premise, detail=finding.detail)
    if drawn != installed:
        detail = f"drawn by {drawn}, here is {installed}: pixels were not compared"
        return Verdict(group=group.id, status="other_renderer", premise="pixels", detail=detail)
    return Verdict(group=group.id, status="accepted")


def _image_problem(parcel: Parcel) -> str:
    """Why an image file is not what its view says, or would not reach every model alike."""
    # The views of a multiple-choice question share their pictures: each file is looked into once.
    sound: set[tuple[bytes, str, int, int]] = set()
    for view, data in zip(parcel.group.views, parcel.images, strict=True):
        described = (data, view.image_sha256, view.width, view.height)
        if described in sound:
            continue
        sound.add(described)
        if digest_bytes(data) != view.image_sha256:
            return f"view {view.state}: the image file has another digest"
        try:
            facts = images.inspect(data)
        except ImageError as error:
            return f"view {view.state}: {error}"
        if facts.problems:
            return f"view {view.state}: {facts.problems[0]}"
        if (facts.width, facts.height) != (view.width, view.height):
            return f"view {view.state}: {facts.width}x{facts.height} pixels, not {view.width}x{view.height}"
        if facts.mime == "image/png" and png.extra_chunks(data):
            return f"view {view.state}: the file carries more than pixels ({', '.join(png.extra_chunks(data)[:5])})"
    return ""
