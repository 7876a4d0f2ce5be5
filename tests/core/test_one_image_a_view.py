"""Case img-025: an item that lists two images is refused as it is read; never is only the first one sent."""

from __future__ import annotations

from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from answerable.core.benchmark import Benchmark
from answerable.core.errors import BenchmarkError
from tests.core import small


def test_two_images_in_one_view_are_refused(tmp_path: Path) -> None:
    benchmark = small.write(tmp_path / "bench")
    path = benchmark.files()[0]
    table = pq.read_table(path)
    doubled = [[row, row] for row in table["image"].to_pylist()]
    place = table.schema.get_field_index("image")
    pq.write_table(table.set_column(place, "image", pa.array(doubled)), path)
    again = Benchmark(benchmark.path)
    with pytest.raises(BenchmarkError, match="expected a readable Parquet file of views") as caught:
        list(again.views_with_images())
    assert path.name in str(caught.value)
