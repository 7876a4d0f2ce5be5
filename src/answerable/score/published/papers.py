"""The papers whose figures come with this package."""

from __future__ import annotations

from importlib.resources import files

from answerable.score.published.files import read_paper
from answerable.score.published.tables import Paper


def upd() -> Paper:
    """Unsolvable problem detection on multiple choice: 22 models, three problems, three settings."""
    return _packaged("upd")


def visual_answerability() -> Paper:
    """Complete-question evaluation on charts, scenes and photos."""
    return _packaged("visual-answerability")


def tubench() -> Paper:
    """Unanswerable questions on code, photos, geometry and tables."""
    return _packaged("tubench")


def mm_r3() -> Paper:
    """Consistency over rephrased questions, restyled pictures and masked objects."""
    return _packaged("mm-r3")


def _packaged(name: str) -> Paper:
    return read_paper(files(__package__).joinpath("data", name))
