"""GQA's files: questions with their programs, held against scene graphs; whatever is wrong is refused by name."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from answerable.build.sources.gqa import GqaSource
from answerable.build.sources.gqa_files import Entries
from answerable.core.errors import SourceError
from answerable.core.records import Refusal
from answerable.domains.photo.asked import Asked
from tests.domains.photo.make import GRAPH, WHAT_IS_NEAR, box, graph, node, question, step


def source(folder: Path, questions: dict[str, Any], graphs: dict[str, Any] | None = None) -> GqaSource:
    (folder / "q.json").write_text(json.dumps(questions), encoding="utf-8")
    (folder / "g.json").write_text(json.dumps(graphs or {"7": GRAPH}), encoding="utf-8")
    return GqaSource((folder / "q.json",), (folder / "g.json",))


def refusal(folder: Path, entry: Any, graphs: dict[str, Any] | None = None, **others: Any) -> Refusal:
    found = source(folder, {"1": entry, **others}, graphs).asked("1")
    assert isinstance(found, Refusal), found
    return found


def asked(folder: Path, entry: Any, graphs: dict[str, Any] | None = None, **others: Any) -> Asked:
    found = source(folder, {"1": entry, **others}, graphs).asked("1")
    assert isinstance(found, Asked), found
    return found


def test_a_question_rests_on_every_object_that_its_program_names(tmp_path: Path) -> None:
    found = asked(tmp_path, WHAT_IS_NEAR)
    assert [(thing.id, thing.name) for thing in found.needed] == [("o2", "ball"), ("o1", "dog")]
    assert [thing.id for thing in found.others] == ["o3", "o4", "o5"]
    assert found.needed[1].box == box(10, 10, 20, 20)
    assert (found.photo, found.file, found.width, found.height) == ("7", "7.jpg", 120, 80)
    assert (found.question, found.answer, found.boolean) == ("What is near the ball?", "dog", False)
    assert (found.family, found.depth, found.checked, found.names) == ("query", 3, "agrees", ("ball",))


def test_objects_that_words_mean_besides_are_known(tmp_path: Path) -> None:
    meant = {"question": {"4": "o2", "5:7": "o3,o4"}, "answer": {}, "fullAnswer": {"1": "o1"}}
    assert asked(tmp_path, WHAT_IS_NEAR | {"annotations": meant}).spoken == ("o3", "o4")
    assert asked(tmp_path, WHAT_IS_NEAR).spoken == ()
    assert refusal(tmp_path, WHAT_IS_NEAR | {"annotations": []}).reason == "the question cannot be read"


def test_the_words_of_the_file_s_programs_say_what_an_attribute_is(tmp_path: Path) -> None:
    same = question(
        "Are they of one colour?", "yes",
        step("select", "ball (o2)"), step("select", "cup (o5)"), step("same color", "", 0, 1),
    )  # fmt: skip
    assert asked(tmp_path, same).checked == "not executable"
    red = question("Is it red?", "yes", step("select", "cup (o5)"), step("verify color", "red", 0))
    assert asked(tmp_path, same, other=red).checked == "agrees"
    different = same | {"answer": "no"}
    assert refusal(tmp_path, different, other=red).reason == "the program gives another answer"


def test_a_program_that_contradicts_its_answer_is_refused(tmp_path: Path) -> None:
    found = refusal(tmp_path, WHAT_IS_NEAR | {"answer": "cat"})
    assert found.reason == "the program gives another answer"
    assert found.detail == "1: dog where the source says cat"


def test_a_graph_that_cannot_be_asked_leaves_the_answer_unchecked(tmp_path: Path) -> None:
    old = question(
        "Which is older?", "dog", step("select", "dog (o1)"), step("select", "cat (o3)"), step("choose older", "", 0, 1)
    )
    assert asked(tmp_path, old).checked == "not executable"


@pytest.mark.parametrize(
    ("entry", "reason"),
    [
        ({"question": "What?"}, "the question cannot be read"),
        (7, "the question cannot be read"),
        (WHAT_IS_NEAR | {"semantic": [{"operation": "select"}]}, "the question cannot be read"),
        (WHAT_IS_NEAR | {"answer": " "}, "no question or no answer"),
        (WHAT_IS_NEAR | {"question": ""}, "no question or no answer"),
        (WHAT_IS_NEAR | {"question": "x" * 20_001}, "text is too long"),
        (WHAT_IS_NEAR | {"imageId": "../7"}, "the photo's name is no name"),
        (WHAT_IS_NEAR | {"imageId": ""}, "the photo's name is no name"),
        (WHAT_IS_NEAR | {"imageId": "8"}, "no scene graph"),
        (WHAT_IS_NEAR | {"semantic": []}, "the program is none"),
        (WHAT_IS_NEAR | {"semantic": [step("exist", "?", 0)]}, "the program is none"),
        (WHAT_IS_NEAR | {"semantic": [step("guess", "?")]}, "the program is none"),
        (WHAT_IS_NEAR | {"answer": "yes"}, "the answer is of another type"),
        (
            question("Is there a cow?", "yes", step("select", "cow (o9)"), step("exist", "?", 0)),
            "the scene graph lacks an object",
        ),
        (
            question("Is there a cow?", "cow", step("select", "dog (o1)"), step("exist", "?", 0)),
            "the answer is of another type",
        ),
    ],
)
def test_a_question_that_cannot_be_used_is_refused_by_name(tmp_path: Path, entry: Any, reason: str) -> None:
    found = refusal(tmp_path, entry)
    assert found.reason == reason
    assert found.detail.startswith("1")


def test_one_question_with_two_answers_is_none(tmp_path: Path) -> None:
    other = question("what is  near the ball?", "cat", step("select", "cat (o3)"), step("query", "name", 0))
    assert refusal(tmp_path, WHAT_IS_NEAR, other=other).reason == "one question with two answers"
    assert asked(tmp_path, WHAT_IS_NEAR, other=other | {"imageId": "8"}).checked == "agrees"


def test_a_damaged_graph_spoils_its_own_questions_only(tmp_path: Path) -> None:
    graphs = {"7": GRAPH, "8": {"width": 0, "height": 80, "objects": {}}}
    made = source(tmp_path, {"1": WHAT_IS_NEAR, "2": WHAT_IS_NEAR | {"imageId": "8"}}, graphs)
    assert isinstance(made.asked("1"), Asked)
    found = made.asked("2")
    assert isinstance(found, Refusal) and found.reason == "the scene graph cannot be read"
    missing = made.asked("3")
    assert isinstance(missing, Refusal) and missing.reason == "no such question"


def test_the_scene_as_a_whole_rests_on_no_box(tmp_path: Path) -> None:
    entry = question("How is the weather?", "sunny", step("select", "scene (-)"), step("query", "weather", 0))
    found = asked(tmp_path, entry, {"7": graph(o1=node("dog", 1, 1, 9, 9)) | {"weather": "sunny"}})
    assert (found.needed, found.checked) == ((), "agrees")


def test_a_name_that_is_there_twice_is_an_error(tmp_path: Path) -> None:
    text = json.dumps({"1": WHAT_IS_NEAR, "2": WHAT_IS_NEAR})
    for repeated in (text[:-1] + ', "1": {}}', text[:-1] + ', "2": {}}', '{"1": {}, "1": {}, "3": 1}', '{"a":1,"a":1}'):
        (tmp_path / "q.json").write_text(repeated, encoding="utf-8")
        with pytest.raises(SourceError, match="every entry once"):
            Entries((tmp_path / "q.json",), "questions")


def test_files_that_are_one_set_share_no_name(tmp_path: Path) -> None:
    for name, text in (("a.json", '{"1": {}}'), ("b.json", '{"2": {}}'), ("c.json", '{"1": {}}')):
        (tmp_path / name).write_text(text, encoding="utf-8")
    found = Entries((tmp_path / "a.json", tmp_path / "b.json"), "questions")
    assert found.names() == ("1", "2")
    assert [line.split(" sha256=")[0] for line in found.describe()] == ["questions: a.json", "questions: b.json"]
    with pytest.raises(SourceError, match="every entry in one file only"):
        Entries((tmp_path / "a.json", tmp_path / "c.json"), "questions")


@pytest.mark.parametrize("text", ["", "[]", '{"1": ', "\xff", "[" * 5000])
def test_a_file_that_is_no_object_is_an_error(tmp_path: Path, text: str) -> None:
    (tmp_path / "q.json").write_bytes(text.encode("latin-1"))
    with pytest.raises(SourceError, match="a JSON object of questions by their ids"):
        Entries((tmp_path / "q.json",), "questions")
    with pytest.raises(SourceError, match="a file that can be read"):
        Entries((tmp_path / "none.json",), "questions")


KEYS = st.text(max_size=4)
VALUES = st.recursive(st.none() | st.integers() | st.text(max_size=3), lambda inner: st.lists(inner, max_size=3))


@given(st.lists(st.tuples(KEYS, VALUES), max_size=6), st.booleans(), st.sampled_from([None, 2]))
def test_repeated_names_are_found_and_no_others(
    tmp_path_factory: pytest.TempPathFactory, pairs: list[tuple[str, Any]], ascii_only: bool, indent: int | None
) -> None:
    path = tmp_path_factory.mktemp("files") / "q.json"
    parts = [json.dumps(name, ensure_ascii=ascii_only) + " : " + json.dumps(v, indent=indent) for name, v in pairs]
    path.write_text("{" + " ,\n".join(parts) + " }\n", encoding="utf-8", errors="surrogatepass")
    names = [name for name, _ in pairs]
    if len(set(names)) == len(names):
        assert Entries((path,), "questions").names() == tuple(names)
    else:
        with pytest.raises(SourceError, match="every entry once"):
            Entries((path,), "questions")
