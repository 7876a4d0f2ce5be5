"""What the runner costs: processor time a view, and how memory grows with the number of views.

usage: python benchmarks/bench_runner.py [--views N] [--peer-views N] [--peer-python PATH] [--json]

Our process and the peer's (Inspect, in an environment of its own) each put the same kind of requests (one question,
one 30 kB image as a data URL, 64 connections) to the same loopback server, which is a process of its own. Processor
time is user plus system time of the measured process only, everything included: start, verifying the benchmark,
reading, asking, logging.
"""

from __future__ import annotations

import argparse
import contextlib
import json
import os
import shutil
import struct
import subprocess
import sys
import tempfile
import zlib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import msgspec

from answerable.core.benchmark import BenchmarkWriter, Ledger, Manifest
from answerable.core.codec import digest_bytes
from answerable.core.records import Abstain, Answer, Evidence, Group, State, View

HERE = Path(__file__).resolve().parent
IMAGE_BYTES = 30_000
CONNECTIONS = 64
STATES_ASKED: tuple[State, ...] = ("F", "S", "K", "C", "M")
SIZES = (1_000, 50_000)
#: Where the peer may live; named by the environment or a flag, never installed by us.
PEER_ENV = "ANSWERABLE_PEER_PYTHON"


class Row(msgspec.Struct, frozen=True):
    """One line of the table. A figure that was not measured is None, and ``note`` says why."""

    name: str
    views: int
    cpu_ms_a_view: float | None
    views_a_second: float | None
    peak_mb: float | None
    note: str = ""


