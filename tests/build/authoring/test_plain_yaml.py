"""Lists in plain YAML: what is read here, a YAML reader reads alike, and the rest is refused."""

from __future__ import annotations

import json

import pytest
import yaml
from hypothesis import example, given
from hypothesis import strategies as st

from answerable.build.authoring.plain_yaml import read_list
from answerable.core.errors import SourceError


def by_a_yaml_reader(text: str) -> object:
    """Every scalar as the text it was; the list alone."""
    loader = yaml.BaseLoader(text)
    try:
        found = loader.get_single_data()
    finally:
        loader.dispose()
    return found["questions"] if isinstance(found, dict) else found


@pytest.mark.parametrize(
    "text",
    [
        "- image: a.png\n  question: Is it?\n- image: b.png\n",
        ("# first\n---\nquestions:  # all\n\n  - image: a.png   # said\n    answer: Yes\n\n    # between\n    id: 7\n"
         "  - x: y\n"),
        "questions:\n- image: a b/c.png\n  question: 'It''s a # \"sign\": so?'\n",
        ('-\n  image: "a\\u00e9\\n\\t\\"b\\\\ \\x41 \\U0001F600"\n  question: ""\n'
         "- image: x#y\n  question: -1, [2] {3} & *4*!\n"),
        "-   image:    a:b\n    question: ?no :yes -x\n    id:\n",
        "- image: 图1.png\r\n  question: 有几只猫?\r\n",
        "- image: ~\n  id: 0x1F\n  q_1: 1e3\n  q-2: null\n",
    ],
)  # fmt: skip
def test_read_alike(text: str) -> None:
    found = read_list(text, "f")
    assert found
    assert found == by_a_yaml_reader(text)


@pytest.mark.parametrize(
    ("text", "line", "message"),
    [
        ("image: a", 1, 'expected a list: lines that begin with "- "'),
        ("- image: a\n - image: b", 2, "expected a column below the others of its item"),
        ("  - image: a\n- image: b", 2, "expected items one below the other"),
        ("- image: a\n   question: b", 2, "expected a column below the others"),
        ("- image: a\nquestion: b", 2, "expected a column below the others"),
        ("- image: a\n  continued", 2, "expected a column and its text, as in 'image: a.png'"),
        ("- image: a\n  image: b", 2, "expected every column once; got more than one image"),
        ("- just a text", 1, "expected a column and its text"),
        ("- - a", 1, "expected a column and its text"),
        ("- {image: a}", 1, "expected a column and its text"),
        ("- ? a\n  : b", 1, "expected a column and its text"),
        ("- <<: *a", 1, "expected a column and its text"),
        ("- &a image: b", 1, "expected a column and its text"),
        ("- image: &a b", 1, "expected YAML without anchors, aliases and tags; got '&a b'"),
        ("- image: *a", 1, "expected YAML without anchors, aliases and tags; got '*a'"),
        ("- image: !!python/object/apply:os.system", 1, "expected YAML without anchors, aliases and tags"),
        ("- image: [a, b]", 1, "expected a text on one line; got '[a, b]'"),
        ("- image: |\n    a", 1, "expected a text on one line; got '|'"),
        ("- image: >-", 1, "expected a text on one line"),
        ("- image: a: b", 1, "expected a text on one line"),
        ("- image: a:", 1, "expected a text on one line"),
        ("- image: - a", 1, "expected a text on one line"),
        ("- image: a\tb", 1, "expected a text on one line"),
        ("- image: 'open", 1, "expected a text on one line"),
        ('- image: "a" b', 1, "expected nothing after a quoted text; got ' b'"),
        ('- image: "\\q"', 1, "expected an escape such as"),
        ('- image: "\\ud800"', 1, "expected an escaped character; got \\ud800"),
        ("- image: a\n\t question: b", 2, "expected a column"),
        ("- image: a\x00", 1, "expected a line of printable text; got '\\x00'"),
        ("- image: a\u2028b", 1, "expected a line of printable text"),
        ("- image: a\rb", 1, "expected a line of printable text"),
        ("%YAML 1.1\n---\n- image: a", 1, "expected a list"),
        ("- image: a\n---\n- image: b", 2, "expected a column"),
        ("- image: a\n- # nothing\n- image: b", 2, "expected an item with a column; got none"),
    ],
)
def test_refused(text: str, line: int, message: str) -> None:
    with pytest.raises(SourceError) as caught:
        read_list(text, "f")
    assert message in str(caught.value)
    assert f"where: f, line {line}\n" in str(caught.value)
    assert "or write JSON" in str(caught.value)


def test_an_alias_bomb_is_refused() -> None:
    bomb = "- a: &a x\n" + "".join(f"- {one}: &{one} [*a,*a,*a]\n" for one in "bcdefgh")
    with pytest.raises(SourceError, match="without anchors"):
        read_list(bomb, "f")


def test_nothing() -> None:
    assert read_list("", "f") == []
    assert read_list("# nothing\n---\nquestions:\n", "f") == []


KEYS = st.sampled_from(["image", "question", "answer", "id", "x-1"])
SIGNS = st.text(st.sampled_from([*"ab:#-?*&![]{}|>'\"\\ ,%@`~=", "图", "\t"]), max_size=8)
ANY = st.text(st.characters(codec="utf-8"), max_size=10)


@given(st.lists(st.dictionaries(KEYS, SIGNS | ANY, min_size=1), max_size=5), st.booleans())
def test_quoted_texts_come_back(rows: list[dict[str, str]], under: bool) -> None:
    """JSON's texts are YAML's, but for half characters, which JSON writes in two."""
    lines = ["questions:"] if under else []
    for row in rows:
        for place, (key, cell) in enumerate(row.items()):
            lines.append(f"{'- ' if not place else '  '}{key}: {json.dumps(cell, ensure_ascii=False)}")
    text = "\n".join(lines)
    try:
        found = read_list(text, "f")
    except SourceError as error:
        # Escapes that only JSON has, and signs that must be escaped in YAML.
        assert any(mark in str(error) for mark in ("an escape such as", "printable text"))
        return
    assert found == rows


@given(st.lists(st.tuples(KEYS, SIGNS), min_size=1, max_size=4))
@example([("id", "a # b")])
@example([("id", "#")])
@example([("id", ":a")])
def test_whatever_is_read_a_yaml_reader_reads_alike(cells: list[tuple[str, str]]) -> None:
    text = "- " + "\n  ".join(f"{key}: {cell}" for key, cell in cells)
    try:
        found = read_list(text, "f")
    except SourceError:
        return
    assert found == by_a_yaml_reader(text)


@given(st.lists(st.sampled_from([*"ab:#- \n'\"", "image: ", "- ", "\n  id: "]), max_size=30).map("".join))
def test_any_text_is_read_alike_or_refused(text: str) -> None:
    try:
        found = read_list(text, "f")
    except SourceError:
        return
    assert found == (by_a_yaml_reader(text) or [])
