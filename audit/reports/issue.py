"""Issuing a report: drawn, written, hashed, entered into the record and signed, in this order.

A file appears in its place only when the record knows it; what is cancelled leaves nothing.
"""

import hashlib
import json
import os
import re
import secrets
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime
from importlib.metadata import version
from pathlib import Path
from typing import assert_never

from audit.chain import Entry, JsonObject, canonical
from audit.checkpoint import Checkpoint
from audit.errors import ReportError
from audit.issued import Handover
from audit.keys import current_key, fingerprint, public_text
from audit.reports.csv_file import write_csv, write_table
from audit.reports.drawing import House, draw
from audit.reports.kinds import Format, Paper
from audit.reports.lines_file import write_lines
from audit.reports.pdf_file import write_pdf
from audit.reports.shape import Report, Request
from audit.reports.words import Words
from audit.reports.writing import SHOWN, Progress, Rows, Sheet
from audit.reports.xlsx_file import write_xlsx
from audit.store import Store
from audit.store.reporting import snapshot

SIGNATURE_PREFIX = b"pitwatch report v1\x00"
"""What comes before a report's statement when it is signed."""

SIGNATURE_SUFFIX = ".sig.json"
"""A report's signature lies beside it under the report's own name and this."""

_CHUNK = 1 << 20


@dataclass(frozen=True, slots=True)
class Order:
    """A report as somebody asks for it."""

    request: Request
    format: Format
    user: str
    language: str = "en"
    paper: Paper = Paper.A4
    section: str | None = None
    """Of CSV only: this section alone, for programs."""
    schedule: str | None = None


@dataclass(frozen=True, slots=True)
class Issued:
    """A report that was issued."""

    file: Path
    signature: Path
    handover: Handover
    entry: Entry


def issue(
    store: Store, house: House, order: Order, place: Path, progress: Progress | None = None
) -> Issued:
    """Issue a report into a folder or as a file.

    Args:
        store: The record; the report becomes an entry of it.
        house: The property's clock and rules.
        order: What is asked for.
        place: A folder, which is made when missing, or the file's own path.
        progress: Told how many rows are written; to stop, it raises `ReportCancelledError`.

    Raises:
        ReportError: The report cannot be made as asked for.
        ReportCancelledError: It is no longer wanted.
        StoreError: The record or its signing key cannot be read or written.
        OSError: The file cannot be written.
    """
    made = datetime.now(UTC)
    key = current_key(store.data_dir, store.signing_key())
    name = f"R-{made:%Y%m%d}-{secrets.token_hex(4)}"
    target = _target(place, order, name)
    with snapshot(store.engine) as seen:
        report = draw(seen, order.request, house, made)
        # Signed after the snapshot was taken: it covers all that the report can tell.
        checkpoint = store.checkpoint()
        sheet = Sheet(
            report=name,
            made=made,
            user=order.user,
            software=version("pitwatch"),
            checkpoint=checkpoint.number,
            checkpoint_hash=checkpoint.hash,
            key=fingerprint(public_text(key)),
            words=Words(order.language, house.clock.zone),
            paper=order.paper,
            schedule=order.schedule,
        )
        with _part_of(target) as part:
            rows = _write(part, report, order, sheet, progress)
            handover = _handover(part, target, order, (report, sheet, rows))
            entry = store.record_report(handover, at=made)
            statement = _statement(handover, entry, checkpoint, public_text(key))
            signature = key.sign(SIGNATURE_PREFIX + canonical(statement)).hex()
            beside = target.with_name(target.name + SIGNATURE_SUFFIX)
            signed = json.dumps({**statement, "signature": signature}, indent=1, ensure_ascii=False)
            beside.write_text(signed + "\n", encoding="utf-8")
            part.replace(target)
    store.checkpoint()
    return Issued(target, beside, handover, entry)


def _target(place: Path, order: Order, name: str) -> Path:
    suffix = f".{order.format}"
    if place.suffix.lower() == suffix and not place.is_dir():
        place.parent.mkdir(parents=True, exist_ok=True)
        return place
    if place.suffix and not place.is_dir() and place.suffix.lower()[1:] in set(Format):
        raise ReportError(f"{place}: found another format than {order.format}, which was asked for")
    place.mkdir(parents=True, exist_ok=True)
    span = re.sub(r"[^0-9A-Za-z.-]+", "-", order.request.span.name)
    return place / f"{order.request.kind}_{span}_{name}{suffix}"


@contextmanager
def _part_of(target: Path) -> Iterator[Path]:
    part = target.with_name(f".{target.name}.part")
    try:
        yield part
    finally:
        part.unlink(missing_ok=True)


def _write(
    part: Path, report: Report, order: Order, sheet: Sheet, progress: Progress | None
) -> Rows:
    rows = Rows(report, progress, limit=SHOWN if order.format is Format.PDF else None)
    if order.section is not None:
        section = report.section(order.section)
        if section is None or order.format is not Format.CSV:
            known = ", ".join(section.key for section in report.sections)
            raise ReportError(f"section: found {order.section!r}, expected, of CSV, one of {known}")
        write_table(part, section, sheet.words, rows)
        return rows
    match order.format:
        case Format.PDF:
            write_pdf(part, report, sheet, rows)
        case Format.XLSX:
            write_xlsx(part, report, sheet, rows)
        case Format.CSV:
            write_csv(part, report, sheet, rows)
        case Format.JSON_LINES:
            write_lines(part, report, sheet, rows)
        case _:
            assert_never(order.format)
    return rows


def _handover(
    part: Path, target: Path, order: Order, written: tuple[Report, Sheet, Rows]
) -> Handover:
    report, sheet, rows = written
    return Handover(
        report=sheet.report,
        kind=report.kind.value,
        format=order.format.value,
        file=target.name,
        sha256=file_hash(part),
        size=part.stat().st_size,
        content=rows.content,
        rows=rows.count,
        span=str(report.span),
        since=report.span.since,
        until=report.span.until,
        tables=report.request.tables,
        language=order.language,
        rules=report.rules,
        checkpoint=sheet.checkpoint,
        user=order.user,
        schedule=order.schedule,
    )


def _statement(handover: Handover, entry: Entry, checkpoint: Checkpoint, key: str) -> JsonObject:
    """Return what is signed: the report, the entry that tells of it, the checkpoint below it."""
    return {
        **handover.json(),
        "entry": {"chain": entry.chain, "number": entry.number, "hash": entry.hash},
        "rests_on": checkpoint.line(),
        "key": key,
    }


def file_hash(path: Path) -> str:
    """Return the SHA-256 of a whole file, on its way to the disk for good.

    Raises:
        OSError: It cannot be read.
    """
    found = hashlib.sha256()
    with path.open("rb") as file:
        while chunk := file.read(_CHUNK):
            found.update(chunk)
        os.fsync(file.fileno())
    return found.hexdigest()
