"""The exact worth of a trick game against a dealer's hidden, random cards, by expectimax.

The information model: the player sees three cards and the trump card, decides, and answers each
dealer card before the next is exposed; the dealer's order is random; other seats are unseen.
"""

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from fractions import Fraction

from rules.cards import PACK, Card, Suit
from rules.edge_enumeration import HANDS, Hand, representatives

TRUMPS = Suit.SPADES
"""The suit that stands for trumps; any would do."""
DEALS = HANDS * 49
"""How many hands and trump cards there are: 1 082 900."""
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
    folded: int
    """In how many of the 1 082 900 hands and trump cards folding is better."""


@dataclass(frozen=True, slots=True)
class _Lead:
    """All that a dealer's card can mean to one hand; cards of the hand are named 0, 1 and 2."""

    first: tuple[int, ...]
    """The cards that may answer it while the hand is whole."""
    later: tuple[tuple[int, ...], ...]
    """The cards that may answer it when card 0, 1 or 2 is gone."""
    beaten_by: tuple[bool, ...]
    """Whether card 0, 1 and 2 take it."""


def trick_worth(rules: TrickRules) -> TrickWorth:
    """Return the worth of a trick game by full enumeration with suit symmetry.

    Dealer's cards that mean the same to a hand are counted together, so the cost is seconds.

    >>> free = lambda hand, lead, trumps: hand
    >>> never = lambda card, lead, trumps: False
    >>> trick_worth(TrickRules(free, never, (-2, -2, 3, 4), fold=-1))
    TrickWorth(gain=Fraction(-1, 1), folded=1082900)
    """
    gain = folded = 0
    folding = rules.fold * SEQUENCES
    for hand, hands in representatives(TRUMPS):
        leads = {card: _lead(hand, card, rules) for card in PACK if card not in hand}
        trump_leads = Counter(lead for card, lead in leads.items() if card.suit is TRUMPS)
        for trump_lead, trump_cards in trump_leads.items():
            unseen = Counter(leads.values())
            unseen[trump_lead] -= 1
            playing = _playing(unseen, rules.payoff)
            gain += hands * trump_cards * max(playing, folding)
            folded += hands * trump_cards * (playing < folding)
    # Every hand was counted with the trump cards of one suit; the four suits are alike.
    return TrickWorth(Fraction(4 * gain, DEALS * SEQUENCES), 4 * folded)


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
    seen = {*hand, trump}
    unseen = Counter(_lead(hand, card, rules) for card in PACK if card not in seen)
    return Fraction(_playing(unseen, rules.payoff), SEQUENCES)


def _lead(hand: Hand, card: Card, rules: TrickRules) -> _Lead:
    def may_answer(held: Sequence[Card]) -> tuple[int, ...]:
        return tuple(hand.index(answer) for answer in rules.answers(held, card, TRUMPS))

    return _Lead(
        first=may_answer(hand),
        later=tuple(may_answer([held for held in hand if held != gone]) for gone in hand),
        beaten_by=tuple(rules.wins(held, card, TRUMPS) for held in hand),
    )


def _playing(unseen: Counter[_Lead], payoff: tuple[int, int, int, int]) -> int:
    """Return the summed gain of playing a hand over all orders of the dealer's unseen cards."""
    leads = [(lead, count) for lead, count in unseen.items() if count]
    beaten = [sum(count for lead, count in leads if lead.beaten_by[card]) for card in range(3)]
    gain = 0
    for lead, count in leads:
        best = max(_after_first(card, lead, leads, beaten, payoff) for card in lead.first)
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
        (count - (second is first)) * max(worth(second, answer) for answer in second.later[played])
        for second, count in leads
    )
