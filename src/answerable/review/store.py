"""The review database: one SQLite file to which votes are only ever added.

Every vote and every undo is a row; what stands is what the last row of a reviewer on an item says. A vote is
acknowledged after it has reached the disk (write-ahead log, ``synchronous=FULL``), so a killed process loses nothing
that was acknowledged. A reviewer's rows carry an id made by the page: sent twice, a vote counts once.
"""

from __future__ import annotations

import contextlib
import secrets
import sqlite3
import threading
from collections.abc import Iterator, Sequence
from pathlib import Path

import msgspec

from answerable.core.codec import decode, encode
from answerable.core.errors import ReviewError, StorageError
from answerable.review.forms import FORMS, Form, Vote, clean_name
from answerable.review.records import Ack, Ballot, Cast, Item, Project, Undo
from answerable.review.schema import check, create

#: Seconds to wait for another process that writes.
PATIENCE = 15.0
_MAGIC = b"SQLite format 3\x00"


class Store:
    """An open review database.

    Args:
        path: the file.
        project: what is reviewed.
        items: what to vote on, in order; None takes what the database has.
        wanted: votes wanted on every item; None takes what the database has, 2 in a new one.
        make: whether a new file may be made; if so ``items`` must be given where there is none.

    Raises:
        ReviewError: the file is no review database, is of another version, benchmark, run, list of items or number of
            votes, or is not there.
        StorageError: the disk refused.
    """

    def __init__(
        self, path: Path, project: Project, items: Sequence[Item] | None = None, *,
        wanted: int | None = None, make: bool = True,
    ) -> None:  # fmt: skip
        self.path, self.project = path, project
        self.form: Form = FORMS[project.form]
        self._lock = threading.Lock()
        if not make and not path.exists():
            raise ReviewError("a review database", f"nothing at {path}", fix="start the review first, or name it: --db")
        self._db = connect(path)
        try:
            with self._reading(path):
                if _is_new(self._db):
                    self._found(items or (), wanted or 2)
                check(self._db, path)
                # After the check: a file that is not ours stays as it is. Where the file system has no shared memory
                # SQLite keeps its older journal, which is as safe.
                self._db.execute("PRAGMA journal_mode = WAL")
                self._settle(items, wanted)
        except BaseException:
            self._db.close()
            raise

    def close(self) -> None:
        """Close the file; nothing is pending."""
        with self._lock:
            self._db.close()

    @property
    def key(self) -> str:
        """Names this database to the page, which keeps unsent votes under it."""
        return self._meta("key")

    def note(self, name: str, value: str | None = None) -> str:
        """A remembered word (address, port), empty where there is none; with a value, remember it."""
        with self._writing():
            if value is not None:
                self._db.execute("INSERT OR REPLACE INTO meta VALUES (?, ?)", (f"note {name}", value))
            row = self._db.execute("SELECT value FROM meta WHERE key = ?", (f"note {name}",)).fetchone()
        return str(row[0]) if row else ""

    def vote(self, cast: Cast) -> Ack:
        """Take a vote; when this returns, it is on the disk.

        Raises:
            ReviewError: it is no vote of the form, on no item, or its id was used for something else.
            StorageError: the disk refused; nothing was taken.
        """
        body = encode(self.form.read(bytes(cast.body))).decode()
        with self._writing():
            reviewer = self._reviewer(cast.reviewer)
            self._check_item(cast.item)
            if self._seen(reviewer, cast.id, "vote", cast.item, body):
                return self._ack(cast.id, reviewer, cast.item)
            before = self._standing(reviewer, cast.item)
            extra = self._is_extra(reviewer, cast.item)
            self._db.execute(
                "INSERT INTO votes (id, reviewer, item, kind, body, stands, before, extra)"
                " VALUES (?, ?, ?, 'vote', ?, NULL, ?, ?)",
                (cast.id, reviewer, cast.item, body, before[0] if before else None, extra),
            )
            replaced = before[2] if before and before[1] != cast.base and before[2] != body else None
            return self._ack(cast.id, reviewer, cast.item, replaced)

    def undo(self, undo: Undo) -> Ack:
        """Take a vote back.

        Raises:
            ReviewError: it is not the vote that stands.
            StorageError: the disk refused; nothing was taken.
        """
        with self._writing():
            reviewer = self._reviewer(undo.reviewer)
            self._check_item(undo.item)
            if self._seen(reviewer, undo.id, "undo", undo.item, undo.vote):
                return self._ack(undo.id, reviewer, undo.item)
            found = self._standing(reviewer, undo.item)
            if found is None or found[1] != undo.vote:
                raise ReviewError(
                    f"the vote that stands on item {undo.item}", "another one: it was changed in another window",
                    fix="look at the item again, then undo",
                )  # fmt: skip
            seq, _, _, before, extra = found
            self._db.execute(
                "INSERT INTO votes (id, reviewer, item, kind, body, stands, before, extra)"
                " VALUES (?, ?, ?, 'undo', ?, ?, ?, ?)",
                (undo.id, reviewer, undo.item, undo.vote, before, seq, extra),
            )
            return self._ack(undo.id, reviewer, undo.item)

    def standing(self) -> tuple[Ballot, ...]:
        """Every vote that stands, in the order they were taken."""
        with self._lock, self._reading(self.path):
            rows = self._db.execute(_STANDING).fetchall()
        return tuple(
            Ballot(seq=seq, id=name, reviewer=who, item=item, body=msgspec.Raw(body.encode()), extra=bool(extra))
            for seq, name, who, item, body, extra in rows
        )

    def spelling(self, name: str) -> str:
        """A reviewer's name as it was first typed: case makes no other person.

        Raises:
            ReviewError: it is no name.
        """
        name = clean_name(name)
        with self._lock, self._reading(self.path):
            row = self._db.execute("SELECT name FROM reviewers WHERE folded = ?", (name.casefold(),)).fetchone()
        return str(row[0]) if row else name

    def read(self, body: msgspec.Raw) -> Vote:
        """A stored vote."""
        return self.form.read(bytes(body))

    def _found(self, items: Sequence[Item], wanted: int) -> None:
        """Make the tables; all of them, or nothing."""
        if not items:
            raise ReviewError("something to review", "nothing", where=str(self.path))
        with _transaction(self._db):
            if not _is_new(self._db):
                return  # another process was faster
            create(self._db)
            meta = {"project": encode(self.project).decode(), "wanted": str(wanted), "key": secrets.token_hex(8)}
            self._db.executemany("INSERT INTO meta VALUES (?, ?)", sorted(meta.items()))
            self._db.executemany(
                "INSERT INTO items VALUES (?, ?, ?, ?, ?)",
                (
                    (place, item.id, item.group, item.digest, encode(item.why).decode())
                    for place, item in enumerate(items)
                ),
            )

    def _settle(self, items: Sequence[Item] | None, wanted: int | None) -> None:
        """Hold what was asked for against what the database is."""
        mine, theirs = self.project, decode(self._meta("project"), Project)
        fix = "name another database: --db FILE"
        for field in Project.__struct_fields__:
            one, other = getattr(mine, field), getattr(theirs, field)
            if one != other:
                raise ReviewError(
                    f"a review database of this {'run' if field in ('run', 'model') else 'benchmark'} ({field}={one})",
                    f"one of {field}={other}", where=str(self.path), fix=fix,
                )  # fmt: skip
        self.wanted = int(self._meta("wanted"))
        if wanted is not None and wanted != self.wanted:
            raise ReviewError(
                f"the {self.wanted} votes on every item that the review was begun with", f"--reviewers {wanted}",
                where=str(self.path), fix=f"leave --reviewers out, or {fix}",
            )  # fmt: skip
        rows = self._db.execute("SELECT id, part, digest, why FROM items ORDER BY place").fetchall()
        self.items = tuple(Item(name, part, digest, decode(why, tuple[str, ...])) for name, part, digest, why in rows)
        if items is not None and [item.id for item in items] != [item.id for item in self.items]:
            raise ReviewError(
                f"the {len(self.items)} items that the review was begun with", f"{len(items)} others",
                where=str(self.path), fix=f"leave --sample, --group and --list out to resume, or {fix}",
            )  # fmt: skip

    def _meta(self, key: str) -> str:
        row = self._db.execute("SELECT value FROM meta WHERE key = ?", (key,)).fetchone()
        if row is None:
            raise ReviewError("a whole review database", f"one without its {key}", where=str(self.path))
        return str(row[0])

    def _reviewer(self, typed: str) -> int:
        name = clean_name(typed)
        self._db.execute("INSERT OR IGNORE INTO reviewers (name, folded) VALUES (?, ?)", (name, name.casefold()))
        row = self._db.execute("SELECT number FROM reviewers WHERE folded = ?", (name.casefold(),)).fetchone()
        return int(row[0])

    def _check_item(self, item: int) -> None:
        if not 0 <= item < len(self.items):
            raise ReviewError(f"an item from 0 to {len(self.items) - 1}", f"item={item}")

    def _seen(self, reviewer: int, name: str, kind: str, item: int, body: str) -> bool:
        """Whether this very row was taken before."""
        if not (16 <= len(name) <= 64 and name.isascii() and name.isalnum()):
            raise ReviewError("an id of 16 to 64 letters and digits", f"{name[:80]!r}")
        row = self._db.execute(
            "SELECT kind, item, body FROM votes WHERE reviewer = ? AND id = ?", (reviewer, name)
        ).fetchone()
        if row is not None and row != (kind, item, body):
            raise ReviewError("an id that is used once", f"id={name}, which named another vote")
        return row is not None

    def _standing(self, reviewer: int, item: int) -> tuple[int, str, str, int | None, int] | None:
        """Seq, id, body, what stood before it, and whether it is extra; of the reviewer's vote that stands."""
        row = self._db.execute(
            "SELECT kind, seq, stands FROM votes WHERE item = ? AND reviewer = ? ORDER BY seq DESC LIMIT 1",
            (item, reviewer),
        ).fetchone()
        seq = None if row is None else row[1] if row[0] == "vote" else row[2]
        if seq is None:
            return None
        found: tuple[int, str, str, int | None, int] = self._db.execute(
            "SELECT seq, id, body, before, extra FROM votes WHERE seq = ?", (seq,)
        ).fetchone()
        return found

    def _is_extra(self, reviewer: int, item: int) -> int:
        """1 when enough others had voted before the reviewer's first vote on the item."""
        mine = self._db.execute(
            "SELECT extra FROM votes WHERE item = ? AND reviewer = ? ORDER BY seq LIMIT 1", (item, reviewer)
        ).fetchone()
        if mine is not None:
            return int(mine[0])
        others = self._db.execute("SELECT DISTINCT reviewer FROM votes WHERE item = ?", (item,)).fetchall()
        return int(sum(self._standing(other, item) is not None for (other,) in others) >= self.wanted)

    def _ack(self, name: str, reviewer: int, item: int, replaced: str | None = None) -> Ack:
        found = self._standing(reviewer, item)
        return Ack(
            id=name, item=item, vote=found[1] if found else "",
            body=msgspec.Raw(found[2].encode()) if found else None,
            replaced=msgspec.Raw(replaced.encode()) if replaced is not None else None,
        )  # fmt: skip

    @contextlib.contextmanager
    def _writing(self) -> Iterator[None]:
        with self._lock, self._reading(self.path), _transaction(self._db):
            yield

    @contextlib.contextmanager
    def _reading(self, path: Path) -> Iterator[None]:
        """SQLite's errors in our words."""
        try:
            yield
        except sqlite3.OperationalError as error:
            raise StorageError(
                "to use the review database", str(error), where=str(path),
                fix="free some space, close what else writes to it, then go on: what was acknowledged is kept",
            ) from error  # fmt: skip
        except (sqlite3.DatabaseError, msgspec.MsgspecError, UnicodeError) as error:
            raise ReviewError(
                "a review database", f"{path.name}: {str(error)[:120]}", where=str(path),
                fix="name another file: --db FILE",
            ) from error  # fmt: skip


