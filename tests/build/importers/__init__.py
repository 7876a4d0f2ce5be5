"""Made-up folders in the layouts of TUBench."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from tests.core.small import picture


def put(path: Path, content: str | bytes, encoding: str = "utf-8") -> Path:
    """A file, with the folders above it."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(content if isinstance(content, bytes) else content.encode(encoding))
    return path


def ucr(root: Path, *, folders: tuple[int, ...] = (1, 2), stem: str = "") -> Path:
    """Programs with four screenshots each; ``stem`` is the name of the whole code, by default the folder's number."""
    for number in folders:
        name = stem or str(number)
        texts = {
            "": "Is the output 'Hello'?\tYes\nIs the output 'hello'?\tNo\n",
            "_u1": "Is the output 'Hello'?\tUnanswerable\nIs the output 'hello'?\tNo\nIs the chance 90%?\tYes\n",
            "_u2": "Is the output 'Hello'?\tUnanswerable\nIs the output 'hello'?\tYes\n",
            "_u3": "Is the output 'Hello'?\tUnanswerable\nDoes it end with '!'?\tUnanswerable\n",
        }
        for change, text in texts.items():
            put(root / str(number) / f"{name}{change}.txt", text)
            put(root / str(number) / f"{name}{change}.png", picture("ucr", number, change))
    return root


def uvqa(root: Path, *, folders: tuple[int, ...] = (0, 7)) -> Path:
    """Photos with an answerable question and one of each strategy."""
    for number in folders:
        lines = ["1\tIs it day?\tYes", "2\tIs it wet?\tNo"]
        lines += [f"{n + 2}\tIs it number {n}?\tUnanswerable\t{n}" for n in range(1, 6)]
        put(root / str(number) / "vqa.txt", "\n".join(lines))
        put(root / str(number) / f"COCO_{number}.jpg", picture("uvqa", number))
    return root


GEOMETRY: dict[str, Any] = {
    "subject": "已知OA=2,OB=4,则AB=()", "eng_subject": "OA = 2, OB = 4, then AB = ()",
    "unanswerable_subject": "已知OA=2,则AB=()", "unanswerable_eng_subject": "OA = 2, then AB = ()",
    "choices": ["6m", "2m", "8m", "1m"], "label": 0, "formal_point": [], "answer": "6", "numbers": [2.0, 4.0],
}  # fmt: skip


def ugeoqa(root: Path, number: int = 5, encoding: str = "utf-8", **changed: Any) -> Path:
    """One pair of geometry questions."""
    row = {"id": number} | GEOMETRY | changed
    put(root / str(number) / f"{number}.json", json.dumps(row, ensure_ascii=False), encoding)
    put(root / str(number) / f"{number}.png", picture("ugeoqa", number))
    return root


def utabmwp(root: Path, number: int = 3, *, control: bool = False, **changed: Any) -> Path:
    """One pair of table questions."""
    row = {"question": "How many?", "choices": ["10", "12", "14"], "answer": "12"} | changed
    put(root / str(number) / f"{number}.json", json.dumps(row))
    for change in ("", "_u1", *(("_1",) if control else ())):
        put(root / str(number) / f"{number}{change}.png", picture("utabmwp", number, change))
    return root


def hf(root: Path, *rows: dict[str, Any]) -> Path:
    """A ``metadata.jsonl`` with two pictures."""
    for number in (1, 2):
        put(root / "images" / f"{number}.png", picture("hf", number))
    put(root / "metadata.jsonl", "\n".join(map(json.dumps, rows)))
    return root


def row(name: str, answer: str, **more: Any) -> dict[str, Any]:
    """A line of ``metadata.jsonl``."""
    return {"id": name, "file_name": "images/1.png", "question": "Is it?", "answer": answer} | more
