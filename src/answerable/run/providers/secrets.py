"""Taking secrets out of text, by their value."""

from __future__ import annotations

import html
from collections.abc import Iterable
from urllib.parse import quote

import msgspec

#: Stands where a secret was.
REMOVED = "[key removed]"
#: Servers without keys are given words such as ``EMPTY``. Shorter ones than this are not taken out of model text,
#: where they are more likely an answer than a secret.
_SHORTEST_IN_REPLIES = 8
_SHORTEST_IN_MESSAGES = 4


class Secrets:
    """Values that must never reach a file, a message or a screen, in any spelling a server may echo them in."""

    def __init__(self, values: Iterable[str]) -> None:
        spellings: set[tuple[int, str]] = set()
        for value in values:
            if value:
                quoted = msgspec.json.encode(value).decode()[1:-1]
                for spelling in (value, quoted, quote(value, safe=""), html.escape(value)):
                    spellings.add((len(value), spelling))
        # Longest first: a secret may hold another one.
        ordered = sorted(spellings, key=lambda item: (-len(item[1]), item[1]))
        self._in_replies = tuple(text for length, text in ordered if length >= _SHORTEST_IN_REPLIES)
        self._in_messages = tuple(text for length, text in ordered if length >= _SHORTEST_IN_MESSAGES)

    def in_message(self, text: str) -> str:
        """An error message or server body without secrets."""
        return _remove(text, self._in_messages)

    def in_reply(self, text: str | None) -> str | None:
        """Model text without secrets (a server may echo the request)."""
        return None if text is None else _remove(text, self._in_replies)

    def found_in(self, text: str) -> bool:
        """Whether a secret stands in the text."""
        return any(secret in text for secret in self._in_replies)


def _remove(text: str, secrets: tuple[str, ...]) -> str:
    for secret in secrets:
        if secret in text:
            text = text.replace(secret, REMOVED)
    return text
