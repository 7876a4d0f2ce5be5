"""Numbers in an answer field, as exact fractions. The grammar is the contract; nothing outside it is a number.

::

    field    = [blank] marks( number ) [blank]          whole field; a single "." or "!" may end it
    number   = [sign] [currency] [sign] quantity [tail]         at most one sign
    quantity = mixed | fraction | decimal
    mixed    = digits blank digits "/" digits            proper, and its numerator not three digits long
             | digits [blank] vulgar                     "3½", "3 ½", "½"
    fraction = digits [blank] "/" [blank] digits         denominator not 0
    decimal  = whole ["." digits*] | "." digits          then, without groups, an exponent of at most +-308
    whole    = digits | groups of three with one separator: comma, apostrophe, space, no-break, narrow, thin space
    tail     = [blank] (K | k | M | B | bn | thousand | million | billion) | [blank] (% | percent | per cent)
    sign     = + - U+2212 U+FF0D U+2013, a blank may follow
    marks    = balanced **x** *x* __x__ _x_ `x` $x$ $$x$$ \\(x\\) \\[x\\] \\boxed{x} \\text{x}

A percent sign is dropped without rescaling. Full-width digits and signs count as ASCII ones; no other digits do.
The text is parsed before any Unicode normalising (NFKC turns ``10²`` into ``102``), and its length, its digits
and its exponent are bounded before a number is built. Not numbers: units, words, ranges, dates, decimal commas,
approximations, hexadecimal, underscores, infinities. (Paper, appendix B.)
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from fractions import Fraction
from functools import lru_cache

import msgspec

from answerable.core.runlog import ReplyStatus
from answerable.score.readers.reading import Answered, CaseReading, Invalid, Item, Reading, case_input, unreadable

#: Characters a field may have after its outer white space is gone. Bounds every integer that can be built.
MAX_FIELD = 400
MAX_EXPONENT = 308

#: Code points that stand for an ASCII character of the grammar. Nothing else is folded.
FOLDS = {ord(full): chr(ord(full) - 0xFEE0) for full in "０１２３４５６７８９＋，．／％＄"} | {
    ord("\u2212"): "-", ord("\uff0d"): "-", ord("\u2044"): "/", ord("\u2019"): "'", ord("￥"): "¥", ord("￡"): "£",
}  # fmt: skip
#: Single characters for fractions: numerator and denominator.
VULGAR = {
    "¼": (1, 4), "½": (1, 2), "¾": (3, 4), "⅐": (1, 7), "⅑": (1, 9), "⅒": (1, 10), "⅓": (1, 3), "⅔": (2, 3),
    "⅕": (1, 5), "⅖": (2, 5), "⅗": (3, 5), "⅘": (4, 5), "⅙": (1, 6), "⅚": (5, 6),
    "⅛": (1, 8), "⅜": (3, 8), "⅝": (5, 8), "⅞": (7, 8),
}  # fmt: skip
CURRENCIES = ("US$", "A$", "C$", "$", "€", "£", "¥", "₹", "₩", "₽", "₺", "₫", "₴", "₦", "₱", "₪", "฿")
#: Scale suffixes; case matters, since "5m" may be metres and "2b" bits.
SCALES = {
    "K": 1_000, "k": 1_000, "M": 1_000_000, "B": 1_000_000_000,
    "bn": 1_000_000_000, "Bn": 1_000_000_000, "BN": 1_000_000_000,
}  # fmt: skip
SCALE_WORDS = {"thousand": 1_000, "million": 1_000_000, "billion": 1_000_000_000}
#: Balanced marks that may go around a number.
MARKS = (
    ("***", "***"), ("**", "**"), ("__", "__"), ("*", "*"), ("_", "_"), ("`", "`"), ("$$", "$$"), ("$", "$"),
    ("\\(", "\\)"), ("\\[", "\\]"), ("\\boxed{", "}"), ("\\text{", "}"), ("\\mathbf{", "}"), ("\\textbf{", "}"),
)  # fmt: skip

_MARK_STARTS = frozenset(opening[0] for opening, _ in MARKS)

_BLANK = "[ \u00a0\u202f\u2009]"
_NUMBER = re.compile(
    rf"""
    (?P<sign>[-+\u2013]{_BLANK}?)?
    (?P<currency>{"|".join(re.escape(mark) for mark in CURRENCIES)})?
    (?P<inner>[-+\u2013])?
    (?:
        (?P<vulgar_whole>[0-9]+)?{_BLANK}?(?P<vulgar>[{"".join(VULGAR)}])
      | (?:(?P<mixed>[0-9]+)[ \u00a0])?(?P<numerator>[0-9]+){_BLANK}?/{_BLANK}?(?P<denominator>[0-9]+)
      | (?P<grouped>[1-9][0-9]{{0,2}}(?P<comma>[,' \u00a0\u202f\u2009])[0-9]{{3}}(?:(?P=comma)[0-9]{{3}})*)
        (?:\.(?P<grouped_decimals>[0-9]*))?
      | (?:(?P<whole>[0-9]+)(?:\.(?P<decimals>[0-9]*))?|\.(?P<bare>[0-9]+))
        (?:[eE](?P<exponent>[-+]?[0-9]{{1,6}}))?
    )
    (?:
        {_BLANK}?(?P<scale>{"|".join(SCALES)})
      | {_BLANK}?(?P<word>(?i:{"|".join(SCALE_WORDS)}))
      | {_BLANK}?(?P<percent>%|(?i:percent|per\ cent))
    )?
    """,
    re.VERBOSE,
)


class Number(msgspec.Struct, frozen=True):
    """A parsed field."""

    value: Fraction
    """Exact; a percent sign does not rescale it."""
    percent: bool
    """It ended in a percent sign."""


def _unmark(text: str) -> str:
    for _ in range(4):
        for opening, closing in MARKS:
            inner = text[len(opening) : len(text) - len(closing)]
            # A mark inside would make "$5$ or $6$" one number.
            if inner and text.startswith(opening) and text.endswith(closing) and opening[0] not in inner:
                text = inner.strip()
                break
        else:
            return text
    return text


def _fraction(mixed: str | None, upper: str, lower: str) -> Fraction | None:
    numerator, denominator = int(upper), int(lower)
    if denominator == 0:
        return None
    # "1 234/567" may be grouped digits or a mixed number: neither is chosen.
    if mixed is not None and (numerator >= denominator or len(upper) == 3):
        return None
    return int(mixed or 0) + Fraction(numerator, denominator)


def _quantity(match: re.Match[str]) -> Fraction | None:
    if match["vulgar"]:
        numerator, denominator = VULGAR[match["vulgar"]]
        return int(match["vulgar_whole"] or 0) + Fraction(numerator, denominator)
    if match["denominator"]:
        return _fraction(match["mixed"], match["numerator"], match["denominator"])
    if match["grouped"]:
        whole, decimals = match["grouped"].replace(match["comma"], ""), match["grouped_decimals"] or ""
    else:
        whole, decimals = match["whole"] or "", match["decimals"] or match["bare"] or ""
    exponent = int(match["exponent"] or 0)
    if abs(exponent) > MAX_EXPONENT:
        return None
    power = exponent - len(decimals)
    digits = int(whole + decimals)
    return Fraction(digits * 10**power) if power >= 0 else Fraction(digits, 10**-power)


def parse(text: str) -> Number | None:
    """The whole field as a number, or None; never raises, and its time does not depend on the number's size."""
    text = text.strip() if len(text) <= 64 * MAX_FIELD else text
    return None if len(text) > MAX_FIELD else _parse(text)


# Every model meets the same targets, and most answers equal one of them.
@lru_cache(maxsize=1 << 15)
def _parse(text: str) -> Number | None:
    text = text if text.isascii() else text.translate(FOLDS)
    text = _unmark(text) if text[:1] in _MARK_STARTS else text
    match = _NUMBER.fullmatch(text)
    if match is None and text.endswith((".", "!")) and not text.endswith((".!", "..")):
        match = _NUMBER.fullmatch(text[:-1])
    if match is None or (match["sign"] and match["inner"]):
        return None
    value = _quantity(match)
    if value is None:
        return None
    sign = (match["sign"] or match["inner"] or "+").strip()
    scale = SCALES[match["scale"]] if match["scale"] else SCALE_WORDS[match["word"].lower()] if match["word"] else 1
    if scale != 1 and match["exponent"]:
        return None
    factor = scale if sign == "+" else -scale
    return Number(value if factor == 1 else value * factor, match["percent"] is not None)


def parse_number(text: str) -> Fraction | None:
    """The whole field as an exact fraction, or None."""
    number = parse(text)
    return None if number is None else number.value


_DECIMAL_COMMA = re.compile(r"([-+]?)([0-9]+),([0-9]+)|([-+]?)([0-9]{1,3}(?:\.[0-9]{3})+),([0-9]+)")


def _as_decimal_comma(text: str) -> Fraction | None:
    """What a field would be where the comma is the decimal mark; never used to score."""
    text = text.strip().translate(FOLDS)
    if len(text) > MAX_FIELD or _DECIMAL_COMMA.fullmatch(text) is None:
        return None
    return parse_number(text.replace(".", "").replace(",", "."))


def compare_numbers(gold: str, prediction: str, unit: str | None = None) -> bool | None:
    """Exact equality of two number fields; None where it hangs on something the item does not say.

    That is so when only the prediction has a percent sign and ``unit`` is not given, and when the prediction is
    no number of the grammar but equals the gold value where the comma is the decimal mark.

    Args:
        gold: the item's value.
        prediction: the reply's.
        unit: what the item is counted in; ``"percent"`` (or ``"%"``) allows a percent sign in the prediction.
    """
    right, given = parse(gold), parse(prediction)
    if right is None:
        return False
    if given is None:
        return None if _as_decimal_comma(prediction) == right.value else False
    if given.value != right.value:
        return False
    if given.percent and not right.percent:
        return None if unit is None else unit.strip().lower() in ("percent", "per cent", "%")
    return True


def fraction_text(value: Fraction) -> str:
    """``p/q``, always with its slash, reduced."""
    return f"{value.numerator}/{value.denominator}"


class _Parse(msgspec.Struct, frozen=True):
    text: str


class _Compare(msgspec.Struct, frozen=True):
    gold: str
    pred: str
    unit: str | None = None


class NumberReader:
    """The whole reply is one number."""

    name = "number"
    version = 1
    rules = (
        "The whole reply is one number: decimal or grouped digits, fraction, currency prefix, thousand, million,"
        " billion (K, M, B, bn); a percent sign is dropped without rescaling. No units, words, prose or tolerance."
    )

    def read(self, text: str | None, status: ReplyStatus, _item: Item, /) -> Reading:
        """Answered with the field as written when the grammar takes all of it; a cut number is not a number."""
        bad = unreadable(text, status)
        if bad is not None or text is None:
            return bad or Invalid("empty", "no_text")
        if status == "truncated":
            return Invalid("truncated", "status")
        if parse(text) is None:
            return Invalid("not_a_number", "number_grammar")
        return Answered(text.strip(), "number_grammar")

    def read_case(self, case: Mapping[str, object]) -> CaseReading:
        """``{"text"}`` -> ``"p/q"`` or null; ``{"gold", "pred", optional "unit"}`` -> true, false or null."""
        if "gold" in case or "pred" in case:
            pair = case_input(case, _Compare)
            return CaseReading(compare_numbers(pair.gold, pair.pred, pair.unit), "exact_value")
        value = parse_number(case_input(case, _Parse).text)
        return CaseReading(None if value is None else fraction_text(value), "number_grammar")


READER = NumberReader()
