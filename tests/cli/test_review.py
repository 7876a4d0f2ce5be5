"""``answerable review``: started, killed and resumed as a process of its own; exported and told about."""

from __future__ import annotations

import contextlib
import http.client
import itertools
import json
import signal
import sqlite3
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import pytest

from answerable.cli.main import run_command
from answerable.core.benchmark import Benchmark
from answerable.core.decisions import Decisions
from answerable.review.pages import group_pages
from answerable.review.records import Project
from answerable.review.store import Store
from tests.review.make import benchmark, drop, keep, name, run_of, vote_all

#: The command line with this one verb.
PROGRAM = "import answerable.cli.main as m; m.VERBS = ('review',); m.entry()"


@pytest.fixture
def bench(tmp_path: Path) -> Benchmark:
    return benchmark(tmp_path / "bench", 6)


class Served:
    """A running ``answerable review``."""

    def __init__(self, *words: str | Path) -> None:
        self.process = subprocess.Popen(
            [sys.executable, "-c", PROGRAM, "review", *map(str, words)],
            stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
        )  # fmt: skip
        assert self.process.stdout is not None
        self.said = [self.process.stdout.readline(), self.process.stdout.readline()]
        self.url = self.said[1].strip()

    def ask(self, path: str, body: Any = None) -> Any:
        """JSON of one request."""
        parts = urlsplit(self.url)
        connection = http.client.HTTPConnection(str(parts.hostname), parts.port, timeout=30)
        try:
            data = None if body is None else json.dumps(body).encode()
            connection.request(
                "GET" if body is None else "POST", parts.path + path, data, {"Content-Type": "application/json"}
            )
            with connection.getresponse() as answer:
                text = answer.read()
                assert answer.status == 200, text
                return json.loads(text)
        finally:
            connection.close()

    def vote(self, who: str, item: int, body: Any) -> Any:
        """Vote."""
        return self.ask("api/vote", {"id": name(who, item, body), "reviewer": who, "item": item, "body": body})

    def end(self, sign: signal.Signals) -> tuple[int, str]:
        """Exit code and what it said last."""
        self.process.send_signal(sign)
        _, err = self.process.communicate(timeout=30)
        return self.process.returncode, " ".join(err.split())


@contextlib.contextmanager
def served(*words: str | Path) -> Iterator[Served]:
    """The command, ended if the test did not."""
    found = Served(*words)
    try:
        yield found
    finally:
        if found.process.poll() is None:
            found.end(signal.SIGKILL)


def test_nothing_acknowledged_is_lost_when_it_is_killed(bench: Benchmark, tmp_path: Path) -> None:
    votes = {}
    with served(bench.path) as first:
        assert first.said[0] == f"6 groups, 2 votes each: {tmp_path / 'bench-review.sqlite'}\n"
        for item in range(5):
            for who, body in (("Ann", keep()), ("Bo", drop(f"reason {item}"))):
                votes[who, item] = first.vote(who, item, body)["vote"]
        first.end(signal.SIGKILL)
    with served(bench.path) as again:
        # The same address, so that pages left open go on.
        assert again.url == first.url
        for who in ("Ann", "Bo"):
            mine = again.ask(f"api/start?reviewer={who}")["mine"]
            assert [(one["item"], one["vote"]) for one in mine] == [(item, votes[who, item]) for item in range(5)]
        again.vote("Ann", 5, keep())
        code, said = again.end(signal.SIGINT)
    assert code == 0
    assert said == (
        f"Stopped. Every vote that the page called saved is in {tmp_path / 'bench-review.sqlite'}. "
        "The same command resumes."
    )
    # Ended as it should, it leaves one file.
    assert sorted(path.name for path in tmp_path.iterdir()) == ["bench", "bench-review.sqlite"]


