"""Taking a parcel apart for tampering, and putting it together the way a careful forger would."""

from __future__ import annotations

from typing import Any, Generic, Protocol, TypeVar, cast

import msgspec

from answerable.certify.checks import Parcel
from answerable.core.benchmark import ProofRecord
from answerable.core.codec import decode, digest_bytes, encode
from answerable.core.records import View


class Forgeable(Protocol):
    """What every domain's proof record has: worlds by name, and a claim a view."""

    @property
    def worlds(self) -> dict[str, Any]: ...
    @property
    def claims(self) -> tuple[Any, ...]: ...


P = TypeVar("P", bound=Forgeable)


def _replaced(proof: P, changes: dict[str, object]) -> P:
    """Proof records are structs, which a protocol cannot say."""
    changed: P = msgspec.structs.replace(cast("Any", proof), **changes)
    return changed


class Parts(msgspec.Struct, Generic[P]):
    """A parcel taken apart."""

    views: dict[str, View]
    """By state."""
    images: dict[str, bytes]
    """By state."""
    proof: P

    def replace_view(self, state: str, **changes: object) -> None:
        """Change fields of a view."""
        self.views[state] = msgspec.structs.replace(self.views[state], **changes)

    def replace_proof(self, **changes: object) -> None:
        """Change fields of the proof."""
        self.proof = _replaced(self.proof, changes)


def apart(parcel: Parcel, kind: type[P]) -> Parts[P]:
    """The views, images and proof of a parcel."""
    views: dict[str, View] = {view.state: view for view in parcel.group.views}
    images: dict[str, bytes] = {view.state: data for view, data in zip(parcel.group.views, parcel.images, strict=True)}
    body = parcel.proof.body if parcel.proof is not None else b"{}"
    return Parts(views, images, decode(bytes(body), kind))


def together(parcel: Parcel, parts: Parts[P]) -> Parcel:
    """Put the parts back with every digest and name made right, so that only a premise can catch the fault."""
    for state, data in parts.images.items():
        parts.replace_view(state, image_sha256=digest_bytes(data))
    claims = tuple(
        msgspec.structs.replace(claim, image_sha256=parts.views[claim.state].image_sha256)
        for claim in parts.proof.claims
    )
    parts.replace_proof(claims=claims)
    domain = parcel.proof.domain if parcel.proof is not None else ""
    proof = ProofRecord(group=parcel.group.id, domain=domain, body=msgspec.Raw(encode(parts.proof)))
    for view in list(parts.views.values()):
        parts.replace_view(view.state, evidence=msgspec.structs.replace(view.evidence, proof=proof.digest()))
    group = msgspec.structs.replace(parcel.group, views=tuple(parts.views.values()))
    return Parcel(group, tuple(parts.images[view.state] for view in group.views), proof)
