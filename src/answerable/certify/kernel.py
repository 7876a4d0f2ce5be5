"""The proof kernel: small, and it trusts no field of a proof.

It sees stored views and a ``Case``: the domain's means to turn the proof's worlds into facts, answers and pixels
*now*. Every premise below is decided here, from what the case computes and what the benchmark stores. The kernel
knows no kind of picture: charts, tables and code come to it alike.

Premises, in the order they are checked (a group is accepted when all hold):

1.  ``bound``       the proof is the one its views name, speaks of this group, this question and options, and these
                    image files
2.  ``admissible``  every world is one the domain admits, and what no edit may touch is the same in all
3.  ``complete``    every world, and every world under its operation, renders whole
4.  ``executors``   independent executors agree on every world
5.  ``answers``     every view's obligation is what the program gives; S keeps the answer, C changes it
6.  ``edits``       S differs from F in one thing that is not read, C in what is; I is F without one part, whole,
                    that the question names
7.  ``hidden``      M and D hide something that is read, K nothing that is, and all masks look alike
8.  ``determined``  what D or K hides cannot change the answer in any admissible world
9.  ``witness``     F and C, different in their answers, give the stored pixels of M once hidden
10. ``pixels``      every other stored view is its world's rendering

A view in state M may also show a world of its own with nothing hidden, whose outcome is not determined (reason
``indeterminate``): then the executors must find two outcomes or more.

Source: "When Does an Image Determine the Answer?", section 3.2 and appendix D.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence, Set
from typing import Any, Protocol

from answerable.certify.finding import Finding, first_found
from answerable.core.choices import lettered
from answerable.core.records import Abstain, Answer, Group, View
from answerable.logic.outcomes import Outcome, Several, answer_of
from answerable.logic.program import Cell, Undefined

PREMISES = (
    "bound",
    "admissible",
    "complete",
    "executors",
    "answers",
    "edits",
    "hidden",
    "determined",
    "witness",
    "pixels",
)

#: State -> the world it must show. M may show a world of its own instead, with nothing hidden.
WORLD_OF = {"F": "F", "S": "S", "K": "F", "C": "C", "D": "F", "M": "F", "I": "I"}
MASKED = ("K", "D", "M")


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
    def hide(self) -> Any:
        """The operation applied to the world; None where everything is shown."""


class Case(Protocol):
    """A proof together with the domain's means; all results are computed when asked for."""

    @property
    def question(self) -> str: ...
    @property
    def offers(self) -> Sequence[str]:
        """The options in the order of their letters; empty for a free answer."""

    @property
    def instruction(self) -> str:
        """What is said after question and options; the same in every view."""

    @property
    def worlds(self) -> Iterable[str]: ...
    @property
    def claims(self) -> Sequence[Claim]: ...
    @property
    def executors(self) -> Sequence[str]:
        """Names of executors that share no code; two or more."""

    def execute(self, executor: str, world: str) -> Outcome:
        """The question's answer on a world, by one executor."""

    def asked(self) -> bool:
        """Whether the question's words ask for what the program reads."""

    def reads(self) -> frozenset[Cell]:
        """The cells of F that the answer may depend on."""

    def facts(self, world: str) -> Mapping[Cell, str]:
        """Every cell of a world with its content as text."""

    def admissible(self, world: str) -> Sequence[str]:
        """Why a world is not admissible; empty when it is."""

    def fixed_facts(self, world: str) -> str:
        """A digest of what no edit may touch."""

    def looks(self, world: str) -> Mapping[str, str]:
        """How named parts look, such as a series' colour."""

    def problems(self, world: str, hide: Any) -> Sequence[Any]:
        """What keeps a rendering from being whole: records with ``reason`` and ``detail``."""

    def hidden(self, world: str, hide: Any) -> frozenset[Cell]:
        """The cells an operation hides."""

    def look(self, hide: Any) -> str:
        """How a mask looks, wherever it is."""

    def undetermined(self, hide: Any) -> str:
        """Why the answer of F is not shown to be determined once hidden; empty when it is, re-checked now."""

    def rendered(self, world: str, hide: Any) -> bytes:
        """Size and pixels of a world, drawn now."""

    def stored(self, view: str) -> bytes:
        """Size and pixels of a stored image, decoded now."""


