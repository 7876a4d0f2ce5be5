"""Benchmarks of unsolvable problems with proofs: worlds of a domain to multiple-choice groups, one a problem."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
from functools import cache, partial
from pathlib import Path

import msgspec

from answerable.build.asking import Asking
from answerable.build.assembly import PATIENCE, Job, Tally, check_counts, in_turn, new_manifest, split_of
from answerable.build.choice_bases import BASES, Base, Drawn
from answerable.build.choice_card import card
from answerable.core.benchmark import BenchmarkWriter, Ledger, LedgerLine, Manifest
from answerable.core.choices import may_answer
from answerable.core.errors import SettingsError
from answerable.core.records import PROBLEMS, SETTINGS, Problem, Record, Refusal, Setting
from answerable.core.seeds import Stream
from answerable.domains.choice.states import LEAST_FOR_AAD, Request, make_group
from answerable.domains.draft import Draft
from answerable.exec import Executor

#: Worlds tried for one group before it is refused; other worlds and other questions tried for each.
TRIES, OTHERS = 12, 12
#: The question as it stands, its options and the setting's instruction.
PROMPT, READER = "as-asked", "mcq"
METRICS = ("Dual", "Standard", "UPD", "Original", "OC_Dual")


class ChoiceSettings(Record, frozen=True):
    """What decides every byte of such a benchmark."""

    domain: str
    """Whose worlds: chart, table or code."""
    groups: int
    """Groups of each problem in the test split."""
    seed: int
    train_groups: int = 0
    """Groups of each problem in the training split."""
    problems: tuple[Problem, ...] = tuple(PROBLEMS)
    settings: tuple[Setting, ...] = SETTINGS
    programs: tuple[str, ...] = ()
    """Families of questions, in turn; none means all that the domain has."""


@cache
def base_of(domain: str) -> Base:
    """The domain as a source of questions."""
    return BASES.load(domain)()


def families_for(settings: ChoiceSettings, problem: Problem) -> tuple[str, ...]:
    """Families of questions that can have a problem.

    With a yes or no taken away, one option would be left; and what names nothing of its picture fits any other.
    """
    base = base_of(settings.domain)
    unfit = {"AAD": base.truths, "IVQD": base.nameless}.get(problem, ())
    return tuple(name for name in settings.programs or base.templates if name not in unfit)


def check_settings(settings: ChoiceSettings) -> None:
    """Refuse settings that cannot be met.

    Raises:
        SettingsError: naming the flag.
    """
    check_counts(settings.groups, settings.train_groups)
    if settings.domain not in BASES.names():
        raise SettingsError(f"one of {', '.join(BASES.names())}", repr(settings.domain), where="--domain")
    base = base_of(settings.domain)
    named: tuple[tuple[tuple[str, ...], tuple[str, ...], str], ...] = (
        (settings.problems, base.problems, "--problems"),
        (settings.settings, SETTINGS, "--settings"),
        (settings.programs or base.templates, base.templates, "--programs"),
    )
    for chosen, known, flag in named:
        wrong = [name for name in chosen if name not in known]
        if wrong or not chosen:
            got = repr(wrong[0]) if wrong else "none"
            raise SettingsError(f"some of {', '.join(known)} for --domain {settings.domain}", got, where=flag)
    if not set(settings.settings) - {"original"}:
        raise SettingsError(
            "a setting with unsolvable questions: base, option or instruction", "original alone", where="--settings",
            fix="the original setting has the standard question only, of which nothing unsolvable can be proved",
        )  # fmt: skip
    for problem in settings.problems:
        if not families_for(settings, problem):
            raise SettingsError(
                f"a family of questions for {problem} that is not answered by yes or no",
                ", ".join(settings.programs), where="--programs",
            )  # fmt: skip


class Work(msgspec.Struct, frozen=True):
    """One attempt, sent to whoever does it."""

    problem: Problem
    figure: str
    split: str
    template: str
    look: str


def attempt(settings: ChoiceSettings, work: Work) -> Draft | Refusal:
    """Make one group. Depends on its arguments only."""
    base = base_of(settings.domain)
    found: Draft | Refusal = Refusal(reason="question does not fit", detail=f"no {work.template} on {work.figure}")
    for tried in range(TRIES):
        names = ("choice", settings.domain, settings.seed, work.figure, tried)
        drawn = base.draw(work.template, work.look, Stream(*names))
        if drawn is None:
            continue
        if work.problem == "AAD" and len(drawn.options) < LEAST_FOR_AAD:
            found = Refusal(reason="too few options", detail=" | ".join(drawn.options))
            continue
        found = _made(settings, work, drawn, names)
        if isinstance(found, Draft):
            return found
    return found


def _made(settings: ChoiceSettings, work: Work, drawn: Drawn, names: tuple[str | int, ...]) -> Draft | Refusal:
    base = base_of(settings.domain)
    request = Request(
        source=_source(settings, work.problem),
        figure=work.figure,
        split="train" if work.split == "train" else "test",
        problem=work.problem,
        settings=settings.settings,
        names=(*names, work.problem),
    )
    if work.problem == "IVQD":
        return _with_other_picture(base, work, drawn, request)
    asked = base.asked(drawn, None, work.look)
    if isinstance(asked, Refusal) or work.problem == "AAD":
        return asked if isinstance(asked, Refusal) else make_group(asked, request)
    found: Draft | Refusal = Refusal(reason="no other question", detail=drawn.question)
    for turn in range(OTHERS):
        offered = _lent(settings, drawn, Stream(*request.names, turn))
        if offered is not None:
            found = make_group(asked, msgspec.structs.replace(request, offered=offered))
            if isinstance(found, Draft):
                break
    return found


def _with_other_picture(base: Base, work: Work, drawn: Drawn, request: Request) -> Draft | Refusal:
    found: Draft | Refusal = Refusal(reason="no other picture", detail=drawn.question)
    for turn in range(OTHERS):
        other = base.other(work.look, Stream(*request.names, turn))
        if other is None:
            continue
        asked = base.asked(drawn, other, work.look)
        found = asked if isinstance(asked, Refusal) else make_group(asked, request)
        if isinstance(found, Draft) or found.reason == "the question names nothing":
            break
    return found


def _lent(settings: ChoiceSettings, drawn: Drawn, stream: Stream) -> tuple[str, ...] | None:
    """The options of another question, of another kind of answer; None where they could be answers here too."""
    lender = base_of(base_of(settings.domain).lender)
    kinds = lender.labels
    if drawn.answer.type == "text":
        kinds = tuple(name for name in lender.templates if name not in lender.labels)
    other = lender.draw(stream.pick(kinds), lender.looks[0], stream)
    if other is None or other.answer.type == drawn.answer.type:
        return None
    # The names of the world are looked at once the proof is put together; what no world could save is left here.
    return None if any(may_answer(text, drawn.answer, ()) for text in other.options) else other.options


def _source(settings: ChoiceSettings, problem: Problem) -> str:
    """Of the groups of a problem: ``chart-aad`` and so on."""
    return f"{settings.domain}-{problem.lower()}"


class ChoiceRecipe:
    """Multiple-choice questions on a domain's worlds: the settings, and how one group is made."""

    domain, licence = "choice", "CC0-1.0"
    asking = Asking(PROMPT, READER, METRICS)

    def __init__(self, settings: ChoiceSettings) -> None:
        check_settings(settings)
        self._settings = settings
        self.source, self.seed = f"{settings.domain}-choice", settings.seed
        self.test_groups = settings.groups * len(settings.problems)
        self.train_groups = settings.train_groups * len(settings.problems)

    def settings(self) -> ChoiceSettings:
        """See ``Recipe.settings``."""
        return self._settings

    def describe(self) -> tuple[str, ...]:
        """See ``Recipe.describe``."""
        return (f"made-up {self._settings.domain} worlds from seed {self.seed}",)

    def worker(self) -> Callable[[Work], Draft | Refusal]:
        """See ``Recipe.worker``."""
        return partial(attempt, self._settings)

    def paragraph(self) -> str:
        """See ``Recipe.paragraph``."""
        return f"Pictures are those of the domain {self._settings.domain}, made up; questions ask what they show."

    def jobs(self) -> Iterator[Job]:
        """See ``Recipe.jobs``: every problem in turn on a figure, so that problems share questions."""
        settings = self._settings
        base = base_of(settings.domain)
        every = settings.programs or base.templates
        turns: Counter[str] = Counter()
        for number in range((settings.groups + settings.train_groups) * PATIENCE + 100):
            figure = f"{settings.domain}-choice-{settings.seed}-{number}"
            split = split_of(figure, settings.seed, settings.groups, settings.train_groups)
            turn, turns[split] = turns[split], turns[split] + 1
            look = in_turn(base.looks, turn // len(every) + turn)
            for problem in settings.problems:
                fitting, template = families_for(settings, problem), in_turn(every, turn)
                if template not in fitting:
                    template = in_turn(fitting, turn // len(every))
                yield Job(split, figure, Work(problem, figure, split, template, look))


def build(
    settings: ChoiceSettings,
    out: Path,
    executor: Executor,
    *,
    name: str = "choices",
    on_kept: Callable[[], None] = lambda: None,
) -> tuple[Manifest, Ledger]:
    """Build the benchmark folder; the ledger has a line for each problem.

    Args:
        out: a new or empty folder.
        on_kept: called for every group kept, for progress.

    Raises:
        SettingsError: nothing was kept.
    """
    recipe = ChoiceRecipe(settings)
    tallies = {problem: Tally(settings.groups, settings.train_groups) for problem in settings.problems}
    with BenchmarkWriter(out) as writer:
        for problem, job, result in executor.map(partial(_done, recipe.worker()), recipe.jobs()):
            draft = tallies[problem].settle(job, result)
            if draft is not None:
                writer.add(draft.group, draft.images, draft.proof)
                on_kept()
            if all(tally.full() for tally in tallies.values()):
                break
        notes = recipe.describe()
        ledger = _together([tally.ledger(_source(settings, problem), notes) for problem, tally in tallies.items()])
        if not writer.groups:
            raise SettingsError(
                "settings that give at least one group", f"none; refused: {ledger.lines[0].refused}",
                fix="see the reasons above; 'answerable build choice --help' lists the flags",
            )  # fmt: skip
        manifest = new_manifest(
            name, {recipe.domain: settings, "source": recipe.describe()}, recipe.licence,
            prompt=recipe.asking.prompt, reader=recipe.asking.reader, metrics=recipe.asking.metrics,
        )  # fmt: skip
        return writer.finish(
            manifest, ledger, card(manifest, recipe.paragraph(), settings.seed, ledger, writer)
        ), ledger


def _done(worker: Callable[[Work], Draft | Refusal], job: Job) -> tuple[Problem, Job, Draft | Refusal]:
    """What was needed for the work need not travel back, but for the problem."""
    return job.work.problem, Job(job.split, job.figure, None), worker(job.work)


def _together(ledgers: list[Ledger]) -> Ledger:
    examples: dict[str, tuple[str, ...]] = {}
    for ledger in ledgers:
        for reason, found in ledger.examples.items():
            examples[reason] = (*examples.get(reason, ()), *found)[:5]
    lines: tuple[LedgerLine, ...] = tuple(line for ledger in ledgers for line in ledger.lines)
    return Ledger(
        lines=lines,
        asked=sum(ledger.asked for ledger in ledgers),
        kept=sum(ledger.kept for ledger in ledgers),
        examples=dict(sorted(examples.items())),
    )
