"""The law: what was seen is in the record before it is told, once, however watching ends."""

import json
from collections.abc import Generator, Iterator, Mapping
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from audit.alerts import OPEN_STATES
from audit.chain import EntryKind
from audit.courier import Courier
from audit.payouts import FeedNote
from audit.settings import Settings as ProductSettings
from audit.spool import Spool, spool_file
from audit.store import AlertQuery, Store, open_store
from audit.tables import TableStart
from audit.verify import Outside, verify
from audit.watch.feeds import FileFeed, RecordFeed, read_feed
from audit.watch.follow import Moment, Table, follow
from audit.watch.naming import rounds_of
from audit.watch.recording import Recording
from rules.cards import Card
from rules.events import Cents, Seat, Sighting, Wager, WagerPlaced
from rules.games import GAMES
from rules.round_state import Setting
from tests.prepared import lay_down
from tests.vision.stage import Actor, At, ColourSight, Play, layout
from vision.frames import Frame, FrameSource, SourceItem

NOON = datetime(2026, 11, 30, 12, tzinfo=UTC)


def dealt(card: str, at: tuple[float, float, float], *turns: At) -> Actor:
    """A card that is dealt face down at (time, x, y), then does what its turns say."""
    t, x, y = at
    return Actor(Card.parse(card), (At(t, x, y), *turns), until=8.0)


def played(card: str, at: tuple[float, float, float], when: float) -> Actor:
    """A card that is turned in place."""
    return dealt(card, at, At(when, at[1], at[2], up=True))


def round_with_a_revoke() -> Play:
    """Seat 1 answers the heart with a spade, and holds a heart that it plays last."""
    seat = [("9S", 3.2), ("4C", 5.0), ("5H", 6.8)]
    dealer = [("6H", 2.4), ("8C", 4.2), ("KD", 6.0)]
    cards = [
        played(card, (0.4 + 0.2 * n, 80.0 + 60 * n, 390.0), when)
        for n, (card, when) in enumerate(seat)
    ]
    cards += [
        played(card, (0.6 + 0.2 * n, 260.0 + 60 * n, 65.0), when)
        for n, (card, when) in enumerate(dealer)
    ]
    cards.append(Actor(Card.parse("2S"), (At(1.4, 480.0, 65.0, up=True),), until=8.0))
    return Play(cards, seconds=9.0, fps=12.5)


@pytest.fixture
def settings(tmp_path: Path) -> ProductSettings:
    return ProductSettings(data_dir=tmp_path / "data")


@pytest.fixture
def store(settings: ProductSettings) -> Iterator[Store]:
    lay_down(settings.database_url)
    opened = open_store(settings.database_url, settings.data_dir)
    yield opened
    opened.close()


@dataclass(frozen=True)
class Slow:
    """A recording at its own pace on a machine that is late at some of its frames."""

    play: Play
    late_s: Mapping[int, float]
    name: str = "slow"
    live: bool = False
    fps: float | None = None
    duration: float | None = None

    def __iter__(self) -> Iterator[SourceItem]:
        late = 0.0
        for item in self.play:
            assert isinstance(item, Frame)
            late = 0.0 if item.index == 8 else self.late_s.get(item.index, late)
            yield replace(item, late_s=late)


def table(store: Store, play: FrameSource) -> Table:
    setting = Setting(GAMES["three-card-whist"], table="T1")
    names = rounds_of("T1", store, now=NOON, live=False)
    ante = Sighting(WagerPlaced(Seat(1), Wager.ANTE, Cents(1000)), 0.1)
    return Table(play, layout(), ColourSight(), setting, names, FileFeed([ante]))


def recorded(
    store: Store, settings: ProductSettings, play: FrameSource
) -> Generator[Moment, None, None]:
    """Follow a play and record it, as the command does."""
    start = TableStart("three-card-whist", "make-believe")
    spool = Spool(spool_file(settings.data_dir, "T1"))
    with Courier(store, spool, "T1") as courier:
        followed = follow(table(store, play))
        yield from Recording(courier, settings, "T1", start, NOON).keep(followed)


@dataclass(frozen=True, slots=True)
class Present:
    """A record that is not away."""

    store: Store


def kinds(store: Store) -> list[EntryKind]:
    return [entry.kind for entry in store.entries_after(table="T1", limit=1000)]


