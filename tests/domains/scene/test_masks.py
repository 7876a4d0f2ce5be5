"""Covers in pictures of scenes are seen, and nothing else is taken for one."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from answerable.build.assembly import assemble
from answerable.build.scene_benchmarks import SceneRecipe, SceneSettings
from answerable.core.benchmark import Benchmark
from answerable.domains.raster import png
from answerable.domains.scene.masks import sees_cover
from answerable.exec import ThisProcess


def test_covers_are_seen_in_k_d_and_m_alone(tmp_path: Path) -> None:
    settings = SceneSettings(groups=10, seed=5, renderer="flat")
    assemble(SceneRecipe(settings), tmp_path / "b", ThisProcess(), name="scenes")
    bench = Benchmark(tmp_path / "b")
    images = bench.images()
    for view in bench.views():
        assert sees_cover(png.decode(images.read(view.id))) == (view.state in "KDM"), view.state


@pytest.mark.parametrize("shape", [(320, 480), (480, 320)])
def test_pictures_of_other_sizes_and_dark_photos_of_colour(shape: tuple[int, int]) -> None:
    black = np.zeros((*shape, 3), dtype=np.uint8)
    assert sees_cover(black) == (shape == (320, 480))
    tinted = black.copy()
    tinted[..., 2] = 30
    assert not sees_cover(tinted)
