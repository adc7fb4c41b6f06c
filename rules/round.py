"""The live reader: a fold over sightings that builds the record which `check` judges.

A table cannot be told no: an event that breaks the rules has happened all the same. So a breach is
a value, the round goes on, and any order of events is taken as it comes. The judgement is that of
`rules.check`; here is only what can be seen when, and which findings are ripe.
"""

from dataclasses import dataclass, replace
from typing import assert_never

from rules.check import judge
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
    DecisionMade,
    FeedBack,
    FeedLost,
    PayoutMade,
    Sighting,
    SpotCleared,
    WagerPlaced,
)
from rules.findings import Finding, FindingCode
from rules.record import Gap, RoundRecord
from rules.result import Outcome, Result
from rules.round_cards import note_card, see_card
from rules.round_deal import (
    all_dealt,
    doubts_exposures,
    end_deal,
    is_kept_down,
    may_be_reveal,
    see_dealt_late,
    see_exposed_late,
)
from rules.round_feed import (
    cloud,
    is_of_next_round,
    lose_sight,
    regain_sight,
    see_decision,
    see_payout,
    see_wager,
    withdrawn,
)
from rules.round_order import has_its_place, is_of_deal, keep_order
from rules.round_record import record_of
from rules.round_state import DEALER, Phase, Round, Setting

__all__ = [
    "LiveFinding",
    "Phase",
    "Round",
    "Setting",
    "advance",
    "finish",
    "judge_round",
    "record_of",
    "starts_next",
]

FACE_SURE = 0.9
"""The confidence from which a card that could not be read is believed to lie face up."""
LONG_PAUSE = 2.0
"""Seconds: after so long nobody can say whether a deal of which cards were missed still goes on. No
deal stands still for so long, and a player needs as long to decide."""
LATENESS = 0.25
"""Seconds by which card sightings may come out of order: one that is older may not be ordered."""
_REMEMBERED = 6
"""How many sightings are kept to know one that is told twice."""


@dataclass(frozen=True, slots=True)
class LiveFinding:
    """A finding at the moment of its proof."""

    finding: Finding
    at: float
    """When the sighting was made that proved it, on the source's line of time."""
    frame: int | None = None
    """The video frame that showed it."""


def advance(state: Round, sighting: Sighting) -> tuple[Round, tuple[LiveFinding, ...]]:
    """Return the round after a sighting, and the findings that it proved, each told once.

    Never raises: what cannot be understood is left unsure. A sighting of the next round is kept
    in `upcoming`; `starts_next` says when the next round has begun.

    >>> from rules.events import CardPlaced, Spot
    >>> from rules.games.whist import WHIST
    >>> dealt = Sighting(CardPlaced(Spot.parse("seat-1"), None), at=1.0)
    >>> advance(Round(Setting(WHIST)), dealt)[0].phase
    <Phase.DEALING: 2>
    """
    if state.phase is Phase.FINISHED or _told_twice(state, sighting):
        return state, ()
    if (left := withdrawn(state, sighting.event)) is not None:
        return replace(state, upcoming=left), ()
    if _is_upcoming(state, sighting):
        return replace(state, upcoming=(*state.upcoming, sighting)), ()
    after = _see(state, sighting)
    after = replace(after, recent=(*state.recent, sighting)[-_REMEMBERED:])
    if after.began is None and after.phase is not Phase.EMPTY:
        after = replace(after, began=sighting.at)
    return _tell(after, sighting.at, sighting.frame, final=False)


def finish(state: Round, at: float) -> tuple[Round, tuple[LiveFinding, ...]]:
    """Return the round as over, and the findings that had to wait for its end.

    >>> from rules.games.whist import WHIST
    >>> finish(Round(Setting(WHIST)), at=0.0)[0].finished
    True
    """
    if state.lost_at is not None:
        state = regain_sight(state, at)
    exposing = tuple(e if e.over else e.ended(at) for e in state.exposing)
    return _tell(replace(state, exposing=exposing, phase=Phase.FINISHED), at, None, final=True)


