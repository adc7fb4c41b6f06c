"""`pitwatch payouts`: imports and balances."""

from contextlib import closing
from dataclasses import asdict, dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path

from rich.console import Console

from audit.cli.output import WRONG_USE, print_json, print_line, say, say_error
from audit.cli.places import settings_for
from audit.cli.verify import existing_record
from audit.errors import SettingsError
from audit.imports import ImportFormat, ImportRefused, read_import
from audit.policy import load_policy
from audit.reports.spans import Clock
from audit.settings import Settings
from audit.shifts import shifts_between
from audit.store import Reader, Store, open_store
from audit.store.asking_desk import NamedBalance, Span
from rules.events import Cents
from rules.explain import money

TERMINAL = "terminal"
"""Who acts at the command line, in the record: whoever may read the data folder."""

SHOWN_PROBLEMS = 100
"""The most bad lines that are printed; the last line says how many there are."""


@dataclass(frozen=True, slots=True)
class ImportOptions:
    """What the command was asked for."""

    file: Path
    table: str | None
    dry_run: bool
    data: Path | None
    json: bool


@dataclass(frozen=True, slots=True)
class BalanceOptions:
    """What the command was asked for."""

    by: str
    table: str | None
    days: int
    data: Path | None
    json: bool


def import_payouts(options: ImportOptions) -> int:
    """Import a file, all or nothing; every bad line is named, and then the exit code is 2.

    Raises:
        SettingsError: The file's name tells no format.
        StoreError: There is no record, or it cannot be written.
        OSError: The file cannot be read.
    """
    form = _format_of(options.file)
    settings = settings_for(options.data)
    with closing(_writable(settings)) as store:
        try:
            file = read_import(
                options.file.read_bytes(), options.file.name, form, table=options.table
            )
            with Console(stderr=True).status(f"Importing {len(file.lines)} lines"):
                done = store.import_reports(file, user=TERMINAL, dry_run=options.dry_run)
        except ImportRefused as refused:
            for problem in refused.problems[:SHOWN_PROBLEMS]:
                say(f"{options.file}: {problem}")
            count = len(refused.problems)
            say_error(f"{options.file}: {count} bad line{'s'[: count != 1]}; nothing was imported")
            return WRONG_USE
    for doubt in done.doubts[:SHOWN_PROBLEMS]:
        say(f"{options.file}: {doubt}")
    if options.json:
        print_json(asdict(done))
    else:
        would = "would be added" if done.dry_run else "added"
        print_line(f"{done.lines} lines: {done.added} {would}, {done.known} known before.")
        print_line(f"{done.alerts} new alerts.")
        if done.doubts:
            print_line(f"{len(done.doubts)} doubts, told line by line above.")
    return 0


def _format_of(file: Path) -> ImportFormat:
    match file.suffix.lower():
        case ".csv":
            return ImportFormat.CSV
        case ".jsonl" | ".ndjson":
            return ImportFormat.JSON_LINES
        case _:
            raise SettingsError(f"{file}: expected a name that ends in .csv or .jsonl")


def _writable(settings: Settings) -> Store:
    """Open a record that is there, to write into it; a mistyped folder is no new record."""
    existing_record(settings).close()
    policy = load_policy(settings.alert_policy)
    return open_store(settings.database_url, settings.data_dir, policy)


def print_balance(options: BalanceOptions) -> int:
    """Print a balance a table, shift or dealer.

    Raises:
        SettingsError: It is to be drawn by something else.
        StoreError: There is no record, or it cannot be read.
    """
    settings = settings_for(options.data)
    with closing(existing_record(settings)) as store:
        found = _balances(store, settings, options)
    for one in found:
        if options.json:
            print_json({options.by: one.name, **asdict(one.balance)})
        else:
            print_line(_words(one))
    if not found:
        say("Nothing was staked or paid in this time.")
    return 0


def _balances(store: Reader, settings: Settings, options: BalanceOptions) -> list[NamedBalance]:
    until = datetime.now(UTC)
    span = Span(until - timedelta(days=options.days), until, options.table)
    match options.by:
        case "table":
            return store.balances_by_table(span)
        case "dealer":
            return store.balances_by_dealer(span)
        case "shift":
            shifts = shifts_between(Clock.of(settings), span.since, span.until)
            return store.balances_by_shift(shifts, options.table)
        case _:
            raise SettingsError(f"--by: found {options.by!r}, expected table, shift or dealer")


def _words(one: NamedBalance) -> str:
    balance = one.balance
    amounts = {
        "staked": money(Cents(balance.staked)),
        "due": money(Cents(balance.due), signed=True),
        "paid": money(Cents(balance.paid), signed=True),
        "too much": money(Cents(balance.overpaid)),
        "too little": money(Cents(balance.underpaid)),
    }
    told = ", ".join(f"{name} {amount}" for name, amount in amounts.items())
    return f"{one.name or '(no dealer told)'}: {balance.lines} lines, {told}"
