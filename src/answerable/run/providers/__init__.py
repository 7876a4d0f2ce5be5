"""Who is asked: one file a provider, and one line in the table below."""

from __future__ import annotations

from typing import Final

from answerable.core.registry import Registry
from answerable.run.providers.base import MakeProvider

#: Makers of providers: ``make(settings) -> Provider``.
PROVIDERS: Final[Registry[MakeProvider]] = Registry(
    "provider",
    "answerable.providers",
    {
        "openai-chat": "answerable.run.providers.openai_chat:OpenAIChat",
        "local": "answerable.run.providers.local:LocalProvider",
        "reference": "answerable.run.providers.reference:ReferenceProvider",
    },
)
