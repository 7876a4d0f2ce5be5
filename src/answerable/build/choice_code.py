"""Code screenshots as a source of multiple-choice questions: yes or no, so only IASD is a problem of theirs.

Without an option more, nothing would be left to choose from under AAD; and a question on what "the program" prints
names nothing that another program's picture could lack.
"""

from __future__ import annotations

from answerable.build.choice_bases import Drawn, pictured, truth_options
from answerable.core.codec import decode
from answerable.core.records import Answer, Problem, Refusal
from answerable.core.seeds import Stream
from answerable.domains.choice.states import Asked
from answerable.domains.code import screen
from answerable.domains.code.generator import sketch
from answerable.domains.code.language import depth
from answerable.domains.code.proof import DOMAIN, CodeProof
from answerable.domains.code.questions import Query
from answerable.domains.code.states import FAMILIES, Request, make_group
from answerable.domains.code.world import THEMES, CodeWorld
from answerable.domains.draft import Draft


class CodeBase:
    """Made-up programs."""

    name, lender = DOMAIN, "chart"
    problems: tuple[Problem, ...] = ("IASD",)
    templates = ("output",)
    truths = templates
    labels: tuple[str, ...] = ()
    looks = THEMES

    def draw(self, template: str, look: str, stream: Stream) -> Drawn | None:
        """See ``Base.draw``: the complete program of a group in which chance is no matter."""
        themes = tuple(theme for theme in THEMES if theme == look)
        request = Request(
            "choice", "choice", "test", "s1", themes, bool(stream.below(2)), ("choice", stream.below(10**9))
        )
        made = make_group(sketch(stream, "s1", chance=bool(stream.below(2))), request)
        if not isinstance(made, Draft) or made.proof is None:
            return None
        proof = decode(bytes(made.proof.body), CodeProof)
        duty = made.group.views[0].obligation
        if template not in self.templates or not isinstance(duty, Answer):
            return None
        return Drawn(proof.worlds["F"], proof.query, proof.question, duty, truth_options(duty))

    def other(self, look: str, stream: Stream) -> CodeWorld:
        """See ``Base.other``.

        Raises:
            ValueError: no problem of code needs another picture.
        """
        raise ValueError(f"expected a problem without another picture; got one in {look} from {stream}")

    def asked(self, drawn: Drawn, other: CodeWorld | None, look: str) -> Asked | Refusal:
        """See ``Base.asked``."""
        world: CodeWorld = drawn.world
        query: Query = drawn.program
        problems = screen.problems(world, None)
        if problems or other is not None:
            return problems[0] if problems else Refusal(reason="no other picture", detail=look)
        images, sizes = pictured({"F": screen.render(world, None)})
        body = CodeProof(
            question=drawn.question, query=query, version=screen.version(), worlds={"F": world}, claims=()
        )  # fmt: skip
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
            depth=depth(world.program),
            content=[world.program, query],
        )
