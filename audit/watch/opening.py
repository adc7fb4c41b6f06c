"""Opening the record for a watcher, also while the database is away."""

from datetime import datetime

from audit.courier import Courier
from audit.errors import StoreAway
from audit.policy import load_policy
from audit.settings import Settings
from audit.spool import Spool, spool_file
from audit.store import Store, open_store
from audit.watch.naming import rounds_of
from rules.reader import Naming

SETTLE_S = 10.0
"""How long to wait at the start until what an earlier run left is recorded, in seconds."""


def open_courier(settings: Settings, table: str) -> Courier:
    """Return the courier to the record.

    Where this table was watched before, watching begins also while the database is away; elsewhere
    an address that leads nowhere is told at once.

    Raises:
        SettingsError: Another process watches this table.
        StoreError: The record cannot be opened.
    """
    policy = load_policy(settings.alert_policy)

    def opening() -> Store:
        return open_store(settings.database_url, settings.data_dir, policy)

    path = spool_file(settings.data_dir, table)
    known = path.exists()
    spool = Spool(path)
    try:
        return Courier(opening(), spool, table)
    except StoreAway:
        if not known:
            spool.discard()
            raise
        return Courier(opening, spool, table)


def names_for(table: str, courier: Courier | None, *, now: datetime, live: bool) -> Naming:
    """Return how rounds are called: after the record's last, or after the run while that is away.

    Args:
        table: The table's name.
        courier: The way to the record; None when nothing is recorded.
        now: The day of the names, UTC.
        live: Whether the source's line of time is Unix seconds.
    """
    if courier is None:
        return rounds_of(table, None, now=now, live=live)
    # Rounds that an earlier run left in the spool come first.
    store = courier.store if courier.settle(SETTLE_S) else None
    run = courier.run[:8] if store is None else ""
    return rounds_of(table, store, now=now, live=live, run=run)
