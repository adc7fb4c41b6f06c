"""Builds the round record out of what has been seen: the very record that `check` judges."""

from collections.abc import Iterator
from dataclasses import replace
from itertools import pairwise

from rules.cards import Card
from rules.common import PLAY_SURE, seen_twice
from rules.events import HAND_CARDS, UNREADABLE, Area, Decision, Face, Seat, Spot
from rules.record import RoundRecord, SeatRecord
from rules.round_order import is_order_known, unordered
from rules.round_state import DEALER, HandSeen, Phase, Round


def record_of(state: Round, started: str | None = None) -> RoundRecord:
    """Return the record of a round as far as it has been seen.

    Args:
        state: The round.
        started: When it began, UTC in RFC 3339; the rules have no clock of their own.

    >>> from rules.games.whist import WHIST
    >>> from rules.round_state import Setting
    >>> record_of(Round(Setting(WHIST), "T1-20261130-0001")).round
    'T1-20261130-0001'
    """
    doubted = _doubted_dealer_cards(state)
    loose = [
        (DEALER, c) for n, c in enumerate(state.dealer) if n in doubted and isinstance(c, Card)
    ]
    whole = len(state.dealer) == HAND_CARDS and not state.blind
    seats = {}
    for seat in sorted(state.hands):
        seats[seat] = _seat_record(state, state.hands[seat])
        if not (whole or _laid_open(state, state.hands[seat])):
            hand = state.hands[seat]
            played = {*hand.counted, *(play.card for play in hand.plays)}
            loose += [(_spot(seat), card) for card in hand.shown if card not in played]
    counted = state.dealt_out and not state.gaps and state.dealer_dealt > 0
    wrong = counted and state.dealer_dealt != HAND_CARDS
    record = RoundRecord(
        round=state.name,
        game=state.setting.game.name,
        seats=seats,
        table=state.setting.table,
        trump=state.trump,
        dealer=tuple(None if n in doubted else card for n, card in enumerate(state.dealer)),
        exposed=tuple(e.exposure for e in state.exposing if not e.doubted),
        started=started,
        dealer_cards=state.dealer_dealt if wrong else None,
        sequence=() if _is_unread(state) or not is_order_known(state) else state.sequence,
        loose=tuple(dict.fromkeys((*state.loose, *loose))),
        gaps=state.gaps,
    )
    unsure = {card: sure for card, sure in state.surest.items() if sure < PLAY_SURE}
    twice = {card: state.confidence.get(card, 1.0) for card in seen_twice(record)}
    return replace(record, confidence=unsure | twice) if unsure or twice else record


def _is_unread(state: Round) -> bool:
    """Return whether a card that came up could not be read: it may be one that seems to follow."""
    faces = [state.dealer, *(hand.counted for hand in state.hands.values())]
    return any(UNREADABLE in came_up for came_up in faces)


def _doubted_dealer_cards(state: Round) -> set[int]:
    """Return which of the dealer's cards may have come up in another order than they were seen.

    A card that a seat plays before the dealer's may mean that the dealer's turn was not seen, or
    seen late. Where the seat is level again and one dealer card came up meanwhile, it is that one.
    """
    turned = len(state.dealer)
    if not state.setting.game.shape.tricks:
        return set()
    if turned > HAND_CARDS:  # One of them was read twice; nobody can say which.
        return set(range(turned))
    doubted = set(unordered(state.turns, state.hidden))
    for hand in state.hands.values():
        for start, end in _stretches(hand, turned):
            early = [k for k in range(start, end) if _played_by(hand, k) > k]
            whole = end <= turned and _played_by(hand, end) == end
            if early and not (whole and end - early[0] == 1):
                doubted |= set(range(early[0], min(end, turned)))
    return doubted


def _certain_plays(state: Round, hand: HandSeen) -> tuple[bool, ...]:
    """Return which plays surely answer the dealer card that they are counted against.

    A seat that played more or fewer cards than the dealer turned may have played one that was not
    seen, or was seen late. So only a play between two moments at which both were level is certain.
    And what comes after a play that could not be read may be that card, read at last. A card before
    the dealer's may answer one that was missed, until all three of the dealer's have come up.
    """
    turned, certain = len(state.dealer), [False] * len(hand.plays)
    unsure = unordered(hand.played_at, state.hidden)
    faces = [play.card for play in hand.plays]
    known = faces.index(UNREADABLE) if UNREADABLE in faces else len(faces)
    for start, end in _stretches(hand, turned):
        if end - start == 1 and end <= turned and _played_by(hand, end) == end:
            in_turn = hand.plays[start].lead > start or turned == HAND_CARDS
            certain[start] = in_turn and start <= known and start not in unsure
    return tuple(certain)


def _stretches(hand: HandSeen, turned: int) -> Iterator[tuple[int, int]]:
    """Give the stretches of tricks between moments at which seat and dealer were level."""
    last = max(turned, len(hand.plays))
    level = [k for k in range(1, turned + 1) if _played_by(hand, k) == k]
    yield from pairwise(dict.fromkeys((0, *level, last)))


def _played_by(hand: HandSeen, turned: int) -> int:
    """Return how many cards a seat had played before the dealer turned one more."""
    return sum(play.lead <= turned for play in hand.plays)


def _laid_open(state: Round, hand: HandSeen) -> bool:
    """Return whether cards seen at a seat are its hand whatever was played."""
    tricks = state.setting.game.shape.tricks
    return not tricks or hand.decision is Decision.FOLD or state.void


def _seat_record(state: Round, hand: HandSeen) -> SeatRecord:
    certain = _certain_plays(state, hand)
    plays = tuple(
        play.card if sure else None for play, sure in zip(hand.plays, certain, strict=True)
    )
    decision = hand.decision
    if decision is None and hand.plays:
        decision = Decision.PLAY
    settled = hand.paid or (state.setting.payouts_fed and hand.wagers)
    return SeatRecord(
        wagers=dict(hand.wagers),
        decision=decision,
        hand=_hand(state, hand),
        plays=plays,
        paid=dict(hand.paid) if settled else None,
        corrections=tuple(c for c in hand.corrections if certain[c.trick - 1]),
        changes=hand.changes,
        gap=hand.gap,
    )


def _hand(state: Round, hand: HandSeen) -> tuple[Face, ...]:
    """Return the cards of a hand, None for those not seen; left out while the deal goes on."""
    if state.phase <= Phase.DEALING and not state.setting.game.shape.seats_face_up:
        return ()
    whole = len(state.dealer) == HAND_CARDS and not state.blind
    shown = hand.shown if whole or _laid_open(state, hand) else ()
    played = (*(play.card for play in hand.plays), *hand.counted)
    known = tuple(dict.fromkeys(c for c in (*played, *shown) if isinstance(c, Card)))
    sure = state.dealt_out and not state.gaps and _takes_part(state, hand)
    counted = hand.dealt if hand.dealt and sure else HAND_CARDS
    return (*known, *(None,) * (counted - len(known))) if known or counted != HAND_CARDS else ()


def _takes_part(state: Round, hand: HandSeen) -> bool:
    """Return whether a seat is in the round; one that did not bet, where others did, is not.

    What seems to lie there is no hand, so that nothing is said of how many cards it has.
    """
    told = any(other.wagers for other in state.hands.values())
    return bool(hand.wagers or hand.plays) or not told


def _spot(seat: Seat) -> Spot:
    return Spot(Area.HAND, seat)
