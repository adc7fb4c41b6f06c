"""What the pages show, made from the published shapes: cards, seats, wagers, whole rounds.

Nothing here judges: verdicts, amounts due and findings are the record's, as the rules wrote them.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from audit.web.labels import SUIT_SYMBOLS
from audit.web.shapes import (
    Face,
    FindingShape,
    PlayResult,
    RoundRecord,
    RoundResult,
    SeatRecord,
    SeatResult,
    Verdict,
)
from rules.events import HAND_CARDS


@dataclass(frozen=True, slots=True)
class CardView:
    """A card as drawn."""

    rank: str
    """`2` to `10`, `J Q K A`; empty when the card is not known."""
    suit: str
    """A letter of `SHDC`; empty when the card is not known."""
    kind: str
    """`face`, `back`, `unread` or `gap` (no card there yet)."""

    @property
    def symbol(self) -> str:
        """The pip, or nothing."""
        return SUIT_SYMBOLS.get(self.suit, "")

    @property
    def red(self) -> bool:
        """Whether the pip is red."""
        return self.suit in ("H", "D")


BACK = CardView("", "", "back")
GAP = CardView("", "", "gap")


def card_view(face: Face) -> CardView:
    """Return how a recorded card is drawn; what is no card at all is drawn as unreadable.

    >>> card_view("TD").rank
    '10'
    """
    if face is None:
        return BACK
    if len(face) == 2 and face[0] in "23456789TJQKA" and face[1] in SUIT_SYMBOLS:
        return CardView("10" if face[0] == "T" else face[0], face[1], "face")
    return CardView("?", "", "unread")


@dataclass(frozen=True, slots=True)
class PlayView:
    """A card that a seat played, judged as far as it can be."""

    card: CardView
    verdict: Verdict
    won: bool | None
    legal: tuple[CardView, ...]
    """What could have been played, when that is known."""
    corrected: CardView | None = None
    """The card that the play was put right with."""


@dataclass(frozen=True, slots=True)
class WagerView:
    """A wager with what was due and what was paid, net, in minor units; None is not known."""

    name: str
    stake: int | None
    due: int | None
    paid: int | None

    @property
    def difference(self) -> int | None:
        """Paid less due: above zero when the player got too much."""
        return None if self.due is None or self.paid is None else self.paid - self.due


@dataclass(frozen=True, slots=True)
class SeatView:
    """One seat of a round."""

    number: int
    status: str
    decision: str | None
    plays: tuple[PlayView, ...]
    held: tuple[CardView, ...]
    """What was not played, known or not."""
    wagers: tuple[WagerView, ...]
    tricks: int | None
    points: int | None
    category: str | None
    on_watch: bool
    findings: tuple[FindingShape, ...]


@dataclass(frozen=True, slots=True)
class RoundView:
    """A round, whole or as far as it has come."""

    round: str
    game: str
    table: str
    started: str | None
    outcome: str | None
    """None while the round is going on."""
    trump: CardView
    dealer: tuple[CardView, ...]
    seats: tuple[SeatView, ...]
    findings: tuple[FindingShape, ...]
    house: str
    version: str

    @property
    def trumps(self) -> str:
        """The letter of the trump suit, or nothing while it is not known."""
        return self.trump.suit

    @property
    def turned(self) -> int:
        """How many dealer cards have been turned."""
        return sum(1 for card in self.dealer if card.kind in ("face", "unread"))

    def play_of(self, finding: FindingShape) -> PlayView | None:
        """Return the play that a finding is about, when it is about one that is known."""
        if finding.trick is None or not 1 <= finding.trick <= len(self.dealer):
            return None
        plays = next((seat.plays for seat in self.seats if seat.number == finding.seat), ())
        return plays[finding.trick - 1] if finding.trick <= len(plays) else None

    def seat(self, number: int | None) -> SeatView | None:
        """Return a seat by its number."""
        return next((seat for seat in self.seats if seat.number == number), None)

    def held_at(self, finding: FindingShape) -> tuple[CardView, ...]:
        """Return what a hand held when the play was made that a finding is about, as known now."""
        seat = self.seat(finding.seat)
        if seat is None or finding.trick is None:
            return ()
        return (*(play.card for play in seat.plays[finding.trick - 1 :]), *seat.held)

    @property
    def owed(self) -> int | None:
        """Paid less due over all wagers, in minor units; None when nothing can be compared."""
        known = [w.difference for seat in self.seats for w in seat.wagers]
        sums = [difference for difference in known if difference is not None]
        return sum(sums) if sums else None


def round_view(record: RoundRecord, result: RoundResult, *, finished: bool) -> RoundView:
    """Return a round as shown.

    Args:
        record: What was seen.
        result: What the check made of it, so far.
        finished: Whether the round is over, so that its outcome holds.
    """
    numbers = sorted({*record.seats, *result.seats}, key=_seat_order)
    return RoundView(
        round=record.round or result.round,
        game=record.game,
        table=record.table or "",
        started=record.started,
        outcome=result.outcome if finished else None,
        trump=card_view(record.trump) if record.trump else GAP,
        dealer=_padded([card_view(face) for face in record.dealer], BACK),
        seats=tuple(_seat(n, record, result) for n in numbers if n.isdigit()),
        findings=tuple(result.findings),
        house=result.rules.house,
        version=result.rules.version,
    )


def _seat_order(number: str) -> tuple[int, str]:
    return (int(number) if number.isdigit() else 99, number)


def _padded(cards: Sequence[CardView], filler: CardView) -> tuple[CardView, ...]:
    return (*cards, *[filler] * max(0, HAND_CARDS - len(cards)))


def _seat(number: str, record: RoundRecord, result: RoundResult) -> SeatView:
    seen = record.seats.get(number, SeatRecord())
    made = result.seats.get(number, SeatResult())
    return SeatView(
        number=int(number),
        status=made.status,
        decision=seen.decision,
        plays=tuple(_plays(seen, made)),
        held=_held(seen),
        wagers=_wagers(seen, made),
        tricks=made.tricks,
        points=made.points,
        category=next((name for name in made.category.values() if name), None),
        on_watch=made.watch,
        findings=tuple(f for f in result.findings if f.seat == int(number)),
    )


def _plays(seen: SeatRecord, made: SeatResult) -> list[PlayView]:
    judged = list(made.plays) or [PlayResult(card=face) for face in seen.plays]
    return [
        PlayView(
            card_view(play.card),
            play.verdict,
            play.won,
            tuple(map(card_view, play.legal or [])),
            card_view(play.corrected) if play.corrected else None,
        )
        for play in judged
    ]


def _held(seen: SeatRecord) -> tuple[CardView, ...]:
    """Return the cards of the hand that were not played; unknown ones are backs."""
    if seen.hand is None:
        return (BACK,) * max(0, HAND_CARDS - len(seen.plays)) if seen.decision != "fold" else ()
    left = list(seen.hand)
    for face in seen.plays:
        if face in left:
            left.remove(face)
        elif None in left:
            left.remove(None)
    return tuple(card_view(face) for face in left)


def _wagers(seen: SeatRecord, made: SeatResult) -> tuple[WagerView, ...]:
    due, paid = made.due, seen.paid or {}
    names = dict.fromkeys([*seen.wagers, *(due or {}), *paid])
    return tuple(
        WagerView(
            name,
            seen.wagers.get(name),
            None if due is None else due.get(name),
            paid.get(name),
        )
        for name in names
    )
