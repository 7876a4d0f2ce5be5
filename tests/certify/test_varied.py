"""The kernel for questions in other words: sound groups are accepted, and each premise alone catches its forgeries."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any

import msgspec
import pytest

from answerable.build.variations.own_words import own_wordings
from answerable.build.variations.restyle import styles_of
from answerable.build.variations.vary import Looks, Stored, Words, vary_stored
from answerable.certify.audit import audit
from answerable.certify.checks import Parcel, certify, check_parcel
from answerable.certify.explain import explain_parcel
from answerable.certify.faults import FAULTS
from answerable.certify.faults.varied import Parts
from answerable.certify.kernel import PREMISES
from answerable.certify.told import ESTABLISHES
from answerable.certify.varied_told import VARIED_ESTABLISHES
from answerable.core.benchmark import Benchmark, BenchmarkWriter, Ledger, ProofRecord
from answerable.core.codec import decode, encode
from answerable.core.errors import ProofError
from answerable.core.records import Answer
from answerable.core.seeds import Stream
from answerable.domains import CASES
from answerable.domains.draft import Draft
from answerable.domains.varied.proof import VariedProof, asks_the_same, can_be_varied, open_case
from answerable.exec import ThisProcess
from tests.certify.forge import parcel
from tests.core.small import manifest
from tests.domains.chart.make import draft as chart_draft
from tests.domains.chart.make import world as chart_world
from tests.domains.code.make import draft as code_draft
from tests.domains.scene.drawn import drawn
from tests.domains.table.make import draft as table_draft

DRAFTS: dict[str, Callable[[], Draft]] = {
    "chart": lambda: chart_draft(chart_world()),
    "table": table_draft,
    "code": code_draft,
    "scene": lambda: drawn("query-1", "box", "one"),
}
EVERY = pytest.mark.parametrize("domain", DRAFTS)


@cache
def varied(domain: str, *, grey: bool = False) -> Draft:
    """A proved group in the other words of its domain's templates."""
    made = DRAFTS[domain]()
    assert made.proof is not None
    words = tuple(Words(text, "ours", understood=True) for text in own_wordings(made.proof)[:3])
    assert words
    looks = Looks(styles_of(["grayscale"], [])) if grey else Looks()
    found = vary_stored(
        Stored(made.group, made.images, {made.group.views[0].question: words}, looks, "made", made.proof)
    )
    assert isinstance(found, Draft)
    return found


def sound(domain: str, *, grey: bool = False) -> Parcel:
    return parcel(varied(domain, grey=grey))


def refused(forged: Parcel, premise: str, words: str) -> None:
    verdict = check_parcel(forged)
    assert (verdict.status, verdict.premise) == ("refused", premise), verdict
    assert words in verdict.detail, verdict.detail


@EVERY
def test_a_proved_question_keeps_its_proof_in_other_words(domain: str) -> None:
    made = sound(domain)
    assert check_parcel(made).status == "accepted"
    assert {view.evidence.level for view in made.group.views} == {"proved"}
    assert any(view.topic == "rephrase" for view in made.group.views)


@EVERY
def test_pictures_in_another_style_are_no_part_of_the_proof(domain: str) -> None:
    made = sound(domain, grey=True)
    assert check_parcel(made).status == "accepted"
    levels = {view.topic: view.evidence.level for view in made.group.views}
    assert levels == {"": "proved", "rephrase": "proved", "restyle": "derived"}
    assert {view.evidence.proof for view in made.group.views if view.topic == "restyle"} == {""}


@EVERY
def test_every_planted_fault_is_refused(domain: str, tmp_path: Path) -> None:
    made = varied(domain, grey=True)
    with BenchmarkWriter(tmp_path / "bench") as writer:
        writer.add(made.group, made.images, made.proof)
        writer.finish(manifest(), Ledger(lines=(), asked=1, kept=1), "")
    bench = Benchmark(tmp_path / "bench")
    assert certify(bench, ThisProcess()).holds
    found = audit(bench, ThisProcess(), trials=12)
    assert [line.fault for line in found.lines] == list(FAULTS.load("varied"))
    assert found.all_refused, [line for line in found.lines if line.refused < line.trials]
    by = {line.fault: set(line.premises) for line in found.lines}
    assert by["words"] == by["target of other words"] == by["state"] == by["instruction"] == {"wordings"}
    assert by["view without a claim"] == by["view left out"] == {"bound"}
    assert by["the base's one pixel"] <= {"pixels", "witness"}


