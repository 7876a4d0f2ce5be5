"""Other words for a question: which are kept, and why others are not.

Rewordings come from a file that ``answerable rephrase`` wrote, or from a sheet that people wrote. Whoever wrote them,
every rule below is held against each: a rewording that drops a name or gives the answer away asks something else, and
a model that answers it otherwise would be called inconsistent for it. The rules look at words and understand nothing,
so they refuse too much rather than too little; a judge of meanings, where there is one, has the last word.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Literal

import msgspec

from answerable.build.authoring.sheets import read_rows
from answerable.build.importers.items import Folder
from answerable.build.sources.mcq import folded
from answerable.core.codec import digest_bytes
from answerable.core.errors import SettingsError, SourceError
from answerable.core.records import Answer, Record
from answerable.core.rewordings import COUNT, meaning_of, read_said, wordings_of

#: A rewording is longer than so many characters, or than so many times its question, for no good reason.
LONGEST, TIMES = 1000, 3
#: Words that a question must have more of than this to be reworded, in the paper (MM-R3, section 3.1).
PAPER_WORDS = 10

#: Why a rewording is not kept, in the order in which they are looked for.
REASONS = (
    "no rewordings in the reply", "nothing", "two lines", "too long", "too short", "the original again", "twice",
    "no question", "asks for another kind of answer", "answers the question", "changes a number", "drops a name",
    "adds a name", "a judge finds another meaning", "no verdict on the meaning", "more than asked for",
)  # fmt: skip
Kind = Literal["yes or no", "a count", "other"]

_NUMBER = re.compile(r"\d+(?:[.,:/]\d+)*")
#: From two on: "one" is more often no number.
_COUNTED = (
    "two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen "
    "nineteen twenty"
)
_WORD_NUMBERS = {word: str(value) for value, word in enumerate(_COUNTED.split(), start=2)}
_OPENING, _CLOSING = '\u201c\u201e\u00ab\u300c"', '\u201d\u201c\u00bb\u300d"'
_QUOTED = re.compile(f"[{_OPENING}]([^{_OPENING}{_CLOSING}]{{1,200}})[{_CLOSING}]")
_TOKEN = re.compile(r"[^\W_]+(?:['\u2019.&/-][^\W_]+)*")
_SENTENCE = re.compile('(?:^|[.!?:\u3002\uff1f]\\s*)["\u201c(\u00bf\u00a1\u00ab]*$')
_HELPING = (
    "is are was were am do does did can could has have had will would shall should may might must isn't aren't doesn't "
    "don't didn't"
)
_AUXILIARY = frozenset(_HELPING.split())
_OPEN = re.compile(r"\b(?:what|which|who|whose|how|where|when|why)\b")
_COUNTING = re.compile(r"\bhow many\b|\b(?:number|count|total) of\b|\bcount the\b|\bcount all\b")
#: How demands begin that ask without a question mark.
_DEMANDING = (
    "name tell say state identify give describe count find determine read take look consider please decide list report "
    "specify indicate explain choose pick compute calculate if at in on for of from looking based according considering"
)
_DEMANDS = frozenset(_DEMANDING.split())
_GIVES = re.compile(r"\b(?:the (?:correct |right )?answer (?:is|would be|to this)|answer:)", re.IGNORECASE)
_YES_NO = re.compile(r"\s*(?:yes|no)\b\s*[,.!:;\u2013\u2014-]", re.IGNORECASE)
#: Of the words that begin a sentence, these are no names.
_NO_NAMES = frozenset({"i", "i'm", "i'd"})


class Rewording(Record, frozen=True):
    """One rewording, as it was found."""

    text: str
    by: str
    """Who wrote it: ``MODEL``, or what the sheet says."""
    meaning: Literal["", "kept", "changed", "unread"] = ""
    """What a judge says; empty without one."""


class Rewordings(msgspec.Struct, frozen=True):
    """What files give, by question."""

    found: Mapping[str, tuple[Rewording, ...]]
    unread: frozenset[str]
    """Questions whose reply gives no rewordings."""
    notes: tuple[str, ...]
    """Lines for the ledger: files with digests, and who was asked."""


class Rephrasing(Record, frozen=True):
    """Which questions are reworded, and how many rewordings make a group."""

    own: bool = False
    """Whether charts, tables and code are asked in the other words of their own templates."""
    words: int = PAPER_WORDS
    """A question from a file's rewordings has more words than this."""
    least: int = 2
    """Rewordings that must be kept; two can be compared."""
    most: int = COUNT

    def check(self) -> None:
        """Refuse what cannot be met.

        Raises:
            SettingsError: naming the flag.
        """
        if self.words < 0:
            raise SettingsError("a number of at least 0", f"words={self.words}", where="--over-words")
        if not 1 <= self.least <= self.most <= 16:
            got = f"at least {self.least}, at most {self.most}"
            raise SettingsError("1 to 16 rewordings, not more at least than at most", got, where="--wordings")


