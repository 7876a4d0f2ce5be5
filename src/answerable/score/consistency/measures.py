"""The measures of consistency: every item has a value or none, a figure is the mean over the items that have one.

Values are whole numbers of hundred-millionths, so that every sum is exact and no order of items matters.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

import numpy as np

from answerable.core.consistency import THRESHOLD, Counts, Measure, Structure
from answerable.core.records import Record
from answerable.score.consistency.items import Frame
from answerable.score.consistency.replies import ABSTAINS, GAP, NO_TRUTH, Pairs, Replies, cells_of
from answerable.score.consistency.similarity import UNIT
from answerable.score.resample import Floats, intervals, resampled_sums, wilson
from answerable.score.stratum import Bools, Ints

#: Of an item's value.
SCALE = 100_000_000
#: Added to every item's value, since a similarity may be below 0 and what is drawn may not.
_SHIFT = SCALE
#: Shares: 0 and 1 get a Wilson interval where the bootstrap interval has no width.
_SHARES = ("Acc", "Con", "Con_strict", "Con_whole", "Con_within")
_LIMIT = round(THRESHOLD * UNIT)
OVERALL, _OF_OVERALL = "O_all", {"Acc", "S_GT", "Con", "S_C"}
#: What replies that are all wrong are measured by.
OF_FAILURES = ("S_GT", "Con", "S_C", "S_worst", "distinct")


class Values(Record, frozen=True):
    """One measure; arrays of shape (items,)."""

    scaled: Ints
    """The value of every item times ``SCALE``; 0 where it has none."""
    defined: Bools


class Selection(Record, frozen=True):
    """Some replies and pairs of a run."""

    replies: Bools
    """Shape (views x repeats,)."""
    pairs: Bools
    """Shape (pairs,)."""
    within: Bools | None = None
    """Where a pair needs only one side in the part: those with both."""


def _mean(total: Ints, count: Ints) -> Values:
    """Item means of sums in units of 1 / ``SCALE``."""
    defined = count > 0
    value = np.rint(total / np.where(defined, count, 1))
    return Values(np.where(defined, value, 0).astype(np.int64), defined)


def _sums(items: int, places: Ints, amounts: Ints | None = None) -> Ints:
    """Sum (or number) of amounts by item; exact, since they stay far below 2^53."""
    return np.bincount(places, weights=amounts, minlength=items).astype(np.int64)


class Measured:
    """Measures of one structure of one run.

    Args:
        frame: the views.
        replies: what was said.
        pairs: of the structure.
        truth: similarity of every reply with the ground truth in millionths, and where it is defined.
        forms: for every text the number of its form, to tell distinct answers.
    """

    def __init__(
        self, frame: Frame, replies: Replies, pairs: Pairs, truth: tuple[Ints, Bools], forms: Ints, structure: Structure
    ) -> None:
        self.frame, self.replies, self.pairs, self.structure = frame, replies, pairs, structure
        self._truth, self._near = truth
        self._items = len(frame.items)
        self._item_of_reply = np.repeat(frame.item_of, replies.repeats)
        self._cells = cells_of(frame, replies.repeats, structure)
        self._agree = pairs.defined & (pairs.alike > _LIMIT)
        form = np.full(len(replies.text), ABSTAINS, dtype=np.int64)
        read = replies.text >= 0
        form[read] = forms[replies.text[read]]
        self._form = form

    def values(self, chosen: Selection) -> dict[str, Values]:
        """Every measure of a selection, by name; ``O_all`` comes of their means."""
        found = self._of_replies(chosen.replies) | self._of_pairs(chosen.pairs)
        found["distinct"] = self._distinct(chosen)
        if chosen.within is not None:
            both = self._of_pairs(chosen.within)
            found |= {f"{name}_within": both[name] for name in ("Con", "S_C")}
        return found

    def _of_replies(self, chosen: Bools) -> dict[str, Values]:
        due = chosen & (self.replies.right != NO_TRUTH)
        near = chosen & self._near
        place = self._item_of_reply
        right = _sums(self._items, place[due], self.replies.right[due])
        like = _sums(self._items, place[near], self._truth[near])
        return {
            "Acc": _mean(right * SCALE, _sums(self._items, place[due])),
            "S_GT": _mean(like * (SCALE // UNIT), _sums(self._items, place[near])),
        }

    def _of_pairs(self, chosen: Bools) -> dict[str, Values]:
        place, defined = self.pairs.item, chosen & self.pairs.defined
        due, count = _sums(self._items, place[chosen]), _sums(self._items, place[defined])
        agree = _sums(self._items, place[chosen & self._agree])
        alike = _sums(self._items, place[defined], self.pairs.alike[defined])
        worst = np.full(self._items, UNIT, dtype=np.int64)
        np.minimum.at(worst, place[defined], self.pairs.alike[defined])
        return {
            "Con": _mean(agree * SCALE, count),
            "S_C": _mean(alike * (SCALE // UNIT), count),
            "Con_strict": _mean(agree * SCALE, due),
            "Con_whole": Values(np.where((agree == due) & (due > 0), SCALE, 0).astype(np.int64), due > 0),
            "S_worst": Values(np.where(count > 0, worst * (SCALE // UNIT), 0), count > 0),
        }

    def _distinct(self, chosen: Selection) -> Values:
        """Distinct answers of a cell with two or more, averaged over the cells of an item."""
        places = np.flatnonzero(chosen.replies & (self.replies.text != GAP))
        cells = self._cells[places]
        held = np.unique(np.stack([cells, self._form[places]]), axis=1)[0] if len(places) else cells
        size = int(self._cells.max(initial=-1)) + 1
        item_of_cell = np.zeros(size, dtype=np.int64)
        item_of_cell[self._cells] = self._item_of_reply
        several = np.bincount(cells, minlength=size) > 1
        kinds = np.bincount(held, minlength=size)[several]
        items = item_of_cell[several]
        return _mean(_sums(self._items, items, kinds) * SCALE, _sums(self._items, items))

    def counts(self, chosen: Selection) -> Counts:
        """What a selection rests on."""
        place = self.pairs.item
        due, text = chosen.replies, self.replies.text
        usable = _sums(self._items, place[chosen.pairs & self.pairs.defined])
        items = _sums(self._items, self._item_of_reply[due]) > 0
        return Counts(
            items=int(items.sum()), replies=int(due.sum()), read=int((due & (text >= 0)).sum()),
            abstained=int((due & (text == ABSTAINS)).sum()), gaps=self.replies.gaps(due),
            pairs=int(chosen.pairs.sum()), undefined_pairs=int((chosen.pairs & ~self.pairs.defined).sum()),
            items_without_pairs=int((items & (usable == 0)).sum()),
        )  # fmt: skip


def harmonic(one: Floats, other: Floats) -> Floats:
    """The harmonic mean: 0 where either is 0, undefined (NaN) where either is negative or undefined."""
    with np.errstate(divide="ignore", invalid="ignore"):
        mean = 2 * one * other / (one + other)
    mean = np.where((one == 0) | (other == 0), 0.0, mean)
    return np.where((one >= 0) & (other >= 0), mean, np.nan)


def _overall(means: Mapping[str, Floats]) -> Floats:
    return harmonic((means["Acc"] + means["S_GT"]) / 2, (means["Con"] + means["S_C"]) / 2)


class Drawn(Record, frozen=True):
    """The figures of one selection, with what was drawn."""

    measures: dict[str, Measure]
    draws: dict[str, Floats]
    """Values of shape (draws,); NaN where a draw leaves it undefined."""


def draw(
    frame: Frame, selections: Sequence[Mapping[str, Values]], draws: int, seed: int, tick: Callable[[int], None]
) -> list[Drawn]:
    """The means of every selection with intervals: whole groups are drawn, the same ones for all."""
    groups = len(frame.groups)
    columns: list[Ints] = []
    for values in selections:
        for one in values.values():
            place = frame.group_of[one.defined]
            columns.append(_sums(groups, place, one.scaled[one.defined] + _SHIFT))
            columns.append(_sums(groups, place))
    if not columns:
        return []
    table = np.stack(columns, axis=1)
    sums = resampled_sums(table, draws, seed)
    whole = table.sum(axis=0)
    found, start = [], 0
    for values in selections:
        stop = start + 2 * len(values)
        found.append(_drawn(tuple(values), whole[start:stop], sums[:, start:stop], table[:, start:stop]))
        start = stop
        tick(1)
    return found


def _drawn(names: tuple[str, ...], whole: Ints, sums: Floats, table: Ints) -> Drawn:
    means: dict[str, Floats] = {}
    points: dict[str, Floats] = {}
    exact: dict[str, tuple[float, int, int]] = {}
    with np.errstate(divide="ignore", invalid="ignore"):
        for number, name in enumerate(names):
            total, count = sums[:, 2 * number], sums[:, 2 * number + 1]
            means[name] = (total - count * _SHIFT) / (count * SCALE)
            items = int(whole[2 * number + 1])
            scaled = int(whole[2 * number]) - items * _SHIFT
            trials = int(np.count_nonzero(table[:, 2 * number + 1]))
            exact[name] = (scaled / SCALE, items, trials)
            points[name] = np.array([scaled / (SCALE * items) if items else np.nan])
    if means.keys() >= _OF_OVERALL:
        means[OVERALL], points[OVERALL] = _overall(means), _overall(points)
    measures = {}
    for name, interval in zip(means, intervals(list(means.values())), strict=True):
        value = None if np.isnan(points[name][0]) else float(points[name][0])
        if name == OVERALL:
            measures[name] = Measure(value, value or 0.0, 0 if value is None else 1, interval)
            continue
        numerator, items, trials = exact[name]
        score = None
        if name in _SHARES and value in (0.0, 1.0) and interval is not None and interval[0] == interval[1]:
            score = wilson(trials if value == 1.0 else 0, trials)
        measures[name] = Measure(value, numerator, items, interval, score)
    return Drawn(measures, means)
