"""``answerable certify``: exit codes and what is printed."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest

from answerable.certify.faults import FAULTS
from answerable.cli.main import run_command
from answerable.core.benchmark import Benchmark
from answerable.core.codec import digest_bytes
from answerable.domains.raster import png
from tests.core.small import edit_rows


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
