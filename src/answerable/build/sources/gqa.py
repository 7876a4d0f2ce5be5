"""Questions of GQA with their programs and scene graphs, as questions whose answers rest on boxes.

An answer rests on every object that a step of its program names (selects, relates to, verifies or chooses a relation
of). Other objects that words of the question or the answer mean, by the file's ``annotations``, stay in sight in S.
The program is run on the scene graph where the graph says enough; where it then gives another answer than the file,
the question is refused.
"""

from __future__ import annotations

import re
from pathlib import Path

import msgspec

from answerable.build.sources.gqa_files import Entries
from answerable.build.sources.mcq import MAX_TEXT, folded
from answerable.core.codec import decode
from answerable.core.records import Refusal
from answerable.domains.photo.asked import Asked
from answerable.domains.photo.execute import Vocabulary, check
from answerable.domains.photo.graph import Graph, Thing, plain
from answerable.domains.photo.planning import Edits
from answerable.domains.photo.program import Program, Written, read_program

#: Names of photos that are names of files, and of nothing else.
_PHOTO = re.compile(r"[A-Za-z0-9_-]{1,60}")
#: Kinds whose words are no attributes.
_NO_KINDS = ("", "rel", "name", "hposition", "vposition", "place", "location", "room", "weather", "scene")


class _Question(msgspec.Struct):
    question: str
    answer: str
    photo: str | int = msgspec.field(name="imageId")
    semantic: tuple[Written, ...]
    annotations: dict[str, dict[str, str]] = {}
    """Of question and answers: places of words, and ids of the objects that they mean."""

    def spoken(self) -> tuple[str, ...]:
        """Every object that a word means, once."""
        marks = (mark for words in self.annotations.values() for ids in words.values() for mark in ids.split(","))
        return tuple(dict.fromkeys(mark.strip() for mark in marks if mark.strip()))


class GqaSource:
    """Questions by id.

    Args:
        questions: files of questions; together they name every question once.
        graphs: files of scene graphs, likewise.

    Raises:
        SourceError: a file cannot be read.
    """

    name = "photo-gqa"
    licence = "CC-BY-4.0 (GQA); photos under their own terms (Visual Genome, COCO, Flickr)"

    def __init__(self, questions: tuple[Path, ...], graphs: tuple[Path, ...]) -> None:
        self._questions = Entries(questions, "questions")
        self._graphs = Entries(graphs, "scene graphs")
        self._vocabulary: Vocabulary | None = None
        self._answers: dict[tuple[str, str], set[str]] = {}

    def describe(self) -> tuple[str, ...]:
        """Lines for the ledger."""
        return (*self._questions.describe(), *self._graphs.describe())

    def ids(self) -> tuple[str, ...]:
        """Every question, in the order of the files."""
        return self._questions.names()

    def asked(self, id: str, *, checked: bool = True) -> Asked | Refusal:
        """A question, or why it cannot be used.

        Args:
            checked: whether to hold it against its scene graph and the other questions of the files.
        """
        if id not in self._questions:
            return Refusal(reason="no such question", detail=id[:60])
        found = self._read(id)
        if isinstance(found, Refusal):
            return found
        question, photo = found
        try:
            program = read_program(question.semantic)
        except ValueError as error:
            return Refusal(reason="the program is none", detail=f"{id}: {str(error)[:160]}")
        graph = self._graph(id, photo)
        if isinstance(graph, Refusal):
            return graph
        lacking = [each for each in program.ids if each not in graph.objects]
        if lacking:
            detail = f"{id}: {', '.join(lacking[:3])} on photo {photo}"
            return Refusal(reason="the scene graph lacks an object", detail=detail)
        asked = _asked(id, photo, question, program, graph)
        return self._checked(asked, program, graph) if checked else asked

    def audit(self, asked: Asked, edits: Edits) -> Edits | Refusal:
        """The edits as they are: boxes are all that GQA knows of an object's extent."""
        del asked
        return edits

    def _read(self, id: str) -> tuple[_Question, str] | Refusal:
        try:
            question = decode(self._questions[id], _Question)
        except (msgspec.DecodeError, UnicodeDecodeError) as error:
            return Refusal(reason="the question cannot be read", detail=f"{id[:60]}: {str(error)[:160]}")
        if not question.question.strip() or not question.answer.strip():
            return Refusal(reason="no question or no answer", detail=id[:60])
        if max(len(question.question), len(question.answer)) > MAX_TEXT:
            return Refusal(reason="text is too long", detail=id[:60])
        photo = str(question.photo)
        if not _PHOTO.fullmatch(photo):
            return Refusal(reason="the photo's name is no name", detail=f"{id[:60]}: {photo!r:.80}")
        return question, photo

    def _graph(self, id: str, photo: str) -> Graph | Refusal:
        if photo not in self._graphs:
            return Refusal(reason="no scene graph", detail=f"{id}: photo {photo}")
        try:
            return decode(self._graphs[photo], Graph)
        except (msgspec.DecodeError, UnicodeDecodeError) as error:
            return Refusal(reason="the scene graph cannot be read", detail=f"photo {photo}: {str(error)[:160]}")

    def _checked(self, asked: Asked, program: Program, graph: Graph) -> Asked | Refusal:
        if self._vocabulary is None:
            self._vocabulary = self._look_through()
        if len(self._answers[(asked.photo, folded(asked.question))]) > 1:
            return Refusal(reason="one question with two answers", detail=f"{asked.id}: photo {asked.photo}")
        if program.boolean != asked.boolean:
            detail = f"{asked.id}: {asked.answer[:40]!r} to a program of {program.family}"
            return Refusal(reason="the answer is of another type", detail=detail)
        verdict = check(program, graph, asked.answer, self._vocabulary)
        if verdict.checked == "contradicts":
            return Refusal(reason="the program gives another answer", detail=f"{asked.id}: {verdict.detail[:160]}")
        return msgspec.structs.replace(asked, checked=verdict.checked)

    def _look_through(self) -> Vocabulary:
        """The words that the programs of the files use for each kind of attribute, and every question's answers."""
        words: dict[str, set[str]] = {}
        for name in self._questions.names():
            found = self._read(name)
            if isinstance(found, Refusal):
                continue
            question, photo = found
            self._answers.setdefault((photo, folded(question.question)), set()).add(folded(question.answer))
            for step in question.semantic:
                word, _, kind = step.operation.partition(" ")
                if word in ("filter", "verify", "choose") and kind not in _NO_KINDS:
                    text = step.argument.removeprefix("not(").removesuffix(")")
                    words.setdefault(kind, set()).update(plain(each) for each in text.split("|") if each.strip())
                elif word == "query" and step.argument not in _NO_KINDS:
                    words.setdefault(step.argument, set()).add(plain(question.answer))
        return {kind: frozenset(found) for kind, found in sorted(words.items())}


def _asked(id: str, photo: str, question: _Question, program: Program, graph: Graph) -> Asked:
    needed = set(program.ids)
    things: tuple[Thing, ...] = tuple(graph.thing(each) for each in graph.objects if each not in needed)
    return Asked(
        id=id, photo=photo, file=f"{photo}.jpg", width=graph.width, height=graph.height,
        question=question.question.strip(), answer=question.answer.strip(),
        boolean=question.answer.strip().casefold() in ("yes", "no"),
        needed=tuple(graph.thing(each) for each in program.ids), others=things,
        spoken=tuple(mark for mark in question.spoken() if mark not in needed), names=program.names,
        family=program.family, depth=program.depth, checked="not executable",
    )  # fmt: skip
