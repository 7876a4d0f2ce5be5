"""View metrics: decision failure by class and by state, answers, conditional disagreement (paper, appendix B)."""

from __future__ import annotations

import numpy as np

from answerable.core.records import STATES, SUPPORTED
from answerable.score.metrics.spec import Metric, Term, everywhere, texts
from answerable.score.stratum import Bools, Stratum


def _failure(stratum: Stratum, which: Bools | None) -> Term:
    return Term(stratum.count(stratum.decision_failed, which), stratum.views(which))


def _classes(stratum: Stratum, name: str) -> tuple[Term, ...]:
    layout = stratum.layout
    which = {
        "E": None,
        "E_A": layout.supported,
        "E_M": layout.in_states(("M",)),
        "E_I": layout.in_states(("I",)),
        "E_FSM": layout.in_states(("F", "S", "M")) & layout.has_all(("F", "S", "M"))[layout.group_of],
    }[name]
    return (_failure(stratum, which),)


def _balanced(stratum: Stratum, _: str) -> tuple[Term, ...]:
    return _failure(stratum, stratum.supported), _failure(stratum, ~stratum.supported)


def _disagreement(stratum: Stratum, _: str) -> tuple[Term, ...]:
    return (Term(stratum.count(stratum.disagrees), stratum.count(stratum.valid)),)


def _invalid(stratum: Stratum, _: str) -> tuple[Term, ...]:
    return (Term(stratum.count(~stratum.valid), stratum.views()),)


def _answers(stratum: Stratum, name: str) -> tuple[Term, ...]:
    which = stratum.supported if name == "A" else stratum.layout.in_states((name[2:],))
    return (Term(stratum.count(~stratum.failed, which), stratum.views(which)),)


def _by_state(stratum: Stratum, name: str) -> tuple[Term, ...]:
    return (_failure(stratum, stratum.layout.in_states((name[2:],))),)


def _repeat_agreement(stratum: Stratum, _: str) -> tuple[Term, ...]:
    views = stratum.views() // stratum.repeats
    return (Term(np.bincount(stratum.layout.group_of[stratum.repeats_agree], minlength=len(views)), views),)


def _in_words(state: str) -> str:
    return f"{state} ({STATES[state]})"


_CLASS_TEXTS = {
    "E": "share of views whose decision is not met, invalid and missing replies included: (W + I) / (V + I)",
    "E_A": "the same over supported views: false rejections, invalid and missing replies",
    "E_M": "the same over U_MISSING views: false acceptances, invalid and missing replies",
    "E_I": "the same over U_INVALID views: false acceptances, invalid and missing replies",
    "E_FSM": "the same over the F, S and M views of groups that have all three",
}

VIEW_METRICS: tuple[Metric, ...] = (
    Metric(everywhere(*_CLASS_TEXTS), _classes, texts(_CLASS_TEXTS)),
    Metric(
        everywhere("E_balanced"),
        _balanced,
        lambda _: "mean of the failure over supported views and the failure over unsupported views",
    ),
    Metric(
        everywhere("disagreement"),
        _disagreement,
        lambda _: "W/V: share of valid replies whose decision is wrong; compares only where few replies are invalid",
    ),
    Metric(
        everywhere("invalid"), _invalid, lambda _: "share of views without a valid reply: unreadable, failed, not run"
    ),
    Metric(
        everywhere("A"),
        _answers,
        lambda _: "share of supported views answered correctly; false rejections and invalid replies count wrong",
    ),
    Metric(
        lambda stratum: tuple(f"E_{state}" for state in stratum.layout.states if state not in ("M", "I")),
        _by_state,
        lambda name: f"share of views whose decision is not met, over state {_in_words(name[2:])}",
    ),
    Metric(
        lambda stratum: tuple(f"A_{state}" for state in stratum.layout.states if state in SUPPORTED),
        _answers,
        lambda name: f"share of views answered correctly, over state {_in_words(name[2:])}",
    ),
    Metric(
        lambda stratum: ("repeat_agreement",) if stratum.repeats > 1 else (),
        _repeat_agreement,
        lambda _: "share of views whose repeats all give the same readable reading; unreadable is never agreement",
    ),
)
