"""Readers: what a reply says. One reader a kind of reply; every entry of ``READERS`` keeps the same protocol."""

from __future__ import annotations

from answerable.core.registry import Registry
from answerable.score.readers.reading import Reader

#: Name -> reader. Other packages add theirs under the entry-point group ``answerable.readers``.
READERS: Registry[Reader] = Registry(
    "reader",
    "answerable.readers",
    {
        "json": "answerable.score.readers.json_reply:READER",
        "mcq": "answerable.score.readers.options:READER",
        "mcq-published": "answerable.score.readers.published:READER",
        "choice-published": "answerable.score.readers.tubench_published:CHOICE",
        "yes-no": "answerable.score.readers.yes_no:READER",
        "yes-no-published": "answerable.score.readers.tubench_published:YES_NO",
        "number": "answerable.score.readers.number:READER",
        "text": "answerable.score.readers.text:READER",
    },
)
