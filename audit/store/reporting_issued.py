"""Which reports were issued, as the record lists them."""

from sqlalchemy import ColumnElement, select
from sqlmodel import col

from audit.issued import IssuedReport
from audit.records import IssuedReportRecord
from audit.store.reporting import Snapshot
from audit.store.unit import view


def issued_as(snapshot: Snapshot, sha256: str) -> IssuedReport | None:
    """Return the report that a file with this hash was issued as; None when there is none."""
    return _issued(snapshot, col(IssuedReportRecord.sha256) == sha256)


def issued_named(snapshot: Snapshot, name: str) -> IssuedReport | None:
    """Return the report with a name; None when there is none."""
    return _issued(snapshot, col(IssuedReportRecord.report) == name)


def _issued(snapshot: Snapshot, where: ColumnElement[bool]) -> IssuedReport | None:
    query = select(IssuedReportRecord).where(where).order_by(col(IssuedReportRecord.entry)).limit(1)
    row = snapshot.session.scalars(query).first()
    return None if row is None else view(IssuedReport, row)


def issued_reports(
    snapshot: Snapshot, *, schedule: str | None = None, limit: int = 50
) -> list[IssuedReport]:
    """Return reports that were issued, the newest first.

    Args:
        snapshot: The record.
        schedule: Only those of this schedule.
        limit: At most this many.
    """
    row = IssuedReportRecord
    query = select(row).order_by(col(row.entry).desc()).limit(limit)
    if schedule is not None:
        query = query.where(col(row.schedule) == schedule)
    return [view(IssuedReport, found) for found in snapshot.session.scalars(query)]
