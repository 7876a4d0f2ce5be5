"""``answerable certify``: exit codes and what is printed."""

from __future__ import annotations

import json
import re
import shutil
from pathlib import Path

import msgspec
import pytest

from answerable.certify.faults import FAULTS
from answerable.cli.main import run_command
from answerable.core.benchmark import Benchmark, BenchmarkWriter, Ledger
from answerable.core.codec import digest_bytes
from answerable.core.records import Evidence
from answerable.domains.raster import png
from tests.core.small import edit_rows, manifest
from tests.core.small import group as small_group


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> Path:
    out = tmp_path_factory.mktemp("certify") / "b"
    words = ["build", "chart", "--groups", "3", "--families", "skia", "--seed", "8", "--workers", "1"]
    assert run_command([*words, "--out", str(out)]) == 0
    return out


@pytest.fixture
def folder(built: Path, tmp_path: Path) -> Path:
    """A copy to spoil."""
    return Path(shutil.copytree(built, tmp_path / "copy"))


def certify(folder: Path, *words: str) -> int:
    return run_command(["certify", str(folder), "--workers", "1", *words])


def test_a_good_benchmark_is_exit_0(built: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert certify(built) == 0
    text = capsys.readouterr().out
    assert "charts: 3 groups" in text
    assert "accepted" in text
    assert "fingerprint holds" in text
    assert "not accepted" not in text


def test_json_has_the_certificate_and_the_audit(built: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert certify(built, "--json") == 0
    found = json.loads(capsys.readouterr().out)
    assert found["holds"] is True
    assert found["audit"] is None
    assert found["certificate"]["statuses"] == {"accepted": 3}
    assert found["certificate"]["fingerprint"] == Benchmark(built).manifest.fingerprint
    assert certify(built, "--json", "--audit", "--trials", "4") == 0
    found = json.loads(capsys.readouterr().out)
    lines = found["audit"]["lines"]
    assert [line["fault"] for line in lines] == list(FAULTS.load("chart"))
    assert all((line["trials"], line["refused"]) == (4, 4) for line in lines)


def test_the_audit_is_printed(built: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert certify(built, "--audit", "--trials", "2") == 0
    text = capsys.readouterr().out
    assert "planted faults" in text
    assert "observation condition" in text


def test_a_forged_picture_is_exit_1_and_named(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = Benchmark(folder).files()[0]

    def forge(rows: list[dict[str, object]]) -> list[dict[str, object]]:
        for row in rows:
            image = row["image"]
            if row["state"] == "M" and isinstance(image, dict):
                pixels = png.decode(image["bytes"])
                pixels[0, 0, 0] ^= 1
                data = png.encode(pixels)
                row["image"] = {"bytes": data, "path": image["path"]}
                row["image_sha256"] = digest_bytes(data)
        return rows

    edit_rows(file, forge)
    assert certify(folder) == 1
    text = capsys.readouterr().out
    assert "not accepted" in text
    assert "FINGERPRINT: expected content with fingerprint=" in text
    assert certify(folder, "--json") == 1
    found = json.loads(capsys.readouterr().out)
    assert found["holds"] is False
    assert found["certificate"]["statuses"] == {"refused": 3}
    assert found["certificate"]["premises"] == {"bound": 3}
    assert len(found["certificate"]["refusals"]) == 3


def test_an_edited_manifest_is_exit_1(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = folder / "benchmark.json"
    path.write_text(path.read_text(encoding="utf-8").replace('"name": "charts"', '"name": "better"'), encoding="utf-8")
    assert certify(folder) == 1
    assert "FINGERPRINT" in capsys.readouterr().out


def test_an_orphan_is_exit_1_and_named(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (folder / "proofs-00001.jsonl").write_bytes(b'{"group":"nobody","domain":"chart","body":{}}\n')
    assert certify(folder) == 1
    assert "proofs for groups that are not there: nobody" in capsys.readouterr().out


def test_another_renderer_is_exit_1_and_said_as_that(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = folder / "proofs-00000.jsonl"
    lines = [json.loads(line) for line in path.read_bytes().splitlines()]
    for line in lines:
        line["body"]["version"] = "skia-python 1.0 r1"
    path.write_text("".join(json.dumps(line) + "\n" for line in lines), encoding="utf-8")
    marks = {proof.group: proof.digest() for proof in Benchmark(folder).proofs()}
    edit_rows(
        Benchmark(folder).files()[0],
        lambda rows: [row | {"evidence_proof": marks[row["group"]]} for row in rows],
    )
    assert certify(folder) == 1
    text = capsys.readouterr().out
    assert "drawn by another version: pixels not compared" in text
    assert "drawn by skia-python 1.0 r1, here is" in text


@pytest.mark.parametrize(
    ("line", "message"),
    [
        (b'{"group":"g","domain":"chart","body":' + b"[" * 100_000 + b"\n", "one proof record a line"),
        (b'{"group":"g","domain":"chart","body":"' + b"x" * 5_000_000 + b'"}\n', "a proof of at most 4194304 bytes"),
        (b"\xff\n", "one proof record a line"),
    ],
    ids=["deep", "long", "bytes"],
)
def test_a_proof_file_that_cannot_be_read_is_exit_2(
    line: bytes, message: str, folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    with (folder / "proofs-00000.jsonl").open("ab") as file:
        file.write(line)
    assert certify(folder) == 2
    found = capsys.readouterr().err
    assert message in found
    assert "proofs-00000.jsonl, line 4" in found
    assert len(found) < 1000


def test_what_is_no_benchmark_is_exit_2(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert certify(tmp_path) == 2
    assert "expected a benchmark folder with benchmark.json" in capsys.readouterr().err
    assert certify(tmp_path / "nowhere") == 2


def test_no_trials_are_no_audit(built: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert certify(built, "--audit", "--trials", "0") == 2
    assert "where: --trials" in capsys.readouterr().err


def results(text: str) -> list[str]:
    """What is said of each premise."""
    return re.findall(r"^  [a-z]+ +(holds|fails|not reached|not compared)  ", text, re.MULTILINE)


def test_one_proof_is_explained_in_words_and_in_a_picture(
    built: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    group = next(Benchmark(built).groups())
    assert certify(built, "--explain", group.views[0].id) == 0
    text = capsys.readouterr().out
    assert f"group {group.id} (chart, chart-sampler): accepted: every premise holds" in text
    assert group.views[0].question in text
    parts = ("question", "what the program computes", "worlds, computed now", "views", "premises", "why M must be")
    assert [text.index(f"\n{part}") for part in parts] == sorted(text.index(f"\n{part}") for part in parts)
    assert results(text) == ["holds"] * 11
    assert "give the same 292,500 pixels (650 x 450)" in text
    file = tmp_path / f"proof-{group.id[:8]}.png"
    assert f"picture: {file.name}" in text
    assert png.decode(file.read_bytes()).shape[1] == 1600
    assert [path.name for path in tmp_path.iterdir()] == [file.name]
    # Again, by the beginning of the id, over the old file: the same bytes.
    first = file.read_bytes()
    assert certify(built, "--explain", group.id[:8], "--out", str(file)) == 0
    assert file.read_bytes() == first


def test_an_explanation_as_json(built: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    group = next(Benchmark(built).groups())
    out = tmp_path / "new" / "one.PNG"
    assert certify(built, "--explain", group.id, "--out", str(out), "--json") == 0
    found = json.loads(capsys.readouterr().out)
    assert (found["holds"], found["picture"]) == (True, str(out))
    assert found["explanation"]["group"] == group.id
    assert {world["name"] for world in found["explanation"]["worlds"]} == {"F", "S", "C", "I"}
    assert out.is_file()


def test_a_forged_proof_is_explained_with_its_premise_and_exit_1(
    folder: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    def forge(rows: list[dict[str, object]]) -> list[dict[str, object]]:
        return [row | {"target": "1"} if row["state"] == "F" else row for row in rows]

    edit_rows(Benchmark(folder).files()[0], forge)
    group = next(Benchmark(folder).groups())
    out = tmp_path / "forged.png"
    assert certify(folder, "--explain", group.id, "--out", str(out)) == 1
    text = capsys.readouterr().out
    assert "(chart, chart-sampler): refused" in text
    assert "premise answers: view F asks for the answer 1, the program gives" in text
    assert results(text) == ["holds"] * 5 + ["fails"] + ["not reached"] * 5
    assert "why M must be" not in text
    assert png.decode(out.read_bytes()).shape[1] == 1600
    assert certify(folder, "--explain", group.id, "--out", str(out), "--json") == 1
    assert json.loads(capsys.readouterr().out)["holds"] is False


def test_names_of_strangers_make_no_path_and_no_terminal_obeys_them(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    made, pictures = small_group(0)
    odd = "../../e\x1b[31mvil"
    views = tuple(
        msgspec.structs.replace(
            view, group=odd, question="What\x1b[2J?", evidence=Evidence(level="annotated", note="x")
        )
        for view in made.views
    )
    with BenchmarkWriter(tmp_path / "b") as writer:
        writer.add(msgspec.structs.replace(made, id=odd, views=views), pictures, None)
        writer.finish(manifest(), Ledger(lines=(), asked=1, kept=1), "card")
    assert certify(tmp_path / "b", "--explain", odd) == 0
    text = capsys.readouterr().out
    assert "\x1b" not in text
    assert "What\\x1b[2J?" in text
    assert "without a proof" in text
    assert "annotated: x" in text
    assert "No proof is claimed" in text
    assert sorted(path.name for path in tmp_path.iterdir()) == ["b", "proof-e31mvil.png"]


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (("--explain", "nobody"), "the id of a group or of one of its views, or 6 signs or more of its beginning"),
        (("--explain", ""), "got '', which 3 groups do not have"),
        (("--explain", "nobody", "--audit"), "expected --explain or --audit; got both"),
        (("--explain", "nobody", "--out", "proof.jpg"), "the name of a PNG file; got out='proof.jpg'"),
        (("--out", "proof.png"), "expected --out together with --explain; got --out alone"),
    ],
)
def test_flags_that_cannot_be_used_are_exit_2(
    words: tuple[str, ...], message: str, built: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:  # fmt: skip
    monkeypatch.chdir(tmp_path)
    assert certify(built, *words) == 2
    assert message in capsys.readouterr().err
    assert list(tmp_path.iterdir()) == []


def test_a_picture_that_cannot_be_written_is_exit_5(
    built: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "file").write_bytes(b"")
    group = next(Benchmark(built).groups())
    assert certify(built, "--explain", group.id, "--out", str(tmp_path / "file" / "x.png")) == 5
    assert "expected to write the file" in capsys.readouterr().err


def test_a_sample_is_drawn_again_and_said(built: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert certify(built, "--redraw", "1", "--seed", "4") == 0
    text = capsys.readouterr().out
    assert "not drawn again (--redraw)" in text
    assert certify(built, "--redraw", "1", "--json") == 0
    statuses = json.loads(capsys.readouterr().out)["certificate"]["statuses"]
    assert statuses["accepted"] == 1 and statuses["stored"] >= 1
    assert certify(built) == 0
    assert "not drawn again" not in capsys.readouterr().out
