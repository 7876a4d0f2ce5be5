"""``answerable build variations``: questions in other words, pictures in other styles, things behind masks."""

from __future__ import annotations

import argparse
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

from answerable.cli.build import run_build, words

if TYPE_CHECKING:
    from answerable.build.variation_benchmarks import VariationSettings
    from answerable.build.variations.restyle import Style
    from answerable.build.variations.sources import VarySource, Wording
    from answerable.build.variations.vary import Looks
    from answerable.core.benchmark import Ledger, Manifest
    from answerable.exec import Executor

#: Asks domains for their own words, in the place of a file.
OWN = "own"

_EXAMPLES = """examples:
  answerable build variations --from BENCH --rephrase own --restyle grayscale --out BENCH2
  answerable build variations --from BENCH --rephrase rewordings.jsonl --meaning meanings.jsonl --out BENCH2
  answerable build variations --questions sheet.csv --images photos --restyle lite-7 --resolution 224,640 --out BENCH2
  answerable build variations --from-coco instances.json --images val2017 --occlude --groups 1500 --out BENCH2
  answerable build variations --from SCENES --occlude --object-share 0.02,0.25 --out BENCH2
  answerable build variations --from BENCH --style candy=candy.onnx --out BENCH2
"""


def add_domain(domains: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Describe the domain's flags."""
    parser = domains.add_parser(
        "variations",
        allow_abbrev=False,
        help="variants that should be answered alike: other words, other styles, other masks",
        description="Groups of one question and its variants, for 'answerable consistency'. Questions are those of a "
        "benchmark, of a sheet on a folder of pictures, or ours on COCO's photos.",
        epilog=_EXAMPLES,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    _source_flags(parser)
    _variation_flags(parser)
    parser.add_argument("--groups", type=int, metavar="N", help="groups at most (default: all)")
    parser.add_argument("--train-percent", type=int, default=0, metavar="P", help="of pictures in a training split (0)")
    parser.add_argument("--seed", type=int, default=0, metavar="S", help="same seed and files, same bytes (default 0)")
    parser.add_argument("--out", type=Path, required=True, metavar="BENCH2", help="a new folder")
    parser.add_argument("--name", default="variations", help="name of the benchmark")
    parser.add_argument("--licence", default="", metavar="TEXT", help="of the groups (default: the source's)")
    parser.add_argument("--workers", type=int, default=0, metavar="N", help="processes (default: one a core)")
    parser.add_argument("--json", action="store_true", help="print the manifest and the ledger as JSON")
    parser.set_defaults(handler="answerable.cli.build_variations:main")


def _source_flags(parser: argparse.ArgumentParser) -> None:
    flags = parser.add_argument_group("what is varied: a benchmark, or pictures with questions, or COCO's photos")
    flags.add_argument("--from", dest="source", type=Path, metavar="BENCH", help="a benchmark")
    flags.add_argument(
        "--states", default="", metavar="LIST", help="only views of these states, such as F,M (default: all)"
    )
    flags.add_argument(
        "--questions", type=Path, metavar="SHEET",
        help="a sheet with the columns image, question, answer and, if you like, type and id",
    )  # fmt: skip
    flags.add_argument("--from-coco", type=Path, metavar="FILE", help="COCO's instances")
    flags.add_argument("--captions", type=Path, metavar="FILE", help="COCO's captions: photos are described")
    flags.add_argument("--images", type=Path, metavar="FOLDER", help="the pictures, for a sheet and for COCO")


def _variation_flags(parser: argparse.ArgumentParser) -> None:
    flags = parser.add_argument_group("what is varied of it")
    flags.add_argument(
        "--rephrase", action="append", default=[], metavar="FILE",
        help="other words: a file of 'answerable rephrase', a sheet with the columns question and wording, or the word "
        "'own' for those of our own templates (repeatable)",
    )  # fmt: skip
    flags.add_argument("--meaning", type=Path, metavar="FILE", help="what a judge said of the rewordings")
    flags.add_argument(
        "--over-words", type=int, default=10, metavar="N",
        help="from files, only questions of more than N words are reworded (10, as in the paper)",
    )  # fmt: skip
    flags.add_argument("--wordings", type=int, default=2, metavar="N", help="rewordings that must be kept (2, of 3)")
    flags.add_argument(
        "--restyle", default="", metavar="LIST",
        help="styles: grayscale, lite-0 to lite-25 (extra styles), or names given with --style",
    )  # fmt: skip
    flags.add_argument(
        "--style", action="append", default=[], metavar="NAME=FILE",
        help="a style network of your own (.onnx, with @255 or @1 behind it where its range is known), or a picture "
        "whose style is taken (repeatable; extra styles)",
    )  # fmt: skip
    flags.add_argument(
        "--resolution",
        default="",
        metavar="LIST",
        help="pixels of the longer side before styling, such as 224,640,1024",
    )
    flags.add_argument(
        "--occlude",
        action="store_true",
        help="hide one thing behind masks: of COCO's photos, or of each scene of a benchmark",
    )
    flags.add_argument("--masks", type=int, default=3, metavar="N", help="masks of one thing (3)")
    flags.add_argument(
        "--object-share", default="0.10,0.25", metavar="LOW,HIGH",
        help="of the photo, by the thing's outline (0.10,0.25)",
    )  # fmt: skip


def main(args: argparse.Namespace) -> int:
    """Build, and print what came of it."""
    from answerable.build.importers.writing import check_licence
    from answerable.build.variation_benchmarks import build, check_settings
    from answerable.build.variations.restyle import styles_of
    from answerable.build.variations.vary import Looks

    check_sources(args)
    licence = check_licence(args.licence) if args.licence else ""
    settings = settings_of(args, ())
    if not args.restyle and not args.style:
        check_settings(settings)
    styles = styles_of(words(args.restyle), args.style)
    settings = settings_of(args, styles)
    check_settings(settings)
    wording = wording_of(args, settings)
    sources = sources_of(args, settings, wording, Looks(styles, settings.resolutions))
    most = sum(source.count() for source in sources)

    def work(executor: Executor, tick: Callable[[], None]) -> tuple[Manifest, Ledger]:
        return build(
            settings, sources, styles, wording, args.out, executor, name=args.name, licence=licence, on_kept=tick
        )

    return run_build(args, min(most, settings.groups or most), work)


def check_sources(args: argparse.Namespace) -> None:
    """Refuse flags that name no source, two that do not go together, or one that is not used.

    Raises:
        SettingsError: naming the flags.
    """
    from answerable.core.errors import SettingsError

    pictured = args.questions is not None or args.from_coco is not None
    if (args.source is not None) == pictured:
        raise SettingsError(
            "a benchmark, or questions on pictures", "neither" if args.source is None else "both",
            where="--from, --questions, --from-coco", fix="name one source",
        )  # fmt: skip
    if pictured and args.images is None:
        raise SettingsError("the folder of the pictures", "none", where="--images")
    for flag, given, needs, there in (
        ("--occlude", args.occlude, "--from-coco or --from", args.from_coco or args.source),
        ("--captions", args.captions, "--from-coco", args.from_coco),
        ("--meaning", args.meaning, "--rephrase FILE", any(one != OWN for one in args.rephrase) or None),
        ("--states", args.states, "--from", args.source),
    ):
        if given and there is None:
            raise SettingsError(f"{needs} with {flag}", "none", where=flag)
    if args.source is not None and args.train_percent:
        raise SettingsError("no share of training with a benchmark, which keeps its splits",
                            f"{args.train_percent}", where="--train-percent")  # fmt: skip


def settings_of(args: argparse.Namespace, styles: tuple[Style, ...]) -> VariationSettings:
    """The settings that the flags say.

    Raises:
        SettingsError: one cannot be read.
    """
    from answerable.build.variation_benchmarks import VariationSettings
    from answerable.build.variations.occlude import Occluding
    from answerable.build.variations.rephrase import Rephrasing
    from answerable.build.variations.restyle import check_resolutions
    from answerable.build.variations.sources import check_train
    from answerable.core.errors import SettingsError
    from answerable.core.records import STATES

    check_train(args.train_percent)
    shares = words(args.object_share)
    if len(shares) not in (1, 2):
        raise SettingsError("two shares, such as 0.10,0.25", repr(args.object_share[:40]), where="--object-share")
    try:
        resolutions = tuple(int(text) for text in words(args.resolution))
    except ValueError:
        raise SettingsError("whole numbers of pixels", repr(args.resolution[:40]), where="--resolution") from None
    check_resolutions(resolutions)
    states = words(args.states)
    if unknown := [state for state in states if state not in STATES]:
        raise SettingsError(f"states, some of {', '.join(STATES)}", repr(unknown[0][:20]), where="--states")
    rephrasing = Rephrasing(own=OWN in args.rephrase, words=args.over_words, least=args.wordings)
    return VariationSettings(
        seed=args.seed, groups=args.groups, train_percent=args.train_percent, states=states,
        styles=tuple(style.decides() for style in styles), resolutions=resolutions,
        occluding=Occluding(masks=args.masks, low=shares[0], high=shares[-1]) if args.occlude else None,
        rephrasing=rephrasing if args.rephrase else None,
    )  # fmt: skip


def wording_of(args: argparse.Namespace, settings: VariationSettings) -> Wording:
    """Where other words come from.

    Raises:
        SourceError: a file cannot be read.
        LogError: a file of ours is damaged.
    """
    from answerable.build.variations.rephrase import read_rewordings
    from answerable.build.variations.sources import Wording

    files = [read_rewordings(Path(one), args.meaning) for one in args.rephrase if one != OWN]
    return Wording(settings.rephrasing, files)


def sources_of(
    args: argparse.Namespace, settings: VariationSettings, wording: Wording, looks: Looks
) -> list[VarySource]:
    """The sources that the flags name.

    Raises:
        SourceError: a file cannot be read.
        BenchmarkError: the benchmark cannot be varied.
    """
    from answerable.build.variations.sources import BenchSource, CocoSource, SheetSource

    if args.source is not None:
        hiding = settings.occluding
        return [BenchSource(args.source, wording, looks, settings.states, occluding=hiding, seed=settings.seed)]
    train, seed = settings.train_percent, settings.seed
    found: list[VarySource] = []
    if args.questions is not None:
        found.append(SheetSource(args.questions, args.images, wording, looks, train=train, seed=seed))
    if args.from_coco is not None:
        # A sheet's questions are varied on its own; then COCO's photos are only masked.
        asks = args.questions is None and (bool(looks.styles) or settings.rephrasing is not None)
        found.append(
            CocoSource(
                args.from_coco, args.images, wording, looks, occluding=settings.occluding, captions=args.captions,
                asks=asks, train=train, seed=seed,
            )
        )  # fmt: skip
    return found
