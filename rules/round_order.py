"""In which order cards came up, where one of them was told of late or was out of sight.

A card that could not be read at once is told of after others, with the time at which it came up:
it is put in its place. One that was out of sight has no certain time: what came up meanwhile may
have come before it or after it.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from typing import Any

from rules.events import (
    Area,
    CardEvent,
    CardHidden,
    CardMoved,
    CardPlaced,
    CardRemoved,
    CardTurned,
    Sighting,
    Spot,
    SpotCleared,
)
from rules.round_state import DEALER, HandSeen, Played, Round

_CLOSE = 0.25
"""Seconds by which two cameras' frames or two tracks may differ: nearer than this, nothing says
whether a card came up in the deal or after it."""


LATEST = 3.5
"""Seconds: a card lies unread for 2 s before it is told of as unreadable, and one that is read may
have to be told apart from others first. What is older than this was not seen in order at all."""


def has_its_place(state: Round, event: CardEvent, at: float) -> bool:
    """Return whether an event that is told of late can be put where it belongs by its time.

    >>> from rules.games.whist import WHIST
    >>> from rules.round_state import Setting
    >>> has_its_place(Round(Setting(WHIST)), CardPlaced(Spot(Area.TRUMP), None), 1.0)
    False
    """
    if state.last is not None and at < state.last - LATEST:
        return False
    match event:
        case CardPlaced(spot=spot, card=face) | CardTurned(spot=spot, card=face):
            pass
        case CardMoved(spot=spot, card=face):
            pass
        case CardHidden(spot=spot):
            return any(not e.over and e.exposure.spot == spot for e in state.exposing)
        case CardRemoved(card=None) | SpotCleared():
            return True  # a card that lay face down was taken up: nothing came up by that
        case _:
            return False
    if face is None or state.blind:
        return False
    hand = None if spot.seat is None else state.hand(spot.seat)
    settled = hand is None or not (hand.taken_back or hand.corrections)
    return settled and spot.area in (Area.DEALER, Area.TRUMP, Area.HAND, Area.PLAYED)


def is_of_deal(state: Round, at: float) -> bool:
    """Return whether a moment lies in the deal, which was over when it was told of.

    >>> from rules.games.whist import WHIST
    >>> from rules.round_state import Setting
    >>> is_of_deal(Round(Setting(WHIST), deal_over_at=5.0), 3.0)
    True
    """
    over, last = state.deal_over_at, state.last
    return over is not None and at < over - _CLOSE and (last is None or at >= last - LATEST)


def keep_order(before: Round, after: Round, sighting: Sighting, *, late: bool) -> Round:
    """Return the round after a card event with what came up in the order of its times.

    A card that was out of sight may have come up before another that is told of already: neither
    the one nor the other then surely is of its trick. So a hand that was answered to the wrong
    card is left open, not blamed (TCW-12a).

    >>> from rules.cards import Card
    >>> from rules.games.whist import WHIST
    >>> from rules.round_state import Phase, Setting
    >>> first = Round(Setting(WHIST), phase=Phase.REVEAL, dealer=(Card.parse("7D"),), turns=(9.0,))
    >>> hidden = Sighting(CardTurned(DEALER, Card.parse("KH")), at=10.0, since=8.0)
    >>> both = replace(first, dealer=(*first.dealer, Card.parse("KH")))
    >>> sorted(keep_order(first, both, hidden, late=False).turns_in_doubt)
    [0, 1]
    """
    since = sighting.at if sighting.since is None else min(sighting.since, sighting.at)
    if any(since < time < sighting.at for time in _times(before)) and _came_up(before, after):
        after = replace(after, sequence_in_doubt=True)
    if len(after.dealer) > len(before.dealer):
        after = _turned(before, after, sighting.at, since)
    for seat, hand in after.hands.items():
        old = before.hand(seat)
        if len(hand.plays) > len(old.plays):
            after = after.with_hand(seat, **_played(old, hand, sighting.at, since))
    return _in_place(after, sighting.at) if late else after


def _times(state: Round) -> Iterator[float]:
    """Give when each card came up that was turned or played."""
    yield from state.turns
    for hand in state.hands.values():
        yield from hand.played_at


def _came_up(before: Round, after: Round) -> bool:
    return len(after.sequence) > len(before.sequence)


def _turned(before: Round, after: Round, at: float, since: float) -> Round:
    fresh = len(after.dealer) - len(before.dealer)
    earlier = before.turns[: len(before.dealer)]
    doubt = before.turns_in_doubt | _in_doubt(earlier, since, at)
    return replace(after, turns=(*earlier, *(at,) * fresh), turns_in_doubt=doubt)


def _played(old: HandSeen, hand: HandSeen, at: float, since: float) -> dict[str, Any]:
    fresh = len(hand.plays) - len(old.plays)
    earlier = old.played_at[: len(old.plays)]
    return {
        "played_at": (*earlier, *(at,) * fresh),
        "plays_in_doubt": old.plays_in_doubt | _in_doubt(earlier, since, at),
    }


def _in_doubt(earlier: Iterable[float], since: float, at: float) -> frozenset[int]:
    """Return which cards, the new one among them, may have come up in another order."""
    times = tuple(earlier)
    passed = {number for number, time in enumerate(times) if since < time < at}
    return frozenset((*passed, len(times)) if passed else ())


def _in_place(state: Round, at: float) -> Round:
    """Return the round with everything that came up from a moment on in the order of its time."""
    order = _sorted(state.turns)
    state = replace(
        state,
        dealer=tuple(state.dealer[n] for n in order),
        turns=tuple(state.turns[n] for n in order),
        turns_in_doubt=_moved(state.turns_in_doubt, order),
    )
    for seat, hand in state.hands.items():
        order = _sorted(hand.played_at)
        times = tuple(hand.played_at[n] for n in order)
        plays = tuple(
            _led(hand.plays[n], time, state.turns) if time >= at else hand.plays[n]
            for n, time in zip(order, times, strict=True)
        )
        doubt = _moved(hand.plays_in_doubt, order)
        state = state.with_hand(seat, plays=plays, played_at=times, plays_in_doubt=doubt)
    came_up = [(time, DEALER) for time in state.turns]
    for seat, hand in state.hands.items():
        came_up += [(time, Spot(Area.HAND, seat)) for time in hand.played_at]
    return replace(state, sequence=tuple(spot for _, spot in sorted(came_up, key=_time)))


def _time(entry: tuple[float, Spot]) -> float:
    return entry[0]


def _led(play: Played, at: float, turns: Sequence[float]) -> Played:
    return replace(play, lead=sum(turn <= at for turn in turns))


def _sorted(times: Sequence[float]) -> list[int]:
    return sorted(range(len(times)), key=times.__getitem__)


def _moved(numbers: frozenset[int], order: Sequence[int]) -> frozenset[int]:
    """Return where some entries are after they were put into an order."""
    return frozenset(place for place, number in enumerate(order) if number in numbers)
