"""TUBench: the class unanswerable, counted by hand, and nothing unread or missing is ever an abstention."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from fractions import Fraction
from pathlib import Path

import msgspec
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from answerable.cli.common import remember_benchmark
from answerable.cli.main import run_command
from answerable.core.errors import SettingsError
from answerable.core.records import Abstain, Answer, Group, Option, State
from answerable.core.scores import Outcome, Scores, SourceScores
from answerable.score.metrics import METRICS, measure
from answerable.score.metrics.spec import exact
from answerable.score.metrics.tubench import TUBENCH_METRICS
from answerable.score.pipeline import read_scores, score_runs, write_scores
from answerable.score.stratum import Layout, Stratum, constant_responder
from answerable.score.tubench_baselines import Classes, Naive, average, frequent_guess, random_chance
from answerable.score.verdicts import CODE
from tests.score.choices import choice_group
from tests.score.fake import FAILED, Policy, groups_of, oracle, view_of, write_benchmark, write_run

NAMES = {"F1_unanswerable", "P_unanswerable", "R_unanswerable", "ACC2", "ACC2_published", "OACC"}
#: What a scripted reply says, by view id; empty for no reply.
Says = Mapping[str, str]


def question(
    name: str, targets: Sequence[str | None], topic: str = "UCR", strategy: str = "S.1", states: Sequence[State] = ()
) -> Group:
    """A group, a target a view; None is unanswerable. A view's id is ``name-place``."""
    views = []
    for place, target in enumerate(targets):
        state: State = states[place] if states else "M" if target is None else "F"
        duty: Answer | Abstain = Abstain(reason="missing") if target is None else Answer(target=target, type="text")
        base = view_of(name, state, f"tubench-{topic.lower()}", "annotated")
        views.append(
            msgspec.structs.replace(base, id=f"{name}-{place}", obligation=duty, topic=topic, ability=strategy)
        )
    return Group(id=name, source=views[0].source, split="test", views=tuple(views))


def says(words: Says) -> Policy:
    return lambda view: words[view.id] or None


def scored(tmp_path: Path, groups: list[Group], words: Says) -> Scores:
    bench = write_benchmark(tmp_path / "bench", groups, reader="yes-no")
    return score_runs(bench, [write_run(tmp_path / "r", bench, says(words))], draws=50, allow_incomplete=True).scores


def counts(found: SourceScores) -> dict[str, tuple[int, int]]:
    return {name: (figure.numerator, figure.denominator) for name, figure in found.metrics.items()}


LABELS = ("Yes", "No", "answer", "unanswerable", "unread", "failed", "not_run")
GROUPS = [
    question("a", ["Yes", None], strategy="S.1"),
    question("b", ["No", None], strategy="S.1"),
    question("c", ["Yes", None], strategy="S.2"),
    question("d", ["No", None], strategy="S.2"),
    question("e", ["Yes", None], strategy="S.3"),
    question("f", ["No", None], strategy="S.3"),
]
WORDS = {
    "a-0": "Yes", "a-1": "Unanswerable",  # both right
    "b-0": "Yes", "b-1": "Unanswerable",  # the class is right, the answer is not
    "c-0": "Unanswerable", "c-1": "No",  # a false positive and a false negative
    "d-0": "Purple elephants", "d-1": "Purple elephants",  # unread: no false positive, a false negative
    "e-0": FAILED, "e-1": FAILED,
    "f-0": "", "f-1": "",  # never asked
}  # fmt: skip


def test_every_metric_by_hand(tmp_path: Path) -> None:
    found = scored(tmp_path, GROUPS, WORDS).runs[0].sources["tubench-ucr"]
    # TP 2, FP 1, FN 4; a sixth question of every class is unread, two more are missing.
    assert counts(found).items() >= {
        "F1_unanswerable": (4, 9), "P_unanswerable": (2, 3), "R_unanswerable": (2, 6),
        "ACC2": (4, 12), "ACC2_published": (5, 12), "OACC": (3, 12), "J": (1, 6),
        "R_unanswerable_S_1": (2, 2), "R_unanswerable_S_2": (0, 2), "R_unanswerable_S_3": (0, 2),
    }.items()  # fmt: skip
    assert found.confusion == {
        "Yes": dict(zip(LABELS, (1, 0, 0, 1, 0, 1, 0), strict=True)),
        "No": dict(zip(LABELS, (1, 0, 0, 0, 1, 0, 1), strict=True)),
        "unanswerable": dict(zip(LABELS, (0, 1, 0, 2, 1, 1, 1), strict=True)),
    }
    assert sum(sum(row.values()) for row in found.confusion.values()) == found.views


