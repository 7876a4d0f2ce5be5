"""Proofs about multiple-choice questions, and how the kernel for choices gets at what they speak of.

A proof holds a proof body of another domain: its program over its worlds. Execution, rendering, admissibility and the
check of the words are that domain's own.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, Protocol

import msgspec

from answerable.core.codec import decode, digest_bytes
from answerable.core.errors import ProofError, SettingsError
from answerable.core.records import Problem, Record, Refusal
from answerable.domains import CASES
from answerable.logic.outcomes import Outcome
from answerable.logic.program import Cell, Expression, Label, nodes

DOMAIN = "choice"
#: The answers of a question on the course of a line.
TREND_WORDS = ("increasing", "decreasing", "neither")


class Claim(Record, frozen=True):
    """One view: which world it shows."""

    view: str
    """Id of the view."""
    image_sha256: str
    world: str
    """``F``, or ``V`` where an incompatible picture is shown."""


class ChoiceProof(Record, frozen=True):
    """Everything needed to draw a group's views again, and to tell what each option is worth."""

    base: str
    """The domain whose worlds these are."""
    problem: Problem
    body: msgspec.Raw
    """A proof body of that domain without claims; its worlds are ``F`` and, for IVQD, ``V``: the other picture's."""
    claims: tuple[Claim, ...]


class Base(Protocol):
    """What is asked of the other domain's case; see ``certify.kernel.Case``."""

    @property
    def question(self) -> str: ...
    @property
    def worlds(self) -> tuple[str, ...]: ...
    @property
    def executors(self) -> tuple[str, ...]: ...
    @property
    def versions(self) -> tuple[str, str]: ...

    def execute(self, executor: str, world: str) -> Outcome: ...
    def asked(self) -> bool: ...
    def reads(self) -> frozenset[Cell]: ...
    def facts(self, world: str) -> Mapping[Cell, str]: ...
    def admissible(self, world: str) -> tuple[str, ...]: ...
    def problems(self, world: str, hide: None) -> tuple[Refusal, ...]: ...
    def rendered(self, world: str, hide: None) -> bytes: ...
    def stored(self, view: str) -> bytes: ...


class _Body(msgspec.Struct, frozen=True):
    """What is read of a body whatever its domain."""

    worlds: dict[str, Any]
    claims: tuple[Any, ...] = ()
    program: Expression | None = None
    """Absent where a domain asks otherwise, and then its answers are no labels."""


class ChoiceCase:
    """What the kernel for choices asks: the base domain's case, and the names in its worlds."""

    def __init__(self, proof: ChoiceProof, base: Base, images: Mapping[str, bytes]) -> None:
        self._base, self._images = base, images
        self._body = decode(bytes(proof.body), _Body)
        self._stored: dict[str, bytes] = {}
        self.problem, self.claims, self.domain = proof.problem, proof.claims, proof.base
        self.question, self.worlds, self.executors = base.question, base.worlds, base.executors
        self.versions = base.versions
        """The version that drew the views, and the one that would draw now."""

    @property
    def has_base_claims(self) -> bool:
        """Whether the base's body makes claims about views, which nothing here would check."""
        return bool(self._body.claims)

    def execute(self, executor: str, world: str) -> Outcome:
        """The program's answer on a world."""
        return self._base.execute(executor, world)

    def asked(self) -> bool:
        """Whether the question's words ask for what the program reads."""
        return self._base.asked()

    def admissible(self, world: str) -> tuple[str, ...]:
        """Why a world is not admissible; empty when it is."""
        return self._base.admissible(world)

    def problems(self, world: str) -> tuple[Refusal, ...]:
        """What keeps a world's rendering from being whole."""
        return self._base.problems(world, None)

    def labels(self) -> frozenset[str]:
        """Every text that could name something of F, or be the answer of the program where that is a label.

        No admissible edit gives a world other names than F has.
        """
        facts = self._base.facts("F")
        shown = {text for text in facts.values() if any(sign.isalpha() for sign in text)}
        return frozenset({name for cell in facts for name in cell} | shown | self._literals() | set(TREND_WORDS))

    def _literals(self) -> set[str]:
        """Labels that stand in the program itself."""
        if self._body.program is None:
            return set()
        return {node.text for node in nodes(self._body.program) if isinstance(node, Label)}

    def referents(self) -> frozenset[str]:
        """Names that the question quotes and that its program reads in F."""
        read = {name for cell in self._base.reads() for name in cell}
        quoted = {part.split("\u201d", 1)[0] for part in self.question.split("\u201c")[1:]}
        return frozenset(read & quoted)

    def texts(self, world: str) -> frozenset[str]:
        """Every text in the declaration of a world: names, titles, units, words and values."""
        return frozenset(_texts(self._body.worlds[world]))

    def rendered(self, world: str) -> bytes:
        """Size and pixels of a world, drawn now."""
        return self._base.rendered(world, None)

    def stored(self, view: str) -> bytes:
        """Size and pixels of a stored image, decoded now; the views of a group share two files at most."""
        mark = digest_bytes(self._images[view])
        if mark not in self._stored:
            self._stored[mark] = self._base.stored(view)
        return self._stored[mark]


def _texts(value: Any) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, Mapping):
        for part in value.values():
            yield from _texts(part)
    elif isinstance(value, list):
        for part in value:
            yield from _texts(part)


def open_case(body: bytes, images: Mapping[str, bytes]) -> ChoiceCase:
    """Read a proof about a multiple-choice question.

    Args:
        body: canonical JSON of a ``ChoiceProof``.
        images: image files by view id.

    Raises:
        ProofError: not such a proof, or its base is none that has worlds of its own.
    """
    try:
        proof = decode(body, ChoiceProof)
        if proof.base == DOMAIN:
            raise ProofError("a base domain with worlds of its own", f"base={proof.base!r}")
        base = CASES.load(proof.base)(bytes(proof.body), images)
        case = ChoiceCase(proof, base, images)
    except (msgspec.MsgspecError, SettingsError) as error:
        raise ProofError("a proof about a multiple-choice question", str(error)) from error
    if case.has_base_claims:
        raise ProofError("a base proof without claims of its own", "claims in the base proof")
    return case
