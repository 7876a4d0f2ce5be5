"""Tokens and dollars: the estimate before a run, and the count during it."""

from __future__ import annotations

import math

from answerable.core.runlog import Usage
from answerable.run.prompts import Prompt
from answerable.run.settings import Estimate, RunSettings
from answerable.run.views import Views

#: Tokens of a usual reply, for the low end of the estimate.
USUAL_REPLY = 60


def estimate(views: Views, prompt: Prompt, max_tokens: int, settings: RunSettings, requests: int) -> Estimate | None:
    """What ``requests`` may cost at the given prices; None without prices."""
    if settings.price_in is None or settings.price_out is None:
        return None
    fixed = len(prompt.text.system) + len(prompt.text.user)
    tokens = 0
    for question, width, height in zip(views.questions, views.widths, views.heights, strict=True):
        tokens += math.ceil((fixed + len(question)) / 4)
        if settings.control != "text-only":
            tokens += math.ceil(width / 28) * math.ceil(height / 28)
    # A second turn sends the question again, and the first reply with it.
    turns = 2 if prompt.text.second else 1
    tokens = round(turns * tokens * requests / max(1, len(views))) + (turns - 1) * requests * USUAL_REPLY
    replies = turns * requests * max_tokens
    return Estimate(
        requests=requests,
        prompt_tokens=tokens,
        low=(tokens * settings.price_in + turns * requests * USUAL_REPLY * settings.price_out) / 1e6,
        high=(tokens * settings.price_in + replies * settings.price_out) / 1e6,
    )


class Meter:
    """Counts tokens, and decides whether one more request may start.

    A reply without token counts is charged at the high end of the estimate, so that a cap holds for servers that
    count nothing. Requests in flight are charged beforehand: at the mean of the replies so far, or at the high end.
    """

    def __init__(self, settings: RunSettings, expected: Estimate | None) -> None:
        self._price_in, self._price_out, self._cap = settings.price_in, settings.price_out, settings.max_cost
        each = expected.high / expected.requests if expected and expected.requests else 0.0
        self._high = each
        self.prompt = self.completion = self.reasoning = self.uncounted = 0
        self._charged, self._replies = 0.0, 0

    def count(self, usage: Usage) -> None:
        """Add the tokens of one reply."""
        self._replies += 1
        self.prompt += usage.prompt or 0
        self.completion += usage.completion or 0
        self.reasoning += usage.reasoning or 0
        if usage.prompt is None or usage.completion is None:
            self.uncounted += 1
            self._charged += self._high
        elif self._price_in is not None and self._price_out is not None:
            self._charged += (usage.prompt * self._price_in + usage.completion * self._price_out) / 1e6

    @property
    def cost(self) -> float | None:
        """US dollars so far; None without prices."""
        return None if self._price_in is None else self._charged

    def allows(self, in_flight: int) -> bool:
        """Whether one more request beside those in flight stays under the cap."""
        if self._cap is None:
            return True
        each = self._charged / self._replies if self._replies else self._high
        # A hair of room, so that a sum of rounded parts does not stop one request early.
        return self._charged + (in_flight + 1) * each <= self._cap * (1 + 1e-9)
