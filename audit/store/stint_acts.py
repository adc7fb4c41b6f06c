"""Who deals at a table, as it is told."""

from dataclasses import dataclass
from datetime import datetime

from sqlmodel import col, select

from audit.chain import EntryKind, utc_text
from audit.desk_records import StintRecord
from audit.errors import RecordConflict
from audit.payouts import FeedSource
from audit.stints import Stint
from audit.store.unit import Unit, view
from audit.store.writing import NAME_LENGTH, fit


@dataclass(frozen=True, slots=True)
class DealerNote:
    """A dealer who comes or goes, as somebody reports it."""

    dealer: str
    source: FeedSource = FeedSource.DEALER_SCREEN
    user: str | None = None
    client_id: str | None = None


def write_dealer(unit: Unit, note: DealerNote, at: datetime, *, on: bool) -> None:
    """Write that a dealer came on or went off, unless that is known.

    Raises:
        RecordConflict: The client id names another dealer, or the moment lies before the last
            change of dealers.
    """
    dealer = fit("dealer", note.dealer, most=NAME_LENGTH)
    if on and note.client_id is not None:
        told = _under(unit, note.client_id)
        if told is not None and told.dealer != dealer:
            raise RecordConflict(f"client id {note.client_id!r} already names {told.dealer!r}")
        if told is not None:
            return
    current = dealing_now(unit)
    dealing = current is not None and current.dealer == dealer
    if dealing == on:
        return
    if current is not None and at < current.started:
        raise RecordConflict(
            f"at: found {utc_text(at)}, expected a moment from {utc_text(current.started)} on, "
            f"when {current.dealer!r} began"
        )
    body = {
        "dealer": dealer,
        "source": note.source.value,
        "user": note.user,
        "client_id": note.client_id,
        "since": None if current is None else current.entry,
    }
    unit.append(EntryKind.DEALER_ON if on else EntryKind.DEALER_OFF, body, at)


def dealing_now(unit: Unit) -> Stint | None:
    """Return who deals at the unit's table, if anybody."""
    query = (
        select(StintRecord)
        .where(col(StintRecord.table) == unit.chain, col(StintRecord.ended).is_(None))
        .order_by(col(StintRecord.entry).desc())
        .limit(1)
    )
    found = unit.session.scalars(query).first()
    return None if found is None else view(Stint, found)


def _under(unit: Unit, client_id: str) -> Stint | None:
    query = select(StintRecord).where(
        col(StintRecord.table) == unit.chain, col(StintRecord.client_id) == client_id
    )
    found = unit.session.scalars(query).first()
    return None if found is None else view(Stint, found)
