"""The law: who comes late to a round accuses nobody, and who is long gone is not remembered."""

import json

import pytest

from rules import check
from rules.check import check_lines
from rules.games.whist import WHIST
from rules.reader import Naming, Reader
from rules.result import Result
from rules.round import Phase, Setting
from tests.rules.records import seat, whist


def severities(lines: list[str]) -> list[str]:
    found = [one for one in check_lines(lines) if isinstance(one, Result)]
    return [
        str(finding.severity)
        for result in found
        for finding in result.findings
        if finding.code == "failed-to-follow-suit"
    ]


def breach(table: str) -> str:
    return json.dumps(whist(seats={"1": seat("9C 2H 9D")}) | {"table": table})


def test_tcw_15_a_table_beyond_the_most_is_forgotten_first_come_first(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    remembered = severities([breach("T1"), breach("T2"), breach("T1")])
    assert remembered[2] != remembered[0]
    monkeypatch.setattr(check, "_MOST_TABLES", 1)
    forgotten = severities([breach("T1"), breach("T2"), breach("T1")])
    assert forgotten[2] == forgotten[0]


def test_a_round_that_was_joined_in_the_middle_has_a_gap_and_stays_joined() -> None:
    reader = Reader(Setting(WHIST), Naming())
    reader.join()
    joined = reader.round
    assert (joined.phase, joined.blind, len(joined.gaps)) == (Phase.DECISIONS, True, 1)
    reader.join()
    assert reader.round == joined
