"""A log of one file whose first line says who is asked: judgements of replies, rewordings of questions."""

from __future__ import annotations

import os
from abc import ABC, abstractmethod
from pathlib import Path
from types import TracebackType
from typing import IO, ClassVar, Self

from answerable.core.codec import canonical
from answerable.core.errors import LogError, RunMismatchError, StorageError
from answerable.core.records import Record
from answerable.core.runlog import RunLog, RunManifest, _open_repaired


class HeadedLog(RunLog, ABC):
    """A log of one file: its first line says who is asked and how, each further one is what came of it.

    Args:
        folder: whose lock is taken.
        manifest: what a session asks its log for.
        file_path: of the file, made when absent.
        head: must equal the first line, if there is one.
    """

    what: ClassVar[str]
    """Of the file, for errors; so are the next three."""
    first: ClassVar[str]
    started: ClassVar[str]
    fix: ClassVar[str]

    def __init__(
        self, folder: Path, manifest: RunManifest, file_path: Path, head: Record, *, fsync_every: int = 16
    ) -> None:
        super().__init__(folder, manifest, fsync_every=fsync_every)
        self.file_path, self._head = file_path, head
        self._file: IO[bytes] | None = None

    def __enter__(self) -> Self:
        try:
            self.file_path.parent.mkdir(parents=True, exist_ok=True)
            self._take_lock()
            self._file = _open_repaired(self.file_path)
            if self._file.tell() == 0:
                self._write(self._head)
            else:
                self._settle_head()
        except BaseException as error:
            self._end()
            if isinstance(error, OSError):
                raise StorageError.from_os(error, self.file_path) from error
            raise
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._end()

    @abstractmethod
    def _stored_head(self) -> Record | None:
        """The first line of the file."""

    def _write(self, line: Record) -> None:
        self._append(self._file, line, self.what, self.file_path)

    def _settle_head(self) -> None:
        old = self._stored_head()
        if old is None:
            raise LogError(self.first, "no line", where=str(self.file_path))
        for field in self._head.__struct_fields__:
            mine, theirs = canonical(getattr(self._head, field)), canonical(getattr(old, field))
            if mine != theirs:
                raise RunMismatchError(
                    f"{self.started} that the file was started with ({field}={str(theirs)[:80]})",
                    f"{field}={str(mine)[:80]}", where=str(self.file_path), fix=self.fix,
                )  # fmt: skip

    def _end(self) -> None:
        if self._file is not None and not self._file.closed:
            try:
                os.fsync(self._file.fileno())
            except OSError as error:
                raise StorageError.from_os(error, self.file_path) from error
            finally:
                self._file.close()
        self._close()
