"""What verbs that put texts to a model have in common: the flags that say how it is asked, and how fast."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from answerable.run.settings import RunSettings


def asking_flags(parser: argparse.ArgumentParser, title: str, *, tokens: int, reply: str, schema: str) -> None:
    """Declare the flags.

    Args:
        title: of the group of flags that a resumed file must repeat.
        tokens: output tokens by default; ``reply`` is what they are of, ``schema`` what a JSON schema asks for.
    """
    flags = parser.add_argument_group(title)
    flags.add_argument("--temperature", default="0", metavar="T", help="a number, or none to leave it out (0)")
    flags.add_argument("--max-tokens", type=int, default=tokens, metavar="N", help=f"output tokens {reply} ({tokens})")
    flags.add_argument("--max-tokens-field", default="max_tokens", metavar="FIELD", help="or max_completion_tokens")
    flags.add_argument("--json-schema", action="store_true", help=schema)
    flags.add_argument("--extra", default="{}", metavar="JSON", help="more body fields")
    flags = parser.add_argument_group("how fast, and how much")
    flags.add_argument("--concurrency", type=int, default=16, metavar="N", help="most requests at once (16)")
    flags.add_argument("--retries", type=int, default=5, metavar="N", help="further attempts a question (5)")
    flags.add_argument("--give-up-after", type=float, default=900.0, metavar="S", help="seconds for a question (900)")
    flags.add_argument("--halt-after", type=int, default=50, metavar="N", help="stop after so many failures in a row")
    flags.add_argument("--price-in", type=float, metavar="USD", help="for a million prompt tokens")
    flags.add_argument("--price-out", type=float, metavar="USD", help="for a million completion tokens")
    flags.add_argument("--max-cost", type=float, metavar="USD", help="stop before this is passed; needs both prices")


def asking_settings(args: argparse.Namespace) -> RunSettings:
    """What the flags say of pace, attempts and budget."""
    from answerable.run.settings import RunSettings

    return RunSettings(
        seed=args.seed, concurrency=args.concurrency, retries=args.retries, give_up_after=args.give_up_after,
        halt_after=args.halt_after, price_in=args.price_in, price_out=args.price_out, max_cost=args.max_cost,
    )  # fmt: skip
