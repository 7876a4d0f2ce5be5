"""Metrics of complete-question evaluation. A metric is a share of integers, or the mean of such shares.

To add one: a function in a file of this folder and a line in its table. Every number is exact; a denominator of 0
makes a metric undefined (None), never 0.
"""

from __future__ import annotations

from answerable.score.metrics.groups import GROUP_METRICS
from answerable.score.metrics.spec import Metric, Term, figure_of, measure
from answerable.score.metrics.tubench import TUBENCH_METRICS
from answerable.score.metrics.upd import UPD_METRICS
from answerable.score.metrics.views import VIEW_METRICS

#: Every metric, in the order of tables.
METRICS: tuple[Metric, ...] = (*GROUP_METRICS, *UPD_METRICS, *TUBENCH_METRICS, *VIEW_METRICS)

__all__ = ["METRICS", "Metric", "Term", "figure_of", "measure"]
