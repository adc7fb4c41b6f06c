"""The duty to follow suit and to trump (TCW-12), judged with what has been seen so far.

Only suits matter for the duty. So what is not seen is filled in by suits, in every way that the
unseen part of the pack allows: a play is a breach when it is one in all of them, legal when it is
in all of them, and open otherwise.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import permutations, product
from typing import Literal

from rules.cards import Card, Suit
from rules.events import Face
from rules.findings import FindingCode
from rules.result import Verdict

Breach = Literal[FindingCode.FAILED_TO_FOLLOW_SUIT, FindingCode.FAILED_TO_TRUMP]
Unseen = tuple[int, int, int, int]
"""How many cards of each suit may still be anywhere, in the order of `Suit`; see `unseen_suits`."""

_SUITS = tuple(Suit)
_ENOUGH = 5
"""A trick has at most five unknown cards (lead, trump, play, two held): more is no different."""


def breach_of(
    played: Suit | None, rest: Iterable[Suit | None], lead: Suit | None, trump: Suit | None
) -> Breach | None:
    """Return which duty a play failed, None when it was legal (TCW-12).

    Args:
        played: The suit played.
        rest: The suits of the cards that were kept.
        lead: The suit of the dealer's card.
        trump: The trump suit.

    >>> breach_of(Suit.CLUBS, [Suit.HEARTS, Suit.SPADES], Suit.HEARTS, Suit.SPADES).value
    'failed-to-follow-suit'
    >>> breach_of(Suit.CLUBS, [Suit.SPADES], Suit.HEARTS, Suit.SPADES).value
    'failed-to-trump'
    """
    if played == lead:
        return None
    if lead in rest:
        return FindingCode.FAILED_TO_FOLLOW_SUIT
    if played != trump and trump in rest:
        return FindingCode.FAILED_TO_TRUMP
    return None


def legal_cards(held: Sequence[Card], lead: Suit, trump: Suit) -> tuple[Card, ...]:
    """Return the cards of a hand that may answer a lead, in the order held (TCW-12).

    >>> hand = [Card.parse("9S"), Card.parse("5D"), Card.parse("2D")]
    >>> [str(card) for card in legal_cards(hand, Suit.DIAMONDS, Suit.HEARTS)]
    ['5D', '2D']
    """
    following = tuple([card for card in held if card.suit is lead])
    if following:
        return following
    return tuple([card for card in held if card.suit is trump]) or tuple(held)


def wins(card: Card, lead: Card, trump: Suit) -> bool:
    """Return whether a card beats the dealer's card, legal or not (TCW-12).

    >>> wins(Card.parse("2H"), Card.parse("AS"), Suit.HEARTS)
    True
    """
    if card.suit is lead.suit:
        return card.rank > lead.rank
    return card.suit is trump


def unseen_suits(seen: Iterable[Card]) -> Unseen:
    """Return how many cards of each suit have not been seen, as far as it can matter.

    >>> unseen_suits([])
    (5, 5, 5, 5)
    """
    suits = [card.suit for card in set(seen)]
    spades, hearts, diamonds, clubs = (min(13 - suits.count(suit), _ENOUGH) for suit in _SUITS)
    return spades, hearts, diamonds, clubs


@lru_cache(maxsize=1 << 16)
def outcomes(
    played: Suit | None,
    rest: tuple[Suit | None, ...],
    lead: Suit | None,
    trump: Suit | None,
    unseen: Unseen,
) -> frozenset[Breach | None]:
    """Return every answer of `breach_of` that the unseen cards leave possible.

    None in place of a suit is a card not seen; the unseen ones are different cards of one pack.

    >>> hearts, clubs = Suit.HEARTS, Suit.CLUBS
    >>> len(outcomes(clubs, (None,), hearts, hearts, unseen_suits([])))
    2
    """
    fields = (played, lead, trump, *rest)
    unknown = [place for place, suit in enumerate(fields) if suit is None]
    found: set[Breach | None] = set()
    for filled in product(_SUITS, repeat=len(unknown)):
        if all(filled.count(suit) <= unseen[_SUITS.index(suit)] for suit in filled):
            whole = list(fields)
            for place, suit in zip(unknown, filled, strict=True):
                whole[place] = suit
            found.add(breach_of(whole[0], whole[3:], whole[1], whole[2]))
    return frozenset(found)


def verdict_of(found: frozenset[Breach | None]) -> tuple[Verdict, Breach | None]:
    """Return the verdict on a play, and the duty it failed when it is a breach.

    When it is a breach either way but the duty is not certain, the hand surely held a trump: it is
    told as `failed-to-trump` until a card of the suit led shows that it was the graver duty.

    >>> verdict_of(frozenset([None]))[0].value
    'legal'
    """
    if None in found:
        return (Verdict.LEGAL if len(found) == 1 else Verdict.OPEN), None
    if not found:  # Contradictory evidence: there is no way to fill it in.
        return Verdict.OPEN, None
    if FindingCode.FAILED_TO_TRUMP in found:
        return Verdict.BREACH, FindingCode.FAILED_TO_TRUMP
    return Verdict.BREACH, FindingCode.FAILED_TO_FOLLOW_SUIT


@dataclass(frozen=True, slots=True)
class Moment:
    """What is known of a hand when one of its plays is judged."""

    before: tuple[Face, ...]
    """The earlier plays, in order; None for a card not seen."""
    played: Face
    kept: tuple[Card, ...]
    """Cards known to have been kept at this play."""
    floating: tuple[Card, ...]
    """Other cards known to be of this hand, which an unseen play may have been."""
    unknown: int
    """How many cards of the hand have not been seen at all."""


def judge_moment(
    moment: Moment, lead: Suit | None, trump: Suit | None, unseen: Unseen
) -> tuple[Verdict, Breach | None]:
    """Return the verdict on a play, over every completion of what is not seen.

    >>> moment = Moment((), Card.parse("5C"), (), (), 2)
    >>> judge_moment(moment, Suit.HEARTS, Suit.SPADES, unseen_suits([]))[0].value
    'open'
    """
    kept = [card.suit for card in moment.kept]
    items: list[Suit | None] = [card.suit for card in moment.floating]
    items += [None] * moment.unknown
    played = moment.played.suit if isinstance(moment.played, Card) else None
    hidden = played is None
    holes = sum(not isinstance(card, Card) for card in moment.before) + hidden
    found: frozenset[Breach | None] = frozenset()
    for chosen in set(permutations(items, holes)):
        rest = kept + items
        for suit in chosen:
            rest.remove(suit)
        if hidden:
            played = chosen[-1]
        found |= outcomes(played, tuple(sorted(rest, key=_suit_key)), lead, trump, unseen)
    return verdict_of(found)


def _suit_key(suit: Suit | None) -> str:
    return suit or ""
