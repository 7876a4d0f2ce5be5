"""Scenes and questions of CLEVR: a file of scenes, and a file of questions about them.

A file that is not what the format says is an error. A scene or a question that reads well but cannot be used becomes
a refusal: relationships that are not those of the coordinates, objects that overlap or are off the picture, a question
without a scene or program, a program that gives another answer than the file.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import TypeVar

import msgspec

from answerable.build.sources.mcq import no_duplicates, read_bytes
from answerable.core.codec import decode, digest_bytes
from answerable.core.errors import SourceError
from answerable.core.records import Record, Refusal
from answerable.domains.scene import objects, relational
from answerable.domains.scene.official import Published, PublishedQuestion, disagreements, read_question, read_scene
from answerable.domains.scene.outcomes import answer_of
from answerable.domains.scene.program import Program
from answerable.domains.scene.world import Scene, placement_faults

VERSION = "1.0"
T = TypeVar("T")


class Info(Record, frozen=True):
    """What a file says of itself."""

    split: str
    license: str
    version: str
    date: str


class _File(msgspec.Struct, forbid_unknown_fields=True):
    info: Info
    scenes: tuple[msgspec.Raw, ...]


class _Questions(msgspec.Struct, forbid_unknown_fields=True):
    questions: tuple[msgspec.Raw, ...]
    info: Info | None = None


class ClevrFigure(Record, frozen=True):
    """A scene and a question about it whose answer both executors give."""

    id: str
    scene: Scene
    filename: str
    """Of the published picture."""
    split: str
    """As the file says."""
    wording: str
    """The question as published."""
    program: Program
    answer: str


def read_scenes(path: Path) -> tuple[Info, tuple[Published, ...]]:
    """The scenes of a file, in its order.

    Raises:
        SourceError: the file, or a scene of it, is not what the format says.
    """
    found = _decoded(path, read_bytes(path), _File, "a file of scenes: an object with info and scenes")
    _check_version(found.info, path)
    scenes = tuple(read_scene(raw, f"{path.name}: scenes[{place}]") for place, raw in enumerate(found.scenes))
    no_duplicates([scene.filename for scene in scenes], path)
    return found.info, scenes


def read_questions(path: Path) -> tuple[PublishedQuestion, ...]:
    """The questions of a file, in its order: an object with ``questions``, or a bare list of them.

    Raises:
        SourceError: the file, or a question of it, is not what the format says.
    """
    data = read_bytes(path)
    if data.lstrip(b" \t\r\n\xef\xbb\xbf").startswith(b"["):
        raws = _decoded(path, data, tuple[msgspec.Raw, ...], "a list of questions")
    else:
        found = _decoded(path, data, _Questions, "a file of questions: an object with questions")
        if found.info is not None:
            _check_version(found.info, path)
        raws = found.questions
    return tuple(read_question(raw, f"{path.name}: questions[{place}]") for place, raw in enumerate(raws))


def _decoded(path: Path, data: bytes, kind: type[T], what: str) -> T:
    try:
        return decode(data.removeprefix(b"\xef\xbb\xbf"), kind)
    except (msgspec.DecodeError, UnicodeDecodeError) as error:
        raise SourceError(what, str(error)[:300], where=str(path)) from error


def _check_version(info: Info, path: Path) -> None:
    if info.version != VERSION:
        raise SourceError(
            f"version {VERSION} of CLEVR's files", f"version={info.version!r:.40}", where=f"{path}: info",
            fix="other versions may use other words, so nothing of them is guessed",
        )  # fmt: skip


class ClevrSource:
    """The questions of a file with their scenes, in the order of the file."""

    name = "scene-clevr"
    licence = "CC-BY-4.0 (CLEVR v1.0); check the files' own"

    def __init__(self, scenes: Path, questions: Path) -> None:
        self._scenes, self._questions = scenes, questions

    def describe(self) -> tuple[str, ...]:
        """Lines for the ledger: files with digests, and what was read how."""
        return (
            *(f"{path.name} sha256={digest_bytes(read_bytes(path))}" for path in (self._scenes, self._questions)),
            "a question is kept where both executors give the answer that is stated",
        )

    def figures(self) -> Iterator[ClevrFigure | Refusal]:
        """Questions in a fixed order; a refusal for each that cannot be used."""
        _, scenes = read_scenes(self._scenes)
        found = {scene.filename: scene for scene in scenes}
        problems: dict[str, Refusal | None] = {}
        for place, question in enumerate(read_questions(self._questions)):
            name = f"{question.filename}#{place}"
            scene = found.get(question.filename)
            if scene is None:
                yield Refusal(reason="no scene", detail=f"{name}: the file of scenes has no such picture")
                continue
            if scene.filename not in problems:
                problems[scene.filename] = scene_problem(scene)
            yield problems[scene.filename] or _figure(name, scene, question)


def scene_problem(found: Published) -> Refusal | None:
    """Why a scene cannot be used; None when it can."""
    wrong = disagreements(found)
    if wrong:
        return Refusal(reason="relationships disagree", detail=f"{found.filename}: {wrong[0]}")
    faults = placement_faults(found.scene)
    return Refusal(reason="misplaced objects", detail=f"{found.filename}: {faults[0]}") if faults else None


def _figure(name: str, scene: Published, question: PublishedQuestion) -> ClevrFigure | Refusal:
    if question.program is None or question.answer is None:
        return Refusal(reason="no program", detail=f"{name}: the question has no program, or no answer")
    for execute in (objects.execute, relational.execute):
        outcome = execute(question.program, scene.scene)
        answer = answer_of(outcome)
        if answer is None:
            return Refusal(reason="ill-posed", detail=f"{name}: {outcome!r:.120}")
        if answer.target != question.answer:
            detail = f"{name}: {answer.target} where the file says {question.answer}"
            return Refusal(reason="program gives another answer", detail=detail)
    return ClevrFigure(
        id=name,
        scene=scene.scene,
        filename=scene.filename,
        split=question.split,
        wording=question.text,
        program=question.program,
        answer=question.answer,
    )
