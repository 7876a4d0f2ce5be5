"""Which form a file or folder of multiple-choice questions has."""

from __future__ import annotations

from pathlib import Path

from answerable.build.sources.mcq import McqSource, parse_json, read_text
from answerable.build.sources.mcq_mmbench import SamplesSource, TsvSource
from answerable.build.sources.mcq_rows import OwnSource, UpdRowsSource
from answerable.core.errors import SourceError

_ENDINGS = (".tsv", ".csv", ".jsonl", ".json")
_FORMS = "a .tsv of MMBench, a .json list of samples or of MM-UPD rows, or a .jsonl or .csv of your own"


def open_source(given: Path, places: tuple[tuple[str, Path], ...] = ()) -> McqSource:
    """The source that a path names; of a folder, the data files right inside it.

    Args:
        places: folders of pictures, each with the beginning of the names that lie there.

    Raises:
        SourceError: nothing is there that questions can be read from.
    """
    if not given.exists():
        raise SourceError("a file or folder", f"{given}, which is not there", where="--from")
    found = sorted(path for path in given.iterdir() if path.is_file()) if given.is_dir() else [given]
    paths = tuple(path for path in found if path.suffix.lower() in _ENDINGS)
    if not paths:
        raise SourceError(_FORMS, f"{given.name}", where="--from", fix="'answerable build mcq --help' has the forms")
    if all(path.suffix.lower() == ".json" for path in paths) and all(_holds_rows(path) for path in paths):
        return UpdRowsSource(paths, places)
    if len(paths) > 1:
        raise SourceError(
            "one data file, or several .json files of MM-UPD rows", ", ".join(path.name for path in paths)[:120],
            where=str(given), fix="name the file",
        )  # fmt: skip
    (path,) = paths
    ending = path.suffix.lower()
    if ending == ".tsv":
        return TsvSource(path)
    return SamplesSource(path, places) if ending == ".json" else OwnSource(path, places)


def _holds_rows(path: Path) -> bool:
    """Whether a JSON file is a list of MM-UPD rows: they have options under letters and a type."""
    rows = parse_json(read_text(path), str(path))
    if not isinstance(rows, list):
        raise SourceError("a JSON list of questions", type(rows).__name__, where=str(path))
    return bool(rows) and isinstance(rows[0], dict) and "type" in rows[0] and "A" in rows[0]
