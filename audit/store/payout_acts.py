"""What is reported of wagers, payouts and dealers, and who confirms it."""

from dataclasses import dataclass, replace
from datetime import datetime

from sqlmodel import col, select

from audit.alerts import Breach, Seen
from audit.chain import SYSTEM, EntryKind, JsonObject
from audit.errors import ChainError, NotInRecord, RecordConflict
from audit.payouts import LATE, FeedAct, FeedLine, FeedNote, FeedSource, PayoutLine
from audit.records import FeedLineRecord, PayoutLineRecord
from audit.rounds import RecordedRound
from audit.store.acts import write_finding, write_stakes
from audit.store.stakes import round_that_took
from audit.store.stint_acts import DealerNote, write_dealer
from audit.store.unit import Unit, view
from audit.store.writing import Writer, fit, now_or
from rules.events import Cents
from rules.explain import money
from rules.findings import Severity
from rules.settlement import SERIOUS_CENTS, payout_code


@dataclass(frozen=True, slots=True)
class WagerAt:
    """One wager of one seat in one round."""

    round: str
    seat: int
    wager: str


def write_feed_note(unit: Unit, act: FeedAct, note: FeedNote, at: datetime) -> FeedLine:
    """Write a reported wager or payout, once a client id; return its line.

    A late payout (a correction or an import) of a known round is compared with what was due, and a
    difference raises an alert as one seen live does. With a late stake the round is judged again.

    Raises:
        RecordConflict: The client id was used for another report, its round is one of another
            table, or what it corrects is not there or was corrected before.
    """
    if note.client_id is not None:
        known = feed_line(unit, note.client_id)
        if known is not None and known.says(act, note):
            return known
        if known is not None:
            raise RecordConflict(
                f"client id {note.client_id!r} already names another report (entry {known.entry})"
            )
    _of_this_table(unit, note)
    if note.corrects is not None:
        note = _correction(unit, act, note)
    kind = EntryKind.WAGER_PLACED if act is FeedAct.WAGER else EntryKind.PAYOUT_MADE
    entry = unit.append(kind, {"kind": act.value, **note.json()}, at)
    line = unit.find(FeedLine, (entry.id,))
    if line is None:
        raise NotInRecord(f"no feed line for entry {entry.id}")
    if act is FeedAct.WAGER and line.round and (line.corrects or line.source in LATE):
        write_stakes(unit, line.round, line)
    if act is FeedAct.PAYOUT and line.round and (line.corrects or line.source in LATE):
        _compare(unit, WagerAt(line.round, line.seat, line.wager), at)
    return line


def _of_this_table(unit: Unit, note: FeedNote) -> None:
    """Refuse a report that names another table's round; one that is not known yet is kept."""
    named = None if note.round is None else unit.find(RecordedRound, (note.round,))
    if named is not None and named.table != unit.chain:
        raise RecordConflict(f"round: {note.round!r} is no round of {unit.chain}")


def _correction(unit: Unit, act: FeedAct, note: FeedNote) -> FeedNote:
    """Return a correction that names the round of what it corrects, where that is known."""
    corrected = None if note.corrects is None else unit.find(FeedLine, (note.corrects,))
    if corrected is None or corrected.table != unit.chain:
        raise RecordConflict(
            f"corrects: no wager or payout of {unit.chain} in entry {note.corrects}"
        )
    told = (corrected.act, corrected.seat, corrected.wager)
    if told != (act, note.seat, note.wager):
        raise RecordConflict(
            f"corrects: entry {corrected.entry} is a {corrected.act} of seat {corrected.seat} on "
            f"{corrected.wager}, found a {act} of seat {note.seat} on {note.wager}"
        )
    if corrected.corrected_by is not None:
        raise RecordConflict(
            f"corrects: entry {corrected.entry} was put right by entry {corrected.corrected_by}; "
            "expected a correction of that one"
        )
    took = round_that_took if act is FeedAct.WAGER else _round_of
    return replace(note, round=note.round or corrected.round or took(unit, corrected))


def _round_of(unit: Unit, line: FeedLine) -> str | None:
    """Return the round that took a report in."""
    query = select(col(PayoutLineRecord.round)).where(
        col(PayoutLineRecord.table) == line.table, col(PayoutLineRecord.report) == line.entry
    )
    return unit.session.scalars(query).first()


def _compare(unit: Unit, place: WagerAt, at: datetime) -> None:
    """Raise what a late payout shows against what was due, as the rules word it."""
    line = unit.find(PayoutLine, (place.round, place.seat, place.wager))
    judged = unit.find(RecordedRound, (place.round,))
    if line is None or judged is None or line.due is None or line.paid is None:
        return
    code = payout_code(Cents(line.due), Cents(line.paid), staked=bool(line.staked))
    if code is None:
        return
    difference = line.paid - line.due
    serious = abs(difference) >= SERIOUS_CENTS
    finding: JsonObject = {
        "code": code.value,
        "seat": line.seat,
        "trick": None,
        "rule": _rule_of(judged, line.wager),
        "severity": (Severity.HIGH if serious else Severity.MEDIUM).value,
        "text": f"Observed in a late report: seat {line.seat}, {line.wager}: "
        f"paid {money(Cents(line.paid), signed=True)}, "
        f"due {money(Cents(line.due), signed=True)} (net).",
        "proved_by": None,
        "wager": line.wager,
        "due": line.due,
        "paid": line.paid,
        "difference": difference,
    }
    breach = Breach.of(unit.chain, place.round, finding)
    write_finding(unit, breach, finding, (at, Seen()))


