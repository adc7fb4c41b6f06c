"""The work of telling others: which events wait for which subscription.

It stands beside the record, not in it: it follows from no entry, and nothing of the record follows
from it. Only what was given up is an entry.
"""

from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime, timedelta

from sqlalchemy import func
from sqlmodel import Session, col, select

from audit.chain import SYSTEM, EntryKind
from audit.desk_records import OutboxRecord, WebhookDeliveryRecord, WebhookPlaceRecord
from audit.errors import NotInRecord
from audit.outbox import OutboxEvent
from audit.store.asking import PAGE
from audit.store.unit import Unit, is_postgresql, view, visible_bound
from audit.store.writing import Writer, now_or

BATCH = 500
"""The most events that are looked at in one transaction."""

LEASE = timedelta(seconds=60)
"""How long a delivery is one process's: when it dies meanwhile, another tries again."""

BACKOFF_S = (5, 30, 120, 600, 1800, 3600, 10_800, 21_600, 43_200, 86_400)
"""After which seconds a delivery that failed is tried again: for about two days, then given up."""


@dataclass(frozen=True, slots=True)
class Delivery:
    """One event on its way to one subscription."""

    subscription: str
    entry: int
    event: str
    attempts: int
    """How often it was tried."""
    due: datetime | None
    """When it is tried next; None when it arrived or was given up."""
    done: datetime | None
    """When it arrived."""
    problem: str
    """What was wrong at the last try; empty when nothing was."""


class WebhookActs(Writer):
    """The work of telling others."""

    def queue_events(
        self,
        subscription: str,
        wants: Callable[[OutboxEvent], bool],
        *,
        at: datetime | None = None,
    ) -> int:
        """Queue the new events that a subscription wants; return how many.

        A subscription that was never seen begins with what comes next, not with the past.
        """
        now = now_or(at)
        if not self._read(lambda session: _has_news(session, subscription)):
            return 0

        def work(session: Session) -> int:
            place = _place(session, subscription)
            if place is None:
                last = session.scalar(select(func.max(col(OutboxRecord.entry)))) or 0
                session.add(WebhookPlaceRecord(subscription=subscription, after=last))
                return 0
            queued = 0
            for event in _events_after(session, place.after):
                place.after = event.entry
                if wants(event):
                    queued += 1
                    session.add(_waiting(subscription, event, now))
            session.add(place)
            return queued

        return self._transact(work)

    def take_delivery(self, subscription: str, *, at: datetime | None = None) -> Delivery | None:
        """Return the next delivery that is due, for a minute this caller's own; None: none is."""
        now = now_or(at)
        record = WebhookDeliveryRecord
        query = (
            select(record)
            .where(col(record.subscription) == subscription, col(record.due) <= now)
            .order_by(col(record.due), col(record.entry))
            .limit(1)
        )
        if self._read(lambda session: session.scalars(query).first()) is None:
            return None

        def work(session: Session) -> Delivery | None:
            found = session.scalars(query.with_for_update(skip_locked=True)).first()
            if found is None:
                return None
            found.attempts += 1
            found.due = now + LEASE
            session.add(found)
            session.flush()
            return _view(found)

        return self._transact(work)

    def settle_delivery(
        self, delivery: Delivery, problem: str | None, *, at: datetime | None = None
    ) -> None:
        """Keep how a try ended: it arrived, is to be tried again, or is given up.

        What is given up is an entry of the record.
        """
        now = now_or(at)

        def work(unit: Unit) -> None:
            key = (delivery.subscription, delivery.entry)
            found = unit.session.get(WebhookDeliveryRecord, key)
            if found is None or found.done is not None:
                return  # It arrived meanwhile, by a process that was slower.
            found.problem = problem or ""
            found.done = None if problem else now
            found.due = _next_try(delivery, now) if problem else None
            unit.session.add(found)
            unit.session.flush()
            if problem and found.due is None:
                body = {
                    "subscription": delivery.subscription,
                    "event": delivery.event,
                    "attempts": delivery.attempts,
                    "problem": problem,
                }
                unit.append(EntryKind.WEBHOOK_FAILED, body, now)

        self._write(SYSTEM, work)

    def outbox_event(self, entry: int) -> OutboxEvent:
        """Return what others are told of an entry.

        Raises:
            NotInRecord: They are told nothing of it.
        """
        where = col(OutboxRecord.entry) == entry
        found = self._rows(OutboxEvent, where, order=col(OutboxRecord.entry))
        if not found:
            raise NotInRecord(f"nobody is told of entry {entry}")
        return found[0]

    def deliveries(self, *, waiting: bool | None = None, limit: int = PAGE) -> list[Delivery]:
        """Return deliveries, the newest event first.

        Args:
            waiting: Only those that wait (true) or only those that do not (false).
            limit: At most this many.
        """
        record = WebhookDeliveryRecord
        query = select(record).order_by(col(record.entry).desc(), col(record.subscription))
        if waiting is not None:
            due = col(record.due)
            query = query.where(due.is_not(None) if waiting else due.is_(None))
        return self._read(
            lambda session: [_view(row) for row in session.scalars(query.limit(limit))]
        )


def _next_try(delivery: Delivery, now: datetime) -> datetime | None:
    if delivery.attempts > len(BACKOFF_S):
        return None
    return now + timedelta(seconds=BACKOFF_S[delivery.attempts - 1])


def _place(session: Session, subscription: str) -> WebhookPlaceRecord | None:
    lock = is_postgresql(session)
    return session.get(WebhookPlaceRecord, subscription, with_for_update=lock)


def _has_news(session: Session, subscription: str) -> bool:
    place = session.get(WebhookPlaceRecord, subscription)
    if place is None:
        return True
    return bool(_events_after(session, place.after, most=1))


def _events_after(session: Session, after: int, most: int = BATCH) -> list[OutboxEvent]:
    """Return events in order, up to where none can appear later before them."""
    bound = visible_bound(session)
    query = select(OutboxRecord).where(col(OutboxRecord.entry) > after)
    if bound is not None:
        query = query.where(col(OutboxRecord.entry) <= bound)
    query = query.order_by(col(OutboxRecord.entry)).limit(most)
    return [view(OutboxEvent, row) for row in session.scalars(query)]


def _waiting(subscription: str, event: OutboxEvent, now: datetime) -> WebhookDeliveryRecord:
    return WebhookDeliveryRecord(
        subscription=subscription,
        entry=event.entry,
        event=event.event,
        attempts=0,
        due=now,
        done=None,
        problem="",
    )


def _view(row: WebhookDeliveryRecord) -> Delivery:
    return Delivery(
        subscription=row.subscription,
        entry=row.entry,
        event=row.event,
        attempts=row.attempts,
        due=row.due,
        done=row.done,
        problem=row.problem,
    )
