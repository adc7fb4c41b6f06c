"""Which reports there are, and in which forms they can be had."""

from collections.abc import Mapping
from enum import StrEnum, unique

from audit.web.language import N_


@unique
class ReportKind(StrEnum):
    """What a report is about."""

    AUDIT = "audit"
    PAYOUTS = "payouts"
    MISDEALS = "misdeals"
    RECONSTRUCTIONS = "reconstructions"
    DEALERS = "dealers"
    COVERAGE = "coverage"
    HOLD = "hold"
    LOG = "surveillance-log"
    INCIDENTS = "incidents"
    DISPUTES = "disputes"
    ACCESS = "access-review"


TITLES: Mapping[ReportKind, str] = {
    ReportKind.AUDIT: N_("Audit report"),
    ReportKind.PAYOUTS: N_("Payout reconciliation"),
    ReportKind.MISDEALS: N_("Misdeals and voids"),
    ReportKind.RECONSTRUCTIONS: N_("Reconstructions and watch list"),
    ReportKind.DEALERS: N_("Dealer error trend"),
    ReportKind.COVERAGE: N_("Coverage"),
    ReportKind.HOLD: N_("Hold against theory"),
    ReportKind.LOG: N_("Surveillance log"),
    ReportKind.INCIDENTS: N_("Incident files"),
    ReportKind.DISPUTES: N_("Dispute files"),
    ReportKind.ACCESS: N_("Access review"),
}
"""What each report is called, in English."""

PURPOSES: Mapping[ReportKind, str] = {
    ReportKind.AUDIT: N_("Rounds watched, findings by kind and severity, what was decided on them"),
    ReportKind.PAYOUTS: N_("What was due against what was paid, with the differences in money"),
    ReportKind.MISDEALS: N_("Rounds that were void, with the reason and what was returned"),
    ReportKind.RECONSTRUCTIONS: N_("Hands to be rebuilt, and seats to be watched"),
    ReportKind.DEALERS: N_("Findings on deals and payouts by day, for a thousand rounds"),
    ReportKind.COVERAGE: N_("What was not seen, hours watched, gaps and what could not be read"),
    ReportKind.HOLD: N_("Each game's result against the exact edge, with a confidence band"),
    ReportKind.LOG: N_("What surveillance observed, in the order in which it was entered"),
    ReportKind.INCIDENTS: N_("Incidents with their notes, links and outcome"),
    ReportKind.DISPUTES: N_("Patrons' disputes: dates, kind and outcome"),
    ReportKind.ACCESS: N_("Accounts and keys, and who looked at what"),
}
"""What each report tells, in one line."""


@unique
class Format(StrEnum):
    """A form of file."""

    PDF = "pdf"
    XLSX = "xlsx"
    CSV = "csv"
    JSON_LINES = "jsonl"


@unique
class Paper(StrEnum):
    """A size of paper, as the typesetter names it."""

    A4 = "a4"
    LETTER = "us-letter"


MEDIA_TYPES: Mapping[Format, str] = {
    Format.PDF: "application/pdf",
    Format.XLSX: "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
    Format.CSV: "text/csv; charset=utf-8",
    Format.JSON_LINES: "application/jsonl",
}
"""What a browser or webhook is told that the file is."""
