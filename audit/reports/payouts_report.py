"""Payout reconciliation: what was due against what was paid, with the differences in money."""

from collections.abc import Iterable
from dataclasses import dataclass, fields, replace

from audit.payouts import Settlement
from audit.reports.coverage import unseen_notices, watched
from audit.reports.draw import HANDS, ROUND, SEAT, TABLE, WAGER, count, money, rules_in_force
from audit.reports.shape import (
    Bar,
    Chart,
    Column,
    ColumnKind,
    Fact,
    Report,
    Request,
    Said,
    Section,
    fixed,
)
from audit.reports.spans import Clock
from audit.store.reporting import Snapshot, Window
from audit.store.reporting_payouts import (
    PayoutSum,
    payout_rows,
    payout_sums,
    rounds_off,
    rounds_off_count,
)
from audit.web.labels import WAGERS
from audit.web.language import N_

SETTLEMENTS = {
    "as-due": N_("As due"),
    "overpaid": N_("Overpaid"),
    "underpaid": N_("Underpaid"),
    "open": N_("Not known"),
}

_OFF = (Settlement.OVERPAID, Settlement.UNDERPAID)

_SUMS = (
    count("wagers", N_("Wagers")),
    count("compared", N_("Compared"), 9),
    count("unknown", N_("Not known"), 9),
    money("staked", N_("Staked")),
    money("due", N_("Due")),
    money("paid", N_("Paid")),
    count("overpaid_count", N_("Overpaid, times"), 9),
    money("overpaid", N_("Overpaid")),
    count("underpaid_count", N_("Underpaid, times"), 9),
    money("underpaid", N_("Underpaid")),
    money("net", N_("Paid less due")),
)

PAYOUTS = (
    Column("at", N_("Time"), ColumnKind.MOMENT, width=17),
    ROUND,
    TABLE,
    SEAT,
    WAGER,
    money("staked", N_("Stake")),
    money("due", N_("Due")),
    money("paid", N_("Paid")),
    money("difference", N_("Difference")),
    Column("settlement", N_("Settlement"), ColumnKind.LABEL, SETTLEMENTS, width=11),
    count("entry", N_("Entry"), 9),
)


@dataclass(frozen=True, slots=True)
class _Balances:
    """The sums of one snapshot, added up in three ways from the same figures."""

    tables: tuple[PayoutSum, ...]
    wagers: tuple[PayoutSum, ...]
    total: PayoutSum


def payout_report(snapshot: Snapshot, request: Request, clock: Clock) -> Report:
    """Draw the payout reconciliation."""
    window = Window(request.span.since, request.span.until, request.tables)
    balances = _balances(payout_sums(snapshot, window))
    total = balances.total
    off = total.overpaid_count + total.underpaid_count
    return Report(
        request=request,
        facts=(
            Fact(N_("Wagers compared"), total.compared),
            Fact(N_("Due"), total.due, ColumnKind.MONEY),
            Fact(N_("Paid"), total.paid, ColumnKind.MONEY),
            Fact(N_("Overpaid: loss of the house"), total.overpaid, ColumnKind.MONEY),
            Fact(N_("Underpaid: loss of players"), total.underpaid, ColumnKind.MONEY),
        ),
        notices=(*_unknown(total), *unseen_notices(watched(snapshot, window))),
        sections=(
            _by("tables", N_("By table"), TABLE, balances.tables, total),
            _by("wagers", N_("By wager"), WAGER, balances.wagers, total),
            _by_day(snapshot, request, clock, total),
            _differences(snapshot, window, off),
            Section(
                "payouts",
                N_("All wagers"),
                PAYOUTS,
                lambda: payout_rows(snapshot, window),
                total.wagers,
                detail=True,
            ),
        ),
        rules=rules_in_force(snapshot, window),
        last_entry=snapshot.last_entry(),
        hands=tuple(rounds_off(snapshot, window, HANDS)),
        hands_left_out=max(0, rounds_off_count(snapshot, window) - HANDS),
    )


def _unknown(total: PayoutSum) -> tuple[Said, ...]:
    if not total.unknown:
        return ()
    text = N_(
        "%(unknown)s of %(wagers)s wagers are not compared: what was due or what was paid is not "
        "known."
    )
    values = {"unknown": total.unknown, "wagers": total.wagers}
    return (Said(text, values, grave=True),)


def _by(key: str, title: str, name: Column, rows: Iterable[PayoutSum], total: PayoutSum) -> Section:
    named = replace(name, name="name")
    return fixed(key, title, (named, *_SUMS), rows).with_total(total)


def _by_day(snapshot: Snapshot, request: Request, clock: Clock, total: PayoutSum) -> Section:
    rows = []
    for day in clock.days(request.span):
        within = Window(day.since, day.until, request.tables)
        found = added(day.name, (one for _, _, one in payout_sums(snapshot, within)))
        if found.wagers:
            rows.append(found)
    bars = tuple(Bar(row.name, row.net / 100) for row in rows)
    chart = Chart(N_("Paid less due by gaming day"), "", bars) if len(bars) > 1 else None
    day_column = Column("name", N_("Gaming day"), width=11)
    section = fixed("days", N_("By gaming day"), (day_column, *_SUMS), rows)
    return section.with_total(total).with_chart(chart)


def _differences(snapshot: Snapshot, window: Window, off: int) -> Section:
    return Section(
        "differences",
        N_("Differences"),
        PAYOUTS,
        lambda: payout_rows(snapshot, window, _OFF),
        off,
        detail=True,
    )


def _balances(sums: list[tuple[str, str, PayoutSum]]) -> _Balances:
    tables = dict.fromkeys(table for table, _, _ in sums)
    wagers = sorted(
        dict.fromkeys(wager for _, wager, _ in sums),
        key=lambda wager: (list(WAGERS).index(wager) if wager in WAGERS else len(WAGERS), wager),
    )
    return _Balances(
        tuple(added(name, (s for table, _, s in sums if table == name)) for name in tables),
        tuple(added(name, (s for _, wager, s in sums if wager == name)) for name in wagers),
        added("", (s for _, _, s in sums)),
    )


def added(name: str, sums: Iterable[PayoutSum]) -> PayoutSum:
    """Return some sums added up under a name."""
    kept = list(sums)
    names = [field.name for field in fields(PayoutSum)][1:]
    return PayoutSum(name, *(sum(getattr(one, field) for one in kept) for field in names))
