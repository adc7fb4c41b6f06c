"""The law: long work tells how it goes on, also where no terminal is: a line now and then."""

import time

import pytest

from audit.cli.working import working


def test_without_a_terminal_long_work_logs_a_line_now_and_then(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    now = 0.0
    monkeypatch.setattr(time, "monotonic", lambda: now)
    with working("Writing") as tell:
        for done in range(26):
            now = float(done)
            tell(done, 26)
    with working("Reading") as tell:
        now += 11.0
        tell(7, what="entry, 7 rows")
    printed = "".join(capsys.readouterr())  # where a log goes is for whoever set it up to say
    lines = [line for line in printed.splitlines() if "work.progress" in line]
    assert [[word in line for word in ("done=10", "done=20")] for line in lines[:2]] == [
        [True, False],
        [False, True],
    ]
    assert all("total=26" in line and "work=Writing" in line for line in lines[:2])
    assert "work=Reading" in lines[2]
    assert "entry, 7 rows" in lines[2]
    assert len(lines) == 3


def test_short_work_logs_nothing(capsys: pytest.CaptureFixture[str]) -> None:
    with working("Writing") as tell:
        tell(1, 2)
    captured = capsys.readouterr()
    assert captured.out + captured.err == ""
