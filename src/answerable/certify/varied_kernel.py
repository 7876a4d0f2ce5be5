"""The proof kernel for questions in other words: small, and it trusts no field of a proof.

A group holds the views of a proved group as they were, and others that ask the same of the same pictures. The former
go through ``certify.kernel`` as a group of their own; what is said here binds the latter to them. Views of the group
that claim no proof, such as restyled pictures, are no matter of the proof.

Premises, in the order they are checked (a group is accepted when all hold):

``bound``      the proof is the one its views name, speaks of this group and of each view that claims it once, and
               has every view of the base proof among them as it was
(the base)     every premise of ``certify.kernel``, of those views
``wordings``   every other view is one of those in all that is sent, but for its words; and these are words with which
               the domain's own checker finds the base proof's program asked for
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Protocol

import msgspec

from answerable.certify import kernel
from answerable.certify.finding import Finding, first_found
from answerable.core.records import Evidence, Group, View

#: What the words of a view vary, as ``core.consistency`` names it.
_VARIES = "rephrase"


class Claim(Protocol):
    """What a proof says of one view."""

    @property
    def view(self) -> str: ...
    @property
    def state(self) -> str:
        """Of the base proof's view that it shows again."""

    @property
    def question(self) -> str: ...


class Case(Protocol):
    """A proof together with its domain's means; all results are computed when asked for."""

    @property
    def question(self) -> str:
        """As the base proof has it."""

    @property
    def claims(self) -> Sequence[Claim]: ...
    @property
    def base(self) -> kernel.Case: ...

    def asks_the_same(self, question: str) -> bool:
        """Whether other words ask for what the base proof's program computes."""


def check(group: Group, mark: str, case: Case, group_named: str, *, pixels: bool = True) -> Finding | None:
    """The first premise that fails, or None.

    Args:
        group: the stored views.
        mark: digest of the proof record, recomputed.
        case: the proof.
        group_named: the group the proof says it is about.
        pixels: False leaves out what compares pixels; see ``kernel.check``.

    Raises:
        ValueError: the base domain names fewer than two executors.
    """
    steps = (_bound(group, mark, case, group_named), _based(group, case, pixels=pixels), _worded(group, case))
    return first_found(steps)


def originals(group: Group, case: Case) -> dict[str, View]:
    """The views that ask as the base proof does, by the state that the proof claims of them."""
    views = {view.id: view for view in group.views}
    return {claim.state: views[claim.view] for claim in case.claims if claim.question == case.question}


def as_it_was(group: Group, case: Case) -> Group:
    """The group that the base proof is about, made of the views that claim to show it again."""
    names, was = {claim.state: claim.view for claim in case.base.claims}, Evidence(level="proved", proof=_BASE_MARK)
    views = (
        msgspec.structs.replace(view, id=names[state], state=state, evidence=was)
        for state, view in originals(group, case).items()
    )
    return msgspec.structs.replace(group, views=tuple(views))


#: What the views name as their proof once they are a group of their own: the base proof, whatever it is.
_BASE_MARK = "base"


def _bound(group: Group, mark: str, case: Case, group_named: str) -> Iterator[Finding]:
    def no(detail: str) -> Finding:
        return Finding(premise="bound", detail=detail)

    if group_named != group.id:
        yield no(f"the proof is about group {group_named}, not {group.id}")
    if len({view.id for view in group.views}) != len(group.views):
        yield no("two views have one id")
    proved = {view.id: view for view in group.views if view.evidence.level == "proved"}
    if sorted(proved) != sorted(claim.view for claim in case.claims):
        yield no("the proof does not speak once of each view that claims it, and of no other")
        return
    for view in proved.values():
        if view.evidence.proof != mark:
            yield no(f"view {view.id} names another proof ({view.evidence.proof[:12]}..., not {mark[:12]}...)")
    asked = [(claim.state, claim.question) for claim in case.claims]
    if len(set(asked)) != len(asked):
        yield no("two views ask in the same words of one state")
    shown = {claim.state for claim in case.claims if claim.question == case.question}
    base = [claim.state for claim in case.base.claims]
    if len(set(base)) != len(base) or set(base) != shown:
        yield no(f"the base proof speaks of states {sorted(base)}, and {sorted(shown)} are shown as they were")
    if not {claim.state for claim in case.claims} <= shown:
        yield no("a view is claimed to show a state that the base proof does not have")


def _based(group: Group, case: Case, *, pixels: bool) -> Iterator[Finding]:
    was = as_it_was(group, case)
    finding = kernel.check(was, _BASE_MARK, case.base, was.id, pixels=pixels)
    if finding is not None:
        yield Finding(premise=finding.premise, detail=finding.detail)


def _worded(group: Group, case: Case) -> Iterator[Finding]:
    def no(detail: str) -> Finding:
        return Finding(premise="wordings", detail=detail)

    views, shown = {view.id: view for view in group.views}, originals(group, case)
    others = [claim for claim in case.claims if claim.question != case.question]
    for claim in others:
        view, state = views[claim.view], "S" if claim.state == "F" else claim.state
        # Headings and notes are never sent.
        same = msgspec.structs.replace(
            shown[claim.state], id=view.id, state=state, question=claim.question, topic=_VARIES,
            ability=view.ability, evidence=view.evidence,
        )  # fmt: skip
        if view != same:
            differ = [name for name in View.__struct_fields__ if getattr(view, name) != getattr(same, name)]
            yield no(f"view {view.id} is not the view in state {claim.state} in other words: {', '.join(differ)}")
    for question in dict.fromkeys(claim.question for claim in others):
        if not case.asks_the_same(question):
            yield no(f"these words are not known to ask for what the program reads: {question[:200]!r}")
