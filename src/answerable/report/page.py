"""The page: facts about the benchmark, the templates, and the policy that lets nothing in from outside."""

from __future__ import annotations

import base64
import hashlib
from collections.abc import Mapping, Sequence
from functools import cache
from importlib.resources import files
from typing import TYPE_CHECKING

from answerable import __version__
from answerable.core.benchmark import Manifest
from answerable.core.records import LEVELS, STATES, SUPPORTED, Record
from answerable.core.scores import LOSSES, Scores
from answerable.core.words import LEVEL_WORDS, STATE_NAMES
from answerable.report.cards import Card
from answerable.report.consistency import ConsistencyPart
from answerable.report.data import SourcePart
from answerable.report.readings import readings
from answerable.report.review import ReviewPart
from answerable.report.unsolvable import PublishedRow, dual_table, upd_parts
from answerable.report.words import LOSS_WORDS, OUTCOME_SHORT, OUTCOME_WORDS

if TYPE_CHECKING:
    import jinja2


class StateFact(Record, frozen=True):
    """A state in the legend."""

    letter: str
    name: str
    words: str
    supported: bool


class Facts(Record, frozen=True):
    """What was measured on what."""

    title: str
    name: str
    version: str
    generator: str
    fingerprint: str
    licence: str
    prompt: str
    reader: str
    split: str
    groups: int
    """Groups with verdicts."""
    views: int
    states: tuple[StateFact, ...]
    levels: tuple[tuple[str, str, int], ...]
    """Level, its words, views of it; strongest first."""
    draws: int
    seed: int
    incomplete: tuple[str, ...]
    """Names of runs with replies missing."""
    program: str
    review: ReviewPart | None = None
    """What reviewers said of the benchmark, where a review is given."""
    consistency: ConsistencyPart | None = None
    """How far replies agree over variants and repeats, where that was measured."""


class Example(Record, frozen=True):
    """One group drawn without script, at the top of the page."""

    question: str
    card: Card
    urls: tuple[str, ...]
    """Data URLs in the order of the card's views; empty text where there is none."""


class Island(Record, frozen=True):
    """JSON in the page, under an id."""

    id: str
    text: str


class Gallery(Record, frozen=True):
    """What the page says about its gallery, and its data."""

    shown: int
    total: int
    chosen: bool
    """Whether the groups are a choice."""
    note: str
    """Why fewer groups are shown than were asked for; empty when they are not."""
    islands: tuple[Island, ...]


def facts(
    manifest: Manifest, scores: Scores, title: str, groups: int, states: Sequence[str], levels: Mapping[str, int]
) -> Facts:
    """The facts of the head of the page; states and levels are those of the groups with verdicts."""
    return Facts(
        title=title, name=manifest.name, version=manifest.version, generator=manifest.generator,
        fingerprint=manifest.fingerprint, licence=manifest.licence, prompt=manifest.prompt, reader=scores.reader,
        split=scores.split, groups=groups, views=sum(levels.values()),
        states=tuple(state_fact(letter) for letter in STATES if letter in states),
        levels=tuple((level, LEVEL_WORDS[level], levels[level]) for level in LEVELS if levels.get(level)),
        draws=scores.draws, seed=scores.seed,
        incomplete=tuple(run.name for run in scores.runs if run.replied < run.expected),
        program=f"Answerable {__version__}",
    )  # fmt: skip


def state_fact(letter: str) -> StateFact:
    """A state's name and words."""
    _, _, words = STATES[letter].partition(": ")
    return StateFact(letter=letter, name=STATE_NAMES[letter], words=words, supported=letter in SUPPORTED)


@cache
def _environment() -> jinja2.Environment:
    import jinja2

    from answerable.report.plots.bars import against_bar, loss_bar, rate_bar
    from answerable.report.plots.dots import dots
    from answerable.report.plots.forest import axis, difference
    from answerable.report.plots.histogram import histogram
    from answerable.report.plots.radar import radar
    from answerable.report.plots.scatter import colour, key, scatter

    environment = jinja2.Environment(
        loader=jinja2.PackageLoader("answerable.report", "templates"),
        autoescape=True,
        undefined=jinja2.StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
    )
    environment.globals.update(
        rate_bar=rate_bar, loss_bar=loss_bar, difference=difference, axis=axis, histogram=histogram,
        radar=radar, against_bar=against_bar, scatter=scatter, dots=dots, run_colour=colour, shape_key=key,
        LOSSES=[(kind, LOSS_WORDS[kind]) for kind in LOSSES],
        OUTCOMES=[(kind, OUTCOME_SHORT[kind], OUTCOME_WORDS[kind]) for kind in OUTCOME_WORDS],
    )  # fmt: skip
    return environment


def asset(name: str) -> str:
    """A style sheet or script of this package."""
    return (files("answerable.report") / "templates" / name).read_text(encoding="utf-8")


def policy(style: str, script: str, *, folder: bool) -> str:
    """The Content-Security-Policy of the page.

    Only our one style sheet and our one script count, by their hashes. A page with a folder beside it may also
    load pictures from there, and its script may load data files ('strict-dynamic' passes its trust to what it
    adds itself, and to nothing that markup adds).
    """
    parts = ["default-src 'none'", f"style-src {_hash(style)}"]
    if folder:
        parts += ["img-src 'self' file: data:", f"script-src {_hash(script)} 'strict-dynamic'"]
    else:
        parts += ["img-src data:", f"script-src {_hash(script)}"]
        parts += ["require-trusted-types-for 'script'", "trusted-types 'none'"]
    return "; ".join([*parts, "base-uri 'none'", "form-action 'none'"])


def _hash(text: str) -> str:
    return f"'sha256-{base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()}'"


def render(
    known: Facts,
    scores: Scores,
    parts: Sequence[SourcePart],
    example: Example | None,
    gallery: Gallery,
    *,
    folder: bool,
    beside: Sequence[PublishedRow] = (),
) -> str:
    """The whole page as text."""
    style, script = asset("report.css"), asset("report.js")
    return _environment().get_template("report.html.j2").render(
        facts=known, scores=scores, parts=parts, example=example, gallery=gallery, folder=folder,
        style=style, script=script, policy=policy(style, script, folder=folder),
        duties={state.letter: state for state in known.states}, duals=dual_table(scores, beside), upd=upd_parts(scores),
        readings=readings(scores),
    )  # fmt: skip
