"""Faults planted in groups that ask in several wordings.

Those of the base domain are planted in the views as they were, and carried over to every view that shows the same; the
others are about the words and about what binds them to those views.
"""

from __future__ import annotations

import re
from typing import Any

import msgspec

from answerable.certify import varied_kernel
from answerable.certify.checks import Parcel
from answerable.certify.faults import FAULTS as EVERY
from answerable.certify.faults import Plant
from answerable.core.benchmark import ProofRecord
from answerable.core.codec import decode, digest_bytes, encode
from answerable.core.records import Abstain, Answer, View
from answerable.core.seeds import Stream
from answerable.domains.varied.proof import Claim, VariedProof, open_case


class Parts:
    """A parcel taken apart: its proved views by id, their images, and the proof."""

    def __init__(self, parcel: Parcel) -> None:
        if parcel.proof is None:
            raise ValueError("expected a group with a proof; got none")
        self.parcel = parcel
        self.views = {view.id: view for view in parcel.group.views}
        self.images = {view.id: data for view, data in zip(parcel.group.views, parcel.images, strict=True)}
        self.proof = decode(bytes(parcel.proof.body), VariedProof)

    @property
    def question(self) -> str:
        """As the base proof has it."""
        return str(decode(bytes(self.proof.body), dict[str, Any])["question"])

    def reworded(self, stream: Stream, *kinds: type) -> Claim:
        """One of the claims about other words, with a duty of one of these kinds."""
        return stream.pick([
            claim for claim in self.proof.claims
            if claim.question != self.question and isinstance(self.views[claim.view].obligation, kinds or (object,))
        ])  # fmt: skip

    def replace(self, view: str, **changes: object) -> None:
        """Change fields of a view."""
        self.views[view] = msgspec.structs.replace(self.views[view], **changes)

    def claim(self, view: str, **changes: object) -> None:
        """Change fields of what the proof says of a view."""
        claims = (msgspec.structs.replace(c, **changes) if c.view == view else c for c in self.proof.claims)
        self.proof = msgspec.structs.replace(self.proof, claims=tuple(claims))

    def together(self) -> Parcel:
        """Everything put back with every digest and name made right, so that only a premise can catch the fault."""
        group = self.parcel.group
        record = ProofRecord(group=group.id, domain="varied", body=msgspec.Raw(encode(self.proof)))
        claimed = {claim.view for claim in self.proof.claims}

        def named(view: View) -> View:
            changed = msgspec.structs.replace(view, image_sha256=digest_bytes(self.images[view.id]))
            if view.id not in claimed:
                return changed
            evidence = msgspec.structs.replace(view.evidence, level="proved", proof=record.digest())
            return msgspec.structs.replace(changed, evidence=evidence)

        views = tuple(named(view) for view in self.views.values())
        images = tuple(self.images[view.id] for view in views)
        return Parcel(msgspec.structs.replace(group, views=views), images, record)


def _in_the_base(name: str) -> Plant:
    """A fault of the base domain, in the views as they were; the others that show the same follow."""

    def plant(parcel: Parcel, stream: Stream) -> Parcel:
        parts = Parts(parcel)
        case = open_case(encode(parts.proof), parts.images)
        shown = varied_kernel.originals(parcel.group, case)
        was = varied_kernel.as_it_was(parcel.group, case)
        images = tuple(parts.images[shown[view.state].id] for view in was.views)
        base = Parcel(was, images, ProofRecord(group=was.id, domain=parts.proof.base, body=parts.proof.body))
        bad = EVERY.load(parts.proof.base)[name](base, stream)
        if bad.proof is None:
            raise ValueError("expected a fault that leaves a proof; got none")
        parts.proof = msgspec.structs.replace(parts.proof, body=bad.proof.body)
        for view, image in zip(bad.group.views, bad.images, strict=True):
            for claim in parts.proof.claims:
                if claim.state == view.state:
                    parts.images[claim.view] = image
                    parts.replace(claim.view, obligation=view.obligation, width=view.width, height=view.height)
        return parts.together()

    return plant


def plant_words(parcel: Parcel, stream: Stream) -> Parcel:
    """Other words with one word fewer or another word in them: who reads them must not find the program asked for."""
    parts = Parts(parcel)
    claim = parts.reworded(stream)
    words = re.findall(r"\S+", claim.question)
    place = stream.below(len(words))
    words[place : place + 1] = stream.pick(([], ["not"], [words[place][::-1] + "x"]))
    asked = " ".join(words)
    parts.replace(claim.view, question=asked)
    parts.claim(claim.view, question=asked)
    return parts.together()


def plant_target(parcel: Parcel, stream: Stream) -> Parcel:
    """Another target where the words are others."""
    parts = Parts(parcel)
    claim = parts.reworded(stream, Answer)
    duty = parts.views[claim.view].obligation
    if isinstance(duty, Answer):
        parts.replace(claim.view, obligation=msgspec.structs.replace(duty, target=f"{duty.target}1"))
    return parts.together()


def plant_answerable(parcel: Parcel, stream: Stream) -> Parcel:
    """An abstention, asked in other words, passed off as an answer."""
    parts = Parts(parcel)
    claim = parts.reworded(stream, Abstain)
    right = next(one.obligation for one in parts.views.values() if isinstance(one.obligation, Answer))
    parts.replace(claim.view, obligation=right)
    return parts.together()


def plant_picture(parcel: Parcel, stream: Stream) -> Parcel:
    """The words of one state on the picture of another."""
    parts = Parts(parcel)
    claim = parts.reworded(stream)
    pictures = sorted({image for image in parts.images.values() if image != parts.images[claim.view]})
    parts.images[claim.view] = stream.pick(pictures)
    return parts.together()


def plant_state(parcel: Parcel, stream: Stream) -> Parcel:
    """A view counted under another state than its picture's."""
    parts = Parts(parcel)
    claim = parts.reworded(stream)
    others = sorted({view.state for view in parts.views.values()} - {parts.views[claim.view].state})
    parts.replace(claim.view, state=stream.pick(others))
    return parts.together()


def plant_instruction(parcel: Parcel, stream: Stream) -> Parcel:
    """A sentence said after the other words, and only there."""
    parts = Parts(parcel)
    parts.replace(parts.reworded(stream).view, instruction="If it cannot be told, say so.")
    return parts.together()


def plant_unclaimed(parcel: Parcel, stream: Stream) -> Parcel:
    """A view that calls itself proved and of which the proof says nothing."""
    parts = Parts(parcel)
    left = parts.reworded(stream).view
    claims = tuple(claim for claim in parts.proof.claims if claim.view != left)
    parts.proof = msgspec.structs.replace(parts.proof, claims=claims)
    return parts.together()


def plant_missing(parcel: Parcel, _: Stream) -> Parcel:
    """The words of M without M as it was, so that no witness would be looked at."""
    parts = Parts(parcel)
    gone = next(c.view for c in parts.proof.claims if c.state == "M" and c.question == parts.question)
    del parts.views[gone]
    parts.proof = msgspec.structs.replace(parts.proof, claims=tuple(c for c in parts.proof.claims if c.view != gone))
    return parts.together()


#: Faults that every domain knows by these names.
_OF_BASES = ("target", "one pixel", "equal answers", "observation condition")
FAULTS: dict[str, Plant] = {
    **{f"the base's {name}": _in_the_base(name) for name in _OF_BASES},
    "words": plant_words,
    "target of other words": plant_target,
    "abstention answered": plant_answerable,
    "picture": plant_picture,
    "state": plant_state,
    "instruction": plant_instruction,
    "view without a claim": plant_unclaimed,
    "view left out": plant_missing,
}
