"""Where questions to vary come from: a benchmark, a sheet of questions on a folder of pictures, COCO's photos."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from itertools import groupby
from pathlib import Path
from typing import Protocol

import msgspec

from answerable.build.asking import FREE
from answerable.build.assembly import split_of
from answerable.build.authoring.sheets import Row, read_rows
from answerable.build.importers.items import Folder, worded
from answerable.build.importers.writing import UNSTATED
from answerable.build.photo_benchmarks import check_photos
from answerable.build.sources.coco import Instances
from answerable.build.sources.mcq import UnusableError, folded, refused
from answerable.build.variations.occlude import Candidate, Occluding
from answerable.build.variations.own_words import asks_the_same, own_wordings
from answerable.build.variations.rephrase import Rephrasing, Rewording, Rewordings, keep, tally, words_in
from answerable.build.variations.things import (
    DESCRIBE,
    LARGEST,
    OTHER_WORDS,
    SCENES,
    HiddenWork,
    LookedWork,
    Photo,
    photos_of,
    read_captions,
)
from answerable.build.variations.vary import Asked, Looks, Stored, Words, due_of
from answerable.core.benchmark import Benchmark, ProofRecord
from answerable.core.codec import decode
from answerable.core.consistency import VARIATIONS
from answerable.core.errors import BenchmarkError, ProofError, SettingsError, SourceError
from answerable.core.records import Answer, Group, Refusal, View
from answerable.core.seeds import Stream

Work = Stored | Asked | HiddenWork | LookedWork


class Manners(msgspec.Struct, frozen=True):
    """How the questions are put, as the manifest says it."""

    prompt: str = FREE.prompt
    reader: str = FREE.reader
    metrics: tuple[str, ...] = FREE.metrics
    licence: str = UNSTATED


class VarySource(Protocol):
    """Questions to vary."""

    name: str
    manners: Manners

    def count(self) -> int:
        """How many groups there are at most."""
        ...

    def describe(self) -> tuple[str, ...]:
        """Lines for the ledger, known before anything is made."""
        ...

    def jobs(self) -> Iterator[Task | Refusal]:
        """What is to be made, in a fixed order."""
        ...


class Told(msgspec.Struct, frozen=True):
    """What became of the words of one question."""

    outcome: str
    """In few words, counted in the ledger."""
    kept: int = 0
    """Rewordings from files."""
    refused: tuple[tuple[str, str], ...] = ()
    """Reason and beginning of each of the others."""


class Task(msgspec.Struct, frozen=True):
    """One group to make, with what was found out before."""

    figure: str
    work: Work
    told: tuple[Told, ...] = ()


class Wording:
    """Finds other words for questions.

    Args:
        rephrasing: None: questions stay as they are.
        files: what files give.
    """

    def __init__(self, rephrasing: Rephrasing | None, files: Iterable[Rewordings] = ()) -> None:
        self._settings, self._files = rephrasing, tuple(files)
        self.wanted = rephrasing is not None
        """Whether questions are reworded at all."""
        self.owns = rephrasing is not None and rephrasing.own
        """Whether words of ours are wanted."""

    def of(
        self, question: str, duty: Answer | None, answers: Iterable[str] = (), own: Iterable[Words] = (),
        proof: ProofRecord | None = None,
    ) -> tuple[tuple[Words, ...], tuple[Told, ...]]:  # fmt: skip
        """Other words for a question, none where too few are kept; and what became of them.

        Args:
            duty: the answer that is due.
            answers: texts that would give it away.
            own: words of ours, which need no rule and go before those of files.
            proof: of the question, whose domain may know that words ask for the same.
        """
        settings = self._settings
        if settings is None:
            return (), ()
        ours = tuple(own)[: settings.most] if self.owns else ()
        if len(ours) >= settings.least:
            return ours, (Told("reworded by templates of ours"),)
        if not self._files:
            return (), (Told("without enough other words of ours"),)
        return self._from_files(question, duty, tuple(answers), settings, proof)

    def _from_files(
        self, question: str, duty: Answer | None, answers: tuple[str, ...], settings: Rephrasing,
        proof: ProofRecord | None,
    ) -> tuple[tuple[Words, ...], tuple[Told, ...]]:  # fmt: skip
        given = [one for file in self._files for one in file.found.get(question, ())]
        unread = any(question in file.unread for file in self._files)
        refused = (("no rewordings in the reply", question[:80]),) if unread else ()
        if not given:
            return (), (Told("without rewordings in the files", 0, refused),)
        if words_in(question) <= settings.words:
            return (), (Told(f"too short: {settings.words} words or fewer"),)
        kept = keep(question, given, duty, answers, settings.most)
        told = (*refused, *kept.refused)
        if len(kept.kept) < settings.least:
            return (), (Told(f"fewer than {settings.least} rewordings kept", len(kept.kept), told),)
        words = tuple(_words_of(one, proof) for one in kept.kept)
        return words, (Told("reworded from files", len(words), told),)

    def notes(self, told: Iterable[Told]) -> tuple[str, ...]:
        """Lines for the ledger.

        Args:
            told: of every question that was looked at.
        """
        if self._settings is None:
            return ()
        every = tuple(told)
        counts = Counter(one.outcome for one in every)
        lines = [line for file in self._files for line in file.notes]
        lines.append("questions, by their other words: " + _listed(counts))
        if self._files:
            refused = [one for each in every for one in each.refused]
            lines.append(f"rewordings in files: kept {sum(one.kept for one in every)}; refused: {tally(refused)}")
            lines += [f"refused, for example: {reason}: {text!r}" for reason, text in _firsts(refused)]
        return tuple(lines)


def _words_of(one: Rewording, proof: ProofRecord | None) -> Words:
    understood = proof is not None and asks_the_same(proof, one.text)
    said = [f"by {one.by}; names, numbers and form kept"]
    if one.meaning == "kept":
        said.append("a judge finds the same meaning")
    if understood:
        said.append("the domain's checker reads the same program")
    return Words(one.text, ", ".join(said), understood)


def _listed(counts: Mapping[str, int]) -> str:
    return ", ".join(f"{name} {count}" for name, count in sorted(counts.items())) or "none"


def _firsts(refused: Iterable[tuple[str, str]]) -> list[tuple[str, str]]:
    found: dict[str, str] = {}
    for reason, text in refused:
        found.setdefault(reason, text)
    return sorted(found.items())


class BenchSource:
    """The groups of a benchmark, each with its variants.

    Args:
        states: only views in these; empty for all.
        occluding: hides a thing of each scene; None hides none.
        seed: of the things and their masks.

    Raises:
        BenchmarkError: it has variants already.
        FingerprintError: it was edited.
    """

    name = "benchmark"

    def __init__(
        self,
        path: Path,
        wording: Wording,
        looks: Looks,
        states: tuple[str, ...] = (),
        *,
        occluding: Occluding | None = None,
        seed: int = 0,
    ) -> None:
        self._bench, self._wording, self._looks, self._states = Benchmark(path), wording, looks, states
        self._occluding, self._seed = occluding, seed
        self._asks = bool(looks.styles) or wording.wanted or occluding is None
        manifest = self._bench.manifest
        self._named = f"{manifest.name} ({manifest.fingerprint[:16]})"
        self.manners = Manners(manifest.prompt, manifest.reader, manifest.metrics, manifest.licence)
        self._bench.verify(self._check)
        self._left = 0

    def _check(self, _path: Path, _row: int, view: View, _image: bytes) -> None:
        if view.topic in VARIATIONS:
            raise BenchmarkError(
                "a benchmark whose views vary nothing", f"view {view.id} varies {view.topic}",
                where=str(self._bench.path), fix="vary the benchmark that it was made from",
            )  # fmt: skip

    def count(self) -> int:
        """Its groups, and their scenes once more where a thing is hidden."""
        return self._bench.manifest.groups * (self._asks + (self._occluding is not None))

    def describe(self) -> tuple[str, ...]:
        """The benchmark."""
        made = self._bench.manifest
        return (f"questions of {made.name}, fingerprint {made.fingerprint}",)

    def jobs(self) -> Iterator[Task | Refusal]:
        """Group after group, as stored; options are left in their first order."""
        proofs = self._bench.proof_places()
        rows = self._bench.views_with_images()
        for name, members in groupby(rows, key=lambda row: row[0].group):
            every = list(members)
            place = proofs.get(name)
            proof = place.read() if place is not None else None
            if self._occluding is not None:
                yield _hidden(every[0], proof, self._occluding, self._seed)
            if not self._asks:
                continue
            shown = [(view, image) for view, image in every if self._wanted(view)]
            if not shown:
                yield Refusal("no view to vary", f"group {name}")
                continue
            views = tuple(view for view, _ in shown)
            group = Group(name, views[0].source, views[0].split, views)
            words, told = self._words(views, proof)
            images = tuple(image for _, image in shown)
            yield Task(views[0].figure, Stored(group, images, words, self._looks, self._named, proof), told)

    def _wanted(self, view: View) -> bool:
        return view.rotation == 0 and (not self._states or view.state in self._states)

    def _words(
        self, views: tuple[View, ...], proof: ProofRecord | None
    ) -> tuple[dict[str, tuple[Words, ...]], tuple[Told, ...]]:
        note = "our own template's: the domain's checker reads the same program"
        listed = own_wordings(proof) if proof is not None and self._wording.owns else ()
        own = [Words(text, note, understood=True) for text in listed]
        made: dict[str, tuple[Words, ...]] = {}
        told: list[Told] = []
        for view in views:
            if view.question in made:
                continue
            # Any view with an answer of this question's says what a rewording must not give away.
            duties = [one.obligation for one in views if one.question == view.question]
            duty = next((one for one in duties if isinstance(one, Answer)), None)
            away = [option.text for option in view.options if duty is not None and option.letter == duty.target]
            away += [one.target for one in duties if isinstance(one, Answer)]
            made[view.question], more = self._wording.of(view.question, duty, away, own, proof)
            told += more
        return made, tuple(told)


def _hidden(
    first: tuple[View, bytes], proof: ProofRecord | None, occluding: Occluding, seed: int
) -> Task | Refusal:  # fmt: skip
    """The picture of F with a thing of its world hidden; only scenes have outlines."""
    view, image = first
    if proof is None or proof.domain != "scene" or view.state != "F":
        return Refusal("nothing is outlined", f"group {view.group}: only proved scenes say where their things are")
    from answerable.domains.scene.outlines import outlines
    from answerable.domains.scene.proof import SceneProof

    try:
        scene = decode(bytes(proof.body), SceneProof).worlds["F"]
    except (msgspec.MsgspecError, ValueError) as error:
        raise ProofError("a scene proof", str(error)[:160], where=f"group {proof.group}") from error
    things = tuple(
        Candidate(str(number), thing.shape, *found)
        for number, (thing, found) in enumerate(zip(scene.things, outlines(scene), strict=True))
        if found is not None
    )
    photo = Photo("", view.figure, view.width, view.height, things, view.split, seed, SCENES, image)
    return Task(view.figure, HiddenWork(photo, occluding))


class SheetSource:
    """Rows of a sheet: image, question, answer and, if you like, type (text, number or boolean) and id.

    Raises:
        SourceError: the folder or the sheet cannot be read.
    """

    name = "questions"

    def __init__(self, sheet: Path, images: Path, wording: Wording, looks: Looks, *, train: int, seed: int) -> None:
        check_photos(images)
        if not sheet.is_file():
            raise SourceError("a sheet of questions", f"{sheet}, which is not there", where="--questions")
        beside = Folder(sheet.parent)
        self._rows = read_rows(beside, sheet.name, ("image", "question", "answer"), ("type", "id"))
        self._lines = tuple(f"sheet: {line}" for line in beside.describe())
        self._images, self._wording, self._looks, self._train, self._seed = images, wording, looks, train, seed
        self.manners = Manners()

    def count(self) -> int:
        """Its rows."""
        return len(self._rows)

    def describe(self) -> tuple[str, ...]:
        """The sheet."""
        return self._lines

    def jobs(self) -> Iterator[Task | Refusal]:
        """A question a row, in the order of the sheet."""
        names = Counter(row.cells.get("id", "") for row in self._rows)
        answers: dict[tuple[str, str], set[str]] = {}
        for row in self._rows:
            mark = (row.cells.get("image", ""), folded(row.cells.get("question", "")))
            answers.setdefault(mark, set()).add(folded(row.cells.get("answer", "")))
        seen: set[tuple[str, str]] = set()
        for row in self._rows:
            name = row.cells.get("id", "")[:200] or f"row {row.number}"
            try:
                if names[row.cells.get("id", "")] > 1 and row.cells.get("id"):
                    raise UnusableError("the id is there twice", repr(name[:60]))
                mark = (row.cells.get("image", ""), folded(row.cells.get("question", "")))
                if len(answers[mark]) > 1:
                    raise UnusableError("one question with two answers", repr(mark[1][:60]))
                if mark in seen:
                    raise UnusableError("the question is there twice", repr(mark[1][:60]))
                seen.add(mark)
                yield self._asked(name, row)
            except UnusableError as error:
                yield refused(f"row {row.number}", error)

    def _asked(self, name: str, row: Row) -> Task:
        file = worded(row.cells.get("image"), "image")
        question, due = worded(row.cells.get("question"), "question"), due_of(row)
        split = split_of(file, self._seed, 100 - self._train, self._train)
        words, told = self._wording.of(question, due)
        note = f"{name}: the answer is the sheet's"
        work = Asked(
            self.name, name, split, str(self._images), file, question, due, "annotated", note, words, self._looks
        )
        return Task(file, work, told)


class CocoSource:
    """COCO's photos, in an order drawn by the seed: one thing hidden, and a question of ours in other words and styles.

    Args:
        occluding: None hides nothing.
        captions: COCO's captions, which then are described; None asks for the largest kind of thing.

    Raises:
        SourceError: the folder or a file cannot be read.
    """

    name = "coco"

    def __init__(
        self,
        instances: Path,
        images: Path,
        wording: Wording,
        looks: Looks,
        *,
        occluding: Occluding | None,
        captions: Path | None,
        asks: bool,
        train: int,
        seed: int,
    ) -> None:
        check_photos(images)
        self._instances, self._images = Instances(instances), images
        self._captions, line = ({}, "") if captions is None else read_captions(captions, self._instances)
        self._lines = tuple(filter(None, (self._instances.describe(), line)))
        self._described = captions is not None
        self._wording, self._looks, self._occluding, self._asks = wording, looks, occluding, asks
        self._train, self._seed = train, seed
        licence = "CC-BY-4.0 (annotations of COCO); questions unstated; photos under their own terms (Flickr)"
        self.manners = Manners(licence=licence)

    def count(self) -> int:
        """Photos, for each kind of question."""
        return len(self._instances.files) * (bool(self._occluding) + self._asks)

    def describe(self) -> tuple[str, ...]:
        """The files."""
        return self._lines

    def jobs(self) -> Iterator[Task | Refusal]:
        """Photo after photo."""
        order = sorted(self._instances.files)
        Stream("variation-order", self._seed).shuffle(order)
        splits = {file: split_of(file, self._seed, 100 - self._train, self._train) for file in order}
        question = DESCRIBE if self._described else LARGEST
        for photo in photos_of(self._instances, self._images, splits, order, self._seed):
            if isinstance(photo, Refusal):
                yield photo
                continue
            if self._occluding is not None:
                yield Task(photo.file, HiddenWork(photo, self._occluding))
            if not self._asks:
                continue
            caption = self._captions.get(photo.file, "")
            if self._described and not caption:
                yield Refusal("no reference answer", f"{photo.file[:60]}: no caption to hold a description against")
                continue
            duty = Answer(caption, "text") if caption else None
            own = [Words(text, "ours, written together with the question") for text in OTHER_WORDS[question]]
            words, told = self._wording.of(question, duty, (), own)
            yield Task(photo.file, LookedWork(photo, caption, words, self._looks), told)


def check_train(train: int) -> None:
    """Refuse a share of training photos that is none.

    Raises:
        SettingsError: naming the flag.
    """
    if not 0 <= train <= 99:
        raise SettingsError("0 to 99 per cent of the pictures", f"{train}", where="--train-percent")
