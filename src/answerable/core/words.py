"""Words that people see wherever a view is shown: its state, why it abstains, how strong the evidence is."""

from __future__ import annotations

from fractions import Fraction

from answerable.core.codec import parse_rational
from answerable.core.records import Abstain, Obligation

#: Short names of states, for column heads; the letter is always beside them.
STATE_NAMES = {
    "F": "full", "S": "same answer", "K": "masked, irrelevant", "C": "changed answer",
    "D": "hidden, determined", "M": "missing", "I": "invalid reference",
    "AAD": "absent answer",
    "IASD": "incompatible answers",
    "IVQD": "incompatible image",
}  # fmt: skip

REASON_WORDS = {
    "missing": "the evidence is hidden",
    "invalid_reference": "what it asks about is not there",
    "absent_answer": "the right answer is not offered",
    "incompatible_answers": "no offered answer fits the question",
    "incompatible_image": "the picture does not fit the question",
    "indeterminate": "the picture does not determine it",
}
LEVEL_WORDS = {
    "proved": "proved: a small kernel re-checks it",
    "attested": "attested: independent solvers agree",
    "derived": "derived: a program and a recorded edit",
    "annotated": "annotated: people, with a strategy",
}


def target_text(target: str, kind: str) -> str:
    """A target for people: ``25/2`` -> ``12.5``; a fraction without a finite decimal stays one."""
    if kind not in ("number", "integer"):
        return target
    try:
        value = parse_rational(target)
    except ValueError:
        return target
    return decimal_text(value)


def decimal_text(value: Fraction) -> str:
    """Exact decimal text of a rational, or ``p/q`` when it has none (or a very long one)."""
    rest, twos, fives = value.denominator, 0, 0
    while rest % 2 == 0:
        rest, twos = rest // 2, twos + 1
    while rest % 5 == 0:
        rest, fives = rest // 5, fives + 1
    places = max(twos, fives)
    if rest != 1 or places > 12:
        return str(value)
    if places == 0:
        return str(value.numerator)
    digits = str(abs(value.numerator) * 10**places // value.denominator).rjust(places + 1, "0")
    return f"{'-' if value < 0 else ''}{digits[:-places]}.{digits[-places:]}"


def duty_text(duty: Obligation) -> str:
    """The obligation in a few words."""
    if isinstance(duty, Abstain):
        return f"abstain: {REASON_WORDS[duty.reason]}"
    return f"answer {target_text(duty.target, duty.type)}"
