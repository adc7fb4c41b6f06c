"""Reports as pages and as JSON: look at one, have it issued as a file, fetch the file."""

from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Annotated

from fastapi import APIRouter, Depends, Form, HTTPException, Query, Request
from fastapi import Path as InPath
from fastapi.responses import FileResponse, HTMLResponse, RedirectResponse, Response
from pydantic import Field
from sqlalchemy.engine import Engine

from audit.auth.permissions import Action, permits
from audit.auth.sessions import Who
from audit.errors import NotInRecord, ReportError
from audit.issued import IssuedReport
from audit.reports.drawing import House, draw
from audit.reports.issue import SIGNATURE_SUFFIX, Order
from audit.reports.jobs import Job, Jobs
from audit.reports.kinds import MEDIA_TYPES, PURPOSES, TITLES, Format, Paper, ReportKind
from audit.reports.shape import Report, Section
from audit.reports.shape import Request as Asked
from audit.reports.spans import Span
from audit.reports.words import Words
from audit.reports.writing import SHOWN, Rows, plain
from audit.store.reporting import Snapshot, snapshot
from audit.store.reporting_issued import issued_named, issued_reports
from audit.web.bodies import Body, Whole
from audit.web.context import ActorDep, DeskDep, SettingsDep, WhoDep, language_of, page, rendered

pages = APIRouter(include_in_schema=False, default_response_class=HTMLResponse)
api = APIRouter(prefix="/api/v1/reports", tags=["reports"])

LISTED = 50
"""Issued reports that the page lists."""


def jobs(request: Request) -> Jobs:
    """Return the reports on their way."""
    found: Jobs = request.app.state.reports
    return found


JobsDep = Annotated[Jobs, Depends(jobs)]
Kind = Annotated[ReportKind, InPath(description="Which report.")]
JobId = Annotated[str, InPath(pattern=r"^[0-9a-f]{16}$")]
ReportName = Annotated[str, InPath(pattern=r"^R-\d{8}-[0-9a-f]{8}$")]
Range = Annotated[
    str,
    Query(
        alias="range",
        max_length=80,
        description="2026-11-30 (a gaming day), 2026-11-30/2 (a shift), 2026-W49, 2026-11, today, "
        "yesterday, or two of days and times with .. between them.",
    ),
]
Tables = Annotated[list[str], Query(alias="table", max_length=64, description="Only these.")]


@dataclass(frozen=True, slots=True)
class Shown:
    """A section of a report with its cells as people read them."""

    section: Section
    rows: list[list[str]]
    total: list[str] | None


@dataclass(frozen=True, slots=True)
class JobTold:
    """A report on its way."""

    job: str
    state: str
    done: int
    total: int
    report: str | None
    """The report's name, once it is issued."""
    problem: str


@dataclass(frozen=True, slots=True)
class IssuedList:
    """Reports that were issued, the newest first."""

    reports: list[IssuedReport]


TableName = Annotated[str, Whole, Field(max_length=64)]


class Wanted(Body):
    """A report that is to be issued as a file."""

    range: Annotated[str, Whole, Field(max_length=80)] = "yesterday"
    tables: Annotated[tuple[TableName, ...], Field(max_length=500)] = ()
    format: Format = Format.PDF
    language: Annotated[str, Whole, Field(max_length=8)] = "en"
    paper: Paper = Paper.A4
    section: Annotated[str, Whole, Field(max_length=80)] | None = None


class WantedForm(Wanted):
    """The same from the page's form, which carries its token too."""

    form_token: str = ""


def allowed(who: Who, kind: str) -> bool:
    """Say whether somebody may see a kind of report: who looked at what is for few."""
    return kind != ReportKind.ACCESS or who.may(Action.ACCESS_VIEW)


def may_see(who: WhoDep, kind: Kind) -> None:
    """Refuse a report that holds more than its reader may see; a dependency of its routes."""
    _refuse_unless(who, kind)


def _refuse_unless(who: Who, kind: str) -> None:
    if not allowed(who, kind):
        raise HTTPException(403, f"not permitted: {Action.ACCESS_VIEW.value}")


def asked_span(house: House, text: str) -> Span:
    """Return the range that somebody asks for.

    Raises:
        HTTPException: 422, it is none.
    """
    try:
        return house.clock.span(text or "today", datetime.now(UTC))
    except ReportError as error:
        raise HTTPException(422, str(error)) from None


