"""The label "Unanswerable", which an instruction asks for, as opposed to wording that abstains.

Wording is taken back by a "but" after it; the label stands, whatever its explanation says.
"""

from __future__ import annotations

import re

_MARKS = r"[*_`\"'”’)\]}]{0,6}"
#: What follows says that the label is a sentence or a line of its own.
_LABEL = re.compile(
    rf"[*_`\"'“‘(\[{{ ]{{0,6}}(?:unanswerable|无法回答|無法回答|无法作答|無法作答){_MARKS}"
    r"(?:$|\n|[.:,;!。，；！：、]| (?:-|–|—) | \(| (?:because|since|as)\b)",
    re.IGNORECASE,
)


def label_end(text: str) -> int | None:
    """Where the label ends that a tidied text begins with; None when it begins with something else."""
    match = _LABEL.match(text)
    return None if match is None else match.end()


def says_unanswerable(text: str) -> bool:
    """Whether a tidied text begins with the label, as a sentence or line of its own."""
    return _LABEL.match(text) is not None
