"""Unsolvable problem detection: its overall tables rebuilt from its ability tables, to the printed digit.

Every cell of the ability tables is the share of a whole count of questions, printed with a half going to the even
digit. Adding the counts of the abilities gives all 198 Dual figures of table 1 without exception. Adding the printed
percentages instead would miss 13 of them by a tenth.

Original Standard accuracy (66 figures of table 1) stands in no other table by ability, so it cannot be rebuilt: that
each is a whole count, bounds the Dual figures and stands in table E as well is all there is to check.
"""

from __future__ import annotations

import csv
from collections import Counter
from collections.abc import Callable, Iterator
from decimal import ROUND_HALF_DOWN, ROUND_HALF_EVEN, ROUND_HALF_UP, Decimal
from fractions import Fraction

import pytest
from tests.shared import SHARED, needs_shared

from answerable.core.errors import SourceError
from answerable.score.correlation import pearson
from answerable.score.published import load
from answerable.score.published.counts import printed, whole_count
from answerable.score.published.upd import (
    METRICS,
    PROBLEMS,
    SETTINGS,
    Result,
    ability_results,
    models,
    overall,
    overall_results,
    questions,
)


def table_1() -> dict[tuple[str, str, str], Result]:
    return {(one.model, one.problem, one.setting): one for one in overall_results()}


def digits(value: Fraction, rounding: str = ROUND_HALF_EVEN) -> str:
    """One digit after the point, by decimal arithmetic: a second way beside the module's own."""
    return str((Decimal(value.numerator) / Decimal(value.denominator)).quantize(Decimal("0.1"), rounding))


def rows(name: str) -> Iterator[tuple[dict[str, str], str]]:
    """The keys and the figure of every row of a table."""
    table = load("upd").table(name)
    for *keys, value in table.rows:
        yield dict(zip(table.sheet.fields, keys, strict=True)), value


# The ability tables -------------------------------------------------------------------------------------------------


def test_the_tables_are_whole() -> None:
    """22 models, 3 problems with 18, 18 and 12 abilities, 3 settings, 3 metrics."""
    found = ability_results()
    assert len(found) == 22 * (18 + 18 + 12) * 3 * 3 == 9504
    assert len({(one.model, one.problem, one.setting, one.metric, one.ability) for one in found}) == 9504
    assert [questions(problem) for problem in PROBLEMS] == [820, 919, 356]
    assert {one.problem: one.questions for one in overall_results()} == {"AAD": 820, "IASD": 919, "IVQD": 356}
    assert [one.problem for one in found].count("IVQD") == 22 * 12 * 9


def test_every_cell_is_one_whole_count_of_questions() -> None:
    for one in ability_results():
        assert digits(Fraction(100 * one.count, one.questions)) == one.printed
        neighbours = [count for count in (one.count - 1, one.count + 1) if 0 <= count <= one.questions]
        assert all(digits(Fraction(100 * count, one.questions)) != one.printed for count in neighbours)


def test_a_half_goes_to_the_even_digit() -> None:
    """128 shares fall between two digits (16 or 32 questions): 59 contradict half up, 69 half down, none half even."""
    misses: Counter[str] = Counter()
    for one in ability_results():
        share = Fraction(100 * one.count, one.questions)
        halfway = (10 * share).denominator == 2
        assert not halfway or one.questions in (16, 32)
        misses["halfway"] += halfway
        for rounding in (ROUND_HALF_UP, ROUND_HALF_DOWN, ROUND_HALF_EVEN):
            misses[rounding] += digits(share, rounding) != one.printed
    assert +misses == {"halfway": 128, ROUND_HALF_UP: 59, ROUND_HALF_DOWN: 69}


def fitting(problem: str) -> dict[str, set[str]]:
    """For every column of a problem's tables, the abilities whose number of questions makes all its cells whole."""
    cells: dict[str, set[str]] = {}
    for one in ability_results():
        if one.problem == problem:
            cells.setdefault(one.ability, set()).add(one.printed)
    possible = {
        ability: {printed(count, questions(problem, ability)) for count in range(questions(problem, ability) + 1)}
        for ability in cells
    }
    return {column: {ability for ability in cells if found <= possible[ability]} for column, found in cells.items()}


