"""The law: whatever is told of a round partly seen, or partly misread, is true of the whole round.

Whole rounds are dealt and played by chance and judged by a few lines that follow the words of the
rules. Then much of them is hidden, and some of it is read as a card that lies elsewhere. What is
told of the rest may be less, and must never be otherwise: this is what no false accusation means.
"""

import random
from collections.abc import Iterator
from dataclasses import dataclass, replace

from rules.cards import PACK, Card
from rules.check import judge
from rules.events import UNREADABLE, Area, Cents, Decision, Face, Seat, Spot, Wager
from rules.findings import FindingCode
from rules.record import Correction, Exposure, RoundRecord, SeatRecord
from rules.result import PlayResult, SeatResult, Verdict

BREACHES = (FindingCode.FAILED_TO_FOLLOW_SUIT, FindingCode.FAILED_TO_TRUMP)
ROUNDS = 1500
STAKE = Cents(1000)


def in_order(played: Card, held: list[Card], lead: Card, trump: Card) -> bool:
    """Judge a play of known cards by the words of TCW-12."""
    if lead.suit in [card.suit for card in held]:
        return played.suit == lead.suit
    if trump.suit in [card.suit for card in held]:
        return played.suit == trump.suit
    return True


def beats(played: Card, lead: Card, trump: Card) -> bool:
    """Compare two cards by the words of TCW-12."""
    if played.suit == lead.suit:
        return played.rank > lead.rank
    return played.suit == trump.suit


@dataclass
class Truth:
    """A round as it really was."""

    record: RoundRecord
    broken: set[tuple[Seat, int]]
    """Seat and trick (from 1) of every play, first made or put right, that was a breach."""


def dealt(dice: random.Random) -> Truth:
    """Deal and play a whole round of whist; seats may lay any card and may put a play right."""
    deck = dice.sample(PACK, 16)
    trump, dealer, rest = deck[0], deck[1:4], deck[4:]
    seats, broken = {}, set()
    for number in dice.sample(range(1, 7), dice.randint(1, 4)):
        hand, rest = rest[:3], rest[3:]
        held, plays, corrections = list(hand), [], []
        for trick, lead in enumerate(dealer, start=1):
            first = last = dice.choice(held)
            if dice.random() < 0.15:
                last = dice.choice(held)
                corrections.append(Correction(trick, last, trick))
            plays.append(first)
            if not all(in_order(card, held, lead, trump) for card in (first, last)):
                broken.add((Seat(number), trick))
            held.remove(last)
        seats[Seat(number)] = SeatRecord(
            dict.fromkeys((Wager.ANTE, Wager.PLAY, Wager.BONUS, Wager.RNB), STAKE),
            Decision.PLAY,
            tuple(hand),
            tuple(plays),
            corrections=tuple(corrections),
        )
    record = RoundRecord("a", "three-card-whist", seats, trump=trump, dealer=tuple(dealer))
    return Truth(record, broken)


def hidden(record: RoundRecord, dice: random.Random) -> RoundRecord:
    """Hide much of a round; one hidden card may be read as one that is seen at another place."""
    share = dice.choice([0.0, 0.1, 0.3, 0.6])

    def unseen(face: Face) -> Face:
        return face if dice.random() >= share else dice.choice([None, UNREADABLE])

    def some(faces: tuple[Face, ...]) -> tuple[Face, ...]:
        return tuple(map(unseen, faces))

    seats, exposed = {}, []
    for number, seat in record.seats.items():
        hand = tuple(None if dice.random() < 0.6 else card for card in seat.hand)
        plays = some(seat.plays[: dice.choice([1, 2, 3, 3])])
        if dice.random() < 0.1:
            card = dice.choice(seat.hand)
            exposed.append(Exposure(Spot(Area.HAND, number), card))
        seats[number] = replace(
            seat,
            hand=dice.choice([(), hand, tuple(dice.sample(hand, 3))]),
            plays=plays,
            corrections=tuple(replace(c, card=unseen(c.card)) for c in seat.corrections),
            gap=dice.random() < 0.05,
        )
    seen = replace(
        record,
        seats=seats,
        trump=unseen(record.trump),
        dealer=some(record.dealer),
        exposed=tuple(exposed[:1]),
    )
    return misread(seen, dice) if dice.random() < 0.3 else seen


def misread(record: RoundRecord, dice: random.Random) -> RoundRecord:
    """Read one card, of the dealer or of a seat, as a card that is seen at another place."""
    places = {number: seat.plays for number, seat in record.seats.items()} | {0: record.dealer}
    target = dice.choice(list(places))
    others = [faces for place, faces in places.items() if place != target]
    elsewhere = [face for faces in others for face in faces if isinstance(face, Card)]
    if not elsewhere:
        return record
    faces = list(places[target])
    faces[dice.randrange(len(faces))] = dice.choice(elsewhere)
    if target == 0:
        return replace(record, dealer=tuple(faces))
    seat = replace(record.seats[Seat(target)], plays=tuple(faces))
    return replace(record, seats={**record.seats, Seat(target): seat})


def rounds(seed: int) -> Iterator[tuple[Truth, RoundRecord]]:
    dice = random.Random(seed)  # noqa: S311 - seeded tests, not a secret
    for _ in range(ROUNDS):
        truth = dealt(dice)
        yield truth, hidden(truth.record, dice)


def test_tcw_12_no_breach_is_told_that_did_not_happen_whatever_was_hidden_or_misread() -> None:
    proved = 0
    for truth, seen in rounds(seed=1):
        result = judge(seen)
        for finding in result.findings:
            if finding.code in BREACHES:
                assert (finding.seat, finding.trick) in truth.broken, seen
                proved += 1
        for number, seat in result.seats.items():
            for trick, play in enumerate(seat.plays, start=1):
                if play.verdict is not Verdict.OPEN and not truth.record.seats[number].corrections:
                    breach = play.verdict is Verdict.BREACH
                    assert breach == ((number, trick) in truth.broken), seen
    assert proved > 500


def told(seat: SeatResult) -> Iterator[tuple[str, object]]:
    """Give all that a result says of a seat for certain, with a name."""
    for wager, due in (seat.due or {}).items():
        yield f"due {wager}", due
    for name, line in seat.category.items():
        yield f"category {name}", line
    yield "tricks", seat.tricks
    yield "points", seat.points


def test_what_is_certain_of_a_round_partly_seen_is_so_in_the_whole_round() -> None:
    certain = 0
    for truth, seen in rounds(seed=2):
        whole, part = judge(truth.record), judge(seen)
        for number, seat in part.seats.items():
            full = dict(told(whole.seats[number]))
            for name, value in told(seat):
                if value is None or full.get(name) is None:
                    continue
                certain += 1
                assert value == full[name], (name, seen)
            assert_won(truth.record, seen, seat.plays, number)
    assert certain > ROUNDS


def assert_won(
    record: RoundRecord, seen: RoundRecord, plays: tuple[PlayResult, ...], number: Seat
) -> None:
    """Hold who won each trick against the cards as they really were."""
    counted = list(record.seats[number].plays)
    for correction in record.seats[number].corrections:
        counted[correction.trick - 1] = correction.card
    for play, card, lead in zip(plays, counted, record.dealer, strict=False):
        if play.won is None or not isinstance(card, Card) or not isinstance(lead, Card):
            continue
        assert isinstance(record.trump, Card)
        assert play.won == beats(card, lead, record.trump), seen
