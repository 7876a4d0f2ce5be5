"""The finite audit: four label rules against every completion of small cases."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from answerable.certify.finite import audit_finite
from answerable.cli.main import run_command
from answerable.core.errors import SettingsError
from answerable.exec import ProcessPool, ThisProcess


def test_the_same_numbers_on_one_process_or_two() -> None:
    one = audit_finite(ThisProcess(), cases=64, trees=24)
    pool = ProcessPool(2)
    try:
        assert audit_finite(pool, cases=64, trees=24) == one
    finally:
        pool.close()
    assert one.holds
    assert one.total.cases == 88
    assert one.total.constant + one.total.ambiguous == one.total.cases
    assert one.total.witnesses == one.total.ambiguous
    assert len({part.family for part in one.families}) == 9


@pytest.mark.slow
def test_the_default_audit() -> None:
    found = audit_finite(ThisProcess())
    assert found.total.cases >= 1456
    assert found.holds
    assert found.total.rules["mentions"].wrongly_rejected > 0
    assert found.total.rules["ends"].missed > 0
    assert found.total.rules["intervals"].undecided_constant > 0
    smt = found.total.rules["smt"]
    assert (smt.wrongly_rejected, smt.missed) == (0, 0)


def test_bounds_and_messages() -> None:
    with pytest.raises(SettingsError, match="at least one case"):
        audit_finite(ThisProcess(), cases=0, trees=0)
    with pytest.raises(SettingsError, match="a number of cases"):
        audit_finite(ThisProcess(), cases=-1)


def test_the_verb(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    plot = tmp_path / "audit.svg"
    assert (
        run_command(
            ["audit", "finite", "--cases", "16", "--trees", "8", "--workers", "1", "--json", "--plot", str(plot)]
        )
        == 0
    )
    found = json.loads(capsys.readouterr().out)
    assert found["holds"] is True
    assert found["audit"]["total"]["cases"] == 24
    assert plot.read_text(encoding="utf-8").lstrip().startswith("<")
    assert run_command(["audit", "finite", "--cases", "16", "--trees", "8", "--workers", "1", "--no-smt"]) == 0
    assert "24 cases" in capsys.readouterr().out
