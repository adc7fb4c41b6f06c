"""The law: time counts as watched only as far as the record proves it, and what was not seen is
said first."""

from datetime import UTC, datetime, timedelta

from audit.reports.coverage import CoverageLine, watched
from audit.reports.drawing import draw
from audit.reports.kinds import ReportKind
from audit.store.reporting import Window, snapshot
from audit.tables import TableStart
from rules.events import FeedBack, FeedLost, Sighting
from tests.audit.record_builders import see, start_table, stop_table
from tests.reports.conftest import Desk

NOON = datetime(2026, 11, 10, 12, 0, tzinfo=UTC)
START = TableStart("three-card-whist", "camera")


def at(minutes: float) -> datetime:
    return NOON + timedelta(minutes=minutes)


def seen(desk: Desk, since: float, until: float) -> CoverageLine:
    with snapshot(desk.store.engine) as now:
        (line,) = watched(now, Window(at(since), at(until))).tables
    return line


def lose(desk: Desk, since: float, until: float | None) -> None:
    see(desk.store, "T1", [Sighting(FeedLost("dark"), at(since).timestamp())])
    if until is not None:
        see(desk.store, "T1", [Sighting(FeedBack(), at(until).timestamp())])


def parts(line: CoverageLine) -> tuple[float, ...]:
    return tuple(
        seconds / 60 for seconds in (line.not_watched, line.unknown, line.unseen, line.seen)
    )


def test_a_watcher_that_ended_in_good_order_is_counted_to_the_second(desk: Desk) -> None:
    start_table(desk.store, "T1", START, at=at(0))
    lose(desk, 10, 15)
    lose(desk, 20, 21)
    stop_table(desk.store, "T1", at=at(60))
    assert parts(seen(desk, -30, 90)) == (60, 0, 6, 54)
    assert parts(seen(desk, 12, 30)) == (0, 0, 4, 14)  # cut at both ends
    assert seen(desk, 12, 30).gaps == 2


def test_a_watcher_that_was_killed_counts_as_watching_up_to_its_last_entry_only(
    desk: Desk,
) -> None:
    start_table(desk.store, "T1", START, at=at(0))
    lose(desk, 10, 11)
    assert parts(seen(desk, 0, 60)) == (0, 49, 1, 10)
    start_table(desk.store, "T1", START, at=at(40))
    stop_table(desk.store, "T1", at=at(60))
    assert parts(seen(desk, 0, 60)) == (29, 0, 1, 30)  # now the record knows since when


def test_a_loss_that_lasts_is_no_picture_and_not_counted_twice(desk: Desk) -> None:
    start_table(desk.store, "T1", START, at=at(0))
    lose(desk, 30, None)
    lose(desk, 35, None)  # told again: the same gap goes on
    stop_table(desk.store, "T1", at=at(60))
    assert parts(seen(desk, 0, 60)) == (0, 0, 30, 30)


def test_what_was_not_seen_is_the_first_thing_that_a_report_says(desk: Desk) -> None:
    for kind in (ReportKind.AUDIT, ReportKind.COVERAGE, ReportKind.MISDEALS):
        request = desk.order(kind).request
        with snapshot(desk.store.engine) as now:
            notices = draw(now, request, desk.house, datetime.now(UTC)).notices
        assert notices[0].grave
        assert "No table was watched" in notices[0].text
