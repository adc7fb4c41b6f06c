"""Three Card Whist: rules TCW-1 … TCW-15, TCW-B1 … B6 and TCW-R1 … R6 of the rules page.

The proof comes later than the play: a card that was not followed with suit is a breach only when a
later card of the same hand shows it. So every play is re-judged with all that has been seen.
"""

from collections import Counter
from collections.abc import Collection, Iterable, Mapping
from enum import StrEnum

from rules.cards import Card
from rules.events import HAND_CARDS, Area, Cents, Decision, Seat, Wager
from rules.findings import Finding, FindingCode, Severity
from rules.games.base import Shape
from rules.games.whist_deal import judge_deal
from rules.games.whist_hand import (
    HandJudgement,
    Table,
    judge_hand,
    judge_lawful,
    not_played,
    read_hand,
)
from rules.games.whist_options import (
    WAGERS,
    RnbRequires,
    Triggers,
    WhistOptions,
    describe,
    read_options,
    warnings,
)
from rules.games.whist_pay import bonus_category, main_due, rnb_category
from rules.games.whist_play import unseen_suits
from rules.record import RoundRecord, SeatRecord, all_known, whole_hand
from rules.result import Judgement, SeatResult, Status, Verdict
from rules.section import Limits, Section

_ANTE, _PLAY, _BONUS, _RNB = WAGERS
_FOLD = Decision.FOLD
"""Members looked up once: every hand asks for them dozens of times."""


class Whist:
    """Three Card Whist as a `Game`."""

    name = "three-card-whist"
    titles: Mapping[str, str] = {"en": "Three Card Whist", "ko": "쓰리 카드 휘스트"}
    shape = Shape(trump=True, tricks=True, second_wager=Wager.PLAY)
    wagers = WAGERS
    explanations: Mapping[str, Mapping[str, str]] = {}

    def read_options(self, section: Section) -> WhistOptions:
        """Return the house options of a section; see `Game`."""
        return read_options(section)

    def limits(self, options: WhistOptions) -> Mapping[Wager, Limits]:
        """Return the table limits; see `Game`."""
        return options.limits

    def judge(
        self, record: RoundRecord, options: WhistOptions, watched: Collection[Seat]
    ) -> Judgement:
        """Return how every hand came out; see `Game`."""
        deal = judge_deal(record, options)
        if deal.void:
            seats = {s: _void(seat, watch=s in watched) for s, seat in record.seats.items()}
            return Judgement(seats, deal.findings, void=True)
        table: Table | None = None
        shown = _shown(record)
        findings = list(deal.findings)
        results = {}
        for number, seat in record.seats.items():
            watch = number in watched
            if number in deal.void_seats:
                results[number] = _void(seat, watch=watch)
                continue
            judged = None if number in shown else _lawful(record, seat)
            if judged is None:
                table = table or _table(record)
                hand = read_hand(number, seat, shown.get(number, ()))
                plays = _plays(seat)
                judged = judge_hand(hand, table, watched=watch) if plays else not_played(hand)
            findings += _wager_findings(number, seat, options)
            findings += judged.findings
            results[number] = _Settling(record, seat, judged, options).result(watch=watch)
        if record.sequence:
            findings += _turn_findings(record, deal.void_seats)
        return Judgement(results, tuple(findings), unverified=_unverified(record, options))

    def rule(self, code: StrEnum, wager: Wager | None) -> str:
        """Return the rule's number for a common finding; see `Game`."""
        if code in (FindingCode.LATE_WAGER, FindingCode.WAGER_CHANGED):
            return "TCW-1"
        if code is FindingCode.WRONG_CARD_COUNT:
            return "TCW-2/3"
        if code is FindingCode.VOID_HAND_SETTLED:
            return "TCW-14"
        return _PAY_RULES.get(wager, "COM-1") if wager else "COM-1"

    def describe(self, options: WhistOptions) -> tuple[str, ...]:
        """Return the options in words; see `Game`."""
        return describe(options)

    def warnings(self, options: WhistOptions) -> tuple[str, ...]:
        """Return what the house should know; see `Game`."""
        return warnings(options)


WHIST = Whist()
"""The game, for the registry."""

_PAY_RULES = {
    _ANTE: "TCW-13",
    _PLAY: "TCW-13",
    _BONUS: "TCW-B5",
    _RNB: "TCW-R5",
}


