"""The dataset card of a benchmark whose labels are people's."""

from __future__ import annotations

import re

from answerable.core.benchmark import BenchmarkWriter, Ledger, Manifest
from answerable.core.records import STATES

#: Who vouches for the labels of an imported set.
ANNOTATED = """Nothing here is proved: obligations are the annotators' (`evidence_level` is `annotated`), and \
`evidence_note` names the
published item and the strategy that made a question unanswerable."""


def _word(licence: str) -> str:
    """The first word of a licence, as front matter may have it."""
    return re.sub(r"[^a-z0-9.-]+", "-", licence.split(" ", maxsplit=1)[0].lower()).strip("-") or "unstated"


def card(manifest: Manifest, ledger: Ledger, writer: BenchmarkWriter, tag: str, paragraph: str = ANNOTATED) -> str:
    """Markdown with the front matter that ``datasets`` reads. ``{fingerprint}`` is filled in on writing."""
    (line,) = ledger.lines
    states = "\n".join(f"| `{state}` | {text} |" for state, text in STATES.items() if state in writer.states)
    refused = "\n".join(f"| {reason} | {count} |" for reason, count in line.refused.items()) or "| none | 0 |"
    notes = "\n".join(f"- {note}" for note in line.notes)
    return f"""---
license: other
license_name: {_word(manifest.licence)}
task_categories: [visual-question-answering]
tags: [answerability, abstention, {tag}]
configs:
- config_name: default
  data_files:
  - split: test
    path: views-test-*.parquet
---

# {manifest.name}

Questions on pictures, in groups. A model meets one view at a time; it succeeds on a group only when it
answers every answerable view correctly and abstains on every other.

{writer.groups} groups, {writer.views} views. Licence: {manifest.licence}.
Built by {manifest.generator}. Fingerprint: `{{fingerprint}}`.

| state | view |
|---|---|
{states}

{paragraph}

## How it was made

{notes}

Looked at {line.scanned}, kept {line.kept} groups.

| refused because | count |
|---|---|
{refused}

## Columns

`image`, `question`, `options`, `instruction`: what a model may see; a target is a letter where there are options.
`answerable`, `target`, `answer_type`, `reason`: the obligation. `group`, `state`, `source`, `figure`, `split`: where
the row belongs. `ability`: the strategy. `topic`: the data set. `image_sha256`, `width`, `height`: the picture.
"""
