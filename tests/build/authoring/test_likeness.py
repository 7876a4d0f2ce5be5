"""Which picture is most like another."""

from __future__ import annotations

import json
import math
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from answerable.build.authoring import likeness
from answerable.build.authoring.likeness import Captions, Vectors, read_captions, read_vectors
from answerable.core.errors import SourceError
from tests.build.importers import put


def known(name: str) -> str | None:
    return {"a.png": "a", "b.png": "b", "c.png": "c"}.get(name)


def test_captions_by_rare_words() -> None:
    texts = {
        "a": "A dog on a sofa", "b": "a dog on the grass", "c": "A cat on a SOFA", "d": "on a", "e": "two boats",
    }  # fmt: skip
    found = Captions(texts)
    # "dog" and "sofa" are as rare as one another; the caption of c is the shorter one beside what they share.
    assert found.nearest("a", ["b", "c", "d", "e"]) == "c"
    assert found.nearest("a", ["b", "e"]) == "b"
    assert found.nearest("e", ["a", "b", "c", "d"]) is None
    assert found.nearest("a", []) is None
    assert found.nearest("nobody", ["a"]) is None
    assert found.describe() == "nearest by caption: 5 captions"


WORDS = st.dictionaries(
    st.sampled_from("abcdefgh"), st.lists(st.sampled_from(["dog", "cat", "sofa", "red", "two"]), max_size=6)
)


@given(WORDS)
def test_captions_are_the_textbook_cosine(given_: dict[str, list[str]]) -> None:
    texts = {image: " ".join(words) for image, words in given_.items()}
    found = Captions(texts)
    spread = {word: sum(word in words for words in given_.values()) for words in given_.values() for word in words}

    def vector(image: str) -> dict[str, float]:
        return {word: given_[image].count(word) * math.log(len(texts) / spread[word]) for word in set(given_[image])}

    def cosine(one: str, other: str) -> float:
        first, second = vector(one), vector(other)
        size = math.hypot(*first.values(), 0) * math.hypot(*second.values(), 0)
        return sum(first[word] * second.get(word, 0) for word in first) / size if size else 0.0

    for image in texts:
        others = [other for other in texts if other != image]
        nearest = found.nearest(image, others)
        best = max((cosine(image, other) for other in others), default=0.0)
        assert (nearest is None) == (best < 1e-9)
        assert nearest is None or cosine(image, nearest) == pytest.approx(best, abs=1e-5)
        assert found.nearest(image, reversed(others)) == nearest


def test_vectors() -> None:
    found = Vectors({"a": [1.0, 0.0], "b": [0.0, 2.0], "c": [3.0, 1.0], "d": [1e300, 1e299], "e": [-1e-300, 0.0]})
    assert found.nearest("a", ["b", "c"]) == "c"
    assert found.nearest("a", ["b", "e", "z"]) == "b"
    assert found.nearest("a", ["c", "d"]) == "d"
    assert found.nearest("a", ["z"]) is None
    assert found.nearest("z", ["a"]) is None
    # Of equally near ones, the first by digest.
    assert Vectors({"a": [1.0], "c": [2.0], "b": [3.0]}).nearest("a", ["c", "b"]) == "b"


def jsonl(path: Path, *rows: Any) -> Path:
    return put(path, "\n".join(map(json.dumps, rows)))


def test_files(tmp_path: Path) -> None:
    captions, strange = read_captions(
        jsonl(tmp_path / "c.jsonl", {"image": "a.png", "caption": "a dog"}, {"file_name": "b.png", "text": "dog dog"},
              {"image": "c.png", "caption": "cat"}, {"image": "no.png", "caption": "x"}), known,
    )  # fmt: skip
    assert (captions.nearest("a", ["b", "c"]), strange) == ("b", 1)
    rows = [{"image": f"{name}.png", "vector": [n, 1]} for n, name in enumerate("abcx")]
    vectors, strange = read_vectors(jsonl(tmp_path / "v.jsonl", *rows), known)
    assert (vectors.nearest("c", ["a", "b"]), strange) == ("b", 1)


ONE = {"image": "a.png", "vector": [1, 2]}


@pytest.mark.parametrize(
    ("rows", "message"),
    [
        ([{"image": "a.png"}], "expected a list of numbers in vector; got vector is NoneType"),
        ([{"image": "a.png", "vector": ["x"]}], "expected a list of numbers in vector"),
        ([{"image": "a.png", "vector": []}], "expected a vector of finite numbers, not all 0"),
        ([{"image": "a.png", "vector": [0, 0]}], "expected a vector of finite numbers, not all 0"),
        ([{"image": "a.png", "vector": ["inf"]}], "expected a vector of finite numbers, not all 0"),
        ([{"vector": [1]}], "expected a text in image; got none"),
        ([{"image": ["a"], "vector": [1]}], "expected a text in image; got image is list"),
        ([ONE, ONE], "expected one line for a picture"),
        ([ONE, {"image": "b.png", "vector": [1]}], "expected vectors of one length; got 1 after 2"),
        ([{"image": "x.png", "vector": [1]}], "expected names of pictures of the benchmark; got none"),
        ([3], "expected a JSON object a line"),
    ],
)
def test_lines_that_are_no_vector(tmp_path: Path, rows: list[Any], message: str) -> None:
    with pytest.raises(SourceError) as caught:
        read_vectors(jsonl(tmp_path / "v.jsonl", *rows), known)
    assert message in str(caught.value)


def test_files_that_are_none(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(SourceError, match="expected a file of JSON lines"):
        read_captions(tmp_path / "nowhere.jsonl", known)
    monkeypatch.setattr(likeness, "MAX_NUMBERS", 1)
    with pytest.raises(SourceError, match="expected at most 1 numbers; got 2"):
        read_vectors(jsonl(tmp_path / "large.jsonl", ONE), known)
