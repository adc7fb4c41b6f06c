"""`pitwatch report`: reports as files, and whether a file is one that was issued."""

import getpass
from contextlib import closing
from dataclasses import dataclass
from datetime import UTC, datetime
from enum import StrEnum
from pathlib import Path
from typing import TypeVar

from audit.cli.output import NOT_HELD, print_json, print_line
from audit.cli.places import house_in, settings_for
from audit.cli.verify import existing_record
from audit.cli.working import working
from audit.database import parse_url, place_of
from audit.errors import ReportError
from audit.reports.drawing import House
from audit.reports.issue import Issued, Order, issue
from audit.reports.kinds import Format, Paper, ReportKind
from audit.reports.proof import Proof, prove
from audit.reports.schedule import Scheduler, load_schedules
from audit.reports.shape import Request
from audit.reports.spans import Clock, Span
from audit.store import open_store
from audit.webhooks import load_subscriptions

Known = TypeVar("Known", bound=StrEnum)

VERIFY = "verify"
DUE = "due"


@dataclass(frozen=True, slots=True)
class ReportOptions:
    """The options of the command."""

    kind: str
    range: str | None = None
    since: str | None = None
    until: str | None = None
    tables: tuple[str, ...] = ()
    format: str = "pdf"
    language: str = "en"
    paper: str = "a4"
    section: str | None = None
    out: Path | None = None
    data: Path | None = None
    house: Path | None = None
    json: bool = False


def report_or_verify(options: ReportOptions, file: Path | None) -> int:
    """Issue a report, or verify a file.

    Raises:
        ReportError: The command was used wrongly, or the file cannot be read.
        StoreError: There is no record, or it cannot be read or written.
    """
    if options.kind == VERIFY:
        if file is None:
            raise ReportError("verify: no file given (see: pitwatch report --help)")
        return verify_report(file, data=options.data, json=options.json)
    if options.kind == DUE and file is None:
        return make_due(data=options.data)
    if file is not None:
        raise ReportError(f"{file}: only verify takes a file; name where to write with --out")
    return make_report(options)


def verify_report(file: Path, *, data: Path | None, json: bool) -> int:
    """Say whether a file is a report that was issued, and whether the record under it holds.

    Raises:
        ReportError: The file cannot be read.
        StoreError: There is no record, or it cannot be read.
    """
    settings = settings_for(data)
    place = place_of(parse_url(settings.database_url))
    with closing(existing_record(settings)) as reader, working("Verifying", hidden=json) as tell:
        proof = prove(reader, settings.data_dir, file, tell)
    if json:
        print_json(_proof_json(place, proof))
    else:
        for line in _proof_lines(file, place, proof):
            print_line(line)
    return 0 if proof.holds else NOT_HELD


def make_due(*, data: Path | None) -> int:
    """Make and send what the schedules say is due, once; for a timer of the system.

    Raises:
        SettingsError: The schedules or webhooks cannot be used.
        StoreError: There is no record, or it cannot be read or written.
    """
    settings = settings_for(data)
    existing_record(settings).close()
    schedules = load_schedules(settings.report_schedules)
    hooks = {one.name: one for one in load_subscriptions(settings.webhooks)}
    with closing(open_store(settings.database_url, settings.data_dir)) as store:
        made = Scheduler(store, settings, schedules, hooks).run()
    print_line(f"{len(made)} of {len(schedules)} schedules were due: {', '.join(made) or 'none'}")
    return 0


def _proof_lines(file: Path, place: str, proof: Proof) -> list[str]:
    lines = [f"{file}: SHA-256 {proof.sha256}", f"Record asked: {place}"]
    if proof.issued is None:
        lines += _not_issued(proof)
    else:
        told = proof.issued
        lines.append(f"Issued: {told.report}, {told.kind}, {told.span}, entry {told.entry},")
        lines.append(f"  by {told.user} at {told.at:%F %T} UTC, checkpoint {told.checkpoint}.")
    match proof.signed:
        case True:
            lines.append("Signature: holds, by a key of the record.")
        case False:
            lines.append("Signature: not by a key of this record over this file.")
        case None:
            lines.append("Signature: no file with one lies beside it.")
    fault = proof.record.fault
    lines.append(f"The record does not hold: {fault}" if fault else "The record under it holds.")
    return lines


def _not_issued(proof: Proof) -> list[str]:
    # A record that only began holds one entry, which names its key.
    if proof.record.holds and proof.record.entries <= 1:
        return [
            "No record was found there: it is empty, so it can say nothing of this file.",
            "  Name the folder of the record that issued it with --data DIR.",
        ]
    return [
        "Not issued: this record knows no report with these bytes.",
        "  If another record issued it, name that one's folder with --data DIR.",
    ]


def _proof_json(place: str, proof: Proof) -> dict[str, object]:
    told = proof.issued
    fault = proof.record.fault
    return {
        "database": place,
        "sha256": proof.sha256,
        "issued": None if told is None else {"report": told.report, "entry": told.entry},
        "signed": proof.signed,
        "record": str(fault) if fault else None,
        "holds": proof.holds,
    }


def make_report(options: ReportOptions) -> int:
    """Issue a report, with a progress bar that Ctrl-C may stop.

    Raises:
        ReportError: The report cannot be made as asked for.
        StoreError: There is no record, or it cannot be read or written.
    """
    settings = settings_for(options.data)
    existing_record(settings).close()
    house = House(Clock.of(settings), house_in(options.house or settings.house_rules))
    kind = _one_of(ReportKind, options.kind, "report")
    request = Request(kind, _span(options, house.clock), options.tables)
    order = Order(
        request=request,
        format=_one_of(Format, options.format, "--format"),
        user=_user(),
        language=options.language,
        paper=_paper(options.paper),
        section=options.section,
    )
    place = options.out or settings.data_dir / "reports"
    with (
        closing(open_store(settings.database_url, settings.data_dir)) as store,
        working("Writing", hidden=options.json) as tell,
    ):
        issued = issue(store, house, order, place, tell)
    _tell(issued, json=options.json)
    return 0


def _user() -> str:
    """Return who runs the command, as the system names them."""
    try:
        return getpass.getuser()
    except (KeyError, OSError, ImportError):  # an account without a name, as in some containers
        return "terminal"


def _one_of(known: type[Known], text: str, what: str) -> Known:
    try:
        return known(text)
    except ValueError:
        raise ReportError(f"{what}: found {text!r}, expected one of {', '.join(known)}") from None


def _paper(text: str) -> Paper:
    known = {"a4": Paper.A4, "letter": Paper.LETTER, "us-letter": Paper.LETTER}
    if text.lower() not in known:
        raise ReportError(f"--paper: found {text!r}, expected a4 or letter")
    return known[text.lower()]


def _span(options: ReportOptions, clock: Clock) -> Span:
    now = datetime.now(UTC)
    if options.since is None and options.until is None:
        return clock.span(options.range or "today", now)
    if options.range is not None:
        raise ReportError("--range: give either a range, or --from and --to")
    since = options.since or clock.day_of(now).isoformat()
    return clock.between(since, options.until or since)


def _tell(issued: Issued, *, json: bool) -> None:
    told = issued.handover
    if json:
        print_json({**told.json(), "path": str(issued.file), "signature": str(issued.signature)})
        return
    print_line(f"{told.report}: {issued.file} ({told.rows} rows, {told.size} bytes)")
    print_line(f"  {told.span}, {told.since:%F %T} to {told.until:%F %T} UTC")
    print_line(f"  SHA-256 {told.sha256}")
    print_line(f"  rests on checkpoint {told.checkpoint}; signature in {issued.signature.name}")
