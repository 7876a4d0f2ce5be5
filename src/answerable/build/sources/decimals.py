"""Numbers of data files, read as decimal text: never through a float."""

from __future__ import annotations

import re
from fractions import Fraction

_PLAIN = re.compile(
    r"[+-]?(?:[0-9]{1,30}|[0-9]{1,3}(?:,[0-9]{3}){1,9})(?:\.[0-9]{1,30})?(?:[eE][+-]?[0-9]{1,2})?", re.ASCII
)


def parse_decimal(text: str) -> Fraction | None:
    """A decimal of a data file, with or without comma groups or a small exponent; None for anything else."""
    text = text.strip().replace("\u2212", "-")
    if not _PLAIN.fullmatch(text):
        return None
    return Fraction(text.replace(",", ""))


def rounded(value: Fraction, unit: Fraction) -> Fraction:
    """The nearest multiple of ``unit``, ties to the even one."""
    return round(value / unit) * unit