def _unverified(record: RoundRecord, options: WhistOptions) -> tuple[Wager, ...]:
    """Return the wagers of the round that were judged by a table which nobody has confirmed."""
    placed = {wager for seat in record.seats.values() for wager in seat.wagers}
    return tuple([wager for wager in options.unverified if wager in placed])


def _lawful(record: RoundRecord, seat: SeatRecord) -> HandJudgement | None:
    """Return the judgement of a hand of which all is known, where every play was legal."""
    trump, dealer, plays = record.trump, record.dealer, whole_hand(seat)
    if plays is None or not isinstance(trump, Card) or not all_known(dealer) or not _plays(seat):
        return None
    return judge_lawful(plays, dealer, trump.suit)


def _table(record: RoundRecord) -> Table:
    trump = record.trump.suit if isinstance(record.trump, Card) else None
    seen = [record.trump, *record.dealer]
    for seat in record.seats.values():
        seen += [*seat.hand, *seat.plays, *(correction.card for correction in seat.corrections)]
    seen += [exposure.card for exposure in record.exposed]
    seen += [card for _, card in record.loose]
    unseen = unseen_suits(card for card in seen if isinstance(card, Card))
    return Table(record.dealer, trump, unseen)


def _shown(record: RoundRecord) -> dict[Seat, tuple[Card, ...]]:
    """Return the cards of each hand that were seen in the deal."""
    shown: dict[Seat, tuple[Card, ...]] = {}
    for exposure in record.exposed:
        spot = exposure.spot
        if spot.area is Area.HAND and spot.seat is not None and isinstance(exposure.card, Card):
            shown[spot.seat] = (*shown.get(spot.seat, ()), exposure.card)
    return shown


def _void(seat: SeatRecord, *, watch: bool) -> SeatResult:
    zeros: dict[Wager, Cents | None] = dict.fromkeys(seat.wagers, Cents(0))
    return SeatResult(Status.VOID, zeros, category={"bonus": None}, watch=watch)


def _plays(seat: SeatRecord) -> bool:
    """Return whether the seat is in the main game, as far as the record tells."""
    if seat.decision is _FOLD:
        return False
    return bool(seat.plays) or seat.decision is not None or _in_main(seat)


def _in_main(seat: SeatRecord) -> bool:
    """Return whether the Ante was placed, or nothing is known of the wagers."""
    return not seat.wagers or seat.wagers.get(_ANTE, 0) > 0


def _wager_findings(number: Seat, seat: SeatRecord, options: WhistOptions) -> Iterable[Finding]:
    """Find wagers that stand without the one they need (TCW-8, TCW-B1, TCW-R1)."""
    wagers = seat.wagers
    ante, play = wagers.get(_ANTE), wagers.get(_PLAY)
    if None not in (ante, play) and ante != play and seat.decision is not _FOLD:
        yield Finding(
            FindingCode.PLAY_WAGER_NOT_EQUAL_ANTE,
            "TCW-8",
            Severity.HIGH,
            seat=number,
            wager=_PLAY,
            expected=ante,
            found=play,
        )
    if wagers.get(_BONUS) and not ante and not options.bonus_without_ante:
        yield Finding(
            FindingCode.BONUS_WITHOUT_ANTE,
            "TCW-B1",
            Severity.MEDIUM,
            seat=number,
            wager=_BONUS,
        )
    if wagers.get(_RNB) and not _rnb_may_stand(seat, options.rnb_requires):
        yield Finding(
            FindingCode.RNB_WITHOUT_MAIN_OR_BONUS,
            "TCW-R1",
            Severity.MEDIUM,
            seat=number,
            wager=_RNB,
        )


def _rnb_may_stand(seat: SeatRecord, requires: RnbRequires) -> bool:
    ante, bonus = seat.wagers.get(_ANTE), seat.wagers.get(_BONUS)
    beside = {
        RnbRequires.ANTE_OR_BONUS: ante or bonus,
        RnbRequires.ANTE: ante,
        RnbRequires.NOTHING: True,
    }
    return bool(beside[requires])


