"""One question under one problem: options, letters, rotations, words, obligations and pictures of every view."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from answerable.build.sources.mcq import Question
from answerable.build.variations.pairing import Lender, Lenders, answer_kind, doubts
from answerable.build.variations.review import check_review, line_of, write_review
from answerable.build.variations.upd import (
    Pairing,
    abstain_letter,
    make_group,
    original_ids,
    view_id,
)
from answerable.core.asking import asked_text
from answerable.core.choices import rotated
from answerable.core.codec import digest_bytes
from answerable.core.errors import SourceError
from answerable.core.records import (
    GIVEN,
    PROBLEMS,
    SETTINGS,
    STATES,
    Abstain,
    AbstainReason,
    Answer,
    Problem,
    Refusal,
    View,
)
from answerable.domains.draft import Draft
from tests.build.sources.test_mcq import jpeg, question
from tests.core.small import picture

DIRECT = "Answer with the option's letter from the given choices directly."


def pairing(problem: Problem, **changes: Any) -> Pairing:
    """A pairing of a question of four options whose second is right."""
    lent: dict[str, Any] = {}
    if problem != "AAD":
        lent = {"other": "q9"} | ({"options": ("red", "blue", "green")} if problem == "IASD" else {"image": jpeg("9")})
    return Pairing(problem=problem, question=question(**changes), **lent)


def made(problem: Problem, **changes: Any) -> Draft:
    """Its group in all settings."""
    found = make_group(pairing(problem, **changes), SETTINGS)
    assert isinstance(found, Draft)
    return found


def views(draft: Draft, setting: str, state: str) -> list[View]:
    return [view for view in draft.group.views if (view.setting, view.state) == (setting, state)]


def shown(view: View) -> list[tuple[str, str, str]]:
    return [(option.letter, option.text, option.role) for option in view.options]


def test_views_are_ordered_by_setting_state_and_rotation() -> None:
    counts: dict[Problem, int] = {"AAD": 3, "IASD": 3, "IVQD": 4}
    for problem, count in counts.items():
        draft = made(problem)
        order = [str(name) for name in SETTINGS]
        places = [(order.index(v.setting), [*STATES].index(v.state), v.rotation) for v in draft.group.views]
        assert places == sorted(places)
        assert len(set(places)) == len(places) == 3 * (4 + count) + 4
        assert {view.state for view in draft.group.views} == {"F", problem}
        assert {view.source for view in draft.group.views} == {f"made-{problem.lower()}"} == {draft.group.source}


def test_the_base_setting_adds_nothing() -> None:
    draft = made("AAD")
    first = views(draft, "base", "F")[0]
    assert asked_text(first) == "Which animal is on q1?\nA. cat\nB. dog\nC. cow\nD. hen"
    gone = views(draft, "base", "AAD")
    assert [asked_text(view) for view in gone] == [
        "Which animal is on q1?\nA. cat\nB. cow\nC. hen",
        "Which animal is on q1?\nA. cow\nB. hen\nC. cat",
        "Which animal is on q1?\nA. hen\nB. cat\nC. cow",
    ]
    assert {view.withheld for view in gone} == {"dog"}
    assert {view.withheld for view in views(draft, "base", "F")} == {""}


@pytest.mark.parametrize(
    ("problem", "text"),
    [("AAD", "None of the above"), ("IASD", "None of the above"), ("IVQD", "The image and question are irrelevant.")],
)
def test_the_option_setting_adds_an_option_that_never_rotates(problem: Problem, text: str) -> None:
    draft = made(problem)
    for state in ("F", problem):
        for view in views(draft, "option", state):
            *content, last = shown(view)
            assert last == ("ABCDE"[len(content)], text, "abstain")
            assert {role for _, _, role in content} == {"content"}
            assert view.instruction == DIRECT
            assert asked_text(view).endswith(f"\n{last[0]}. {text}\n{DIRECT}")


@pytest.mark.parametrize(
    ("problem", "text", "instruction"),
    [
        ("AAD", "None of the above", "If all the options are incorrect, answer F. None of the above."),
        ("IASD", "None of the above", "If all the options are incorrect, answer F. None of the above."),
        (
            "IVQD", "The image and question are irrelevant.",
            "If the given image is irrelevant to the question, answer F. The image and question are irrelevant.",
        ),
    ],
)  # fmt: skip
def test_the_instruction_setting_names_a_letter_that_is_not_shown(
    problem: Problem, text: str, instruction: str
) -> None:
    draft = made(problem)
    for state in ("F", problem):
        for view in views(draft, "instruction", state):
            assert shown(view)[-1] == ("F", text, "instructed")
            assert view.instruction == instruction
            assert asked_text(view).endswith(f". {view.options[-2].text}\n{instruction}")


def test_the_original_setting_is_the_standard_question_alone() -> None:
    draft = made("IASD")
    assert views(draft, "original", "IASD") == []
    found = views(draft, "original", "F")
    assert {view.instruction for view in found} == {DIRECT}
    assert {option.role for view in found for option in view.options} == {"content"}


def test_told_answers_are_asked_where_the_right_option_is_gone() -> None:
    found = make_group(pairing("AAD"), (*SETTINGS, GIVEN))
    assert isinstance(found, Draft)
    told = [view for view in found.group.views if view.setting == GIVEN]
    assert [(view.state, view.rotation) for view in told] == [("AAD", turn) for turn in range(3)]
    assert all(isinstance(view.obligation, Abstain) for view in told)
    text = asked_text(told[0]).splitlines()
    assert text[-5] == f"The answer is {told[0].withheld}. Choose the option that best fits the above answer."
    assert text[-1] == "D. None of the above" and told[0].withheld not in text[-4:]
    for problem in ("IASD", "IVQD"):
        other = make_group(pairing(problem), (*SETTINGS, GIVEN))
        assert isinstance(other, Draft) and not [view for view in other.group.views if view.setting == GIVEN]


@pytest.mark.parametrize("problem", ["AAD", "IASD", "IVQD"])
def test_obligations(problem: Problem) -> None:
    reasons: dict[Problem, AbstainReason] = {
        "AAD": "absent_answer", "IASD": "incompatible_answers", "IVQD": "incompatible_image",
    }  # fmt: skip
    for view in made(problem).group.views:
        if view.state == "F":
            assert isinstance(view.obligation, Answer)
            assert view.obligation.type == "text"
            named = next(option for option in view.options if option.letter == view.obligation.target)
            assert (named.text, named.role) == ("dog", "content")
        else:
            assert view.obligation == Abstain(reason=reasons[problem])
            assert view.withheld == ("" if problem == "IVQD" else "dog")
            assert problem == "IVQD" or "dog" not in [option.text for option in view.options]
        assert view.evidence.level == "derived"
        assert view.evidence.note


def test_every_rotation_has_every_place_for_the_answer() -> None:
    for setting in SETTINGS:
        found = views(made("AAD"), setting, "F")
        assert [view.rotation for view in found] == [0, 1, 2, 3]
        assert [view.obligation.target for view in found if isinstance(view.obligation, Answer)] == ["B", "A", "D", "C"]


def test_pictures_are_those_of_the_state_and_the_same_in_every_rotation() -> None:
    draft = made("IVQD")
    own, other = picture("q1"), jpeg("9")
    for view, image in zip(draft.group.views, draft.images, strict=True):
        assert image == (own if view.state == "F" else other)
        assert view.image_sha256 == digest_bytes(image)
        assert (view.width, view.height) == ((5, 4) if view.state == "F" else (8, 6))
    assert set(made("AAD").images) == {own}


def test_a_hint_goes_before_the_question() -> None:
    draft = made("AAD", hint="It barks.")
    assert {view.question for view in draft.group.views} == {"It barks.\nWhich animal is on q1?"}


def test_notes_say_what_was_done() -> None:
    notes = {problem: views(made(problem), "base", problem)[0].evidence.note for problem in PROBLEMS}
    assert notes == {
        "AAD": "question q1; the right option was taken away: dog",
        "IASD": "question q1; the options are those of question q9",
        "IVQD": "question q1; the picture is that of question q9",
    }
    given = Pairing(
        problem="IVQD", question=question(), image=jpeg("9"), edits=("cannot-judge: an option was deleted",)
    )
    draft = make_group(given, ("base",))
    assert isinstance(draft, Draft)
    assert draft.group.views[-1].evidence.note == (
        "question q1; the picture is that of another question, as the source pairs them; "
        "cannot-judge: an option was deleted"
    )


@pytest.mark.parametrize(("count", "letter"), [(2, "F"), (5, "F"), (6, "G"), (7, "H"), (25, "Z")])
def test_with_six_options_and_more_the_instruction_names_the_next_letter(count: int, letter: str) -> None:
    options = tuple(f"word {number}" for number in range(count))
    found = pairing("IVQD", options=options)
    assert abstain_letter(found) == letter
    draft = make_group(found, SETTINGS)
    assert isinstance(draft, Draft)
    for view in views(draft, "instruction", "F") + views(draft, "instruction", "IVQD"):
        assert view.options[-1].letter == letter
        assert f"answer {letter}." in view.instruction
        assert len({option.letter for option in view.options}) == len(view.options)
        said = f"F is the letter of an option, so the instruction names {letter}"
        assert (said in view.evidence.note) == (letter != "F")
    # The letter is one for the whole group: with an option fewer F would be free again.
    if count == 6:
        gone = make_group(pairing("AAD", options=options), SETTINGS)
        assert isinstance(gone, Draft)
        assert {view.options[-1].letter for view in gone.group.views if view.setting == "instruction"} == {"G"}


def test_with_26_options_no_letter_is_left() -> None:
    options = tuple(f"word {number}" for number in range(26))
    found = make_group(pairing("AAD", options=options), SETTINGS)
    assert found == Refusal("no letter left for the abstention", "q1: 26 options, settings option, instruction")
    assert isinstance(make_group(pairing("AAD", options=options), ("base", "original")), Draft)
    lent = Pairing(problem="IASD", question=question(), options=options)
    assert isinstance(make_group(lent, ("option",)), Refusal)


def test_ids_are_opaque_and_depend_on_what_is_lent_not_on_settings() -> None:
    one = pairing("AAD")
    few, all_settings = make_group(one, ("original",)), make_group(one, SETTINGS)
    assert isinstance(few, Draft)
    assert isinstance(all_settings, Draft)
    assert few.group.id == all_settings.group.id == one.group_id()
    assert {view.id for view in few.group.views} == set(original_ids(one)) <= {v.id for v in all_settings.group.views}
    ids = [view.id for problem in PROBLEMS for view in made(problem).group.views]
    assert len(set(ids)) == len(ids)
    assert original_ids(one)[1] == view_id(one.group_id(), "original", "F", 1)
    other = Pairing(problem="IASD", question=question(), other="q8", options=("one", "two"))
    assert other.group_id() != pairing("IASD").group_id()
    # The same question is alike, whoever lends.
    assert other.content() == pairing("IASD").content()
    assert other.content() != one.content()


def test_equal_groups_are_alike_in_any_order_of_options() -> None:
    turned = pairing("AAD", name="other", text="Which animal is on q1?", image=picture("q1"),
                     options=("Dog", "cat", "hen", "cow"), answer=0)  # fmt: skip
    assert turned.content() == pairing("AAD").content()


@given(st.lists(st.integers(), min_size=1, max_size=9, unique=True), st.integers(0, 8))
def test_rotating_loses_nothing(items: list[int], places: int) -> None:
    texts = tuple(map(str, items))
    turn = places % len(texts)
    found = rotated(texts, turn)
    assert sorted(found) == sorted(texts)
    assert rotated(found, (len(texts) - turn) % len(texts)) == texts
    # The rule for the target: an option at ``place`` is at ``place - turn`` after the turn.
    assert all(found[(place - turn) % len(texts)] == text for place, text in enumerate(texts))


@pytest.mark.parametrize(
    ("options", "kind"),
    [
        (("1", "2 cm", "3.5"), "number"), (("six", "twenty one"), "number"), (("$3,000", "50%"), "number"),
        (("Yes", "No."), "yes-no"), (("是", "否"), "yes-no"), (("Red", "light blue", "黑色"), "colour"),
        (("cat", "2"), "other"), (("red", "cat"), "other"), (("None", "one"), "other"),
    ],
)  # fmt: skip
def test_kinds_of_answers(options: tuple[str, ...], kind: str) -> None:
    assert answer_kind(options) == kind


def test_lenders_differ_in_text_picture_and_options() -> None:
    own = question("q1")
    rest = [
        question("q2", text=own.text), question("q3", image=own.image), question("q4", options=("cat", "red")),
        question("q5", options=("left", "right"), ability="Place"),
    ]  # fmt: skip
    lenders = Lenders([own, *rest], 0)
    found = lenders.options_for(own)
    assert isinstance(found, Lender)
    assert found.question.id == "q5"
    # Of those that may lend a picture, another ability comes first.
    for seed in range(40):
        lent = Lenders([own, *rest], seed).picture_for(own)
        assert isinstance(lent, Lender)
        assert lent.question.id == "q5"
    assert Lenders([own, rest[0], rest[1]], 0).picture_for(own) == Refusal("no other question lends its picture", "q1")
    assert Lenders([], 0).options_for(own) == Refusal("no other question lends its options", "q1")


def test_lenders_of_another_kind_of_answer_and_the_same_language_come_first() -> None:
    own = question("q1", options=("1", "2"), ability="", language="en")
    numbers = [question(f"n{n}", options=(f"{n}3", f"{n}4"), ability="", language="en") for n in range(30)]
    other = question("z", options=("rot", "grün"), ability="", language="de")
    good = question("y", options=("left", "right"), ability="", language="en")
    for seed in range(5):
        found = Lenders([own, *numbers, other, good], seed).options_for(own)
        assert isinstance(found, Lender)
        assert found.question.id == "y"


def test_lenders_are_drawn_by_seed() -> None:
    every = [question(f"q{n}", options=(f"left{n}", f"right{n}"), ability=f"a{n}") for n in range(30)]
    drawn = [tuple(_lent(every, seed)) for seed in (0, 0, 1)]
    assert drawn[0] == drawn[1] != drawn[2]
    assert len(set(drawn[0])) > 10


def _lent(every: list[Question], seed: int) -> list[str]:
    lenders = Lenders(every, seed)
    found = [lenders.options_for(one) for one in every]
    return [one.question.id for one in found if isinstance(one, Lender)]


def test_doubtful_pairs() -> None:
    same = Pairing(problem="IASD", question=question(options=("1", "2", "3")), other="x", options=("4", "5"))
    assert doubts(same, question("x", options=("4", "5"), ability="")) == ("both answer sets are of the kind number",)
    shared = Pairing(problem="IASD", question=question(), options=("Cat.", "red"))
    assert doubts(shared, None) == ("options in common: cat",)
    words = Pairing(problem="IASD", question=question(text="What barks in the garden?"), options=("a garden", "sky"))
    assert doubts(words, None) == ("the options speak of the question's words: garden",)
    equal = Pairing(problem="IVQD", question=question(), image=picture("q1"))
    assert doubts(equal, None) == ("equal images",)
    ability = Pairing(problem="IVQD", question=question(text="Is it?"), image=jpeg("9"))
    assert doubts(ability, question("x", text="Who?")) == ("both questions test Recognition",)
    speaks = Pairing(problem="IVQD", question=question(text="Why the umbrella?"), image=jpeg("9"))
    assert doubts(speaks, question("x", text="Whose umbrella?", ability="")) == (
        "the picture's own question speaks of: umbrella",
    )
    assert doubts(pairing("AAD"), None) == ()


def test_options_near_the_one_that_was_taken_away() -> None:
    near = Pairing(problem="AAD", question=question(options=("Close friends", "Friends", "Enemies", "None")))
    assert doubts(near, None) == (
        "an option near the removed one: 'Close friends'", "an option that may mean none of these: 'None'",
    )  # fmt: skip


def test_the_review_list_never_replaces_somebodys_work(tmp_path: Path) -> None:
    path = tmp_path / "review.jsonl"
    line = line_of(pairing("IVQD"), "Who?", ("equal images",), left_out=False)
    write_review(path, (line, line))
    assert len(path.read_bytes().splitlines()) == 2
    write_review(path, (line,))
    check_review(path)
    path.write_text('{"group":"a","decision":"keep","reviewer":"Ann"}', encoding="utf-8")
    with pytest.raises(SourceError) as caught:
        write_review(path, (line,))
    assert "expected a place for the review list; got review.jsonl, which holds something else" in str(caught.value)
    assert caught.value.fix == "name another place: --review FILE"
    assert "Ann" in path.read_text(encoding="utf-8")
