"""The file of judgements: one judge, one judgement a reply, nothing that stands for another text."""

from __future__ import annotations

import string
from pathlib import Path

import msgspec
import pytest

from answerable.core.codec import digest, digest_bytes, encode
from answerable.core.errors import BenchmarkError, LogError, RunMismatchError
from answerable.core.judgements import (
    Judge,
    JudgeFailure,
    Judgement,
    JudgementLog,
    Put,
    check_place,
    judgement_key,
    judgements_path,
    put_to_judge,
    read_judgements,
)
from answerable.core.records import Abstain, Option, View
from answerable.core.runlog import Failure, PromptText, Reply, RunManifest, Sampling

JUDGE = Judge(
    format=1, reader="mcq", benchmark_fingerprint="f", model="j", provider="p", endpoint="http://h/v1",
    prompt=PromptText("judge-choice", "s", "{question}", "0" * 64), sampling=Sampling(), sampling_sha256="1" * 64,
)  # fmt: skip
PUT = Put("Which?", (("A", "red"), ("B", "blue"), ("Y", "unclear"), ("Z", "none")), ("Z",), "Y")
KEY = judgement_key(JUDGE, PUT, "hm")


def judgement(view: str = "v", repeat: int = 0, text: str = "B") -> Judgement:
    return Judgement(view, repeat, KEY, digest_bytes(b"hm"), "complete", text)


def view(*options: Option, withheld: str = "") -> View:
    record = {
        "id": "v", "group": "g", "source": "s", "split": "test", "figure": "f", "state": "AAD", "question": "Which?",
        "obligation": msgspec.to_builtins(Abstain("absent_answer")),
        "evidence": {"level": "derived", "proof": "", "note": ""}, "image_sha256": "0" * 64, "width": 1, "height": 1,
    }  # fmt: skip
    return msgspec.structs.replace(msgspec.convert(record, View), options=options, withheld=withheld)


def lines(path: Path, *records: object) -> Path:
    path.write_bytes(b"".join(encode(record) + b"\n" for record in records))
    return path


def manifest() -> RunManifest:
    return RunManifest(
        format=1, benchmark="b", benchmark_fingerprint="f", model="j", provider="p", endpoint="", prompt=JUDGE.prompt,
        sampling=JUDGE.sampling, sampling_sha256=digest(1), repeats=1, control="text-only", split="test", limit=None,
        views=1, seed=0, versions={},
    )  # fmt: skip


def log(folder: Path, judge: Judge = JUDGE) -> JudgementLog:
    return JudgementLog(folder, judge, manifest(), {KEY: [("v", 0), ("w", 1)]}, {KEY: digest_bytes(b"hm")})


def test_the_key_depends_on_everything_that_is_put() -> None:
    others = [
        (msgspec.structs.replace(JUDGE, model="k"), PUT, "hm"),
        (msgspec.structs.replace(JUDGE, endpoint="http://other/v1"), PUT, "hm"),
        (msgspec.structs.replace(JUDGE, sampling_sha256="2" * 64), PUT, "hm"),
        (msgspec.structs.replace(JUDGE, prompt=PromptText("x", "", "{question}", "3" * 64)), PUT, "hm"),
        (JUDGE, msgspec.structs.replace(PUT, question="What?"), "hm"),
        (JUDGE, msgspec.structs.replace(PUT, options=PUT.options[:-1]), "hm"),
        (JUDGE, PUT, "hm "),
    ]
    keys = {judgement_key(*other) for other in others}
    assert len(keys) == len(others)
    assert KEY not in keys
    assert judgement_key(JUDGE, PUT, "hm") == KEY


def test_letters_for_the_judge_keep_clear_of_the_offered_ones() -> None:
    put = put_to_judge(view(Option("A", "red"), Option("Z", "blue"), withheld="green"))
    assert [letter for letter, _ in put.options] == ["A", "Z", "W", "X", "Y"]
    assert (put.abstaining, put.unclear) == (("W", "Y"), "X")
    many = [Option(letter, letter) for letter in string.ascii_uppercase]
    assert put_to_judge(view(*many[:23])).unclear == "Y"
    with pytest.raises(BenchmarkError, match="at most 23 options, so that a judge can be offered more; got 24 options"):
        put_to_judge(view(*many[:24]))


def test_one_reply_of_the_judge_is_written_for_every_reply_it_stands_for(tmp_path: Path) -> None:
    with log(tmp_path) as opened:
        opened.reply(Reply(view=KEY, repeat=0, prompt="", model="j", sampling="", status="complete", text="B"))
    stored = read_judgements(judgements_path(tmp_path, "mcq"))
    assert stored is not None and stored.judge == JUDGE
    assert stored.by_place == {("v", 0): judgement(), ("w", 1): judgement("w", 1)}


def test_failures_give_way_to_judgements(tmp_path: Path) -> None:
    with log(tmp_path) as opened:
        opened.failure(Failure(view=KEY, repeat=0, kind="timeout", message="slow"))
    path = judgements_path(tmp_path, "mcq")
    stored = read_judgements(path)
    assert stored is not None
    assert stored.failures[("w", 1)] == JudgeFailure("w", 1, KEY, "timeout", "slow")
    with log(tmp_path) as opened:
        opened.keep([judgement()])
    stored = read_judgements(path)
    assert stored is not None
    assert (set(stored.by_place), set(stored.failures)) == ({("v", 0)}, {("w", 1)})


def test_no_file_and_a_torn_first_line_are_no_judgements(tmp_path: Path) -> None:
    path = judgements_path(tmp_path, "mcq")
    assert read_judgements(path) is None
    path.write_bytes(encode(JUDGE)[:40])
    assert read_judgements(path) is None
    with log(tmp_path):
        pass
    stored = read_judgements(path)
    assert stored is not None and stored.judge == JUDGE


@pytest.mark.parametrize(
    ("records", "words"),
    [
        ((judgement(),), "the judge in line 1; got another line"),
        ((JUDGE, JUDGE), "one judge of format 1, in line 1"),
        ((msgspec.structs.replace(JUDGE, format=2),), "one judge of format 1"),
        ((JUDGE, judgement(), judgement(text="A")), "one judgement a reply; got two for view=v repeat=0"),
        ((JUDGE, {"line": "verdict"}), "a judge, a judgement or a failure a line"),
    ],
)
def test_damage_is_named(tmp_path: Path, records: tuple[object, ...], words: str) -> None:
    with pytest.raises(LogError, match=words):
        read_judgements(lines(tmp_path / "j.jsonl", *records))


def test_a_judgement_belongs_to_its_text_and_options(tmp_path: Path) -> None:
    path = lines(tmp_path / "j.jsonl", JUDGE, judgement())
    stored = read_judgements(path)
    assert stored is not None
    assert check_place(stored, path, "v", 0, PUT, "hm") == judgement()
    assert check_place(stored, path, "w", 0, PUT, "hm") is None
    for put, text in ((PUT, "hmm"), (msgspec.structs.replace(PUT, question="What?"), "hm")):
        with pytest.raises(LogError, match="one on another text or other options"):
            check_place(stored, path, "v", 0, put, text)


def test_another_judge_is_refused(tmp_path: Path) -> None:
    with log(tmp_path):
        pass
    with pytest.raises(RunMismatchError, match=r"the file was started with \(model=j\); got model=k"):
        log(tmp_path, msgspec.structs.replace(JUDGE, model="k")).__enter__()
    with log(tmp_path):
        pass
