"""Two readers on the same replies: counted by hand, no figure moved, examples few and in order."""

from __future__ import annotations

import random
from pathlib import Path

import msgspec
import pytest

from answerable.core.errors import SettingsError
from answerable.core.scores import ReadingCounts, Scores
from answerable.score.differences import STRICT, Differences, alike, partner, word_of
from answerable.score.pipeline import score_runs
from answerable.score.readers import READERS
from answerable.score.readers.reading import Abstained, Answered, Invalid, Item
from tests.score.choices import choice_group
from tests.score.fake import FAILED, groups_of, oracle, reply_of, write_benchmark, write_run
from tests.score.fake import manifest_of as run_manifest
from tests.score.test_tubench import question, says

GROUPS = [
    question("a", ["Yes", None], strategy="S.1"),
    question("b", ["No", None], strategy="S.2"),
    question("c", ["Yes", None], strategy="S.2"),
]
WORDS = {
    "a-0": "Yes", "a-1": "Unanswerable",  # both read the same
    "b-0": "It is hard to say: no",  # the same
    "b-1": "It cannot be determined.",  # abstains; nothing found
    "c-0": "Yes. It is never unanswerable.",  # Yes; the word is there
    "c-1": FAILED,  # no reply, so nothing to read
}  # fmt: skip


def scored(path: Path, against: str | None = None, reader: str | None = None, words: dict[str, str] = WORDS) -> Scores:
    bench = write_benchmark(path / "bench", GROUPS, reader="yes-no")
    run = write_run(path / "r", bench, says(words))
    return score_runs(bench, [run], draws=20, allow_incomplete=True, against=against, reader=reader).scores


def parts(scores: Scores) -> dict[tuple[str | None, str], ReadingCounts]:
    assert scores.readings is not None
    return {(part.topic, part.ability): part for part in scores.readings.counts}


def test_counts_by_data_set_and_strategy(tmp_path: Path) -> None:
    found = scored(tmp_path)
    assert found.readings is not None
    assert (found.readings.reader, found.readings.against) == ("yes-no 2", "yes-no-published 1")
    assert "never right" in found.readings.against_rules
    by_part = parts(found)
    assert list(by_part) == [(None, ""), ("UCR", "S.1"), ("UCR", "S.2")]
    assert {key: (part.replies, part.alike) for key, part in by_part.items()} == {
        (None, ""): (5, 3), ("UCR", "S.1"): (2, 2), ("UCR", "S.2"): (3, 1),
    }  # fmt: skip
    assert by_part["UCR", "S.2"].read_as == {
        "No": {"No": 1}, "Yes": {"abstained": 1}, "abstained": {"no answer": 1},
    }  # fmt: skip
    examples = [(one.view, one.reading, one.against, one.said) for one in found.readings.examples]
    assert examples == [
        ("b-1", "abstained", "no answer", "It cannot be determined."),
        ("c-0", "Yes", "abstained", "Yes. It is never unanswerable."),
    ]
    assert {(one.run, one.source, one.ability, one.length > 20) for one in found.readings.examples} == {
        ("r", "tubench-ucr", "S.2", True)
    }


def test_a_published_reader_stands_beside_its_strict_one(tmp_path: Path) -> None:
    found = scored(tmp_path, reader="yes-no-published")
    assert found.readings is not None
    assert (found.readings.reader, found.readings.against) == ("yes-no-published 1", "yes-no 2")
    assert parts(found)["UCR", "S.2"].read_as == {
        "No": {"No": 1}, "abstained": {"Yes": 1}, "no answer": {"abstained": 1},
    }  # fmt: skip
    # Unread is answerable and wrong; an answerable question with it has the right class.
    figures = found.runs[0].sources["tubench-ucr"].metrics
    assert (figures["OACC"].numerator, figures["OACC"].denominator) == (3, 6)


def test_no_figure_depends_on_the_second_reader(tmp_path: Path) -> None:
    with_one, without, other = (scored(tmp_path / str(name), name) for name in (None, "none", "text"))
    assert without.readings is None and other.readings is not None
    assert msgspec.structs.replace(with_one, readings=None) == without
    assert msgspec.structs.replace(other, readings=None) == without


def test_any_two_readers_can_be_compared(tmp_path: Path) -> None:
    found = scored(tmp_path, "text")
    assert parts(found)[None, ""].read_as == {
        "No": {"answered": 1}, "Yes": {"Yes": 1, "answered": 1}, "abstained": {"answered": 2},
    }  # fmt: skip
    with pytest.raises(SettingsError, match=r"another reader than 'yes-no'.*against='yes-no'"):
        scored(tmp_path / "same", "yes-no")
    with pytest.raises(SettingsError, match="a reader, one of json, mcq"):
        scored(tmp_path / "unknown", "yes")


