"""Published results: the figures that papers print, as data with their source.

To add a paper: a folder in ``data/`` with its CSV files and a ``sources.json``, a function in ``papers.py`` and a line
in the table below.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache

from answerable.core.registry import Registry
from answerable.score.published.tables import Paper

#: Name -> how to read its figures. Other packages add theirs under the entry-point group ``answerable.published``.
PUBLISHED: Registry[Callable[[], Paper]] = Registry(
    "paper with published figures",
    "answerable.published",
    {
        "upd": "answerable.score.published.papers:upd",
        "visual-answerability": "answerable.score.published.papers:visual_answerability",
        "tubench": "answerable.score.published.papers:tubench",
        "mm-r3": "answerable.score.published.papers:mm_r3",
    },
)


@lru_cache
def load(name: str) -> Paper:
    """A paper's tables, read once.

    Raises:
        SettingsError: no paper has this name; the message lists those there are.
        SourceError: its files are damaged.
    """
    return PUBLISHED.load(name)()
