"""Groups of scenes drawn by the flat renderer, and solids and stages made by hand."""

from __future__ import annotations

import functools
from typing import Any

from answerable.core.codec import decode
from answerable.core.records import Refusal
from answerable.core.seeds import Stream
from answerable.domains.draft import Draft
from answerable.domains.scene.proof import Inside, SceneProof
from answerable.domains.scene.questions import Question, ask
from answerable.domains.scene.sampler import sample_scene
from answerable.domains.scene.stage import CAMERA, LAMPS, SUN, Finish, Form, Solid, Stage, Vector
from answerable.domains.scene.states import Request, make_group
from answerable.domains.scene.visibility import Cover
from answerable.domains.scene.world import Scene

GREY: Vector = (0.5, 0.5, 0.5)


def solid(
    form: Form,
    at: Vector,
    half: Vector | float = 0.5,
    turn: float = 0.0,
    color: Vector = GREY,
    finish: Finish = "matte",
) -> Solid:
    """A solid, matte unless it is said."""
    sides = (half, half, half) if isinstance(half, float) else half
    return Solid(form=form, at=at, half=sides, turn=turn, finish=finish, color=color)


def stage(*solids: Solid, camera: Vector = CAMERA) -> Stage:
    """A stage in the usual light."""
    return Stage(solids=solids, camera=camera, lamps=LAMPS, sun=SUN)


@functools.cache
def whole(number: int) -> Scene:
    """A scene with few enough things that all of them are seen well."""
    found = sample_scene(Stream("whole", number), 3, 5)
    assert isinstance(found, Scene)
    return found


def request(question: Question, **changes: Any) -> Request:
    """What the flat renderer is to draw of a question."""
    settings: dict[str, Any] = {
        "source": "by hand", "figure": "figure", "split": "test", "wording": question.wording,
        "program": question.program, "cover": "box", "inside": "one", "renderer": "flat", "names": ("by hand", 0),
    }  # fmt: skip
    return Request(**settings | changes)


@functools.cache
def drawn(
    family: str = "query-0", cover: Cover = "box", inside: Inside = "one", seed: int = 0, *, states: str = "FSCM"
) -> Draft:
    """The first group of a sort that a few scenes give, with these states at least."""
    last: object = None
    for tried in range(120):
        names = ("drawn", family, cover, inside, seed, tried)
        scene = sample_scene(Stream(*names), 3, 6)
        assert isinstance(scene, Scene)
        question = ask(scene, family, Stream(*names, "question"))
        if isinstance(question, Refusal):
            continue
        last = make_group(scene, request(question, cover=cover, inside=inside, names=names))
        if isinstance(last, Draft) and set(states) <= {view.state for view in last.group.views}:
            return last
    raise AssertionError(last if isinstance(last, Refusal) else f"no group with {states}")


def opened(made: Draft) -> SceneProof:
    """The proof of a group."""
    assert made.proof is not None
    return decode(bytes(made.proof.body), SceneProof)
