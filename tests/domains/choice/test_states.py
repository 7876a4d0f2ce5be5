"""From a question with options to a group: settings, rotations, obligations, and what is refused."""

from __future__ import annotations

from typing import Any

import pytest

from answerable.core.asking import asked_text
from answerable.core.records import PROBLEMS, Abstain, Answer, Problem, Refusal, Setting, View
from answerable.domains.choice.states import make_group
from answerable.domains.draft import Draft
from answerable.logic.program import Expression, Extreme, Row
from tests.domains.choice.make import COUNT, GREATER, LOOK_UP, WHERE, asked, draft, other, request, sharp

KINDS: list[tuple[Problem, Expression]] = [
    ("AAD", LOOK_UP), ("AAD", WHERE), ("AAD", COUNT), ("IASD", LOOK_UP), ("IASD", WHERE), ("IASD", GREATER),
    ("IVQD", LOOK_UP), ("IVQD", WHERE), ("IVQD", GREATER), ("IVQD", COUNT),
]  # fmt: skip


def content(view: View) -> tuple[str, ...]:
    return tuple(option.text for option in view.options if option.role == "content")


def only(made: Draft, setting: Setting, state: str) -> list[View]:
    return [view for view in made.group.views if (view.setting, view.state) == (setting, state)]


@pytest.mark.parametrize(("problem", "program"), KINDS)
def test_every_setting_has_both_states_in_every_rotation_once(problem: Problem, program: Expression) -> None:
    made = draft(problem, program)
    for setting in ("base", "option", "instruction"):
        for state in ("F", problem):
            views = only(made, setting, state)
            assert [view.rotation for view in views] == list(range(len(content(views[0]))))
            first = content(views[0])
            assert [content(view) for view in views] == [first[turn:] + first[:turn] for turn in range(len(first))]
    assert len(only(made, "original", "F")) == len(content(made.group.views[0]))
    assert not only(made, "original", problem)
    assert len({view.id for view in made.group.views}) == len(made.group.views) == len(made.images)


@pytest.mark.parametrize(("problem", "program"), KINDS)
def test_the_target_is_the_answer_and_every_other_view_abstains(problem: Problem, program: Expression) -> None:
    made, right = draft(problem, program), {LOOK_UP: "25", WHERE: "2021", GREATER: "No", COUNT: "3"}[program]
    for view in made.group.views:
        texts = {option.letter: option.text for option in view.options}
        if view.state == "F":
            assert isinstance(view.obligation, Answer)
            assert (texts[view.obligation.target], view.withheld) == (right, "")
        else:
            assert view.obligation == Abstain(reason=PROBLEMS[problem])
            assert view.withheld == ("" if problem == "IVQD" else right)
            assert (right in texts.values()) == (problem == "IVQD")


def test_aad_keeps_the_order_of_the_options_left() -> None:
    assert content(only(draft("AAD"), "base", "AAD")[0]) == ("15", "20", "45")


def test_only_ivqd_shows_another_picture() -> None:
    for problem, files in (("AAD", 1), ("IASD", 1), ("IVQD", 2)):
        made = draft(problem)  # type: ignore[arg-type]
        assert len(set(made.images)) == files
        by_state = {(view.state, image) for view, image in zip(made.group.views, made.images, strict=True)}
        assert len(by_state) == 2


def test_what_a_setting_says_is_the_same_for_both_states() -> None:
    made = draft("IVQD")
    end = {
        setting: {asked_text(view).split("\n")[-1] for state in ("F", "IVQD") for view in only(made, setting, state)}
        for setting in ("option", "instruction")
    }
    assert end["option"] == {"Answer with the option's letter from the given choices directly."}
    assert end["instruction"] == {
        "If the given image is irrelevant to the question, answer F. The image and question are irrelevant."
    }
    last = {view.options[-1] for state in ("F", "IVQD") for view in only(made, "option", state)}
    assert [(option.letter, option.role) for option in last] == [("E", "abstain")]


def test_the_option_that_abstains_follows_the_options_left() -> None:
    made = draft("AAD")
    assert {view.options[-1].letter for view in only(made, "option", "F")} == {"E"}
    assert {view.options[-1].letter for view in only(made, "option", "AAD")} == {"D"}


def test_settings_may_be_chosen_and_then_the_group_is_the_same_one() -> None:
    small, whole = draft("AAD", settings=("option",)), draft("AAD")
    assert {view.setting for view in small.group.views} == {"option"}
    assert small.group.id == whole.group.id
    assert {view.id for view in small.group.views} < {view.id for view in whole.group.views}


def refused(problem: Problem, program: Expression = LOOK_UP, ask: dict[str, Any] | None = None, **changes: Any) -> str:
    made = make_group(asked(program, **(ask or {})), request(problem, program, **changes))
    assert isinstance(made, Refusal)
    return made.reason


@pytest.mark.parametrize(
    ("options", "reason"),
    [
        (("15", "20", "45"), "no options"),
        (("25",), "no options"),
        (("25", "15", "20", "45", "30"), "no options"),
        (("25", "fifteen", "20"), "no options"),
        (("25", "None of the above", "20"), "no options"),
        (("25", "15", "15.0"), "options alike"),
        (("25", "15", "25.0"), "options alike"),
        (("25", "15", "25,000"), "options alike"),
        (("25", "15"), "too few options"),
    ],
)
def test_options_that_do_not_fit_are_refused(options: tuple[str, ...], reason: str) -> None:
    assert refused("AAD", ask={"options": options}) == reason


@pytest.mark.parametrize(
    ("program", "offered"),
    [
        (LOOK_UP, ("Herring", "7 ships")),
        (LOOK_UP, ("Herring", "Zürich")),
        (LOOK_UP, ("Herring", "a dozen")),
        (WHERE, ("Herring", "Cod")),
        (WHERE, ("2021.0", "193")),
        (WHERE, ("3", "193")),
        (GREATER, ("Always", "Cod")),
        (GREATER, ("193", "136")),
        (GREATER, ("Yes", "No")),
    ],
)
def test_options_that_could_answer_are_refused(program: Expression, offered: tuple[str, ...]) -> None:
    assert refused("IASD", program, offered=offered) == "the other options could answer"


def test_another_picture_must_lack_all_that_is_named() -> None:
    for instead in (sharp(), other(series=("Łódź", "Cod")), other(title="2021 in numbers")):
        assert refused("IVQD", ask={"instead": instead}) == "the other picture could answer"


def test_a_question_that_names_nothing_is_about_any_picture() -> None:
    question = asked(
        Extreme(rank="highest", over=Row(series="Łódź")), ("25", "15", "20"), full=sharp(1), instead=other()
    )
    made = make_group(question, request("IVQD"))
    assert isinstance(made, Refusal)
    assert made.reason == "the question names nothing"