def words_in(text: str) -> int:
    """How many words a text has."""
    return len(text.split())


def read_rewordings(path: Path, meaning: Path | None = None) -> Rewordings:
    """Read what a model or people wrote.

    Args:
        path: a ``.jsonl`` of ``answerable rephrase``; or a sheet with the columns question, wording and, if you like,
            by, a rewording a row.
        meaning: what a judge said of them, written by ``answerable rephrase --check``.

    Raises:
        SourceError: nothing is there, or a sheet cannot be read.
        LogError: a file of ours is damaged, or is for another task.
    """
    if path.suffix.lower() != ".jsonl":
        found, notes = _from_sheet(path)
        unread: frozenset[str] = frozenset()
    else:
        found, unread, notes = _from_log(path)
    if meaning is not None:
        found, judge = _judged(found, meaning)
        notes = (*notes, judge)
    return Rewordings({question: tuple(each) for question, each in found.items()}, unread, notes)


def _from_log(path: Path) -> tuple[dict[str, list[Rewording]], frozenset[str], tuple[str, ...]]:
    stored = read_said(path, "reword")
    if stored is None:
        raise SourceError("a file of rewordings", f"{path}, which is not there or empty", where="--rephrase")
    found: dict[str, list[Rewording]] = {}
    unread = set()
    for (question, _), said in stored.said.items():
        texts = wordings_of(said)
        if texts is None:
            unread.add(question)
        found[question] = [Rewording(text.strip(), stored.asked.model) for text in texts or ()]
    asked = stored.asked
    by = f"by {asked.model}, prompt {asked.prompt.name} {asked.prompt.sha256[:16]}"
    line = f"rewordings: {path.name} sha256={digest_bytes(path.read_bytes())}, {by}"
    return found, frozenset(unread), (f"{line}, replies that give none: {len(unread)}",)


def _from_sheet(path: Path) -> tuple[dict[str, list[Rewording]], tuple[str, ...]]:
    if not path.is_file():
        raise SourceError("a file of rewordings", f"{path}, which is not there", where="--rephrase")
    beside = Folder(path.parent)
    found: dict[str, list[Rewording]] = {}
    for row in read_rows(beside, path.name, ("question", "wording"), ("by",)):
        question = row.cells.get("question", "")
        if not question:
            raise SourceError("a question in every row", "an empty one", where=f"{path}, row {row.number}")
        by = row.cells.get("by", "")[:80] or "hand"
        found.setdefault(question, []).append(Rewording(row.cells.get("wording", ""), by))
    return found, tuple(f"rewordings: {line}" for line in beside.describe())


def _judged(found: dict[str, list[Rewording]], path: Path) -> tuple[dict[str, list[Rewording]], str]:
    stored = read_said(path, "meaning")
    if stored is None:
        raise SourceError("what a judge said", f"{path}, which is not there or empty", where="--meaning")

    def with_verdict(question: str, one: Rewording) -> Rewording:
        said = stored.said.get((question, one.text))
        verdict = None if said is None else meaning_of(said)
        told: Literal["kept", "changed", "unread"] = "unread" if verdict is None else "kept" if verdict else "changed"
        return msgspec.structs.replace(one, meaning=told)

    judged = {question: [with_verdict(question, one) for one in each] for question, each in found.items()}
    model, mark = stored.asked.model, digest_bytes(path.read_bytes())
    return judged, f"meanings: {path.name} sha256={mark}, by {model}, {len(stored.said)} verdicts"


class Kept(msgspec.Struct, frozen=True):
    """Rewordings of one question."""

    kept: tuple[Rewording, ...]
    refused: tuple[tuple[str, str], ...]
    """Reason and beginning of each that is not kept."""


def keep(question: str, found: Iterable[Rewording], duty: Answer | None, answers: Iterable[str], most: int) -> Kept:
    """The rewordings that pass every rule, at most ``most``.

    Args:
        question: as it is asked.
        duty: the answer that is due; None where the question has none.
        answers: texts that would give the answer away, such as an option's.
    """
    texts = tuple(answers)
    seen = {folded(question).rstrip("?!. ")}
    kept: list[Rewording] = []
    refused: list[tuple[str, str]] = []
    for one in found:
        why = problem(question, one.text, duty, texts)
        same = folded(one.text).rstrip("?!. ")
        if not why and same in seen:
            why = "twice" if kept and same != folded(question).rstrip("?!. ") else "the original again"
        if not why and one.meaning in ("changed", "unread"):
            why = "a judge finds another meaning" if one.meaning == "changed" else "no verdict on the meaning"
        if not why and len(kept) >= most:
            why = "more than asked for"
        if why:
            refused.append((why, one.text[:80]))
            continue
        seen.add(same)
        kept.append(msgspec.structs.replace(one, text=one.text.strip()))
    return Kept(tuple(kept), tuple(refused))


