"""The dataset card: what a stranger who opens the folder needs to know."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

from answerable.core.benchmark import BenchmarkWriter, Ledger, LedgerLine, Manifest
from answerable.core.records import STATES

if TYPE_CHECKING:
    from answerable.build.assembly import Recipe


_PROVED_GROUPS = """\
Groups of questions on pictures. Each group is one question on several pictures: some determine its answer, some do not.
A model meets one picture at a time; it succeeds on a group only when it answers every supported picture correctly
and abstains on every other."""
_DERIVED_GROUPS = """\
Groups of multiple-choice questions on pictures. Each group is one question, put as it stands (`F`) and made unsolvable
in one way, each with its options in every circular shift. A model meets one view at a time; it succeeds on a group only
when it answers every solvable view correctly and abstains on every unsolvable one."""
_PROVED = """\
Every obligation is proved: `proofs-*.jsonl` holds, for each group, the typed program, the complete worlds and the
operation that hides a part, and `answerable certify` draws and computes everything again. For `M` the proof is a
witness: two complete charts with different answers that look the same once the asked position is hidden."""
_DERIVED = """\
Obligations are derived, not proved: `evidence_note` says what a program did to the source's question. That no option
fits, or that a picture does not belong, is the paper's construction and, where there was one, the reviewers' judgement;
the right answers are the source's."""
_CHOICE_COLUMNS = """
`options`, `instruction`: what follows the question; only the instruction names an option of the role `instructed`.
`setting`, `rotation`: how the question is put. `withheld`: the right option that was taken away. `ability`, `topic`:
what the source says the question tests."""


def card(manifest: Manifest, recipe: Recipe, ledger: Ledger, writer: BenchmarkWriter) -> str:
    """Markdown with the front matter that ``datasets`` reads. ``{fingerprint}`` is filled in on writing."""
    # A split without files would keep the others from being opened.
    files = "\n".join(f"  - split: {name}\n    path: views-{name}-*.parquet" for name in sorted(writer.splits))
    states = "\n".join(f"| `{state}` | {text} |" for state, text in STATES.items() if state in writer.states)
    line = _total(ledger.lines)
    refused = "\n".join(f"| {reason} | {count} |" for reason, count in line.refused.items()) or "| none | 0 |"
    # Proofs are of pictures; without them the questions are somebody's, and a group is one question put in many ways.
    proved = writer.proofs > 0
    things = "pictures" if proved else "views"
    return f"""---
license: other
license_name: {manifest.licence.split(" ")[0].strip(",;").lower()}
task_categories: [visual-question-answering]
tags: [answerability, abstention, {recipe.domain}]
configs:
- config_name: default
  data_files:
{files}
---

# {manifest.name}

{_PROVED_GROUPS if proved else _DERIVED_GROUPS}

{writer.groups} groups, {writer.views} {things}, {writer.proofs} proofs. Licence: {manifest.licence}.
Built by {manifest.generator} with seed {recipe.seed}. Fingerprint: `{{fingerprint}}`.

| state | {things[:-1]} |
|---|---|
{states}

{recipe.paragraph()}

{_PROVED if proved else _DERIVED}

## How it was made

Scanned {line.scanned}, eligible {line.eligible}, attempted {line.attempted}, kept {line.kept}; not attempted, since
the quota was full, {line.unattempted}.

| refused because | candidates |
|---|---|
{refused}

## Columns

`image`, `question`: what a model may see. `answerable`, `target`, `answer_type`, `reason`: the obligation. `group`,
`state`, `source`, `figure`, `split`: where the row belongs. `evidence_level`, `evidence_proof`, `evidence_note`: why
the obligation holds. `image_sha256`, `width`, `height`, `renderer`: the picture. `program`, `depth`: the family
of the question's program and the levels of its tree.{"" if proved else _CHOICE_COLUMNS}
"""


def _total(lines: tuple[LedgerLine, ...]) -> LedgerLine:
    """The lines of several sources as one."""
    if len(lines) == 1:
        return lines[0]
    refused: Counter[str] = Counter()
    for line in lines:
        refused.update(line.refused)
    return LedgerLine(
        source="", scanned=sum(line.scanned for line in lines), eligible=sum(line.eligible for line in lines),
        attempted=sum(line.attempted for line in lines), kept=sum(line.kept for line in lines),
        refused=dict(sorted(refused.items())), unattempted=sum(line.unattempted for line in lines),
    )  # fmt: skip
