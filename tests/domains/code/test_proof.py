"""Proofs about code as the kernel sees them, and what strangers may put in."""

from __future__ import annotations

import json
import tracemalloc
from fractions import Fraction
from typing import Any

import pytest

from answerable.certify import kernel
from answerable.core.codec import decode, encode
from answerable.core.errors import ProofError
from answerable.domains import CASES
from answerable.domains.code import cpython, screen
from answerable.domains.code.cpython import Failed
from answerable.domains.code.language import (
    Assign,
    Augment,
    Binary,
    Compare,
    For,
    Int,
    Print,
    Program,
    Statement,
    Str,
    Var,
    While,
)
from answerable.domains.code.proof import CodeCase, CodeProof, answer, open_case, undetermined
from answerable.domains.code.questions import Query
from answerable.domains.code.visibility import Above, End
from answerable.logic.outcomes import Several
from answerable.logic.program import Truth
from tests.domains.code.make import dice, draft, program, sums, world

EIGHT = Query("prints", "output", "Total: 8")


@pytest.fixture(scope="module")
def case() -> CodeCase:
    made = draft("s2", 1)
    assert made.proof is not None
    pictures = dict(zip((view.id for view in made.group.views), made.images, strict=True))
    opened = CASES.load("code")(bytes(made.proof.body), pictures)
    assert isinstance(opened, CodeCase)
    return opened


def test_a_case_answers_the_kernel(case: CodeCase) -> None:
    made = draft("s2", 1)
    assert made.proof is not None
    assert kernel.check(made.group, made.proof.digest(), case, made.proof.group) is None
    assert case.versions == (screen.version(), screen.version())
    assert case.executors == ("interpreter", "cpython")
    for name in case.worlds:
        assert case.admissible(name) == ()
        assert case.execute("interpreter", name) == case.execute("cpython", name)
    assert case.reads() < case.facts("F").keys()


def test_answers_need_both_executors(monkeypatch: pytest.MonkeyPatch) -> None:
    assert answer(world(sums(4)), EIGHT) == Truth(True)
    assert answer(world(dice()), Query("prints", "output", "high")) == Several(values=("no", "yes"))

    class Wrong:
        """Says what no interpreter would."""

        def __init__(self, found: Any) -> None:
            self.found = found

        def run(self, programs: Any) -> list[Any]:
            return [self.found for _ in programs]

    monkeypatch.setattr(cpython, "shared", lambda: Wrong({("Total: 8",): Fraction(1, 2), ("x",): Fraction(1, 2)}))
    assert "the executors find 1 and 2 outputs" in str(answer(world(sums(4)), EIGHT))
    monkeypatch.setattr(cpython, "shared", lambda: Wrong(Failed("it was killed")))
    assert answer(world(sums(4)), EIGHT) == "CPython: it was killed"


def test_determined_means_every_admissible_number() -> None:
    made = world(sums(4))
    assert undetermined(made, EIGHT, End(2, 6)) == ""
    assert undetermined(made, EIGHT, Above(2)) == ""
    assert undetermined(made, EIGHT, Above(3)) == "100 fillings of the hidden places give different answers"
    assert undetermined(made, EIGHT, End(3, 4)) == "10 fillings of the hidden places give different answers"


def test_a_filling_that_fails_is_not_determined() -> None:
    risky = program(Assign("a", Int(1)), Print((Binary("//", Int(0), Var("a")),)))
    assert undetermined(world(risky), Query("prints", "output", "0"), End(1, 4)) == "it may divide by zero"


def test_too_many_fillings_are_not_run() -> None:
    many = program(*(Assign(name, Int(1)) for name in ("a", "b", "c")), Print((Var("a"), Var("b"), Var("c"))))
    assert "1000 fillings of 3 hidden places are too many to run" in undetermined(
        world(many), Query("prints", "output", "1 1 1"), Above(3)
    )


TRUE = Compare("==", Int(1), Int(1))
X = Assign("x", Int(2))


