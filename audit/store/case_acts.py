"""What users write: case folders and the surveillance log. Nothing in them is ever changed."""

from collections.abc import Callable
from dataclasses import dataclass, replace
from datetime import datetime

from sqlalchemy import func
from sqlmodel import col, select

from audit.alerts import Alert
from audit.cases import OUTCOMES, CaseFile, CaseLink, CaseOutcome, CaseState, LinkKind, NewCase
from audit.chain import SYSTEM, EntryKind, JsonObject
from audit.desk_records import CaseFileRecord, LogLineRecord
from audit.errors import ChainError, NotInRecord, RecordConflict
from audit.logbook import LogLine, LogNote
from audit.records import EntryRecord
from audit.rounds import RecordedRound
from audit.rows import R
from audit.store.unit import Unit
from audit.store.writing import NAME_LENGTH, Writer, fit, now_or


@dataclass(frozen=True, slots=True)
class Link:
    """What a folder is to point at."""

    kind: LinkKind
    ref: str
    """A round's or bundle's name, or the number of an alert, log line, case or entry."""


def needed_case(unit: Unit, number: int) -> CaseFile:
    """Return a folder as this transaction sees it.

    Raises:
        NotInRecord: There is no such case.
    """
    case = unit.find(CaseFile, (number,))
    if case is None:
        raise NotInRecord(f"no case {number} in the record")
    return case


def write_link(unit: Unit, case: CaseFile, link: Link, act: JsonObject, at: datetime) -> CaseFile:
    """Write that a folder points at something; what it points at already is no act.

    Raises:
        NotInRecord: There is nothing of that name.
    """
    _check_link(unit, case, link)
    if unit.find(CaseLink, (case.number, link.kind.value, link.ref)) is not None:
        return case
    body = {"case": case.number, "link": link.kind.value, "ref": link.ref, **act}
    unit.append(EntryKind.CASE_LINKED, body, at)
    return needed_case(unit, case.number)


def _check_link(unit: Unit, case: CaseFile, link: Link) -> None:
    there = True
    match link.kind:
        case LinkKind.ROUND:
            there = unit.find(RecordedRound, (link.ref,)) is not None
        case LinkKind.ALERT:
            there = _numbered(unit, Alert, link)
        case LinkKind.LOG:
            there = _numbered(unit, LogLine, link)
        case LinkKind.CASE:
            there = _numbered(unit, CaseFile, link) and link.ref != str(case.number)
        case LinkKind.ENTRY:
            query = select(col(EntryRecord.id)).where(col(EntryRecord.id) == _whole(link))
            there = unit.session.scalars(query).first() is not None
        case LinkKind.BUNDLE:
            fit("ref", link.ref, most=NAME_LENGTH)
    if not there:
        raise NotInRecord(f"no {link.kind} {link.ref!r} in the record")


def _numbered(unit: Unit, kind: type[R], link: Link) -> bool:
    return unit.find(kind, (_whole(link),)) is not None


def _whole(link: Link) -> int:
    # As people write it, and of a size that every database takes.
    if not link.ref.isascii() or not link.ref.isdigit() or len(link.ref) > 9:
        raise ChainError(f"ref: found {link.ref!r}, expected the number of the {link.kind}")
    if link.ref != str(int(link.ref)):
        raise ChainError(f"ref: found {link.ref!r}, expected {int(link.ref)}")
    return int(link.ref)