def forged(change: Callable[[Parts], None], domain: str = "chart") -> Parcel:
    parts = Parts(sound(domain))
    change(parts)
    return parts.together()


def other(parts: Parts) -> str:
    """The id of a view in other words."""
    return next(claim.view for claim in parts.proof.claims if claim.question != parts.question)


def test_a_proof_about_another_group_or_view() -> None:
    made = sound("chart")
    assert made.proof is not None
    refused(
        msgspec.structs.replace(made, proof=msgspec.structs.replace(made.proof, group="x")), "bound", "about group x"
    )
    views = (msgspec.structs.replace(made.group.views[0], id="nobody"), *made.group.views[1:])
    refused(
        msgspec.structs.replace(made, group=msgspec.structs.replace(made.group, views=views)), "bound",
        "does not speak once of each view",
    )  # fmt: skip


def test_a_view_that_names_another_proof() -> None:
    made = sound("chart")
    first = made.group.views[0]
    bad = msgspec.structs.replace(first, evidence=msgspec.structs.replace(first.evidence, proof="0" * 64))
    group = msgspec.structs.replace(made.group, views=(bad, *made.group.views[1:]))
    refused(msgspec.structs.replace(made, group=group), "bound", "names another proof (000000000000...")


def test_two_views_of_one_id() -> None:
    made = sound("chart")
    first, second = made.group.views[:2]
    views = (first, msgspec.structs.replace(second, id=first.id, obligation=Answer("1", "number")), *made.group.views)
    group = msgspec.structs.replace(made.group, views=views)
    twice = Parcel(group, (*made.images[:2], *made.images), made.proof)
    refused(twice, "bound", "two views have one id")


def test_the_same_words_twice() -> None:
    def change(parts: Parts) -> None:
        first, second = [c for c in parts.proof.claims if c.question != parts.question and c.state == "F"][:2]
        parts.claim(second.view, question=first.question)
        parts.replace(second.view, question=first.question)

    refused(forged(change), "bound", "two views ask in the same words of one state")


def test_a_state_that_the_base_proof_lacks() -> None:
    refused(
        forged(lambda parts: parts.claim(other(parts), state="IASD")), "bound",
        "a view is claimed to show a state that the base proof does not have",
    )  # fmt: skip


def test_all_views_in_other_words_and_none_as_it_was() -> None:
    def change(parts: Parts) -> None:
        for claim in parts.proof.claims:
            if claim.question == parts.question:
                del parts.views[claim.view]
        claims = tuple(claim for claim in parts.proof.claims if claim.view in parts.views)
        parts.proof = msgspec.structs.replace(parts.proof, claims=claims)

    refused(forged(change), "bound", "and [] are shown as they were")


@pytest.mark.parametrize(
    ("changes", "named"),
    [
        ({"obligation": Answer("12345", "number")}, "obligation"), ({"state": "K"}, "state"),
        ({"instruction": "Guess."}, "instruction"), ({"topic": "restyle"}, "topic"), ({"source": "else"}, "source"),
        ({"withheld": "x"}, "withheld"), ({"split": "train"}, "split"),
    ],
)  # fmt: skip
def test_a_view_that_differs_in_more_than_its_words(changes: dict[str, Any], named: str) -> None:
    refused(forged(lambda parts: parts.replace(other(parts), **changes)), "wordings", f"in other words: {named}")


def test_words_that_ask_for_something_else() -> None:
    def change(parts: Parts) -> None:
        view = other(parts)
        for asked in [parts.views[view].question]:
            parts.claim(view, question=f"{asked} Or not?")
            parts.replace(view, question=f"{asked} Or not?")

    refused(forged(change), "wordings", "are not known to ask for what the program reads")


