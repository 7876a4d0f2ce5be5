"""The other words that a domain's own templates have for a proved question.

A question is taken only if the domain's checker, which the proof kernel relies on, finds that it asks for what the
proof's program reads.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable

import msgspec

from answerable.core.benchmark import ProofRecord
from answerable.core.codec import decode
from answerable.core.errors import MissingExtraError, ProofError
from answerable.domains.varied import proof as varied


def own_wordings(proof: ProofRecord) -> tuple[str, ...]:
    """Every other question of the domain's templates that asks for the same, the first ones first.

    Empty for multiple choice, whose proofs are about many views a state.

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
    if not varied.can_be_varied(proof.domain):
        return False
    try:
        return varied.asks_the_same(proof.domain, bytes(proof.body), question)
    except MissingExtraError:
        # A proof is opened together with its renderer, which may not be installed; then nothing is said of the words.
        return False


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


def _scene(body: bytes) -> Iterable[str]:
    from answerable.domains.scene.proof import SceneProof
    from answerable.domains.scene.rewording import wordings

    proof = decode(body, SceneProof)
    ending = proof.question.removeprefix(proof.wording)
    return (text + ending for text in wordings(proof.wording))


_LISTED: dict[str, Callable[[bytes], Iterable[str]]] = {
    "chart": _chart, "table": _table, "code": _code, "scene": _scene
}  # fmt: skip