def test_the_columns_can_be_read_in_one_order_only() -> None:
    """The order of columns, alphabetical by ability, is the only one that makes both 18-column tables whole counts.

    In the tables of IVQD two abilities have 23 questions each; only these two could be exchanged.
    """
    first, second, third = (fitting(problem) for problem in PROBLEMS)
    assert {column: first[column] & second[column] for column in first} == {column: {column} for column in first}
    same = {"Attribute Comparison", "Physical Property Reasoning"}
    assert {column: found for column, found in third.items() if found != {column}} == {
        **dict.fromkeys(same, same),
        # What is a whole count of 18 or 15 questions is one of 36 or 45 too, but not the other way round.
        "Attribute Recognition": {"Attribute Recognition", "Object Localization"},
        "Physical Relation": {"Physical Relation", "Nature Relation"},
    }
    order = load("upd").table("ability").sheet.columns
    assert list(order) == sorted(order, key=str.casefold)


def test_the_order_of_table_a_leaves_most_cells_without_a_count() -> None:
    """Columns #1, #2, ... read as table A numbers the abilities: 7,533 of 9,504 cells are no whole count."""
    alphabetical = load("upd").table("ability").sheet.columns
    numbered = load("upd").table("counts").sheet
    assert numbered.keys == ("ability", "number")
    by_number = list(dict.fromkeys(keys["ability"] for keys, _ in rows("counts")))
    wrong: Counter[str] = Counter()
    for problem in PROBLEMS:
        asked = {keys["ability"]: int(value) for keys, value in rows("counts") if keys["problem"] == problem}
        columns = [ability for ability in alphabetical if ability in asked]
        other = dict(zip(columns, (ability for ability in by_number if ability in asked), strict=True))
        for one in (one for one in ability_results() if one.problem == problem):
            try:
                whole_count(one.printed, asked[other[one.ability]])
            except SourceError:
                wrong[problem] += 1
    assert wrong == {"AAD": 2896, "IASD": 3104, "IVQD": 1533}


def test_dual_accuracy_is_possible_given_the_other_two() -> None:
    """A pair is right when both questions are: at most the smaller count, at least what must overlap."""
    counts = {(one.model, one.problem, one.setting, one.ability, one.metric): one for one in ability_results()}
    checked = 0
    for (*place, metric), one in counts.items():
        if metric != "dual":
            continue
        model, problem, setting, ability = place
        unsolvable = counts[model, problem, setting, ability, "upd"].count
        standard = counts[model, problem, setting, ability, "standard"].count
        assert unsolvable + standard - one.questions <= one.count <= min(unsolvable, standard), place
        checked += 1
    assert checked == 9504 // 3


# Table 1 ------------------------------------------------------------------------------------------------------------


def misses(rebuild: Callable[[str, str, str], str]) -> set[tuple[str, str, str]]:
    """The Dual figures of table 1 that come out otherwise: (problem, setting, model)."""
    figures = [one for one in overall_results() if one.setting != "original"]
    assert len(figures) == 198
    return {
        (one.problem, one.setting, one.model)
        for one in figures
        if rebuild(one.problem, one.setting, one.model) != one.printed
    }


def test_every_dual_figure_is_the_sum_of_the_counts_of_its_abilities() -> None:
    assert misses(lambda problem, setting, model: overall(problem, setting, "dual", model).printed) == set()
    # No sum of counts lies between two digits, so here the kind of rounding does not show.
    for one in overall_results():
        assert (Fraction(1000 * one.count, one.questions)).denominator != 2


def weighted(problem: str, setting: str, model: str) -> str:
    """The mean of the printed percentages, weighted by the number of questions."""
    place = (model, problem, setting, "dual")
    cells = [one for one in ability_results() if (one.model, one.problem, one.setting, one.metric) == place]
    return digits(sum((one.value * one.questions for one in cells), Fraction(0)) / questions(problem))


def plain(problem: str, setting: str, model: str) -> str:
    """The mean of the printed percentages of the abilities, each counted once."""
    place = (model, problem, setting, "dual")
    cells = [one.value for one in ability_results() if (one.model, one.problem, one.setting, one.metric) == place]
    return digits(sum(cells, Fraction(0)) / len(cells))


#: Where the rounding of single abilities adds up to a tenth.
ROUNDED_TWICE = {
    ("AAD", "instruction", "idefics3-8B"), ("AAD", "option", "InternVL2-40B"), ("IASD", "base", "InternVL2-40B"),
    ("IASD", "base", "LLaVA-OV-7B"), ("IASD", "option", "InternVL2-40B"), ("IASD", "option", "Qwen2-VL-7B"),
    ("IVQD", "base", "Qwen2.5-VL-7B"), ("IVQD", "instruction", "InternVL2-8B"), ("IVQD", "instruction", "LLaVA-OV-7B"),
    ("IVQD", "instruction", "LLaVA1.5-13b"), ("IVQD", "instruction", "Phi-3-Vision"),
    ("IVQD", "option", "Idefics2-8B"), ("IVQD", "option", "InternVL2-2B"),
}  # fmt: skip


