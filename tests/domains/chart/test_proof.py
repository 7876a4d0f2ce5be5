"""Chart proofs as the kernel sees them: everything is made anew from the proof's worlds."""

from __future__ import annotations

from fractions import Fraction

import msgspec
import pytest

from answerable.core.codec import decode, digest_bytes, encode
from answerable.core.errors import ProofError
from answerable.domains import CASES
from answerable.domains.chart.families import family
from answerable.domains.chart.proof import ChartCase, ChartProof, open_case
from answerable.domains.chart.visibility import Hide
from answerable.domains.chart.world import with_value
from answerable.domains.raster import png
from tests.domains.chart.make import draft, pixels, world

DRAFT = draft(world())
assert DRAFT.proof is not None
PROOF = decode(bytes(DRAFT.proof.body), ChartProof)
PICTURES = {view.id: data for view, data in zip(DRAFT.group.views, DRAFT.images, strict=True)}


def case(proof: ChartProof = PROOF) -> ChartCase:
    return open_case(encode(proof), PICTURES)


def test_the_table_opens_chart_proofs() -> None:
    assert CASES.load("chart") is open_case
    assert case().versions == (family("skia").version, family("skia").version)


def test_a_proof_makes_the_round_trip() -> None:
    assert decode(encode(PROOF), ChartProof) == PROOF
    assert [claim.image_sha256 for claim in PROOF.claims] == [digest_bytes(data) for data in DRAFT.images]
    assert set(PROOF.worlds) == {"F", "S", "C", "I"}


def test_pixels_carry_their_size() -> None:
    hide = Hide(positions=("2021",), appearance="patch")
    missing = next(claim for claim in PROOF.claims if claim.state == "M")
    assert case().rendered("F", hide) == case().stored(missing.view)
    assert case().rendered("F", None) == b"650x450 " + pixels(world()).tobytes()
    wide = png.encode(pixels(world()).reshape(225, 1300, 3))
    assert ChartCase(PROOF, {missing.view: wide}).stored(missing.view) != case().rendered("F", None)


def test_fixed_facts_change_with_the_axis_and_not_with_values() -> None:
    facts = case().fixed_facts("F")
    assert case().fixed_facts("C") == case().fixed_facts("S") == case().fixed_facts("I") == facts
    for change in ({"title": "Other"}, {"unit": "mm"}, {"decimals": 1}, {"kind": "hbar"}, {"value_labels": False}):
        other = msgspec.structs.replace(world(), **change)
        assert case(msgspec.structs.replace(PROOF, worlds=PROOF.worlds | {"C": other})).fixed_facts("C") != facts


def test_admissible_means_inside_the_axis() -> None:
    assert case().admissible("F") == ()
    high = with_value(world(), "Łódź", "2019", Fraction(1001, 10))
    found = case(msgspec.structs.replace(PROOF, worlds=PROOF.worlds | {"C": high})).admissible("C")
    assert found == ("1001/10 is outside the axis [0, 100]",)
    for end in (Fraction(0), Fraction(100)):
        edge = with_value(world(), "Łódź", "2019", end)
        assert case(msgspec.structs.replace(PROOF, worlds=PROOF.worlds | {"C": edge})).admissible("C") == ()


def test_looks_are_colours_by_series() -> None:
    assert case().looks("F") == {"Łódź": "#2f6db5", "Zürich": "#e1812c"}
    assert case().looks("I") == {"Zürich": "#e1812c"}


def test_asked_compares_question_and_program() -> None:
    assert case().asked()
    assert not case(msgspec.structs.replace(PROOF, question="What is the value of “Zürich” at “2021”?")).asked()


@pytest.mark.parametrize(
    "body",
    [
        b"",
        b"{}",
        b"[]",
        b"null",
        b"[" * 100_000,
        encode(PROOF).replace(b'"family":"skia"', b'"family":"gnuplot"'),
        encode(PROOF).replace(b'"type":"lookup"', b'"type":"exec"'),
        encode(PROOF).replace(b'"state":"M"', b'"state":"Z"'),
        encode(PROOF).replace(b'"scale":1', b'"scale":' + b"9" * 5000),
        encode(PROOF).replace(b'"scale":1', b'"scale":1.5'),
        encode(PROOF).replace(b'"upper":"100"', b'"upper":"' + b"9" * 100 + b'"'),
        encode(PROOF).replace(b'"upper":"100"', b'"upper":"nan"'),
        encode(PROOF).replace(b'"upper":"100"', b'"upper":100'),
        encode(PROOF)[:-1] + b',"note":"trust me"}',
        encode(PROOF).decode().encode("utf-16"),
    ],
    ids=[
        "nothing", "object", "list", "null", "deep", "family", "program", "state", "huge-int", "float",
        "huge-rational", "nan", "number", "unknown-field", "utf-16",
    ],
)  # fmt: skip
def test_what_is_no_chart_proof_is_refused(body: bytes) -> None:
    with pytest.raises(ProofError, match="expected a chart proof"):
        open_case(body, PICTURES)
