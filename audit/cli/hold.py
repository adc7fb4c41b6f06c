"""`pitwatch hold`: legal holds on footage."""

import getpass
from contextlib import closing
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

from audit.cli.output import print_json, print_line
from audit.cli.places import settings_for
from audit.cli.verify import existing_record
from audit.errors import SettingsError
from audit.evidence.holds import Hold
from audit.evidence.windows import span_of_round
from audit.store import NewHold, Store, open_store


@dataclass(frozen=True, slots=True)
class Held:
    """What is to be held: a round, or a time at a table."""

    round: str | None = None
    table: str | None = None
    since: datetime | None = None
    until: datetime | None = None


def open_record(data: Path | None) -> Store:
    """Open a record that is there to write to it.

    Raises:
        StoreError: There is none.
    """
    settings = settings_for(data)
    existing_record(settings).close()
    return open_store(settings.database_url, settings.data_dir)


def who(user: str | None) -> str:
    """Return the name under which somebody acts: the one given, or this machine's account."""
    return user or getpass.getuser()


def place_hold(held: Held, *, reason: str, user: str | None, data: Path | None) -> int:
    """Place a hold.

    Raises:
        AuditError: The round or time is none, or the record cannot be written.
    """
    with closing(open_record(data)) as store:
        hold = store.place_hold(_new(store, held, reason), user=who(user))
        print_line(_told(hold))
    return 0


def _new(store: Store, held: Held, reason: str) -> NewHold:
    if held.round is not None and held.table is None:
        recorded = store.round(held.round)
        span = span_of_round(store, recorded.table, recorded.round, recorded.entry)
        if span is None:
            raise SettingsError(f"round {held.round!r}: still being played; expected a past round")
        return NewHold(recorded.table, span.since, span.until, reason, held.round)
    if held.table is None or held.round is not None or held.since is None or held.until is None:
        raise SettingsError("expected --round, or --table with --since and --until")
    since, until = (at.replace(tzinfo=UTC) for at in (held.since, held.until))
    return NewHold(held.table, since, until, reason)


def list_holds(*, every: bool, data: Path | None, json: bool) -> int:
    """List holds.

    Raises:
        StoreError: There is no record, or it cannot be read.
    """
    with closing(existing_record(settings_for(data))) as reader:
        holds = reader.holds(active=not every)
    for hold in holds:
        if json:
            print_json(_json(hold))
        else:
            print_line(_told(hold))
    if not holds and not json:
        print_line("No holds.")
    return 0


def release_hold(number: int, *, user: str | None, note: str, data: Path | None) -> int:
    """Release a hold, as the first or the second of two people.

    Raises:
        AuditError: There is no such hold, or this person may not end it.
    """
    with closing(open_record(data)) as store:
        hold = store.release_hold(number, user=who(user), note=note)
        print_line(_told(hold))
    return 0


def _told(hold: Hold) -> str:
    if hold.released is not None:
        state = f"released by {hold.release_by} and {hold.released_by}"
    elif hold.release_by is not None:
        state = f"holds; {hold.release_by} has asked for its release, a second person is needed"
    else:
        state = "holds"
    what = f"round {hold.round}" if hold.round else f"table {hold.table}"
    return (
        f"hold {hold.number}: {what}, {hold.since:%F %T} to {hold.until:%F %T} UTC, {state} "
        f"(placed by {hold.placed_by}: {hold.reason})"
    )


def _json(hold: Hold) -> dict[str, object]:
    values = {name: getattr(hold, name) for name in Hold.__dataclass_fields__}
    return {
        name: value.isoformat() if isinstance(value, datetime) else value
        for name, value in values.items()
    }
