"""The law: the page's board stands where the watcher's own reader stands, entry by entry."""

from collections.abc import Iterator
from dataclasses import replace

import pytest

from audit.store import JudgedRound, ProvedFinding, Step, Store
from audit.tables import TableStart
from audit.web.board import Board, Phase
from audit.web.desk import Desk
from rules.check import finding_to_json, result_to_json
from rules.events import (
    CardMoved,
    Cents,
    PayoutMade,
    Seat,
    Sighting,
    SpotCleared,
    TableEvent,
    Wager,
)
from rules.games.whist import WHIST
from rules.reader import FinishedRound, Naming, Reader
from rules.record_json import record_to_json
from rules.round import LiveFinding, judge_round
from rules.round_state import Setting
from tests.audit.record_builders import start_table
from tests.web import samples


def sweep() -> Iterator[TableEvent]:
    """Pay, and take every card away."""
    for seat in (1, 2):
        for wager in (Wager.ANTE, Wager.PLAY):
            yield PayoutMade(Seat(seat), wager, Cents(1000))
    for name in ("seat-1.play", "seat-2.play", "dealer", "trump"):
        yield SpotCleared(samples.spot(name))


def session() -> list[Sighting]:
    """Three rounds, one after the other; the third is still going on."""
    events = [*samples.tricks(), *sweep(), *samples.tricks(), *sweep(), *samples.deal()]
    return [Sighting(event, at=float(second)) for second, event in enumerate(events)]


def watch(store: Store, sightings: list[Sighting]) -> Iterator[Reader]:
    """Record what a watcher records, and give its reader after every step."""
    naming = Naming(round_id=lambda number: f"T1-{number:04}")
    reader = Reader(Setting(WHIST, table="T1"), naming)
    for sighting in sightings:
        step = Step(sightings=(sighting,))
        for told in reader.see(sighting):
            match told:
                case LiveFinding(finding, at, _):
                    shown = finding_to_json(finding, WHIST.name)
                    proved = ProvedFinding(shown, at, reader.round.name)
                    step = replace(step, findings=(*step.findings, proved))
                case FinishedRound(record, result, at):
                    judged = JudgedRound(record_to_json(record), result_to_json(result), at)
                    step = replace(step, rounds=(*step.rounds, judged))
        store.record("T1", step, anchor=samples.START)
        yield reader


def cards_of(record: dict[str, object]) -> dict[str, object]:
    """What lies on the table, without the round's name, which only the watcher knows."""
    return {name: value for name, value in record.items() if name != "round"}


@pytest.mark.parametrize("out_of_sight_s", [None, 2.5])
def test_the_board_shows_what_the_reader_sees_after_every_entry(
    store: Store, out_of_sight_s: float | None
) -> None:
    samples.start_table(store)
    board = Board("T1", WHIST.name)
    seen = session()
    if out_of_sight_s is not None:
        seen = [replace(each, since=each.at - out_of_sight_s) for each in seen]
    for reader in watch(store, seen):
        board.take(store.entries_after(board.last_id, table="T1", limit=1000))
        record, _ = judge_round(reader.round)
        shown, _ = board.judged()
        assert cards_of(shown) == cards_of(record_to_json(record))


@pytest.mark.parametrize("done", [24, 62])
def test_a_board_that_begins_late_stands_where_one_stands_that_was_there_all_along(
    store: Store, done: int
) -> None:
    samples.start_table(store)
    early = Desk(store)
    for _ in watch(store, session()[:done]):
        early.tile("T1")
    late = Desk(store)
    assert late.tile("T1") == early.tile("T1")


def test_a_round_that_ends_with_the_recording_is_not_shown_as_going_on(store: Store) -> None:
    samples.start_table(store)
    for reader in watch(store, session()[: len(samples.tricks())]):
        last = reader
    for told in last.close(99.0):
        if isinstance(told, FinishedRound):
            judged = JudgedRound(record_to_json(told.record), result_to_json(told.result), 99.0)
            store.record("T1", Step(rounds=(judged,)), anchor=samples.START)
    tile = Desk(store).tile("T1")
    assert tile.phase is Phase.OVER
    assert tile.view is not None
    assert tile.view.round == "T1-0001"


def test_the_phase_follows_the_round(store: Store) -> None:
    samples.start_table(store)
    desk = Desk(store)
    seen: list[Phase] = []
    for _ in watch(store, session()[: len(samples.tricks())]):
        phase = desk.tile("T1").phase
        if not seen or seen[-1] is not phase:
            seen.append(phase)
    assert seen == [
        Phase.BETTING,
        Phase.DEALING,
        Phase.DECIDING,
        Phase.PLAYING,
        Phase.SETTLING,
    ]


def test_an_unknown_game_still_has_a_tile(store: Store) -> None:
    start_table(store, "T1", TableStart("snap", "clip.mp4"), at=samples.START)
    samples.see(store, samples.deal())
    tile = Desk(store).tile("T1")
    assert (tile.game, tile.phase, tile.view) == ("snap", Phase.IDLE, None)


def test_a_hand_that_goes_to_the_discard_is_shown_as_folded(store: Store) -> None:
    samples.start_table(store)
    fold = CardMoved(samples.spot("seat-2"), samples.spot("discard"), None)
    samples.see(store, [*samples.deal(), fold, fold, fold, samples.lead("6D")])
    tile = Desk(store).tile("T1")
    assert tile.view is not None
    assert [seat.decision for seat in tile.view.seats] == [None, "fold"]
    assert tile.awaited == (1,)
