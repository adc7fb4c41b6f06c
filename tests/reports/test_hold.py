"""The law: the hold is what the rounds say, and its band is the one of the formula, computed here
hand by hand."""

import math
from datetime import UTC, datetime
from fractions import Fraction

import pytest

from audit.reports.drawing import draw
from audit.reports.hold_report import NORMAL_95, HoldRow
from audit.reports.kinds import ReportKind
from audit.store.reporting import snapshot
from rules.edge import edge
from tests.reports.conftest import Desk
from tests.reports.test_figures import _rounds

MAIN = ("ante", "play", "raise", "ante-bonus")


def hands(desk: Desk, bet: str) -> list[tuple[int, int]]:
    """Stake and gain of every hand with this bet whose payouts were watched."""
    found = []
    for record, result in _rounds(desk):
        if result["outcome"] == "void":
            continue
        for seat in record["seats"].values():
            if seat.get("paid") is None:
                continue
            wagers = MAIN if bet == "main" else (bet,)
            stake = seat["wagers"].get("ante" if bet == "main" else bet, 0)
            gain = sum(seat["paid"].get(name, 0) for name in wagers)
            if stake:
                found.append((stake, gain))
    return found


@pytest.mark.parametrize(("bet", "figure"), [("main", "main"), ("bonus", "bonus")])
def test_hold_theory_and_band_are_those_of_the_hands(night: Desk, bet: str, figure: str) -> None:
    request = night.order(ReportKind.HOLD).request
    with snapshot(night.store.engine) as seen:
        report = draw(seen, request, night.house, datetime.now(UTC))
    section = report.section("hold")
    assert section is not None
    row = next(one for one in section.rows() if isinstance(one, HoldRow) and one.bet == bet)
    mine = hands(night, bet)
    staked, gained = sum(stake for stake, _ in mine), sum(gain for _, gain in mine)
    assert (row.hands, row.staked, row.won) == (len(mine), staked, -gained)
    assert row.hold == Fraction(-gained, staked)
    theory = -edge("three-card-whist", night.house.rules).edges.figure(figure).gain
    assert row.theory == theory
    error = math.sqrt(sum((gain + float(theory) * stake) ** 2 for stake, gain in mine)) / staked
    if len(mine) >= 100:
        assert row.low is not None
        assert float(theory - row.low) == pytest.approx(NORMAL_95 * error, rel=1e-6)
        inside = row.low <= row.hold <= 2 * theory - row.low
        assert row.verdict == ("within" if inside else "above" if row.hold > theory else "below")
    else:
        assert (row.low, row.verdict) == (None, "open")