def image(index: int) -> bytes:
    """A PNG of 30 kB that differs from view to view: a white picture and a private chunk of noise."""

    def chunk(name: bytes, body: bytes) -> bytes:
        return struct.pack(">I", len(body)) + name + body + struct.pack(">I", zlib.crc32(name + body))

    header = chunk(b"IHDR", struct.pack(">IIBBBBB", 65, 45, 8, 2, 0, 0, 0))
    pixels = chunk(b"IDAT", zlib.compress((b"\x00" + b"\xff" * 195) * 45))
    noise = (digest_bytes(str(index).encode()).encode() * (IMAGE_BYTES // 64 + 1))[: IMAGE_BYTES - 120]
    return b"\x89PNG\r\n\x1a\n" + header + chunk(b"prVt", noise) + pixels + chunk(b"IEND", b"")


def make(path: Path, views: int) -> None:
    """A benchmark of so many views in groups of five."""
    with BenchmarkWriter(path) as writer:
        for group in range(-(-views // 5)):
            images = [image(5 * group + number) for number in range(min(5, views - 5 * group))]
            members = tuple(_view(group, number, data) for number, data in enumerate(images))
            writer.add(Group(f"g{group}", "bench", "test", members), images, None)
        writer.finish(
            Manifest(
                format=1, name="bench", version="1", generator="bench_runner", settings=msgspec.Raw(b"{}"),
                licence="CC0-1.0", prompt="json-answerability", reader="json", metrics=(), sources=(), groups=0,
                views=0, proofs=0,
            ),
            Ledger((), 0, 0),
            "",
        )  # fmt: skip


def _view(group: int, number: int, data: bytes) -> View:
    state = STATES_ASKED[number]
    return View(
        id=digest_bytes(f"{group} {number}".encode())[:24], group=f"g{group}", source="bench", split="test",
        figure=f"f{group}", state=state, question=f"What is the value of Revenue for month {group % 12 + 1}?",
        obligation=Abstain("missing") if state == "M" else Answer("42", "number"), evidence=Evidence("derived"),
        image_sha256=digest_bytes(data), width=65, height=45,
    )  # fmt: skip


@contextlib.contextmanager
def stub() -> Iterator[int]:
    """The loopback server in a process of its own; gives its port."""
    process = subprocess.Popen([sys.executable, str(HERE / "stub_server.py")], stdout=subprocess.PIPE, text=True)
    try:
        assert process.stdout is not None
        yield int(process.stdout.readline())
    finally:
        process.terminate()
        process.wait()
        if process.stdout is not None:
            process.stdout.close()


def timed(command: list[str], environment: dict[str, str]) -> tuple[float, float, float]:
    """Run a command; its processor seconds, wall seconds and peak resident megabytes."""
    # A small process between gives wait4 figures of the command alone.
    code = (
        "import json,os,subprocess,sys,time\n"
        "start=time.perf_counter()\n"
        "p=subprocess.Popen(sys.argv[1:],stdout=subprocess.PIPE,stderr=subprocess.STDOUT)\n"
        "text=p.stdout.read().decode()\n"
        "_,status,used=os.wait4(p.pid,0)\n"
        "print(json.dumps([status,used.ru_utime+used.ru_stime,time.perf_counter()-start,used.ru_maxrss,text[-2000:]]))"
    )
    done = subprocess.run(
        [sys.executable, "-c", code, *command], check=True, capture_output=True, text=True, env=environment
    )
    status, cpu, wall, peak, text = json.loads(done.stdout.splitlines()[-1])
    if status != 0:
        raise RuntimeError(f"{' '.join(command[:4])} ended with status {status}:\n{text}")
    return cpu, wall, peak * (1 / 1024 if sys.platform != "darwin" else 1 / 1024**2)


def ours(views: int, port: int, folder: Path) -> Row:
    """``answerable run`` in a process of its own."""
    bench, out = folder / f"bench-{views}", folder / f"run-{views}"
    make(bench, views)
    program = (
        "from answerable.cli.run import add_parser, main; import argparse, sys\n"
        "parser = argparse.ArgumentParser(); add_parser(parser.add_subparsers())\n"
        "sys.exit(main(parser.parse_args(sys.argv[1:])))"
    )
    command = [sys.executable, "-c", program, "run", str(bench), "--model", "stub", "--out", str(out), "--json"]
    command += ["--base-url", f"http://127.0.0.1:{port}/v1", "--concurrency", str(CONNECTIONS)]
    command += ["--concurrency-start", str(CONNECTIONS)]
    cpu, wall, peak = timed(command, {**os.environ, "OPENAI_API_KEY": ""})
    with (out / "replies-00000.jsonl").open("rb") as log:
        logged = sum(1 for _ in log)
    if logged != views:
        raise RuntimeError(f"expected {views} replies; got {logged}")
    shutil.rmtree(bench)
    shutil.rmtree(out)
    return Row("answerable run", views, 1000 * cpu / views, views / wall, peak)


_PEER = """
import sys
from inspect_ai import Task, eval
from inspect_ai.dataset import MemoryDataset, Sample
from inspect_ai.model import ChatMessageUser, ContentImage, ContentText, GenerateConfig, get_model
from inspect_ai.scorer import match
from inspect_ai.solver import generate

port, views, folder, logs = sys.argv[1], int(sys.argv[2]), sys.argv[3], sys.argv[4]
def sample(i):
    picture = ContentImage(image=f"{folder}/{i}.png")
    text = ContentText(text=f"What is the value of Revenue for month {i // 5 % 12 + 1}?")
    return Sample(input=[ChatMessageUser(content=[picture, text])], target="42", id=i)
model = get_model("openai/stub", base_url=f"http://127.0.0.1:{port}/v1", api_key="none", responses_api=False,
                  config=GenerateConfig(max_connections=64, temperature=0, max_tokens=512))
task = Task(dataset=MemoryDataset([sample(i) for i in range(views)]), solver=generate(), scorer=match())
log = eval(task, model=model, display="none", log_images=False, log_dir=logs)[0]
sys.exit(0 if log.status == "success" and len(log.samples or []) == views else 1)
"""


def peer(views: int, port: int, folder: Path, python: str | None) -> Row:
    """Inspect on the same images and server, when there is one."""
    probe = [python or "", "-c", "import inspect_ai"]
    if not python or subprocess.run(probe, check=False, capture_output=True).returncode != 0:
        return Row("Inspect", views, None, None, None, "peer not installed")
    images = folder / "images"
    images.mkdir()
    for index in range(views):
        (images / f"{index}.png").write_bytes(image(index))
    environment = {key: value for key, value in os.environ.items() if key not in ("PYTHONPATH", "VIRTUAL_ENV")}
    cpu, wall, peak = timed(
        [python, "-c", _PEER, str(port), str(views), str(images), str(folder / "logs")], environment
    )
    shutil.rmtree(images)
    return Row("Inspect", views, 1000 * cpu / views, views / wall, peak)


def measure(views: int = 2_000, peer_views: int | None = None, peer_python: str | None = None) -> list[Row]:
    """Every row: ours, the peer, and ours at both sizes for memory.

    Args:
        views: views of our row for processor time.
        peer_views: views of the peer's row; as many as ours unless given.
        peer_python: an interpreter that has ``inspect_ai``; also taken from ``ANSWERABLE_PEER_PYTHON``.
    """
    with tempfile.TemporaryDirectory(prefix="bench-runner-") as name, stub() as port:
        folder = Path(name)
        python = peer_python or os.environ.get(PEER_ENV)
        rows = [ours(views, port, folder), peer(peer_views or views, port, folder, python)]
        rows += [ours(size, port, folder) for size in SIZES]
    return rows


def figures(rows: list[Row]) -> dict[str, float | None]:
    """The two figures that count, with their goals beside them in the table."""
    mine, theirs, small, large = rows
    ratio = theirs.cpu_ms_a_view / mine.cpu_ms_a_view if theirs.cpu_ms_a_view and mine.cpu_ms_a_view else None
    growth = large.peak_mb - small.peak_mb if large.peak_mb is not None and small.peak_mb is not None else None
    return {"times cheaper than the peer (goal: 15)": ratio, "MB more at 50,000 views (goal: under 100)": growth}


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--views", type=int, default=2_000)
    parser.add_argument("--peer-views", type=int)
    parser.add_argument("--peer-python", help="an interpreter that has inspect_ai")
    parser.add_argument("--json", action="store_true")
    args = parser.parse_args()
    rows = measure(args.views, args.peer_views, args.peer_python)
    result: dict[str, Any] = {"rows": msgspec.to_builtins(rows), "figures": figures(rows)}
    if args.json:
        print(json.dumps(result, indent=2))
        return
    print(f"{'':16} {'views':>7} {'cpu ms/view':>12} {'views/s':>9} {'peak MB':>9}")
    for row in rows:
        cells = [row.cpu_ms_a_view, row.views_a_second, row.peak_mb]
        texts = [row.note or "-" if cell is None else f"{cell:.2f}" for cell in cells]
        print(f"{row.name:16} {row.views:7} {texts[0]:>12} {texts[1]:>9} {texts[2]:>9}")
    for name, value in result["figures"].items():
        print(f"{name}: {'not measured' if value is None else f'{value:.1f}'}")


if __name__ == "__main__":
    main()