def judge_round(state: Round, started: str | None = None) -> tuple[RoundRecord, Result]:
    """Return the record of a round and its judgement, the same that `check` gives for the record.

    >>> from rules.games.whist import WHIST
    >>> judge_round(Round(Setting(WHIST)))[1].outcome.value
    'complete'
    """
    record = record_of(state, started)
    return record, judge(record, state.setting.house, state.setting.watched)


def starts_next(state: Round, sighting: Sighting) -> bool:
    """Return whether a sighting begins the next round, so that this one is over.

    That is a card dealt or a wager placed after the cards were swept, or a card dealt face down to
    the dealer when his hand is gone, or was revealed and another card of the next deal was seen, or
    when two cards too many lie there. A back at the dealer's place where none was seen before may
    as well be one of this round that was missed. While payouts are awaited, a wager begins nothing.

    >>> from rules.games.whist import WHIST
    >>> from rules.events import FeedBack
    >>> starts_next(Round(Setting(WHIST)), Sighting(FeedBack(), at=1.0))
    False
    """
    event = sighting.event
    if state.phase >= Phase.SWEPT:
        if isinstance(event, WagerPlaced):
            return event.amount > 0 and not _still_settles(state, event)
        return _is_dealt(event)
    if state.phase < Phase.DECISIONS or not _is_dealt(event) or not _face_down(event):
        return False
    if _spot_area(event) is not Area.DEALER or _is_late(state, sighting):
        return False
    has_left = state.dealer_dealt > 0 and not _dealer_lies(state)
    dealt = any(isinstance(each.event, CardPlaced) for each in state.upcoming)
    again = dealt and len(state.dealer) >= HAND_CARDS and not _owes(state)
    return again or has_left or _beyond_a_hand(state) > 0


def _owes(state: Round) -> bool:
    """Return whether a seat has not answered all of the dealer's cards."""
    return any(0 < len(hand.plays) < HAND_CARDS for hand in state.hands.values())


def _still_settles(state: Round, event: WagerPlaced) -> bool:
    """Return whether a swept round has to wait although a wager was told of.

    One seat may bet again while another has not been paid. And a Play or Raise that is told of
    now was placed in this round: nobody raises before the deal.
    """
    if state.phase is not Phase.SWEPT:
        return False
    second = event.wager is state.setting.game.shape.second_wager
    return second or state.setting.payouts_fed


def _beyond_a_hand(state: Round) -> int:
    """Return how many more cards lie before the dealer than a hand has and than were dealt."""
    lying = sum(len(cards) for spot, cards in state.lying.items() if spot.area is Area.DEALER)
    return lying - max(HAND_CARDS, state.dealer_dealt)


def _is_dealt(event: object) -> bool:
    return _spot_area(event) in (Area.DEALER, Area.TRUMP, Area.HAND)


def _spot_area(event: object) -> Area | None:
    return event.spot.area if isinstance(event, CardPlaced) else None


def _face_down(event: object) -> bool:
    return isinstance(event, CardPlaced) and event.card is None


def _dealer_lies(state: Round) -> bool:
    return any(cards for spot, cards in state.lying.items() if spot.area is Area.DEALER)


def _is_upcoming(state: Round, sighting: Sighting) -> bool:
    """Return whether a sighting is of the next round, while this one is not over yet."""
    event = sighting.event
    if isinstance(event, WagerPlaced):
        return is_of_next_round(state, event)
    if state.phase is not Phase.REVEAL or len(state.dealer) < HAND_CARDS:
        return False
    if not isinstance(event, CardPlaced) or event.card is not None:
        return False
    if event.spot.seat is None:
        return event.spot == DEALER and not _owes(state) and not _is_late(state, sighting)
    # After the last trick a card dealt face down to a seat can only be of the next deal.
    hand = state.hand(event.spot.seat)
    done = len(hand.plays) >= HAND_CARDS or not state.setting.game.shape.tricks
    return done and event.spot.area is Area.HAND


