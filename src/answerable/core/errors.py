"""The error tree.

    AnswerableError
    ├── InputError              something given by the user cannot be used          exit 2
    │   ├── SettingsError         a flag or setting
    │   ├── SourceError           a data file to build from
    │   ├── ImageError            an image that must not be sent or cannot be read
    │   ├── BenchmarkError        a benchmark folder
    │   │   └── FingerprintError    its content is not what its fingerprint says
    │   ├── ProofError            a proof record that cannot even be read
    │   ├── RunError              a run folder
    │   │   ├── RunLockedError      another process writes to it
    │   │   ├── RunMismatchError    it belongs to other settings or another benchmark
    │   │   └── LogError            a line of its log is damaged
    │   ├── IncompleteError       replies are missing and nobody allowed that
    │   ├── ReviewError           a review database, or a vote that cannot be taken
    │   └── RenderError           a picture that cannot be drawn whole
    ├── MissingExtraError       an optional part is not installed                   exit 3
    ├── ProviderError           the model cannot be asked at all (bad key, no host) exit 4
    ├── StorageError            the disk refused a write                            exit 5
    └── WorkerError             a process that did a part of the work was killed    exit 6

Every message says what was expected, what came, where, and what to do next.
"""

from __future__ import annotations

import os


class AnswerableError(Exception):
    """Root of every error this package raises on purpose.

    Args:
        expected: what the code needed.
        got: what it found instead, usually ``name=value``.
        where: file, line, field or flag; empty when there is only one place.
        fix: the next step for the reader.
    """

    exit_code = 2

    def __init__(self, expected: str, got: str, where: str = "", fix: str = "") -> None:
        self.expected, self.got, self.where, self.fix = expected, got, where, fix
        super().__init__(self._text())

    def _text(self) -> str:
        lines = [f"expected {self.expected}; got {self.got}"]
        if self.where:
            lines.append(f"  where: {self.where}")
        if self.fix:
            lines.append(f"  next:  {self.fix}")
        return "\n".join(lines)

    def __reduce__(self) -> tuple[type[AnswerableError], tuple[str, str, str, str]]:
        """Let a worker process raise the error whole."""
        return type(self), (self.expected, self.got, self.where, self.fix)


class InputError(AnswerableError):
    """Something the user gave cannot be used."""


class SettingsError(InputError):
    """A flag or a setting is wrong."""


class SourceError(InputError):
    """A data file to build from does not fit."""


class ImageError(InputError):
    """An image that cannot be read, or that must not be sent as it is."""


class BenchmarkError(InputError):
    """A benchmark folder that cannot be used."""


class FingerprintError(BenchmarkError):
    """A benchmark whose content is not what its fingerprint says."""


class ProofError(InputError):
    """A proof record that cannot be read at all (a readable one is checked, and refused)."""


class RunError(InputError):
    """A run folder that cannot be used."""


class RunLockedError(RunError):
    """Another process is writing to the run folder."""


class RunMismatchError(RunError):
    """The run folder belongs to other settings or to another benchmark."""


class LogError(RunError):
    """A line of a run log is damaged or contradicts another one."""


class IncompleteError(InputError):
    """Replies are missing and nobody allowed that."""


class ReviewError(InputError):
    """A review database that cannot be used, or a vote that cannot be taken."""


class RenderError(InputError):
    """A picture that cannot be drawn whole."""


class MissingExtraError(AnswerableError):
    """An optional part is not installed."""

    exit_code = 3

    @classmethod
    def for_extra(cls, extra: str, module: str) -> MissingExtraError:
        """Name the extra, the module that failed to import and the command that brings it."""
        return cls(
            f"the optional part '{extra}'",
            f"no module named {module!r}",
            fix=f'pip install "answerable[{extra}]"',
        )


class ProviderError(AnswerableError):
    """The model cannot be asked at all."""

    exit_code = 4


class StorageError(AnswerableError):
    """The disk refused a write; nothing half-written counts."""

    exit_code = 5

    @classmethod
    def from_os(cls, error: OSError, path: str | os.PathLike[str]) -> StorageError:
        """Turn an ``OSError`` of a write into one readable message."""
        return cls(
            "to write the file",
            f"{error.strerror or error} (errno={error.errno})",
            where=os.fspath(path),
            fix="free some space or choose another folder, then repeat the command: finished work is kept",
        )


class WorkerError(AnswerableError):
    """A process that did a part of the work was killed."""

    exit_code = 6
