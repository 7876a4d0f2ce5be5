"""Every metric on small groups counted by hand."""

from __future__ import annotations

from fractions import Fraction

import numpy as np

from answerable.core.scores import Figure
from answerable.score.metrics import METRICS, figure_of, measure
from answerable.score.metrics.spec import definitions, exact
from answerable.score.stratum import Layout, Stratum, constant_responder, weakest_level
from answerable.score.verdicts import CODE
from tests.score.fake import group_of, groups_of

STATES = ("F", "S", "K", "C", "M", "I")
#: One letter an outcome: right, wrong answer, false rejection, false acceptance, invalid, failed, not run.
LETTERS = dict(zip("rwjaifn", CODE.values(), strict=True))


def stratum(*rows: str, states: tuple[str, ...] = STATES, repeats: int = 1) -> Stratum:
    """A group a word, a letter a view; with repeats, that many words a group."""
    layout = Layout("chart", "proved", groups_of(len(rows) // repeats, states=states))
    codes = [[LETTERS[letter] for letter in row] for row in rows]
    table = np.array(codes, dtype=np.int64).reshape(len(rows) // repeats, repeats, -1).transpose(0, 2, 1)
    return Stratum(layout, table.reshape(-1, repeats))


def values(run: Stratum) -> dict[str, Fraction | None]:
    return {name: exact(terms) for name, terms in measure(run, METRICS).items()}


def counts(run: Stratum, name: str) -> tuple[int, int]:
    figure = figure_of(measure(run, METRICS)[name])
    return figure.numerator, figure.denominator


def test_every_metric_by_hand() -> None:
    run = stratum("rrrrrr", "rwrrrr", "rrjrrr", "rrrrar", "irrrri", "frrnra")
    assert {name: counts(run, name) for name in measure(run, METRICS) if name != "E_balanced"} == {
        "J": (1, 6), "B": (2, 6), "J_5": (2, 6), "B_5": (3, 6), "B_FSM": (3, 6),
        "E": (7, 36), "E_A": (4, 24), "E_M": (1, 6), "E_I": (2, 6), "E_FSM": (3, 18),
        "disagreement": (3, 32), "invalid": (4, 36), "A": (19, 24),
        "E_F": (2, 6), "E_S": (0, 6), "E_K": (1, 6), "E_C": (1, 6),
        "A_F": (4, 6), "A_S": (5, 6), "A_K": (5, 6), "A_C": (5, 6),
    }  # fmt: skip
    assert values(run)["E_balanced"] == (Fraction(4, 24) + Fraction(3, 12)) / 2
    assert run.failed_views() == (2, 2, 1, 1, 0, 0, 0)
    assert run.losses() == {"success": 1, "wrong_answer": 1, "other_decision": 3, "missing_failure": 1}


def test_paper_metrics_leave_out_our_states() -> None:
    run = stratum("rrjrrr")
    assert values(run)["J_5"] == 1
    assert values(run)["J"] == 0


def test_k_is_the_number_of_paper_states_of_the_source() -> None:
    assert {"J_4", "B_4"} <= set(values(stratum("rrrr", states=("F", "S", "C", "M"))))
    assert {"J_3", "B_3"} <= set(values(stratum("rrr", states=("F", "S", "M"))))


def test_a_state_the_source_lacks_is_undefined_not_zero() -> None:
    run = stratum("rrr", states=("F", "S", "M"))
    assert values(run)["E_I"] is None
    assert figure_of(measure(run, METRICS)["E_I"]) == Figure(None, 0, 0)
    only = stratum("r", states=("F",))
    assert values(only)["E_balanced"] is None
    assert figure_of(measure(only, METRICS)["E_balanced"]) == Figure(None, 0, 0)


def test_disagreement_without_valid_replies_is_undefined() -> None:
    assert values(stratum("iiffnn"))["disagreement"] is None


def test_groups_that_lack_a_state_leave_the_common_state_figures() -> None:
    layout = Layout("chart", "proved", [group_of("a", states=("F", "S", "M")), group_of("b", states=("F", "M"))])
    run = Stratum(layout, np.zeros((5, 1), dtype=np.int64))
    assert counts(run, "B_FSM") == (1, 1)
    assert counts(run, "E_FSM") == (0, 3)
    assert counts(run, "J") == (2, 2)
    assert counts(run, "J_3") == (1, 1)


def test_repeats_are_instances_of_their_group() -> None:
    run = stratum("rrr", "rrj", "rrr", "rrr", states=("F", "S", "M"), repeats=2)
    assert counts(run, "J") == (3, 4)
    assert counts(run, "E") == (1, 12)
    assert sum(run.losses().values()) == 4
    assert run.failed_views() == (3, 1, 0, 0)


def test_repeat_agreement_is_given_for_repeats_only() -> None:
    assert "repeat_agreement" not in values(stratum("rrr", states=("F", "S", "M")))
    layout = Layout("chart", "proved", groups_of(1, states=("F", "S", "M")))
    run = Stratum(layout, np.zeros((3, 2), dtype=np.int64), np.array([True, False, True]))
    assert counts(run, "repeat_agreement") == (2, 3)


def test_constant_responders() -> None:
    """stat-010: refusing everything gets every unanswerable view right and no group."""
    layout = Layout("chart", "proved", groups_of(3, states=("F", "M")))
    abstains, answers = (
        values(constant_responder(layout, answers=False)),
        values(constant_responder(layout, answers=True)),
    )
    assert [abstains[name] for name in ("A", "E_M", "J", "E_balanced")] == [0, 0, 0, Fraction(1, 2)]
    assert [answers[name] for name in ("E", "E_M", "J", "E_A")] == [Fraction(1, 2), 1, 0, 0]
    no_missing = Layout("chart", "proved", groups_of(2, states=("F", "S")))
    assert values(constant_responder(no_missing, answers=True))["J"] == 1


def test_the_level_of_a_group_is_that_of_its_weakest_view() -> None:
    strong, weak = group_of("g", level="proved"), group_of("g", level="annotated")
    assert weakest_level(strong) == "proved"
    mixed = type(strong)(id="g", source="chart", split="test", views=(*strong.views[:2], weak.views[2]))
    assert weakest_level(mixed) == "annotated"


def test_groups_are_sorted_by_id() -> None:
    groups = groups_of(4)
    assert Layout("chart", "proved", groups[::-1]).ids == Layout("chart", "proved", groups).ids


def test_every_metric_is_defined_in_words() -> None:
    run = stratum("rrrrrr")
    words = definitions([run], METRICS)
    assert set(words) == set(measure(run, METRICS))
    assert all(len(text) > 20 for text in words.values())
