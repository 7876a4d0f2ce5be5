"""All figures in one run: python -m benchmarks [--only NAME ...] [--write]

Each part runs in a process of its own, so that one's memory is not counted for another. ``--write`` puts the tables of
these parts into docs/benchmarks.md.
"""

from __future__ import annotations

import argparse
import json
import os
import platform
import subprocess
import sys
from collections.abc import Iterable
from pathlib import Path
from typing import Any

HERE = Path(__file__).resolve().parent
PAGE = HERE.parent / "docs" / "benchmarks.md"
PARTS = (
    "rendering", "building", "logic", "tables", "code", "scene", "renderers", "photo", "variations", "consistency",
    "runner", "scoring", "reading", "upd",
)  # fmt: skip


def run_part(name: str) -> str:
    """Standard output of one part."""
    command = [sys.executable, "-m", f"benchmarks.bench_{name}", "--json"]
    done = subprocess.run(command, cwd=HERE.parent, stdout=subprocess.PIPE, text=True, check=True)
    return done.stdout


def rendering(text: str) -> str:
    """Markdown."""
    rows = [json.loads(line) for line in text.splitlines()]
    body = "\n".join(f"| {row['name']} | {row['ms']} | {row['times']} |" for row in rows)
    return (
        "## Rendering\n\nOne 650x450 chart with 24 value labels to PNG bytes; medians of charts drawn in turn. Goals: "
        "`skia` 25 times, `matplotlib` 9 times as fast as `pyplot` with a new figure.\n\n"
        f"| | ms | times as fast |\n|---|---:|---:|\n{body}\n"
    )


def building(text: str) -> str:
    """Markdown."""
    rows = [json.loads(line) for line in text.splitlines()]
    body = "\n".join(f"| {row['name']} | {row['seconds']} | {row['times_pure']} |" for row in rows)
    last = rows[-1]
    return (
        f"## Building and certifying\n\n{last['groups']} groups ({6 * last['groups']} views, {last['accepted']} proofs "
        "accepted), family `skia`, one process a core. The yardstick draws the same fourteen pictures a group to PNG "
        "and does nothing else. Goal: one to two times the yardstick, under 1 GB.\n\n"
        f"| | s | times pure rendering |\n|---|---:|---:|\n{body}\n\nMemory, this process and its largest worker: "
        f"{last['mb']} MB.\n"
    )


def named_values(text: str) -> str:
    """A Markdown table of lines with a name, a value and a unit."""
    rows = [json.loads(line) for line in text.splitlines()]
    body = "\n".join(f"| {row['name']} | {row['value']:,} {row['unit']} |" for row in rows)
    return f"| | |\n|---|---:|\n{body}\n"


def logic(text: str) -> str:
    """Markdown."""
    return (
        "## Logic\n\nThe cases of the finite audit, one core. Goals: 100,000 completions a second by enumeration, 5 ms "
        f"a case by SMT (median, solvers reused).\n\n{named_values(text)}"
    )


def tables(text: str) -> str:
    """Markdown."""
    goals = "Goals: 5 ms a picture to PNG on one core, 1,000 proofs checked in 20 s on two."
    return f"## Tables\n\n{goals}\n\n{named_values(text)}"


def code(text: str) -> str:
    """Markdown."""
    picture, built, certified = (json.loads(line) for line in text.splitlines())
    return (
        "## Code screenshots\n\nGoals: 5 ms a picture to PNG on one core, 1,000 proofs checked in 20 s on two.\n\n"
        "| | |\n|---|---:|\n"
        f"| one picture to PNG, median of {picture['pictures']:,} | {picture['median']} ms |\n"
        f"| build {built['groups']:,} groups, {built['workers']} processes | {built['seconds']} s |\n"
        f"| certify them ({certified['accepted']:,} accepted) | {certified['seconds']} s |\n"
    )


def scene(text: str) -> str:
    """Markdown."""
    goal = "Programs on scenes, one core, nothing drawn. Goal: 20,000 programs a second."
    return f"## Scenes: programs\n\n{goal}\n\n{named_values(text)}"


def renderers(text: str) -> str:
    """Markdown."""
    rows = [json.loads(line) for line in text.splitlines()]

    def cell(value: float | None) -> str:
        return "-" if value is None else f"{value:.2f}"

    lines = (
        (row["name"], row["setting"], cell(row["s"]), cell(row["error"]), cell(row.get("error_long"))) for row in rows
    )
    body = "\n".join(f"| {' | '.join(line)} |" for line in lines)
    return (
        "## Scenes: renderers\n\nOne picture of six things at 480x320. The error is the mean absolute difference, of "
        "255, from the same renderer's own long render without a denoiser: one of 2,048 samples, and for Mitsuba, "
        "whose long render is the noisier one, also the mean of four such, which has half of that noise. Goal: each "
        "default 20 times faster than CLEVR's setting through the same Blender, at no larger error.\n\n"
        "| | setting | s | error against 2,048 samples | against 4 x 2,048 |\n|---|---|---:|---:|---:|\n"
        f"{body}\n"
    )


