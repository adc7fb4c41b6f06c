"""Rounds as they happen at a table, told as the sightings that an observer would make of them."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field

from rules.cards import Card
from rules.events import (
    Area,
    CardMoved,
    CardPlaced,
    CardRemoved,
    CardTurned,
    Cents,
    Decision,
    PayoutMade,
    Seat,
    Sighting,
    Spot,
    SpotCleared,
    TableEvent,
    Wager,
    WagerPlaced,
)

DEALER, TRUMP, DISCARD = Spot(Area.DEALER), Spot(Area.TRUMP), Spot(Area.DISCARD)


def cards(text: str) -> tuple[Card, ...]:
    """Return the cards that a text names, with blanks between."""
    return tuple(Card.parse(word) for word in text.split())


def hand_of(seat: int) -> Spot:
    return Spot(Area.HAND, Seat(seat))


def played_at(seat: int) -> Spot:
    return Spot(Area.PLAYED, Seat(seat))


@dataclass(frozen=True)
class Player:
    """One seat of a scripted round; `plays` is what it lays, in order; empty folds."""

    plays: tuple[Card, ...] = ()
    wagers: Mapping[Wager, int] = field(default_factory=dict)
    paid: Mapping[Wager, int] = field(default_factory=dict)
    in_place: bool = True
    """True: plays by turning a card on its spot; False: takes up the cards and lays them."""


def clock(events: Iterator[TableEvent], start: float = 0.0) -> list[Sighting]:
    """Return events as sightings half a second apart, each on its frame."""
    return [
        Sighting(event, start + place / 2, 0.999, place * 12) for place, event in enumerate(events)
    ]


def whist_round(
    trump: Card, dealer: tuple[Card, ...], players: Mapping[int, Player]
) -> Iterator[TableEvent]:
    """Give a whole round of Three Card Whist, dealt and played in order."""
    yield from _wagers(players)
    for _ in range(3):
        for seat in players:
            yield CardPlaced(hand_of(seat), None)
        yield CardPlaced(DEALER, None)
    yield CardPlaced(TRUMP, trump)
    yield from _decisions(players)
    for trick, lead in enumerate(dealer):
        yield CardTurned(DEALER, lead)
        for seat, player in players.items():
            if player.plays:
                yield from _answer(seat, player, player.plays[trick])
    yield from _payouts(players)
    yield from sweep(players)


def _wagers(players: Mapping[int, Player]) -> Iterator[TableEvent]:
    for seat, player in players.items():
        for wager, amount in player.wagers.items():
            if wager is not Wager.PLAY:
                yield WagerPlaced(Seat(seat), wager, Cents(amount))


def _decisions(players: Mapping[int, Player]) -> Iterator[TableEvent]:
    for seat, player in players.items():
        if player.plays:
            if Wager.PLAY in player.wagers:
                yield WagerPlaced(Seat(seat), Wager.PLAY, Cents(player.wagers[Wager.PLAY]))
            if not player.in_place:
                for _ in range(3):
                    yield CardRemoved(hand_of(seat), None)
        else:
            for _ in range(3):
                yield CardMoved(hand_of(seat), DISCARD, None)


def _answer(seat: int, player: Player, card: Card) -> Iterator[TableEvent]:
    if player.in_place:
        yield CardTurned(hand_of(seat), card)
    else:
        yield CardPlaced(played_at(seat), card)


def _payouts(players: Mapping[int, Player]) -> Iterator[TableEvent]:
    for seat, player in players.items():
        for wager, amount in player.paid.items():
            yield PayoutMade(Seat(seat), wager, Cents(amount))


def sweep(players: Mapping[int, Player]) -> Iterator[TableEvent]:
    """Give the clearing of the table, the trump card last."""
    for seat in players:
        yield SpotCleared(hand_of(seat))
        yield SpotCleared(played_at(seat))
    yield SpotCleared(DEALER)
    yield SpotCleared(TRUMP)


__all__ = ["DEALER", "DISCARD", "TRUMP", "Decision", "Player", "cards", "clock", "whist_round"]
