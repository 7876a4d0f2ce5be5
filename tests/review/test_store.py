"""The database: votes are only added, the last one stands, nothing is lost, and no other file is taken for one."""

from __future__ import annotations

import json
import sqlite3
import stat
import subprocess
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from answerable.core.errors import ReviewError, StorageError
from answerable.review.records import Cast, Item, Project, Undo
from answerable.review.schema import VERSION
from answerable.review.store import Store
from tests.review.make import EXPLAIN, PROJECT, cast, drop, items, keep, name, opened, raw, said, take_back, vote_all


@pytest.fixture
def store(tmp_path: Path) -> Store:
    return opened(tmp_path / "r.sqlite", PROJECT, items(4))


def test_votes_stand_after_the_file_is_opened_again(store: Store) -> None:
    cast(store, "Ann", 0, keep())
    cast(store, "Bo", 0, drop("blurred"))
    before = said(store)
    store.close()
    again = opened(store.path, PROJECT)
    assert said(again) == before
    assert before["Bo", 0] == {"decision": "drop", "reason": "blurred", "image": None, "answer": None, "strategy": None}
    assert (again.items, again.wanted, again.key) == (tuple(items(4)), 2, again.key)
    assert len(again.key) == 16


def test_every_commit_reaches_the_disk_and_only_the_owner_reads_it(store: Store) -> None:
    assert store._db.execute("PRAGMA journal_mode").fetchone()[0] == "wal"
    assert store._db.execute("PRAGMA synchronous").fetchone()[0] == 2
    assert stat.S_IMODE(store.path.stat().st_mode) == 0o600


def test_the_last_vote_of_a_reviewer_stands_and_undo_brings_the_one_before_back(store: Store) -> None:
    first = cast(store, "Ann", 1, keep())
    second = cast(store, "Ann", 1, drop(), base=first.vote)
    assert second.replaced is None
    assert said(store)["Ann", 1]["decision"] == "drop"
    back = take_back(store, "Ann", 1, second.vote)
    assert (back.vote, json.loads(bytes(back.body or b""))["decision"]) == (first.vote, "keep")
    assert said(store)["Ann", 1]["decision"] == "keep"
    gone = take_back(store, "Ann", 1, first.vote)
    assert (gone.vote, gone.body) == ("", None)
    assert said(store) == {}
    with pytest.raises(ReviewError, match="expected the vote that stands on item 1"):
        take_back(store, "Ann", 1, first.vote)
    assert store._db.execute("SELECT count(*) FROM votes").fetchone()[0] == 4


def test_a_vote_sent_twice_counts_once(store: Store) -> None:
    vote = Cast(name("one"), "Ann", 0, raw(keep()))
    assert store.vote(vote) == store.vote(vote)
    assert store._db.execute("SELECT count(*) FROM votes").fetchone()[0] == 1
    undo = Undo(name("two"), "Ann", 0, vote.id)
    assert store.undo(undo) == store.undo(undo)
    # Sent late, a vote that was taken back stays taken back.
    assert store.vote(vote).vote == ""
    assert said(store) == {}


def test_an_id_names_one_vote(store: Store) -> None:
    store.vote(Cast(name("one"), "Ann", 0, raw(keep())))
    for other in (Cast(name("one"), "Ann", 1, raw(keep())), Cast(name("one"), "Ann", 0, raw(drop()))):
        with pytest.raises(ReviewError, match="expected an id that is used once"):
            store.vote(other)
    with pytest.raises(ReviewError, match="expected an id that is used once"):
        store.undo(Undo(name("one"), "Ann", 0, name("one")))
    # Another reviewer's page may have made the same.
    assert store.vote(Cast(name("one"), "Bo", 0, raw(keep()))).vote == name("one")


@pytest.mark.parametrize("bad", ["", "short", "x" * 65, "a" * 15 + "-", "ä" * 20, "a" * 20 + "\x00"])
def test_ids_are_letters_and_digits(store: Store, bad: str) -> None:
    with pytest.raises(ReviewError, match="expected an id of 16 to 64 letters and digits"):
        store.vote(Cast(bad, "Ann", 0, raw(keep())))


@pytest.mark.parametrize("item", [-1, 4, 1 << 70])
def test_an_item_that_is_not_there(store: Store, item: int) -> None:
    with pytest.raises(ReviewError, match="expected an item from 0 to 3"):
        store.vote(Cast(name("x"), "Ann", item, raw(keep())))
    assert store._db.execute("SELECT count(*) FROM reviewers").fetchone()[0] == 0


