"""TUBench: the two rows of naive baselines rebuilt from the published counts, to the printed digit.

One figure cannot be: the OACC of random chance on UTabMWP is a mean of 1/choices, and only the mean number of choices
is printed. It is bounded by it, and the average of the row follows from the cell as printed.
"""

from __future__ import annotations

from fractions import Fraction

from answerable.score.published import load
from answerable.score.published.counts import printed
from answerable.score.tubench_baselines import Classes, Naive, average, frequent_guess, random_chance

DATA_SETS = ("UCR", "UVQA", "UGeoQA", "UTabMWP")
#: Three labels; five options in every question of UGeoQA, since most and mean agree.
CHOICES = {"UCR": 3, "UVQA": 3, "UGeoQA": 5}
NOT_FROM_COUNTS = {("Random chance", "UTabMWP", "OACC")}


def statistic(name: str, questions: str, dataset: str) -> str:
    keys = {(one, which, where): value for one, which, where, value in load("tubench").table("statistics").rows}
    return keys[name, questions, dataset]


def classes(dataset: str) -> Classes:
    found = Classes(*(int(statistic("questions", kind, dataset)) for kind in ("answerable", "unanswerable")))
    assert found.questions == int(statistic("questions", "all", dataset))
    return found


def results() -> dict[tuple[str, str, str], str]:
    return {
        (model, dataset, metric): value for model, _, dataset, metric, value in load("tubench").table("results").rows
    }


def digit(value: Fraction) -> str:
    return printed(value.numerator, value.denominator)


def rebuilt() -> dict[tuple[str, str, str], Fraction]:
    """Every cell of the two rows that the counts give; averages too, with the missing cell as printed."""
    rows: dict[str, dict[str, Naive]] = {"Random chance": {}, "Frequent guess": {}}
    for name in DATA_SETS:
        found = classes(name)
        rows["Random chance"][name] = random_chance(
            found, {CHOICES[name]: found.questions} if name in CHOICES else None
        )
        rows["Frequent guess"][name] = frequent_guess(found)
    cells: dict[tuple[str, str, str], Fraction] = {}
    for model, by_set in rows.items():
        for metric, kind in (("F1", "f1"), ("2ACC", "acc2"), ("OACC", "oacc")):
            values = {name: getattr(naive, kind) for name, naive in by_set.items()}
            cells |= {(model, name, metric): value for name, value in values.items() if value is not None}
            whole = [
                Fraction(results()[model, name, metric]) / 100 if value is None else value
                for name, value in values.items()
            ]
            cells[model, "average", metric] = average(whole) or Fraction(0)
    return cells


def test_every_cell_but_one_follows_from_the_counts() -> None:
    theirs = {key: value for key, value in results().items() if key[0] in ("Random chance", "Frequent guess")}
    ours = {key: digit(value) for key, value in rebuilt().items()}
    assert len(theirs) == 2 * 5 * 3
    assert set(theirs) - set(ours) == NOT_FROM_COUNTS
    assert {key: value for key, value in theirs.items() if key not in NOT_FROM_COUNTS} == ours


def test_every_question_of_a_set_has_as_many_choices_where_most_and_mean_agree() -> None:
    for name, choices in CHOICES.items():
        assert statistic("most choices", "all", name) == statistic("mean choices", "all", name) == str(choices)
    assert statistic("most choices", "all", "UTabMWP") != statistic("mean choices", "all", "UTabMWP")


def test_the_cell_that_does_not_follow_is_within_what_its_mean_and_most_choices_allow() -> None:
    """1/n is convex: the mean of 1/n lies between 1/mean and the chord from the fewest choices, 3, to the most, 5."""
    mean, most = Fraction(statistic("mean choices", "all", "UTabMWP")), 5
    least = 1 / (mean + Fraction(1, 20))
    low = mean - Fraction(1, 20)
    share = (low - 3) / (most - 3)
    greatest = (1 - share) * Fraction(1, 3) + share * Fraction(1, most)
    cell = Fraction(results()["Random chance", "UTabMWP", "OACC"]) / 100
    assert least <= cell <= greatest
    assert digit(1 / mean) != digit(cell)


