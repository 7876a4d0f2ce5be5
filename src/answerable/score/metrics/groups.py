"""Group metrics: a group succeeds only when all of its views do (paper, section 4, equation 3)."""

from __future__ import annotations

from answerable.score.metrics.spec import Metric, Term, everywhere
from answerable.score.stratum import Stratum

_FSM = ("F", "S", "M")


def _joint(stratum: Stratum, _: str) -> tuple[Term, ...]:
    return (Term(*stratum.wholly_right(stratum.failed)),)


def _decisions(stratum: Stratum, _: str) -> tuple[Term, ...]:
    return (Term(*stratum.wholly_right(stratum.decision_failed)),)


def _joint_paper(stratum: Stratum, _: str) -> tuple[Term, ...]:
    return (Term(*stratum.wholly_right(stratum.failed, stratum.layout.paper_states)),)


def _decisions_paper(stratum: Stratum, _: str) -> tuple[Term, ...]:
    return (Term(*stratum.wholly_right(stratum.decision_failed, stratum.layout.paper_states)),)


def _decisions_fsm(stratum: Stratum, _: str) -> tuple[Term, ...]:
    return (Term(*stratum.wholly_right(stratum.decision_failed, _FSM)),)


def _numbered(letter: str, stratum: Stratum) -> tuple[str, ...]:
    # Unsolvable problems share F with the paper's states, and nothing else.
    states = stratum.layout.paper_states if not stratum.layout.settings else ()
    return (f"{letter}_{len(states)}",) if states else ()


_OF = "of the states F, S, C, M, I that the source has; over groups that have all of them"

GROUP_METRICS: tuple[Metric, ...] = (
    Metric(everywhere("J"), _joint, lambda _: "share of groups with every decision and every answer right"),
    Metric(everywhere("B"), _decisions, lambda _: "share of groups with every decision right"),
    Metric(
        lambda stratum: _numbered("J", stratum),
        _joint_paper,
        lambda name: f"share of groups with decisions and answers right on the {name[2:]} {_OF}",
    ),
    Metric(
        lambda stratum: _numbered("B", stratum),
        _decisions_paper,
        lambda name: f"share of groups with decisions right on the {name[2:]} {_OF}",
    ),
    Metric(everywhere("B_FSM"), _decisions_fsm, lambda _: "share of groups with decisions right on F, S and M"),
)
