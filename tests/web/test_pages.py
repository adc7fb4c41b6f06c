"""The law: every page shows what the record says, and says plainly where there is nothing yet."""

import re
from functools import partial

import pytest

from audit.chain import EntryKind
from audit.store import JudgedRound, Step, Store
from rules.events import CardMoved, Cents, FeedBack, FeedLost, PayoutMade, Seat, Wager
from tests.web import samples
from tests.web.asking import Client


@pytest.mark.parametrize("path", ["/", "/rounds", "/audit"])
def test_an_empty_record_gives_pages_that_say_so(client: Client, path: str) -> None:
    page = client.get(path)
    assert page.status_code == 200
    assert 'class="empty' in page.text or "empty" in page.text


def test_the_empty_wall_says_how_to_begin(client: Client) -> None:
    assert "pitwatch watch SOURCE --layout" in client.get("/").text


def test_the_wall_shows_the_round_that_is_going_on(client: Client, store: Store) -> None:
    samples.start_table(store)
    samples.see(store, [*samples.deal(), samples.lead("6D"), samples.answer(1, "3C")])
    page = client.get("/").text
    assert "T1" in page
    assert "Tricks" in page
    assert 'aria-label="6♦"' in page
    assert 'aria-label="3♣"' in page
    assert "To play <b>2</b>" in page


def test_a_breach_proved_during_the_round_marks_the_play(client: Client, store: Store) -> None:
    samples.start_table(store)
    samples.see(store, samples.tricks()[:-1])
    assert "play breach" not in client.get("/").text
    samples.see(store, samples.tricks()[-1:])
    samples.find(store, samples.FOLLOW)
    page = client.get("/").text
    assert "play breach" in page
    assert "Suit not followed" in page


def test_the_dealer_is_told_what_is_due_before_the_round_is_over(
    client: Client, store: Store
) -> None:
    samples.start_table(store)
    samples.see(store, samples.tricks())
    page = client.get("/tables/T1/dealer").text
    assert "Settle the wagers." in page
    assert "Pay 10" in page
    assert "Reconstruct first" in page


def test_the_dealer_is_told_when_what_is_due_is_not_known(client: Client, store: Store) -> None:
    samples.start_table(store)
    result = samples.result() | {"outcome": "unsure", "findings": []}
    result["seats"]["1"]["status"] = result["seats"]["2"]["status"] = "unsure"
    result["seats"]["2"]["due"] = None
    store.record("T1", Step(rounds=(JudgedRound(samples.record(), result, at=20.0),)))
    page = client.get("/tables/T1/dealer").text
    assert page.count("what is due is not known. Settle by the cards.") == 2


def test_a_finished_round_shows_what_the_check_made_of_it(client: Client, store: Store) -> None:
    samples.start_table(store)
    samples.end_round(store)
    page = client.get("/rounds/T1-0001").text
    for expected in ("Suit not followed", "TCW-12a", "J♦ at trick 3", "Overpaid", "+25.00"):
        assert expected in page
    assert "What the proof was" in page
    assert "Could have been played" in page


def test_the_list_of_rounds_leads_to_each_and_sums_its_differences(
    client: Client, store: Store
) -> None:
    samples.start_table(store)
    samples.end_round(store)
    page = client.get("/rounds").text
    assert 'href="/rounds/T1-0001"' in page
    assert "+25.00" in page
    assert 'href="/rounds/T1-0001"' not in client.get("/rounds?table=T9").text


def test_older_rounds_are_reached_page_by_page(client: Client, store: Store) -> None:
    samples.start_table(store)
    samples.end_round(store, *(f"T1-{number:04}" for number in range(51)))
    first = client.get("/rounds").text
    assert "T1-0050" in first
    assert "T1-0000" not in first
    older = first.split("/rounds?before=")[1].split('"')[0]
    assert "T1-0000" in client.get(f"/rounds?before={older}").text


def test_the_dealer_is_told_whose_play_is_awaited(client: Client, store: Store) -> None:
    samples.start_table(store)
    samples.see(store, [*samples.deal(), samples.lead("6D"), samples.answer(1, "3C")])
    page = client.get("/tables/T1/dealer").text
    assert "Trick 1. To play: seat 2" in page
    assert "Hearts" in page


def test_the_dealer_is_told_to_reconstruct_and_what_to_pay(client: Client, store: Store) -> None:
    samples.start_table(store)
    samples.end_round(store)
    page = client.get("/tables/T1/dealer").text
    assert "Seat 1: reconstruct the hand and instruct the player." in page
    assert "Pay 50" in page


