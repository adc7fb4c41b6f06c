"""Keeps what was followed: each moment as one act of the courier, checkpoints on a schedule."""

from collections.abc import Generator, Iterable
from contextlib import nullcontext
from dataclasses import dataclass
from datetime import UTC, datetime

from audit.chain import EntryKind
from audit.courier import Courier
from audit.sealing import sealed_every
from audit.settings import Settings
from audit.stamping import stamper_for
from audit.store.acts import moment as moment_at
from audit.store.delivery import Noted, Started, Stepped, Stopped
from audit.tables import TableStart
from audit.watch.filming import Filming
from audit.watch.follow import Moment
from audit.watch.picture import LivePicture
from audit.watch.tracing import Trace
from vision.pace import Lag


@dataclass(frozen=True, slots=True)
class Recording:
    """Where a table's moments are kept, and how."""

    courier: Courier
    settings: Settings
    table: str
    start: TableStart
    anchor: datetime
    """The moment at which the source's line of time is 0."""
    filming: Filming | None = None
    """What records the table's video meanwhile; None where nothing does."""

    def keep(self, moments: Iterable[Moment]) -> Generator[Moment, None, None]:
        """Pass moments on, each once it is in the record, or in the spool while that is away.

        However watching ends, the record says that it did, and is sealed.

        Raises:
            AuditError: The record refuses what was seen; what was acknowledged before is in it.
        """
        picture = LivePicture(self.settings.live_dir, self.table)
        with sealed_every(
            self.courier, self.settings.checkpoint_every_s, stamper_for(self.settings)
        ):
            self.courier.keep(Started(self.start, datetime.now(UTC)))
            reason = "stopped"
            film = nullcontext() if self.filming is None else self.filming.rolling()
            try:
                with film:
                    yield from self._followed(moments, picture)
                reason = "the source ended"
            finally:
                self.courier.keep(Stopped(reason, datetime.now(UTC)))

    def _followed(
        self, moments: Iterable[Moment], picture: LivePicture
    ) -> Generator[Moment, None, None]:
        trace = Trace(self.settings.data_dir, self.table, self.anchor)
        for moment in moments:
            if any((moment.step.sightings, moment.step.findings, moment.step.rounds)):
                self.courier.keep(Stepped(moment.step, self.anchor))
            if moment.lag is not None:
                self.courier.keep(_noted(moment.lag, moment_at(self.anchor, moment.at)))
            if moment.observation is not None:
                picture.show(moment.observation)
                trace.note(moment.observation)
                if self.filming is not None and moment.observation.frame is not None:
                    self.filming.see()
            yield moment


def _noted(lag: Lag, at: datetime) -> Noted:
    """Return the entry that says how far watching is behind, or that it keeps up again."""
    if lag.is_over:
        return Noted(EntryKind.TABLE_CAUGHT_UP, {}, at)
    body = {"late_s": round(lag.late_s), "left_out": round(100 * lag.left_out)}
    return Noted(EntryKind.TABLE_BEHIND, body, at)
