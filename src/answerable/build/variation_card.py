"""The dataset card of a benchmark of variants, which says above all that nothing in it is proved."""

from __future__ import annotations

from answerable.core.benchmark import BenchmarkWriter, Ledger, Manifest
from answerable.core.consistency import VARIATIONS
from answerable.core.records import STATES


def card(manifest: Manifest, ledger: Ledger, writer: BenchmarkWriter) -> str:
    """Markdown with the front matter that ``datasets`` reads. ``{fingerprint}`` is filled in on writing."""
    (line,) = ledger.lines
    files = "\n".join(f"  - split: {name}\n    path: views-{name}-*.parquet" for name in sorted(writer.splits))
    states = "\n".join(f"| `{state}` | {text} |" for state, text in STATES.items() if state in writer.states)
    varied = "\n".join(f"| `{topic}` | {text} |" for topic, text in VARIATIONS.items())
    refused = "\n".join(f"| {reason} | {count} |" for reason, count in line.refused.items()) or "| none | 0 |"
    notes = "\n".join(f"- {note}" for note in line.notes)
    return f"""---
license: other
license_name: {manifest.licence.split(" ")[0].strip(",;:").lower()}
task_categories: [visual-question-answering]
tags: [answerability, consistency]
configs:
- config_name: default
  data_files:
{files}
---

# {manifest.name}

Groups of one question each: the original, and variants that should be answered alike. A model meets one view at a
time; what is measured is whether its replies agree, and whether they are right.

{writer.groups} groups, {writer.views} views, no proofs. Licence: {manifest.licence}.
Built by {manifest.generator}. Fingerprint: `{{fingerprint}}`.

| `topic` | what a variant varies |
|---|---|
| (empty, or a heading of the source) | nothing: the original |
{varied}

| state | view |
|---|---|
{states}

**Nothing here is proved.** A variant has the obligation of its original; whether a person would still give that answer
is what rules and, where there was one, a judge looked at. `evidence_note` says what was done to each view, and which
view of which benchmark it was made from. What is behind a mask is what the annotation says; the photo need not tell.

## How it was made

{notes}

Scanned {line.scanned}, eligible {line.eligible}, attempted {line.attempted}, kept {line.kept}; not attempted, since
the quota was full, {line.unattempted}.

| refused because | candidates |
|---|---|
{refused}

## Columns

`image`, `question`, `options`, `instruction`: what a model may see. `answerable`, `target`, `answer_type`, `reason`:
the obligation. `topic`, `ability`: what a variant varies, and how (`style=candy;resolution=640`,
`lines=3;shape=ellipse;color=black`, `wording=2`). `group`, `state`, `source`, `figure`, `split`: where the row belongs.
`evidence_level`, `evidence_note`: why the obligation holds. `image_sha256`, `width`, `height`: the picture.
"""
