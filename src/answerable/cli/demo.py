"""``answerable demo``: the whole job at a small size, with no key, network or GPU."""

from __future__ import annotations

import argparse


def add_parser(subparsers: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Describe the verb."""
    subparsers.add_parser("demo", help="build, certify, run, score and report, offline")


