"""The law: a range is reported once when it is over, also after a restart, and is sent until it has
arrived."""

from datetime import UTC, datetime
from pathlib import Path

import pytest

from audit.errors import SettingsError
from audit.reports.schedule import Scheduler, load_schedules
from audit.webhooks import Message, Subscription
from tests.reports.conftest import Desk

NIGHTLY = """
[[schedule]]
name = "nightly"
report = "coverage"
format = "csv"
webhook = "office"
after_minutes = 30
"""
HOOK = Subscription("office", "http://office.test/in", b"0" * 24)


def utc(text: str) -> datetime:
    return datetime.fromisoformat(text).replace(tzinfo=UTC)


def test_a_day_is_reported_once_and_delivered_until_it_arrives(desk: Desk, folder: Path) -> None:
    file = folder / "schedules.toml"
    file.write_text(NIGHTLY)
    sent: list[Message] = []
    answers = ["not reached: away", None]

    def send(_to: Subscription, message: Message) -> str | None:
        sent.append(message)
        return answers[min(len(sent), len(answers)) - 1]

    def scheduler() -> Scheduler:
        return Scheduler(desk.store, desk.settings, load_schedules(file), {"office": HOOK}, send)

    # The gaming day of Seoul ends at 06:00 there, 21:00 in UTC.
    first = scheduler().run(utc("2026-11-10T21:29:00"))
    assert len(first) == 1  # that of the day before
    assert scheduler().run(utc("2026-11-10T21:29:30")) == []  # another process, the same record
    second = scheduler().run(utc("2026-11-10T21:31:00"))
    assert len(second) == 1
    reports = list((folder / "reports").glob("*.csv"))
    assert len(reports) == 2
    assert [message.id for message in sent] == [f"rep_{first[0]}"] * 2 + [f"rep_{second[0]}"]
    assert scheduler().run(utc("2026-11-10T22:00:00")) == []
    assert len(sent) == 3
    # A machine that was off for a week reports the last day that is over.
    assert len(scheduler().run(utc("2026-11-17T22:00:00"))) == 1


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("[[schedule]]\nreport = 'audit'", "name: missing"),
        ("[[schedule]]\nname = 'a'\nreport = 'nothing'", "line 3"),
        ("[[schedule]]\nname = 'a'\nreport = 'audit'\nevery = 'year'", "every"),
        (NIGHTLY + NIGHTLY, "twice"),
        ("schedule = 3", "schedule"),
    ],
)
def test_a_schedule_beyond_use_is_told_in_one_line(folder: Path, text: str, told: str) -> None:
    file = folder / "s.toml"
    file.write_text(text)
    with pytest.raises(SettingsError, match=told) as refused:
        load_schedules(file)
    assert "\n" not in str(refused.value)


def test_a_webhook_that_is_not_there_is_told_before_anything_is_made(
    desk: Desk, folder: Path
) -> None:
    file = folder / "s.toml"
    file.write_text(NIGHTLY)
    with pytest.raises(SettingsError, match="webhook: found 'office', expected one of none"):
        Scheduler(desk.store, desk.settings, load_schedules(file), {})
