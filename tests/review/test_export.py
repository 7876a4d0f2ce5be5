"""What a review exports, and that builds and reports read it."""

from __future__ import annotations

import json
from fractions import Fraction
from pathlib import Path
from typing import Any

import msgspec
import pytest

from answerable.core.agreement import ReviewScores
from answerable.core.codec import decode
from answerable.core.decisions import Decisions
from answerable.core.errors import ReviewError
from answerable.core.records import Refusal
from answerable.review.export import agreement, export
from answerable.review.store import Store
from tests.review.make import EXPLAIN, PROJECT, cast, drop, items, keep, opened, take_back, vote_all


@pytest.fixture
def store(tmp_path: Path) -> Store:
    return opened(tmp_path / "r.sqlite", PROJECT, items(6))


def scores(store: Store) -> ReviewScores:
    return agreement(store, store.standing(), draws=100)


def lines(path: Path) -> list[Any]:
    return [json.loads(line) for line in path.read_bytes().splitlines()]


def test_decisions_are_read_by_builds(store: Store, tmp_path: Path) -> None:
    vote_all(store, {"Bo": "kdd.k.", "Ann": "kkdk..", "Cy": ".k...."})
    cast(store, "Ann", 4, drop("“blurred”\n badly"))
    done = export(store, tmp_path / "out", draws=50)
    assert done.files == ("decisions.jsonl", "votes.jsonl", "agreement.json")
    found = Decisions((tmp_path / "out" / "decisions.jsonl",))
    assert found.on("g00") == "keep"
    # Two to one: the third vote settles it.
    assert found.on("g01") == "keep"
    assert found.on("g02") == Refusal("dropped in review: the answer is wrong", "g02 (Ann: drop, Bo: drop)")
    assert found.on("g03") == "keep"
    assert found.on("g04") == Refusal("reviewers disagree", "g04 (Ann: drop, Bo: keep)")
    assert found.on("g05") is None
    assert found.said == {
        "g00": {"Ann": "keep", "Bo": "keep"}, "g01": {"Ann": "keep", "Bo": "drop", "Cy": "keep"},
        "g02": {"Ann": "drop", "Bo": "drop"}, "g03": {"Ann": "keep"}, "g04": {"Ann": "drop", "Bo": "keep"},
    }  # fmt: skip
    rows = lines(tmp_path / "out" / "decisions.jsonl")
    assert [(row["group"], row["reviewer"]) for row in rows] == sorted((row["group"], row["reviewer"]) for row in rows)
    assert (
        next(row["reason"] for row in rows if row["group"] == "g04" and row["reviewer"] == "Ann") == "“blurred” badly"
    )


def test_only_votes_that_stand_are_exported(store: Store, tmp_path: Path) -> None:
    first = cast(store, "Ann", 0, keep())
    second = cast(store, "Ann", 0, drop(), base=first.vote)
    other = cast(store, "Ann", 1, keep())
    take_back(store, "Ann", 1, other.vote)
    export(store, tmp_path / "out", draws=10)
    assert [(row["group"], row["decision"]) for row in lines(tmp_path / "out" / "decisions.jsonl")] == [("g00", "drop")]
    take_back(store, "Ann", 0, second.vote)
    export(store, tmp_path / "out", draws=10)
    assert lines(tmp_path / "out" / "votes.jsonl") == [
        {"group": "g00", "reviewer": "Ann", "extra": False, "vote": keep(reason="")}
    ]


def test_outcomes_add_up_and_say_what_holds(store: Store) -> None:
    vote_all(store, {"Bo": "kdd.k.", "Ann": "kkdk..", "Cy": ".k...."})
    found = scores(store)
    assert found.outcomes == {"keep": 4, "drop": 1, "disputed": 0, "open": 1}
    assert found.votes == {"2": 2, "3": 1, "1": 2, "0": 1}
    assert found.reviewers == {"Ann": 4, "Bo": 4, "Cy": 1}
    assert sum(found.outcomes.values()) == found.items == 6
    assert found.answers["decision"] == {"keep": 6, "drop": 3}
    assert found.answers["image"] == {"yes": 6, "open": 3}


def test_votes_that_settle_a_conflict_are_no_part_of_the_kappas(store: Store) -> None:
    vote_all(store, {"Ann": "kkkddd", "Bo": "kkdddk"})
    before = {figure.measure: figure.exact for figure in scores(store).figures if figure.question == "decision"}
    vote_all(store, {"Cy": "..k..k"})
    after = scores(store)
    assert {figure.measure: figure.exact for figure in after.figures if figure.question == "decision"} == before
    # Four of six alike; both keep and drop three times: 2/3 against 1/2.
    assert before == {"Cohen's kappa": Fraction(1, 3), "Fleiss' kappa": Fraction(1, 3)}
    assert any(note.startswith("2 votes came after 2 others") for note in after.notes)
    assert after.outcomes["disputed"] == 0


