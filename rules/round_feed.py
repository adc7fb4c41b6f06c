"""How wagers, payouts and decisions from a feed, and gaps in what is seen, change the round."""

from dataclasses import replace

from rules.events import (
    HAND_CARDS,
    CardPlaced,
    CardRemoved,
    Cents,
    Decision,
    DecisionMade,
    PayoutMade,
    Seat,
    Sighting,
    TableEvent,
    Wager,
    WagerPlaced,
)
from rules.fits import game_decisions, paid_wagers
from rules.record import Change, Gap
from rules.round_deal import all_dealt, end_deal
from rules.round_state import Phase, Round


def see_wager(state: Round, event: WagerPlaced, at: float) -> Round:
    """Return the round after a wager's whole amount became known.

    A wager that the game does not have is passed over: the record could not hold it.

    >>> from rules.games.whist import WHIST
    >>> from rules.round_state import Setting
    >>> ante = WagerPlaced(Seat(1), Wager.ANTE, Cents(500))
    >>> state = see_wager(Round(Setting(WHIST)), ante, 1.0)
    >>> state.hand(Seat(1)).wagers[Wager.ANTE], state.phase.name
    (500, 'BETTING')
    """
    if event.wager not in state.setting.game.wagers or event.amount < 0:
        return state
    if event.wager is state.setting.game.shape.second_wager:
        # Nobody raises before the deal: it is of the round before, and told of too late.
        over = state.phase <= Phase.DEALING and (state.began is None or at < state.began)
        return state if over else _second(state, event, at)
    before = state.hand(event.seat).wagers.get(event.wager, Cents(0))
    # It may be told of after the first card and have lain there before.
    in_time = state.dealt_at is not None and at < state.dealt_at
    if state.phase >= Phase.DEALING and before != event.amount and not in_time:
        state = _changed(state, event, before)
    phase = max(state.phase, Phase.BETTING)
    return _placed(replace(state, phase=phase), event.seat, event.wager, event.amount)


def _second(state: Round, event: WagerPlaced, at: float) -> Round:
    """Return the round after a Play or Raise wager, which also is the decision to go on."""
    if state.phase is Phase.DEALING:
        state = _end_deal_unseen(state, at)
    hand = state.hand(event.seat)
    before = hand.wagers.get(event.wager, Cents(0))
    if state.phase >= Phase.REVEAL and before not in (0, event.amount):
        state = _changed(state, event, before)
    if event.amount > 0 and hand.decision is None:
        state = state.with_hand(event.seat, decision=Decision(event.wager.value))
    phase = max(state.phase, Phase.BETTING)
    return _placed(replace(state, phase=phase), event.seat, event.wager, event.amount)


def _changed(state: Round, event: WagerPlaced, before: Cents) -> Round:
    change = Change(event.wager, before, event.amount)
    return state.with_hand(event.seat, changes=(*state.hand(event.seat).changes, change))


def _placed(state: Round, seat: Seat, wager: Wager, amount: Cents) -> Round:
    return state.with_hand(seat, wagers={**state.hand(seat).wagers, wager: amount})


def is_of_next_round(state: Round, event: WagerPlaced) -> bool:
    """Return whether a wager can only be one of the next round.

    That is so once the wager was settled, after a misdeal, for a seat that took no part once the
    dealer reveals, and for chips that leave the table after the last card. Where no payouts are
    told of, chips that come then are, too: that the cards were swept is seen a little later. A Play
    or Raise that is told of after the sweep was placed before it.

    >>> from rules.games.whist import WHIST
    >>> from rules.round_state import Setting
    >>> ante = WagerPlaced(Seat(1), Wager.ANTE, Cents(500))
    >>> is_of_next_round(Round(Setting(WHIST), phase=Phase.REVEAL), ante)
    True
    >>> is_of_next_round(Round(Setting(WHIST), phase=Phase.DEALING), ante)
    False
    """
    hand = state.hand(event.seat)
    opens = event.wager is not state.setting.game.shape.second_wager
    if event.wager in hand.paid:  # A Play may be told of after what was paid on it.
        return opens or event.wager in hand.wagers
    if state.void and not state.dealer:  # after a misdeal the deal begins anew
        return opens
    if state.phase is not Phase.REVEAL:
        return state.phase is Phase.SWEPT and (opens or event.amount == 0)
    if not (hand.wagers or hand.dealt or hand.plays):
        return True
    if len(state.dealer) < HAND_CARDS:
        return False
    return event.amount == 0 or (opens and not state.setting.payouts_fed)