def test_a_set_with_other_targets_has_two_classes(tmp_path: Path) -> None:
    groups = [question("a", ["Yes", None], topic="UTabMWP"), question("b", ["Maybe", None], topic="UTabMWP")]
    words = {"a-0": "No", "a-1": "Unanswerable", "b-0": "Unanswerable", "b-1": "Yes"}
    found = scored(tmp_path, groups, words).runs[0].sources["tubench-utabmwp"]
    assert {target: {name: n for name, n in row.items() if n} for target, row in found.confusion.items()} == {
        "answer": {"answer": 1, "unanswerable": 1},
        "unanswerable": {"answer": 1, "unanswerable": 1},
    }
    assert set(found.confusion["answer"]) == {"answer", "unanswerable", "unread", "failed", "not_run"}


def test_control_pictures_are_not_in_the_matrix(tmp_path: Path) -> None:
    groups = [question("a", ["Yes", "Yes", None], "UTabMWP", states=("F", "K", "M"))]
    words = {"a-0": "Yes", "a-1": "No", "a-2": "Unanswerable"}
    found = scored(tmp_path, groups, words).runs[0].sources["tubench-utabmwp"]
    assert (found.views, sum(sum(row.values()) for row in found.confusion.values())) == (3, 2)


def test_a_file_of_scores_keeps_the_matrix_and_may_lack_it(tmp_path: Path) -> None:
    groups = [question("a", ["Yes", None])]
    bench = write_benchmark(tmp_path / "bench", groups, reader="yes-no")
    run = write_run(tmp_path / "r", bench, says({"a-0": "Yes", "a-1": "Unanswerable"}))
    result = score_runs(bench, [run], draws=50)
    write_scores(tmp_path, result)
    assert read_scores(tmp_path) == result.scores
    source = msgspec.to_builtins(result.scores.runs[0].sources["tubench-ucr"])
    del source["confusion"]
    assert msgspec.convert(source, SourceScores).confusion == {}


@pytest.mark.parametrize(
    "layout",
    [
        Layout("chart", "proved", groups_of(2)),
        Layout("photo", "annotated", groups_of(2, level="annotated")),
        Layout("mc-aad", "annotated", [choice_group("g")]),
        Layout("tubench-ucr", "derived", GROUPS),
        Layout("mixed", "annotated", [*GROUPS, choice_group("g")]),
        Layout("empty", "annotated", []),
    ],
)
def test_other_sources_have_none_of_these_metrics(layout: Layout) -> None:
    run = Stratum(layout, np.zeros((len(layout.view_ids), 1), dtype=np.int64))
    assert measure(run, TUBENCH_METRICS) == {}


def test_controls_count_over_questions_that_have_all_three() -> None:
    whole = [question(name, ["7", "7", None], "UTabMWP", states=("F", "K", "M")) for name in "ab"]
    layout = Layout("tubench", "annotated", [*whole, question("c", ["7", None], "UTabMWP")])
    codes = [CODE[one] for one in ("correct", "false_rejection", "correct", "wrong_answer", "correct", "invalid")]
    outcomes = np.array([*codes, CODE["false_rejection"], CODE["correct"]], dtype=np.int64).reshape(-1, 1)
    terms = measure(Stratum(layout, outcomes), METRICS)
    found = {name: exact(terms[f"ACC2_{name}"]) for name in ("OA", "RA", "UA")}
    assert found == {"OA": Fraction(1), "RA": Fraction(1, 2), "UA": Fraction(1, 2)}
    # The two control pictures are no part of the data set: the abstention on one is no false positive of it.
    assert {name: exact(terms[name]) for name in ("F1_unanswerable", "P_unanswerable", "ACC2", "OACC")} == {
        "F1_unanswerable": Fraction(4, 6), "P_unanswerable": Fraction(2, 3),
        "ACC2": Fraction(4, 6), "OACC": Fraction(3, 6),
    }  # fmt: skip


def test_replaced_images_are_told_apart_by_their_ability() -> None:
    groups = [question(name, [None], "UVQA", strategy=name) for name in ("OUA", "RUA", "SUA")]
    layout = Layout("tubench", "annotated", groups)
    outcomes = np.array([[CODE["correct"]], [CODE["false_acceptance"]], [CODE["failed"]]], dtype=np.int64)
    terms = measure(Stratum(layout, outcomes), METRICS)
    assert [exact(terms[f"R_unanswerable_{name}"]) for name in ("OUA", "RUA", "SUA")] == [1, 0, 0]
    assert exact(terms["F1_unanswerable"]) == Fraction(2, 4)


