"""``answerable read``: show how replies are read."""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from typing import IO, Any

#: A longer line is refused before it is decoded.
MAX_LINE = 16 * 1024 * 1024


def add_parser(subparsers: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Flags of the verb."""
    parser = subparsers.add_parser(
        "read",
        help="show how replies are read",
        description='Read one JSON object a line from standard input and print {"reading": ..., "rule": ...} for each. '
        "The object is the reader's input, or has it under the key 'input'.",
        epilog='inputs: json {"raw"}, mcq, mcq-published and choice-published {"response", "options"}, yes-no and'
        ' yes-no-published {"response"},'
        ' number {"text"} or {"gold", "pred"}, text {"text"} or {"a", "b"}; json and the readers of choices and labels'
        ' take a "finish_reason" too',
    )
    parser.add_argument(
        "--reader",
        required=True,
        metavar="NAME",
        help="json, mcq, mcq-published, choice-published, yes-no, yes-no-published, number or text",
    )
    parser.add_argument("--json", action="store_true", help="print JSON lines (it always does)")
    parser.set_defaults(handler="answerable.cli.read:main")


def main(args: argparse.Namespace) -> int:
    """Read every line; what was read before a bad line has been printed."""
    import sys

    from answerable.cli.console import out
    from answerable.core.errors import InputError
    from answerable.score.readers import READERS

    reader = READERS.load(args.reader)
    for number, line in enumerate(_lines(sys.stdin.buffer), 1):
        where = f"standard input, line {number}"
        try:
            found = reader.read_case(_input(line, where))
        except InputError as error:
            raise InputError(error.expected, error.got, where=where, fix=error.fix) from error
        out(_line(found.reading, found.rule))
        sys.stdout.flush()
    return 0


def _lines(file: IO[bytes]) -> Iterator[bytes]:
    """Lines, ended by ``\\n`` only: other separators may stand inside a reply."""
    while line := file.readline(MAX_LINE + 1):
        yield line


def _input(line: bytes, where: str) -> dict[str, Any]:
    import json

    from answerable.core.errors import InputError

    expected = "one JSON object a line"
    if len(line) > MAX_LINE:
        raise InputError(f"lines of at most {MAX_LINE} bytes", "a longer one", where=where)
    try:
        value = json.loads(line.decode("utf-8"))
    except (ValueError, RecursionError) as error:
        raise InputError(expected, f"{line[:80]!r} ({error})", where=where) from error
    if not isinstance(value, dict):
        raise InputError(expected, f"a {type(value).__name__}", where=where)
    inner = value.get("input")
    return inner if isinstance(inner, dict) else value


def _line(reading: Any, rule: str) -> str:
    import json

    # ASCII only: a reading may hold a lone surrogate, which UTF-8 cannot.
    return json.dumps({"reading": reading, "rule": rule}, ensure_ascii=True)
