"""What a game does not have: wagers, payouts and decisions of other games are refused."""

from collections.abc import Iterable, Sequence

from rules.errors import RecordFormatError
from rules.events import Decision, DecisionMade, FeedEvent, PayoutMade, Seat, Wager, WagerPlaced
from rules.games.base import AnyGame
from rules.record import RoundRecord

_GOING_ON = {Wager.PLAY: Decision.PLAY, Wager.RAISE: Decision.RAISE}


def check_record_fits(record: RoundRecord, game: AnyGame) -> None:
    """Refuse a record with a wager, payout or decision that the game does not have.

    Raises:
        RecordFormatError: It has one; the message names the field.

    >>> from rules.games.whist import WHIST
    >>> check_record_fits(RoundRecord("a", WHIST.name, {}), WHIST)
    """
    placed, paid, decisions = game.wagers, paid_wagers(game), game_decisions(game)
    for number, seat in record.seats.items():
        _refuse_foreign((number, "wagers"), seat.wagers, placed, game)
        if seat.paid:
            _refuse_foreign((number, "paid"), seat.paid, paid, game)
        if seat.changes:
            _refuse_foreign((number, "changes"), [c.wager for c in seat.changes], placed, game)
        if seat.decision is not None:
            _refuse_foreign((number, "decision"), (seat.decision,), decisions, game)


def check_event_fits(event: FeedEvent, game: AnyGame) -> None:
    """Refuse a wager, payout or decision from a feed that the game does not have.

    Raises:
        RecordFormatError: The game does not have it; the message names the field.

    >>> from rules.events import Cents, Seat
    >>> from rules.games.whist import WHIST
    >>> check_event_fits(WagerPlaced(Seat(1), Wager.PLAY, Cents(500)), WHIST)
    """
    match event:
        case WagerPlaced(wager=wager) if wager not in game.wagers:
            raise _foreign("wager", wager, game.wagers, game)
        case PayoutMade(wager=wager) if wager not in paid_wagers(game):
            raise _foreign("wager", wager, paid_wagers(game), game)
        case DecisionMade(decision=decision) if decision not in game_decisions(game):
            raise _foreign("decision", decision, game_decisions(game), game)
        case _:
            pass


def paid_wagers(game: AnyGame) -> tuple[Wager, ...]:
    """Return the wagers that a payout of a game may be on: those placed, and those only ever paid.

    >>> from rules.games.tri_card import TRI_CARD
    >>> paid_wagers(TRI_CARD)[-1].value
    'ante-bonus'
    """
    return game.wagers + game.shape.only_paid


def game_decisions(game: AnyGame) -> tuple[Decision, ...]:
    """Return what a player of a game may decide; any of it where nothing is placed after the deal.

    >>> from rules.games.whist import WHIST
    >>> [decision.value for decision in game_decisions(WHIST)]
    ['play', 'fold']
    """
    second = game.shape.second_wager
    return tuple(Decision) if second is None else (_GOING_ON[second], Decision.FOLD)


def _refuse_foreign(
    place: tuple[Seat, str],
    found: Iterable[Wager | Decision],
    known: Sequence[Wager | Decision],
    game: AnyGame,
) -> None:
    for one in found:
        if one not in known:
            raise _foreign(f"seats.{place[0]}.{place[1]}", one, known, game)


def _foreign(
    where: str, found: Wager | Decision, known: Sequence[Wager | Decision], game: AnyGame
) -> RecordFormatError:
    expected = " or ".join(known) if len(known) == 2 else f"one of {', '.join(known)}"
    return RecordFormatError(f"{where}: found {found.value!r}, expected {expected} in {game.name}")
