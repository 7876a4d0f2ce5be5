"""``answerable build scene``: rendered scenes in the manner of CLEVR."""

from __future__ import annotations

import argparse
from pathlib import Path

from answerable.cli.build import add_common, families, run_recipe, words


def add_domain(domains: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Describe the domain's flags."""
    scene = domains.add_parser(
        "scene",
        allow_abbrev=False,
        help="questions on rendered scenes: made up, or CLEVR's scenes and questions",
        description="Scenes in the manner of CLEVR, with proofs. The renderer mitsuba needs the extra 'scenes'; the "
        "renderer blender needs Blender, or a Python with bpy, named by ANSWERABLE_BLENDER, and takes CLEVR's own "
        "assets from the folder that ANSWERABLE_BLENDER_ASSETS names.",
    )
    scene.add_argument(
        "--from", dest="source", type=Path, metavar="FILE", help="official scenes (default: scenes are made up)"
    )
    scene.add_argument(
        "--clevr-questions", type=Path, metavar="FILE", help="official questions about them (default: our own)"
    )
    add_common(scene, "scene")
    scene.add_argument("--renderer", default="mitsuba", metavar="NAME", help="mitsuba (default), blender or flat")
    scene.add_argument("--covers", default="box,panel", metavar="LIST", help="what hides: box, panel (default both)")
    scene.add_argument("--questions", default="all", metavar="LIST", help="sorts of questions (default all)")


def main(args: argparse.Namespace) -> int:
    """Build, and print what came of it."""
    import msgspec

    from answerable.build.scene_benchmarks import SceneRecipe, SceneSettings
    from answerable.core.errors import SettingsError
    from answerable.domains.scene.templates import FAMILIES
    from answerable.domains.scene.visibility import COVERS

    for name in words(args.covers):
        if name not in COVERS:
            raise SettingsError(f"some of {', '.join(COVERS)}", repr(name), where="--covers")
    settings = msgspec.convert(
        {
            "groups": args.groups,
            "train_groups": args.train_groups,
            "seed": args.seed,
            "renderer": args.renderer,
            "covers": words(args.covers),
            "questions": families(args.questions, FAMILIES),
        },
        SceneSettings,
    )
    # A scene takes seconds to draw, so scenes are sent one at a time.
    return run_recipe(args, SceneRecipe(settings, args.source, args.clevr_questions), chunk=1)
