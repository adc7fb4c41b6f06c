"""What is looked for in a round of any game: cards seen twice, wrong counts, missing evidence."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from itertools import chain

from rules.cards import Card
from rules.events import HAND_CARDS, SEATS, UNREADABLE, Area, Face, Spot
from rules.findings import Finding, FindingCode, Severity
from rules.games.base import AnyGame
from rules.record import RoundRecord, SeatRecord, all_known, whole_hand

SURE = 0.99
"""From this confidence on both sightings of a card are believed, and the pack is in question."""
PLAY_SURE = 0.992
"""From this confidence a card is believed in a breach of the duty to follow or to trump (TCW-12).
On seven development clips the one card that was misread had 0.991; of those read rightly one in
seventy had less than this."""

_DEALER, _TRUMP = Spot(Area.DEALER), Spot(Area.TRUMP)
_HANDS = {seat: Spot(Area.HAND, seat) for seat in SEATS}


def is_plain(record: RoundRecord) -> bool:
    """Return whether every card of a round was seen, each in one place, and nothing else happened.

    Then `seen_twice` and `common_findings` have nothing to say. Most rounds are like that.

    >>> is_plain(RoundRecord("a", "g", {}))
    False
    """
    if record.exposed or record.loose or record.gaps or record.dealer_cards is not None:
        return False
    if not isinstance(record.trump, Card) or not all_known(record.dealer):
        return False
    cards = [record.trump, *record.dealer]
    for seat in record.seats.values():
        hand = whole_hand(seat)
        if hand is None or seat.gap:
            return False
        cards += hand
    return len(cards) == len(set(cards))


def seen_twice(record: RoundRecord) -> dict[Card, tuple[Spot, ...]]:
    """Return the cards that lie in two places in one round, with the places.

    >>> ace = Card.parse("AS")
    >>> twice = seen_twice(RoundRecord("a", "g", {}, trump=ace, dealer=(ace,)))
    >>> [str(spot) for spot in twice[ace]]
    ['dealer', 'trump']
    """
    claims = _claims(record)
    cards = [card for seen in claims.values() for card in seen]
    if len(cards) == len(set(cards)):
        return {}
    places: dict[Card, list[Spot]] = {}
    for spot, seen in claims.items():
        for card in seen:
            places.setdefault(card, []).append(spot)
    return {card: tuple(spots) for card, spots in places.items() if len(spots) > 1}


def _claims(record: RoundRecord) -> dict[Spot, list[Card]]:
    """Return the cards that each place claims; one that a place claims twice is in it twice."""
    claims = {_DEALER: _cards(record.dealer), _TRUMP: _cards((record.trump,))}
    for number, seat in record.seats.items():
        plays = _cards(seat.plays)
        if not seat.hand and not seat.corrections:
            claims[_HANDS[number]] = plays
            continue
        lists = (_cards(seat.hand), plays, _cards(c.card for c in seat.corrections))
        twice = [lists[0], lists[1] if not seat.corrections else _cards(counted_plays(seat))]
        extra = [card for seen in twice if len(seen) > len(set(seen)) for card in _repeated(seen)]
        claims[_HANDS[number]] = [*dict.fromkeys(chain(*lists)), *dict.fromkeys(extra)]
    seen_otherwise = [(exposure.spot, exposure.card) for exposure in record.exposed]
    for spot, face in (*seen_otherwise, *record.loose):
        place = spot if spot.seat is None else _HANDS[spot.seat]
        if isinstance(face, Card) and face not in claims.setdefault(place, []):
            claims[place].append(face)
    return claims


def counted_plays(seat: SeatRecord) -> tuple[Face, ...]:
    """Return the plays that count: put right where they were (TCW-15).

    >>> counted_plays(SeatRecord(plays=(None,)))
    (None,)
    """
    plays = list(seat.plays)
    for correction in seat.corrections:
        if correction.trick <= len(plays):
            plays[correction.trick - 1] = correction.card
    return tuple(plays)


def _cards(faces: Iterable[Face]) -> list[Card]:
    return [face for face in faces if isinstance(face, Card)]


def _repeated(cards: list[Card]) -> list[Card]:
    return [card for card in cards if cards.count(card) > 1]


def without(record: RoundRecord, doubted: Iterable[Card]) -> RoundRecord:
    """Return the record with some cards unknown: nobody can say which sighting was right.

    >>> ace = Card.parse("AS")
    >>> without(RoundRecord("a", "g", {}, trump=ace), [ace]).trump is None
    True
    """
    gone = set(doubted)

    def unknown(faces: tuple[Face, ...]) -> tuple[Face, ...]:
        return tuple(None if face in gone else face for face in faces)

    seats = {
        number: replace(
            seat,
            hand=unknown(seat.hand),
            plays=unknown(seat.plays),
            corrections=tuple(replace(c, card=unknown((c.card,))[0]) for c in seat.corrections),
        )
        for number, seat in record.seats.items()
    }
    return replace(
        record,
        seats=seats,
        trump=unknown((record.trump,))[0],
        dealer=unknown(record.dealer),
        exposed=tuple(replace(e, card=unknown((e.card,))[0]) for e in record.exposed),
        loose=tuple((spot, card) for spot, card in record.loose if card not in gone),
    )


def common_findings(
    record: RoundRecord, game: AnyGame, twice: Mapping[Card, tuple[Spot, ...]]
) -> Iterator[Finding]:
    """Find what does not depend on a game's rules: doubted, missing and unreadable evidence.

    >>> from rules.games.whist import WHIST
    >>> found = common_findings(RoundRecord("a", WHIST.name, {}, trump=UNREADABLE), WHIST, {})
    >>> [finding.code.value for finding in found]
    ['unreadable']
    """
    for card, spots in twice.items():
        yield Finding(
            FindingCode.CARD_SEEN_TWICE,
            "COM-2",
            _twice_severity(record.confidence.get(card)),
            card=card,
            places=tuple(str(spot) for spot in dict.fromkeys(spots)),
            seat=next((spot.seat for spot in spots if spot.seat is not None), None),
        )
    if record.gaps or any(seat.gap for seat in record.seats.values()):
        known = [gap.seconds for gap in record.gaps if gap.seconds is not None]
        yield Finding(FindingCode.FEED_GAP, "COM-6", Severity.LOW, seconds=sum(known) or None)
    yield from _count_findings(record, game)
    yield from _unreadable(record)


def _twice_severity(confidence: float | None) -> Severity:
    if confidence is None:
        return Severity.MEDIUM
    return Severity.HIGH if confidence >= SURE else Severity.LOW


def _count_findings(record: RoundRecord, game: AnyGame) -> Iterator[Finding]:
    code = FindingCode.WRONG_CARD_COUNT
    dealer = record.dealer_cards if record.dealer_cards is not None else HAND_CARDS
    counts = [(_DEALER, max(dealer, len(record.dealer)))]
    counts += [(_HANDS[number], _hand_size(seat)) for number, seat in record.seats.items()]
    for spot, count in counts:
        if count != HAND_CARDS:
            yield Finding(
                code,
                game.rule(code, None),
                Severity.MEDIUM,
                seat=spot.seat,
                spot=spot,
                expected=HAND_CARDS,
                found=count,
            )


def _hand_size(seat: SeatRecord) -> int:
    """Return how many cards a hand is seen to have; as dealt where nothing says otherwise."""
    if not seat.hand and len(seat.plays) <= HAND_CARDS and not seat.corrections:
        return HAND_CARDS
    known = {*_cards(seat.hand), *_cards(seat.plays), *_cards(c.card for c in seat.corrections)}
    return max(len(seat.hand) or HAND_CARDS, len(seat.plays), len(known))


def _unreadable(record: RoundRecord) -> Iterator[Finding]:
    places: list[tuple[Spot, Iterable[Face]]] = [
        (_TRUMP, (record.trump,)),
        (_DEALER, record.dealer),
    ]
    places += [(_HANDS[n], (*seat.hand, *seat.plays)) for n, seat in record.seats.items()]
    for spot, faces in places:
        if UNREADABLE in faces:
            yield Finding(FindingCode.UNREADABLE, "COM-6", Severity.LOW, seat=spot.seat, spot=spot)
