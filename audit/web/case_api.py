"""Case folders, the surveillance log and requests for a second person, as JSON."""

from typing import Annotated

from fastapi import APIRouter, Depends, HTTPException, Query
from fastapi import Path as PathParameter
from pydantic import Field

from audit.approvals import Approval, ApprovalState, NewApproval, SensitiveAct
from audit.auth.permissions import DECIDES, Action, permits
from audit.cases import (
    CaseAct,
    CaseFile,
    CaseKind,
    CaseLink,
    CaseOutcome,
    CaseState,
    CaseTopic,
    LinkKind,
    NewCase,
)
from audit.logbook import LogLine, LogNote
from audit.store import Link
from audit.store.asking_desk import CaseQuery, LogQuery
from audit.web.alert_api import Assignment, Comment
from audit.web.bodies import Body, Json, Moment, Name, Needed, Noted, Text
from audit.web.context import ActorDep, DeskDep, WhoDep
from audit.web.security import require_act_header

router = APIRouter(prefix="/api/v1", tags=["cases"])
acts = APIRouter(prefix="/api/v1", tags=["cases"], dependencies=[Depends(require_act_header)])

Number = Annotated[int, PathParameter(ge=1, le=2**31 - 1)]
Before = Annotated[int | None, Query(ge=1, le=2**31 - 1, description="Only lower numbers.")]


class LinkBody(Body):
    """What a folder is to point at."""

    kind: LinkKind
    ref: Name = Field(description="A round or bundle by name; anything else by its number.")

    def link(self) -> Link:
        """Return it as the store takes it."""
        return Link(self.kind, self.ref)


class CaseBody(Noted):
    """A folder to be opened."""

    title: Name
    kind: CaseKind = CaseKind.INCIDENT
    topic: CaseTopic = CaseTopic.OTHER
    table: Name | None = None
    occurred: Moment | None = None
    patron: Text = ""
    links: list[LinkBody] = Field([], max_length=50)


class Closing(Noted):
    """How a folder ends."""

    outcome: CaseOutcome


class LogBody(Body):
    """A line for the surveillance log."""

    occurred: Moment
    employee: Name
    summary: Needed
    location: Name
    recording: Text = ""
    disposition: Text = ""
    alert: Annotated[int, Field(ge=1, le=2**31 - 1)] | None = None
    case: Annotated[int, Field(ge=1, le=2**31 - 1)] | None = None
    corrects: Annotated[int, Field(ge=1, le=2**31 - 1)] | None = Field(
        None, description="The number of the line that this one puts right."
    )


class Request(Body):
    """A request for an act that needs a second person."""

    act: SensitiveAct
    subject: Name
    reason: Needed
    detail: Json = Field(default_factory=dict)


class Decision(Noted):
    """What a second person says."""

    to: ApprovalState


@router.get("/cases")
@permits(Action.CASE_VIEW)
def cases(
    desk: DeskDep,
    state: CaseState | None = None,
    kind: CaseKind | None = None,
    before: Before = None,
) -> list[CaseFile]:
    """Return case folders, the newest first."""
    return desk.store.cases(CaseQuery(state=state, kind=kind, before=before))


@router.get("/cases/{number}")
@permits(Action.CASE_VIEW)
def case(desk: DeskDep, number: Number) -> CaseFile:
    """Return one folder."""
    return desk.store.case(number)


@router.get("/cases/{number}/acts")
@permits(Action.CASE_VIEW)
def case_acts(desk: DeskDep, number: Number) -> list[CaseAct]:
    """Return all that was done in a folder, in order."""
    return desk.store.case_acts(desk.store.case(number).number)


@router.get("/cases/{number}/links")
@permits(Action.CASE_VIEW)
def case_links(desk: DeskDep, number: Number) -> list[CaseLink]:
    """Return what a folder points at."""
    return desk.store.case_links(desk.store.case(number).number)


