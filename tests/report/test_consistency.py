"""The section on consistency: drawn whole, every text as text, and what is refused."""

from __future__ import annotations

import io
import json
from pathlib import Path

import msgspec
import pytest
from PIL import Image

from answerable.cli.main import run_command
from answerable.core.benchmark import Benchmark, BenchmarkWriter, Ledger, Manifest
from answerable.core.codec import digest_bytes
from answerable.core.consistency import CONSISTENCY, Measure
from answerable.core.errors import FingerprintError, InputError
from answerable.core.records import Group
from answerable.report.consistency import load_consistency, measure_cell
from answerable.report.plots.dots import Dot, Dots, dots
from answerable.report.plots.scatter import Point, Scatter, key, scatter
from answerable.score.consistency.pipeline import Settings, score_consistency, write_consistency
from answerable.score.consistency.similarity import Exact
from tests.report.fake import HOSTILE
from tests.report.test_build import Elements
from tests.report.test_plots import parsed
from tests.score.consistency.fake import bench, occluded, rephrased, restyled, run, scripted


def drawn(path: Path, groups: list[Group]) -> Benchmark:
    """A benchmark with small pictures, each of its own."""
    with BenchmarkWriter(path) as writer:
        for group in groups:
            images: list[bytes] = []
            for number, _ in enumerate(group.views):
                file = io.BytesIO()
                Image.new("RGB", (16, 12), (40 * number % 256, len(images), sum(group.id.encode()) % 256)).save(
                    file, "PNG"
                )
                images.append(file.getvalue())
            views = tuple(
                msgspec.structs.replace(view, image_sha256=digest_bytes(image), width=16, height=12)
                for view, image in zip(group.views, images, strict=True)
            )
            writer.add(msgspec.structs.replace(group, views=views), images, None)
        manifest = Manifest(
            format=1, name="variants", version="1", generator="tests", settings=msgspec.Raw(b"{}"), licence="CC0-1.0",
            prompt="json-answerability", reader="text", metrics=(), sources=(), groups=0, views=0, proofs=0,
        )  # fmt: skip
        writer.finish(manifest, Ledger(lines=(), asked=0, kept=0), "")
    return Benchmark(path)


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A benchmark, two runs with hostile replies, and consistency.json."""
    base = tmp_path_factory.mktemp("consistency")
    groups = [restyled(f"s{number}") for number in range(4)]
    groups += [occluded("o"), rephrased("r"), rephrased("d", state="D"), rephrased("m", None, state="M")]
    benchmark = drawn(base / "bench", groups)
    views = [view.id for view in benchmark.views()]
    hostile = {name: HOSTILE[number % len(HOSTILE)] for number, name in enumerate(views) if number % 3 == 0}
    runs = [
        run(base / "steady", benchmark, scripted({}), repeats=2, temperature=0.2),
        run(base / "shaky", benchmark, scripted(hostile), repeats=2, temperature=1.0),
    ]
    write_consistency(base, score_consistency(benchmark, runs, Exact(), Settings(draws=50)))
    return base


def test_the_section_is_drawn(folder: Path, tmp_path: Path) -> None:
    words = ["report", str(folder / "steady"), str(folder / "shaky"), "--benchmark", str(folder / "bench")]
    words += ["--consistency", str(folder / CONSISTENCY), "--draws", "20", "--out"]
    assert run_command([*words, str(tmp_path / "a.html")]) == 0
    assert run_command([*words, str(tmp_path / "b.html")]) == 0
    page = (tmp_path / "a.html").read_text(encoding="utf-8")
    assert page == (tmp_path / "b.html").read_text(encoding="utf-8")
    section = page[page.index('<section id="consistency"') : page.index('<section id="gallery"')]
    for text in (
        "Over variants and over repeats", "By variation", "Whether the picture determines the answer",
        "Failure cases", "By temperature", "m at 0.2", "hidden, determined (D)", "masked region", "O<sub>all</sub>",
        'class="scatter"', 'class="dots"', 'href="#consistency"', "exact match",
    ):  # fmt: skip
        assert text in page, text
    assert section.count("<img ") > 20
    assert 'class="heat matrix"' in section
    found = {tag for tag, _ in Elements(section).found}
    assert not found & {"script", "iframe", "animate", "style", "a", "scratchpad"}
    assert not [name for _, attributes in Elements(section).found for name in attributes if name.startswith("on")]
    # Hostile replies are there, as text.
    assert "&lt;script&gt;window.__hit=1" in section


def test_without_the_file_there_is_no_section(folder: Path, tmp_path: Path) -> None:
    words = ["report", str(folder / "steady"), "--benchmark", str(folder / "bench"), "--draws", "20", "--out"]
    assert run_command([*words, str(tmp_path / "a.html")]) == 0
    assert "consistency-h" not in (tmp_path / "a.html").read_text(encoding="utf-8")


def test_another_benchmark_is_refused(folder: Path, tmp_path: Path) -> None:
    other = bench(tmp_path / "other", [rephrased("x")])
    with pytest.raises(FingerprintError, match="consistency on this benchmark"):
        load_consistency(folder / CONSISTENCY, other)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"format": 9}, "format 1"),
        ({"surprise": 1}, "a readable consistency.json"),
        ({"gallery": "view"}, "which it lacks"),
        ({"gallery": "matrix"}, "a row of the matrix"),
    ],
)
def test_a_file_that_does_not_fit_is_refused(
    folder: Path, tmp_path: Path, change: dict[str, object], message: str
) -> None:
    stored = json.loads((folder / CONSISTENCY).read_text(encoding="utf-8"))
    if change.get("gallery") == "view":
        stored["gallery"][0]["views"][0]["view"] = "nobody"
    elif change.get("gallery") == "matrix":
        stored["gallery"][0]["runs"][0]["similarity"].pop()
    else:
        stored |= change
    path = tmp_path / CONSISTENCY
    path.write_text(json.dumps(stored), encoding="utf-8")
    with pytest.raises(InputError, match=message) as caught:
        load_consistency(path, Benchmark(folder / "bench"))
    assert str(path) in str(caught.value)


def test_a_missing_file_says_how_to_make_one(folder: Path, tmp_path: Path) -> None:
    with pytest.raises(InputError, match="answerable consistency RUN"):
        load_consistency(tmp_path / "none.json", Benchmark(folder / "bench"))


def test_cells_say_what_they_are() -> None:
    share = measure_cell(Measure(0.5, 2.0, 4, (0.25, 0.75)), "Con")
    assert share is not None
    assert (share.text, share.interval) == ("50.0\u202f%", "25.0–75.0")
    answers = measure_cell(Measure(2.5, 10.0, 4, (2.0, 3.0)), "distinct")
    assert answers is not None
    assert (answers.text, answers.interval) == ("2.50", "2.00–3.00")
    undefined = measure_cell(Measure(None, 0.0, 0), "S_C")
    assert undefined is not None
    assert (undefined.text, undefined.note) == ("–", "S_C is undefined: no item has it")
    assert measure_cell(None, "Con") is None


@pytest.mark.parametrize("text", ['"><script>x</script>', "a & b"])
def test_plots_are_well_formed_and_points_lie_where_they_should(text: str) -> None:
    points = tuple(
        Point(run=number, shape=number, consistency=value, correctness=1 - value, words=text)
        for number, value in enumerate((0.0, 0.25, 0.5, 1.0, -3.0))
    )
    root = parsed(scatter(Scatter(text, points, (text,) * 5, (text,) * 5)))
    marks = [node for node in root if (node.get("class") or "").startswith("point")]
    assert [node.tag for node in marks] == ["circle", "rect", "polygon", "polygon", "circle"]
    assert float(marks[0].get("cx") or 0) < float(marks[1].get("x") or 0)
    # Below 0 stands at 0.
    assert marks[4].get("cx") == marks[0].get("cx")
    row = (Dot(0, 0.5, 0.2, 0.9, text), Dot(1, None, None, None, text))
    plot = parsed(dots(Dots("s", text, "Con", ((text * 9, row),))))
    assert len(plot.findall("g")) == 1
    assert parsed(key(2)).find("polygon") is not None
