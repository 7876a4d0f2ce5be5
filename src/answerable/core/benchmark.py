"""The benchmark folder.

``benchmark.json``, ``views-<split>-*.parquet`` (one row a view, image bytes embedded the way Hugging Face
``datasets`` does), ``proofs-*.jsonl``, ``ledger.json`` and ``README.md``. The fingerprint is a sha256 over
canonical content, not over files, so another version of the Parquet library does not change it.
"""

from __future__ import annotations

import contextlib
import hashlib
from collections.abc import Callable, Iterable, Iterator, Mapping
from fnmatch import fnmatch
from pathlib import Path
from types import TracebackType
from typing import TYPE_CHECKING, Any, Protocol

import msgspec

from answerable.core.codec import canonical, decode, decoder, digest, digest_bytes, encode, encode_pretty
from answerable.core.errors import BenchmarkError, FingerprintError, ProofError, StorageError
from answerable.core.files import write_bytes
from answerable.core.parquet import check, readable
from answerable.core.records import STATES, Group, Record, View
from answerable.core.view_rows import COLUMNS, ROWS_A_GROUP, ViewTable, view_of

if TYPE_CHECKING:
    import pyarrow.parquet as pq


class Hash(Protocol):
    """What ``hashlib.sha256()`` gives."""

    def update(self, data: bytes, /) -> None:
        """Take in more bytes."""

    def hexdigest(self) -> str:
        """The digest so far."""


FORMAT = 1
MANIFEST, LEDGER, CARD = "benchmark.json", "ledger.json", "README.md"
#: A proof line longer than this is refused before it is decoded.
MAX_PROOF_LINE = 4 * 1024 * 1024


class SourceCount(Record, frozen=True):
    """What one source gives."""

    source: str
    split: str
    groups: int
    views: int
    states: tuple[str, ...]


class Manifest(Record, frozen=True):
    """``benchmark.json``."""

    format: int
    name: str
    version: str
    generator: str
    """Program and version that built it."""
    settings: msgspec.Raw
    """The generator's settings with the seed, as it was given them."""
    licence: str
    prompt: str
    """Name of the prompt it is meant for."""
    reader: str
    """Name of the reader it is meant for."""
    metrics: tuple[str, ...]
    sources: tuple[SourceCount, ...]
    groups: int
    views: int
    proofs: int
    fingerprint: str = ""


class LedgerLine(Record, frozen=True):
    """What construction tried for one source."""

    source: str
    scanned: int
    """Questions or figures looked at."""
    eligible: int
    """Of those, the ones of a form this builder knows."""
    attempted: int
    """Of those, the ones tried before the quota was full."""
    kept: int
    refused: dict[str, int]
    """By reason; they add up to ``scanned - kept - unattempted``."""
    unattempted: int
    notes: tuple[str, ...] = ()


class Ledger(Record, frozen=True):
    """``ledger.json``."""

    lines: tuple[LedgerLine, ...]
    asked: int
    kept: int
    examples: dict[str, tuple[str, ...]] = msgspec.field(default_factory=dict)
    """A few details for each reason, for people."""


class ProofRecord(Record, frozen=True):
    """One line of ``proofs-*.jsonl``: a proof in its domain's own words."""

    group: str
    domain: str
    body: msgspec.Raw

    def digest(self) -> str:
        """What ``Evidence.proof`` of the group's views must say."""
        return digest(self)


#: Files of an unfinished build (the manifest comes last), half-written ones included.
_OURS = (
    "views-*-*.parquet", "proofs-*.jsonl", LEDGER, CARD,
    f".{LEDGER}.*", f".{CARD}.*", f".{MANIFEST}.*",
)  # fmt: skip


