"""The table of where two readers differ, as ``score`` prints it."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from answerable.core.scores import Scores


def print_readings(scores: Scores) -> None:
    """Replies read alike and differently, and as what; nothing where one reader read alone."""
    from answerable.cli.console import out, table

    found = scores.readings
    if found is None:
        return
    rows = [
        [
            part.run, part.source, "all" if part.topic is None else part.topic or "-", part.ability or "-",
            str(part.replies), str(part.replies - part.alike),
            ", ".join(
                f"{one} > {other} {count}"
                for one, others in part.read_as.items()
                for other, count in others.items()
                if one != other
            ) or "-",
        ]
        for part in found.counts
    ]  # fmt: skip
    heads = ["run", "source", "data set", "strategy", "replies", "differ", "as"]
    table(f"read by {found.reader} > {found.against}, which decides no figure", heads, rows)
    if any(part.replies != part.alike for part in found.counts):
        out("the report, and scores.json, show some of the replies that the two read differently")