@acts.post("/cases", status_code=201)
@permits(Action.CASE_WRITE)
def open_case(desk: DeskDep, user: ActorDep, body: CaseBody) -> CaseFile:
    """Open a folder."""
    new = NewCase(
        title=body.title,
        kind=body.kind,
        topic=body.topic,
        table=body.table,
        occurred=body.occurred,
        patron=body.patron,
        note=body.note,
    )
    return desk.store.open_case(new, tuple(link.link() for link in body.links), user=user)


@acts.post("/cases/{number}/notes", status_code=201)
@permits(Action.CASE_WRITE)
def note_case(desk: DeskDep, user: ActorDep, number: Number, body: Comment) -> CaseFile:
    """Add a note to a folder; it stays as it is."""
    return desk.store.note_case(number, body.note, user=user)


@acts.post("/cases/{number}/links", status_code=201)
@permits(Action.CASE_WRITE)
def link_case(desk: DeskDep, user: ActorDep, number: Number, body: LinkBody) -> CaseFile:
    """Point from a folder at something in the record."""
    return desk.store.link_case(number, body.link(), user=user)


@acts.post("/cases/{number}/assignment")
@permits(Action.CASE_WRITE)
def assign_case(desk: DeskDep, user: ActorDep, number: Number, body: Assignment) -> CaseFile:
    """Give a folder to somebody, or to nobody."""
    return desk.store.assign_case(number, body.assignee, user=user)


@acts.post("/cases/{number}/closing")
@permits(Action.CASE_WRITE)
def close_case(desk: DeskDep, user: ActorDep, number: Number, body: Closing) -> CaseFile:
    """Close a folder with what came of it."""
    return desk.store.close_case(number, body.outcome, user=user, note=body.note)


@acts.post("/cases/{number}/reopening")
@permits(Action.CASE_WRITE)
def reopen_case(desk: DeskDep, user: ActorDep, number: Number, body: Comment) -> CaseFile:
    """Open a closed folder again, with the reason."""
    return desk.store.reopen_case(number, note=body.note, user=user)


@router.get("/log")
@permits(Action.CASE_VIEW)
def log(desk: DeskDep, before: Before = None) -> list[LogLine]:
    """Return the surveillance log, the newest line first."""
    return desk.store.log_lines(LogQuery(before=before))


@acts.post("/log", status_code=201)
@permits(Action.CASE_WRITE)
def write_log(desk: DeskDep, user: ActorDep, body: LogBody) -> LogLine:
    """Enter a line into the surveillance log."""
    return desk.store.write_log(LogNote(**body.model_dump()), user=user)


@router.get("/approvals")
@permits(Action.APPROVAL_VIEW)
def approvals(
    desk: DeskDep, state: Annotated[list[ApprovalState] | None, Query()] = None
) -> list[Approval]:
    """Return requests for a second person, the newest first."""
    return desk.store.approvals(state)


@acts.post("/approvals", status_code=201)
@permits(Action.APPROVAL_ASK)
def ask_approval(desk: DeskDep, user: ActorDep, body: Request) -> Approval:
    """Ask for an act that nobody does alone."""
    new = NewApproval(body.act, body.subject, body.reason, body.detail)
    return desk.store.ask_approval(new, user=user)


@acts.post("/approvals/{number}/decision")
@permits(Action.APPROVAL_DECIDE)
def decide_approval(desk: DeskDep, who: WhoDep, number: Number, body: Decision) -> Approval:
    """Approve or refuse what somebody else asked for, or withdraw what one asked for oneself.

    The second person must be one who may judge what is decided: `finding.judge` for a finding.
    """
    needed = DECIDES[desk.store.approval(number).act]
    if body.to is not ApprovalState.WITHDRAWN and not who.may(needed):
        raise HTTPException(403, f"not permitted: {needed.value}")
    return desk.store.decide_approval(number, body.to, user=who.name, note=body.note)
