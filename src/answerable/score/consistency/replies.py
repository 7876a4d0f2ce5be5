"""Replies as numbers: which text each gives, whether it is right, and which pairs are held against each other.

A reply gives a text, abstains, or leaves a gap. A gap is never compared: a pair with one is undefined, and counted.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator

import numpy as np

from answerable.core.consistency import STRUCTURES, Structure
from answerable.core.records import Record, View
from answerable.score.collect import RunVerdicts
from answerable.score.consistency.items import Frame
from answerable.score.consistency.similarity import UNIT, Similarity, Tick
from answerable.score.consistency.text import LONGEST, bounded, given_text, is_right, plain, truth_text, without_repeats
from answerable.score.stratum import Bools, Ints

#: In the place of a text's number.
ABSTAINS, GAP = -1, -2
#: In the place of right (1) and wrong (0).
NO_TRUTH = -1

#: Why nothing can be compared, beside ``invalid``, ``failed`` and ``not_run``.
NO_ANSWER, NOTHING_LEFT = "no answer given", "nothing left once repeated words are out"
_WORDS = {"invalid": "cannot be read", "failed": "request failed", "not_run": "not asked"}


class Texts:
    """Every text that is compared, each once."""

    def __init__(self) -> None:
        self._numbers: dict[str, int] = {}
        self.cut = 0
        """Replies of which only the beginning is compared."""

    def number(self, text: str) -> int:
        """The number of a text."""
        if len(text) > LONGEST:
            self.cut += 1
        return self._numbers.setdefault(bounded(text), len(self._numbers))

    @property
    def all(self) -> tuple[str, ...]:
        """By number."""
        return tuple(self._numbers)

    def forms(self) -> Ints:
        """For each text the number of the texts that are equal to it; shape (texts,)."""
        found: dict[str, int] = {}
        return np.array([found.setdefault(plain(text), len(found)) for text in self._numbers], dtype=np.int64)


class Replies(Record, frozen=True):
    """One run on a frame; arrays over replies, a view's repeats side by side: shape (views x repeats,)."""

    repeats: int
    text: Ints
    """Number of the text, ``ABSTAINS`` or ``GAP``."""
    truth: Ints
    """Number of the ground truth's text, or ``GAP``."""
    right: Ints
    """1, 0 or ``NO_TRUTH``."""
    said: tuple[str, ...]
    """``answered``, ``abstained``, or why there is a gap."""
    answers: tuple[str, ...]
    """The text before anything is taken out; empty without one."""

    def of_views(self, views: Bools) -> Bools:
        """The replies to these views; shape (views x repeats,)."""
        return np.repeat(views, self.repeats)

    def gaps(self, chosen: Bools) -> dict[str, int]:
        """How often each kind of gap is there among some replies."""
        places = np.flatnonzero(chosen & (self.text == GAP))
        return dict(sorted(Counter(self.said[place] for place in places).items()))


def replies_of(run: RunVerdicts, frame: Frame, texts: Texts, *, published: bool) -> Replies:
    """What a run says to the views of a frame, all of which it was asked."""
    read, answers = run.columns["reading"], run.columns["answer"]
    text: list[int] = []
    truth: list[int] = []
    right: list[int] = []
    said: list[str] = []
    given: list[str] = []
    for view in frame.views:
        start = run.row_of[view.id] * run.repeats
        words = truth_text(view)
        truth += [GAP if words is None else texts.number(words)] * run.repeats
        for place in range(start, start + run.repeats):
            answer = answers[place]
            one = answer if isinstance(answer, str) and read[place] == "answered" else None
            verdict = is_right(view, one or "", published=published)
            right.append(NO_TRUTH if verdict is None else int(verdict and one is not None))
            number, why = _compared(view, str(read[place]), one, texts)
            text.append(number)
            said.append(why)
            given.append("" if one is None else given_text(view, one))
    return Replies(
        repeats=run.repeats, text=np.array(text, dtype=np.int64), truth=np.array(truth, dtype=np.int64),
        right=np.array(right, dtype=np.int64), said=tuple(said), answers=tuple(given),
    )  # fmt: skip


def _compared(view: View, reading: str, answer: str | None, texts: Texts) -> tuple[int, str]:
    """The number of what is compared of a reply, and how to call it."""
    if reading == "abstained":
        return ABSTAINS, reading
    if reading != "answered":
        return GAP, _WORDS.get(reading, reading)
    words = given_text(view, answer or "")
    # Marks alone say nothing.
    if not plain(words):
        return GAP, NO_ANSWER
    left = without_repeats(words, view.topic)
    return (texts.number(left), reading) if plain(left) else (GAP, NOTHING_LEFT)


