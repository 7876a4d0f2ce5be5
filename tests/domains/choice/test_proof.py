"""Proofs about multiple-choice questions: what is read of a base domain's worlds, and what is no such proof."""

from __future__ import annotations

import msgspec
import pytest

from answerable.core.codec import decode, encode
from answerable.core.errors import ProofError
from answerable.domains.choice.proof import ChoiceCase, ChoiceProof, open_case
from answerable.domains.draft import Draft
from answerable.logic.program import Compare, Expression, Label, Row, Trend
from tests.domains.choice.make import GREATER, LOOK_UP, asked, draft, other


def opened(made: Draft) -> ChoiceCase:
    assert made.proof is not None
    return open_case(bytes(made.proof.body), {})


def body(program: Expression = LOOK_UP) -> ChoiceProof:
    question = asked(program, ("Yes", "No") if program != LOOK_UP else None)
    return ChoiceProof(base="chart", problem="AAD", body=msgspec.Raw(encode(question.body)), claims=())


def test_a_case_knows_the_names_of_its_world() -> None:
    case = opened(draft("AAD"))
    names = {"Łódź", "Zürich", "2019", "2020", "2021", "2022", "2023"}
    assert case.labels() == names | {"increasing", "decreasing", "neither"}
    assert case.referents() == {"Łódź", "2021"}
    assert opened(draft("IASD", GREATER)).referents() == {"Łódź", "Zürich", "2019"}


def test_labels_that_stand_in_the_program_are_names_too() -> None:
    trend = Compare(operator="==", left=Trend(over=Row(series="Łódź")), right=Label(text="decreasing"))
    assert "decreasing" in open_case(encode(body(trend)), {}).labels()


def test_every_text_of_the_other_world_is_there() -> None:
    texts = opened(draft("IVQD")).texts("V")
    assert set(other().series) | set(other().positions) | {other().title} <= texts
    assert "Łódź" not in texts


def test_a_table_names_its_rows_columns_and_words() -> None:
    from answerable.build.choice_benchmarks import ChoiceSettings, Work, attempt

    made = attempt(ChoiceSettings("table", 1, 0), Work("AAD", "f", "test", "look-up", "ruled"))
    assert isinstance(made, Draft)
    case = opened(made)
    assert made.proof is not None
    worlds = msgspec.json.decode(bytes(decode(bytes(made.proof.body), ChoiceProof).body))["worlds"]
    assert set(worlds["F"]["rows"]) <= case.labels()
    assert {field["name"] for field in worlds["F"]["fields"]} <= case.labels()


@pytest.mark.parametrize(
    ("data", "words"),
    [
        (b"{}", "a proof about a multiple-choice question"),
        (b"not json", "a proof about a multiple-choice question"),
        (encode(msgspec.structs.replace(body(), base="choice")), "a base domain with worlds of its own"),
        (encode(msgspec.structs.replace(body(), base="nothing")), "a domain of proofs"),
        (encode(msgspec.structs.replace(body(), base="table")), "a table proof"),
        (encode(msgspec.structs.replace(body(), body=msgspec.Raw(b"{}"))), "a chart proof"),
    ],
)
def test_what_is_no_such_proof_is_said(data: bytes, words: str) -> None:
    with pytest.raises(ProofError, match=words):
        open_case(data, {})


def test_a_base_proof_makes_no_claims_of_its_own() -> None:
    plain = msgspec.json.decode(body().body)
    plain["claims"] = [{"state": "F", "view": "v", "image_sha256": "0", "world": "F"}]
    with pytest.raises(ProofError, match="without claims of its own"):
        open_case(encode(msgspec.structs.replace(body(), body=msgspec.Raw(encode(plain)))), {})