@pytest.mark.parametrize("seconds", [0.05, 0.2])
def test_killed_in_the_middle_of_votes(bench: Benchmark, tmp_path: Path, seconds: float) -> None:
    """Two reviewers vote as fast as they can; what either was told is there, and nothing is half there."""
    acknowledged: set[str] = set()
    sent: dict[str, int] = {}
    with served(bench.path) as first:

        def keep_voting(who: str) -> None:
            with contextlib.suppress(OSError, http.client.HTTPException):
                for number in itertools.count():
                    body = keep(reason=str(number))
                    sent[name(who, number % 6, body)] = number
                    acknowledged.add(first.vote(who, number % 6, body)["id"])

        threads = [threading.Thread(target=keep_voting, args=(who,)) for who in ("Ann", "Bo")]
        for thread in threads:
            thread.start()
        while len(acknowledged) < 4:
            time.sleep(0.005)
        time.sleep(seconds)
        first.end(signal.SIGKILL)
        for thread in threads:
            thread.join(30)
    known = bench.manifest
    store = Store(tmp_path / "bench-review.sqlite", Project("group", known.name, known.fingerprint))
    kept = {row[0] for row in store._db.execute("SELECT id FROM votes")}
    assert store._db.execute("PRAGMA integrity_check").fetchone()[0] == "ok"
    store.close()
    assert acknowledged <= kept <= set(sent)


def test_a_new_token_ends_the_old_address(bench: Benchmark) -> None:
    with served(bench.path) as first:
        first.end(signal.SIGKILL)
    with served(bench.path, "--new-token") as again:
        old, new = urlsplit(first.url), urlsplit(again.url)
        assert len(new.path.strip("/")) >= 32
        assert old.path != new.path
        again.url = again.url.replace(new.path, old.path)
        with pytest.raises(AssertionError, match="Nothing here"):
            again.ask("api/start?reviewer=Ann")


def review_of(bench: Benchmark, path: Path, **votes: str) -> None:
    """A database with these votes."""
    known = bench.manifest
    store = Store(path, Project("group", known.name, known.fingerprint), group_pages(bench).items)
    vote_all(store, votes)
    store.close()


def call(*words: str | Path) -> int:
    return run_command(["review", *map(str, words)])


