"""The deal, the exposures in it, and the dealer's cards, whose reveal ends it."""

from dataclasses import replace
from math import inf, nextafter

from rules.cards import Card
from rules.events import HAND_AREAS, HAND_CARDS, UNREADABLE, Area, Face, Spot
from rules.record import Exposure, When
from rules.round_state import DEALER, Exposing, Phase, Round

DEAL_PAUSE = 1.5
"""Seconds: a deal that lacks only its trump card does not stand still for so long; the card lies
where it was not seen. A dealer's card that comes up then is taken for the reveal, not for an
exposure: to accuse wrongly is worse."""


def lie(state: Round, spot: Spot, *, remove: Face | str = "", add: Face | str = "") -> Round:
    """Return the round with one card less or more on a spot; a text stands for no card.

    >>> from rules.games.whist import WHIST
    >>> from rules.round_state import Setting
    >>> lie(Round(Setting(WHIST)), DEALER, add=None).cards_at(DEALER)
    (None,)
    """
    cards = list(state.cards_at(spot))
    if not isinstance(remove, str) and cards:
        cards.remove(remove if remove in cards else cards[0])
    if not isinstance(add, str):
        cards.append(add)
    return replace(state, lying={**state.lying, spot: tuple(cards)})


def see_dealt(state: Round, spot: Spot, at: float) -> Round:
    """Return the round after a card was dealt to a place, with one more counted there.

    >>> from rules.games.whist import WHIST
    >>> from rules.round_state import Setting
    >>> see_dealt(Round(Setting(WHIST)), DEALER, 1.0).dealer_dealt
    1
    """
    first = at if state.dealt_at is None else min(at, state.dealt_at)
    newest = at if state.placed_at is None else max(at, state.placed_at)
    state = replace(state, phase=Phase.DEALING, placed_at=newest, dealt_at=first)
    if spot.area is Area.DEALER:
        return replace(state, dealer_dealt=state.dealer_dealt + 1)
    if spot.area is Area.HAND and spot.seat is not None:
        return state.with_hand(spot.seat, dealt=state.hand(spot.seat).dealt + 1)
    return state


def see_dealt_late(state: Round, spot: Spot, face: Face, at: float) -> Round:
    """Return the round after a card that was dealt is told of late.

    It is one card more, and changes nothing about the order of what was seen since. Where three
    were counted, one that came after the deal was taken up and laid down again.

    >>> from rules.games.whist import WHIST
    >>> from rules.round_state import Setting
    >>> see_dealt_late(Round(Setting(WHIST), phase=Phase.REVEAL), DEALER, None, 1.0).dealer_dealt
    1
    """
    lying = lie(state, spot, add=face)
    if face is not None and is_kept_down(state, spot):
        lying = exposes(lying, spot, face, at)
    elif isinstance(face, Card) and spot.seat is not None:
        lying = lying.with_hand(spot.seat, shown=(*state.hand(spot.seat).shown, face))
    after_deal = state.deal_over_at is not None and at > state.deal_over_at
    if after_deal and _dealt_to(state, spot) >= HAND_CARDS:
        return lying
    return replace(see_dealt(lying, spot, at), phase=max(state.phase, Phase.DEALING))


def see_exposed_late(state: Round, spot: Spot, face: Face, at: float) -> Round:
    """Return the round after a card that was turned up in the deal is told of after the deal.

    >>> from rules.games.whist import WHIST
    >>> from rules.round_state import Setting
    >>> dealt = Round(Setting(WHIST), phase=Phase.DECISIONS, deal_over_at=5.0)
    >>> see_exposed_late(dealt, DEALER, Card.parse("6D"), 3.0).exposing[0].since
    3.0
    """
    return exposes(lie(state, spot, remove=None, add=face), spot, face, at)


def is_kept_down(state: Round, spot: Spot) -> bool:
    """Return whether the cards of a place are dealt face down.

    >>> from rules.games.rummy import RUMMY
    >>> from rules.round_state import Setting
    >>> is_kept_down(Round(Setting(RUMMY)), Spot.parse("seat-1"))
    False
    """
    dealt_open = spot.area is Area.HAND and state.setting.game.shape.seats_face_up
    return spot.area in HAND_AREAS and not dealt_open


def _dealt_to(state: Round, spot: Spot) -> int:
    """Return how many cards were counted on to a place in the deal."""
    if spot.area is Area.DEALER:
        return state.dealer_dealt
    return 0 if spot.seat is None else state.hand(spot.seat).dealt


