"""Programs of GQA's questions as typed data, read from the ``semantic`` field.

A program is a list of steps; a step names the places of its inputs, which all stand before it, and the last step is
the answer. Steps name objects of the scene graph by their ids. A step's kind says what an operation is about:
``filter color``, ``verify rel``, ``query name``.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Annotated, Literal, get_args

import msgspec

from answerable.core.records import Record

#: What a step selects to ask about the photo as a whole.
SCENE = "scene"
#: GQA's longest programs have about ten steps.
MAX_STEPS, MAX_IDS, MAX_ARGUMENT = 50, 100, 2_000

Operation = Literal[
    "select", "relate", "filter", "query", "verify", "choose", "exist", "and", "or", "same", "different", "common"
]
OPERATIONS: tuple[Operation, ...] = get_args(Operation)
Gives = Literal["objects", "truth", "word"]
#: What an operation takes (numbers of inputs), what its inputs must give, and what it gives.
_SHAPES: dict[Operation, tuple[tuple[int, ...], Gives, Gives]] = {
    "select": ((0,), "objects", "objects"),
    "relate": ((1,), "objects", "objects"),
    "filter": ((1,), "objects", "objects"),
    "query": ((1,), "objects", "word"),
    "verify": ((1,), "objects", "truth"),
    "choose": ((1, 2), "objects", "word"),
    "exist": ((1,), "objects", "truth"),
    "and": ((2,), "truth", "truth"),
    "or": ((2,), "truth", "truth"),
    "same": ((1, 2), "objects", "truth"),
    "different": ((1, 2), "objects", "truth"),
    "common": ((2,), "objects", "word"),
}
_IDS = re.compile(r"(?s)(.*?)\s*\(([0-9A-Za-z_, -]*)\)")
_NOT = re.compile(r"(?s)not\((.*)\)")


class Written(msgspec.Struct, frozen=True):
    """A step as the file has it."""

    operation: Annotated[str, msgspec.Meta(max_length=100)]
    dependencies: tuple[int, ...]
    argument: Annotated[str, msgspec.Meta(max_length=MAX_ARGUMENT)]


class Step(Record, frozen=True):
    """One step."""

    operation: Operation
    inputs: tuple[int, ...] = ()
    """Places of earlier steps."""
    kind: str = ""
    """What is filtered by, asked for or compared: ``color``, ``name``, ``rel`` ...; empty when nothing is said."""
    name: str = ""
    """Of the objects that a step selects or relates to; ``_`` for any."""
    ids: tuple[str, ...] = ()
    """Of those objects in the scene graph; empty when there are none."""
    relation: tuple[str, ...] = ()
    """The relation, or those to choose from."""
    side: Literal["", "s", "o", "_"] = ""
    """``s``: the named objects are the relation's subject; ``o``: its object; ``_``: it has no direction."""
    values: tuple[str, ...] = ()
    """The value to filter by or to verify, or those to choose from."""
    negated: bool = False
    """Whether the value must not hold."""


class Program(Record, frozen=True):
    """A program that ends in an answer and uses all its steps."""

    steps: tuple[Step, ...]

    def __post_init__(self) -> None:
        problem = program_problem(self.steps)
        if problem:
            raise ValueError(problem)

    @property
    def ids(self) -> tuple[str, ...]:
        """Every object that a step names, once, in order: what the answer depends on."""
        return tuple(dict.fromkeys(mark for step in self.steps for mark in step.ids))

    @property
    def names(self) -> tuple[str, ...]:
        """What the steps call these objects, once, in order."""
        return tuple(dict.fromkeys(step.name for step in self.steps if step.ids and step.name not in ("", "_")))

    @property
    def boolean(self) -> bool:
        """Whether it is answered by yes or no."""
        return _SHAPES[self.steps[-1].operation][2] == "truth"

    @property
    def family(self) -> str:
        """What sort of question it is: for strata."""
        last = self.steps[-1]
        if last.operation in ("verify", "choose") and last.kind == "rel":
            return f"{last.operation} relation"
        return last.operation

    @property
    def depth(self) -> int:
        """The longest chain of steps."""
        levels: list[int] = []
        for step in self.steps:
            levels.append(1 + max((levels[place] for place in step.inputs), default=0))
        return levels[-1]


