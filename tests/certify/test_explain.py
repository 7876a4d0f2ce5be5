"""Explanations: what is told is computed now, agrees with the verdict, and tells nothing of what was not reached."""

from __future__ import annotations

from fractions import Fraction
from functools import cache

import msgspec
import pytest

from answerable.certify.checks import KERNELS, Parcel, Verdict, check_parcel
from answerable.certify.explain import Chancy, Explained, explain, explain_parcel, find
from answerable.certify.faults import FAULTS, Plant
from answerable.certify.kernel import PREMISES
from answerable.certify.told import CHANCE, ESTABLISHES, WORLDS, Explanation
from answerable.core.benchmark import Benchmark, BenchmarkWriter, Ledger
from answerable.core.codec import decode, encode
from answerable.core.errors import ProofError, SettingsError
from answerable.core.records import STATES, Evidence
from answerable.core.seeds import Stream
from answerable.domains import CASES
from answerable.domains.code import screen
from answerable.domains.draft import Draft
from answerable.domains.table import proof as table_proof
from answerable.domains.table.proof import TableCase
from answerable.logic import sql
from answerable.logic.outcomes import Outcome
from answerable.logic.program import Compare, Defined, Expression, Grid, If, Lookup, Number
from tests.certify.forge import parcel
from tests.core.small import group as small_group
from tests.core.small import manifest
from tests.domains.chart import make as charts
from tests.domains.code import make as codes
from tests.domains.scene import drawn as scenes
from tests.domains.table import make as tables


def conditional(first: Lookup, then: Lookup, otherwise: Lookup) -> If:
    """What ``otherwise`` holds is never looked at, so there is a state D."""
    above = Compare(operator=">", left=first, right=Number(value=Fraction(1)))
    return If(condition=above, then=then, otherwise=otherwise)


@cache
def sound(domain: str) -> Parcel:
    """A group with all the states its domain has; ``chance`` is code of which nothing is hidden."""
    made: Draft
    if domain == "chart":
        asked = conditional(*(Lookup(series="Łódź", position=year) for year in ("2019", "2020", "2021")))
        made = charts.draft(charts.world(), msgspec.structs.replace(charts.request(), program=asked))
    elif domain == "table":
        asked = conditional(*(Lookup(series=row, position="Units") for row in ("Łódź", "Zürich", "Oslo")))
        made = tables.draft(tables.world(), tables.request(asked))
    elif domain == "scene":
        made = scenes.drawn("compare-numbers", states="FSKCDM")
    else:
        made = codes.draft("s1" if domain == "chance" else "s3")
    return parcel(made)


DOMAINS = ("chart", "table", "code", "chance", "scene")
STATES_OF = {"chart": "FSKCDMI", "table": "FSKCDMI", "code": "FSKCDM", "chance": "FSCM", "scene": "FSKCDM"}


def explained(domain: str) -> Explanation:
    return explain_parcel(sound(domain), "b").explanation


def as_found(found: Explanation, verdict: Verdict) -> None:
    """The premises told are those of the verdict: held before the one that fails, not reached after it."""
    assert (found.status, found.premise, found.detail) == (verdict.status, verdict.premise, verdict.detail)
    names = [premise.name for premise in found.premises]
    assert names == ["image", *PREMISES]
    place = names.index(verdict.premise)
    results = [premise.result for premise in found.premises]
    assert results == ["holds"] * place + ["fails"] + ["not reached"] * (len(names) - place - 1)
    assert found.premises[place].detail == verdict.detail[:400]


@pytest.mark.parametrize("domain", DOMAINS)
def test_a_sound_group_is_told_whole(domain: str) -> None:
    found = explained(domain)
    assert (found.benchmark, found.status, found.holds) == ("b", "accepted", True)
    assert "".join(view.state for view in found.views) == STATES_OF[domain]
    assert [(p.name, p.result) for p in found.premises] == [(name, "holds") for name in ("image", *PREMISES)]
    assert {view.level for view in found.views} == {"proved"}
    assert [world.name for world in found.worlds] == [name for name in WORLDS if name in found_worlds(found)]
    for world in found.worlds:
        assert len(world.computed) == 2
        assert len(set(world.computed.values())) == 1
        assert bool(world.changes) == (world.name != "F")
    assert found.program
    assert 0 < len(found.reads) < found.cells


def found_worlds(found: Explanation) -> set[str]:
    return {view.world for view in found.views}


@pytest.mark.parametrize("domain", DOMAINS)
def test_an_explanation_is_plain_data(domain: str) -> None:
    found = explained(domain)
    assert decode(encode(found), Explanation) == found


