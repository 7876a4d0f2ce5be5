"""``answerable audit finite`` as a user calls it."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from answerable.certify import finite
from answerable.cli.main import run_command
from answerable.logic import smt

Captured = pytest.CaptureFixture[str]
SMALL = ("--cases", "32", "--trees", "8", "--workers", "1")


def call(*arguments: object) -> int:
    return run_command(["audit", "finite", *map(str, arguments)])


def test_the_tables_say_what_each_rule_gets_wrong(capsys: Captured) -> None:
    assert call(*SMALL) == 0
    text = " ".join(capsys.readouterr().out.split())
    assert "40 cases of four cells, hidden ones from 0 to 9, seed 20260915" in text
    for words in ("sum and difference", "tree", "mentions a hidden cell", "SMT (Z3)", "all methods agree"):
        assert words in text
    assert "wrong by 'mentions a hidden cell': (A[w] - A[w]), hidden A[w] and B[w]" in text


def test_json_is_the_same_on_one_process_or_two(capsys: Captured) -> None:
    assert call(*SMALL, "--json") == 0
    one = capsys.readouterr().out
    assert call("--cases", 32, "--trees", 8, "--workers", 2, "--json") == 0
    assert capsys.readouterr().out == one
    assert json.loads(one)["audit"]["families"][0]["family"] == "look-up"


def test_another_seed_gives_other_cases(capsys: Captured) -> None:
    assert call(*SMALL, "--json") == 0
    one = json.loads(capsys.readouterr().out)
    assert call(*SMALL, "--json", "--seed", 7) == 0
    other = json.loads(capsys.readouterr().out)
    assert one["audit"]["total"]["completions"] != other["audit"]["total"]["completions"]


def test_leaving_smt_out_is_said(capsys: Captured, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(smt, "find_spec", lambda name: None)
    assert call(*SMALL, "--no-smt") == 0
    text = capsys.readouterr().out
    assert "SMT was left out" in text and "SMT (Z3)" not in text


def test_without_the_extra_the_command_is_named(capsys: Captured, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(smt, "find_spec", lambda name: None)
    assert call(*SMALL) == 3
    assert 'pip install "answerable[smt]"' in capsys.readouterr().err


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("--cases", "-1"), "a number of cases from 0 to 10000000; got -1"),
        (("--trees", "10000001"), "a number of cases from 0 to 10000000; got 10000001"),
        (("--cases", "0", "--trees", "0"), "at least one case; got none"),
        (("--plot", "audit.pdf"), "a file ending in .svg or .png; got 'audit.pdf'"),
        (("--workers", "-1"), "workers=-1"),
    ],
)
def test_bad_input(arguments: tuple[str, ...], message: str, capsys: Captured) -> None:
    assert call(*arguments) == 2
    assert message in capsys.readouterr().err


@pytest.mark.parametrize("name", ["a.svg", "a.PNG"])
def test_a_plot_has_the_same_bytes_every_time(name: str, tmp_path: Path, capsys: Captured) -> None:
    for folder in ("one", "two"):
        assert call(*SMALL, "--no-smt", "--plot", tmp_path / folder / name) == 0
    first, second = ((tmp_path / folder / name).read_bytes() for folder in ("one", "two"))
    assert first == second and len(first) > 10_000
    assert first.startswith(b"\x89PNG" if name.endswith("PNG") else b"<?xml")
    assert f"drawn: {tmp_path}" in capsys.readouterr().out.replace("\n", "")


def test_a_disagreement_is_printed_with_its_case_and_fails(capsys: Captured, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(smt, "another", lambda *_: smt.Constant())
    assert call(*SMALL) == 1
    text = capsys.readouterr().out
    assert "METHODS DISAGREE" in text and "Z3 says constant, enumeration ambiguous: " in text
    assert finite.RULES["smt"] in text


def test_a_rule_that_gives_up_disagrees_too(monkeypatch: pytest.MonkeyPatch, capsys: Captured) -> None:
    monkeypatch.setattr(smt, "another", lambda *_: smt.Unsure("tired"))
    assert call(*SMALL, "--json") == 1
    rule = json.loads(capsys.readouterr().out)["audit"]["total"]["rules"]["smt"]
    assert rule["undecided_constant"] + rule["undecided_ambiguous"] == 40
