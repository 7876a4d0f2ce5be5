"""The benchmark folder: what is written is read, and what is edited by hand is found out."""

from __future__ import annotations

import errno
import json
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import msgspec
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from answerable.core import view_rows
from answerable.core.benchmark import MAX_PROOF_LINE, Benchmark, BenchmarkWriter, Manifest
from answerable.core.codec import decode, digest_bytes, encode
from answerable.core.errors import BenchmarkError, FingerprintError, ProofError, StorageError
from answerable.core.records import Option, View
from tests.core.small import edit_rows, group, ledger, manifest, no_text, picture, proof, write

Rows = list[dict[str, Any]]


def test_a_multiple_choice_view_comes_back_whole(tmp_path: Path) -> None:
    made, pictures = group(1)
    options = (Option("A", "“größer”"), Option("C", ""), Option("F", "None of the above", "instructed"))
    views = tuple(
        msgspec.structs.replace(
            view, options=options, instruction="Say F if none is right.", setting="instruction", rotation=2,
            withheld="7", ability="Counting", topic="Numbers",
        )
        for view in made.views
    )  # fmt: skip
    with BenchmarkWriter(tmp_path / "b") as writer:
        writer.add(msgspec.structs.replace(made, views=views), pictures, None)
        writer.finish(manifest(), ledger(1), "")
    assert tuple(Benchmark(tmp_path / "b").views()) == views


def test_what_is_written_is_read(tmp_path: Path) -> None:
    benchmark = write(tmp_path / "b")
    expected = [group(0)[0], group(1)[0], group(2, "train")[0]]
    assert list(benchmark.groups()) == expected
    assert list(benchmark.groups("train")) == expected[2:]
    assert [view for made in expected for view in made.views] == list(benchmark.views())
    pictures = [data for number, split in ((0, "test"), (1, "test"), (2, "train")) for data in group(number, split)[1]]
    assert [data for _, data in benchmark.views_with_images()] == pictures
    assert [encode(record) for record in benchmark.proofs()] == [
        encode(proof(*key)) for key in ((0, "test"), (1, "test"), (2, "train"))
    ]
    assert benchmark.ledger() == ledger(3)
    benchmark.verify()


def test_the_manifest_counts_what_was_added(tmp_path: Path) -> None:
    found = write(tmp_path / "b").manifest
    assert (found.groups, found.views, found.proofs) == (3, 9, 3)
    assert [(count.split, count.groups, count.views, count.states) for count in found.sources] == [
        ("test", 2, 6, ("F", "M", "I")),
        ("train", 1, 3, ("F", "M", "I")),
    ]
    assert len(found.fingerprint) == 64
    assert found.fingerprint in (tmp_path / "b" / "README.md").read_text(encoding="utf-8")


def test_images_are_found_by_view_and_proofs_by_group(tmp_path: Path) -> None:
    benchmark = write(tmp_path / "b")
    store = benchmark.images()
    made, pictures = group(2, "train")
    for view, data in zip(made.views, pictures, strict=True):
        assert view.id in store
        assert store.read(view.id) == data
    assert "nobody" not in store
    with pytest.raises(BenchmarkError, match="expected a view of the benchmark; got view=nobody"):
        store.read("nobody")
    places = benchmark.proof_places()
    assert encode(places["g-train-2"].read()) == encode(proof(2, "train"))
    assert encode(places["g-test-1"].read()) == encode(proof(1))


