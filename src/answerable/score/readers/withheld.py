"""The right option that was taken away: a reply that names it in words abstains (UPD paper, section 4.4, appendix E).

The reply must be that text and nothing else, or a label that was not offered with exactly that text, or declare it
(``The answer is <text>``). Where an offered option has the same text, that option is named instead; an offered label
with the removed text contradicts itself.
"""

from __future__ import annotations

from answerable.score.readers.choices import MAX_TEXT, names_withheld
from answerable.score.readers.reading import Abstained, Item, Reading


def removed_answer(text: str, item: Item) -> Reading | None:
    """The whole reply is the text of the right option that was taken away."""
    if not item.withheld or len(text) > MAX_TEXT:
        return None
    return Abstained("removed_answer") if names_withheld(text, item) else None
