"""How a training run spends its time: the plan and the learning rate along it."""

import math
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Plan:
    """How long and how hard to train."""

    minutes: float
    """Time to train for. The schedule follows the clock, so any machine ends with a low rate."""
    rate: float
    """Highest learning rate."""
    decay: float = 0.02
    """Weight decay."""
    warm: float = 0.03
    """Share of the time in which the rate rises."""
    start: float = 0.0
    """Where on the schedule to start, 0 to 1; a second stage starts lower."""


def rate_at(plan: Plan, share: float) -> float:
    """Return the learning rate when a share of the time is over.

    >>> plan = Plan(minutes=1, rate=1.0, warm=0.1)
    >>> rate_at(plan, 0.05), round(rate_at(plan, 0.1), 2), round(rate_at(plan, 1.0), 3)
    (0.5, 1.0, 0.01)
    """
    if plan.start == 0 and share < plan.warm:
        return plan.rate * share / plan.warm
    along = plan.start + (1 - plan.start) * min(1.0, share)
    rest = (along - plan.warm) / (1 - plan.warm)
    return plan.rate * (0.01 + 0.99 * (1 + math.cos(math.pi * max(0.0, rest))) / 2)
