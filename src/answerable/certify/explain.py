"""One group explained: what is asked, what each world answers, what each premise establishes, and why M and D hold.

``check_parcel`` decides, as it does for a whole benchmark. Everything told beside its verdict is computed now, through
the same case that the kernel sees, and never read from the proof. The worlds of a group that is refused before its
executors would have run are neither run nor drawn here.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction
from typing import Any, Protocol, runtime_checkable

import msgspec

from answerable.certify.checks import KERNELS, Parcel, Verdict, check_parcel, parcels
from answerable.certify.choice_told import CHOICE_ESTABLISHES
from answerable.certify.kernel import Case, Claim
from answerable.certify.told import (
    CHANCE,
    ESTABLISHES,
    WORLDS,
    Argument,
    Chance,
    Change,
    Explanation,
    Fact,
    PremiseTold,
    Result,
    ViewTold,
    WorldTold,
)
from answerable.certify.varied_told import VARIED_ESTABLISHES
from answerable.core.benchmark import Benchmark
from answerable.core.errors import ProofError, SettingsError
from answerable.core.records import STATES, Answer, Obligation, View
from answerable.domains import CASES
from answerable.logic.outcomes import Outcome, Several, answer_of
from answerable.logic.program import Cell, Defined, Undefined
from answerable.logic.types import number_words

#: The shortest beginning of an id that is looked up.
MIN_PREFIX = 6
#: Signs of one cell's content, answer or name; a stranger's may be of any length.
MAX_WORDS = 120


@runtime_checkable
class Explained(Case, Protocol):
    """A case that can also tell what it computes."""

    @property
    def versions(self) -> tuple[str, str]:
        """The version that drew the views, and the one that would draw now."""

    def told(self) -> str:
        """What the program computes, in words."""

    def named(self, cell: Cell) -> str:
        """A cell as ``told`` names it."""

    def settled(self, hide: Any) -> str:
        """What was gone through where ``undetermined`` finds nothing, in words."""


@runtime_checkable
class Chancy(Protocol):
    """A case with worlds whose outcome chance decides."""

    def chances(self, world: str) -> Sequence[tuple[str, str, Fraction]]:
        """All that a world may give: output, the answer that goes with it, and its probability."""


class Told(msgspec.Struct, frozen=True):
    """An explanation and what it was made from, for whoever wants to draw it."""

    explanation: Explanation
    parcel: Parcel
    case: Explained | None
    """None where nothing may be drawn anew: no proof, or worlds that the kernel does not admit."""


def explain(benchmark: Benchmark, name: str) -> Told:
    """Explain the group of this id.

    Args:
        name: the id of a group or of one of its views, or its beginning.

    Raises:
        SettingsError: no id is meant, or more than one group.
        BenchmarkError: the folder cannot be read, or two groups share an id.
        ProofError: a line is no proof record.
    """
    group = find(benchmark, name)
    parcel = next(parcel for parcel in parcels(benchmark) if parcel.group.id == group)
    return explain_parcel(parcel, benchmark.manifest.name)


def find(benchmark: Benchmark, name: str) -> str:
    """The id of the one group that is meant; see ``explain``."""
    exact: list[str] = []
    begun: list[str] = []
    for group in benchmark.groups():
        ids = (group.id, *(view.id for view in group.views))
        if name in ids:
            exact.append(group.id)
        elif len(name) >= MIN_PREFIX and any(one.startswith(name) for one in ids):
            begun.append(group.id)
    found = exact or begun
    if len(found) == 1:
        return found[0]
    if found:
        raise SettingsError(
            "an id that only one group has",
            f"{name[:80]!r}, with which ids of {len(found)} groups begin ({', '.join(found[:4])}"
            f"{', ...' if len(found) > 4 else ''})",
            where="--explain",
            fix="write more of the id",
        )
    raise SettingsError(
        f"the id of a group or of one of its views, or {MIN_PREFIX} signs or more of its beginning",
        f"{name[:80]!r}, which {benchmark.manifest.groups} groups do not have",
        where=f"--explain, {benchmark.path}",
        fix="ids are the columns 'group' and 'id' of the views-*.parquet files",
    )


def explain_parcel(parcel: Parcel, benchmark: str = "") -> Told:
    """Explain one group as it is stored."""
    verdict = check_parcel(parcel)
    case = _opened(parcel, verdict)
    # From here on the kernel would have run every world: three premises hold.
    establishes = _establishes(parcel)
    sound = case if case is not None and _past(verdict, "complete", establishes) else None
    group, proof = parcel.group, parcel.proof
    drawn, here = case.versions if case is not None else ("", "")
    explanation = Explanation(
        benchmark=benchmark,
        group=group.id,
        source=group.source,
        domain=proof.domain if proof is not None else "",
        question=group.views[0].question,
        status=verdict.status,
        premise=verdict.premise,
        detail=verdict.detail,
        program=_short(case.told(), 2000) if case is not None else "",
        reads=_reads(sound) if sound is not None else (),
        cells=len(sound.facts("F")) if sound is not None else 0,
        worlds=tuple(_world(sound, name) for name in WORLDS if name in sound.worlds) if sound is not None else (),
        views=tuple(_view(view, case, sound) for view in group.views),
        premises=_premises(verdict, case, establishes),
        arguments=_arguments(sound, verdict) if sound is not None else (),
        drawn_by=drawn,
        drawn_here=here,
    )
    return Told(explanation, parcel, sound)


def _establishes(parcel: Parcel) -> Mapping[str, str]:
    """The premises of the kernel that checks a parcel, with what each establishes."""
    return _OWN_PREMISES.get(parcel.proof.domain, ESTABLISHES) if parcel.proof is not None else ESTABLISHES


#: What the premises establish, of the kernels of ``KERNELS``.
_OWN_PREMISES: Mapping[str, Mapping[str, str]] = {"choice": CHOICE_ESTABLISHES, "varied": VARIED_ESTABLISHES}


def _past(verdict: Verdict, premise: str, establishes: Mapping[str, str]) -> bool:
    """Whether a premise was checked and holds."""
    order = list(establishes)
    if verdict.status == "unproved":
        return premise == "image"
    return verdict.status != "refused" or order.index(verdict.premise) > order.index(premise)


def _opened(parcel: Parcel, verdict: Verdict) -> Explained | None:
    """The proof as a case, where it is bound to these views; None too where a kernel of its own checks it.

    Of such a proof premises alone are told.
    """
    if parcel.proof is None or parcel.proof.domain in KERNELS or not _past(verdict, "bound", ESTABLISHES):
        return None
    pictures = dict(zip((view.id for view in parcel.group.views), parcel.images, strict=True))
    case = CASES.load(parcel.proof.domain)(bytes(parcel.proof.body), pictures)
    if not isinstance(case, Explained):
        raise ProofError(
            "a domain whose cases tell what they compute (told, named, settled)",
            f"domain={parcel.proof.domain!r}",
            fix="certify without --explain: every premise is checked all the same",
        )
    return case


def _premises(verdict: Verdict, case: Explained | None, told_of: Mapping[str, str]) -> tuple[PremiseTold, ...]:
    """The kernel stops at the first that fails, so those before it hold and those after it were not reached."""
    if verdict.status == "unproved":
        return (PremiseTold(name="image", establishes=ESTABLISHES["image"], result="holds"),)
    found = []
    for name, establishes in told_of.items():
        result: Result = "holds" if _past(verdict, name, told_of) else "not reached"
        detail = _vacuous(name, case)
        if verdict.status == "refused" and name == verdict.premise:
            result, detail = "fails", verdict.detail
        elif verdict.status == "other_renderer" and name in ("witness", "pixels"):
            result, detail = "not compared", verdict.detail
        found.append(PremiseTold(name=name, establishes=establishes, result=result, detail=_short(detail, 400)))
    return tuple(found)


def _vacuous(name: str, case: Explained | None) -> str:
    """Why a premise has nothing to say of this group; empty where it has."""
    if case is None:
        return ""
    hiding = {claim.state for claim in case.claims if claim.hide is not None}
    if name == "hidden" and not hiding:
        return "no view hides anything"
    if name == "determined" and not hiding & {"D", "K"}:
        return "no view in state D or K"
    return "M hides nothing" if name == "witness" and "M" not in hiding else ""


def _reads(case: Explained) -> tuple[Fact, ...]:
    reads = case.reads()
    return tuple(
        Fact(name=_short(case.named(cell)), content=_short(content))
        for cell, content in case.facts("F").items()
        if cell in reads
    )


def _world(case: Explained, name: str) -> WorldTold:
    full, facts = case.facts("F"), case.facts(name)
    changes = _changes(case, full, facts)
    return WorldTold(
        name=name,
        meaning=WORLDS.get(name, ""),
        changes=changes[:8],
        changed=len(changes),
        computed={executor: outcome_words(case.execute(executor, name)) for executor in case.executors},
    )


def _changes(case: Explained, full: Mapping[Cell, str], facts: Mapping[Cell, str]) -> tuple[Change, ...]:
    return tuple(
        Change(name=_short(case.named(cell)), before=_short(content), after=_short(facts.get(cell, "")))
        for cell, content in full.items()
        if facts.get(cell) != content
    )


def _view(view: View, case: Explained | None, sound: Explained | None) -> ViewTold:
    claim = next((claim for claim in case.claims if claim.state == view.state), None) if case is not None else None
    hidden = hidden_names(sound, claim) if sound is not None and claim is not None else ()
    return ViewTold(
        state=view.state,
        meaning=CHANCE if claim is not None and claim.world == "M" else STATES[view.state],
        id=view.id,
        world=claim.world if claim is not None else "",
        hidden=hidden,
        offered=tuple(_short(f"{option.letter}. {option.text}") for option in view.options),
        setting=f"{view.setting}, options shifted by {view.rotation}" if view.setting else "",
        duty=duty_words(view.obligation),
        level=view.evidence.level,
        note=view.evidence.note,
    )


def hidden_names(case: Explained, claim: Claim) -> tuple[str, ...]:
    """The cells a view hides, in the order of its world."""
    if claim.hide is None:
        return ()
    gone = case.hidden(claim.world, claim.hide)
    return tuple(_short(case.named(cell)) for cell in case.facts(claim.world) if cell in gone)


def _arguments(case: Explained, verdict: Verdict) -> tuple[Argument, ...]:
    """Why D is answered and M is not, redone; nothing for a group that is refused."""
    if verdict.status == "refused":
        return ()
    found = []
    for claim in case.claims:
        if claim.state == "D":
            found.append(_determined(case, claim))
        elif claim.state == "M" and claim.hide is not None:
            found.append(_witness(case, claim, verdict))
        elif claim.state == "M":
            found.append(_chance(case, claim))
    return tuple(found)


def _determined(case: Explained, claim: Claim) -> Argument:
    answer = outcome_words(case.execute(case.executors[0], "F"))
    gone = _listed(hidden_names(case, claim))
    text = f"The answer is {answer} whatever is hidden ({gone}): {case.settled(claim.hide)}."
    return Argument(state="D", kind="determined", text=text, answers=(answer,))


def _witness(case: Explained, claim: Claim, verdict: Verdict) -> Argument:
    one, other = (outcome_words(case.execute(case.executors[0], world)) for world in ("F", "C"))
    seen, again = (case.rendered(world, claim.hide) for world in ("F", "C"))
    size = seen.partition(b" ")[0].decode()
    wide, _, tall = size.partition("x")
    count = int(wide) * int(tall)
    text = (
        f"The two complete worlds F and C answer {one} and {other}, and "
        f"{'give the same' if seen == again else 'do not give the same'} {count:,} pixels ({wide} x {tall}) "
        f"once {_listed(hidden_names(case, claim))} {_are(hidden_names(case, claim))} hidden"
    )
    if verdict.status == "other_renderer":
        text += f". The stored pixels were not compared: {verdict.detail.partition(':')[0]}."
    else:
        text += ", and these are the stored pixels of M: who sees them cannot tell which of the two it is."
    return Argument(state="M", kind="witness", text=text, answers=(one, other), pixels=count)


def _chance(case: Explained, claim: Claim) -> Argument:
    outcome = case.execute(case.executors[0], claim.world)
    answers = outcome.values if isinstance(outcome, Several) else ()
    chances = tuple(
        Chance(output=output, answer=answer, probability=probability)
        for output, answer, probability in (case.chances(claim.world) if isinstance(case, Chancy) else ())
    )
    text = (
        f"Nothing is hidden, and chance decides whether the answer is {' or '.join(answers)}. "
        f"{_names(case.executors)} find the same {len(chances)} possible outputs, with the same probabilities."
    )
    return Argument(state="M", kind="chance", text=text, answers=answers, chances=chances)


def outcome_words(outcome: Outcome) -> str:
    """What an executor found, for people."""
    if isinstance(outcome, Undefined):
        return f"no answer ({outcome.reason})"
    if isinstance(outcome, Several):
        return f"{' or '.join(outcome.values)}, by chance"
    if isinstance(outcome, Defined):
        return number_words(outcome.value)
    answer = answer_of(outcome)
    return _short(answer.target) if answer is not None else "nothing"


def duty_words(duty: Obligation) -> str:
    """An obligation, for people."""
    return f"answer {_short(duty.target)}" if isinstance(duty, Answer) else f"abstain ({duty.reason})"


def _short(text: str, limit: int = MAX_WORDS) -> str:
    return text if len(text) <= limit else f"{text[: limit - 1]}…"


def _listed(names: Sequence[str], most: int = 6) -> str:
    """``a, b and c``; ``a, b and 7 others`` where there are too many."""
    shown = list(names) if len(names) <= most else [*names[: most - 1], f"{len(names) - most + 1} others"]
    return " and ".join(filter(None, (", ".join(shown[:-1]), shown[-1]))) if shown else "nothing"


def _names(names: Sequence[str]) -> str:
    return f"{'Both executors' if len(names) == 2 else 'All executors'} ({', '.join(names)})"


def _are(names: Sequence[str]) -> str:
    return "is" if len(names) == 1 else "are"
