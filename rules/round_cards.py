"""How the cards seen at the table change the round: arrivals, turns, plays and folds."""

from dataclasses import replace
from typing import assert_never

from rules.cards import Card
from rules.events import (
    HAND_AREAS,
    HAND_CARDS,
    UNREADABLE,
    Area,
    CardEvent,
    CardHidden,
    CardMoved,
    CardPlaced,
    CardRemoved,
    CardTurned,
    Cents,
    Decision,
    Face,
    Seat,
    Sighting,
    Spot,
    SpotCleared,
    Wager,
)
from rules.record import Correction
from rules.round_deal import (
    all_dealt,
    dealer_hides,
    doubt_since,
    end_deal,
    ends_exposures,
    exposes,
    lie,
    one_unread,
    see_dealt,
    shows_dealer,
    stood_still,
)
from rules.round_state import HandSeen, Phase, Played, Round

_IN_PLAY = (Area.DEALER, Area.TRUMP, Area.HAND, Area.PLAYED)
_UNDER_A_BET = (Area.BONUS, Area.RNB, Area.PAIR_PLUS)


def see_card(state: Round, event: CardEvent, at: float) -> Round:
    """Return the round after a card event; any order of events is taken as it comes.

    >>> from rules.games.whist import WHIST
    >>> from rules.round_state import DEALER, Setting
    >>> state = see_card(Round(Setting(WHIST)), CardPlaced(DEALER, None), 1.0)
    >>> state.dealer_dealt, state.phase.name
    (1, 'DEALING')
    """
    match event:
        case CardPlaced(spot=spot, card=face):
            return _arrives(state, spot, face, at)
        case CardTurned(spot=spot, card=face):
            down = None in state.cards_at(spot)
            again = not down and UNREADABLE in state.cards_at(spot)
            turned = lie(state, spot, remove=None if down else UNREADABLE, add=face)
            return _shows(turned, spot, face, at, again=again)
        case CardHidden(spot=spot, card=face):
            return _hidden(lie(state, spot, remove=face, add=None), spot, face, at)
        case CardMoved():
            return _moved(state, event, at)
        case CardRemoved() | SpotCleared():
            return _swept(_gone(state, event, at))
        case _:  # pragma: no cover - the union is closed
            assert_never(event)


def note_card(state: Round, event: CardEvent, sighting: Sighting) -> Round:
    """Return the round with the newest time, and how surely a card was read.

    >>> from rules.games.whist import WHIST
    >>> from rules.round_state import DEALER, Setting
    >>> turned = CardTurned(DEALER, Card.parse("6D"))
    >>> note_card(Round(Setting(WHIST)), turned, Sighting(turned, 9.0, 0.99)).last
    9.0
    """
    last = max(sighting.at, sighting.at if state.last is None else state.last)
    state = replace(state, last=last)
    card = None if isinstance(event, SpotCleared) else event.card
    if not isinstance(card, Card):
        return state
    least = min(state.confidence.get(card, 1.0), sighting.confidence)
    most = max(state.surest.get(card, 0.0), sighting.confidence)
    state = replace(state, confidence={**state.confidence, card: least})
    return replace(state, surest={**state.surest, card: most})


def _moved(state: Round, event: CardMoved, at: float) -> Round:
    source, spot, face = event.source, event.spot, event.card
    if source.area is Area.HAND and spot.area is Area.DISCARD and _all_lies(state):
        state = end_deal(state, at, state.placed_at)  # a fold: the trump card was not seen to come
    left = _uncounted(_leaves(state, source, face, at), source)
    if source.area is Area.PLAYED and spot.area is Area.HAND:
        laid = face or (state.cards_at(source) or (None,))[-1]
        return lie(_takes_back(left, source, laid), spot, add=face)
    return _arrives(_folds(left, source, spot), spot, face, at, moved=True)


def _all_lies(state: Round) -> bool:
    return state.phase is Phase.DEALING and all_dealt(state)


def _uncounted(state: Round, source: Spot) -> Round:
    """Return the round with one card less dealt to a place: it is counted where it goes."""
    return _one_less(state, source) if state.phase is Phase.DEALING else state


def _one_less(state: Round, source: Spot) -> Round:
    if source.area is Area.DEALER:
        return replace(state, dealer_dealt=max(state.dealer_dealt - 1, 0))
    if source.area is Area.HAND and source.seat is not None:
        return state.with_hand(source.seat, dealt=max(state.hand(source.seat).dealt - 1, 0))
    return state


