"""The exact worth of a trick game against a dealer's hidden, random cards, by expectimax.

The information model: the player sees three cards and the trump card, decides, and answers each
dealer card before the next is exposed; the dealer's order is random; other seats are unseen.
"""

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import NamedTuple

from rules.cards import PACK, Card, Suit
from rules.edge_enumeration import Hand, representatives

TRUMPS = Suit.SPADES
"""The suit that stands for trumps; any would do."""
SEQUENCES = 48 * 47 * 46
"""In how many orders the dealer may turn three of the 48 cards that the player has not seen."""

Answers = Callable[[Sequence[Card], Card, Suit], Sequence[Card]]
"""The cards of a hand that may answer the dealer's card when a suit is trumps."""
Wins = Callable[[Card, Card, Suit], bool]
"""Whether a card takes the trick from the dealer's card when a suit is trumps."""


@dataclass(frozen=True, slots=True)
class TrickRules:
    """What the expectimax needs to know of a game; the functions are those that judge live play."""

    answers: Answers
    wins: Wins
    payoff: tuple[int, int, int, int]
    """What the player gains with 0, 1, 2 and 3 tricks."""
    fold: int
    """What the player gains by folding, in the same unit."""


@dataclass(frozen=True, slots=True)
class TrickWorth:
    """The worth of a trick game to a player who never errs."""

    gain: Fraction
    """The mean gain in the unit of the payoff."""
    deals: int
    """How many hands and trump cards were gone through: 1 082 900 are all."""
    folded: int
    """In how many of them folding is better."""


class _Lead(NamedTuple):
    """All that a dealer's card can mean to one hand; cards of the hand are named 0, 1 and 2."""

    first: int
    """The cards that may answer it while the hand is whole, as a mask: bit 0 for card 0."""
    later: tuple[int, int, int]
    """The cards that may answer it when card 0, 1 or 2 is gone, as masks."""
    beaten_by: tuple[bool, bool, bool]
    """Whether card 0, 1 and 2 take it."""


_NAMES = tuple(tuple(card for card in range(3) if mask >> card & 1) for mask in range(8))
"""Mask → the names of the cards in it."""


def trick_worth(rules: TrickRules, hands: Iterable[tuple[Hand, int]] | None = None) -> TrickWorth:
    """Return the worth of a trick game by full enumeration with suit symmetry.

    Dealer's cards that mean the same to a hand are counted together, so the cost is seconds.

    Args:
        rules: The game.
        hands: The hands to go through with their numbers, the trumps being `TRUMPS`; every hand
            by default.

    >>> hand = tuple(Card.parse(text) for text in ("2H", "3H", "4H"))
    >>> never = lambda card, lead, trumps: False
    >>> rules = TrickRules(lambda hand, lead, trumps: hand, never, (-2, -2, 3, 4), fold=-1)
    >>> trick_worth(rules, [(hand, 1)])
    TrickWorth(gain=Fraction(-1, 1), deals=52, folded=52)
    """
    gain = deals = folded = 0
    folding = rules.fold * SEQUENCES
    table = _Meanings(rules)
    for hand, count in representatives(TRUMPS) if hands is None else hands:
        leads = table.leads(hand)
        every = Counter(leads.values())
        trump_leads = Counter(lead for card, lead in leads.items() if PACK[card].suit is TRUMPS)
        for trump_lead, trump_cards in trump_leads.items():
            unseen = every.copy()
            unseen[trump_lead] -= 1
            playing = _playing(unseen, rules.payoff)
            deals += count * trump_cards
            gain += count * trump_cards * max(playing, folding)
            folded += count * trump_cards * (playing < folding)
    # Every hand was counted with the trump cards of one suit; the four suits are alike.
    return TrickWorth(Fraction(gain, deals * SEQUENCES), 4 * deals, 4 * folded)


