"""The proof kernel for multiple-choice questions: small, and it trusts no field of a proof.

A group is one question under one problem of unsolvable problem detection: standard views (F) and unsolvable ones,
in every setting and every rotation of the options. Everything is decided here from the stored views and from what the
case computes now: the program's answer on worlds by executors that share no code, names in worlds, and pixels.

Premises, in the order they are checked (a group is accepted when all hold):

1. ``bound``       the proof is the one its views name, speaks of this group, this question and these image files
2. ``admissible``  every world is one the domain admits
3. ``complete``    every world renders whole
4. ``executors``   independent executors agree on every world
5. ``options``     each setting offers one set of options in every rotation once, with the setting's own additions,
                   and no two options could be one answer
6. ``answers``     in F the target alone is the program's answer; every other view abstains for its problem's reason
7. ``unsolvable``  AAD: the answer is not among the options left; IASD: nothing offered can be an answer in any
                   admissible world; IVQD: what the question names is not in the picture's world, and the program
                   finds none of it
8. ``pixels``      every stored view is its world's rendering

Source: "Unsolvable Problem Detection", sections 3 and 4.3.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import combinations
from typing import Protocol

from answerable.certify.finding import Finding, first_found
from answerable.core.choices import (
    ABSTENTIONS,
    INSTRUCTED,
    INSTRUCTIONS,
    LETTER_DEMAND,
    LETTERS,
    abstains,
    akin,
    alike,
    fits,
    is_option,
    may_answer,
    says,
)
from answerable.core.records import PROBLEMS, SETTINGS, Abstain, Answer, Group, Option, Problem, Record, Setting, View
from answerable.logic.outcomes import Outcome, answer_of
from answerable.logic.program import Undefined

PREMISES = (
    "bound",
    "admissible",
    "complete",
    "executors",
    "options",
    "answers",
    "unsolvable",
    "pixels",
)
#: Content options of a view.
MOST_OPTIONS = 8
#: Standard options of an AAD question at least: with fewer, one would be left, which is no choice.
LEAST_FOR_AAD = 3
_KINDS = {"number": "number", "integer": "number", "boolean": "yes or no", "text": "label of the world"}
#: Why a program has no answer where what it refers to is not there.
ABSENT = ("no such series", "no such position", "no such file")


class Claim(Protocol):
    """What a proof says of one view."""

    @property
    def view(self) -> str: ...
    @property
    def image_sha256(self) -> str: ...
    @property
    def world(self) -> str: ...


class Case(Protocol):
    """A proof together with its domain's means; all results are computed when asked for."""

    @property
    def question(self) -> str: ...
    @property
    def problem(self) -> Problem: ...
    @property
    def worlds(self) -> Sequence[str]: ...
    @property
    def claims(self) -> Sequence[Claim]: ...
    @property
    def executors(self) -> Sequence[str]:
        """Names of executors that share no code; two or more."""

    def execute(self, executor: str, world: str) -> Outcome:
        """The question's answer on a world, by one executor."""

    def asked(self) -> bool:
        """Whether the question's words ask for what the program reads."""

    def admissible(self, world: str) -> Sequence[str]:
        """Why a world is not admissible; empty when it is."""

    def problems(self, world: str) -> Sequence[Record]:
        """What keeps a rendering from being whole."""

    def labels(self) -> frozenset[str]:
        """Every text that names something of F, or that the program can answer with."""

    def referents(self) -> frozenset[str]:
        """What the question names and the program reads."""

    def texts(self, world: str) -> frozenset[str]:
        """Every text in a world."""

    def rendered(self, world: str) -> bytes:
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
        pixels: False leaves out the last premise, for a renderer of another version than the proof's.

    Raises:
        ValueError: the domain names fewer than two executors; one alone agrees with itself.
    """
    if len(set(case.executors)) < 2:
        raise ValueError(f"expected two executors or more; got {list(case.executors)}")
    return first_found(every_step(group, mark, case, group_named, pixels=pixels))


def every_step(
    group: Group, mark: str, case: Case, group_named: str, *, pixels: bool = True
) -> tuple[Iterator[Finding], ...]:
    """The premises in order, each as what it finds. One that relies on those before it may fail where they do."""
    return (
        _bound(group, mark, case, group_named),
        _admissible(case),
        _complete(case),
        _executed(case),
        _options(group, case),
        _answers(group, case),
        _unsolvable(group, case),
        *((_pixels(case),) if pixels else ()),
    )


def _bound(group: Group, mark: str, case: Case, group_named: str) -> Iterator[Finding]:
    def no(detail: str) -> Finding:
        return Finding(premise="bound", detail=detail)

    if group_named != group.id:
        yield no(f"the proof is about group {group_named}, not {group.id}")
    claims = {claim.view: claim for claim in case.claims}
    if len(claims) != len(case.claims) or sorted(claims) != sorted(view.id for view in group.views):
        yield no("the proof does not speak of each view once")
    worlds = {"F": "F", case.problem: "V" if case.problem == "IVQD" else "F"}
    if {view.state for view in group.views} != set(worlds):
        yield no(f"the states are not F and {case.problem}, the problem of the proof")
    for view in group.views:
        claim = claims[view.id]
        if view.evidence.proof != mark or view.evidence.level != "proved":
            yield no(f"{_named(view)} names another proof ({view.evidence.proof[:12]}..., not {mark[:12]}...)")
        if view.question != case.question:
            yield no(f"{_named(view)} asks another question")
        if claim.image_sha256 != view.image_sha256:
            yield no(f"{_named(view)} is another image than the proof speaks of")
        if claim.world != worlds[view.state]:
            yield no(f"{_named(view)} claims world {claim.world}")
    if set(case.worlds) != set(worlds.values()):
        yield no("the proof's worlds are not those its views show")
    if not case.asked():
        yield no("the question does not ask for what the program reads")


def _named(view: View) -> str:
    return f"view {view.state}, {view.setting}, shifted by {view.rotation}"


def _admissible(case: Case) -> Iterator[Finding]:
    for world in case.worlds:
        for problem in case.admissible(world):
            yield Finding(premise="admissible", detail=f"world {world}: {problem}")


def _complete(case: Case) -> Iterator[Finding]:
    for world in case.worlds:
        for problem in case.problems(world):
            yield Finding(premise="complete", detail=f"world {world}: {problem}")


def _executed(case: Case) -> Iterator[Finding]:
    for world in case.worlds:
        outcomes = [case.execute(executor, world) for executor in case.executors]
        if any(outcome != outcomes[0] for outcome in outcomes):
            yield Finding(premise="executors", detail=f"world {world}: {' against '.join(map(_words, outcomes))}")


def _options(group: Group, case: Case) -> Iterator[Finding]:
    """How options are put; of what they say, only whether two could be one answer, or one could be none."""

    def no(detail: str) -> Finding:
        return Finding(premise="options", detail=detail)

    problem = case.problem
    orders: dict[str, tuple[str, ...]] = {}
    for view in group.views:
        texts = _texts(view)
        count = len(texts)
        if not 2 <= count <= MOST_OPTIONS or not 0 <= view.rotation < count:
            yield no(f"{_named(view)} offers {count} options")
            return
        order = (*texts[count - view.rotation :], *texts[: count - view.rotation])
        if orders.setdefault(view.state, order) != order:
            yield no(f"{_named(view)} offers its options in no rotation of the state's order")
    most = max(map(len, orders.values()))
    for view in group.views:
        wrong = _addition_problem(view, problem, most)
        if wrong:
            yield no(f"{_named(view)}: {wrong}")
    places = sorted((view.setting, view.state, view.rotation) for view in group.views)
    settings = {view.setting for view in group.views}
    wanted = sorted(
        (setting, state, turn)
        for setting in settings
        for state in (("F",) if setting == "original" else ("F", problem))
        for turn in range(len(orders[state]))
    )
    if not settings <= set(SETTINGS) or places != wanted:
        yield no("the views are not every state of every setting in every rotation once")
    for label in filter(abstains, case.labels()):
        yield no(f"{label[:60]!r} could be the answer, and reads as an abstention")
    for order in orders.values():
        for text in order:
            if not is_option(text):
                yield no(f"{text[:60]!r} is no content option")
        for one, other in combinations(order, 2):
            if alike(one, other):
                yield no(f"{one[:60]!r} and {other[:60]!r} could be one answer")


def _content(view: View) -> tuple[Option, ...]:
    """The options that stand for answers, in the order shown."""
    return tuple(option for option in view.options if option.role == "content")


def _texts(view: View) -> tuple[str, ...]:
    return tuple(option.text for option in _content(view))


def _addition_problem(view: View, problem: Problem, most: int) -> str:
    """What is not as the setting demands: letters in order, then what abstains, never rotated, and the instruction."""
    count = len(_content(view))
    added: dict[Setting, tuple[Option, ...]] = {
        "option": (Option(LETTERS[count], ABSTENTIONS[problem], "abstain"),),
        "instruction": (Option(LETTERS[max(LETTERS.index(INSTRUCTED), most)], ABSTENTIONS[problem], "instructed"),),
    }
    said: dict[Setting, str] = {"option": LETTER_DEMAND, "original": LETTER_DEMAND}
    if view.setting == "instruction":
        said["instruction"] = INSTRUCTIONS[problem].format(letter=added["instruction"][0].letter)
    if not view.setting or view.setting not in SETTINGS:
        return "no setting of the protocol"
    shown = view.options[:count]
    if any(option.role != "content" for option in shown) or view.options[count:] != added.get(view.setting, ()):
        return "what abstains is not the setting's, after the content options"
    if [option.letter for option in shown] != list(LETTERS[:count]):
        return "the letters are not A, B, C ... in the order shown"
    return "" if view.instruction == said.get(view.setting, "") else "another instruction than the setting's"


def _answers(group: Group, case: Case) -> Iterator[Finding]:
    def no(detail: str) -> Finding:
        return Finding(premise="answers", detail=detail)

    outcome = case.execute(case.executors[0], "F")
    answer = answer_of(outcome)
    if answer is None:
        yield no(f"the program has no answer on F ({_words(outcome)})")
        return
    named = {option.text for view in group.views if view.state == "F" for option in _content(view)}
    labels = case.labels()
    withheld = "" if case.problem == "IVQD" else next((text for text in named if says(text, answer)), None)
    for view in group.views:
        if view.state != "F":
            if view.obligation != Abstain(reason=PROBLEMS[case.problem]):
                yield no(f"{_named(view)} does not abstain for the reason {PROBLEMS[case.problem]}")
            if view.withheld != withheld:
                yield no(f"{_named(view)}: {view.withheld[:60]!r} is not the standard option that was right")
            continue
        if view.withheld:
            yield no(f"{_named(view)} withholds something")
        if not all(fits(text, answer) and (answer.type != "text" or text in labels) for text in _texts(view)):
            yield no(f"{_named(view)} offers something that is no {_KINDS[answer.type]}")
        right = [option.letter for option in _content(view) if says(option.text, answer)]
        if len(right) != 1 or view.obligation != Answer(target=right[0], type="text"):
            yield no(f"{_named(view)}: the answer {answer.target[:60]} is option {', '.join(right) or 'none'} alone")


def _unsolvable(group: Group, case: Case) -> Iterator[Finding]:
    def no(detail: str) -> Finding:
        return Finding(premise="unsolvable", detail=detail)

    answer = answer_of(case.execute(case.executors[0], "F"))
    standard, offered = (
        next(_texts(view) for view in group.views if view.state == state and view.rotation == 0)
        for state in ("F", case.problem)
    )
    if answer is None:
        return
    if case.problem == "AAD":
        if len(standard) < LEAST_FOR_AAD:
            yield no(f"of {len(standard)} options one would be left")
        if offered != tuple(text for text in standard if not says(text, answer)):
            yield no(f"the options are not the standard ones without the answer {answer.target[:60]}")
    elif case.problem == "IASD":
        labels = case.labels()
        for text in offered:
            why = may_answer(text, answer, labels)
            if why:
                yield no(f"the option {text[:60]!r} {why}")
    else:
        if offered != standard:
            yield no("the options are not the standard ones")
        yield from map(no, _still_there(case))


def _still_there(case: Case) -> Iterator[str]:
    """Why the question could be about the other picture."""
    referents = case.referents()
    if not referents:
        yield "the question names nothing that another picture could lack"
    texts = sorted(case.texts("V"))
    for name in sorted(referents):
        there = next((text for text in texts if akin(name, text)), None)
        if there is not None:
            yield f"{name[:60]!r}, which the question names, is in the other world ({there[:60]!r})"
    outcomes = [case.execute(executor, "V") for executor in case.executors]
    for outcome in outcomes:
        if not isinstance(outcome, Undefined) or outcome.reason not in ABSENT:
            yield f"the program finds what it refers to in the other world ({_words(outcome)})"


def _pixels(case: Case) -> Iterator[Finding]:
    drawn = {world: case.rendered(world) for world in case.worlds}
    for claim in case.claims:
        if case.stored(claim.view) != drawn[claim.world]:
            yield Finding(premise="pixels", detail=f"view {claim.view} is not the rendering of world {claim.world}")


def _words(outcome: Outcome) -> str:
    if isinstance(outcome, Undefined):
        return outcome.reason
    answer = answer_of(outcome)
    return answer.target[:60] if answer is not None else "several outcomes"
