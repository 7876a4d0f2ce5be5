"""A small benchmark whose pictures are a few pixels and whose proofs are made up: enough for folders."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

import msgspec
import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq

from answerable.core.benchmark import FORMAT, Benchmark, BenchmarkWriter, Ledger, LedgerLine, Manifest, ProofRecord
from answerable.core.codec import digest, digest_bytes
from answerable.core.records import Abstain, Answer, Evidence, Group, Obligation, State, View
from answerable.domains.raster import png


def picture(*names: object) -> bytes:
    """A picture of 5 x 4 pixels, its own for every name."""
    seed = int(digest([str(name) for name in names])[:8], 16)
    return png.encode(np.random.default_rng(seed).integers(0, 256, (4, 5, 3), np.uint8))


def no_text(count: int) -> pa.Array[Any]:
    """A column of text whose bytes are no UTF-8: Parquet's writers and readers let it pass."""
    raw = pa.array([b"\xff\xfe"] * count, pa.binary())
    return pa.Array.from_buffers(pa.string(), count, raw.buffers())


def proof(number: int, split: str = "test") -> ProofRecord:
    """A made-up proof of a group."""
    return ProofRecord(group=f"g-{split}-{number}", domain="made-up", body=msgspec.Raw(b'{"n":%d}' % number))


def group(number: int, split: str = "test", source: str = "small") -> tuple[Group, list[bytes]]:
    """A group of three views and its pictures."""
    name = f"g-{split}-{number}"
    duties: dict[State, Obligation] = {
        "F": Answer(target=str(number), type="number"),
        "M": Abstain(reason="missing"),
        "I": Abstain(reason="invalid_reference"),
    }
    pictures = [picture(name, state) for state in duties]
    views = tuple(
        View(
            id=digest([name, state])[:12], group=name, source=source, split=split, figure=f"figure-{split}-{number}",
            state=state, question=f"What is the “größte” number {number}?", obligation=duty,
            evidence=Evidence(level="proved", proof=proof(number, split).digest(), note="für Menschen"),
            image_sha256=digest_bytes(data), width=5, height=4, renderer="none",
        )
        for (state, duty), data in zip(duties.items(), pictures, strict=True)
    )  # fmt: skip
    return Group(id=name, source=source, split=split, views=views), pictures


def manifest(name: str = "small") -> Manifest:
    """A manifest without counts."""
    return Manifest(
        format=FORMAT, name=name, version="1", generator="tests", settings=msgspec.Raw(b'{"seed": 1}'),
        licence="CC0-1.0", prompt="json-answerability", reader="json", metrics=("J",), sources=(), groups=0, views=0,
        proofs=0,
    )  # fmt: skip


def ledger(kept: int) -> Ledger:
    """A ledger in which everything was kept."""
    line = LedgerLine(source="small", scanned=kept, eligible=kept, attempted=kept, kept=kept, refused={}, unattempted=0)
    return Ledger(lines=(line,), asked=kept, kept=kept)


def write(path: Path, plan: Iterable[tuple[int, str]] = ((0, "test"), (1, "test"), (2, "train"))) -> Benchmark:
    """Write a benchmark of the groups named in ``plan``, in that order."""
    plan = list(plan)
    with BenchmarkWriter(path) as writer:
        for number, split in plan:
            made, pictures = group(number, split)
            writer.add(made, pictures, proof(number, split))
        writer.finish(manifest(), ledger(len(plan)), "# A card\n\n{fingerprint}\n")
    return Benchmark(path)


def edit_rows(file: Path, change: Callable[[list[dict[str, Any]]], list[dict[str, Any]]]) -> None:
    """Rewrite a Parquet file of views by hand, as a forger would."""
    table = pq.read_table(file)
    pq.write_table(pa.Table.from_pylist(change(table.to_pylist()), schema=table.schema), file)
