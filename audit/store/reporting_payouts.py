"""Payouts as reports sum and list them: what was staked, due and paid within a range of time."""

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime
from typing import Any, NamedTuple

from sqlalchemy import ColumnElement, Float, Select, Subquery, case, cast, func, select
from sqlmodel import col

from audit.payouts import Settlement
from audit.records import PayoutLineRecord, RoundRecordRow
from audit.rounds import RecordedRound
from audit.store.reporting import Snapshot, Window
from audit.store.unit import view


@dataclass(frozen=True, slots=True)
class PayoutSum:
    """The sums over the wagers of one name, in minor units, net to the players."""

    name: str
    """The table, wager or gaming day; empty for the sum of all."""
    wagers: int
    compared: int
    """Wagers of which both what was due and what was paid is known."""
    unknown: int
    """Wagers of which one of them is not."""
    staked: int
    due: int
    """Of the compared ones."""
    paid: int
    """Of the compared ones."""
    overpaid_count: int
    overpaid: int
    """What was paid above what was due: a loss of the house."""
    underpaid_count: int
    underpaid: int
    """What was paid below what was due, as a positive amount: a loss of players."""

    @property
    def net(self) -> int:
        """Paid less due: above zero when the house paid too much on the whole."""
        return self.overpaid - self.underpaid


class PayoutRow(NamedTuple):
    """One wager of one seat in one round. A tuple, since reports hold millions of them."""

    at: datetime
    round: str
    table: str
    seat: int
    wager: str
    staked: int | None
    due: int | None
    paid: int | None
    difference: int | None
    settlement: str
    entry: int


@dataclass(frozen=True, slots=True)
class HoldSum:
    """What the players gained on one wager of a game, as far as payouts were watched.

    The sums of squares are for the confidence band; they are statistics, no money.
    """

    game: str
    wager: str
    hands: int
    staked: int
    gained: int
    """Net to the players, in minor units."""
    gained_squared: float
    staked_squared: float
    product: float
    """The sum over the hands of what was gained times what was staked."""


def payout_columns() -> list[Any]:
    """Return what is summed of payout lines, in the order of the fields of `PayoutSum`."""
    line = PayoutLineRecord
    difference = col(line.difference)
    known = difference.is_not(None)
    return [
        func.count(),
        _counted(known),
        _counted(~known),
        func.sum(col(line.staked)),
        _summed(col(line.due), known),
        _summed(col(line.paid), known),
        _counted(difference > 0),
        _summed(difference, difference > 0),
        _counted(difference < 0),
        _summed(-difference, difference < 0),
    ]


def _counted(condition: ColumnElement[bool]) -> ColumnElement[int]:
    return func.sum(case((condition, 1), else_=0))


def _summed(amount: Any, condition: ColumnElement[bool]) -> ColumnElement[int]:  # noqa: ANN401
    return func.sum(case((condition, amount), else_=0))


def payout_sums(snapshot: Snapshot, window: Window) -> list[tuple[str, str, PayoutSum]]:
    """Return the sums by table and wager."""
    line = PayoutLineRecord
    query = (
        select(col(line.table), col(line.wager), *payout_columns())
        .where(*payouts_within(window))
        .group_by(col(line.table), col(line.wager))
        .order_by(col(line.table), col(line.wager))
    )
    return [
        (table, wager, PayoutSum("", *(int(value or 0) for value in sums)))
        for table, wager, *sums in snapshot.connection.execute(query)
    ]


def payout_rows(
    snapshot: Snapshot, window: Window, settlements: tuple[Settlement, ...] = ()
) -> Iterator[PayoutRow]:
    """Yield the wagers of a window, the earliest first.

    Args:
        snapshot: The record.
        window: When their rounds were recorded, and where.
        settlements: Only wagers that were settled so; all when empty.
    """
    columns = [col(getattr(PayoutLineRecord, name)) for name in PayoutRow._fields]
    line = PayoutLineRecord
    query = select(*columns).where(*payouts_within(window))
    if settlements:
        query = query.where(col(line.settlement).in_(settlements))
    query = query.order_by(col(line.at), col(line.entry), col(line.seat), col(line.wager))
    for row in snapshot.stream(query):
        yield PayoutRow(*row)