class Pairs(Record, frozen=True):
    """Pairs of replies; arrays of shape (pairs,)."""

    left: Ints
    right: Ints
    item: Ints
    alike: Ints
    """Similarity in millionths; 0 where it is undefined."""
    defined: Bools


def pairs_within(cells: Ints) -> tuple[Ints, Ints]:
    """Every pair of places that share a cell, the smaller place first; cells of equal size are paired at once."""
    order = np.argsort(cells, kind="stable")
    ordered = cells[order]
    starts = np.flatnonzero(np.r_[True, ordered[1:] != ordered[:-1]]) if len(cells) else np.zeros(0, dtype=np.int64)
    sizes = np.diff(np.r_[starts, len(cells)])
    left: list[Ints] = []
    right: list[Ints] = []
    for size in np.unique(sizes):
        one, other = np.triu_indices(int(size), 1)
        members = order[starts[sizes == size][:, None] + np.arange(size)]
        left.append(members[:, one].ravel())
        right.append(members[:, other].ravel())
    if not left:
        return np.zeros(0, dtype=np.int64), np.zeros(0, dtype=np.int64)
    first, second = np.concatenate(left), np.concatenate(right)
    place = np.lexsort((second, first))
    return first[place], second[place]


def cells_of(frame: Frame, repeats: int, structure: Structure) -> Ints:
    """Which replies are held against each other, as the number of their cell; shape (views x repeats,).

    ``variants``: replies to the views of an item in one repeat; ``sampling``: the repeats of one view.
    """
    views = np.arange(len(frame.views), dtype=np.int64)
    if structure == "sampling":
        return np.repeat(views, repeats)
    return (frame.item_of[:, None] * repeats + np.arange(repeats)).ravel()


class Alike:
    """The similarity of numbered texts, computed once for every two of them that are asked for.

    Args:
        texts: by number.
        wanted: pairs of numbers; negative ones, which are no texts, are left alone.
        similarity: computes it.
        tick: called as texts are embedded.

    Raises:
        InputError: a text has no usable embedding.
    """

    def __init__(
        self, texts: tuple[str, ...], wanted: Iterable[tuple[Ints, Ints]], similarity: Similarity, tick: Tick
    ) -> None:
        self._width = max(1, len(texts))
        keys = [self._key(one, other) for one, other in wanted]
        kept = [key[key >= 0] for key in keys]
        self._keys = np.unique(np.concatenate(kept)) if kept else np.zeros(0, dtype=np.int64)
        left, right = np.divmod(self._keys, self._width)
        used, places = np.unique(np.concatenate([left, right]), return_inverse=True)
        half = len(left)
        self._alike = similarity.of_pairs([texts[number] for number in used], places[:half], places[half:], tick)

    def _key(self, one: Ints, other: Ints) -> Ints:
        low, high = np.minimum(one, other), np.maximum(one, other)
        return np.where((low < 0) | (low == high), -1, low * self._width + high)

    def of(self, one: Ints, other: Ints) -> tuple[Ints, Bools]:
        """Similarity in millionths and whether it is defined: an abstention is like an abstention and no answer.

        Raises:
            KeyError: it was not asked for.
        """
        key = self._key(one, other)
        alike = np.zeros(len(key), dtype=np.int64)
        known = key >= 0
        places = np.searchsorted(self._keys, key[known])
        if not np.array_equal(self._keys[np.minimum(places, len(self._keys) - 1)], key[known]):
            raise KeyError("a pair of texts whose similarity was not asked for")
        alike[known] = self._alike[places]
        alike[(one == other) & (one != GAP)] = UNIT
        return alike, (one != GAP) & (other != GAP)


def pairs_of(frame: Frame, replies: Replies, alike: Alike, structure: Structure) -> Pairs:
    """Every pair of a structure, with its similarity."""
    left, right = pairs_within(cells_of(frame, replies.repeats, structure))
    near, defined = alike.of(replies.text[left], replies.text[right])
    return Pairs(left, right, frame.item_of[left // replies.repeats], near, defined)


def wanted_of(frame: Frame, replies: Replies) -> Iterator[tuple[Ints, Ints]]:
    """The pairs of texts that a run's measures need."""
    yield replies.text, replies.truth
    for structure in STRUCTURES:
        left, right = pairs_within(cells_of(frame, replies.repeats, structure))
        yield replies.text[left], replies.text[right]
