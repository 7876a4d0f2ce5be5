"""The other ways in which a question of ours about a scene can be put.

The grammar that reads a question also has its other sentences for the same meaning. What stands in the slots is taken
over as it is said, in the number and with the article that the other sentence needs; whether the result asks for the
same is for ``asking`` to say.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping

from answerable.domains.scene.reading import SENTENCES, SLOTS, Tokens, pattern_tokens, readings, tokens_of

#: What is said of a thing: under which name it goes from sentence to sentence, and its words in the singular.
_Said = Mapping[str, str]
#: The name under which the hint at the form of the answer goes.
_HINT = "hint"
#: The two nouns for anything, after an article or without one.
_NOUN = re.compile(r"\b(an? )?(thing|object)")
_NOUNS = {
    ("a ", "thing"): "an object",
    ("an ", "object"): "a thing",
    (None, "thing"): "object",
    (None, "object"): "thing",
}


def wordings(wording: str) -> tuple[str, ...]:
    """Every other sentence that the grammar has for a question, then all with the other noun; none if it is not ours.

    Args:
        wording: with or without the hint at the form of its answer, which stays.
    """
    found: dict[str, None] = {}
    tokens = tokens_of(wording)
    for _, patterns in SENTENCES:
        for pattern in patterns:
            for said in _slots(pattern_tokens(pattern), tokens, 0, {}):
                found |= dict.fromkeys(_put(other, said) for other in patterns if other != pattern)
    if found:
        # "How many things" counts anything, whichever noun comes after it, and is read in this form alone.
        found |= dict.fromkeys(text for text in map(_other_noun, (*found, wording)) if readings(text))
        found.pop(wording, None)
    return tuple(found)


def _slots(parts: Tokens, tokens: Tokens, at: int, said: _Said) -> Iterator[_Said]:
    """Every way to read a whole text as a sentence: what its slots say."""
    if not parts:
        if tokens[at : at + 1] in ((), ("Answer",)):
            yield {**said, _HINT: _joined(tokens[at:])}
        return
    part, rest = parts[0], parts[1:]
    if part not in SLOTS:
        if at < len(tokens) and tokens[at] == part:
            yield from _slots(rest, tokens, at + 1, said)
        return
    for _, after in SLOTS[part](tokens, at):
        name, words = _as_told(part, tokens[at:after])
        yield from _slots(rest, tokens, after, {**said, name: words})


def _as_told(slot: str, words: Tokens) -> tuple[str, str]:
    """The name of a slot, and its words without article and in the singular where other sentences change that."""
    name, _, form = slot.strip("{}").partition(" ")
    if form == "some" or (form == "the" and name != "whom"):
        words = words[1:]
    if form == "many":
        words = (*words[:-1], words[-1].removesuffix("s"))
    return name, _joined(words)


def _put(pattern: str, said: _Said) -> str:
    parts = []
    for part in pattern_tokens(pattern):
        if part not in SLOTS:
            parts.append(part)
            continue
        name, _, form = part.strip("{}").partition(" ")
        words = said[name]
        if form == "some":
            words = f"{'an' if words[0] in 'aeiou' else 'a'} {words}"
        elif form == "the" and name != "whom":
            words = f"the {words}"
        elif form == "many":
            words += "s"
        parts.append(words)
    return _joined(part for part in (*parts, said[_HINT]) if part)


def _other_noun(text: str) -> str:
    return _NOUN.sub(lambda noun: _NOUNS[noun[1], noun[2]], text)


def _joined(parts: Iterable[str]) -> str:
    """Words with single spaces, signs without one before."""
    return "".join(part if part in (".", ",", ":", "?") else f" {part}" for part in parts).removeprefix(" ")
