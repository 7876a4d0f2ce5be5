"""Proofs about a question in other words, and how the kernel for them gets at what they speak of.

A proof holds another domain's whole proof, as that of the group that was varied. Whether other words ask for what its
program computes is for that domain to say, of a body with these words in place of its own.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

import msgspec

from answerable.core.codec import decode, encode
from answerable.core.errors import ProofError, SettingsError
from answerable.core.records import Record, State
from answerable.domains import CASES

DOMAIN = "varied"
#: Domains whose proofs speak of many views a state, so that none of them could be meant.
_UNFIT = (DOMAIN, "choice")


class Claim(Record, frozen=True):
    """One view: which view of the base proof it shows again, and how it asks."""

    view: str
    """Id of the view."""
    state: State
    """Of the base proof's view; a variant of F is itself in state S."""
    question: str


class VariedProof(Record, frozen=True):
    """Everything needed to check the original views again, and that others ask the same of the same pictures."""

    base: str
    """The domain of the proof that is varied."""
    body: msgspec.Raw
    """That proof's body, with its own claims about the views as they were."""
    claims: tuple[Claim, ...]


class VariedCase:
    """What the kernel for variants asks: the base domain's case, and whether it understands other words alike."""

    def __init__(self, proof: VariedProof, base: Any) -> None:
        self._proof, self.base = proof, base
        """The base's case: see ``certify.kernel.Case``."""
        self.claims = proof.claims
        self.question: str = base.question
        """As the base proof has it."""
        self.versions: tuple[str, str] = base.versions
        """The version that drew the views, and the one that would draw now."""

    def asks_the_same(self, question: str) -> bool:
        """Whether other words ask for what the base proof's program computes."""
        return asks_the_same(self._proof.base, bytes(self._proof.body), question)


def can_be_varied(domain: str) -> bool:
    """Whether proofs of a domain may be the base of one about other words."""
    return domain in CASES.names() and domain not in _UNFIT


def asks_the_same(domain: str, body: bytes, question: str) -> bool:
    """Whether a domain finds that another question asks for what a proof's program computes.

    Raises:
        ProofError: the proof cannot be read.
        MissingExtraError: what a proof of this domain needs to be opened is not installed.
    """
    told: dict[str, Any] = decode(body, dict[str, Any])
    if "question" not in told or question == told["question"]:
        return False
    return any(CASES.load(domain)(encode(changed), {}).asked() for changed in _in_other_words(told, question))


def _in_other_words(body: dict[str, Any], question: str) -> Iterator[dict[str, Any]]:
    """The proof's body with another question in it."""
    if "wording" not in body:
        yield body | {"question": question}
        return
    # Where choices or a hint follow the words, they must follow these too.
    old, wording = str(body["question"]), str(body["wording"])
    ending = old[len(wording) :]
    if old.startswith(wording) and question.endswith(ending):
        yield body | {"question": question, "wording": question[: len(question) - len(ending)]}


def open_case(body: bytes, images: Mapping[str, bytes]) -> VariedCase:
    """Read a proof about a question in other words.

    Args:
        body: canonical JSON of a ``VariedProof``.
        images: image files by view id.

    Raises:
        ProofError: not such a proof, or its base is none that can be varied.
        MissingExtraError: the base cannot be opened without what is not installed.
    """
    try:
        proof = decode(body, VariedProof)
        if not can_be_varied(proof.base):
            raise ProofError("a base domain whose views can be asked in other words", f"base={proof.base[:40]!r}")
        inside = bytes(proof.body)
        named = decode(inside, _Named)
        # The base proof speaks of the views as they were; they are those that ask as it does.
        shown = {claim.state: claim.view for claim in proof.claims if claim.question == named.question}
        pictures = {
            claim.view: images[shown[claim.state]]
            for claim in named.claims
            if claim.state in shown and shown[claim.state] in images
        }
        return VariedCase(proof, CASES.load(proof.base)(inside, pictures))
    except (msgspec.MsgspecError, SettingsError) as error:
        raise ProofError("a proof about a question in other words", str(error)) from error


class _NamedClaim(msgspec.Struct, frozen=True):
    view: str
    state: str


class _Named(msgspec.Struct, frozen=True):
    """What is read of a base proof whatever its domain."""

    question: str
    claims: tuple[_NamedClaim, ...] = ()