def hand_worth(hand: Hand, trump: Card, rules: TrickRules) -> Fraction:
    """Return the mean gain of playing one hand as well as can be.

    Args:
        hand: The player's three cards.
        trump: The trump card; its suit must be `TRUMPS`.
        rules: The game.

    >>> cards = tuple(Card.parse(text) for text in ("QS", "KS", "AS"))
    >>> follow = lambda hand, lead, trumps: [c for c in hand if c.suit == lead.suit] or hand
    >>> beats = lambda c, lead, t: (c.suit == lead.suit and c > lead) or lead.suit != t == c.suit
    >>> rules = TrickRules(follow, beats, (-2, -2, 3, 4), fold=-1)
    >>> hand_worth(cards, Card.parse("JS"), rules)
    Fraction(4, 1)
    """
    leads = _Meanings(rules).leads(hand)
    unseen = Counter(lead for card, lead in leads.items() if PACK[card] != trump)
    return Fraction(_playing(unseen, rules.payoff), SEQUENCES)


class _Meanings:
    """What every dealer's card means to a hand; what two hands share is asked of the rules once."""

    def __init__(self, rules: TrickRules) -> None:
        self._rules = rules
        self._pairs: dict[tuple[int, int], list[int]] = {}
        self._wins = [[rules.wins(card, lead, TRUMPS) for lead in PACK] for card in PACK]

    def leads(self, hand: Hand) -> dict[int, _Lead]:
        """Return the meaning of every card that is not in the hand, by its place in the pack."""
        low, middle, high = (PACK.index(card) for card in hand)
        first = self._masks(hand)
        later = zip(
            [mask << 1 for mask in self._pair(middle, high)],
            [mask & 1 | (mask & 2) << 1 for mask in self._pair(low, high)],
            self._pair(low, middle),
            strict=True,
        )
        beaten_by = zip(self._wins[low], self._wins[middle], self._wins[high], strict=True)
        leads = dict(enumerate(map(_Lead, first, later, beaten_by)))
        for own in (low, middle, high):
            del leads[own]
        return leads

    def _pair(self, low: int, high: int) -> list[int]:
        pair = (low, high)
        if pair not in self._pairs:
            self._pairs[pair] = self._masks((PACK[low], PACK[high]))
        return self._pairs[pair]

    def _masks(self, held: tuple[Card, ...]) -> list[int]:
        """Return for every lead which of the held cards may answer it; bit 0 for the first."""
        answers = self._rules.answers
        return [
            sum([1 << held.index(answer) for answer in answers(held, lead, TRUMPS)])
            for lead in PACK
        ]


def _playing(unseen: Counter[_Lead], payoff: tuple[int, int, int, int]) -> int:
    """Return the summed gain of playing a hand over all orders of the dealer's unseen cards."""
    leads = [(lead, count) for lead, count in unseen.items() if count]
    beaten = [sum(count for lead, count in leads if lead.beaten_by[card]) for card in range(3)]
    gain = 0
    for lead, count in leads:
        best = max(_after_first(card, lead, leads, beaten, payoff) for card in _NAMES[lead.first])
        gain += count * best
    return gain


def _after_first(
    played: int,
    first: _Lead,
    leads: list[tuple[_Lead, int]],
    beaten: list[int],
    payoff: tuple[int, int, int, int],
) -> int:
    """Return the summed gain, over the dealer's second and third card, of one first answer.

    The last card has no choice: what counts is how many of the 46 cards left it beats.
    """
    tricks = int(first.beaten_by[played])

    def worth(second: _Lead, answer: int) -> int:
        last = 3 - played - answer
        winning = beaten[last] - first.beaten_by[last] - second.beaten_by[last]
        won = tricks + second.beaten_by[answer]
        return winning * payoff[won + 1] + (46 - winning) * payoff[won]

    return sum(
        (count - (second is first))
        * max([worth(second, answer) for answer in _NAMES[second.later[played]]])
        for second, count in leads
    )
