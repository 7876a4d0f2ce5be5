"""The words in which a view is put to a model."""

from __future__ import annotations

from answerable.core.records import View


def asked_text(view: View) -> str:
    """The question, its options a line each, and the instruction; nothing that tells the state.

    A question without options is asked as it stands.
    """
    shown = [f"{option.letter}. {option.text}" for option in view.options if option.role != "instructed"]
    return "\n".join(filter(None, (view.question, *shown, view.instruction)))
