"""The shared cases of kind ``report_security``, each by its id."""

from __future__ import annotations

import argparse
import ast
import csv
import json
import re
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

import answerable
from answerable.cli import report as verb
from answerable.report.build import build_report
from answerable.report.sheet import MARK, write_csv
from tests.report.conftest import Scored
from tests.report.fake import make_benchmark, make_scores, verdict_rows
from tests.report.test_build import Elements, island
from tests.shared import case_ids, cases

CASES = cases("report_security")
SOURCE = Path(answerable.__file__).parent


def report_with(tmp_path: Path, text: str) -> tuple[str, list[dict[str, Any]]]:
    """A report in which every reply, answer, reasoning and question says ``text``; and its verdict rows."""
    benchmark = make_benchmark(tmp_path / "bench", 2)
    rows = verdict_rows(benchmark)
    for row in rows:
        row.update(reply=text, answer=text, reasoning=text, reading="answered", run=row["run"] + text)
    make_scores(tmp_path / "scores", benchmark, rows)
    build_report(tmp_path / "scores", benchmark, tmp_path / "r.html")
    return (tmp_path / "r.html").read_text(encoding="utf-8"), rows


def text_of(case: dict[str, Any]) -> str:
    """The hostile text of a case."""
    given: str = case["input"]["given"]
    text = re.sub(r"^(response|option) (text )?| exported to CSV$", "", given)
    return json.loads(text) if text.startswith('"') and text.endswith('"') else text


def shown_as_text(case: dict[str, Any], tmp_path: Path) -> None:
    """Whole in the data and in the tables, and no element or attribute comes of it."""
    text = text_of(case)
    page, _ = report_with(tmp_path, text)
    verdict = island(page, "card-0")["verdicts"][0]
    assert verdict["reply"] == verdict["reasoning"] == text
    parser = Elements(page)
    assert text in parser.text
    clean, _ = report_with(tmp_path / "clean", "plain")
    assert [tag for tag, _ in parser.found] == [tag for tag, _ in Elements(clean).found]
    assert text not in page or not set(text) & set("<>&")


def not_a_link(case: dict[str, Any], tmp_path: Path) -> None:
    page, _ = report_with(tmp_path, text_of(case))
    links = {attributes.get("href") for tag, attributes in Elements(page).found if tag == "a"}
    assert links
    assert all(link is not None and link.startswith("#") for link in links)
    script = re.findall(r"<script>(.*?)</script>", page, re.DOTALL)[0]
    assert not re.search(r"innerHTML|outerHTML|insertAdjacentHTML|document\.write|\.href\s*=|\"a\"", script)


def safe_sheet(case: dict[str, Any], tmp_path: Path) -> None:
    text = text_of(case)
    _, rows = report_with(tmp_path, text)
    write_csv(tmp_path / "scores", tmp_path / "v.csv")
    with (tmp_path / "v.csv").open(encoding="utf-8-sig", newline="") as file:
        shown = list(csv.DictReader(file))
    assert {row["reply"] for row in shown} == {"'" + text}
    assert all("reply" in row[MARK].split() for row in shown)
    assert {row["reply"] for row in rows} == {text}


def flags(parser: argparse.ArgumentParser) -> Iterator[str]:
    """Every flag of a parser and of its children."""
    for action in parser._actions:
        yield from action.option_strings
        if isinstance(action, argparse._SubParsersAction):
            for child in action.choices.values():
                yield from flags(child)


def no_key_flag(case: dict[str, Any], tmp_path: Path) -> None:
    parser = argparse.ArgumentParser()
    verb.add_parser(parser.add_subparsers())
    found = set(flags(parser))
    assert "--out" in found
    assert not [flag for flag in found if re.search(r"key|token|secret|password", flag)]


ISOLATED = SOURCE / "domains" / "code" / "isolated.py"


def calls_and_imports(*paths: Path) -> set[str]:
    """Names called and modules imported in these files, or anywhere in the package but the isolated child."""
    found: set[str] = set()
    for path in paths or sorted(set(SOURCE.rglob("*.py")) - {ISOLATED}):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Call):
                function = node.func
                found.add(f"{function.id}()" if isinstance(function, ast.Name) else "")
                found.add(f".{function.attr}()" if isinstance(function, ast.Attribute) else "")
            elif isinstance(node, ast.Import):
                found.update(name.name for name in node.names)
            elif isinstance(node, ast.ImportFrom):
                found.add(node.module or "")
    return found


def no_eval(case: dict[str, Any], tmp_path: Path) -> None:
    found = calls_and_imports()
    assert "canonical()" in found
    assert not found & {"eval()", "exec()", "compile()", "__import__()", ".system()", ".literal_eval()"}
    # One file runs text: the isolated child of the code domain, and only what our own printer wrote.
    assert calls_and_imports(ISOLATED) & {"eval()", "exec()", "compile()", "__import__()"} == {"compile()"}


def no_pickle(case: dict[str, Any], tmp_path: Path) -> None:
    found = calls_and_imports()
    assert "msgspec" in found
    assert not found & {"pickle", "cPickle", "dill", "cloudpickle", "joblib", "shelve", "marshal"}


def no_archive(case: dict[str, Any], tmp_path: Path) -> None:
    """No archive is ever unpacked, so none can be a bomb."""
    found = calls_and_imports()
    assert not found & {"zipfile", "tarfile", ".extractall()", ".unpack_archive()", "unpack_archive()"}


CHECKS: dict[str, Callable[[dict[str, Any], Path], None]] = {
    "sec-001": shown_as_text, "sec-002": shown_as_text, "sec-003": shown_as_text, "sec-004": shown_as_text,
    "sec-005": not_a_link, "sec-007": safe_sheet, "sec-010": no_key_flag, "sec-013": no_eval, "sec-015": no_pickle,
    "sec-017": no_archive,
}  # fmt: skip


@pytest.mark.parametrize("case", CASES, ids=case_ids(CASES))
def test_case(case: dict[str, Any], tmp_path: Path) -> None:
    CHECKS[case["id"]](case, tmp_path)


def test_every_check_finds_its_text_in_a_page_that_is_not_escaped(scored: Scored) -> None:
    """The parser behind these checks sees an element that should not be there."""
    broken = "<p>a</p><img src=x onerror=y>"
    assert ("img", {"src": "x", "onerror": "y"}) in Elements(broken).found
