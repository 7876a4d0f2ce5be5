"""Benchmarks of unsolvable problem detection: somebody's multiple-choice questions to groups, one a problem."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path

import msgspec

from answerable.build.asking import Asking
from answerable.build.assembly import Job, Recipe, Tally, attempt_job, check_counts, new_manifest
from answerable.build.card import card
from answerable.build.preparation import STEPS, Prepared, TextOnly, may_lend_options, prepare
from answerable.build.sources.mcq import McqSource, Question
from answerable.build.variations.pairing import Lender, Lenders, doubts
from answerable.build.variations.review import ReviewLine, line_of
from answerable.build.variations.similarity import check_installed, reads_alike
from answerable.build.variations.upd import Pairing, make_group, original_ids
from answerable.core.benchmark import (
    BenchmarkWriter,
    Ledger,
    LedgerLine,
    Manifest,
)
from answerable.core.codec import digest_bytes
from answerable.core.decisions import Decisions
from answerable.core.errors import SettingsError, SourceError
from answerable.core.records import GIVEN, PROBLEMS, SETTINGS, Problem, Record, Refusal, Setting
from answerable.domains.draft import Draft
from answerable.exec import Executor

#: The prompt that says nothing but the question, its options and the setting's instruction.
PROMPT, READER = "as-asked", "mcq"
METRICS = ("Dual", "Standard", "UPD", "Original", "OC_Dual")
#: Why the preparation left a question out when no reviewer kept it.
LEFT_OUT = "suits most pictures, and no reviewer kept it"


class McqSettings(Record, frozen=True):
    """What decides every byte of such a benchmark, together with the source, the scores and the decisions."""

    seed: int
    problems: tuple[Problem, ...] = tuple(PROBLEMS)
    settings: tuple[Setting, ...] = SETTINGS
    preparation: tuple[str, ...] = tuple(STEPS)
    """The steps that run."""
    groups: int | None = None
    """Groups of a problem and split at most; None means all."""
    similarity: int = 0
    """A pair whose questions or answer sets read this much alike, of 100, is doubtful; 0 does not look."""


def check_settings(settings: McqSettings) -> None:
    """Refuse settings that cannot be met.

    Raises:
        SettingsError: naming the flag.
    """
    named: tuple[tuple[tuple[str, ...], tuple[str, ...], str], ...] = (
        (settings.problems, tuple(PROBLEMS), "--problems"),
        (settings.settings, (*SETTINGS, GIVEN), "--settings"),
    )
    for chosen, known, flag in named:
        wrong = [name for name in chosen if name not in known]
        if wrong or not chosen:
            raise SettingsError(f"some of {', '.join(known)}", repr(wrong[0]) if wrong else "none", where=flag)
    if settings.groups is not None:
        check_counts(settings.groups, 0)
    if not 0 <= settings.similarity <= 100:
        raise SettingsError("a number from 0 (off) to 100", f"similarity={settings.similarity}", where="--similarity")
    if settings.similarity:
        check_installed()


class Work(msgspec.Struct, frozen=True):
    """One group to make, sent to whoever makes it."""

    pairing: Pairing


def attempt(settings: tuple[Setting, ...], work: Work) -> Draft | Refusal:
    """Make one group. Depends on its arguments only."""
    return make_group(work.pairing, settings)


class McqRecipe:
    """Multiple-choice questions: a source, the settings, what reviewers decided, and how one group is made."""

    domain, asking = "mcq", Asking(PROMPT, READER, METRICS)

    def __init__(
        self,
        settings: McqSettings,
        source: McqSource,
        *,
        decisions: Decisions | None = None,
        text_only: Path | None = None,
    ) -> None:
        check_settings(settings)
        self._settings, self._source = settings, source
        self._decisions = decisions or Decisions(())
        self._scores, self._text_only = text_only, None if text_only is None else TextOnly(text_only)
        self.source, self.licence, self.seed = source.name, source.licence, settings.seed
        self._items = _one_split_a_picture(source.questions())
        questions = [item for item in self._items if isinstance(item, Question)]
        self._lenders = {
            (split, what): Lenders([question for question in questions if question.split == split and may(question)],
                                   settings.seed)
            for split in ("test", "train")
            for what, may in (("options", may_lend_options), ("picture", _always))
        }  # fmt: skip
        self._review: list[ReviewLine] = []
        self._edits: dict[Problem, Counter[str]] = defaultdict(Counter)
        self._uncovered: Counter[Problem] = Counter()
        self._looked_up = 0
        self._groups: set[str] = set()
        self._found = {problem: tuple(map(partial(self._tried, problem), self._items)) for problem in settings.problems}
        self._check_coverage()
        jobs = [item for found in self._found.values() for item in found if isinstance(item, Job)]
        self.test_groups = sum(job.split == "test" for job in jobs)
        self.train_groups = len(jobs) - self.test_groups

    @property
    def problems(self) -> tuple[Problem, ...]:
        """Those asked for, in the order of the groups."""
        return self._settings.problems

    @property
    def review(self) -> tuple[ReviewLine, ...]:
        """Doubtful pairs, whatever was decided on them."""
        return tuple(self._review)

    @property
    def undecided(self) -> tuple[str, ...]:
        """Groups that somebody decided on and that this build does not have."""
        return self._decisions.unknown(self._groups)

    def settings(self) -> McqSettings:
        """See ``Recipe.settings``."""
        return self._settings

    def describe(self) -> tuple[str, ...]:
        """See ``Recipe.describe``."""
        decided = tuple(
            f"decisions {path.name} sha256={digest_bytes(path.read_bytes())}" for path in self._decisions.paths
        )
        blind = () if self._text_only is None else (f"text-only scores sha256={self._text_only.sha256}",)
        return (*self._source.describe(), *blind, *decided)

    def notes(self, problem: Problem) -> tuple[str, ...]:
        """Lines for a problem's ledger: what the preparation did."""
        found = [f"{what}: {count} questions" for what, count in sorted(self._edits[problem].items())]
        found += [f"step {name} switched off" for name in STEPS if name not in self._settings.preparation]
        if self._uncovered[problem]:
            found.append(f"not covered by the text-only run: {self._uncovered[problem]} questions, kept")
        return tuple(found)

    def worker(self) -> Callable[[Work], Draft | Refusal]:
        """See ``Recipe.worker``."""
        return partial(attempt, self._settings.settings)

    def jobs(self) -> Iterator[Job | Refusal]:
        """See ``Recipe.jobs``: problem after problem."""
        for problem in self.problems:
            yield from self.jobs_of(problem)

    def jobs_of(self, problem: Problem) -> tuple[Job | Refusal, ...]:
        """The attempts of one problem, in the source's order."""
        return self._found[problem]

    def paragraph(self) -> str:
        """See ``Recipe.paragraph``."""
        steps = "\n".join(f"- `{name}` {STEPS[name].does}: {STEPS[name].words}" for name in self._settings.preparation)
        return (
            "Pictures, questions and options come from the source; a group offers its options in every circular\n"
            "shift, and an option that abstains stays last.\n\n"
            f"Preparation, before a question was paired with anything:\n\n{steps}"
        )

    def _tried(self, problem: Problem, item: Question | Refusal) -> Job | Refusal:
        """The group to make of a question under a problem, or why there is none."""
        if isinstance(item, Refusal):
            return item
        if item.problems and problem not in item.problems:
            return Refusal("the source makes no such problem of it", f"{item.id}: {', '.join(item.problems)} only")
        prepared = prepare(item, problem, self._settings.preparation)
        if isinstance(prepared, Refusal):
            return prepared
        for edit in prepared.edits:
            self._edits[problem][edit] += 1
        paired = self._paired(problem, prepared)
        if isinstance(paired, Refusal):
            return paired
        pairing, lender = paired
        if self._seen_through(problem, item, pairing):
            return Refusal("answered without the image", item.id)
        refusal = self._reviewed(pairing, lender, prepared)
        return refusal or Job(item.split, item.id, Work(pairing))

    def _paired(self, problem: Problem, prepared: Prepared) -> tuple[Pairing, Question | None] | Refusal:
        """The question with what another lends it, and that other question where it is known."""
        asked = prepared.question
        plain = Pairing(problem=problem, question=asked, edits=prepared.edits)
        if problem == "AAD":
            return plain, None
        if problem == "IASD" and asked.given_options:
            return msgspec.structs.replace(plain, options=asked.given_options), None
        if problem == "IVQD" and asked.given_image:
            return msgspec.structs.replace(plain, image=asked.given_image), None
        lenders = self._lenders[asked.split, "options" if problem == "IASD" else "picture"]
        found = lenders.options_for(asked) if problem == "IASD" else lenders.picture_for(asked)
        if not isinstance(found, Lender):
            return found
        other = found.question
        if problem == "IASD":
            return msgspec.structs.replace(plain, other=other.id, options=other.options), other
        return msgspec.structs.replace(plain, other=other.id, image=other.image), other

    def _seen_through(self, problem: Problem, item: Question, pairing: Pairing) -> bool:
        """Whether the text-only run got every rotation right, under whichever problem the question was asked there."""
        if self._text_only is None or "text-only" not in self._settings.preparation:
            return False
        self._looked_up += 1
        same = [pairing]
        for other in PROBLEMS:
            prepared = prepare(item, other, self._settings.preparation)
            if other != problem and isinstance(prepared, Prepared):
                found = self._paired(other, prepared)
                same += [] if isinstance(found, Refusal) else [found[0]]
        said = [self._text_only.answered(original_ids(each)) for each in same]
        if all(each is None for each in said):
            self._uncovered[problem] += 1
        return any(said)

    def _reviewed(self, pairing: Pairing, lender: Question | None, prepared: Prepared) -> Refusal | None:
        """Put a doubtful pair on the list; a refusal when it is not to be built."""
        group = pairing.group_id()
        self._groups.add(group)
        why = (*prepared.doubts, *doubts(pairing, lender))
        if lender is not None and self._settings.similarity:
            why += reads_alike(pairing.question, lender, self._settings.similarity)
        if why:
            other_text = lender.text if lender else ""
            self._review.append(line_of(pairing, other_text, why, left_out=bool(prepared.doubts)))
        decided = self._decisions.on(group)
        if isinstance(decided, Refusal):
            return decided
        if prepared.doubts and decided != "keep":
            return Refusal(LEFT_OUT, f"{pairing.question.id}: {prepared.doubts[0]}")
        return None

    def _check_coverage(self) -> None:
        """Scores that know none of the questions are those of something else."""
        if not self._looked_up:
            return
        if self._looked_up == sum(self._uncovered.values()):
            raise SourceError(
                "text-only scores of an earlier build of these questions, with the setting original",
                "none of its views", where=str(self._scores),
                fix="build with the same source, seed and --without, run with '--control text-only', and score that",
            )  # fmt: skip


