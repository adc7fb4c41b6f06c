"""Hands as they are drawn: the cards, the verdicts, the wagers and what was found."""

from dataclasses import dataclass

from audit.reports.shape import ColumnKind
from audit.reports.words import UNKNOWN, Words
from audit.rounds import RecordedRound
from audit.web import labels
from audit.web.language import N_
from audit.web.tiles import recorded_view
from audit.web.views import CardView, RoundView, SeatView, WagerView
from audit.web.wording import explained, key_of
from rules.events import Cents
from rules.explain import money

DEALER = N_("Dealer")
TRUMPS = N_("Trump card")
SEAT = N_("Seat %(number)s")
WAGER = N_("%(wager)s %(stake)s · due %(due)s · paid %(paid)s")


@dataclass(frozen=True, slots=True)
class DrawnCard:
    """A card with what is marked on it."""

    rank: str
    suit: str
    kind: str
    """`face`, `back`, `unread` or `gap`."""
    red: bool
    mark: str = ""
    """`breach`, `open` or nothing."""
    won: bool = False


@dataclass(frozen=True, slots=True)
class DrawnWager:
    """A wager in words, and by how much it was paid wrongly."""

    text: str
    off: str


@dataclass(frozen=True, slots=True)
class DrawnSeat:
    """One seat of a hand."""

    name: str
    status: str
    cards: tuple[DrawnCard, ...]
    wagers: tuple[DrawnWager, ...]


@dataclass(frozen=True, slots=True)
class DrawnFinding:
    """What was found, in words."""

    name: str
    severity: str
    text: str


@dataclass(frozen=True, slots=True)
class DrawnHand:
    """A round as it is drawn."""

    round: str
    where: str
    outcome: str
    grave: bool
    dealer_name: str
    dealer: tuple[DrawnCard, ...]
    trump_name: str
    trump: tuple[DrawnCard, ...]
    seats: tuple[DrawnSeat, ...]
    findings: tuple[DrawnFinding, ...]


def drawn(recorded: RecordedRound, words: Words) -> DrawnHand:
    """Return a round as it is drawn for a reader."""
    view = recorded_view(recorded)
    where = (
        words.value(recorded.recorded, ColumnKind.MOMENT),
        recorded.table,
        words.label(recorded.game, labels.GAMES),
    )
    return DrawnHand(
        round=recorded.round,
        where=" · ".join(where),
        outcome=words.label(recorded.outcome, labels.STATUSES),
        grave=recorded.outcome in ("void", "reconstruct"),
        dealer_name=words.text(DEALER),
        dealer=tuple(_card(card) for card in view.dealer if card.kind != "gap"),
        trump_name=words.text(TRUMPS) if view.trump.kind != "gap" else "",
        trump=() if view.trump.kind == "gap" else (_card(view.trump),),
        seats=tuple(_seat(seat, words) for seat in view.seats),
        findings=_findings(recorded, view, words),
    )


def _seat(seat: SeatView, words: Words) -> DrawnSeat:
    plays = tuple(_card(play.card, play.verdict, won=bool(play.won)) for play in seat.plays)
    return DrawnSeat(
        name=words.text(SEAT) % {"number": seat.number},
        status=words.label(seat.status, labels.STATUSES),
        cards=plays + tuple(map(_card, seat.held)),
        wagers=tuple(_wager(wager, words) for wager in seat.wagers),
    )


def _card(card: CardView, verdict: str = "", *, won: bool = False) -> DrawnCard:
    mark = verdict if verdict in ("breach", "open") else ""
    return DrawnCard(card.rank, card.suit, card.kind, card.red, mark, won)


def _wager(wager: WagerView, words: Words) -> DrawnWager:
    values = {
        "wager": words.label(wager.name, labels.WAGERS),
        "stake": _amount(wager.stake),
        "due": _amount(wager.due),
        "paid": _amount(wager.paid),
    }
    off = money(Cents(wager.difference), signed=True) if wager.difference else ""
    return DrawnWager(words.text(WAGER) % values, off)


def _amount(cents: int | None) -> str:
    return UNKNOWN if cents is None else money(Cents(cents))


def _findings(recorded: RecordedRound, view: RoundView, words: Words) -> tuple[DrawnFinding, ...]:
    told = explained(recorded, words.language)
    return tuple(
        DrawnFinding(
            words.label(found.code, labels.FINDINGS),
            found.severity,
            told.get(key_of(found)) or found.text,
        )
        for found in view.findings
    )
