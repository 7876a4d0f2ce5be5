"""Base URLs as people write them."""

from __future__ import annotations

import pytest

from answerable.core.errors import SettingsError
from answerable.run.providers.url import endpoint


@pytest.mark.parametrize(
    ("given", "asked"),
    [
        ("http://h:8000", "http://h:8000/v1/chat/completions"),
        ("http://h:8000/", "http://h:8000/v1/chat/completions"),
        ("http://h:8000/v1", "http://h:8000/v1/chat/completions"),
        ("http://h:8000/v1/", "http://h:8000/v1/chat/completions"),
        ("http://h/v1/chat/completions", "http://h/v1/chat/completions"),
        ("https://h/api", "https://h/api/v1/chat/completions"),
        ("https://h/v1beta/openai/", "https://h/v1beta/openai/chat/completions"),
        ("https://h/openai/v1?api-version=2", "https://h/openai/v1/chat/completions?api-version=2"),
        ("http://[::1]:8000/v1", "http://[::1]:8000/v1/chat/completions"),
        ("  http://h/v1\n", "http://h/v1/chat/completions"),
    ],
)
def test_what_is_asked(given: str, asked: str) -> None:
    assert endpoint(given).url == asked


def test_user_password_and_query_are_not_shown() -> None:
    place = endpoint("https://us%40er:p%3Aw@h:9/v1/?token=abc&x=1#part")
    assert place.shown == "https://h:9/v1"
    assert place.url == "https://h:9/v1/chat/completions?token=abc&x=1"
    assert place.basic == "Basic dXNAZXI6cDp3"
    assert {"us@er", "p:w", "p%3Aw", "abc", "dXNAZXI6cDp3"} <= set(place.secrets)


@pytest.mark.parametrize(
    "given", ["", "h:8000", "ftp://h", "http://", "http://h:99999999", "http://h/v 1", "file:///x"]
)
def test_no_address(given: str) -> None:
    with pytest.raises(SettingsError, match="--base-url"):
        endpoint(given)


def test_a_wrong_url_is_not_repeated() -> None:
    with pytest.raises(SettingsError) as caught:
        endpoint("user:hunter2hunter2@host")
    assert "hunter2" not in str(caught.value)
