"""Importing reports from a file: in one transaction over all tables, all or nothing."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from datetime import datetime

from sqlmodel import Session

from audit.chain import SYSTEM, EntryKind
from audit.errors import AuditError, RecordConflict
from audit.imports import ImportFile, ImportLine, ImportRefused, Problem
from audit.payouts import CLOCKS_APART
from audit.rounds import RecordedRound
from audit.store.payout_acts import PayoutActs, feed_line, write_feed_note
from audit.store.unit import Unit
from audit.store.writing import now_or
from audit.tables import TableState
from rules.errors import RulesError
from rules.fits import check_event_fits
from rules.games import GAMES
from rules.wire import parse_feed_event


@dataclass(frozen=True, slots=True)
class Imported:
    """What an import came to."""

    lines: int
    added: int
    known: int
    """Lines that were in the record already, from this file or another one."""
    alerts: int
    """New alerts, for what was paid otherwise than due."""
    dry_run: bool
    doubts: tuple[Problem, ...] = ()
    """What is odd about lines that can be used all the same: rounds that the record does not know
    (or not yet), and times in the future."""


class _DryRunDone(Exception):  # noqa: N818  # no error: it takes back what was only tried
    def __init__(self, result: Imported) -> None:
        super().__init__()
        self.result = result


class ImportActs(PayoutActs):
    """Imports of wagers and payouts."""

    def import_reports(
        self, file: ImportFile, *, user: str, dry_run: bool = False, at: datetime | None = None
    ) -> Imported:
        """Import a file's wagers and payouts, all or nothing; what is known already adds nothing.

        A dry run does the same and takes it back: what it tells is what an import would.

        Raises:
            ImportRefused: Some lines cannot be used; it holds a problem a line.
        """

        def work(session: Session) -> Imported:
            # Chains are locked in one order, so that no two imports wait for each other.
            system = Unit(session, SYSTEM)
            tables = sorted({line.table for line in file.lines})
            units = {table: Unit(session, table) for table in tables}
            problems = [*file.problems, *_write_lines(units, file.lines)]
            if problems:
                told = tuple(sorted(problems, key=lambda problem: problem.line))
                raise ImportRefused(file.name, told)
            doubts = tuple(_doubts(units, file.lines, now_or(at)))
            result = replace(_counted(units, file, dry_run=dry_run), doubts=doubts)
            if dry_run:
                raise _DryRunDone(result)
            if result.added:
                detail = {"file": file.name, "sha256": file.sha256, "added": result.added}
                body = {"user": user, "act": "payouts.imported", "detail": detail}
                system.append(EntryKind.USER_ACTED, body, now_or(at))
            return result

        try:
            return self._transact(work)
        except _DryRunDone as done:
            return done.result


def _counted(units: dict[str, Unit], file: ImportFile, *, dry_run: bool) -> Imported:
    kinds = [entry.kind for unit in units.values() for entry in unit.entries]
    reports = (EntryKind.WAGER_PLACED, EntryKind.PAYOUT_MADE)
    added = sum(kind in reports for kind in kinds)
    return Imported(
        lines=len(file.lines),
        added=added,
        known=len(file.lines) - added,
        alerts=kinds.count(EntryKind.FINDING_RAISED),
        dry_run=dry_run,
    )


def _write_lines(units: dict[str, Unit], lines: Iterable[ImportLine]) -> list[Problem]:
    """Write all lines that can be; return what is wrong with the others."""
    problems = []
    states = {table: unit.find(TableState, (table,)) for table, unit in units.items()}
    for line in lines:
        try:
            _check_table(line, states[line.table])
            _write_line(units[line.table], line)
        except (AuditError, RulesError) as error:
            problems.append(Problem(line.number, str(error)))
    return problems


def _doubts(
    units: dict[str, Unit], lines: Iterable[ImportLine], now: datetime
) -> Iterator[Problem]:
    """Give what is odd about lines that were written."""
    known: dict[str, bool] = {}
    for line in lines:
        named = line.note.round
        if named is not None:
            if named not in known:
                known[named] = units[line.table].find(RecordedRound, (named,)) is not None
            if not known[named]:
                text = f"round: found {named!r}, which is not in the record (yet)"
                yield Problem(line.number, text)
        if line.at > now + CLOCKS_APART:
            yield Problem(line.number, f"at: found {line.at.isoformat()}, which is in the future")


def _check_table(line: ImportLine, state: TableState | None) -> None:
    if state is None:
        raise RecordConflict(f"table: found {line.table!r}, expected one that was watched")
    if state.game in GAMES:
        told = {"kind": line.act.value, "seat": line.note.seat}
        told |= {"wager": line.note.wager, "amount": line.note.amount}
        check_event_fits(parse_feed_event(told), GAMES[state.game])


def _write_line(unit: Unit, line: ImportLine) -> None:
    note = line.note
    if line.corrects is not None:
        earlier = feed_line(unit, line.corrects)
        if earlier is None:
            raise RecordConflict(f"corrects: found no report under client id {line.corrects!r}")
        note = replace(note, corrects=earlier.entry)
    write_feed_note(unit, line.act, note, line.at)
