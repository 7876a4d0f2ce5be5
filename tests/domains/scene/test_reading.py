"""The grammar: one reading at most, the right one, and nothing read into other texts."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from answerable.core.seeds import Stream
from answerable.domains.scene import asking, normal_form, objects, reading
from answerable.domains.scene.drafting import Draft
from answerable.domains.scene.outcomes import answer_of
from answerable.domains.scene.program import MAX_NODES, Program
from answerable.domains.scene.reading import MAX_LETTERS, SENTENCES, SLOTS, readings, tokens_of
from answerable.domains.scene.templates import FAMILIES
from answerable.domains.scene.vocabulary import ATTRIBUTES, PLACE_WORDS, VALUES
from tests.domains.scene.make import program, sampled
from tests.domains.scene.posed import posed, unfolded

EVERY = pytest.mark.parametrize("family", FAMILIES)


@EVERY
def test_a_question_has_one_reading_and_that_has_its_answer(family: str) -> None:
    for scene, question in posed(family):
        found = readings(question.wording)
        assert len(found) == 1, question.wording
        assert answer_of(objects.execute(found[0], scene)) == question.answer, question.wording
        assert unfolded(found[0]) == unfolded(question.program), question.wording


@EVERY
def test_each_of_the_wordings_is_read(family: str) -> None:
    read = 0
    for number in range(60):
        for turn in range(20):
            draft = Draft(objects.index(sampled(number)), Stream("wordings", family, number, turn), "")
            wordings = FAMILIES[family].draw(draft)
            if wordings is None:
                continue
            assert len(wordings) == 3
            for wording in wordings:
                found = readings(wording)
                assert len(found) == 1, wording
                assert unfolded(found[0]) == unfolded(draft.builder.program()), wording
            read += 1
    assert read >= 30


def described(stream: Stream) -> list[str]:
    """``small red cube``."""
    words = [stream.pick(VALUES[one]) for one in ATTRIBUTES if one != "shape" and stream.below(2)]
    return [*words, stream.pick((*VALUES["shape"], "thing", "object"))]


def where(stream: Stream) -> str:
    """``in the scene``, ``behind the red cube that stands ...``."""
    place, whom, turn = stream.pick(tuple(PLACE_WORDS.values())), spoken("the", stream), stream.below(4)
    if turn == 0:
        return "in the scene"
    if turn == 1:
        return f"both {place} {whom} and behind {spoken('the', stream)}"
    return f"{place} {whom}" + (f" that stands {where(stream)}" if stream.below(3) else "")


def spoken(kind: str, stream: Stream) -> str:
    """Some words for a slot of a sentence."""
    words = " ".join(described(stream))
    kinds = {
        "one": words,
        "many": f"{words}s",
        "some": f"{'an' if words.startswith('object') else 'a'} {words}",
        "the": f"the {words}",
        "asked": stream.pick(ATTRIBUTES),
        "likeness": stream.pick(ATTRIBUTES),
        "other": stream.pick(("other", "")),
    }
    if kind == "who":
        return f"the {words} {stream.pick(('', 'that stands '))}" + (where(stream) if stream.below(3) else "")
    return where(stream) if kind == "there" else kinds[kind]


def filled(pattern: str, stream: Stream) -> str:
    """A sentence of the grammar with some words in its slots."""
    text = re.sub(r"\{([a-z ]+)\}", lambda slot: spoken(slot[1].split()[-1], stream), pattern)
    return re.sub(" +(?=[ .,:?])", "", text)


def test_no_sentence_of_the_grammar_has_two_readings() -> None:
    """Far beyond our own questions: any description in any slot, and chains of any length."""
    patterns = [pattern for _, patterns in SENTENCES for pattern in patterns]
    assert len(patterns) == len(set(patterns)) == 36
    counts = {pattern: [0, 0, 0] for pattern in patterns}
    for number in range(400):
        for pattern in patterns:
            counts[pattern][len(readings(filled(pattern, Stream("grammar", pattern, number))))] += 1
    for pattern, (none, one, two) in counts.items():
        assert two == 0, pattern
        assert one >= 100, (pattern, none, one)


def test_every_slot_is_filled_by_its_name() -> None:
    fields = set(reading.Said.__struct_fields__)
    assert {slot.strip("{}").split()[0] for slot in SLOTS} == fields
    used = {slot for _, patterns in SENTENCES for pattern in patterns for slot in re.findall(r"\{[a-z ]+\}", pattern)}
    assert used == set(SLOTS)
    for _, patterns in SENTENCES:
        # The sentences of one meaning fill the same fields.
        assert len({frozenset(re.findall(r"\{([a-z]+)", pattern)) for pattern in patterns}) == 1


WORDS = sorted(
    {token for _, patterns in SENTENCES for pattern in patterns for token in re.findall(r"[A-Za-z]+|[.,:?]", pattern)}
    | {word for words in VALUES.values() for word in words}
    | {f"{word}s" for word in VALUES["shape"]}
    | {"thing", "things", "object", "objects", "a", "an", "the", "that", "both", "and", "behind", "front", "Answer"}
)


@settings(max_examples=500, deadline=None)
@given(st.lists(st.sampled_from(WORDS), max_size=60), st.integers(0, 20))
def test_soup_is_not_read(words: list[str], cut: int) -> None:
    assert readings(" ".join(words)) == ()
    text = "".join(word if word in ".,:?" else f" {word}" for word in words).strip()
    assert readings(text) == ()
    assert readings(f"How many cubes stand {text[cut:]}") == ()


@settings(max_examples=300, deadline=None)
@given(st.text(max_size=800))
def test_any_text_may_come(text: str) -> None:
    assert readings(text) == ()
    assert readings(f"How many cubes stand in the scene?{text}") == () or text in (
        "", " Answer with a number in digits."
    )  # fmt: skip


@pytest.mark.parametrize(
    "text",
    [
        "", " ", ".", "?", "\x00", "How many", "how many cubes stand in the scene?",
        "How many cubes stand in the scene", "How many cubes stand in the scene ?",
        "How many  cubes stand in the scene?", " How many cubes stand in the scene?",
        "How many cubes stand in the scene? ", "How many cubes stand in the scene?\n",
        "How many cube stand in the scene?", "How many red large cubes stand in the scene?",
        "How many red blue cubes stand in the scene?", "How many cubes red stand in the scene?",
        "How many сubes stand in the scene?",  # a Cyrillic letter
        "How many cubes stand in the scene? Answer yes or no.",
        "How many cubes stand in the scene? Answer with a number in digits. Answer with a number in digits.",
        "How many cubes stand in the scene? How many cubes stand in the scene?",
        "Does an cube stand in the scene?", "Does a object stand in the scene?",
        "Is at least one red cube or sphere standing in the scene?",  # red spheres only?
        "Name the color of the cube that stands in the scene.",
        "Name the size of the cube that stands both behind the sphere that stands behind the cube and behind the cube.",
        "Name the shape of the red thing. Answer rubber or metal.",
        "Do the cube behind the sphere and the red thing share a size?",
    ],
)  # fmt: skip
def test_what_is_not_read(text: str) -> None:
    assert readings(text) == ()


def test_the_hint_may_be_left_out() -> None:
    found = readings("Name the shape of the red thing.")
    assert found == readings("Name the shape of the red thing. Answer cube, sphere or cylinder.")
    assert found == (program("scene", "filter_color red 0", "unique 1", "query_shape 2"),)


def test_that_stands_belongs_to_the_noun_before_it() -> None:
    (found,) = readings("Which size does the cube behind the sphere that stands in front of the red thing have?")
    assert found == program(
        "scene", "filter_color red 0", "unique 1", "relate front 2", "filter_shape sphere 3", "unique 4",
        "relate behind 5", "filter_shape cube 6", "unique 7", "query_size 8",
    )  # fmt: skip


def test_likeness_leaves_the_named_thing_out_and_words_must_say_so() -> None:
    """``How many cubes match the red cube in size`` would take the red cube in; the program does not."""
    like = ("scene", "filter_color red 0", "filter_shape cube 1", "unique 2", "same_size 3")
    assert readings("How many other cubes match the red cube in size?") == (
        program(*like, "filter_shape cube 4", "count 5"),
    )
    assert readings("How many spheres match the red cube in size?") == (
        program(*like, "filter_shape sphere 4", "count 5"),
    )
    for wrong in ("cubes", "things", "other spheres", "other blue cubes"):
        assert readings(f"How many {wrong} match the red cube in size?") == ()


def chain(hops: int) -> str:
    """The chain with the most nodes a letter."""
    hop = "behind the small red metal cube"
    return f"Name the size of the thing {' that stands '.join([hop] * hops)}."


def test_long_texts_are_not_read_and_the_longest_never_ask_too_much() -> None:
    hops = 13
    text = chain(hops)
    assert len(text) <= MAX_LETTERS < len(chain(hops + 1))
    (found,) = readings(text)
    assert isinstance(found, Program)
    assert 6 * hops < len(found.nodes) < MAX_NODES
    for long in (chain(hops + 1), chain(40_000), "How many cubes stand in the scene?" + " " * 10**7, "a" * 10**7):
        assert readings(long) == ()
        assert tokens_of(long) == ()


def test_nothing_is_shared_with_what_makes_the_questions() -> None:
    allowed = {"program", "vocabulary", "reading", "normal_form"}
    for module in (reading, normal_form, asking):
        assert module.__file__ is not None
        source = Path(module.__file__).read_text(encoding="utf-8")
        assert set(re.findall(r"answerable\.domains\.scene\.([a-z_]+) import", source)) <= allowed
        assert set(re.findall(r"answerable\.([a-z]+)", source)) == {"domains"}
