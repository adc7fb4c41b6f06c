"""The law: `check` holds one line at a time, names each bad one, and judges the rest."""

import io
import json
import sys
from pathlib import Path

import pytest

from audit.cli.check import STANDARD_INPUT, check_records
from rules.check import MOST_LINE

GOOD = b'{"round": "a", "game": "three-card-whist", "seats": {}}\n'


class Endless(io.RawIOBase):
    """A stream whose one line has no end in sight: two gigabytes and a half, then a good line."""

    def __init__(self) -> None:
        super().__init__()
        self.left, self.most_asked = 2_500, 0

    def readable(self) -> bool:
        return True

    def readline(self, size: int | None = -1, /) -> bytes:
        assert size is not None
        self.most_asked = max(self.most_asked, size)
        self.left -= 1
        if self.left > 0:
            return b"x" * size
        return {0: b"x\n", -1: GOOD}.get(self.left, b"")


class Input:
    """A standard input over a stream."""

    def __init__(self, buffer: Endless) -> None:
        self.buffer = buffer


def test_a_line_longer_than_any_round_is_named_and_the_rest_is_judged(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    stream = Endless()
    monkeypatch.setattr(sys, "stdin", Input(stream))
    assert check_records(STANDARD_INPUT, house=None) == 2
    told = capsys.readouterr()
    assert told.err == "pitwatch: -: line 1: longer than any round (1,000,000 bytes at the most)\n"
    assert json.loads(told.out)["round"] == "a"
    assert stream.most_asked == MOST_LINE + 1


@pytest.mark.parametrize("mark", [b"\xef\xbb\xbf", b""])
def test_a_file_that_begins_with_a_byte_order_mark_is_read(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], mark: bytes
) -> None:
    (tmp_path / "night.rounds.jsonl").write_bytes(mark + GOOD * 2)
    (tmp_path / "harbour.toml").write_bytes(mark + b'name = "Harbour"\n')
    file, house = str(tmp_path / "night.rounds.jsonl"), tmp_path / "harbour.toml"
    assert check_records(file, house=house) == 0
    told = capsys.readouterr()
    assert told.err == ""
    assert [json.loads(line)["rules"]["house"] for line in told.out.splitlines()] == ["Harbour"] * 2


def test_a_date_that_is_none_is_named_with_its_line(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "night.rounds.jsonl"
    path.write_bytes(GOOD + GOOD.replace(b'"seats"', b'"started": "yesterday", "seats"'))
    assert check_records(str(path), house=None) == 2
    assert "line 2: started: found 'yesterday', expected an RFC 3339" in capsys.readouterr().err
