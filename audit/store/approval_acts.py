"""Acts that need a second person. Approving does the act, in the same transaction."""

from datetime import datetime

from sqlalchemy import func
from sqlmodel import col, select

from audit.alerts import Alert
from audit.approvals import Approval, ApprovalState, NewApproval, SensitiveAct, same_person
from audit.chain import SYSTEM, EntryKind, JsonObject
from audit.desk_records import ApprovalRecord
from audit.errors import ChainError, NotInRecord, OnePerson, RecordConflict
from audit.store.alert_acts import needed_alert
from audit.store.unit import Unit, view
from audit.store.writing import NAME_LENGTH, Writer, fit, now_or


def needed_approval(unit: Unit, number: int) -> Approval:
    """Return a request as this transaction sees it.

    Raises:
        NotInRecord: There is no such request.
    """
    found = unit.find(Approval, (number,))
    if found is None:
        raise NotInRecord(f"no approval {number} in the record")
    return found


def write_request(unit: Unit, new: NewApproval, user: str, at: datetime) -> Approval:
    """Write that a user asks for a sensitive act.

    Raises:
        RecordConflict: The same was asked and waits.
        NotInRecord: What is to be acted on is not there.
    """
    _check(unit, new)
    waiting = select(ApprovalRecord).where(
        col(ApprovalRecord.act) == new.act,
        col(ApprovalRecord.subject) == new.subject,
        col(ApprovalRecord.state) == ApprovalState.WAITING,
    )
    found = unit.session.scalars(waiting).first()
    if found is not None:
        told = view(Approval, found)
        raise RecordConflict(f"approval {told.number} of {told.asked_by} for the same waits")
    number = 1 + int(unit.session.scalar(select(func.max(col(ApprovalRecord.number)))) or 0)
    body: JsonObject = {
        "approval": number,
        "act": new.act.value,
        "subject": new.subject,
        "reason": new.reason,
        "detail": new.detail,
        "user": user,
    }
    unit.append(EntryKind.APPROVAL_ASKED, body, at)
    return needed_approval(unit, number)


def _check(unit: Unit, new: NewApproval) -> None:
    match new.act:
        case SensitiveAct.VOID_FINDING:
            alert = _alert_of(unit, new.subject)
            if alert.voided is not None:
                raise RecordConflict(f"alert {alert.number} is void already")
        case SensitiveAct.CHANGE_HOUSE:
            fit("subject", new.subject, most=NAME_LENGTH)


def _alert_of(unit: Unit, subject: str) -> Alert:
    if not subject.isascii() or not subject.isdigit() or len(subject) > 9:
        raise ChainError(f"subject: found {subject!r}, expected the number of an alert")
    return needed_alert(unit, int(subject))


def write_decision(
    unit: Unit, number: int, to: ApprovalState, act: JsonObject, at: datetime
) -> Approval:
    """Write what came of a request; when it is approved, also the act itself.

    Raises:
        NotInRecord: There is no such request.
        RecordConflict: It was decided before, or by the person who asked; nobody else withdraws it.
    """
    asked = needed_approval(unit, number)
    user = str(act["user"])
    if asked.state is not ApprovalState.WAITING:
        raise RecordConflict(f"approval {number} is {asked.state} by {asked.decided_by}")
    mine = same_person(asked.asked_by, user)
    if to is ApprovalState.WITHDRAWN and not mine:
        raise RecordConflict(f"approval {number} was asked for by {asked.asked_by}, not {user}")
    if to is not ApprovalState.WITHDRAWN and mine:
        raise OnePerson(f"approval {number}: {user} has asked for it; expected a second user")
    unit.append(EntryKind.APPROVAL_DECIDED, {"approval": number, "to": to.value, **act}, at)
    if to is ApprovalState.APPROVED:
        _perform(unit, asked, user, at)
    return needed_approval(unit, number)


def _perform(unit: Unit, asked: Approval, user: str, at: datetime) -> None:
    match asked.act:
        case SensitiveAct.VOID_FINDING:
            alert = _alert_of(unit, asked.subject)
            body: JsonObject = {
                "alert": alert.number,
                "user": user,
                "approval": asked.number,
                "note": asked.reason,
            }
            unit.append(EntryKind.ALERT_VOIDED, body, at)
        case SensitiveAct.CHANGE_HOUSE:
            pass  # The approval itself is what `watch` looks for when it begins.


def is_house_approved(unit: Unit, version: str) -> bool:
    """Say whether two people agreed on house rules, by their version."""
    query = select(col(ApprovalRecord.number)).where(
        col(ApprovalRecord.act) == SensitiveAct.CHANGE_HOUSE,
        col(ApprovalRecord.subject) == version,
        col(ApprovalRecord.state) == ApprovalState.APPROVED,
    )
    return unit.session.scalars(query).first() is not None


class ApprovalActs(Writer):
    """The acts that need a second person."""

    def ask_approval(self, new: NewApproval, *, user: str, at: datetime | None = None) -> Approval:
        """Ask for a sensitive act, with the reason.

        Raises:
            NotInRecord: What is to be acted on is not there.
            RecordConflict: The same was asked and waits.
            ChainError: A text is missing or too long.
        """
        told = NewApproval(new.act, new.subject, fit("reason", new.reason), new.detail)
        return self._write(SYSTEM, lambda unit: write_request(unit, told, user, now_or(at)))

    def decide_approval(
        self,
        number: int,
        to: ApprovalState,
        *,
        user: str,
        note: str = "",
        at: datetime | None = None,
    ) -> Approval:
        """Approve or refuse what another user asked for, or withdraw what one asked for oneself.

        What is approved is done in the same transaction.

        Raises:
            NotInRecord: There is no such request.
            RecordConflict: It was decided before, or this user may not do this.
        """
        if to is ApprovalState.WAITING:
            raise RecordConflict("a request that was decided does not wait again")
        act = {"user": user, "note": fit("note", note, least=0)}
        return self._write(SYSTEM, lambda unit: write_decision(unit, number, to, act, now_or(at)))
