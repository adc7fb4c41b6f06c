"""Hold against theory: each game's result against the exact edge, with a confidence band.

The house's hold of a bet is what it kept of what was staked on it. Its theory is the exact edge of
the pay tables in force. The band is where the hold lies in 95 of 100 cases if the theory is true:
theory ± 1.96 × standard error, the error of a ratio estimate from the hands themselves,
√Σ(xᵢ + t·aᵢ)² / Σaᵢ, where xᵢ is what a hand gained, aᵢ its stake and t the theory (Cochran,
Sampling Techniques, 6.3). Edges assume the best decisions; real players keep more to the house.
"""

import math
from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction

from audit.reports.coverage import unseen_notices, watched
from audit.reports.draw import GAME, count, money, rules_in_force
from audit.reports.shape import (
    Bar,
    Chart,
    Column,
    ColumnKind,
    Fact,
    Report,
    Request,
    Said,
    fixed,
)
from audit.store.reporting import Snapshot, Window
from audit.store.reporting_payouts import HoldSum, hold_sums, rounds_by_rules
from audit.web import labels
from audit.web.language import N_
from rules.edge import edge
from rules.errors import RulesError
from rules.house import HouseRules

NORMAL_95 = 1.959963984540054
"""The quantile of the normal distribution between whose ± values 95 of 100 cases lie."""

FEWEST_HANDS = 100
"""Below this many hands the distribution of a hold is nothing like normal: no band is told."""

BETS = {"main": N_("Main game"), **labels.WAGERS}


@dataclass(frozen=True, slots=True)
class HoldRow:
    """The result of one bet of one game, for each unit staked on it."""

    game: str
    bet: str
    hands: int
    staked: int
    """On the bet itself; of the main game, the antes."""
    won: int
    """What the house kept, in minor units."""
    hold: Fraction | None
    theory: Fraction | None
    low: Fraction | None
    """The band's lower end; None when there are too few hands or no theory."""
    high: Fraction | None
    verdict: str
    """`within`, `above`, `below`, or `open` where there is no band."""


VERDICTS = {
    "within": N_("Within the band"),
    "above": N_("Above the band"),
    "below": N_("Below the band"),
    "open": N_("Too few hands"),
    "no-theory": N_("No exact edge"),
}

_HOLD = (
    GAME,
    Column("bet", N_("Bet"), ColumnKind.LABEL, BETS, width=11),
    count("hands", N_("Hands")),
    money("staked", N_("Staked")),
    money("won", N_("House won")),
    Column("hold", N_("Hold"), ColumnKind.SHARE, width=9),
    Column("theory", N_("Exact edge"), ColumnKind.SHARE, width=9),
    Column("low", N_("Band from"), ColumnKind.SHARE, width=9),
    Column("high", N_("Band to"), ColumnKind.SHARE, width=9),
    Column("verdict", N_("Result"), ColumnKind.LABEL, VERDICTS, width=14),
)

_LEFT_OUT = (
    GAME,
    Column("version", N_("House rules"), width=60),
    count("rounds", N_("Rounds")),
    count("counted", N_("Counted"), 8),
)


@dataclass(frozen=True, slots=True)
class RulesRow:
    """Rounds under one version of the rules, and whether they are counted."""

    game: str
    version: str
    rounds: int
    counted: bool


def hold_report(snapshot: Snapshot, request: Request, house: HouseRules) -> Report:
    """Draw the hold of every bet against its exact edge under the house rules in force now."""
    window = Window(request.span.since, request.span.until, request.tables)
    versions = [
        RulesRow(game, version, rounds, version == house.version)
        for (game, version), rounds in sorted(rounds_by_rules(snapshot, window).items())
    ]
    rows = list(_rows(hold_sums(snapshot, window, house.version), house))
    off = sum(row.verdict in ("above", "below") for row in rows)
    return Report(
        request=request,
        facts=(
            Fact(N_("Rounds counted"), sum(row.rounds for row in versions if row.counted)),
            Fact(N_("Staked"), sum(row.staked for row in rows), ColumnKind.MONEY),
            Fact(N_("House won"), sum(row.won for row in rows), ColumnKind.MONEY),
            Fact(N_("Bets outside their band"), off),
        ),
        notices=(*_notices(versions), *unseen_notices(watched(snapshot, window))),
        sections=(
            fixed("hold", N_("Hold by game and bet"), _HOLD, rows).with_chart(_chart(rows)),
            fixed("rules", N_("Rounds by house rules"), _LEFT_OUT, versions),
        ),
        rules=rules_in_force(snapshot, window),
        last_entry=snapshot.last_entry(),
    )


def _notices(versions: list[RulesRow]) -> Iterator[Said]:
    left_out = sum(row.rounds for row in versions if not row.counted)
    if left_out:
        text = N_(
            "%(rounds)s rounds were played under other house rules than those in force now. They "
            "are not counted, since their exact edge is not at hand."
        )
        yield Said(text, {"rounds": left_out}, grave=True)
    text = N_(
        "Only hands whose payouts were watched are counted. Exact edges assume the best decisions; "
        "players who decide otherwise leave more to the house."
    )
    yield Said(text)


def _rows(sums: list[HoldSum], house: HouseRules) -> Iterator[HoldRow]:
    for one in sums:
        theory = _theory(one, house)
        hold = Fraction(-one.gained, one.staked) if one.staked else None
        error = _error(one, theory) if theory is not None else None
        low, high = None, None
        if theory is not None and error is not None and one.hands >= FEWEST_HANDS:
            low, high = theory - error, theory + error
        yield HoldRow(
            game=one.game,
            bet=one.wager,
            hands=one.hands,
            staked=one.staked,
            won=-one.gained,
            hold=hold,
            theory=theory,
            low=low,
            high=high,
            verdict=_verdict(hold, theory, low, high),
        )


def _theory(one: HoldSum, house: HouseRules) -> Fraction | None:
    try:
        figures = edge(one.game, house).edges.figures
    except RulesError:
        return None
    return next((-f.gain for f in figures if f.name == one.wager and f.in_force), None)


def _error(one: HoldSum, theory: Fraction) -> Fraction | None:
    t = float(theory)
    squares = one.gained_squared + 2 * t * one.product + t * t * one.staked_squared
    if not one.staked or squares < 0:
        return None
    half = NORMAL_95 * math.sqrt(squares) / one.staked
    return Fraction(half).limit_denominator(10**9)


def _verdict(
    hold: Fraction | None, theory: Fraction | None, low: Fraction | None, high: Fraction | None
) -> str:
    if theory is None:
        return "no-theory"
    if hold is None or low is None or high is None:
        return "open"
    if hold < low:
        return "below"
    return "above" if hold > high else "within"


def _chart(rows: list[HoldRow]) -> Chart | None:
    bars = tuple(
        Bar(
            row.bet,
            float(100 * row.hold),
            low=float(100 * row.low),
            high=float(100 * row.high),
            expected=float(100 * row.theory),
            labels=BETS,
        )
        for row in rows
        if row.hold is not None
        and row.low is not None
        and row.high is not None
        and row.theory is not None
    )
    return Chart(N_("Hold in percent of what was staked"), " %", bars) if bars else None
