"""Faults to plant, by domain. Each turns a sound parcel into one with a single fault and all names made right."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from answerable.certify.checks import Parcel
from answerable.core.registry import Registry
from answerable.core.seeds import Stream

Plant = Callable[[Parcel, Stream], Parcel]

FAULTS: Registry[Mapping[str, Plant]] = Registry(
    "domain with planted faults",
    "answerable.faults",
    {
        "chart": "answerable.certify.faults.chart:FAULTS",
        "choice": "answerable.certify.faults.choice:FAULTS",
        "code": "answerable.certify.faults.code:FAULTS",
        "scene": "answerable.certify.faults.scene:FAULTS",
        "table": "answerable.certify.faults.table:FAULTS",
        "varied": "answerable.certify.faults.varied:FAULTS",
    },
)
