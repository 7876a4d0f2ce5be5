"""The dataset card: what a stranger who opens the folder needs to know."""

from __future__ import annotations

from typing import TYPE_CHECKING

from answerable.core.benchmark import BenchmarkWriter, Ledger, Manifest
from answerable.core.records import STATES

if TYPE_CHECKING:
    from answerable.build.assembly import Recipe


def card(manifest: Manifest, recipe: Recipe, ledger: Ledger, writer: BenchmarkWriter) -> str:
    """Markdown with the front matter that ``datasets`` reads. ``{fingerprint}`` is filled in on writing."""
    # A split without files would keep the others from being opened.
    files = "\n".join(f"  - split: {name}\n    path: views-{name}-*.parquet" for name in sorted(writer.splits))
    states = "\n".join(f"| `{state}` | {text} |" for state, text in STATES.items() if state in writer.states)
    line = ledger.lines[0]
    refused = "\n".join(f"| {reason} | {count} |" for reason, count in line.refused.items()) or "| none | 0 |"
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

Groups of questions on pictures. Each group is one question on several pictures: some determine its answer, some do not.
A model meets one picture at a time; it succeeds on a group only when it answers every supported picture correctly
and abstains on every other.

{writer.groups} groups, {writer.views} pictures, {writer.proofs} proofs. Licence: {manifest.licence}.
Built by {manifest.generator} with seed {recipe.seed}. Fingerprint: `{{fingerprint}}`.

| state | picture |
|---|---|
{states}

{recipe.paragraph()}

Every obligation is proved: `proofs-*.jsonl` holds, for each group, the typed program, the complete worlds and the
operation that hides a part, and `answerable certify` draws and computes everything again. For `M` the proof is a
witness: two complete charts with different answers that look the same once the asked position is hidden.

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
of the question's program and the levels of its tree.
"""
