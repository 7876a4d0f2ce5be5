"""Opening table proofs, and what the kernel is told of them."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest

from answerable.core.codec import decode, encode
from answerable.core.errors import ProofError
from answerable.domains.table.layout import version
from answerable.domains.table.proof import TableCase, TableProof, open_case
from answerable.domains.table.visibility import Hide
from answerable.logic.outcomes import answer_of
from answerable.logic.program import Compare, Label, Lookup, Undefined
from tests.domains.table.make import draft, lookup, request, world

MADE = draft(world(), request(choices=True))
assert MADE.proof is not None
BODY = bytes(MADE.proof.body)
PROOF = decode(BODY, TableProof)
IMAGES = {view.id: data for view, data in zip(MADE.group.views, MADE.images, strict=True)}


def case(**changes: Any) -> TableCase:
    return open_case(encode(msgspec.structs.replace(PROOF, **changes)), IMAGES)


def test_a_proof_answers_for_itself() -> None:
    found = open_case(BODY, IMAGES)
    assert found.asked()
    assert found.versions == (version(), version())
    assert found.reads() == {("Zürich", "Units")}
    assert found.worlds == tuple(PROOF.worlds)
    assert {found.execute(name, "F") for name in found.executors} == {found.execute("direct", "F")}
    assert answer_of(found.execute("sql", "F")) == MADE.group.views[0].obligation
    assert isinstance(found.execute("sql", "I"), Undefined)
    assert found.facts("F")[("Zürich", "Opens")] == "9:35 A.M."
    assert found.admissible("C") == ()
    assert len({found.fixed_facts(name) for name in found.worlds}) == 1
    assert found.looks("I").items() <= found.looks("F").items()


def test_stored_pixels_are_those_drawn_now() -> None:
    found = open_case(BODY, IMAGES)
    for claim in found.claims:
        assert found.stored(claim.view) == found.rendered(claim.world, claim.hide)


def test_masks_look_alike_when_they_cover_as_many_cells_in_the_same_way() -> None:
    found = open_case(BODY, IMAGES)
    one = Hide(cells=(("Oslo", "Units"),), appearance="patch")
    assert found.look(one) == found.look(Hide(cells=(("Oslo", "Price"),), appearance="patch"))
    assert found.look(one) != found.look(Hide(cells=(("Oslo", "Units"),), appearance="ink"))
    assert found.look(one) != found.look(Hide(cells=(*one.cells, ("Cork", "Units")), appearance="patch"))
    assert found.hidden("F", Hide(cells=(("Nowhere", "Units"), *one.cells), appearance="ink")) == set(one.cells)


@pytest.mark.parametrize(
    "changes",
    [
        {"wording": "What is the sum of all values in the column “Units”?"},
        {"question": PROOF.wording},
        {"choices": ("1", "2", "3", "4")},
        {"choices": (*PROOF.choices, PROOF.choices[0])},
        {"worlds": PROOF.worlds | {"I": PROOF.worlds["F"]}},
        {"worlds": PROOF.worlds | {"I": world(rows=3)}},
    ],
)
def test_words_choices_and_removals_must_fit(changes: dict[str, Any]) -> None:
    proof = msgspec.structs.replace(PROOF, **changes)
    if "choices" in changes:
        proof = msgspec.structs.replace(proof, question=f"{proof.wording} Choose one of: {' | '.join(proof.choices)}")
    assert not open_case(encode(proof), IMAGES).asked()


def test_values_outside_a_columns_declaration_are_named() -> None:
    off = msgspec.structs.replace(PROOF.worlds["C"], style="none")
    assert case(worlds=PROOF.worlds | {"C": off}).admissible("C") == ("no style 'none'",)
    narrow = tuple(msgspec.structs.replace(field, upper=field.lower) for field in PROOF.worlds["C"].fields[1:])
    moved = msgspec.structs.replace(PROOF.worlds["C"], fields=(PROOF.worlds["C"].fields[0], *narrow))
    found = case(worlds=PROOF.worlds | {"C": moved}).admissible("C")
    assert any("is not admissible in the column 'Units'" in text for text in found)


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"program": Lookup(series="Nowhere", position="Units")}, "series='Nowhere'"),
        ({"program": Lookup(series="Oslo", position="Section")}, "position='Section'"),
        ({"program": Compare(operator="<", left=lookup(), right=Label(text="x"))}, "two operands of one type"),
    ],
)
def test_programs_that_do_not_type_or_refer_to_nothing_are_no_proof(changes: dict[str, Any], message: str) -> None:
    with pytest.raises(ProofError, match="expected a program that types over the table") as caught:
        case(**changes)
    assert message in str(caught.value)


@pytest.mark.parametrize(
    "body",
    [
        b"{}",
        b"[]",
        b"nonsense",
        BODY.replace(b'"lookup"', b'"no-such-function"'),
        BODY.replace(b'"cells":[', b'"cells":[' + b"[" * 100_000),
        BODY.replace(b'"wording":', b'"extra":1,"wording":'),
    ],
)
def test_what_is_no_table_proof_is_said_so(body: bytes) -> None:
    with pytest.raises(ProofError, match="expected a table proof"):
        open_case(body, {})