def test_a_revoke_becomes_one_alert_and_one_round(store: Store, settings: ProductSettings) -> None:
    list(recorded(store, settings, round_with_a_revoke()))
    alerts = store.alerts(AlertQuery(states=OPEN_STATES))
    assert [(alert.code, alert.seat, alert.trick) for alert in alerts] == [
        ("failed-to-follow-suit", 1, 1)
    ]
    rounds = store.rounds("T1")
    assert [(known.round, known.outcome) for known in rounds] == [
        ("T1-20261130-0001", "reconstruct")
    ]
    assert rounds[0].record["seats"]["1"]["plays"] == ["9S", "4C", "5H"]
    assert kinds(store).count(EntryKind.FINDING_RAISED) == 1


def test_a_watcher_that_falls_behind_says_so_in_record_log_and_state(
    store: Store, settings: ProductSettings, capsys: pytest.CaptureFixture[str]
) -> None:
    play = Slow(Play([], seconds=1.0, fps=10.0), {3: 2.6, 4: 3.0, 7: 6.2})
    states = [
        (store.table("T1").late_s, moment.lag is not None)
        for moment in recorded(store, settings, play)
    ]
    assert [late for late, news in states if news] == [3, 6, 0]
    kind = [EntryKind.TABLE_BEHIND, EntryKind.TABLE_CAUGHT_UP]
    noted = store.entries_after(table="T1", kinds=kind)
    assert [(entry.body.get("late_s"), entry.at) for entry in noted] == [
        (3, NOON + timedelta(seconds=0.3)),
        (6, NOON + timedelta(seconds=0.7)),
        (None, NOON + timedelta(seconds=0.8)),
    ]
    assert "".join(capsys.readouterr()).count("watch.behind") == 2
    assert verify(store, Outside(data_dir=settings.data_dir)).fault is None


def test_every_moment_is_recorded_before_it_is_told(
    store: Store, settings: ProductSettings
) -> None:
    for moment in recorded(store, settings, round_with_a_revoke()):
        if moment.step.findings:
            assert EntryKind.FINDING_RAISED in kinds(store)
            return
    pytest.fail("nothing was found")


def test_watching_that_is_broken_off_is_closed_and_sealed(
    store: Store, settings: ProductSettings
) -> None:
    moments = recorded(store, settings, round_with_a_revoke())
    for _ in range(60):
        next(moments)
    moments.close()
    assert kinds(store)[-1] is EntryKind.TABLE_STOPPED
    held = verify(store, Outside(data_dir=settings.data_dir))
    assert held.fault is None
    assert held.sealed == held.entries


def test_the_next_watching_goes_on_with_the_numbers_of_the_day(
    store: Store, settings: ProductSettings
) -> None:
    for _ in range(2):
        list(recorded(store, settings, round_with_a_revoke()))
    assert [known.round for known in store.rounds("T1")] == [
        "T1-20261130-0002",
        "T1-20261130-0001",
    ]
    assert rounds_of("T1", store, now=NOON.replace(day=29), live=False).round_id(1).endswith("0001")


def test_the_live_picture_is_left_whole(store: Store, settings: ProductSettings) -> None:
    moments = recorded(store, settings, round_with_a_revoke())
    next(moments)
    jpeg = (settings.live_dir / "T1.jpg").read_bytes()
    moments.close()
    assert jpeg.startswith(b"\xff\xd8")
    assert jpeg.endswith(b"\xff\xd9")


def test_a_live_round_is_dated_and_a_recording_is_not() -> None:
    live = rounds_of("T1", None, now=NOON, live=True)
    assert live.started(NOON.timestamp() + 0.25) == "2026-11-30T12:00:00.250Z"
    assert rounds_of("T1", None, now=NOON, live=False).started(1.0) is None


def test_what_comes_over_the_network_is_judged_and_not_recorded_twice(
    store: Store,
) -> None:
    feed = RecordFeed(Present(store), "T1")
    store.record_wager("T1", FeedNote(1, "ante", 500), at=NOON)
    reports = list(feed.until(0.0))
    assert [(report.sighting.event, report.recorded) for report in reports] == [
        (WagerPlaced(Seat(1), Wager.ANTE, Cents(500)), True)
    ]
    assert list(feed.until(0.0)) == []


def test_a_feed_is_given_in_order_and_once(tmp_path: Path) -> None:
    path = tmp_path / "feed.jsonl"
    lines = [{"at": at, "kind": "decision", "seat": 1, "decision": "fold"} for at in (3, 1, 2)]
    path.write_text("\n".join(json.dumps(line) for line in lines))
    feed = read_feed(path, GAMES["three-card-whist"])
    assert [report.sighting.at for report in feed.until(2.0)] == [1.0, 2.0]
    assert [report.sighting.at for report in feed.until(9.0)] == [3.0]
