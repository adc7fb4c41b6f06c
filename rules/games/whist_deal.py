"""Exposed cards: when a hand of Three Card Whist is void (TCW-14), and when one was merely seen."""

from collections.abc import Iterable
from dataclasses import dataclass

from rules.cards import Card
from rules.events import Area, Seat
from rules.findings import Finding, FindingCode, Severity
from rules.games.whist_options import CountOver, VoidScope, WhistOptions, Window
from rules.record import Exposure, RoundRecord, When


@dataclass(frozen=True, slots=True)
class Deal:
    """What the deal left: what is void, and what was found."""

    void: bool = False
    """True when the whole round is void."""
    void_seats: frozenset[Seat] = frozenset()
    findings: tuple[Finding, ...] = ()


NOTHING_EXPOSED = Deal()


def judge_deal(record: RoundRecord, options: WhistOptions) -> Deal:
    """Return what the cards exposed in the deal come to.

    A misdeal is found at the exposure that reaches the threshold. A void round raises it alone;
    otherwise every exposure is logged as information.

    >>> from rules.section import Document, Section
    >>> from rules.games.whist_options import read_options
    >>> options = read_options(Section(Document.parse("", "x"), ("three-card-whist",)))
    >>> judge_deal(RoundRecord("a", "three-card-whist", {}), options).void
    False
    """
    if not record.exposed:
        return NOTHING_EXPOSED
    counted = list(_distinct(e for e in record.exposed if _counts(e, options)))
    dealer = [e for e in counted if e.spot.area is Area.DEALER][options.dealer_cards - 1 :]
    misdeals, void_seats = _player_misdeals(counted, options)
    void_round = (
        dealer[:1]
        if not (misdeals and options.void is VoidScope.ROUND)
        else [min((dealer[:1] + misdeals[:1]), key=counted.index)]
    )
    if void_round:
        return Deal(void=True, findings=(_misdeal(void_round[0]),))
    logged = [
        _logged(exposure) for exposure in record.exposed if exposure.spot.seat not in void_seats
    ]
    return Deal(False, frozenset(void_seats), (*map(_misdeal, misdeals), *logged))


def _player_misdeals(
    counted: list[Exposure], options: WhistOptions
) -> tuple[list[Exposure], set[Seat]]:
    """Return the exposures that made a hand void, in order, and the seats of the void hands."""
    players: list[Exposure] = []
    misdeals: list[Exposure] = []
    void_seats: set[Seat] = set()
    for exposure in counted:
        seat = exposure.spot.seat
        if seat is None:
            continue
        players.append(exposure)
        if _too_many(players, seat, options):
            if seat not in void_seats:
                misdeals.append(exposure)
            void_seats |= _touched(players, seat, options)
    return misdeals, void_seats


def _counts(exposure: Exposure, options: WhistOptions) -> bool:
    return exposure.when is When.DEAL or options.window is Window.UNTIL_DECISIONS


def _distinct(exposures: Iterable[Exposure]) -> Iterable[Exposure]:
    """Leave out a card that was turned up a second time on its spot: it is one card exposed."""
    seen = set()
    for exposure in exposures:
        if isinstance(exposure.card, Card):
            if (exposure.spot, exposure.card) in seen:
                continue
            seen.add((exposure.spot, exposure.card))
        yield exposure


def _too_many(players: list[Exposure], seat: Seat, options: WhistOptions) -> bool:
    over_table = options.count_over is CountOver.TABLE
    counted = [e for e in players if over_table or e.spot.seat == seat]
    return len(counted) >= options.player_cards


def _touched(players: list[Exposure], seat: Seat, options: WhistOptions) -> set[Seat]:
    """Return the seats whose cards made up the count that reached the threshold."""
    if options.count_over is CountOver.SEAT:
        return {seat}
    return {exposure.spot.seat for exposure in players if exposure.spot.seat is not None}


def _misdeal(exposure: Exposure) -> Finding:
    return Finding(
        FindingCode.MISDEAL,
        "TCW-14",
        Severity.HIGH,
        seat=exposure.spot.seat,
        spot=exposure.spot,
        card=_card(exposure),
        proved_by=_proof(exposure),
    )


def _logged(exposure: Exposure) -> Finding:
    early = exposure.when is When.DECISIONS and exposure.spot.area is Area.DEALER
    return Finding(
        FindingCode.DEALER_CARD_SHOWN_EARLY if early else FindingCode.CARD_EXPOSED,
        "TCW-10" if early else "TCW-14",
        Severity.HIGH if early else Severity.INFO,
        seat=exposure.spot.seat,
        spot=exposure.spot,
        card=_card(exposure),
        seconds=exposure.seconds,
        proved_by=_proof(exposure),
    )


def _card(exposure: Exposure) -> Card | None:
    return exposure.card if isinstance(exposure.card, Card) else None


def _proof(exposure: Exposure) -> str:
    return f"{_card(exposure) or 'a card'} face up at {exposure.spot}"