def _turn_findings(record: RoundRecord, void: frozenset[Seat]) -> Iterable[Finding]:
    """Find cards that came before their turn (TCW-11), from the order in which cards came up.

    A turn or an answer that nobody saw looks the same: only where the dealer's cards and a seat's
    all came up is anything told of the seat.
    """
    came_up = Counter(spot.seat for spot in record.sequence)  # the dealer's have no seat
    if came_up[None] < HAND_CARDS:
        return
    playing = {
        number
        for number, seat in record.seats.items()
        if number not in void
        and came_up[number] >= HAND_CARDS
        and not seat.gap
        and (seat.plays or seat.decision is Decision.PLAY)
        and seat.decision is not _FOLD
    }
    answers = dict.fromkeys(playing, 0)
    turned = 0
    for spot in record.sequence:
        if spot.area is Area.DEALER:
            for number in sorted(playing):
                if answers[number] < turned:
                    yield _turn(FindingCode.DEALER_AHEAD_OF_PLAY, number, turned)
            turned += 1
        elif spot.seat in playing:
            answers[spot.seat] += 1
            if answers[spot.seat] > turned:
                yield _turn(FindingCode.PLAYED_OUT_OF_TURN, spot.seat, answers[spot.seat])


def _turn(code: FindingCode, seat: Seat, trick: int) -> Finding:
    return Finding(code, "TCW-11", Severity.MEDIUM, seat=seat, trick=trick)


class _Settling:
    """How one hand stands and what its wagers are due."""

    __slots__ = ("_judged", "_options", "_record", "_seat", "_tricks", "_unsure")

    def __init__(
        self,
        record: RoundRecord,
        seat: SeatRecord,
        judged: HandJudgement,
        options: WhistOptions,
    ) -> None:
        self._record = record
        self._seat = seat
        self._judged = judged
        self._options = options
        won = [play.won for play in judged.plays]
        whole = len(won) == HAND_CARDS and None not in won
        self._tricks = won.count(True) if whole else None
        self._unsure = seat.gap or Verdict.OPEN in [verdict for verdict, _ in judged.stands]

    def result(self, *, watch: bool) -> SeatResult:
        plays = self._judged.plays
        trump = self._record.trump
        suit = trump.suit if isinstance(trump, Card) else None
        category = {"bonus": bonus_category(self._judged.cards, suit)}
        if _RNB in self._seat.wagers:
            category["rnb"] = rnb_category(self._judged.cards, self._record.dealer, trump)
        status = self._status()
        due: dict[Wager, Cents | None] | None = None
        if status is not Status.RECONSTRUCT:
            due = {w: self._due(w, stake, category) for w, stake in self._seat.wagers.items()}
            if status is Status.SETTLED and None in due.values():
                status = Status.UNSURE
        on_watch = watch or bool(self._judged.findings)
        return SeatResult(status, due, self._tricks, plays, category, watch=on_watch)

    def _status(self) -> Status:
        seat, stands = self._seat, self._judged.stands
        if seat.decision is _FOLD:
            return Status.FOLDED
        if [code for _, code in stands if code is not None and self._triggers(code)]:
            return Status.RECONSTRUCT
        if self._unsure:
            return Status.UNSURE
        if self._tricks is not None and len(self._record.dealer) == HAND_CARDS:
            return Status.SETTLED
        if not _plays(seat):
            return Status.SETTLED
        unread = None in [play.won for play in self._judged.plays]
        return Status.UNSURE if unread else Status.INCOMPLETE

    def _triggers(self, breach: FindingCode) -> bool:
        both = self._options.triggers is Triggers.BOTH
        return both or breach is FindingCode.FAILED_TO_FOLLOW_SUIT

    def _due(self, wager: Wager, stake: Cents, category: Mapping[str, str | None]) -> Cents | None:
        if wager not in category:
            return self._main_due(wager, stake)
        line = category[wager]
        table = self._options.bonus if wager is _BONUS else self._options.rnb
        return None if line is None else table.due(line, stake)

    def _main_due(self, wager: Wager, stake: Cents) -> Cents | None:
        """Return what an Ante or Play is due, as far as every way the hand can go on agrees."""
        if self._tricks is not None and not self._unsure:
            return main_due(wager, stake, self._tricks, self._options.main)
        if self._seat.decision is _FOLD:
            return Cents(-stake) if wager is _ANTE else None  # TCW-6
        if self._unsure:
            return None
        won = [play.won for play in self._judged.plays[:HAND_CARDS]]
        least, most = won.count(True), HAND_CARDS - won.count(False)
        table = self._options.main
        found = {main_due(wager, stake, tricks, table) for tricks in range(least, most + 1)}
        return found.pop() if len(found) == 1 else None
