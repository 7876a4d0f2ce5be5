"""The proof kernel: small, and it trusts no field of a proof.

It sees stored views, the program, and a ``Case``: the domain's means to turn the proof's worlds into grids and
pixels *now*. Every premise below is decided here, from what the case computes and what the benchmark stores.

Premises, in the order they are checked (a group is accepted when all hold):

1.  ``bound``       the proof is the one its views name, speaks of this group, this question and these image files
2.  ``admissible``  every value of every world lies inside the fixed axis interval, and the axis is the same in all
3.  ``complete``    every world, and every world under its operation, renders whole
4.  ``executors``   independent executors agree on every world
5.  ``answers``     every view's obligation is what the program gives; S keeps the answer, C changes it
6.  ``edits``       S and C differ from F in one value, S elsewhere and C in what is read; I is F without what the
                    question names; looks stay
7.  ``hidden``      M hides what the program reads, K hides none of it, and both in the same way
8.  ``witness``     F and C, different in their answers, give the stored pixels of M once hidden
9.  ``pixels``      every other stored view is its world's rendering

Source: "When Does an Image Determine the Answer?", section 3.2 and appendix D.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any, Literal, Protocol

from answerable.core.codec import answer_text, rational_text
from answerable.core.records import Abstain, Answer, Group, Record
from answerable.logic.program import Cell, Defined, Grid, Outcome, Program, Undefined

Premise = Literal["bound", "admissible", "edits", "complete", "executors", "answers", "hidden", "witness", "pixels"]
PREMISES: tuple[Premise, ...] = (
    "bound",
    "admissible",
    "complete",
    "executors",
    "answers",
    "edits",
    "hidden",
    "witness",
    "pixels",
)

#: State -> the world it must show.
WORLD_OF = {"F": "F", "S": "S", "K": "F", "C": "C", "M": "F", "I": "I"}
MASKED = ("K", "M")


class Finding(Record, frozen=True):
    """A premise that does not hold."""

    premise: Premise
    detail: str


class Claim(Protocol):
    """What a proof says of one view."""

    @property
    def state(self) -> str: ...
    @property
    def view(self) -> str: ...
    @property
    def image_sha256(self) -> str: ...
    @property
    def world(self) -> str: ...
    @property
    def hide(self) -> Any: ...


class Case(Protocol):
    """A proof together with the domain's means; all results are computed when asked for."""

    @property
    def question(self) -> str: ...
    @property
    def program(self) -> Program: ...
    @property
    def worlds(self) -> Iterable[str]: ...
    @property
    def claims(self) -> Sequence[Claim]: ...

    def grid(self, world: str) -> Grid: ...
    def admissible(self, world: str) -> Sequence[str]: ...
    def fixed_facts(self, world: str) -> str: ...
    def asked(self) -> bool: ...
    def looks(self, world: str) -> Mapping[str, str]: ...
    def problems(self, world: str, hide: Any) -> Sequence[Any]: ...
    def hidden(self, world: str, hide: Any) -> frozenset[Cell]: ...
    def look(self, hide: Any) -> str: ...
    def rendered(self, world: str, hide: Any) -> bytes: ...
    def stored(self, view: str) -> bytes: ...


Execute = Callable[[Program, Grid], Outcome]


def check(
    group: Group, mark: str, case: Case, group_named: str, executors: Sequence[Execute], *, pixels: bool = True
) -> Finding | None:
    """The first premise that fails, or None.

    Args:
        group: the stored views.
        mark: digest of the proof record, recomputed.
        case: the proof.
        group_named: the group the proof says it is about.
        executors: two or more that share no code.
        pixels: False leaves out premises 8 and 9, for a renderer of another version than the proof's.

    Raises:
        ValueError: fewer than two executors; one alone agrees with itself.
    """
    if len(executors) < 2:
        raise ValueError(f"expected two executors or more; got {len(executors)}")
    steps = [
        _bound(group, mark, case, group_named),
        _worlds(case),
        _complete(case),
        _executed(case, executors),
        _answers(group, case, executors[0]),
        _edits(case),
        _hidden(case),
    ]
    if pixels:
        steps.append(_pixels(case))
    # Each step is a generator that runs only when the ones before it found nothing.
    return next((finding for step in steps for finding in step), None)


def _bound(group: Group, mark: str, case: Case, group_named: str) -> Iterator[Finding]:
    def no(detail: str) -> Finding:
        return Finding(premise="bound", detail=detail)

    if group_named != group.id:
        yield no(f"the proof is about group {group_named}, not {group.id}")
    claims = {claim.state: claim for claim in case.claims}
    if len(claims) != len(case.claims) or sorted(claims) != sorted(view.state for view in group.views):
        yield no("the proof does not speak of each view once")
    for view in group.views:
        claim = claims.get(view.state)
        if claim is None:
            continue
        if view.evidence.proof != mark:
            yield no(f"view {view.state} names another proof ({view.evidence.proof[:12]}..., not {mark[:12]}...)")
        if view.question != case.question:
            yield no(f"view {view.state} asks another question")
        if (claim.view, claim.image_sha256) != (view.id, view.image_sha256):
            yield no(f"view {view.state} is another image than the proof speaks of")
        if claim.world != WORLD_OF.get(view.state) or (claim.hide is not None) != (view.state in MASKED):
            yield no(f"view {view.state} claims world {claim.world} with hide={claim.hide is not None}")
    if not {"F", "C", "M"} <= set(claims):
        yield no("states F, C and M are needed for a witness")


