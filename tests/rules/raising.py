"""Short ways to write rounds of the two games in which a hand is raised against the dealer's."""

from collections.abc import Iterator

from rules.cards import Card
from rules.events import (
    Area,
    CardPlaced,
    CardRemoved,
    CardTurned,
    Cents,
    Decision,
    DecisionMade,
    PayoutMade,
    Seat,
    Sighting,
    Spot,
    SpotCleared,
    TableEvent,
    Wager,
    WagerPlaced,
)
from rules.games import GAMES
from rules.result import Result
from rules.round import Round, Setting, advance, finish, judge_round
from tests.rules.records import Json, words
from tests.rules.records import judged as judged_record

DEALER, HAND = Spot(Area.DEALER), Spot(Area.HAND, Seat(1))


def seat(hand: str, decision: str | None = "raise", **more: object) -> Json:
    """Return a seat with an Ante and, when it raises, a Raise of 1000."""
    wagers = {"ante": 1000} | ({"raise": 1000} if decision == "raise" else {})
    found: Json = {"wagers": wagers, "hand": words(hand)}
    if decision is not None:
        found["decision"] = decision
    return found | more


def cards(text: str) -> tuple[Card, Card, Card]:
    first, second, third = map(Card.parse, text.split())
    return first, second, third


def judged(game: str, dealer: str, seat: Json, house: str = "", **more: object) -> Json:
    """Return what `check` prints for a round with one seat, under a house rules text."""
    record: Json = {"round": "T1-20261130-0001", "game": game, "dealer": words(dealer), **more}
    return judged_record(record | {"seats": {"1": seat}}, house)


def seat_of(result: Json) -> Json:
    return dict(result["seats"]["1"])


def due_of(result: Json) -> Json:
    return dict(seat_of(result)["due"])


def live_round(
    hand: str, dealer: str, wagers: dict[Wager, int], paid: dict[Wager, int], *, face_up: bool
) -> Iterator[TableEvent]:
    """Give a whole round of one seat that raises, as an observer and a feed would tell it."""
    seat = Seat(1)
    cards = [Card.parse(text) for text in hand.split()]
    placed = [wager for wager in wagers if wager is not Wager.RAISE]
    yield from (WagerPlaced(seat, wager, Cents(wagers[wager])) for wager in placed)
    for card in cards:
        yield CardPlaced(HAND, card if face_up else None)
        yield CardPlaced(DEALER, None)
    yield DecisionMade(seat, Decision.RAISE)
    yield WagerPlaced(seat, Wager.RAISE, Cents(wagers[Wager.RAISE]))
    yield from (CardTurned(DEALER, Card.parse(text)) for text in dealer.split())
    if not face_up:
        yield from (CardTurned(HAND, card) for card in cards)
    yield from (PayoutMade(seat, wager, Cents(amount)) for wager, amount in paid.items())
    yield from (CardRemoved(DEALER, Card.parse(text)) for text in dealer.split())
    yield SpotCleared(DEALER)


def seen_live(game: str, events: Iterator[TableEvent]) -> tuple[Result, list[str]]:
    """Return the judgement at the end of a live round, and the findings told on the way."""
    state = Round(Setting(GAMES[game]), "T1-20261130-0001")
    told: list[str] = []
    for place, event in enumerate(events):
        state, found = advance(state, Sighting(event, place / 2, 0.999, place * 12))
        told += [live.finding.code.value for live in found]
    state, found = finish(state, 1000.0)
    told += [live.finding.code.value for live in found]
    return judge_round(state)[1], told
