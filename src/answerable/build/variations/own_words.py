"""The other words that a domain's own templates have for a proved question.

A question is taken only if the domain's checker, which the proof kernel relies on, finds that it asks for what the
proof's program reads. So the answer is as certain as that of the question as it stands; the proof itself is bound to
one question and one picture a state, so the views of a varied group do not carry it, and say which view does.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

import msgspec

from answerable.core.benchmark import ProofRecord
from answerable.core.codec import decode, encode
from answerable.core.errors import MissingExtraError, ProofError
from answerable.domains import CASES


def own_wordings(proof: ProofRecord) -> tuple[str, ...]:
    """Every other question of the domain's templates that asks for the same, the first ones first.

    Empty for domains whose templates do not list their words (scenes, multiple choice).

    Raises:
        ProofError: the proof cannot be read.
    """
    listed = _LISTED.get(proof.domain)
    if listed is None:
        return ()
    try:
        return tuple(question for question in listed(bytes(proof.body)) if asks_the_same(proof, question))
    except msgspec.MsgspecError as error:
        raise ProofError(f"a {proof.domain} proof", str(error)[:160], where=f"group {proof.group}") from error


def asks_the_same(proof: ProofRecord, question: str) -> bool:
    """Whether the domain's checker finds that another question asks for what the proof's program reads.

    Never so for domains in which that cannot be asked of a question alone.

    Raises:
        ProofError: the proof cannot be read.
    """
    if proof.domain not in CASES.names():
        return False
    body: dict[str, Any] = decode(bytes(proof.body), dict[str, Any])
    if "question" not in body or question == body["question"]:
        return False
    try:
        return any(CASES.load(proof.domain)(encode(changed), {}).asked() for changed in _reworded(body, question))
    except MissingExtraError:
        # A proof is opened together with its renderer, which may not be installed; then nothing is said of the words.
        return False


def _reworded(body: dict[str, Any], question: str) -> Iterable[dict[str, Any]]:
    """The proof's body with another question in it."""
    if "wording" not in body:
        yield body | {"question": question}
        return
    # Where choices or a hint follow the words, they must follow these too.
    old, wording = str(body.get("question")), str(body.get("wording"))
    if not old.startswith(wording):
        return
    ending = old[len(wording) :]
    if question.endswith(ending):
        yield body | {"question": question, "wording": question[: len(question) - len(ending)]}


def _chart(body: bytes) -> Iterable[str]:
    from answerable.domains.chart.proof import ChartProof
    from answerable.domains.chart.templates import wordings

    proof = decode(body, ChartProof)
    return wordings(proof.worlds["F"], proof.program)


def _table(body: bytes) -> Iterable[str]:
    from answerable.domains.table.choices import with_choices
    from answerable.domains.table.proof import TableProof
    from answerable.domains.table.templates import wordings

    proof = decode(body, TableProof)
    found = wordings(proof.worlds["F"], proof.program)
    return found if proof.lettered else [with_choices(text, proof.choices) for text in found]


def _code(body: bytes) -> Iterable[str]:
    from answerable.domains.code.proof import CodeProof
    from answerable.domains.code.questions import wordings

    proof = decode(body, CodeProof)
    hide = next((claim.hide for claim in proof.claims if claim.hide is not None), None)
    return wordings(proof.query, proof.worlds["F"], hide)


_LISTED: dict[str, Callable[[bytes], Iterable[str]]] = {"chart": _chart, "table": _table, "code": _code}
