"""Proved questions put the way a published benchmark puts its own: its instruction, its headings, its reader."""

from __future__ import annotations

from answerable.build.asking import Asking
from answerable.build.importers.tubench import METRICS, PROMPT
from answerable.build.importers.tubench_sets import SETS
from answerable.domains.draft import Manner

#: TUBench's instruction after the question, and its scores. A table's choices become options under letters.
UCR = Asking(PROMPT, "yes-no", METRICS, Manner(instruction=SETS["ucr"].instruction, topic=SETS["ucr"].title))
UTABMWP = Asking(
    PROMPT,
    "mcq",
    METRICS,
    Manner(
        instruction=SETS["utabmwp"].instruction, lettered=True, ability="S.10", topic=SETS["utabmwp"].title
    ),
)  # fmt: skip
