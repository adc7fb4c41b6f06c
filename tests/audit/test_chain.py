"""Law: an entry's hash stands for all of it, and for all entries of its chain before it."""

import hashlib
from dataclasses import replace
from datetime import UTC, datetime, timedelta, timezone
from typing import Any

import pytest
import rfc8785
from hypothesis import given
from hypothesis import strategies as st

from audit.chain import (
    GENESIS,
    HASH_PREFIX,
    Entry,
    EntryKind,
    Head,
    canonical,
    head_of,
    holds,
    link,
    utc_moment,
    utc_text,
)
from audit.errors import AuditError, ChainError

values = st.recursive(
    st.none()
    | st.booleans()
    | st.integers(-(2**53) + 1, 2**53 - 1)
    | st.floats(-(2.0**53) + 1, 2.0**53 - 1)
    | st.text(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(), inner, max_size=3),
    max_leaves=8,
)
bodies = st.dictionaries(st.text(), values, max_size=4)
moments = st.datetimes(min_value=datetime(1000, 1, 1)).map(lambda at: at.replace(tzinfo=UTC))  # noqa: DTZ001
kinds = st.sampled_from(EntryKind)
START = Head("T1", 0, GENESIS)


@given(kinds, bodies, moments, st.integers(0, 2**40))
def test_the_hash_is_over_the_canonical_json_of_the_whole_entry(
    kind: EntryKind, body: dict[str, Any], at: datetime, number: int
) -> None:
    entry = link(Head("T1", number, GENESIS), kind, body, at)
    whole = rfc8785.dumps(
        {
            "chain": "T1",
            "number": number + 1,
            "at": utc_text(at),
            "kind": kind.value,
            "body": body,
            "previous": GENESIS,
        }
    )
    assert entry.hash == hashlib.sha256(HASH_PREFIX + whole).hexdigest()
    assert holds(entry)


@given(st.lists(st.tuples(kinds, bodies, moments), min_size=1, max_size=6))
def test_entries_linked_in_turn_number_themselves_and_hold(
    told: list[tuple[EntryKind, dict[str, Any], datetime]],
) -> None:
    head = START
    for place, (kind, body, at) in enumerate(told, start=1):
        entry = link(head, kind, body, at)
        assert (entry.number, entry.previous) == (place, head.hash)
        head = head_of(entry)


@given(bodies, bodies, moments)
def test_another_body_gives_another_hash(
    one: dict[str, Any], other: dict[str, Any], at: datetime
) -> None:
    first, second = (link(START, EntryKind.USER_ACTED, body, at) for body in (one, other))
    assert (first.hash == second.hash) == (canonical(one) == canonical(other))


ENTRY = link(START, EntryKind.USER_ACTED, {"user": "kim"}, datetime(2026, 11, 30, tzinfo=UTC))


@pytest.mark.parametrize(
    "changed",
    [
        replace(ENTRY, chain="T2"),
        replace(ENTRY, number=2),
        replace(ENTRY, at=ENTRY.at + timedelta(microseconds=1)),
        replace(ENTRY, kind=EntryKind.KEY_CREATED),
        replace(ENTRY, body={"user": "lee"}),
        replace(ENTRY, previous="1" + GENESIS[1:]),
    ],
    ids=["chain", "number", "time", "kind", "body", "previous"],
)
def test_a_change_of_any_part_is_noticed(changed: Entry) -> None:
    assert not holds(changed)


@given(moments)
def test_a_moment_survives_its_text(at: datetime) -> None:
    assert utc_moment(utc_text(at)) == at


def test_the_same_instant_in_another_zone_is_the_same_entry() -> None:
    seoul = datetime(2026, 11, 30, 9, tzinfo=timezone(timedelta(hours=9)))
    assert link(START, EntryKind.USER_ACTED, {"user": "kim"}, seoul).hash == ENTRY.hash


def test_a_time_without_a_zone_is_refused() -> None:
    naive = datetime(2026, 11, 30)  # noqa: DTZ001
    with pytest.raises(AuditError, match="time without a zone"):
        link(START, EntryKind.USER_ACTED, {}, naive)


@pytest.mark.parametrize(
    "value", [float("nan"), float("inf"), 2**53, 2.0**53, b"bytes", "\ud800", {1: "one"}]
)
def test_a_value_without_a_canonical_form_is_refused(value: object) -> None:
    with pytest.raises(ChainError, match="not fit for the record"):
        link(START, EntryKind.USER_ACTED, {"value": value}, datetime(2026, 11, 30, tzinfo=UTC))


@pytest.mark.parametrize("name", ["", "a b", 'a"', "-a", "x" * 65, "표", "a\n"])
def test_a_name_that_could_blur_the_hash_is_refused(name: str) -> None:
    with pytest.raises(ChainError, match="not a name for a table"):
        link(Head(name, 0, GENESIS), EntryKind.USER_ACTED, {}, datetime(2026, 11, 30, tzinfo=UTC))


def test_every_kind_names_source_subject_and_act() -> None:
    assert all(len(kind.value.split(".")) == 3 for kind in EntryKind)
