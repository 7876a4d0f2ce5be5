"""One room per kind of picture: its world, its renderers, its visibility operations, its states, its sampler."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from answerable.core.registry import Registry

#: Domain named in a proof -> how to open such a proof for the kernel: ``(body, images by view id) -> case``.
CASES: Registry[Callable[[bytes, Mapping[str, bytes]], Any]] = Registry(
    "domain of proofs",
    "answerable.cases",
    {
        "chart": "answerable.domains.chart.proof:open_case",
        "choice": "answerable.domains.choice.proof:open_case",
        "code": "answerable.domains.code.proof:open_case",
        "scene": "answerable.domains.scene.proof:open_case",
        "table": "answerable.domains.table.proof:open_case",
        "varied": "answerable.domains.varied.proof:open_case",
    },
)
