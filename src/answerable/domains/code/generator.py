"""Made-up programs: typed pieces drawn from a stream, put together into what people write in a first course.

Pieces end by construction (ranges and countdowns), divide by written numbers only, and keep numbers small; what
comes out is checked all the same (``states``).
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Literal

from answerable.core.records import Record
from answerable.core.seeds import Stream
from answerable.domains.code.language import (
    Assign,
    Augment,
    Binary,
    Blank,
    Branch,
    Builtin,
    Call,
    Comment,
    Compare,
    Comparison,
    Def,
    Draw,
    Expression,
    For,
    If,
    ImportRandom,
    Int,
    Method,
    Param,
    Path,
    Print,
    Program,
    RandChoice,
    RandInt,
    Return,
    Statement,
    Str,
    Var,
    While,
)
from answerable.domains.code.vocabulary import TOPICS, Topic

Strategy = Literal["s1", "s2", "s3"]
STRATEGIES: tuple[Strategy, ...] = ("s1", "s2", "s3")


class Sketch(Record, frozen=True):
    """A program with the places that matter for its states."""

    program: Program
    file: str
    idle: Path
    """A number that nothing depends on."""
    neutral: Path
    """A number that is used and changes nothing within 0 to 9; equal to ``idle`` where there is none."""
    critical: Path
    """A number that is meant to decide the answer."""


def sketch(stream: Stream, strategy: Strategy, *, chance: bool) -> Sketch:
    """One program.

    Args:
        chance: whether what is printed is drawn at random.
    """
    return _Writer(stream, strategy, chance=chance).write()


def _is(name: str, op: Comparison, value: int) -> Compare:
    return Compare(op, Var(name), Int(value))


class _Writer:
    def __init__(self, stream: Stream, strategy: Strategy, *, chance: bool) -> None:
        self.stream, self.strategy, self.chance = stream, strategy, chance
        self.topic: Topic = stream.pick(TOPICS)
        names = stream.sample(self.topic.inputs, 3)
        self.critical, self.neutral, self.third = names
        self.idle = stream.pick(self.topic.idle)
        self.total = stream.pick(self.topic.totals)
        self.functions: list[Def] = []
        self.known = [self.critical]
        """Numbers that expressions may use."""

    def write(self) -> Sketch:
        stream, alone = self.stream, self.strategy != "s1"
        head: list[Statement] = [ImportRandom()] if self.chance or not alone else []
        # Without anything else drawn, 'import random' needs a reason to be there.
        drawn = not alone and not self.chance
        idle = Assign(self.idle, RandInt(1, stream.between(10, 60)) if drawn else Int(stream.between(1, 9)))
        critical = Assign(self.critical, Int(stream.between(1, 9)))
        neutral = [Assign(self.neutral, Int(stream.between(1, 9)))] if alone else []
        inits: list[Statement] = [idle, *neutral, critical]
        if self.strategy == "s3":
            stream.shuffle(inits)
        extra: list[Statement] = []
        if not stream.below(3):
            extra.append(Assign(self.third, Int(stream.between(2, 9))))
            self.known.append(self.third)
        body = self.body(neutral=alone)
        end = self.random_end() if self.chance else self.end()
        head += inits
        defs: list[Statement] = [node for function in self.functions for node in (Blank(), function)]
        note: list[Statement] = [Comment(stream.pick(self.topic.comments))] if not stream.below(3) else []
        gap: list[Statement] = [Blank()] if defs or stream.below(2) else []
        program = Program((*head, *extra, *defs, *gap, *note, *body, *end))

        def path(node: Statement) -> Path:
            # By identity: two settings may be equal.
            return (next(place for place, one in enumerate(program.statements) if one is node),)

        return Sketch(
            program=program,
            file=f"{self.topic.file}.py",
            idle=path(idle),
            neutral=path(neutral[0]) if neutral else path(idle),
            critical=path(critical),
        )

    # Expressions

    def number(self, *names: str) -> Expression:
        """A small expression of numbers that are known."""
        stream = self.stream
        left: Expression = Var(stream.pick((*names, *self.known)))
        way = stream.below(6)
        if way < 2:
            return left
        if way == 2:
            return Binary("*", left, Int(stream.between(2, 4)))
        if way == 3:
            return Binary("%", left, Int(stream.between(2, 5)))
        if way == 4:
            return Binary("//", Binary("+", left, Int(stream.between(1, 5))), Int(stream.between(2, 3)))
        return Binary(stream.pick(("+", "-")), left, Int(stream.between(1, 6)))

    # Bodies

    def body(self, *, neutral: bool) -> list[Statement]:
        stream = self.stream
        start: Expression = Int(0) if stream.below(2) else self.number()
        pieces: list[Callable[[], list[Statement]]] = [
            self.loop, self.countdown, self.decision, self.call, self.letters, self.sum,
        ]  # fmt: skip
        chosen = stream.sample(pieces, stream.between(1, 2))
        found: list[list[Statement]] = [piece() for piece in chosen]
        if stream.below(2) or start == Int(0):
            found.append([Augment(self.total, "+", self.number())])
        if neutral:
            found.insert(stream.below(len(found) + 1), self.no_matter())
        return [Assign(self.total, start), *(node for piece in found for node in piece)]

    def loop(self) -> list[Statement]:
        """A for loop that adds up."""
        stream, name = self.stream, self.stream.pick(("i", "j", "step_no"))
        stop: Expression = Int(stream.between(3, 7)) if stream.below(2) else Var(self.critical)
        start: Expression = Int(stream.pick((0, 0, 1)))
        step = 1
        if isinstance(stop, Int) and not stream.below(4):
            start, stop, step = stop, Int(0), -1
        if start == Int(1) and isinstance(stop, Var):
            stop = Binary("+", stop, Int(1))
        inner: list[Statement] = [Augment(self.total, "+", self.number(name, name))]
        if not stream.below(3):
            test = Compare("==", Binary("%", Var(name), Int(2)), Int(stream.below(2)))
            other: list[Statement] = [Augment(self.total, "-", Int(stream.between(1, 3)))] if stream.below(2) else []
            inner = [If((Branch(test, tuple(inner)),), tuple(other))]
        return [For(name, start, stop, step, tuple(inner))]

    def countdown(self) -> list[Statement]:
        """A while loop that ends because a number falls."""
        stream, name = self.stream, self.stream.pick(("left", "rest", "todo"))
        fall = stream.between(1, 3)
        start = Binary("+", Var(self.critical), Int(stream.between(2, 6)))
        body = (Augment(self.total, "+", self.number(name)), Augment(name, "-", Int(fall)))
        return [Assign(name, start), While(Compare(">", Var(name), Int(0)), body)]

    def decision(self) -> list[Statement]:
        """if, elif, else on what is known."""
        stream = self.stream
        cut = stream.between(2, 7)
        first = Branch(_is(self.critical, stream.pick((">", ">=")), cut), (self.change(),))
        branches = [first]
        if stream.below(2):
            branches.append(Branch(_is(self.critical, "==", stream.between(0, cut)), (self.change(),)))
        return [If(tuple(branches), (self.change(),) if stream.below(3) else ())]

    def change(self) -> Statement:
        """One step of the total."""
        stream = self.stream
        if not stream.below(4):
            return Augment(self.total, "*", Int(2))
        return Augment(self.total, stream.pick(("+", "-")), self.number())

    def call(self) -> list[Statement]:
        """A function, and its use."""
        stream = self.stream
        name, (one, two) = stream.pick(self.topic.function), stream.pick((("p", "q"), ("base", "extra"), ("m", "d")))
        body: tuple[Statement, ...]
        combined = Binary(stream.pick(("+", "-", "*")), Var(one), Var(two))
        if stream.below(2):
            test = Compare(stream.pick((">", "<")), Var(one), Var(two))
            other = Binary("+", Var(two), Int(stream.between(1, 4)))
            body = (If((Branch(test, (Return(combined),)),)), Return(other))
        else:
            best = Builtin(stream.pick(("max", "min")), (combined, Int(stream.between(2, 9))))
            body = (Return(best if stream.below(2) else Binary("+", combined, Int(stream.between(1, 5)))),)
        self.functions.append(Def(name, (Param(one, "int"), Param(two, "int")), body))
        return [Augment(self.total, "+", Call(name, (self.number(), Int(stream.between(1, 6)))))]

    def letters(self) -> list[Statement]:
        """The length of a text counts."""
        stream = self.stream
        tag = Assign("word", Binary("*", Str(stream.pick(self.topic.words)), Var(self.critical)))
        return [tag, Augment(self.total, "+", Builtin("len", (Var("word"),)))]

    def sum(self) -> list[Statement]:
        """Plain arithmetic."""
        left = Binary("*", Var(self.critical), Int(self.stream.between(2, 5)))
        return [Augment(self.total, "+", Binary(self.stream.pick(("+", "-")), left, self.number()))]

    def no_matter(self) -> list[Statement]:
        """A use of a number that makes no difference while it lies within 0 to 9."""
        name, total, stream = Var(self.neutral), self.total, self.stream
        more, big = Int(stream.between(1, 5)), Int(stream.between(10, 30))
        ways: tuple[list[Statement], ...] = (
            [If((Branch(Compare(">=", name, Int(0)), (Augment(total, "+", more),)),), (Augment(total, "-", more),))],
            [Augment(total, "+", Binary("*", name, Int(0)))],
            [Augment(total, "+", Builtin("max", (name, big)))],
            [Augment(total, "+", Binary("//", name, Int(10)))],
            [If((Branch(Compare(">", name, big), (Assign(total, Int(0)),)),))],
            [Augment(total, "+", Builtin("min", (name, Int(0))))],
            [Augment(total, "+", Binary("%", Binary("*", name, Int(2)), Int(2)))],
            [Augment(total, "+", name), Augment(total, "-", name)],
            [If((Branch(Compare("<", name, big), (Augment(total, "+", more),)),))],
        )
        return stream.pick(ways)

    # Ends

    def end(self) -> list[Statement]:
        """What is printed, from the total alone."""
        stream, total = self.stream, Var(self.total)
        low, middle, high = (Print((Str(word),)) for word in stream.pick(self.topic.verdicts))
        word = stream.pick(self.topic.words)
        label = stream.pick(self.topic.labels)
        cut = stream.between(4, 30)
        louder = Branch(_is(self.total, ">", cut), (Assign("text", Method("upper", "text")),))
        shout: list[Statement] = [Assign("text", Str(word)), If((louder,)), Print((Var("text"),))]
        above, between = Branch(_is(self.total, ">", cut), (high,)), Branch(_is(self.total, ">", cut // 2), (middle,))
        turns = Binary("+", Binary("%", total, Int(3)), Int(1))
        ways: tuple[list[Statement], ...] = (
            [Print((total,))],
            [Print((Str(label), total))],
            [Print((Binary("+", total, Int(stream.between(1, 9))),))],
            [Print((Str(label), Binary("+", total, Int(stream.between(1, 9)))))],
            [If((above,), (low,))],
            [If((above, between), (low,))],
            [If((Branch(Compare("==", Binary("%", total, Int(2)), Int(0)), (high,)),), (low,))],
            [Print((Binary("*", Str(word), turns),))],
            [For("turn", Int(0), turns, 1, (Print((Str(word), Var("turn"))),))],
            [Assign("label", Binary("+", Str(word + "-"), Builtin("str", (total,)))), Print((Var("label"),))],
            shout,
        )  # fmt: skip
        return stream.pick(ways)

    def random_end(self) -> list[Statement]:
        """What is printed, from the total and from chance."""
        stream, total = self.stream, Var(self.total)
        low, _, high = (Print((Str(word),)) for word in stream.pick(self.topic.verdicts))
        small: Expression = Binary("%", total, Int(10)) if stream.below(2) else total
        faces, scale = stream.pick((4, 6, 8, 10)), stream.pick((10, 20, 40, 100))
        roll, beyond = Assign("roll", RandInt(1, faces)), Int(stream.between(5, 14))
        words = tuple(Str(word) for word in stream.sample(self.topic.words, stream.between(2, 4)))
        ways: tuple[list[Statement], ...] = (
            [roll, If((Branch(Compare("<=", Var("roll"), small), (high,)),), (low,))],
            [roll, If((Branch(Compare(">", Binary("+", Var("roll"), small), beyond), (high,)),), (low,))],
            [If((Branch(Draw(scale, stream.pick(("<", ">")), small), (high,)),), (low,))],
            [If((Branch(Draw(scale, "<", total), (high,)),), (low,))],
            [Assign("pick", RandChoice(words)),
             If((Branch(Compare(">", Builtin("len", (Var("pick"),)), Binary("%", total, Int(6))), (high,)),), (low,))],
            [roll, Assign("gain", Builtin("max", (Var("roll"), small))), Print((Var("gain"),))],
        )  # fmt: skip
        return stream.pick(ways)
