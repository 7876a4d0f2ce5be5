"""How fast replies to multiple-choice questions are read, on one core.

usage: python benchmarks/bench_reading.py [--replies N] [--json]

Replies are made up, no two of them the same: letters, labels, declarations, texts of options, abstentions, rambling
that no rule reads, and long reasoning (some 1,500 characters), in closed blocks and out in the open.
"""

from __future__ import annotations

import argparse
import json
import time
from collections import Counter

from answerable.core.seeds import Stream
from answerable.score.readers.options import READER
from answerable.score.readers.reading import Answered, Item

ITEM = Item({"A": "a red lorry", "B": "a blue car", "C": "two green bicycles", "D": "nobody at all"})
STEP = (
    "Looking at the left of the picture, item {0} stands beside a wall, and its shadow falls to the right. ",
    "That makes option {1} less likely, although the light at hour {0} would allow it. ",
    "Counting again, I find {0} of them; the ones at the back are partly hidden. ",
    "If the road were wet, the answer would be different, but nothing shows water. ",
)
#: Kind of reply -> how many of 20 are of it.
MIX = {"letter": 5, "label": 3, "declared": 3, "text": 2, "abstains": 2, "rambles": 2, "reasons": 2, "thinks": 1}


def reasoning(draw: Stream, steps: int) -> str:
    """Some sentences of made-up reasoning."""
    return "".join(STEP[draw.below(len(STEP))].format(draw.below(10_000), "ABCD"[draw.below(4)]) for _ in range(steps))


def reply(kind: str, number: int) -> str:
    """One reply of a kind."""
    draw = Stream("bench-reading", number)
    letter = "ABCD"[draw.below(4)]
    text = ITEM.options[letter]
    if kind == "rambles":
        return reasoning(draw, 2)
    if kind == "reasons":
        return f"{reasoning(draw, 18)}\n\nSo the answer is ({letter}) {text}."
    if kind == "thinks":
        return f"<think>{reasoning(draw, 18)}</think>\n{letter}"
    said = {
        "letter": (letter, f"({letter})", f"**{letter}**", f"{letter}.", f" {letter}\n"),
        "label": (f"{letter}. {text}", f"({letter}) {text}", f"{letter}, because of item {number}."),
        "declared": (f"The answer is {letter}.", f"Answer: {letter}", f"I see item {number}. Answer: {text}"),
        "text": (text, f"It is {text}.", f"In picture {number} there is {text}."),
        "abstains": ("None of the above.", "It cannot be determined from the image.", f"I don't know item {number}."),
    }
    return draw.pick(said[kind])


def replies(count: int) -> list[str]:
    """Replies of all kinds, mixed."""
    kinds = [kind for kind, share in MIX.items() for _ in range(share)]
    return [reply(kinds[number % len(kinds)], number) for number in range(count)]


def measure(count: int = 100_000) -> list[dict[str, object]]:
    """Read them all once, and say what they were read as."""
    made = replies(count)
    seen: Counter[str] = Counter()
    begin, used = time.perf_counter(), time.process_time()
    for text in made:
        seen[type(READER.read(text, "complete", ITEM)).__name__] += 1
    took, used = time.perf_counter() - begin, time.process_time() - used
    size = sum(map(len, made)) / 1e6
    assert seen[Answered.__name__] > count / 2
    return [
        {"name": f"read {count} replies, {size:.0f} million characters", "value": round(took, 2), "unit": "s",
         "goal": "3"},
        {"name": "the same, processor time", "value": round(used, 2), "unit": "s", "goal": "3"},
    ]  # fmt: skip


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--replies", type=int, default=100_000)
    parser.add_argument("--json", action="store_true")
    args = parser.parse_args()
    for row in measure(args.replies):
        print(
            json.dumps(row) if args.json else f"{row['name']:48} {row['value']:>8} {row['unit']}  (goal {row['goal']})"
        )