def test_the_dealer_is_told_that_a_misdealt_hand_is_void(client: Client, store: Store) -> None:
    samples.start_table(store)
    samples.see(store, samples.deal())
    misdeal = samples.FOLLOW | {"code": "misdeal", "seat": None, "trick": None, "rule": "TCW-14"}
    samples.find(store, misdeal)
    assert "Misdeal. The hand is void" in client.get("/tables/T1/dealer").text


def test_the_dealer_screen_shows_no_card_that_lies_face_down(client: Client, store: Store) -> None:
    samples.start_table(store)
    samples.see(store, [*samples.deal(), samples.lead("6D")])
    page = client.get("/tables/T1/dealer").text
    assert page.count("card back") == 2  # the dealer's other two
    assert page.count('class="card huge red"') == 2  # the trump card and the card led


def test_a_lost_camera_shows_on_the_wall_until_it_is_back(client: Client, store: Store) -> None:
    samples.start_table(store)
    samples.see(store, [FeedLost("no frames for 10 s")])
    assert "Camera lost: no frames for 10 s" in client.get("/").text
    samples.see(store, [FeedBack()])
    page = client.get("/fragments/tiles").text
    assert "Camera on" in page
    assert "Camera lost" not in page


def test_a_watcher_that_falls_behind_shows_on_the_wall_until_it_has_caught_up(
    client: Client, store: Store
) -> None:
    samples.start_table(store)
    note = partial(store.append, "T1", at=samples.START)
    note(EntryKind.TABLE_BEHIND, {"late_s": 12, "left_out": 0})
    assert "At least 12 s behind" in client.get("/").text
    assert "12초 이상 뒤처짐" in client.get("/?lang=ko").text
    note(EntryKind.TABLE_BEHIND, {"late_s": 0, "left_out": 40})
    assert "40 % of the frames left out" in client.get("/fragments/tiles?lang=en").text
    note(EntryKind.TABLE_CAUGHT_UP, {})
    page = client.get("/?lang=en").text
    assert "Camera on" in page
    assert "watching keeps up again" in page


def test_the_audit_explorer_shows_entries_the_newest_first(client: Client, store: Store) -> None:
    samples.start_table(store)
    samples.end_round(store)
    page = client.get("/audit").text
    assert page.index("rules.round.read") < page.index("watch.table.started")
    assert store.chain_heads()[0].hash[:24] in page


def test_a_page_that_is_not_there_is_a_page_for_people_and_json_for_programs(
    client: Client,
) -> None:
    page = client.get("/rounds/none", headers={"Accept": "text/html"})
    assert page.status_code == 404
    assert "<h1>This is not in the record.</h1>" in page.text
    korean = client.get("/rounds/none?lang=ko", headers={"Accept": "text/html"})
    assert "<h1>기록에 없습니다.</h1>" in korean.text
    answer = client.get("/api/v1/rounds/none")
    assert answer.status_code == 404
    assert answer.json() == {"detail": "no round 'none' in the record"}


def test_a_live_page_says_after_which_entry_it_goes_on(client: Client, store: Store) -> None:
    samples.start_table(store)
    assert f'data-head="{store.last_id()}"' in client.get("/").text


def test_a_round_that_is_still_played_has_a_page_that_waits_for_it(
    client: Client, store: Store
) -> None:
    samples.start_table(store)
    samples.find(store, samples.FOLLOW)
    assert "still being played" in client.get("/rounds/T1-0001").text
    samples.end_round(store)
    assert "What the proof was" in client.get("/rounds/T1-0001").text


def test_the_wall_lists_the_last_rounds(client: Client, store: Store) -> None:
    samples.start_table(store)
    assert "No round yet." in client.get("/fragments/recent").text
    samples.end_round(store)
    assert 'href="/rounds/T1-0001"' in client.get("/fragments/recent").text


def test_the_feed_tells_plays_folds_and_payouts_in_plain_words(
    client: Client, store: Store
) -> None:
    samples.start_table(store)
    fold = CardMoved(samples.spot("seat-2"), samples.spot("discard"), None)
    payouts = [
        PayoutMade(Seat(number), Wager.ANTE, Cents(amount))
        for number, amount in ((1, 1000), (2, -1000), (3, 0))
    ]
    samples.see(store, [samples.answer(1, "3C"), fold, *payouts])
    feed = re.sub(r"<[^>]+>", "", client.get("/fragments/feed").text)
    for expected in (
        "Seat 1: 3♣ laid down",
        "Seat 2: a card to the discard",
        "Seat 1: Ante paid 10.00",
        "Seat 2: Ante taken 10.00",
        "Seat 3: Ante given back",
    ):
        assert expected in feed
