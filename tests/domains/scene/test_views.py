"""Whether a view is whole: every reason to refuse one can be met."""

from __future__ import annotations

from typing import Any

import pytest
from msgspec.structs import replace

from answerable.core.records import Refusal
from answerable.domains.scene.casting import seen
from answerable.domains.scene.states import hide_thing
from answerable.domains.scene.views import LEAST_PIXELS, whole_problems
from answerable.domains.scene.visibility import COVERS, Cover, Hide, camera_of, covers, stage_of
from answerable.domains.scene.world import Scene
from tests.domains.scene.drawn import whole
from tests.domains.scene.make import row, thing


def reasons(scene: Scene, hide: Hide | None = None) -> set[str]:
    return {problem.reason for problem in whole_problems(scene, hide)}


SIDE_BY_SIDE = row("large red rubber cube", "small cyan metal sphere", "large blue rubber cylinder")


@pytest.mark.parametrize("cover", COVERS)
def test_a_row_is_whole_whatever_of_it_is_hidden(cover: Cover) -> None:
    wide = Scene(things=tuple(replace(one, x=1.3 * one.x, y=1.3 * one.y) for one in SIDE_BY_SIDE.things))
    assert whole_problems(wide) == ()
    for place in range(3):
        assert whole_problems(wide, hide_thing(wide, place, cover)) == ()


def test_a_thing_off_the_picture_is_named_with_where_it_is() -> None:
    for x, y in ((-30.0, -30.0), (30.0, -26.0), (-2.0, 60.0)):
        scene = Scene(things=(thing("large red rubber cube", x, y),))
        found = [problem for problem in whole_problems(scene) if problem.reason == "a thing is off the picture"]
        assert len(found) == 1
        assert found[0].detail.startswith("its centre is at ")


def test_a_thing_at_the_edge_of_the_picture_is_off_it() -> None:
    kept = Scene(things=(thing("large red rubber cube", 3.5, 3.0),))
    assert reasons(kept) == set()
    assert "a thing is off the picture" in reasons(Scene(things=(thing("large red rubber cube", 4.6, 4.6),)))


def test_a_thing_behind_another_is_hardly_seen() -> None:
    # Straight behind, as the camera looks.
    hidden = Scene(things=(thing("large red rubber cube", 1.1, -0.95), thing("small red rubber cube", 0.0, 0.0)))
    (found,) = whole_problems(hidden)
    assert found.reason == "a thing is hardly seen"
    count = int(found.detail.split()[0])
    assert count < LEAST_PIXELS
    assert found.detail == f"{count} pixels, of at least {LEAST_PIXELS}"
    apart = Scene(things=(hidden.things[0], thing("small red rubber cube", 0.0, 2.0)))
    assert whole_problems(apart) == ()


def test_a_cover_may_hide_what_must_be_seen() -> None:
    scene = Scene(things=(thing("small red rubber cube", 1.2, -1.0), thing("small blue rubber cube", -0.2, 0.3)))
    assert reasons(scene) == set()
    for cover in COVERS:
        hide = Hide(1.2, -1.0, 0.0, "large", cover)
        assert reasons(scene, hide) == {"a thing is hardly seen"}
        assert reasons(scene, replace(hide, largest="small")) == set()


def test_a_cover_that_touches_is_refused() -> None:
    near = Scene(things=(thing("small red rubber cube"), thing("small blue rubber sphere", 0.8, 0.6)))
    hide = Hide(0.0, 0.0, 0.0, "large", "box")
    (found,) = [problem for problem in whole_problems(near, hide) if problem.reason == "the cover touches a thing"]
    assert found.detail == "the sphere at 0.8, 0.6"
    # A box for small things alone has room beside it.
    assert "the cover touches a thing" not in reasons(near, replace(hide, largest="small"))


def test_a_round_thing_may_stand_nearer_than_the_corner_of_a_cube() -> None:
    hide = Hide(0.0, 0.0, 0.0, "small", "box")
    # The box reaches to 0.36, a round thing over 0.35, and 0.02 stay free.
    at = 0.36 + 0.35 + 0.03
    for words, touching in (("small blue rubber cylinder", False), ("small blue rubber cube", True)):
        scene = Scene(things=(thing("small red rubber cube"), thing(words, at, 0.0)))
        assert ("the cover touches a thing" in reasons(scene, hide)) == touching


def test_a_cover_is_made_for_what_it_hides() -> None:
    small = replace(hide_thing(SIDE_BY_SIDE, 0, "box"), largest="small")
    assert whole_problems(SIDE_BY_SIDE, small) == (
        Refusal("what is hidden is too large", "a large thing, a cover for small"),
    )
    turned = replace(hide_thing(SIDE_BY_SIDE, 0, "box"), rotation=0.5)
    assert whole_problems(SIDE_BY_SIDE, turned) == (Refusal("the cover is turned otherwise", "0.5 against 0.0"),)


def test_what_shows_past_its_cover_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    """No cover of ours lets anything show; one that is moved aside does."""
    from answerable.domains.scene import views

    def aside(hide: Hide, camera: Any) -> list[Any]:
        return [replace(one, at=(one.at[0] + 0.5, one.at[1], one.at[2])) for one in covers(hide, camera)]

    hide = hide_thing(SIDE_BY_SIDE, 1, "panel")
    monkeypatch.setattr(views, "covers", aside)
    assert "what is hidden shows" in reasons(SIDE_BY_SIDE, hide)


@pytest.mark.parametrize("cover", COVERS)
def test_a_place_may_be_free(cover: Cover) -> None:
    assert whole_problems(SIDE_BY_SIDE, Hide(-2.0, 2.0, 0.0, "small", cover)) == ()


@pytest.mark.parametrize("number", range(12))
def test_every_thing_of_a_whole_scene_is_seen(number: int) -> None:
    scene = whole(number)
    counts = seen(stage_of(scene), step=1)
    assert camera_of(scene) == stage_of(scene).camera
    # One ray for four pixels stands for them all, so a thing near the threshold may fall on either side.
    if not whole_problems(scene):
        assert min(counts) > 0.8 * LEAST_PIXELS
    elif reasons(scene) == {"a thing is hardly seen"}:
        assert min(counts) < 1.2 * LEAST_PIXELS


def test_some_scenes_are_whole_and_some_are_not() -> None:
    found = [bool(whole_problems(whole(number))) for number in range(12)]
    assert True in found
    assert False in found
