"""From run folders to scores: what is refused, what is counted, and that nothing depends on order."""

from __future__ import annotations

import json
from pathlib import Path

import msgspec
import pyarrow.parquet as pq
import pytest

from answerable.core.benchmark import Benchmark
from answerable.core.codec import encode_pretty
from answerable.core.errors import (
    BenchmarkError,
    IncompleteError,
    InputError,
    LogError,
    RunMismatchError,
    SettingsError,
    StorageError,
)
from answerable.core.runlog import Reply, RunFolder
from answerable.core.scores import LOSSES, VERDICT_COLUMNS, Scores, SourceScores
from answerable.score.pipeline import read_scores, score_runs, write_scores
from tests.score.fake import (
    ABSTAINS,
    FAILED,
    answered,
    group_of,
    groups_of,
    oracle,
    scripted,
    view_of,
    write_benchmark,
    write_run,
    wrong,
)

DRAWS = 200


@pytest.fixture
def benchmark(tmp_path: Path) -> Benchmark:
    return write_benchmark(tmp_path / "bench", groups_of(6) + groups_of(4, "photo", ("F", "S", "K", "M")))


def only(scores: Scores, source: str = "chart", run: int = 0) -> SourceScores:
    return scores.runs[run].sources[source]


def test_gold_replies_score_all_and_wrong_replies_nothing(benchmark: Benchmark, tmp_path: Path) -> None:
    runs = [write_run(tmp_path / "oracle", benchmark, oracle), write_run(tmp_path / "wrong", benchmark, wrong)]
    scores = score_runs(benchmark, runs, draws=DRAWS).scores
    for source in ("chart", "photo"):
        gold, bad = only(scores, source, 0).metrics, only(scores, source, 1).metrics
        assert [gold[name].value for name in ("J", "B", "A", "E", "E_balanced")] == [1, 1, 1, 0, 0]
        assert [bad[name].value for name in ("J", "B", "A", "E", "E_balanced")] == [0, 0, 0, 1, 1]
    assert gold["J"].interval == (1.0, 1.0)
    assert gold["J"].wilson is not None and 0.4 < gold["J"].wilson[0] < 1
    assert only(scores, "photo").metrics["E_I"].value is None


def test_counts_losses_and_tallies_add_up(benchmark: Benchmark, tmp_path: Path) -> None:
    said = {
        "chart-00000": {"F": answered("8")},
        "chart-00001": {"M": answered("7"), "S": ABSTAINS},
        "chart-00002": {"C": "not json", "I": answered(None)},
        "chart-00003": {"F": answered(None)},
    }
    source = only(score_runs(benchmark, [write_run(tmp_path / "r", benchmark, scripted(said))], draws=DRAWS).scores)
    assert source.losses == {"success": 2, "wrong_answer": 2, "other_decision": 1, "missing_failure": 1}
    assert tuple(source.losses) == LOSSES and sum(source.losses.values()) == source.groups
    assert source.failed_views == (4, 0, 2, 0, 0, 0)
    assert (source.first_failures, source.additional_failures) == (2, 2)
    assert source.counts == {"V": 29, "I": 1, "W": 3, "missing": 0}
    assert source.rules == {"invalid: not_json": 1, "object": 29}
    assert source.statuses == {"complete": 30}
    tally = {tally.state: tally for tally in source.tallies}
    assert tally["C"].outcomes["invalid"] == 1 and tally["C"].failure.numerator == 1
    assert tally["M"].outcomes["false_acceptance"] == 1
    assert all(sum(row.outcomes.values()) == row.views for row in source.tallies)
    assert source.states == ("F", "S", "C", "M", "I")


def test_baselines(benchmark: Benchmark, tmp_path: Path) -> None:
    source = only(score_runs(benchmark, [write_run(tmp_path / "r", benchmark, oracle)], draws=DRAWS).scores)
    assert source.baselines["always-answer"]["E"].value == 2 / 5
    assert source.baselines["always-answer"]["J"].value == 0
    assert source.baselines["always-abstain"]["E"].value == 3 / 5
    assert source.baselines["always-abstain"]["J"].value == 0


