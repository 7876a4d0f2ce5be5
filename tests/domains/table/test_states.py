"""Groups of tables: what each state shows, and every reason to refuse one."""

from __future__ import annotations

from fractions import Fraction

import msgspec
import pytest

from answerable.core.codec import decode
from answerable.core.records import Abstain, Answer
from answerable.domains.draft import Draft
from answerable.domains.raster import png
from answerable.domains.table.asking import asks, removals
from answerable.domains.table.conditions import search
from answerable.domains.table.proof import TableProof
from answerable.domains.table.states import sayable
from answerable.domains.table.world import facts, grid, value_at
from answerable.logic.program import (
    Aggregate,
    Column,
    Compare,
    Defined,
    Difference,
    Expression,
    Label,
    Named,
    Number,
    Sum,
    Undefined,
    Where,
)  # fmt: skip
from answerable.logic.types import cells
from tests.domains.table.make import OPENS, PRICE, SECTION, UNITS, draft, lookup, refused, request, world

SUM = Aggregate(function="sum", over=Column(position="Units"))
ANY = Compare(
    operator=">",
    left=Aggregate(
        function="count", over=Column(position="Units"), where=Where(operator=">", than=Number(value=Fraction(1600)))
    ),
    right=Number(value=Fraction(0)),
)


def opened(made: Draft) -> TableProof:
    assert made.proof is not None
    return decode(bytes(made.proof.body), TableProof)


def test_a_look_up_has_the_states_in_order() -> None:
    made = draft()
    assert [view.state for view in made.group.views] == ["F", "S", "K", "C", "M", "I"]
    duties = {view.state: view.obligation for view in made.group.views}
    right = Answer(target="767", type="number")
    assert duties["F"] == duties["S"] == duties["K"] == right
    assert isinstance(duties["C"], Answer)
    assert duties["C"] != right
    assert duties["M"] == Abstain(reason="missing")
    assert duties["I"] == Abstain(reason="invalid_reference")
    assert {view.evidence.level for view in made.group.views} == {"proved"}
    assert {(view.program, view.depth) for view in made.group.views} == {("look-up", 1)}
    for view, data in zip(made.group.views, made.images, strict=True):
        assert png.decode(data).shape == (view.height, view.width, 3)


def test_each_state_shows_what_it_must() -> None:
    proof = opened(draft())
    full = facts(proof.worlds["F"])
    changed = {name: {cell for cell in full if facts(proof.worlds[name])[cell] != full[cell]} for name in "SC"}
    assert changed["C"] == {("Zürich", "Units")}
    assert len(changed["S"]) == 1
    assert changed["S"] != changed["C"]
    hides = {claim.state: claim.hide for claim in proof.claims if claim.hide is not None}
    assert hides.keys() == {"K", "M"}
    assert hides["M"].cells == (("Zürich", "Units"),)
    # The control covers a cell of the same column, so both patches have one size.
    assert hides["K"].cells[0] != hides["M"].cells[0]
    assert hides["K"].cells[0][1] == "Units"
    gone = proof.worlds["I"]
    assert "Zürich" not in gone.rows or "Units" not in [field.name for field in gone.fields]


def test_a_determined_view_comes_where_the_program_allows() -> None:
    made = draft(world(), request(ANY))
    duties = {view.state: view.obligation for view in made.group.views}
    assert duties["D"] == duties["F"] == Answer(target="yes", type="boolean")
    hides = {claim.state: claim.hide for claim in opened(made).claims if claim.hide is not None}
    assert hides["D"].cells[0] in cells(ANY, grid(world()))
    assert hides["D"].cells != hides["M"].cells


def test_choices_hold_the_answers_of_f_and_c() -> None:
    made = draft(world(), request(SUM, choices=True))
    proof = opened(made)
    assert proof.question == f"{proof.wording} Choose one of: {' | '.join(proof.choices)}"
    targets = {view.obligation.target for view in made.group.views if isinstance(view.obligation, Answer)}
    assert targets <= set(proof.choices)
    assert len(proof.choices) == 4


def test_without_controls_a_group_may_lack_s_and_k() -> None:
    small = world(UNITS)
    assert refused(small, request(SUM)).reason == "nothing else to edit"
    made = draft(small, request(SUM, controls=False))
    assert [view.state for view in made.group.views] == ["F", "C", "M", "I"]


