"""The whole page."""

from __future__ import annotations

import base64
import hashlib
import json
import re
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import msgspec
import pytest

from answerable.core.codec import encode_pretty
from answerable.core.errors import FingerprintError, InputError, SettingsError, StorageError
from answerable.core.scores import SCORES, RunScores
from answerable.report import build
from answerable.report.build import MAX_BYTES, build_report
from answerable.report.words import percent
from tests.report.conftest import Scored
from tests.report.fake import RUNS, make_benchmark, make_scores, verdict_rows


def page_of(scored: Scored, out: Path, **given: Any) -> str:
    """The text of a report."""
    build_report(scored.folder, scored.benchmark, out, **given)
    return out.read_text(encoding="utf-8")


def island(page: str, name: str) -> Any:
    """An island's JSON."""
    match = re.search(rf'<script type="application/json" id="{name}">(.*?)</script>', page)
    assert match, name
    return json.loads(match[1])


class Elements(HTMLParser):
    """Every element with its attributes, and the text outside scripts and styles."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.found: list[tuple[str, dict[str, str | None]]] = []
        self.text = ""
        self.pieces: list[str] = []
        self._inside: list[str] = []
        self.feed(page)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.found.append((tag, dict(attrs)))
        if tag in ("script", "style"):
            self._inside.append(tag)

    def handle_endtag(self, tag: str) -> None:
        if self._inside and self._inside[-1] == tag:
            self._inside.pop()

    def handle_data(self, data: str) -> None:
        if not self._inside:
            self.text += data
            self.pieces.append(data)


def test_the_same_scores_give_the_same_bytes(scored: Scored, tmp_path: Path) -> None:
    first = page_of(scored, tmp_path / "a.html")
    assert first == page_of(scored, tmp_path / "somewhere" / "else.html")


def test_nothing_in_the_page_names_another_place(scored: Scored, tmp_path: Path) -> None:
    elements = Elements(page_of(scored, tmp_path / "r.html")).found
    for tag, attributes in elements:
        assert tag not in ("link", "iframe", "object", "embed", "base", "audio", "video", "source", "foreignobject")
        for name, value in attributes.items():
            assert not name.startswith("on"), (tag, name)
            assert name != "style"
            if name in ("src", "href", "action", "data", "srcset", "poster", "xlink:href"):
                assert value is not None
                assert value.startswith(("data:image/png;base64,", "data:image/jpeg;base64,", "#")), (tag, name)
    scripts = [attributes for tag, attributes in elements if tag == "script"]
    assert [found for found in scripts if found.get("type") != "application/json"] == [{}]


def test_the_policy_lets_in_our_script_and_style_only(scored: Scored, tmp_path: Path) -> None:
    page = page_of(scored, tmp_path / "r.html")
    policy = next(a["content"] for t, a in Elements(page).found if a.get("http-equiv") == "Content-Security-Policy")
    assert policy is not None
    rules = dict(part.strip().split(" ", 1) for part in policy.split(";"))
    for directive, pattern in (("script-src", r"<script>(.*?)</script>"), ("style-src", r"<style>(.*?)</style>")):
        match = re.search(pattern, page, re.DOTALL)
        assert match
        digest = base64.b64encode(hashlib.sha256(match[1].encode()).digest()).decode()
        assert rules[directive] == f"'sha256-{digest}'"
    assert rules["default-src"] == "'none'"
    assert rules["img-src"] == "data:"
    assert rules["require-trusted-types-for"] == "'script'"
    assert "unsafe" not in policy


def test_the_policy_stands_before_everything_it_rules(scored: Scored, tmp_path: Path) -> None:
    page = page_of(scored, tmp_path / "r.html")
    assert page.index("Content-Security-Policy") < page.index("<title>") < page.index("<style>")


def test_every_printed_share_is_in_the_scores(scored: Scored, tmp_path: Path) -> None:
    text = " ".join(Elements(page_of(scored, tmp_path / "r.html")).pieces)
    known = set()

    def walk(value: Any) -> None:
        if isinstance(value, dict):
            if "numerator" in value:
                known.add(percent(value["value"]))
            for inner in value.values():
                walk(inner)
        elif isinstance(value, list):
            for inner in value:
                walk(inner)

    walk(json.loads((scored.folder / SCORES).read_bytes()))
    printed = set(re.findall(r"[0-9.]+\u202f%", text))
    assert len(printed) > 20
    assert printed <= known


def test_tables_and_plots_are_there_without_script(scored: Scored, tmp_path: Path) -> None:
    parser = Elements(page_of(scored, tmp_path / "r.html"))
    classes = [str(attributes.get("class", "")) for _, attributes in parser.found]
    assert classes.count("results") == 2
    assert classes.count("lossbar") == 6
    assert classes.count("histogram") == 6
    assert sum(name.startswith("difference ") for name in classes) == 18
    assert sum(name.startswith("heat-") for name in classes) == 36
    for words in (
        "always-abstain",
        "Before you read the numbers",
        "not adjusted",
        "share of groups with every",
        "World A",
    ):
        assert words in parser.text
    assert scored.benchmark.manifest.fingerprint in parser.text


def test_notes_stand_out_only_when_a_run_is_not_whole(scored: Scored, tmp_path: Path) -> None:
    def note_class(runs: tuple[RunScores, ...]) -> str | None:
        folder = tmp_path / "scores"
        make_scores(folder, scored.benchmark, scored.rows)
        (folder / SCORES).write_bytes(encode_pretty(msgspec.structs.replace(scored.scores, runs=runs)))
        build_report(folder, scored.benchmark, tmp_path / "r.html")
        found = Elements((tmp_path / "r.html").read_text(encoding="utf-8")).found
        return next(attributes["class"] for _, attributes in found if attributes.get("role") == "note")

    whole, partial, other = scored.scores.runs
    assert partial.replied < partial.expected
    assert note_class((whole, other)) == "notes calm"
    assert note_class((whole, partial)) == "notes"
    assert note_class((msgspec.structs.replace(whole, control="blank-image"), other)) == "notes"


def test_texts_of_strangers_are_whole_and_text(scored: Scored, tmp_path: Path) -> None:
    parser = Elements(page_of(scored, tmp_path / "r.html"))
    assert RUNS[1] in parser.text
    assert not [attributes for tag, attributes in parser.found if attributes.get("src") == "x"]


def test_the_page_says_how_many_groups_it_shows(scored: Scored, tmp_path: Path) -> None:
    text = Elements(page_of(scored, tmp_path / "r.html", groups=15)).text
    shown = len(island((tmp_path / "r.html").read_text(encoding="utf-8"), "index")["entries"])
    assert 15 <= shown < 30
    assert f"{shown} of 30 questions are here" in text
    assert "All 30 questions are here" in Elements(page_of(scored, tmp_path / "s.html", groups=30)).text


def test_every_kind_of_failure_is_in_a_small_choice(scored: Scored, tmp_path: Path) -> None:
    index = island(page_of(scored, tmp_path / "r.html", groups=1), "index")
    assert len(index["entries"]) < 30
    used = {mark for entry in index["entries"] for marks in entry["marks"] for mark in marks[1::2]}
    fields = ("run", "state", "outcome")
    shown = {tuple(index["marks"][mark][field] for field in fields) for mark in used}
    assert shown == {tuple(mark[field] for field in fields) for mark in index["marks"]}


def test_large_pictures_do_not_break_the_bound(tmp_path: Path) -> None:
    benchmark = make_benchmark(tmp_path / "bench", 24, scale=3, noise=5)
    rows = verdict_rows(benchmark)
    for row in rows:
        row["reply"] = "<long>" * 20_000
    make_scores(tmp_path / "scores", benchmark, rows)
    assert sum(path.stat().st_size for path in benchmark.files()) > 1.2 * MAX_BYTES
    built = build_report(tmp_path / "scores", benchmark, tmp_path / "r.html")
    assert (tmp_path / "r.html").stat().st_size == built.bytes < MAX_BYTES
    page = (tmp_path / "r.html").read_text(encoding="utf-8")
    card = island(page, "card-0")
    assert all(view["picture_note"].startswith("reduced for this page") for view in card["views"])
    assert all(url.startswith("data:image/jpeg;base64,") for url in island(page, "pictures-0"))
    assert card["verdicts"][0]["reply_more"] > 0


def test_a_page_that_cannot_be_small_enough_is_refused(
    scored: Scored, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(build, "MAX_BYTES", 100_000)
    with pytest.raises(InputError, match=r"expected a page below 100,000 bytes; got [\d,]+ for 3 runs") as caught:
        build_report(scored.folder, scored.benchmark, tmp_path / "r.html")
    assert "--groups all" in caught.value.fix
    assert list(tmp_path.iterdir()) == []


def test_scores_of_another_benchmark_are_refused(scored: Scored, tmp_path: Path) -> None:
    other = make_benchmark(tmp_path / "other", 2)
    with pytest.raises(FingerprintError, match="expected the benchmark that was scored") as caught:
        build_report(scored.folder, other, tmp_path / "r.html")
    assert "--benchmark" in caught.value.fix
    assert not (tmp_path / "r.html").exists()


def test_verdicts_on_unknown_groups_are_refused(tmp_path: Path) -> None:
    benchmark = make_benchmark(tmp_path / "bench", 2)
    rows = verdict_rows(benchmark)
    rows[0]["group"] = "ghost"
    make_scores(tmp_path / "scores", benchmark, rows)
    with pytest.raises(InputError, match="got 1 others, the first 'ghost'"):
        build_report(tmp_path / "scores", benchmark, tmp_path / "r.html")


def test_no_groups_at_all_cannot_be_asked_for(scored: Scored, tmp_path: Path) -> None:
    with pytest.raises(SettingsError, match="expected a number of groups of at least 1, or 'all'; got groups=0"):
        build_report(scored.folder, scored.benchmark, tmp_path / "r.html", groups=0)


def test_scores_without_any_run_still_make_a_page(scored: Scored, tmp_path: Path) -> None:
    empty = tmp_path / "scores"
    make_scores(empty, scored.benchmark, scored.rows[:0])
    scores = msgspec.structs.replace(scored.scores, runs=(), pairs=(), notes=())
    (empty / SCORES).write_bytes(encode_pretty(scores))
    built = build_report(empty, scored.benchmark, tmp_path / "r.html")
    assert (built.shown, built.total) == (0, 0)
    assert "No run was scored." in (tmp_path / "r.html").read_text(encoding="utf-8")


def test_a_disk_that_refuses_keeps_the_old_page(
    scored: Scored, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    out = tmp_path / "r.html"
    out.write_text("old", encoding="utf-8")

    def full(self: Path, data: bytes) -> int:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(Path, "write_bytes", full)
    with pytest.raises(StorageError, match="No space left on device"):
        build_report(scored.folder, scored.benchmark, out)
    monkeypatch.undo()
    assert [path.read_text(encoding="utf-8") for path in tmp_path.iterdir()] == ["old"]


def test_progress_adds_up(scored: Scored, tmp_path: Path) -> None:
    steps: list[int] = []
    build_report(scored.folder, scored.benchmark, tmp_path / "r.html", advance=steps.append)
    assert sum(steps) == 4
