"""What the measures of consistency mean, and what a reader of any table of them must know."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from answerable.core.consistency import THRESHOLD
from answerable.score.collect import RunVerdicts

_MEAN = "mean over items of the"


def definitions(*, published: bool) -> dict[str, str]:
    """Measure -> what it is."""
    held = "anywhere in it" if published else "as whole words, or equal to it as a number"
    return {
        "Acc": f"{_MEAN} share of replies with the ground truth {held}, case ignored; a missing or unread reply is"
        " wrong; without items that have no ground truth",
        "S_GT": f"{_MEAN} mean similarity of a reply with the ground truth, over replies that can be compared",
        "Con": f"{_MEAN} share of pairs with a similarity above {THRESHOLD}, over pairs that can be compared",
        "S_C": f"{_MEAN} mean similarity of a pair of replies, over pairs that can be compared",
        "O_all": "harmonic mean of (Acc + S_GT) / 2 and (Con + S_C) / 2",
        "Con_strict": "Con over all pairs due: a pair with a reply that is missing or cannot be read does not agree",
        "Con_whole": "share of items in which every pair due agrees",
        "S_worst": f"{_MEAN} lowest similarity of a pair that can be compared",
        "distinct": f"{_MEAN} number of distinct answers among two or more, after NFKC, lower case, collapsed white"
        " space and without marks at either end",
        "Con_within": "Con over pairs in which both replies are to this kind, where Con needs one of them",
        "S_C_within": "S_C over pairs in which both replies are to this kind, where S_C needs one of them",
    }


def notes_on(
    runs: Sequence[RunVerdicts], cut: int, longest: int, draws: int, seed: int, left_out: Iterable[str]
) -> Iterator[str]:
    """The notes under the tables."""
    yield (
        f"Intervals: 95 % percentile intervals of {draws} bootstrap draws of whole groups (seed {seed}); a share of 0"
        " or 1 whose interval has no width also gets a Wilson interval over its groups."
    )
    yield (
        "A reply that is missing, failed or cannot be read is a gap: it is never compared, its pairs are undefined and"
        " counted. An abstention is like an abstention (1) and like no answer (0)."
    )
    if len(runs) > 1:
        yield "Differences between runs use the same draws on shared groups; they are not adjusted for their number."
    for run in runs:
        if run.failed or run.not_run:
            yield (
                f"INCOMPLETE {run.name}: {run.failed + run.not_run} of {run.outcomes.size} replies are missing"
                f" ({run.failed} failed, {run.not_run} not run)."
            )
        manifest = run.folder.manifest
        if manifest.control != "none":
            yield f"CONTROL {run.name}: {manifest.control}; the model did not see the pictures."
        if run.repeats > 1 and manifest.sampling.temperature == 0:
            yield f"{run.name}: asked {run.repeats} times at temperature 0; sampling says how far the server repeats."
    if cut:
        yield f"{cut} texts are longer than {longest} characters; their beginning is compared."
    for name in left_out:
        yield f"{name} has too many values to split by."
