"""Follows the record: entries after a number, as they come, without loss or repetition."""

import asyncio
import re
import time
from collections import Counter
from collections.abc import AsyncIterator, Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from threading import Event

from starlette.concurrency import run_in_threadpool

from audit.auth.door import Door
from audit.auth.sessions import Who
from audit.chain import Entry
from audit.errors import AuditError, StoreError

BATCH = 500
"""Entries read at a time: enough to catch up fast, few enough to keep memory flat."""

_ID = re.compile(r"[0-9]{1,18}")
"""An entry's id as text; more digits than a database's number has are none of ours."""

EntriesAfter = Callable[[int, int], Sequence[Entry]]
"""Reads at most so many entries (second) with an id above a number (first), ascending by id."""


@dataclass(frozen=True, slots=True)
class Pace:
    """How a stream follows the record."""

    poll_s: float
    """How long to wait when there is nothing new, in seconds."""
    life_s: float
    """When to end, in seconds after the beginning; the browser then asks again and goes on."""


def resume_point(last_event_id: str | None, after: int | None, head: int) -> int:
    """Return the entry after which a stream begins.

    A browser that reconnects sends the last number it got, which counts more than the `after` of an
    address that it was opened with long ago. With neither, only what is new is sent.

    >>> resume_point("41", 7, 100), resume_point(None, 7, 100), resume_point("", None, 100)
    (41, 7, 100)
    """
    if last_event_id and _ID.fullmatch(last_event_id):
        return int(last_event_id)
    return head if after is None else after


MOST_STREAMS = 8
"""Streams that one session or key may have open. Tabs of a browser share one; one that cannot share
has six connections to a host at most."""


class TooManyStreams(AuditError):  # noqa: N818  # named for what was asked for
    """A session or key has as many streams open as it may."""


class Streams:
    """Counts the streams that are open; used by the event loop alone."""

    def __init__(self) -> None:
        self._open: Counter[str] = Counter()

    @contextmanager
    def one_more(self, who: Who) -> Iterator[None]:
        """Count a stream while it lasts.

        Raises:
            TooManyStreams: There are enough already.
        """
        name = who.session.digest if who.session else who.name
        if self._open[name] >= MOST_STREAMS:
            raise TooManyStreams(
                f"found {MOST_STREAMS} streams open, expected at most {MOST_STREAMS} for a session "
                "or key; close one first"
            )
        self._open[name] += 1
        try:
            yield
        finally:
            self._open[name] -= 1
            self._open += Counter()  # forgets those who have none


ALIVE_S = 5.0
"""How often a stream sees whether its session or key still holds, in seconds."""


def while_signed_in(read: EntriesAfter, who: Who, door: Door) -> EntriesAfter:
    """Return a reading of the record that ends when the session does, or the key.

    Args:
        read: Reads entries after a number.
        who: Who follows.
        door: Knows the sessions and keys.
    """
    looked = time.monotonic()

    def read_on(last: int, limit: int) -> Sequence[Entry]:
        nonlocal looked
        if time.monotonic() - looked >= ALIVE_S:
            looked = time.monotonic()
            if not door.alive(who):
                raise StoreError("the session has ended, or the key was revoked")
        return read(last, limit)

    return read_on


async def follow(
    read: EntriesAfter, after: int, pace: Pace, closing: Event | None = None
) -> AsyncIterator[Entry]:
    """Yield every entry after a number, once and in order, until the stream's life is over.

    A record that cannot be read for the moment ends the stream; the browser asks again and loses
    nothing. The database is read in a thread, so that no other request waits.

    Args:
        read: Reads entries after a number.
        after: The id of the last entry that the listener has.
        pace: How often to look, and for how long.
        closing: Set when the server is to end; the stream ends then as well.
    """
    end = time.monotonic() + pace.life_s
    last = after
    while time.monotonic() < end and not (closing and closing.is_set()):
        try:
            entries = await run_in_threadpool(read, last, BATCH)
        except StoreError:
            return
        for entry in entries:
            yield entry
            last = entry.id
        if not entries:
            await asyncio.sleep(pace.poll_s)
