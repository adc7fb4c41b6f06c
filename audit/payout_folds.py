"""Payout lines and reports, folded from the entries: a part of `audit.projections`."""

from dataclasses import replace

from audit.chain import Entry, EntryKind
from audit.payouts import (
    LATE,
    FeedAct,
    FeedLine,
    FeedSource,
    PayoutLine,
    RoundEntry,
    SpotReport,
    blank_line,
    payout_lines,
    withdrawn,
)
from audit.rounds import RecordedRound
from audit.rows import Known, Row, key_of, needed


def judged_round(entry: Entry) -> RoundEntry:
    """Return the round in an entry that holds one."""
    return RoundEntry(entry.chain, entry.at, entry.id, entry.body["record"], entry.body["result"])


def round_payouts(entry: Entry, known: Known) -> tuple[Row, ...]:
    """Return the payout lines of a round, and the reports that it took in."""
    record, judged = entry.body["record"], judged_round(entry)
    lines = {key_of(line): line for line in payout_lines(judged)}
    before = known.find(RecordedRound, (record["round"],))
    if before is not None:  # a correction may know nothing more of a wager
        earlier = RoundEntry(
            before.table, before.recorded, before.entry, before.record, before.result
        )
        for line in payout_lines(earlier):
            lines.setdefault(key_of(line), withdrawn(line, judged))
    rows: list[Row] = []
    for line in lines.values():
        rows += _with_report(line, known)
    return tuple(rows)


def _with_report(line: PayoutLine, known: Known) -> list[Row]:
    """Return a line with what is known of its report, and the report as taken in."""
    before = known.find(PayoutLine, (line.round, line.seat, line.wager))
    if before is not None and before.source in LATE:
        # What was put right stays so, whatever the round is judged to be now.
        line = line.paid_as(before.paid)
        line = replace(line, source=before.source, reported_by=before.reported_by)
        return [_confirmed(replace(line, report=before.report), before)]
    told = known.find(SpotReport, (line.table, line.seat, line.wager))
    if told is None or told.amount != line.paid or told.round not in (None, line.round):
        return [_confirmed(line, before)]
    newest = _newest(told, known)
    if newest is None:
        line = replace(line, source=told.source, reported_by=told.user, report=told.entry)
    else:  # put right before the round was over
        line = replace(line.paid_as(newest.amount), source=FeedSource.CORRECTION)
        line = replace(line, reported_by=newest.user, report=newest.entry)
    return [_confirmed(line, before), replace(told, round=line.round)]


def _newest(told: SpotReport, known: Known) -> FeedLine | None:
    """Return what a report was put right by at last; None when it was not."""
    line = known.find(FeedLine, (told.entry,))
    while line is not None and line.corrected_by is not None:
        line = known.find(FeedLine, (line.corrected_by,))
    return None if line is None or line.entry == told.entry else line


def _confirmed(line: PayoutLine, before: PayoutLine | None) -> PayoutLine:
    """Return a line confirmed as the one before it was, while the amount is the same."""
    if before is None or before.paid != line.paid:
        return line
    return replace(line, confirmed_by=before.confirmed_by, confirmed=before.confirmed)


def reported(entry: Entry, known: Known) -> tuple[Row, ...]:
    """Return the rows that a reported wager or payout makes or changes."""
    body = entry.body
    line = FeedLine(
        entry=entry.id,
        table=entry.chain,
        at=entry.at,
        act=FeedAct.WAGER if entry.kind is EntryKind.WAGER_PLACED else FeedAct.PAYOUT,
        seat=body["seat"],
        wager=body["wager"],
        amount=body["amount"],
        source=FeedSource(body["source"]),
        client_id=body["client_id"],
        round=body["round"],
        user=body["user"],
        corrects=body["corrects"],
    )
    rows: list[Row] = [line]
    if line.corrects is not None:
        rows.append(replace(needed(FeedLine, (line.corrects,), known), corrected_by=line.entry))
    elif line.act is FeedAct.PAYOUT and line.source not in LATE:
        rows.append(_spot_report(line))
    if line.round is not None and (line.corrects is not None or line.source in LATE):
        rows += _put_right(line, line.round, known)
    return tuple(rows)


def _spot_report(line: FeedLine) -> SpotReport:
    return SpotReport(
        table=line.table,
        seat=line.seat,
        wager=line.wager,
        entry=line.entry,
        amount=line.amount,
        source=line.source,
        user=line.user,
        round=None,
    )


def _put_right(line: FeedLine, round_id: str, known: Known) -> list[Row]:
    """Return the payout line as a late report says that it was."""
    source = line.source if line.corrects is None else FeedSource.CORRECTION
    found = known.find(PayoutLine, (round_id, line.seat, line.wager))
    if found is None:
        found = blank_line(line, round_id, at=line.at, entry=line.entry)
    elif found.table != line.table:
        return []
    if line.act is FeedAct.WAGER:
        # What is due on another stake is not known before the round is judged again.
        same = found.staked == line.amount
        stake = replace(found, staked=line.amount, due=found.due if same else None)
        return [stake.paid_as(found.paid)]
    told = replace(found, source=source, reported_by=line.user, report=line.entry)
    if told.paid != line.amount:
        told = replace(told, confirmed_by=None, confirmed=None)
    return [told.paid_as(line.amount)]


def confirmed(entry: Entry, known: Known) -> tuple[Row, ...]:
    """Return a payout line that a user confirmed."""
    body = entry.body
    line = needed(PayoutLine, (body["round"], body["seat"], body["wager"]), known)
    return (replace(line, confirmed_by=body["user"], confirmed=entry.at),)
