"""Law: a search gives exactly what fits, newest first; its pages neither lose nor repeat a row."""

from dataclasses import replace
from typing import Any

import pytest

from audit.chain import EntryKind
from audit.store import (
    Amount,
    EntrySearch,
    JudgedRound,
    LineKey,
    PayoutSearch,
    RoundSearch,
    Step,
    Store,
)
from audit.verify import verify
from tests.audit.record_builders import NOW, START, later, start_table

ROUNDS = 7


def round_of(number: int) -> JudgedRound:
    """A round in which every figure follows from its number."""
    card = "23456789TJQKA"[number] + "H"
    record: dict[str, Any] = {
        "round": f"T{1 + number % 2}-{number}",
        "game": "three-card-whist",
        "trump": card,
        "dealer": ["KD", None],
        "seats": {
            str(1 + number % 3): {
                "wagers": {"ante": 1000 + number, "play": 500},
                "plays": ["9S", None],
                "paid": {"ante": -1000 - number, "play": 700},
            }
        },
    }
    seat = {"due": {"ante": -1000 - number, "play": 500 if number == 4 else 700}}
    found = [{"code": "overpaid", "severity": "medium"}] if number == 4 else []
    seats = {str(1 + number % 3): seat}
    result = {"outcome": "void" if number == 5 else "complete", "seats": seats, "findings": found}
    return JudgedRound(record, result, at=float(number))


@pytest.fixture
def filled(store: Store) -> Store:
    for table in ("T1", "T2"):
        start_table(store, table, START, at=NOW)
    for number in range(ROUNDS):
        judged = round_of(number)
        store.record(f"T{1 + number % 2}", Step(rounds=(judged,)), anchor=NOW)
    return store


def numbers(store: Store, asked: RoundSearch) -> list[int]:
    return [int(found.round.split("-")[1]) for found in store.search_rounds(asked)]


ROUND_SEARCHES: list[tuple[RoundSearch, list[int]]] = [
    (RoundSearch(), [6, 5, 4, 3, 2, 1, 0]),
    (RoundSearch(table="T2"), [5, 3, 1]),
    (RoundSearch(seat=2), [4, 1]),
    (RoundSearch(cards=("4H",)), [2]),
    (RoundSearch(cards=("KD", "9S")), [6, 5, 4, 3, 2, 1, 0]),
    (RoundSearch(cards=("4H", "5H")), []),  # all of them, not one of them
    (RoundSearch(finding="overpaid"), [4]),
    (RoundSearch(finding="over"), []),
    (RoundSearch(finding="%"), []),
    (RoundSearch(flagged=True), [4]),
    (RoundSearch(outcome="void"), [5]),
    (RoundSearch(amount=1003), [3]),
    (RoundSearch(amount=-1003), [3]),
    (RoundSearch(amount=200), [4]),  # the difference
    (RoundSearch(amount=100), []),  # part of a longer number
    (RoundSearch(amount=0), []),
    (RoundSearch(since=later(2), until=later(4)), [3, 2]),
    (RoundSearch(table="T1", seat=1, limit=1), [6]),
]


def test_rounds_are_found_by_what_is_in_them(filled: Store) -> None:
    for asked, expected in ROUND_SEARCHES:
        assert numbers(filled, asked) == expected, asked


def test_the_pages_of_a_search_follow_one_another(filled: Store) -> None:
    asked, seen = RoundSearch(limit=3), []
    while page := filled.search_rounds(asked):
        seen += [found.round for found in page]
        asked = replace(asked, before=page[-1].entry)
    assert seen == [found.round for found in filled.search_rounds(RoundSearch())]
    for whole in (PayoutSearch(), PayoutSearch(until=later(9))):
        lines, key, search = [], None, replace(whole, limit=3)
        while found := filled.search_payouts(replace(search, after=key)):
            lines += found
            key = LineKey(found[-1].entry, found[-1].seat, found[-1].wager)
        assert lines == filled.search_payouts(whole)
        assert len(lines) == 2 * ROUNDS


