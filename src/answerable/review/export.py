"""What a review leaves: decisions for builds, every vote, agreement for reports, and tables of explanations."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from pathlib import Path

import msgspec

from answerable.core.agreement import AGREEMENT, FORMAT, ReviewScores
from answerable.core.codec import decode, encode, encode_pretty
from answerable.core.decisions import Decision
from answerable.core.errors import ReviewError
from answerable.core.files import write_bytes
from answerable.core.records import Record
from answerable.core.seeds import seed_from
from answerable.review.forms import GRADES, KINDS, ExplanationVote, GroupVote, Vote
from answerable.review.intervals import DRAWS, Said, measured
from answerable.review.queue import by_item, tally, verdict
from answerable.review.records import Ballot, Item
from answerable.review.store import Store

DECISIONS, VOTES, EXPLANATIONS, TABLE = "decisions.jsonl", "votes.jsonl", "explanations.jsonl", "explanations.json"


class VoteLine(Record, frozen=True):
    """One line of ``votes.jsonl``: everything a reviewer said of a group."""

    group: str
    reviewer: str
    vote: GroupVote
    extra: bool
    """Cast to settle a conflict; not counted for agreement."""


class ExplanationLine(Record, frozen=True):
    """One line of ``explanations.jsonl``."""

    view: str
    repeat: int
    group: str
    reviewer: str
    vote: ExplanationVote
    extra: bool


class Contingency(Record, frozen=True):
    """Grades of the answer against grades of the explanation."""

    counted: int
    table: dict[str, dict[str, int]]
    """Answer -> explanation -> how many."""
    kinds: dict[str, int]
    """Kind of error -> how many have it; one may have several."""


class Explanations(Record, frozen=True):
    """``explanations.json``."""

    benchmark_fingerprint: str
    model: str
    by_vote: Contingency
    """Every vote that stands."""
    by_reply: Contingency
    """Replies on which the reviewers, or more than half of three or more, agree; a kind counts where more than half of
    the votes for those grades name it."""


class Exported(Record, frozen=True):
    """What was written."""

    folder: str
    files: tuple[str, ...]
    scores: ReviewScores


def export(store: Store, folder: Path, *, draws: int = DRAWS) -> Exported:
    """Write the files of a review; the same votes give the same bytes.

    Raises:
        ReviewError: the folder holds something else.
        StorageError: the disk refused a write.
    """
    _check_place(store, folder)
    ballots = store.standing()
    scores = agreement(store, ballots, draws=draws)
    cast = [(store.items[ballot.item], ballot, store.read(ballot.body)) for ballot in ballots]
    cast.sort(key=lambda one: (one[1].item, one[1].reviewer))
    if store.project.form == "group":
        files = {DECISIONS: _lines(_decisions(cast)), VOTES: _lines(_votes(cast))}
    else:
        files = {EXPLANATIONS: _lines(_explanations(cast)), TABLE: encode_pretty(explanations(store, ballots))}
    files[AGREEMENT] = encode_pretty(scores)
    for name, data in files.items():
        write_bytes(folder / name, data)
    return Exported(str(folder), tuple(files), scores)


def _check_place(store: Store, folder: Path) -> None:
    """A folder that is new, empty, or has an export of this benchmark and form."""
    if folder.exists() and not folder.is_dir():
        raise ReviewError("a folder to export into", f"{folder}, a file", fix="name another folder: --export DIR")
    names = {path.name for path in folder.iterdir()} if folder.is_dir() else set()
    if not names & {DECISIONS, VOTES, EXPLANATIONS, TABLE, AGREEMENT}:
        return
    try:
        there = decode((folder / AGREEMENT).read_bytes(), ReviewScores)
        mine = (store.project.fingerprint, store.project.form, store.project.model)
        ours = (there.benchmark_fingerprint, there.form, there.model) == mine
    except (OSError, msgspec.MsgspecError):
        ours = False
    if not ours:
        raise ReviewError(
            "a folder that is new, or has an export of this review", f"{folder}, which has files of something else",
            fix="name another folder: --export DIR",
        )  # fmt: skip


def _lines(records: Iterable[Record | Decision]) -> bytes:
    return b"".join(encode(record) + b"\n" for record in records)


def _decisions(cast: list[tuple[Item, Ballot, Vote]]) -> Iterable[Decision]:
    for item, ballot, vote in cast:
        if isinstance(vote, GroupVote):
            yield Decision(item.id, vote.decision, ballot.reviewer, vote.reason)


def _votes(cast: list[tuple[Item, Ballot, Vote]]) -> Iterable[VoteLine]:
    for item, ballot, vote in cast:
        if isinstance(vote, GroupVote):
            yield VoteLine(item.id, ballot.reviewer, vote, ballot.extra)


def _explanations(cast: list[tuple[Item, Ballot, Vote]]) -> Iterable[ExplanationLine]:
    for item, ballot, vote in cast:
        if isinstance(vote, ExplanationVote):
            view, _, repeat = item.id.rpartition("/")
            yield ExplanationLine(view, int(repeat), item.group, ballot.reviewer, vote, ballot.extra)


def agreement(store: Store, ballots: tuple[Ballot, ...], *, draws: int = DRAWS) -> ReviewScores:
    """Counts, and how far independent reviewers agree. Votes that settle conflicts are no part of the kappas."""
    counts = tally(store, ballots)
    questions = dict(store.form.questions)
    said: dict[int, Said] = {}
    answers: dict[str, Counter[str]] = {question: Counter() for question in questions}
    against = 0
    for ballot in sorted(ballots, key=lambda one: (one.item, one.reviewer)):
        words = store.form.answers(store.read(ballot.body))
        for question, word in words.items():
            answers[question][word or "open"] += 1
        against += words.get("decision") == "keep" and "no" in words.values()
        if not ballot.extra:
            group = store.items[ballot.item].group
            mine = said.get(ballot.item, Said(group, {}))
            said[ballot.item] = Said(group, {**mine.words, ballot.reviewer: words})
    seed = seed_from("review agreement", store.project.fingerprint, store.project.form)
    outcomes = dict(counts.settled) | {"disputed": len(counts.disputed), "open": counts.votes.get("0", 0)}
    return ReviewScores(
        format=FORMAT, benchmark=store.project.benchmark, benchmark_fingerprint=store.project.fingerprint,
        form=store.project.form, model=store.project.model, wanted=store.wanted, items=counts.items,
        votes=counts.votes, outcomes=outcomes, disputed=counts.disputed, reviewers=counts.reviewers,
        questions=questions, answers={question: dict(found) for question, found in answers.items()},
        figures=tuple(measured(list(said.values()), list(questions), store.wanted, draws=draws, seed=seed)),
        draws=draws, seed=seed, notes=_notes(store, ballots, against),
    )  # fmt: skip


def _notes(store: Store, ballots: tuple[Ballot, ...], against: int) -> tuple[str, ...]:
    extra = sum(ballot.extra for ballot in ballots)
    over = (
        f"Fleiss' kappa is over the items on which {store.wanted} independent reviewers answered the question; Cohen's "
        "over those that both answered."
    )
    drawn = (
        "Intervals draw whole groups that somebody voted on. A draw in which a kappa is undefined is left out of its "
        "interval and counted."
    )
    found = [over, drawn]
    if extra:
        found.append(f"{extra} votes came after {store.wanted} others, as for a conflict: no part of the kappas.")
    if against:
        found.append(f"{against} votes keep a group although they say no to a question.")
    return tuple(found)


def explanations(store: Store, ballots: tuple[Ballot, ...]) -> Explanations:
    """Answer against explanation, by vote and by reply."""
    every, agreed = [], []
    for cast in by_item(ballots).values():
        votes = [vote for ballot in cast if isinstance(vote := store.read(ballot.body), ExplanationVote)]
        every += votes
        holds = verdict(store, cast)
        mine = [vote for vote in votes if store.form.verdict(vote) == holds]
        if mine:
            kinds = tuple(kind for kind in KINDS if 2 * sum(kind in vote.kinds for vote in mine) > len(mine))
            agreed.append(msgspec.structs.replace(mine[0], kinds=kinds))
    return Explanations(
        benchmark_fingerprint=store.project.fingerprint, model=store.project.model, by_vote=_contingency(every),
        by_reply=_contingency(agreed),
    )  # fmt: skip


def _contingency(votes: list[ExplanationVote]) -> Contingency:
    pairs = Counter((vote.answer, vote.explanation) for vote in votes)
    table: Mapping[str, Mapping[str, int]] = {one: {other: pairs[one, other] for other in GRADES} for one in GRADES}
    kinds: dict[str, int] = {kind: sum(kind in vote.kinds for vote in votes) for kind in KINDS}
    return Contingency(len(votes), {one: dict(row) for one, row in table.items()}, kinds)
