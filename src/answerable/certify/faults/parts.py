"""Taking a parcel apart for tampering, and putting it together the way a careful forger would."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import Any, Generic, Protocol, TypeVar, cast

import msgspec

from answerable.certify.checks import Parcel
from answerable.certify.faults import Plant
from answerable.core.benchmark import ProofRecord
from answerable.core.codec import answer_text, decode, digest_bytes, encode
from answerable.core.records import Answer, View
from answerable.core.seeds import Stream
from answerable.domains.raster import png


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


def change_pixel(parts: Parts[P], stream: Stream) -> None:
    """Make one pixel of one image one step brighter or darker in one channel."""
    state = stream.pick(sorted(parts.images))
    pixels = png.decode(parts.images[state])
    y, x, channel = stream.below(pixels.shape[0]), stream.below(pixels.shape[1]), stream.below(3)
    old = int(pixels[y, x, channel])
    pixels[y, x, channel] = old + 1 if old < 255 else old - 1
    parts.images[state] = png.encode(pixels)


def plant_pixel(kind: type[P]) -> Plant:
    """The fault of one pixel of one stored image, one step brighter or darker in one channel."""

    def plant(parcel: Parcel, stream: Stream) -> Parcel:
        parts = apart(parcel, kind)
        change_pixel(parts, stream)
        return together(parcel, parts)

    return plant


def plant_equal_answers(kind: type[P]) -> Plant:
    """The fault of a witness whose second world has the answer of the first: C becomes S, drawn whole already."""

    def plant(parcel: Parcel, _: Stream) -> Parcel:
        parts = apart(parcel, kind)
        parts.replace_proof(worlds=parts.proof.worlds | {"C": parts.proof.worlds["S"]})
        parts.images["C"] = parts.images["S"]
        parts.replace_view("C", obligation=parts.views["F"].obligation)
        return together(parcel, parts)

    return plant


def pass_off_as_determined(parts: Parts[P]) -> None:
    """Turn M into D: the same picture, said to have the answer of F."""
    parts.views.pop("D", None)
    parts.images.pop("D", None)
    missing = parts.views.pop("M")
    parts.views["D"] = msgspec.structs.replace(missing, state="D", obligation=parts.views["F"].obligation)
    parts.images["D"] = parts.images.pop("M")
    claims = [claim for claim in parts.proof.claims if claim.state != "D"]
    parts.replace_proof(
        claims=tuple(msgspec.structs.replace(claim, state="D") if claim.state == "M" else claim for claim in claims)
    )


def falsify_target(parts: Parts[P], labels: Sequence[str], stream: Stream) -> None:
    """Give one supported view another target of the same type; ``labels`` are what a text may be."""
    state = stream.pick([state for state, view in parts.views.items() if isinstance(view.obligation, Answer)])
    duty = parts.views[state].obligation
    if not isinstance(duty, Answer):
        return
    if duty.type == "number":
        wrong = answer_text(Fraction(duty.target) + stream.between(1, 9))
    elif duty.type == "boolean":
        wrong = "no" if duty.target == "yes" else "yes"
    else:
        wrong = stream.pick([label for label in labels if label != duty.target])
    parts.replace_view(state, obligation=msgspec.structs.replace(duty, target=wrong))
