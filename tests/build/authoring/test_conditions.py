"""What a geometry question says when one of its conditions is gone."""

from __future__ import annotations

import itertools

import pytest
from hypothesis import given
from hypothesis import strategies as st

from answerable.build.authoring.clauses import Language, language_of
from answerable.build.authoring.conditions import Part, candidates
from answerable.build.authoring.lists import applied
from tests.build.authoring.test_clauses import LANGUAGES, TEXTS


def left(text: str, *parts: Part) -> list[str]:
    """What candidates of these parts say, in order; of every part when none is named."""
    return [one.text for one in candidates(text, language_of(text)) if not parts or one.part in parts]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        # A word that leads to conditions stays for those after it.
        ("如图,若AB∥CD,∠A=70°,则∠1=()", ["如图,若∠A=70°,则∠1=()", "如图,若AB∥CD,则∠1=()"]),
        ("AD=1,若AB=3,且BC=4,则AC=()", ["若AB=3,且BC=4,则AC=()", "AD=1,若BC=4,则AC=()", "AD=1,若AB=3,则AC=()"]),
        ("如图,AB=3,已知BC=4,则AC=()", ["如图,已知BC=4,则AC=()", "如图,AB=3,则AC=()"]),
        ("如图,AB∥CD,且∠C=40°,则∠D=()", ["如图,∠C=40°,则∠D=()", "如图,AB∥CD,则∠D=()"]),
        ("AD=3,AB∥CD,且∠C=40°,则∠D=()",
         ["AB∥CD,且∠C=40°,则∠D=()", "AD=3,且∠C=40°,则∠D=()", "AD=3,AB∥CD,则∠D=()"]),
        # The words of a figure stay, whatever follows them.
        ("如图直线a∥b,∠1=50°,则∠2=()", ["如图,∠1=50°,则∠2=()", "如图直线a∥b,则∠2=()"]),
        # The stronger mark stays.
        ("AB=3,BC=4．若AC=5,则S=()", ["BC=4．若AC=5,则S=()", "AB=3．若AC=5,则S=()", "AB=3,BC=4．则S=()"]),
        ("AB=6,AC=10将△ABC沿ED折叠,则CE=()",
         ["AC=10将△ABC沿ED折叠,则CE=()", "AB=6,将△ABC沿ED折叠,则CE=()", "AB=6,AC=10,则CE=()"]),
        # A subject stays for a clause that has none.
        ("EG平分∠BEF,交CD于点G,则∠2=()", ["EG交CD于点G,则∠2=()", "EG平分∠BEF,则∠2=()"]),
        # A line that is drawn for the condition only goes too.
        ("∠B=20°,连接CD,若CD与⊙O相切,则∠C=()", ["连接CD,若CD与⊙O相切,则∠C=()", "∠B=20°,则∠C=()"]),
        ("如图,已知AB=3,则AC=()．", ["如图,AC=()．"]),
    ],
)  # fmt: skip
def test_chinese_clauses(text: str, expected: list[str]) -> None:
    assert left(text, "clause") == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("As shown, if AB = 3.0, BC = 4.0, then AC = ()",
         ["As shown, if BC = 4.0, then AC = ()", "As shown, if AB = 3.0, then AC = ()"]),
        # "Then" answers "if"; without it a sentence begins anew.
        ("AB = 3.0. If BC = 4.0, then the length of AC is ()",
         ["If BC = 4.0, then the length of AC is ()", "AB = 3.0. The length of AC is ()"]),
        ("AB = 3.0, if BC = 4.0, then the length of AC is ()",
         ["if BC = 4.0, then the length of AC is ()", "AB = 3.0, the length of AC is ()"]),
        ("If AB = 3.0 and AC = 8.0, BC is ()", ["If AC = 8.0, BC is ()", "If AB = 3.0, BC is ()"]),
        ("Triangle ABC is right, and AB = 3.0, BC = 4.0. Find AC.",
         ["AB = 3.0, BC = 4.0. Find AC.", "Triangle ABC is right, BC = 4.0. Find AC.",
          "Triangle ABC is right, and AB = 3.0. Find AC."]),
        # "It" needs what it goes back to.
        ("AB = 3.0, AD bisects ∠BAC and it intersects BC at D, then BD = ()",
         ["AD bisects ∠BAC and it intersects BC at D, then BD = ()", "AB = 3.0, AD intersects BC at D, then BD = ()",
          "AB = 3.0, AD bisects ∠BAC, then BD = ()"]),
        ("The straight line EF intersects AB at E, intersects CD at F, then ∠1 = ()",
         ["The straight line EF intersects CD at F, then ∠1 = ()",
          "The straight line EF intersects AB at E, then ∠1 = ()"]),
        ("D is on AB, which satisfy AD = 3.0, AE = 2.0, then AB = ()",
         ["AD = 3.0, AE = 2.0, then AB = ()", "D is on AB, which satisfy AE = 2.0, then AB = ()",
          "D is on AB, which satisfy AD = 3.0, then AB = ()"]),
        ("As shown in the figure, AB ∥ CD. If ∠1 = 50.0, then ∠2 is ()",
         ["As shown in the figure, if ∠1 = 50.0, then ∠2 is ()", "As shown in the figure, AB ∥ CD. ∠2 is ()"]),
    ],
)  # fmt: skip
def test_english_clauses(text: str, expected: list[str]) -> None:
    assert left(text, "clause") == expected


