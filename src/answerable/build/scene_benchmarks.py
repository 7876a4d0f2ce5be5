"""Benchmarks of rendered scenes: made-up or official scenes, questions of our own or official ones.

Questions of our own carry proofs. The words of an official question are its authors': the program answers as they say
and the views are drawn and hidden alike, but nothing checks that the words ask for the program, so those groups are
``derived``.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path

import msgspec

from answerable.build.asking import FREE
from answerable.build.assembly import Job, check_counts, in_turn, split_of
from answerable.build.sources.clevr import ClevrFigure, ClevrSource, read_scenes, scene_problem
from answerable.core.codec import digest_bytes
from answerable.core.errors import SettingsError
from answerable.core.records import Evidence, Record, Refusal
from answerable.core.seeds import Stream
from answerable.domains.draft import Draft
from answerable.domains.scene.balance import wish
from answerable.domains.scene.estimation import with_camera
from answerable.domains.scene.program import Program
from answerable.domains.scene.proof import Inside
from answerable.domains.scene.questions import ask
from answerable.domains.scene.renderers import RENDERERS, renderer
from answerable.domains.scene.sampler import sample_scene
from answerable.domains.scene.states import Request, make_group
from answerable.domains.scene.templates import FAMILIES
from answerable.domains.scene.views import whole_problems
from answerable.domains.scene.visibility import COVERS, Cover
from answerable.domains.scene.world import Scene

#: Scenes drawn for one group before it is refused, and attempts for each group asked before the build gives up.
_SCENES, _PATIENCE = 60, 20
#: Fewer things give few questions, more are seldom all seen.
LEAST, MOST = 3, 8


class SceneSettings(Record, frozen=True):
    """What decides every byte of a benchmark of scenes, together with the source."""

    groups: int
    """Groups of the test split."""
    seed: int
    train_groups: int = 0
    renderer: str = "mitsuba"
    covers: tuple[Cover, ...] = COVERS
    """How things are hidden, in turn."""
    questions: tuple[str, ...] = tuple(FAMILIES)
    """Sorts of questions."""


def check_settings(settings: SceneSettings) -> None:
    """Refuse settings that cannot be met.

    Raises:
        SettingsError: naming the flag.
        MissingExtraError: the renderer is not installed.
    """
    check_counts(settings.groups, settings.train_groups)
    for chosen, known, flag in (
        (settings.covers, COVERS, "--covers"),
        (settings.questions, tuple(FAMILIES), "--questions"),
        ((settings.renderer,), RENDERERS.names(), "--renderer"),
    ):
        wrong = [name for name in chosen if name not in known]
        if wrong or not chosen:
            raise SettingsError(f"some of {', '.join(known)}", repr(wrong[0]) if wrong else "none", where=flag)
    renderer(settings.renderer)


class Work(msgspec.Struct, frozen=True):
    """One attempt, sent to whoever does it."""

    figure: str
    number: int
    split: str
    source: str
    family: str
    wanted: str
    cover: Cover
    inside: Inside
    scene: Scene | None = None
    """None draws one."""
    given: ClevrFigure | None = None
    """An official question."""


def attempt(settings: SceneSettings, work: Work) -> Draft | Refusal:
    """Make one group. Depends on its arguments only."""
    if work.given is not None:
        given = work.given
        made = make_group(with_camera(given.scene), _request(settings, work, given.wording, given.program, 0))
        return _derived(made) if isinstance(made, Draft) else made
    found: Draft | Refusal = Refusal("no scene", work.figure)
    for tried in range(_SCENES):
        stream = Stream("scene", settings.seed, work.source, work.number, tried)
        scene = sample_scene(stream, LEAST, MOST) if work.scene is None else with_camera(work.scene)
        if isinstance(scene, Refusal):
            found = scene
            continue
        problems = whole_problems(scene)
        if problems:
            found = problems[0]
        else:
            # A published scene may not allow the answer that is wished for; a made-up one is one of many.
            asked = ask(scene, work.family, stream, work.wanted if work.scene is None else "")
            found = (
                asked
                if isinstance(asked, Refusal)
                else make_group(scene, _request(settings, work, asked.wording, asked.program, tried))
            )
        if isinstance(found, Draft) or (work.scene is not None and problems):
            return found
    return found


def _request(
    settings: SceneSettings, work: Work, wording: str, program: Program, tried: int
) -> Request:  # fmt: skip
    return Request(
        source=work.source,
        figure=work.figure,
        split="train" if work.split == "train" else "test",
        wording=wording,
        program=program,
        cover=work.cover,
        inside=work.inside,
        renderer=settings.renderer,
        names=("scene", settings.seed, work.source, work.number, tried),
    )


def _derived(made: Draft) -> Draft:
    """The group without a proof: what links its words to its program is the authors' word."""
    views = tuple(
        msgspec.structs.replace(
            view, evidence=Evidence(level="derived", note=f"official question; {view.evidence.note}")
        )
        for view in made.group.views
    )
    return Draft(msgspec.structs.replace(made.group, views=views), made.images, None, made.content)


