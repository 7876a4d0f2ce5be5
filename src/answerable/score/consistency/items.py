"""Which views are held against each other: those of a group that must be answered alike.

An item is one question whose right response stays the same: the original and its variants. A group is one item, unless
it also has views with another answer or with the evidence hidden (states C, D, M, I ...), which are items of their own.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import cached_property

import numpy as np

from answerable.core.consistency import is_variant, kinds_of
from answerable.core.errors import BenchmarkError
from answerable.core.records import Answer, Group, Obligation, Record, View
from answerable.score.stratum import Bools, Ints

#: Views that an item may have; pairs grow with the square of it.
MOST_VIEWS = 2000
#: States in which the picture shows what decides; the others stand for themselves.
SEEN, SEEN_STATES = "seen", ("F", "S")
#: How the states of items are told apart by whether the answer was determined.
DETERMINED_WORDS = {"seen": "seen", "D": "hidden, determined (D)", "M": "not determined (M)"}
_ALSO_SEEN = ("K", "C")


class Item(Record, frozen=True):
    """Views with the same obligation."""

    group: int
    """Place of its group."""
    state: str
    """``seen`` for F and S, else the state its views share."""
    views: tuple[View, ...]


def items_of(groups: Sequence[Group]) -> tuple[Item, ...]:
    """The items of groups, in their order.

    Raises:
        BenchmarkError: an item has more views than are ever compared.
    """
    found: list[Item] = []
    for place, group in enumerate(groups):
        kinds: dict[tuple[str, Obligation], list[View]] = {}
        for view in group.views:
            state = SEEN if view.state in SEEN_STATES else view.state
            kinds.setdefault((state, _due(view)), []).append(view)
        for (state, _), views in kinds.items():
            if len(views) > MOST_VIEWS:
                raise BenchmarkError(
                    f"at most {MOST_VIEWS} views of a question with one answer", f"{len(views)}",
                    where=f"group {group.id}", fix="build fewer variants of a question",
                )  # fmt: skip
            found.append(Item(place, state, tuple(views)))
    return tuple(found)


def _due(view: View) -> Obligation:
    """What the reply must do, whatever the order of the options: a letter stands for its text."""
    duty = view.obligation
    offered = {option.letter: option.text for option in view.options}
    if isinstance(duty, Answer) and duty.target in offered:
        return Answer(offered[duty.target], "text")
    return duty


class Frame:
    """The items of a list of groups as arrays over their views, without any reply.

    Args:
        groups: of one source and level, in the order in which they are drawn.
        with_original: whether originals are compared with their variants.
    """

    def __init__(self, groups: Sequence[Group], *, with_original: bool = False) -> None:
        self.groups = tuple(groups)
        self.items = items_of(groups)
        self.views = tuple(view for item in self.items for view in item.views)
        self.item_of: Ints = np.array(
            [place for place, item in enumerate(self.items) for _ in item.views], dtype=np.int64
        )
        self.group_of: Ints = np.array([item.group for item in self.items], dtype=np.int64)
        self.variant = _flags(is_variant(view) for view in self.views)
        has_variants = np.zeros(len(self.items), dtype=np.bool_)
        has_variants[self.item_of[self.variant]] = True
        varied = has_variants[self.item_of]
        self.original: Bools = ~self.variant & varied
        #: Views whose replies are held against each other.
        self.compared: Bools = varied if with_original else self.variant
        #: Views whose repeats are: where nothing is varied, the views as they are.
        self.sampled: Bools = self.compared | ~varied
        self.varied = bool(self.variant.any())

    @cached_property
    def variations(self) -> dict[str, Bools]:
        """Views by what they vary."""
        names = dict.fromkeys(view.topic for view in self.views if is_variant(view))
        return {
            name: self.variant & _flags(view.topic == name for view in self.views) for name in sorted(names)
        }  # fmt: skip

    @cached_property
    def kinds(self) -> dict[str, dict[str, Bools]]:
        """Variants by what is particular to them: name -> value -> views; numbers in their order.

        Raises:
            BenchmarkError: an ability that cannot be read.
        """
        told = [kinds_of(view) for view in self.views]
        names = dict.fromkeys(name for kinds in told for name in kinds)
        return {
            name: {
                value: _flags(kinds.get(name) == value for kinds in told)
                for value in sorted({kinds[name] for kinds in told if name in kinds}, key=_numbers_first)
            }
            for name in names
        }

    @cached_property
    def determined(self) -> dict[str, Bools]:
        """Views by whether the picture determines the answer; empty where nothing was ever hidden."""
        kinds = [SEEN if item.state in (SEEN, *_ALSO_SEEN) else item.state for item in self.items for _ in item.views]
        if not {"D", "M"} & set(kinds):
            return {}
        return {
            words: _flags(kind == state for kind in kinds)
            for state, words in DETERMINED_WORDS.items()
            if state in kinds
        }  # fmt: skip


def _flags(values: Iterable[bool]) -> Bools:
    return np.fromiter(values, dtype=np.bool_)


def _numbers_first(value: str) -> tuple[bool, int, str]:
    number = value.isascii() and value.isdigit() and len(value) < 10
    return not number, int(value) if number else 0, value
