"""The learning rate rises once, falls to a hundredth, and a later stage starts lower."""

from vision.training.schedule import Plan, rate_at


def test_the_rate_rises_in_the_warm_up_and_falls_after_it() -> None:
    plan = Plan(minutes=10, rate=1.0, warm=0.1)
    rates = [rate_at(plan, share / 20) for share in range(21)]
    assert rates[0] == 0
    assert max(rates) == rates[2] == 1.0
    assert rates[2:] == sorted(rates[2:], reverse=True)
    assert round(rates[-1], 4) == 0.01


def test_a_later_stage_starts_lower_and_without_a_warm_up() -> None:
    plan = Plan(minutes=10, rate=1.0, start=0.5)
    assert 0.3 < rate_at(plan, 0.0) < 0.7
    assert round(rate_at(plan, 1.0), 4) == 0.01
