"""Parts of a source: its groups by the family of their program and its depth, by ability, topic and type of answer.

A part's figures are the source's figures with every other group left out of numerator and denominator, so they use
the same draws: whole groups of the source, of which a draw takes more or fewer from a part.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from answerable.core.records import Answer, Group, Record
from answerable.core.scores import Facet
from answerable.score.metrics.spec import Term
from answerable.score.metrics.tubench import TUBENCH_METRICS
from answerable.score.metrics.upd import UPD_METRICS
from answerable.score.stratum import Bools, Layout, Stratum

_TYPES = {"number": "number", "integer": "number", "boolean": "yes or no", "text": "text"}


def _answer_type(group: Group) -> str:
    """How the answers of a group are compared; empty where they are letters of options, or there is none."""
    found = {
        _TYPES[view.obligation.type] for view in group.views if isinstance(view.obligation, Answer) and not view.options
    }
    return found.pop() if len(found) == 1 else ""


#: How a group is told apart; empty for a group that this does not apply to.
_TOLD: dict[Facet, Callable[[Group], str]] = {
    "program": lambda group: group.views[0].program,
    "depth": lambda group: str(group.views[0].depth) if group.views[0].depth else "",
    "ability": lambda group: group.views[0].ability,
    "topic": lambda group: group.views[0].topic,
    "answer": _answer_type,
}
#: Metrics that parts are given in, beside those by state.
_METRICS = ("J", "B", "E", "E_A", "E_M", "E_I", "A")


#: Told only where a source has several of them: most have one.
_IF_SEVERAL: tuple[Facet, ...] = ("answer",)


class Part(Record, frozen=True):
    """Some groups of a layout."""

    facet: Facet
    value: str
    """A program family, a depth in digits, an ability, a topic or a type of answer."""
    members: Bools
    """Which groups; shape (groups,)."""


def parts(layout: Layout) -> tuple[Part, ...]:
    """Every part of a layout; none for a source whose questions have neither a program nor an ability."""
    found = []
    for facet, tell in _TOLD.items():
        values = [tell(group) for group in layout.groups]
        if facet in _IF_SEVERAL and len(set(values) - {""}) < 2:
            continue
        # Depths are numbers: 2 comes before 10.
        for value in sorted(set(values) - {""}, key=lambda value: (len(value), value) if facet == "depth" else value):
            members = np.array([each == value for each in values], dtype=np.bool_)
            found.append(Part(facet=facet, value=value, members=members))
    return tuple(found)


def narrowed(terms: dict[str, tuple[Term, ...]], part: Part, stratum: Stratum) -> dict[str, tuple[Term, ...]]:
    """The shares of a source, over the groups of one part only."""
    by_setting = (name for metric in (*UPD_METRICS, *TUBENCH_METRICS) for name in metric.names(stratum))
    by_state = (f"{letter}_{state}" for letter in "EA" for state in stratum.layout.states)
    names = (*_METRICS, *by_setting, *by_state)
    return {
        name: tuple(Term(term.numerator * part.members, term.denominator * part.members) for term in terms[name])
        for name in dict.fromkeys(names)
        if name in terms
    }
