"""Views, groups and obligations."""

from __future__ import annotations

import msgspec
import pytest

from answerable.core.codec import decode, encode
from answerable.core.records import PAPER_STATES, STATES, SUPPORTED, UNSUPPORTED, Abstain, Answer, Group, Obligation
from tests.core.small import group


def test_every_state_is_supported_or_not() -> None:
    assert sorted([*SUPPORTED, *UNSUPPORTED]) == sorted(STATES)
    assert set(PAPER_STATES) <= set(STATES)


def test_a_group_finds_its_views_by_state() -> None:
    made, _ = group(1)
    missing = made.view("M")
    assert missing is not None
    assert missing.state == "M"
    assert made.view("D") is None


@pytest.mark.parametrize("duty", [Answer(target="1/3", type="number"), Abstain(reason="missing")])
def test_obligations_are_told_apart_in_files(duty: Obligation) -> None:
    assert decode(encode(duty), type(duty)) == duty
    assert msgspec.json.decode(encode(duty), type=Obligation) == duty


def test_a_group_makes_the_round_trip() -> None:
    made, _ = group(1)
    assert decode(encode(made), Group) == made


@pytest.mark.parametrize("name", ["id", "views"])
def test_records_are_frozen(name: str) -> None:
    made, _ = group(1)
    with pytest.raises(AttributeError):
        setattr(made, name, "x")


def test_an_unknown_state_or_reason_is_refused() -> None:
    made, _ = group(1)
    with pytest.raises(msgspec.ValidationError, match="Invalid enum value 'Z'"):
        decode(encode(made).replace(b'"state":"M"', b'"state":"Z"'), Group)
    with pytest.raises(msgspec.ValidationError, match="Invalid enum value"):
        decode(encode(Abstain(reason="missing")).replace(b"missing", b"tired"), Abstain)
