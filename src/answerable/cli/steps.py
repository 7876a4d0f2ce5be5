"""Verbs that are a chain of others: each step is printed as the command that does it alone."""

from __future__ import annotations

import shlex
from collections.abc import Iterable, Sequence


def run_steps(steps: Iterable[Sequence[str]]) -> int:
    """Run commands in order; stop at the first that fails, with its exit code."""
    from answerable.cli.console import out
    from answerable.cli.main import run_command

    for step in steps:
        out(f"\n$ answerable {shlex.join(step)}")
        code = run_command(list(step))
        if code:
            return code
    return 0


def folder_name(model: str) -> str:
    """A model's name as a folder: letters, digits, dots and hyphens; the rest becomes a hyphen."""
    return "".join(sign if sign.isalnum() or sign in ".-_" else "-" for sign in model).strip(".") or "model"
