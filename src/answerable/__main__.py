"""``python -m answerable``: for where scripts are not on the path."""

from answerable.cli.main import entry

entry()