def test_the_bytes_do_not_depend_on_the_order_of_the_log(benchmark: Benchmark, tmp_path: Path) -> None:
    """stat-008, run-039."""

    def backwards(replies: list[Reply]) -> list[Reply]:
        return replies[::-1]

    policy = scripted({"chart-00001": {"M": answered("7")}, "photo-00002": {"F": "?"}})
    one = write_run(tmp_path / "a" / "run", benchmark, policy)
    other = write_run(tmp_path / "b" / "run", benchmark, policy, order=backwards)
    first, second = (score_runs(benchmark, [run], draws=DRAWS) for run in (one, other))
    assert encode_pretty(first.scores) == encode_pretty(second.scores)
    assert first.verdicts == second.verdicts


def test_an_incomplete_run_is_refused_and_both_ways_on_are_named(benchmark: Benchmark, tmp_path: Path) -> None:
    run = write_run(tmp_path / "r", benchmark, scripted({"chart-00000": {"F": FAILED}}))
    with pytest.raises(IncompleteError) as caught:
        score_runs(benchmark, [run], draws=DRAWS)
    text = str(caught.value)
    assert "expected 46 replies; got 45: 1 missing, of which 1 failed and 0 were not run" in text
    assert "resume it" in text and "--allow-incomplete" in text


def test_missing_replies_count_as_failed_when_allowed_and_every_note_says_so(
    benchmark: Benchmark, tmp_path: Path
) -> None:
    failing = scripted({"chart-00000": {"M": FAILED}})
    run = write_run(tmp_path / "r", benchmark, lambda view: None if view.group == "chart-00001" else failing(view))
    scored = score_runs(benchmark, [run], draws=DRAWS, allow_incomplete=True)
    source = only(scored.scores)
    assert source.metrics["J"].numerator == 4
    assert source.metrics["E"].numerator == 6
    assert source.metrics["disagreement"].value == 0
    assert source.counts == {"V": 24, "I": 0, "W": 0, "missing": 6}
    assert source.statuses == {"complete": 24, "not_run": 5, "timeout": 1}
    assert any(
        "INCOMPLETE r: 6 of 46 replies are missing (1 failed, 5 not run)" in note for note in scored.scores.notes
    )
    row = scored.verdicts["reading"].index("failed")
    assert scored.verdicts["outcome"][row] == "failed" and scored.verdicts["reply"][row] is None


def test_a_failure_that_was_answered_later_is_no_failure(benchmark: Benchmark, tmp_path: Path) -> None:
    run = write_run(tmp_path / "r", benchmark, scripted({"chart-00000": {"F": FAILED}}))
    view = view_of("chart-00000", "F", "chart")
    line = {
        "view": view.id, "repeat": 0, "prompt": "p", "model": "m", "sampling": run.manifest.sampling_sha256,
        "status": "complete", "text": answered("7"),
    }  # fmt: skip
    with (tmp_path / "r" / "replies-00000.jsonl").open("a", encoding="utf-8") as log:
        log.write(json.dumps(line) + "\n")
    assert only(score_runs(benchmark, [run], draws=DRAWS).scores).metrics["J"].value == 1


def test_a_run_of_another_benchmark_is_refused(benchmark: Benchmark, tmp_path: Path) -> None:
    other = write_benchmark(tmp_path / "other", groups_of(2))
    with pytest.raises(RunMismatchError, match="a run of benchmark 'fake'"):
        score_runs(benchmark, [write_run(tmp_path / "r", other, oracle)])


def append(run: RunFolder, **changes: object) -> None:
    log = run.path / "replies-00000.jsonl"
    last = json.loads(log.read_text(encoding="utf-8").rstrip("\n").split("\n")[-1])
    with log.open("a", encoding="utf-8") as file:
        file.write(json.dumps(last | changes) + "\n")


def test_two_replies_for_one_view_are_refused(benchmark: Benchmark, tmp_path: Path) -> None:
    run = write_run(tmp_path / "r", benchmark, oracle)
    append(run)
    with pytest.raises(LogError, match="one final reply a view and repeat"):
        score_runs(benchmark, [run])


