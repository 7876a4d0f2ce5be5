"""``python -m answerable.cli`` is the same as ``answerable``."""

from answerable.cli.main import entry

if __name__ == "__main__":
    entry()
