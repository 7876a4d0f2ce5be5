"""Questions of our own about a scene: programs over CLEVR's functions, and words that ask for what they compute.

Program and words are made together. The care is CLEVR's ("CLEVR", section 3.3): what is called *the* cube is the only
one; every attribute, relation and likeness that a question names leaves something out; and no question has its answer
from its words alone, or the same answer whatever is changed in the scene.
"""

from __future__ import annotations

from answerable.core.errors import SettingsError
from answerable.core.records import Answer, AnswerType, Record, Refusal
from answerable.core.seeds import Stream
from answerable.domains.scene.dependencies import admissible_values
from answerable.domains.scene.drafting import Draft
from answerable.domains.scene.objects import Index, index, outcome, run
from answerable.domains.scene.outcomes import IllPosed, Outcome, answer_of
from answerable.domains.scene.program import Program
from answerable.domains.scene.templates import FAMILIES
from answerable.domains.scene.vocabulary import ATTRIBUTES, VALUES
from answerable.domains.scene.world import MAX_THINGS, Scene

#: Draws of one question before a scene is said to allow none.
TRIES = 80
_HINTS: dict[AnswerType, str] = {"boolean": "Answer yes or no.", "integer": "Answer with a number in digits."}
#: Every answer that there is, by type.
ANSWERS: dict[AnswerType, tuple[str, ...]] = {
    "text": tuple(word for attribute in ATTRIBUTES for word in VALUES[attribute]),
    "boolean": ("yes", "no"),
    "integer": tuple(str(count) for count in range(MAX_THINGS + 1)),
}


class Question(Record, frozen=True):
    """A question with its answer on the scene that it was made for."""

    family: str
    """A key of ``FAMILIES``."""
    wording: str
    program: Program
    answer: Answer


def ask(scene: Scene, family: str, stream: Stream, wanted: str = "") -> Question | Refusal:
    """One question of a sort; a refusal where the scene allows none that was drawn.

    Args:
        wanted: the answer that it must have; empty for any.

    Raises:
        SettingsError: there is no such sort, or it never has that answer.
    """
    if family not in FAMILIES:
        raise SettingsError(f"a sort of question: {', '.join(FAMILIES)}", f"family={family!r}")
    if wanted and wanted not in ANSWERS[FAMILIES[family].type]:
        raise SettingsError(f"an answer of type {FAMILIES[family].type}", f"wanted={wanted!r}", where=family)
    indexed = index(scene)
    for _ in range(TRIES):
        draft = Draft(indexed, stream, wanted)
        wordings = FAMILIES[family].draw(draft)
        if wordings is None:
            continue
        program = draft.builder.program()
        found = outcome(program, indexed)
        answer = answer_of(found)
        if answer is None or (wanted and answer.target != wanted):
            continue
        if _idle(indexed, program, answer) or not _open(scene, indexed, program, found):
            continue
        hint = _HINTS.get(answer.type) or _word_hint(answer.target)
        return Question(family=family, wording=f"{stream.pick(wordings)} {hint}", program=program, answer=answer)
    return Refusal(
        reason="no question", detail=f"{family}: none of {TRIES} draws was sound" + (wanted and f", {wanted}")
    )


def _word_hint(word: str) -> str:
    """``Answer rubber or metal.``: the words that an answer is chosen from."""
    words = next(VALUES[attribute] for attribute in ATTRIBUTES if word in VALUES[attribute])
    return f"Answer {', '.join(words[:-1])} or {words[-1]}."


def _idle(indexed: Index, program: Program, answer: Answer) -> bool:
    """Whether some relation or likeness says nothing: with the whole scene in its stead, the answer is the same.

    Where something exists, it exists in the whole scene as well; then another set must have been looked at.
    """
    done, _ = run(program, indexed)
    for place, node in enumerate(program.nodes):
        if node.function != "relate" and not node.function.startswith("same_"):
            continue
        opened, ill = run(program, indexed, place)
        if ill is not None or opened[-1] != done[-1]:
            continue
        looked = [other.inputs[0] for other in program.nodes if other.function in ("unique", "count", "exist")]
        if answer.target != "yes" or all(opened[source] == done[source] for source in looked):
            return True
    return False


def _open(scene: Scene, indexed: Index, program: Program, now: Outcome) -> bool:
    """Whether some admissible change of one attribute gives another answer."""
    for place in range(len(scene.things)):
        for attribute in ATTRIBUTES:
            for value in admissible_values(scene, place, attribute):
                found = outcome(program, indexed.with_values(place, {attribute: value}))
                if found != now and not isinstance(found, IllPosed):
                    return True
    return False
