"""What the isolated interpreter runs; standard library only. Started as ``python -I -S isolated.py``, never imported.

One request a line on standard input, ``{"seconds": s, "paths": n, "programs": [source, ...]}``; one answer a line on
standard output: for each program its distribution ``[[[printed line, ...], numerator, denominator], ...]``, or a text
that says why there is none. Chance is enumerated: a program runs once for every way its draws can go.
"""

import builtins
import contextlib
import json
import resource
import signal
import sys
import types
from fractions import Fraction

MEGABYTE = 1024 * 1024
MEMORY = 256 * MEGABYTE
OUTPUT = 100_000


class TimeUp(BaseException):
    """The alarm rang."""


class TooMuch(Exception):
    """Too many ways, or too much printed."""


class Draws:
    """One way through a program: options already chosen, then the first of each further draw."""

    def __init__(self, chosen):
        self.chosen, self.sizes, self.weight = chosen, [], Fraction(1)

    def draw(self, weights):
        """The number of the option taken here; options without weight are not options."""
        place = len(self.sizes)
        self.sizes.append(len(weights))
        if place == len(self.chosen):
            self.chosen.append(0)
        self.weight *= weights[self.chosen[place]]
        return self.chosen[place]


class Unit:
    """A number drawn from [0, scale), known only by how it compares."""

    def __init__(self, draws, scale=1):
        self.draws, self.scale = draws, scale

    def __mul__(self, other):
        return Unit(self.draws, self.scale * other)

    def __lt__(self, other):
        below = min(max(Fraction(other, self.scale), Fraction(0)), Fraction(1))
        ways = [(truth, weight) for truth, weight in ((True, below), (False, 1 - below)) if weight]
        return ways[self.draws.draw([weight for _, weight in ways])][0]

    def __gt__(self, other):
        return not self < other


def stub(draws):
    """The module ``random`` that programs meet."""
    module = types.SimpleNamespace()

    def randint(low, high):
        return low + draws.draw([Fraction(1, high - low + 1)] * (high - low + 1))

    def choice(options):
        return options[draws.draw([Fraction(1, len(options))] * len(options))]

    module.random, module.randint, module.choice = (lambda: Unit(draws)), randint, choice
    return module


def names(draws, printed):
    """All that a program can reach."""
    random = stub(draws)
    room = [OUTPUT]

    def show(*values):
        text = " ".join(str(value) for value in values)
        room[0] -= len(text) + 1
        if room[0] < 0:
            raise TooMuch("too much is printed")
        printed.append(text)

    def load(name, *rest):
        if name != "random":
            raise ImportError(name)
        return random

    plain = ("range", "len", "str", "abs", "min", "max")
    return {"__builtins__": {"print": show, "__import__": load} | {name: getattr(builtins, name) for name in plain}}


def distribution(code, paths):
    """Every way chance can take, depth first."""
    found, chosen, ways = {}, [], 0
    while True:
        ways += 1
        if ways > paths:
            raise TooMuch(f"more than {paths} ways that chance can take")
        draws, printed = Draws(chosen), []
        types.FunctionType(code, names(draws, printed))()
        key = tuple(printed)
        found[key] = found.get(key, Fraction(0)) + draws.weight
        chosen = draws.chosen
        while chosen and chosen[-1] + 1 == draws.sizes[len(chosen) - 1]:
            chosen.pop()
        if not chosen:
            return [[list(key), weight.numerator, weight.denominator] for key, weight in sorted(found.items())]
        chosen[-1] += 1


def answer(source, seconds, paths):
    """The distribution of one program, or why there is none."""
    try:
        signal.setitimer(signal.ITIMER_REAL, seconds)
        try:
            return distribution(compile(source, "program", "exec"), paths)
        finally:
            signal.setitimer(signal.ITIMER_REAL, 0)
    except TimeUp:
        return "it does not end in time"
    except ZeroDivisionError:
        return "division by zero"
    except MemoryError:
        return "it takes too much memory"
    except Exception as error:
        return f"{type(error).__name__}: {error}"[:200]


def ring(_signal, _frame):
    """Interrupt the program."""
    raise TimeUp


def confine():
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


def main():
    """Answer until standard input ends."""
    confine()
    signal.signal(signal.SIGALRM, ring)
    for line in sys.stdin:
        request = json.loads(line)
        used = resource.getrusage(resource.RUSAGE_SELF)
        spent = used.ru_utime + used.ru_stime
        allowed = request["seconds"] * len(request["programs"])
        # The alarm is caught by the interpreter; should that fail, the kernel ends the process.
        resource.setrlimit(resource.RLIMIT_CPU, (int(spent + allowed) + 2, resource.RLIM_INFINITY))
        answers = [answer(source, request["seconds"], request["paths"]) for source in request["programs"]]
        sys.stdout.write(json.dumps(answers) + "\n")
        sys.stdout.flush()


if __name__ == "__main__":
    main()
