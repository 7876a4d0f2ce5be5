"""The scores folder: ``scores.json`` (every number with its counts) and ``verdicts.parquet`` (a row a reply).

``score`` writes it, ``report`` draws it; neither knows the other.
"""

from __future__ import annotations

from typing import Literal

import msgspec

from answerable.core.records import Record

FORMAT = 1
SCORES, VERDICTS = "scores.json", "verdicts.parquet"

#: What became of one view, from best to worst understood. Only ``correct`` meets the obligation.
Outcome = Literal[
    "correct",
    "wrong_answer",  # supported, answered, not the target (a null answer too)
    "false_rejection",  # supported, abstained
    "false_acceptance",  # unsupported, answered
    "invalid",  # the reply cannot be read
    "failed",  # the request failed; no reply
    "not_run",  # never asked
]
OUTCOMES: tuple[Outcome, ...] = (
    "correct", "wrong_answer", "false_rejection", "false_acceptance", "invalid", "failed", "not_run",
)  # fmt: skip
#: Loss decomposition of groups, in order; they add up to all groups.
LOSSES = ("success", "wrong_answer", "other_decision", "missing_failure")

#: Columns of ``verdicts.parquet``: name -> Arrow type name.
VERDICT_COLUMNS = {
    "run": "string", "group": "string", "view": "string", "source": "string", "state": "string", "repeat": "int32",
    "outcome": "string", "decision_right": "bool", "answer_right": "bool",
    "reading": "string",  # answered | abstained | invalid | failed | not_run
    "answer": "string", "rule": "string", "why": "string",
    "status": "string", "finish_reason": "string", "reply": "string", "reasoning": "string", "seconds": "float64",
}  # fmt: skip


class Figure(Record, frozen=True):
    """A number that can be checked: ``value = numerator / denominator``."""

    value: float | None
    """None when the denominator is 0: undefined, not 0."""
    numerator: int
    denominator: int
    interval: tuple[float, float] | None = None
    """95 % percentile interval of the group bootstrap."""
    wilson: tuple[float, float] | None = None
    """95 % Wilson interval, given when the rate is 0 or 1 and the bootstrap interval has no width."""


#: What a source is split by.
Facet = Literal["program", "depth", "answer", "ability", "topic"]
FACETS: dict[Facet, str] = {
    "program": "program family",
    "depth": "levels of the program",
    "ability": "ability",
    "topic": "topic",
    "answer": "type of answer",
}


class PartScores(Record, frozen=True):
    """One run on the groups of a source that share a program family, a depth, an ability or a topic."""

    facet: Facet
    value: str
    groups: int
    views: int
    metrics: dict[str, Figure]
    """J, B, E, E_A, E_M, E_I, A, failures and answers by state, and those of unsolvable problem detection."""


class StateTally(Record, frozen=True):
    """The views of one state."""

    state: str
    views: int
    failure: Figure
    """Share of views whose obligation's decision is not met: wrong decision, invalid, failed, not run."""
    outcomes: dict[str, int]


class SourceScores(Record, frozen=True):
    """One run on one source (and one evidence level, when a source mixes levels)."""

    source: str
    level: str
    groups: int
    views: int
    states: tuple[str, ...]
    metrics: dict[str, Figure]
    """By the names of the protocol: J, B, J_5, B_5, E, E_A, E_M, E_I, E_balanced, E_FSM, B_FSM, A, ..."""
    baselines: dict[str, dict[str, Figure]]
    """What a constant responder would get: ``always-answer``, ``always-abstain``."""
    tallies: tuple[StateTally, ...]
    failed_views: tuple[int, ...]
    """Number of groups with 0, 1, ... k failed decisions."""
    first_failures: int
    additional_failures: int
    """first + additional = all failed views."""
    losses: dict[str, int]
    """By ``LOSSES``; they add up to the groups."""
    statuses: dict[str, int]
    """Replies by status, and failures and views not run by their own names."""
    rules: dict[str, int]
    """How many replies each reading rule decided."""
    counts: dict[str, int] = msgspec.field(default_factory=dict)
    """The paper's V (valid replies), I (invalid ones), W (valid ones whose decision is wrong), and ``missing``
    (failed or not run)."""
    parts: tuple[PartScores, ...] = ()
    """By ``FACETS``, where the questions have them; the parts of one facet never overlap."""
    confusion: dict[str, dict[str, int]] = msgspec.field(default_factory=dict)
    """TUBench only, without control views: target -> reading -> replies. Targets are ``Yes`` and ``No``, or ``answer``,
    and ``unanswerable``; readings also ``unread``, ``failed``, ``not_run``."""


