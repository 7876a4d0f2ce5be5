"""What is told of a group that asks in several wordings: the words for its kernel's premises."""

from __future__ import annotations

from answerable.certify.told import ESTABLISHES

#: In the order in which they are checked: of the image files, then of the views as they were, then of the others.
VARIED_ESTABLISHES: dict[str, str] = {
    **ESTABLISHES,
    "bound": "the proof is the one its views name, and has every view of the proof that is varied as it was",
    "wordings": "every other view asks for the same of the same picture, in words that the domain's checker reads so",
}
