"""How the questions of a benchmark are put, and how replies to them are read."""

from __future__ import annotations

import msgspec

from answerable.core.records import Record
from answerable.domains.draft import Manner


class Asking(Record, frozen=True):
    """How the questions of a benchmark are put, and how replies to them are read."""

    prompt: str = "json-answerability"
    reader: str = "json"
    metrics: tuple[str, ...] = ("J", "B", "E", "E_A", "E_M", "E_I", "A")
    manner: Manner = Manner()


FREE = Asking()


class PutSettings(Record, frozen=True):
    """What decides every byte of a benchmark whose questions are not put freely."""

    made: msgspec.Raw
    """The domain's settings."""
    put: Asking
