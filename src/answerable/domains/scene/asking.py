"""Whether a question's words ask for what a program computes, and what a program computes, in plain words.

Both trust nothing of what made the question: the words are read by a grammar of their own, and the plain words are
said from the program alone. Neither imports the templates, the drafts or the questions.
"""

from __future__ import annotations

from answerable.domains.scene.normal_form import alike
from answerable.domains.scene.program import SIGNATURES, Node, Program
from answerable.domains.scene.reading import readings
from answerable.domains.scene.vocabulary import ATTRIBUTES, PLACE_WORDS, VALUES, Relation

#: Longer words for a part get a number and are said apart, so that parts used again and again never pile up.
LONG = 300


def asks(wording: str, program: Program) -> bool:
    """Whether the words are a question of ours that, however it is read, asks for what the program computes.

    Args:
        wording: a question, with or without the hint at the form of its answer. Anything may be in it.
    """
    found = readings(wording)
    return bool(found) and alike((program, *found))


def told(program: Program) -> str:
    """What a program computes: ``the color of the one thing that is large, metal and a sphere``.

    Any program may be told, of whatever size; the text grows with its nodes only.
    """
    teller = _Teller()
    for node in program.nodes:
        teller.tell(node)
    return "; ".join((teller.answer(program.nodes[-1]), *teller.apart))


class _Teller:
    """Says node after node. Each has words for one thing and for several; only sets need both.

    Of a set the words are what its things do: ``is red and stands behind ...``, ``are red and stand behind ...``.
    """

    def __init__(self) -> None:
        self.apart: list[str] = []
        """What the numbers in brackets stand for."""
        self._done: list[tuple[str, str]] = []
        self._filters: list[tuple[str, ...]] = []
        """Of each node: the words that its filters take, one after another, down to something that is no filter."""
        self._base: list[int] = []

    def tell(self, node: Node) -> None:
        """Say one node; its inputs were said before."""
        place, output = len(self._done), SIGNATURES[node.function].output
        if node.function.startswith("filter_"):
            self._filters.append((*self._filters[node.inputs[0]], node.value))
            self._base.append(self._base[node.inputs[0]])
        else:
            self._filters.append(())
            self._base.append(place)
        one, many = self._said(node)
        if len(one) > LONG and output in ("ObjectSet", "Object"):
            number = f"({len(self.apart) + 1})"
            self.apart.append(f"{number} means {f'the things that {many}' if output == 'ObjectSet' else one}")
            one, many = (f"is in {number}", f"are in {number}") if output == "ObjectSet" else (number, number)
            # A filter that follows is said of the number.
            self._base[place], self._filters[place] = place, ()
        self._done.append((one, many))

    def answer(self, node: Node) -> str:
        """The last node as an answer: counts begin with ``how many``."""
        if node.function != "count":
            return self._done[-1][0]
        many = self._done[node.inputs[0]][1]
        return f"how many things {many}"

    def _said(self, node: Node) -> tuple[str, str]:
        function, inputs = node.function, [self._done[source] for source in node.inputs]
        if function == "scene":
            return "is in the scene", "are in the scene"
        if function.startswith("filter_"):
            return self._filtered()
        if function == "relate":
            return self._related(node, inputs[0][0])
        attribute = SIGNATURES[function].attribute
        if function.startswith("same_"):
            return f"has the {attribute} of, and is not, {inputs[0][0]}", (
                f"have the {attribute} of, and are not, {inputs[0][0]}"
            )
        if function in ("union", "intersect"):
            word, before = ("or", "either") if function == "union" else ("and", "both")
            one, many = ([pair[at] for pair in inputs] for at in (0, 1))
            return f"{before} [{one[0]}] {word} [{one[1]}]", f"{before} [{many[0]}] {word} [{many[1]}]"
        text = self._about_one(node, [pair[0] for pair in inputs])
        return text, text

    def _about_one(self, node: Node, inputs: list[str]) -> str:
        function, last = node.function, inputs[-1]
        if function.startswith("query_"):
            return f"the {SIGNATURES[function].attribute} of {last}"
        many = self._done[node.inputs[0]][1]
        words = {
            "unique": f"the one thing that {last}",
            "count": f"the number of things that {many}",
            "exist": f"whether anything {last}",
            "less_than": f"whether {inputs[0]} is less than {last}",
            "greater_than": f"whether {inputs[0]} is greater than {last}",
        }
        return words.get(function, f"whether {inputs[0]} is the same as {last}")

    def _related(self, node: Node, whom: str) -> tuple[str, str]:
        relation: Relation = next(one for one in PLACE_WORDS if one == node.value)
        return f"stands {PLACE_WORDS[relation]} {whom}", f"stand {PLACE_WORDS[relation]} {whom}"

    def _filtered(self) -> tuple[str, str]:
        """Filters in the order in which people say them, then what they narrow."""
        order = [value for attribute in ATTRIBUTES for value in VALUES[attribute]]
        values = sorted(self._filters[-1], key=order.index)
        one, many = self._done[self._base[-1]]
        rest = one != "is in the scene"
        single = [f"a {value}" if value in VALUES["shape"] else value for value in values]
        several = [f"{value}s" if value in VALUES["shape"] else value for value in values]
        return (
            f"is {_listed(single)}{f' and {one}' if rest else ''}",
            f"are {_listed(several)}{f' and {many}' if rest else ''}",
        )


def _listed(words: list[str]) -> str:
    return " and ".join(part for part in (", ".join(words[:-1]), words[-1]) if part)
