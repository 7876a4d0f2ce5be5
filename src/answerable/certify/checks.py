"""Certifying a benchmark: every group through the kernel, image files too, over one process or many."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from itertools import groupby
from typing import Literal

import msgspec

from answerable.certify import choice_kernel, kernel, varied_kernel
from answerable.certify.finding import Finding
from answerable.core.benchmark import Benchmark, ProofPlace, ProofRecord
from answerable.core.codec import digest, digest_bytes
from answerable.core.errors import (
    FingerprintError,
    ImageError,
    MissingExtraError,
    ProofError,
    RenderError,
    SettingsError,
)
from answerable.core.records import Group, Record, View
from answerable.domains import CASES
from answerable.domains.raster import images, png
from answerable.exec import Executor

#: Domains whose proofs speak of more than a view a state, and the kernels for them; all others have one in common.
KERNELS: Mapping[str, Callable[..., Finding | None]] = {
    "choice": choice_kernel.check,
    "varied": varied_kernel.check,
}

#: ``accepted``; ``refused``; ``other_renderer``: all but the pixels holds, and the pixels were drawn by another
#: version than is installed, so they were not compared; ``stored``: all but the pixels holds, the image files have the
#: digests that the proof names, and this group was not among those to draw again; ``unproved``: no proof is claimed.
Status = Literal["accepted", "refused", "other_renderer", "stored", "unproved"]


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
    redraw: bool = True
    """Whether its pictures are drawn again and compared."""


def certify(
    benchmark: Benchmark,
    executor: Executor,
    *,
    redraw: int | None = None,
    seed: int = 0,
    on_group: Callable[[], None] = lambda: None,
) -> Certificate:
    """Check every group.

    Args:
        redraw: in how many groups pictures are drawn again, where drawing is slow; None draws all. Every other premise
            and every image file is checked in all.
        seed: chooses those groups; whoever made a benchmark cannot know another's.
        on_group: called once a group, for progress.

    Raises:
        SettingsError: ``redraw`` is below 0.
    """
    held, why = _fingerprint(benchmark)
    places = benchmark.proof_places()
    drawn = _to_redraw(places, redraw, seed)
    statuses: Counter[str] = Counter()
    premises: Counter[str] = Counter()
    refusals: list[Verdict] = []
    left = set(places)
    for verdict in executor.map(check_parcel, _parcels(benchmark, places, drawn)):
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


def _to_redraw(places: Iterable[str], redraw: int | None, seed: int) -> frozenset[str] | None:
    if redraw is None:
        return None
    if redraw < 0:
        raise SettingsError("0 or more groups to draw again", f"redraw={redraw}", where="--redraw")
    return frozenset(sorted(places, key=lambda group: digest(["redraw", seed, group]))[:redraw])


def _fingerprint(benchmark: Benchmark) -> tuple[bool, str]:
    try:
        benchmark.verify()
    except FingerprintError as error:
        return False, str(error)
    return True, ""


def parcels(benchmark: Benchmark) -> Iterator[Parcel]:
    """Every group with its images and proof, streamed."""
    return _parcels(benchmark, benchmark.proof_places(), None)


def _parcels(
    benchmark: Benchmark, places: dict[str, ProofPlace], drawn: frozenset[str] | None
) -> Iterator[Parcel]:  # fmt: skip
    rows: Iterable[tuple[View, bytes]] = benchmark.views_with_images()
    for name, members in groupby(rows, key=lambda row: row[0].group):
        views, pictures = zip(*members, strict=True)
        first = views[0]
        group = Group(id=name, source=first.source, split=first.split, views=views)
        place = places.get(name)
        yield Parcel(group, pictures, place.read() if place else None, drawn is None or name in drawn)


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
    pictures = dict(zip((view.id for view in group.views), parcel.images, strict=True))
    return _check_proof(group, parcel.proof, pictures, redraw=parcel.redraw)


def _check_proof(group: Group, proof: ProofRecord, pictures: dict[str, bytes], *, redraw: bool) -> Verdict:
    try:
        case = CASES.load(proof.domain)(bytes(proof.body), pictures)
        drawn, installed = case.versions
    except (ProofError, SettingsError) as error:
        return Verdict(group=group.id, status="refused", premise="bound", detail=str(error))
    except (MissingExtraError, RenderError) as error:
        # Nothing can be said of a picture without what draws it; the other groups can be checked all the same.
        return _not_drawn(group, f"what drew it is not here: {error}")
    check = KERNELS.get(proof.domain, kernel.check)
    try:
        finding = check(group, proof.digest(), case, proof.group, pixels=redraw and drawn == installed)
    except ImageError as error:
        return Verdict(group=group.id, status="refused", premise="image", detail=str(error))
    except RenderError as error:
        return _not_drawn(group, f"what drew it fails here: {error}")
    if finding is not None:
        return Verdict(group=group.id, status="refused", premise=finding.premise, detail=finding.detail)
    checked = Verdict(group=group.id, status="accepted" if redraw else "stored")
    other = f"drawn by {drawn}, here is {installed}: pixels were not compared"
    return checked if drawn == installed else _not_drawn(group, other)


def _not_drawn(group: Group, why: str) -> Verdict:
    return Verdict(group=group.id, status="other_renderer", premise="pixels", detail=" ".join(why.split()))


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
