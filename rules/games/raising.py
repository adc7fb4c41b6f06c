"""What Vegas Three Card Rummy and Tri Card Poker share: fold or raise, then meet the dealer's hand.

A wager's due is told only when every way to fill in what was not seen agrees on it.
"""

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from enum import Enum, unique
from itertools import permutations
from typing import Protocol, TypeVar

from rules.cards import PACK, Card
from rules.events import HAND_CARDS, Area, Cents, Decision, Face, Seat, Wager
from rules.findings import Finding, FindingCode, Severity
from rules.pay import Odds
from rules.record import Exposure, RoundRecord, SeatRecord, When
from rules.result import Judgement, SeatResult, Status

Hand = tuple[Card, Card, Card]

Found = TypeVar("Found")

_MOST_UNSEEN = 2
"""With more cards unseen hardly anything is ever decided, so the ways are not gone through."""


@unique
class Comparison(Enum):
    """How a raised hand stands against the dealer's."""

    UNQUALIFIED = "the dealer does not qualify"
    WON = "the player's hand is better"
    TIED = "the hands are equal"
    LOST = "the dealer's hand is better"


@dataclass(frozen=True, slots=True)
class RuleNumbers:
    """The numbers of a game's rules, as its rules page gives them."""

    deal: str
    raise_equals_ante: str
    reveal: str
    bonus: str


@dataclass(frozen=True, slots=True)
class Assessment:
    """All that a game says of one hand."""

    worth: int
    """The greater beats the lesser, equal ones tie."""
    category: Mapping[str, str]
    """The classes that the hand falls in, by name."""
    raise_odds: Odds
    """What the Raise pays when the hand beats a qualified dealer's."""
    side_odds: Odds | None
    """What the wager on the player's hand alone pays; None when it loses."""
    ante_bonus: Odds | None = None
    """What a raised hand is paid on the Ante whoever wins; None for nothing."""
    points: int | None = None
    """What the hand counts, in a game that counts."""


class Terms(Protocol):
    """The rules of one such game under a house's options."""

    @property
    def numbers(self) -> RuleNumbers:
        """The numbers of the rules that findings name."""

    @property
    def categories(self) -> tuple[str, ...]:
        """The names of the classes that results tell."""

    @property
    def qualifying(self) -> int:
        """The least worth with which the dealer qualifies."""

    @property
    def bonus_without_ante(self) -> bool:
        """Whether a Bonus may stand without an Ante."""

    @property
    def fold_forfeits(self) -> bool:
        """Whether a fold loses the wager on the player's hand alone."""

    @property
    def pays_ante_bonus(self) -> bool:
        """Whether the game has an Ante Bonus."""

    def assess(self, hand: Hand) -> Assessment:
        """Return all that the game says of a hand."""


def compare(player: int, dealer: int, qualifying: int) -> Comparison:
    """Return how a raised hand stands against the dealer's, by their worth.

    >>> compare(-12, -21, qualifying=-20)
    <Comparison.UNQUALIFIED: 'the dealer does not qualify'>
    """
    if dealer < qualifying:
        return Comparison.UNQUALIFIED
    if player == dealer:
        return Comparison.TIED
    return Comparison.WON if player > dealer else Comparison.LOST


def judge_raising(record: RoundRecord, terms: Terms, watched: Collection[Seat]) -> Judgement:
    """Return how every hand of a round came out, and what was found.

    Args:
        record: What was seen.
        terms: The game's rules under the house's options.
        watched: The seats on watch.

    >>> from rules.games.tri_card import TRI_CARD
    >>> from rules.section import Document, Section
    >>> options = TRI_CARD.read_options(Section(Document.parse("", "x"), (TRI_CARD.name,)))
    >>> folded = SeatRecord({Wager.ANTE: Cents(500)}, Decision.FOLD)
    >>> record = RoundRecord("a", TRI_CARD.name, {Seat(1): folded})
    >>> judge_raising(record, options, ()).seats[Seat(1)].due[Wager.ANTE]
    -500
    """
    findings = list(_exposures(record, terms.numbers))
    results = {}
    dealer = _assessed(record.dealer, terms)
    for number, seat in record.seats.items():
        findings += _wager_findings(number, seat, terms)
        hand = _SeatHand(record, number, terms, dealer)
        results[number] = hand.result(watch=number in watched)
    return Judgement(results, tuple(findings))


def _exposures(record: RoundRecord, numbers: RuleNumbers) -> Iterator[Finding]:
    for exposure in record.exposed:
        early = exposure.when is When.DECISIONS and exposure.spot.area is Area.DEALER
        yield _exposure(exposure, numbers.reveal if early else numbers.deal, early=early)