def test_each_question_has_its_kappas_and_open_ones_do_not_count(store: Store) -> None:
    cast(store, "Ann", 0, keep())
    cast(store, "Bo", 0, keep(image="no"))
    cast(store, "Ann", 1, drop(image="yes"))
    cast(store, "Bo", 1, drop(strategy="not_applicable"))
    found = {(one.question, one.measure): one for one in scores(store).figures}
    assert set(found) == {
        (question, measure)
        for question in ("image", "answer", "strategy", "decision")
        for measure in ("Cohen's kappa", "Fleiss' kappa")
    }
    assert found["image", "Cohen's kappa"].items == 1
    assert found["decision", "Cohen's kappa"].exact == 1
    assert found["strategy", "Fleiss' kappa"].exact is None
    assert "1 votes keep a group although they say no to a question." in scores(store).notes


def test_the_same_votes_give_the_same_bytes(tmp_path: Path) -> None:
    """Whatever the order in which they came."""
    words = {"Ann": "kkdk.d", "Bo": "kdd.kd"}
    files = []
    for number, names in enumerate((["Ann", "Bo"], ["Bo", "Ann"])):
        store = opened(tmp_path / f"{number}.sqlite", PROJECT, items(6))
        vote_all(store, {name: words[name] for name in names})
        export(store, tmp_path / f"out{number}", draws=200)
        files.append({path.name: path.read_bytes() for path in (tmp_path / f"out{number}").iterdir()})
    assert files[0] == files[1]
    again = decode(files[0]["agreement.json"], ReviewScores)
    assert again.figures[0].exact is None or isinstance(again.figures[0].exact, Fraction)


def test_kappas_are_written_as_fractions(store: Store, tmp_path: Path) -> None:
    vote_all(store, {"Ann": "kkkddd", "Bo": "kkdddk"})
    export(store, tmp_path / "out", draws=50)
    rows = json.loads((tmp_path / "out" / "agreement.json").read_bytes())["figures"]
    row = next(row for row in rows if row["question"] == "decision" and row["measure"] == "Cohen's kappa")
    assert (row["exact"], row["agreement"]["numerator"], row["agreement"]["denominator"]) == ("1/3", 4, 6)
    assert row["interval"][0] <= row["kappa"] <= row["interval"][1]


def test_a_folder_with_files_of_something_else_stays(store: Store, tmp_path: Path) -> None:
    cast(store, "Ann", 0, keep())
    folder = tmp_path / "out"
    folder.mkdir()
    (folder / "decisions.jsonl").write_text("mine")
    with pytest.raises(ReviewError, match="expected a folder that is new, or has an export of this review"):
        export(store, folder)
    assert (folder / "decisions.jsonl").read_text() == "mine"
    export(store, tmp_path / "other", draws=10)
    export(store, tmp_path / "other", draws=10)
    elsewhere = opened(tmp_path / "e.sqlite", msgspec.structs.replace(PROJECT, fingerprint="e" * 64), items(1))
    with pytest.raises(ReviewError, match="which has files of something else"):
        export(elsewhere, tmp_path / "other")
    with pytest.raises(ReviewError, match="expected a folder to export into"):
        export(store, folder / "decisions.jsonl")


def explained(answer: str, explanation: str, *kinds: str) -> dict[str, Any]:
    return {"answer": answer, "explanation": explanation, "kinds": list(kinds)}


def test_explanations_make_a_table(tmp_path: Path) -> None:
    given = [msgspec.structs.replace(item, id=f"v/{number}/{number}") for number, item in enumerate(items(4))]
    store = opened(tmp_path / "e.sqlite", EXPLAIN, given)
    cast(store, "Ann", 0, explained("correct", "wrong", "hallucination"))
    cast(store, "Bo", 0, explained("correct", "wrong", "hallucination", "other"))
    cast(store, "Ann", 1, explained("wrong", "none"))
    cast(store, "Ann", 2, explained("correct", "partial"))
    cast(store, "Bo", 2, explained("correct", "correct"))
    done = export(store, tmp_path / "out", draws=20)
    assert done.files == ("explanations.jsonl", "explanations.json", "agreement.json")
    found = json.loads((tmp_path / "out" / "explanations.json").read_bytes())
    assert found["by_vote"]["counted"] == 5
    assert found["by_vote"]["table"]["correct"] == {"correct": 1, "partial": 1, "wrong": 2, "none": 0}
    assert found["by_vote"]["kinds"] == {"hallucination": 2, "calculation": 0, "other": 1}
    # The third reply is disputed; a kind that one of two names does not count.
    assert found["by_reply"]["counted"] == 2
    assert found["by_reply"]["table"]["wrong"]["none"] == found["by_reply"]["table"]["correct"]["wrong"] == 1
    assert found["by_reply"]["kinds"] == {"hallucination": 1, "calculation": 0, "other": 0}
    rows = lines(tmp_path / "out" / "explanations.jsonl")
    assert [(row["view"], row["repeat"], row["group"], row["reviewer"]) for row in rows[:3]] == [
        ("v/0", 0, "g00", "Ann"), ("v/0", 0, "g00", "Bo"), ("v/1", 1, "g01", "Ann"),
    ]  # fmt: skip
    outcomes = done.scores.outcomes
    assert outcomes == {"settled": 2, "disputed": 1, "open": 1}
    assert done.scores.disputed == ("v/2/2",)