def test_a_narrowed_search_looks_through_so_many_rounds_a_page(
    filled: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("audit.store.searching.LOOKED_THROUGH", 3)
    assert filled.last_looked_at(RoundSearch()) is None
    for search in (RoundSearch(amount=1001), RoundSearch(amount=1001, until=later(9))):
        asked, found = search, []
        while (last := filled.last_looked_at(asked)) is not None:
            found.append(numbers(filled, replace(asked, down_to=last)))
            asked = replace(asked, before=last)
        assert [*found, numbers(filled, asked)] == [[], [1]], search


def test_a_narrowed_search_looks_through_so_many_payouts_a_page(
    filled: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("audit.store.searching.LINES_LOOKED_THROUGH", 4)
    for fast in (PayoutSearch(), PayoutSearch(amount=700), PayoutSearch(unsettled=True)):
        assert filled.last_line_looked_at(fast) is None
    odd = PayoutSearch(wager="play", seat=1)
    for search in (odd, replace(odd, until=later(9)), replace(odd, table="T1")):
        asked, found, pages = search, [], 1
        while (last := filled.last_line_looked_at(asked)) is not None:
            found += filled.search_payouts(replace(asked, down_to=last))
            asked, pages = replace(asked, after=LineKey(last, 7, "")), pages + 1
        assert found + filled.search_payouts(asked) == filled.search_payouts(search)
        assert pages > 1, search


def test_sums_without_times_are_those_of_the_newest_wagers(
    filled: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("audit.store.searching.SUMMED", 3)
    assert filled.last_summed(PayoutSearch(since=later(0))) is None
    assert filled.balance_of(PayoutSearch(since=later(0))).lines == 2 * ROUNDS
    assert filled.balance_of(PayoutSearch()).lines == 4


PAYOUT_SEARCHES: list[tuple[PayoutSearch, int]] = [
    (PayoutSearch(amount=700), ROUNDS),
    (PayoutSearch(amount=700, table="T1", seat=1, wager="play"), 2),
    (PayoutSearch(amount=1003, of=Amount.TAKEN), 1),
    (PayoutSearch(amount=1004, of=Amount.TAKEN, at_least=True), 3),
    (PayoutSearch(amount=1004, of=Amount.STAKED, at_least=True), 3),
    (PayoutSearch(amount=200, of=Amount.DIFFERENCE), 1),
    (PayoutSearch(amount=1, of=Amount.DIFFERENCE, at_least=True), 1),
    (PayoutSearch(unsettled=True), 1),
    (PayoutSearch(since=later(5)), 4),
    (PayoutSearch(until=later(1)), 2),
]


def test_payouts_are_found_by_amount(filled: Store) -> None:
    for asked, expected in PAYOUT_SEARCHES:
        assert len(filled.search_payouts(asked)) == expected, asked


def test_entries_are_found_by_chain_kind_and_time(filled: Store) -> None:
    newest = filled.search_entries(EntrySearch())
    assert [entry.id for entry in newest] == list(range(filled.last_id(), 0, -1))
    read = filled.search_entries(EntrySearch(chain="T2", kind=EntryKind.ROUND_READ))
    assert [entry.body["record"]["round"] for entry in read] == ["T2-5", "T2-3", "T2-1"]
    until = filled.search_entries(EntrySearch(until=later(2), limit=1))
    assert until[0].body["record"]["round"] == "T1-2"
    assert filled.search_entries(EntrySearch(before=newest[2].id, limit=1)) == [newest[3]]


def test_the_heads_of_all_chains_are_found_and_an_empty_record_has_none(filled: Store) -> None:
    heads = {head.chain: head.number for head in filled.chain_heads()}
    assert heads == {"T1": 1 + 4 + 1, "T2": 1 + 3, "system": 1}


def test_a_corrected_round_is_found_by_its_newest_version_alone(filled: Store) -> None:
    corrected = round_of(2)
    corrected.record["trump"] = "AS"
    filled.record("T1", Step(rounds=(corrected,)), anchor=NOW)
    assert numbers(filled, RoundSearch(cards=("4H",))) == []
    assert numbers(filled, RoundSearch(cards=("AS",))) == [2]
    assert numbers(filled, RoundSearch(limit=1)) == [2]
    assert verify(filled).holds