@EVERY
def test_words_are_held_against_the_base_program(domain: str) -> None:
    proof = DRAFTS[domain]().proof
    assert proof is not None
    body = bytes(proof.body)
    asked = decode(body, dict[str, Any])["question"]
    assert not asks_the_same(domain, body, asked)
    assert not asks_the_same(domain, body, "Which?")
    assert all(asks_the_same(domain, body, text) for text in own_wordings(proof))


@pytest.mark.parametrize("base", ["varied", "choice", "nothing"])
def test_bases_that_cannot_be_varied(base: str) -> None:
    body = encode(VariedProof(base=base, body=msgspec.Raw(b"{}"), claims=()))
    assert not can_be_varied(base)
    with pytest.raises(ProofError, match=f"asked in other words; got base='{base}'"):
        open_case(body, {})


@pytest.mark.parametrize("inside", [b"{}", b"[]", b'{"question":1}', b'{"question":"q","claims":[{"view":1}]}'])
def test_a_base_proof_that_is_none(inside: bytes) -> None:
    made = varied("chart")
    assert made.proof is not None
    proof = msgspec.structs.replace(decode(bytes(made.proof.body), VariedProof), body=msgspec.Raw(inside))
    record = ProofRecord(group=made.group.id, domain="varied", body=msgspec.Raw(encode(proof)))
    verdict = check_parcel(Parcel(made.group, made.images, record))
    assert (verdict.status, verdict.premise) == ("refused", "bound")


def test_without_all_of_its_views_a_group_has_no_proof() -> None:
    made = DRAFTS["chart"]()
    assert made.proof is not None
    words = {
        made.group.views[0].question: tuple(Words(text, "ours", understood=True) for text in own_wordings(made.proof))
    }
    group = msgspec.structs.replace(made.group, views=made.group.views[:2])
    found = vary_stored(Stored(group, made.images[:2], words, Looks(), "made", made.proof))
    assert isinstance(found, Draft)
    assert found.proof is None
    assert {view.evidence.level for view in found.group.views} == {"derived"}


def test_words_that_are_not_understood_stay_derived() -> None:
    made = DRAFTS["chart"]()
    assert made.proof is not None
    texts = (own_wordings(made.proof)[0], "And what might that be?")
    words = {made.group.views[0].question: (Words(texts[0], "a model's", True), Words(texts[1], "a model's"))}
    found = vary_stored(Stored(made.group, made.images, words, Looks(), "made", made.proof))
    assert isinstance(found, Draft)
    levels = {view.question: view.evidence.level for view in found.group.views if view.topic}
    assert levels == {texts[0]: "proved", texts[1]: "derived"}
    assert check_parcel(parcel(found)).status == "accepted"
    alone = vary_stored(Stored(made.group, made.images, {made.group.views[0].question: words[
        made.group.views[0].question][1:]}, Looks(), "made", made.proof))  # fmt: skip
    assert isinstance(alone, Draft) and alone.proof is None


def test_a_proof_that_the_views_do_not_name_is_not_kept() -> None:
    made, stranger = DRAFTS["chart"](), DRAFTS["table"]()
    assert made.proof is not None and stranger.proof is not None
    words = {
        made.group.views[0].question: tuple(Words(text, "ours", understood=True) for text in own_wordings(made.proof))
    }
    found = vary_stored(Stored(made.group, made.images, words, Looks(), "made", stranger.proof))
    assert isinstance(found, Draft) and found.proof is None


def test_premises_are_told() -> None:
    assert list(VARIED_ESTABLISHES) == [*ESTABLISHES, "wordings"] == ["image", *PREMISES, "wordings"]
    told = explain_parcel(sound("table"))
    assert [one.result for one in told.explanation.premises] == ["holds"] * len(VARIED_ESTABLISHES)
    assert told.case is None
    bad = explain_parcel(FAULTS.load("varied")["instruction"](sound("table"), Stream("fault"))).explanation
    assert bad.premises[-1].result == "fails" and "instruction" in bad.premises[-1].detail


def test_every_domain_with_a_kernel_of_one_view_a_state_can_be_varied() -> None:
    assert {name for name in CASES.names() if can_be_varied(name)} == set(DRAFTS)