def _always(question: Question) -> bool:
    del question
    return True


def _one_split_a_picture(items: Iterator[Question | Refusal]) -> tuple[Question | Refusal, ...]:
    """The items; a training question whose picture a test question has is refused."""
    found = tuple(items)
    tested = {digest_bytes(item.image) for item in found if isinstance(item, Question) and item.split == "test"}
    return tuple(
        Refusal("its picture is in the test split too", item.id)
        if isinstance(item, Question) and item.split == "train" and digest_bytes(item.image) in tested
        else item
        for item in found
    )


def build(
    recipe: McqRecipe, out: Path, executor: Executor, *, name: str = "mcq", on_kept: Callable[[], None] = lambda: None
) -> tuple[Manifest, Ledger]:
    """Build the benchmark folder; the ledger has a line for each problem.

    Args:
        out: a new or empty folder.
        on_kept: called for every group kept, for progress.

    Raises:
        SettingsError: nothing was kept.
    """
    with BenchmarkWriter(out) as writer:
        ledger = _together([_one_problem(recipe, problem, writer, executor, on_kept) for problem in recipe.problems])
        if not writer.groups:
            refused: Counter[str] = Counter()
            for line in ledger.lines:
                refused.update(line.refused)
            raise SettingsError(
                "a source that gives at least one group", f"none; refused: {dict(refused) or 'nothing was there'}",
                fix="see the reasons above; 'answerable build mcq --help' lists what a source needs",
            )  # fmt: skip
        manifest = new_manifest(
            name, {recipe.domain: recipe.settings(), "source": recipe.describe()}, recipe.licence,
            prompt=recipe.asking.prompt, reader=recipe.asking.reader, metrics=recipe.asking.metrics,
        )  # fmt: skip
        as_recipe: Recipe = recipe
        return writer.finish(manifest, ledger, card(manifest, as_recipe, ledger, writer)), ledger


