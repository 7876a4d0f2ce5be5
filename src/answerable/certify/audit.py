"""The fault-injection audit: plant faults in good groups and see that the kernel refuses every one.

A fault is planted the way an adversary would: digests and names are made right again afterwards, so that only the
premise that is meant to catch it can. Source: appendix D of the visual-answerability paper (five faults, twenty
trials each).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from fractions import Fraction
from itertools import islice

import msgspec

from answerable.certify.checks import Parcel, Verdict, check_parcel, parcels
from answerable.core.benchmark import Benchmark, ProofRecord
from answerable.core.codec import answer_text, decode, digest_bytes, encode
from answerable.core.errors import BenchmarkError, SettingsError
from answerable.core.records import Answer, Record, View
from answerable.core.seeds import Stream
from answerable.domains.chart.proof import ChartProof
from answerable.domains.chart.world import value_at
from answerable.domains.raster import png
from answerable.exec import Executor


class AuditLine(Record, frozen=True):
    """One kind of fault."""

    fault: str
    trials: int
    refused: int
    premises: dict[str, int]
    """Which premise refused how many."""


class Audit(Record, frozen=True):
    """All kinds."""

    lines: tuple[AuditLine, ...]

    @property
    def all_refused(self) -> bool:
        """Whether every planted fault was caught."""
        return all(line.trials == line.refused for line in self.lines)


def audit(benchmark: Benchmark, executor: Executor, *, trials: int = 20) -> Audit:
    """Plant each fault ``trials`` times, in groups that the kernel accepts.

    Raises:
        SettingsError: no trials are asked for; that would show nothing.
        BenchmarkError: the benchmark has no accepted chart group to plant faults in.
    """
    if trials < 1:
        raise SettingsError("at least one trial a fault", f"trials={trials}", where="--trials")
    pool = list(islice(parcels(benchmark), max(trials, 20)))
    sound = [
        parcel
        for parcel, verdict in zip(pool, executor.map(check_parcel, pool), strict=True)
        if verdict.status == "accepted" and parcel.proof is not None and parcel.proof.domain == "chart"
    ]
    if not sound:
        raise BenchmarkError(
            "accepted chart groups to plant faults in",
            "none",
            where=str(benchmark.path),
            fix="certify first: an audit says nothing about groups that are refused anyway",
        )
    lines = []
    for name, plant in FAULTS.items():
        planted = [plant(sound[trial % len(sound)], Stream("audit", name, trial)) for trial in range(trials)]
        verdicts = list(executor.map(check_parcel, planted))
        lines.append(_line(name, verdicts))
    return Audit(lines=tuple(lines))


def _line(name: str, verdicts: list[Verdict]) -> AuditLine:
    refused = [verdict for verdict in verdicts if verdict.status == "refused"]
    premises = Counter(verdict.premise for verdict in refused)
    return AuditLine(fault=name, trials=len(verdicts), refused=len(refused), premises=dict(sorted(premises.items())))


class _Parts(msgspec.Struct):
    """A parcel taken apart for tampering."""

    views: dict[str, View]
    images: dict[str, bytes]
    proof: ChartProof

    def replace_view(self, state: str, **changes: object) -> None:
        self.views[state] = msgspec.structs.replace(self.views[state], **changes)


def _apart(parcel: Parcel) -> _Parts:
    views: dict[str, View] = {view.state: view for view in parcel.group.views}
    images: dict[str, bytes] = {view.state: data for view, data in zip(parcel.group.views, parcel.images, strict=True)}
    body = parcel.proof.body if parcel.proof is not None else b"{}"
    return _Parts(views, images, decode(bytes(body), ChartProof))


def _together(parcel: Parcel, parts: _Parts) -> Parcel:
    """Put the parts back with every digest and name made right, as a careful forger would."""
    for state, data in parts.images.items():
        parts.replace_view(state, image_sha256=digest_bytes(data))
    claims = tuple(
        msgspec.structs.replace(claim, image_sha256=parts.views[claim.state].image_sha256)
        for claim in parts.proof.claims
    )
    body = encode(msgspec.structs.replace(parts.proof, claims=claims))
    proof = ProofRecord(group=parcel.group.id, domain="chart", body=msgspec.Raw(body))
    for view in list(parts.views.values()):
        parts.replace_view(view.state, evidence=msgspec.structs.replace(view.evidence, proof=proof.digest()))
    group = msgspec.structs.replace(parcel.group, views=tuple(parts.views.values()))
    return Parcel(group, tuple(parts.images[view.state] for view in group.views), proof)


def plant_target(parcel: Parcel, stream: Stream) -> Parcel:
    """Another target in a supported view."""
    parts = _apart(parcel)
    state = stream.pick([state for state, view in parts.views.items() if isinstance(view.obligation, Answer)])
    duty = parts.views[state].obligation
    if isinstance(duty, Answer):
        wrong = answer_text(Fraction(duty.target) + stream.between(1, 9))
        parts.replace_view(state, obligation=msgspec.structs.replace(duty, target=wrong))
    return _together(parcel, parts)


def plant_program(parcel: Parcel, stream: Stream) -> Parcel:
    """A program that reads another cell."""
    parts = _apart(parcel)
    world, program = parts.proof.worlds["F"], parts.proof.program
    cells = [
        (series, position)
        for series in world.series
        for position in world.positions
        if (series, position) != (program.series, program.position)
    ]
    series, position = stream.pick(cells)
    other = msgspec.structs.replace(program, series=series, position=position)
    parts.proof = msgspec.structs.replace(parts.proof, program=other)
    return _together(parcel, parts)


def plant_pixel(parcel: Parcel, stream: Stream) -> Parcel:
    """One pixel of one stored image, one step brighter or darker in one channel."""
    parts = _apart(parcel)
    state = stream.pick(sorted(parts.images))
    pixels = png.decode(parts.images[state])
    y, x, channel = stream.below(pixels.shape[0]), stream.below(pixels.shape[1]), stream.below(3)
    old = int(pixels[y, x, channel])
    pixels[y, x, channel] = old + 1 if old < 255 else old - 1
    parts.images[state] = png.encode(pixels)
    return _together(parcel, parts)


def plant_equal_answers(parcel: Parcel, _: Stream) -> Parcel:
    """A witness whose second world has the answer of the first: C becomes a world that only differs elsewhere."""
    parts = _apart(parcel)
    proof = parts.proof
    # S differs from F in one value that the program does not read, and is drawn whole already.
    parts.proof = msgspec.structs.replace(proof, worlds=proof.worlds | {"C": proof.worlds["S"]})
    parts.images["C"] = parts.images["S"]
    answer = value_at(proof.worlds["S"], proof.program.series, proof.program.position)
    parts.replace_view("C", obligation=Answer(target=answer_text(answer), type="number"))
    return _together(parcel, parts)


def plant_observation(parcel: Parcel, stream: Stream) -> Parcel:
    """Another observation condition: M hides another position, M alone looks otherwise, or both masks do."""
    parts = _apart(parcel)
    world = parts.proof.worlds["F"]
    way = stream.below(3)
    claims = []
    for claim in parts.proof.claims:
        hide = claim.hide
        if hide is not None and way == 0 and claim.state == "M":
            others = [name for name in world.positions if name != hide.position]
            hide = msgspec.structs.replace(hide, position=stream.pick(others))
        elif hide is not None and (way == 2 or (way == 1 and claim.state == "M")):
            hide = msgspec.structs.replace(hide, appearance="gap" if hide.appearance == "patch" else "patch")
        claims.append(msgspec.structs.replace(claim, hide=hide))
    parts.proof = msgspec.structs.replace(parts.proof, claims=tuple(claims))
    return _together(parcel, parts)


FAULTS: dict[str, Callable[[Parcel, Stream], Parcel]] = {
    "target": plant_target,
    "program": plant_program,
    "one pixel": plant_pixel,
    "equal answers": plant_equal_answers,
    "observation condition": plant_observation,
}
