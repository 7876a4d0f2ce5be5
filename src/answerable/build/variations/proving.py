"""The proof of a question, kept where it is asked in other words.

The new proof holds the old one whole and says which of its views each view shows again. Words that the domain's
checker does not understand, and pictures in another style, stay without it.
"""

from __future__ import annotations

from collections.abc import Mapping, Set
from typing import Any

import msgspec

from answerable.core.benchmark import ProofRecord
from answerable.core.codec import decode, encode
from answerable.core.consistency import VARIATIONS
from answerable.core.records import Evidence, Group, State, View
from answerable.domains.draft import Draft
from answerable.domains.varied.proof import DOMAIN, Claim, VariedProof


def keep_proof(draft: Draft, proof: ProofRecord, was: Group, known: Set[str]) -> Draft:
    """The group with a proof of each view that shows a proved one again, in its own or in other words.

    Left as it is where not one view in other words can have it, or where not all of the proof's views are there.

    Args:
        draft: a varied group without a proof.
        proof: of the group that was varied.
        was: that group, as far as it is varied.
        known: other words that the domain's checker understands.
    """
    shown = {view.state: view for view in draft.group.views if view.topic not in VARIATIONS}
    mark = proof.digest()
    whole = sorted(view.state for view in was.views) == sorted(shown) == sorted(_states(proof))
    if not whole or any(view.evidence.proof != mark for view in was.views):
        return draft
    states = [(view, _state_of(view, shown, known)) for view in draft.group.views]
    claims = [Claim(view=view.id, state=state, question=view.question) for view, state in states if state is not None]
    if len(claims) == len(shown):
        return draft
    body = VariedProof(base=proof.domain, body=proof.body, claims=tuple(claims))
    record = ProofRecord(group=draft.group.id, domain=DOMAIN, body=msgspec.Raw(encode(body)))
    return _proved(draft, record, {claim.view for claim in claims})


def _states(proof: ProofRecord) -> list[str]:
    body: dict[str, Any] = decode(bytes(proof.body), dict[str, Any])
    return [str(claim.get("state")) for claim in body.get("claims", [])]


def _state_of(view: View, shown: Mapping[State, View], known: Set[str]) -> State | None:
    """The state of the proved view that a view shows again, as it was or in known words; None for any other view."""
    if view.topic not in VARIATIONS:
        return view.state
    if view.question not in known:
        return None
    for state, original in shown.items():
        same = msgspec.structs.replace(
            original, id=view.id, state="S" if state == "F" else state, question=view.question, topic=view.topic,
            ability=view.ability, evidence=view.evidence,
        )  # fmt: skip
        if same == view:
            return state
    return None


def _proved(draft: Draft, record: ProofRecord, claimed: set[str]) -> Draft:
    mark = record.digest()

    def named(view: View) -> View:
        if view.id not in claimed:
            return view
        return msgspec.structs.replace(view, evidence=Evidence(level="proved", proof=mark, note=view.evidence.note))

    group = Group(draft.group.id, draft.group.source, draft.group.split, tuple(map(named, draft.group.views)))
    return Draft(group, draft.images, record, draft.content)