def check(group: Group, mark: str, case: Case, group_named: str, *, pixels: bool = True) -> Finding | None:
    """The first premise that fails, or None.

    Args:
        group: the stored views.
        mark: digest of the proof record, recomputed.
        case: the proof.
        group_named: the group the proof says it is about.
        pixels: False leaves out premises 9 and 10, for a renderer of another version than the proof's.

    Raises:
        ValueError: the domain names fewer than two executors; one alone agrees with itself.
    """
    if len(set(case.executors)) < 2:
        raise ValueError(f"expected two executors or more; got {list(case.executors)}")
    steps = [
        _bound(group, mark, case, group_named),
        _admissible(case),
        _complete(case),
        _executed(case),
        _answers(group, case),
        _edits(case),
        _hidden(case),
        _determined(case),
    ]
    if pixels:
        steps += [_witness(case), _pixels(case)]
    return first_found(steps)


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
        if _put(view) != (lettered(case.offers), case.instruction, "", 0, ""):
            yield no(f"view {view.state} offers options or gives instructions of which the proof says nothing")
        if (claim.view, claim.image_sha256) != (view.id, view.image_sha256):
            yield no(f"view {view.state} is another image than the proof speaks of")
        expected = (WORLD_OF.get(view.state), view.state in MASKED)
        if (claim.world, claim.hide is not None) != expected and not _undetermined_world(claim):
            yield no(f"view {view.state} claims world {claim.world} with hide={claim.hide is not None}")
    missing = claims.get("M")
    if "F" not in claims or (missing is not None and not _undetermined_world(missing) and "C" not in claims):
        yield no("states F and, for a witness, C are needed")
    if set(case.worlds) != {claim.world for claim in case.claims}:
        yield no("the proof's worlds are not those its views show")
    if not case.asked():
        yield no("the question does not ask for what the program reads")


def _put(view: View) -> tuple[object, ...]:
    """How a question is put, besides its words."""
    return view.options, view.instruction, view.setting, view.rotation, view.withheld


def _undetermined_world(claim: Claim) -> bool:
    """Whether a view in state M shows a world of its own with nothing hidden."""
    return claim.state == "M" and claim.world == "M" and claim.hide is None


def _admissible(case: Case) -> Iterator[Finding]:
    for world in case.worlds:
        for problem in case.admissible(world):
            yield Finding(premise="admissible", detail=f"world {world}: {problem}")
        if case.fixed_facts(world) != case.fixed_facts("F"):
            yield Finding(premise="admissible", detail=f"world {world} has another axis or other fixed facts than F")


def _complete(case: Case) -> Iterator[Finding]:
    shown = [(claim.state, claim.world, claim.hide) for claim in case.claims]
    # The witness also hides C.
    shown += [("M", "C", claim.hide) for claim in case.claims if claim.state == "M" and claim.hide is not None]
    for state, world, hide in shown:
        for problem in case.problems(world, hide):
            detail = f"view {state}, world {world}: {problem.reason}: {problem.detail}"
            yield Finding(premise="complete", detail=detail)


def _executed(case: Case) -> Iterator[Finding]:
    for world in case.worlds:
        outcomes = [case.execute(executor, world) for executor in case.executors]
        if any(outcome != outcomes[0] for outcome in outcomes):
            yield Finding(premise="executors", detail=f"world {world}: {' against '.join(map(_words, outcomes))}")


def _answers(group: Group, case: Case) -> Iterator[Finding]:
    def no(detail: str) -> Finding:
        return Finding(premise="answers", detail=detail)

    results = {world: case.execute(case.executors[0], world) for world in case.worlds}
    worlds = {claim.state: claim.world for claim in case.claims}
    for view in group.views:
        result = results[worlds[view.state]]
        if not _meets(view.state, worlds[view.state], view.obligation, result, case.offers):
            yield no(f"view {view.state} asks for {_duty(view.obligation)}, the program gives {_words(result)}")
    full = results["F"]
    if answer_of(full) is None:
        yield no("the program has no answer on F")
    if "S" in results and results["S"] != full:
        yield no(f"S changes the answer to {_words(results['S'])}")
    if "C" in results and (results["C"] == full or answer_of(results["C"]) is None):
        yield no(f"F and C have equal answers, or C has none ({_words(full)}, {_words(results['C'])})")


