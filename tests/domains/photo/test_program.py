"""Programs of GQA as typed data: what is read, and what is refused with the step that is at fault."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from answerable.domains.photo.program import MAX_STEPS, OPERATIONS, Program, Step, Written, read_program
from tests.domains.photo.make import step


def read(*steps: dict[str, Any]) -> Program:
    return read_program(msgspec.convert(steps, tuple[Written, ...]))


def test_every_form_of_step_is_read() -> None:
    program = read(
        step("select", "traffic light (3,4)"),
        step("filter hposition", "left", 0),
        step("relate", "device,on,s (5)", 1),
        step("exist", "?", 2),
        step("select", "bike (-)"),
        step("verify color", "not(red)", 4),
        step("or", "", 3, 5),
    )
    assert program.steps[0] == Step(operation="select", name="traffic light", ids=("3", "4"))
    assert program.steps[1] == Step(operation="filter", inputs=(0,), kind="hposition", values=("left",))
    assert program.steps[2] == Step(
        operation="relate", inputs=(1,), name="device", ids=("5",), relation=("on",), side="s"
    )
    assert program.steps[4].ids == ()
    assert (program.steps[5].values, program.steps[5].negated) == (("red",), True)
    assert (program.ids, program.names) == (("3", "4", "5"), ("traffic light", "device"))
    assert (program.boolean, program.family, program.depth) == (True, "or", 5)


def test_choices_and_relations_to_choose_from_are_apart() -> None:
    relation = read(step("select", "man (1)"), step("choose rel", "cup,to the left of|to the right of,s (2)", 0))
    assert relation.steps[1].relation == ("to the left of", "to the right of")
    assert (relation.family, relation.boolean, relation.ids) == ("choose relation", False, ("1", "2"))
    values = read(step("select", "man (1)"), step("choose name", "cow|lamb", 0))
    assert (values.steps[1].kind, values.steps[1].values) == ("name", ("cow", "lamb"))
    compared = read(step("select", "man (1)"), step("select", "dog (2)"), step("choose older", "", 0, 1))
    assert (compared.steps[2].kind, compared.steps[2].values) == ("older", ())


def test_a_relation_may_have_a_comma() -> None:
    program = read(step("select", "a (1)"), step("verify rel", "b,on, or near,o (2)", 0))
    assert (program.steps[1].relation, program.steps[1].side) == (("on, or near",), "o")


@pytest.mark.parametrize(
    ("steps", "message"),
    [
        ([], "1 to 50 steps; got 0"),
        ([step("select", "a (1)")], "a last step that gives an answer; got select"),
        ([step("paint", "a (1)")], "step 0 ('paint'): expected an operation among select, "),
        ([step("exist", "?", 0)], "step 0 (exist): expected inputs among the steps before it"),
        ([step("select", "a (1)"), step("exist", "?", 1)], "nothing goes in a circle; got input 1"),
        ([step("select", "a (1)"), step("exist", "?", -1)], "nothing goes in a circle; got input -1"),
        ([step("select", "a (1)"), step("exist", "?")], "step 1 (exist): expected 1 inputs; got 0"),
        ([step("select", "a (1)"), step("and", "", 0, 0)], "step 1 (and): expected inputs that give truth"),
        (
            [step("select", "a (1)"), step("select", "b (2)"), step("exist", "?", 0)],
            "step 1: expected every step to be used",
        ),
        ([step("select", "sky"), step("exist", "?", 0)], "step 0 ('select'): expected a name and ids in brackets"),
        ([step("select", "a 1"), step("exist", "?", 0)], "step 0 ('select'): expected a name and ids in brackets"),
        ([step("select", "a (1)"), step("relate", "b,on (2)", 0)], "expected 'name,relation,s' or"),
        ([step("select", "a (1)"), step("relate", "b,on,x (2)", 0)], "expected 'name,relation,s' or"),
        ([step("select", "a (1)"), step("choose color", "red", 0)], "expected different choices, as 'a|b'"),
        ([step("select", "a (1)"), step("choose color", "red|red", 0)], "expected different choices"),
        ([step("select", "a (1)"), step("choose older", "", 0)], "two inputs to compare"),
        ([step("select", "a (1)"), step("verify color", "", 0)], "expected a value; got none"),
        ([step("select", "a (1)"), step("query", "", 0)], "expected a word for what is asked"),
        ([step("select", f"a ({','.join('1' * 101)})"), step("exist", "?", 0)], "at most 100 ids; got 101"),
        ([step("select", "a (1)")] * (MAX_STEPS + 1), "1 to 50 steps; got 51"),
    ],
)
def test_what_is_no_program_is_refused_by_name(steps: list[dict[str, Any]], message: str) -> None:
    with pytest.raises(ValueError, match="expected") as caught:
        read(*steps)
    assert message in str(caught.value)


STEPS = st.builds(
    lambda operation, kind, argument, inputs: step(f"{operation}{kind}", argument, *inputs),
    st.sampled_from([*OPERATIONS, "paint"]),
    st.sampled_from(["", " color", " rel", " name"]),
    st.sampled_from(["", "?", "red", "a|b", "a (1)", "a (-)", "a,on,s (2)", "a,on|under,o (3)", "not(red)", "not("])
    | st.text(max_size=12),
    st.lists(st.integers(-1, 4), max_size=3),
)


@given(st.lists(STEPS, max_size=5))
def test_whatever_is_written_is_a_program_or_a_clear_no(steps: list[dict[str, Any]]) -> None:
    try:
        program = read(*steps)
    except ValueError as error:
        assert "expected" in str(error)
        return
    assert len(program.steps) == len(steps)
    assert all(source < place for place, each in enumerate(program.steps) for source in each.inputs)
    assert program.depth >= 1 and program.family
