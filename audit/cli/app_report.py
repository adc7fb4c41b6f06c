"""The command `pitwatch report` and its options."""

from pathlib import Path
from typing import Annotated

import typer

from audit.cli.options import Data, HouseFile, Json

Kind = Annotated[
    str,
    typer.Argument(metavar="KIND", help="A kind, see below; verify, with a FILE; or due."),
]
Report = Annotated[
    Path | None, typer.Argument(metavar="FILE", help="For verify: the report to look at.")
]
Span = Annotated[
    str | None,
    typer.Option(
        "--range",
        help="2026-11-30 (a gaming day), 2026-11-30/2 (a shift), 2026-W49, 2026-11, "
        "today or yesterday (default: today).",
    ),
]
Since = Annotated[
    str | None, typer.Option("--from", help="A gaming day or a time (default: today).")
]
Until = Annotated[
    str | None,
    typer.Option("--to", help="A gaming day (its end) or a time (default: that of --from)."),
]
Out = Annotated[
    Path | None, typer.Option(help="A folder or file (default: reports in the data folder).")
]
Section = Annotated[
    str | None, typer.Option(help="Of CSV: this table alone, for programs (default: all).")
]
Tables = Annotated[
    list[str] | None, typer.Option(help="Only this table; again for more (default: all).")
]


HELP = """\
Issue a report as a file, or say whether a file is a report that was issued.

Every report is itself an entry of the record, and has a signature beside it. Exit code of
verify: 0 issued, and the record under it holds; 1 not so.

\b
Kinds:
  audit             rounds watched, findings, and what was decided on them
  payouts           what was due against what was paid
  misdeals          rounds that were void, and why
  reconstructions   hands to be rebuilt, seats to be watched
  dealers           findings on deals and payouts by day
  coverage          what was not seen: gaps, what could not be read
  hold              each game's result against the exact edge
  surveillance-log  what surveillance entered
  incidents         incidents with notes, links and outcome
  disputes          patrons' disputes with their outcome
  access-review     accounts and keys, and who looked at what
  verify FILE       whether FILE is a report that was issued
  due               makes what the schedules say is due, for a timer

\b
Examples:
  pitwatch report audit --range yesterday --format pdf --out reports/
  pitwatch report payouts --from 2026-11-01 --to 2026-11-30 --format xlsx --language ko
  pitwatch report payouts --range 2026-11 --format csv --section differences
  pitwatch report verify reports/audit_2026-11-29_R-20261130-7f3a9c2e.pdf
  pitwatch report due
"""
"""What `pitwatch report --help` says."""


# Its parameters are its options: typer reads them off the signature, so they can't be put together.
def report(
    kind: Kind,
    file: Report = None,
    span: Span = None,
    since: Since = None,
    until: Until = None,
    table: Tables = None,
    form: Annotated[str, typer.Option("--format", help="pdf, xlsx, csv or jsonl.")] = "pdf",
    out: Out = None,
    language: Annotated[str, typer.Option(help="en or ko.")] = "en",
    paper: Annotated[str, typer.Option(help="a4 or letter.")] = "a4",
    section: Section = None,
    house: HouseFile = None,
    data: Data = None,
    json: Json = False,
) -> int:
    """Issue a report, or look at one; see `HELP`."""
    from audit.cli.report import ReportOptions, report_or_verify

    tables = tuple(table or ())
    # fmt: off
    options = ReportOptions(
        kind, span, since, until, tables, form, language, paper, section, out, data, house, json
    )
    # fmt: on
    return report_or_verify(options, file)
