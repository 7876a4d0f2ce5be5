"""What people said of a benchmark: the section of a report drawn from ``agreement.json`` of ``answerable review``."""

from __future__ import annotations

from pathlib import Path

import msgspec

from answerable.core.agreement import FORMAT, Measured, ReviewScores
from answerable.core.codec import decode
from answerable.core.errors import FingerprintError, ReviewError
from answerable.core.records import Record
from answerable.core.scores import Figure
from answerable.report.words import NO_SPREAD, interval_text, percent

#: Of the file.
MAX_BYTES = 1 << 26


class AgreementRow(Record, frozen=True):
    """One kappa."""

    question: str
    of: str
    items: int
    alike: str
    alike_counts: str
    alike_interval: str
    kappa: str
    exact: str
    interval: str
    undefined: int


class ReviewPart(Record, frozen=True):
    """A review, in words and cells."""

    heading: str
    sentence: str
    outcomes: tuple[tuple[str, int], ...]
    reviewers: tuple[tuple[str, int], ...]
    rows: tuple[AgreementRow, ...]
    notes: tuple[str, ...]


def load_review(path: Path, fingerprint: str) -> ReviewPart:
    """The section of a file.

    Args:
        path: ``agreement.json``.
        fingerprint: of the benchmark that is reported.

    Raises:
        ReviewError: it cannot be read.
        FingerprintError: it is of another benchmark.
    """
    try:
        if path.stat().st_size > MAX_BYTES:
            raise ReviewError(f"a file of at most {MAX_BYTES} bytes", str(path.stat().st_size), where=str(path))
        scores = decode(path.read_bytes(), ReviewScores)
    except OSError as error:
        raise ReviewError("agreement.json of a review", error.strerror or str(error), where=str(path)) from error
    except (msgspec.MsgspecError, UnicodeDecodeError) as error:
        raise ReviewError(
            "agreement.json of a review", str(error)[:120], where=str(path), fix="answerable review BENCH --export DIR"
        ) from error
    if scores.format != FORMAT:
        raise ReviewError(f"format {FORMAT}", f"format={scores.format}", where=str(path))
    if scores.benchmark_fingerprint != fingerprint:
        raise FingerprintError(
            f"a review of this benchmark (fingerprint={fingerprint[:16]}...)",
            f"one of fingerprint={scores.benchmark_fingerprint[:16]}...", where=str(path),
            fix="name the agreement.json that was exported for it: --review FILE",
        )  # fmt: skip
    return review_part(scores)


def review_part(scores: ReviewScores) -> ReviewPart:
    """A review in words and cells; every number is the file's."""
    what = "explanations" if scores.form == "explanation" else "groups"
    whose = f" of {scores.model}" if scores.model else ""
    voted = scores.items - scores.outcomes.get("open", 0)
    names = {"keep": "kept", "drop": "dropped", "open": "without a vote"}
    order = ("keep", "drop", "settled", "disputed", "open")
    return ReviewPart(
        heading=f"What people said of the {what}{whose}",
        sentence=f"{len(scores.reviewers)} reviewers voted on {voted:,} of {scores.items:,} {what}, "
        f"{scores.wanted} on each where nobody is missing, without seeing each other's votes.",
        outcomes=tuple((names.get(word, word), scores.outcomes[word]) for word in order if word in scores.outcomes),
        reviewers=tuple(sorted(scores.reviewers.items())),
        rows=tuple(_row(scores, figure) for figure in scores.figures),
        notes=scores.notes,
    )


def _row(scores: ReviewScores, figure: Measured) -> AgreementRow:
    return AgreementRow(
        question=scores.questions.get(figure.question, figure.question),
        of=f"{figure.measure}: {', '.join(figure.reviewers)}" if figure.reviewers else figure.measure,
        items=figure.items, alike=percent(figure.agreement.value), alike_counts=_counts(figure.agreement),
        alike_interval=interval_text(figure.agreement.interval), kappa=kappa_text(figure.kappa),
        exact="" if figure.exact is None else str(figure.exact), interval=kappa_interval(figure.interval),
        undefined=figure.undefined,
    )  # fmt: skip


def _counts(figure: Figure) -> str:
    return f"{figure.numerator:,}/{figure.denominator:,}"


def kappa_text(value: float | None) -> str:
    """``0.611``; a dash where it is undefined."""
    return "–" if value is None else f"{value:.3f}".replace("-", "−")


def kappa_interval(interval: tuple[float, float] | None) -> str:
    """``0.402 to 0.789``; empty where there is none."""
    if interval is None:
        return ""
    low, high = interval
    return NO_SPREAD if low == high else f"{kappa_text(low)} to {kappa_text(high)}"
