"""Canonical JSON, bounded rationals, digests."""

from __future__ import annotations

from fractions import Fraction

import msgspec
import pytest

from answerable.core import codec
from answerable.core.codec import MAX_DIGITS, answer_text, parse_rational, rational_text
from answerable.core.records import Record


class Pair(Record, frozen=True):
    """Fields out of alphabetical order, on purpose."""

    b: Fraction
    a: str


def test_equal_records_have_equal_bytes_with_sorted_keys() -> None:
    assert codec.encode(Pair(b=Fraction(6, 8), a="é")) == '{"a":"é","b":"3/4"}'.encode()
    assert codec.encode({"b": 1, "a": 2}) == codec.encode({"a": 2, "b": 1})
    assert codec.digest({"b": 1, "a": 2}) == codec.digest({"a": 2, "b": 1})
    assert codec.digest({"a": 1}) != codec.digest({"a": 2})
    assert len(codec.digest({})) == 64


def test_pretty_is_the_same_value_and_ends_with_one_newline() -> None:
    pretty = codec.encode_pretty(Pair(b=Fraction(1), a="x"))
    assert pretty.endswith(b"}\n")
    assert not pretty.endswith(b"\n\n")
    assert codec.decode(pretty, Pair) == Pair(b=Fraction(1), a="x")


def test_canonical_takes_white_space_and_order_out_of_raw_json() -> None:
    assert codec.canonical({"raw": msgspec.Raw(b'{ "b" : 1,\n "a" : 2 }')}) == {"raw": {"a": 2, "b": 1}}
    one, other = (codec.canonical({"raw": msgspec.Raw(text)}) for text in (b'{"b":1,"a":2}', b'{"a":2, "b":1}'))
    assert codec.digest(one) == codec.digest(other)


@pytest.mark.parametrize(
    ("text", "value"),
    [("3/4", Fraction(3, 4)), ("-7", Fraction(-7)), ("6/8", Fraction(3, 4)), ("0/5", Fraction(0)), ("-0", Fraction(0))],
)
def test_rationals_are_read(text: str, value: Fraction) -> None:
    assert parse_rational(text) == value


@pytest.mark.parametrize(
    "text",
    ["", "1/0", "1/-2", "+1", "1.5", "1e3", " 1", "1 ", "1\n", "1_0", "٣", "½", "1/2/3", "nan", "inf", "9" * 61,
     "1/" + "9" * 61, "9" * 5_000_000],
)  # fmt: skip
def test_other_texts_are_refused_without_building_a_large_number(text: str) -> None:
    with pytest.raises(ValueError, match=r"expected a (rational|nonzero)") as caught:
        parse_rational(text)
    assert len(str(caught.value)) < 300


def test_the_largest_rational_makes_the_round_trip() -> None:
    value = Fraction(-(10**MAX_DIGITS) + 1, 10 ** (MAX_DIGITS - 1) + 1)
    assert parse_rational(rational_text(value)) == value


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (Fraction(643, 2), "321.5"),
        (Fraction(3_990_000), "3990000"),
        (Fraction(-1, 8), "-0.125"),
        (Fraction(0), "0"),
        (Fraction(1, 3), "1/3"),
        (Fraction(1, 10), "0.1"),
        (Fraction(100), "100"),
    ],
)
def test_answers_are_written_as_people_write_them(value: Fraction, text: str) -> None:
    assert answer_text(value) == text


@pytest.mark.parametrize("data", [b'{"a":"x","b":1}', b'{"a":"x","b":0.5}', b'{"a":"x","b":"1/0"}', b'{"a":"x"}'])
def test_a_rational_is_text_in_files(data: bytes) -> None:
    with pytest.raises(msgspec.ValidationError):
        codec.decode(data, Pair)


def test_unknown_fields_are_refused() -> None:
    with pytest.raises(msgspec.ValidationError, match="unknown field"):
        codec.decode(b'{"a":"x","b":"1","c":1}', Pair)


def test_deep_nesting_is_refused_as_bad_json() -> None:
    with pytest.raises(msgspec.DecodeError, match="nested too deeply"):
        codec.decode(b"[" * 200_000 + b"]" * 200_000, msgspec.Raw)


def test_what_has_no_canonical_form_is_an_error() -> None:
    with pytest.raises(TypeError, match="no canonical form for complex"):
        codec.encode({"z": 1j})
