"""When hiding leaves a chart's answer determined: intervals over the axis allow one answer only."""

from __future__ import annotations

from answerable.domains.chart.visibility import Hide, hidden_cells
from answerable.domains.chart.world import ChartWorld, grid
from answerable.logic.direct import execute
from answerable.logic.domains import Between, hide
from answerable.logic.intervals import propagate
from answerable.logic.program import Expression


def determined(world: ChartWorld, program: Expression, operation: Hide) -> bool:
    """Whether the answer is the same in every admissible chart that looks like this one once hidden.

    Every hidden value may be any rational inside the axis interval. Interval propagation is sound, so a single
    possible answer is a proof; several are none, since it may allow for too much.
    """
    full = grid(world)
    cells = sorted(hidden_cells(world, operation))
    inside = Between(low=world.axis.lower, high=world.axis.upper)
    possible = propagate(program, hide(full, cells), dict.fromkeys(cells, inside))
    single = possible.span is None or possible.span.point()
    kinds = (possible.span is not None) + len(possible.names)
    return single and kinds == 1 and not possible.reasons and possible.contains(execute(program, full))
