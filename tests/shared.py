"""The shared cases and data that lie beside the project; tests that need them skip only where they are absent."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

SHARED = Path(__file__).resolve().parents[2] / "shared"

needs_shared = pytest.mark.skipif(not SHARED.is_dir(), reason="the shared folder beside the project is absent")


def cases(kind: str) -> list[dict[str, Any]]:
    """Every shared case of a kind, in file order; empty where the folder is absent."""
    path = SHARED / "cases" / "cases.jsonl"
    if not path.is_file():
        return []
    rows = [json.loads(line) for line in path.read_text(encoding="utf-8").split("\n") if line]
    return [row for row in rows if row["kind"] == kind]


def case_ids(rows: list[dict[str, Any]]) -> list[str]:
    """Ids for ``pytest.mark.parametrize``."""
    return [row["id"] for row in rows]
