"""Writing files so that nothing half-written counts, and reading them from inside one folder only."""

from __future__ import annotations

import contextlib
import os
import tempfile
from collections.abc import Iterator
from pathlib import Path

from answerable.core.errors import InputError, StorageError


def inside(folder: Path, name: str) -> Path:
    """The path ``folder/name``, refused when it leaves ``folder`` (absolute, ``..``, or by a link).

    Raises:
        InputError: the name leads outside.
    """
    root = folder.resolve()
    try:
        path = (root / name).resolve()
    except (OSError, ValueError, RuntimeError):
        # A zero byte, or links that lead in a circle.
        path = None
    if path is None or Path(name).is_absolute() or not path.is_relative_to(root):
        raise InputError(f"a path inside {folder}", f"{name!r}", fix="data files may only name files beside them")
    return path


@contextlib.contextmanager
def replacing(path: Path) -> Iterator[Path]:
    """Write to a private name beside ``path`` and rename it into place only when all went well.

    Raises:
        StorageError: the disk refused the write; ``path`` keeps its old content.
    """
    temporary: Path | None = None
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        handle, name = tempfile.mkstemp(prefix=f".{path.name}.", dir=path.parent)
        os.close(handle)
        temporary = Path(name)
        yield temporary
        with temporary.open("rb+") as written:
            os.fsync(written.fileno())
        temporary.chmod(0o666 & ~_umask())
        temporary.replace(path)
    except OSError as error:
        raise StorageError.from_os(error, path) from error
    finally:
        if temporary is not None:
            temporary.unlink(missing_ok=True)


def write_bytes(path: Path, data: bytes) -> None:
    """Replace ``path`` by ``data`` in one step."""
    with replacing(path) as temporary:
        temporary.write_bytes(data)


def _umask() -> int:
    mask = os.umask(0)
    os.umask(mask)
    return mask
