"""Paths stay inside their folder, and nothing half-written counts."""

from __future__ import annotations

import errno
import os
import stat
from pathlib import Path

import pytest

from answerable.core.errors import InputError, StorageError
from answerable.core.files import inside, replacing, write_bytes
from tests.shared import case_ids, cases


def test_a_name_inside_is_the_path(tmp_path: Path) -> None:
    (tmp_path / "sub").mkdir()
    assert inside(tmp_path, "a.png") == tmp_path.resolve() / "a.png"
    assert inside(tmp_path, "sub/../a.png") == tmp_path.resolve() / "a.png"


@pytest.mark.parametrize("name", ["../x", "../../etc/passwd", "/etc/passwd", "a/../../x", "x\x00y"])
def test_a_name_that_leaves_is_refused(tmp_path: Path, name: str) -> None:
    folder = tmp_path / "data"
    folder.mkdir()
    with pytest.raises(InputError, match="expected a path inside") as caught:
        inside(folder, name)
    assert repr(name) in str(caught.value)


def test_a_neighbour_with_the_same_beginning_is_outside(tmp_path: Path) -> None:
    (tmp_path / "data").mkdir()
    (tmp_path / "data2").mkdir()
    with pytest.raises(InputError):
        inside(tmp_path / "data", "../data2/x")


def test_a_link_that_leaves_is_refused_and_one_that_stays_is_not(tmp_path: Path) -> None:
    folder = tmp_path / "data"
    (folder / "real").mkdir(parents=True)
    (tmp_path / "secret").write_text("x", encoding="utf-8")
    (folder / "out").symlink_to(tmp_path / "secret")
    (folder / "up").symlink_to(tmp_path)
    (folder / "in").symlink_to(folder / "real")
    assert inside(folder, "in/a") == folder.resolve() / "real" / "a"
    (folder / "circle").symlink_to(folder / "circle")
    for name in ("out", "up/secret", "circle/x"):
        with pytest.raises(InputError):
            inside(folder, name)


@pytest.mark.parametrize("case", [row for row in cases("image_input") if row["id"] == "img-023"], ids=lambda c: c["id"])
def test_shared_case_of_paths_that_leave(case: dict[str, object], tmp_path: Path) -> None:
    assert case_ids([case]) == ["img-023"]
    folder = tmp_path / "data"
    folder.mkdir()
    (folder / "link").symlink_to("/etc/passwd")
    for name in ("../../etc/passwd", "/etc/passwd", "link"):
        with pytest.raises(InputError, match="data files may only name files beside them"):
            inside(folder, name)


def test_writing_replaces_in_one_step_and_leaves_nothing_else(tmp_path: Path) -> None:
    path = tmp_path / "new" / "a.json"
    write_bytes(path, b"one")
    write_bytes(path, b"two")
    assert path.read_bytes() == b"two"
    assert [file.name for file in path.parent.iterdir()] == ["a.json"]


def test_a_written_file_has_the_usual_rights(tmp_path: Path) -> None:
    before = os.umask(0o022)
    try:
        write_bytes(tmp_path / "a", b"x")
    finally:
        os.umask(before)
    assert stat.S_IMODE((tmp_path / "a").stat().st_mode) == 0o644


def test_a_full_disk_leaves_the_old_content(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "a.json"
    write_bytes(path, b"old")

    def full(_: int) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(StorageError, match="No space left on device"):
        write_bytes(path, b"new, and longer")
    assert path.read_bytes() == b"old"
    assert [file.name for file in tmp_path.iterdir()] == ["a.json"]


def test_any_other_error_leaves_the_old_content_too(tmp_path: Path) -> None:
    path = tmp_path / "a.json"
    write_bytes(path, b"old")
    with pytest.raises(ZeroDivisionError), replacing(path) as temporary:
        temporary.write_bytes(b"half")
        raise ZeroDivisionError
    assert path.read_bytes() == b"old"
    assert [file.name for file in tmp_path.iterdir()] == ["a.json"]


def test_a_folder_that_cannot_be_made_is_a_storage_error(tmp_path: Path) -> None:
    (tmp_path / "file").write_bytes(b"")
    with pytest.raises(StorageError) as caught:
        write_bytes(tmp_path / "file" / "a.json", b"x")
    assert caught.value.exit_code == 5