_STANDING = """
SELECT v.seq, v.id, r.name, v.item, v.body, v.extra
FROM (SELECT max(seq) AS seq FROM votes GROUP BY item, reviewer) AS newest
JOIN votes AS last ON last.seq = newest.seq
JOIN votes AS v ON v.seq = CASE last.kind WHEN 'vote' THEN last.seq ELSE last.stands END
JOIN reviewers AS r ON r.number = v.reviewer
ORDER BY v.seq
"""


def connect(path: Path) -> sqlite3.Connection:
    """Open or make the file, for one writer at a time, durable at every commit.

    Raises:
        StorageError: it cannot be opened or made.
        ReviewError: it is something else.
    """
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        if not path.exists():
            # The address of the page is kept in it.
            path.touch(mode=0o600)
        with path.open("rb") as file:
            head = file.read(len(_MAGIC))
        if head and head != _MAGIC:
            # SQLite would take some short files for empty databases, and write over them.
            raise ReviewError(
                "a review database", f"{path.name}, which is no SQLite file", where=str(path),
                fix="name another file: --db FILE",
            )  # fmt: skip
        found = sqlite3.connect(path, timeout=PATIENCE, isolation_level=None, check_same_thread=False)
    except OSError as error:
        raise StorageError.from_os(error, path) from error
    except sqlite3.Error as error:
        raise StorageError("to open the review database", str(error), where=str(path)) from error
    try:
        found.execute("PRAGMA trusted_schema = OFF")
        found.execute("PRAGMA foreign_keys = ON")
        found.execute("PRAGMA synchronous = FULL")
    except sqlite3.Error as error:
        found.close()
        raise ReviewError(
            "a review database", f"{path.name}: {str(error)[:120]}", where=str(path), fix="name another file: --db FILE"
        ) from error
    return found


def _is_new(database: sqlite3.Connection) -> bool:
    return bool(database.execute("PRAGMA schema_version").fetchone()[0] == 0)


@contextlib.contextmanager
def _transaction(database: sqlite3.Connection) -> Iterator[None]:
    """All or nothing, with the right to write from the start."""
    database.execute("BEGIN IMMEDIATE")
    try:
        yield
        database.execute("COMMIT")
    except BaseException:
        if database.in_transaction:
            database.execute("ROLLBACK")
        raise
