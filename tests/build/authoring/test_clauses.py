"""Where a geometry question is cut, and where it is not."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from answerable.build.authoring.clauses import Language, clauses, language_of
from answerable.build.authoring.lists import applied

LANGUAGES: tuple[Language, ...] = ("zh", "en")


def cut(text: str) -> list[tuple[str, str]]:
    """First letter of the kind, and text, of each clause."""
    return [(one.kind[0], text[one.start : one.end]) for one in clauses(text, language_of(text))]


@pytest.mark.parametrize(
    ("text", "parts"),
    [
        ("如图,AB∥CD,点E在BC上,且CD=CE,∠D=74°,则∠B的度数为()",
         "l:如图 c:AB∥CD c:点E在BC上 c:且CD=CE c:∠D=74° a:则∠B的度数为()"),
        ("如图，在△ABC中，AB=1.5cm；若∠1=30°。则BC=（）", "l:如图 l:在△ABC中 c:AB=1.5cm c:若∠1=30° a:则BC=（）"),
        ("已知:如图,⊙O的直径AB垂直于弦CD,AB=1,000,则OE=()", "l:已知:如图 c:⊙O的直径AB垂直于弦CD c:AB=1,000 a:则OE=()"),
        ("点A,B,C均在⊙O上,AB=AC,BC=4,则AC=()", "c:点A,B,C均在⊙O上 c:AB=AC c:BC=4 a:则AC=()"),
        ("AC切⊙O于A,BC交⊙O于点D,则∠C=()", "c:AC切⊙O于A c:BC交⊙O于点D a:则∠C=()"),
        ("⁀{\\mathrm{AC}},⁀{BC}的中点分别是M,N．则MN=()", "c:⁀{\\mathrm{AC}},⁀{BC}的中点分别是M,N a:则MN=()"),
        ("AB=6,AC=10将△ABC沿ED折叠,则CE=()", "c:AB=6 c:AC=10 c:将△ABC沿ED折叠 a:则CE=()"),
        ("在过点S且与PS垂直的直线a上取点T,则PT=()", "c:在过点S且与PS垂直的直线a上取点T a:则PT=()"),
        ("矩形(AB=3,BC=4)中,若AC=5,S=()", "c:矩形(AB=3,BC=4)中 c:若AC=5 a:S=()"),
        ("绍兴是著名的桥乡．连接AC,D是BC的中点,则OC=()", "l:绍兴是著名的桥乡 l:连接AC c:D是BC的中点 a:则OC=()"),
    ],
)  # fmt: skip
def test_chinese(text: str, parts: str) -> None:
    assert [f"{kind}:{piece}" for kind, piece in cut(text)] == parts.split()


@pytest.mark.parametrize(
    ("text", "parts"),
    [
        ("As shown in the figure, AB ∥ CD, and ∠C = 40.0, then ∠D is ()",
         ["l:As shown in the figure", "c:AB ∥ CD", "c:and ∠C = 40.0", "a:then ∠D is ()"]),
        ("In △ABC, points A, B, and C are on ⊙O, AB = 3.0 and AC = 8.0. Find BC.",
         ["l:In △ABC", "c:points A, B, and C are on ⊙O", "c:AB = 3.0", "c:and AC = 8.0", "a:Find BC"]),
        ("AD and BC intersect at O, AE bisects ∠CAB and CD at point E. AO = ()",
         ["c:AD and BC intersect at O", "c:AE bisects ∠CAB and CD at point E", "a:AO = ()"]),
        ("AD bisects ∠BAC and it intersects BC at D, then BD = ()",
         ["c:AD bisects ∠BAC", "c:and it intersects BC at D", "a:then BD = ()"]),
        ("Draw EF of AD and it intersects BC at D, then BD = ()",
         ["c:Draw EF of AD and it intersects BC at D", "a:then BD = ()"]),
        ("Point C is on the line of AB, and CD is tangent to ⊙O, AB = 6.0 Fold △ABC along ED. CE = ()",
         ["c:Point C is on the line of AB", "c:and CD is tangent to ⊙O", "c:AB = 6.0", "c:Fold △ABC along ED",
          "a:CE = ()"]),
        ("BC=\\frac{1.0}{2.0}AB,DC=3.0,then AB = ()", ["c:BC=\\frac{1.0}{2.0}AB", "c:DC=3.0", "a:then AB = ()"]),
        ("Points Q and S are taken, so that P is on a line with Q. If QS = 6.0, when N moves, PQ = ( )",
         ["c:Points Q and S are taken", "c:so that P is on a line with Q", "c:If QS = 6.0", "c:when N moves",
          "a:PQ = ( )"]),
        ("If AB = 2.0, then when C moves, the distance is ()",
         ["c:If AB = 2.0", "a:then when C moves", "a:the distance is ()"]),
        ("It is a nice kite, as everybody says, with AB = 2.0", ["l:It is a nice kite", "l:as everybody says",
         "a:with AB = 2.0"]),
    ],
)  # fmt: skip
def test_english(text: str, parts: list[str]) -> None:
    found = [f"{kind}:{piece}" for kind, piece in cut(text)]
    if "when N moves" in text:
        # A story without anything of the figure but a name and a verb we do not know.
        parts = [part.replace("c:when N", "l:when N") for part in parts]
    assert found == parts


def test_the_empty_text_and_one_word() -> None:
    assert clauses("", "en") == ()
    assert cut("()") == [("a", "()")]
    assert cut(",,") == [("a", "")]


SIGNS = st.sampled_from(
    [
        *("AB", "∠1", "△ABC", "⊙O", "=", "∥", "30°", "1.5", "1,000", "\\frac{1}{2}", "A", "B", "a"),
        *(",", "，", ".", "。", "、", "(", ")", "{", "}", " ", "()"),
        *("则", "若", "且", "如图", "在", "中", "是", "平分", "交", "垂直平分", "分别"),
        *(" and ", " if ", "then ", "it ", "is ", "If ", "respectively", "which satisfy "),
        *("A, B, and C are points", "As shown in the figure"),
    ]
)
TEXTS = st.lists(SIGNS, max_size=25).map("".join) | st.text(max_size=40)


@given(TEXTS, st.sampled_from(LANGUAGES))
def test_clauses_and_what_is_between_them_are_the_text(text: str, language: Language) -> None:
    found = clauses(text, language)
    assert "".join(text[one.start : one.end] + text[one.end : one.joiner] for one in found) == text
    assert all(one.start <= one.end <= one.joiner for one in found)
    assert [one.start for one in found[1:]] == [one.joiner for one in found[:-1]]
    kinds = [one.kind for one in found]
    # What is asked comes last, and something is asked.
    assert not found or kinds == [kind for kind in kinds if kind != "asked"] + ["asked"] * kinds.count("asked")
    assert not found or kinds[-1] == "asked"
    assert clauses(text, language) == found


@given(st.lists(SIGNS.filter(lambda sign: not set(sign) & set("(){}")), min_size=1, max_size=10).map("".join))
def test_nothing_in_brackets_is_cut(inner: str) -> None:
    text = f"AB=3,({inner}),BC=4,则AC=()"
    edges = {edge for one in clauses(text, "zh") for edge in (one.start, one.end)}
    assert not edges & set(range(text.index("(") + 1, text.index(")")))


@given(st.integers(0, 10**6), st.integers(0, 999), st.sampled_from(LANGUAGES))
def test_no_number_is_cut(whole: int, part: int, language: Language) -> None:
    number = f"{whole}.{part}"
    text = f"AB = {number}, BC = {whole:,}, AC = ()"
    pieces = [text[one.start : one.end] for one in clauses(text, language)]
    assert f"AB = {number}" in pieces
    assert f"BC = {whole:,}" in pieces


@given(
    st.text(max_size=30), st.lists(st.tuples(st.integers(0, 30), st.integers(0, 5), st.text(max_size=3)), max_size=3)
)
def test_edits_leave_the_rest_alone(text: str, drawn: list[tuple[int, int, str]]) -> None:
    edits, place = [], 0
    for skip, length, new in drawn:
        start = place + skip
        if start + length > len(text):
            break
        edits.append((start, start + length, new))
        place = start + length
    expected = text
    for start, end, new in reversed(edits):
        expected = expected[:start] + new + expected[end:]
    assert applied(text, edits) == expected
