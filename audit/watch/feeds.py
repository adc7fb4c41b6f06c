"""Feeds of wagers, payouts and decisions: from a file beside a video, or from the record."""

import json
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

from audit.chain import Entry, EntryKind
from audit.errors import SettingsError, StoreAway
from audit.payouts import FeedSource
from audit.store import Store
from rules.errors import RulesError
from rules.events import Sighting
from rules.games.base import AnyGame
from rules.record_json import each_once
from rules.wire import parse_feed_event, parse_feed_line


@dataclass(frozen=True, slots=True)
class Reported:
    """What a feed told."""

    sighting: Sighting
    recorded: bool
    """Whether it is an entry of the record already, as what comes over the network is."""


_REPORTS = (EntryKind.WAGER_PLACED, EntryKind.PAYOUT_MADE)


class Feed(Protocol):
    """What is told of a table beside the pictures."""

    def until(self, at: float) -> Iterator[Reported]:
        """Give what was told up to a moment on the source's line of time and not given before."""


class FileFeed:
    """A feed recorded beside a video, in media time."""

    def __init__(self, sightings: Sequence[Sighting] = ()) -> None:
        self._waiting = sorted(sightings, key=lambda sighting: sighting.at)

    def until(self, at: float) -> Iterator[Reported]:
        """Give the lines up to a moment."""
        while self._waiting and self._waiting[0].at <= at:
            yield Reported(self._waiting.pop(0), recorded=False)


class Record(Protocol):
    """Where a record may be read, unless it is away."""

    @property
    def store(self) -> Store | None:
        """The record; None while the database is away."""


class RecordFeed:
    """What came over the network for a live table: the web interface has put it into the record."""

    def __init__(self, record: Record, table: str) -> None:
        self._record, self._table = record, table
        self._last: int | None = None
        self._not_before = 0.0
        self._entries()

    def until(self, at: float) -> Iterator[Reported]:
        """Give what was reported since; its own times may be a little behind or ahead.

        While the database is away nothing is given; what is reported then follows later.
        """
        del at
        for entry in self._entries():
            self._last = entry.id
            if entry.body.get("source") == FeedSource.IMPORT:
                continue  # A file tells of rounds that are over.
            if entry.body.get("corrects") is not None:
                continue  # A slip put right on paper: nothing happened at the table.
            kind = "wager" if entry.kind is EntryKind.WAGER_PLACED else "payout"
            event = parse_feed_event(entry.body | {"kind": kind})
            yield Reported(Sighting(event, entry.at.timestamp()), recorded=True)

    def _entries(self) -> list[Entry]:
        store = self._record.store
        begun = time.monotonic()
        if store is None or begun < self._not_before:
            return []
        try:
            if self._last is None:
                self._last = store.last_id()
            return store.entries_after(self._last, table=self._table, kinds=_REPORTS)
        except StoreAway:
            # Asking took time from watching: the longer it took, the later it is asked again.
            now = time.monotonic()
            self._not_before = now + max(1.0, 10 * (now - begun))
            return []


def read_feed(path: Path, game: AnyGame) -> FileFeed:
    """Return the feed in a file of JSON lines.

    Args:
        path: The file.
        game: The game of the table; what it does not have is no line of its feed.

    Raises:
        SettingsError: The file cannot be read, or a line of it is wrong; the first one is named.
    """
    sightings = []
    try:
        lines = path.read_text(encoding="utf-8-sig").splitlines()
    except OSError as error:
        raise SettingsError(f"{path}: cannot be read ({error.strerror})") from None
    except UnicodeDecodeError:
        raise SettingsError(
            f"{path}: found bytes that are not UTF-8 (expected JSON lines)"
        ) from None
    for number, line in enumerate(lines, start=1):
        if not line.strip():
            continue
        try:
            sightings.append(parse_feed_line(json.loads(line, object_pairs_hook=each_once), game))
        except json.JSONDecodeError as error:
            raise SettingsError(
                f"{path}: line {number}: not JSON: {error.msg} at column {error.colno}"
            ) from None
        except RulesError as error:
            raise SettingsError(f"{path}: line {number}: {error}") from None
        except (ValueError, RecursionError) as error:
            raise SettingsError(f"{path}: line {number}: not JSON: {error}") from None
    return FileFeed(sightings)