def test_the_image_store_reads_back_over_many_row_groups(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(view_rows, "ROWS_A_GROUP", 2)
    monkeypatch.setattr(view_rows, "ROWS_A_FILE", 6)
    benchmark = write(tmp_path / "b", [(number, "test") for number in range(8)])
    assert [file.name for file in benchmark.files()] == [f"views-test-0000{n}.parquet" for n in range(4)]
    store = benchmark.images()
    for number in (7, 0, 3, 5, 0):
        made, pictures = group(number)
        assert [store.read(view.id) for view in made.views] == pictures
    assert [made.id for made in benchmark.groups()] == [f"g-test-{n}" for n in range(8)]
    benchmark.verify()


def test_large_images_close_a_row_group_early(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(view_rows, "BYTES_A_GROUP", 150)
    benchmark = write(tmp_path / "b")
    with pq.ParquetFile(benchmark.files("test")[0]) as file:
        assert file.num_row_groups == 3
    benchmark.verify()


def test_the_fingerprint_does_not_depend_on_the_order_of_splits(tmp_path: Path) -> None:
    plans = (
        [(0, "test"), (1, "test"), (2, "train"), (3, "train")],
        [(2, "train"), (0, "test"), (3, "train"), (1, "test")],
    )
    one, other = (write(tmp_path / str(index), plan) for index, plan in enumerate(plans))
    assert one.manifest.fingerprint == other.manifest.fingerprint
    swapped = write(tmp_path / "swapped", [(1, "test"), (0, "test"), (2, "train"), (3, "train")])
    assert swapped.manifest.fingerprint != one.manifest.fingerprint


def test_the_fingerprint_is_over_content_not_over_files(tmp_path: Path) -> None:
    benchmark = write(tmp_path / "b")
    file = benchmark.files("test")[0]
    table = pq.read_table(file)
    pq.write_table(table, file, compression="zstd", row_group_size=1)
    benchmark.verify()


def _set(where: str, /, **changes: object) -> Callable[[Rows], Rows]:
    def change(rows: Rows) -> Rows:
        return [row | changes if row["state"] == where else row for row in rows]

    return change


def _repaint(rows: Rows) -> Rows:
    return [
        row | {"image": {"bytes": picture("other"), "path": "x.png"}} if row["state"] == "M" else row for row in rows
    ]


def _repaint_carefully(rows: Rows) -> Rows:
    return [row | {"image_sha256": digest_bytes(row["image"]["bytes"])} for row in _repaint(rows)]


ROW_EDITS: dict[str, Callable[[Rows], Rows]] = {
    "target text": _set("F", target="99"),
    "obligation": _set("M", answerable=True, target="0", answer_type="number", reason=None),
    "question": _set("M", question="What else?"),
    "evidence": _set("F", evidence_level="annotated"),
    "image bytes": _repaint,
    "image bytes and their digest": _repaint_carefully,
    "dropped group": lambda rows: rows[3:],
    "dropped view": lambda rows: rows[:-1],
    "order of views": lambda rows: [rows[1], rows[0], *rows[2:]],
    "a view twice": lambda rows: [*rows, rows[-1]],
    "split": _set("F", split="train"),
}


@pytest.mark.parametrize("edit", ROW_EDITS)
def test_verify_finds_edited_rows(edit: str, tmp_path: Path) -> None:
    benchmark = write(tmp_path / "b")
    edit_rows(benchmark.files("test")[0], ROW_EDITS[edit])
    with pytest.raises(FingerprintError) as caught:
        benchmark.verify()
    assert caught.value.exit_code == 2
    assert "again" in caught.value.fix


def _json_edit(name: str, *path: str | int, value: object) -> Callable[[Path], None]:
    def change(folder: Path) -> None:
        content = json.loads((folder / name).read_text(encoding="utf-8"))
        spot = content
        for key in path[:-1]:
            spot = spot[key]
        assert spot[path[-1]] != value
        spot[path[-1]] = value
        (folder / name).write_text(json.dumps(content), encoding="utf-8")

    return change


def _add_proof(folder: Path) -> None:
    with (folder / "proofs-00001.jsonl").open("wb") as file:
        file.write(encode(proof(77)) + b"\n")


def _repeat_proof(folder: Path) -> None:
    with (folder / "proofs-00001.jsonl").open("wb") as file:
        file.write(encode(proof(1)) + b"\n")


def _drop_proof(folder: Path) -> None:
    path = folder / "proofs-00000.jsonl"
    path.write_bytes(b"".join(path.read_bytes().splitlines(keepends=True)[1:]))


def _edit_proof(folder: Path) -> None:
    path = folder / "proofs-00000.jsonl"
    path.write_bytes(path.read_bytes().replace(b'{"n":1}', b'{"n":2}'))


def _swap_splits(folder: Path) -> None:
    test, train = folder / "views-test-00000.parquet", folder / "views-train-00000.parquet"
    test.rename(folder / "aside")
    train.rename(test)
    (folder / "aside").rename(train)


def _copy_file(folder: Path) -> None:
    (folder / "views-test-00001.parquet").write_bytes((folder / "views-test-00000.parquet").read_bytes())


def _drop_file(folder: Path) -> None:
    (folder / "views-train-00000.parquet").unlink()


FOLDER_EDITS: dict[str, Callable[[Path], None]] = {
    "ledger kept": _json_edit("ledger.json", "kept", value=4),
    "ledger reasons": _json_edit("ledger.json", "lines", 0, "refused", value={"ugly": 5}),
    "manifest name": _json_edit("benchmark.json", "name", value="another"),
    "manifest licence": _json_edit("benchmark.json", "licence", value="mine"),
    "manifest settings": _json_edit("benchmark.json", "settings", "seed", value=2),
    "manifest counts": _json_edit("benchmark.json", "groups", value=30),
    "manifest views": _json_edit("benchmark.json", "views", value=90),
    "manifest fingerprint": _json_edit("benchmark.json", "fingerprint", value="0" * 64),
    "added proof": _add_proof,
    "repeated proof": _repeat_proof,
    "dropped proof": _drop_proof,
    "edited proof": _edit_proof,
    "swapped splits": _swap_splits,
    "copied file": _copy_file,
    "dropped file": _drop_file,
}


@pytest.mark.parametrize("edit", FOLDER_EDITS)
def test_verify_finds_edited_files(edit: str, tmp_path: Path) -> None:
    folder = write(tmp_path / "b").path
    FOLDER_EDITS[edit](folder)
    with pytest.raises(FingerprintError):
        Benchmark(folder).verify()


def test_white_space_in_json_files_is_no_edit(tmp_path: Path) -> None:
    folder = write(tmp_path / "b").path
    for name in ("benchmark.json", "ledger.json"):
        content = json.loads((folder / name).read_text(encoding="utf-8"))
        (folder / name).write_text(json.dumps(content), encoding="utf-8")
    Benchmark(folder).verify()


def test_verify_shows_every_row_to_its_visitor(tmp_path: Path) -> None:
    benchmark = write(tmp_path / "b")
    seen: list[tuple[str, int, View, bytes]] = []
    benchmark.verify(lambda path, row_group, view, image: seen.append((path.name, row_group, view, image)))
    assert [view for _, _, view, _ in seen] == list(benchmark.views())
    assert {name for name, *_ in seen} == {"views-test-00000.parquet", "views-train-00000.parquet"}


def test_views_are_streamed(tmp_path: Path) -> None:
    benchmark = write(tmp_path / "b")
    (tmp_path / "b" / "views-train-00000.parquet").write_bytes(b"not Parquet at all")
    stream = benchmark.views()
    assert isinstance(stream, Iterator)
    assert next(stream).group == "g-test-0"
    with pytest.raises(BenchmarkError, match="a readable Parquet file of views"):
        list(stream)


def test_a_group_id_used_twice_is_refused(tmp_path: Path) -> None:
    benchmark = write(tmp_path / "b", [(0, "test"), (1, "test"), (0, "test")])
    with pytest.raises(BenchmarkError, match="group ids used once; got group=g-test-0 a second time"):
        list(benchmark.groups())


BAD_ROWS: dict[str, Callable[[Rows], Rows]] = {
    "no target": _set("F", target=None),
    "no type": _set("F", answer_type=None),
    "unknown type": _set("F", answer_type="guess"),
    "no reason": _set("M", reason=None),
    "unknown reason": _set("M", reason="tired"),
    "unknown state": _set("M", state="Z"),
    "unknown level": _set("F", evidence_level="sure"),
    "no id": _set("F", id=None),
    "no question": _set("F", question=None),
    "no image": _set("F", image=None),
    "no image bytes": _set("F", image={"bytes": None, "path": "x.png"}),
}


@pytest.mark.parametrize("edit", BAD_ROWS)
def test_rows_of_a_strangers_file_are_checked(edit: str, tmp_path: Path) -> None:
    benchmark = write(tmp_path / "b")
    edit_rows(benchmark.files("test")[0], BAD_ROWS[edit])
    with pytest.raises(BenchmarkError, match="expected a readable Parquet file of views") as caught:
        list(benchmark.views_with_images())
    assert "views-test-00000.parquet" in caught.value.where


@pytest.mark.parametrize("name", ["id", "question", "target", "topic"])
def test_text_that_is_no_text_is_refused_in_words(name: str, tmp_path: Path) -> None:
    benchmark = write(tmp_path / "b")
    file = benchmark.files("test")[0]
    table = pq.read_table(file)
    place = table.schema.get_field_index(name)
    pq.write_table(table.set_column(place, table.schema.field(place), no_text(len(table))), file)
    with pytest.raises(BenchmarkError, match=r"readable Parquet file of views; got .*Invalid UTF8") as caught:
        list(benchmark.views())
    assert "views-test-00000.parquet" in caught.value.where


def test_pictures_of_a_damaged_file_are_refused_in_words(tmp_path: Path) -> None:
    benchmark = write(tmp_path / "b")
    file = benchmark.files("test")[0]
    view = next(benchmark.views("test"))
    whole = file.read_bytes()
    edit_rows(file, BAD_ROWS["no image bytes"])
    with pytest.raises(BenchmarkError, match=f"got view {view.id} has no image"):
        benchmark.images().read(view.id)
    for part in (b"", whole[:100], whole[: len(whole) // 2]):
        file.write_bytes(part)
        with pytest.raises(BenchmarkError, match="expected a readable Parquet file of views"):
            benchmark.images()
    file.write_bytes(whole)
    store = benchmark.images()
    # The end of the file, which says where everything lies, is whole; the pictures are not.
    file.write_bytes(b"\0" * (len(whole) // 2) + whole[len(whole) // 2 :])
    with pytest.raises(BenchmarkError, match="expected a readable Parquet file of views"):
        store.read(view.id)


def test_a_file_without_a_column_is_refused(tmp_path: Path) -> None:
    benchmark = write(tmp_path / "b")
    file = benchmark.files("test")[0]
    pq.write_table(pq.read_table(file).drop_columns(["question"]), file)
    with pytest.raises(BenchmarkError, match="a readable Parquet file of views"):
        list(benchmark.views())


def test_settings_that_are_no_text_are_refused_in_words(tmp_path: Path) -> None:
    benchmark = write(tmp_path / "b")
    path = benchmark.path / "benchmark.json"
    whole = path.read_bytes()
    start = whole.index(b"{", whole.index(b'"settings"')) + 1
    path.write_bytes(whole[:start] + b'"x": "\xff\xfe", ' + whole[start:].lstrip())
    with pytest.raises(BenchmarkError, match=r"expected a readable benchmark\.json; got Invalid UTF-8"):
        Benchmark(benchmark.path)


@pytest.mark.parametrize(
    ("line", "words"),
    [
        (b"{}\n", "one proof record a line"),
        (b"not json\n", "one proof record a line"),
        (b'{"group":"g","domain":"d","body":' + b"[" * 100_000 + b"]" * 100_000 + b"}\n", "one proof record a line"),
        (b'{"group":"g","domain":"d","body":"' + b"x" * MAX_PROOF_LINE + b'"}\n', "at most 4194304 bytes"),
        (encode(proof(0)) + b"\n", "one proof a group"),
    ],
    ids=["empty", "text", "deep", "long", "twice"],
)
def test_a_bad_proof_line_is_named(line: bytes, words: str, tmp_path: Path) -> None:
    benchmark = write(tmp_path / "b")
    with (tmp_path / "b" / "proofs-00000.jsonl").open("ab") as file:
        file.write(line)
    with pytest.raises(ProofError, match=words) as caught:
        benchmark.proof_places()
    assert caught.value.where.endswith("proofs-00000.jsonl, line 4")


@pytest.mark.parametrize(
    ("content", "words"),
    [
        (b"", "a readable benchmark.json"),
        (b"{}", "missing required field"),
        (b"[" * 100_000, "a readable benchmark.json"),
        (b'{"format": 1} trailing', "a readable benchmark.json"),
    ],
    ids=["empty", "fields", "deep", "trailing"],
)
def test_a_bad_manifest_is_refused(content: bytes, words: str, tmp_path: Path) -> None:
    folder = write(tmp_path / "b").path
    (folder / "benchmark.json").write_bytes(content)
    with pytest.raises(BenchmarkError, match=words):
        Benchmark(folder)


def test_another_format_is_refused(tmp_path: Path) -> None:
    folder = write(tmp_path / "b").path
    found = decode((folder / "benchmark.json").read_bytes(), Manifest)
    (folder / "benchmark.json").write_bytes(encode(msgspec.structs.replace(found, format=99)))
    with pytest.raises(BenchmarkError, match="expected format 1; got format=99"):
        Benchmark(folder)


def test_a_folder_without_a_manifest_is_no_benchmark(tmp_path: Path) -> None:
    with pytest.raises(BenchmarkError, match=r"a benchmark folder with benchmark\.json"):
        Benchmark(tmp_path)
    with pytest.raises(BenchmarkError, match=r"a benchmark folder with benchmark\.json"):
        Benchmark(tmp_path / "nowhere")


def test_a_damaged_ledger_is_named(tmp_path: Path) -> None:
    folder = write(tmp_path / "b").path
    (folder / "ledger.json").write_bytes(b"{")
    with pytest.raises(BenchmarkError, match=r"a readable ledger\.json"):
        Benchmark(folder).ledger()


def _abandon(path: Path) -> None:
    """What a process that was killed in the middle of a build leaves."""
    writer = BenchmarkWriter(path)
    writer.__enter__()
    made, pictures = group(5)
    writer.add(made, pictures, proof(5))
    writer._close()


def test_an_unfinished_build_is_swept_by_the_next_one(tmp_path: Path) -> None:
    _abandon(tmp_path / "b")
    (tmp_path / "b" / "ledger.json").write_bytes(b"{}")
    (tmp_path / "b" / ".benchmark.json.abc123").write_bytes(b"half")
    with pytest.raises(BenchmarkError):
        Benchmark(tmp_path / "b")
    write(tmp_path / "b").verify()
    names = sorted(path.name for path in (tmp_path / "b").iterdir())
    assert names == [
        "README.md", "benchmark.json", "ledger.json", "proofs-00000.jsonl", "views-test-00000.parquet",
        "views-train-00000.parquet",
    ]  # fmt: skip


@pytest.mark.parametrize(
    "name", ["notes.txt", "README.md", "ledger.json", "proofs-2024.jsonl", "data/x", "benchmark.json"]
)
def test_a_users_files_are_never_swept(name: str, tmp_path: Path) -> None:
    folder = tmp_path / "b"
    (folder / name).parent.mkdir(parents=True)
    (folder / name).write_text("mine", encoding="utf-8")
    with pytest.raises(BenchmarkError, match="expected an empty or new folder to build into"):
        write(folder)
    assert (folder / name).read_text(encoding="utf-8") == "mine"


def test_a_users_file_among_an_unfinished_build_stops_the_sweep(tmp_path: Path) -> None:
    _abandon(tmp_path / "b")
    (tmp_path / "b" / "notes.txt").write_text("mine", encoding="utf-8")
    before = sorted(path.name for path in (tmp_path / "b").iterdir())
    with pytest.raises(BenchmarkError, match="which has files"):
        write(tmp_path / "b")
    assert sorted(path.name for path in (tmp_path / "b").iterdir()) == before


def test_a_finished_benchmark_is_never_overwritten(tmp_path: Path) -> None:
    benchmark = write(tmp_path / "b")
    with pytest.raises(BenchmarkError, match="choose another --out"):
        write(tmp_path / "b")
    benchmark.verify()


def test_a_file_is_no_folder_to_build_into(tmp_path: Path) -> None:
    (tmp_path / "b").write_text("mine", encoding="utf-8")
    with pytest.raises(BenchmarkError, match="expected a folder to build into"):
        write(tmp_path / "b")
    assert (tmp_path / "b").read_text(encoding="utf-8") == "mine"


def test_an_error_in_the_middle_leaves_an_empty_folder(tmp_path: Path) -> None:
    with pytest.raises(ZeroDivisionError), BenchmarkWriter(tmp_path / "b") as writer:
        made, pictures = group(0)
        writer.add(made, pictures, proof(0))
        raise ZeroDivisionError
    assert list((tmp_path / "b").iterdir()) == []
    write(tmp_path / "b").verify()


def test_an_interrupt_after_the_end_keeps_the_finished_folder(tmp_path: Path) -> None:
    with pytest.raises(KeyboardInterrupt), BenchmarkWriter(tmp_path / "b") as writer:
        made, pictures = group(0)
        writer.add(made, pictures, proof(0))
        writer.finish(manifest(), ledger(1), "card")
        raise KeyboardInterrupt
    Benchmark(tmp_path / "b").verify()


def test_a_full_disk_is_a_storage_error_and_nothing_half_written_counts(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(*_: object, **__: object) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(pq.ParquetWriter, "write_table", full)
    monkeypatch.setattr(view_rows, "ROWS_A_GROUP", 2)
    with pytest.raises(StorageError, match="No space left on device"):
        write(tmp_path / "b")
    assert [path.name for path in (tmp_path / "b").iterdir()] == []


def test_images_must_match_the_views(tmp_path: Path) -> None:
    made, pictures = group(0)
    with pytest.raises(ValueError, match="shorter"), BenchmarkWriter(tmp_path / "b") as writer:
        writer.add(made, pictures[:2], None)


def test_datasets_opens_the_folder_and_decodes_the_images(tmp_path: Path) -> None:
    datasets = pytest.importorskip("datasets", reason="a development dependency")
    benchmark = write(tmp_path / "b")
    files = {
        "test": [str(file) for file in benchmark.files("test")],
        "train": [str(f) for f in benchmark.files("train")],
    }
    found = datasets.load_dataset("parquet", data_files=files, cache_dir=str(tmp_path / "cache"))
    assert {split: len(rows) for split, rows in found.items()} == {"test": 6, "train": 3}
    row = found["test"][0]
    assert row["image"].size == (5, 4)
    assert row["image"].mode == "RGB"
    assert (row["answerable"], row["target"], row["reason"]) == (True, "0", None)
    assert found["test"][1]["answerable"] is False
    assert found["test"].features["width"].dtype == "int32"


def test_columns_say_their_types(tmp_path: Path) -> None:
    schema = pq.read_schema(write(tmp_path / "b").files()[0])
    assert schema.field("answerable").type == pa.bool_()
    assert schema.field("image").type == pa.struct([("bytes", pa.binary()), ("path", pa.string())])
