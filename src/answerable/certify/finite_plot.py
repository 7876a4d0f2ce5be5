"""The finite audit as one picture: what each rule gets wrong, and which families hold the wrongly rejected cases."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

from answerable.certify.finite import RULES, FiniteAudit, RuleCounts
from answerable.core.errors import SettingsError
from answerable.core.files import replacing

if TYPE_CHECKING:
    from matplotlib.axes import Axes

#: Okabe and Ito's colours, told apart by people with any colour vision; hatches do it in black and white.
_KINDS = (
    ("right", "#bbbbbb", ""),
    ("constant called ambiguous", "#d55e00", "///"),
    ("ambiguous called constant", "#0072b2", "\\\\\\"),
    ("undecided", "#f0e442", "..."),
)


def check_plot_path(path: Path) -> None:
    """Fail before the work and not after it.

    Raises:
        SettingsError: the name does not end in .svg or .png.
    """
    if path.suffix.lower() not in (".svg", ".png"):
        raise SettingsError("a file ending in .svg or .png", f"{path.name!r}", where="--plot")


def save_plot(audit: FiniteAudit, path: Path) -> None:
    """Draw the audit into a file; the same bytes for the same audit and library.

    Raises:
        SettingsError: the name does not end in .svg or .png.
        StorageError: the disk refused the write.
    """
    check_plot_path(path)
    import matplotlib as mpl
    from matplotlib.backends.backend_agg import FigureCanvasAgg
    from matplotlib.figure import Figure

    kind = path.suffix.lower()[1:]
    # The salt names the shapes inside an SVG; without a date nothing depends on when it was drawn.
    with mpl.rc_context({"svg.hashsalt": "answerable", "svg.fonttype": "path", "hatch.linewidth": 0.6}):
        figure = Figure(figsize=(11, 5.2), layout="constrained")
        FigureCanvasAgg(figure)
        left, right = figure.subplots(1, 2, width_ratios=(1, 1))
        _rules(left, audit)
        _families(right, audit)
        total = audit.total
        figure.suptitle(
            f"{total.cases:,} cases, every completion tried: {total.constant:,} constant, "
            f"{total.ambiguous:,} ambiguous (seed {audit.seed})",
            fontsize=12,
        )
        with replacing(path) as temporary:
            metadata: dict[str, Any] = {"Date": None} if kind == "svg" else {"Software": None}
            figure.savefig(temporary, format=kind, dpi=150, metadata=metadata)


def _segments(counts: RuleCounts, cases: int) -> tuple[int, ...]:
    wrong = counts.wrongly_rejected, counts.missed, counts.undecided_constant + counts.undecided_ambiguous
    return (cases - sum(wrong), *wrong)


def _rules(axes: Axes, audit: FiniteAudit) -> None:
    """A bar a rule, split by what becomes of the cases."""
    names = [rule for rule in RULES if rule in audit.total.rules]
    cases = audit.total.cases
    for place, rule in enumerate(names):
        start = 0
        for many, (_, colour, hatch) in zip(
            _segments(audit.total.rules[rule], cases), _KINDS, strict=True
        ):  # fmt: skip
            axes.barh(place, many, left=start, color=colour, hatch=hatch, edgecolor="white", height=0.6)
            if many >= 0.035 * cases:
                box = {"facecolor": "white", "edgecolor": "none", "pad": 1.5, "alpha": 0.85}
                axes.text(start + many / 2, place, f"{many:,}", ha="center", va="center", fontsize=9, bbox=box)
            start += many
    axes.set_yticks(range(len(names)), [RULES[rule] for rule in names])
    axes.invert_yaxis()
    axes.set_xlim(0, cases)
    axes.set_xlabel("cases")
    axes.set_title("What each rule says, against enumeration", fontsize=11)
    handles = [axes.barh(0, 0, color=colour, hatch=hatch, edgecolor="white") for _, colour, hatch in _KINDS]
    axes.legend(
        handles, [name for name, _, _ in _KINDS], loc="upper center", bbox_to_anchor=(0.5, -0.13), ncols=2,
        frameon=False, fontsize=9,
    )  # fmt: skip
    axes.spines[["top", "right"]].set_visible(False)


def _families(axes: Axes, audit: FiniteAudit) -> None:
    """Two bars a family: constants that ``mentions`` rejects, and ambiguities that ``ends`` misses."""
    for place, part in enumerate(audit.families):
        figures = (
            (part.rules["mentions"].wrongly_rejected, part.constant, _KINDS[1], -0.2),
            (part.rules["ends"].missed, part.ambiguous, _KINDS[2], 0.2),
        )
        for many, among, (_, colour, hatch), shift in figures:
            share = 100 * many / among if among else 0
            axes.barh(place + shift, share, color=colour, hatch=hatch, edgecolor="white", height=0.36)
            axes.text(share + 1, place + shift, f"{many:,} of {among:,}", va="center", fontsize=8)
    axes.set_yticks(range(len(audit.families)), [part.family for part in audit.families])
    axes.invert_yaxis()
    axes.set_xlim(0, 118)
    axes.set_xticks(range(0, 101, 20))
    axes.set_xlabel("per cent")
    axes.set_title("Errors by family, of the first two rules", fontsize=11)
    axes.spines[["top", "right"]].set_visible(False)