def test_the_printed_percentages_alone_miss_thirteen_figures_by_a_tenth() -> None:
    assert misses(weighted) == ROUNDED_TWICE
    found = table_1()
    for problem, setting, model in ROUNDED_TWICE:
        off = Fraction(weighted(problem, setting, model)) - found[model, problem, setting].value
        assert abs(off) == Fraction(1, 10)


def test_overall_accuracy_is_over_questions_and_not_over_abilities() -> None:
    assert len(misses(plain)) == 182


def test_original_standard_accuracy_is_a_whole_count_and_bounds_dual_accuracy() -> None:
    found = table_1()
    for model in models():
        for problem in PROBLEMS:
            original = found[model, problem, "original"]
            assert printed(original.count, original.questions) == original.printed
            assert all(found[model, problem, setting].count <= original.count for setting in SETTINGS)


# Table 2 ------------------------------------------------------------------------------------------------------------


def side(problem: str, setting: str, metric: str, exact: bool) -> list[float]:
    """A figure of the 22 models: exact shares, or as printed with one digit."""
    found = table_1()
    if setting == "original":
        ones = [found[model, problem, "original"] for model in models()]
        return [float(Fraction(100 * one.count, one.questions) if exact else one.value) for one in ones]
    shares = [overall(problem, setting, metric, model) for model in models()]
    return [float(share.value if exact else Fraction(share.printed)) for share in shares]


def differing(metric: str, original: bool, other: bool) -> set[tuple[str, str]]:
    """Cells of a column of table 2 that differ, given whether each side is exact or printed."""
    column = {
        (keys["problem"], keys["setting"]): value for keys, value in rows("correlation") if keys["metric"] == metric
    }
    assert len(column) == 9
    found = set()
    for (problem, setting), value in column.items():
        r = pearson(side(problem, "original", "standard", original), side(problem, setting, metric, other))
        assert r is not None
        if f"{100 * r:.1f}" != value:
            found.add((problem, setting))
    return found


def test_the_dual_column_follows_from_the_printed_digits_of_table_1() -> None:
    assert differing("dual", original=False, other=False) == set()


def test_exact_shares_give_other_digits_so_the_paper_correlated_rounded_figures() -> None:
    assert differing("dual", original=True, other=True) == {
        ("IASD", "base"), ("IASD", "option"), ("IASD", "instruction"), ("IVQD", "base"), ("IVQD", "option"),
    }  # fmt: skip


def test_the_upd_column_follows_but_for_one_cell() -> None:
    """UPD accuracy over all questions is printed nowhere; the ability tables give it, rounded like table 1.

    IASD with the option is printed as 42.3 and comes out as 42.38, or 42.37 to 42.49 with exact shares on either side;
    no reading of the tables gives 42.3.
    """
    assert differing("upd", original=False, other=False) == {("IASD", "option")}
    assert all(
        ("IASD", "option") in differing("upd", original=original, other=other)
        for original in (False, True)
        for other in (False, True)
    )
    r = pearson(side("IASD", "original", "standard", exact=False), side("IASD", "option", "upd", exact=False))
    assert r is not None and f"{100 * r:.2f}" == "42.38"
    assert any("IASD, option, upd" in note for note in load("upd").table("correlation").sheet.notes)


# The other tables ---------------------------------------------------------------------------------------------------


def test_the_base_rows_of_table_3_are_sums_of_counts() -> None:
    checked = 0
    for keys, value in rows("llm-driven"):
        if keys["method"] == "base":
            assert overall(keys["problem"], "base", keys["metric"], keys["model"]).printed == value
            checked += 1
    assert checked == 4 * len(PROBLEMS) * len(METRICS)


def test_dual_accuracy_of_table_3_is_possible_given_the_other_two() -> None:
    found = {(*list(keys.values())[:-1], keys["metric"]): Fraction(value) for keys, value in rows("llm-driven")}
    for (*place, metric), value in found.items():
        if metric == "dual":
            unsolvable, standard = found[(*place, "upd")], found[(*place, "standard")]
            # Half a tenth of rounding for each of the three.
            assert unsolvable + standard - 100 - Fraction(15, 100) <= value <= min(unsolvable, standard)