def test_what_a_chart_and_a_table_tell() -> None:
    chart, table = explained("chart"), explained("table")
    assert chart.program == "(Łódź[2020] if (Łódź[2019] > 1) else Łódź[2021])"
    assert [(fact.name, fact.content) for fact in chart.reads] == [
        ("Łódź[2019]", "15"), ("Łódź[2020]", "20"), ("Łódź[2021]", "25"),
    ]  # fmt: skip
    assert table.program == "(Zürich[Units] if (Łódź[Units] > 1) else Oslo[Units])"
    assert [(fact.name, fact.content) for fact in table.reads] == [
        ("Łódź[Units]", "310"), ("Zürich[Units]", "767"), ("Oslo[Units]", "45"),
    ]  # fmt: skip
    full, changed = table.worlds[0], table.worlds[2]
    assert (full.name, full.computed) == ("F", {"direct": "767", "sql": "767"})
    assert changed.name == "C"
    (change,) = changed.changes
    assert change.name in ("Zürich[Units]", "Łódź[Units]")
    assert change.before != change.after
    gone = table.worlds[3]
    assert {change.after for change in gone.changes} == {""}
    assert gone.changed >= len(gone.changes)
    assert set(gone.computed.values()) <= {"no answer (no such series)", "no answer (no such position)"}
    states = {view.state: view for view in table.views}
    assert states["F"].duty == "answer 767"
    assert states["M"].duty == "abstain (missing)"
    assert states["M"].hidden == (change.name,)
    assert states["D"].hidden == ("Oslo[Units]",)
    assert states["F"].hidden == ()
    assert states["K"].meaning == STATES["K"]


def test_why_m_and_d_are_as_they_are() -> None:
    for domain, gone in (("chart", "Łódź[2021] and Zürich[2021]"), ("table", "Oslo[Units]")):
        determined, witness = explained(domain).arguments
        assert (determined.state, determined.kind) == ("D", "determined")
        assert f"whatever is hidden ({gone})" in determined.text
        assert "interval propagation leaves one answer" in determined.text
        assert (witness.state, witness.kind) == ("M", "witness")
        view = sound(domain).group.view("M")
        assert view is not None
        assert witness.pixels == view.width * view.height
        one, other = witness.answers
        assert one != other
        assert f"answer {one} and {other}, and give the same {witness.pixels:,} pixels" in witness.text
        assert "these are the stored pixels of M" in witness.text
    determined, witness = explained("scene").arguments
    assert "with each of 96 things that may be hidden there, both executors find one answer" in determined.text
    assert witness.pixels == 480 * 320
    determined, _ = explained("code").arguments
    assert "with every whole number from 0 to 9 in one hidden place that is read, 10 programs in all" in determined.text


def test_chance_is_told_with_its_probabilities() -> None:
    found = explained("chance")
    (argument,) = found.arguments
    assert (argument.kind, argument.answers) == ("chance", ("no", "yes"))
    assert sum(chance.probability for chance in argument.chances) == 1
    assert {chance.answer for chance in argument.chances} == {"no", "yes"}
    assert [c.probability for c in argument.chances] == sorted((c.probability for c in argument.chances), reverse=True)
    states = {view.state: view for view in found.views}
    assert (states["M"].world, states["M"].meaning, states["M"].hidden) == ("M", CHANCE, ())
    assert next(world for world in found.worlds if world.name == "M").computed == {
        "interpreter": "no or yes, by chance", "cpython": "no or yes, by chance",
    }  # fmt: skip
    notes = {premise.name: premise.detail for premise in found.premises if premise.detail}
    assert notes == {
        "hidden": "no view hides anything", "determined": "no view in state D or K", "witness": "M hides nothing",
    }  # fmt: skip


@pytest.mark.parametrize("domain", DOMAINS)
def test_every_planted_fault_is_told_as_the_verdict_has_it(domain: str) -> None:
    plants: dict[str, Plant] = dict(FAULTS.load("code" if domain == "chance" else domain))
    met = set()
    for plant in plants.values():
        for trial in range(2):
            forged = plant(sound(domain), Stream("explain", trial))
            verdict = check_parcel(forged)
            found = explain_parcel(forged)
            as_found(found.explanation, verdict)
            assert not found.explanation.holds
            assert found.explanation.arguments == ()
            # No world is computed that the kernel would not have computed.
            early = verdict.premise in ("image", "bound", "admissible", "complete")
            assert (found.case is None) == early
            assert (found.explanation.worlds == ()) == early
            met.add(verdict.premise)
    assert len(met) > 2


def test_a_fault_of_the_file_is_told_before_the_proof_is_opened() -> None:
    good = sound("table")
    spoilt = msgspec.structs.replace(good, images=(good.images[1], *good.images[1:]))
    found = explain_parcel(spoilt)
    as_found(found.explanation, check_parcel(spoilt))
    assert found.explanation.premise == "image"
    assert (found.explanation.program, found.explanation.drawn_by) == ("", "")