def _exposure(exposure: Exposure, rule: str, *, early: bool) -> Finding:
    card = exposure.card if isinstance(exposure.card, Card) else None
    return Finding(
        FindingCode.DEALER_CARD_SHOWN_EARLY if early else FindingCode.CARD_EXPOSED,
        rule,
        Severity.HIGH if early else Severity.INFO,
        seat=exposure.spot.seat,
        spot=exposure.spot,
        card=card,
        seconds=exposure.seconds,
        proved_by=f"{card or 'a card'} face up at {exposure.spot}",
    )


def _wager_findings(number: Seat, seat: SeatRecord, terms: Terms) -> Iterator[Finding]:
    ante, raised = seat.wagers.get(Wager.ANTE), seat.wagers.get(Wager.RAISE)
    if None not in (ante, raised) and ante != raised and seat.decision is not Decision.FOLD:
        yield Finding(
            FindingCode.RAISE_WAGER_NOT_EQUAL_ANTE,
            terms.numbers.raise_equals_ante,
            Severity.HIGH,
            seat=number,
            wager=Wager.RAISE,
            expected=ante,
            found=raised,
        )
    if not terms.bonus_without_ante and seat.wagers.get(Wager.BONUS) and not ante:
        yield Finding(
            FindingCode.BONUS_WITHOUT_ANTE,
            terms.numbers.bonus,
            Severity.MEDIUM,
            seat=number,
            wager=Wager.BONUS,
        )


class _SeatHand:
    """One seat's hand, with every way to fill in what was not seen."""

    __slots__ = (
        "_dealer",
        "_decisions",
        "_hand",
        "_in_main",
        "_number",
        "_record",
        "_seat",
        "_terms",
    )

    def __init__(
        self, record: RoundRecord, number: Seat, terms: Terms, dealer: Assessment | None
    ) -> None:
        seat = record.seats[number]
        self._record = record
        self._number = number
        self._seat = seat
        self._terms = terms
        self._dealer = dealer
        self._hand = _assessed(seat.hand, terms)
        self._in_main = not seat.wagers or seat.wagers.get(Wager.ANTE, 0) > 0
        self._decisions = _decisions(seat, in_main=self._in_main)

    def result(self, *, watch: bool) -> SeatResult:
        terms = self._terms
        due = {wager: _agreed(self._dues(wager)) for wager in self._seat.wagers}
        if terms.pays_ante_bonus and self._in_main:
            bonus = _agreed(self._ante_bonuses())
            if bonus != 0 or Wager.ANTE_BONUS in (self._seat.paid or ()):
                due[Wager.ANTE_BONUS] = bonus
        return SeatResult(
            self._status(),
            due,
            category={name: _agreed(self._classes(name)) for name in terms.categories},
            points=_agreed(_over(self._hands(), lambda hand: hand.points)),
            watch=watch,
        )

    def _classes(self, name: str) -> Iterator[str | None]:
        return _over(self._hands(), lambda hand: hand.category[name])

    def _status(self) -> Status:
        seat = self._seat
        if seat.decision is Decision.FOLD:
            return Status.FOLDED
        if seat.gap:
            return Status.UNSURE
        needed = (seat.hand, self._record.dealer) if self._in_main else (seat.hand,)
        if len(self._decisions) > 1 or any(len(faces) < HAND_CARDS for faces in needed):
            return Status.INCOMPLETE
        whole = all(len(faces) == HAND_CARDS and not _unseen(faces) for faces in needed)
        return Status.SETTLED if whole else Status.UNSURE

    def _hands(self) -> Iterator[tuple[Assessment, ...]]:
        if self._hand is not None:
            return iter(((self._hand,),))
        return self._filled((self._seat.hand,))

    def _pairs(self) -> Iterator[tuple[Assessment, ...]]:
        """Yield hand and dealer's hand in every way; in a gap either may have been changed."""
        if self._seat.gap:
            return iter(())
        if self._hand is not None and self._dealer is not None:
            return iter(((self._hand, self._dealer),))
        return self._filled((self._seat.hand, self._record.dealer))

    def _filled(self, hands: tuple[Sequence[Face], ...]) -> Iterator[tuple[Assessment, ...]]:
        for way in _ways(hands, _unseen_cards(self._record, self._number)):
            yield tuple(self._terms.assess(hand) for hand in way)

    def _dues(self, wager: Wager) -> Iterator[Cents | None]:
        """Yield what a wager is due in each way the hand may be and go on, None for unknown."""
        stake = self._seat.wagers[wager]
        main = wager in (Wager.ANTE, Wager.RAISE)
        for decision in self._decisions:
            if decision is Decision.FOLD and wager is Wager.RAISE:
                # It contradicts the fold, so nobody can say what it is due.
                yield None
            elif decision is Decision.FOLD and (main or self._terms.fold_forfeits):
                yield Cents(-stake)
            elif main:
                yield from _over(self._pairs(), lambda *two: self._compared(wager, stake, *two))
            else:
                yield from _over(
                    self._hands(), lambda hand: _gain(hand.side_odds, stake, Cents(-stake))
                )

    def _compared(self, wager: Wager, stake: Cents, hand: Assessment, dealer: Assessment) -> Cents:
        standing = compare(hand.worth, dealer.worth, self._terms.qualifying)
        if standing is Comparison.LOST:
            return Cents(-stake)
        if wager is Wager.ANTE:
            return Cents(0) if standing is Comparison.TIED else stake
        return hand.raise_odds.winnings(stake) if standing is Comparison.WON else Cents(0)

    def _ante_bonuses(self) -> Iterator[Cents | None]:
        ante = self._seat.wagers.get(Wager.ANTE)
        for decision in self._decisions:
            if decision is Decision.FOLD:
                yield Cents(0)
            elif ante is None or self._seat.gap:
                yield None
            else:
                yield from _over(self._hands(), lambda hand: _gain(hand.ante_bonus, ante, Cents(0)))


