"""Unsolvable problem detection: every printed accuracy as a whole count of questions, and what follows from them.

Dual accuracy needs the standard question and the unsolvable one right, under every rotation of the options
(section 4.2 of the paper). The ability tables determine every count, so Dual, UPD and Standard accuracy over all
questions are known exactly, although the paper prints only the Dual one.
"""

from __future__ import annotations

from fractions import Fraction
from functools import lru_cache

from answerable.core.errors import SettingsError
from answerable.core.records import Record
from answerable.score.published import load
from answerable.score.published.counts import Share, whole_count

#: Absent answer, incompatible answer set, incompatible visual question.
PROBLEMS = ("AAD", "IASD", "IVQD")
#: The settings that ask about unsolvable problems; ``original`` asks standard questions only.
SETTINGS = ("base", "option", "instruction")
METRICS = ("dual", "upd", "standard")


class Result(Record, frozen=True):
    """One printed accuracy."""

    model: str
    """As table 1 names it."""
    access: str
    """``open`` or ``closed`` weights."""
    problem: str
    """One of ``PROBLEMS``."""
    setting: str
    """One of ``SETTINGS``, or ``original``."""
    metric: str
    """One of ``METRICS``."""
    ability: str
    """Empty where it is over all questions."""
    printed: str
    """Per cent, as printed."""
    questions: int
    """How many were asked."""

    @property
    def value(self) -> Fraction:
        """Per cent, as printed, to compute with."""
        return Fraction(self.printed)

    @property
    def count(self) -> int:
        """How many questions are right.

        Raises:
            SourceError: no whole count, or several, give the printed figure.
        """
        place = (self.model, self.problem, self.setting, self.metric, self.ability)
        return whole_count(self.printed, self.questions, " ".join(part for part in place if part))


@lru_cache
def overall_results() -> tuple[Result, ...]:
    """Table 1: Dual accuracy by model, problem and setting; ``original`` is Standard accuracy with the usual prompt."""
    return tuple(
        Result(
            model, access, problem, setting, "standard" if setting == "original" else "dual", "", value,
            questions(problem),
        )
        for model, access, problem, setting, value in load("upd").table("dual").rows
    )  # fmt: skip


@lru_cache
def ability_results() -> tuple[Result, ...]:
    """Tables H to P: every accuracy by ability, 9,504 in all."""
    access = {result.model: result.access for result in overall_results()}
    asked = _asked()
    return tuple(
        Result(model, access[model], problem, setting, metric, ability, value, asked[problem, ability])
        for model, problem, setting, metric, ability, value in load("upd").table("ability").rows
    )


@lru_cache
def _asked() -> dict[tuple[str, str], int]:
    """Table B: questions by problem and ability."""
    rows = load("upd").table("counts").rows
    return {(problem, ability): int(value) for ability, _, problem, value in rows}


def questions(problem: str, ability: str = "") -> int:
    """How many questions a problem has, of one ability or in all (table B).

    Raises:
        SettingsError: no such problem, or it asks nothing of this ability.
    """
    counts = {name: asked for (where, name), asked in _asked().items() if where == problem}
    if not counts:
        raise SettingsError(f"a problem, one of {', '.join(PROBLEMS)}", f"{problem!r}")
    if ability and ability not in counts:
        raise SettingsError(f"an ability that {problem} asks, one of {', '.join(counts)}", f"{ability!r}")
    return counts[ability] if ability else sum(counts.values())


@lru_cache
def _totals() -> dict[tuple[str, str, str, str], Share]:
    found: dict[tuple[str, str, str, str], Share] = {}
    for result in ability_results():
        key = (result.problem, result.setting, result.metric, result.model)
        so_far = found.get(key, Share(0, 0))
        found[key] = Share(so_far.count + result.count, so_far.questions + result.questions)
    return found


def overall(problem: str, setting: str, metric: str, model: str) -> Share:
    """Accuracy over all questions of a problem: the counts of all abilities, added up.

    Raises:
        SettingsError: one of the names is unknown; the message lists the choices.
    """
    wanted = {"problem": problem, "setting": setting, "metric": metric, "model": model}
    for place, (name, value) in enumerate(wanted.items()):
        known = dict.fromkeys(key[place] for key in _totals())
        if value not in known:
            raise SettingsError(f"a {name}, one of {', '.join(known)}", f"{value!r}")
    return _totals()[problem, setting, metric, model]


def models() -> tuple[str, ...]:
    """The models in the order of table 1."""
    return tuple(dict.fromkeys(result.model for result in overall_results()))