def _told_twice(state: Round, sighting: Sighting) -> bool:
    """Return whether this very sighting of a face was told already; face-down cards look alike."""
    event = sighting.event
    if not isinstance(event, CardPlaced | CardTurned | CardMoved) or event.card is None:
        return False
    return sighting in state.recent


def _see(state: Round, sighting: Sighting) -> Round:
    event, at = sighting.event, sighting.at
    match event:
        case (
            CardPlaced() | CardTurned() | CardHidden() | CardMoved() | CardRemoved() | SpotCleared()
        ):
            return _see_card(state, event, sighting)
        case WagerPlaced():
            return see_wager(state, event, at)
        case PayoutMade():
            return state if _is_of_last_round(state, event, at) else see_payout(state, event)
        case DecisionMade():
            return see_decision(state, event, at)
        case FeedLost():
            return lose_sight(state, at)
        case FeedBack():
            return regain_sight(state, at)
        case _:  # pragma: no cover - the union is closed
            assert_never(event)


def _is_of_last_round(state: Round, event: PayoutMade, at: float) -> bool:
    """Return whether a payout was made before this round's hand was dealt: told of too late.

    Once the dealer reveals it is of this round, whatever the clock of the feed says.
    """
    if state.void or state.phase >= Phase.REVEAL or state.dealt_at is None:
        return False
    dealing = state.phase is Phase.DEALING and state.hand(event.seat).dealt < HAND_CARDS
    return dealing or at < state.dealt_at


def _see_card(state: Round, event: CardEvent, sighting: Sighting) -> Round:
    if state.phase is Phase.SWEPT:
        return state
    if state.lost_at is not None:  # The camera evidently sees again.
        state = regain_sight(state, sighting.at)
    late = _is_late(state, sighting)
    hardly = _is_hardly_exposed(state, event, sighting)
    if hardly and isinstance(event, CardPlaced):
        event = CardPlaced(event.spot, None)
    elif hardly and (late or event.spot != DEALER):
        return state
    state = note_card(state, event, sighting)
    if late and (dealt := _see_deal_late(state, event, sighting.at)) is not None:
        return dealt
    if _leaves_order_unsure(state, event, sighting.at, late=late):
        state = cloud(state, Gap())
    if state.phase is Phase.DEALING:
        state = _deal_over_before(state, event, sighting)
    seen = see_card(state, event, sighting.at)
    return keep_order(state, doubts_exposures(state, seen) if hardly else seen, sighting, late=late)


def _deal_over_before(state: Round, event: CardEvent, sighting: Sighting) -> Round:
    """Return the round with the deal over, where it may have been before an event was seen."""
    if _comes_up_after_a_pause(state, event, sighting.at):
        return cloud(end_deal(state, sighting.at), Gap())
    shows = isinstance(event, CardPlaced | CardTurned) and event.card is not None
    if shows and event.spot.area is Area.TRUMP and state.setting.game.shape.trump:
        return end_deal(state, sighting.at, sighting.since)
    return state


def _is_hardly_exposed(state: Round, event: CardEvent, sighting: Sighting) -> bool:
    """Return whether a card that must lie face down is said to lie open, without a face seen.

    What cannot be read may as well be a back in bad light: it accuses nobody (TCW-14).
    """
    if not isinstance(event, CardPlaced | CardTurned) or event.card is not UNREADABLE:
        return False
    in_deal = state.phase <= Phase.DEALING or is_of_deal(state, sighting.at)
    return in_deal and is_kept_down(state, event.spot) and sighting.confidence < FACE_SURE


def _see_deal_late(state: Round, event: CardEvent, at: float) -> Round | None:
    """Return the round after what came in the deal is told of late; None if it did not."""
    in_deal = is_of_deal(state, at)
    match event:
        case CardPlaced(spot=spot, card=None) if _is_dealt(event):
            return see_dealt_late(state, spot, None, at)
        case CardPlaced(spot=spot, card=face) if in_deal and spot.area in HAND_AREAS:
            return see_dealt_late(state, spot, face, at)
        case CardTurned(spot=spot, card=face) if in_deal and is_kept_down(state, spot):
            return see_exposed_late(state, spot, face, at)
        case _:
            return None


