"""The law: whatever is lost, doubled or contradictory, the reader never fails or invents a breach.

And what it tells is what judging its own record gives.
"""

from collections.abc import Iterator
from dataclasses import replace

from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, invariant, rule

from rules.cards import PACK, Card
from rules.check import judge
from rules.events import (
    SEATS,
    UNREADABLE,
    Area,
    CardHidden,
    CardMoved,
    CardPlaced,
    CardRemoved,
    CardTurned,
    Cents,
    Decision,
    DecisionMade,
    Face,
    FeedBack,
    FeedLost,
    PayoutMade,
    Seat,
    Sighting,
    Spot,
    SpotCleared,
    TableEvent,
    Wager,
    WagerPlaced,
)
from rules.findings import Finding, FindingCode
from rules.games import GAMES
from rules.games.base import AnyGame
from rules.games.rummy import RUMMY
from rules.games.tri_card import TRI_CARD
from rules.games.whist import WHIST
from rules.games.whist_play import legal_cards
from rules.reader import FinishedRound, Naming, Reader, read
from rules.record_json import record_from_json, record_to_json
from rules.round import LiveFinding, Setting
from tests.rules.tables import Player, clock, whist_round

BREACHES = (FindingCode.FAILED_TO_FOLLOW_SUIT, FindingCode.FAILED_TO_TRUMP)


@st.composite
def rounds(draw: st.DrawFn) -> tuple[Card, tuple[Card, ...], dict[int, Player]]:
    """Draw a whist round of one to three seats, each of which may lay any card."""
    deck = list(draw(st.permutations(PACK)))
    trump, dealer = deck.pop(), tuple(deck.pop() for _ in range(3))
    players = {}
    for number in draw(st.sets(st.integers(1, 6), min_size=1, max_size=3)):
        held, plays = [deck.pop() for _ in range(3)], []
        careful = draw(st.booleans())
        for lead in dealer:
            allowed = legal_cards(held, lead.suit, trump.suit) if careful else held
            card = draw(st.sampled_from(list(allowed)))
            held.remove(card)
            plays.append(card)
        folds = draw(st.integers(0, 5)) == 0
        wagers = {Wager.ANTE: 1000, Wager.PLAY: 1000} if draw(st.booleans()) else {}
        paid = {wager: draw(st.sampled_from([-1000, 0, 1000, 3000])) for wager in wagers}
        if folds:
            wagers.pop(Wager.PLAY, None)
        laid = () if folds else tuple(plays)
        players[number] = Player(laid, wagers, paid, draw(st.booleans()))
    return trump, dealer, players


@st.composite
def spoiled(draw: st.DrawFn, sightings: list[Sighting]) -> list[Sighting]:
    """Draw what may come of sightings on their way: lost, doubled, unread, late, out of order.

    Of the cards that come up, those of the dealer or those of the seats are lost, not both: where
    a lead and the answer to another are both missed, what is left looks whole, and nothing in it
    can tell.
    """
    kept = draw(st.sampled_from([(Area.DEALER,), (Area.HAND, Area.PLAYED)]))
    fates = st.sampled_from(["kept"] * 8 + ["lost", "doubled", "again", "unread", "swapped", "gap"])
    found: list[Sighting] = []
    for sighting in sightings:
        match draw(fates):
            case "lost" if not _is_face(sighting.event, kept):
                continue
            case "doubled":
                found += [sighting, sighting]
            case "again":
                found += [sighting, replace(sighting, at=sighting.at + 0.1)]
            case "unread":
                found.append(replace(sighting, event=_unread(sighting.event)))
            case "swapped" if found:
                found.insert(len(found) - 1, sighting)
            case "gap":
                lost = Sighting(FeedLost("covered"), sighting.at)
                found += [lost, replace(lost, event=FeedBack())]
            case _:
                found.append(sighting)
    return found


def _is_face(event: TableEvent, areas: tuple[Area, ...]) -> bool:
    is_up = isinstance(event, CardPlaced | CardTurned) and event.card is not None
    return is_up and event.spot.area in areas  # type: ignore[union-attr]