def problem(question: str, wording: str, duty: Answer | None = None, answers: Iterable[str] = ()) -> str:
    """Why a rewording is not kept, one of ``REASONS``; empty when it may be."""
    text = wording.strip()
    rules = (*_form(question, text),) or _content(question, text, duty, tuple(answers))
    return next(iter(rules), "")


def _form(question: str, text: str) -> Iterator[str]:
    """What is wrong with a rewording as a line of text."""
    if not text:
        yield "nothing"
    elif len(text.splitlines()) > 1 or not text.isprintable():
        yield "two lines"
    elif len(text) > min(LONGEST, TIMES * len(question) + 40):
        yield "too long"
    elif words_in(text) < min(3, words_in(question)):
        yield "too short"


def _content(question: str, text: str, duty: Answer | None, answers: tuple[str, ...]) -> Iterator[str]:
    """What is wrong with a line as a rewording."""
    if question.rstrip().endswith(("?", "\uff1f")) and not _asks(text):
        yield "no question"
    if not _same_kind(kind_of(question), kind_of(text), duty):
        yield "asks for another kind of answer"
    if _gives_away(question, text, duty, answers):
        yield "answers the question"
    if _numbers(question) != _numbers(text):
        yield "changes a number"
    if not all(_stands_in(name, text) for name in _names(question)):
        yield "drops a name"
    if not all(_stands_in(name, question) for name in _names(text)):
        yield "adds a name"


def kind_of(question: str) -> Kind:
    """What a question asks for, by its words; ``other`` wherever they do not say, as in any language but English."""
    low = question.casefold().strip()
    # The last sentence that asks: "Look at the sign. Is it red?"
    asking = [part for part in re.split(r"(?<=[.?!:])\s+", low) if part.endswith("?")]
    for sentence in (*asking[-1:], low):
        heads = {_first(part) for part in (sentence, *sentence.split(",")[1:])}
        if heads & _AUXILIARY and not _OPEN.search(sentence):
            either = " or " in sentence and "or not" not in sentence
            return "other" if either else "yes or no"
    if re.search(r"\bwhether\b", low):
        return "yes or no"
    return "a count" if _COUNTING.search(low) else "other"


def _first(text: str) -> str:
    found = _TOKEN.search(text)
    return found[0].replace("\u2019", "'") if found else ""


def _asks(text: str) -> bool:
    return text.endswith(("?", "\uff1f")) or _first(text.casefold()) in _DEMANDS or "? " in text


def _same_kind(mine: Kind, theirs: Kind, duty: Answer | None) -> bool:
    if duty is not None and duty.type in ("number", "integer"):
        # "What is the value ..." and "How much ...": both are answered with the number.
        return theirs != "yes or no"
    return mine == theirs


def _gives_away(question: str, text: str, duty: Answer | None, answers: Iterable[str]) -> bool:
    if _GIVES.search(text) and not _GIVES.search(question):
        return True
    if _YES_NO.match(text):
        return True
    told = [duty.target, *answers] if duty is not None else list(answers)
    for answer in told:
        plain = folded(answer)
        # "no" and "A" stand in many questions and give nothing away.
        if len(plain) < 2 or plain in ("yes", "no", "true", "false"):
            continue
        if _stands_in(answer, text) and not _stands_in(answer, question):
            return True
    return False


def _numbers(text: str) -> set[str]:
    found = {each.replace(",", "") for each in _NUMBER.findall(text)}
    return found | {_WORD_NUMBERS[word] for word in re.findall(r"[a-z]+", text.casefold()) if word in _WORD_NUMBERS}


def _names(text: str) -> set[str]:
    """What stands in quotation marks, and words with a capital letter that begin no sentence."""
    quoted = {each.strip() for each in _QUOTED.findall(text) if each.strip()}
    found = set()
    for match in _TOKEN.finditer(text):
        word = match[0]
        inside = any(letter.isupper() for letter in word[1:])
        starts = _SENTENCE.search(text, max(0, match.start() - 12), match.start()) is not None
        if word.casefold() not in _NO_NAMES and (inside or (word[0].isupper() and not starts)):
            found.add(re.sub(r"['\u2019]s$", "", word))
    return quoted | found


def _stands_in(words: str, text: str) -> bool:
    """Whether words stand in a text, case and white space ignored, and are no part of longer words."""
    return re.search(rf"(?<!\w){re.escape(folded(words))}(?!\w)", folded(text)) is not None


def tally(refused: Iterable[tuple[str, str]]) -> str:
    """``answers the question 2, changes a number 1``, in the order of the rules; ``none``."""
    counts = Counter(reason for reason, _ in refused)
    return ", ".join(f"{reason} {counts[reason]}" for reason in REASONS if counts[reason]) or "none"
