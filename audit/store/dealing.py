"""Who dealt at a moment, as a condition of queries."""

from datetime import datetime

from sqlalchemy import ColumnElement, SQLColumnExpression, and_, or_
from sqlmodel import col

from audit.desk_records import StintRecord


def dealt_at(
    table: SQLColumnExpression[str], at: SQLColumnExpression[datetime]
) -> ColumnElement[bool]:
    """Return when a stint covers a moment at a table: at most one does."""
    stint = StintRecord
    return and_(
        col(stint.table) == table,
        col(stint.started) <= at,
        or_(col(stint.ended).is_(None), col(stint.ended) > at),
    )