def _assessed(faces: Sequence[Face], terms: Terms) -> Assessment | None:
    """Return what the game says of a hand that was seen whole, None of any other."""
    if len(faces) != HAND_CARDS:
        return None
    first, second, third = faces
    if isinstance(first, Card) and isinstance(second, Card) and isinstance(third, Card):
        return terms.assess((first, second, third))
    return None


def _gain(odds: Odds | None, stake: Cents, otherwise: Cents) -> Cents:
    return otherwise if odds is None else odds.winnings(stake)


def _decisions(seat: SeatRecord, *, in_main: bool) -> tuple[Decision, ...]:
    """Return what the player may have decided: a Raise that was placed is a decision too."""
    if seat.decision is Decision.FOLD:
        return (Decision.FOLD,)
    if seat.decision is not None or seat.wagers.get(Wager.RAISE) or not in_main:
        return (Decision.RAISE,)
    return Decision.FOLD, Decision.RAISE


def _unseen(faces: Sequence[Face]) -> int:
    return HAND_CARDS - sum(isinstance(face, Card) for face in faces)


def _ways(hands: tuple[Sequence[Face], ...], pool: Sequence[Card]) -> Iterator[tuple[Hand, ...]]:
    """Yield the hands with all that was not seen filled in, in every way that the pool allows.

    Nothing is yielded when a hand has too many cards or there is too much to fill in.
    """
    if any(len(faces) > HAND_CARDS for faces in hands):
        return
    unseen = sum(map(_unseen, hands))
    if unseen > _MOST_UNSEEN:
        return
    for cards in permutations(pool, unseen):
        filling = iter(cards)
        yield tuple(_filled(faces, filling) for faces in hands)


def _filled(faces: Sequence[Face], filling: Iterator[Card]) -> Hand:
    padded = (*faces, None, None, None)
    first, second, third = (
        face if isinstance(face, Card) else next(filling) for face in padded[:HAND_CARDS]
    )
    return first, second, third


def _unseen_cards(record: RoundRecord, number: Seat) -> list[Card]:
    """Return the cards that may lie unseen in a seat's hand or the dealer's.

    A card seen in the deal at either of the two places, or on no seat's place, may be the very one
    that was not seen later; one that lay at another seat is not.
    """
    seen: set[Face] = {record.trump, *record.dealer}
    for seat in record.seats.values():
        seen |= {*seat.hand, *seat.plays}
    otherwise = (*((exposure.spot, exposure.card) for exposure in record.exposed), *record.loose)
    seen |= {card for spot, card in otherwise if spot.seat not in (None, number)}
    return [card for card in PACK if card not in seen]


def _over(
    ways: Iterable[tuple[Assessment, ...]], value: Callable[..., Found]
) -> Iterator[Found | None]:
    """Yield the value of each way, None where there is no way to be gone through."""
    gone_through = False
    for way in ways:
        gone_through = True
        yield value(*way)
    if not gone_through:
        yield None


def _agreed(values: Iterable[Found | None]) -> Found | None:
    """Return what all values agree on, None when they do not."""
    every = iter(values)
    first = next(every, None)
    return first if all(value == first for value in every) else None
