"""A small benchmark with drawn pictures, and hand-made scores on it: three runs, thirty groups, six states.

Texts that come from strangers (questions, labels, run names, replies) try to break out of a page.
"""

from __future__ import annotations

import hashlib
import io
import json
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import msgspec
import pyarrow as pa
import pyarrow.parquet as pq
from PIL import Image, ImageDraw

from answerable.core.benchmark import Benchmark, BenchmarkWriter, Ledger, Manifest, ProofRecord
from answerable.core.codec import digest_bytes, encode_pretty
from answerable.core.records import Abstain, Answer, Evidence, Group, Obligation, State, View
from answerable.core.scores import (
    FORMAT,
    LOSSES,
    OUTCOMES,
    SCORES,
    VERDICT_COLUMNS,
    VERDICTS,
    Figure,
    PairDifference,
    RunScores,
    Scores,
    SourceScores,
    StateTally,
)

STATES: tuple[State, ...] = ("F", "S", "K", "C", "M", "I")
#: Each sets a flag if a page runs it.
HOSTILE = (
    "<script>window.__hit=1</script>",
    '<img src=x onerror="window.__hit=1">',
    "</script><script>window.__hit=1</script>",
    "</style><script>window.__hit=1</script>",
    '"><svg onload=window.__hit=1>',
    '$\\href{q"><animate onbegin=window.__hit=1>}{k}$',
    "<scratchpad>hidden</scratchpad> 12",
    "[link](javascript:window.__hit=1)",
    "<!--<script>\u2028window.__hit=1\u2029",
    '=HYPERLINK("http://example.invalid/?"&A1)',
    "{{ 7*7 }} {% raw %} ${7*7}",
    "\u202eevil\u202c \u0000\u0007 \ufeff",
)
RUNS = ("vision-large", 'tiny <img src=x onerror="window.__hit=1">', "always-answer")
_WORDS = ("Ferry passengers", "Honey harvest", "Tram rides", "Library loans", "Rainfall", "Apple exports")
_PLACES = ("Oslo", "Łódź", "Zürich", "Kyoto", "Lima", "Dakar")
_YEARS = ("2019", "2020", "2021", "2022", "2023")
_COLOURS = ("#4477aa", "#ee6677", "#228833", "#ccbb44")


def draw(bound: int, *names: str | int) -> int:
    """A number in ``[0, bound)`` that these names always give."""
    return int.from_bytes(hashlib.sha256(repr(names).encode()).digest()[:8], "big") % bound


