"""What a chart costs to draw: each family to a PNG, against ``matplotlib.pyplot`` with a new figure.

usage: python benchmarks/bench_rendering.py [--charts N] [--json]

Every chart is 650x450 with three series of eight values and value labels; all draw the same values in turn, so
machine noise hits all alike. Times are medians in milliseconds, one process, PNG bytes included.
"""

from __future__ import annotations

import argparse
import io
import json
import statistics
import time
from collections.abc import Callable
from fractions import Fraction

import matplotlib as mpl

from answerable.core.seeds import Stream
from answerable.domains.chart.families import family
from answerable.domains.chart.layout import scene
from answerable.domains.chart.world import Axis, ChartWorld
from answerable.domains.raster import png

mpl.use("Agg")


def world(index: int) -> ChartWorld:
    """One of the charts; all share everything but their values."""
    stream = Stream("bench-rendering", index)
    values = tuple(tuple(Fraction(stream.between(40, 960), 10) for _ in range(8)) for _ in range(3))
    return ChartWorld(
        kind="vbar", title="Harvest by year", position_title="Year", value_title="Harvest", unit="tonnes", scale=1,
        decimals=1, series=("Barley", "Oats", "Rye"), positions=tuple(str(2011 + year) for year in range(8)),
        values=values, colours=("#2f6db5", "#e1812c", "#3a923a"),
        axis=Axis(lower=Fraction(0), upper=Fraction(100), step=Fraction(20)),
    )  # fmt: skip


def pyplot(shown: ChartWorld) -> bytes:
    """The chart as people draw it: a new pyplot figure, bars, labels, legend, saved as PNG."""
    from matplotlib import pyplot as plt

    figure, axes = plt.subplots(figsize=(6.5, 4.5), dpi=100)
    for row, (name, colour, line) in enumerate(zip(shown.series, shown.colours, shown.values, strict=True)):
        places = [column + (row - 1) * 0.27 for column in range(len(line))]
        bars = axes.bar(places, [float(value) for value in line], width=0.25, color=colour, label=name)
        axes.bar_label(bars, fmt="%.1f", fontsize=7, rotation=90, padding=2)
    axes.set_xticks(range(len(shown.positions)), shown.positions)
    axes.set_ylim(0, 100)
    axes.set_title(shown.title)
    axes.set_xlabel(shown.position_title)
    axes.set_ylabel(f"{shown.value_title} ({shown.unit})")
    axes.legend()
    buffer = io.BytesIO()
    figure.savefig(buffer, format="png")
    plt.close(figure)
    return buffer.getvalue()


def ours(name: str) -> Callable[[ChartWorld], bytes]:
    """One of our families, from world to PNG bytes."""
    drawn = family(name)
    return lambda shown: png.encode(drawn.render(scene(shown, drawn.style)))


def measure(charts: int = 40) -> list[dict[str, object]]:
    """Rows: name, median milliseconds, times as fast as pyplot."""
    ways: dict[str, Callable[[ChartWorld], bytes]] = {"matplotlib.pyplot, new figure": pyplot}
    ways |= {f"family {name}": ours(name) for name in ("skia", "matplotlib", "vega")}
    times: dict[str, list[float]] = {name: [] for name in ways}
    for index in range(charts + 3):
        shown = world(index)
        for name, draw in ways.items():
            start = time.perf_counter()
            draw(shown)
            if index >= 3:
                times[name].append((time.perf_counter() - start) * 1000)
    peer = statistics.median(times["matplotlib.pyplot, new figure"])
    return [
        {"name": name, "ms": round(statistics.median(taken), 2), "times": round(peer / statistics.median(taken), 1)}
        for name, taken in times.items()
    ]


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--charts", type=int, default=40)
    parser.add_argument("--json", action="store_true")
    args = parser.parse_args()
    for row in measure(args.charts):
        print(json.dumps(row) if args.json else f"{row['name']:34} {row['ms']:>8} ms  {row['times']:>6} x")