def test_the_average_of_random_chance_narrows_the_cell() -> None:
    """The average 29.1 holds with the cell as printed, 29.9, and no longer at the upper end of what prints so."""
    others = [rebuilt()["Random chance", name, "OACC"] for name in CHOICES]
    cell, end = Fraction(299, 1000), Fraction(29949, 100000)
    assert digit(cell) == digit(end) == results()["Random chance", "UTabMWP", "OACC"]
    assert results()["Random chance", "average", "OACC"] == digit(average([*others, cell]) or Fraction(0))
    assert digit(average([*others, end]) or Fraction(0)) == "29.2"
    # What prints as 29.1 is at most 29.15 on average.
    assert 4 * Fraction(2915, 10000) - sum(others) == Fraction(29933, 100000) + Fraction(1, 300000)


def test_one_row_of_frequent_guess_holds_two_responders() -> None:
    """On UCR, F1 61.7 is that of saying unanswerable throughout, whose 2ACC would be 44.6; 55.4 says answerable."""
    found = classes("UCR")
    assert digit(Fraction(2 * found.unanswerable, found.unanswerable + found.questions)) == "61.7"
    assert digit(Fraction(found.unanswerable, found.questions)) == "44.6"
    assert digit(Fraction(found.answerable, found.questions)) == "55.4"


#: F1 and 2ACC as printed that no counts of hits and false alarms give together.
NO_COUNTS = {
    ("InstructBLIP-FlanT5-xxl", "UTabMWP"), ("mPLUG-Owl-LLaMA-7B", "UCR"), ("mPLUG-Owl2-LLaMA2-7B", "UTabMWP"),
    ("Bunny-v1_1-4B", "UVQA"), ("ChatTruth-7B", "UTabMWP"), ("Qwen-VL-Plus", "UTabMWP"),
}  # fmt: skip


def possible(dataset: str, f1: str, acc2: str) -> bool:
    """Whether hits and false alarms exist that print as both, unread replies said to be answerable."""
    found = classes(dataset)
    for right in range(found.questions + 1):
        if printed(right, found.questions) != acc2:
            continue
        for hits in range(found.unanswerable + 1):
            false = found.answerable + hits - right
            if 0 <= false <= found.answerable and printed(2 * hits, hits + false + found.unanswerable) == f1:
                return True
    return False


def test_f1_and_2acc_of_all_but_six_cells_of_models_come_from_the_same_counts() -> None:
    found = results()
    models = {model for model, _, _ in found} - {"Random chance", "Frequent guess"}
    pairs = [(model, name) for model in models for name in DATA_SETS]
    assert len(pairs) == 28 * 4
    assert {
        (model, name)
        for model, name in pairs
        if not possible(name, found[model, name, "F1"], found[model, name, "2ACC"])
    } == NO_COUNTS


def test_overall_accuracy_never_exceeds_two_class_accuracy() -> None:
    found = results()
    assert all(
        Fraction(value) <= Fraction(found[model, name, "2ACC"])
        for (model, name, metric), value in found.items()
        if metric == "OACC"
    )


def test_found_by_strategy_are_whole_counts_of_its_unanswerable_questions() -> None:
    """Table 3 calls it 2ACC; it is recall, over the unanswerable questions alone."""
    sizes = {strategy: int(n) for _, strategy, n in load("tubench").table("counts").rows}
    odd = {
        (strategy, model)
        for strategy, model, value in load("tubench").table("strategies").rows
        if value not in {printed(count, sizes[strategy]) for count in range(sizes[strategy] + 1)}
    }
    assert odd == {("S.8", "GPT-4 Turbo")}
