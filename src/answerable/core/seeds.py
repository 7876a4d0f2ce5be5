"""Randomness that is passed in and derives from names.

The standard generators promise nothing about their higher methods across Python versions,
so a stream is SHA-256 in counter mode: the same names give the same draws, everywhere.
"""

from __future__ import annotations

import hashlib
from collections.abc import MutableSequence, Sequence
from typing import TypeVar

T = TypeVar("T")


def seed_from(*names: str | int) -> int:
    """A 64-bit seed that depends on every name and on their order."""
    # Lengths keep the names apart, whatever characters they hold.
    text = "".join(f"{type(name).__name__}:{len(str(name))}:{name}\x1f" for name in names)
    return int.from_bytes(hashlib.sha256(text.encode()).digest()[:8], "big")


class Stream:
    """An endless stream of draws named by its arguments."""

    __slots__ = ("_bits", "_counter", "_key", "_left")

    def __init__(self, *names: str | int) -> None:
        self._key = seed_from(*names).to_bytes(8, "big")
        self._counter = 0
        self._bits = 0
        self._left = 0

    def _take(self, count: int) -> int:
        while self._left < count:
            block = hashlib.sha256(self._key + self._counter.to_bytes(8, "big")).digest()
            self._counter += 1
            self._bits = (self._bits << 256) | int.from_bytes(block, "big")
            self._left += 256
        self._left -= count
        value = self._bits >> self._left
        self._bits &= (1 << self._left) - 1
        return value

    def below(self, bound: int) -> int:
        """A uniform whole number in ``[0, bound)``."""
        if bound < 1:
            raise ValueError(f"expected bound >= 1; got bound={bound}")
        width = max(1, (bound - 1).bit_length())
        while True:
            value = self._take(width)
            if value < bound:
                return value

    def between(self, low: int, high: int) -> int:
        """A uniform whole number in ``[low, high]``, both ends included."""
        return low + self.below(high - low + 1)

    def unit(self) -> float:
        """A uniform float in ``[0, 1)`` with 53 random bits."""
        return self._take(53) / (1 << 53)

    def pick(self, items: Sequence[T]) -> T:
        """One item, uniformly."""
        return items[self.below(len(items))]

    def shuffle(self, items: MutableSequence[T]) -> None:
        """Fisher-Yates in place."""
        for last in range(len(items) - 1, 0, -1):
            other = self.below(last + 1)
            items[last], items[other] = items[other], items[last]

    def sample(self, items: Sequence[T], count: int) -> list[T]:
        """``count`` different items in random order."""
        pool = list(items)
        if count > len(pool):
            raise ValueError(f"expected at most {len(pool)} items to choose from; got count={count}")
        for index in range(count):
            other = index + self.below(len(pool) - index)
            pool[index], pool[other] = pool[other], pool[index]
        return pool[:count]
