"""What every provider in the table keeps to."""

from __future__ import annotations

from pathlib import Path

import msgspec
import pytest

from answerable.core.errors import SettingsError
from answerable.core.runlog import Sampling
from answerable.run.providers import PROVIDERS
from answerable.run.providers.base import Provider, ProviderSettings
from tests.models.tiny import make_model
from tests.run.helpers import prompt

MODELS = {
    "openai-chat": ("stub", "http://user:pass@127.0.0.1:9/v1?key=abc"),
    "local": ("local/tiny", ""),
    "reference": ("reference/oracle", ""),
}
#: The model in this process needs a folder, and what loads it.
CASES = [pytest.param(name, marks=pytest.mark.torch) if name == "local" else name for name in MODELS]


def make(name: str, **change: object) -> Provider:
    """An instance."""
    model, url = MODELS[name]
    settings = ProviderSettings(model, prompt(), Sampling(), base_url=url)
    return PROVIDERS.load(name)(msgspec.structs.replace(settings, **change))


def test_the_table_is_covered() -> None:
    assert set(PROVIDERS.names()) == set(MODELS)


@pytest.mark.parametrize("name", CASES)
async def test_conformance(name: str, tmp_path: Path) -> None:
    change = {"model": f"local/{make_model(tmp_path / 'tiny')}", "device": "cpu"} if name == "local" else {}
    provider = make(name, **change)
    assert provider.name == name
    assert provider.model == MODELS[name][0]
    assert provider.settings.prompt is prompt()
    for secret in ("user", "pass", "abc", "?"):
        assert secret not in provider.endpoint
    assert provider.remote == bool(provider.endpoint)
    async with provider as opened:
        assert opened is provider


@pytest.mark.parametrize("name", MODELS)
@pytest.mark.parametrize(
    ("change", "flag"),
    [
        ({"sampling": Sampling(temperature=-1.0)}, "--temperature"),
        ({"sampling": Sampling(temperature=float("nan"))}, "--temperature"),
        ({"sampling": Sampling(max_tokens=0)}, "--max-tokens"),
        ({"sampling": Sampling(max_tokens_field='x"y')}, "--max-tokens-field"),
        ({"total_timeout": 0.0}, "--timeout"),
        ({"connect_timeout": float("inf")}, "--connect-timeout"),
        ({"read_timeout": -1.0}, "--read-timeout"),
        ({"model": " "}, "--model"),
    ],
)
def test_settings_that_make_no_sense(name: str, change: dict[str, object], flag: str) -> None:
    with pytest.raises(SettingsError, match=f"where: {flag}"):
        make(name, **change)
