"""How alike two questions read, by the words they share in any order and spelling; needs the extra ``similarity``."""

from __future__ import annotations

from importlib.util import find_spec

from answerable.build.sources.mcq import Question
from answerable.core.choices import folded
from answerable.core.errors import MissingExtraError


def check_installed() -> None:
    """Fail early, before anything is built.

    Raises:
        MissingExtraError: the extra is not installed.
    """
    if find_spec("rapidfuzz") is None:
        raise MissingExtraError.for_extra("similarity", "rapidfuzz")


def likeness(one: str, other: str) -> int:
    """From 0 to 100: edit similarity of the words of two sentences, sorted (rapidfuzz ``token_sort_ratio``), rounded
    down.
    """
    from rapidfuzz import fuzz, utils

    # Marks and case say nothing; two texts of nothing else are alike.
    first, second = (utils.default_process(folded(text)) for text in (one, other))
    return 100 if first == second else int(fuzz.token_sort_ratio(first, second))


def reads_alike(question: Question, other: Question, at_least: int) -> tuple[str, ...]:
    """A doubt about a pair whose questions read alike, or whose answer sets do; empty when neither does."""
    found = []
    asked = likeness(question.text, other.text)
    if asked >= at_least:
        found.append(f"the questions read alike ({asked} of 100)")
    offered = likeness(" ".join(question.options), " ".join(other.options))
    if offered >= at_least:
        found.append(f"the answer sets read alike ({offered} of 100)")
    return tuple(found)