def test_a_reply_for_an_unknown_view_is_refused_by_name(benchmark: Benchmark, tmp_path: Path) -> None:
    run = write_run(tmp_path / "r", benchmark, oracle)
    append(run, view="v-unknown")
    with pytest.raises(LogError, match="a reply for view=v-unknown"):
        score_runs(benchmark, [run])


def test_a_reply_for_a_view_beyond_the_limit_is_refused(benchmark: Benchmark, tmp_path: Path) -> None:
    run = write_run(tmp_path / "r", benchmark, oracle, limit=1)
    beyond = view_of("chart-00003", "F", "chart").id
    append(run, view=beyond)
    with pytest.raises(LogError, match=f"the 5 views that the run was asked; got a reply for view={beyond}"):
        score_runs(benchmark, [run])


def test_a_reply_for_a_repeat_that_was_not_asked_is_refused(benchmark: Benchmark, tmp_path: Path) -> None:
    run = write_run(tmp_path / "r", benchmark, oracle)
    append(run, repeat=1)
    with pytest.raises(LogError, match="repeat=1"):
        score_runs(benchmark, [run])


def test_an_empty_or_torn_log(benchmark: Benchmark, tmp_path: Path) -> None:
    run = write_run(tmp_path / "r", benchmark, oracle)
    log = run.path / "replies-00000.jsonl"
    whole = log.read_bytes()
    log.write_bytes(whole + b'{"view": "v-')
    assert only(score_runs(benchmark, [run], draws=DRAWS).scores).metrics["J"].value == 1
    log.write_bytes(b"")
    with pytest.raises(IncompleteError, match="46 missing, of which 0 failed and 46 were not run"):
        score_runs(benchmark, [run])
    log.write_bytes(whole.replace(b"\n", b"\n\n", 1))
    with pytest.raises(LogError, match="one Reply a line"):
        score_runs(benchmark, [run])


def test_a_manifest_that_does_not_fit_its_limit_is_refused(benchmark: Benchmark, tmp_path: Path) -> None:
    run = write_run(tmp_path / "r", benchmark, oracle)
    run.manifest = msgspec.structs.replace(run.manifest, limit=2)
    with pytest.raises(RunMismatchError, match="10 views in the 2 groups that limit=2 asks for"):
        score_runs(benchmark, [run])


def test_names_come_from_folders_and_collisions_are_settled_or_refused(benchmark: Benchmark, tmp_path: Path) -> None:
    one, other = (write_run(tmp_path / folder / "run", benchmark, oracle) for folder in ("a", "b"))
    scores = score_runs(benchmark, [one, other], draws=DRAWS).scores
    assert [run.name for run in scores.runs] == ["a/run", "b/run"]
    with pytest.raises(SettingsError, match="different folder names"):
        score_runs(benchmark, [one, one])


def test_settings_are_checked(benchmark: Benchmark, tmp_path: Path) -> None:
    run = write_run(tmp_path / "r", benchmark, oracle)
    with pytest.raises(SettingsError, match="at least one run"):
        score_runs(benchmark, [])
    with pytest.raises(SettingsError, match="draws >= 1"):
        score_runs(benchmark, [run], draws=0)
    with pytest.raises(SettingsError, match="runs of split 'train'"):
        score_runs(benchmark, [run], split="train")
    run.manifest = msgspec.structs.replace(run.manifest, split="train")
    with pytest.raises(SettingsError, match="split=test, train"):
        score_runs(benchmark, [run, write_run(tmp_path / "s", benchmark, oracle)])
    with pytest.raises(BenchmarkError, match="groups in split 'train'"):
        score_runs(benchmark, [run])


def test_a_limited_run_is_scored_on_what_it_was_asked(benchmark: Benchmark, tmp_path: Path) -> None:
    """grp-008, stat-006: the denominator is the groups asked; pairs compare on shared groups and say how many."""
    whole = write_run(tmp_path / "whole", benchmark, oracle)
    part = write_run(tmp_path / "part", benchmark, wrong, limit=2)
    scores = score_runs(benchmark, [whole, part], draws=DRAWS).scores
    assert only(scores, run=1).metrics["J"].denominator == 2
    assert "photo" not in scores.runs[1].sources
    pair = next(pair for pair in scores.pairs if pair.metric == "J")
    assert (pair.groups, pair.value, pair.interval, pair.excludes_zero) == (2, 1.0, (1.0, 1.0), True)
    assert any("LIMITED part: asked 2 of 10 groups" in note for note in scores.notes)