def photo(text: str) -> str:
    """Markdown."""
    goal = "Photos of 640x480 with masks, one process a core. Goal: 60 s."
    return f"## Photos\n\n{goal}\n\n{named_values(text)}"


def variations(text: str) -> str:
    """Markdown."""
    goal = "Goals: 4,500 masked photos in 60 s on two cores, 10 styled pictures a second on one."
    return f"## Variations\n\n{goal}\n\n{named_values(text)}"


def consistency(text: str) -> str:
    """Markdown."""
    goal = (
        "20,000 replies in 5,000 items, with `minilm` where that is installed, and with an embedder that hashes words "
        "and costs next to nothing, so that what is left is ours. Goal: 10 times as fast as a call per pair."
    )
    return f"## Consistency\n\n{goal}\n\n{named_values(text)}"


def runner(text: str) -> str:
    """Markdown."""
    found = json.loads(text)

    def cell(value: float | None, note: str) -> str:
        return note or "not measured" if value is None else f"{value:.2f}"

    body = "\n".join(
        f"| {row['name']} | {row['views']} | {cell(row['cpu_ms_a_view'], row['note'])} | "
        f"{cell(row['views_a_second'], '-')} | {cell(row['peak_mb'], '-')} |"
        for row in found["rows"]
    )
    figures = "\n".join(
        f"- {name}: {'not measured' if value is None else f'{value:.1f}'}" for name, value in found["figures"].items()
    )
    return (
        "## Runner\n\nThe same requests (30 kB images, 64 connections) to one loopback server, ours and Inspect's, "
        "each in a process of its own; processor time of the client only.\n\n"
        f"| | views | cpu ms a view | views a second | peak MB |\n|---|---:|---:|---:|---:|\n{body}\n\n{figures}\n"
    )


def scoring(text: str) -> str:
    """Markdown."""
    row: dict[str, Any] = json.loads(text)[0]
    return (
        f"## Scoring\n\n{row['replies']:,} replies (6 models, 12,000 views, 3 sources), {row['draws']:,} draws: "
        f"{row['figures']} figures and {row['pairs']} paired differences, reading included. SciPy's time is the mean "
        f"of {row['scipy_sampled_calls']} timed calls times the {row['scipy_calls']} calls that the figures take "
        "(its default batch). "
        "Goal: 100 times faster, under 1.5 GB.\n\n"
        "| | s |\n|---|---:|\n"
        f"| ours, whole | {row['ours_s']} |\n"
        f"| ours, reading and counting only | {row['ours_without_draws_s']} |\n"
        f"| `scipy.stats.bootstrap`, percentile | {row['scipy_s']} |\n\n"
        f"Times faster: {row['times_faster']}. Peak memory: {row['peak_memory_mb']} MB.\n"
    )


def reading(text: str) -> str:
    """Markdown."""
    return f"## Reading multiple choice\n\nMixed replies, long ones too, one core. Goal: 3 s.\n\n{named_values(text)}"


def upd(text: str) -> str:
    """Markdown."""
    goal = "As many questions as MM-UPD has, every setting and rotation, 10,000 draws, reading included. Goal: 3 s."
    return f"## Scoring unsolvable problems\n\n{goal}\n\n{named_values(text)}"


def page(parts: Iterable[str]) -> str:
    """The whole page."""
    machine = f"{os.cpu_count()} cores, {platform.machine()}, Python {platform.python_version()}"
    return (
        "# Benchmarks\n\nMeasured, not promised: every table below is printed by\n\n"
        "```text\nmake bench\n```\n\nand was written here by `python -m benchmarks --write` (`--only PART` measures "
        "and writes one part again). Ours and the others' are measured side by side, those of a section in one run, on "
        f"{machine}. Machines differ and are noisy; the ratios travel better than the seconds. For the row of Inspect, "
        "`ANSWERABLE_PEER_PYTHON` names an interpreter that has `inspect_ai` and `openai`.\n\n" + "\n".join(parts)
    )


def sections(text: str) -> dict[str, str]:
    """The sections of a page by their headings."""
    found = text.split("\n## ")[1:]
    return {part.partition("\n")[0]: f"## {part.rstrip()}\n" for part in found}


def main() -> None:
    """Run the parts, print the tables, write the page when asked."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--only", nargs="+", choices=PARTS, default=list(PARTS))
    parser.add_argument("--write", action="store_true")
    args = parser.parse_args()
    parts = {}
    for name in args.only:
        parts[name] = globals()[name](run_part(name))
        print(parts[name], flush=True)
    if args.write:
        write(parts.values())


def write(measured: Iterable[str]) -> None:
    """Put what was measured into the page, in place of what it says of the same parts."""
    kept = sections(PAGE.read_text(encoding="utf-8"))
    for part in measured:
        kept |= sections("\n" + part)
    PAGE.write_text(page(kept.values()), encoding="utf-8")


if __name__ == "__main__":
    main()
