"""What people do to alerts, as JSON: take up, assign, escalate, comment, answer, mute, judge."""

from datetime import UTC, datetime, timedelta
from enum import StrEnum, unique
from typing import Annotated

from fastapi import APIRouter, Depends
from fastapi import Path as PathParameter
from pydantic import Field

from audit.alerts import Alert, AlertAct, AlertState
from audit.auth.permissions import Action, permits
from audit.chain import utc_text
from audit.store import Answer
from audit.web.bodies import Body, Name, Needed, Noted
from audit.web.context import ActorDep, DeskDep
from audit.web.security import require_act_header

router = APIRouter(prefix="/api/v1/alerts", tags=["alerts"])
wall = APIRouter(prefix="/api/v1/wall", tags=["alerts"], dependencies=[Depends(require_act_header)])
acts = APIRouter(
    prefix="/api/v1/alerts", tags=["alerts"], dependencies=[Depends(require_act_header)]
)

AlertNumber = Annotated[int, PathParameter(ge=1, le=2**31)]


@unique
class Verdict(StrEnum):
    """What a person makes of a finding."""

    CONFIRMED = "confirmed"
    NOT_CONFIRMED = "not-confirmed"
    UNREADABLE = "unreadable"
    """The pictures do not tell."""


class Judgement(Body):
    """What a person makes of a finding, and why."""

    verdict: Verdict
    note: Needed = Field(description="The reason.")


class Assignment(Body):
    """To whom an alert or case is given."""

    assignee: Name | None = Field(None, description="Nobody when left out.")


class Escalation(Noted):
    """To whom an alert is passed on."""

    to: Name


class Comment(Body):
    """A comment; it stays as it is."""

    note: Needed


class Reply(Body):
    """The pit's reply to an alert."""

    cause: Needed
    action: Needed = Field(description="What was done about it.")


class Silence(Body):
    """How long a wall sounds no tone."""

    minutes: int = Field(ge=1, le=60)


class Mute(Body):
    """How long an alert is silent, and why."""

    minutes: int = Field(ge=1, le=1440)
    note: Needed = Field(description="The reason.")


@router.get("/{number}/acts")
@permits(Action.ALERT_VIEW)
def alert_acts(desk: DeskDep, number: AlertNumber) -> list[AlertAct]:
    """Return what people did to an alert, in order."""
    return desk.store.alert_acts(desk.store.alert(number).number)


@acts.post("/{number}/review")
@permits(Action.ALERT_ACT)
def review(desk: DeskDep, user: ActorDep, number: AlertNumber, body: Noted) -> Alert:
    """Take an alert under review, also again after it was judged."""
    return desk.store.move_alert(number, AlertState.UNDER_REVIEW, user=user, note=body.note)


@acts.post("/{number}/judgement")
@permits(Action.FINDING_JUDGE)
def judge(desk: DeskDep, user: ActorDep, number: AlertNumber, body: Judgement) -> Alert:
    """Say what the pictures show: confirmed, not confirmed or unreadable, with the reason."""
    desk.store.acknowledge(number, user=user)
    to = AlertState(body.verdict.value)
    return desk.store.move_alert(number, to, user=user, note=body.note)


@acts.post("/{number}/closing")
@permits(Action.FINDING_JUDGE)
def close(desk: DeskDep, user: ActorDep, number: AlertNumber, body: Noted) -> Alert:
    """Close an alert that was judged."""
    return desk.store.move_alert(number, AlertState.CLOSED, user=user, note=body.note)


@acts.post("/{number}/assignment")
@permits(Action.ALERT_ACT)
def assign(desk: DeskDep, user: ActorDep, number: AlertNumber, body: Assignment) -> Alert:
    """Give an alert to somebody, or to nobody."""
    return desk.store.assign_alert(number, body.assignee, user=user)


@acts.post("/{number}/escalation")
@permits(Action.ALERT_ACT)
def escalate(desk: DeskDep, user: ActorDep, number: AlertNumber, body: Escalation) -> Alert:
    """Pass an alert on to somebody above."""
    return desk.store.escalate_alert(number, body.to, user=user, note=body.note)


@acts.post("/{number}/comments", status_code=201)
@permits(Action.ALERT_ACT)
def comment(desk: DeskDep, user: ActorDep, number: AlertNumber, body: Comment) -> Alert:
    """Add a comment to an alert."""
    return desk.store.comment_alert(number, body.note, user=user)


@acts.post("/{number}/answer", status_code=201)
@permits(Action.ALERT_ACT)
def answer(desk: DeskDep, user: ActorDep, number: AlertNumber, body: Reply) -> Alert:
    """Add the pit's reply: the cause, and what was done about it."""
    return desk.store.answer_alert(number, Answer(body.cause, body.action), user=user)


@acts.post("/{number}/mute")
@permits(Action.ALERT_ACT)
def mute(desk: DeskDep, user: ActorDep, number: AlertNumber, body: Mute) -> Alert:
    """Silence an alert for a while."""
    until = datetime.now(UTC) + timedelta(minutes=body.minutes)
    return desk.store.mute_alert(number, until, user=user, note=body.note)


@acts.post("/{number}/unmute")
@permits(Action.ALERT_ACT)
def unmute(desk: DeskDep, user: ActorDep, number: AlertNumber, body: Noted) -> Alert:
    """Let a muted alert be heard again."""
    return desk.store.unmute_alert(number, user=user, note=body.note)


@wall.post("/mute")
@permits(Action.ALERT_ACT)
def mute_wall(desk: DeskDep, user: ActorDep, body: Silence) -> dict[str, datetime]:
    """Record that somebody mutes the tones of a wall for a while; they come back by themselves."""
    until = datetime.now(UTC) + timedelta(minutes=body.minutes)
    desk.store.record_act(user, "wall.muted", {"until": utc_text(until)})
    return {"until": until}
