"""The command line: parse, import the one verb that was asked for, and turn errors into readable blocks."""

from __future__ import annotations

import argparse
import sys
from importlib import import_module

from answerable import __version__
from answerable.core.errors import AnswerableError

#: Verbs in the order of the work. Each module has ``add_parser`` (cheap) and ``main``.
VERBS = (
    "demo",
    "evaluate",
    "build",
    "review",
    "certify",
    "audit",
    "train",
    "run",
    "judge",
    "rephrase",
    "score",
    "compare",
    "consistency",
    "report",
    "read",
    "published",
)

_EPILOG = """exit codes:
  0  done
  1  done, and the verdict is no: a gate failed, a proof was refused
  2  bad input or usage
  3  an optional part is not installed
  4  a model could not be asked, or a run ended with views failed or not run
  5  the disk refused a write
  6  a process that did a part of the work was killed
  130  stopped by Ctrl-C; repeat the command to resume
"""


def build_parser() -> argparse.ArgumentParser:
    """The whole command line; building it imports no heavy library."""
    parser = argparse.ArgumentParser(
        prog="answerable",
        description="Does a vision-language model answer because of the image?",
        epilog=_EPILOG,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("--version", action="version", version=f"answerable {__version__}")
    parser.add_argument("--debug", action="store_true", help="show the traceback of an error")
    subparsers = parser.add_subparsers(dest="verb", metavar="VERB", required=True)
    for verb in VERBS:
        import_module(f"answerable.cli.{verb}").add_parser(subparsers)
    for child in subparsers.choices.values():
        # Also accepted after the verb, where people type it.
        child.add_argument("--debug", action="store_true", default=argparse.SUPPRESS, help=argparse.SUPPRESS)
    return parser


def run_command(arguments: list[str] | None = None) -> int:
    """Run one command and return its exit code."""
    args = build_parser().parse_args(arguments)
    module, _, function = args.handler.partition(":")
    try:
        return int(getattr(import_module(module), function)(args))
    except AnswerableError as error:
        if args.debug:
            raise
        sys.stderr.write(f"answerable {args.verb}: {error}\n")
        return error.exit_code
    except KeyboardInterrupt:
        if args.debug:
            raise
        sys.stderr.write(f"answerable {args.verb}: stopped; finished work is kept, repeat the command to resume\n")
        return 130
    except BrokenPipeError:
        # The reader of our output (head, less) went away: nothing is wrong with the work.
        sys.stderr.close()
        return 0


def entry() -> None:
    """Console script."""
    for stream in (sys.stdout, sys.stderr):
        # A console with a small code page must never stop a run: what it cannot show is escaped.
        if hasattr(stream, "reconfigure"):
            stream.reconfigure(errors="backslashreplace")
    sys.exit(run_command())
