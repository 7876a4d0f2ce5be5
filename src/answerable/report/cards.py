"""The cards of the gallery: what is known about each group that is shown, in the words the page prints.

The page gets two things: a small index of all its groups, by which it filters, and the details of a group,
which it reads when the group is shown.
"""

from __future__ import annotations

from collections.abc import Sequence

from answerable.core.codec import encode
from answerable.core.records import STATES, Abstain, Answer, Group, Record, View
from answerable.core.words import STATE_NAMES, duty_text, target_text
from answerable.report.outline import Box
from answerable.report.verdicts import Mark, Verdict

#: Longest text of a question, target or note, in characters.
LONG = 600


class Duty(Record, frozen=True):
    """One view of a card."""

    id: str
    state: str
    supported: bool
    duty: str
    """``answer 12`` or ``abstain: the evidence is hidden``."""
    target: str
    level: str
    proof: str
    note: str
    width: int
    height: int
    renderer: str
    picture_note: str
    """What was done to the picture for this page, or why there is none."""
    put: str
    """How a multiple-choice question is put: ``standard, base, shift 2``; empty for a free answer."""
    options: tuple[str, ...]
    """What is offered, as shown."""
    asks: str
    """The view's own question where it is not the one above the card; else empty."""


class Shown(Record, frozen=True):
    """One verdict of a card."""

    run: int
    view: int
    repeat: int
    mark: int
    reading: str
    """What was read, in words: ``“12”``, ``abstains``, ``cannot be read``."""
    rule: str
    why: str
    finish: str
    seconds: float | None
    reply: str | None
    reply_more: int
    """Characters of the reply that are left out here."""
    reasoning: str | None
    reasoning_more: int


class Card(Record, frozen=True):
    """The details of one group."""

    views: tuple[Duty, ...]
    verdicts: tuple[Shown, ...]
    outlines: tuple[Box | None, ...]
    """Where each view's picture differs from the first one's."""
    proof: tuple[int, int, int] | None
    """Places of F, C and M among the views, when M is proved and both are there."""


class Entry(Record, frozen=True):
    """One group in the index."""

    id: str
    source: str
    question: str
    states: tuple[str, ...]
    targets: str
    """What its views must answer, for searching."""
    marks: tuple[tuple[int, ...], ...]
    """By run: view, mark, view, mark ..."""


def shorten(text: str, limit: int) -> tuple[str, int]:
    """The text cut so that it takes at most ``limit`` bytes in an island, and how many characters were left out."""
    if len(text) * 6 <= limit:
        return text, 0
    used = 0
    for place, character in enumerate(text):
        used += 6 if character in "<>&\u2028\u2029" or character < " " else len(character.encode("utf-8", "replace"))
        used += character in '"\\'
        if used > limit:
            return text[:place], len(text) - place
    return text, 0


def clip(text: str, limit: int = LONG) -> str:
    """The text cut at ``limit`` characters, with an ellipsis when it was."""
    return text if len(text) <= limit else text[:limit] + "…"


def in_order(group: Group) -> tuple[View, ...]:
    """The views of a group in the order of ``STATES``."""
    order = list(STATES)
    return tuple(sorted(group.views, key=lambda view: order.index(view.state)))


def proof_places(views: Sequence[View]) -> tuple[int, int, int] | None:
    """Where worlds A and B and what is seen of both stand, when they prove M of the group by hiding."""
    places: dict[str, int] = {view.state: place for place, view in enumerate(views)}
    if not {"F", "C", "M"} <= places.keys():
        return None
    full, changed, missing = (views[places[state]] for state in "FCM")
    # A program whose outcome is left to chance abstains too, but nothing of it is hidden.
    if missing.evidence.level != "proved" or missing.obligation != Abstain(reason="missing"):
        return None
    if not isinstance(full.obligation, Answer) or not isinstance(changed.obligation, Answer):
        return None
    return places["F"], places["C"], places["M"]


def target_of(view: View) -> str:
    """What a view must answer, for people; empty when it must abstain."""
    duty = view.obligation
    return clip(target_text(duty.target, duty.type)) if isinstance(duty, Answer) else ""