def test_what_each_executor_finds_is_told_when_they_differ(monkeypatch: pytest.MonkeyPatch) -> None:
    def one_more(program: Expression, grid: Grid) -> Outcome:
        found = sql.execute(program, grid)
        return Defined(value=found.value + 1) if isinstance(found, Defined) else found

    monkeypatch.setitem(table_proof._EXECUTORS, "sql", one_more)
    found = explain_parcel(sound("table")).explanation
    assert (found.status, found.premise) == ("refused", "executors")
    # The proof still says what it said: what is told comes from the executors.
    assert found.worlds[0].computed == {"direct": "767", "sql": "768"}


def test_another_renderer_is_told_and_its_pixels_are_not_compared(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(screen, "version", lambda: "skia-python 1 Pygments 1 r1")
    found = explain_parcel(sound("code")).explanation
    assert (found.status, found.holds) == ("other_renderer", False)
    results = {premise.name: premise.result for premise in found.premises}
    assert [name for name, result in results.items() if result != "holds"] == ["witness", "pixels"]
    assert {results["witness"], results["pixels"]} == {"not compared"}
    assert found.drawn_here == "skia-python 1 Pygments 1 r1"
    assert "The stored pixels were not compared: drawn by skia-python" in found.arguments[-1].text
    assert "these are the stored pixels" not in found.arguments[-1].text


def unproved() -> Parcel:
    good = sound("table")
    level = Evidence(level="annotated", note="two people, strategy S.4")
    views = tuple(msgspec.structs.replace(view, evidence=level) for view in good.group.views)
    return Parcel(msgspec.structs.replace(good.group, views=views), good.images, None)


def test_a_group_without_a_proof_is_told_by_its_evidence() -> None:
    found = explain_parcel(unproved())
    told = found.explanation
    assert (told.status, told.holds, found.case) == ("unproved", True, None)
    assert {(view.level, view.note) for view in told.views} == {("annotated", "two people, strategy S.4")}
    assert [(premise.name, premise.result) for premise in told.premises] == [("image", "holds")]
    assert (told.domain, told.program, told.worlds, told.arguments) == ("", "", (), ())


def test_a_claim_of_proof_without_one_is_refused() -> None:
    good = sound("table")
    bare = Parcel(good.group, good.images, None)
    as_found(explain_parcel(bare).explanation, check_parcel(bare))
    assert "none is there" in explain_parcel(bare).explanation.detail


def test_every_domain_can_be_explained() -> None:
    assert list(ESTABLISHES) == ["image", *PREMISES]
    # Where another kernel checks, premises alone are told: test_choice.py, test_varied.py.
    for domain in set(CASES.names()) - set(KERNELS):
        proof = sound(domain).proof
        assert proof is not None
        case = CASES.load(domain)(bytes(proof.body), {})
        assert isinstance(case, Explained)
        assert isinstance(case, Chancy) == (domain == "code")


def test_a_domain_that_does_not_tell_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delattr(TableCase, "settled")
    with pytest.raises(ProofError, match="expected a domain whose cases tell what they compute"):
        explain_parcel(sound("table"))


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Benchmark:
    """Made-up groups g-test-0 to g-test-11 without proofs that can be opened, then a table that has one."""
    out = tmp_path_factory.mktemp("explain") / "b"
    with BenchmarkWriter(out) as writer:
        for number in range(12):
            made, pictures = small_group(number)
            writer.add(made, pictures, None)
        good = sound("table")
        writer.add(good.group, list(good.images), good.proof)
        writer.finish(manifest(), Ledger(lines=(), asked=13, kept=13), "card")
    return Benchmark(out)


def test_a_group_is_found_by_any_of_its_ids(folder: Benchmark) -> None:
    group = sound("table").group
    for name in (group.id, group.id[:6], group.views[3].id, group.views[3].id[:9]):
        assert find(folder, name) == group.id
    assert explain(folder, group.views[3].id).explanation.status == "accepted"
    # An id of one group is no beginning of another's.
    assert find(folder, "g-test-1") == "g-test-1"
    assert find(folder, "g-test-11") == "g-test-11"
    assert explain(folder, "g-test-11").explanation.premise == "bound"


def test_a_beginning_of_many_ids_names_some_of_them(folder: Benchmark) -> None:
    with pytest.raises(SettingsError) as caught:
        find(folder, "g-test")
    assert str(caught.value) == (
        "expected an id that only one group has; got 'g-test', with which ids of 12 groups begin (g-test-0, g-test-1, "
        "g-test-2, g-test-3, ...)\n  where: --explain\n  next:  write more of the id"
    )


@pytest.mark.parametrize("name", ["g-tes", "nobody-here", "", "x" * 500])
def test_what_is_no_id_is_said_to_be_none(name: str, folder: Benchmark) -> None:
    with pytest.raises(SettingsError) as caught:
        find(folder, name)
    text = str(caught.value)
    assert text.startswith(
        "expected the id of a group or of one of its views, or 6 signs or more of its beginning; got "
        f"{name[:80]!r}, which 13 groups do not have"
    )
    assert f"where: --explain, {folder.path}" in text
    assert "columns 'group' and 'id'" in text