def test_two_windows_of_one_reviewer(store: Store) -> None:
    one = cast(store, "Ann", 2, keep())
    other = cast(store, "ann ", 2, drop())
    assert json.loads(bytes(other.replaced or b""))["decision"] == "keep"
    assert {key: body["decision"] for key, body in said(store).items()} == {("Ann", 2): "drop"}
    assert take_back(store, "ANN", 2, other.vote).vote == one.vote
    assert store.spelling("aNN") == "Ann"
    # The same said twice replaces nothing.
    assert cast(store, "Ann", 2, keep()).replaced is None


@pytest.mark.parametrize("same", [False, True], ids=["two reviewers", "one reviewer twice"])
def test_votes_at_the_same_instant_are_all_kept(tmp_path: Path, same: bool) -> None:
    """Through two connections, as two servers on one file would."""
    first = opened(tmp_path / "r.sqlite", PROJECT, items(1))
    second = opened(tmp_path / "r.sqlite", PROJECT)

    def vote(number: int) -> str:
        who = "Ann" if same else f"reviewer {number % 2}"
        return cast((first, second)[number % 2], who, 0, keep(reason=str(number))).id

    with ThreadPoolExecutor(8) as pool:
        taken = set(pool.map(vote, range(40)))
    assert len(taken) == 40
    assert {row[0] for row in first._db.execute("SELECT id FROM votes")} == taken
    assert len(first.standing()) == (1 if same else 2)
    assert first.standing() == second.standing()


def test_a_vote_after_enough_others_is_extra(store: Store) -> None:
    vote_all(store, {"Ann": "kk", "Bo": "d."})
    third = cast(store, "Cy", 0, keep())
    cast(store, "Cy", 1, keep())
    extra = {(one.reviewer, one.item): one.extra for one in store.standing()}
    assert extra == {("Ann", 0): False, ("Ann", 1): False, ("Bo", 0): False, ("Cy", 0): True, ("Cy", 1): False}
    # It stays what it was when somebody else takes a vote back, and when it is changed.
    take_back(store, "Bo", 0, next(one.id for one in store.standing() if one.reviewer == "Bo"))
    cast(store, "Cy", 0, drop(), base=third.vote)
    assert next(one.extra for one in store.standing() if (one.reviewer, one.item) == ("Cy", 0))


def test_rows_are_never_changed_or_removed(store: Store) -> None:
    cast(store, "Ann", 0, keep())
    for statement in ("DELETE FROM votes", "UPDATE votes SET body = 'x'"):
        with pytest.raises(sqlite3.IntegrityError, match="votes are only added"):
            store._db.execute(statement)


STEPS = st.lists(st.tuples(st.sampled_from("AB"), st.integers(0, 1), st.sampled_from("kdu")), max_size=25)


@given(STEPS)
def test_what_stands_is_a_stack_of_votes(steps: list[tuple[str, int, str]]) -> None:
    with tempfile.TemporaryDirectory() as folder:
        store = opened(Path(folder) / "r.sqlite", PROJECT, items(2))
        stacks: dict[tuple[str, int], list[tuple[str, str]]] = {}
        for who, item, what in steps:
            mine = stacks.setdefault((who, item), [])
            if what == "u":
                if mine:
                    take_back(store, who, item, mine.pop()[0])
                else:
                    with pytest.raises(ReviewError):
                        take_back(store, who, item, name("none"))
            else:
                ack = cast(store, who, item, keep() if what == "k" else drop())
                mine.append((ack.vote, "keep" if what == "k" else "drop"))
        wanted = {key: mine[-1][1] for key, mine in stacks.items() if mine}
        assert {key: body["decision"] for key, body in said(store).items()} == wanted
        store.close()


def refused(path: Path, **how: Any) -> str:
    given: dict[str, Any] = {"project": PROJECT, "items": None} | how
    with pytest.raises(ReviewError) as caught:
        opened(path, given.pop("project"), given.pop("items"), **given)
    return str(caught.value)


def test_a_database_of_something_else_is_refused_and_says_of_what(store: Store) -> None:
    store.close()
    path = store.path
    other = msgspec.structs.replace(PROJECT, fingerprint="e" * 64)
    assert f"expected a review database of this benchmark (fingerprint={'e' * 64}); got one of fingerprint=ffff" in (
        refused(path, project=other)
    )
    assert "got one of form=group" in refused(path, project=EXPLAIN)
    assert "expected the 2 votes on every item that the review was begun with; got --reviewers 3" in refused(
        path, wanted=3
    )
    assert "expected the 4 items that the review was begun with; got 3 others" in refused(path, items=items(3))
    assert opened(path, PROJECT, items(4), wanted=2).items == tuple(items(4))


def test_a_run_of_another_model_is_refused(tmp_path: Path) -> None:
    opened(tmp_path / "e.sqlite", EXPLAIN, items(1)).close()
    other = msgspec.structs.replace(EXPLAIN, run="s" * 64)
    assert "expected a review database of this run (run=ssss" in refused(tmp_path / "e.sqlite", project=other)


