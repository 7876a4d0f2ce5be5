"""Question wordings of our own. Each asks for one value and says in which unit to give it."""

from __future__ import annotations

from answerable.core.seeds import Stream
from answerable.domains.chart.world import ChartWorld
from answerable.logic.program import Lookup

_MANY = (
    "What is the value of {series} at {position}?",
    "Read the chart: which value does {series} have at {position}?",
    "At {position}, what is the value for {series}?",
    "Which number does the chart give for {series} at {position}?",
)
_ONE = (
    "What is the value at {position}?",
    "Read the chart: which value is shown for {position}?",
    "Which number does the chart give for {position}?",
)


def ask(world: ChartWorld, program: Lookup, stream: Stream) -> str:
    """The question for a look-up. Values are asked whole, so a scale on the axis never leaves two readings."""
    wordings = _MANY if len(world.series) > 1 else _ONE
    text = stream.pick(wordings).format(series=_quoted(program.series), position=_quoted(program.position))
    unit = f" in {world.unit}" if world.unit else ""
    if world.scale == 1:
        return f"{text} Give it{unit}." if unit else text
    return f"{text} Give the full amount{unit}: write out the zeros, or the word thousand, million or billion."


def asks_for(question: str, world: ChartWorld, program: Lookup) -> bool:
    """Whether a question names, in quotation marks, exactly what the program reads."""
    named = {_quoted(program.position)} | ({_quoted(program.series)} if len(world.series) > 1 else set())
    rest = question
    for name in sorted(named, key=len, reverse=True):
        if name not in rest:
            return False
        rest = rest.replace(name, "", 1)
    return "\u201c" not in rest and "\u201d" not in rest


def _quoted(name: str) -> str:
    return f"\u201c{name}\u201d"