def all_dealt(state: Round) -> bool:
    """Return whether every hand of the deal and the dealer's were seen to have all their cards.

    >>> from rules.games.whist import WHIST
    >>> from rules.round_state import Setting
    >>> all_dealt(Round(Setting(WHIST), dealer_dealt=3))
    False
    """
    hands = [hand.dealt for hand in state.hands.values() if hand.dealt or hand.wagers]
    return bool(hands) and min(*hands, state.dealer_dealt) >= HAND_CARDS


def end_deal(state: Round, at: float, since: float | None = None) -> Round:
    """Return the round with its deal over and the exposures of the deal ended.

    What came up at the dealer's place after that end, and was told of before it, is the reveal.

    Args:
        state: The round.
        at: When the deal was seen to be over.
        since: The earliest moment at which it may have been, where that was out of sight.

    >>> from rules.games.whist import WHIST
    >>> from rules.round_state import Setting
    >>> end_deal(Round(Setting(WHIST), phase=Phase.DEALING), 9.0).phase.name
    'DECISIONS'
    """
    if since is not None:  # not before the last card that was seen to be dealt
        at = min(at, since if state.placed_at is None else max(since, state.placed_at))
    revealed = [e for e in state.exposing if _came_up_after(e, at)]
    exposing = tuple(
        e if e.over else e.ended(at) for e in state.exposing if not _came_up_after(e, at)
    )
    dealt_out = not state.miscounted
    state = replace(
        state, phase=Phase.DECISIONS, exposing=exposing, dealt_out=dealt_out, deal_over_at=at
    )
    for each in revealed:
        state = shows_dealer(state, each.exposure.card, each.since, again=False)
    return state


def _came_up_after(exposing: Exposing, at: float) -> bool:
    """Return whether a card of the dealer's lies open since a moment after the deal's end."""
    return exposing.exposure.spot == DEALER and not exposing.over and exposing.since > at


def may_be_reveal(state: Round) -> bool:
    """Return whether what looks like an exposure in the deal may be the dealer's first turn.

    The trump card ends the deal. Where all other cards lie and it has not been seen, it may have
    been missed.

    >>> from rules.games.whist import WHIST
    >>> from rules.round_state import Setting
    >>> may_be_reveal(Round(Setting(WHIST), phase=Phase.DEALING))
    False
    """
    if state.phase is not Phase.DEALING or state.placed_at is None or not all_dealt(state):
        return False
    last = state.placed_at
    return any(_came_up_after(each, last) for each in state.exposing)


def stood_still(state: Round, at: float) -> bool:
    """Return whether a deal lacks only its trump card and has paused for too long to go on.

    >>> from rules.games.whist import WHIST
    >>> from rules.round_state import Setting
    >>> stood_still(Round(Setting(WHIST), phase=Phase.DEALING), 9.0)
    False
    """
    late = state.placed_at is not None and at - state.placed_at >= DEAL_PAUSE
    return late and all_dealt(state)


def shows_dealer(state: Round, face: Face, at: float, *, again: bool) -> Round:
    """Return the round after a card of the dealer's came face up: exposed, or turned in its turn.

    >>> from rules.games.whist import WHIST
    >>> from rules.round_state import Setting
    >>> decided = Round(Setting(WHIST), phase=Phase.DECISIONS)
    >>> shows_dealer(decided, Card.parse("6D"), 9.0, again=False).phase.name
    'REVEAL'
    """
    if state.phase <= Phase.DEALING:
        return exposes(state, DEALER, face, at)
    if isinstance(face, Card) and face in state.dealer:
        return state
    if state.blind:
        return keep_loose(state, DEALER, face)
    if again and one_unread(state.dealer) and isinstance(face, Card):
        place = state.dealer.index(UNREADABLE)
        dealer = (*state.dealer[:place], face, *state.dealer[place + 1 :])
        return replace(doubt_since(state, state.turns, place), dealer=dealer)
    hands = {seat: replace(hand, taken_back=False) for seat, hand in state.hands.items()}
    return replace(
        state,
        phase=max(state.phase, Phase.REVEAL),
        dealer=(*state.dealer, face),
        turns=(*state.turns, at),
        sequence=(*state.sequence, DEALER),
        hands=hands,
        turned_at=at,
    )