def _leaves_order_unsure(state: Round, event: CardEvent, at: float, *, late: bool) -> bool:
    """Return whether after an event nobody can say what came before what."""
    if late and not _is_sweeping(state, event) and not has_its_place(state, event, at):
        return True
    return state.phase is Phase.REVEAL and _is_back_too_many(state, event)


def _is_back_too_many(state: Round, event: CardEvent) -> bool:
    """Return whether a back is laid beside a whole hand of the dealer.

    It may be of the next deal, where the sweep and what came before it was missed.
    """
    back = _face_down(event) and _spot_area(event) is Area.DEALER
    return back and _beyond_a_hand(state) >= 0


def _comes_up_after_a_pause(state: Round, event: CardEvent, at: float) -> bool:
    """Return whether a face may as well be exposed in a deal as be seen after the end of it.

    That is so where cards were missed in the deal, the last one too, and nothing came for long.
    """
    faces = isinstance(event, CardPlaced | CardTurned) and event.card is not None
    if not faces or state.placed_at is None or all_dealt(state):
        return False
    tricks = state.setting.game.shape.tricks
    areas = (Area.DEALER, Area.HAND, Area.PLAYED) if tricks else (Area.DEALER,)
    return event.spot.area in areas and at - state.placed_at >= LONG_PAUSE


def _is_late(state: Round, sighting: Sighting) -> bool:
    return state.last is not None and sighting.at < state.last - LATENESS


def _is_sweeping(state: Round, event: CardEvent) -> bool:
    """Return whether a card leaves a table on which no play is to come: then order says nothing."""
    leaves = isinstance(event, CardRemoved | SpotCleared)
    return leaves and (state.void or len(state.dealer) >= HAND_CARDS)


def _tell(
    state: Round, at: float, frame: int | None, *, final: bool
) -> tuple[Round, tuple[LiveFinding, ...]]:
    """Return the round with every ripe finding told, and those that are new."""
    if state.phase is Phase.EMPTY:
        return state, ()
    _, result = judge_round(state)
    ripe = [f for f in result.findings if final or (_is_ripe(state, f) and _is_no_reveal(state, f))]
    # Two findings of one key, such as two unreadable cards exposed at one seat, are told as one.
    new = {f.key: LiveFinding(f, at, frame) for f in ripe if f.key not in state.told}
    told = state.told | new.keys()
    return replace(state, told=told, void=result.outcome is Outcome.VOID), tuple(new.values())


def _is_ripe(state: Round, finding: Finding) -> bool:
    """Return whether a finding cannot be undone by what is still to come in the round."""
    match finding.code:
        case FindingCode.NOT_PAID | FindingCode.NOT_TAKEN | FindingCode.UNDERPAID:
            return finding.paid is not None
        case FindingCode.CARD_EXPOSED:
            return finding.seconds is not None
        case FindingCode.WRONG_CARD_COUNT:  # one may still be seen, or prove imagined
            too_many = finding.found is not None and finding.found > HAND_CARDS
            return too_many and len(state.dealer) >= HAND_CARDS
        case FindingCode.PLAY_WAGER_NOT_EQUAL_ANTE | FindingCode.RAISE_WAGER_NOT_EQUAL_ANTE:
            return state.phase >= Phase.REVEAL
        case (
            FindingCode.WAGER_BELOW_MINIMUM
            | FindingCode.WAGER_ABOVE_MAXIMUM
            | FindingCode.BONUS_WITHOUT_ANTE
            | FindingCode.RNB_WITHOUT_MAIN_OR_BONUS
        ):
            return state.phase > Phase.BETTING
        case _:
            return True


def _is_no_reveal(state: Round, finding: Finding) -> bool:
    """Return whether what is told as a misdeal cannot be the reveal after a missed trump card."""
    return finding.code is not FindingCode.MISDEAL or not may_be_reveal(state)
