"""Asking in one turn or two, as the prompt says."""

from __future__ import annotations

import msgspec

from answerable.core.runlog import Usage
from answerable.run.providers.base import Ask, Failed, Provider, Replied


async def ask_in_turns(provider: Provider, request: Ask) -> Replied | Failed:
    """Ask; with a prompt of two turns, show the model its own reply and ask again.

    A first reply that is refused, cut or empty is final: there is nothing to show back. A second turn that fails
    fails the whole, so that no half of an exchange is ever read.
    """
    first = await provider.ask(request)
    if isinstance(first, Failed) or not provider.settings.prompt.text.second:
        return first
    if first.status != "complete" or first.text is None:
        return first
    second = await provider.ask(msgspec.structs.replace(request, earlier=first.text))
    if isinstance(second, Failed):
        return second
    return msgspec.structs.replace(second, earlier=first.text, usage=_added(first.usage, second.usage))


def _added(one: Usage, other: Usage) -> Usage:
    """Tokens of both turns; a side that was not counted leaves the sum unknown."""

    def both(a: int | None, b: int | None) -> int | None:
        return None if a is None or b is None else a + b

    return Usage(
        prompt=both(one.prompt, other.prompt),
        completion=both(one.completion, other.completion),
        reasoning=both(one.reasoning, other.reasoning),
    )
