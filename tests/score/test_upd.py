"""Unsolvable problem detection: every rotation, both partners, and nothing that is missing is right or left out."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from answerable.core.records import Answer, Group, Setting, View
from answerable.core.scores import Scores, SourceScores
from answerable.score.metrics import METRICS, figure_of, measure
from answerable.score.pipeline import score_runs
from answerable.score.stratum import Layout, Stratum
from answerable.score.verdicts import CODE
from tests.score.choices import choice_group
from tests.score.fake import Policy, write_benchmark, write_run

ABSTAINS = "None of the above."


def oracle(view: View) -> str:
    return f"({view.obligation.target})" if isinstance(view.obligation, Answer) else ABSTAINS


def but(**changes: str) -> Policy:
    """An oracle but for views named ``group_setting_state_rotation``."""

    def reply(view: View) -> str:
        return changes.get(f"{view.group}_{view.setting}_{view.state}_{view.rotation}", oracle(view))

    return reply


def scored(tmp_path: Path, groups: list[Group], *policies: Policy) -> Scores:
    bench = write_benchmark(tmp_path / "bench", groups, reader="mcq")
    runs = [write_run(tmp_path / f"r{number}", bench, policy) for number, policy in enumerate(policies)]
    return score_runs(bench, runs, draws=100).scores


def source(scores: Scores, run: int = 0, name: str = "mc-aad") -> SourceScores:
    return scores.runs[run].sources[name]


def counts(found: SourceScores) -> dict[str, tuple[int, int]]:
    return {name: (figure.numerator, figure.denominator) for name, figure in found.metrics.items()}


def test_every_metric_by_hand(tmp_path: Path) -> None:
    groups = [choice_group(name) for name in ("g0", "g1", "g2", "g3")]
    policy = but(
        g0_base_F_1="A" if oracle(groups[0].views[1]) != "(A)" else "B",  # one rotation wrong: no standard, no dual
        g1_base_AAD_0="A",  # answers what nothing answers
        g2_original_F_2=ABSTAINS,  # not right in the original setting
        g2_option_AAD_1="A",
        g3_instruction_F_0="E) mauve",  # unreadable
    )
    assert (
        counts(source(scored(tmp_path, groups, policy))).items()
        >= {
            "Original": (3, 4),
            "Standard_base": (3, 4), "UPD_base": (3, 4), "Dual_base": (2, 4), "OC_Dual_base": (1, 3),
            "Standard_option": (4, 4), "UPD_option": (3, 4), "Dual_option": (3, 4), "OC_Dual_option": (3, 3),
            "Standard_instruction": (3, 4), "UPD_instruction": (4, 4), "Dual_instruction": (3, 4),
            "OC_Dual_instruction": (2, 3),
        }.items()
    )  # fmt: skip


def test_naming_the_removed_answer_or_the_instructed_letter_abstains(tmp_path: Path) -> None:
    groups = [choice_group("g")]

    def policy(view: View) -> str:
        if isinstance(view.obligation, Answer):
            return oracle(view)
        return {"base": "I cannot answer this.", "option": view.options[-1].letter, "instruction": "F"}[view.setting]

    found = counts(source(scored(tmp_path, groups, policy)))
    assert {found[f"Dual_{setting}"] for setting in ("base", "option", "instruction")} == {(1, 1)}


@pytest.mark.parametrize(
    "missing", [("base", "F", 1), ("base", "AAD", 0), ("base", "F", 0)], ids=["rotation", "partner's", "first"]
)
def test_a_missing_rotation_is_never_right_and_never_left_out(tmp_path: Path, missing: tuple[str, str, int]) -> None:
    """grp-002, grp-003: peers score it right, or drop the question."""
    groups = [choice_group("whole"), choice_group("torn", without=[missing])]
    scores = scored(tmp_path, groups, oracle)
    found = counts(source(scores))
    assert found["Dual_base"] == (1, 2)
    assert found["Dual_option"] == (2, 2)
    assert any(
        note == "INCOMPLETE QUESTIONS mc-aad: 1 of 2 lack a rotation or a partner in some setting; they stay in every"
        " denominator and count as not right."
        for note in scores.notes
    )


def test_a_question_without_its_partner_stays_in_the_denominator(tmp_path: Path) -> None:
    """grp-005: an inner join would give 1 of 1."""
    without = [("base", "AAD", rotation) for rotation in range(3)]
    scores = scored(tmp_path, [choice_group("whole"), choice_group("alone", without=without)], oracle)
    assert counts(source(scores))["Dual_base"] == (1, 2)
    assert counts(source(scores))["Standard_base"] == (2, 2)


def test_a_whole_benchmark_has_no_such_note(tmp_path: Path) -> None:
    assert not any("lack" in note for note in scored(tmp_path, [choice_group("g")], oracle).notes)


def test_problems_are_sources_and_abilities_and_topics_are_parts(tmp_path: Path) -> None:
    groups = [
        choice_group("a", ability="Colour"), choice_group("b", ability="Shape"), choice_group("c", "IVQD"),
    ]  # fmt: skip
    scores = scored(tmp_path, groups, but(b_base_AAD_0="A"))
    assert set(scores.runs[0].sources) == {"mc-aad", "mc-ivqd"}
    parts = {(part.facet, part.value): part.metrics for part in source(scores).parts}
    assert set(parts) == {
        ("ability", "Colour"), ("ability", "Shape"), ("topic", "over Colour"), ("topic", "over Shape"),
    }  # fmt: skip
    assert [parts["ability", name]["Dual_base"].value for name in ("Colour", "Shape")] == [1.0, 0.0]
    assert parts["ability", "Shape"]["Dual_option"].value == 1.0


def test_a_benchmark_without_choices_has_none_of_these_metrics(tmp_path: Path) -> None:
    from tests.score.fake import groups_of

    bench = write_benchmark(tmp_path / "bench", groups_of(2))
    run = write_run(tmp_path / "r", bench, lambda _: "x")
    metrics = score_runs(bench, [run], draws=10).scores.runs[0].sources["chart"].metrics
    assert not [name for name in metrics if name.startswith(("Dual", "Standard", "UPD", "OC", "Original"))]


def test_correlations_over_runs(tmp_path: Path) -> None:
    groups = [choice_group(f"g{number}") for number in range(4)]

    def weak(level: int) -> Policy:
        """Right in the original setting on ``level`` questions, and dual on one fewer."""
        changes = {f"g{n}_original_F_0": ABSTAINS for n in range(level, 4)}
        changes |= {f"g{n}_base_AAD_0": "A" for n in range(level - 1, 4)}
        return but(**changes)

    scores = scored(tmp_path, groups, weak(1), weak(2), weak(4))
    found = {(one.x, one.y): one for one in scores.correlations}
    assert {one.source for one in scores.correlations} == {"mc-aad"}
    both = found["Original", "Dual_base"]
    assert both.pearson == pytest.approx(1.0) and both.spearman == pytest.approx(1.0) and both.runs == 3
    assert found["Original", "Dual_option"].pearson is None, "no variance is undefined, not 0"
    assert ("Dual_base", "OC_Dual_base") in found
    assert scored(tmp_path / "two", groups, weak(1), weak(2)).correlations == ()


def test_told_answers_tell_seeing_from_refusing(tmp_path: Path) -> None:
    settings: tuple[Setting, ...] = ("option", "given")
    groups = [choice_group(f"g{number}", settings=settings) for number in range(4)]
    policy = but(
        g0_option_AAD_0="A",  # lost, and saved by the told answer: seeing fails
        g1_option_AAD_1="A",
        g1_given_AAD_0="A",  # lost both ways: refusing fails
        g2_given_AAD_1="A",  # right with the option: not counted among the lost
    )
    found = counts(source(scored(tmp_path, groups, policy)))
    assert found["UPD_option"] == (2, 4) and found["UPD_given"] == (2, 4)
    assert found["Vision_bottleneck"] == (1, 2) and found["Language_bottleneck"] == (1, 2)
    assert not {"Standard_given", "Dual_given", "OC_Dual_given"} & found.keys()


def test_a_probe_alone_has_no_bottleneck_and_nothing_lost_is_undefined(tmp_path: Path) -> None:
    alone = counts(source(scored(tmp_path / "a", [choice_group("g", settings=("given",))], oracle)))
    assert alone["UPD_given"] == (1, 1) and "Vision_bottleneck" not in alone
    whole = source(scored(tmp_path / "b", [choice_group("g", settings=("option", "given"))], oracle))
    assert whole.metrics["Vision_bottleneck"].value is None


@given(st.lists(st.lists(st.booleans(), min_size=21, max_size=21), min_size=1, max_size=6))
def test_dual_is_never_above_either_and_oc_dual_counts_within_original(rights: list[list[bool]]) -> None:
    groups = [choice_group(f"g{number}", settings=("base", "original"), count=4) for number in range(len(rights))]
    layout = Layout("mc-aad", "annotated", groups)
    flat = [right for row, group in zip(rights, groups, strict=True) for right in (row * 2)[: len(group.views)]]
    codes = [[CODE["correct"] if right else CODE["wrong_answer"]] for right in flat]
    import numpy as np

    stratum = Stratum(layout, np.array(codes, dtype=np.int64))
    figures = {name: figure_of(terms) for name, terms in measure(stratum, METRICS).items()}
    dual, standard, upd = (figures[f"{name}_base"] for name in ("Dual", "Standard", "UPD"))
    assert dual.numerator <= min(standard.numerator, upd.numerator)
    assert dual.denominator == standard.denominator == upd.denominator == len(groups)
    assert figures["OC_Dual_base"].denominator == figures["Original"].numerator
    assert figures["OC_Dual_base"].numerator <= dual.numerator
    by_hand = sum(
        all(right for right, view in zip((row * 2), group.views, strict=False) if view.setting == "base")
        for row, group in zip(rights, groups, strict=True)
    )
    assert dual.numerator == by_hand