class CaseActs(Writer):
    """The acts on case folders and the log."""

    def open_case(
        self, new: NewCase, links: tuple[Link, ...] = (), *, user: str, at: datetime | None = None
    ) -> CaseFile:
        """Open a folder, with what it points at: numbered in sequence, without holes.

        Raises:
            NotInRecord: Something that it should point at is not there.
            ChainError: A text is missing or too long.
        """
        told = replace(
            new,
            title=fit("title", new.title, most=NAME_LENGTH),
            patron=fit("patron", new.patron, most=NAME_LENGTH, least=0),
            note=fit("note", new.note, least=0),
        )

        def work(unit: Unit) -> CaseFile:
            when = now_or(at)
            number = 1 + int(unit.session.scalar(select(func.max(col(CaseFileRecord.number)))) or 0)
            body = {"case": number, "user": user, **told.json()}
            unit.append(EntryKind.CASE_OPENED, body, when)
            for link in links:
                case = needed_case(unit, number)
                write_link(unit, case, link, {"user": user, "note": ""}, when)
            return needed_case(unit, number)

        return self._write(SYSTEM, work)

    def note_case(
        self, number: int, note: str, *, user: str, at: datetime | None = None
    ) -> CaseFile:
        """Add a note to a folder; also to a closed one, since notes only ever grow.

        Raises:
            NotInRecord: There is no such case.
            ChainError: There is no text, or too much.
        """
        body: JsonObject = {"case": number, "user": user, "note": fit("note", note)}
        return self._on_case(number, EntryKind.CASE_NOTED, body, at)

    def link_case(
        self, number: int, link: Link, *, user: str, note: str = "", at: datetime | None = None
    ) -> CaseFile:
        """Point from a folder at a round, alert, bundle, log line, case or entry.

        Raises:
            NotInRecord: There is no such case, or nothing of that name.
        """
        act = {"user": user, "note": fit("note", note, least=0)}

        def work(unit: Unit) -> CaseFile:
            return write_link(unit, needed_case(unit, number), link, act, now_or(at))

        return self._write(SYSTEM, work)

    def assign_case(
        self, number: int, assignee: str | None, *, user: str, at: datetime | None = None
    ) -> CaseFile:
        """Give a folder to somebody, or to nobody.

        Raises:
            NotInRecord: There is no such case.
        """
        name = None if assignee is None else fit("assignee", assignee, most=NAME_LENGTH)
        body: JsonObject = {"case": number, "user": user, "assignee": name, "note": ""}
        return self._on_case(number, EntryKind.CASE_ASSIGNED, body, at)

    def close_case(
        self,
        number: int,
        outcome: CaseOutcome,
        *,
        user: str,
        note: str = "",
        at: datetime | None = None,
    ) -> CaseFile:
        """Close a folder with what came of it.

        Raises:
            NotInRecord: There is no such case.
            RecordConflict: It is closed, or its kind has no such outcome.
        """
        text = fit("note", note, least=0)
        body: JsonObject = {"case": number, "user": user, "outcome": outcome.value, "note": text}

        def check(case: CaseFile) -> None:
            if case.state is CaseState.CLOSED:
                raise RecordConflict(f"case {number} is closed: {case.outcome}")
            if outcome not in OUTCOMES[case.kind]:
                allowed = ", ".join(sorted(OUTCOMES[case.kind]))
                raise RecordConflict(
                    f"outcome: found {outcome}, expected one of {allowed} of a case of kind "
                    f"{case.kind}"
                )

        return self._on_case(number, EntryKind.CASE_CLOSED, body, at, check)

    def reopen_case(
        self, number: int, note: str, *, user: str, at: datetime | None = None
    ) -> CaseFile:
        """Open a closed folder again, with the reason. What it was closed with stays in its acts.

        Raises:
            NotInRecord: There is no such case.
            RecordConflict: It is open.
        """
        body: JsonObject = {"case": number, "user": user, "note": fit("note", note)}

        def check(case: CaseFile) -> None:
            if case.state is CaseState.OPEN:
                raise RecordConflict(f"case {number} is open")

        return self._on_case(number, EntryKind.CASE_REOPENED, body, at, check)

    def _on_case(
        self,
        number: int,
        kind: EntryKind,
        body: JsonObject,
        at: datetime | None,
        check: Callable[[CaseFile], None] | None = None,
    ) -> CaseFile:
        def work(unit: Unit) -> CaseFile:
            case = needed_case(unit, number)
            if check is not None:
                check(case)
            unit.append(kind, body, now_or(at))
            return needed_case(unit, number)

        return self._write(SYSTEM, work)

    def write_log(self, note: LogNote, *, user: str, at: datetime | None = None) -> LogLine:
        """Enter a line into the surveillance log; it is never changed afterwards.

        Raises:
            NotInRecord: The alert, case or line that it names is not there.
            RecordConflict: The line that it corrects was corrected already.
            ChainError: A text is missing or too long.
        """
        told = _fit_log(note)

        def work(unit: Unit) -> LogLine:
            _check_log(unit, told)
            number = 1 + int(unit.session.scalar(select(func.max(col(LogLineRecord.number)))) or 0)
            body = {"line": number, "user": user, **told.json()}
            unit.append(EntryKind.LOG_WRITTEN, body, now_or(at))
            return _needed_line(unit, number)

        return self._write(SYSTEM, work)


def _fit_log(note: LogNote) -> LogNote:
    return replace(
        note,
        employee=fit("employee", note.employee, most=NAME_LENGTH),
        summary=fit("summary", note.summary),
        location=fit("location", note.location, most=NAME_LENGTH),
        recording=fit("recording", note.recording, most=NAME_LENGTH, least=0),
        disposition=fit("disposition", note.disposition, least=0),
    )


def _needed_line(unit: Unit, number: int) -> LogLine:
    line = unit.find(LogLine, (number,))
    if line is None:
        raise NotInRecord(f"no log line {number} in the record")
    return line


def _check_log(unit: Unit, note: LogNote) -> None:
    if note.alert is not None and unit.find(Alert, (note.alert,)) is None:
        raise NotInRecord(f"no alert {note.alert} in the record")
    if note.case is not None:
        needed_case(unit, note.case)
    if note.corrects is None:
        return
    corrected = _needed_line(unit, note.corrects)
    if corrected.corrected_by is not None:
        raise RecordConflict(
            f"log line {note.corrects} is put right by line {corrected.corrected_by}; "
            "expected a correction of that one"
        )