def test_status_and_export(bench: Benchmark, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    review_of(bench, tmp_path / "bench-review.sqlite", Ann="kkkddd", Bo="kkdddk")
    assert call(bench.path, "--status", "--json") == 0
    status = json.loads(capsys.readouterr().out)["status"]
    assert status == {
        "items": 6, "votes": {"2": 6}, "settled": {"keep": 2, "drop": 2}, "disputed": ["g-test-2", "g-test-5"],
        "reviewers": {"Ann": 6, "Bo": 6},
    }  # fmt: skip
    assert call(bench.path, "--status") == 0
    assert "reviewers differ" in capsys.readouterr().out
    assert call(bench.path, "--export", tmp_path / "out") == 0
    text = capsys.readouterr().out
    # Four of six alike, both keep three times: (4/6 - 1/2) / (1/2).
    assert "0.333" in text
    assert str(tmp_path / "out" / "decisions.jsonl") in text.replace("\n", "")
    assert Decisions((tmp_path / "out" / "decisions.jsonl",)).on("g-test-0") == "keep"
    before = {path.name: path.read_bytes() for path in (tmp_path / "out").iterdir()}
    assert call(bench.path, "--export", tmp_path / "out", "--json") == 0
    assert json.loads(capsys.readouterr().out)["export"]["scores"]["outcomes"] == {
        "keep": 2, "drop": 2, "disputed": 2, "open": 0,
    }  # fmt: skip
    assert {path.name: path.read_bytes() for path in (tmp_path / "out").iterdir()} == before


def test_what_is_shown_is_chosen_when_a_review_is_begun(bench: Benchmark, tmp_path: Path) -> None:
    chosen = tmp_path / "list.jsonl"
    chosen.write_text('{"group":"g-test-4","why":["equal images"]}\n{"group":"gone"}\n{"group":"g-test-1"}\n')
    with served(bench.path, "--list", chosen, "--reviewers", "3") as first:
        assert first.said[0].startswith("2 groups, 3 votes each")
        assert first.ask("api/item/1")["why"] == ["equal images"]
        _, said = first.end(signal.SIGINT)
    assert "1 of 3 groups of the list are not in the benchmark, so not shown: gone" in said
    with served(bench.path) as again:
        assert again.said[0].startswith("2 groups, 3 votes each")
        assert again.ask("api/item/1")["why"] == ["equal images"]


def test_a_sample_and_named_groups(bench: Benchmark, tmp_path: Path) -> None:
    with served(bench.path, "--sample", "3", "--seed", "1", "--db", tmp_path / "a" / "s.sqlite") as some:
        names = [some.ask(f"api/item/{place}")["id"] for place in range(3)]
        assert some.said[0].startswith("3 groups")
    assert names == sorted(names)
    with served(bench.path, "--group", "g-test-5", "--group", "g-test-0", "--db", tmp_path / "g.sqlite") as two:
        assert [two.ask(f"api/item/{place}")["id"] for place in range(2)] == ["g-test-0", "g-test-5"]


def test_explanations_of_a_run(bench: Benchmark, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    run_of(tmp_path / "run", bench, ["4, since I counted", None])
    grade = {"answer": "correct", "explanation": "wrong", "kinds": ["calculation"]}
    with served(bench.path, "--run", tmp_path / "run") as one:
        assert one.said[0] == f"9 replies, 2 votes each: {tmp_path / 'run-review.sqlite'}\n"
        assert one.ask("api/item/0")["said"]["text"] == "4, since I counted"
        one.vote("Ann", 0, grade)
        one.vote("Bo", 0, grade)
        _, said = one.end(signal.SIGINT)
    assert "Replies without text are not shown: 9 empty" in said
    assert call(bench.path, "--run", tmp_path / "run", "--export", tmp_path / "out") == 0
    table = json.loads((tmp_path / "out" / "explanations.json").read_bytes())
    assert table["by_reply"]["table"]["correct"]["wrong"] == 1
    assert table["by_vote"]["kinds"] == {"hallucination": 0, "calculation": 2, "other": 0}
    capsys.readouterr()


def test_errors_say_what_to_do(bench: Benchmark, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    other = benchmark(tmp_path / "other", 2)
    review_of(bench, tmp_path / "bench-review.sqlite", Ann="k")
    later = tmp_path / "later.sqlite"
    review_of(bench, later, Ann="k")
    with contextlib.closing(sqlite3.connect(later)) as database:
        database.execute("PRAGMA user_version = 9")
    (tmp_path / "notes.txt").write_text("mine")
    for words, message in (
        ([tmp_path / "no"], "expected a benchmark folder"),
        ([other.path, "--db", tmp_path / "bench-review.sqlite"], "expected a review database of this benchmark"),
        ([other.path, "--status"], "expected a review database; got nothing at"),
        ([bench.path, "--db", tmp_path / "notes.txt"], "expected a review database; got notes.txt"),
        ([bench.path, "--db", later], "expected a review database of version 1; got version=9"),
        ([bench.path, "--reviewers", "0"], "expected a number of votes from 1 to 20"),
        ([bench.path, "--reviewers", "3"], "expected the 2 votes on every item that the review was begun with"),
        ([bench.path, "--sample", "3"], "expected the 6 items that the review was begun with; got 3 others"),
        ([bench.path, "--group", "x"], "expected groups of the benchmark; got 1 others, the first 'x'"),
        ([bench.path, "--sample", "7"], "expected a number from 1 to 6; got sample=7"),
        ([bench.path, "--list", tmp_path / "notes.txt"], "expected a line of a review list"),
        ([bench.path, "--host", "10.1.2.3"], "expected an address of this machine alone"),
        ([bench.path, "--port", "70000"], "expected a port from 0 to 65535"),
        ([bench.path, "--json"], "expected --json with --export or --status"),
        ([bench.path, "--run", tmp_path / "no"], "expected a run folder"),
        ([bench.path, "--export", tmp_path / "notes.txt"], "expected a folder to export into"),
    ):
        assert call(*words) == 2, words
        assert message in capsys.readouterr().err
    assert (tmp_path / "notes.txt").read_text() == "mine"
    run = run_of(tmp_path / "run", other, ["4"])
    assert call(bench.path, "--run", run.path) == 2
    assert "expected benchmark 'small' with fingerprint" in capsys.readouterr().err


def test_the_browser_is_opened_at_the_address(
    bench: Benchmark, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    shown: list[str] = []
    monkeypatch.setattr("webbrowser.open", shown.append)
    monkeypatch.setattr("answerable.review.serve.listen", lambda store, pages, place, ready: ready("http://x/t/"))
    assert call(bench.path, "--open", "--host", "10.0.0.9", "--remote") == 0
    assert shown == ["http://x/t/"]
    said = capsys.readouterr()
    assert "http://x/t/" in said.out
    assert "Everyone who reaches 10.0.0.9 and has the address can vote. Nothing is encrypted." in said.err


def test_groups_are_not_named_for_replies(bench: Benchmark, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    run = run_of(tmp_path / "run", bench, ["4"])
    assert call(bench.path, "--run", run.path, "--group", "g-test-0") == 2
    assert "expected --sample to choose replies" in capsys.readouterr().err
