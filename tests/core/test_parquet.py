"""Parquet files from anyone: whatever reading raises is said in words."""

from __future__ import annotations

from pathlib import Path

import pyarrow as pa
import pytest

from answerable.core.errors import BenchmarkError, InputError, SourceError
from answerable.core.parquet import check, readable
from tests.core.small import no_text

FILE = Path("folder/file.parquet")


@pytest.mark.parametrize("kind", [BenchmarkError, SourceError])
@pytest.mark.parametrize("raised", [pa.ArrowInvalid("bad"), OSError("bad"), KeyError("bad"), TypeError("bad")])
def test_what_reading_raises_is_said_in_words(raised: Exception, kind: type[InputError]) -> None:
    with (
        pytest.raises(kind, match=r"expected a readable Parquet file of views; got .*bad") as caught,
        readable(FILE, kind, " of views"),
    ):
        raise raised
    assert caught.value.where == str(FILE)


def test_errors_of_ours_pass_as_they_are() -> None:
    with pytest.raises(SourceError, match="expected this; got that"), readable(FILE, BenchmarkError):
        raise SourceError("this", "that")


def test_text_that_is_no_text_is_found() -> None:
    check(pa.table({"a": ["é", None]}))
    with pytest.raises(SourceError, match="Invalid UTF8"), readable(FILE, SourceError):
        check(pa.table({"a": no_text(2)}))
