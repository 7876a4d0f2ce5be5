"""Synthetic benchmarks and runs for the tests of scoring: no image is ever looked at."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path

import msgspec

from answerable.core.benchmark import Benchmark, BenchmarkWriter, Ledger, Manifest
from answerable.core.codec import digest, digest_bytes
from answerable.core.records import UNSUPPORTED, Abstain, Answer, Group, View
from answerable.core.runlog import Failure, PromptText, Reply, RunFolder, RunLog, RunManifest, Sampling

CHART = ("F", "S", "C", "M", "I")
PIXEL = b"not looked at"

#: What a fake model does with a view: the reply text, or None for no reply, or "failed" for a failure.
Policy = Callable[[View], str | None]
FAILED = "\x00failed"


def answered(text: str | None) -> str:
    return json.dumps({"answerable": True, "answer": text, "reason": "seen"})


ABSTAINS = json.dumps({"answerable": False, "answer": None, "reason": "hidden"})


def oracle(view: View) -> str:
    return answered(view.obligation.target) if isinstance(view.obligation, Answer) else ABSTAINS


def wrong(view: View) -> str:
    return ABSTAINS if isinstance(view.obligation, Answer) else answered("1")


def view_of(group: str, state: str, source: str, level: str = "derived", target: str = "7") -> View:
    duty: Answer | Abstain = Answer(target=target, type="number")
    if state in UNSUPPORTED:
        duty = Abstain(reason="missing" if state == "M" else "invalid_reference")
    return msgspec.convert(
        {
            "id": f"v-{digest_bytes(f'{source}{group}{state}'.encode())[:16]}", "group": group, "source": source,
            "split": "test", "figure": group, "state": state, "question": "How much?",
            "obligation": msgspec.to_builtins(duty), "evidence": {"level": level, "proof": "", "note": ""},
            "image_sha256": digest_bytes(PIXEL), "width": 1, "height": 1,
        },
        View,
    )  # fmt: skip


def group_of(name: str, source: str = "chart", states: Sequence[str] = CHART, level: str = "derived") -> Group:
    views = tuple(view_of(name, state, source, level) for state in states)
    return Group(id=name, source=source, split="test", views=views)


def groups_of(count: int, source: str = "chart", states: Sequence[str] = CHART, level: str = "derived") -> list[Group]:
    return [group_of(f"{source}-{number:05d}", source, states, level) for number in range(count)]


def asking(group: Group, program: str, depth: int) -> Group:
    """The group with a question of a program family and depth."""
    views = tuple(msgspec.structs.replace(view, program=program, depth=depth) for view in group.views)
    return msgspec.structs.replace(group, views=views)


def write_benchmark(path: Path, groups: Iterable[Group], reader: str = "json") -> Benchmark:
    with BenchmarkWriter(path) as writer:
        for group in groups:
            writer.add(group, [PIXEL] * len(group.views), None)
        manifest = Manifest(
            format=1, name="fake", version="1", generator="tests", settings=msgspec.Raw(b"{}"), licence="Apache-2.0",
            prompt="answerability", reader=reader, metrics=(), sources=(), groups=0, views=0, proofs=0,
        )  # fmt: skip
        writer.finish(manifest, Ledger(lines=(), asked=0, kept=0), "")
    return Benchmark(path)


def manifest_of(benchmark: Benchmark, *, repeats: int = 1, limit: int | None = None, model: str = "m") -> RunManifest:
    sampling = Sampling()
    groups = list(benchmark.groups("test"))[:limit]
    return RunManifest(
        format=1, benchmark=benchmark.manifest.name, benchmark_fingerprint=benchmark.manifest.fingerprint,
        model=model, provider="fake", endpoint="",
        prompt=PromptText(name="p", system="", user="{question}", sha256="p"),
        sampling=sampling, sampling_sha256=digest(sampling), repeats=repeats, control="none", split="test", limit=limit,
        views=sum(len(group.views) for group in groups), seed=0, versions={},
    )  # fmt: skip


def reply_of(manifest: RunManifest, view: str, text: str | None, repeat: int = 0, **more: object) -> Reply:
    fields: dict[str, object] = {
        "view": view, "repeat": repeat, "prompt": manifest.prompt.sha256, "model": manifest.model,
        "sampling": manifest.sampling_sha256, "status": "complete", "text": text,
    }  # fmt: skip
    return msgspec.convert(fields | more, Reply)


def write_run(
    path: Path,
    benchmark: Benchmark,
    policy: Policy | Sequence[Policy],
    *,
    limit: int | None = None,
    model: str = "m",
    order: Callable[[list[Reply]], list[Reply]] = lambda replies: replies,
) -> RunFolder:
    """A run whose replies follow the policy (one for every repeat); None leaves a view out, FAILED fails it."""
    policies: Sequence[Policy] = [policy] if callable(policy) else policy
    manifest = manifest_of(benchmark, repeats=len(policies), limit=limit, model=model)
    replies: list[Reply] = []
    with RunLog(path, manifest, fsync_every=1_000_000) as log:
        for group in list(benchmark.groups("test"))[:limit]:
            for view in group.views:
                for repeat, one in enumerate(policies):
                    text = one(view)
                    if text == FAILED:
                        log.failure(Failure(view=view.id, repeat=repeat, kind="timeout", message="too slow"))
                    elif text is not None:
                        replies.append(reply_of(manifest, view.id, text, repeat))
        for reply in order(replies):
            log.reply(reply)
    return RunFolder(path)


def scripted(failures: Mapping[str, Mapping[str, str]]) -> Policy:
    """An oracle but for ``failures``: group -> state -> text to say instead."""

    def reply(view: View) -> str:
        return failures.get(view.group, {}).get(view.state, oracle(view))

    return reply
