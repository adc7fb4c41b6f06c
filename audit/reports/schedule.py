"""Reports on a schedule: made when a day, shift, week or month is over, put and sent where asked.

What is due is told by the record itself, which knows what was issued: a range is reported once,
also after a restart or when the machine was off at the time. A delivery that did not arrive is
tried again until it does; a mark beside the file says that it has.
"""

import base64
import threading
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Annotated, Literal

import structlog
from pydantic import BaseModel, ConfigDict, Field

from audit.chain import JsonObject
from audit.errors import AuditError, SettingsError
from audit.issued import IssuedReport
from audit.reports.drawing import House
from audit.reports.issue import SIGNATURE_SUFFIX, Order, issue
from audit.reports.kinds import Format, Paper, ReportKind
from audit.reports.shape import Request
from audit.reports.spans import SpanKind
from audit.settings import Settings
from audit.store import Store
from audit.store.reporting import snapshot
from audit.store.reporting_issued import issued_reports
from audit.toml_lines import parse_toml, read_text
from audit.webhooks import Message, Subscription, load_subscriptions, send

TICK_S = 60.0
"""How often it is looked whether something is due, in seconds."""

LOOKED_BACK = 400
"""How many issued reports of a schedule are looked at for what is due: more than a year of days."""

MOST_SENT = 16 << 20
"""A larger file is not put into a message; the message says where it lies."""

ARRIVED = ".arrived"
"""The mark beside a file that has reached its webhook."""

USER = "schedule"
"""Who makes them, in the record."""

_log = structlog.get_logger()

Send = Callable[[Subscription, Message], str | None]


@dataclass(frozen=True, slots=True)
class Schedule:
    """A report that is made again and again."""

    name: str
    kind: ReportKind
    every: SpanKind
    format: Format
    language: str
    paper: Paper
    tables: tuple[str, ...]
    folder: Path | None
    """Where it is put; None for the data folder's own."""
    webhook: str | None
    """The subscription that is sent the file too."""
    after: timedelta
    """How long after the end of the range, so that late entries are in it."""


class _Schedule(BaseModel):
    model_config = ConfigDict(extra="forbid")

    name: Annotated[str, Field(pattern=r"^[a-z0-9][a-z0-9-]{0,63}$")]
    report: ReportKind
    every: Literal["day", "shift", "week", "month"] = "day"
    format: Format = Format.PDF
    language: Literal["en", "ko"] = "en"
    paper: Literal["a4", "letter"] = "a4"
    tables: list[str] = []
    folder: Path | None = None
    webhook: str | None = None
    after_minutes: Annotated[int, Field(ge=0, le=1440)] = 15


class _File(BaseModel):
    model_config = ConfigDict(extra="forbid")

    schedule: list[_Schedule] = []


def load_schedules(path: Path | None) -> tuple[Schedule, ...]:
    """Return the schedules of a file; none where there is no file.

    Raises:
        SettingsError: It cannot be used; the line names the file, the line and the key.
    """
    if path is None:
        return ()
    found = parse_toml(read_text(path, "report schedules"), str(path), _File).schedule
    names = [one.name for one in found]
    twice = next((name for name in names if names.count(name) > 1), None)
    if twice is not None:
        raise SettingsError(f"{path}: schedule: found the name {twice!r} twice, expected it once")
    return tuple(_schedule(one) for one in found)


def _schedule(one: _Schedule) -> Schedule:
    return Schedule(
        name=one.name,
        kind=one.report,
        every=SpanKind(one.every),
        format=one.format,
        language=one.language,
        paper=Paper.A4 if one.paper == "a4" else Paper.LETTER,
        tables=tuple(one.tables),
        folder=one.folder,
        webhook=one.webhook,
        after=timedelta(minutes=one.after_minutes),
    )


