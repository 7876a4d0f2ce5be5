"""Figures by program family and depth: the same as those of a benchmark of these groups alone."""

from __future__ import annotations

from pathlib import Path

import msgspec
import pytest

from answerable.core.benchmark import Benchmark
from answerable.core.records import Answer, AnswerType, Group, Option, View
from answerable.core.scores import PartScores, SourceScores
from answerable.score.metrics import METRICS, measure
from answerable.score.parts import narrowed, parts
from answerable.score.pipeline import score_runs
from answerable.score.stratum import Layout, constant_responder
from tests.score.fake import ABSTAINS, answered, asking, group_of, groups_of, oracle, write_benchmark, write_run

KINDS = [("look-up", 1), ("comparison", 2), ("look-up", 1), ("comparison", 10), ("look-up", 1), ("", 0)]
GROUPS = [
    asking(group_of(f"chart-{number:05d}", states=("F", "S", "K", "M") if number == 1 else ("F", "S", "C", "M")), *kind)
    for number, kind in enumerate(KINDS)
]


def policy(view: View) -> str:
    """Wrong on M of every look-up and on F of group 3."""
    if view.state == "M" and view.program == "look-up":
        return answered("7")
    return ABSTAINS if (view.group, view.state) == ("chart-00003", "F") else oracle(view)


def scored(folder: Path, groups: list[Group]) -> SourceScores:
    bench = write_benchmark(folder / "bench", groups)
    run = write_run(folder / "run", bench, policy)
    return score_runs(bench, [run], draws=300).scores.runs[0].sources["chart"]


def test_parts_are_named_in_order_and_groups_without_a_program_are_in_none() -> None:
    found = parts(Layout("chart", "proved", GROUPS))
    assert [(part.facet, part.value, part.members.tolist()) for part in found] == [
        ("program", "comparison", [False, True, False, True, False, False]),
        ("program", "look-up", [True, False, True, False, True, False]),
        ("depth", "1", [True, False, True, False, True, False]),
        ("depth", "2", [False, True, False, False, False, False]),
        ("depth", "10", [False, False, False, True, False, False]),
    ]


def test_a_source_without_programs_has_no_parts(tmp_path: Path) -> None:
    assert scored(tmp_path, groups_of(3)).parts == ()


def by_name(source: SourceScores) -> dict[tuple[str, str], PartScores]:
    return {(part.facet, part.value): part for part in source.parts}


@pytest.mark.parametrize("program", ["look-up", "comparison"])
def test_a_part_has_the_counts_of_a_benchmark_of_its_groups_alone(tmp_path: Path, program: str) -> None:
    part = by_name(scored(tmp_path / "all", GROUPS))["program", program]
    alone = scored(tmp_path / "alone", [group for group in GROUPS if group.views[0].program == program])
    assert (part.groups, part.views) == (alone.groups, alone.views)
    assert {
        name: (figure.value, figure.numerator, figure.denominator) for name, figure in alone.metrics.items()
    }.items() >= {
        name: (figure.value, figure.numerator, figure.denominator)
        for name, figure in part.metrics.items()
        if name in alone.metrics
    }.items()
    missing = {name for name in part.metrics if name not in alone.metrics}
    assert all(part.metrics[name].value is None for name in missing), "a state the part lacks is undefined, not 0"


def test_the_parts_of_a_facet_add_up(tmp_path: Path) -> None:
    source = scored(tmp_path, [group for group in GROUPS if group.views[0].program])
    for facet in ("program", "depth"):
        held = [part for part in source.parts if part.facet == facet]
        for name in ("J", "B", "E", "E_M", "A", "E_K"):
            whole = source.metrics[name]
            sums = tuple(
                sum(getattr(part.metrics[name], side) for part in held) for side in ("numerator", "denominator")
            )
            assert sums == (whole.numerator, whole.denominator), (facet, name)


def test_figures_of_parts_have_intervals(tmp_path: Path) -> None:
    found = by_name(scored(tmp_path, GROUPS))
    assert found["program", "look-up"].metrics["J"].value == 0
    assert found["program", "comparison"].metrics["J"].interval == (0.0, 1.0)
    lookup = found["program", "look-up"].metrics["J"]
    assert lookup.interval == (0.0, 0.0) and lookup.wilson is not None and lookup.wilson[1] > 0.4


def test_narrowing_leaves_out_what_parts_are_not_given_in() -> None:
    layout = Layout("chart", "proved", GROUPS)
    stratum = constant_responder(layout, answers=True)
    names = narrowed(measure(stratum, METRICS), parts(layout)[0], stratum)
    assert {"J", "E_K", "A_F", "E_M"} <= names.keys() and "disagreement" not in names


def test_the_draws_of_the_whole_do_not_change_with_its_parts(tmp_path: Path) -> None:
    plain = [asking(group, "", 0) for group in GROUPS]

    def whole(folder: Path, groups: list[Group]) -> SourceScores:
        bench: Benchmark = write_benchmark(folder / "bench", groups)
        run = write_run(folder / "run", bench, oracle)
        return score_runs(bench, [run], draws=300).scores.runs[0].sources["chart"]

    one, other = whole(tmp_path / "a", GROUPS), whole(tmp_path / "b", plain)
    assert one.metrics == other.metrics and one.parts and not other.parts


def test_types_of_answers_are_told_where_there_are_several(tmp_path: Path) -> None:
    def answering(group: Group, target: str, kind: AnswerType) -> Group:
        views = tuple(
            msgspec.structs.replace(view, obligation=Answer(target=target, type=kind))
            if isinstance(view.obligation, Answer)
            else view
            for view in group.views
        )
        return msgspec.structs.replace(group, views=views)

    numbers = [group for group in GROUPS if group.id != "chart-00001"]
    alike = Layout("chart", "proved", numbers)
    assert not [part for part in parts(alike) if part.facet == "answer"]
    mixed = [answering(numbers[0], "yes", "boolean"), answering(numbers[1], "red", "text"), *numbers[2:]]
    found = [part for part in parts(Layout("chart", "proved", mixed)) if part.facet == "answer"]
    assert [(part.value, int(part.members.sum())) for part in found] == [("number", 3), ("text", 1), ("yes or no", 1)]
    lettered = [
        msgspec.structs.replace(
            group, views=tuple(msgspec.structs.replace(view, options=(Option("A", "1"),)) for view in group.views)
        )
        for group in mixed
    ]
    assert not [part for part in parts(Layout("chart", "proved", lettered)) if part.facet == "answer"]
