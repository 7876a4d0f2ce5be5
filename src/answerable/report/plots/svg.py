"""The few lines every plot needs: elements whose attributes and text are always escaped."""

from __future__ import annotations

from markupsafe import Markup

_ELEMENT, _ATTRIBUTE, _EMPTY = Markup("<{0}{1}>{2}</{0}>"), Markup(' {}="{}"'), Markup("")


def element(name: str, attributes: dict[str, str | float], *children: str | Markup) -> Markup:
    """One element; plain strings among the children become escaped text. Numbers get at most three decimals."""
    texts = ((key, value if isinstance(value, str) else number(value)) for key, value in attributes.items())
    held = _EMPTY.join(_ATTRIBUTE.format(key, value) for key, value in texts)
    return _ELEMENT.format(name, held, _EMPTY.join(children))


def number(value: float) -> str:
    """Shortest text with at most three decimals; never an exponent, never ``-0``."""
    text = f"{value:.3f}".rstrip("0").rstrip(".")
    return "0" if text in ("-0", "") else text


def share(value: float) -> str:
    """A fraction of the width: ``0.25`` -> ``25%``."""
    return number(100 * value) + "%"
