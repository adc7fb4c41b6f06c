"""Misdeals and voids: the rounds that were void, with the reason and what was returned."""

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime

from audit.chain import JsonObject
from audit.reports.coverage import unseen_notices, watched
from audit.reports.draw import (
    CODE,
    GAME,
    HANDS,
    RECORDED,
    ROUND,
    SEVERITY,
    TABLE,
    count,
    money,
    rules_in_force,
)
from audit.reports.shape import Bar, Chart, Column, ColumnKind, Fact, Report, Request, fixed
from audit.rounds import RecordedRound
from audit.store.reporting import Snapshot, Window
from audit.web.language import N_

_REASONS = ("misdeal", "void-hand-settled")


@dataclass(frozen=True, slots=True)
class VoidRow:
    """A round in which every hand, or one, was void."""

    recorded: datetime
    round: str
    table: str
    game: str
    whole: bool
    """Whether the whole round was void."""
    reason: str
    exposed: str
    """The cards that were exposed, with their places."""
    staked: int
    """What goes back, in minor units."""
    settled: int
    """What was nevertheless paid or taken, added up without signs, in minor units."""


@dataclass(frozen=True, slots=True)
class ReasonRow:
    """A reason that the rules give, and how often it was found."""

    code: str
    severity: str
    table: str
    found: int


_VOIDS = (
    RECORDED,
    ROUND,
    TABLE,
    GAME,
    count("whole", N_("Whole round"), 7),
    Column("reason", N_("Reason"), width=44),
    Column("exposed", N_("Exposed"), width=16),
    money("staked", N_("To go back")),
    money("settled", N_("Settled all the same")),
)

_REASON_COUNTS = (CODE, SEVERITY, TABLE, count("found", N_("Found")))


def voids_report(snapshot: Snapshot, request: Request) -> Report:
    """Draw the report on misdeals and voids."""
    window = Window(request.span.since, request.span.until, request.tables)
    rows: list[VoidRow] = []
    hands: list[RecordedRound] = []
    counts: dict[tuple[str, str, str], int] = {}
    for recorded in _void_rounds(snapshot, window):
        rows.append(_row(recorded))
        _count_reasons(recorded, counts)
        if len(hands) < HANDS:
            hands.append(recorded)
    by_table: dict[str, int] = {}
    for row in rows:
        by_table[row.table] = by_table.get(row.table, 0) + 1
    chart = Chart(N_("Void rounds by table"), "", tuple(Bar(*one) for one in by_table.items()))
    played = sum(row.rounds for row in snapshot.round_counts(window))
    return Report(
        request=request,
        facts=(
            Fact(N_("Rounds watched"), played),
            Fact(N_("With a void hand"), len(rows)),
            Fact(N_("Whole rounds void"), sum(row.whole for row in rows)),
            Fact(N_("To go back"), sum(row.staked for row in rows), ColumnKind.MONEY),
            Fact(N_("Settled all the same"), sum(row.settled for row in rows), ColumnKind.MONEY),
        ),
        notices=unseen_notices(watched(snapshot, window)),
        sections=(
            fixed("reasons", N_("Reasons"), _REASON_COUNTS, _reasons(counts)).with_chart(
                chart if len(by_table) > 1 else None
            ),
            fixed("voids", N_("Void rounds"), _VOIDS, rows),
        ),
        rules=rules_in_force(snapshot, window),
        last_entry=snapshot.last_entry(),
        hands=tuple(hands),
        hands_left_out=len(rows) - len(hands),
    )


def _void_rounds(snapshot: Snapshot, window: Window) -> Iterator[RecordedRound]:
    for recorded in snapshot.flagged_rounds(window):
        if recorded.outcome == "void" or _void_seats(recorded.result):
            yield recorded


def _void_seats(result: JsonObject) -> list[str]:
    seats = result.get("seats") or {}
    return [number for number, seat in seats.items() if seat.get("status") == "void"]


def _row(recorded: RecordedRound) -> VoidRow:
    record, result = recorded.record, recorded.result
    seats = record.get("seats") or {}
    void = list(seats) if recorded.outcome == "void" else _void_seats(result)
    told = [
        str(found.get("text") or found["code"])
        for found in result.get("findings") or ()
        if found["code"] in _REASONS
    ]
    wagers = [seats[number].get("wagers") or {} for number in void if number in seats]
    paid = [seats[number].get("paid") or {} for number in void if number in seats]
    return VoidRow(
        recorded=recorded.recorded,
        round=recorded.round,
        table=recorded.table,
        game=recorded.game,
        whole=recorded.outcome == "void",
        reason=" ".join(told[:1]),
        exposed=", ".join(
            f"{seen.get('spot')} {seen.get('card') or '?'}" for seen in record.get("exposed") or ()
        ),
        staked=sum(amount for one in wagers for amount in one.values()),
        settled=sum(abs(amount) for one in paid for amount in one.values()),
    )


def _count_reasons(recorded: RecordedRound, counts: dict[tuple[str, str, str], int]) -> None:
    for found in recorded.result.get("findings") or ():
        if found["code"] in _REASONS:
            key = (str(found["code"]), str(found["severity"]), recorded.table)
            counts[key] = counts.get(key, 0) + 1


def _reasons(counts: dict[tuple[str, str, str], int]) -> Iterator[ReasonRow]:
    for key in sorted(counts, key=lambda one: (_REASONS.index(one[0]), one[2])):
        yield ReasonRow(*key, found=counts[key])