def withdrawn(state: Round, event: TableEvent) -> tuple[Sighting, ...] | None:
    """Return what is left of the next round when a back of it leaves again: it was imagined.

    None where the event is no such leaving.

    >>> from rules.games.whist import WHIST
    >>> from rules.round_state import DEALER, Setting
    >>> ahead = Round(Setting(WHIST), upcoming=(Sighting(CardPlaced(DEALER, None), 9.0),))
    >>> withdrawn(ahead, CardRemoved(DEALER, None))
    ()
    """
    if not isinstance(event, CardRemoved) or event.card is not None:
        return None
    back = CardPlaced(event.spot, None)
    last = next((each for each in reversed(state.upcoming) if each.event == back), None)
    if last is None:
        return None
    return tuple(each for each in state.upcoming if each is not last)


def see_payout(state: Round, event: PayoutMade) -> Round:
    """Return the round after a wager was settled; before the deal it is of no round here.

    A payout that the game does not have is passed over, as such a wager is.

    >>> from rules.games.whist import WHIST
    >>> from rules.round_state import Setting
    >>> state = Round(Setting(WHIST), phase=Phase.REVEAL)
    >>> paid = see_payout(state, PayoutMade(Seat(1), Wager.ANTE, Cents(500)))
    >>> paid.hand(Seat(1)).paid[Wager.ANTE]
    500
    """
    if state.phase < Phase.DEALING or event.wager not in paid_wagers(state.setting.game):
        return state
    setting = replace(state.setting, payouts_fed=True)
    paid = {**state.hand(event.seat).paid, event.wager: event.amount}
    return replace(state, setting=setting).with_hand(event.seat, paid=paid)


def see_decision(state: Round, event: DecisionMade, at: float) -> Round:
    """Return the round after a decision from a feed; a seat that has played has decided.

    >>> from rules.games.whist import WHIST
    >>> from rules.round_state import Setting
    >>> fold = DecisionMade(Seat(1), Decision.FOLD)
    >>> see_decision(Round(Setting(WHIST), phase=Phase.DECISIONS), fold, 9.0).hand(Seat(1)).decision
    <Decision.FOLD: 'fold'>
    """
    known = event.decision in game_decisions(state.setting.game)
    if not known or state.phase < Phase.DEALING or state.hand(event.seat).plays:
        return state
    if state.phase is Phase.DEALING:
        state = _end_deal_unseen(state, at)
    return state.with_hand(event.seat, decision=event.decision)


def _end_deal_unseen(state: Round, at: float) -> Round:
    """Return the round after a deal of which the end was not seen, by what a feed tells later.

    Where all hands have their cards, it may have ended with the last of them.
    """
    return end_deal(state, at, state.placed_at if all_dealt(state) else None)


def lose_sight(state: Round, at: float) -> Round:
    """Return the round with nothing to be seen from now on.

    >>> from rules.games.whist import WHIST
    >>> from rules.round_state import Setting
    >>> lose_sight(lose_sight(Round(Setting(WHIST)), 3.0), 4.0).lost_at
    3.0
    """
    return state if state.lost_at is not None else replace(state, lost_at=at)


def regain_sight(state: Round, at: float) -> Round:
    """Return the round with the camera back: what could have happened meanwhile is uncertain.

    >>> from rules.games.whist import WHIST
    >>> from rules.round_state import Setting
    >>> lost = lose_sight(Round(Setting(WHIST), phase=Phase.DECISIONS), 3.0)
    >>> regain_sight(lost, 5.5).gaps
    (Gap(seconds=2.5),)
    """
    if state.lost_at is None:
        return state
    seconds = round(max(at - state.lost_at, 0.0), 3)
    state = replace(state, lost_at=None)
    return cloud(state, Gap(seconds))


def cloud(state: Round, gap: Gap) -> Round:
    """Return the round with a gap: every hand that was not done yet is touched by it.

    >>> from rules.games.whist import WHIST
    >>> from rules.round_state import Setting
    >>> cloud(Round(Setting(WHIST), phase=Phase.DECISIONS), Gap(2.5)).blind
    True
    """
    if not Phase.DEALING <= state.phase < Phase.SWEPT:
        return state
    done = len(state.dealer) >= HAND_CARDS
    touched = {
        seat: replace(hand, gap=True)
        for seat, hand in state.hands.items()
        if not (done and len(hand.plays) >= HAND_CARDS) and hand.decision is not Decision.FOLD
    }
    if not touched and done:
        return state
    hands = {**state.hands, **touched}
    return replace(state, hands=hands, gaps=(*state.gaps, gap), blind=True)
