"""Metrics of unsolvable problem detection (Miyai et al., section 4), a group being one question under one problem.

A question counts as right in a setting when every circular shift of its options is. A rotation or a partner that the
benchmark lacks leaves the question in the denominator and out of the numerator.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from answerable.core.records import GIVEN
from answerable.score.metrics.spec import Metric, Term
from answerable.score.stratum import ORIGINAL, Bools, Stratum

#: Names of these metrics begin so; ``Original`` has no setting behind it.
VISION, LANGUAGE, TOLD = "Vision_bottleneck", "Language_bottleneck", "UPD_given"
STANDARD, UPD, DUAL, OC_DUAL, ORIGINAL_STANDARD = "Standard", "UPD", "Dual", "OC_Dual", "Original"


def right(stratum: Stratum, setting: str, *, supported: bool) -> Bools:
    """Whether every rotation is there and right; shape (groups, repeats)."""
    layout = stratum.layout
    failures = stratum.by_instance(stratum.failed, layout.in_setting(setting, supported=supported))
    whole = layout.has_every_rotation(setting, supported=supported)
    return np.asarray((failures == 0) & whole[:, None], dtype=np.bool_)


def _share(hits: Bools, of: Bools | None = None) -> tuple[Term, ...]:
    counted = np.ones_like(hits) if of is None else of
    return (Term((hits & counted).sum(axis=1).astype(np.int64), counted.sum(axis=1).astype(np.int64)),)


def _setting(name: str) -> str:
    return name.rpartition("_")[2]


def _standard(stratum: Stratum, name: str) -> tuple[Term, ...]:
    return _share(right(stratum, _setting(name), supported=True))


def _upd(stratum: Stratum, name: str) -> tuple[Term, ...]:
    return _share(right(stratum, _setting(name), supported=False))


def _both(stratum: Stratum, name: str) -> Bools:
    setting = _setting(name)
    return right(stratum, setting, supported=True) & right(stratum, setting, supported=False)


def _dual(stratum: Stratum, name: str) -> tuple[Term, ...]:
    return _share(_both(stratum, name))


def _original(stratum: Stratum, _: str) -> tuple[Term, ...]:
    return _share(right(stratum, ORIGINAL, supported=True))


def _oc_dual(stratum: Stratum, name: str) -> tuple[Term, ...]:
    return _share(_both(stratum, name), right(stratum, ORIGINAL, supported=True))


def _told(stratum: Stratum, _: str) -> tuple[Term, ...]:
    return _share(right(stratum, GIVEN, supported=False))


def _bottleneck(stratum: Stratum, name: str) -> tuple[Term, ...]:
    """Of the questions that are lost with an option to abstain: those that the told answer saves, or does not."""
    lost, saved = ~right(stratum, "option", supported=False), right(stratum, GIVEN, supported=False)
    return _share(saved if name == VISION else ~saved, lost)


def _probe_names(*names: str) -> Callable[[Stratum], tuple[str, ...]]:
    """Names where the answer is told; those that need it, only beside an option to abstain."""

    def found(stratum: Stratum) -> tuple[str, ...]:
        layout = stratum.layout
        told = layout.in_setting(GIVEN, supported=False).any()
        return names if told and ("option" in layout.settings or names == (TOLD,)) else ()

    return found


def _named(kind: str) -> Callable[[Stratum], tuple[str, ...]]:
    """A name for each setting that has unsolvable questions."""

    def names(stratum: Stratum) -> tuple[str, ...]:
        return tuple(f"{kind}_{setting}" for setting in stratum.layout.settings if setting != ORIGINAL)

    return names


def _original_names(stratum: Stratum) -> tuple[str, ...]:
    return (ORIGINAL_STANDARD,) if ORIGINAL in stratum.layout.settings else ()


def _oc_names(stratum: Stratum) -> tuple[str, ...]:
    return _named(OC_DUAL)(stratum) if _original_names(stratum) else ()


_EVERY = "every circular shift of its options"
_SAVED = {
    VISION: "those that are right once the answer is told, so that seeing is what fails",
    LANGUAGE: "those that are lost all the same once the answer is told, so that refusing is what fails",
}

UPD_METRICS: tuple[Metric, ...] = (
    Metric(_original_names, _original, lambda _: f"share of questions right in {_EVERY}, as the source puts them"),
    Metric(
        _named(STANDARD),
        _standard,
        lambda name: f"share of questions whose standard form is right in {_EVERY}; setting {_setting(name)}",
    ),
    Metric(
        _named(UPD),
        _upd,
        lambda name: (
            f"share of questions whose unsolvable form is abstained from in {_EVERY}; setting {_setting(name)}"
        ),
    ),
    Metric(
        _named(DUAL),
        _dual,
        lambda name: f"share of questions with standard and unsolvable form right; setting {_setting(name)}",
    ),
    Metric(
        _oc_names,
        _oc_dual,
        lambda name: f"Dual_{_setting(name)} among the questions that are right in the original setting",
    ),
    Metric(
        _probe_names(TOLD),
        _told,
        lambda _: f"share of questions where, told the answer, the model finds in {_EVERY} that none of them is it",
    ),
    Metric(
        _probe_names(VISION, LANGUAGE),
        _bottleneck,
        lambda name: f"among the questions whose unsolvable form is lost with an option to abstain: {_SAVED[name]}",
    ),
)