class BenchmarkWriter:
    """Writes a benchmark folder group by group; memory does not grow with the number of groups.

    The manifest is written last, so a folder without one is unfinished and is never opened.
    """

    def __init__(self, path: Path) -> None:
        self.path = path
        self._hashes: dict[str, Hash] = {}
        self._tables: dict[str, ViewTable] = {}
        self._proofs: Any = None
        self._counts: dict[tuple[str, str], list[Any]] = {}
        self.groups = self.views = self.proofs = 0

    def __enter__(self) -> BenchmarkWriter:
        if self._unfinished():
            self._sweep()
        if self.path.exists() and not self.path.is_dir():
            raise BenchmarkError("a folder to build into", f"{self.path}, a file", fix="choose another --out")
        if self.path.exists() and any(self.path.iterdir()):
            raise BenchmarkError(
                "an empty or new folder to build into", f"{self.path}, which has files", fix="choose another --out"
            )
        try:
            self.path.mkdir(parents=True, exist_ok=True)
            self._proofs = (self.path / "proofs-00000.jsonl").open("wb")
        except OSError as error:
            raise StorageError.from_os(error, self.path) from error
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        try:
            self._close()
        finally:
            # With its manifest the folder is finished, whatever happened since.
            if kind is not None and not (self.path / MANIFEST).exists():
                self._sweep()

    @property
    def states(self) -> set[str]:
        """States of the groups added so far."""
        return {state for tally in self._counts.values() for state in tally[2]}

    @property
    def splits(self) -> set[str]:
        """Splits that have groups so far."""
        return {split for _, split in self._counts}

    def _unfinished(self) -> bool:
        """Whether the folder holds an unfinished build of ours and nothing else."""
        names = {path.name for path in self.path.iterdir()} if self.path.is_dir() else set()
        ours = [name for name in names if any(fnmatch(name, pattern) for pattern in _OURS)]
        return "proofs-00000.jsonl" in names and len(ours) == len(names) and MANIFEST not in names

    def _sweep(self) -> None:
        """Remove an unfinished build; called only where nothing but our own files can be."""
        for pattern in _OURS:
            for left in self.path.glob(pattern):
                left.unlink()

    def add(self, group: Group, images: Iterable[bytes], proof: ProofRecord | None) -> None:
        """Append a group: its views, their image files in the same order, and its proof if it has one."""
        try:
            table = self._tables.get(group.split)
            if table is None:
                table = self._tables[group.split] = ViewTable(self.path, group.split)
                self._hashes[group.split] = hashlib.sha256()
            content = self._hashes[group.split]
            for view, image in zip(group.views, images, strict=True):
                table.add(view, image)
                content.update(encode(view) + b"\n")
            if proof is not None:
                line = encode(proof) + b"\n"
                self._proofs.write(line)
                content.update(line)
                self.proofs += 1
        except OSError as error:
            raise StorageError.from_os(error, self.path) from error
        tally = self._counts.setdefault((group.source, group.split), [0, 0, set()])
        tally[0] += 1
        tally[1] += len(group.views)
        tally[2].update(view.state for view in group.views)
        self.groups += 1
        self.views += len(group.views)

    def finish(self, manifest: Manifest, ledger: Ledger, card: str) -> Manifest:
        """Write ledger, card and manifest; counts and fingerprint are filled in here."""
        self._close()
        order = list(STATES)
        sources = tuple(
            SourceCount(
                source=source, split=split, groups=tally[0], views=tally[1],
                states=tuple(sorted(tally[2], key=order.index)),
            )
            for (source, split), tally in sorted(self._counts.items())
        )  # fmt: skip
        manifest = msgspec.structs.replace(
            manifest, sources=sources, groups=self.groups, views=self.views, proofs=self.proofs, fingerprint=""
        )
        manifest = msgspec.structs.replace(manifest, fingerprint=_fingerprint(self._hashes, manifest, ledger))
        write_bytes(self.path / LEDGER, encode_pretty(ledger))
        write_bytes(self.path / CARD, card.replace("{fingerprint}", manifest.fingerprint).encode())
        write_bytes(self.path / MANIFEST, encode_pretty(manifest))
        return manifest

    def _close(self) -> None:
        try:
            # Every file is closed, whichever refuses.
            with contextlib.ExitStack() as stack:
                if self._proofs is not None:
                    stack.callback(self._proofs.close)
                for table in self._tables.values():
                    stack.callback(table.close)
        except OSError as error:
            raise StorageError.from_os(error, self.path) from error


def _fingerprint(content: Mapping[str, Hash], manifest: Manifest, ledger: Ledger) -> str:
    parts = [f"{split} {content[split].hexdigest()}" for split in sorted(content)]
    parts += [digest(ledger), digest(canonical(msgspec.structs.replace(manifest, fingerprint="")))]
    return digest_bytes("\n".join(parts).encode())


#: Called by ``Benchmark.verify`` for every row: file, row group, view, image bytes.
Visit = Callable[[Path, int, View, bytes], None]


