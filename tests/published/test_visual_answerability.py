"""The paper's printed figures from our metrics, on synthetic outcomes with the published counts.

The counts come from the shared table (visual answerability, sections 5 and 6, appendices B and E).
"""

from __future__ import annotations

import csv
from collections.abc import Iterable, Sequence
from decimal import ROUND_HALF_UP, Decimal

import numpy as np
import pytest
from tests.score.fake import groups_of
from tests.shared import SHARED, needs_shared

from answerable.core.scores import Figure, Outcome
from answerable.score.metrics import METRICS, figure_of, measure
from answerable.score.stratum import Layout, Stratum
from answerable.score.verdicts import CODE

pytestmark = needs_shared
QWEN, GLM = "Qwen 3.8 Flash Next", "GLM 5.3 Flash"
CHART, SCENE, PHOTO = ("F", "S", "C", "M", "I"), ("F", "S", "C", "M"), ("F", "S", "M")
LETTERS: dict[str, Outcome] = {
    "r": "correct",
    "w": "wrong_answer",
    "j": "false_rejection",
    "a": "false_acceptance",
    "i": "invalid",
}


def published() -> dict[tuple[str, str, str], dict[str, str]]:
    with (SHARED / "published" / "visual_answerability.csv").open(encoding="utf-8", newline="") as file:
        return {(row["model"], row["source"], row["metric"]): row for row in csv.DictReader(file)}


def stratum(states: Sequence[str], rows: Iterable[tuple[int, str]]) -> Stratum:
    """So many groups, each with one letter a view."""
    words = [word for count, word in rows for _ in range(count)]
    layout = Layout("paper", "derived", groups_of(len(words), states=states))
    codes = [CODE[LETTERS[letter]] for word in words for letter in word]
    return Stratum(layout, np.array(codes, dtype=np.int64).reshape(-1, 1))


def figures(run: Stratum) -> dict[str, Figure]:
    return {name: figure_of(terms) for name, terms in measure(run, METRICS).items()}


def rounded(numerator: int, denominator: int, digits: int) -> str:
    """Per cent as the paper prints it: halves go up (599 of 4,000 is 14.98)."""
    share = Decimal(100 * numerator) / Decimal(denominator)
    return str(share.quantize(Decimal(1).scaleb(-digits), rounding=ROUND_HALF_UP))


def check(run: Stratum, model: str, source: str, **names: str) -> None:
    """Our figure gives the printed digits, and the printed counts where there are any."""
    table, ours = published(), figures(run)
    for printed, name in names.items():
        row, figure = table[(model, source, printed)], ours[name]
        digits = len(row["value"].partition(".")[2])
        assert figure.value is not None
        assert rounded(figure.numerator, figure.denominator, digits) == row["value"], (model, source, printed)
        if row["numerator"]:
            assert figure.numerator == int(row["numerator"]), printed
        assert figure.denominator == int(row["denominator"]), printed


def photo(model: str) -> Stratum:
    """Groups with 0, 1, 2, 3 failed views, with the published false rejections, acceptances and answers."""
    if model == QWEN:
        # 332 rejections and 438 acceptances: 16 groups with all three wrong, 137 with two, 448 with one.
        rows = [(337, "rrr"), (62, "wrr"), (16, "jja"), (43, "jjr"), (94, "jra"), (120, "jrr"), (328, "rra")]
    else:
        rows = [(245, "rrr"), (60, "wrr"), (2, "jja"), (4, "jjr"), (38, "jra"), (50, "jrr"), (601, "rra")]
    return stratum(PHOTO, rows)


def test_photo_failed_views_and_their_accounting() -> None:
    for model, first, further in ((QWEN, 601, 169), (GLM, 695, 46)):
        run = photo(model)
        table = published()
        histogram = run.failed_views()
        assert histogram == tuple(int(table[(model, "photo", f"failed_views_{k}")]["numerator"]) for k in range(4))
        failed = sum(k * groups for k, groups in enumerate(histogram))
        assert failed == int(table[(model, "photo", "E")]["numerator"]) == first + further
        assert sum(histogram[1:]) == first


@pytest.mark.parametrize("model", [QWEN, GLM])
def test_photo_decisions_and_whole_groups(model: str) -> None:
    check(photo(model), model, "photo", E="E", B="B_3", J="J_3")


def test_photo_classes() -> None:
    for model, rejections, acceptances in ((QWEN, 332, 438), (GLM, 100, 641)):
        ours = figures(photo(model))
        assert (ours["E_A"].numerator, ours["E_A"].denominator) == (rejections, 2000)
        assert (ours["E_M"].numerator, ours["E_M"].denominator) == (acceptances, 1000)
    # The paper prints 30.20 for the balanced failure of Qwen on photos.
    assert f"{100 * (figures(photo(QWEN))['E_balanced'].value or 0):.2f}" == "30.20"


