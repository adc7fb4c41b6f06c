"""Dealer error trend: findings on deals and payouts by gaming day, dealer and kind.

A finding is no judgement of a person: rates are of what was found, confirmed or not.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from fractions import Fraction

from audit.reports.coverage import unseen_notices, watched
from audit.reports.draw import count, money, rules_in_force
from audit.reports.payouts_report import added
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
from audit.reports.spans import Clock, Span
from audit.store.reporting import FindingCount, Snapshot, Window
from audit.store.reporting_desk import (
    findings_by_dealer,
    payout_sums_by_dealer,
    rounds_by_dealer,
)
from audit.store.reporting_payouts import payout_sums
from audit.web import labels
from audit.web.language import N_

DEALING = frozenset(
    {
        "misdeal",
        "dealer-ahead-of-play",
        "dealer-card-shown-early",
        "wrong-card-count",
        "void-hand-settled",
    }
)
PAYING = frozenset(
    {"overpaid", "underpaid", "not-paid", "not-taken", "paid-when-lost", "paid-when-pushed"}
)
"""Which findings are on the dealing and which on the paying; the rest is not the dealer's."""

THOUSAND = 1000


@dataclass(frozen=True, slots=True)
class TrendRow:
    """The findings of one gaming day, or of one dealer."""

    name: str
    rounds: int
    dealing: int
    paying: int
    not_confirmed: int | None
    """How many of them were looked at and not confirmed; None where that is not told apart."""
    rate: Fraction | None
    """Findings for a thousand rounds."""
    overpaid: int
    underpaid: int


@dataclass(frozen=True, slots=True)
class KindRow:
    """How often one kind was found."""

    code: str
    found: int
    confirmed: int
    not_confirmed: int
    rate: Fraction | None


_FIGURES = (
    count("rounds", N_("Rounds")),
    count("dealing", N_("On the deal"), 9),
    count("paying", N_("On payouts"), 9),
    count("not_confirmed", N_("Not confirmed"), 9),
    Column("rate", N_("For 1000 rounds"), ColumnKind.RATE, width=9),
    money("overpaid", N_("Overpaid")),
    money("underpaid", N_("Underpaid")),
)
_DAYS = (Column("name", N_("Gaming day"), width=11), *_FIGURES)
_DEALERS = (Column("name", N_("Dealer"), width=16), *_FIGURES)
_KINDS = (
    Column("code", N_("Finding"), ColumnKind.LABEL, labels.FINDINGS, width=22),
    count("found", N_("Found")),
    count("confirmed", N_("Confirmed")),
    count("not_confirmed", N_("Not confirmed")),
    Column("rate", N_("For 1000 rounds"), ColumnKind.RATE, width=9),
)


def dealers_report(snapshot: Snapshot, request: Request, clock: Clock) -> Report:
    """Draw the trend of findings on deals and payouts."""
    window = Window(request.span.since, request.span.until, request.tables)
    whole = _trend(snapshot, request, request.span, "")
    kinds = _kinds(snapshot.finding_counts(window), whole.rounds)
    return Report(
        request=request,
        facts=(
            Fact(N_("Rounds watched"), whole.rounds),
            Fact(N_("On the deal"), whole.dealing),
            Fact(N_("On payouts"), whole.paying),
            Fact(N_("For 1000 rounds"), whole.rate, ColumnKind.RATE),
            Fact(N_("Not confirmed"), whole.not_confirmed),
        ),
        notices=(
            *unseen_notices(watched(snapshot, window)),
            Said(N_("Findings are observations. They count here whether confirmed or not.")),
        ),
        sections=(
            _days(snapshot, request, clock, whole),
            _dealers(snapshot, window, whole),
            fixed("kinds", N_("By kind"), _KINDS, kinds),
        ),
        rules=rules_in_force(snapshot, window),
        last_entry=snapshot.last_entry(),
    )


def _trend(snapshot: Snapshot, request: Request, span: Span, name: str) -> TrendRow:
    window = Window(span.since, span.until, request.tables)
    findings = snapshot.finding_counts(window)
    rounds = sum(row.rounds for row in snapshot.round_counts(window))
    sums = added("", (one for _, _, one in payout_sums(snapshot, window)))
    dealing, paying = _found(findings, DEALING), _found(findings, PAYING)
    judged = sum(row.not_confirmed for row in findings if row.code in DEALING | PAYING)
    return TrendRow(
        name=name,
        rounds=rounds,
        dealing=dealing,
        paying=paying,
        not_confirmed=judged,
        rate=_rate(dealing + paying, rounds),
        overpaid=sums.overpaid,
        underpaid=sums.underpaid,
    )


def _days(snapshot: Snapshot, request: Request, clock: Clock, whole: TrendRow) -> Section:
    days = [_trend(snapshot, request, day, day.name) for day in clock.days(request.span)]
    rows = [row for row in days if row.rounds]
    bars = tuple(Bar(row.name, float(row.rate)) for row in rows if row.rate is not None)
    chart = Chart(N_("Findings for 1000 rounds, by gaming day"), "", bars) if bars else None
    return fixed("days", N_("By gaming day"), _DAYS, rows).with_total(whole).with_chart(chart)


def _dealers(snapshot: Snapshot, window: Window, whole: TrendRow) -> Section:
    rounds = rounds_by_dealer(snapshot, window)
    dealing = findings_by_dealer(snapshot, window, DEALING)
    paying = findings_by_dealer(snapshot, window, PAYING)
    sums = {row.name: row for row in payout_sums_by_dealer(snapshot, window)}
    rows = []
    for name in sorted({*rounds, *dealing, *paying, *sums}):
        found = dealing.get(name, 0) + paying.get(name, 0)
        rows.append(
            TrendRow(
                name=name,
                rounds=rounds.get(name, 0),
                dealing=dealing.get(name, 0),
                paying=paying.get(name, 0),
                not_confirmed=None,
                rate=_rate(found, rounds.get(name, 0)),
                overpaid=sums[name].overpaid if name in sums else 0,
                underpaid=sums[name].underpaid if name in sums else 0,
            )
        )
    note = Said(N_("Who dealt is as the house told it; without a name nobody was told."))
    return fixed("dealers", N_("By dealer"), _DEALERS, rows).with_total(whole).with_note(note)


def _kinds(findings: list[FindingCount], rounds: int) -> Iterable[KindRow]:
    for code in labels.FINDINGS:
        mine = [row for row in findings if row.code == code and code in DEALING | PAYING]
        if mine:
            found = sum(row.found for row in mine)
            yield KindRow(
                code,
                found,
                sum(row.confirmed for row in mine),
                sum(row.not_confirmed for row in mine),
                _rate(found, rounds),
            )


def _found(findings: list[FindingCount], codes: frozenset[str]) -> int:
    return sum(row.found for row in findings if row.code in codes)


def _rate(found: int, rounds: int) -> Fraction | None:
    return Fraction(THOUSAND * found, rounds) if rounds else None
