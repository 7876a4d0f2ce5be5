"""Every shared case of the reading kinds, by id, through the same door as ``answerable read``."""

from __future__ import annotations

import json
import time
from typing import Any

import pytest

from answerable.score.readers import READERS
from tests.shared import case_ids, cases, needs_shared

KINDS = {
    "json_response": "json",
    "number_parse": "number",
    "number_compare": "number",
    "normalise_text": "text",
    "mcq_extract": "mcq",
    "ynu_extract": "yes-no",
}
ROWS = [row for kind in KINDS for row in cases(kind)]


@needs_shared
def test_every_case_of_a_label_is_here() -> None:
    labels = [row for row in ROWS if row["kind"] == "ynu_extract"]
    assert len(labels) == 25
    strict, published = READERS.load("yes-no"), READERS.load("yes-no-published")
    for row in labels:
        accepted = [row["expected"], *row.get("alternatives", [])]
        assert strict.read_case(row["input"]).reading in accepted, row["id"]
        assert published.read_case(row["input"]).reading in (None, "Yes", "No", "Unanswerable")
    # The text of a failed call is the one reply of these that says nothing under either reader.
    failed = next(row["input"] for row in labels if row["id"] == "ynu-015")
    assert published.read_case(failed).rule == "no_choice: failed_call"


@pytest.mark.parametrize("row", ROWS, ids=case_ids(ROWS))
def test_case(row: dict[str, Any]) -> None:
    reader = READERS.load(KINDS[row["kind"]])
    start = time.perf_counter()
    found = reader.read_case(row["input"])
    took = time.perf_counter() - start
    # Through JSON, so that true and 1 differ.
    assert json.dumps(found.reading, sort_keys=True) == json.dumps(row["expected"], sort_keys=True), found.rule
    assert found.rule
    assert found.reading not in row.get("must_not", [])
    if "time_limit_ms" in row:
        assert took < 20 * row["time_limit_ms"] / 1000