def test_replaced_images_are_no_part_of_the_set(tmp_path: Path) -> None:
    groups = [question("a", ["Yes", None, None, None], "UVQA", states=("F", "M", "IVQD", "IVQD"))]
    words = dict(zip((view.id for view in groups[0].views), ("Yes", "No", "Unanswerable", "No"), strict=True))
    groups[0] = msgspec.structs.replace(
        groups[0],
        views=tuple(
            msgspec.structs.replace(view, ability=name)
            for view, name in zip(groups[0].views, ("", "OUA", "SUA", "RUA"), strict=True)
        ),
    )
    found = scored(tmp_path, groups, words).runs[0].sources["tubench-uvqa"]
    assert counts(found).items() >= {
        "F1_unanswerable": (0, 1), "P_unanswerable": (0, 0), "R_unanswerable": (0, 1), "ACC2": (1, 2), "OACC": (1, 2),
        "ACC2_published": (1, 2), "OACC_chance": (2, 6), "R_unanswerable_OUA": (0, 1), "R_unanswerable_SUA": (1, 1),
        "R_unanswerable_RUA": (0, 1),
    }.items()  # fmt: skip
    assert sum(sum(row.values()) for row in found.confusion.values()) == 2


def offered(name: str, *sizes: int, state: State = "F") -> Group:
    """A group of choice questions with these numbers of options, the last one unanswerable."""
    group = question(name, [*["A"] * (len(sizes) - 1), None], "UTabMWP", states=(*[state] * (len(sizes) - 1), "M"))
    views = (
        msgspec.structs.replace(view, options=tuple(Option(letter, f"o{letter}") for letter in LETTERS_OF[:size]))
        for view, size in zip(group.views, sizes, strict=True)
    )
    return msgspec.structs.replace(group, views=tuple(views))


LETTERS_OF = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"


def chance(*groups: Group, repeats: int = 1) -> Fraction | None:
    layout = Layout("tubench", "annotated", groups)
    terms = measure(Stratum(layout, np.zeros((len(layout.view_ids), repeats), dtype=np.int64)), METRICS)
    return exact(terms["OACC_chance"]) if "OACC_chance" in terms else None


@given(st.lists(st.lists(st.integers(2, 26), min_size=2, max_size=4), min_size=1, max_size=6), st.integers(1, 3))
def test_chance_is_what_random_chance_says_of_the_choices(sizes: list[list[int]], repeats: int) -> None:
    groups = [offered(f"g{number}", *some) for number, some in enumerate(sizes)]
    choices = Counter(size + 1 for some in sizes for size in some)
    expected = random_chance(Classes(choices.total() - len(sizes), len(sizes)), choices).oacc
    assert chance(*groups, repeats=repeats) == expected


def test_chance_of_labels_and_of_what_is_not_known() -> None:
    assert chance(question("a", ["Yes", None]), question("b", [None], "UVQA")) == Fraction(1, 3)
    assert chance(question("a", ["Yes"], "UVQA"), offered("b", 4, 4)) == Fraction(Fraction(1, 3) + Fraction(2, 5), 3)
    # Questions of these sets have choices; where none are there, nobody knows how many there were.
    assert chance(question("a", ["7", None], "UTabMWP")) is None
    # A control picture is no part of the set.
    assert chance(offered("a", 3, 3), offered("b", 9, 3, state="K")) == Fraction(1, 4)
    assert (
        chance(*[offered(f"g{size}", size, size) for size in range(2, 27)])
        == sum((Fraction(1, size + 1) for size in range(2, 27)), Fraction(0)) / 25
    )


