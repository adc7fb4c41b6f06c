"""The law: what a page needs is sent once: files by their content, video and cards in time."""

import re
from datetime import timedelta

from audit.store import Store
from audit.traces import trace_file
from audit.web.assets import version
from tests.web import samples
from tests.web.asking import Client
from tests.web.film import film

KEPT = "immutable"


def test_a_page_names_its_static_files_by_their_content(client: Client) -> None:
    named = re.findall(r'(?:src|href)="(/static/[^"]+)"', client.get("/").text)
    assert len(named) > 5
    assert {path.split("/")[2] for path in named} == {version()}
    for path in named:
        answer = client.get(path)
        assert answer.status_code == 200
        assert KEPT in answer.headers["cache-control"]


def test_a_static_file_under_an_old_name_is_given_but_not_kept(client: Client) -> None:
    for path in ("/static/js/page.js", "/static/v-0000000000000000/js/page.js"):
        answer = client.get(path)
        assert answer.status_code == 200
        assert answer.headers["cache-control"] == "no-store"
    assert client.get(f"/static/{version()}/../app.py").status_code == 404


def test_a_replay_begins_to_fetch_the_video_of_its_place_with_the_page(
    client: Client, store: Store
) -> None:
    samples.start_table(store)
    samples.see(store, samples.tricks())
    samples.find(store, samples.FOLLOW)
    samples.end_round(store)
    proved = store.alert(1).opened
    film(store, proved - timedelta(seconds=9), 2)
    shown = film(store, proved - timedelta(seconds=6), 8)
    page = client.get("/replay/T1-0001?alert=1").text
    assert f'<link rel="preload" as="fetch" crossorigin href="/media/segments/{shown}">' in page


def test_a_card_that_lies_still_is_sent_once(client: Client, store: Store) -> None:
    samples.start_table(store)
    samples.end_round(store)
    at = store.round("T1-0001").recorded
    path = trace_file(store.data_dir, "T1", at)
    path.parent.mkdir(parents=True)
    card = '["9S", 0.998, [[10, 10], [20, 10], [20, 30], [10, 30]], false]'
    lines = [f'"whole": true, "size": [100, 100], "set": {{"7": {card}}}']
    lines += ['"size": [100, 100], "set": {}'] * 2
    times = [at + timedelta(seconds=number) for number in range(3)]
    path.write_text(
        "".join(
            f'{{"at": "{time:%Y-%m-%dT%H:%M:%S.%fZ}", {line}}}\n'
            for time, line in zip(times, lines, strict=True)
        )
    )
    told = client.get("/seen/T1-0001").json()
    assert [places for _, places in told["moments"]] == [[0], [0], [0]]
    assert [face for face, *_ in told["cards"]] == ["9S"]


def test_a_replay_reads_no_entry_after_its_round(store: Store) -> None:
    samples.start_table(store)
    samples.see(store, samples.tricks())
    found = store.entries_after(2, table="T1", until=5)
    assert [entry.id for entry in found] == [3, 4, 5]