def test_a_search_that_must_not_answer_none_exchanges_two_cells() -> None:
    schedule = msgspec.structs.replace(
        world(OPENS, SECTION), fields=(msgspec.structs.replace(OPENS, name="Begin"), SECTION)
    )
    program = search(schedule, "Begin", Fraction(575))
    made = draft(schedule, request(program, wording="Which hall begins at 9.35 A.M.?"))
    proof = opened(made)
    hide = next(claim.hide for claim in proof.claims if claim.state == "M")
    assert hide is not None
    assert len(hide.cells) == 2
    control = next(claim.hide for claim in proof.claims if claim.state == "K")
    assert control is not None
    assert len(control.cells) == 2
    target = next(view.obligation for view in made.group.views if view.state == "C")
    assert isinstance(target, Answer)
    assert target.target in schedule.rows


def test_an_edited_value_keeps_to_the_manner_of_its_column() -> None:
    made = msgspec.structs.replace(
        world(UNITS, SECTION), values=tuple((Fraction(100 * count), Fraction(0)) for count in (3, 8, 12, 1, 17))
    )
    for seed in range(12):
        proof = opened(draft(made, request(seed=seed)))
        assert value_at(proof.worlds["C"], ("Zürich", "Units")) % 100 == 0


@pytest.mark.parametrize(
    ("program", "reason", "detail"),
    [
        (lookup("Nowhere"), "program does not fit the table", "series='Nowhere'"),
        (lookup("Oslo", "Nothing"), "program does not fit the table", "position='Nothing'"),
        (lookup("Oslo", "Section"), "program does not fit the table", "position='Section'"),
        (Sum(items=(lookup(), Label(text="x"))), "program does not fit the table", "type=label"),
        (Compare(operator="<", left=lookup(), right=Label(text="x")), "program does not fit the table", "one type"),
        (Aggregate(function="mean", over=Column(position="Units"),
                   where=Where(operator=">", than=Number(value=Fraction(9999)))), "no answer", "nothing selected"),
        (Number(value=Fraction(3)), "no wording", "no question asks"),
    ],
)  # fmt: skip
def test_programs_that_do_not_fit_are_refused(program: Expression, reason: str, detail: str) -> None:
    found = refused(world(), request(program))
    assert found.reason == reason
    assert detail in found.detail


def test_words_that_ask_for_something_else_are_refused() -> None:
    found = refused(world(), request(lookup(), wording="What is the sum of all values in the column “Units”?"))
    assert found.reason == "no wording"
    assert asks("What is the sum of all values in the column “Units”?", world(), SUM)


def test_a_table_that_is_not_whole_is_refused() -> None:
    assert refused(world(title="東京")).reason == "no glyph"
    assert refused(msgspec.structs.replace(world(), style="x")).reason == "malformed world"


def test_a_column_with_a_single_admissible_value_gives_no_witness() -> None:
    fixed = msgspec.structs.replace(UNITS, lower=Fraction(7), upper=Fraction(7))
    made = msgspec.structs.replace(
        world(UNITS, PRICE), fields=(fixed, PRICE), values=tuple((Fraction(7), Fraction(1)) for _ in range(5))
    )
    assert refused(made).reason == "no other value"


def test_what_can_be_removed_is_what_the_words_name() -> None:
    question = "What does the table give for “Zürich” under “Units”?"
    found = removals(world(), question, lookup())
    assert [(made.rows, len(made.fields)) for made in found] == [
        (("Łódź", "Αθήνα", "Oslo", "Cork"), 5), (world().rows, 4)
    ]  # fmt: skip
    total = removals(world(), "What is the sum of all values in the column “Units”?", SUM)
    assert [len(made.fields) for made in total] == [4]
    unheaded = world(PRICE, header=False)
    listed = removals(unheaded, "Which value does the table list for “Oslo”?", lookup("Oslo", "Price"))
    assert [made.rows for made in listed] == [("Łódź", "Zürich", "Αθήνα", "Cork")]


def test_where_nothing_named_can_be_removed_there_is_no_group() -> None:
    unheaded = world(PRICE, SECTION, header=False)
    program = Aggregate(function="sum", over=Column(position="Price"))
    assert refused(unheaded, request(program)).reason == "nothing to remove"


def test_only_what_the_question_offers_can_be_said() -> None:
    assert sayable(world(), "Which hall?", Named(value="Oslo"))
    assert sayable(world(), "Is it a shortage or a surplus?", Named(value="surplus"))
    assert not sayable(world(), "Is it a shortage or a surplus?", Named(value="neither"))
    assert sayable(world(), "How many?", Defined(value=Fraction(1)))
    assert not sayable(world(), "How many?", Undefined(reason="tie"))


def test_groups_are_named_by_their_content() -> None:
    one, other = draft(), draft(wanted=request(appearance="ink"))
    assert one.group.id != other.group.id
    assert draft().group == one.group
    assert draft(wanted=request(seed=1)).content == one.content
    difference = Difference(left=lookup("Cork"), right=lookup("Oslo"))
    assert draft(wanted=request(difference)).content != one.content