def test_pairs_are_drawn_together(benchmark: Benchmark, tmp_path: Path) -> None:
    """stat-005: two runs with the same replies differ by exactly 0 in every draw."""
    policy = scripted({"chart-00001": {"M": answered("7")}})
    runs = [write_run(tmp_path / name, benchmark, policy) for name in ("a", "b")]
    scores = score_runs(benchmark, runs, draws=DRAWS).scores
    assert {(pair.value, pair.interval) for pair in scores.pairs if pair.value is not None} == {(0.0, (0.0, 0.0))}
    assert not any(pair.excludes_zero for pair in scores.pairs)
    undefined = [pair for pair in scores.pairs if pair.value is None]
    assert {(pair.source, pair.metric, pair.interval) for pair in undefined} == {("photo", "E_I", None)}


def test_all_pairs_of_all_sources(benchmark: Benchmark, tmp_path: Path) -> None:
    runs = [write_run(tmp_path / name, benchmark, oracle) for name in ("a", "b", "c")]
    scores = score_runs(benchmark, runs, draws=DRAWS).scores
    pairs = {(pair.a, pair.b, pair.source) for pair in scores.pairs}
    assert pairs == {(a, b, s) for a, b in (("a", "b"), ("a", "c"), ("b", "c")) for s in ("chart", "photo")}
    assert any("not adjusted" in note for note in scores.notes)


def test_evidence_levels_are_never_mixed(tmp_path: Path) -> None:
    groups = groups_of(3, level="proved") + [group_of(f"x{n}", level="annotated") for n in range(2)]
    bench = write_benchmark(tmp_path / "bench", groups)
    scores = score_runs(bench, [write_run(tmp_path / "r", bench, oracle)], draws=DRAWS).scores
    found = scores.runs[0].sources
    assert {(key, source.level, source.groups) for key, source in found.items()} == {
        ("chart [annotated]", "annotated", 2), ("chart [proved]", "proved", 3),
    }  # fmt: skip
    assert any("no figure mixes levels" in note for note in scores.notes)


def test_repeats(tmp_path: Path) -> None:
    bench = write_benchmark(tmp_path / "bench", groups_of(2))
    run = write_run(tmp_path / "r", bench, [oracle, scripted({"chart-00000": {"F": answered("8"), "M": "?"}})])
    scored = score_runs(bench, [run], draws=DRAWS)
    metrics = only(scored.scores).metrics
    assert (metrics["J"].numerator, metrics["J"].denominator) == (3, 4)
    assert (metrics["repeat_agreement"].numerator, metrics["repeat_agreement"].denominator) == (8, 10)
    assert scored.scores.runs[0].expected == 20
    assert scored.verdicts["repeat"][:2] == [0, 1]


def test_unreadable_repeats_that_look_alike_do_not_agree(tmp_path: Path) -> None:
    bench = write_benchmark(tmp_path / "bench", groups_of(1))
    run = write_run(tmp_path / "r", bench, [lambda _: "?", lambda _: "?"])
    assert only(score_runs(bench, [run], draws=DRAWS).scores).metrics["repeat_agreement"].value == 0


def test_other_readers_score_whole_replies(tmp_path: Path) -> None:
    bench = write_benchmark(tmp_path / "bench", groups_of(2, states=("F", "S")), reader="number")
    run = write_run(tmp_path / "r", bench, lambda view: "7.0" if view.state == "F" else "seven")
    scores = score_runs(bench, [run], draws=DRAWS).scores
    assert only(scores).metrics["A"].value == 0.5
    assert scores.reader == "number 1"
    assert only(scores).rules == {"invalid: not_a_number": 2, "number_grammar": 2}


def test_an_unknown_reader_is_named(tmp_path: Path) -> None:
    bench = write_benchmark(tmp_path / "bench", groups_of(1), reader="guess")
    with pytest.raises(
        SettingsError,
        match="a reader, one of json, mcq, mcq-published, choice-published, yes-no, yes-no-published, number, text",
    ):
        score_runs(bench, [write_run(tmp_path / "r", bench, oracle)])