class RunScores(Record, frozen=True):
    """One run."""

    name: str
    model: str
    provider: str
    prompt: str
    control: str
    repeats: int
    expected: int
    """Replies the run should hold (views x repeats)."""
    replied: int
    failed: int
    not_run: int
    sources: dict[str, SourceScores]


class PairDifference(Record, frozen=True):
    """``a - b`` on shared groups, drawn together."""

    source: str
    metric: str
    a: str
    b: str
    value: float | None
    interval: tuple[float, float] | None
    excludes_zero: bool
    groups: int
    """Groups both runs cover."""


class Correlation(Record, frozen=True):
    """How two metrics go together over the runs, one point a run."""

    source: str
    x: str
    y: str
    pearson: float | None
    """None when undefined: fewer than two runs, or a metric without variance."""
    spearman: float | None
    runs: int
    """Runs in which both metrics are defined."""


class ReadingCounts(Record, frozen=True):
    """How two readers read the same replies of one run: a whole source, or one ability of one of its topics."""

    run: str
    source: str
    """Its key in the scores."""
    topic: str | None
    """The data set, as views name it; None for the whole source."""
    ability: str
    """The strategy, or what the question tests; empty where views name none, and for the whole source."""
    replies: int
    alike: int
    """Both readers say the same, whatever rule decided."""
    read_as: dict[str, dict[str, int]]
    """What the reader of the scores made of them -> what the other one did -> replies. A label of the question,
    ``answered`` (another text), ``no answer`` (answerable, nothing given), ``abstained`` or ``invalid``."""


class ReadingExample(Record, frozen=True):
    """One reply that two readers read differently."""

    run: str
    source: str
    view: str
    repeat: int
    ability: str
    said: str
    """The beginning of the reply."""
    length: int
    """Characters of the whole reply."""
    reading: str
    """By the reader of the scores, in the words of ``ReadingCounts.read_as``."""
    rule: str
    against: str
    """By the other one."""
    against_rule: str


class ReadingComparison(Record, frozen=True):
    """Where another reader would have read replies differently; it decides no figure."""

    reader: str
    """Name and version of the reader of the scores."""
    against: str
    """Name and version of the other one."""
    against_rules: str
    counts: tuple[ReadingCounts, ...]
    examples: tuple[ReadingExample, ...]
    """The first replies of each difference, a few of each."""


class Scores(Record, frozen=True):
    """``scores.json``."""

    format: int
    benchmark: str
    benchmark_fingerprint: str
    split: str
    draws: int
    seed: int
    reader: str
    """Name and version of the reader."""
    rules: str
    """The reading rules in words, so that a report states what it counted."""
    definitions: dict[str, str]
    """Metric name -> what it is, with its unit."""
    runs: tuple[RunScores, ...]
    pairs: tuple[PairDifference, ...]
    notes: tuple[str, ...] = ()
    """What a reader of any table must know: runs incomplete and how much is missing, intervals unadjusted."""
    correlations: tuple[Correlation, ...] = ()
    """Dual and UPD against Original, OC_Dual against Dual, where there are three runs or more."""
    readings: ReadingComparison | None = None
    """Where a second reader reads replies differently; None when there was none."""
