"""Law: folders and the log only ever grow, and their numbers have no holes."""

import threading
from collections.abc import Callable

import pytest

from audit.cases import CaseKind, CaseOutcome, CaseState, CaseTopic, LinkKind, NewCase
from audit.chain import EntryKind
from audit.errors import ChainError, NotInRecord, RecordConflict
from audit.logbook import LogNote
from audit.store import Link, Store
from audit.store.asking_desk import CaseQuery, LogQuery
from audit.verify import verify
from tests.audit.conftest import OpenStore
from tests.audit.record_builders import NOW, finding, judged, later, proved, record_round

DISPUTE = NewCase(
    "Bonus not paid", CaseKind.DISPUTE, CaseTopic.PAYOUT, "T1", NOW, patron="seat 3", note="angry"
)
LINE = LogNote(NOW, "Kim", "Chip dropped", "T1, seat 2", "T1 camera 05:33", "returned")


def test_a_dispute_has_its_own_file_from_opening_to_outcome(store: Store) -> None:
    store.record_finding("T1", proved(), anchor=NOW)
    record_round(store, "T1", judged(), anchor=NOW)
    links = (Link(LinkKind.ALERT, "1"), Link(LinkKind.ROUND, "T1-1"))
    case = store.open_case(DISPUTE, links, user="kim", at=later(10))
    assert (case.number, case.kind, case.occurred) == (1, CaseKind.DISPUTE, NOW)
    store.note_case(1, "The replay shows a pair.", user="lee", at=later(20))
    store.link_case(1, links[0], user="lee", at=later(21))  # it points there already
    store.link_case(1, Link(LinkKind.BUNDLE, "T1-1.zip"), user="lee", at=later(22))
    store.assign_case(1, "lee", user="kim", at=later(23))
    with pytest.raises(RecordConflict, match="expected one of for-house, for-patron"):
        store.close_case(1, CaseOutcome.CONFIRMED, user="lee")
    store.close_case(1, CaseOutcome.FOR_PATRON, user="lee", note="paid 50.00", at=later(30))
    closed = store.note_case(1, "The patron was told.", user="kim", at=later(40))
    assert (closed.state, closed.outcome, closed.closed) == (
        CaseState.CLOSED,
        CaseOutcome.FOR_PATRON,
        later(30),
    )
    assert (closed.notes, closed.links, closed.assignee) == (4, 3, "lee")
    told = [(act.user, act.act, act.detail, act.note) for act in store.case_acts(1)]
    assert told == [
        ("kim", "opened", "", "angry"),
        ("kim", "linked", "alert 1", ""),
        ("kim", "linked", "round T1-1", ""),
        ("lee", "noted", "", "The replay shows a pair."),
        ("lee", "linked", "bundle T1-1.zip", ""),
        ("kim", "assigned", "lee", ""),
        ("lee", "closed", "for-patron", "paid 50.00"),
        ("kim", "noted", "", "The patron was told."),
    ]
    assert [found.number for found in store.cases_of(LinkKind.ROUND, "T1-1")] == [1]
    store.reopen_case(1, "new picture", user="kim")
    assert store.cases(CaseQuery(state=CaseState.CLOSED)) == []
    assert verify(store).holds


@pytest.mark.parametrize(
    ("link", "error"),
    [
        (Link(LinkKind.ALERT, "9"), NotInRecord),
        (Link(LinkKind.ROUND, "T9-1"), NotInRecord),
        (Link(LinkKind.CASE, "1"), NotInRecord),  # itself
        (Link(LinkKind.LOG, "007"), ChainError),
        (Link(LinkKind.ENTRY, "99999999999999999999"), ChainError),
    ],
)
def test_a_folder_points_only_at_what_is_there_or_is_not_opened(
    store: Store, link: Link, error: type[Exception]
) -> None:
    with pytest.raises(error):
        store.open_case(DISPUTE, (link,), user="kim")
    assert store.cases() == []
    assert store.open_case(DISPUTE, user="kim").number == 1


def test_a_log_line_stays_and_is_put_right_by_another(store: Store) -> None:
    store.write_log(LINE, user="kim", at=later(1))
    right = LogNote(NOW, "Kim", "Two chips dropped", "T1, seat 2", corrects=1)
    store.write_log(right, user="kim", at=later(2))
    second, first = store.log_lines()
    assert (first.summary, first.corrected_by, first.recording) == (
        "Chip dropped",
        2,
        "T1 camera 05:33",
    )
    assert (second.summary, second.corrects) == ("Two chips dropped", 1)
    with pytest.raises(RecordConflict, match="put right by line 2"):
        store.write_log(right, user="kim")
    with pytest.raises(NotInRecord, match="no alert 4"):
        store.write_log(LogNote(NOW, "Kim", "x", "T1", alert=4), user="kim")
    assert store.log_lines(LogQuery(until=NOW)) == []
    assert verify(store).holds


class Interrupted(Exception):  # noqa: N818  # what ends a transaction in the middle
    pass


def rolled_back(store: Store, act: Callable[[Store], object]) -> None:
    """Do an act whose transaction ends before it is committed."""
    from audit.store.unit import Unit  # noqa: PLC0415

    append = Unit.append

    def broken(self: Unit, kind: EntryKind, *rest: object) -> object:
        append(self, kind, *rest)  # type: ignore[arg-type]  # passed on as they came
        raise Interrupted

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(Unit, "append", broken)
        with pytest.raises(Interrupted):
            act(store)


NUMBERED: dict[str, Callable[[Store, int], object]] = {
    "alert": lambda store, n: store.record_finding(
        f"T{n % 3}", proved(seat=1 + n // 100, trick=n), anchor=NOW
    ),
    "case": lambda store, _: store.open_case(DISPUTE, user="kim"),
    "log": lambda store, _: store.write_log(LINE, user="kim"),
}


def test_numbers_have_no_holes_with_many_writers_and_acts_taken_back(
    store: Store, opened: OpenStore
) -> None:
    for act in NUMBERED.values():
        rolled_back(store, lambda one, act=act: act(one, 900))  # type: ignore[misc]  # bound now

    def write(worker: int) -> None:
        mine = opened()
        for step in range(4):
            for act in NUMBERED.values():
                act(mine, 100 * worker + step)

    threads = [threading.Thread(target=write, args=(worker,)) for worker in range(5)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    wanted = list(range(20, 0, -1))
    assert [alert.number for alert in store.alerts()] == wanted
    assert [case.number for case in store.cases()] == wanted
    assert [line.number for line in store.log_lines()] == wanted
    assert finding()["code"] == store.alert(1).code
    assert verify(store).holds
