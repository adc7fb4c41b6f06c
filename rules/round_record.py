"""Builds the round record out of what has been seen: the very record that `check` judges."""

from dataclasses import replace

from rules.cards import Card
from rules.common import seen_twice
from rules.events import Area, Decision, Face, Seat, Spot
from rules.record import RoundRecord, SeatRecord
from rules.round_state import DEALER, HAND_CARDS, HandSeen, Phase, Round


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
    certain = _certain_dealer_cards(state)
    loose = [(DEALER, card) for card in state.dealer[certain:] if isinstance(card, Card)]
    unknown: tuple[Face, ...] = (None,) * (len(state.dealer) - certain)
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
        dealer=(*state.dealer[:certain], *unknown),
        exposed=tuple(exposing.exposure for exposing in state.exposing),
        started=started,
        dealer_cards=state.dealer_dealt if wrong else None,
        sequence=state.sequence,
        loose=tuple(dict.fromkeys((*state.loose, *loose))),
        gaps=state.gaps,
    )
    doubted = seen_twice(record)
    if not doubted:
        return record
    return replace(record, confidence={card: state.confidence.get(card, 1.0) for card in doubted})


def _certain_dealer_cards(state: Round) -> int:
    """Return how many of the dealer's cards surely are in the place where they were seen.

    A card that a seat plays before the dealer's may mean that the dealer's turn was not seen. Only
    when all three have come up is their order certain again.
    """
    if len(state.dealer) == HAND_CARDS or not state.setting.game.shape.tricks:
        return len(state.dealer)
    if len(state.dealer) > HAND_CARDS:  # One of them was read twice; nobody can say which.
        return 0
    early = [
        place
        for hand in state.hands.values()
        for place, play in enumerate(hand.plays)
        if play.lead <= place
    ]
    return min([*early, len(state.dealer)])


def _certain_plays(hand: HandSeen) -> int:
    """Return how many plays surely answer the dealer card that they are counted against.

    A seat that played fewer cards than the dealer turned may have played one that was not seen. So
    from there on nothing is certain, even once it seems to have caught up, before all three of its
    plays have been seen.
    """
    if len(hand.plays) >= HAND_CARDS:
        return len(hand.plays)
    behind = [place for place, play in enumerate(hand.plays) if play.lead > place + 1]
    return min([*behind, len(hand.plays)])


def _laid_open(state: Round, hand: HandSeen) -> bool:
    """Return whether cards seen at a seat are its hand whatever was played."""
    tricks = state.setting.game.shape.tricks
    return not tricks or hand.decision is Decision.FOLD or state.void


def _seat_record(state: Round, hand: HandSeen) -> SeatRecord:
    certain = _certain_plays(hand)
    plays = tuple(play.card for play in hand.plays[:certain])
    hidden = (None,) * (len(hand.plays) - certain)
    decision = hand.decision
    if decision is None and hand.plays:
        decision = Decision.PLAY
    settled = hand.paid or (state.setting.payouts_fed and hand.wagers)
    return SeatRecord(
        wagers=dict(hand.wagers),
        decision=decision,
        hand=_hand(state, hand),
        plays=(*plays, *hidden),
        paid=dict(hand.paid) if settled else None,
        corrections=tuple(c for c in hand.corrections if c.trick <= certain),
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
    counted = hand.dealt if hand.dealt and state.dealt_out and not state.gaps else HAND_CARDS
    return (*known, *(None,) * (counted - len(known))) if known or counted != HAND_CARDS else ()


def _spot(seat: Seat) -> Spot:
    return Spot(Area.HAND, seat)
