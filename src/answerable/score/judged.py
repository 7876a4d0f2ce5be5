"""Readings by a judge, for replies that the reader could not read: from stored judgements, never asked here.

A judge may only turn an unread reply into one of the letters it was offered, or into an abstention. A judge that
failed, refused, was cut, said something else or found the reply unclear leaves it unread, each by its own name. Where
the reader reads a reply itself, a judgement on it changes nothing: it tells how far the two agree.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping

from answerable.core.errors import LogError, RunError
from answerable.core.judgements import (
    JudgeCase,
    Judgement,
    Put,
    check_place,
    judgements_path,
    letter_of,
    put_to_judge,
    read_judgements,
)
from answerable.core.records import View
from answerable.core.runlog import Reply, RunFolder
from answerable.score.readers.cues import failed_call
from answerable.score.readers.reading import Abstained, Answered, Invalid, Reader, Reading, Why

#: Unread for these reasons, a reply holds nothing that a judge could read.
_NOTHING_TO_READ: tuple[Why, ...] = ("empty", "refused", "truncated", "too_long", "unclosed_reasoning")
#: Beginning of the rule of every reading that a judge decided, or failed to decide.
RULE = "judge: "
#: Why a judged reply stays unread, in the order of tables.
UNREAD: tuple[Why, ...] = ("judge_failed", "judge_refused", "judge_truncated", "judge_unread", "judge_unclear")


def judgeable(reply: Reply, reading: Reading) -> bool:
    """Whether a judge may be asked about an unread reply.

    Never about one that is empty, refused or cut, and never about the text of a failed call.
    """
    return (
        isinstance(reading, Invalid)
        and reading.why not in _NOTHING_TO_READ
        and reply.status == "complete"
        and reply.text is not None
        and not failed_call(reply.text)
    )


def case_of(view: View, reply: Reply) -> JudgeCase | None:
    """What a judge would be asked about a reply; None without options or text."""
    if not view.options or reply.text is None:
        return None
    return JudgeCase(reply.view, reply.repeat, put_to_judge(view), reply.text)


def judged_reading(judgement: Judgement, put: Put) -> Reading:
    """What the judge's reply makes of an unread one."""
    letter = letter_of(judgement, put)
    if letter is None:
        why: Why = "judge_unread"
        if judgement.status == "refused":
            why = "judge_refused"
        elif judgement.status == "truncated":
            why = "judge_truncated"
        return Invalid(why, f"{RULE}{judgement.status}")
    if letter == put.unclear:
        return Invalid("judge_unclear", f"{RULE}{letter}")
    rule = f"{RULE}{letter}"
    return Abstained(rule) if letter in put.abstaining else Answered(letter, rule)


def judge_counts(rules: Mapping[str, int]) -> dict[str, int]:
    """From how often each rule decided: replies that a judge read, and those it left unread, by why."""
    found = {"judged": sum(count for rule, count in rules.items() if rule.startswith(RULE))}
    return found | {why: rules.get(f"invalid: {why}", 0) for why in UNREAD}


class RunJudge:
    """The judgements on one run.

    Raises:
        RunError: there are none for this reader.
        RunMismatchError: they are of another benchmark.
    """

    def __init__(self, run: RunFolder, reader: Reader) -> None:
        self._path, self._reader = judgements_path(run.path, reader.name), reader
        stored = read_judgements(self._path)
        if stored is None:
            raise RunError(
                f"judgements on what reader {reader.name!r} left unread", f"no {self._path.name}",
                where=str(run.path), fix=f"answerable judge {run.path} --reader {reader.name} --model NAME",
            )  # fmt: skip
        if (stored.judge.reader, stored.judge.benchmark_fingerprint) != (
            reader.name, run.manifest.benchmark_fingerprint,
        ):  # fmt: skip
            raise LogError(
                f"judgements for reader {reader.name!r} on this run's benchmark",
                f"reader={stored.judge.reader!r} fingerprint={stored.judge.benchmark_fingerprint[:16]}...",
                where=str(self._path), fix="remove the file and judge again",
            )  # fmt: skip
        self._stored = stored
        self._left = {*stored.by_place, *stored.failures}
        self._counts = Counter[str]()

    def reading(self, view: View, reply: Reply, reading: Reading) -> Reading:
        """The reading of a reply, by the judge where the reader could not read it.

        Raises:
            LogError: the judgement is on another text or on other options.
        """
        place = (reply.view, reply.repeat)
        self._left.discard(place)
        self._counts["replies"] += 1
        case = case_of(view, reply)
        if case is None:
            return reading
        judgement = check_place(self._stored, self._path, *place, case.put, case.reply)
        if not isinstance(reading, Invalid):
            if judgement is not None:
                self._compare(reading, judged_reading(judgement, case.put))
            return reading
        if not judgeable(reply, reading):
            return reading
        failure = self._stored.failures.get(place)
        if judgement is None:
            self._counts["open"] += failure is None
            self._counts["failed"] += failure is not None
            return reading if failure is None else Invalid("judge_failed", f"{RULE}{failure.reason}")
        found = judged_reading(judgement, case.put)
        self._counts["unread" if isinstance(found, Invalid) else "judged"] += 1
        return found

    def _compare(self, own: Reading, judged: Reading) -> None:
        self._counts["sample"] += 1
        if isinstance(judged, Invalid):
            self._counts["sample unread"] += 1
        elif isinstance(own, Answered) and isinstance(judged, Answered):
            self._counts["agree"] += own.text == judged.text
        else:
            self._counts["agree"] += isinstance(own, Abstained) and isinstance(judged, Abstained)

    def notes(self, name: str) -> Iterator[str]:
        """The judge's share, and how far it agrees with the reader, in words.

        Raises:
            LogError: a judgement on a reply that the log does not have.
        """
        if self._left:
            view, repeat = min(self._left)
            raise LogError(
                "judgements on replies of this run", f"one for view={view} repeat={repeat}, which has none",
                where=str(self._path), fix="remove the line that does not belong, or the file, and judge again",
            )  # fmt: skip
        counts, judge = self._counts, self._stored.judge
        share = 100 * counts["judged"] / counts["replies"] if counts["replies"] else 0.0
        yield (
            f"JUDGED {name}: {counts['judged']} of {counts['replies']} replies ({share:.1f} %) were read by the judge"
            f" {judge.model} (prompt {judge.prompt.name} {judge.prompt.sha256[:12]}); it left {counts['unread']}"
            f" unread and failed on {counts['failed']}, which stay unread."
        )
        if counts["open"]:
            yield (
                f"JUDGED {name}: {counts['open']} unread replies have no judgement yet and stay unread: repeat"
                " 'answerable judge' to put them to the judge."
            )
        if counts["sample"]:
            read = counts["sample"] - counts["sample unread"]
            yield (
                f"JUDGED {name}: on a sample of {counts['sample']} replies that the reader {self._reader.name} reads,"
                f" the judge says the same for {counts['agree']} of the {read} it reads"
                f" ({counts['sample unread']} unread)."
            )
