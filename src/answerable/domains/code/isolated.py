"""What the isolated interpreter runs; standard library only. Started as ``python -I -S isolated.py``, never imported.

One request a line on standard input, ``{"seconds": s, "paths": n, "programs": [source, ...]}``, the seconds for all
of them together; one answer a line on
standard output: for each program its distribution ``[[[printed line, ...], numerator, denominator], ...]``, or a text
that says why there is none. Chance is enumerated: a program runs once for every way its draws can go.
"""

from __future__ import annotations

import builtins
import contextlib
import json
import resource
import signal
import sys
import types
from collections.abc import Sequence
from fractions import Fraction

MEGABYTE = 1024 * 1024
MEMORY = 256 * MEGABYTE
OUTPUT = 100_000


class TimeUp(BaseException):
    """The alarm rang."""


class TooMuchError(Exception):
    """Too many ways, or too much printed."""


#: What a program of our language, or a faulty one, can raise. Anything else ends the process.
PROGRAM_ERRORS = (
    ArithmeticError, AttributeError, ImportError, LookupError, NameError, RuntimeError, SyntaxError, TypeError,
    ValueError, TooMuchError,
)  # fmt: skip


class Draws:
    """One way through a program: options already chosen, then the first of each further draw."""

    def __init__(self, chosen: list[int]) -> None:
        self.chosen, self.weight = chosen, Fraction(1)
        self.sizes: list[int] = []

    def draw(self, weights: Sequence[Fraction]) -> int:
        """The number of the option taken here; options without weight are not options."""
        place = len(self.sizes)
        self.sizes.append(len(weights))
        if place == len(self.chosen):
            self.chosen.append(0)
        self.weight *= weights[self.chosen[place]]
        return self.chosen[place]


class Unit:
    """A number drawn from [0, scale), known only by how it compares."""

    def __init__(self, draws: Draws, scale: int = 1) -> None:
        self.draws, self.scale = draws, scale

    def __mul__(self, other: int) -> Unit:
        return Unit(self.draws, self.scale * other)

    def __lt__(self, other: int) -> bool:
        below = min(max(Fraction(other, self.scale), Fraction(0)), Fraction(1))
        ways = [(truth, weight) for truth, weight in ((True, below), (False, 1 - below)) if weight]
        return ways[self.draws.draw([weight for _, weight in ways])][0]

    def __gt__(self, other: int) -> bool:
        return not self < other


def stub(draws: Draws) -> types.SimpleNamespace:
    """The module ``random`` that programs meet."""
    module = types.SimpleNamespace()

    def randint(low: int, high: int) -> int:
        return low + draws.draw([Fraction(1, high - low + 1)] * (high - low + 1))

    def choice(options: list[object]) -> object:
        return options[draws.draw([Fraction(1, len(options))] * len(options))]

    module.random, module.randint, module.choice = (lambda: Unit(draws)), randint, choice
    return module


def names(draws: Draws, printed: list[str]) -> dict[str, object]:
    """All that a program can reach."""
    random = stub(draws)
    room = [OUTPUT]

    def show(*values: object) -> None:
        text = " ".join(str(value) for value in values)
        room[0] -= len(text) + 1
        if room[0] < 0:
            raise TooMuchError("too much is printed")
        printed.append(text)

    def load(name: str, *_rest: object) -> types.SimpleNamespace:
        if name != "random":
            raise ImportError(name)
        return random

    plain = ("range", "len", "str", "abs", "min", "max")
    return {"__builtins__": {"print": show, "__import__": load} | {name: getattr(builtins, name) for name in plain}}


def distribution(code: types.CodeType, paths: int) -> list[list[object]]:
    """Every way chance can take, depth first."""
    found: dict[tuple[str, ...], Fraction] = {}
    chosen: list[int] = []
    ways = 0
    while True:
        ways += 1
        if ways > paths:
            raise TooMuchError(f"more than {paths} ways that chance can take")
        draws = Draws(chosen)
        printed: list[str] = []
        types.FunctionType(code, names(draws, printed))()
        key = tuple(printed)
        found[key] = found.get(key, Fraction(0)) + draws.weight
        chosen = draws.chosen
        while chosen and chosen[-1] + 1 == draws.sizes[len(chosen) - 1]:
            chosen.pop()
        if not chosen:
            return [[list(key), weight.numerator, weight.denominator] for key, weight in sorted(found.items())]
        chosen[-1] += 1


def answer(source: str, paths: int) -> list[list[object]] | str:
    """The distribution of one program, or why there is none."""
    try:
        return distribution(compile(source, "program", "exec"), paths)
    except ZeroDivisionError:
        return "division by zero"
    except MemoryError:
        return "it takes too much memory"
    except PROGRAM_ERRORS as error:
        return f"{type(error).__name__}: {error}"[:200]


def answers(sources: Sequence[str], seconds: float, paths: int) -> list[list[list[object]] | str]:
    """One answer a program; none of the later ones is run once the time is up."""
    found: list[list[list[object]] | str] = []
    try:
        signal.setitimer(signal.ITIMER_PROF, seconds)
        for source in sources:
            found += [answer(source, paths)]
        signal.setitimer(signal.ITIMER_PROF, 0)
    except TimeUp:
        found.append("it does not end in time")
    late: list[list[list[object]] | str] = ["no time was left for it"]
    return (found + late * (len(sources) - len(found)))[: len(sources)]


def ring(_signal: int, _frame: types.FrameType | None) -> None:
    """Interrupt the program."""
    raise TimeUp


def confine() -> None:
    """Give up memory, files, sockets and further processes; from here on only open pipes remain."""
    for what, most in (
        (resource.RLIMIT_AS, MEMORY),
        (resource.RLIMIT_FSIZE, 0),
        (resource.RLIMIT_NPROC, 0),
        (resource.RLIMIT_CORE, 0),
        # No number is left for a file or a socket.
        (resource.RLIMIT_NOFILE, 3),
    ):
        with contextlib.suppress(ValueError, OSError):
            resource.setrlimit(what, (most, most))
    for what in (resource.RLIMIT_AS, resource.RLIMIT_FSIZE, resource.RLIMIT_NOFILE):
        if resource.getrlimit(what)[1] == resource.RLIM_INFINITY:
            sys.exit("a limit cannot be set")


def main() -> None:
    """Answer until standard input ends."""
    confine()
    signal.signal(signal.SIGPROF, ring)
    for line in sys.stdin:
        request = json.loads(line)
        used = resource.getrusage(resource.RUSAGE_SELF)
        spent = used.ru_utime + used.ru_stime
        # The alarm counts processor time, so that a busy machine refuses no program that an idle one admits. It is
        # caught by the interpreter; should that fail, the kernel ends the process.
        resource.setrlimit(resource.RLIMIT_CPU, (int(spent + request["seconds"]) + 2, resource.RLIM_INFINITY))
        found = answers(request["programs"], request["seconds"], request["paths"])
        sys.stdout.write(json.dumps(found) + "\n")
        sys.stdout.flush()


if __name__ == "__main__":
    main()
