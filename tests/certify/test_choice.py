"""The kernel for multiple-choice questions: sound groups are accepted, and each premise alone catches its forgeries."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import msgspec
import pytest

from answerable.build.choice_benchmarks import ChoiceSettings, Work, attempt, base_of, build, families_for
from answerable.certify import choice_kernel
from answerable.certify.audit import audit
from answerable.certify.checks import Parcel, certify, check_parcel, parcels
from answerable.certify.choice_kernel import PREMISES
from answerable.certify.explain import explain_parcel
from answerable.certify.faults import FAULTS
from answerable.certify.faults.choice import Parts
from answerable.core.benchmark import Benchmark, ProofRecord
from answerable.core.codec import decode, encode
from answerable.core.records import Abstain, Answer, Evidence, Option, Problem
from answerable.core.seeds import Stream
from answerable.domains.choice.proof import ChoiceCase, ChoiceProof, open_case
from answerable.domains.draft import Draft
from answerable.domains.raster import png
from answerable.exec import ThisProcess
from answerable.logic.outcomes import Outcome
from answerable.logic.program import Defined, Expression, Undefined
from tests.certify.forge import parcel
from tests.domains.chart.make import draft as chart_draft
from tests.domains.chart.make import world as chart_world
from tests.domains.choice.make import COUNT, GREATER, LOOK_UP, WHERE, draft

PROBLEMS: tuple[Problem, ...] = ("AAD", "IASD", "IVQD")


def failing(forged: Parcel) -> list[str]:
    """Every premise that finds something, each run for itself; what cannot run after a failure is left out."""
    assert forged.proof is not None
    pictures = dict(zip((view.id for view in forged.group.views), forged.images, strict=True))
    case = open_case(bytes(forged.proof.body), pictures)
    found: list[str] = []
    steps = choice_kernel.every_step(forged.group, forged.proof.digest(), case, forged.proof.group)
    for name, step in zip(PREMISES, steps, strict=True):
        try:
            if next(step, None) is not None:
                found.append(name)
        except (KeyError, StopIteration):
            assert found
    return found


def parts(problem: Problem = "AAD", program: Expression = LOOK_UP) -> Parts:
    return Parts(parcel(draft(problem, program)))


@pytest.mark.parametrize("program", [LOOK_UP, WHERE, COUNT, GREATER])
@pytest.mark.parametrize("problem", PROBLEMS)
def test_sound_groups_are_accepted(problem: Problem, program: Expression) -> None:
    if problem == "AAD" and program == GREATER:
        return  # with yes or no taken away, one option would be left
    made = parcel(draft(problem, program))
    assert check_parcel(made).status == "accepted"
    assert failing(made) == []
    assert failing(Parts(made).together()) == []


def every(parts: Parts, state: str, **changes: Any) -> None:
    for place in parts.places(state):
        parts.replace(place, **changes)


# Each forgery: a problem and program, and what is done to a sound group.


def another_question(p: Parts) -> None:
    every(p, "F", question="What is the value of \u201cZürich\u201d at \u201c2021\u201d?")


def words_of_another_program(p: Parts) -> None:
    wrong = "What is the value of \u201cZürich\u201d at \u201c2021\u201d?"
    p.body["question"] = wrong
    every(p, "F", question=wrong)
    every(p, p.problem, question=wrong)


def a_world_nobody_sees(p: Parts) -> None:
    p.body["worlds"]["V"] = p.body["worlds"]["F"]


def weaker_evidence(p: Parts) -> None:
    p.replace(3, evidence=Evidence(level="derived"))


def an_inadmissible_colour(p: Parts) -> None:
    p.body["worlds"]["F"]["colours"][1] = "#E1812C"
    p.show("F", "F", p.problem)


def a_title_too_long(p: Parts) -> None:
    p.body["worlds"]["F"]["title"] = "A very long title " * 15
    p.show("F", "F", p.problem)


def options_swapped_in_one_view(p: Parts) -> None:
    place = p.places(p.problem)[1]
    one, other, *rest = p.views[place].options
    swapped = (Option(one.letter, other.text), Option(other.letter, one.text), *rest)
    p.replace(place, options=swapped)


def letters_from_b(p: Parts) -> None:
    place = p.places(p.problem)[0]
    options = tuple(Option("BCDE"[index], option.text) for index, option in enumerate(p.views[place].options))
    p.replace(place, options=options)


def a_rotation_left_out(p: Parts) -> None:
    gone = p.views.pop(p.places(p.problem)[1])
    p.images.pop()
    claims = tuple(claim for claim in p.proof.claims if claim.view != gone.id)
    p.proof = msgspec.structs.replace(p.proof, claims=claims)


def an_abstention_as_content(p: Parts) -> None:
    for place in [place for place in p.places(p.problem) if p.views[place].setting == "option"]:
        *content, last = p.views[place].options
        p.replace(place, options=(last, *content))


def another_wording_of_the_abstention(p: Parts) -> None:
    for place, view in enumerate(p.views):
        if view.setting == "option":
            *content, last = view.options
            p.replace(place, options=(*content, msgspec.structs.replace(last, text="I cannot tell")))


def instructions_of_another_setting(p: Parts) -> None:
    for place, view in enumerate(p.views):
        if view.setting == "base":
            p.replace(place, instruction="Answer with the option's letter from the given choices directly.")


def an_unknown_setting(p: Parts) -> None:
    for place, view in enumerate(p.views):
        if view.setting == "base":
            p.replace(place, setting="")


def two_ways_to_write_one(p: Parts) -> None:
    p.rename("15", "20.0", "F", p.problem)


def a_scale_apart(p: Parts) -> None:
    p.rename("15", "20,000", "F", p.problem)


def a_wrong_letter(p: Parts) -> None:
    place = p.places("F")[2]
    duty = p.views[place].obligation
    assert isinstance(duty, Answer)
    p.replace(place, obligation=Answer(target="A" if duty.target != "A" else "B", type="text"))


def an_answer_where_there_is_none(p: Parts) -> None:
    p.replace(p.places(p.problem)[0], obligation=Answer(target="A", type="text"))


def another_reason(p: Parts) -> None:
    p.replace(p.places(p.problem)[0], obligation=Abstain(reason="missing"))


def the_wrong_option_withheld(p: Parts) -> None:
    every(p, p.problem, withheld="15")


def nothing_withheld(p: Parts) -> None:
    every(p, p.problem, withheld="")


def withheld_and_offered(p: Parts) -> None:
    every(p, "IVQD", withheld="25")


def a_text_among_numbers(p: Parts) -> None:
    p.rename("15", "fifteen", "F", p.problem)


def no_label_of_the_world(p: Parts) -> None:
    p.rename("2019", "Twenty nineteen", "F", p.problem)


def an_answer_among_those_left(p: Parts) -> None:
    p.rename("15", "25", p.problem)


def another_distractor(p: Parts) -> None:
    p.rename("15", "16", p.problem)


def a_number_in_words(p: Parts) -> None:
    p.rename("Cod", "two dozen", p.problem)


def a_name_of_the_world(p: Parts) -> None:
    p.rename("Cod", "Zürich", p.problem)


def a_yes_in_other_words(p: Parts) -> None:
    p.rename("Cod", "That is correct", p.problem)


def a_label_of_the_world(p: Parts) -> None:
    p.rename("193", "2022", p.problem)


def options_of_its_own_in_ivqd(p: Parts) -> None:
    p.rename("15", "16", p.problem)


def its_own_picture(p: Parts) -> None:
    p.body["worlds"]["V"] = p.body["worlds"]["F"]
    p.show("V", "IVQD")


def a_name_in_the_other_picture(p: Parts) -> None:
    p.body["worlds"]["V"]["positions"][2] = "2021"
    p.show("V", "IVQD")


def a_name_in_the_other_title(p: Parts) -> None:
    p.body["worlds"]["V"]["title"] = "Visitors to Łódź"
    p.show("V", "IVQD")


def a_pixel(p: Parts) -> None:
    pixels = png.decode(p.images[-1])
    pixels[10, 10, 0] ^= 1
    p.images[-1] = png.encode(pixels)


def the_standard_picture(p: Parts) -> None:
    place = p.places("IVQD")[0]
    p.images[place] = p.images[p.places("F")[0]]


FORGERIES: list[tuple[str, Problem, Expression, Callable[[Parts], None]]] = [
    ("bound", "AAD", LOOK_UP, another_question),
    ("bound", "AAD", LOOK_UP, words_of_another_program),
    ("bound", "AAD", LOOK_UP, a_world_nobody_sees),
    ("bound", "IVQD", LOOK_UP, weaker_evidence),
    ("admissible", "AAD", LOOK_UP, an_inadmissible_colour),
    ("complete", "AAD", LOOK_UP, a_title_too_long),
    ("options", "AAD", LOOK_UP, options_swapped_in_one_view),
    ("options", "AAD", LOOK_UP, letters_from_b),
    ("options", "IASD", LOOK_UP, a_rotation_left_out),
    ("options", "AAD", LOOK_UP, an_abstention_as_content),
    ("options", "AAD", LOOK_UP, another_wording_of_the_abstention),
    ("options", "IVQD", LOOK_UP, instructions_of_another_setting),
    ("options", "IASD", LOOK_UP, an_unknown_setting),
    ("options", "AAD", LOOK_UP, two_ways_to_write_one),
    ("options", "IVQD", LOOK_UP, a_scale_apart),
    ("answers", "AAD", LOOK_UP, a_wrong_letter),
    ("answers", "IVQD", WHERE, an_answer_where_there_is_none),
    ("answers", "IASD", WHERE, another_reason),
    ("answers", "AAD", LOOK_UP, the_wrong_option_withheld),
    ("answers", "IASD", LOOK_UP, nothing_withheld),
    ("answers", "IVQD", LOOK_UP, withheld_and_offered),
    ("answers", "IVQD", LOOK_UP, a_text_among_numbers),
    ("answers", "AAD", WHERE, no_label_of_the_world),
    ("unsolvable", "AAD", LOOK_UP, an_answer_among_those_left),
    ("unsolvable", "AAD", LOOK_UP, another_distractor),
    ("unsolvable", "IASD", LOOK_UP, a_number_in_words),
    ("unsolvable", "IASD", LOOK_UP, a_name_of_the_world),
    ("unsolvable", "IASD", GREATER, a_yes_in_other_words),
    ("unsolvable", "IASD", WHERE, a_label_of_the_world),
    ("unsolvable", "IVQD", LOOK_UP, options_of_its_own_in_ivqd),
    ("unsolvable", "IVQD", LOOK_UP, its_own_picture),
    ("unsolvable", "IVQD", LOOK_UP, a_name_in_the_other_picture),
    ("unsolvable", "IVQD", LOOK_UP, a_name_in_the_other_title),
    ("pixels", "AAD", LOOK_UP, a_pixel),
    ("pixels", "IVQD", LOOK_UP, the_standard_picture),
]


@pytest.mark.parametrize(
    ("premise", "problem", "program", "forge"), FORGERIES, ids=[f"{row[0]}-{row[3].__name__}" for row in FORGERIES]
)
def test_one_premise_alone_catches_a_forgery(
    premise: str, problem: Problem, program: Expression, forge: Callable[[Parts], None]
) -> None:
    forged = parts(problem, program)
    forge(forged)
    made = forged.together()
    verdict = check_parcel(made)
    assert (verdict.status, verdict.premise) == ("refused", premise), verdict.detail
    assert verdict.detail
    # A chart's domain draws nothing whole that it does not admit.
    assert failing(made) == ([premise, "complete"] if premise == "admissible" else [premise])


def test_every_premise_has_a_forgery() -> None:
    # Executors that lie are below: no file can make them.
    assert {row[0] for row in FORGERIES} == set(PREMISES) - {"executors"}


def bound_refuses(made: Parcel, words: str) -> None:
    verdict = check_parcel(made)
    assert (verdict.status, verdict.premise) == ("refused", "bound")
    assert words in verdict.detail


def test_a_proof_of_another_group_or_problem_is_not_bound() -> None:
    made = parcel(draft("AAD"))
    assert made.proof is not None
    other = msgspec.structs.replace(made.group, id="other")
    bound_refuses(msgspec.structs.replace(made, group=other), "not other")
    forged = parts()
    forged.proof = msgspec.structs.replace(forged.proof, problem="IASD")
    bound_refuses(forged.together(), "the states are not F and IASD")
    nameless = decode(bytes(made.proof.body), ChoiceProof)
    twice = msgspec.structs.replace(nameless, claims=(*nameless.claims, nameless.claims[0]))
    record = ProofRecord(group=made.group.id, domain="choice", body=msgspec.Raw(encode(twice)))
    bound_refuses(msgspec.structs.replace(made, proof=record), "does not speak of each view once")
    forged = parts()
    forged.views = [view for view in forged.views if view.state == "F"]
    forged.images = forged.images[: len(forged.views)]
    bound_refuses(forged.together(), "the states are not F and AAD")


def test_a_case_whose_executors_disagree_or_share_a_name_is_refused() -> None:
    made = parcel(draft("IVQD"))
    assert made.proof is not None

    class Lying(ChoiceCase):
        def execute(self, executor: str, world: str) -> Outcome:
            found = super().execute(executor, world)
            lies = executor == "sql" and isinstance(found, Defined)
            return Defined(found.value + 1) if lies and isinstance(found, Defined) else found

    honest = open_case(bytes(made.proof.body), {})
    lying = Lying.__new__(Lying)
    lying.__dict__.update(honest.__dict__)
    finding = choice_kernel.check(made.group, made.proof.digest(), lying, made.group.id, pixels=False)
    assert finding is not None
    assert (finding.premise, finding.detail) == ("executors", "world F: 25 against 26")
    lying.executors = ("sql", "sql")
    with pytest.raises(ValueError, match="two executors or more"):
        choice_kernel.check(made.group, made.proof.digest(), lying, made.group.id)


def test_an_undefined_for_another_reason_is_no_missing_referent() -> None:
    made = parcel(draft("IVQD"))
    assert made.proof is not None

    class Tied(ChoiceCase):
        def execute(self, executor: str, world: str) -> Outcome:
            return Undefined(reason="tie") if world == "V" else super().execute(executor, world)

    tied = Tied.__new__(Tied)
    tied.__dict__.update(open_case(bytes(made.proof.body), {}).__dict__)
    finding = choice_kernel.check(made.group, made.proof.digest(), tied, made.group.id, pixels=False)
    assert finding is not None
    assert finding.premise == "unsolvable"
    assert "(tie)" in finding.detail


def test_two_options_leave_no_choice_once_one_is_taken_away() -> None:
    forged = parts("AAD", WHERE)
    for place in forged.places("F", "AAD"):
        view = forged.views[place]
        gone = [option.text for option in view.options if option.role == "content" and option.text in ("2019", "2020")]
        kept = [option for option in view.options if option.text not in gone[:1]]
        forged.replace(place, options=tuple(kept))
    assert check_parcel(forged.together()).status == "refused"


def test_a_free_answer_proof_says_nothing_of_options() -> None:
    good = parcel(chart_draft(chart_world(rows=3)))
    assert check_parcel(good).status == "accepted"
    for changes in (
        {"options": (Option("A", "1"), Option("B", "2"))},
        {"instruction": "Answer 7."},
        {"setting": "base"},
        {"withheld": "3"},
    ):
        views = (msgspec.structs.replace(good.group.views[0], **changes), *good.group.views[1:])
        spoilt = msgspec.structs.replace(good, group=msgspec.structs.replace(good.group, views=views))
        bound_refuses(spoilt, "view F offers options or gives instructions of which the proof says nothing")


def test_a_choice_group_cannot_hide_behind_another_domain() -> None:
    made = parcel(draft("AAD"))
    assert made.proof is not None
    body = decode(bytes(made.proof.body), ChoiceProof).body
    record = ProofRecord(group=made.group.id, domain="chart", body=body)
    bound_refuses(msgspec.structs.replace(made, proof=record), "does not speak of each view once")


def test_pixels_of_another_renderer_are_not_compared() -> None:
    forged = parts()
    forged.body["version"] = "an older one"
    verdict = check_parcel(forged.together())
    assert (verdict.status, verdict.premise) == ("other_renderer", "pixels")


def test_an_explanation_tells_the_premises_of_choices() -> None:
    told = explain_parcel(parcel(draft("AAD")), "b").explanation
    assert [(premise.name, premise.result) for premise in told.premises] == [
        (name, "holds") for name in ("image", *PREMISES)
    ]
    assert told.views[0].offered == ("A. 15", "B. 25", "C. 20", "D. 45")
    forged = parts()
    two_ways_to_write_one(forged)
    found = explain_parcel(forged.together(), "b").explanation
    results = {premise.name: premise.result for premise in found.premises}
    assert (found.status, results["executors"], results["options"]) == ("refused", "holds", "fails")
    assert results["pixels"] == "not reached"


@pytest.fixture(scope="module", params=["chart", "table", "code"])
def benchmark(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Benchmark:
    domain = request.param
    out = tmp_path_factory.mktemp(domain) / "b"
    base = base_of(domain)
    build(ChoiceSettings(domain, 8 if domain != "code" else 6, 4, problems=base.problems), out, ThisProcess())
    return Benchmark(out)


MEANT = {
    "answer still there": {"unsolvable"},
    "option of the answer's type": {"unsolvable", "options"},
    "referent in the other picture": {"unsolvable", "bound"},
    "target": {"answers"},
    "one rotation twice": {"options"},
    "one pixel": {"pixels"},
    "abstention rotated": {"options"},
    "another option withheld": {"answers"},
    "another reason": {"answers"},
    "two options alike": {"options"},
    "another instruction": {"options"},
}


def test_every_planted_fault_is_refused_by_a_premise_meant_for_it(benchmark: Benchmark) -> None:
    found = audit(benchmark, ThisProcess(), trials=20)
    assert found.all_refused
    assert {line.fault for line in found.lines} == set(MEANT) == set(FAULTS.load("choice"))
    for line in found.lines:
        assert (line.domain, line.trials, line.refused) == ("choice", 20, 20)
        assert set(line.premises) <= MEANT[line.fault], line


def test_a_referent_planted_in_the_other_picture_is_unsolvable_no_longer(benchmark: Benchmark) -> None:
    plant = FAULTS.load("choice")["referent in the other picture"]
    for made in _parcels(benchmark):
        if made.group.source.endswith("ivqd"):
            verdict = check_parcel(plant(made, Stream("x", made.group.id)))
            assert (verdict.status, verdict.premise) == ("refused", "unsolvable")


def _parcels(benchmark: Benchmark) -> list[Parcel]:
    return list(parcels(benchmark))


@pytest.mark.slow
@pytest.mark.parametrize("domain", ["chart", "table"])
def test_a_thousand_groups_certify(domain: str, tmp_path: Any) -> None:
    build(ChoiceSettings(domain, 334, 11, settings=("option",)), tmp_path / "b", ThisProcess())
    found = certify(Benchmark(tmp_path / "b"), ThisProcess())
    assert found.statuses == {"accepted": 1002}
    assert found.holds


@pytest.mark.parametrize("domain", ["chart", "table"])
@pytest.mark.parametrize("problem", PROBLEMS)
def test_every_family_of_questions_certifies(domain: str, problem: Problem) -> None:
    settings = ChoiceSettings(domain, 1, 2, settings=("base",))
    for template in families_for(settings, problem):
        made = attempt(settings, Work(problem, "figure", "test", template, base_of(domain).looks[0]))
        assert isinstance(made, Draft), (template, made)
        verdict = check_parcel(parcel(made))
        assert verdict.status == "accepted", (template, verdict)
