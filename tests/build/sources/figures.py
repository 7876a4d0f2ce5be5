"""Invented annotation files in the schema of PlotQA and FigureQA."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any


def box(x: float, y: float, w: float = 2, h: float = 2) -> dict[str, float]:
    return {"x": x, "y": y, "w": w, "h": h}


def value_axis(*, sideways: bool = False, label: str = "Tonnes") -> dict[str, Any]:
    """Ticks 0 to 40 every 10, ten pixels a unit, and a rule that reaches from -2 to 44."""
    values = [0, 10, 20, 30, 40]
    spots = [box(100 + 10 * value, 480) if sideways else box(10, 500 - 10 * value) for value in values]
    fine = [value / 2 for value in range(0, 81, 5)]
    fine_spots = [box(100 + 10 * value, 480) if sideways else box(10, 500 - 10 * value) for value in fine]
    rule = {"x": 81, "y": 470, "w": 460, "h": 0} if sideways else {"x": 20, "y": 61, "w": 0, "h": 460}
    return {
        "major_ticks": {"values": values, "bboxes": spots},
        "minor_ticks": {"values": fine, "bboxes": fine_spots},
        "rule": {"bbox": rule},
        "label": {"text": label, "bbox": box(0, 0)},
    }


def figure(kind: str = "vbar_categorical", *, rows: int = 2, columns: int = 4, **changes: Any) -> dict[str, Any]:
    """A figure whose series ``i`` has the value ``5 + 8 * i + j`` at position ``j``."""
    sideways = kind.startswith("hbar")
    places = [f"p{column}" for column in range(columns)]
    models = []
    for row in range(rows):
        numbers = [5 + 8 * row + column for column in range(columns)]
        sides = {"x": numbers, "y": places} if sideways else {"x": places, "y": numbers}
        models.append({"name": f"s{row}", "color": f"#{40 * row:02x}60{255 - 60 * row:02x}", **sides})
    other = {"label": {"text": "Port", "bbox": box(0, 0)}}
    info = {
        "title": {"text": "Catch landed", "bbox": box(0, 0)},
        "x_axis": value_axis(sideways=True) if sideways else other,
        "y_axis": other if sideways else value_axis(),
    }
    return {"type": kind, "models": models, "general_figure_info": info} | changes


def put(folder: Path, content: Any, name: str = "annotations.json") -> Path:
    path = folder / name
    path.write_text(content if isinstance(content, str) else json.dumps(content), encoding="utf-8")
    return path
