"""The law: an open page follows the record by itself, and an act on it reaches the record."""

import re
from time import sleep

import pytest
from playwright.sync_api import Browser, Page, expect

from audit.settings import Settings
from tests.web import samples
from tests.web.browsing import Served

pytestmark = pytest.mark.e2e


def test_a_finding_shows_on_the_open_wall_without_a_reload(served: Served, page: Page) -> None:
    samples.start_table(served.store)
    samples.see(served.store, samples.deal())
    page.goto(served.url)
    expect(page.locator("#link")).to_have_text("Live")
    page.evaluate("window.sameDocument = true")
    events = samples.tricks()[len(samples.deal()) :]
    samples.see(served.store, events[:-1])
    expect(page.locator(".tricks [aria-label='3♣']")).to_be_visible()
    expect(page.locator(".play.breach")).to_have_count(0)
    samples.see(served.store, events[-1:])
    samples.find(served.store, samples.FOLLOW)
    alert = page.locator(".alert", has_text="Suit not followed")
    expect(alert).to_be_visible()
    expect(page.locator(".play.breach")).to_be_visible()
    expect(page).to_have_title(re.compile(r"^\(1\) "))
    assert page.evaluate("window.sameDocument") is True


def test_an_alert_is_acknowledged_by_button_and_by_key(served: Served, page: Page) -> None:
    samples.start_table(served.store)
    samples.end_round(served.store)
    page.goto(served.url)
    page.locator(".alert", has_text="Suit not followed").get_by_role(
        "button", name="Acknowledge"
    ).click()
    expect(page.locator("[data-alert]:not(.done)")).to_have_count(1)
    page.keyboard.press("j")
    expect(page.locator("[data-alert][aria-current=true]")).to_have_count(1)
    page.keyboard.press("a")
    expect(page.locator("[data-alert]:not(.done)")).to_have_count(0)
    assert {alert.state for alert in served.store.alerts()} == {"acknowledged"}
    assert {alert.acknowledged_by for alert in served.store.alerts()} == {"local"}


def test_nothing_is_lost_while_streams_end_and_begin_again(served: Served, page: Page) -> None:
    samples.start_table(served.store)
    page.goto(served.url)
    expect(page.locator("#link")).to_have_text("Live")
    page.evaluate(
        """async () => {
            window.got = [];
            const page = document.querySelector("script[src$='/page.js']").src;
            (await import(page)).onEntry((entry) => window.got.push(entry.id));
        }"""
    )
    before = served.store.last_id()
    for _ in range(40):  # twice as long as a stream lives
        samples.see(served.store, [samples.lead("6D")])
        sleep(0.16)
    expected = [entry.id for entry in served.store.entries_after(before)]
    page.wait_for_function(f"window.got.length >= {len(expected)}", timeout=15_000)
    assert page.evaluate("window.got") == expected


def test_eight_open_tabs_follow_as_well_as_one_over_a_single_stream(
    served: Served, browser: Browser
) -> None:
    samples.start_table(served.store)
    context = served.let_in(browser.new_context(locale="en-GB"))
    tabs = [context.new_page() for _ in range(8)]
    for tab in tabs:
        tab.goto(served.url)
    samples.find(served.store, samples.FOLLOW)
    for tab in tabs:
        tab.bring_to_front()
        expect(tab.locator(".alert", has_text="Suit not followed")).to_be_visible()
    context.close()
    assert served.streams.most == 1


def test_a_new_table_appears_on_the_open_wall(served: Served, page: Page) -> None:
    page.goto(served.url)
    expect(page.get_by_text("No table is being watched yet")).to_be_visible()
    samples.start_table(served.store, "T7")
    expect(page.locator("[data-table=T7]")).to_be_visible()


def test_the_dealer_screen_follows_its_table(served: Served, page: Page) -> None:
    samples.start_table(served.store)
    page.goto(f"{served.url}/tables/T1/dealer")
    expect(page.locator("#link")).to_have_text("Live")
    samples.see(served.store, [*samples.deal(), samples.lead("6D")])
    expect(page.locator(".prompt")).to_contain_text("To play: seat 1, 2")
    samples.see(served.store, [samples.answer(1, "3C")])
    expect(page.locator(".prompt")).to_contain_text("To play: seat 2")


def test_the_record_is_verified_from_its_page(served: Served, page: Page) -> None:
    samples.start_table(served.store)
    page.goto(f"{served.url}/audit")
    page.get_by_role("button", name="Verify the record").click()
    expect(page.locator("#verified")).to_contain_text("The record holds.")


def test_the_keys_are_listed_and_the_theme_is_kept(served: Served, page: Page) -> None:
    page.goto(served.url)
    page.keyboard.press("?")
    expect(page.get_by_role("dialog")).to_be_visible()
    page.keyboard.press("Escape")
    page.keyboard.press("t")
    chosen = page.locator("html").get_attribute("data-theme")
    page.reload()
    assert page.locator("html").get_attribute("data-theme") == chosen


def test_the_live_picture_is_shown_with_its_age_and_called_old_when_it_is(
    served: Served, page: Page, settings: Settings
) -> None:
    samples.start_table(served.store)
    settings.live_dir.mkdir()
    page.goto(served.url)
    expect(page.locator(".picture .none")).to_be_visible()
    picture = page.screenshot(type="jpeg")
    (settings.live_dir / "T1.jpg").write_bytes(picture)
    expect(page.locator(".picture img")).to_be_visible()
    expect(page.locator(".picture .age")).to_contain_text("s ago")
    expect(page.locator(".picture.stale")).to_be_visible(timeout=10_000)
    expect(page.locator("[data-lamp]")).to_have_text("No new picture")
