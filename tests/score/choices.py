"""Multiple-choice groups for the tests of scoring: one question under one problem, in settings and rotations."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import msgspec

from answerable.core.records import PROBLEMS, SETTINGS, Abstain, Answer, Group, Option, Problem, Setting, State, View
from tests.score.fake import view_of

TEXTS = ("red", "green", "blue", "black")
LETTERS = "ABCD"
#: States of the settings that do not put both sides.
_SIDES: dict[Setting, tuple[State, ...]] = {"original": ("F",), "given": ("AAD",)}


def choice_views(
    group: str, problem: Problem, settings: Iterable[Setting], count: int, ability: str, answer: int = 1
) -> list[View]:
    """Standard views of ``count`` options, and for AAD unsolvable ones of one option fewer."""
    views = []
    for setting in settings:
        for state in _SIDES.get(setting, ("F", problem)):
            texts = [text for place, text in enumerate(TEXTS[:count]) if state == "F" or place != answer]
            for rotation in range(len(texts)):
                turned = texts[rotation:] + texts[:rotation]
                options = [Option(letter, text) for letter, text in zip(LETTERS, turned, strict=False)]
                if setting in ("option", "given"):
                    options.append(
                        Option(LETTERS[len(texts)] if len(texts) < 4 else "E", "None of the above", "abstain")
                    )
                if setting == "instruction":
                    options.append(Option("F", "None of the above", "instructed"))
                duty: Answer | Abstain = Abstain(reason=PROBLEMS[problem])
                if state == "F":
                    duty = Answer(target=LETTERS[turned.index(TEXTS[answer])], type="text")
                base = view_of(group, "F", f"mc-{problem.lower()}", "annotated")
                views.append(
                    msgspec.structs.replace(
                        base, id=f"{group}-{setting}-{state}-{rotation}", state=state,
                        obligation=duty, options=tuple(options), setting=setting, rotation=rotation,
                        withheld="" if state == "F" else TEXTS[answer], ability=ability, topic=f"over {ability}",
                    )
                )  # fmt: skip
    return views


def choice_group(
    name: str,
    problem: Problem = "AAD",
    settings: Sequence[Setting] = SETTINGS,
    count: int = 3,
    ability: str = "Colour",
    without: Sequence[tuple[str, str, int]] = (),
) -> Group:
    """A group; ``without`` names views left out by setting, state and rotation."""
    views = [
        view
        for view in choice_views(name, problem, settings, count, ability)
        if (view.setting, view.state, view.rotation) not in without
    ]
    return Group(id=name, source=views[0].source, split="test", views=tuple(views))
