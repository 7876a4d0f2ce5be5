"""The dataset card of a benchmark of proved unsolvable problems."""

from __future__ import annotations

from answerable.core.benchmark import BenchmarkWriter, Ledger, Manifest
from answerable.core.records import STATES


def card(manifest: Manifest, paragraph: str, seed: int, ledger: Ledger, writer: BenchmarkWriter) -> str:
    """Markdown with the front matter that ``datasets`` reads. ``{fingerprint}`` is filled in on writing."""
    # A split without files would keep the others from being opened.
    files = "\n".join(f"  - split: {name}\n    path: views-{name}-*.parquet" for name in sorted(writer.splits))
    states = "\n".join(f"| `{state}` | {text} |" for state, text in STATES.items() if state in writer.states)
    made = "\n".join(
        f"| {line.source} | {line.attempted} | {line.kept} | {sum(line.refused.values())} |" for line in ledger.lines
    )
    return f"""---
license: other
license_name: {manifest.licence.split(" ")[0].strip(",;").lower()}
task_categories: [visual-question-answering]
tags: [answerability, abstention, multiple-choice]
configs:
- config_name: default
  data_files:
{files}
---

# {manifest.name}

Groups of multiple-choice questions on pictures. Each group is one question under one problem of unsolvable problem
detection, in every setting and every rotation of its options; its standard views (`F`) have an answer, the others have
none. A model meets one view at a time and answers with a letter or abstains.

{writer.groups} groups, {writer.views} views, {writer.proofs} proofs. Licence: {manifest.licence}.
Built by {manifest.generator} with seed {seed}. Fingerprint: `{{fingerprint}}`.

| state | question |
|---|---|
{states}

{paragraph}

Every obligation is proved: `proofs-*.jsonl` holds, for each group, the typed program and the complete worlds, and
`answerable certify` computes every answer and draws every picture again. It shows that the option taken away (AAD) was
the answer and that none of those left equals it; that no option of another question (IASD) can be an answer in any
admissible world; that what the question names is not in the other picture's world (IVQD).

## How it was made

| source | attempted | kept | refused |
|---|---|---|---|
{made}

## Columns

`image`, `question`, `options`, `instruction`: what a model may see. `answerable`, `target`, `answer_type`, `reason`:
the obligation; a target is the letter of an option. `setting`, `rotation`: how the question is put, and by how many
places its options are shifted. `withheld`: the answer where it is not offered. `group`, `state`, `source`, `figure`,
`split`: where the row belongs. `evidence_level`, `evidence_proof`, `evidence_note`: why the obligation holds.
`image_sha256`, `width`, `height`, `renderer`: the picture. `program`, `depth`: the family of the question's program and
the levels of its tree.
"""