@pytest.mark.parametrize(
    ("text", "part", "expected"),
    [
        ("OA=OB=OC,则∠O=()", "term", ["OB=OC,则∠O=()", "OA=OC,则∠O=()", "OA=OB,则∠O=()"]),
        ("AB = BC = 2.0, then AC = ()", "term",
         ["BC = 2.0, then AC = ()", "AB = 2.0, then AC = ()", "AB = BC, then AC = ()"]),
        ("AB=3,则AC=()", "term", []),
        ("点A、B、C是⊙O上的三点,则∠A=()", "member",
         ["点B、C是⊙O上的两点,则∠A=()", "点A、C是⊙O上的两点,则∠A=()", "点A、B是⊙O上的两点,则∠A=()"]),
        ("D,E分别是BC,AC的中点,则DE=()", "member", ["E是AC的中点,则DE=()", "D是BC的中点,则DE=()"]),
        # Two that are parallel to each other are nothing alone; two that are points are.
        ("AB、CD互相平行,则∠A=()", "member", []),
        ("AC、BD是对角线,则∠A=()", "member", []),
        ("C、D为圆上两点,则∠A=()", "member", ["D为圆上一点,则∠A=()", "C为圆上一点,则∠A=()"]),
        ("Points A, B, and C are all on ⊙O, then ∠A = ()", "member",
         ["Points B and C are on ⊙O, then ∠A = ()", "Points A and C are on ⊙O, then ∠A = ()",
          "Points A and B are on ⊙O, then ∠A = ()"]),
        ("A, B, C and D are four points on ⊙O, then ∠A = ()", "member",
         ["B, C and D are three points on ⊙O, then ∠A = ()", "A, C and D are three points on ⊙O, then ∠A = ()",
          "A, B and D are three points on ⊙O, then ∠A = ()", "A, B and C are three points on ⊙O, then ∠A = ()"]),
        ("In △ABC, points D and E are the midpoints of AB and AC respectively, then DE = ()", "member",
         ["In △ABC, point E is the midpoint of AC, then DE = ()",
          "In △ABC, point D is the midpoint of AB, then DE = ()"]),
        ("C and D are two points on the circle, ∠D = 34.0, ∠B is ()", "member",
         ["D is a point on the circle, ∠D = 34.0, ∠B is ()", "C is a point on the circle, ∠D = 34.0, ∠B is ()"]),
        ("AD平分∠BAC交BC于D,则BD=()", "statement", ["AD交BC于D,则BD=()"]),
        ("BE垂直平分AD,则∠C=()", "statement", ["BE平分AD,则∠C=()", "BE垂直AD,则∠C=()"]),
        ("平行线a、b被c所截,则∠2=()", "attribute", ["直线a、b被c所截,则∠2=()"]),
        ("等腰△ABC中,AB=4,则BC=()", "attribute", ["△ABC中,AB=4,则BC=()"]),
        ("The parallel lines a and b are cut by c, ∠2 is ()", "attribute",
         ["The lines a and b are cut by c, ∠2 is ()"]),
        ("平行四边形ABCD中,AB=4,则CD=()", "attribute", []),
    ],
)  # fmt: skip
def test_parts_of_clauses(text: str, part: Part, expected: list[str]) -> None:
    assert left(text, part) == expected


def test_what_is_asked_and_what_leads_to_it_stay() -> None:
    assert candidates("如图,在△ABC中,则∠A+∠B=()", "zh") == ()
    assert candidates("", "en") == ()
    assert left("Read this story. Then say who won, and why.") == []


VALUES = st.lists(st.integers(1, 400), min_size=1, max_size=6, unique=True)
JOINERS: dict[Language, tuple[str, ...]] = {
    "zh": (",", "，", ";", ",且", "．"),
    "en": (", ", "; ", ", and ", " and ", ". "),
}


FRAMES: dict[Language, tuple[tuple[str, str], ...]] = {
    "zh": (("如图,", "则YZ=()"), ("", "求YZ．")),
    "en": (("As shown in the figure, ", "then YZ = ()"), ("", "find YZ.")),
}


@given(st.sampled_from(LANGUAGES), VALUES, st.data())
def test_every_condition_goes_once_and_alone(language: Language, values: list[int], data: st.DataObject) -> None:
    conditions = [f"{'ABCDEF'[place]}X={value}" for place, value in enumerate(values)]
    joiners = data.draw(st.lists(st.sampled_from(JOINERS[language]), min_size=len(values), max_size=len(values)))
    opens, asked = data.draw(st.sampled_from(FRAMES[language]))
    joiners[-1] = "," if language == "zh" else ", "
    text = opens + "".join(itertools.chain(*zip(conditions, joiners, strict=True))) + asked
    found = candidates(text, language)
    assert [one.removed for one in found] == conditions
    for place, one in enumerate(found):
        kept = [condition for condition in conditions if condition in one.text]
        assert kept == conditions[:place] + conditions[place + 1 :]
        assert "YZ" in one.text
        assert one.text.startswith(opens.rstrip(" ,"))
        # Letters only go; at most a first letter is made large.
        rest = iter(text.casefold())
        assert all(sign in rest for sign in one.text.casefold())


@given(TEXTS, st.sampled_from(LANGUAGES))
def test_candidates_of_any_text(text: str, language: Language) -> None:
    found = candidates(text, language)
    assert found == candidates(text, language)
    texts = [one.text for one in found]
    assert len(set(texts)) == len(texts)
    assert text not in texts
    for one in found:
        assert one.text.strip()
        assert applied(text, one.edits) == one.text
        places = [place for start, end, _ in one.edits for place in (start, end)]
        assert places == sorted(places)
        assert 0 <= places[0] <= places[-1] <= len(text)