def test_photo_answers() -> None:
    """1,397 of 2,000 supported views: 332 rejections leave 271 wrong answers in 62 groups and in failed ones."""
    rows = [
        (337, "rrr"), (62, "wrr"), (16, "jja"), (43, "jjr"), (94, "jwa"), (115, "jwr"), (5, "jrr"), (328, "rra"),
    ]  # fmt: skip
    run = stratum(PHOTO, rows)
    check(run, QWEN, "photo", A="A", E="E", B="B_3", J="J_3")


def test_the_photo_ranking_turns_with_the_unit() -> None:
    qwen, glm = figures(photo(QWEN)), figures(photo(GLM))
    assert qwen["E"].numerator - glm["E"].numerator == 29
    assert qwen["B_3"].numerator - glm["B_3"].numerator == 94
    assert f"{100 * ((qwen['E'].value or 0) - (glm['E'].value or 0)):+.2f}" == "+0.97"
    assert f"{100 * ((qwen['J'].value or 0) - (glm['J'].value or 0)):+.1f}" == "+9.2"


def chart() -> Stratum:
    """570 successes, 265 wrong after right decisions, 113 M failures, 52 other failures: 190 failed views.

    49 rejections (39 on F and S), 113 acceptances on M and 28 on I; 478 wrong numbers.
    """
    rows = [
        (570, "rrrrr"), (52, "wrrrr"), (213, "wwrrr"), (88, "rrrar"), (13, "jrrar"), (10, "rrjar"), (2, "rrraa"),
        (26, "jrrrr"), (26, "rrrra"),
    ]  # fmt: skip
    return stratum(CHART, rows)


def test_chart_decomposition() -> None:
    run = chart()
    assert run.losses() == {"success": 570, "wrong_answer": 265, "other_decision": 52, "missing_failure": 113}
    check(run, QWEN, "chart", E="E", B="B_5", J="J_5", E_M="E_M", A="A", false_rejection="E_A")
    check(run, QWEN, "chart", B_FSM="B_FSM", E_FSM="E_FSM")
    ours = figures(run)
    assert f"{100 * (ours['B_5'].value or 0) - 100 * (ours['J_5'].value or 0):.1f}" == "26.5"


def test_chart_failures_by_class_add_up_to_the_printed_total() -> None:
    ours = figures(chart())
    assert ours["E"].numerator == ours["E_A"].numerator + ours["E_M"].numerator + ours["E_I"].numerator
    assert ours["E_A"].numerator == 49
    assert ours["E_M"].numerator == 113


def test_invalid_replies_fail_in_their_class_and_leave_the_conditional_rate() -> None:
    """Molmo2-8B on charts: 536 valid false acceptances and two invalid replies in M."""
    run = stratum(CHART, [(536, "rrrar"), (2, "rrrir"), (5, "rrrri"), (1, "irrrr"), (456, "rrrrr")])
    check(run, "Molmo2-8B", "chart", E_M="E_M")
    ours = figures(run)
    assert (ours["disagreement"].numerator, ours["disagreement"].denominator) == (536, 4992)
    assert (ours["E"].numerator, ours["E"].denominator) == (544, 5000)
    assert ours["invalid"].numerator == 8


def test_scene_whole_groups_and_missing_states() -> None:
    """546 groups fail a decision, 19 more an answer; 478 acceptances and one invalid reply in M."""
    rows = [
        (435, "rrrr"), (19, "wrrr"), (425, "rrra"), (38, "jrra"), (15, "rrja"), (1, "rrri"), (47, "rjrr"), (20, "rrjr"),
    ]  # fmt: skip
    check(stratum(SCENE, rows), QWEN, "scene", E="E", E_M="E_M", B="B_4", J="J_4", B_FSM="B_FSM", E_FSM="E_FSM")
    assert stratum(SCENE, rows).losses()["missing_failure"] == 479


def test_the_other_printed_rates_follow_from_their_counts() -> None:
    for (model, source, metric), row in published().items():
        if row["numerator"]:
            digits = len(row["value"].partition(".")[2])
            share = rounded(int(row["numerator"]), int(row["denominator"]), digits)
            assert share == row["value"], (model, source, metric)


def test_always_answering_on_scenes_fails_a_quarter_and_completes_nothing() -> None:
    always = figures(stratum(SCENE, [(1000, "rrra")]))
    assert (always["E"].value, always["J"].value) == (0.25, 0.0)
