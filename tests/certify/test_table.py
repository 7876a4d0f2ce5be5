"""Certification of tables: sound groups are accepted, every planted fault is refused by a premise meant for it."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction

import msgspec
import pytest

from answerable.build.assembly import Job, assemble
from answerable.build.sources.table_worlds import TableSamplerSource
from answerable.build.table_benchmarks import TableRecipe, TableSettings
from answerable.certify.audit import audit
from answerable.certify.checks import Parcel, certify, check_parcel
from answerable.certify.faults import FAULTS, Plant
from answerable.certify.faults.parts import apart, together
from answerable.core.benchmark import Benchmark
from answerable.core.records import Answer
from answerable.core.seeds import Stream
from answerable.domains.draft import Draft
from answerable.domains.raster import png
from answerable.domains.table.layout import render
from answerable.domains.table.proof import TableProof
from answerable.domains.table.templates import TEMPLATES
from answerable.domains.table.visibility import Hide
from answerable.domains.table.world import with_values
from answerable.exec import ThisProcess
from answerable.logic.program import Lookup
from tests.certify.forge import parcel
from tests.domains.table.make import draft, lookup, request, world

PLANTS: dict[str, Plant] = dict(FAULTS.load("table"))
MEANT = {
    "target": {"answers"},
    "program": {"answers", "edits", "bound"},
    "one pixel": {"pixels", "witness"},
    "equal answers": {"answers"},
    "observation condition": {"hidden", "witness", "pixels"},
    "undetermined as determined": {"determined"},
    "column as wide as its content": {"edits"},
    "value outside the bounds": {"admissible"},
    "another part removed": {"bound"},
    "choices without the answer": {"bound"},
}


def settings(groups: int, **changes: object) -> TableSettings:
    made = TableSettings(groups=groups, seed=8, programs=tuple(TEMPLATES), mask="mixed")
    return msgspec.structs.replace(made, **changes)


@pytest.fixture(scope="module")
def benchmark(tmp_path_factory: pytest.TempPathFactory) -> Benchmark:
    out = tmp_path_factory.mktemp("tables") / "b"
    assemble(TableRecipe(settings(26), TableSamplerSource(8)), out, ThisProcess(), name="tables")
    return Benchmark(out)


def sampled(count: int, **changes: object) -> Iterator[Draft]:
    recipe = TableRecipe(settings(count, **changes), TableSamplerSource(4))
    work = recipe.worker()
    for _, job in zip(range(count), recipe.jobs(), strict=False):
        assert isinstance(job, Job)
        found = work(job.work)
        if isinstance(found, Draft):
            yield found


def test_a_built_benchmark_certifies(benchmark: Benchmark) -> None:
    found = certify(benchmark, ThisProcess())
    assert found.holds
    assert found.statuses == {"accepted": 26}


def test_all_faults_are_refused_twenty_times_each(benchmark: Benchmark) -> None:
    found = audit(benchmark, ThisProcess(), trials=20)
    assert [(line.domain, line.fault) for line in found.lines] == [("table", name) for name in MEANT]
    assert [(line.trials, line.refused) for line in found.lines] == [(20, 20)] * len(MEANT)
    for line in found.lines:
        assert set(line.premises) <= MEANT[line.fault], line
    assert audit(benchmark, ThisProcess(), trials=20) == found


@pytest.mark.parametrize("name", PLANTS)
@pytest.mark.parametrize("choices", [False, True])
def test_each_fault_changes_the_group_and_is_refused(name: str, choices: bool) -> None:
    sound = parcel(draft(world(), request(choices=choices)))
    assert check_parcel(sound).status == "accepted"
    for trial in range(5):
        planted = PLANTS[name](sound, Stream("test", trial))
        assert planted != sound
        found = check_parcel(planted)
        assert (found.status, found.premise in MEANT[name]) == ("refused", True), found


def test_faults_are_planted_with_digests_made_right() -> None:
    sound = parcel(draft())
    for plant in PLANTS.values():
        planted = plant(sound, Stream("right"))
        assert planted.proof is not None
        assert {view.evidence.proof for view in planted.group.views} == {planted.proof.digest()}
        assert check_parcel(planted).premise != "image"


def redrawn(sound: Parcel, hide: Hide | None = None, **changes: object) -> Parcel:
    """The proof changed, every picture drawn anew, and M hiding something else if asked."""
    parts = apart(sound, TableProof)
    parts.replace_proof(**changes)
    if hide is not None:
        parts.replace_proof(
            claims=tuple(
                msgspec.structs.replace(claim, hide=hide) if claim.state == "M" else claim
                for claim in parts.proof.claims
            )
        )
    for claim in parts.proof.claims:
        pixels = render(parts.proof.worlds[claim.world], claim.hide)
        parts.images[claim.state] = png.encode(pixels)
        parts.replace_view(claim.state, width=pixels.shape[1], height=pixels.shape[0])
    return together(sound, parts)


def test_hiding_more_than_what_differs_still_needs_to_be_shown_alike() -> None:
    sound = parcel(draft())
    more = Hide(cells=(("Zürich", "Units"), ("Oslo", "Units")), appearance="patch")
    found = check_parcel(redrawn(sound, more))
    # M hides two cells and K one: not alike.
    assert (found.status, found.premise) == ("refused", "hidden")


def test_a_second_difference_between_the_worlds_is_found() -> None:
    sound = parcel(draft())
    proof = apart(sound, TableProof).proof
    other = with_values(proof.worlds["C"], [(("Oslo", "Price"), Fraction(99))])
    found = check_parcel(redrawn(sound, worlds=proof.worlds | {"C": other}))
    assert (found.status, found.premise) == ("refused", "edits")


def test_a_row_label_or_title_that_differs_is_found() -> None:
    sound = parcel(draft())
    proof = apart(sound, TableProof).proof
    for changes in ({"title": "Another"}, {"header": False}, {"corner": "X"}, {"style": "zebra-blue"}):
        other = msgspec.structs.replace(proof.worlds["C"], **changes)
        found = check_parcel(redrawn(sound, worlds=proof.worlds | {"C": other}))
        assert (found.status, found.premise) == ("refused", "admissible")


def test_worlds_and_programs_of_strangers_do_no_harm() -> None:
    sound = parcel(draft())
    proof = apart(sound, TableProof).proof
    huge = msgspec.structs.replace(
        proof.worlds["F"], rows=tuple(map(str, range(100_000))), values=((Fraction(1),) * 5,) * 100_000
    )
    absurd = {
        "F": msgspec.structs.replace(proof, worlds=proof.worlds | {"F": huge}),
        "C": msgspec.structs.replace(proof, worlds=proof.worlds | {"C": huge}),
        "gone": msgspec.structs.replace(proof, worlds={"C": proof.worlds["C"]}),
        "program": msgspec.structs.replace(proof, program=Lookup(series="Nowhere", position="Units")),
    }
    for name, body in absurd.items():
        parts = apart(sound, TableProof)
        parts.proof = body
        found = check_parcel(together(sound, parts))
        assert found.status == "refused", name
        assert len(found.detail) < 600


def test_an_answer_of_another_world_is_refused() -> None:
    sound = parcel(draft(world(), request(lookup("Oslo"))))
    parts = apart(sound, TableProof)
    duty = parts.views["C"].obligation
    assert isinstance(duty, Answer)
    parts.replace_view("S", obligation=duty)
    assert check_parcel(together(sound, parts)).premise == "answers"


def test_sampled_groups_certify() -> None:
    verdicts = [check_parcel(parcel(made)) for choices in (False, True) for made in sampled(52, choices=choices)]
    assert len(verdicts) >= 98
    assert [found for found in verdicts if found.status != "accepted"] == []


@pytest.mark.slow
def test_many_sampled_groups_certify() -> None:
    verdicts = [check_parcel(parcel(made)) for made in sampled(1000)]
    assert len(verdicts) >= 950
    assert [found for found in verdicts if found.status != "accepted"] == []
