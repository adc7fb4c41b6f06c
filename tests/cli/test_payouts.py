"""Law: files of payouts and policies are used whole, or told line by line with exit code 2."""

from datetime import UTC, datetime
from pathlib import Path

import pytest

from audit.cli import main
from audit.store import Store, open_store
from audit.tables import TableStart
from tests.audit.record_builders import start_table

CSV = "at,kind,seat,wager,amount\n2026-11-30T05:40:00Z,wager,1,ante,1000\n"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A record with one table, and a file for it."""
    store = opened(tmp_path)
    start = TableStart("three-card-whist", "rtsp://camera.local")
    start_table(store, "T1", start, at=datetime(2026, 11, 30, tzinfo=UTC))
    store.close()
    (tmp_path / "night.csv").write_text(CSV)
    return tmp_path


def opened(folder: Path) -> Store:
    return open_store(f"sqlite:///{folder / 'pitwatch.db'}", folder)


def imports(folder: Path, *more: str) -> int:
    file = str(folder / "night.csv")
    return main(["payouts", "import", file, "--table", "T1", "--data", str(folder), *more])


def test_an_import_tells_what_it_added(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert imports(folder, "--dry-run") == 0
    assert "1 would be added" in capsys.readouterr().out
    assert imports(folder) == 0
    assert imports(folder, "--json") == 0
    assert '"added": 0, "known": 1' in capsys.readouterr().out
    store = opened(folder)
    assert len(store.feed_lines("T1")) == 1
    store.close()


def test_rounds_that_nobody_knows_and_times_in_the_future_are_told(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (folder / "night.csv").write_text(
        "at,kind,seat,wager,amount,round\n"
        "2026-11-30T05:40:00Z,payout,1,ante,1000,T1-1\n2099-11-30T05:40:00Z,payout,1,ante,1000,\n"
    )
    assert imports(folder, "--dry-run") == 0
    told = capsys.readouterr()
    assert [line.partition("night.csv: ")[2] for line in told.err.splitlines()] == [
        "line 2: round: found 'T1-1', which is not in the record (yet)",
        "line 3: at: found 2099-11-30T05:40:00+00:00, which is in the future",
    ]
    assert told.out.splitlines()[-1] == "2 doubts, told line by line above."
    assert imports(folder, "--json") == 0
    assert '"doubts": [{"line": 2, "text": "round: found' in capsys.readouterr().out


def test_every_bad_line_is_told_and_nothing_is_imported(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    with (folder / "night.csv").open("a") as file:
        file.write("2026-11-30T05:40:00Z,wager,7,ante,1000\n2026-11-30,wager,1,ante,1000\n")
    assert imports(folder) == 2
    told = capsys.readouterr().err.splitlines()
    assert "line 3: seat: found" in told[0]
    assert "line 4: at: found '2026-11-30'" in told[1]
    assert told[2].endswith("2 bad lines; nothing was imported")


def test_everything_that_is_wrong_with_a_line_is_told(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (folder / "night.csv").write_text("at,kind,seat,wager,amount\nnow,wager,7,aunt,-5\n")
    assert imports(folder) == 2
    told = capsys.readouterr().err.splitlines()[0]
    for field in ("seat: found 7", "wager: found 'aunt'", "amount: found -5", "at: found 'now'"):
        assert field in told


def test_a_mistyped_folder_is_no_new_record(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = str(folder / "night.csv")
    assert main(["payouts", "import", file, "--data", str(folder / "dta")]) == 2
    assert "no record here" in capsys.readouterr().err
    assert not (folder / "dta").exists()


def test_a_balance_is_printed_by_what_was_asked(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    for by in ("table", "shift", "dealer"):
        assert main(["payouts", "balance", "--by", by, "--data", str(folder)]) == 0
    assert main(["payouts", "balance", "--by", "seat", "--data", str(folder)]) == 2
    assert "--by: found 'seat'" in capsys.readouterr().err


def test_the_shipped_policy_prints_and_checks(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["alerts", "default"]) == 0
    file = tmp_path / "policy.toml"
    file.write_text(capsys.readouterr().out)
    assert main(["alerts", "check", str(file)]) == 0
    assert "camera-lost: critical" in capsys.readouterr().out
    file.write_text(
        '[[rule]]\ncodes = ["misdeal"]\ntone = "off"\n'
        '[[rule]]\ntables = ["T1"]\nseverities = ["low"]\ndifference_at_least = 5000\n'
        'severity = "high"\nescalate_after_min = 5\nescalate_to = "pit"\n'
    )
    assert main(["alerts", "check", str(file)]) == 0
    told = capsys.readouterr().out.splitlines()
    assert "  misdeal: medium, no tone" in told
    assert told[-1] == (
        "  any finding at T1 of severity low from a difference of 50.00: high, after 5 min to pit"
    )
    file.write_text('[[rule]]\ntone = "loud"\n')
    assert main(["alerts", "check", str(file)]) == 2
    assert "line 2: rule[1].tone" in capsys.readouterr().err


def test_subscriptions_are_shown_without_their_secrets(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "hooks.toml"
    secret = "of-this-test-and-nobody-else"  # noqa: S105  # as it says
    file.write_text(
        f'[[webhook]]\nname = "a"\nurl = "http://127.0.0.1:9/t0ken"\nsecret = "{secret}"\n'
    )
    assert main(["alerts", "webhooks", str(file), "--send"]) == 1
    told = capsys.readouterr()
    assert "a: http://127.0.0.1:9, all events" in told.out
    assert "not reached" in told.out
    assert secret not in told.out + told.err
    assert "t0ken" not in told.out + told.err
