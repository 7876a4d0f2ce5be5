"""The dataset card of a benchmark of photos, which says above all that nothing in it is proved."""

from __future__ import annotations

from answerable.core.benchmark import BenchmarkWriter, Ledger, Manifest
from answerable.core.records import STATES


def card(manifest: Manifest, ledger: Ledger, writer: BenchmarkWriter) -> str:
    """Markdown with the front matter that ``datasets`` reads. ``{fingerprint}`` is filled in on writing."""
    (line,) = ledger.lines
    files = "\n".join(f"  - split: {name}\n    path: views-{name}-*.parquet" for name in sorted(writer.splits))
    states = "\n".join(f"| `{state}` | {text} |" for state, text in STATES.items() if state in writer.states)
    refused = "\n".join(f"| {reason} | {count} |" for reason, count in line.refused.items()) or "| none | 0 |"
    notes = "\n".join(f"- {note}" for note in line.notes)
    return f"""---
license: other
license_name: {manifest.licence.split(" ")[0].strip(",;:").lower()}
task_categories: [visual-question-answering]
tags: [answerability, abstention, photo]
configs:
- config_name: default
  data_files:
{files}
---

# {manifest.name}

Groups of questions on photos. Each group is one question on a photo as it is (`F`), with grey masks beside what the
answer rests on (`S`), and with grey masks on it (`M`). A model meets one picture at a time; it succeeds on a group only
when it answers `F` and `S` correctly and abstains on `M`.

{writer.groups} groups, {writer.views} pictures, no proofs. Licence: {manifest.licence}.
Built by {manifest.generator}. Fingerprint: `{{fingerprint}}`.

| state | picture |
|---|---|
{states}

**Nothing here is proved.** Obligations are derived (`evidence_level` is `derived`): a program, or a person, says on
which boxes the answer rests, and a recorded mask hides them. What a photo still tells about what is hidden (its place,
its shadow, a mirror image, a habit of the world) is not excluded: questions answered by left, right, top or bottom
are counted apart (`ability`), since the place of a mask may give them away. `evidence_note` says what was masked, how
alike the masks of `S` and `M` are, and what stays visible.

## How it was made

{notes}

Scanned {line.scanned}, eligible {line.eligible}, attempted {line.attempted}, kept {line.kept}; not attempted, since
the quota was full, {line.unattempted}.

| refused because | candidates |
|---|---|
{refused}

## Columns

`image`, `question`: what a model may see. `answerable`, `target`, `answer_type`, `reason`: the obligation. `group`,
`state`, `source`, `figure` (the photo), `split`: where the row belongs. `evidence_level`, `evidence_note`: why the
obligation holds. `ability`: whether the answer is a place. `topic`: whether it is yes or no, or a text. `program`,
`depth`: the last operation of the question's program and its longest chain. `image_sha256`, `width`, `height`: the
picture.
"""
