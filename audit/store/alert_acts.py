"""What users, and the policy in their stead, do to alerts."""

from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime, timedelta

from sqlmodel import Session, col, select

from audit.alerts import OPEN_STATES, Alert, AlertState, check_move
from audit.chain import SYSTEM, EntryKind, JsonObject, utc_text
from audit.errors import NotInRecord, RecordConflict
from audit.records import AlertRecord
from audit.store.unit import Unit
from audit.store.writing import NAME_LENGTH, Writer, fit, now_or

POLICY_USER = "policy"
"""Who acts when the alert policy does."""

MUTE_MOST = timedelta(hours=24)
"""The longest that an alert can be muted at once: nobody should forget that it is."""


@dataclass(frozen=True, slots=True)
class Answer:
    """What the pit says about an alert."""

    cause: str
    action: str
    """What was done about it."""


def needed_alert(unit: Unit, number: int) -> Alert:
    """Return an alert as this transaction sees it.

    Raises:
        NotInRecord: There is no such alert.
    """
    alert = unit.find(Alert, (number,))
    if alert is None:
        raise NotInRecord(f"no alert {number} in the record")
    return alert


def write_move(unit: Unit, number: int, to: AlertState, act: JsonObject, at: datetime) -> Alert:
    """Write that a user moved an alert to another state; the state that it is in already is no act.

    Raises:
        NotInRecord: There is no such alert.
        RecordConflict: It may not go there from where it stands.
    """
    alert = needed_alert(unit, number)
    if alert.state is to:
        return alert
    if alert.voided is not None:
        raise RecordConflict(f"alert {number} is void; it does not move any more")
    check_move(number, alert.state, to)
    unit.append(EntryKind.ALERT_MOVED, {"alert": number, "to": to.value, **act}, at)
    return needed_alert(unit, number)


def write_escalation(unit: Unit, alert: Alert, act: JsonObject, at: datetime) -> Alert:
    """Write that an alert goes to somebody above; to where it went already is no act."""
    if alert.escalated_to == act["to"]:
        return alert
    unit.append(EntryKind.ALERT_ESCALATED, {"alert": alert.number, **act}, at)
    return needed_alert(unit, alert.number)


