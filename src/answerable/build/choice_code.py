"""Code screenshots as a source of multiple-choice questions: the number that a named file prints, and yes or no.

A question on a number names its file, which another window does not show. Answered by yes or no, a question would have
one option left under AAD, and it names nothing that another program's picture could lack.
"""

from __future__ import annotations

from fractions import Fraction

from answerable.build.choice_bases import Drawn, pictured, truth_options
from answerable.core.codec import decode
from answerable.core.records import PROBLEMS, Answer, Problem, Refusal
from answerable.core.seeds import Stream
from answerable.domains.choice.options import choose, grouped, numbers
from answerable.domains.choice.states import Asked
from answerable.domains.code import screen
from answerable.domains.code.generator import sketch
from answerable.domains.code.interpreter import DividesByZeroError, TooMuchError, run
from answerable.domains.code.language import Program, depth
from answerable.domains.code.proof import DOMAIN, CodeProof, answer
from answerable.domains.code.questions import Query, ask
from answerable.domains.code.states import FAMILIES, HIGH, LOW, Request, make_group, window_of
from answerable.domains.code.world import THEMES, CodeWorld, Frame, world_problems
from answerable.domains.draft import Draft
from answerable.logic.outcomes import answer_of
from answerable.logic.program import Defined

#: Programs drawn until one prints a number.
DRAWS = 40
#: Frames that show the name of the file.
NAMED: tuple[Frame, ...] = ("buttons", "tab")


class CodeBase:
    """Made-up programs."""

    name, lender = DOMAIN, "chart"
    problems: tuple[Problem, ...] = tuple(PROBLEMS)
    templates = ("number", "output")
    truths: tuple[str, ...] = ("output",)
    labels: tuple[str, ...] = ()
    nameless = truths
    looks = THEMES

    def draw(self, template: str, look: str, stream: Stream) -> Drawn | None:
        """See ``Base.draw``: the complete program of a group in which chance is no matter."""
        if template == "output":
            return _output(look, stream)
        made = _named_world(look, stream, number=True) if template == "number" else None
        if made is None:
            return None
        world, file = made
        query = Query(kind="number", scope="output", text=file)
        outcome = answer(world, query)
        right = answer_of(outcome) if isinstance(outcome, Defined) else None
        if right is None:
            return None
        value = Fraction(right.target)
        wanted = numbers(value, [], Fraction(1), stream, negative=value < 0)
        options = choose(grouped(value), map(grouped, wanted), stream)
        return Drawn(world, query, ask(query, world, None, stream), right, options)

    def other(self, look: str, stream: Stream) -> CodeWorld | None:
        """See ``Base.other``; None where the program drawn is none to be shown."""
        made = _named_world(look, stream, number=False)
        return made[0] if made else None

    def asked(self, drawn: Drawn, other: CodeWorld | None, look: str) -> Asked | Refusal:
        """See ``Base.asked``."""
        del look
        query: Query = drawn.program
        worlds: dict[str, CodeWorld] = {"F": drawn.world} | ({} if other is None else {"V": other})
        for world in worlds.values():
            problems = screen.problems(world, None)
            if problems:
                return problems[0]
        images, sizes = pictured({name: screen.render(world, None) for name, world in worlds.items()})
        body = CodeProof(question=drawn.question, query=query, version=screen.version(), worlds=worlds, claims=())
        return Asked(
            base=DOMAIN,
            body=body,
            question=drawn.question,
            answer=drawn.answer,
            options=drawn.options,
            images=images,
            sizes=sizes,
            renderer=screen.version(),
            program=FAMILIES[query.kind],
            depth=depth(drawn.world.program),
            content=[drawn.world.program, query],
        )


def _named_world(look: str, stream: Stream, *, number: bool) -> tuple[CodeWorld, str] | None:
    """A program without chance in a window that shows its file's name.

    Args:
        number: whether it must print a number and nothing else.
    """
    themes = tuple(theme for theme in THEMES if theme == look)
    for _ in range(DRAWS):
        made = sketch(stream, "s1", chance=False)
        if number and not _prints_number(made.program):
            continue
        world = CodeWorld(program=made.program, window=window_of(made, themes, NAMED, stream), low=LOW, high=HIGH)
        return None if world_problems(world) else (world, made.file)
    return None


def _prints_number(program: Program) -> bool:
    """As far as our own interpreter tells; both executors are asked later."""
    try:
        found = run(program)
    except (DividesByZeroError, TooMuchError):
        return False
    return len(found) == 1 and all(len(printed) == 1 and printed[0].lstrip("-").isdigit() for printed in found)


def _output(look: str, stream: Stream) -> Drawn | None:
    """Yes or no: the complete program of a group in which chance is no matter."""
    themes = tuple(theme for theme in THEMES if theme == look)
    request = Request("choice", "choice", "test", "s1", themes, bool(stream.below(2)), ("choice", stream.below(10**9)))
    made = make_group(sketch(stream, "s1", chance=bool(stream.below(2))), request)
    if not isinstance(made, Draft) or made.proof is None:
        return None
    proof = decode(bytes(made.proof.body), CodeProof)
    duty = made.group.views[0].obligation
    if not isinstance(duty, Answer):
        return None
    return Drawn(proof.worlds["F"], proof.query, proof.question, duty, truth_options(duty))
