"""A list of mappings from column to text, in the part of YAML that people write such a list in.

Nothing more is read: a text stands on one line, plain or between quotation marks, and every text stays a text (``Yes``
is no boolean). Anchors, aliases and tags, with which a small file becomes a large one or an object, are refused like
all the rest, so no general YAML reader is needed. What is read here any YAML 1.1 reader reads alike.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from answerable.core.errors import SourceError

_COMMENT = re.compile(r"(?:[ ]+#.*)?[ ]*")
_ITEM = re.compile(r"(?P<indent> *)-(?P<space> +|$)")
_KEY = re.compile(r"(?P<key>[A-Za-z_][A-Za-z0-9_-]*) *:(?: +|$)")
_QUOTED = re.compile(r'"(?P<text>(?:[^"\\]|\\.)*)"')
_SINGLE = re.compile(r"'(?P<text>(?:[^']|'')*)'")
_ESCAPE = re.compile(r"\\(x[0-9A-Fa-f]{2}|u[0-9A-Fa-f]{4}|U[0-9A-Fa-f]{8}|.)")
_PLAIN_ESCAPES = {"n": "\n", "t": "\t", "r": "\r", '"': '"', "\\": "\\", "/": "/", " ": " ", "0": "\0"}
#: What a plain text may not begin with, and what is inside it.
_INDICATORS = frozenset(",[]{}#&*!|>'\"%@`")
_INNER = re.compile(r":(?:\s|$)|\t")
#: Line ends and signs that YAML readers take differently, or refuse.
_STRANGE = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\u2028\u2029\ufeff\ufffe\uffff\ud800-\udfff]")
_FIX = "write each text on one line, between double quotation marks where it has marks of its own; or write JSON"


def read_list(text: str, where: str) -> list[dict[str, str]]:
    """The mappings of a list, which may stand under ``questions:``.

    Raises:
        SourceError: naming the line, and what was expected there.
    """
    reader = _Reader(text, where)
    return reader.items()


class _Reader:
    def __init__(self, text: str, where: str) -> None:
        self._where = where
        self._lines = list(self._significant(text))

    def _significant(self, text: str) -> Iterator[tuple[int, str]]:
        """Number and text of the lines that say something."""
        for number, line in enumerate(text.replace("\r\n", "\n").split("\n"), start=1):
            strange = _STRANGE.search(line) or re.search("\r", line)
            if strange:
                raise self._error("a line of printable text", repr(strange[0]), number)
            bare = line.strip(" ")
            if bare and not bare.startswith("#"):
                yield number, line.rstrip(" ")

    def _error(self, expected: str, got: str, number: int) -> SourceError:
        return SourceError(expected, got, where=f"{self._where}, line {number}", fix=_FIX)

    def items(self) -> list[dict[str, str]]:
        """Every item of the list."""
        lines = self._lines
        if lines and lines[0][1] == "---":
            lines = lines[1:]
        if lines and re.fullmatch(r"questions *:(?: +#.*)?", lines[0][1]):
            lines = lines[1:]
        found: list[dict[str, str]] = []
        begun: list[int] = []
        indent = column = -1
        for number, line in lines:
            item = _ITEM.match(line)
            if item is not None and (indent < 0 or len(item["indent"]) <= indent):
                if indent >= 0 and len(item["indent"]) != indent:
                    raise self._error("items one below the other", f"{line[:60]!r}", number)
                indent = len(item["indent"])
                found.append({})
                begun.append(number)
                rest = line[item.end() :]
                # Behind a lone "-" the first column follows on a line of its own.
                column = item.end() if rest and not rest.startswith("#") else -1
                if column < 0:
                    continue
            else:
                rest = line.lstrip(" ")
                column = self._below(line, len(line) - len(rest), column, indent, number)
            self._column(found[-1], rest, number)
        for one, number in zip(found, begun, strict=True):
            if not one:
                raise self._error("an item with a column", "none", number)
        return found

    def _below(self, line: str, at: int, column: int, indent: int, number: int) -> int:
        """The column of an item's further lines."""
        if indent < 0:
            raise self._error('a list: lines that begin with "- "', f"{line[:60]!r}", number)
        if at <= indent or column not in (-1, at):
            raise self._error("a column below the others of its item", f"{line[:60]!r}", number)
        return at

    def _column(self, item: dict[str, str], rest: str, number: int) -> None:
        key = _KEY.match(rest)
        if key is None:
            got = f"{rest[:60]!r}"
            raise self._error("a column and its text, as in 'image: a.png'", got, number)
        if key["key"] in item:
            raise self._error("every column once", f"more than one {key['key'][:40]}", number)
        item[key["key"]] = self._text(rest[key.end() :], number)

    def _text(self, given: str, number: int) -> str:
        for pattern, read in ((_QUOTED, self._unescaped), (_SINGLE, self._doubled)):
            found = pattern.match(given)
            if found is not None:
                if not _COMMENT.fullmatch(given, found.end()):
                    raise self._error("nothing after a quoted text", f"{given[found.end() :][:40]!r}", number)
                return read(found["text"], number)
        if given[:1] in ("&", "*", "!"):
            raise self._error("YAML without anchors, aliases and tags", f"{given[:40]!r}", number)
        plain = re.split(r"(?:^| +)#", given, maxsplit=1)[0]
        starts = plain[:1] in _INDICATORS or re.match(r"[-?:](?: |$)", plain)
        if plain and (starts or _INNER.search(plain)):
            raise self._error("a text on one line", f"{given[:40]!r}", number)
        return plain

    def _unescaped(self, text: str, number: int) -> str:
        def one(found: re.Match[str]) -> str:
            code = found[1]
            if len(code) > 1:
                value = int(code[1:], 16)
                if value > 0x10FFFF or 0xD800 <= value < 0xE000:
                    raise self._error("an escaped character", f"{found[0]}", number)
                return chr(value)
            if code not in _PLAIN_ESCAPES:
                raise self._error('an escape such as \\n, \\" or \\u00e9', f"{found[0]}", number)
            return _PLAIN_ESCAPES[code]

        return _ESCAPE.sub(one, text)

    def _doubled(self, text: str, _: int) -> str:
        return text.replace("''", "'")
