"""The `pitwatch` command: the composition root, where the three packages meet."""

from audit.cli.main import main

__all__ = ["main"]
