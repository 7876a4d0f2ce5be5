"""What the page shows of an item: every way a group is met, as text and numbers of pictures; nothing of other votes."""

from __future__ import annotations

from collections.abc import Sequence

from answerable.core.records import SUPPORTED, Answer, Group, Option, Record, View
from answerable.core.words import LEVEL_WORDS, STATE_NAMES, duty_text

#: Of a reply that is shown, in characters; the rest is said to be there.
LONGEST = 40_000


class Offered(Record, frozen=True):
    """An option."""

    letter: str
    text: str
    right: bool
    """Whether the obligation is to choose it."""
    role: str


class Shown(Record, frozen=True):
    """One way a group is met: views that differ only in how the same thing is put are one."""

    state: str
    state_name: str
    supported: bool
    duty: str
    question: str
    options: tuple[Offered, ...]
    instruction: str
    withheld: str
    note: str
    level: str
    ability: str
    picture: int
    """Place among the card's pictures."""
    ways: tuple[str, ...]
    """How else the same is put: other rotations and settings."""


class PictureSize(Record, frozen=True):
    """Of a picture, in pixels."""

    width: int
    height: int


class Said(Record, frozen=True):
    """A reply."""

    text: str
    cut: int
    """Characters that are not shown."""
    status: str
    reasoning: str
    """Never read by a reader; may help to judge."""
    repeat: int
    model: str


class Card(Record, frozen=True):
    """One item."""

    id: str
    group: str
    source: str
    split: str
    why: tuple[str, ...]
    views: tuple[Shown, ...]
    pictures: tuple[PictureSize, ...]
    said: Said | None = None


class Source(Record, frozen=True):
    """A picture that a card shows: where its bytes are, and what they must be."""

    view: str
    sha256: str


def cut(text: str) -> tuple[str, int]:
    """The beginning of a long text, and how much is missing."""
    return text[:LONGEST], max(0, len(text) - LONGEST)


def card_of(
    group: Group, views: Sequence[View], why: tuple[str, ...] = (), name: str = "", said: Said | None = None
) -> tuple[Card, tuple[Source, ...]]:
    """A card and its pictures.

    Args:
        group: names the card.
        views: those to show.
        why: why a program finds the group doubtful.
        name: the item's id; the group's when empty.
        said: the reply, in the form on explanations.
    """
    alike: dict[tuple[object, ...], list[View]] = {}
    for view in views:
        alike.setdefault(_likeness(view), []).append(view)
    places: dict[str, int] = {}
    pictures: list[Source] = []
    sizes: list[PictureSize] = []
    shown = []
    for same in alike.values():
        first = min(same, key=lambda view: view.rotation)
        if first.image_sha256 not in places:
            places[first.image_sha256] = len(pictures)
            pictures.append(Source(first.id, first.image_sha256))
            sizes.append(PictureSize(first.width, first.height))
        ways = tuple(_way(view) for view in same if view is not first)
        shown.append(_shown(first, places[first.image_sha256], ways))
    card = Card(
        id=name or group.id, group=group.id, source=group.source, split=group.split, why=why, views=tuple(shown),
        pictures=tuple(sizes), said=said,
    )  # fmt: skip
    return card, tuple(pictures)


def _likeness(view: View) -> tuple[object, ...]:
    """Equal for views that ask the same of the same picture, however the options are turned and named."""
    content = frozenset(option.text for option in view.options if option.role == "content")
    return (
        view.state, view.image_sha256, view.question, content, _duty(view), view.withheld, view.evidence.level,
        view.evidence.note,
    )  # fmt: skip


def _right(view: View) -> Option | None:
    """The option that is the answer."""
    duty = view.obligation
    if not isinstance(duty, Answer):
        return None
    return next((option for option in view.options if option.letter == duty.target), None)


def _duty(view: View) -> str:
    """The obligation in words; an option by its text, since letters turn."""
    right = _right(view)
    return f"answer “{right.text}”" if right else duty_text(view.obligation)


def _way(view: View) -> str:
    options = " ".join(f"{option.letter}. {option.text}" for option in view.options)
    put = " ".join(filter(None, (view.setting, f"rotation {view.rotation}" if view.options else "")))
    return ": ".join(filter(None, (put or view.id, options))) + (f" – {view.instruction}" if view.instruction else "")


def _shown(view: View, picture: int, ways: tuple[str, ...]) -> Shown:
    right = _right(view)
    return Shown(
        state=view.state, state_name=STATE_NAMES[view.state], supported=view.state in SUPPORTED, duty=_duty(view),
        question=view.question, instruction=view.instruction, withheld=view.withheld, note=view.evidence.note,
        options=tuple(Offered(one.letter, one.text, one is right, one.role) for one in view.options),
        level=LEVEL_WORDS[view.evidence.level], ability=view.ability, picture=picture, ways=ways,
    )  # fmt: skip
