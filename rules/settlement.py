"""Money that all games share: what was paid against what was due, table limits and late wagers."""

from collections.abc import Iterable, Mapping

from rules.events import Cents, Decision, Seat, Wager
from rules.findings import Finding, FindingCode, Severity
from rules.games.base import AnyGame
from rules.record import SeatRecord
from rules.result import SeatResult, Status
from rules.section import Limits

SERIOUS_CENTS = 10_000
"""From this difference on a wrong payout is of high severity, below it of medium."""


def payout_findings(
    game: AnyGame, number: Seat, seat: SeatRecord, result: SeatResult
) -> Iterable[Finding]:
    """Find what was paid otherwise than due on the wagers of one seat.

    What is paid on a hand to be reconstructed is not judged, nor is a wager whose due is not
    certain. A hand that is void must be neither played on nor paid.

    >>> from rules.games.whist import WHIST
    >>> seat = SeatRecord({Wager.ANTE: Cents(500)}, paid={Wager.ANTE: Cents(700)})
    >>> result = SeatResult(Status.SETTLED, {Wager.ANTE: Cents(500)})
    >>> [found.code.value for found in payout_findings(WHIST, Seat(1), seat, result)]
    ['overpaid']
    """
    if result.status is Status.VOID:
        yield from _void_finding(game, number, seat)
        return
    if seat.paid is None or result.due is None or seat.paid == result.due:
        return
    wagers = dict.fromkeys([*result.due, *seat.paid])
    for wager in wagers:
        due = result.due.get(wager, None if wager in seat.wagers else _never_due(game, seat, wager))
        if due is None:
            continue
        paid = seat.paid.get(wager)
        code = payout_code(due, paid, staked=seat.wagers.get(wager, Cents(0)) > 0)
        if code is not None:
            yield _payout(game, code, number, (wager, due, paid))


def _never_due(game: AnyGame, seat: SeatRecord, wager: Wager) -> Cents | None:
    """Return nothing as due on a wager that was not placed, where the wagers are known at all.

    Who goes on has placed a Play or Raise: where none was told of, its amount is not known.
    """
    folded = seat.decision in (None, Decision.FOLD) and not seat.plays
    unknown = wager is game.shape.second_wager and not folded
    return Cents(0) if seat.wagers and not unknown else None


def payout_code(due: Cents, paid: Cents | None, *, staked: bool = True) -> FindingCode | None:
    """Return what is wrong with a payout, None when nothing is.

    Args:
        due: What the player should gain, net.
        paid: What the player did gain; None when no payout was seen.
        staked: Something was staked; without a stake what is paid on nothing due is too much.

    >>> payout_code(Cents(500), Cents(0)).value
    'not-paid'
    """
    if paid == due or (paid is None and due == 0):
        return None
    paid = paid or Cents(0)
    if due > 0 >= paid:
        return FindingCode.NOT_PAID
    if due < 0 <= paid:
        return FindingCode.PAID_WHEN_LOST if paid > 0 else FindingCode.NOT_TAKEN
    if due == 0 < paid:
        return FindingCode.PAID_WHEN_PUSHED if staked else FindingCode.OVERPAID
    if due < paid < 0:
        return FindingCode.NOT_TAKEN
    return FindingCode.OVERPAID if paid > due else FindingCode.UNDERPAID


def _payout(
    game: AnyGame, code: FindingCode, number: Seat, amounts: tuple[Wager, Cents, Cents | None]
) -> Finding:
    wager, due, paid = amounts
    serious = abs((paid or 0) - due) >= SERIOUS_CENTS
    return Finding(
        code,
        game.rule(code, wager),
        Severity.HIGH if serious else Severity.MEDIUM,
        seat=number,
        wager=wager,
        due=due,
        paid=paid,
    )


def _void_finding(game: AnyGame, number: Seat, seat: SeatRecord) -> Iterable[Finding]:
    gained = Cents(sum((seat.paid or {}).values()))
    if seat.plays or any((seat.paid or {}).values()):
        code = FindingCode.VOID_HAND_SETTLED
        yield Finding(
            code,
            game.rule(code, None),
            Severity.HIGH,
            seat=number,
            due=Cents(0),
            paid=gained,
            note="played-on" if seat.plays else None,
        )


def wager_findings(
    game: AnyGame, limits: Mapping[Wager, Limits], number: Seat, seat: SeatRecord
) -> Iterable[Finding]:
    """Find wagers outside the table limits, and those that came or changed after the deal began.

    >>> from rules.games.whist import WHIST
    >>> limits = {Wager.ANTE: Limits(Cents(500), None)}
    >>> seat = SeatRecord({Wager.ANTE: Cents(100)})
    >>> [found.code.value for found in wager_findings(WHIST, limits, Seat(1), seat)]
    ['wager-below-minimum']
    """
    for wager, amount in seat.wagers.items():
        limit = limits.get(wager)
        if limit is not None and amount > 0:
            yield from _limit_findings(game, number, (wager, amount), limit)
    for change in seat.changes:
        grew = change.after > change.before
        code = FindingCode.LATE_WAGER if grew else FindingCode.WAGER_CHANGED
        yield Finding(
            code,
            game.rule(code, change.wager),
            Severity.HIGH if grew else Severity.MEDIUM,
            seat=number,
            wager=change.wager,
            expected=change.before,
            found=change.after,
        )


def _limit_findings(
    game: AnyGame, number: Seat, placed: tuple[Wager, Cents], limit: Limits
) -> Iterable[Finding]:
    wager, amount = placed
    bounds = (
        (FindingCode.WAGER_BELOW_MINIMUM, limit.minimum, -1),
        (FindingCode.WAGER_ABOVE_MAXIMUM, limit.maximum, 1),
    )
    for code, bound, sign in bounds:
        if bound is not None and (amount - bound) * sign > 0:
            yield Finding(
                code,
                game.rule(code, wager),
                Severity.MEDIUM,
                seat=number,
                wager=wager,
                expected=bound,
                found=amount,
            )
