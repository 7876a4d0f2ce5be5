"""Scoring with stored judgements: a judge's letter counts, anything less leaves a reply unread by its own name."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from answerable.core.benchmark import Benchmark
from answerable.core.errors import LogError, RunError
from answerable.core.judgements import Judgement, judgements_path, put_to_judge, read_judgements
from answerable.core.runlog import RunFolder
from answerable.run.judge import judge_replies
from answerable.run.providers.base import Failed, Replied
from answerable.score.judged import judge_counts, judgeable, judged_reading
from answerable.score.pipeline import Scored, score_runs
from answerable.score.readers import READERS
from answerable.score.readers.reading import Abstained, Answered, Invalid, Item
from tests.run.test_judge import NAMES, QUICK, FakeJudge, cases_of, choice_benchmark, choice_view, says
from tests.score.fake import manifest_of, reply_of, write_run

RAMBLE = "Hard to say of "


def judged(run: RunFolder, bench: Benchmark, answer: Callable[[str], Replied | Failed], reader: str = "mcq") -> None:
    judge_replies(run, reader, cases_of(bench, run), FakeJudge(answer), QUICK)


@pytest.fixture
def bench(tmp_path: Path) -> Benchmark:
    return choice_benchmark(tmp_path / "bench")


@pytest.fixture
def run(tmp_path: Path, bench: Benchmark) -> RunFolder:
    return write_run(tmp_path / "run", bench, lambda view: RAMBLE + view.group)


def score(run: RunFolder, bench: Benchmark, **more: object) -> Scored:
    settings = {"draws": 20, "judged": True} | more
    return score_runs(bench, [run], **settings)  # type: ignore[arg-type]


def outcomes(scored: Scored) -> dict[str, tuple[object, ...]]:
    """Group -> outcome, answer, rule, why."""
    columns = [scored.verdicts[name] for name in ("group", "outcome", "answer", "rule", "why")]
    return {str(group): tuple(row) for group, *row in zip(*columns, strict=True)}


SAID: dict[str, Replied | Failed] = {
    "one": says("B"), "two": says("C"), "three": says("Z"), "four": says("It is B, since 2 of 3 fit."),
    "five": says(None, "refused"), "six": Failed("timeout", "B was too slow"),
}  # fmt: skip


def test_every_kind_of_judgement_has_its_own_name(run: RunFolder, bench: Benchmark) -> None:
    judged(run, bench, lambda text: SAID[next(name for name in NAMES if f"{RAMBLE}{name}\n" in text)])
    scored = score(run, bench)
    assert outcomes(scored) == {
        "one": ("correct", "B", "judge: B", ""), "two": ("wrong_answer", "C", "judge: C", ""),
        "three": ("false_rejection", None, "judge: Z", ""),
        "four": ("invalid", None, "judge: complete", "judge_unread"),
        "five": ("invalid", None, "judge: refused", "judge_refused"),
        "six": ("invalid", None, "judge: timeout", "judge_failed"),
    }  # fmt: skip
    (source,) = scored.scores.runs[0].sources.values()
    assert source.counts["judged"] == 3
    assert [source.counts[f"judge_{why}"] for why in ("unread", "refused", "failed", "truncated", "unclear")] == [
        1, 1, 1, 0, 0,
    ]  # fmt: skip
    assert source.counts["I"] == 3
    (note,) = [note for note in scored.scores.notes if note.startswith("JUDGED")]
    assert "3 of 6 replies (50.0 %) were read by the judge judge-1" in note
    assert "it left 2 unread and failed on 1, which stay unread" in note


def test_without_the_flag_judgements_are_left_alone(run: RunFolder, bench: Benchmark) -> None:
    judged(run, bench, lambda _: says("B"))
    scored = score(run, bench, judged=False)
    assert {row[3] for row in outcomes(scored).values()} == {"no_choice"}
    (source,) = scored.scores.runs[0].sources.values()
    assert "judged" not in source.counts
    assert not any("JUDGED" in note for note in scored.scores.notes)


def test_without_judgements_the_flag_is_an_error(run: RunFolder, bench: Benchmark) -> None:
    words = r"(?s)judgements on what reader 'mcq' left unread; got no judgements-mcq\.jsonl.*next:  answerable judge"
    with pytest.raises(RunError, match=words):
        score(run, bench)


def test_the_removed_answer_and_the_instructed_letter_abstain() -> None:
    put = put_to_judge(choice_view("one", "AAD"))

    def reading(text: str) -> object:
        return judged_reading(Judgement("v", 0, "k", "r", "complete", text), put)

    assert reading("X") == Abstained("judge: X")
    assert reading("F") == Abstained("judge: F")
    assert reading("A") == Answered("A", "judge: A")
    assert reading("Y") == Invalid("judge_unclear", "judge: Y")
    assert reading("B") == Invalid("judge_unread", "judge: complete")
    cut = Judgement("v", 0, "k", "r", "truncated", "A")
    assert judged_reading(cut, put) == Invalid("judge_truncated", "judge: truncated")


def test_agreement_is_told_on_replies_that_the_reader_reads(tmp_path: Path, bench: Benchmark) -> None:
    texts = dict(zip(NAMES, ("A", "B", "C", "none of the above", "B", "Hm"), strict=True))
    run = write_run(tmp_path / "mixed", bench, lambda view: texts[view.group])

    def answer(text: str) -> Replied | Failed:
        return says("A" if "\nA\n[/" in text else "Z" if "none of" in text else "words" if "\nC\n[/" in text else "B")

    judged(run, bench, answer)
    scored = score(run, bench)
    notes = [note for note in scored.scores.notes if "JUDGED" in note]
    assert "1 of 6 replies (16.7 %)" in notes[0]
    assert (
        "a sample of 5 replies that the reader mcq reads, the judge says the same for 4 of the 4 it reads" in notes[1]
    )
    assert "(1 unread)" in notes[1]
    assert outcomes(scored)["three"][1] == "C"


def test_unread_replies_without_a_judgement_are_told(run: RunFolder, bench: Benchmark) -> None:
    judge_replies(run, "mcq", cases_of(bench, run)[:2], FakeJudge(lambda _: says("B")), QUICK)
    scored = score(run, bench)
    assert any("4 unread replies have no judgement yet and stay unread" in note for note in scored.scores.notes)
    assert sum(row[0] == "invalid" for row in outcomes(scored).values()) == 4


def test_a_judgement_on_another_text_is_an_error(run: RunFolder, bench: Benchmark) -> None:
    judged(run, bench, lambda _: says("B"))
    path = run.path / "replies-00000.jsonl"
    path.write_text(path.read_text().replace("Hard to say of one", "Hard to tell of one"))
    with pytest.raises(LogError, match="one on another text or other options"):
        score(run, bench)


def test_a_judgement_without_its_reply_is_an_error(run: RunFolder, bench: Benchmark) -> None:
    judged(run, bench, lambda _: says("B"))
    path = run.path / "replies-00000.jsonl"
    path.write_text("".join(path.read_text().splitlines(keepends=True)[:-1]))
    with pytest.raises(LogError, match="judgements on replies of this run"):
        score(run, bench, allow_incomplete=True)


def test_the_reader_can_be_named(tmp_path: Path, bench: Benchmark) -> None:
    run = write_run(tmp_path / "prose", bench, lambda _: "The answer is B")
    assert {row[0] for row in outcomes(score(run, bench, judged=False)).values()} == {"correct"}
    strict = score(run, bench, judged=False, reader="mcq-published")
    assert {row[0] for row in outcomes(strict).values()} == {"invalid"}
    assert strict.scores.reader == "mcq-published 1"
    judged(run, bench, lambda _: says("B"), "mcq-published")
    both = score(run, bench, reader="mcq-published")
    assert {row[:3] for row in outcomes(both).values()} == {("correct", "B", "judge: B")}
    assert read_judgements(judgements_path(run.path, "mcq")) is None


@pytest.mark.parametrize(
    ("text", "status", "asked"),
    [
        ("It might be any of them.", "complete", True), ("Neither A nor B is correct.", "complete", True),
        ("It might be any of them.", "truncated", False), (None, "refused", False), ("", "empty", False),
        ("<think>It may be B", "complete", False), ("B", "complete", False),
        ("I can't help with that.", "complete", False),
        ("Error code: 429 - rate limited, choose B", "complete", False), ("HTTP 503: B", "complete", False),
        ("Failed to obtain answer via API.", "complete", False), ("[Request timed out]", "complete", False),
        ("openai.RateLimitError: too many", "complete", False),
        ("Traceback (most recent call last)", "complete", False),
        ("Error bars overlap, so it is open", "complete", True),
        ("Errors in the picture make it hard", "complete", True),
        ("Connections run from left to right", "complete", True),
    ],
)  # fmt: skip
def test_what_may_be_judged(bench: Benchmark, text: str | None, status: str, asked: bool) -> None:
    reply = reply_of(manifest_of(bench), "v", text, status=status)
    item = Item({"A": "red", "B": "blue", "C": "green"})
    reading = READERS.load("mcq").read(reply.text, reply.status, item)
    assert judgeable(reply, reading) is asked


def test_counts_come_from_the_rules() -> None:
    rules = {"judge: B": 2, "judge: Z": 1, "whole_letter": 5, "invalid: judge_failed": 4, "invalid: no_choice": 1}
    assert judge_counts(rules) == {
        "judged": 3, "judge_failed": 4, "judge_refused": 0, "judge_truncated": 0, "judge_unread": 0,
        "judge_unclear": 0,
    }  # fmt: skip