@pages.get("/reports")
@permits(Action.REPORT_VIEW)
def index(request: Request, desk: DeskDep, settings: SettingsDep, who: WhoDep) -> HTMLResponse:
    """Show which reports there are, and those that were issued."""
    with snapshot(desk.store.engine) as seen:
        issued = issued_reports(seen, limit=LISTED)
    house, now = House.of(settings), datetime.now(UTC)
    values = {
        "kinds": [
            (kind, TITLES[kind], PURPOSES[kind]) for kind in ReportKind if allowed(who, kind)
        ],
        "titles": TITLES,
        "issued": issued,
        "today": house.clock.day_of(now).isoformat(),
        "tables": [state.table for state in desk.store.tables()],
    }
    return page(request, "reports.html", "reports", values, head=desk.store.last_id())


@pages.get("/reports/{kind}", dependencies=[Depends(may_see)])
@permits(Action.REPORT_VIEW)
def one_report(
    request: Request,
    kind: Kind,
    desk: DeskDep,
    settings: SettingsDep,
    span: Range = "today",
    tables: Tables = [],  # noqa: B006  # FastAPI copies it
) -> HTMLResponse:
    """Show a report."""
    house, words = House.of(settings), Words(language_of(request), settings.zone)
    asked = Asked(kind, asked_span(house, span), tuple(filter(None, tables)))
    with snapshot(desk.store.engine) as seen:
        report = _drawn(seen, asked, house)
        shown = _shown(report, words)
    values = {
        "report": report,
        "title": TITLES[kind],
        "words": words,
        "sections": shown,
        "formats": list(Format),
        "papers": list(Paper),
        "all_tables": [state.table for state in desk.store.tables()],
    }
    return page(request, "report.html", "reports", values, head=desk.store.last_id())


def _drawn(seen: Snapshot, asked: Asked, house: House) -> Report:
    try:
        return draw(seen, asked, house, datetime.now(UTC))
    except ReportError as error:
        raise HTTPException(422, str(error)) from None


def _shown(report: Report, words: Words) -> list[Shown]:
    rows = Rows(report, None, SHOWN)
    found = []
    for section in report.sections:
        cells = [
            [words.cell(value, column) for value, column in zip(row, section.columns, strict=True)]
            for row in rows.of(section)
        ]
        total = rows.total_of(section)
        sums = None
        if total is not None:
            pairs = zip(total, section.columns, strict=True)
            sums = ["", *[words.cell(value, column) for value, column in pairs][1:]]
        found.append(Shown(section, cells, sums))
    return found


@pages.post("/reports/{kind}", dependencies=[Depends(may_see)])
@permits(Action.REPORT_EXPORT)
def ask_page(
    kind: Kind,
    user: ActorDep,
    jobs: JobsDep,
    settings: SettingsDep,
    wanted: Annotated[WantedForm, Form()],
) -> Response:
    """Have a report issued, and show how far it is."""
    job = _asked(kind, wanted, user, (jobs, House.of(settings)))
    return RedirectResponse(f"/reports/jobs/{job.id}", 303)


def _asked(kind: ReportKind, wanted: Wanted, user: str, at: tuple[Jobs, House]) -> Job:
    jobs, house = at
    if wanted.language not in ("en", "ko"):
        raise HTTPException(422, f"language: found {wanted.language!r} (expected en or ko)")
    tables = tuple(filter(None, wanted.tables))
    order = Order(
        request=Asked(kind, asked_span(house, wanted.range), tables),
        format=wanted.format,
        user=user,
        language=wanted.language,
        paper=wanted.paper,
        section=wanted.section or None,
    )
    return jobs.ask(order, house)


@pages.get("/reports/jobs/{job_id}")
@permits(Action.REPORT_VIEW, quiet=True)
def job_page(request: Request, job_id: JobId, jobs: JobsDep) -> HTMLResponse:
    """Show how far a report is."""
    values = {"job": jobs.job(job_id), "titles": TITLES}
    return page(request, "report_job.html", "reports", values)


@pages.get("/fragments/reports/{job_id}")
@permits(Action.REPORT_VIEW, quiet=True)
def job_piece(request: Request, job_id: JobId, jobs: JobsDep) -> HTMLResponse:
    """Show how far a report is, as a piece of its page."""
    return rendered(request, "report_state.html", {"job": jobs.job(job_id), "titles": TITLES})


@pages.post("/reports/jobs/{job_id}/cancel")
@permits(Action.REPORT_VIEW)
def cancel_page(job_id: JobId, user: ActorDep, jobs: JobsDep) -> Response:
    """Stop a report that one asked for."""
    _cancelled(job_id, user, jobs)
    return RedirectResponse(f"/reports/jobs/{job_id}", 303)


def _cancelled(job_id: str, user: str, jobs: Jobs) -> Job:
    if jobs.job(job_id).order.user != user:
        raise HTTPException(403, "somebody else asked for this report")
    return jobs.cancel(job_id)


