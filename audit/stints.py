"""Who dealt at a table, and when."""

from dataclasses import dataclass
from datetime import datetime

from audit.payouts import FeedSource


@dataclass(frozen=True, slots=True)
class Stint:
    """The time of one dealer at one table."""

    entry: int
    """The entry that says that the dealer came on."""
    table: str
    dealer: str
    """As the house names the dealer: a name or a number."""
    started: datetime
    ended: datetime | None
    """None while it lasts."""
    source: FeedSource
    user: str | None
    """Who said so, where a person did."""
    client_id: str | None