@pytest.mark.parametrize(
    ("statements", "message"),
    [
        ((X, Print((Binary("//", Int(1), Int(0)),))), "it may divide by zero"),
        ((X, While(TRUE, (Augment("x", "+", Int(1)),)), Print((Var("x"),))), "more than 20000 steps"),
        ((X, For("i", Int(0), Int(99), 1, (Augment("x", "*", Var("x")),)), Print((Var("x"),))), "a number beyond"),
        ((Print((Var("y"),)),), "y is not set"),
        ((X,), "the program prints nothing"),
    ],
)
def test_programs_that_cannot_be_run_are_not_admissible(statements: tuple[Statement, ...], message: str) -> None:
    bad = world(Program(statements))
    opened = CodeCase(CodeProof(question="?", query=EIGHT, version="v", worlds={"F": bad}, claims=()), {})
    (problem,) = opened.admissible("F")
    assert message in problem
    with pytest.raises(ProofError, match="a program that both executors can run"):
        opened.execute("cpython", "F")


def body(change: Any) -> bytes:
    """A sound proof, changed as plain JSON."""
    made = draft("s2", 1)
    assert made.proof is not None
    plain = json.loads(bytes(made.proof.body))
    change(plain)
    return json.dumps(plain).encode()


def first(plain: Any) -> Any:
    """The first statement of F that sets something."""
    return next(node for node in plain["worlds"]["F"]["program"]["statements"] if node["type"] == "assign")


@pytest.mark.parametrize(
    "change",
    [
        lambda p: first(p).update(name="x\nimport os\nos.system('true')\nx"),
        lambda p: first(p).update(name="__import__('os')"),
        lambda p: first(p).update(value={"type": "var", "name": "open('f')"}),
        lambda p: first(p).update(value={"type": "str", "value": 'a"\nimport os\n"'}),
        lambda p: first(p).update(value={"type": "call", "function": "eval", "args": []}),
        lambda p: first(p).update(value={"type": "builtin", "function": "open", "args": [{"type": "int", "value": 1}]}),
        lambda p: first(p).update(value={"type": "binary", "op": "**", "left": {"type": "int", "value": 1},
                                         "right": {"type": "int", "value": 1}}),
        lambda p: first(p).update(type="exec"),
        lambda p: p["worlds"]["F"]["window"].update(theme="../theme"),
        lambda p: p.update(worlds={}),
        lambda p: p.update(worlds=p["worlds"] | {str(n): p["worlds"]["F"] for n in range(9)}),
        lambda p: p.update(more=1),
        lambda p: p["claims"][2].update(hide={"type": "all"}),
        lambda p: p["query"].update(text="a\u201d"),
    ],
)  # fmt: skip
def test_what_no_record_can_hold_is_no_proof(change: Any) -> None:
    with pytest.raises(ProofError, match="a proof about code"):
        open_case(body(change), {})


def test_a_huge_proof_is_refused_without_memory() -> None:
    made = draft("s2", 1)
    assert made.proof is not None
    deep = b'{"type":"and","right":{"type":"compare"},"left":' * 200_000
    bomb = bytes(made.proof.body).replace(b'"statements":[', b'"statements":[{"type":"while","condition":' + deep, 1)
    tracemalloc.start()
    with pytest.raises(ProofError):
        open_case(bomb, {})
    assert tracemalloc.get_traced_memory()[1] < 60_000_000
    tracemalloc.stop()


def test_text_that_looks_like_code_is_printed_as_text() -> None:
    hostile = '"); import os; print("'
    made = world(program(X, Print((Var("x"), Str(hostile)))))
    assert answer(made, Query("prints", "output", f"2 {hostile}")) == Truth(True)


def test_proofs_survive_being_stored(case: CodeCase) -> None:
    made = draft("s2", 1)
    assert made.proof is not None
    assert encode(decode(bytes(made.proof.body), CodeProof)) == bytes(made.proof.body)
    assert case.question == made.group.views[0].question
