"""Content that never changes by accident: digests written down once, by domain and family."""

from __future__ import annotations

import pytest

from answerable.core.codec import decode
from answerable.domains.chart.families import FAMILIES
from tests.golden.rewrite import FOLDER, GOLDENS, Golden, measure


@pytest.mark.parametrize("name", GOLDENS)
def test_the_same_seed_gives_the_content_written_down(name: str) -> None:
    written = decode((FOLDER / f"{name}.json").read_bytes(), Golden)
    found = measure(name)
    if (found.version, found.platform) == (written.version, written.platform):
        assert found == written, "the content changed: if that is meant, run 'make golden' and say so in the changelog"
    # Another library or machine may draw other pixels, and its version says so; what is asked stays the same.
    assert found.version == GOLDENS[name][1]()
    assert found.views == written.views


def test_every_golden_has_its_file_and_every_family_of_charts_its_golden() -> None:
    assert {path.stem for path in FOLDER.glob("*.json")} == set(GOLDENS)
    assert set(FAMILIES.names()) <= set(GOLDENS)