class Benchmark:
    """Reads a benchmark folder; views and proofs are streamed."""

    def __init__(self, path: Path) -> None:
        self.path = path
        manifest = path / MANIFEST
        if not manifest.is_file():
            raise BenchmarkError(
                f"a benchmark folder with {MANIFEST}",
                f"{path}",
                fix="name the folder given to 'answerable build --out'",
            )
        try:
            self.manifest = decode(manifest.read_bytes(), Manifest)
            # Settings are kept as they are written, which reads past what is no text in them.
            canonical(self.manifest)
        except (OSError, msgspec.MsgspecError, RecursionError) as error:
            raise BenchmarkError("a readable benchmark.json", str(error), where=str(manifest)) from error
        if self.manifest.format != FORMAT:
            raise BenchmarkError(f"format {FORMAT}", f"format={self.manifest.format}", where=str(manifest))

    def ledger(self) -> Ledger:
        """What construction tried."""
        path = self.path / LEDGER
        try:
            return decode(path.read_bytes(), Ledger)
        except (OSError, msgspec.MsgspecError) as error:
            raise BenchmarkError("a readable ledger.json", str(error), where=str(path)) from error

    def views(self, split: str | None = None) -> Iterator[View]:
        """Every view in stored order, without reading a single image."""
        for _, _, _, view in self._rows(split, images=False):
            yield view

    def views_with_images(self, split: str | None = None) -> Iterator[tuple[View, bytes]]:
        """Every view and the bytes of its image file, streamed by row group."""
        for _, _, image, view in self._rows(split, images=True):
            yield view, image

    def groups(self, split: str | None = None) -> Iterator[Group]:
        """Groups in stored order; a group's views are neighbours in the file.

        Raises:
            BenchmarkError: two groups share an id.
        """
        seen: set[str] = set()
        bucket: list[View] = []
        for view in self.views(split):
            if bucket and bucket[0].group != view.group:
                yield _group(bucket, seen)
                bucket = []
            bucket.append(view)
        if bucket:
            yield _group(bucket, seen)

    def images(self) -> ImageStore:
        """Image bytes by view id, read on demand."""
        return ImageStore(self)

    def proofs(self) -> Iterator[ProofRecord]:
        """Every proof record, streamed; a line that is too long is refused before it is decoded."""
        for path in sorted(self.path.glob("proofs-*.jsonl")):
            for _, proof in _proof_lines(path):
                yield proof

    def proof_places(self) -> dict[str, ProofPlace]:
        """Where each group's proof lies; the proofs themselves stay on disk.

        Raises:
            ProofError: a line is no proof record, or two are for one group.
        """
        places: dict[str, ProofPlace] = {}
        for path in sorted(self.path.glob("proofs-*.jsonl")):
            offset = 0
            for number, (line, proof) in enumerate(_proof_lines(path), start=1):
                if proof.group in places:
                    raise ProofError(
                        "one proof a group", f"two for group={proof.group}", where=f"{path}, line {number}"
                    )
                places[proof.group] = ProofPlace(path, offset, len(line))
                offset += len(line)
        return places

    def verify(self, visit: Visit | None = None) -> None:
        """Recompute the fingerprint from the content, images included.

        Args:
            visit: called with (file, row group, view, image bytes) for every row, in stored order; it sees content
                that is not verified until this method returns.

        Raises:
            FingerprintError: something was edited, or the folder is not whole.
        """
        proofs: dict[str, bytes] = {}
        for proof in self.proofs():
            if proof.group in proofs:
                raise FingerprintError("one proof a group", f"two for group={proof.group}", where=str(self.path))
            proofs[proof.group] = encode(proof) + b"\n"
        content: dict[str, Hash] = {}
        count, last, split = 0, "", ""
        for path, group, image, view in self._rows(None, images=True):
            if view.group != last:
                if last:
                    content[split].update(proofs.pop(last, b""))
                last, split = view.group, view.split
                content.setdefault(split, hashlib.sha256())
            if digest_bytes(image) != view.image_sha256:
                raise FingerprintError(
                    f"the image with sha256={view.image_sha256[:16]}...", f"sha256={digest_bytes(image)[:16]}...",
                    where=f"{self.path}, view {view.id}", fix="the image was changed after the build: build again",
                )  # fmt: skip
            if not path.name.startswith(f"views-{view.split}-"):
                raise FingerprintError(
                    f"views of the split {view.split!r} in files of that split", f"some in {path.name}",
                    where=f"{self.path}, view {view.id}", fix="give the files back their names, or build again",
                )  # fmt: skip
            content[split].update(encode(view) + b"\n")
            if visit is not None:
                visit(path, group, view, image)
            count += 1
        if last:
            content[split].update(proofs.pop(last, b""))
        found = _fingerprint(content, self.manifest, self.ledger())
        if proofs or count != self.manifest.views or found != self.manifest.fingerprint:
            raise FingerprintError(
                f"content with fingerprint={self.manifest.fingerprint[:16]}... and {self.manifest.views} views",
                f"fingerprint={found[:16]}... and {count} views",
                where=str(self.path),
                fix="a benchmark is never edited by hand: build it again, or take it from where it came",
            )

    def files(self, split: str | None = None) -> list[Path]:
        """The Parquet files, of one split or of all."""
        return sorted(self.path.glob(f"views-{split or '*'}-*.parquet"))

    def _rows(self, split: str | None, *, images: bool) -> Iterator[tuple[Path, int, bytes, View]]:
        """File, row group, image bytes and view of every row."""
        import pyarrow.parquet as pq

        columns = list(COLUMNS) + (["image"] if images else [])
        for path in self.files(split):
            with _readable(path), pq.ParquetFile(path, memory_map=False) as file:
                for group in range(file.num_row_groups):
                    table = file.read_row_group(group, columns=columns)
                    check(table)
                    # A few rows at a time become Python objects, so that the images are not held twice.
                    for batch in table.to_batches(max_chunksize=ROWS_A_GROUP if not images else 16):
                        for row in batch.to_pylist():
                            image = _image(row["image"], row["id"]) if images else b""
                            yield path, group, image, view_of(row)


