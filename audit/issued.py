"""Reports that were issued: what was handed over, to whom it was made, and what it rests on."""

from dataclasses import dataclass
from datetime import datetime

from audit.chain import JsonObject, utc_moment, utc_text


@dataclass(frozen=True, slots=True)
class Handover:
    """What the record keeps of one report file, told when the file is whole."""

    report: str
    """The report's name, which stands in the file, such as `R-20261130-7f3a9c2e`."""
    kind: str
    """A `audit.reports.kinds.ReportKind`, as text: the record outlives the program's list."""
    format: str
    file: str
    """The file's name as it was made, without its folder."""
    sha256: str
    """SHA-256 of the whole file: 64 hexadecimal digits."""
    size: int
    """Of the file, in bytes."""
    content: str
    """SHA-256 of the rows, as the file itself carries it."""
    rows: int
    span: str
    """The range in words of the program, such as `day 2026-11-30`."""
    since: datetime
    until: datetime
    tables: tuple[str, ...]
    """The tables that it is about; empty for all."""
    language: str
    rules: tuple[str, ...]
    """The versions of the house rules that were in force."""
    checkpoint: int
    """The number of the checkpoint that covers all that it tells; 0 when there was none."""
    user: str
    schedule: str | None = None
    """The schedule that it was made for."""

    def json(self) -> JsonObject:
        """Return the body of its entry."""
        return {
            "report": self.report,
            "kind": self.kind,
            "format": self.format,
            "file": self.file,
            "sha256": self.sha256,
            "size": self.size,
            "content": self.content,
            "rows": self.rows,
            "span": self.span,
            "since": utc_text(self.since),
            "until": utc_text(self.until),
            "tables": list(self.tables),
            "language": self.language,
            "rules": list(self.rules),
            "checkpoint": self.checkpoint,
            "user": self.user,
            "schedule": self.schedule,
        }


@dataclass(frozen=True, slots=True)
class IssuedReport:
    """A report file as the record lists it."""

    entry: int
    at: datetime
    report: str
    kind: str
    format: str
    file: str
    sha256: str
    size: int
    content: str
    rows: int
    span: str
    since: datetime
    until: datetime
    tables: str
    """Separated by spaces; empty for all."""
    language: str
    checkpoint: int
    user: str
    schedule: str | None


def issued_of(entry: int, at: datetime, body: JsonObject) -> IssuedReport:
    """Return the report that an entry tells of.

    Raises:
        KeyError, TypeError, ValueError: The body is none that `Handover.json` makes.
    """
    return IssuedReport(
        entry=entry,
        at=at,
        report=body["report"],
        kind=body["kind"],
        format=body["format"],
        file=body["file"],
        sha256=body["sha256"],
        size=body["size"],
        content=body["content"],
        rows=body["rows"],
        span=body["span"],
        since=utc_moment(body["since"]),
        until=utc_moment(body["until"]),
        tables=" ".join(body["tables"]),
        language=body["language"],
        checkpoint=body["checkpoint"],
        user=body["user"],
        schedule=body["schedule"],
    )
