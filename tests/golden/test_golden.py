"""Content that never changes by accident: digests written down once, by family."""

from __future__ import annotations

import pytest

from answerable.core.codec import decode
from answerable.domains.chart.families import FAMILIES, family
from tests.golden.rewrite import FOLDER, Golden, measure, this_platform


@pytest.mark.parametrize("name", FAMILIES.names())
def test_the_same_seed_gives_the_content_written_down(name: str) -> None:
    written = decode((FOLDER / f"{name}.json").read_bytes(), Golden)
    here = (family(name).version, this_platform())
    if here != (written.version, written.platform):
        # Another library or machine may draw other pixels: proofs then say so too, by their version.
        assert here[0] != written.version or here[1] != written.platform
        return
    found = measure(name)
    assert found == written, "the content changed: if that is meant, run 'make golden' and say so in the changelog"


def test_every_family_has_its_file() -> None:
    assert {path.stem for path in FOLDER.glob("*.json")} == set(FAMILIES.names())
