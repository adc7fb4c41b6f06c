"""Telling how long work goes on: a bar at a terminal, a line now and then in a log."""

import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Protocol

import structlog
from rich.console import Console
from rich.progress import Progress

EVERY_S = 10.0
"""Seconds between two lines; work that is over sooner logs none."""

_log = structlog.get_logger()


class Tell(Protocol):
    """Takes how far the work has come."""

    def __call__(self, done: int, total: int | None = None, /, *, what: str = "") -> None:
        """Tell it.

        Args:
            done: How much is done.
            total: Of how much, where that is known.
            what: What is worked on, where that changes.
        """


@contextmanager
def working(text: str, *, hidden: bool = False) -> Iterator[Tell]:
    """Tell on standard error how the work of the body goes on.

    Args:
        text: What is done, such as `Verifying`.
        hidden: Draw no bar, as where a program reads the results.
    """
    if hidden or not sys.stderr.isatty():
        yield _logged(text)
        return
    with Progress(console=Console(stderr=True), transient=True) as bar:
        task = bar.add_task(text, total=None)

        def drawn(done: int, total: int | None = None, /, *, what: str = "") -> None:
            shown = f"{text}: {what}" if what else text
            bar.update(task, completed=done, total=total, description=shown)

        yield drawn


def _logged(text: str) -> Tell:
    due = time.monotonic() + EVERY_S

    def tell(done: int, total: int | None = None, /, *, what: str = "") -> None:
        nonlocal due
        if time.monotonic() < due:
            return
        due = time.monotonic() + EVERY_S
        more = {name: value for name, value in (("total", total), ("what", what)) if value}
        _log.info("work.progress", work=text, done=done, **more)

    return tell
