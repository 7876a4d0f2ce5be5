"""The groups of one source and one evidence level, and a run's outcomes on them, as integer arrays.

Groups are sorted by id, so no figure depends on the order of replies or of files. Metrics are built from columns:
one integer a group, summed over repeats. Whole groups are resampled, so a column is all the bootstrap needs.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from functools import cached_property

import numpy as np
import numpy.typing as npt

from answerable.core.records import LEVELS, PAPER_STATES, SETTINGS, STATES, Abstain, Answer, Group, View
from answerable.core.scores import OUTCOMES
from answerable.score.verdicts import CODE, DECISION_MET, DISAGREES, VALID

Ints = npt.NDArray[np.int64]
Bools = npt.NDArray[np.bool_]
#: The setting of standard questions alone.
ORIGINAL = "original"


def _is_in(outcomes: Iterable[str]) -> Bools:
    table = np.zeros(len(OUTCOMES), dtype=np.bool_)
    table[[CODE[outcome] for outcome in OUTCOMES if outcome in tuple(outcomes)]] = True
    return table


_DECISION_MET, _DISAGREES, _VALID = _is_in(DECISION_MET), _is_in(DISAGREES), _is_in(VALID)


def weakest_level(group: Group) -> str:
    """The level of a group: that of its weakest view."""
    return max((view.evidence.level for view in group.views), key=LEVELS.index)


class Layout:
    """The views of a list of groups, without any outcome.

    Args:
        source: their source.
        level: their evidence level.
        groups: in any order.
        states: states that the source has, in case these groups are only some of it and lack one.
    """

    def __init__(self, source: str, level: str, groups: Sequence[Group], states: Iterable[str] = ()) -> None:
        self.source, self.level = source, level
        self.groups = tuple(sorted(groups, key=lambda group: group.id))
        self.ids = tuple(group.id for group in self.groups)
        views = [(place, view) for place, group in enumerate(self.groups) for view in group.views]
        order = list(STATES)
        self.view_ids = tuple(view.id for _, view in views)
        self.group_of: Ints = np.array([place for place, _ in views], dtype=np.int64)
        self.state_of: Ints = np.array([order.index(view.state) for _, view in views], dtype=np.int64)
        self.supported: Bools = np.array(
            [not isinstance(view.obligation, Abstain) for _, view in views], dtype=np.bool_
        )
        present = {view.state for _, view in views} | set(states)
        self.states = tuple(state for state in STATES if state in present)
        self.paper_states = tuple(state for state in PAPER_STATES if state in present)
        self.settings = tuple(name for name in SETTINGS if any(view.setting == name for _, view in views))
        self._setting_of = np.array([view.setting for _, view in views], dtype=np.str_)

    def in_setting(self, setting: str, *, supported: bool) -> Bools:
        """Which views put their question in this setting, with an answer or without one; shape (views,)."""
        side = self.supported if supported else ~self.supported
        return np.asarray((self._setting_of == setting) & side, dtype=np.bool_)

    def has_every_rotation(self, setting: str, *, supported: bool) -> Bools:
        """Which groups have every circular shift of their options there, each once; shape (groups,)."""
        whole = np.zeros(len(self.groups), dtype=np.bool_)
        whole[self._rotated.get((setting, supported), [])] = True
        return whole

    @cached_property
    def _rotated(self) -> dict[tuple[str, bool], list[int]]:
        """By setting and side, the places of groups that have every circular shift, each once."""
        found: dict[tuple[str, bool], list[int]] = {}
        for place, group in enumerate(self.groups):
            sides: dict[tuple[str, bool], list[View]] = {}
            for view in group.views:
                if view.setting:
                    sides.setdefault((view.setting, isinstance(view.obligation, Answer)), []).append(view)
            for side, views in sides.items():
                due = {sum(option.role == "content" for option in view.options) for view in views}
                if len(due) == 1 and sorted(view.rotation for view in views) == list(range(due.pop())):
                    found.setdefault(side, []).append(place)
        return found

    def unpaired(self) -> int:
        """How many groups lack a rotation or a partner in a setting that the layout has."""
        whole = np.ones(len(self.groups), dtype=np.bool_)
        for setting in self.settings:
            for supported in (True, False) if setting != ORIGINAL else (True,):
                whole &= self.has_every_rotation(setting, supported=supported)
        return int((~whole).sum())

    def in_states(self, states: Iterable[str]) -> Bools:
        """Which views are in these states; shape (views,)."""
        wanted = set(states)
        return np.array([state in wanted for state in STATES], dtype=np.bool_)[self.state_of]

    def has_all(self, states: Iterable[str]) -> Bools:
        """Which groups have a view in every one of these states; shape (groups,)."""
        whole = np.ones(len(self.ids), dtype=np.bool_)
        for state in states:
            there = np.zeros(len(self.ids), dtype=np.bool_)
            there[self.group_of[self.in_states((state,))]] = True
            whole &= there
        return whole


def strata_of(groups: Sequence[Group]) -> dict[str, Layout]:
    """Groups by source and evidence level; the level is named only where a source has several."""
    parts: dict[tuple[str, str], list[Group]] = {}
    for group in groups:
        parts.setdefault((group.source, weakest_level(group)), []).append(group)
    levels = Counter(source for source, _ in parts)
    return {
        source if levels[source] == 1 else f"{source} [{level}]": Layout(source, level, part)
        for (source, level), part in sorted(parts.items())
    }


class Stratum:
    """One run's outcomes on a layout.

    Args:
        layout: the views.
        outcomes: place in ``OUTCOMES`` of every view in every repeat; shape (views, repeats).
        repeats_agree: which views gave the same readable reading in every repeat; shape (views,).
    """

    def __init__(self, layout: Layout, outcomes: Ints, repeats_agree: Bools | None = None) -> None:
        self.layout = layout
        self.repeats = int(outcomes.shape[1])
        self.outcomes = outcomes
        self.repeats_agree: Bools = np.zeros(len(outcomes), np.bool_) if repeats_agree is None else repeats_agree
        self.decision_failed: Bools = ~_DECISION_MET[outcomes]
        self.failed: Bools = outcomes != CODE["correct"]
        self.valid: Bools = _VALID[outcomes]
        self.disagrees: Bools = _DISAGREES[outcomes]

    @property
    def supported(self) -> Bools:
        """Which views must be answered; shape (views,)."""
        return self.layout.supported

    def views(self, which: Bools | None = None) -> Ints:
        """Views times repeats in every group; shape (groups,)."""
        chosen = self.layout.group_of if which is None else self.layout.group_of[which]
        return np.bincount(chosen, minlength=len(self.layout.ids)).astype(np.int64) * self.repeats

    def count(self, flags: Bools, which: Bools | None = None) -> Ints:
        """How many of the flagged (view, repeat) pairs every group has; shape (groups,)."""
        return np.asarray(self.by_instance(flags, which).sum(axis=1), dtype=np.int64)

    def by_instance(self, flags: Bools, which: Bools | None = None) -> Ints:
        """Flagged views of every group and repeat; shape (groups, repeats)."""
        groups = self.layout.group_of
        if which is not None:
            flags, groups = flags[which], groups[which]
        size = len(self.layout.ids)
        columns = [np.bincount(groups[flags[:, repeat]], minlength=size) for repeat in range(self.repeats)]
        return np.stack(columns, axis=1).astype(np.int64)

    def wholly_right(self, flags: Bools, states: Sequence[str] | None = None) -> tuple[Ints, Ints]:
        """Group-repeats without a flagged view, and all group-repeats; both of shape (groups,).

        With ``states``, over those views only, and over the groups that have every one of these states.
        """
        if states is None:
            which = None
            counted = np.ones(len(self.layout.ids), dtype=np.bool_)
        else:
            which, counted = self.layout.in_states(states), self.layout.has_all(states)
        right = (self.by_instance(flags, which) == 0).sum(axis=1) * counted
        return right.astype(np.int64), counted.astype(np.int64) * self.repeats

    def failed_views(self) -> tuple[int, ...]:
        """Number of group-repeats with 0, 1, ... k failed decisions."""
        most = int(self.views().max(initial=0)) // self.repeats
        return tuple(int(n) for n in np.bincount(self.by_instance(self.decision_failed).ravel(), minlength=most + 1))

    def losses(self) -> dict[str, int]:
        """Group-repeats by what they lost, first reason that holds: M, another decision, an answer, nothing."""
        missing = self.by_instance(self.decision_failed, self.layout.in_states(("M",))) > 0
        decision = self.by_instance(self.decision_failed) > 0
        answer = self.by_instance(self.failed) > 0
        return {
            "success": int((~answer).sum()),
            "wrong_answer": int((answer & ~decision).sum()),
            "other_decision": int((decision & ~missing).sum()),
            "missing_failure": int(missing.sum()),
        }

    def outcome_counts(self, which: Bools) -> dict[str, int]:
        """(view, repeat) pairs by outcome, every outcome named."""
        counts = np.bincount(self.outcomes[which].ravel(), minlength=len(OUTCOMES))
        return {outcome: int(counts[CODE[outcome]]) for outcome in OUTCOMES}


def constant_responder(layout: Layout, *, answers: bool) -> Stratum:
    """What a responder that always answers (each time rightly where it can) or always abstains would get."""
    if answers:
        right, wrong = CODE["correct"], CODE["false_acceptance"]
        outcomes = np.where(layout.supported, right, wrong)
    else:
        outcomes = np.where(layout.supported, CODE["false_rejection"], CODE["correct"])
    return Stratum(layout, outcomes.reshape(-1, 1).astype(np.int64))