class AlertActs(Writer):
    """The acts on alerts."""

    def acknowledge(
        self, number: int, *, user: str, note: str = "", at: datetime | None = None
    ) -> Alert:
        """Acknowledge a new alert. One that somebody has already taken up stays as it is.

        Raises:
            NotInRecord: There is no such alert.
        """
        act = {"user": user, "note": note}

        def work(unit: Unit) -> Alert:
            alert = needed_alert(unit, number)
            if alert.state is not AlertState.NEW:
                return alert
            return write_move(unit, number, AlertState.ACKNOWLEDGED, act, now_or(at))

        return self._write(SYSTEM, work)

    def move_alert(
        self,
        number: int,
        to: AlertState,
        *,
        user: str,
        note: str = "",
        at: datetime | None = None,
    ) -> Alert:
        """Move an alert along its life.

        Raises:
            NotInRecord: There is no such alert.
            RecordConflict: It may not go there from where it stands.
        """
        act = {"user": user, "note": note}
        return self._write(SYSTEM, lambda unit: write_move(unit, number, to, act, now_or(at)))

    def assign_alert(
        self, number: int, assignee: str | None, *, user: str, at: datetime | None = None
    ) -> Alert:
        """Give an alert to somebody, or to nobody.

        Raises:
            NotInRecord: There is no such alert.
            ChainError: The name is too long.
        """
        name = None if assignee is None else fit("assignee", assignee, most=NAME_LENGTH)
        body: JsonObject = {"alert": number, "user": user, "assignee": name, "note": ""}
        return self._on_alert(number, EntryKind.ALERT_ASSIGNED, body, at)

    def comment_alert(
        self, number: int, note: str, *, user: str, at: datetime | None = None
    ) -> Alert:
        """Add a comment to an alert. Comments only ever grow: none is edited or taken back.

        Raises:
            NotInRecord: There is no such alert.
            ChainError: There is no text, or too much.
        """
        body: JsonObject = {"alert": number, "user": user, "note": fit("note", note)}
        return self._on_alert(number, EntryKind.ALERT_COMMENTED, body, at)

    def answer_alert(
        self, number: int, answer: Answer, *, user: str, at: datetime | None = None
    ) -> Alert:
        """Add the pit's reply to an alert: the cause, and what was done about it.

        Raises:
            NotInRecord: There is no such alert.
            ChainError: A text is missing or too long.
        """
        cause, action = fit("cause", answer.cause), fit("action", answer.action)
        body: JsonObject = {"alert": number, "user": user, "cause": cause, "note": action}
        return self._on_alert(number, EntryKind.ALERT_ANSWERED, body, at)

    def escalate_alert(
        self, number: int, to: str, *, user: str, note: str = "", at: datetime | None = None
    ) -> Alert:
        """Pass an alert on to somebody above.

        Raises:
            NotInRecord: There is no such alert.
            RecordConflict: It is judged or closed already.
            ChainError: The name is missing or too long.
        """
        act = {"to": fit("to", to, most=NAME_LENGTH), "user": user, "note": note}

        def work(unit: Unit) -> Alert:
            alert = needed_alert(unit, number)
            if alert.state not in OPEN_STATES:
                raise RecordConflict(f"alert {number} is {alert.state}; expected one that is open")
            return write_escalation(unit, alert, act, now_or(at))

        return self._write(SYSTEM, work)

    def escalate_due(self, *, at: datetime | None = None) -> list[Alert]:
        """Pass on every alert that nobody took up in the time that its policy gives; return them.

        Call it every few seconds. A muted alert waits until it is muted no longer.
        """
        now = now_or(at)
        passed = []
        for number in self._read(lambda session: _due(session, now)):

            def work(unit: Unit, number: int = number) -> Alert | None:
                alert = needed_alert(unit, number)
                if not _calls(alert, now) or alert.escalate_to is None:
                    return None  # Somebody took it up meanwhile.
                act = {"to": alert.escalate_to, "user": POLICY_USER, "note": ""}
                return write_escalation(unit, alert, act, now)

            alert = self._write(SYSTEM, work)
            if alert is not None:
                passed.append(alert)
        return passed

    def mute_alert(
        self, number: int, until: datetime, *, user: str, note: str, at: datetime | None = None
    ) -> Alert:
        """Mute an alert for a while, with a reason: it neither sounds nor escalates until then.

        Raises:
            NotInRecord: There is no such alert.
            RecordConflict: The end lies in the past, or more than a day ahead.
            ChainError: There is no reason, or too much of one.
        """
        now = now_or(at)
        if not now < until <= now + MUTE_MOST:
            raise RecordConflict(
                f"until: found {utc_text(until)}, expected a moment within the next 24 hours"
            )
        body: JsonObject = {
            "alert": number,
            "user": user,
            "until": utc_text(until),
            "note": fit("note", note),
        }
        return self._on_alert(number, EntryKind.ALERT_MUTED, body, now)

    def unmute_alert(
        self, number: int, *, user: str, note: str = "", at: datetime | None = None
    ) -> Alert:
        """Let a muted alert be heard again; one that is not muted stays as it is.

        Raises:
            NotInRecord: There is no such alert.
        """
        body: JsonObject = {"alert": number, "user": user, "until": None, "note": note}
        return self._on_alert(
            number, EntryKind.ALERT_MUTED, body, at, unless=lambda alert: alert.muted_until is None
        )

    def _on_alert(
        self,
        number: int,
        kind: EntryKind,
        body: JsonObject,
        at: datetime | None,
        unless: Callable[[Alert], bool] = lambda alert: False,  # noqa: ARG005  # never
    ) -> Alert:
        def work(unit: Unit) -> Alert:
            alert = needed_alert(unit, number)
            if unless(alert):
                return alert
            unit.append(kind, body, now_or(at))
            return needed_alert(unit, number)

        return self._write(SYSTEM, work)


def _due(session: Session, now: datetime) -> list[int]:
    query = (
        select(col(AlertRecord.number))
        .where(col(AlertRecord.escalate_at) <= now, col(AlertRecord.state) == AlertState.NEW)
        .order_by(col(AlertRecord.number))
    )
    return list(session.scalars(query))


def _calls(alert: Alert, now: datetime) -> bool:
    waited = alert.escalate_at is not None and alert.escalate_at <= now
    return waited and alert.state is AlertState.NEW and not alert.is_muted(now)
