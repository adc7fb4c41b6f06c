"""In which order cards came up, where one of them was told of late or was out of sight.

A card that could not be read at once is told of after others, with the time at which it came up:
it is put in its place. One that was out of sight has no certain time: what came up meanwhile may
have come before it or after it.
"""

from collections.abc import Iterator, Sequence
from dataclasses import replace

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
from rules.round_state import DEALER, Played, Round

_CLOSE = 0.25
"""Seconds by which the times of two cards in one picture may be wrong: so near to the
deal's end nothing says whether a card came up in it."""
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
        case CardRemoved(card=None) | SpotCleared() | CardMoved(Spot(area=Area.HAND), card=None):
            return True  # a card that lay face down was taken up or put away: nothing came up
        case CardPlaced(spot=spot, card=face) | CardTurned(spot=spot, card=face):
            pass
        case CardMoved(source=source, spot=spot, card=face) if source.area is not Area.PLAYED:
            pass
        case CardHidden(spot=spot):
            return any(not e.over and e.exposure.spot == spot for e in state.exposing)
        case _:
            return False
    if face is None or state.blind:
        return False
    # A play that was taken back has no time of its own: it says nothing beside a card told late.
    hands = state.hands.values() if spot.seat is None else (state.hand(spot.seat),)
    settled = not any(hand.taken_back or hand.corrections for hand in hands)
    in_order = settled and spot.area in (Area.DEALER, Area.HAND, Area.PLAYED)
    return in_order or spot.area is Area.TRUMP


def is_of_deal(state: Round, at: float) -> bool:
    """Return whether a moment lies in the deal, which was over when it was told of.

    Where no trump card was seen to end it, only up to the last card dealt it surely went on.

    >>> from rules.games.whist import WHIST
    >>> from rules.round_state import Setting
    >>> is_of_deal(Round(Setting(WHIST), deal_over_at=5.0), 3.0)
    True
    """
    over, last = state.deal_over_at, state.last
    if over is not None and state.trump is None and state.placed_at is not None:
        over = min(over, state.placed_at)
    return over is not None and at < over - _CLOSE and (last is None or at >= last - LATEST)


def keep_order(before: Round, after: Round, sighting: Sighting, *, late: bool) -> Round:
    """Return the round after a card event with what came up in the order of its times.

    >>> from rules.cards import Card
    >>> from rules.games.whist import WHIST
    >>> from rules.round_state import Setting
    >>> first = Round(Setting(WHIST), dealer=(Card.parse("7D"),), turns=(9.0,))
    >>> king = Card.parse("KH")
    >>> both = replace(first, dealer=(*first.dealer, king), turns=(9.0, 8.0))
    >>> told = keep_order(first, both, Sighting(CardTurned(DEALER, king), 8.0), late=True)
    >>> [str(card) for card in told.dealer]
    ['KH', '7D']
    """
    if sighting.since is not None and len(after.sequence) > len(before.sequence):
        after = replace(after, hidden=(*after.hidden, (sighting.since, sighting.at)))
    # A lead and an answer that are seen in one frame: the lead came first, as far as can be known.
    return _in_place(after, sighting.at) if late or _is_tied(after, sighting) else after


def _is_tied(state: Round, sighting: Sighting) -> bool:
    """Return whether a card of the dealer's came to light in one frame with a card of a seat."""
    shows = isinstance(sighting.event, CardPlaced | CardTurned) and sighting.at in state.turns
    return shows and any(sighting.at in hand.played_at for hand in state.hands.values())


def unordered(times: Sequence[float], hidden: Sequence[tuple[float, float]]) -> frozenset[int]:
    """Return which cards, from 0, may have come up in another order than that of their times.

    A card that was out of sight may have come up before another that came up meanwhile: neither the
    one nor the other then surely is of its trick. So a hand that was answered to the wrong card is
    left open, not blamed (TCW-12a).

    Args:
        times: When each of them was seen.
        hidden: From when to when each card that was seen at the end of it was out of sight.

    >>> sorted(unordered((5.0, 9.0, 10.0), [(8.0, 10.0)]))
    [1, 2]
    """
    found: set[int] = set()
    for since, at in hidden:
        passed = {number for number, time in enumerate(times) if since < time < at}
        if passed and at in times:
            found |= passed | {number for number, time in enumerate(times) if time == at}
    return frozenset(found)


def is_order_known(state: Round) -> bool:
    """Return whether no card came up while another that came up was out of sight (TCW-11).

    One that may have come up before the deal was over was perhaps exposed in it, and not played.
    Nor does a frame in which a lead and an answer came to light tell which of them was first.

    >>> from rules.games.whist import WHIST
    >>> from rules.round_state import Setting
    >>> is_order_known(Round(Setting(WHIST), turns=(9.0,), hidden=((8.0, 10.0),)))
    False
    """
    if any(since < time < at for since, at in state.hidden for time in _times(state)):
        return False
    answered = {time for hand in state.hands.values() for time in hand.played_at}
    return answered.isdisjoint(state.turns)


def _times(state: Round) -> Iterator[float]:
    """Give when the deal was over, and when each card came up that was turned or played."""
    yield from () if state.deal_over_at is None else (state.deal_over_at,)
    yield from state.turns
    for hand in state.hands.values():
        yield from hand.played_at


def _in_place(state: Round, at: float) -> Round:
    """Return the round with everything that came up from a moment on in the order of its time."""
    order = _sorted(state.turns)
    state = replace(
        state,
        dealer=tuple(state.dealer[n] for n in order),
        turns=tuple(state.turns[n] for n in order),
    )
    for seat, hand in state.hands.items():
        order = _sorted(hand.played_at)
        times = tuple(hand.played_at[n] for n in order)
        plays = tuple(
            _led(hand.plays[n], time, state.turns) if time >= at else hand.plays[n]
            for n, time in zip(order, times, strict=True)
        )
        state = state.with_hand(seat, plays=plays, played_at=times)
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