def program_problem(steps: Sequence[Step]) -> str:
    """What makes these steps no program, naming the first step at fault; empty when nothing does."""
    if not 1 <= len(steps) <= MAX_STEPS:
        return f"expected 1 to {MAX_STEPS} steps; got {len(steps)}"
    for place, step in enumerate(steps):
        problem = _step_problem(steps, place)
        if problem:
            return f"step {place} ({step.operation}): {problem}"
    if _SHAPES[steps[-1].operation][2] == "objects":
        return f"expected a last step that gives an answer; got {steps[-1].operation}, which gives objects"
    used = {place for step in steps for place in step.inputs} | {len(steps) - 1}
    unused = [place for place in range(len(steps)) if place not in used]
    return f"step {unused[0]}: expected every step to be used; nothing reads it" if unused else ""


def _step_problem(steps: Sequence[Step], place: int) -> str:
    step = steps[place]
    counts, wanted, _ = _SHAPES[step.operation]
    if len(step.inputs) not in counts:
        return f"expected {' or '.join(map(str, counts))} inputs; got {len(step.inputs)}"
    for source in step.inputs:
        if not 0 <= source < place:
            return f"expected inputs among the steps before it, so that nothing goes in a circle; got input {source}"
        if _SHAPES[steps[source].operation][2] != wanted:
            return f"expected inputs that give {wanted}; got step {source} ({steps[source].operation})"
    if step.operation == "choose" and len(step.inputs) != (1 if step.values or step.relation else 2):
        return "expected values to choose from, or two inputs to compare"
    return ""


def read_program(written: Sequence[Written]) -> Program:
    """The program that a file has.

    Raises:
        ValueError: it is none; the message names the step.
    """
    if len(written) > MAX_STEPS:
        raise ValueError(f"expected 1 to {MAX_STEPS} steps; got {len(written)}")
    steps = []
    for place, each in enumerate(written):
        try:
            steps.append(_step(each))
        except ValueError as error:
            raise ValueError(f"step {place} ({each.operation[:40]!r}): {error}") from error
    return Program(steps=tuple(steps))


def _step(written: Written) -> Step:
    word, _, kind = written.operation.strip().partition(" ")
    operation = next((known for known in OPERATIONS if known == word), None)
    if operation is None:
        raise ValueError(f"expected an operation among {', '.join(OPERATIONS)}; got {word!r:.60}")
    argument = written.argument.strip()
    plain = Step(operation=operation, inputs=written.dependencies, kind=kind)
    if operation == "select":
        # The photo as a whole has no ids, and often no brackets.
        name, ids = (SCENE, ()) if argument.casefold() == SCENE else _objects(argument)
        return msgspec.structs.replace(plain, name=name, ids=ids)
    if operation == "relate" or kind == "rel":
        return _relating(plain, argument)
    if operation in ("filter", "verify"):
        denied = _NOT.fullmatch(argument)
        value = (denied[1] if denied else argument).strip()
        if not value:
            raise ValueError("expected a value; got none")
        return msgspec.structs.replace(plain, values=(value,), negated=denied is not None)
    if operation == "choose":
        return msgspec.structs.replace(plain, values=_choices(argument) if argument else ())
    if operation == "query" and not (kind or argument):
        raise ValueError("expected a word for what is asked; got none")
    asks = operation in ("query", "same", "different")
    return msgspec.structs.replace(plain, kind=kind or (argument if asks else ""))


def _relating(step: Step, argument: str) -> Step:
    body, ids = _objects(argument)
    parts = [part.strip() for part in body.split(",")]
    if len(parts) < 3 or parts[-1] not in ("s", "o", "_"):
        raise ValueError(f"expected 'name,relation,s' or 'name,relation,o' and ids; got {argument!r:.80}")
    relation = body.partition(",")[2].rpartition(",")[0].strip()
    relations = _choices(relation) if step.operation == "choose" else (relation,)
    side: Literal["s", "o", "_"] = "s" if parts[-1] == "s" else "o" if parts[-1] == "o" else "_"
    return msgspec.structs.replace(step, name=parts[0], ids=ids, relation=relations, side=side)


def _objects(argument: str) -> tuple[str, tuple[str, ...]]:
    """A name and the ids behind it; ``-`` stands for none."""
    match = _IDS.fullmatch(argument)
    if match is None:
        raise ValueError(f"expected a name and ids in brackets; got {argument!r:.80}")
    ids = tuple(mark for mark in (each.strip() for each in match[2].split(",")) if mark not in ("", "-"))
    if len(ids) > MAX_IDS:
        raise ValueError(f"expected at most {MAX_IDS} ids; got {len(ids)}")
    return match[1].strip(), ids


def _choices(text: str) -> tuple[str, ...]:
    found = tuple(each.strip() for each in text.split("|"))
    if len(found) < 2 or not all(found) or len(set(found)) != len(found):
        raise ValueError(f"expected different choices, as 'a|b'; got {text!r:.80}")
    return found