def test_the_partner_of_a_reader() -> None:
    assert {name: partner(name, GROUPS) for name in ("yes-no", "mcq", "json", "mcq-published")} == {
        "yes-no": "yes-no-published", "mcq": "choice-published", "json": None, "mcq-published": "mcq",
    }  # fmt: skip
    assert partner("mcq", [choice_group("q")]) is None and partner("mcq", []) is None
    assert partner("yes-no", [*GROUPS, *groups_of(1)]) is None
    assert set(STRICT) | set(STRICT.values()) <= set(READERS.names())
    assert {name for name in READERS.names() if name.endswith("-published")} == set(STRICT)


def test_the_documentation_has_every_reader_and_pair() -> None:
    page = (Path(__file__).resolve().parents[2] / "docs" / "reference" / "readers.md").read_text(encoding="utf-8")
    headings = [line.split("`")[1] for line in page.split("\n") if line.startswith("## `")]
    assert set(headings) == set(READERS.names())
    assert all(f"| `{published}` | `{strict}` |" in page for published, strict in STRICT.items())


def test_unsolvable_problems_too(tmp_path: Path) -> None:
    groups = [choice_group("q")]
    bench = write_benchmark(tmp_path / "bench", groups, reader="mcq")
    run = write_run(tmp_path / "r", bench, lambda view: "The answer is A." if view.state == "F" else "A")
    found = score_runs(bench, [run], draws=20, against="mcq-published").scores.readings
    assert found is not None
    whole = found.counts[0]
    views = [view.state for view in groups[0].views]
    assert whole.read_as["A"].get("invalid", 0) == views.count("F") > 0
    assert whole.replies - whole.alike == views.count("F")
    assert score_runs(bench, [run], draws=20).scores.readings is None


def test_examples_are_bounded_and_do_not_depend_on_the_order_of_the_log(tmp_path: Path) -> None:
    groups = [question(f"q{place:03d}", ["Yes"]) for place in range(40)]
    bench = write_benchmark(tmp_path / "bench", groups, reader="yes-no")
    manifest = run_manifest(bench)
    view_of = {view.id: (row, view) for row, view in enumerate(view for group in groups for view in group.views)}
    kinds = ["hm", "It cannot be determined.", "Yes. Not unanswerable.", "No " * 5 + "x" * 900, "True"]
    replies = [reply_of(manifest, view, kinds[row % len(kinds)]) for view, (row, _) in view_of.items()]
    seen = []
    for seed in range(3):
        random.Random(seed).shuffle(replies)
        found = Differences("r", READERS.load("yes-no-published"), dict.fromkeys(view_of, "s"))
        for reply in replies:
            row, view = view_of[reply.view]
            found.add(row, view, Item(), reply, READERS.load("yes-no").read(reply.text, reply.status, Item()))
        seen.append((found.counts(), found.examples()))
    assert seen[0] == seen[1] == seen[2]
    counts, examples = seen[0]
    assert counts[0].replies == 40
    cells = [(one.reading, one.against) for one in examples]
    assert all(cells.count(cell) <= 3 for cell in cells) and len(cells) <= 24
    assert [one.view for one in examples] == sorted(one.view for one in examples)
    assert all(len(one.said) <= 400 for one in examples)
    assert max(one.length for one in examples) > 400


def test_the_words_of_a_reading() -> None:
    item = Item({"A": "7"})
    assert [word_of(one, item) for one in (
        Answered("A", "r"), Answered("Yes", "r"), Answered("abstained", "r"), Answered(None, "r"), Abstained("r"),
        Invalid("empty", "r"),
    )] == ["A", "Yes", "answered", "no answer", "abstained", "invalid"]  # fmt: skip
    assert alike(Answered("1,000", "a"), Answered("1000", "b")) and alike(
        Invalid("empty", "a"), Invalid("refused", "b")
    )
    assert not alike(Answered(None, "a"), Abstained("a")) and not alike(Answered("A", "a"), Answered("B", "a"))


def test_the_oracle_of_other_benchmarks_is_read_by_one_reader(tmp_path: Path) -> None:
    bench = write_benchmark(tmp_path / "bench", groups_of(2))
    assert score_runs(bench, [write_run(tmp_path / "r", bench, oracle)], draws=20).scores.readings is None