def test_a_database_of_a_later_version_is_refused(store: Store) -> None:
    store._db.execute(f"PRAGMA user_version = {VERSION + 1}")
    store.close()
    found = refused(store.path)
    assert f"expected a review database of version {VERSION}; got version={VERSION + 1}" in found
    assert "use the version of answerable that made it, or a newer one" in found


@pytest.mark.parametrize("data", [b"keep\n" * 400, b"SQLite format 3\x00" + b"\xff" * 2000, b"x"])
def test_a_file_that_is_no_database_stays_as_it_is(tmp_path: Path, data: bytes) -> None:
    path = tmp_path / "notes.txt"
    path.write_bytes(data)
    assert "expected a review database; got notes.txt" in refused(path)
    assert path.read_bytes() == data


def test_a_database_of_another_program_stays_as_it_is(tmp_path: Path) -> None:
    path = tmp_path / "photos.db"
    with sqlite3.connect(path) as database:
        database.execute("CREATE TABLE photos (name TEXT)")
    database.close()
    before = path.read_bytes()
    assert "got photos.db, an SQLite file of something else" in refused(path)
    assert path.read_bytes() == before


@pytest.mark.parametrize(
    "statement",
    [
        "CREATE TRIGGER t AFTER INSERT ON votes BEGIN DELETE FROM items; END",
        "CREATE VIEW v AS SELECT * FROM votes",
        "DROP TRIGGER votes_stay",
        "ALTER TABLE meta ADD COLUMN more TEXT",
    ],
)
def test_tables_that_a_stranger_changed_are_refused(store: Store, statement: str) -> None:
    store.close()
    with sqlite3.connect(store.path) as database:
        database.execute(statement)
    database.close()
    assert "expected the tables of a review database" in refused(store.path)


@pytest.mark.parametrize(
    ("statement", "message"),
    [
        ("UPDATE meta SET value = '{' WHERE key = 'project'", "expected a review database"),
        ("DELETE FROM meta WHERE key = 'wanted'", "expected a whole review database; got one without its wanted"),
        ("UPDATE items SET why = '[1]'", "expected a review database"),
    ],
)
def test_damaged_content_is_refused(store: Store, statement: str, message: str) -> None:
    store._db.execute(statement)
    store.close()
    assert message in refused(store.path)


def test_what_is_not_there_is_not_made_for_an_export(tmp_path: Path) -> None:
    assert "expected a review database; got nothing at" in refused(tmp_path / "no.sqlite", make=False)
    assert not list(tmp_path.iterdir())


def test_a_review_of_nothing_leaves_no_tables(tmp_path: Path) -> None:
    assert "expected something to review; got nothing" in refused(tmp_path / "r.sqlite", items=[])
    opened(tmp_path / "r.sqlite", PROJECT, items(1)).close()


def test_a_place_that_cannot_be_written(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("x")
    with pytest.raises(StorageError):
        opened(tmp_path / "file" / "r.sqlite", PROJECT, items(1))
    (tmp_path / "folder").mkdir()
    with pytest.raises((StorageError, ReviewError)):
        opened(tmp_path / "folder", PROJECT, items(1))


def test_a_disk_that_refuses_takes_nothing(store: Store) -> None:
    cast(store, "Ann", 0, keep())
    store._db.execute("PRAGMA query_only = ON")
    with pytest.raises(StorageError) as caught:
        cast(store, "Ann", 1, keep())
    assert "expected to use the review database" in str(caught.value)
    store._db.execute("PRAGMA query_only = OFF")
    assert list(said(store)) == [("Ann", 0)]
    cast(store, "Ann", 1, keep())


def test_votes_are_there_for_another_process_at_once(store: Store) -> None:
    ack = cast(store, "Ann", 0, keep())
    text = "import sqlite3, sys; print(sqlite3.connect(sys.argv[1]).execute('SELECT id FROM votes').fetchone()[0])"
    done = subprocess.run([sys.executable, "-c", text, str(store.path)], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == ack.vote


def test_notes_are_remembered(store: Store) -> None:
    assert store.note("port") == ""
    assert store.note("port", "8000") == store.note("port") == "8000"
    store.close()
    assert opened(store.path, Project("group", "small", "f" * 64)).note("port") == "8000"


def test_why_an_item_is_doubtful_is_kept(tmp_path: Path) -> None:
    given = [Item("a", "a", why=("equal images", "“both”"))]
    opened(tmp_path / "r.sqlite", PROJECT, given).close()
    assert opened(tmp_path / "r.sqlite", PROJECT).items == tuple(given)