def _worlds(case: Case) -> Iterator[Finding]:
    if set(case.worlds) != {claim.world for claim in case.claims}:
        yield Finding(premise="bound", detail="the proof's worlds are not those its views show")
        return
    if not case.asked():
        yield Finding(premise="bound", detail="the question does not ask for what the program reads")
    for world in case.worlds:
        for problem in case.admissible(world):
            yield Finding(premise="admissible", detail=f"world {world}: {problem}")
        if case.fixed_facts(world) != case.fixed_facts("F"):
            yield Finding(premise="admissible", detail=f"world {world} has another axis or other fixed facts than F")


def _edits(case: Case) -> Iterator[Finding]:
    full = case.grid("F")
    reads = case.program.cells()
    for world in case.worlds:
        grid = case.grid(world)
        if world in ("S", "C"):
            edited = _changed(full, grid)
            if edited is None or len(edited) != 1:
                yield Finding(premise="edits", detail=f"world {world} does not differ from F in one value")
            elif world == "C" and edited[0] not in reads:
                yield Finding(premise="edits", detail="C changes a value that the program does not read")
            elif world == "S" and edited[0][1] in {position for _, position in reads}:
                yield Finding(premise="edits", detail="S changes a value at the asked position")
        if world == "I" and grid != _without(full, case.program):
            yield Finding(premise="edits", detail="world I is not F without what the question names")
        if not case.looks(world).items() <= case.looks("F").items():
            yield Finding(premise="edits", detail=f"world {world} shows a series in another look than F")


def _changed(one: Grid, other: Grid) -> list[Cell] | None:
    """The cells that differ; None when the grids have other rows or columns."""
    if (one.series, one.positions) != (other.series, other.positions):
        return None
    return [
        (series, position)
        for series, first, second in zip(one.series, one.values, other.values, strict=True)
        for position, a, b in zip(one.positions, first, second, strict=True)
        if a != b
    ]


def _without(full: Grid, program: Program) -> Grid:
    """F without the series that is asked for; with a single series, F without the position."""
    if len(full.series) > 1:
        keep = [index for index, name in enumerate(full.series) if name != program.series]
        return Grid(
            series=tuple(full.series[i] for i in keep),
            positions=full.positions,
            values=tuple(full.values[i] for i in keep),
        )
    spots = [index for index, name in enumerate(full.positions) if name != program.position]
    names = tuple(full.positions[i] for i in spots)
    return Grid(
        series=full.series, positions=names, values=tuple(tuple(line[i] for i in spots) for line in full.values)
    )


def _complete(case: Case) -> Iterator[Finding]:
    for claim in case.claims:
        for problem in case.problems(claim.world, claim.hide):
            yield Finding(premise="complete", detail=f"view {claim.state}: {problem.reason}: {problem.detail}")
    # The witness also hides C.
    for problem in case.problems("C", _claim(case, "M").hide):
        yield Finding(premise="complete", detail=f"world C hidden: {problem.reason}: {problem.detail}")


def _executed(case: Case, executors: Sequence[Execute]) -> Iterator[Finding]:
    for world in case.worlds:
        grid = case.grid(world)
        outcomes = [execute(case.program, grid) for execute in executors]
        if any(outcome != outcomes[0] for outcome in outcomes):
            yield Finding(premise="executors", detail=f"world {world}: {' against '.join(map(_words, outcomes))}")


def _answers(group: Group, case: Case, execute: Execute) -> Iterator[Finding]:
    results = {world: execute(case.program, case.grid(world)) for world in case.worlds}
    for view in group.views:
        duty, result = view.obligation, results[WORLD_OF[view.state]]
        if view.state == "M":
            right = duty == Abstain(reason="missing")
        elif view.state == "I":
            right = duty == Abstain(reason="invalid_reference") and isinstance(result, Undefined)
        else:
            right = isinstance(result, Defined) and duty == Answer(target=answer_text(result.value), type="number")
        if not right:
            yield Finding(
                premise="answers",
                detail=f"view {view.state} asks for {_duty(duty)}, the program gives {_words(result)}",
            )
    if not isinstance(results["F"], Defined) or not isinstance(results["C"], Defined):
        yield Finding(premise="answers", detail="the program has no answer on F or on C")
    elif results["F"] == results["C"]:
        yield Finding(premise="answers", detail=f"F and C have equal answers ({_words(results['F'])})")
    if "S" in results and results["S"] != results["F"]:
        yield Finding(premise="answers", detail=f"S changes the answer to {_words(results['S'])}")


def _hidden(case: Case) -> Iterator[Finding]:
    reads = case.program.cells()
    masked = {claim.state: claim for claim in case.claims if claim.hide is not None}
    if not reads <= case.hidden("F", masked["M"].hide):
        yield Finding(premise="hidden", detail="M does not hide what the program reads")
    if "K" in masked:
        if reads & case.hidden("F", masked["K"].hide):
            yield Finding(premise="hidden", detail="K hides something the program reads")
        if case.look(masked["K"].hide) != case.look(masked["M"].hide):
            yield Finding(premise="hidden", detail="K and M are not hidden in the same way")


def _pixels(case: Case) -> Iterator[Finding]:
    missing = _claim(case, "M")
    observed = case.stored(missing.view)
    for world in ("F", "C"):
        if case.rendered(world, missing.hide) != observed:
            yield Finding(premise="witness", detail=f"world {world} hidden does not give the stored pixels of M")
    for claim in case.claims:
        if claim.state != "M" and case.rendered(claim.world, claim.hide) != case.stored(claim.view):
            yield Finding(premise="pixels", detail=f"view {claim.state} is not the rendering of its world")


def _claim(case: Case, state: str) -> Claim:
    return next(claim for claim in case.claims if claim.state == state)


def _words(outcome: Outcome) -> str:
    return rational_text(outcome.value) if isinstance(outcome, Defined) else outcome.reason


def _duty(duty: Answer | Abstain) -> str:
    return f"the answer {duty.target[:60]}" if isinstance(duty, Answer) else f"abstaining ({duty.reason})"