#: What no whole count of the problem's questions gives.
NO_COUNT = {
    "dual": set(),
    "llm-driven": {("InternVL2-8B", "IASD", "self-reflection", "dual"), ("GPT4o", "IVQD", "chain-of-thought", "dual")},
    "instruction-tuning": {("LLaVA-NeXT-34B", "AAD", "original-after-tuning")},
    "heterogeneity": {("Standard+IVQD", "dual", "IASD"), ("Standard+IVQD", "upd", "AAD")},
}  # fmt: skip


@pytest.mark.parametrize("name", NO_COUNT)
def test_all_but_five_figures_outside_the_ability_tables_are_whole_counts(name: str) -> None:
    found = set()
    for keys, value in rows(name):
        try:
            whole_count(value, questions(keys["problem"]))
        except SourceError:
            found.add(tuple(keys.values()))
            assert any(value in note for note in load("upd").table(name).sheet.notes)
    assert found == NO_COUNT[name]


def test_table_e_repeats_the_original_figures_of_table_1_but_not_all_others() -> None:
    found = table_1()
    differ = {
        (keys["model"], keys["problem"], keys["setting"])
        for keys, value in rows("instruction-tuning")
        if keys["setting"] in ("original", *SETTINGS)
        and found[keys["model"], keys["problem"], keys["setting"]].printed != value
    }
    small, large = "LLaVA-NeXT-13B", "LLaVA-NeXT-34B"
    assert differ == {
        (small, "AAD", "base"), (small, "AAD", "instruction"), (small, "IASD", "base"), (small, "IASD", "option"),
        (small, "IASD", "instruction"), (small, "IVQD", "base"), (large, "AAD", "base"), (large, "AAD", "instruction"),
        (large, "IASD", "base"), (large, "IASD", "instruction"), (large, "IVQD", "base"),
    }  # fmt: skip


# The same figures elsewhere -----------------------------------------------------------------------------------------


def shared(name: str) -> list[dict[str, str]]:
    with (SHARED / "published" / name).open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


@needs_shared
def test_tables_equal_the_shared_figures() -> None:
    ours = {(one.model, one.problem, one.setting, one.metric, one.ability): one for one in ability_results()}
    theirs = shared("upd_by_ability.csv")
    assert len(theirs) == len(ours)
    for row in theirs:
        one = ours[row["model"], row["problem"], row["setting"], row["metric"], row["ability"]]
        assert (one.printed, one.questions) == (row["value"], int(row["questions"]))
    found = table_1()
    for row in shared("upd_dual_accuracy.csv"):
        for setting in ("original", *SETTINGS):
            one = found[row["model"], row["problem"], setting]
            assert (one.printed, one.access) == (row[setting], row["access"])


@needs_shared
def test_small_tables_equal_the_shared_figures() -> None:
    def ours(name: str) -> dict[tuple[str, ...], str]:
        return {tuple(keys.values()): value for keys, value in rows(name)}

    assert ours("correlation") == {
        (row["problem"], row["setting"], metric): row[f"pearson_{metric}"]
        for row in shared("upd_correlation_with_original.csv")
        for metric in ("dual", "upd")
    }
    methods = {"Base": "base", "CoT": "chain-of-thought", "Self-reflection": "self-reflection"}
    assert ours("llm-driven") == {
        (row["model"].replace("GPT-4o", "GPT4o"), row["problem"], methods[row["method"]], metric): row[metric]
        for row in shared("upd_llm_driven.csv")
        for metric in METRICS
    }
    columns = {"original": "original_before", "original-after-tuning": "original_after", "tuned": "instruction_tuned"}
    assert ours("instruction-tuning") == {
        (row["model"], row["problem"], setting): row[columns.get(setting, setting)]
        for row in shared("upd_instruction_tuning.csv")
        for setting in (*columns, *SETTINGS)
    }
    assert ours("heterogeneity") == {
        (row["training_data"], row["metric"], problem): row[problem]
        for row in shared("upd_task_heterogeneity.csv")
        for problem in PROBLEMS
    }
    assert {(keys["problem"], keys["ability"]): value for keys, value in rows("counts")} == {
        (row["problem"], row["ability"]): row["questions"]
        for row in shared("upd_question_counts.csv")
        if row["questions"] != "0"
    }
