"""Feeds of wagers, payouts and decisions: from a file beside a video, or from the record."""

import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

from audit.chain import EntryKind
from audit.errors import SettingsError
from audit.store import Store
from rules.errors import RulesError
from rules.events import Sighting
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


class RecordFeed:
    """What came over the network for a live table: the web interface has put it into the record."""

    def __init__(self, store: Store, table: str) -> None:
        self._store, self._table = store, table
        self._last = store.last_id()

    def until(self, at: float) -> Iterator[Reported]:
        """Give what was reported since; its own times may be a little behind or ahead."""
        del at
        for entry in self._store.entries_after(self._last, table=self._table, kinds=_REPORTS):
            self._last = entry.id
            if entry.body.get("corrects") is not None:
                continue  # A slip put right on paper: nothing happened at the table.
            kind = "wager" if entry.kind is EntryKind.WAGER_PLACED else "payout"
            event = parse_feed_event(entry.body | {"kind": kind})
            yield Reported(Sighting(event, entry.at.timestamp()), recorded=True)


def read_feed(path: Path) -> FileFeed:
    """Return the feed in a file of JSON lines.

    Raises:
        SettingsError: The file cannot be read, or a line of it is wrong; the first one is named.
    """
    sightings = []
    try:
        lines = path.read_text(encoding="utf-8").splitlines()
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
            sightings.append(parse_feed_line(json.loads(line)))
        except json.JSONDecodeError as error:
            raise SettingsError(
                f"{path}: line {number}: not JSON: {error.msg} at column {error.colno}"
            ) from None
        except RulesError as error:
            raise SettingsError(f"{path}: line {number}: {error}") from None
        except (ValueError, RecursionError) as error:
            raise SettingsError(f"{path}: line {number}: not JSON: {error}") from None
    return FileFeed(sightings)
