"""``answerable build photo``: questions on photos, masks on what their answers rest on and beside it."""

from __future__ import annotations

import argparse
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from answerable.cli.build import files_under, run_build

if TYPE_CHECKING:
    from answerable.build.photo_benchmarks import PhotoSettings, PhotoSource
    from answerable.core.benchmark import Ledger, Manifest
    from answerable.domains.photo.planning import Masking
    from answerable.exec import Executor


def add_domain(domains: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Describe the domain's flags."""
    photo = domains.add_parser(
        "photo",
        allow_abbrev=False,
        help="questions on photos: GQA's programs, or a sheet of questions on COCO's instances (derived, not proved)",
        description="Groups of a photo as it is (F), with masks beside what the answer rests on (S), and with masks on "
        "it (M). Nothing of this is proved. --questions and --scene-graphs are GQA's JSON files, or folders of them; a "
        "sheet with the columns image, question, answer and instances goes with --instances.",
    )
    photo.add_argument("--questions", type=Path, required=True, metavar="FILE", help="GQA's questions, or a sheet")
    photo.add_argument("--scene-graphs", type=Path, metavar="FILE", help="GQA's scene graphs of the same photos")
    photo.add_argument("--instances", type=Path, metavar="FILE", help="COCO's instances, for a sheet of questions")
    photo.add_argument("--images", type=Path, required=True, metavar="FOLDER", help="the photos")
    photo.add_argument("--groups", type=int, metavar="N", help="groups of the test split")
    photo.add_argument("--train-groups", type=int, default=0, metavar="N", help="groups of a training split")
    photo.add_argument("--per-photo", type=int, default=1, metavar="N", help="questions on one photo (default 1)")
    photo.add_argument("--seed", type=int, default=0, metavar="S", help="same seed and files, same bytes (default 0)")
    _add_masking(photo)
    photo.add_argument("--out", type=Path, metavar="BENCH", help="a new folder (not needed with --recipe-only)")
    photo.add_argument("--recipe", type=Path, metavar="FILE", help="also write a recipe: ids, masks and digests")
    photo.add_argument("--recipe-only", type=Path, metavar="FILE", help="write the recipe and nothing else")
    photo.add_argument("--from-recipe", type=Path, metavar="FILE", help="build what a recipe says, and compare digests")
    photo.add_argument("--name", default="photos", help="name of the benchmark")
    photo.add_argument("--licence", default="", metavar="TEXT", help="of the groups (default: the source's)")
    photo.add_argument("--workers", type=int, default=0, metavar="N", help="processes (default: one a core)")
    photo.add_argument("--json", action="store_true", help="print the manifest and the ledger as JSON")
    photo.set_defaults(handler="answerable.cli.build_photo:main")


def _add_masking(photo: argparse.ArgumentParser) -> None:
    photo.add_argument(
        "--twins", default="refuse", choices=["refuse", "flag"],
        help="a question where another thing of a masked one's name stays visible (default: refuse)",
    )  # fmt: skip
    photo.add_argument("--margin", type=int, default=0, metavar="PIXELS", help="every mask beyond its box (default 0)")
    for name, default, what in (
        ("size-ratio", 2.0, "areas of a mask of S and its mask of M, at most"),
        ("aspect-ratio", 2.0, "their aspect ratios, at most"),
        ("distance", 0.5, "between their middles, by the photo's diagonal, at most"),
        ("largest", 0.5, "share of the photo that is masked, at most"),
    ):
        photo.add_argument(f"--{name}", type=float, default=default, metavar="X", help=f"{what} (default {default})")


def main(args: argparse.Namespace) -> int:
    """Build, and print what came of it."""
    from answerable.build.importers.writing import check_licence
    from answerable.build.photo_benchmarks import build, check_settings
    from answerable.core.errors import SettingsError

    if args.from_recipe is not None:
        return _from_recipe(args)
    if (args.out is None) == (args.recipe_only is None):
        raise SettingsError(
            "a folder to build, or only a recipe", "neither" if args.out is None else "both", where="--out",
            fix="give --out BENCH or --recipe-only FILE; --recipe FILE writes a recipe besides",
        )  # fmt: skip
    if args.groups is None:
        raise SettingsError("a number of groups", "none", where="--groups")
    settings, licence = settings_of(args), check_licence(args.licence) if args.licence else ""
    check_settings(settings)
    source = open_source(args, settings.masking)

    def into(out: Path, recipe: Path | None) -> int:
        def work(executor: Executor, tick: Callable[[], None]) -> tuple[Manifest, Ledger]:
            return build(
                settings, source, args.images, out, executor,
                name=args.name, recipe=recipe, licence=licence, on_kept=tick,
            )  # fmt: skip

        return run_build(args, settings.groups + settings.train_groups, work)

    if args.recipe_only is None:
        return into(args.out, args.recipe)
    # The pictures are made for their digests, beside the recipe, and dropped.
    args.out = args.recipe_only
    with scratch(args.recipe_only.parent) as place:
        return into(place / "bench", args.recipe_only)


@contextmanager
def scratch(beside: Path) -> Iterator[Path]:
    """A folder that is gone afterwards.

    Raises:
        StorageError: the disk refused it.
    """
    from answerable.core.errors import StorageError

    try:
        beside.mkdir(parents=True, exist_ok=True)
        place = tempfile.TemporaryDirectory(dir=beside)
    except OSError as error:
        raise StorageError.from_os(error, beside) from error
    with place as name:
        yield Path(name)


def _from_recipe(args: argparse.Namespace) -> int:
    from answerable.build.recipes import read_recipe
    from answerable.build.recipes_photo import rebuild
    from answerable.core.errors import SettingsError
    from answerable.domains.photo.planning import Masking

    if args.out is None or args.recipe is not None or args.recipe_only is not None:
        raise SettingsError("--from-recipe with --out BENCH, and no other recipe", "another choice", where="--out")
    recipe = read_recipe(args.from_recipe)
    source = open_source(args, Masking())
    return run_build(
        args,
        len(recipe.lines),
        lambda executor, tick: rebuild(recipe, source, args.images, args.out, executor, on_kept=tick),
    )


def settings_of(args: argparse.Namespace) -> PhotoSettings:
    """The settings that the flags say."""
    from answerable.build.photo_benchmarks import PhotoSettings
    from answerable.domains.photo.planning import Masking

    masking = Masking(
        twins=args.twins, size_ratio=args.size_ratio, aspect_ratio=args.aspect_ratio, distance=args.distance,
        largest=args.largest, margin=args.margin,
    )  # fmt: skip
    return PhotoSettings(
        groups=args.groups, seed=args.seed, train_groups=args.train_groups, per_photo=args.per_photo, masking=masking
    )


def open_source(args: argparse.Namespace, masking: Masking) -> PhotoSource:
    """The source that the flags name.

    Raises:
        SettingsError: neither scene graphs nor instances, or both.
        SourceError: a file cannot be read.
    """
    from answerable.build.sources.coco import CocoSource
    from answerable.build.sources.gqa import GqaSource
    from answerable.core.errors import SettingsError

    if (args.scene_graphs is None) == (args.instances is None):
        raise SettingsError(
            "--scene-graphs for GQA's questions, or --instances for a sheet",
            "neither" if args.instances is None else "both", where="--scene-graphs",
        )  # fmt: skip
    if args.instances is not None:
        return CocoSource(args.questions, args.instances, masking)
    return GqaSource(json_files(args.questions, "--questions"), json_files(args.scene_graphs, "--scene-graphs"))


def json_files(given: Path, flag: str) -> tuple[Path, ...]:
    """A JSON file, or those of a folder.

    Raises:
        SourceError: there is none.
    """
    from answerable.core.errors import SourceError

    if not given.exists():
        raise SourceError("a file or folder", f"{given}, which is not there", where=flag)
    found = tuple(path for path in files_under(given) if path.suffix.lower() == ".json" or path == given)
    if not found:
        raise SourceError("JSON files", f"none in {given}", where=flag)
    return found