@pages.get("/reports/files/{name}")
@permits(Action.REPORT_EXPORT)
def report_file(name: ReportName, desk: DeskDep, settings: SettingsDep, who: WhoDep) -> Response:
    """Send a report that was issued."""
    issued, path = _file(name, desk.store.engine, settings.data_dir)
    _refuse_unless(who, issued.kind)
    media = MEDIA_TYPES[Format(issued.format)]
    return FileResponse(path, media_type=media, filename=issued.file)


@pages.get("/reports/files/{name}/signature")
@permits(Action.REPORT_EXPORT)
def report_signature(
    name: ReportName, desk: DeskDep, settings: SettingsDep, who: WhoDep
) -> Response:
    """Send the signature that lies beside a report."""
    issued, path = _file(name, desk.store.engine, settings.data_dir, SIGNATURE_SUFFIX)
    _refuse_unless(who, issued.kind)
    return FileResponse(path, media_type="application/json", filename=f"{issued.file}.sig.json")


def _file(name: str, engine: Engine, data_dir: Path, suffix: str = "") -> tuple[IssuedReport, Path]:
    with snapshot(engine) as seen:
        issued = issued_named(seen, name)
    if issued is None:
        raise NotInRecord(f"no report {name} in the record")
    # Only the last part of what the record says: no name leads out of the folder.
    path = data_dir / "reports" / f"{Path(issued.file).name}{suffix}"
    if not path.is_file():
        raise NotInRecord(f"{issued.file} is not in this machine's folder of reports")
    return issued, path


@api.get("")
@permits(Action.REPORT_VIEW)
def issued_json(desk: DeskDep, limit: Annotated[int, Query(ge=1, le=1000)] = 50) -> IssuedList:
    """Return the reports that were issued, the newest first."""
    with snapshot(desk.store.engine) as seen:
        return IssuedList(issued_reports(seen, limit=limit))


@api.get("/jobs/{job_id}")
@permits(Action.REPORT_VIEW, quiet=True)
def job_json(job_id: JobId, jobs: JobsDep) -> JobTold:
    """Return how far a report is."""
    return _told(jobs.job(job_id))


@api.post("/jobs/{job_id}/cancel")
@permits(Action.REPORT_VIEW)
def cancel_json(job_id: JobId, user: ActorDep, jobs: JobsDep) -> JobTold:
    """Stop a report that one asked for."""
    return _told(_cancelled(job_id, user, jobs))


@api.get("/{kind}", dependencies=[Depends(may_see)])
@permits(Action.REPORT_VIEW)
def report_json(
    kind: Kind,
    desk: DeskDep,
    settings: SettingsDep,
    span: Range = "today",
    tables: Tables = [],  # noqa: B006  # FastAPI copies it
) -> dict[str, object]:
    """Return a report; of long lists the beginning. A file has them whole."""
    house = House.of(settings)
    asked = Asked(kind, asked_span(house, span), tuple(filter(None, tables)))
    with snapshot(desk.store.engine) as seen:
        report = _drawn(seen, asked, house)
        rows = Rows(report, None, SHOWN)
        sections = {section.key: _section_json(section, rows) for section in report.sections}
    return {
        "kind": kind.value,
        "range": str(report.span),
        "since": plain(report.span.since),
        "until": plain(report.span.until),
        "facts": [{"title": fact.title, "value": plain(fact.value)} for fact in report.facts],
        "notices": [said.text % dict(said.values) for said in report.notices],
        "rules": list(report.rules),
        "last_entry": report.last_entry,
        "sections": sections,
    }


def _section_json(section: Section, rows: Rows) -> dict[str, object]:
    names = [column.name for column in section.columns]
    found = [dict(zip(names, map(plain, row), strict=True)) for row in rows.of(section)]
    total = rows.total_of(section)
    sums = None if total is None else dict(zip(names, map(plain, total), strict=True))
    return {"title": section.title, "count": section.count, "rows": found, "total": sums}


@api.post("/{kind}", dependencies=[Depends(may_see)])
@permits(Action.REPORT_EXPORT)
def ask_json(
    kind: Kind, user: ActorDep, jobs: JobsDep, settings: SettingsDep, wanted: Wanted
) -> JobTold:
    """Have a report issued as a file; ask for the job until it is done."""
    return _told(_asked(kind, wanted, user, (jobs, House.of(settings))))


def _told(job: Job) -> JobTold:
    name = job.issued.handover.report if job.issued else None
    return JobTold(job.id, job.state.value, job.done, job.total, name, job.problem)
