"""Reconstructions and watch list: hands to be rebuilt (TCW-15), and seats that are on watch."""

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime

from audit.reports.coverage import unseen_notices, watched
from audit.reports.draw import (
    CODE,
    HANDS,
    RECORDED,
    ROUND,
    SEAT,
    TABLE,
    count,
    money,
    rules_in_force,
)
from audit.reports.shape import Column, ColumnKind, Fact, Report, Request, fixed
from audit.rounds import RecordedRound
from audit.store.reporting import Snapshot, Window
from audit.web.language import N_

BREACHES = frozenset({"failed-to-follow-suit", "failed-to-trump"})
"""What makes a hand one to be rebuilt and puts a seat on watch (TCW-15)."""


@dataclass(frozen=True, slots=True)
class RebuildRow:
    """A hand that has to be rebuilt, by the breach that asks for it."""

    recorded: datetime
    round: str
    table: str
    seat: int
    trick: int | None
    code: str
    rule: str
    corrected: bool
    """Whether the play was put right on the spot."""
    staked: int
    """What is at stake on the hand, in minor units."""
    text: str


@dataclass(frozen=True, slots=True)
class WatchRow:
    """A seat that is on watch."""

    table: str
    seat: int
    since: datetime
    """The round of the first breach in this range."""
    last: datetime
    breaches: int
    rounds: int
    """Rounds in which the seat was on watch."""


_REBUILDS = (
    RECORDED,
    ROUND,
    TABLE,
    SEAT,
    count("trick", N_("Trick"), 5),
    CODE,
    Column("rule", N_("Rule"), width=9),
    count("corrected", N_("Put right"), 8),
    money("staked", N_("At stake")),
    Column("text", N_("Observed"), width=44),
)

_WATCH = (
    TABLE,
    SEAT,
    Column("since", N_("Since"), ColumnKind.MOMENT, width=17),
    Column("last", N_("Last round"), ColumnKind.MOMENT, width=17),
    count("breaches", N_("Breaches"), 9),
    count("rounds", N_("Rounds on watch"), 10),
)


def rebuilds_report(snapshot: Snapshot, request: Request) -> Report:
    """Draw the report on reconstructions and seats on watch."""
    window = Window(request.span.since, request.span.until, request.tables)
    rows: list[RebuildRow] = []
    hands: list[RecordedRound] = []
    count_of_rounds = to_rebuild = 0
    for recorded in snapshot.flagged_rounds(window):
        found = list(_rows(recorded))
        if found:
            rows += found
            count_of_rounds += 1
            to_rebuild += _to_rebuild(recorded)
            hands += [recorded] if len(hands) < HANDS else []
    watch = _watch_list(snapshot, window, rows)
    return Report(
        request=request,
        facts=(
            Fact(N_("Breaches"), len(rows)),
            Fact(N_("Put right"), sum(row.corrected for row in rows)),
            Fact(N_("Hands to rebuild"), to_rebuild),
            Fact(N_("At stake"), sum(row.staked for row in rows), ColumnKind.MONEY),
            Fact(N_("Seats on watch"), len(watch)),
        ),
        notices=unseen_notices(watched(snapshot, window)),
        sections=(
            fixed("watch", N_("Watch list"), _WATCH, watch),
            fixed("rebuilds", N_("Breaches and reconstructions"), _REBUILDS, rows),
        ),
        rules=rules_in_force(snapshot, window),
        last_entry=snapshot.last_entry(),
        hands=tuple(hands),
        hands_left_out=count_of_rounds - len(hands),
    )


def _to_rebuild(recorded: RecordedRound) -> int:
    seats = recorded.result.get("seats") or {}
    return sum(seat.get("status") == "reconstruct" for seat in seats.values())


def _rows(recorded: RecordedRound) -> Iterator[RebuildRow]:
    record, result = recorded.record, recorded.result
    for found in result.get("findings") or ():
        if found["code"] not in BREACHES or found.get("seat") is None:
            continue
        number, trick = str(found["seat"]), found.get("trick")
        plays = ((result.get("seats") or {}).get(number) or {}).get("plays") or []
        play = plays[trick - 1] if trick and trick <= len(plays) else {}
        wagers = ((record.get("seats") or {}).get(number) or {}).get("wagers") or {}
        yield RebuildRow(
            recorded=recorded.recorded,
            round=recorded.round,
            table=recorded.table,
            seat=int(number),
            trick=trick,
            code=str(found["code"]),
            rule=str(found.get("rule") or ""),
            corrected=play.get("corrected") is not None,
            staked=sum(wagers.values()),
            text=str(found.get("text") or ""),
        )


def _watch_list(snapshot: Snapshot, window: Window, rows: list[RebuildRow]) -> list[WatchRow]:
    seats: dict[tuple[str, int], list[RebuildRow]] = {}
    for row in rows:
        seats.setdefault((row.table, row.seat), []).append(row)
    on_watch = snapshot.rounds_on_watch(window) if rows else {}
    found = []
    for (table, seat), breaches in sorted(seats.items()):
        moments = on_watch.get((table, seat), [])
        last = max([row.recorded for row in breaches] + moments)
        first = min(row.recorded for row in breaches)
        found.append(WatchRow(table, seat, first, last, len(breaches), len(moments)))
    return found