def _gone(state: Round, event: CardRemoved | SpotCleared, at: float) -> Round:
    spot = event.spot
    if isinstance(event, CardRemoved):
        if event.card is None and _is_no_card_dealt(state, spot):
            state = _one_less(state, spot)
        return _takes_back(_leaves(state, spot, event.card, at), spot, event.card)
    cleared = ends_exposures(state, spot, None, at)
    return replace(cleared, lying={**cleared.lying, spot: ()})


def _is_found_after_deal(state: Round, spot: Spot) -> bool:
    """Return whether a card may be one of the deal that was out of sight till now."""
    if state.dealt_at is None:
        return False
    count = state.dealer_dealt if spot.area is Area.DEALER else None
    if spot.area is Area.HAND and spot.seat is not None:
        count = state.hand(spot.seat).dealt
    return count is not None and 0 < count < HAND_CARDS


def _is_no_card_dealt(state: Round, spot: Spot) -> bool:
    """Return whether a back that leaves a place was none of the deal: the dealer takes up none.

    A player may take up his cards before the deal is over, though not one of four. After the deal
    what is left over of four was imagined, if it goes before all of the dealer's cards came up.
    """
    if len(state.dealer) >= HAND_CARDS or spot.area not in HAND_AREAS:
        return False
    if spot.area is Area.DEALER:
        return state.phase is Phase.DEALING or state.dealer_dealt > HAND_CARDS
    return spot.seat is not None and state.hand(spot.seat).dealt > HAND_CARDS


def _arrives(state: Round, spot: Spot, face: Face, at: float, *, moved: bool = False) -> Round:
    """Return the round after a card came to rest on a spot."""
    state = lie(state, spot, add=face)
    if spot.area in _IN_PLAY and state.phase <= Phase.DEALING:
        state = see_dealt(state, spot, at)
    elif not moved and _is_found_after_deal(state, spot):
        state = replace(see_dealt(state, spot, at), phase=state.phase, placed_at=state.placed_at)
    elif spot.area in _UNDER_A_BET and face is None and spot.seat is not None and not moved:
        state = _fold(state, spot.seat)
    state = state if face is None else _shows(state, spot, face, at)
    return _deal_over(state, at) if spot.area in _IN_PLAY else state


def _deal_over(state: Round, at: float) -> Round:
    """Return the round with the deal over, where it ends with the last hand, not with a trump."""
    if state.phase is not Phase.DEALING or state.setting.game.shape.trump:
        return state
    return end_deal(state, at) if all_dealt(state) else state


def _shows(state: Round, spot: Spot, face: Face, at: float, *, again: bool = False) -> Round:
    """Return the round after a face was seen on a spot.

    `again` says that it may be an earlier card, unreadable then and read at last: no card lay face
    down there.
    """
    if state.phase is Phase.DEALING and stood_still(state, at):
        state = end_deal(state, at if state.placed_at is None else state.placed_at)
    match spot.area:
        case Area.TRUMP:
            return _shows_trump(state, face, at)
        case Area.DEALER:
            return shows_dealer(state, face, at, again=again)
        case Area.DISCARD:
            return state
        case _:
            return state if spot.seat is None else _shows_seat(state, spot, face, at, again)


def _shows_trump(state: Round, face: Face, at: float) -> Round:
    if not state.setting.game.shape.trump:
        return state
    if state.phase <= Phase.DEALING:
        state = end_deal(state, at)
    if isinstance(state.trump, Card) and face != state.trump:
        # Two trump cards cannot be: neither is believed.
        seen = [card for card in (state.trump, face) if isinstance(card, Card)]
        loose = (*state.loose, *((Spot(Area.TRUMP), card) for card in seen))
        return replace(state, trump=UNREADABLE, loose=tuple(dict.fromkeys(loose)))
    if state.trump is UNREADABLE and any(spot.area is Area.TRUMP for spot, _ in state.loose):
        return state
    return replace(state, trump=face)