def _one_problem(
    recipe: McqRecipe, problem: Problem, writer: BenchmarkWriter, executor: Executor, on_kept: Callable[[], None]
) -> Ledger:
    """Build the groups of one problem, in the source's order."""
    jobs, most = recipe.jobs_of(problem), recipe.settings().groups
    there = Counter(job.split for job in jobs if isinstance(job, Job))
    quota = {split: there[split] if most is None else most for split in ("test", "train")}
    if not there["train"]:
        quota["train"] = 0
    tally = Tally(quota["test"], quota["train"])
    for job, result in executor.map(partial(attempt_job, recipe.worker()), jobs):
        if most is not None and tally.full():
            break
        draft = tally.settle(job, result)
        if draft is not None:
            writer.add(draft.group, draft.images, draft.proof)
            on_kept()
    return tally.ledger(f"{recipe.source}-{problem.lower()}", (*recipe.describe(), *recipe.notes(problem)))


def _together(ledgers: list[Ledger]) -> Ledger:
    examples: dict[str, list[str]] = {}
    for ledger in ledgers:
        for reason, found in ledger.examples.items():
            mine = examples.setdefault(reason, [])
            mine += [detail for detail in found if detail not in mine][: 5 - len(mine)]
    lines: tuple[LedgerLine, ...] = tuple(line for ledger in ledgers for line in ledger.lines)
    return Ledger(
        lines=lines,
        asked=sum(ledger.asked for ledger in ledgers),
        kept=sum(ledger.kept for ledger in ledgers),
        examples={reason: tuple(found) for reason, found in sorted(examples.items())},
    )
