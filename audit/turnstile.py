"""Fair turns for writers of one SQLite file.

SQLite lets whoever asks at the right moment write next, and lets those who have waited longest ask
least often; with eight busy writers some wait for seconds. So a writer first passes a turnstile, a
lock on a file beside the database, which the kernel hands on about in order. Only one process at a
time asks SQLite then, and it may ask often.
"""

import fcntl
import os
import sqlite3
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from sqlalchemy.engine import Connection

POLL_S = 0.0005
"""How often the one at the turnstile asks for the write lock."""

PATIENCE_S = 30.0
"""How long it asks before SQLite's own `database is locked` is let through."""


def take_turn(connection: Connection) -> None:
    """Begin a write transaction when it is this connection's turn.

    Raises:
        sqlalchemy.exc.OperationalError: The database is locked by a writer that does not end, or
            cannot be written.
    """
    with _turnstile(str(connection.engine.url.database)):
        deadline = time.monotonic() + PATIENCE_S
        connection.exec_driver_sql("PRAGMA busy_timeout = 0")
        try:
            while time.monotonic() < deadline:
                with suppress(_Busy):
                    _begin(connection)
                    return
                time.sleep(POLL_S)
        finally:
            connection.exec_driver_sql(f"PRAGMA busy_timeout = {int(PATIENCE_S * 1000)}")
        connection.exec_driver_sql("BEGIN IMMEDIATE")


class _Busy(Exception):  # noqa: N818  # never leaves this module
    pass


def _begin(connection: Connection) -> None:
    driver = connection.connection.driver_connection
    if driver is None:
        return
    try:
        driver.execute("BEGIN IMMEDIATE").close()
    except sqlite3.OperationalError as error:
        if error.sqlite_errorcode & 0xFF == sqlite3.SQLITE_BUSY:
            raise _Busy from None
        # Again, for SQLAlchemy to tell it as it tells all errors.
        connection.exec_driver_sql("BEGIN IMMEDIATE")


@contextmanager
def _turnstile(database: str) -> Iterator[None]:
    """Wait for the turn; where no file can be made beside the database, there is none."""
    path = Path(f"{database}-turn")
    try:
        handle = os.open(path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
    except OSError:
        yield
        return
    try:
        fcntl.flock(handle, fcntl.LOCK_EX)
        yield
    finally:
        os.close(handle)
