"""The kinds of columns that the tables of the record share."""

from datetime import datetime

from sqlalchemy import BigInteger, Column

from audit.database import UtcDateTime


def moment_column(*, nullable: bool = False) -> Column[datetime]:
    """Return a column for a moment in UTC."""
    return Column(UtcDateTime(), nullable=nullable)


def entry_column(*, primary_key: bool = False) -> Column[int]:
    """Return a column for the id of an entry."""
    return Column(BigInteger(), primary_key=primary_key, nullable=False, autoincrement=False)


def whole_column(*, nullable: bool = False) -> Column[int]:
    """Return a column for a whole number beyond 32 bits."""
    return Column(BigInteger(), nullable=nullable)
