"""Case folders, the surveillance log and what waits for a second person, as pages."""

from typing import Annotated

from fastapi import APIRouter, Path, Request
from fastapi.responses import HTMLResponse

from audit.approvals import ApprovalState, same_person
from audit.auth.permissions import DECIDES, Action, permits
from audit.cases import OUTCOMES, CaseKind, CaseState
from audit.store.asking_desk import CaseQuery, LogQuery
from audit.web.asked import Form
from audit.web.context import DeskDep, SettingsDep, WhoDep, page
from audit.web.search_pages import Pages

router = APIRouter(include_in_schema=False, default_response_class=HTMLResponse)

Number = Annotated[int, Path(ge=1, le=2**31 - 1)]

ROWS = 50


@router.get("/cases")
@permits(Action.CASE_VIEW)
def cases(request: Request, desk: DeskDep, settings: SettingsDep) -> HTMLResponse:
    """Show case folders, the newest first."""
    form = Form(request.query_params, settings.zone)
    state, kind = form.choice("state", list(CaseState)), form.choice("kind", list(CaseKind))
    before = form.entry("before")
    query = CaseQuery(
        state=CaseState(state) if state else None,
        kind=CaseKind(kind) if kind else None,
        table=form.choice("table", [told.table for told in desk.store.tables()]),
        before=before,
        limit=ROWS + 1,
    )
    found = desk.store.cases(query)
    older = form.address("/cases", before=found[ROWS - 1].number) if len(found) > ROWS else None
    values = {
        "cases": found[:ROWS],
        "form": form,
        "tables": [told.table for told in desk.store.tables()],
        "narrowed": bool(state or kind or query.table),
        "pages": Pages(form.address("/cases", before=None) if before else None, older),
    }
    return page(request, "cases.html", "cases", values, head=desk.store.last_id())


@router.get("/cases/{number}")
@permits(Action.CASE_VIEW)
def one_case(request: Request, number: Number, desk: DeskDep) -> HTMLResponse:
    """Show one folder: what it points at, and all that was done in it, in order."""
    case = desk.store.case(number)
    values = {
        "case": case,
        "acts": desk.store.case_acts(number),
        "links": desk.store.case_links(number),
        "log": desk.store.log_lines(LogQuery(case=number)),
        "outcomes": sorted(OUTCOMES[case.kind]),
    }
    return page(request, "case.html", "cases", values, head=desk.store.last_id())


@router.get("/log")
@permits(Action.CASE_VIEW)
def log(request: Request, desk: DeskDep, settings: SettingsDep) -> HTMLResponse:
    """Show the surveillance log, the newest line first."""
    form = Form(request.query_params, settings.zone)
    before = form.entry("before")
    since, until = form.moment("since"), form.moment("until")
    query = LogQuery(since=since, until=until, before=before, limit=ROWS + 1)
    found = [] if form.problems else desk.store.log_lines(query)
    older = form.address("/log", before=found[ROWS - 1].number) if len(found) > ROWS else None
    values = {
        "lines": found[:ROWS],
        "form": form,
        "tables": [told.table for told in desk.store.tables()],
        "narrowed": bool(since or until),
        "pages": Pages(form.address("/log", before=None) if before else None, older),
    }
    return page(request, "log.html", "log", values, head=desk.store.last_id())


@router.get("/approvals")
@permits(Action.APPROVAL_VIEW)
def approvals(request: Request, desk: DeskDep, who: WhoDep) -> HTMLResponse:
    """Show what waits for a second person, and what came of earlier requests."""
    waiting = desk.store.approvals([ApprovalState.WAITING])
    decided = desk.store.approvals(set(ApprovalState) - {ApprovalState.WAITING}, limit=ROWS)
    # Whoever asked can withdraw.
    open_to = {
        asked.number
        for asked in waiting
        if who.may(Action.APPROVAL_DECIDE)
        and (who.may(DECIDES[asked.act]) or same_person(asked.asked_by, who.name))
    }
    own = {asked.number for asked in waiting if same_person(asked.asked_by, who.name)}
    values = {"waiting": waiting, "decided": decided, "open_to": open_to, "own": own}
    return page(request, "approvals.html", "audit", values, head=desk.store.last_id())
