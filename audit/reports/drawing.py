"""Draws any report from one snapshot of the record."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Self

from audit.errors import ReportError
from audit.reports.audit_report import audit_report
from audit.reports.coverage import coverage_report
from audit.reports.dealers_report import dealers_report
from audit.reports.desk_reports import access_report, case_report, log_report
from audit.reports.hold_report import hold_report
from audit.reports.kinds import ReportKind
from audit.reports.payouts_report import payout_report
from audit.reports.rebuilds_report import rebuilds_report
from audit.reports.shape import Report, Request, Said
from audit.reports.spans import Clock
from audit.reports.voids_report import voids_report
from audit.settings import Settings
from audit.store.reporting import Snapshot
from audit.web.language import N_
from rules.house import HouseRules, default_house, parse_house


@dataclass(frozen=True, slots=True)
class House:
    """What a house has of its own that reports need."""

    clock: Clock
    rules: HouseRules
    """The house rules in force now: the exact edges are theirs."""

    @classmethod
    def of(cls, settings: Settings) -> Self:
        """Return the house that the settings describe.

        Raises:
            HouseRulesError: The house rules of the settings cannot be used.
        """
        file = settings.house_rules
        if file is None:
            return cls(Clock.of(settings), default_house())
        return cls(Clock.of(settings), parse_house(file.read_text(encoding="utf-8"), str(file)))


def draw(snapshot: Snapshot, request: Request, house: House, now: datetime) -> Report:
    """Draw a report; of a range that is not over, what has been.

    Raises:
        ReportError: The range lies in the future.
    """
    span = request.span
    if span.since >= now:
        raise ReportError(f"range {span.name}: it has not begun (expected a time that has been)")
    if span.until <= now:
        return _drawn(snapshot, request, house)
    so_far = replace(request, span=replace(span, until=now))
    report = _drawn(snapshot, so_far, house)
    early = Said(
        N_("This range is not over yet: what comes later is not in this report."), {}, True
    )
    return replace(report, notices=(early, *report.notices))


def _drawn(snapshot: Snapshot, request: Request, house: House) -> Report:
    match request.kind:
        case ReportKind.PAYOUTS:
            return payout_report(snapshot, request, house.clock)
        case ReportKind.DEALERS:
            return dealers_report(snapshot, request, house.clock)
        case ReportKind.HOLD:
            return hold_report(snapshot, request, house.rules)
        case _:
            return _DRAWERS[request.kind](snapshot, request)


_DRAWERS: Mapping[ReportKind, Callable[[Snapshot, Request], Report]] = {
    ReportKind.AUDIT: audit_report,
    ReportKind.MISDEALS: voids_report,
    ReportKind.RECONSTRUCTIONS: rebuilds_report,
    ReportKind.COVERAGE: coverage_report,
    ReportKind.LOG: log_report,
    ReportKind.INCIDENTS: case_report,
    ReportKind.DISPUTES: case_report,
    ReportKind.ACCESS: access_report,
}
"""Who draws what needs nothing but the record; a test sees that no report is missing."""
