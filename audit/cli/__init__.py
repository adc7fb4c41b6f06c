"""The `pitwatch` command: the composition root, where the three packages meet."""

try:
    from audit.cli.main import main
except KeyboardInterrupt:  # Ctrl-C while it is still being loaded: no traceback for that, either.
    raise SystemExit(130) from None

__all__ = ["main"]
