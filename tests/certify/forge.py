"""Forging groups: take one apart, change anything, and put it together with every digest made right again."""

from __future__ import annotations

from typing import Any

import msgspec

from answerable.certify.checks import Parcel
from answerable.core.benchmark import ProofRecord
from answerable.core.codec import decode, digest_bytes, encode
from answerable.core.records import Answer, View
from answerable.domains.chart.families import family
from answerable.domains.chart.layout import scene
from answerable.domains.chart.proof import ChartProof, Claim
from answerable.domains.chart.visibility import Hide
from answerable.domains.chart.world import ChartWorld, grid
from answerable.domains.draft import Draft
from answerable.domains.raster import png
from answerable.logic.direct import execute
from answerable.logic.outcomes import answer_of


def parcel(draft: Draft) -> Parcel:
    """A draft as the checks meet it."""
    return Parcel(draft.group, draft.images, draft.proof)


class Forger:
    """A group in parts."""

    def __init__(self, draft: Draft) -> None:
        self.group = draft.group
        self.views: dict[str, View] = {view.state: view for view in draft.group.views}
        self.images: dict[str, bytes] = dict(zip(self.views, draft.images, strict=True))
        assert draft.proof is not None
        self.proof = decode(bytes(draft.proof.body), ChartProof)
        self.named = draft.group.id
        self.domain = "chart"

    @property
    def worlds(self) -> dict[str, ChartWorld]:
        """The proof's worlds."""
        return self.proof.worlds

    def claim(self, state: str) -> Claim:
        """What the proof says of a view."""
        return next(claim for claim in self.proof.claims if claim.state == state)

    def set_proof(self, **changes: Any) -> None:
        """Change fields of the proof."""
        self.proof = msgspec.structs.replace(self.proof, **changes)

    def set_claim(self, state: str, **changes: Any) -> None:
        """Change one claim."""
        self.set_proof(
            claims=tuple(
                msgspec.structs.replace(claim, **changes) if claim.state == state else claim
                for claim in self.proof.claims
            )
        )

    def set_view(self, state: str, **changes: Any) -> None:
        """Change one stored view."""
        self.views[state] = msgspec.structs.replace(self.views[state], **changes)

    def set_world(self, name: str, world: ChartWorld) -> None:
        """Put another world in, and make every picture and answer of it what it would be."""
        self.set_proof(worlds=self.proof.worlds | {name: world})
        self.redraw()

    def set_every_world(self, **changes: Any) -> None:
        """Change a fixed fact in all worlds alike."""
        self.set_proof(
            worlds={name: msgspec.structs.replace(world, **changes) for name, world in self.proof.worlds.items()}
        )
        self.redraw()

    def redraw(self) -> None:
        """Draw every picture anew and answer every question anew, as far as that goes."""
        drawn, program = family(self.proof.family), self.proof.program
        for claim in self.proof.claims:
            world = self.proof.worlds.get(claim.world)
            if world is None or (claim.hide is not None and not set(claim.hide.positions) <= set(world.positions)):
                continue
            self.images[claim.state] = png.encode(drawn.render(scene(world, drawn.style, claim.hide)))
            duty = self.views[claim.state].obligation
            answer = answer_of(execute(program, grid(world)))
            if isinstance(duty, Answer) and answer is not None:
                self.set_view(claim.state, obligation=answer)

    def hide(self, state: str, position: str, appearance: str) -> None:
        """Let a view hide another position or in another way, drawn accordingly."""
        self.set_claim(state, hide=Hide(positions=(position,), appearance="gap" if appearance == "gap" else "patch"))
        self.redraw()

    def change_pixel(self, state: str) -> None:
        """One step in one channel of one pixel."""
        pixels = png.decode(self.images[state])
        pixels[100, 200, 1] ^= 1
        self.images[state] = png.encode(pixels)

    def body(self) -> bytes:
        """The proof as it will be stored."""
        return encode(self.proof)

    def finish(self, body: bytes | None = None) -> Parcel:
        """Everything together, digests and names right."""
        for state, data in self.images.items():
            self.set_view(state, image_sha256=digest_bytes(data))
            self.set_claim(state, image_sha256=digest_bytes(data), view=self.views[state].id)
        proof = ProofRecord(group=self.named, domain=self.domain, body=msgspec.Raw(body or self.body()))
        for state, view in self.views.items():
            self.set_view(state, evidence=msgspec.structs.replace(view.evidence, proof=proof.digest()))
        group = msgspec.structs.replace(self.group, views=tuple(self.views.values()))
        return Parcel(group, tuple(self.images[state] for state in self.views), proof)
