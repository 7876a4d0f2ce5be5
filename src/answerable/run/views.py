"""The views of a run: what a request needs, some 250 bytes a view, and each image read when it is its turn."""

from __future__ import annotations

import io
from array import array
from collections import Counter
from pathlib import Path
from types import TracebackType

from answerable.core.asking import asked_text
from answerable.core.benchmark import Benchmark, ImageStore
from answerable.core.codec import digest_bytes
from answerable.core.errors import BenchmarkError, FingerprintError, SettingsError
from answerable.core.records import Abstain, Answer, Obligation, View
from answerable.run.providers.base import Key

#: Place of an image that does not lie in its file as it is (somebody compressed the file).
_ELSEWHERE = -1


class Views:
    """The views that a run asks, by number from 0 in stored order. Made by ``load``, used inside ``with``."""

    def __init__(self, benchmark: Benchmark, *, keep_key: bool) -> None:
        self._benchmark, self._keep_key = benchmark, keep_key
        self.ids: list[str] = []
        self.questions: list[str] = []
        self.number: dict[str, int] = {}
        self.group = array("l")
        """Number of each view's group, from 0."""
        self.widths, self.heights = array("l"), array("l")
        self.obligations: list[Obligation] = []
        """Empty unless a reference responder is asked."""
        self._digests = bytearray()
        self._paths: list[Path] = []
        self._file, self._place, self._length = array("l"), array("q"), array("l")
        self._open: dict[int, io.FileIO] = {}
        self._store: ImageStore | None = None

    def __len__(self) -> int:
        return len(self.ids)

    def __enter__(self) -> Views:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        for handle in self._open.values():
            handle.close()
        self._open.clear()

    def add(self, path: Path, view: View, group: int, place: int, length: int) -> None:
        """Append a view whose image lies at ``place`` in ``path``."""
        if view.id in self.number:
            raise BenchmarkError("view ids used once", f"view={view.id} a second time", str(self._benchmark.path))
        self.number[view.id] = len(self.ids)
        self.ids.append(view.id)
        asked = asked_text(view)
        same = bool(self.questions) and self.questions[-1] == asked
        self.questions.append(self.questions[-1] if same else asked)
        self.group.append(group)
        self.widths.append(view.width)
        self.heights.append(view.height)
        self._digests += bytes.fromhex(view.image_sha256)
        if self._keep_key:
            self.obligations.append(view.obligation)
        if not self._paths or self._paths[-1] != path:
            self._paths.append(path)
        self._file.append(len(self._paths) - 1)
        self._place.append(place)
        self._length.append(length)

    def sha256(self, number: int) -> str:
        """Digest of a view's image file."""
        return self._digests[32 * number : 32 * number + 32].hex()

    def image(self, number: int) -> bytes:
        """The bytes of a view's image file, read now.

        Raises:
            FingerprintError: they changed since the benchmark was verified.
        """
        if self._place[number] == _ELSEWHERE:
            self._store = self._store or self._benchmark.images()
            data = self._store.read(self.ids[number])
        else:
            file = self._handle(self._file[number])
            file.seek(self._place[number])
            data = file.read(self._length[number]) or b""
        if digest_bytes(data) != self.sha256(number):
            raise FingerprintError(
                f"the image with sha256={self.sha256(number)[:16]}...", f"sha256={digest_bytes(data)[:16]}...",
                where=f"{self._benchmark.path}, view {self.ids[number]}",
                fix="the benchmark was changed while the run was under way: restore it and repeat the command",
            )  # fmt: skip
        return data

    def _handle(self, number: int) -> io.FileIO:
        handle = self._open.get(number)
        if handle is None:
            handle = self._open[number] = io.FileIO(self._paths[number])
        return handle


def load(benchmark: Benchmark, split: str, limit: int | None, *, keep_key: bool, seed: int) -> tuple[Views, Key]:
    """Verify the benchmark and list the views of the first ``limit`` groups of a split.

    One pass over the files does both, so that what is asked is what was verified.

    Raises:
        FingerprintError: the benchmark is not what its fingerprint says.
        SettingsError: the split has no views.
    """
    views = Views(benchmark, keep_key=keep_key)
    finder, answers = _Finder(), Counter[str]()
    splits: set[str] = set()
    groups, last = 0, ""
    asked = abstain = 0

    def visit(path: Path, row_group: int, view: View, image: bytes) -> None:
        nonlocal groups, last, asked, abstain
        splits.add(view.split)
        if view.split != split:
            return
        if view.group != last:
            groups, last = groups + 1, view.group
        if limit is not None and groups > limit:
            return
        views.add(path, view, groups - 1, finder.place(path, row_group, image, view.image_sha256), len(image))
        asked += 1
        if keep_key and isinstance(view.obligation, Answer):
            answers[view.obligation.target] += 1
        abstain += isinstance(view.obligation, Abstain)

    benchmark.verify(visit)
    if not len(views):
        raise SettingsError(f"a split with views, one of {', '.join(sorted(splits))}", f"{split!r}", "--split")
    frequent = min(answers, key=lambda text: (-answers[text], text)) if answers else None
    key = Key(tuple(sorted(answers)), frequent, asked - abstain > abstain, seed)
    return views, key


class _Finder:
    """Finds where in a Parquet file an image lies, row by row; holds one row group."""

    def __init__(self) -> None:
        self._at: tuple[Path, int] | None = None
        self._chunk, self._start, self._next = b"", 0, 0
        self._found: dict[str, int] = {}
        """Digest of a picture of this row group -> its place."""

    def place(self, path: Path, row_group: int, image: bytes, mark: str) -> int:
        """Offset of the image in the file, or -1 when the file does not hold it as it is.

        Args:
            mark: digest of the image, which the benchmark was verified by.
        """
        if self._at != (path, row_group):
            self._at = (path, row_group)
            self._read(path, row_group)
            self._found.clear()
        if mark in self._found:
            # Another row's picture too, and in the file once.
            return self._found[mark]
        # Pictures lie in the order of their first rows and each follows its length, so the first match is this one.
        head = len(image).to_bytes(4, "little") + image[:64]
        found = self._chunk.find(head, self._next)
        while found >= 0 and self._chunk[found + 4 : found + 4 + len(image)] != image:
            found = self._chunk.find(head, found + 1)
        if found < 0:
            return _ELSEWHERE
        self._next = found + 4 + len(image)
        self._found[mark] = self._start + found + 4
        return self._found[mark]

    def _read(self, path: Path, row_group: int) -> None:
        import pyarrow.parquet as pq

        with pq.ParquetFile(path) as file:
            group = file.metadata.row_group(row_group)
            columns = [group.column(index) for index in range(group.num_columns)]
        column = next(column for column in columns if column.path_in_schema == "image.bytes")
        offsets = [column.data_page_offset]
        if column.dictionary_page_offset:
            offsets.append(column.dictionary_page_offset)
        self._start, self._next = min(offsets), 0
        with path.open("rb") as raw:
            raw.seek(self._start)
            self._chunk = raw.read(column.total_compressed_size)


class Texts(Views):
    """Texts in place of views, without pictures or right answers.

    Args:
        texts: name -> what is asked.
    """

    def __init__(self, texts: dict[str, str]) -> None:
        self.ids, self.questions = list(texts), list(texts.values())
        self.number = {name: number for number, name in enumerate(texts)}
        self.group = array("l", range(len(texts)))
        self.widths = self.heights = array("l", [0] * len(texts))
        self.obligations = []