def one_unread(faces: tuple[Face, ...]) -> bool:
    """Return whether all cards have come up and one of them could not be read.

    Nothing less is certain: a card may have come to the spot without being seen to.

    >>> one_unread((UNREADABLE, Card.parse("6D"), Card.parse("7D")))
    True
    """
    return len(faces) == HAND_CARDS and faces.count(UNREADABLE) == 1


def doubt_since(state: Round, times: tuple[float, ...], place: int) -> Round:
    """Return the round with the order in doubt from a card on that was read at last.

    What came up after it may have been that card, read once more, and the last one its own.

    >>> from rules.games.whist import WHIST
    >>> from rules.round_state import Setting
    >>> doubt_since(Round(Setting(WHIST)), (8.0, 9.0), 1).hidden
    ()
    """
    if place == len(times) - 1:
        return state
    return replace(state, hidden=(*state.hidden, (nextafter(times[place], -inf), times[-1])))


def keep_loose(state: Round, spot: Spot, face: Face) -> Round:
    """Return the round with a card that was seen at a place, nobody knows when in the order.

    >>> from rules.games.whist import WHIST
    >>> from rules.round_state import Setting
    >>> len(keep_loose(Round(Setting(WHIST)), DEALER, Card.parse("6D")).loose)
    1
    """
    if not isinstance(face, Card) or (spot, face) in state.loose:
        return state
    return replace(state, loose=(*state.loose, (spot, face)))


def exposes(state: Round, spot: Spot, face: Face, at: float) -> Round:
    """Return the round after a card was seen face up in the deal.

    >>> from rules.games.whist import WHIST
    >>> from rules.round_state import Setting
    >>> exposes(Round(Setting(WHIST)), DEALER, Card.parse("6D"), 1.0).exposing[0].over
    False
    """
    for exposing in state.exposing:
        same = exposing.exposure.spot == spot and exposing.exposure.card == face
        if same and (isinstance(face, Card) or not (exposing.over or exposing.doubted)):
            return state
    found = Exposing(Exposure(spot, face), at)
    return replace(state, exposing=(*state.exposing, found))


def doubts_exposures(before: Round, after: Round) -> Round:
    """Return the round after an event with the exposures that it added in doubt.

    >>> from rules.games.whist import WHIST
    >>> from rules.round_state import Setting
    >>> dealt = Round(Setting(WHIST))
    >>> doubts_exposures(dealt, exposes(dealt, DEALER, UNREADABLE, 1.0)).exposing[0].doubted
    True
    """
    known = len(before.exposing)
    added = tuple(replace(each, doubted=True) for each in after.exposing[known:])
    return replace(after, exposing=(*after.exposing[:known], *added))


def ends_exposures(state: Round, spot: Spot, face: Face, at: float) -> Round:
    """Return the round with the exposures on a spot over: of one card, of all when it is None.

    >>> from rules.games.whist import WHIST
    >>> from rules.round_state import Setting
    >>> shown = exposes(Round(Setting(WHIST)), DEALER, Card.parse("6D"), 1.0)
    >>> ends_exposures(shown, DEALER, None, 1.5).exposing[0].exposure.seconds
    0.5
    """
    place = spot if spot.seat is None else Spot(Area.HAND, spot.seat)
    exposing = tuple(
        e.ended(at)
        if not e.over and e.exposure.spot == place and face in (None, e.exposure.card)
        else e
        for e in state.exposing
    )
    return replace(state, exposing=exposing)


def dealer_hides(state: Round, face: Face, at: float) -> Round:
    """Return the round after the dealer turned a card down again.

    The first card turned down before anyone answered was not the reveal: it was shown early.

    >>> from rules.games.whist import WHIST
    >>> from rules.round_state import Setting
    >>> shown = Round(Setting(WHIST), phase=Phase.REVEAL, dealer=(Card.parse("6D"),))
    >>> dealer_hides(shown, Card.parse("6D"), 9.0).dealer
    ()
    """
    answered = any(hand.plays for hand in state.hands.values())
    if state.dealer != (face,) or answered or state.blind:
        return state
    early = Exposure(DEALER, face, When.DECISIONS, None)
    since = at if state.turned_at is None else state.turned_at
    return replace(
        state,
        phase=Phase.DECISIONS,
        dealer=(),
        turns=(),
        sequence=(),
        exposing=(*state.exposing, Exposing(early, since).ended(at)),
    )