def _unread(event: TableEvent) -> TableEvent:
    if isinstance(event, CardPlaced | CardTurned) and event.card is not None:
        return replace(event, card=UNREADABLE)
    return event


def truly_broken(
    trump: Card, dealer: tuple[Card, ...], player: Player, lead: Card | None, played: Card | None
) -> bool:
    """Return whether a seat did break its duty when it answered a card with another."""
    if lead not in dealer or not player.plays:
        return False
    held = player.plays[dealer.index(lead) :]
    is_the_play = played in (None, held[0])  # None: the breach is sure, but not by which card
    return is_the_play and held[0] not in legal_cards(held, lead.suit, trump.suit)


@given(st.data(), rounds())
def test_no_breach_is_told_that_did_not_happen(
    data: st.DataObject, drawn: tuple[Card, tuple[Card, ...], dict[int, Player]]
) -> None:
    trump, dealer, players = drawn
    sightings = clock(whist_round(trump, dealer, players))
    for found in read(data.draw(spoiled(sightings)), Setting(WHIST)):
        if isinstance(found, LiveFinding) and found.finding.code in BREACHES:
            one = found.finding
            player = players[one.seat or 0]
            assert truly_broken(trump, dealer, player, one.lead, one.played)


@given(rounds())
def test_live_findings_equal_those_of_the_record(
    drawn: tuple[Card, tuple[Card, ...], dict[int, Player]],
) -> None:
    found = list(read(clock(whist_round(*drawn)), Setting(WHIST)))
    alerts = [one.finding for one in found if isinstance(one, LiveFinding)]
    (over,) = [one for one in found if isinstance(one, FinishedRound)]
    assert judge(over.record) == over.result
    assert record_from_json(record_to_json(over.record)) == over.record
    live, final = {one.key for one in alerts}, {one.key for one in over.result.findings}
    assert len(live) == len(alerts)
    assert final <= live
    # A trump that proved a breach may be followed by the suit led, which was the graver duty.
    graver = {(one.seat, one.trick) for one in over.result.findings if one.code is BREACHES[0]}
    superseded = [one for one in alerts if one.key not in final]
    assert all(one.code is BREACHES[1] and (one.seat, one.trick) in graver for one in superseded)


@given(rounds())
def test_every_breach_is_told_in_a_round_wholly_seen(
    drawn: tuple[Card, tuple[Card, ...], dict[int, Player]],
) -> None:
    trump, dealer, players = drawn
    found = list(read(clock(whist_round(trump, dealer, players)), Setting(WHIST)))
    (over,) = [one for one in found if isinstance(one, FinishedRound)]
    told = {(one.seat, one.lead) for one in over.result.findings if one.code in BREACHES}
    for number, player in players.items():
        for lead, played in zip(dealer, player.plays, strict=False):
            broken = truly_broken(trump, dealer, player, lead, played)
            assert broken == ((number, lead) in told)


seats = st.sampled_from(SEATS)
spots = st.builds(
    lambda area, seat: Spot(
        area, None if area in (Area.DEALER, Area.TRUMP, Area.DISCARD) else seat
    ),
    st.sampled_from([Area.DEALER, Area.DEALER, Area.TRUMP, *[Area.HAND] * 4, Area.PLAYED, *Area]),
    st.sampled_from(SEATS[:2]),
)
known = st.sampled_from(PACK[:8] + PACK[13:18])
faces: st.SearchStrategy[Face] = st.one_of(st.none(), st.none(), st.just(UNREADABLE), known)
up = st.one_of(st.just(UNREADABLE), known)
wagers = st.sampled_from(list(Wager))
amounts = st.sampled_from([Cents(0), Cents(500), Cents(1000), Cents(-1000)])
events: st.SearchStrategy[TableEvent] = st.one_of(
    st.builds(CardPlaced, spots, faces),
    st.builds(CardTurned, spots, up),
    st.builds(CardHidden, spots, faces),
    st.builds(CardMoved, spots, spots, faces),
    st.builds(CardRemoved, spots, faces),
    st.builds(SpotCleared, spots),
    st.builds(WagerPlaced, seats, wagers, amounts),
    st.builds(PayoutMade, seats, wagers, amounts),
    st.builds(DecisionMade, seats, st.sampled_from(list(Decision))),
    st.builds(FeedLost, st.just("covered")),
    st.just(FeedBack()),
)


