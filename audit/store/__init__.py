"""The audit store: the append-only record and every query on it.

`open_store` gives a `Store`, which makes or updates the database as needed. The watcher writes with
`Store.record`; the web reads with the queries of `Reader` and follows with `entries_after`.
"""

from datetime import UTC, datetime
from pathlib import Path

from audit.chain import SYSTEM
from audit.checkpoint import traces_in
from audit.keys import make_key, public_text
from audit.policy import Policy
from audit.store.acts import EVENT_KINDS, JudgedRound, ProvedFinding, Step, Written
from audit.store.alert_acts import Answer
from audit.store.case_acts import Link
from audit.store.footage import SegmentQuery
from audit.store.footage_acts import NewHold
from audit.store.opening import open_database, open_existing
from audit.store.payout_acts import WagerAt
from audit.store.reading import AlertQuery, PayoutQuery, Reader
from audit.store.searching import Amount, EntrySearch, LineKey, PayoutSearch
from audit.store.searching_rounds import RoundSearch
from audit.store.stint_acts import DealerNote
from audit.store.store import EPOCH, Store


def open_store(database: str, data_dir: Path, policy: Policy | None = None) -> Store:
    """Open the record, making it or bringing an older one up to date first.

    The first start also makes the key that signs checkpoints and names it in the record.

    Args:
        database: `sqlite:///FILE` or `postgresql://USER:PASSWORD@HOST/NAME`.
        data_dir: Where the signing key and the checkpoint file lie; made when missing.
        policy: How alerts are treated; the shipped one when left out.

    Raises:
        StoreError: One line that says what is wrong with the database or folder, and what to do.
    """
    store = Store(open_database(database, traces=traces_in(data_dir)), data_dir, policy)
    if not store.entries_after(table=SYSTEM, limit=1):
        key = make_key(data_dir)
        store.name_first_key(public_text(key), at=datetime.now(UTC))
    return store


def open_reader(database: str) -> Reader:
    """Open a record that is there to read it, changing nothing: no key, no newer version.

    Raises:
        StoreError: There is none, it is of another version, or it cannot be read.
    """
    return Reader(open_existing(database))


__all__ = [
    "EPOCH",
    "EVENT_KINDS",
    "AlertQuery",
    "Amount",
    "Answer",
    "DealerNote",
    "EntrySearch",
    "JudgedRound",
    "LineKey",
    "Link",
    "NewHold",
    "PayoutQuery",
    "PayoutSearch",
    "ProvedFinding",
    "Reader",
    "RoundSearch",
    "SegmentQuery",
    "Step",
    "Store",
    "WagerAt",
    "Written",
    "open_reader",
    "open_store",
]