def _shows_seat(state: Round, spot: Spot, face: Face, at: float, again: bool) -> Round:
    seat = spot.seat or Seat(1)
    shape, hand = state.setting.game.shape, state.hand(seat)
    if state.phase <= Phase.DEALING and not shape.seats_face_up:
        return exposes(state, Spot(Area.HAND, seat), face, at)
    if isinstance(face, Card) and face in hand.counted and not hand.taken_back:
        return state
    if not shape.tricks or state.blind or not _may_play(state, spot, hand):
        return _shown(state, seat, face)
    if again and isinstance(face, Card) and _read_at_last(state, spot, hand):
        place = hand.counted.index(UNREADABLE)
        read = replace(hand.plays[place], card=face)
        state = doubt_since(state, hand.played_at, place)
        return state.with_hand(seat, plays=(*hand.plays[:place], read, *hand.plays[place + 1 :]))
    done = len(hand.plays) >= HAND_CARDS and not hand.taken_back
    return _shown(state, seat, face) if done else _plays(state, seat, face, at)


def _read_at_last(state: Round, spot: Spot, hand: HandSeen) -> bool:
    """Return whether a card turned at a seat must be the play that could not be read before."""
    if spot.area is Area.HAND:
        return one_unread(hand.counted)
    # Cards come to the play spot face up, so that one that turns there is read once more.
    last = hand.plays[-1:]
    unread = hand.counted[-1:] == (UNREADABLE,) and hand.counted.count(UNREADABLE) == 1
    return unread and last[0].lead == len(state.dealer)


def _may_play(state: Round, spot: Spot, hand: HandSeen) -> bool:
    """Return whether a card that comes up at a seat can be a play."""
    in_main = not hand.wagers or hand.wagers.get(Wager.ANTE, Cents(0)) > 0
    counts = spot.area in (Area.HAND, Area.PLAYED) and hand.decision is not Decision.FOLD
    # After a misdeal the hands are laid open without being played.
    idle = state.void and not state.dealer
    return in_main and counts and not idle


def _plays(state: Round, seat: Seat, face: Face, at: float) -> Round:
    hand, lead = state.hand(seat), len(state.dealer)
    if hand.taken_back and hand.plays:
        if face == hand.counted[-1]:
            return state.with_hand(seat, taken_back=False)
        put_right = Correction(len(hand.plays), face, lead)
        kept = tuple(c for c in hand.corrections if c.trick != put_right.trick)
        return state.with_hand(seat, taken_back=False, corrections=(*kept, put_right))
    state = replace(state, sequence=(*state.sequence, Spot(Area.HAND, seat)))
    plays, played_at = (*hand.plays, Played(face, lead)), (*hand.played_at, at)
    return state.with_hand(seat, plays=plays, played_at=played_at)


def _shown(state: Round, seat: Seat, face: Face) -> Round:
    hand = state.hand(seat)
    if not isinstance(face, Card) or face in hand.known:
        return state
    return state.with_hand(seat, shown=(*hand.shown, face))


def _hidden(state: Round, spot: Spot, face: Face, at: float) -> Round:
    state = ends_exposures(state, spot, face, at)
    if spot.area is Area.DEALER:
        return dealer_hides(state, face, at)
    return _takes_back(state, spot, face)


def _takes_back(state: Round, spot: Spot, face: Face) -> Round:
    """Return the round after a card that a seat had just played was turned down or taken up."""
    if spot.seat is None or spot.area not in (Area.HAND, Area.PLAYED):
        return state
    hand = state.hand(spot.seat)
    last = hand.counted[-1:]
    if face is None or last != (face,) or hand.plays[-1].lead != len(state.dealer):
        return state
    return state.with_hand(spot.seat, taken_back=True)


def _leaves(state: Round, spot: Spot, face: Face, at: float) -> Round:
    state = ends_exposures(state, spot, face, at)
    return lie(state, spot, remove=face)


def _folds(state: Round, source: Spot, spot: Spot) -> Round:
    """Return the round after cards of a hand went to the discard or under a side bet."""
    gone = spot.area is Area.DISCARD or (spot.area in _UNDER_A_BET and spot.seat == source.seat)
    if source.area is not Area.HAND or source.seat is None or not gone:
        return _swept(state)
    return _swept(_fold(state, source.seat))


def _fold(state: Round, seat: Seat) -> Round:
    """Return the round with a seat folded, where that is what putting the cards away means."""
    hand = state.hand(seat)
    decided = hand.decision is not None or bool(hand.plays)
    if state.phase is not Phase.DECISIONS or decided or state.void:
        return state
    return state.with_hand(seat, decision=Decision.FOLD)


def _swept(state: Round) -> Round:
    """Return the round as swept once no card lies in play any more."""
    if not Phase.DEALING <= state.phase < Phase.SWEPT:
        return state
    lying = any(cards for spot, cards in state.lying.items() if spot.area in _IN_PLAY)
    return state if lying else replace(state, phase=Phase.SWEPT)
