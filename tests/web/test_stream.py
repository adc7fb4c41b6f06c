"""The law: a listener gets every entry once and in order, however often its link drops."""

import json
from collections.abc import Sequence
from contextlib import ExitStack
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from audit.chain import Entry, EntryKind, Head, link, numbered
from audit.errors import StoreError
from audit.settings import Settings
from audit.store import Store
from audit.web.app import create_app
from audit.web.feed import TOLD_KINDS
from audit.web.stream import MOST_STREAMS, Pace, Streams, follow, resume_point
from tests.web import samples
from tests.web.asking import Client, apart, session

QUICK = Pace(poll_s=0.001, life_s=0.02)


def messages(text: str) -> list[tuple[int, dict[str, Any]]]:
    """Read a body as a browser reads an event stream: the id and the data of every message."""
    found = []
    for block in text.split("\n\n"):
        fields = dict(line.split(": ", 1) for line in block.split("\n") if ": " in line)
        if "data" in fields:
            found.append((int(fields["id"]), json.loads(fields["data"])))
    return found


def told_after(store: Store, number: int) -> list[int]:
    """The ids that a stream sends: of all entries but those of the access log."""
    return [entry.id for entry in store.entries_after(number, kinds=TOLD_KINDS)]


def test_every_entry_after_a_number_is_sent_with_its_id(client: Client, store: Store) -> None:
    samples.start_table(store)
    samples.see(store, samples.deal())
    answer = client.get("/api/v1/stream?after=0")
    assert answer.headers["content-type"].startswith("text/event-stream")
    sent = messages(answer.text)
    assert [number for number, _ in sent] == told_after(store, 0)
    assert all(number == entry["id"] for number, entry in sent)
    assert sent[-1][1]["body"]["kind"] == "card-placed"


def test_a_dropped_link_resumes_after_the_last_id_without_loss(
    client: Client, store: Store
) -> None:
    samples.start_table(store)
    samples.see(store, samples.deal())
    got: list[int] = []
    for _ in range(4):
        # The address stays as it was opened; the header tells where the browser is.
        resume = {"Last-Event-ID": str(got[-1])} if got else {}
        sent = messages(client.get("/api/v1/stream?after=2", headers=resume).text)
        got += [number for number, _ in sent][:3]  # the link drops after three
        samples.see(store, [samples.lead("6D")])
    got += [
        number
        for number, _ in messages(
            client.get("/api/v1/stream?after=2", headers={"Last-Event-ID": str(got[-1])}).text
        )
    ]
    assert got == told_after(store, 2)


def test_without_a_number_only_what_is_new_is_sent(client: Client, store: Store) -> None:
    samples.start_table(store)
    assert messages(client.get("/api/v1/stream").text) == []


@pytest.mark.parametrize("wrong", ["-1", "x", "9" * 30])
def test_a_number_that_is_none_is_refused(client: Client, wrong: str) -> None:
    assert client.get(f"/api/v1/stream?after={wrong}").status_code == 422


@pytest.mark.parametrize("header", ["", "abc", "-5", "٣", "1 2", "9" * 30])
def test_a_last_event_id_that_is_none_of_ours_counts_as_absent(header: str) -> None:
    assert resume_point(header, after=7, head=100) == 7


@given(
    appended=st.lists(st.integers(1, 7), max_size=12),
    drops=st.lists(st.integers(1, 9), min_size=1, max_size=5),
)
def test_however_entries_come_and_links_drop_nothing_is_lost_or_repeated(
    appended: list[int], drops: list[int]
) -> None:
    entries: list[Entry] = []
    bursts = iter(appended)

    def read(after: int, limit: int) -> Sequence[Entry]:
        for _ in range(next(bursts, 0)):
            body = {"n": len(entries)}
            entry = link(Head("T1", 0, "0" * 64), EntryKind.CARD_PLACED, body, samples.START)
            entries.append(numbered(entry, 3 * len(entries) + 1))  # ids have holes
        return [entry for entry in entries if entry.id > after][:limit]

    async def listen() -> list[int]:
        got: list[int] = []
        for kept in [*drops, 10_000]:
            left = kept
            async for entry in follow(read, got[-1] if got else 0, QUICK):
                got.append(entry.id)
                left -= 1
                if left == 0:
                    break
        return got

    got = apart(listen())
    assert got == [entry.id for entry in entries]


def test_a_session_has_so_many_streams_and_one_more_only_when_one_has_ended(
    store: Store, settings: Settings
) -> None:
    app = create_app(store, settings, pace=Pace(poll_s=0.01, life_s=60.0))
    mine, other = (Client(app, token=session(app)) for _ in range(2))
    streams: Streams = app.state.streams
    who = app.state.door.who(mine.token)
    with ExitStack() as held:
        for _ in range(MOST_STREAMS - 1):
            held.enter_context(streams.one_more(who))
        with streams.one_more(who):
            answer = mine.get("/api/v1/stream")
            assert answer.status_code == 429
            assert "found 8 streams open" in answer.json()["detail"]
        app.state.closing.set()  # A stream that is let in ends at once.
        assert mine.get("/api/v1/stream").status_code == 200
        assert mine.get("/api/v1/stream").status_code == 200, "the one before was counted on"
    assert other.get("/api/v1/stream").status_code == 200


def test_a_record_that_cannot_be_read_ends_the_stream_without_an_error() -> None:
    def read(after: int, limit: int) -> Sequence[Entry]:
        raise StoreError(f"away (after {after}, at most {limit})")

    async def listen() -> list[Entry]:
        return [entry async for entry in follow(read, 0, Pace(0.01, 60.0))]

    assert apart(listen()) == []