def _rule_of(judged: RecordedRound, wager: str) -> str:
    """Return the number of the rule that the round's own findings give for a wager, if any."""
    found = judged.result.get("findings") or ()
    return next((str(one.get("rule") or "") for one in found if one.get("wager") == wager), "")


def feed_line(unit: Unit, client_id: str) -> FeedLine | None:
    """Return the line that a reporter already sent under a client id."""
    query = select(FeedLineRecord).where(
        col(FeedLineRecord.table) == unit.chain, col(FeedLineRecord.client_id) == client_id
    )
    found = unit.session.scalars(query).first()
    return None if found is None else view(FeedLine, found)


class PayoutActs(Writer):
    """The acts on wagers and payouts."""

    def record_wager(self, table: str, note: FeedNote, *, at: datetime) -> FeedLine:
        """Record a reported wager; the same client id with the same content is kept once.

        Raises:
            RecordConflict: The client id names another report already.
        """
        return self._write(
            table_name(table), lambda unit: write_feed_note(unit, FeedAct.WAGER, note, at)
        )

    def record_payout(self, table: str, note: FeedNote, *, at: datetime) -> FeedLine:
        """Record a reported payout, net to the player; otherwise as `record_wager`."""
        return self._write(
            table_name(table), lambda unit: write_feed_note(unit, FeedAct.PAYOUT, note, at)
        )

    def correct_report(
        self, entry: int, amount: int, *, user: str, client_id: str | None = None, at: datetime
    ) -> FeedLine:
        """Put a reported amount right by a new report that points at it; the old one stays.

        Raises:
            NotInRecord: The entry holds no wager or payout.
            RecordConflict: It was put right before; the line names the report to correct.
        """
        lines = self._rows(
            FeedLine, col(FeedLineRecord.entry) == entry, order=col(FeedLineRecord.entry)
        )
        if not lines:
            raise NotInRecord(f"no wager or payout in entry {entry}")
        old = lines[0]
        note = FeedNote(
            seat=old.seat,
            wager=old.wager,
            amount=amount,
            source=FeedSource.CORRECTION,
            client_id=client_id,
            user=user,
            corrects=entry,
        )
        return self._write(old.table, lambda unit: write_feed_note(unit, old.act, note, at))

    def confirm_payout(
        self, place: WagerAt, *, user: str, note: str = "", at: datetime | None = None
    ) -> PayoutLine:
        """Record that a user confirms what was paid on a wager, whether or not it was due.

        The confirmation is of this amount: it ends when the amount is put right.

        Raises:
            NotInRecord: The round has no such wager.
            RecordConflict: Nothing was reported as paid.
        """
        text = fit("note", note, least=0)
        table = self._payout_line(place).table

        def work(unit: Unit) -> PayoutLine:
            line = unit.find(PayoutLine, (place.round, place.seat, place.wager))
            if line is None or line.paid is None:
                raise RecordConflict(
                    f"{place.round}, seat {place.seat}, {place.wager}: nothing was reported as paid"
                )
            if line.confirmed_by == user:
                return line
            body = {
                "round": place.round,
                "seat": place.seat,
                "wager": place.wager,
                "paid": line.paid,
                "user": user,
                "note": text,
            }
            unit.append(EntryKind.PAYOUT_CONFIRMED, body, now_or(at))
            return unit.find(PayoutLine, (place.round, place.seat, place.wager)) or line

        return self._write(table, work)

    def _payout_line(self, place: WagerAt) -> PayoutLine:
        rows = self._rows(
            PayoutLine,
            col(PayoutLineRecord.round) == place.round,
            col(PayoutLineRecord.seat) == place.seat,
            col(PayoutLineRecord.wager) == place.wager,
            order=col(PayoutLineRecord.entry),
        )
        if not rows:
            raise NotInRecord(f"no wager {place.wager} of seat {place.seat} in {place.round!r}")
        return rows[0]

    def dealer_on(self, table: str, note: DealerNote, *, at: datetime) -> None:
        """Record that a dealer began at a table; whoever dealt there before ended then.

        The same dealer again, and the same client id again, are no act.

        Raises:
            ChainError: The name is missing or too long.
            RecordConflict: The client id names another dealer, or the moment lies before the last
                change of dealers.
        """
        self._write(table_name(table), lambda unit: write_dealer(unit, note, at, on=True))

    def dealer_off(self, table: str, note: DealerNote, *, at: datetime) -> None:
        """Record that a dealer ended at a table; one who does not deal there is no act.

        Raises:
            ChainError: The name is missing or too long.
        """
        self._write(table_name(table), lambda unit: write_dealer(unit, note, at, on=False))


def table_name(name: str) -> str:
    """Return a table's name unchanged.

    Raises:
        ChainError: It is the name of the record's own chain.
    """
    if name == SYSTEM:
        raise ChainError(f"not a name for a table: {name!r} (it is the record's own chain)")
    return name
