"""The kernel itself: independent executors, the order of premises, and a case that is no chart."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction

import pytest

from answerable.certify import kernel
from answerable.certify.finding import Finding
from answerable.certify.kernel import PREMISES
from answerable.core.codec import encode
from answerable.core.records import Answer
from answerable.domains.chart.proof import ChartCase
from answerable.logic.outcomes import Outcome, Several, answer_of
from answerable.logic.program import Defined, Named, Truth, Undefined
from tests.certify.forge import Forger, parcel
from tests.domains.chart.make import draft, world

GOOD = draft(world(rows=3))
assert GOOD.proof is not None
MARK = GOOD.proof.digest()
PICTURES = {view.id: data for view, data in zip(GOOD.group.views, GOOD.images, strict=True)}
Lie = Callable[[str, Outcome], Outcome]


class LyingCase(ChartCase):
    """A chart case of which some executors do not tell what they find."""

    liars: tuple[str, ...] = ("sql",)
    lie: Lie = staticmethod(lambda world, outcome: outcome)

    def execute(self, executor: str, world: str) -> Outcome:
        found = super().execute(executor, world)
        return type(self).lie(world, found) if executor in self.liars else found


def lying(lie: Lie, *liars: str) -> Finding | None:
    kind = type("Lying", (LyingCase,), {"liars": liars, "lie": staticmethod(lie)})
    case = kind(Forger(GOOD).proof, PICTURES)
    return kernel.check(GOOD.group, MARK, case, GOOD.group.id)


def one_more(world: str, found: Outcome) -> Outcome:
    return Defined(value=found.value + 1) if isinstance(found, Defined) else found


def only_on_c(world: str, found: Outcome) -> Outcome:
    return Defined(value=Fraction(1)) if world == "C" else found


def sees_what_is_gone(world: str, found: Outcome) -> Outcome:
    return Defined(value=Fraction(1)) if world == "I" else found


def another_reason(world: str, found: Outcome) -> Outcome:
    return Undefined(reason="no such position") if world == "I" else found


def never_answers(world: str, found: Outcome) -> Outcome:
    return Undefined(reason="no such series")


LIES = [one_more, only_on_c, sees_what_is_gone, another_reason, never_answers]


def test_honest_executors_agree() -> None:
    assert lying(lambda world, found: found, "sql") is None


@pytest.mark.parametrize("liar", ["direct", "sql"])
@pytest.mark.parametrize("lie", LIES)
def test_one_lying_executor_is_found_by_the_other(lie: Lie, liar: str) -> None:
    finding = lying(lie, liar)
    assert finding is not None
    assert finding.premise == "executors"
    assert " against " in finding.detail


@pytest.mark.parametrize("lie", [one_more, only_on_c, sees_what_is_gone, never_answers])
def test_executors_that_lie_alike_are_found_by_the_stored_answers(lie: Lie) -> None:
    finding = lying(lie, "direct", "sql")
    assert finding is not None
    assert finding.premise == "answers"


@pytest.mark.parametrize("names", [(), ("direct",), ("direct", "direct")])
def test_one_executor_alone_is_not_enough(names: tuple[str, ...]) -> None:
    kind = type("Single", (ChartCase,), {"executors": names})
    with pytest.raises(ValueError, match="expected two executors or more"):
        kernel.check(GOOD.group, MARK, kind(Forger(GOOD).proof, PICTURES), GOOD.group.id)


def test_the_words_of_the_module_name_every_premise_in_order() -> None:
    text = kernel.__doc__ or ""
    places = [text.index(f"``{premise}``") for premise in PREMISES]
    assert places == sorted(places)
    assert [f"{number}. " in text for number in range(1, len(PREMISES) + 1)] == [True] * len(PREMISES)


def test_pixels_can_be_left_out_and_nothing_else() -> None:
    forger = Forger(GOOD)
    forger.change_pixel("M")
    done = forger.finish()
    assert done.proof is not None
    case = ChartCase(forger.proof, {view.id: data for view, data in zip(done.group.views, done.images, strict=True)})
    mark = done.proof.digest()
    assert kernel.check(done.group, mark, case, done.group.id, pixels=False) is None
    finding = kernel.check(done.group, mark, case, done.group.id)
    assert finding is not None
    assert finding.premise == "witness"


def test_an_early_finding_stops_the_work() -> None:
    class NoDrawing(ChartCase):
        """Fails when anything is drawn."""

        def rendered(self, world: str, hide: object) -> bytes:
            raise AssertionError("drawn although the proof is about another group")

    finding = kernel.check(GOOD.group, MARK, NoDrawing(Forger(GOOD).proof, PICTURES), "another")
    assert finding is not None
    assert finding.premise == "bound"


@pytest.mark.parametrize(
    ("outcome", "answer"),
    [
        (Defined(value=Fraction(5, 2)), Answer(target="2.5", type="number")),
        (Defined(value=Fraction(1, 3)), Answer(target="1/3", type="number")),
        (Truth(value=True), Answer(target="yes", type="boolean")),
        (Truth(value=False), Answer(target="no", type="boolean")),
        (Named(value="Łódź"), Answer(target="Łódź", type="text")),
        (Undefined(reason="no such series"), None),
        (Several(values=("1", "2")), None),
    ],
)
def test_an_outcome_is_an_obligation(outcome: Outcome, answer: Answer | None) -> None:
    assert answer_of(outcome) == answer


def test_findings_are_records() -> None:
    assert encode(Finding(premise="bound", detail="x")) == b'{"detail":"x","premise":"bound"}'
    assert parcel(GOOD).group == GOOD.group