def card(
    group: Group,
    rows: Sequence[tuple[int, Verdict]],
    runs: dict[str, int],
    notes: Sequence[str],
    text_limit: int,
    outlines: Sequence[Box | None] = (),
) -> Card:
    """The details of a group.

    Args:
        group: its views.
        rows: its verdicts, each with the number of its mark.
        runs: run name -> place in the scores.
        notes: about the picture of each view, in the order of ``STATES``.
        text_limit: bytes a reply may take; a reasoning text gets half of it.
        outlines: of the picture of each view, in the same order; empty for none.
    """
    views = in_order(group)
    places = {view.id: place for place, view in enumerate(views)}
    held = sorted(
        (entry for entry in rows if entry[1].view in places and entry[1].run in runs),
        key=lambda entry: (runs[entry[1].run], places[entry[1].view], entry[1].repeat),
    )
    return Card(
        views=tuple(_duty(view, note, views[0].question) for view, note in zip(views, notes, strict=True)),
        verdicts=tuple(_shown(mark, row, runs[row.run], places[row.view], text_limit) for mark, row in held),
        outlines=tuple(outlines) or (None,) * len(views),
        proof=proof_places(views),
    )


def entry(group: Group, rows: Sequence[tuple[int, Verdict]], runs: dict[str, int]) -> Entry:
    """The group in the index."""
    views = in_order(group)
    places = {view.id: place for place, view in enumerate(views)}
    marks: list[list[int]] = [[] for _ in runs]
    for mark, row in rows:
        if row.run in runs and row.view in places:
            marks[runs[row.run]] += [places[row.view], mark]
    return Entry(
        id=group.id,
        source=group.source,
        question=clip(views[0].question),
        states=tuple(view.state for view in views),
        targets=" ".join(dict.fromkeys(text for view in views if (text := target_of(view)))),
        marks=tuple(tuple(found) for found in marks),
    )


def _duty(view: View, note: str, heading: str) -> Duty:
    return Duty(
        id=view.id, state=view.state, supported=isinstance(view.obligation, Answer),
        duty=clip(duty_text(view.obligation)), target=target_of(view), level=view.evidence.level,
        proof=view.evidence.proof, note=clip(view.evidence.note), width=view.width, height=view.height,
        renderer=view.renderer, picture_note=note, put=_put(view),
        asks="" if view.question == heading else clip(view.question),
        options=tuple(clip(f"{option.letter}. {option.text}", 200) for option in view.options),
    )  # fmt: skip


def _put(view: View) -> str:
    if not view.setting:
        return ""
    form = "standard" if isinstance(view.obligation, Answer) else STATE_NAMES[view.state]
    return f"{form}, {view.setting}" + (f", shift {view.rotation}" if view.rotation else "")


def _shown(mark: int, row: Verdict, run: int, view: int, limit: int) -> Shown:
    reply, more = (None, 0) if row.reply is None else shorten(row.reply, limit)
    reasoning, reasoning_more = (None, 0) if row.reasoning is None else shorten(row.reasoning, limit // 2)
    return Shown(
        run=run, view=view, repeat=row.repeat, mark=mark, reading=reading_text(row), rule=row.rule or "",
        why=clip((row.why or "").replace("_", " ")), finish=clip(row.finish_reason or "", 80), seconds=row.seconds,
        reply=reply, reply_more=more, reasoning=reasoning, reasoning_more=reasoning_more,
    )  # fmt: skip


def reading_text(row: Verdict) -> str:
    """What was read, in words."""
    if row.reading == "answered":
        return "answers, but gives no answer" if row.answer is None else f"“{clip(row.answer, 200)}”"
    words = {"abstained": "abstains", "invalid": "cannot be read", "failed": "no reply", "not_run": "not asked"}
    return words.get(row.reading, row.reading)


def island(value: object) -> str:
    """JSON that can stand inside a script element or a script file: no character of it can end or open anything."""
    text = encode(value).decode()
    for character in "<>&\u2028\u2029":
        text = text.replace(character, f"\\u{ord(character):04x}")
    return text


class MarkWords(Record, frozen=True):
    """A mark as the page filters by it: numbers of words in the lists beside it."""

    run: int
    state: str
    outcome: int
    status: int
    why: int


def mark_words(
    marks: Sequence[Mark], runs: dict[str, int], outcomes: Sequence[str], statuses: Sequence[str], whys: Sequence[str]
) -> tuple[MarkWords, ...]:
    """Marks by number; -1 for a word that is not in its list."""
    tables = [{word: place for place, word in enumerate(words)} for words in (outcomes, statuses, whys)]
    return tuple(
        MarkWords(
            run=runs.get(mark.run, -1), state=mark.state, outcome=tables[0].get(mark.outcome, -1),
            status=tables[1].get(mark.status, -1), why=tables[2].get(mark.why, -1),
        )
        for mark in marks
    )  # fmt: skip
