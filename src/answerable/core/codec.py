"""Canonical JSON, digests and bounded decoding of files from strangers.

Canonical: UTF-8, keys sorted, no white space, rationals as text ``"p/q"`` or ``"p"``.
Two equal records have equal bytes, so a digest names content.
"""

from __future__ import annotations

import hashlib
import re
from fractions import Fraction
from typing import Any, TypeVar

import msgspec

T = TypeVar("T")

#: Digits a numerator or denominator may have in a file. Far above any chart, far below a memory bomb.
MAX_DIGITS = 60

_RATIONAL = re.compile(rf"(-?[0-9]{{1,{MAX_DIGITS}}})(?:/([0-9]{{1,{MAX_DIGITS}}}))?", re.ASCII)


def rational_text(value: Fraction) -> str:
    """``Fraction(3, 4)`` -> ``"3/4"``; whole numbers have no slash."""
    return str(value)


def answer_text(value: Fraction) -> str:
    """A number as people write it: ``"321.5"``; ``"p/q"`` only where no decimal ends. One text a value."""
    twos = fives = 0
    rest = value.denominator
    while rest % 2 == 0:
        rest, twos = rest // 2, twos + 1
    while rest % 5 == 0:
        rest, fives = rest // 5, fives + 1
    digits = max(twos, fives)
    if rest != 1 or digits > MAX_DIGITS:
        return rational_text(value)
    whole, part = divmod(abs(value.numerator) * 10**digits // value.denominator, 10**digits)
    return ("-" if value < 0 else "") + str(whole) + (f".{part:0{digits}d}" if digits else "")


def parse_rational(text: str) -> Fraction:
    """Read ``"p/q"`` or ``"p"``; at most 60 digits on each side.

    Raises:
        ValueError: for any other text, or a zero denominator.
    """
    match = _RATIONAL.fullmatch(text)
    if match is None:
        raise ValueError(f"expected a rational 'p/q' of at most {MAX_DIGITS} digits a side; got {text[:80]!r}")
    denominator = int(match[2]) if match[2] else 1
    if denominator == 0:
        raise ValueError(f"expected a nonzero denominator; got {text[:80]!r}")
    return Fraction(int(match[1]), denominator)


def _enc_hook(value: Any) -> Any:
    if isinstance(value, Fraction):
        return rational_text(value)
    raise TypeError(f"no canonical form for {type(value).__name__}")


def _dec_hook(kind: type, value: Any) -> Any:
    if kind is Fraction:
        if not isinstance(value, str):
            raise ValueError(f"expected a rational as text; got {type(value).__name__}")
        return parse_rational(value)
    raise TypeError(f"no reader for {kind.__name__}")


_ENCODER = msgspec.json.Encoder(order="sorted", enc_hook=_enc_hook)


def encode(record: Any) -> bytes:
    """Canonical JSON of a record: one line, no newline at its end."""
    return _ENCODER.encode(record)


def canonical(record: Any) -> Any:
    """The record as plain JSON values; raw JSON inside it loses its white space and key order."""
    return msgspec.json.decode(encode(record))


def encode_pretty(record: Any) -> bytes:
    """The same, indented for people, with one newline at the end."""
    return msgspec.json.format(encode(record), indent=2) + b"\n"


def decode(data: bytes | str, kind: type[T]) -> T:
    """Read one JSON value as ``kind``.

    Raises:
        msgspec.ValidationError: the value is JSON of another shape.
        msgspec.DecodeError: not JSON, or nested deeper than any file of ours.
    """
    try:
        return msgspec.json.decode(data, type=kind, dec_hook=_dec_hook)
    except RecursionError as error:
        raise msgspec.DecodeError("JSON is nested too deeply") from error


def decoder(kind: type[T]) -> msgspec.json.Decoder[T]:
    """A reusable decoder, for files of many lines."""
    return msgspec.json.Decoder(kind, dec_hook=_dec_hook)


def digest(record: Any) -> str:
    """sha256 of the canonical JSON, 64 hex digits."""
    return hashlib.sha256(encode(record)).hexdigest()


def digest_bytes(data: bytes) -> str:
    """sha256 of bytes, 64 hex digits."""
    return hashlib.sha256(data).hexdigest()