def _readable(path: Path) -> contextlib.AbstractContextManager[None]:
    return readable(path, BenchmarkError, " of views")


def _image(cell: object, view: object) -> bytes:
    found = cell.get("bytes") if isinstance(cell, dict) else None
    if not isinstance(found, bytes):
        raise TypeError(f"view {view} has no image of its own")
    return found


class ProofPlace(msgspec.Struct, frozen=True):
    """Where a proof record lies."""

    path: Path
    offset: int
    length: int

    def read(self) -> ProofRecord:
        """The record."""
        with self.path.open("rb") as file:
            file.seek(self.offset)
            return decode(file.read(self.length), ProofRecord)


def _proof_lines(path: Path) -> Iterator[tuple[bytes, ProofRecord]]:
    """Lines and records; a line that is too long is refused before it is decoded."""
    read = decoder(ProofRecord)
    with path.open("rb") as file:
        number = 0
        while line := file.readline(MAX_PROOF_LINE + 1):
            number += 1
            where = f"{path}, line {number}"
            if len(line) > MAX_PROOF_LINE:
                raise ProofError(
                    f"a proof of at most {MAX_PROOF_LINE} bytes", "a longer line", where=where,
                    fix="no proof of ours is that large; do not trust this file",
                )  # fmt: skip
            try:
                yield line, read.decode(line)
            except (msgspec.MsgspecError, RecursionError) as error:
                raise ProofError("one proof record a line", str(error), where=where) from error


class ImageStore:
    """Image bytes by view id. Keeps the place of every image, and one row group of bytes, in memory."""

    def __init__(self, benchmark: Benchmark) -> None:
        import pyarrow.parquet as pq

        self._places: dict[str, tuple[Path, int, int]] = {}
        for path in benchmark.files():
            with _readable(path), pq.ParquetFile(path) as file:
                for group in range(file.num_row_groups):
                    for row, name in enumerate(file.read_row_group(group, columns=["id"])["id"].to_pylist()):
                        self._places[str(name)] = (path, group, row)
        self._open: dict[Path, pq.ParquetFile] = {}
        self._kept: dict[tuple[Path, int], Any] = {}

    def __contains__(self, view: str) -> bool:
        return view in self._places

    def read(self, view: str) -> bytes:
        """The bytes of a view's image file.

        Raises:
            BenchmarkError: the benchmark has no such view, or its file cannot be read.
        """
        import pyarrow.parquet as pq

        if view not in self._places:
            raise BenchmarkError("a view of the benchmark", f"view={view}")
        path, group, row = self._places[view]
        with _readable(path):
            column = self._kept.get((path, group))
            if column is None:
                file = self._open.get(path)
                if file is None:
                    file = self._open[path] = pq.ParquetFile(path)
                column = file.read_row_group(group, columns=["image"])["image"]
                check(column)
                while len(self._kept) >= 4:
                    self._kept.pop(next(iter(self._kept)))
                self._kept[(path, group)] = column
            return _image(column[row].as_py(), view)


def _group(views: list[View], seen: set[str]) -> Group:
    first = views[0]
    if first.group in seen:
        raise BenchmarkError(
            "the views of a group side by side and group ids used once", f"group={first.group} a second time"
        )
    seen.add(first.group)
    return Group(id=first.group, source=first.source, split=first.split, views=tuple(views))