def test_a_target_that_is_no_number_is_an_error(tmp_path: Path) -> None:
    group = group_of("g", states=("F",))
    broken = msgspec.structs.replace(group, views=(view_of("g", "F", "chart", target="nan"),))
    bench = write_benchmark(tmp_path / "bench", [broken])
    with pytest.raises(BenchmarkError, match="a number as its target"):
        score_runs(bench, [write_run(tmp_path / "r", bench, oracle)])


def test_view_ids_used_twice_are_an_error(tmp_path: Path) -> None:
    one, other = group_of("g", states=("F",)), group_of("h", states=("F",))
    twin = msgspec.structs.replace(other, views=(msgspec.structs.replace(other.views[0], id=one.views[0].id),))
    bench = write_benchmark(tmp_path / "bench", [one, twin])
    with pytest.raises(BenchmarkError, match="view ids used once"):
        score_runs(bench, [write_run(tmp_path / "r", bench, lambda _: None)])


def test_the_scores_folder(benchmark: Benchmark, tmp_path: Path) -> None:
    odd = answered("=1+1\u2028\u0085 水")
    run = write_run(tmp_path / "r", benchmark, scripted({"chart-00000": {"F": odd, "S": answered("007")}}))
    scored = score_runs(benchmark, [run], draws=DRAWS)
    write_scores(tmp_path / "scores", scored)
    assert read_scores(tmp_path / "scores") == scored.scores
    table = pq.read_table(tmp_path / "scores" / "verdicts.parquet")
    assert table.column_names == list(VERDICT_COLUMNS)
    assert table.to_pydict() == scored.verdicts
    assert odd in table["reply"].to_pylist()
    assert "007" in table["answer"].to_pylist()
    assert sorted(path.name for path in (tmp_path / "scores").iterdir()) == ["scores.json", "verdicts.parquet"]


def test_verdicts_follow_the_reply_text(benchmark: Benchmark, tmp_path: Path) -> None:
    run = write_run(tmp_path / "r", benchmark, oracle)
    write_scores(tmp_path / "scores", score_runs(benchmark, [run], draws=DRAWS))
    log = run.path / "replies-00000.jsonl"
    log.write_bytes(log.read_bytes().replace(b'\\"answer\\": \\"7\\"', b'\\"answer\\": \\"8\\"'))
    write_scores(tmp_path / "scores", score_runs(benchmark, [run], draws=DRAWS))
    assert read_scores(tmp_path / "scores").runs[0].sources["chart"].metrics["A"].value == 0


def test_a_scores_folder_that_cannot_be_read(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"a scores folder with scores\.json"):
        read_scores(tmp_path)
    (tmp_path / "scores.json").write_text("{}", encoding="utf-8")
    with pytest.raises(InputError, match=r"a readable scores\.json"):
        read_scores(tmp_path)


def test_a_folder_that_cannot_be_written(benchmark: Benchmark, tmp_path: Path) -> None:
    (tmp_path / "file").write_text("", encoding="utf-8")
    with pytest.raises(StorageError, match="to write the file"):
        write_scores(tmp_path / "file", score_runs(benchmark, [write_run(tmp_path / "r", benchmark, oracle)], draws=10))


def test_progress_is_told(benchmark: Benchmark, tmp_path: Path) -> None:
    seen: list[int] = []
    score_runs(benchmark, [write_run(tmp_path / "r", benchmark, oracle)], draws=10, tick=seen.append)
    assert sum(seen) == 46


def test_cut_replies_and_controls_are_noted(benchmark: Benchmark, tmp_path: Path) -> None:
    run = write_run(tmp_path / "r", benchmark, oracle)
    log = run.path / "replies-00000.jsonl"
    log.write_bytes(log.read_bytes().replace(b'"complete"', b'"truncated"', 2))
    run.manifest = msgspec.structs.replace(run.manifest, control="blank-image")
    notes = " ".join(score_runs(benchmark, [run], draws=10).scores.notes)
    assert "r: 2 replies were cut at the token limit" in notes
    assert "CONTROL r: blank-image" in notes
