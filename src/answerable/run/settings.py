"""What a run is asked to do, and what it did."""

from __future__ import annotations

from collections.abc import Callable
from typing import Literal

from answerable.core.errors import SettingsError
from answerable.core.records import Record
from answerable.run.providers.base import at_least

Control = Literal["none", "text-only", "blank-image"]


class RunSettings(Record, frozen=True):
    """Settings of a run. The first block decides what is asked and is kept in ``run.json``; the rest only how fast."""

    repeats: int = 1
    """Times each view is asked."""
    control: Control = "none"
    """``text-only`` sends no image, ``blank-image`` a white one of equal size."""
    split: str = "test"
    limit: int | None = None
    """The first so many whole groups of the split, in stored order; None for all."""
    seed: int = 0
    """Of the order of requests, of the spread of waits, and of ``reference/random``."""

    concurrency: int = 64
    """Most requests at once."""
    concurrency_start: int = 4
    """Requests at once in the beginning; the server decides the rest."""
    retries: int = 5
    """Further attempts after the first one, for failures that pass with time."""
    give_up_after: float = 900.0
    """Seconds after which a view is not tried again."""
    max_image_bytes: int | None = 20_000_000
    """Longest base64 text of an image; servers count that, not the file."""
    price_in: float | None = None
    """US dollars for a million prompt tokens."""
    price_out: float | None = None
    """US dollars for a million completion tokens."""
    max_cost: float | None = None
    """US dollars; no request starts that could pass it."""
    fsync_every: int = 64
    """Replies between two forced writes to disk. A killed process loses none either way; a power cut up to so many."""
    halt_after: int = 50
    """Views that fail in a row before the run stops; 0 never stops."""
    grace: float = 2.0
    """Seconds that requests in flight get to finish after Ctrl-C."""

    def check(self) -> None:
        """Raise ``SettingsError`` for the first setting that makes no sense."""
        for flag, value, low in (
            ("--repeats", self.repeats, 1), ("--limit", self.limit, 1), ("--concurrency", self.concurrency, 1),
            ("--concurrency-start", self.concurrency_start, 1), ("--retries", self.retries, 0),
            ("--max-image-bytes", self.max_image_bytes, 1),
            ("--fsync-every", self.fsync_every, 1), ("--halt-after", self.halt_after, 0),
            ("--price-in", self.price_in, 0), ("--price-out", self.price_out, 0), ("--max-cost", self.max_cost, 0),
            ("--give-up-after", self.give_up_after, 0), ("--grace", self.grace, 0),
        ):  # fmt: skip
            at_least(flag, value, low)
        if self.max_cost is not None and (self.price_in is None or self.price_out is None):
            raise SettingsError(
                "prices beside --max-cost", "none", "--price-in, --price-out",
                fix="give US dollars for a million tokens, as your provider charges them",
            )  # fmt: skip
        if (self.price_in is None) != (self.price_out is None):
            raise SettingsError("both prices or none", "one of them", "--price-in, --price-out")


class Estimate(Record, frozen=True):
    """What a run may cost, before it starts."""

    requests: int
    prompt_tokens: int
    """Text at four characters a token, images at one token for 28 x 28 pixels. Servers count differently."""
    low: float
    """US dollars when every reply has 60 tokens."""
    high: float
    """US dollars when every reply uses up ``max_tokens``."""


class Progress(Record, frozen=True):
    """How a run stands."""

    expected: int
    replied: int
    """Replies in the log, earlier ones included."""
    failed: int
    """Views that failed in this session."""
    in_flight: int
    limit: int
    """Requests the server is trusted with at the moment."""
    rate: float
    """Replies a second in this session."""
    left: float | None
    """Seconds to the end at this rate."""
    tokens: int
    cost: float | None
    longest: tuple[tuple[str, float], ...]
    """Views in flight the longest, with seconds."""
    paused: float = 0.0
    """Seconds the server asked us to wait, still to go."""


#: Called now and then with the progress, from the event loop; it must return at once.
Watch = Callable[[Progress], None]
#: Why a run ended before all was asked; ``done`` when it was not cut short.
Ended = Literal["done", "interrupted", "budget", "failures"]


class RunSummary(Record, frozen=True):
    """What became of a run."""

    expected: int
    """Views times repeats."""
    replied: int
    """Replies in the log."""
    new: int
    """Of those, the ones of this session."""
    statuses: dict[str, int]
    """Replies by status; they add up to ``replied``."""
    failed: dict[str, int]
    """Views that failed in this session, by kind."""
    not_run: int
    """Views never asked in this session and without a reply; expected = replied + failed + not run."""
    prompt_tokens: int
    completion_tokens: int
    reasoning_tokens: int
    uncounted: int
    """Replies for which the server gave no token counts."""
    cost: float | None
    """US dollars of all replies in the log at the given prices; None without prices."""
    seconds: float
    rate: float
    """Replies a second."""
    ended: Ended
    message: str = ""
    """Why it ended early, for people."""
    estimate: Estimate | None = None

    @property
    def complete(self) -> bool:
        """Whether every expected reply exists."""
        return self.replied == self.expected


def exit_code(summary: RunSummary) -> int:
    """Exit code: 0 when every expected reply exists, 130 after Ctrl-C, else 4."""
    if summary.ended == "interrupted":
        return 130
    return 0 if summary.complete else 4
