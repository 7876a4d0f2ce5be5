"""Scenes and questions as CLEVR v1.0 has them in JSON: read strictly, and written back with the same keys and values.

What does not fit is an error that says where: an unknown or a missing key, a wrong type, a word outside the closed
sets, a relationship that points nowhere, an ill-typed program. Whether the stored relationships are those of the
coordinates is a question of its own (``disagreements``).
"""

from __future__ import annotations

import re
from typing import TypeVar

import msgspec

from answerable.core.codec import decode
from answerable.core.errors import InputError, SourceError
from answerable.core.records import Record
from answerable.domains.scene.program import SIGNATURES, Function, Node, Program, program_problem
from answerable.domains.scene.vocabulary import RELATIONS, VALUES, Color, Material, Shape, Size
from answerable.domains.scene.world import MAX_THINGS, Directions, Scene, Thing, Vector, relations

MAX_NAME, MAX_QUESTION, MAX_INDEX = 200, 2000, 10**9
_ANSWERS = frozenset(("yes", "no", *(word for words in VALUES.values() for word in words)))
_COUNT = re.compile(r"0|[1-9][0-9]?")

T = TypeVar("T")
Stored = dict[str, tuple[tuple[int, ...], ...]]


class Published(Record, frozen=True):
    """A scene of a file, with what the file says about it."""

    scene: Scene
    index: int
    filename: str
    """Of its picture: a plain name."""
    split: str
    relationships: Stored
    """Relation -> for each object, those that stand so to it, as stored."""


class PublishedQuestion(Record, frozen=True):
    """A question of a file."""

    text: str
    filename: str
    """Of the picture that it is asked of."""
    split: str
    program: Program | None
    """None where the file has none, as for the test split."""
    answer: str | None
    """``yes``, ``no``, digits or a word; None where the file has none."""


class _Thing(msgspec.Struct, forbid_unknown_fields=True, rename={"coords": "3d_coords"}):
    color: Color
    size: Size
    rotation: float
    shape: Shape
    coords: Vector
    material: Material
    pixel_coords: tuple[int, int, float]


class _Scene(msgspec.Struct, forbid_unknown_fields=True):
    image_index: int
    objects: tuple[msgspec.Raw, ...]
    relationships: Stored
    image_filename: str
    split: str
    directions: msgspec.Raw


class _Node(msgspec.Struct, forbid_unknown_fields=True, omit_defaults=True):
    """Published files say ``function`` and ``value_inputs``, files of the generator's making ``type``, ``side_inputs``.

    ``_output`` is what the generator leaves behind of its own evaluation; it is not relied on.
    """

    inputs: tuple[int, ...]
    function: str = ""
    type: str = ""
    value_inputs: tuple[str, ...] = ()
    side_inputs: tuple[str, ...] = ()
    output: msgspec.Raw = msgspec.field(default=msgspec.Raw(), name="_output")


class _Question(msgspec.Struct, forbid_unknown_fields=True):
    question: str
    image_filename: str
    split: str
    image_index: int
    question_index: int = 0
    question_family_index: int = 0
    image: str = ""
    template_filename: str = ""
    program: tuple[msgspec.Raw, ...] | None = None
    answer: str | bool | int | None = None


def read_scene(data: bytes | msgspec.Raw, where: str) -> Published:
    """One scene of a file.

    Raises:
        SourceError: it is none.
    """
    found = _decoded(data, _Scene, "a scene of CLEVR", where)
    count = len(found.objects)
    if count > MAX_THINGS:
        raise SourceError(f"at most {MAX_THINGS} objects", f"{count}", where=where)
    things = tuple(_thing(raw, f"{where}.objects[{place}]") for place, raw in enumerate(found.objects))
    directions = _decoded(found.directions, Directions, "the six directions", f"{where}.directions")
    _check_names(found.image_filename, found.split, found.image_index, where)
    _check_relationships(found.relationships, count, f"{where}.relationships")
    return Published(
        scene=Scene(things=things, directions=directions),
        index=found.image_index,
        filename=found.image_filename,
        split=found.split,
        relationships=found.relationships,
    )


def _decoded(data: bytes | msgspec.Raw, kind: type[T], what: str, where: str) -> T:
    try:
        return decode(bytes(data), kind)
    except (msgspec.DecodeError, UnicodeDecodeError, ValueError) as error:
        raise SourceError(what, str(error)[:300], where=where) from error


def _thing(raw: msgspec.Raw, where: str) -> Thing:
    found = _decoded(raw, _Thing, "an object of a scene", where)
    try:
        return Thing(
            shape=found.shape, size=found.size, material=found.material, color=found.color,
            x=found.coords[0], y=found.coords[1], z=found.coords[2], rotation=found.rotation, pixel=found.pixel_coords,
        )  # fmt: skip
    except ValueError as error:
        raise SourceError("an object of a scene", str(error), where=where) from error


def _check_names(filename: str, split: str, index: int, where: str) -> None:
    plain = filename and len(filename) <= MAX_NAME and filename.isprintable() and not set(filename) & set("/\\:")
    if not plain or filename.startswith("."):
        raise SourceError("the plain name of a picture's file", f"image_filename={filename!r:.80}", where=where)
    if not split or len(split) > MAX_NAME or not split.isprintable():
        raise SourceError("the name of a split", f"split={split!r:.80}", where=where)
    if not 0 <= index <= MAX_INDEX:
        raise SourceError(f"an index of 0 to {MAX_INDEX}", f"image_index={index}", where=where)