def rounds_off(snapshot: Snapshot, window: Window, limit: int) -> list[RecordedRound]:
    """Return the first rounds in which something was paid otherwise than due."""
    row = RoundRecordRow
    query = (
        select(RoundRecordRow)
        .where(col(row.round).in_(_rounds_off(window)))
        .order_by(col(row.recorded), col(row.entry))
        .limit(limit)
    )
    return [view(RecordedRound, found) for found in snapshot.session.scalars(query)]


def rounds_off_count(snapshot: Snapshot, window: Window) -> int:
    """Return how many rounds there are in which something was paid otherwise than due."""
    query = select(func.count()).select_from(_rounds_off(window).subquery())
    return int(snapshot.connection.execute(query).scalar_one())


def _rounds_off(window: Window) -> Select[Any]:
    off = (Settlement.OVERPAID, Settlement.UNDERPAID)
    line = PayoutLineRecord
    where = [*payouts_within(window), col(line.settlement).in_(off)]
    return select(col(line.round)).where(*where).distinct()


def payouts_within(window: Window) -> list[ColumnElement[bool]]:
    """Return what picks the payout lines of a window."""
    line = PayoutLineRecord
    where = [col(line.at) >= window.since, col(line.at) < window.until]
    if window.tables:
        where.append(col(line.table).in_(window.tables))
    return where


SECOND = ("play", "raise", "ante-bonus")
"""What is one bet with the ante: the second wager, and what is paid on it without a stake."""


def hold_sums(snapshot: Snapshot, window: Window, rules: str) -> list[HoldSum]:
    """Return what the players gained on every wager, by game, under one version of the rules.

    The main game is one bet on the ante: what was gained on the ante and on the wagers in `SECOND`
    is counted together, for each unit of the ante.

    Args:
        snapshot: The record.
        window: When the rounds were recorded, and where.
        rules: The version of the house rules; rounds under others are left out.
    """
    hands = _hands_by_bet(window, rules)
    stakes, gains = cast(hands.c.stake, Float), cast(hands.c.gain, Float)
    query = (
        select(
            hands.c.game,
            hands.c.bet,
            func.count(),
            func.sum(hands.c.stake),
            func.sum(hands.c.gain),
            func.sum(gains * gains),
            func.sum(stakes * stakes),
            func.sum(gains * stakes),
        )
        .where(hands.c.stake > 0)
        .group_by(hands.c.game, hands.c.bet)
        .order_by(hands.c.game, hands.c.bet)
    )
    return [
        HoldSum(game, wager, int(count), int(staked), int(gained), *map(float, squares))
        for game, wager, count, staked, gained, *squares in snapshot.connection.execute(query)
    ]


def _hands_by_bet(window: Window, rules: str) -> Subquery:
    """Return stake and gain of every bet of every hand, the main game's wagers as one bet."""
    line, played = PayoutLineRecord, RoundRecordRow
    main = col(line.wager).in_(("ante", *SECOND))
    of_second = main & (col(line.wager) != "ante")
    lines = (
        select(
            col(played.game).label("game"),
            col(line.round).label("round"),
            col(line.seat).label("seat"),
            case((main, "main"), else_=col(line.wager)).label("bet"),
            case((of_second, 0), else_=func.coalesce(col(line.staked), 0)).label("stake"),
            col(line.paid).label("gain"),
        )
        .join(played, col(played.round) == col(line.round))
        .where(
            *payouts_within(window),
            col(line.paid).is_not(None),
            col(played.outcome) != "void",
            col(played.result)["rules"]["version"].as_string() == rules,
        )
        .subquery()
    )
    return (
        select(
            lines.c.game,
            lines.c.bet,
            func.sum(lines.c.stake).label("stake"),
            func.sum(lines.c.gain).label("gain"),
        )
        .group_by(lines.c.game, lines.c.round, lines.c.seat, lines.c.bet)
        .subquery()
    )


def rounds_by_rules(snapshot: Snapshot, window: Window) -> dict[tuple[str, str], int]:
    """Return how many rounds there are by game and version of the house rules."""
    played = RoundRecordRow
    version = col(played.result)["rules"]["version"].as_string()
    query = (
        select(col(played.game), version, func.count())
        .where(
            col(played.recorded) >= window.since,
            col(played.recorded) < window.until,
            *([col(played.table).in_(window.tables)] if window.tables else []),
        )
        .group_by(col(played.game), version)
    )
    return {
        (game, str(found or "")): int(count)
        for game, found, count in snapshot.connection.execute(query)
    }
