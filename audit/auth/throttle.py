"""Slows guessing down without locking anybody out who signed in from the same place before.

Counts are kept in memory, by the one process that serves: an attacker gains little by a restart,
and nobody outside can fill a table of ours.
"""

from collections import OrderedDict, deque
from collections.abc import Callable, Hashable
from threading import Lock


class Throttle:
    """Counts failures by name in a sliding window."""

    def __init__(self, most: int, window_s: float, clock: Callable[[], float]) -> None:
        self._most = most
        self._window_s = window_s
        self._clock = clock
        self._failures: OrderedDict[Hashable, deque[float]] = OrderedDict()
        self._lock = Lock()

    def wait_s(self, name: Hashable) -> float:
        """Return how long to wait before the next try; 0 when it may be made."""
        with self._lock:
            times = self._recent(name)
            if times is None or len(times) < self._most:
                return 0.0
            return max(0.0, times[-self._most] + self._window_s - self._clock())

    def failed(self, name: Hashable) -> None:
        """Count a failure."""
        with self._lock:
            times = self._recent(name)
            if times is None:
                times = self._failures[name] = deque(maxlen=self._most)
            times.append(self._clock())
            self._failures.move_to_end(name)
            while len(self._failures) > _NAMES:
                self._failures.popitem(last=False)

    def took_back(self, name: Hashable) -> None:
        """Count one failure less: it was none."""
        with self._lock:
            times = self._failures.get(name)
            if times:
                times.pop()

    def passed(self, name: Hashable) -> None:
        """Forget the failures of a name."""
        with self._lock:
            self._failures.pop(name, None)

    def _recent(self, name: Hashable) -> deque[float] | None:
        times = self._failures.get(name)
        if times is None:
            return None
        while times and times[0] <= self._clock() - self._window_s:
            times.popleft()
        return times


_NAMES = 10_000
"""How many names are counted at a time; the ones that failed longest ago are forgotten first."""


class SignInThrottle:
    """Says how long a sign-in has to wait.

    * One account from one address: 5 failures in 15 minutes. This holds for everybody.
    * One address, any account: 30 failures in 15 minutes.
    * One account, any address: 50 failures in an hour (SP 800-63B-4 section 3.2.2 allows 100).

    The last two do not hold for somebody who signed in from this address before: nobody can lock a
    pit out by guessing at its accounts, nor by sharing its address.
    """

    def __init__(self, clock: Callable[[], float]) -> None:
        self._pair = Throttle(5, 900.0, clock)
        self._address = Throttle(30, 900.0, clock)
        self._account = Throttle(50, 3600.0, clock)
        self._lock = Lock()

    def begin(self, account: str, address: str, *, known: bool) -> float:
        """Return how long to wait before the next try, in seconds; at 0 it may be made now.

        A try counts as failed from its beginning until it is said to have `passed`: of many that
        come at once, no more are made than of many that come one after the other.

        Args:
            account: Whose name was typed.
            address: Where from.
            known: Whether this account signed in from this address before.
        """
        with self._lock:
            waits = [self._pair.wait_s((account, address))]
            if not known:
                waits += [self._address.wait_s(address), self._account.wait_s(account)]
            if max(waits) == 0:
                self._pair.failed((account, address))
                self._address.failed(address)
                self._account.failed(account)
            return max(waits)

    def passed(self, account: str, address: str) -> None:
        """Forget what one account failed from one address, and that this try was counted."""
        self._pair.passed((account, address))
        self.took_back(account, address)

    def took_back(self, account: str, address: str) -> None:
        """Count a try not at all: it came to no answer."""
        self._pair.took_back((account, address))
        self._address.took_back(address)
        self._account.took_back(account)


class Sparing:
    """Lets the same thing through once in a while only."""

    def __init__(self, every_s: float, clock: Callable[[], float]) -> None:
        self._once = Throttle(1, every_s, clock)

    def first(self, name: Hashable) -> bool:
        """Say whether this is the first of its name for a while."""
        if self._once.wait_s(name) > 0:
            return False
        self._once.failed(name)
        return True

    def forget(self, name: Hashable) -> None:
        """Let a name through again at once: what it was let through for did not happen."""
        self._once.passed(name)
