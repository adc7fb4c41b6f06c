"""Tells others: sends what waits in the outbox, and passes on alerts that nobody took up.

It runs beside the web interface, in threads of its own: one a subscription, so that a receiver that
is slow or away holds up neither the others nor anybody who writes into the record.
"""

import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager

import structlog

from audit.errors import AuditError
from audit.outbox import OutboxEvent, payload
from audit.store import Store
from audit.store.webhook_acts import Delivery
from audit.webhooks import Message, Subscription, send

_log = structlog.get_logger()

POLL_S = 1.0
"""How often the outbox is looked at, in seconds."""

ESCALATE_S = 5.0
"""How often alerts are looked through for those that nobody took up, in seconds."""

Send = Callable[[Subscription, Message], str | None]
"""Sends one message; returns what went wrong, or None."""


@contextmanager
def telling(
    store: Store, subscriptions: Sequence[Subscription], *, sender: Send = send
) -> Iterator[None]:
    """Tell subscriptions and pass on alerts while the body runs.

    What is under way when the body ends is finished or, after a crash, tried again: every event
    arrives at least once, and its id says whether it has been there before.
    """
    over = threading.Event()
    threads = [_thread("escalation", over, ESCALATE_S, lambda: _escalate(store))]
    for one in subscriptions:

        def work(subscription: Subscription = one) -> None:
            tell(store, subscription, over, sender)

        threads.append(_thread(f"webhook {one.name}", over, POLL_S, work))
    try:
        yield
    finally:
        over.set()
        for thread in threads:
            thread.join()


def _thread(
    name: str, over: threading.Event, seconds: float, work: Callable[[], None]
) -> threading.Thread:
    def run() -> None:
        while not over.wait(seconds):
            try:
                work()
            except AuditError as error:
                # The record is away for the moment; nothing is lost, and the next round tries.
                _log.warning("messenger.failed", work=name, reason=str(error))

    thread = threading.Thread(target=run, name=name, daemon=True)
    thread.start()
    return thread


def _escalate(store: Store) -> None:
    for alert in store.escalate_due():
        _log.info("alert.escalated", alert=alert.number, to=alert.escalated_to)


def tell(
    store: Store,
    subscription: Subscription,
    over: threading.Event | None = None,
    sender: Send = send,
) -> int:
    """Queue what is new for a subscription and send all that is due; return how many arrived.

    Raises:
        StoreError: The record cannot be read or written.
    """
    store.queue_events(subscription.name, subscription.wants)
    arrived = 0
    while over is None or not over.is_set():
        delivery = store.take_delivery(subscription.name)
        if delivery is None:
            break
        problem = sender(subscription, _message(store, delivery))
        store.settle_delivery(delivery, problem)
        arrived += problem is None
        if problem is not None:
            _log.warning(
                "webhook.failed",
                subscription=subscription.name,
                place=subscription.place,
                event_id=delivery.event,
                attempts=delivery.attempts,
                reason=problem,
            )
    return arrived


def _message(store: Store, delivery: Delivery) -> Message:
    event: OutboxEvent = store.outbox_event(delivery.entry)
    return Message.of(payload(event, store.entry(delivery.entry)))