def test_the_command_prints_figures_average_baselines_and_matrices(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    groups = [question("a", ["Yes", None]), question("b", ["No", None], topic="UVQA")]
    bench = write_benchmark(tmp_path / "bench", groups, reader="yes-no")
    words = {"a-0": "Yes", "a-1": "Unanswerable", "b-0": "Unanswerable", "b-1": "No"}
    run = write_run(tmp_path / "r", bench, [says(words), says(words)])
    remember_benchmark(run.path, bench.path)
    assert run_command(["score", str(run.path), "--draws", "20", "--gate", "F1_unanswerable>=0"]) == 0
    lines = [" ".join(line.replace("│", " ").split()) for line in capsys.readouterr().out.splitlines()]
    assert "r average 50.0 50.0 50.0 50.0 50.0" in lines
    assert lines.count("random chance tubench-ucr 50.0 - - 50.0 33.3") == 1
    assert "frequent guess tubench-uvqa 66.7 - - 50.0 50.0" in lines
    assert any(line.startswith("r tubench-ucr Yes Yes 2, No 0, answer 0") for line in lines)


def test_other_benchmarks_print_nothing_of_it(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    bench = write_benchmark(tmp_path / "bench", groups_of(2))
    run = write_run(tmp_path / "r", bench, oracle)
    remember_benchmark(run.path, bench.path)
    assert run_command(["score", str(run.path), "--draws", "20"]) == 0
    assert "F1" not in capsys.readouterr().out


# On any outcomes ----------------------------------------------------------------------------------------------------

ANSWERABLE: tuple[Outcome, ...] = ("correct", "wrong_answer", "false_rejection", "invalid", "failed", "not_run")
UNANSWERABLE: tuple[Outcome, ...] = ("correct", "false_acceptance", "invalid", "failed", "not_run")
pairs = st.lists(
    st.tuples(st.none() | st.sampled_from(ANSWERABLE), st.none() | st.sampled_from(UNANSWERABLE)).filter(any),
    min_size=1,
    max_size=12,
)


@given(pairs)
def test_f1_is_the_textbook_formula_and_accuracies_are_in_order(
    drawn: list[tuple[Outcome | None, Outcome | None]],
) -> None:
    groups = [
        question(f"g{place:02d}", [*(["Yes"] if with_answer else []), *([None] if without else [])])
        for place, (with_answer, without) in enumerate(drawn)
    ]
    codes = [CODE[outcome] for pair in drawn for outcome in pair if outcome]
    run = Stratum(Layout("tubench", "annotated", groups), np.array(codes, dtype=np.int64).reshape(-1, 1))
    found = {name: exact(terms) for name, terms in measure(run, METRICS).items()}
    assert set(found) >= NAMES
    answerable = Counter(one for one, _ in drawn if one)
    unanswerable = Counter(one for _, one in drawn if one)
    hits, false, lost = unanswerable["correct"], answerable["false_rejection"], unanswerable.total()
    precision, recall = found["P_unanswerable"], found["R_unanswerable"]
    assert precision == (Fraction(hits, hits + false) if hits + false else None)
    assert recall == (Fraction(hits, lost) if lost else None)
    if precision and recall:
        assert found["F1_unanswerable"] == 2 * precision * recall / (precision + recall)
    else:
        assert not found["F1_unanswerable"]
    acc2, published, oacc, failure = (found[name] for name in ("ACC2", "ACC2_published", "OACC", "E"))
    assert acc2 is not None and published is not None and oacc is not None and failure is not None
    assert 0 <= oacc <= acc2 <= published <= 1
    assert acc2 == 1 - failure
    assert oacc == Fraction(answerable["correct"] + hits, len(codes))
    assert acc2 - oacc == Fraction(answerable["wrong_answer"], len(codes))


# Naive responders ---------------------------------------------------------------------------------------------------


@given(st.integers(0, 40), st.integers(0, 40))
def test_frequent_guess_is_what_constant_responders_score(answerable: int, unanswerable: int) -> None:
    classes = Classes(answerable, unanswerable)
    if not classes.answerable + classes.unanswerable:
        with pytest.raises(SettingsError):
            frequent_guess(classes)
        with pytest.raises(SettingsError):
            random_chance(classes)
        return
    groups = [question(f"g{n:02d}", ["Yes" if n < answerable else None]) for n in range(answerable + unanswerable)]
    layout = Layout("tubench", "annotated", groups)
    never, always = (
        {name: exact(terms) for name, terms in measure(constant_responder(layout, answers=answers), METRICS).items()}
        for answers in (True, False)
    )
    acc2 = max(found for found in (never["ACC2"], always["ACC2"]) if found is not None)
    oacc = always["OACC"]
    assert oacc is not None
    assert frequent_guess(classes) == Naive(always["F1_unanswerable"] or Fraction(0), acc2, oacc)


def test_random_chance_by_hand() -> None:
    assert random_chance(Classes(3, 1), {2: 2, 4: 2}) == Naive(Fraction(2, 6), Fraction(1, 2), Fraction(3, 8))
    assert random_chance(Classes(2, 2)).oacc is None
    for choices in ({}, {3: 5}, {0: 4}):
        with pytest.raises(SettingsError):
            random_chance(Classes(3, 1), choices)


def test_random_chance_is_every_way_to_guess() -> None:
    """One answerable and two unanswerable questions: the counts over all eight ways of labelling them."""
    ways = [(a, b, c) for a in (0, 1) for b in (0, 1) for c in (0, 1)]
    hits, false = sum(b + c for _, b, c in ways), sum(a for a, _, _ in ways)
    missed = 2 * len(ways) - hits
    found = random_chance(Classes(1, 2))
    assert found.f1 == Fraction(2 * hits, 2 * hits + false + missed)
    assert found.acc2 == Fraction(sum((1 - a) + b + c for a, b, c in ways), 3 * len(ways))


def test_an_average_needs_every_value() -> None:
    assert average([Fraction(1), Fraction(1, 2)]) == Fraction(3, 4)
    assert average([Fraction(1), None]) is None
    assert average([]) is None
