"""The error tree: exit codes, messages, and errors that cross processes whole."""

from __future__ import annotations

import copy
import errno
import re

import pytest

from answerable.core import errors
from answerable.core.errors import AnswerableError, InputError, MissingExtraError, StorageError

EVERY = [
    kind
    for kind in vars(errors).values()
    if isinstance(kind, type) and issubclass(kind, AnswerableError) and kind is not AnswerableError
]
EXITS = {"MissingExtraError": 3, "ProviderError": 4, "StorageError": 5, "WorkerError": 6}


def test_the_drawn_tree_names_every_error_once() -> None:
    drawn = re.findall(r"\b\w+Error\b", (errors.__doc__ or "").split("Every message")[0])
    assert sorted(drawn) == sorted(["AnswerableError", *(kind.__name__ for kind in EVERY)])


@pytest.mark.parametrize("kind", EVERY)
def test_exit_codes_follow_the_branch(kind: type[AnswerableError]) -> None:
    assert kind.exit_code == EXITS.get(kind.__name__, 2)
    assert issubclass(kind, InputError) == (kind.__name__ not in EXITS)


@pytest.mark.parametrize("kind", EVERY)
def test_an_error_is_copied_whole(kind: type[AnswerableError]) -> None:
    error = kind("a number", "value='x'", where="file.csv, line 3", fix="write a number")
    twin = copy.copy(error)
    assert type(twin) is kind
    assert str(twin) == str(error)
    assert (twin.expected, twin.got, twin.where, twin.fix) == (error.expected, error.got, error.where, error.fix)


def test_the_message_has_a_line_for_each_part() -> None:
    error = InputError("a number", "value='x'", where="file.csv, line 3", fix="write a number")
    assert str(error) == "expected a number; got value='x'\n  where: file.csv, line 3\n  next:  write a number"
    assert str(InputError("a", "b")) == "expected a; got b"


def test_a_missing_extra_names_the_command_that_brings_it() -> None:
    error = MissingExtraError.for_extra("vega", "vl_convert")
    assert "the optional part 'vega'" in str(error)
    assert "no module named 'vl_convert'" in str(error)
    assert 'pip install "answerable[vega]"' in str(error)


def test_a_storage_error_says_what_the_disk_said() -> None:
    error = StorageError.from_os(OSError(errno.ENOSPC, "No space left on device"), "/data/x.json")
    assert "No space left on device (errno=28)" in str(error)
    assert error.where == "/data/x.json"
    assert "finished work is kept" in error.fix
