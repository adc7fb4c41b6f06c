"""Advances the live reader through scripted events, for tests."""

from collections.abc import Iterable

from rules.events import (
    CardPlaced,
    Seat,
    Sighting,
    TableEvent,
    Wager,
)
from rules.games.whist import WHIST
from rules.reader import FinishedRound, read
from rules.round import LiveFinding, Round, Setting, advance
from tests.rules.tables import (
    DEALER,
    TRUMP,
    cards,
    clock,
    hand_of,
)

S4, H6, C7, D8 = cards("4S 6H 7C 8D")
ANTE, PLAY, BONUS = Wager.ANTE, Wager.PLAY, Wager.BONUS
Told = list[tuple[str, Seat | None, float]]


def follow(
    events: Iterable[TableEvent | Sighting], setting: Setting | None = None
) -> tuple[Round, Told]:
    """Advance a fresh round through events half a second apart; give it and what was told when."""
    state, told = Round(setting or Setting(WHIST)), []
    for place, event in enumerate(events):
        sighting = event if isinstance(event, Sighting) else Sighting(event, place / 2)
        state, found = advance(state, sighting)
        told += [(live.finding.code.value, live.finding.seat, live.at) for live in found]
    return state, told


def codes(told: Told) -> list[str]:
    return [code for code, _, _ in told]


def deal(*seats: int) -> list[TableEvent]:
    """Return the deal of a round of whist to some seats, trump four of spades."""
    events: list[TableEvent] = []
    for _ in range(3):
        events += [CardPlaced(hand_of(seat), None) for seat in seats]
        events.append(CardPlaced(DEALER, None))
    return [*events, CardPlaced(TRUMP, S4)]


def ended(
    events: Iterable[TableEvent], setting: Setting | None = None
) -> tuple[list[LiveFinding], list[FinishedRound]]:
    found = list(read(clock(iter(events)), setting or Setting(WHIST)))
    return (
        [one for one in found if isinstance(one, LiveFinding)],
        [one for one in found if isinstance(one, FinishedRound)],
    )


def live_codes(found: list[LiveFinding]) -> list[str]:
    return [live.finding.code.value for live in found]