class AnyTable(RuleBasedStateMachine):
    """A table at which anything may be seen: lost, told twice, out of order, contradictory."""

    def __init__(self) -> None:
        super().__init__()
        self.reader = Reader(Setting(self.game), Naming())
        self.at = 0.0
        self.told: list[object] = []
        self.last = Sighting(FeedBack(), 0.0)

    game: AnyGame = WHIST

    def take(self, found: Iterator[LiveFinding | FinishedRound]) -> None:
        for one in found:
            if isinstance(one, FinishedRound):
                assert all(final.key in self.told for final in one.result.findings)
                assert record_from_json(record_to_json(one.record)) == one.record
                self.told.clear()
            else:
                assert one.finding.key not in self.told
                assert is_proved(one.finding, self.reader.round.trump, self.game)
                self.told.append(one.finding.key)

    def saw(self, event: TableEvent, step: float) -> None:
        self.at += step
        self.last = Sighting(event, self.at)
        self.take(self.reader.see(self.last))

    @rule(event=events, step=st.sampled_from([0.5, 0.5, 0.0, -1.0, 20.0]))
    def see(self, event: TableEvent, step: float) -> None:
        self.saw(event, step)

    @rule(later=st.sampled_from([0.0, 0.1]))
    def see_once_more(self, later: float) -> None:
        self.take(self.reader.see(replace(self.last, at=self.last.at + later)))

    @rule(seat=st.sampled_from(SEATS[:2]), trump=known)
    def deal(self, seat: Seat, trump: Card) -> None:
        dealt = [CardPlaced(Spot(Area.HAND, seat), None), CardPlaced(Spot(Area.DEALER), None)] * 3
        for event in (*dealt, CardPlaced(Spot(Area.TRUMP), trump)):
            self.saw(event, 0.5)

    @rule(seat=st.sampled_from(SEATS[:2]), lead=known, answer=known)
    def play_a_trick(self, seat: Seat, lead: Card, answer: Card) -> None:
        self.saw(CardTurned(Spot(Area.DEALER), lead), 0.5)
        self.saw(CardTurned(Spot(Area.HAND, seat), answer), 0.5)

    @rule()
    def close(self) -> None:
        self.take(self.reader.close(self.at))

    @invariant()
    def the_phase_is_one_that_can_be_read_on(self) -> None:
        assert self.reader.round.setting.game is self.game
        assert not self.reader.round.finished


def is_proved(finding: Finding, trump: Face, game: AnyGame) -> bool:
    """Return whether a breach shows the very card that should have been played, and is of whist."""
    if finding.code not in BREACHES:
        return True
    due = finding.lead.suit if finding.lead else None
    if finding.code is FindingCode.FAILED_TO_TRUMP:
        due = trump.suit if isinstance(trump, Card) else None
    kept = [card.suit for card in finding.held if card is not finding.played]
    return game is WHIST and due is not None and due in kept and finding.proved_by is not None


class AnyRummyTable(AnyTable):
    """The same at a table of Vegas Three Card Rummy."""

    game = RUMMY


class AnyPokerTable(AnyTable):
    """The same at a table of Tri Card Poker."""

    game = TRI_CARD


AnyRummyTable.TestCase.settings = settings(stateful_step_count=25, max_examples=25)
AnyPokerTable.TestCase.settings = settings(stateful_step_count=20, max_examples=10)
TestAnyRummyTable = AnyRummyTable.TestCase
TestAnyPokerTable = AnyPokerTable.TestCase
AnyTable.TestCase.settings = settings(stateful_step_count=25)
TestAnyTable = AnyTable.TestCase


@given(st.sampled_from(sorted(GAMES)), st.lists(events, max_size=25))
def test_every_game_takes_any_events_without_failing(game: str, seen: list[TableEvent]) -> None:
    for found in read(clock(iter(seen)), Setting(GAMES[game])):
        if isinstance(found, FinishedRound):
            assert found.result.outcome is judge(found.record).outcome
