"""Keeps what was followed: each moment in one transaction, checkpoints on a schedule."""

from collections.abc import Generator, Iterable
from dataclasses import dataclass
from datetime import UTC, datetime

from audit.sealing import sealed_every
from audit.settings import Settings
from audit.store import Store
from audit.tables import TableStart
from audit.watch.follow import Moment
from audit.watch.picture import LivePicture


@dataclass(frozen=True, slots=True)
class Recording:
    """Where a table's moments are kept, and how."""

    store: Store
    settings: Settings
    table: str
    start: TableStart
    anchor: datetime
    """The moment at which the source's line of time is 0."""

    def keep(self, moments: Iterable[Moment]) -> Generator[Moment, None, None]:
        """Pass moments on, each once it is in the record.

        However watching ends, the record says that it did, and is sealed.

        Raises:
            StoreError: The record cannot be written; what was acknowledged before is in it.
        """
        picture = LivePicture(self.settings.live_dir, self.table)
        with sealed_every(self.store, self.settings.checkpoint_every_s):
            self.store.table_started(self.table, self.start, at=datetime.now(UTC))
            reason = "stopped"
            try:
                for moment in moments:
                    if any((moment.step.sightings, moment.step.findings, moment.step.rounds)):
                        self.store.record(self.table, moment.step, anchor=self.anchor)
                    if moment.observation is not None:
                        picture.show(moment.observation)
                    yield moment
                reason = "the source ended"
            finally:
                self.store.table_stopped(self.table, at=datetime.now(UTC), reason=reason)