class SceneRecipe:
    """Scenes: the settings, where they come from, and how one group is made.

    Args:
        scenes: a file of official scenes; None draws scenes of our own.
        questions: a file of official questions about them; None asks our own.
    """

    domain, asking = "scene", FREE

    def __init__(self, settings: SceneSettings, scenes: Path | None = None, questions: Path | None = None) -> None:
        check_settings(settings)
        if questions is not None and scenes is None:
            raise SettingsError("a file of scenes for the questions", "none", where="--from")
        self._settings, self._scenes, self._questions = settings, scenes, questions
        self.test_groups, self.train_groups, self.seed = settings.groups, settings.train_groups, settings.seed
        if scenes is None:
            self.source, self.licence = "scene-sampler", "CC0-1.0"
        else:
            self.source = "scene-clevr" if questions is None else "scene-clevr-official"
            self.licence = ClevrSource.licence

    def settings(self) -> SceneSettings:
        """See ``Recipe.settings``."""
        return self._settings

    def describe(self) -> tuple[str, ...]:
        """See ``Recipe.describe``."""
        drawn = f"drawn by {renderer(self._settings.renderer).version}"
        if self._scenes is None:
            return (f"made-up scenes from seed {self.seed}", drawn)
        if self._questions is not None:
            return (*ClevrSource(self._scenes, self._questions).describe(), drawn)
        return (f"{self._scenes.name} sha256={digest_bytes(self._scenes.read_bytes())}", drawn)

    def worker(self) -> Callable[[Work], Draft | Refusal]:
        """See ``Recipe.worker``."""
        return partial(attempt, self._settings)

    def paragraph(self) -> str:
        """See ``Recipe.paragraph``."""
        text = (
            f"Pictures are scenes in the manner of CLEVR, drawn by {self._settings.renderer}. What is hidden is taken "
            "away before light is traced; a plain black box or panel stands in its place."
        )
        if self._questions is not None:
            text += " The words of the questions are CLEVR's; nothing checks that they ask for their programs."
        return text

    def jobs(self) -> Iterator[Job | Refusal]:
        """See ``Recipe.jobs``. Sorts of questions, answers and covers take turns."""
        for number, found in enumerate(self._figures()):
            if isinstance(found, Refusal):
                yield found
                continue
            figure, scene, given = found
            split = split_of(figure, self.seed, self.test_groups, self.train_groups)
            yield Job(split, figure, self._work(number, figure, split, scene, given))

    def _figures(self) -> Iterator[tuple[str, Scene | None, ClevrFigure | None] | Refusal]:
        if self._scenes is None:
            for number in range((self.test_groups + self.train_groups) * _PATIENCE + 100):
                yield f"scene-{self.seed}-{number}", None, None
        elif self._questions is None:
            for scene in read_scenes(self._scenes)[1]:
                yield scene_problem(scene) or (f"clevr-{scene.filename}", scene.scene, None)
        else:
            for figure in ClevrSource(self._scenes, self._questions).figures():
                yield figure if isinstance(figure, Refusal) else (f"clevr-{figure.filename}", figure.scene, figure)

    def _work(self, number: int, figure: str, split: str, scene: Scene | None, given: ClevrFigure | None) -> Work:
        settings = self._settings
        chosen = wish(number, settings.seed)
        # Wishes go round all sorts; where some are left out, the next number that wishes for a wanted one is taken.
        turn = 0
        while chosen.family not in settings.questions:
            turn += 1
            chosen = wish(number + turn * 7919, settings.seed)
        countable = FAMILIES[chosen.family].type != "text" and given is None
        return Work(
            figure=figure,
            number=number,
            split=split,
            source=self.source,
            family=chosen.family,
            wanted=chosen.answer,
            cover=in_turn(settings.covers, number),
            inside="at most one" if countable and number // 2 % 2 else "one",
            scene=scene,
            given=given,
        )
