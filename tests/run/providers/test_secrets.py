"""Secrets are taken out by value, in every spelling."""

from __future__ import annotations

import html
import json
from urllib.parse import quote

import pytest

from answerable.run.providers.secrets import REMOVED, Secrets

KEY = 'sk-"a/b"+<c>&0123'


@pytest.mark.parametrize("spelling", [KEY, json.dumps(KEY)[1:-1], quote(KEY, safe=""), html.escape(KEY)])
def test_every_spelling(spelling: str) -> None:
    text = Secrets([KEY]).in_message(f"key {spelling} is wrong, {spelling}")
    assert text == f"key {REMOVED} is wrong, {REMOVED}"


def test_a_secret_inside_another() -> None:
    secrets = Secrets(["password1", "password1-longer"])
    assert secrets.in_message("x password1-longer y") == f"x {REMOVED} y"


def test_placeholder_keys_leave_model_text_alone() -> None:
    secrets = Secrets(["EMPTY", "", "x"])
    assert secrets.in_reply("the cell is EMPTY, x") == "the cell is EMPTY, x"
    assert secrets.in_message("Bearer EMPTY x") == f"Bearer {REMOVED} x"
    assert not secrets.found_in("EMPTY")


def test_replies() -> None:
    secrets = Secrets([KEY])
    assert secrets.in_reply(f"you said {KEY}") == f"you said {REMOVED}"
    assert secrets.in_reply(None) is None
    assert secrets.found_in(f"--{KEY}--")
