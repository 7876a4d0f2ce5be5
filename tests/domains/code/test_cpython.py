"""The isolated interpreter: what it answers, what it denies, and that it comes back."""

from __future__ import annotations

import tempfile
from collections.abc import Iterator
from fractions import Fraction
from pathlib import Path

import pytest

from answerable.core.errors import AnswerableError
from answerable.domains.code import cpython
from answerable.domains.code.cpython import Failed, Isolated
from tests.domains.code.make import dice, sums

#: Python itself sets this where there is no locale.
LOCALE = "{'LC_CTYPE': 'C.UTF-8'}"


@pytest.fixture
def isolated() -> Iterator[Isolated]:
    made = Isolated(seconds=1.5)
    yield made
    made.close()


def failed(isolated: Isolated, text: str) -> str:
    (found,) = isolated.run_text([text])
    assert isinstance(found, Failed), found
    return found.reason


def test_distributions_are_exact(isolated: Isolated) -> None:
    assert isolated.run([sums(4), dice(4)]) == [
        {("Total: 8",): Fraction(1)},
        {("high",): Fraction(1, 3), ("low",): Fraction(2, 3)},
    ]
    assert isolated.starts == 1


def test_every_way_is_taken(isolated: Isolated) -> None:
    text = (
        "import random\na = random.choice([1, 1, 2])\nif random.random() * 4 < a:\n    print(a)\nelse:\n    print(0)\n"
    )
    assert isolated.run_text([text]) == [{("0",): Fraction(2, 3), ("1",): Fraction(1, 6), ("2",): Fraction(1, 6)}]


def test_nothing_was_asked(isolated: Isolated) -> None:
    assert isolated.run([]) == []


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("print(1 // 0)", "division by zero"),
        ("while True:\n    pass", "it does not end in time"),
        ("x = [0]\nwhile True:\n    x = x + x", "it takes too much memory"),
        ("x = 'a' * 10 ** 10", "it takes too much memory"),
        ("while True:\n    print('a' * 1000)", "TooMuchError: too much is printed"),
        ("open('/etc/passwd')", "NameError"),
        ("import os", "ImportError: os"),
        ("import random.os", "ImportError: random.os"),
        ("print(undefined)", "NameError"),
        ("print('a' + 1)", "TypeError"),
        ("print(", "SyntaxError"),
        ("def f(n):\n    return f(n)\nf(1)", "RecursionError"),
        ("import random\nfor i in range(20):\n    random.randint(1, 2)", "TooMuchError: more than 1024 ways"),
    ],
)
def test_what_fails_is_said_and_the_interpreter_serves_on(isolated: Isolated, text: str, reason: str) -> None:
    assert failed(isolated, text).startswith(reason)
    assert isolated.run_text(["print(7)"]) == [{("7",): Fraction(1)}]


#: The globals of module ``os``, as a program could reach them that broke out of its names.
OUT = "o = [c for c in ().__class__.__base__.__subclasses__() if c.__name__ == '_wrap_close'][0].__init__.__globals__\n"


def inside(isolated: Isolated, expression: str) -> str:
    """What an expression over ``o`` gives in the process itself; ``denied`` for an OSError."""
    tried = f"try:\n    print({expression})\nexcept o['__builtins__']['OSError'] as e:\n    print('denied')"
    (found,) = isolated.run_text([OUT + tried])
    assert isinstance(found, dict), found
    ((printed,),) = found
    return printed


@pytest.mark.parametrize("expression", ["o['open']('f', 65)", "o['pipe']()", "o['listdir']('/')"])
def test_even_a_program_that_breaks_out_has_no_files(isolated: Isolated, expression: str) -> None:
    assert inside(isolated, expression) == "denied"


def test_limits_are_set_for_good(isolated: Isolated) -> None:
    for name, most in (("AS", 256 * 1024 * 1024), ("FSIZE", 0), ("NOFILE", 3), ("NPROC", 0), ("CORE", 0)):
        limits = inside(
            isolated, "[m.getrlimit(m.RLIMIT_NAME) for m in [o['sys'].modules['resource']]]".replace("NAME", name)
        )
        assert limits == f"[({most}, {most})]"


def test_there_is_no_environment(isolated: Isolated, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ANSWERABLE_SECRET", "key")
    assert inside(isolated, "o['__builtins__']['dict'](o['environ'])") in ("{}", LOCALE)


def test_its_folder_is_gone_while_it_runs(isolated: Isolated, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    assert isolated.run([sums()]) == [{("Total: 5",): Fraction(1)}]
    assert list(tmp_path.iterdir()) == []
    assert inside(isolated, "o['getcwd']()") == "denied"


def test_a_killed_interpreter_is_replaced_and_only_the_guilty_program_fails(isolated: Isolated) -> None:
    found = isolated.run_text(["print(1)", OUT + "o['_exit'](1)", "print(2)"])
    assert found == [{("1",): Fraction(1)}, Failed("the isolated interpreter was killed"), {("2",): Fraction(1)}]
    assert isolated.starts >= 2


def test_one_that_ignores_the_alarm_is_killed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cpython, "GRACE", 0.2)
    made = Isolated(seconds=0.2)
    try:
        stubborn = "while True:\n    try:\n        while True:\n            pass\n    except:\n        pass"
        assert failed(made, stubborn) == "the isolated interpreter was killed"
        assert made.run_text(["print(2)"]) == [{("2",): Fraction(1)}]
    finally:
        made.close()


def test_time_runs_out_for_the_whole_request(isolated: Isolated) -> None:
    found = isolated.run_text(["print(1)", "while True:\n    pass", "print(2)"])
    assert found == [{("1",): Fraction(1)}, Failed("it does not end in time"), Failed("no time was left for it")]


def test_each_process_has_its_own() -> None:
    assert cpython.shared() is cpython.shared()
    assert cpython.shared().run_text(["print(3)"]) == [{("3",): Fraction(1)}]


def test_a_system_without_limits_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    with monkeypatch.context() as patched:
        patched.setattr("os.name", "nt")
        with pytest.raises(AnswerableError, match="a system that limits processes"):
            Isolated().run_text(["print(1)"])