def png(values: Sequence[Sequence[int | None]], labels: Sequence[str], *, scale: int = 1, noise: int = 0) -> bytes:
    """A grouped bar chart; None is hidden under a patch, an empty series is not drawn."""
    wide, high = 360 * scale, 240 * scale
    image = Image.new("RGB", (wide, high), "white")
    if noise:
        # Does not compress: what a photo weighs.
        block = b"".join(hashlib.sha256(f"noise {noise} {part}".encode()).digest() for part in range(2048))
        image = Image.frombytes("RGB", (wide, high), (block * (wide * high * 3 // 4096 + 1))[: wide * high * 3])
    pen = ImageDraw.Draw(image)
    pen.line((30, high - 24, wide - 8, high - 24), fill="#555555", width=scale)
    step = (wide - 44) / len(_YEARS)
    for x, year in enumerate(_YEARS):
        pen.text((36 + step * x + step / 4, high - 18), year, fill="#333333")
        for s, series in enumerate(values):
            left = 36 + step * x + s * step / (len(values) + 1)
            value = series[x]
            if value is None:
                pen.rectangle((36 + step * x - 2, 26, 36 + step * (x + 1) - 6, high - 25), fill="#9a9a9a")
                continue
            top = high - 24 - value * (high - 60) / 100
            pen.rectangle((left, top, left + step / (len(values) + 1) - 2, high - 25), fill=_COLOURS[s])
            pen.text((left, top - 12), str(value), fill="#222222")
    for s, label in enumerate(labels):
        pen.rectangle((36 + s * 90, 6, 44 + s * 90, 14), fill=_COLOURS[s])
        pen.text((48 + s * 90, 4), label.encode("ascii", "replace").decode(), fill="#222222")
    file = io.BytesIO()
    image.save(file, format="PNG")
    return file.getvalue()


def make_group(number: int, *, scale: int = 1, noise: int = 0) -> tuple[Group, list[bytes], ProofRecord]:
    """One group in six states with its pictures and a proof record."""
    series = 2 + number % 2
    values: list[list[int | None]] = [[10 + draw(86, number, s, year) for year in _YEARS] for s in range(series)]
    labels = [_PLACES[(number + s) % len(_PLACES)] for s in range(series)]
    x, other = number % 5, (number + 2) % 5
    asked = values[0][x] or 0
    changed = 10 + (asked + 31) % 86
    question = f"What is the value of {_WORDS[number % 6]} for {labels[0]} in {_YEARS[x]}?"
    if number < len(HOSTILE):
        question += f" {HOSTILE[number]}"
    source, name = ("chart-sampler", f"g{number:03d}") if number < 20 else ("my table", f"t{number:03d}")
    if number == 7:
        name = '"><script>window.__hit=1</script>/../..'

    def state(letter: str) -> tuple[bytes, Obligation]:
        drawn, shown = [list(row) for row in values], list(labels)
        duty: Obligation = Answer(target=str(asked), type="number")
        if letter == "S":
            drawn[0][other] = 10 + ((drawn[0][other] or 0) + 17) % 86
        elif letter == "K":
            drawn = [[None if place == other else v for place, v in enumerate(row)] for row in drawn]
        elif letter == "C":
            drawn[0][x], duty = changed, Answer(target=str(changed), type="number")
        elif letter == "M":
            drawn = [[None if place == x else v for place, v in enumerate(row)] for row in drawn]
            duty = Abstain(reason="missing")
        elif letter == "I":
            drawn, shown, duty = drawn[1:], shown[1:], Abstain(reason="invalid_reference")
        return png(drawn, shown, scale=scale, noise=noise + number if noise else 0), duty

    proof = ProofRecord(group=name, domain="chart", body=msgspec.Raw(b"{}"))
    views, images = [], []
    for letter in STATES:
        image, duty = state(letter)
        views.append(
            View(
                id=f"v{digest_bytes(f'{number} {letter}'.encode())[:12]}", group=name, source=source, split="test",
                figure=f"fig-{number}", state=letter, question=question, obligation=duty,
                evidence=Evidence(level="proved", proof=proof.digest(), note="sampled world, one edit"),
                image_sha256=digest_bytes(image), width=360 * scale, height=240 * scale, renderer="fake 1.0",
            )
        )  # fmt: skip
        images.append(image)
    return Group(id=name, source=source, split="test", views=tuple(views)), images, proof


def make_benchmark(folder: Path, groups: int = 30, *, scale: int = 1, noise: int = 0) -> Benchmark:
    """Write a benchmark of drawn groups."""
    with BenchmarkWriter(folder) as writer:
        for number in range(groups):
            writer.add(*make_group(number, scale=scale, noise=noise))
        manifest = Manifest(
            format=1, name="fake-charts", version="1", generator="tests 1", settings=msgspec.Raw(b"{}"),
            licence="CC0-1.0", prompt="json", reader="json", metrics=("J",), sources=(), groups=0, views=0, proofs=0,
        )  # fmt: skip
        writer.finish(manifest, Ledger(lines=(), asked=groups, kept=groups), "card {fingerprint}")
    return Benchmark(folder)


@dataclass(frozen=True)
class Asked:
    """A view, a run and what came of it."""

    outcome: str
    text: str | None
    status: str
    rule: str = "json"
    why: str | None = None


def _said(answer: str | None, reason: str = "as read from the picture") -> str:
    return json.dumps({"answerable": answer is not None, "answer": answer, "reason": reason}, ensure_ascii=False)


def behave(run: int, number: int, view: View) -> Asked:
    """What a run does with a view: fixed rules, so that every outcome and status occurs."""
    target = view.obligation.target if isinstance(view.obligation, Answer) else ""
    chance = draw(100, "behave", run, number, view.state)
    return (_strong, _weak, _always)[run](chance, number, target, HOSTILE[number % len(HOSTILE)], view.state)


def _strong(chance: int, number: int, target: str, hostile: str, state: str) -> Asked:
    if chance >= (30 if state == "M" else 6):
        return Asked("correct", _said(target or None, hostile), "complete")
    if target:
        return Asked("wrong_answer", _said("11"), "complete")
    return Asked("false_acceptance", _said("42", hostile), "complete")


def _always(chance: int, number: int, target: str, hostile: str, state: str) -> Asked:
    return Asked("correct" if target else "false_acceptance", _said(target or "50"), "complete")


def _weak(chance: int, number: int, target: str, hostile: str, state: str) -> Asked:
    """Incomplete, refuses, is cut off, hostile."""
    if number >= 27:
        return Asked("not_run", None, "not_run", rule="")
    right = Asked("correct", _said(target or None), "complete")
    wrong = Asked("wrong_answer", _said(hostile), "complete", rule="json in a fence")
    shy = Asked("false_rejection", _said(None), "complete")
    bold = Asked("false_acceptance", _said("37"), "complete")
    steps = (
        (3, Asked("failed", None, "timeout", rule="")),
        (6, Asked("failed", None, "server_error", rule="")),
        (14, Asked("invalid", hostile, "complete", rule="none", why="not one JSON object")),
        (18, Asked("invalid", None, "empty", rule="none", why="no text")),
        (22, Asked("invalid", '{"answerable": tr', "truncated", rule="none", why="cut off")),
        (25, Asked("invalid", "I cannot help with that.", "refused", rule="none", why="refused")),
        (45, wrong if target else right),
        (55, shy if target else right),
        (60, shy if target else bold),
        (100, right if target else bold),
    )
    return next(asked for limit, asked in steps if chance < limit)


_READING = {"failed": "failed", "not_run": "not_run", "invalid": "invalid"}


def verdict_rows(benchmark: Benchmark) -> list[dict[str, Any]]:
    """A row for every run and view."""
    rows = []
    for run, name in enumerate(RUNS):
        for number, group in enumerate(benchmark.groups()):
            for view in group.views:
                asked = behave(run, number, view)
                answer = json.loads(asked.text)["answer"] if asked.text and asked.rule.startswith("json") else None
                reading = _READING.get(asked.outcome) or ("abstained" if answer is None else "answered")
                rows.append(
                    {
                        "run": name, "group": group.id, "view": view.id, "source": view.source, "state": view.state,
                        "repeat": 0, "outcome": asked.outcome,
                        "decision_right": asked.outcome in ("correct", "wrong_answer"),
                        "answer_right": asked.outcome == "correct", "reading": reading, "answer": answer,
                        "rule": asked.rule or None, "why": asked.why, "status": asked.status,
                        "finish_reason": "stop" if asked.text else None, "reply": asked.text,
                        "reasoning": "Let me look. " + HOSTILE[number % len(HOSTILE)] if run == 0 else None,
                        "seconds": 1.25 if asked.text else None,
                    }
                )  # fmt: skip
    return rows


def figure(hits: int, of: int) -> Figure:
    """A figure with a plausible interval."""
    if not of:
        return Figure(value=None, numerator=0, denominator=0)
    rate = hits / of
    half = 1.5 * (rate * (1 - rate) / of) ** 0.5
    edge = (max(0.0, rate - 0.07), min(1.0, rate + 0.07)) if rate in (0, 1) else None
    return Figure(
        value=rate, numerator=hits, denominator=of, wilson=edge,
        interval=(max(0.0, rate - half), min(1.0, rate + half)),
    )  # fmt: skip


def _source(rows: list[dict[str, Any]], source: str) -> SourceScores:
    mine = [row for row in rows if row["source"] == source]
    groups: dict[str, list[dict[str, Any]]] = {}
    for row in mine:
        groups.setdefault(row["group"], []).append(row)
    failed = {name: sum(not row["decision_right"] for row in held) for name, held in groups.items()}
    whole = sum(all(row["outcome"] == "correct" for row in held) for held in groups.values())
    right = sum(not count for count in failed.values())
    no_m = sum(any(r["state"] == "M" and not r["decision_right"] for r in held) for held in groups.values())
    losses = dict(zip(LOSSES, (whole, right - whole, len(groups) - right - no_m, no_m), strict=True))

    def error(states: Sequence[str]) -> Figure:
        picked = [row for row in mine if row["state"] in states]
        return figure(sum(not row["decision_right"] for row in picked), len(picked))

    supported = [row for row in mine if row["state"] in "FSKC"]
    count = len(groups)
    tallies = []
    for letter in STATES:
        of = [row for row in mine if row["state"] == letter]
        outcomes: dict[str, int] = {kind: n for kind in OUTCOMES if (n := sum(row["outcome"] == kind for row in of))}
        tallies.append(StateTally(state=letter, views=len(of), failure=error(letter), outcomes=outcomes))
    return SourceScores(
        source=source, level="proved", groups=count, views=len(mine), states=STATES,
        metrics={
            "J": figure(whole, count), "B": figure(right, count), "J_5": figure(whole, count),
            "B_5": figure(right, count), "E": error(STATES), "E_A": error("FSKC"), "E_M": error("M"),
            "E_I": error("I"), "E_K": error("K"), "E_balanced": error(STATES), "B_FSM": figure(right, count),
            "A": figure(sum(row["outcome"] == "correct" for row in supported), len(supported)),
        },
        baselines={
            "always-answer": {"J": figure(0, count), "B": figure(0, count), "E": figure(2 * count, 6 * count)},
            "always-abstain": {"J": figure(0, count), "B": figure(0, count), "E": figure(4 * count, 6 * count)},
        },
        tallies=tuple(tallies),
        failed_views=tuple(sum(n == k for n in failed.values()) for k in range(7)),
        first_failures=sum(n > 0 for n in failed.values()),
        additional_failures=sum(max(0, n - 1) for n in failed.values()),
        losses=losses,
        statuses=_count(row["status"] for row in mine), rules=_count(row["rule"] for row in mine if row["rule"]),
    )  # fmt: skip


def _count(words: Any) -> dict[str, int]:
    counts: dict[str, int] = {}
    for word in words:
        counts[word] = counts.get(word, 0) + 1
    return counts


def make_scores(folder: Path, benchmark: Benchmark, rows: list[dict[str, Any]]) -> Scores:
    """Write a scores folder for these verdicts."""
    sources = sorted({row["source"] for row in rows})
    runs = []
    for name in dict.fromkeys(row["run"] for row in rows):
        mine = [row for row in rows if row["run"] == name]
        count = _count(row["reading"] for row in mine)
        failed, missing = count.get("failed", 0), count.get("not_run", 0)
        runs.append(
            RunScores(
                name=name, model=f"lab/{name}", provider="openai", prompt="json", control="none", repeats=1,
                expected=len(mine), replied=len(mine) - failed - missing, failed=failed, not_run=missing,
                sources={source: _source(mine, source) for source in sources},
            )
        )  # fmt: skip
    pairs = []
    for source in sources:
        for metric in ("J", "B", "E"):
            for i, a in enumerate(runs):
                for b in runs[i + 1 :]:
                    one, two = a.sources[source].metrics[metric], b.sources[source].metrics[metric]
                    value = (one.value or 0) - (two.value or 0)
                    pairs.append(
                        PairDifference(
                            source=source, metric=metric, a=a.name, b=b.name, value=value,
                            interval=(value - 0.12, value + 0.11), excludes_zero=abs(value) > 0.12,
                            groups=a.sources[source].groups,
                        )
                    )  # fmt: skip
    scores = Scores(
        format=FORMAT, benchmark="fake-charts", benchmark_fingerprint=benchmark.manifest.fingerprint, split="test",
        draws=10_000, seed=20260915, reader="json 1",
        rules="The reply must be one JSON object; one code fence around it is allowed and counted apart.",
        definitions={
            "J": "share of groups with every decision and every supported answer right",
            "B": "share of groups with every decision right",
            "E": "share of views whose decision is wrong or cannot be read",
            "A": "share of supported views answered correctly",
        },
        runs=tuple(runs), pairs=tuple(pairs),
        notes=(
            f"{RUNS[1]} is incomplete: what is missing counts as failed.",
            "Intervals are not adjusted for the number of comparisons.",
        ),
    )  # fmt: skip
    folder.mkdir(parents=True, exist_ok=True)
    (folder / SCORES).write_bytes(encode_pretty(scores))
    kinds = {"string": pa.string(), "int32": pa.int32(), "bool": pa.bool_(), "float64": pa.float64()}
    schema = pa.schema([pa.field(name, kinds[kind]) for name, kind in VERDICT_COLUMNS.items()])
    pq.write_table(pa.Table.from_pylist(rows, schema=schema), folder / VERDICTS)
    return scores