def _meets(state: str, world: str, duty: Answer | Abstain, result: Outcome, offers: Sequence[str]) -> bool:
    """Whether an obligation is what the program gives in this state."""
    if state == "M" and world == "M":
        return duty == Abstain(reason="indeterminate") and isinstance(result, Several)
    if state == "M":
        return duty == Abstain(reason="missing")
    if state == "I":
        return duty == Abstain(reason="invalid_reference") and isinstance(result, Undefined)
    answer = answer_of(result)
    if answer is None or not offers:
        return duty == answer
    # Where options are offered, the target is the letter of the one that is the answer.
    letters = [option.letter for option in lettered(offers) if option.text == answer.target]
    return [duty] == [Answer(target=letter, type="text") for letter in letters]


def _edits(case: Case) -> Iterator[Finding]:
    def no(detail: str) -> Finding:
        return Finding(premise="edits", detail=detail)

    full, reads = case.facts("F"), case.reads()
    for world in case.worlds:
        if world == "F":
            continue
        facts = case.facts(world)
        changed = {cell for cell in full if cell in facts and facts[cell] != full[cell]}
        gone, new = full.keys() - facts.keys(), facts.keys() - full.keys()
        if new or (gone and world != "I"):
            yield no(f"world {world} has other cells than F")
        elif world == "I" and (changed or not gone & reads or not _one_part(gone, full)):
            yield no("world I is not F without one part that the question names")
        elif world == "S" and (len(changed) != 1 or changed & reads):
            yield no("S does not differ from F in one thing, which is not read")
        elif world in ("C", "M") and (not changed or not changed <= reads):
            yield no(f"{world} does not differ from F in what is read, and in that alone")
        if not case.looks(world).items() <= case.looks("F").items():
            yield no(f"world {world} shows a part in another look than F")


def _one_part(gone: Set[Cell], full: Mapping[Cell, str]) -> bool:
    """Whether all that is gone is one series or one position, whole: the cells that share one coordinate."""
    return any(
        gone == {cell for cell in full if cell[axis] == name}
        for axis in (0, 1)
        for name in {cell[axis] for cell in gone}
    )


def _hidden(case: Case) -> Iterator[Finding]:
    reads = case.reads()
    masked = [claim for claim in case.claims if claim.hide is not None]
    for claim in masked:
        met = bool(reads & case.hidden("F", claim.hide))
        if met != (claim.state != "K"):
            what = "hides something that is read" if met else "does not hide anything that is read"
            yield Finding(premise="hidden", detail=f"{claim.state} {what}")
    if len({case.look(claim.hide) for claim in masked}) > 1:
        yield Finding(premise="hidden", detail="K, D and M are not hidden in the same way")


def _determined(case: Case) -> Iterator[Finding]:
    for claim in case.claims:
        if claim.state in ("D", "K") and (why := case.undetermined(claim.hide)):
            yield Finding(premise="determined", detail=f"{claim.state}: {why}")


def _witness(case: Case) -> Iterator[Finding]:
    for claim in case.claims:
        if _shows_witness(claim):
            observed = case.stored(claim.view)
            for world in ("F", "C"):
                if case.rendered(world, claim.hide) != observed:
                    detail = f"world {world} hidden does not give the stored pixels of M"
                    yield Finding(premise="witness", detail=detail)


def _pixels(case: Case) -> Iterator[Finding]:
    for claim in case.claims:
        if not _shows_witness(claim) and case.rendered(claim.world, claim.hide) != case.stored(claim.view):
            yield Finding(premise="pixels", detail=f"view {claim.state} is not the rendering of its world")


def _shows_witness(claim: Claim) -> bool:
    """Whether a view is what two worlds look like once part of them is hidden."""
    return claim.state == "M" and claim.hide is not None


def _words(outcome: Outcome) -> str:
    if isinstance(outcome, Undefined):
        return outcome.reason
    if isinstance(outcome, Several):
        return f"{len(outcome.values)} possible outcomes"
    answer = answer_of(outcome)
    return answer.target if answer is not None else "nothing"


def _duty(duty: Answer | Abstain) -> str:
    return f"the answer {duty.target[:60]}" if isinstance(duty, Answer) else f"abstaining ({duty.reason})"
