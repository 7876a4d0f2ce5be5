"""The folder beside a page: numbered names, whole or not at all, and never somebody else's folder."""

from __future__ import annotations

import json
import re
from pathlib import Path

import msgspec
import pytest

from answerable.core.errors import InputError
from answerable.core.scores import OUTCOMES
from answerable.report.build import Built, build_report
from answerable.report.pack import GROUPS_A_FILE, MARKER, different, shared
from tests.report.conftest import Scored
from tests.report.fake import RUNS, make_benchmark, make_group, make_scores, verdict_rows


@pytest.fixture(scope="module")
def folder(scored: Scored, tmp_path_factory: pytest.TempPathFactory) -> tuple[Built, Path]:
    """A report with a folder beside it."""
    out = tmp_path_factory.mktemp("all") / "report.html"
    return build_report(scored.folder, scored.benchmark, out, groups="all"), out


def test_names_are_numbers_and_never_data(folder: tuple[Built, Path]) -> None:
    built, out = folder
    files = sorted(str(p.relative_to(built.folder)) for p in Path(built.folder).rglob("*") if p.is_file())
    pattern = r"images/[0-9]{6}\.png|data-[0-9]{5}\.js|" + re.escape(MARKER)
    assert all(re.fullmatch(pattern, name) for name in files)
    assert sum(name.startswith("images/") for name in files) == 180
    assert [name for name in files if name.startswith("data-")] == ["data-00000.js", "data-00001.js"]
    assert built.folder == str(out.with_name("report_files"))
    assert (built.shown, built.total) == (30, 30)


def test_data_files_are_one_call_with_json(folder: tuple[Built, Path], scored: Scored) -> None:
    built, _ = folder
    sizes = []
    for number in range(2):
        text = (Path(built.folder) / f"data-{number:05d}.js").read_text(encoding="utf-8")
        match = re.fullmatch(rf"answerableTake\({number},(.*)\);\n", text, re.DOTALL)
        assert match
        assert not set(match[1]) & set("<>&\u2028\u2029")
        batch = json.loads(match[1])
        sizes.append(len(batch))
        for detail in batch:
            assert len(detail["pictures"]) == len(detail["card"]["views"]) == 6
            assert len(detail["card"]["verdicts"]) == 6 * len(RUNS)
    assert sizes == [GROUPS_A_FILE, 10]


def test_pictures_beside_the_page_are_the_stored_bytes(folder: tuple[Built, Path], scored: Scored) -> None:
    built, _ = folder
    stored = [image for _, image in scored.benchmark.views_with_images()]
    written = [path.read_bytes() for path in sorted((Path(built.folder) / "images").iterdir())]
    assert written == stored


def test_the_same_scores_give_the_same_files(scored: Scored, tmp_path: Path) -> None:
    first: dict[Path, bytes] = {}
    second: dict[Path, bytes] = {}
    for found, place in ((first, "a"), (second, "b")):
        built = build_report(scored.folder, scored.benchmark, tmp_path / place / "r.html", groups="all")
        paths = [Path(built.path), *Path(built.folder).rglob("*")]
        found.update({path.relative_to(tmp_path / place): path.read_bytes() for path in paths if path.is_file()})
    assert first == second


def test_an_older_folder_of_ours_is_replaced(scored: Scored, tmp_path: Path) -> None:
    out = tmp_path / "r.html"
    build_report(scored.folder, scored.benchmark, out, groups="all")
    stale = tmp_path / "r_files" / "images" / "999999.png"
    stale.write_bytes(b"old")
    build_report(scored.folder, scored.benchmark, out, groups="all")
    assert not stale.exists()
    assert sorted(path.name for path in tmp_path.iterdir()) == ["r.html", "r_files"]


def test_a_folder_of_somebody_else_is_left_alone(scored: Scored, tmp_path: Path) -> None:
    (tmp_path / "r_files").mkdir()
    (tmp_path / "r_files" / "thesis.txt").write_text("mine", encoding="utf-8")
    with pytest.raises(InputError, match="expected no folder r_files, or one that an earlier report wrote"):
        build_report(scored.folder, scored.benchmark, tmp_path / "r.html", groups="all")
    assert (tmp_path / "r_files" / "thesis.txt").read_text(encoding="utf-8") == "mine"
    assert not (tmp_path / "r.html").exists()


def test_nothing_half_written_counts(tmp_path: Path) -> None:
    benchmark = make_benchmark(tmp_path / "bench", 3)
    make_scores(tmp_path / "scores", benchmark, verdict_rows(benchmark))
    shard = benchmark.files()[0]
    data = shard.read_bytes()
    last = data.rindex(b"\x89PNG")
    shard.write_bytes(data[: last + 60] + b"\x00\x00" + data[last + 62 :])
    with pytest.raises(InputError, match="expected the image with sha256="):
        build_report(tmp_path / "scores", benchmark, tmp_path / "out" / "r.html", groups="all")
    assert list((tmp_path / "out").iterdir()) == []


def test_the_index_names_every_outcome_and_run(folder: tuple[Built, Path]) -> None:
    _, out = folder
    match = re.search(r'<script type="application/json" id="index">(.*?)</script>', out.read_text(encoding="utf-8"))
    assert match
    index = json.loads(match[1])
    assert index["folder"] == "report_files"
    assert [run["name"] for run in index["runs"]] == list(RUNS)
    assert [outcome["key"] for outcome in index["outcomes"]] == list(OUTCOMES)
    assert len(index["entries"]) == 30
    assert all(len(marks) == 12 for entry in index["entries"] for marks in entry["marks"])


def test_a_picture_that_views_share_is_in_the_page_once() -> None:
    group, _, _ = make_group(0)
    same = tuple(
        msgspec.structs.replace(view, image_sha256=group.views[0].image_sha256) if view.state in "SK" else view
        for view in group.views
    )
    made = shared(same, lambda view: view.id)
    assert [first for _, first in made] == [0, 0, 0, 3, 4, 5]
    assert [name for name, _ in made] == [same[first].id for _, first in made]
    assert [view.state for view in different(same)] == ["F", "C", "M", "I"]
