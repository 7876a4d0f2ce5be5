"""Wrappers: every entry of every table comes off, and nothing else does."""

from __future__ import annotations

import pytest

from answerable.score.readers.wrappers import (
    BULLETS,
    PAIRS,
    REASONING_TAGS,
    TWINS,
    after_lone_close,
    inside_fence,
    leading_reasoning,
    peel,
    peel_label,
    tidy,
    without_reasoning,
)


@pytest.mark.parametrize(("opening", "closing"), PAIRS)
def test_every_pair_is_peeled(opening: str, closing: str) -> None:
    assert peel(f"{opening} blue {closing}") == "blue"
    assert peel(f"{opening}blue") == f"{opening}blue"


@pytest.mark.parametrize("mark", TWINS)
def test_every_twin_is_peeled(mark: str) -> None:
    assert peel(f"{mark}blue{mark}") == "blue"
    assert peel(f"{mark}a{mark} or {mark}b{mark}") == f"{mark}a{mark} or {mark}b{mark}"


@pytest.mark.parametrize("bullet", BULLETS)
def test_every_bullet_is_peeled(bullet: str) -> None:
    assert peel(f"{bullet}blue") == "blue"


@pytest.mark.parametrize("text", ["(a) or (b)", "[x] y [z]", "{a}{b}", "“a” and “b”", "\\(a\\) \\(b\\)"])
def test_marks_that_do_not_go_around_everything_stay(text: str) -> None:
    assert peel(text) == text


def test_labels_lose_their_end() -> None:
    for text in ("B.", "(B).", "**B)**", "**(B).**", "B:", "- B;", "[B]。"):
        assert peel_label(text) == "B"
    assert peel_label("option (c).") == "option (c)"
    assert peel_label(".") == "."


@pytest.mark.parametrize(("opening", "closing"), REASONING_TAGS)
def test_every_reasoning_tag(opening: str, closing: str) -> None:
    text = f"{opening.upper()}a{closing}b"
    assert without_reasoning(text).text == "b"
    assert leading_reasoning(text) == "b"
    assert after_lone_close(f"a{closing}b") == ("b",)
    assert without_reasoning(f"{opening}a").unclosed
    assert leading_reasoning(f"{opening}a") == f"{opening}a"


def test_reasoning_is_dropped_wherever_it_stands() -> None:
    assert without_reasoning("x <think>a</think> y <think>b</think> z").text == "x  y  z"
    assert without_reasoning("a</think>b</think>c").text == "c"
    assert without_reasoning("<think>a<think>b</think>c").text == "c"
    assert not without_reasoning("plain").removed


def test_a_lone_close_gives_what_follows_the_last_and_the_first() -> None:
    assert after_lone_close("a</think>b</think>c") == ("c", "b</think>c")
    assert after_lone_close("<think>a</think>b") == ()
    assert after_lone_close("none") == ()


@pytest.mark.parametrize(
    ("text", "inside"),
    [
        ("```\nB\n```", "B"), ("```json\n{}\n```", "{}"), ("```JSON {}```", "{}"), ("~~~x\ny\n~~~", "y"),
        ("````\n```\n````", "```"), ("```B```", "B"), ("```", None), ("``````", None), ("``` ```", ""),
        ("```\nB", None), ("B", None),
        ("```a\nb\n``` c", None),
    ],
)  # fmt: skip
def test_one_fence_around_everything(text: str, inside: str | None) -> None:
    assert inside_fence(text) == inside


def test_tidy_leaves_no_run_of_white_space() -> None:
    assert tidy("a  \t b\r\n\r\n c\u2028d\u200be\ufeff") == "a b\nc\nde"
    assert tidy("Ｂ（ⓒ）") == "B(c)"
    assert tidy(" " * 100_000) == ""
