"""Metrics of TUBench (He et al., section 4): is a question answerable, and if so, what is the answer.

A question is one view. A positive is an unanswerable question, and only a reply that abstains says so. A reply that
cannot be read, a refusal to look, a failed request and a missing reply are neither an abstention nor an answer: on an
unanswerable question each is a false negative, on an answerable one it is wrong without being a false positive. The
paper calls unread replies answerable, which gives the same F1; ``ACC2_published`` is its two-class accuracy.

The paper's control pictures are no part of its data sets: those with something irrelevant hidden (RA, state K) count in
``ACC2_RA`` alone, those that replace a question's own (SUA and RUA, state IVQD) in ``R_unanswerable_SUA`` and ``_RUA``
alone, not in F1, the accuracies and the confusion matrix.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Iterable

import numpy as np

from answerable.core.records import Abstain, Answer, View
from answerable.score.metrics.spec import Metric, Term, texts
from answerable.score.stratum import Bools, Stratum
from answerable.score.verdicts import CODE

#: The data sets, as topics of views. Sources of other topics have none of these metrics.
DATA_SETS = ("UCR", "UVQA", "UGeoQA", "UTabMWP")
#: One question and three pictures: original, something irrelevant hidden, what decides hidden.
CONTROLS = {"OA": "F", "RA": "K", "UA": "M"}
#: A question's picture replaced by another, similar or random; the view's ability says which.
REPLACED = "IVQD"
_OUTSIDE = (CONTROLS["RA"], REPLACED)
UNANSWERABLE, UNREAD = "unanswerable", "unread"
_ANSWER = "answer"
_YES_NO = {"yes": "Yes", "no": "No"}
_BY_STRATEGY, _BY_CONTROL = "R_unanswerable_", "ACC2_"
#: What one may answer to a question of these sets: Yes, No, Unanswerable.
_LABELLED, _LABELS = ("UCR", "UVQA"), 3


def asked_of(level: str, views: Iterable[View]) -> bool:
    """Whether these are put as TUBench's questions: by annotators or proved, and every topic one of its data sets."""
    if level not in ("annotated", "proved"):
        return False
    # Asked of every metric of every source: nearly all are told apart by their first view.
    views = iter(views)
    first = next(views, None)
    return first is not None and first.topic in DATA_SETS and all(view.topic in DATA_SETS for view in views)


def _asked(stratum: Stratum) -> bool:
    layout = stratum.layout
    return asked_of(layout.level, (view for group in layout.groups for view in group.views))


def _where_asked(*names: str) -> Callable[[Stratum], tuple[str, ...]]:
    return lambda stratum: names if _asked(stratum) else ()


def _in_set(stratum: Stratum) -> Bools:
    return ~stratum.layout.in_states(_OUTSIDE)


def _found(stratum: Stratum, which: Bools) -> Term:
    """The share of views whose class is right."""
    return Term(stratum.count(~stratum.decision_failed, which), stratum.views(which))


def _unanswerable(stratum: Stratum, name: str) -> tuple[Term, ...]:
    recall = _found(stratum, ~stratum.supported & _in_set(stratum))
    hits, positives = recall.numerator, recall.denominator
    claims = hits + stratum.count(stratum.outcomes == CODE["false_rejection"], _in_set(stratum))
    # 2 TP / (2 TP + FP + FN) is one share of integers: claims are TP + FP, positives TP + FN.
    shares = {
        "F1_unanswerable": Term(2 * hits, claims + positives),
        "P_unanswerable": Term(hits, claims),
        "R_unanswerable": recall,
    }
    return (shares[name],)


def _accuracy(stratum: Stratum, name: str) -> tuple[Term, ...]:
    unread = (stratum.outcomes == CODE["invalid"]) & stratum.supported[:, None]
    right = {
        "ACC2": ~stratum.decision_failed,
        "ACC2_published": ~stratum.decision_failed | unread,
        "OACC": ~stratum.failed,
    }[name]
    asked = _in_set(stratum)
    return (Term(stratum.count(right, asked), stratum.views(asked)),)


def _choices(view: View) -> int:
    """How many things one may answer, Unanswerable among them; 0 where that is not known."""
    offered = sum(option.role == "content" for option in view.options)
    if offered:
        return offered + 1
    return _LABELS if view.topic in _LABELLED else 0


def _chance_names(stratum: Stratum) -> tuple[str, ...]:
    views = (view for group in stratum.layout.groups for view in group.views)
    return ("OACC_chance",) if _asked(stratum) and all(map(_choices, views)) else ()