class Scheduler:
    """Makes and sends what is due. One for a record; several would report a range twice."""

    def __init__(
        self,
        store: Store,
        settings: Settings,
        schedules: Sequence[Schedule],
        hooks: Mapping[str, Subscription],
        sender: Send = send,
    ) -> None:
        """Take schedules over.

        Raises:
            SettingsError: A schedule names a webhook that is not there.
        """
        for one in schedules:
            if one.webhook is not None and one.webhook not in hooks:
                known = ", ".join(hooks) or "none"
                raise SettingsError(
                    f"schedule {one.name}: webhook: found {one.webhook!r}, expected one of {known}"
                )
        self._store, self._settings = store, settings
        self._schedules, self._hooks, self._send = tuple(schedules), hooks, sender

    def run(self, now: datetime | None = None) -> list[str]:
        """Make and send what is due; return the names of the reports that were made.

        What goes wrong with one is logged and tried again the next time, and stops no other.
        """
        made = []
        for one in self._schedules:
            try:
                made += self._make(one, now or datetime.now(UTC))
                self._deliver(one)
            except (AuditError, OSError) as error:
                _log.warning("report.schedule_failed", schedule=one.name, reason=str(error))
        return made

    def _make(self, one: Schedule, now: datetime) -> list[str]:
        house = House.of(self._settings)
        span = house.clock.before(one.every, now - one.after)
        if any(told.span == str(span) for told in self._issued(one)):
            return []
        order = Order(
            request=Request(one.kind, span, one.tables),
            format=one.format,
            user=USER,
            language=one.language,
            paper=one.paper,
            schedule=one.name,
        )
        return [issue(self._store, house, order, self._folder(one)).handover.report]

    def _issued(self, one: Schedule) -> list[IssuedReport]:
        with snapshot(self._store.engine) as seen:
            return issued_reports(seen, schedule=one.name, limit=LOOKED_BACK)

    def _folder(self, one: Schedule) -> Path:
        return one.folder or self._settings.data_dir / "reports"

    def _deliver(self, one: Schedule) -> None:
        if one.webhook is None:
            return
        for told in reversed(self._issued(one)):
            file = self._folder(one) / told.file
            mark = file.with_name(f".{file.name}{ARRIVED}")
            if mark.exists() or not file.is_file():
                continue
            problem = self._send(self._hooks[one.webhook], _message(told, file))
            if problem is not None:
                _log.warning("report.not_delivered", report=told.report, reason=problem)
                return
            mark.touch()
            detail = {"report": told.report, "webhook": one.webhook}
            self._store.record_act(USER, "report.delivered", detail)


def _message(told: IssuedReport, file: Path) -> Message:
    content: JsonObject = {
        "id": f"rep_{told.report}",
        "type": "report.issued",
        "report": told.report,
        "kind": told.kind,
        "range": told.span,
        "file": told.file,
        "sha256": told.sha256,
        "size": told.size,
        "entry": told.entry,
        "signature": file.with_name(file.name + SIGNATURE_SUFFIX).read_text(encoding="utf-8"),
        "content": None,
    }
    if told.size <= MOST_SENT:
        content["content"] = base64.b64encode(file.read_bytes()).decode()
    return Message.of(content)


@contextmanager
def reporting(store: Store, settings: Settings, *, tick_s: float = TICK_S) -> Iterator[None]:
    """Make and send reports on their schedules while the body runs.

    Raises:
        SettingsError: The schedules or webhooks of the settings cannot be used.
    """
    schedules = load_schedules(settings.report_schedules)
    hooks = {one.name: one for one in load_subscriptions(settings.webhooks)}
    scheduler = Scheduler(store, settings, schedules, hooks)
    over = threading.Event()

    def work() -> None:
        scheduler.run()
        while not over.wait(tick_s):
            scheduler.run()

    thread = threading.Thread(target=work, name="reports", daemon=True)
    if schedules:
        thread.start()
    try:
        yield
    finally:
        over.set()
        if schedules:
            thread.join()
