"""Views as rows of Parquet files: one row a view, image bytes embedded the way Hugging Face ``datasets`` does."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Any

import msgspec

from answerable.core.records import Abstain, Answer, Option, View

if TYPE_CHECKING:
    import pyarrow as pa
    import pyarrow.parquet as pq

#: Rows a Parquet file and a row group hold at most; images make a row some 20 kB.
ROWS_A_FILE, ROWS_A_GROUP = 12_000, 240
#: A row group is closed early when its images reach this, so that memory is bounded for large images too.
BYTES_A_GROUP = 32 * 1024 * 1024

COLUMNS = (
    "id", "group", "source", "split", "figure", "state", "question",
    "answerable", "target", "answer_type", "reason",
    "evidence_level", "evidence_proof", "evidence_note",
    "image_sha256", "width", "height", "renderer", "program", "depth",
    "options", "instruction", "setting", "rotation", "withheld", "ability", "topic",
)  # fmt: skip


#: Columns that are fields of a view under the same name.
_PLAIN = tuple(name for name in COLUMNS if name in View.__struct_fields__)


def schema() -> pa.Schema:
    """The schema of a file of views, with the note that ``datasets`` reads features from."""
    import pyarrow as pa

    text: dict[str, pa.Field[Any]] = {name: pa.field(name, pa.string()) for name in COLUMNS}
    text["answerable"] = pa.field("answerable", pa.bool_())
    numbers = ("width", "height", "depth", "rotation")
    text |= {name: pa.field(name, pa.int32()) for name in numbers}
    option = tuple(Option.__struct_fields__)
    text["options"] = pa.field("options", pa.list_(pa.struct([pa.field(name, pa.string()) for name in option])))
    image = pa.field("image", pa.struct([pa.field("bytes", pa.binary()), pa.field("path", pa.string())]))
    kinds = {"answerable": "bool"} | dict.fromkeys(numbers, "int32")
    features: dict[str, Any] = {"image": {"_type": "Image"}}
    features |= {name: {"dtype": kinds.get(name, "string"), "_type": "Value"} for name in COLUMNS}
    features["options"] = [{name: {"dtype": "string", "_type": "Value"} for name in option}]
    note: dict[bytes | str, bytes | str] = {"huggingface": json.dumps({"info": {"features": features}}, sort_keys=True)}
    return pa.schema([image, *text.values()], metadata=note)


def row_of(view: View) -> dict[str, object]:
    """A view as a row, its image aside."""
    duty = view.obligation
    answer = duty if isinstance(duty, Answer) else None
    return {
        "id": view.id, "group": view.group, "source": view.source, "split": view.split, "figure": view.figure,
        "state": view.state, "question": view.question, "answerable": answer is not None,
        "target": answer.target if answer else None, "answer_type": answer.type if answer else None,
        "reason": duty.reason if isinstance(duty, Abstain) else None,
        "evidence_level": view.evidence.level, "evidence_proof": view.evidence.proof,
        "evidence_note": view.evidence.note, "image_sha256": view.image_sha256,
        "width": view.width, "height": view.height, "renderer": view.renderer,
        "program": view.program, "depth": view.depth,
        "options": [{name: getattr(option, name) for name in Option.__struct_fields__} for option in view.options],
        "instruction": view.instruction, "setting": view.setting, "rotation": view.rotation,
        "withheld": view.withheld, "ability": view.ability, "topic": view.topic,
    }  # fmt: skip


def view_of(row: dict[str, Any]) -> View:
    """The view of a row, its types checked: the file may come from a stranger."""
    if row["answerable"]:
        obligation = {"kind": "answer", "target": row["target"], "type": row["answer_type"]}
    else:
        obligation = {"kind": "abstain", "reason": row["reason"]}
    evidence = {"level": row["evidence_level"], "proof": row["evidence_proof"], "note": row["evidence_note"]}
    return msgspec.convert(
        {name: row[name] for name in _PLAIN} | {"obligation": obligation, "evidence": evidence}, View
    )


class ViewTable:
    """The Parquet files of one split."""

    def __init__(self, folder: Path, split: str) -> None:
        self._folder, self._split, self._shard = folder, split, 0
        self._rows: list[dict[str, object]] = []
        self._images: set[str] = set()
        """Digests of the pictures of the rows that are not written yet."""
        self._bytes = self._written = 0
        self._writer: pq.ParquetWriter | None = None

    def add(self, view: View, image: bytes) -> None:
        """Append a view with its image."""
        self._rows.append(row_of(view) | {"image": {"bytes": image, "path": f"{view.id}.png"}})
        if view.image_sha256 not in self._images:
            self._images.add(view.image_sha256)
            self._bytes += len(image)
        if len(self._rows) == ROWS_A_GROUP or self._bytes >= BYTES_A_GROUP:
            self._flush()

    def _flush(self) -> None:
        if not self._rows:
            return
        import pyarrow as pa
        import pyarrow.parquet as pq

        if self._writer is None:
            path = self._folder / f"views-{self._split}-{self._shard:05d}.parquet"
            # Images are compressed already; the text columns are small. Without a dictionary an image lies in the
            # file as it is, in row order, so a reader can fetch one image by its place.
            layout: dict[str, Any] = {"compression": "none", "use_dictionary": list(COLUMNS)}
            if len(self._images) < len(self._rows):
                # Views share pictures here: each lies in a row group once, in the order of its first row.
                layout["use_dictionary"] = [*COLUMNS, "image.bytes"]
                layout["dictionary_pagesize_limit"] = 4 * BYTES_A_GROUP
            self._writer = pq.ParquetWriter(path, schema(), write_statistics=False, **layout)
        self._writer.write_table(pa.Table.from_pylist(self._rows, schema=schema()))
        self._written += len(self._rows)
        self._rows, self._bytes = [], 0
        self._images.clear()
        if self._written >= ROWS_A_FILE:
            self._writer.close()
            self._writer, self._written, self._shard = None, 0, self._shard + 1

    def close(self) -> None:
        """Write what is left, and close the file."""
        try:
            self._flush()
        finally:
            if self._writer is not None:
                self._writer.close()
                self._writer = None