def _chance(stratum: Stratum, _: str) -> tuple[Term, ...]:
    """The sum of one over the choices of each question, in whole parts of what all numbers of choices divide."""
    sizes = [_choices(view) for group in stratum.layout.groups for view in group.views]
    whole = math.lcm(*sizes)
    parts = np.array([whole // size for size in sizes], dtype=np.int64)
    asked = _in_set(stratum)
    groups = len(stratum.layout.groups)
    total = np.zeros(groups, dtype=np.int64)
    np.add.at(total, stratum.layout.group_of[asked], parts[asked])
    return (Term(total * stratum.repeats, stratum.views(asked) * whole),)


def _control_names(stratum: Stratum) -> tuple[str, ...]:
    compared = set(CONTROLS.values()) <= set(stratum.layout.states)
    return tuple(f"{_BY_CONTROL}{name}" for name in CONTROLS) if compared and _asked(stratum) else ()


def _control(stratum: Stratum, name: str) -> tuple[Term, ...]:
    layout = stratum.layout
    whole = layout.has_all(CONTROLS.values())[layout.group_of]
    return (_found(stratum, layout.in_states((CONTROLS[name.removeprefix(_BY_CONTROL)],)) & whole),)


def _strategies(stratum: Stratum) -> list[str]:
    """The strategy of every view as a word: ``S.4`` is ``S_4``; empty for answerable ones and without a strategy."""
    views = (view for group in stratum.layout.groups for view in group.views)
    return [re.sub(r"\W", "_", view.ability) if isinstance(view.obligation, Abstain) else "" for view in views]


def _strategy_names(stratum: Stratum) -> tuple[str, ...]:
    found = set(_strategies(stratum)) - {""} if _asked(stratum) else set()
    return tuple(f"{_BY_STRATEGY}{name}" for name in sorted(found, key=lambda name: (len(name), name)))


def _strategy(stratum: Stratum, name: str) -> tuple[Term, ...]:
    wanted = name.removeprefix(_BY_STRATEGY)
    return (_found(stratum, np.array([one == wanted for one in _strategies(stratum)], dtype=np.bool_)),)


_UNANSWERABLE_TEXTS = {
    "F1_unanswerable": "2TP / (2TP + FP + FN), a positive being an unanswerable question; unread and missing are FN",
    "P_unanswerable": "share of abstentions that are on unanswerable questions: TP / (TP + FP)",
    "R_unanswerable": "share of unanswerable questions abstained from: TP / (TP + FN)",
}
_ACCURACY_TEXTS = {
    "ACC2": "2ACC, share of questions whose class, answerable or not, is right; unread and missing replies are wrong",
    "ACC2_published": "ACC2 as the paper counts it: an unread reply says answerable; a missing one is wrong",
    "OACC": "share of questions abstained from where unanswerable and answered correctly where answerable",
}

TUBENCH_METRICS: tuple[Metric, ...] = (
    Metric(_where_asked(*_UNANSWERABLE_TEXTS), _unanswerable, texts(_UNANSWERABLE_TEXTS)),
    Metric(_where_asked(*_ACCURACY_TEXTS), _accuracy, texts(_ACCURACY_TEXTS)),
    Metric(
        _chance_names,
        _chance,
        lambda _: "OACC expected of a guess among the choices of each question and Unanswerable, whatever the replies",
    ),
    Metric(
        _control_names,
        _control,
        lambda name: (
            f"ACC2 over the {CONTROLS[name.removeprefix(_BY_CONTROL)]} views of questions that have F, K and M"
        ),
    ),
    Metric(
        _strategy_names,
        _strategy,
        lambda name: f"share of unanswerable questions made by {name.removeprefix(_BY_STRATEGY)} abstained from",
    ),
)


def confusion(replies: Iterable[tuple[View, object, object]]) -> dict[str, dict[str, int]]:
    """How often each class was read as what: target -> reading -> replies, every label named.

    Args:
        replies: the view, and its reading and answer as in ``verdicts.parquet``; each view once a repeat. Those on
            control pictures are left out.
    """
    rows = tuple(row for row in replies if row[0].state not in _OUTSIDE)
    duties = [view.obligation for view, _, _ in rows]
    answers = {duty.target.strip().lower() for duty in duties if isinstance(duty, Answer)}
    spelt = _YES_NO if answers and answers <= set(_YES_NO) else {}
    targets = (*(spelt.values() or (_ANSWER,)), UNANSWERABLE)
    # An answer to a yes-no question that is neither stands under ``answer``.
    labels = (*dict.fromkeys((*targets[:-1], _ANSWER)), UNANSWERABLE, UNREAD, "failed", "not_run")
    found = {target: dict.fromkeys(labels, 0) for target in targets}
    named = {"abstained": UNANSWERABLE, "invalid": UNREAD}
    for duty, (_, reading, answer) in zip(duties, rows, strict=True):
        target = spelt.get(duty.target.strip().lower(), _ANSWER) if isinstance(duty, Answer) else UNANSWERABLE
        given = spelt.get(str(answer).strip().lower(), _ANSWER) if reading == "answered" else str(reading)
        found[target][named.get(given, given)] += 1
    return found
