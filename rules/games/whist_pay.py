"""What the wagers of Three Card Whist are due (TCW-13, TCW-B1 … B6, TCW-R1 … R6)."""

from collections.abc import Sequence

from rules.cards import Card, Suit
from rules.events import Cents, Face, Wager
from rules.hands import HandRank, hand_rank
from rules.pay import PayTable

_NOTHING = "none"
_FLUSHES = (HandRank.STRAIGHT_FLUSH, HandRank.FLUSH)


def bonus_line(cards: Sequence[Card], trump: Suit) -> str:
    """Return the best line of the Bonus table for three cards, or `none` (TCW-B5, TCW-B6).

    >>> bonus_line([Card.parse("AH"), Card.parse("3H"), Card.parse("2H")], Suit.HEARTS)
    'straight-flush-of-trumps'
    """
    rank = hand_rank(cards)
    if rank is HandRank.HIGH_CARD:
        return _NOTHING
    of_trumps = rank in _FLUSHES and cards[0].suit is trump
    return f"{rank!s}-of-trumps" if of_trumps else str(rank)


def rnb_line(cards: Sequence[Card], dealer: Sequence[Card], trump: Card) -> str:
    """Return the best line of the RnB table, or `none` (TCW-R5, TCW-R6; an inferred table).

    >>> red, black = [Card.parse(c) for c in ("2H", "5D", "9H")], [Card.parse("2S")]
    >>> rnb_line(red, red, black[0]), rnb_line(black + red, red, red[0])
    ('player-and-dealer', 'none')
    """
    colour = cards[0].suit.colour
    if any(card.suit.colour is not colour for card in cards):
        return _NOTHING
    if any(card.suit.colour is not colour for card in dealer):
        return "player"
    same = trump.suit.colour is colour
    return "player-dealer-and-trump" if same else "player-and-dealer"


def bonus_category(known: Sequence[Card], trump: Suit | None) -> str | None:
    """Return the Bonus line as far as it is certain; None while it is not.

    Any third card can complete something, so all three must be known; the trump suit matters to
    flushes alone.

    >>> cards = [Card.parse("2H"), Card.parse("2D"), Card.parse("9S")]
    >>> bonus_category(cards, None), bonus_category(cards[:2], Suit.HEARTS)
    ('pair', None)
    """
    if len(known) != 3:
        return None
    if trump is None and known[0].suit == known[1].suit == known[2].suit:
        return None
    return bonus_line(known, trump or known[0].suit)


def rnb_category(known: Sequence[Card], dealer: Sequence[Face], trump: Face) -> str | None:
    """Return the RnB line as far as it is certain; None while it is not.

    >>> rnb_category([Card.parse("2H"), Card.parse("2S")], (), None)
    'none'
    """
    colours = {card.suit.colour for card in known}
    if len(colours) == 2:
        return _NOTHING
    if len(known) != 3:
        return None
    seen = [card for card in dealer if isinstance(card, Card)]
    if any(card.suit.colour not in colours for card in seen):
        return "player"
    if len(seen) != 3 or len(dealer) != 3 or not isinstance(trump, Card):
        return None
    return rnb_line(known, seen, trump)


def main_due(wager: Wager, stake: Cents, tricks: int, table: PayTable) -> Cents:
    """Return what an Ante or Play is due for a number of tricks won (TCW-13).

    >>> from rules.games.whist_options import MAIN_TABLES
    >>> main_due(Wager.PLAY, Cents(1000), 3, MAIN_TABLES["source"])
    3000
    """
    return table.due(f"{wager!s}-{tricks}", stake)
