"""What scenes cost on one core, without drawing them: running programs, asking questions, finding states.

usage: python benchmarks/bench_scene.py [--scenes N] [--rounds N] [--json]

Programs are our own questions of all sorts, one of each sort a scene where the scene allows it. The rate of the
executor over objects counts what is run on scenes that are indexed already; a second one indexes the scene anew for
each program. Rates are of the median round.
"""

from __future__ import annotations

import argparse
import json
import statistics
import time
from collections.abc import Callable

from answerable.core.seeds import Stream
from answerable.domains.scene import objects, relational
from answerable.domains.scene.dependencies import candidates
from answerable.domains.scene.program import Program
from answerable.domains.scene.questions import Question, ask
from answerable.domains.scene.sampler import sample_scene
from answerable.domains.scene.templates import FAMILIES
from answerable.domains.scene.world import Scene

Row = dict[str, object]
Task = tuple[Program, Scene]


def some_scenes(count: int) -> list[Scene]:
    """Scenes of our own; those without room are left out."""
    found = [sample_scene(Stream("bench-scene", number)) for number in range(count)]
    return [one for one in found if isinstance(one, Scene)]


def some_tasks(scenes: list[Scene]) -> list[Task]:
    """A program of each sort for each scene."""
    found = []
    for number, scene in enumerate(scenes):
        for family in FAMILIES:
            asked = ask(scene, family, Stream("bench-question", family, number))
            if isinstance(asked, Question):
                found.append((asked.program, scene))
    return found


def seconds(work: Callable[[], object], rounds: int) -> float:
    """Of the median round, after one that does not count."""
    work()
    found = []
    for _ in range(rounds):
        start = time.perf_counter()
        work()
        found.append(time.perf_counter() - start)
    return statistics.median(found)


def measure(scenes: int = 200, rounds: int = 7) -> list[Row]:
    """Rows: name, value, unit, goal."""
    rows: list[Row] = []

    def add(name: str, value: float, unit: str, goal: str = "") -> None:
        rows.append({"name": name, "value": value, "unit": unit, "goal": goal})

    start = time.perf_counter()
    every = some_scenes(scenes)
    sampled = time.perf_counter()
    tasks = some_tasks(every)
    asked = time.perf_counter()
    indexed = [(program, objects.index(scene)) for program, scene in tasks]
    few = tasks[:: max(1, len(tasks) // 500)]
    running = seconds(lambda: [objects.outcome(program, scene) for program, scene in indexed], rounds)
    whole = seconds(lambda: [objects.execute(program, scene) for program, scene in tasks], rounds)
    queried = seconds(lambda: [relational.execute(program, scene) for program, scene in few], rounds)
    states = seconds(lambda: [candidates(scene, program) for program, scene in few[:100]], 3)
    nodes = sum(len(program.nodes) for program, _ in tasks) / len(tasks)
    add("programs", len(tasks), f"of {nodes:.1f} nodes on average")
    add("executor over objects", round(len(tasks) / running), "programs/s", "20,000")
    add("the same, scene indexed each time", round(len(tasks) / whole), "programs/s")
    add("executor in SQL", round(len(few) / queried), "programs/s")
    add("sampling a scene", round((sampled - start) / scenes * 1000, 2), "ms")
    add("asking a question", round((asked - sampled) / len(tasks) * 1000, 2), "ms")
    add("all states of a question", round(states / len(few[:100]) * 1000, 2), "ms")
    return rows


def main() -> None:
    """Print the rows, as JSON lines or for people."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--scenes", type=int, default=200)
    parser.add_argument("--rounds", type=int, default=7)
    parser.add_argument("--json", action="store_true")
    args = parser.parse_args()
    for row in measure(args.scenes, args.rounds):
        goal = f"   (goal {row['goal']})" if row["goal"] else ""
        print(json.dumps(row) if args.json else f"{row['name']:<42} {row['value']:>12,} {row['unit']}{goal}")


if __name__ == "__main__":
    main()
