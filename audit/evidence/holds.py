"""Legal holds: what they cover is not deleted until two different people have released them."""

from dataclasses import dataclass
from datetime import datetime

from audit.approvals import same_person
from audit.errors import OnePerson, RecordConflict
from audit.tables import table_filmed


@dataclass(frozen=True, slots=True)
class Hold:
    """A legal hold on a time of a table."""

    number: int
    """From 1, without holes."""
    table: str
    since: datetime
    until: datetime
    """What is held: all footage that has a part in this time."""
    round: str | None
    """The round that it was placed for, when it was one."""
    reason: str
    placed_by: str
    placed: datetime
    release_by: str | None
    """The first of the two who release it."""
    release_asked: datetime | None
    released_by: str | None
    """The second one; None while it holds."""
    released: datetime | None
    entry: int
    """The entry that last changed it."""

    @property
    def holds(self) -> bool:
        """Whether it still protects what it covers."""
        return self.released is None

    def covers(self, table: str, since: datetime, until: datetime) -> bool:
        """Say whether a piece of footage has a part in what is held, of either camera."""
        of_it = self.table in (table, table_filmed(table))
        return of_it and since < self.until and until > self.since


def is_second_release(hold: Hold, user: str) -> bool:
    """Say whether a release by this user is the second one, which ends the hold.

    Raises:
        RecordConflict: It is released already.
        OnePerson: This user has asked for the release before.
    """
    if not hold.holds:
        raise RecordConflict(f"hold {hold.number} was released by {hold.released_by} already")
    if hold.release_by is None:
        return False
    if same_person(hold.release_by, user):
        raise OnePerson(
            f"hold {hold.number}: {user} has asked for its release; expected a second person"
        )
    return True