def _check_relationships(stored: Stored, count: int, where: str) -> None:
    if set(stored) != set(RELATIONS):
        raise SourceError(f"the relations {', '.join(RELATIONS)}", ", ".join(sorted(stored))[:200] or "none", where)
    for name, lines in stored.items():
        if len(lines) != count:
            raise SourceError(f"a list for each of the {count} objects", f"{len(lines)}", f"{where}.{name}")
        for place, line in enumerate(lines):
            lost = [other for other in line if not 0 <= other < count or other == place]
            if lost:
                raise SourceError(
                    f"numbers of other objects, 0 to {count - 1}", f"{lost[0]}", f"{where}.{name}[{place}]"
                )
            if len(set(line)) != len(line):
                raise SourceError("every object once", f"{list(line)}", f"{where}.{name}[{place}]")


def disagreements(found: Published) -> tuple[str, ...]:
    """Where the stored relationships are not those of the coordinates, in words; published scenes have none."""
    right = relations(found.scene)
    return tuple(
        f"{relation} of object {place}: stored {sorted(stored)}; by the coordinates {list(line)}"
        for relation in RELATIONS
        for place, (stored, line) in enumerate(zip(found.relationships[relation], right[relation], strict=True))
        if sorted(stored) != list(line)
    )


def published(scene: Scene, index: int, filename: str, split: str) -> Published:
    """A scene of our own, ready to be written; relationships are those of its coordinates."""
    stored: Stored = {str(name): lines for name, lines in relations(scene).items()}
    return Published(scene=scene, index=index, filename=filename, split=split, relationships=stored)


def write_scene(found: Published) -> dict[str, object]:
    """The scene as CLEVR writes it, ready for JSON.

    Raises:
        InputError: no camera has looked at an object, so that its pixel is not known.
    """
    scene = found.scene
    return {
        "image_index": found.index,
        "image_filename": found.filename,
        "split": found.split,
        "objects": [_written(thing, place) for place, thing in enumerate(scene.things)],
        "relationships": {name: [list(line) for line in lines] for name, lines in found.relationships.items()},
        "directions": {name: list(getattr(scene.directions, name)) for name in scene.directions.__struct_fields__},
    }


def _written(thing: Thing, place: int) -> dict[str, object]:
    if thing.pixel is None:
        raise InputError(
            "the pixel of every object", "none", f"object {place}", "project the scene through a camera first"
        )
    return {
        "color": thing.color,
        "size": thing.size,
        "rotation": thing.rotation,
        "shape": thing.shape,
        "3d_coords": [thing.x, thing.y, thing.z],
        "material": thing.material,
        "pixel_coords": list(thing.pixel),
    }


def read_question(data: bytes | msgspec.Raw, where: str) -> PublishedQuestion:
    """One question of a file.

    Raises:
        SourceError: it is none, or its program is none.
    """
    found = _decoded(data, _Question, "a question of CLEVR", where)
    _check_names(found.image_filename, found.split, found.image_index, where)
    if not found.question.strip() or len(found.question) > MAX_QUESTION:
        raise SourceError(f"a question of 1 to {MAX_QUESTION} signs", f"{len(found.question)} signs", where)
    return PublishedQuestion(
        text=found.question,
        filename=found.image_filename,
        split=found.split,
        program=None if found.program is None else read_program(found.program, f"{where}.program"),
        answer=None if found.answer is None else _answer(found.answer, where),
    )


def _answer(given: str | bool | int, where: str) -> str:
    """Answers are texts in published files, JSON values in those of the generator's making."""
    if isinstance(given, bool):
        return "yes" if given else "no"
    text = str(given)
    if text in _ANSWERS or _COUNT.fullmatch(text):
        return text
    raise SourceError("an answer: yes, no, a count, or a word of CLEVR", f"answer={given!r:.60}", where)


def read_program(raw: tuple[msgspec.Raw, ...], where: str) -> Program:
    """A program in either of CLEVR's forms.

    Raises:
        SourceError: naming the node at fault.
    """
    nodes = tuple(_node(one, f"{where}[{place}]") for place, one in enumerate(raw))
    problem = program_problem(nodes)
    if problem:
        expected, _, got = problem.partition("; got ")
        raise SourceError(expected.replace("expected ", "", 1), got or "none", where)
    return Program(nodes=nodes)


def _node(raw: msgspec.Raw, where: str) -> Node:
    found = _decoded(raw, _Node, "a node of a program", where)
    if bool(found.function) == bool(found.type):
        raise SourceError("a function, under one of the keys function and type", f"{bytes(raw)!r:.80}", where)
    if found.value_inputs and found.side_inputs:
        raise SourceError("one of the keys value_inputs and side_inputs", "both", where)
    name, values = found.function or found.type, found.value_inputs or found.side_inputs
    if len(values) > 1:
        raise SourceError("one value at most", f"{len(values)}", where)
    if name not in SIGNATURES:
        raise SourceError(
            "a function of CLEVR", f"{name!r:.60}", where, "templates' own functions must be expanded first"
        )
    function: Function = msgspec.convert(name, Function)
    return Node(function=function, inputs=found.inputs, value=values[0] if values else "")


def write_program(program: Program) -> list[dict[str, object]]:
    """The program as published files have it, ready for JSON."""
    return [
        {"inputs": list(node.inputs), "function": node.function, "value_inputs": [node.value] if node.value else []}
        for node in program.nodes
    ]
