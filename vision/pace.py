"""Whether looking keeps up with the frames: how late it is, and how many it leaves out.

A camera's newest frame is looked at, so a slow machine leaves frames out and stays in time. A
recording at its own pace leaves none out, so a slow machine tells everything later and later.
"""

from collections import deque
from dataclasses import dataclass, field

from vision.frames import Frame

LATE_S = 2.0
"""A recording that is looked at so much late is told; when half of that is left it has caught up:
the proof of a breach is due within a second."""

LOOKS = 10.0
"""Looks a second that a table needs while cards move. A machine that makes so many keeps up, though
the camera may send more frames."""

_WINDOW_S = 10.0
"""Frames that were left out are counted over so long: the burst of a deal is shorter."""

_LEFT_OUT, _CAUGHT_UP = 0.1, 0.05
"""Fewer left out, as a part of all, are no lag; an earlier lag has ended at the smaller part."""

_ENOUGH = 1.2
"""An earlier lag has also ended with so many times the looks that are needed."""


@dataclass(frozen=True, slots=True)
class Lag:
    """How far looking is behind; nothing of both when it keeps up."""

    late_s: float = 0.0
    """How late frames of a recording that is played at its own pace are looked at, seconds."""
    left_out: float = 0.0
    """The part of a live camera's frames that nobody looked at, 0 to 1, over the last seconds."""

    @property
    def is_over(self) -> bool:
        """Whether looking keeps up."""
        return not self.late_s and not self.left_out


@dataclass(slots=True)
class Pace:
    """Follows the frames that are looked at, and tells when they fall behind and catch up."""

    lag: Lag = field(default_factory=Lag)
    """What was told last."""
    _seen: deque[tuple[float, int]] = field(default_factory=deque)
    """Time and index of the frames within the window, and of the last before it."""

    def update(self, frame: Frame) -> Lag | None:
        """Take the next frame; return the lag when it began, doubled or ended with it."""
        self._seen.append((frame.at, frame.index))
        while len(self._seen) > 1 and self._seen[1][0] <= frame.at - _WINDOW_S:
            self._seen.popleft()
        left_out, looks = self._rates()
        if self._keeps_up(frame.late_s, left_out, looks):
            news = None if self.lag.is_over else Lag()
        elif self.lag.is_over:
            late = frame.late_s >= LATE_S
            few = left_out >= _LEFT_OUT and looks < LOOKS
            told = Lag(frame.late_s if late else 0.0, left_out if few else 0.0)
            news = None if told.is_over else told
        else:
            grown = Lag(frame.late_s, left_out)
            news = grown if self._has_doubled(grown) else None
        self.lag = self.lag if news is None else news
        return news

    def _rates(self) -> tuple[float, float]:
        """Return the part of the frames that was left out, and the looks a second.

        None are left out as far as is known before the window is full.
        """
        (since, first), (until, last) = self._seen[0], self._seen[-1]
        if until - since < _WINDOW_S or last <= first:
            return 0.0, LOOKS
        looked_at = len(self._seen) - 1
        return 1 - looked_at / (last - first), looked_at / (until - since)

    def _keeps_up(self, late_s: float, left_out: float, looks: float) -> bool:
        few = left_out > _CAUGHT_UP and looks < LOOKS * _ENOUGH
        return late_s < LATE_S / 2 and not few

    def _has_doubled(self, now: Lag) -> bool:
        """Say whether it is twice as late as was told, or looks at half of what was told."""
        later = now.late_s >= max(LATE_S, 2 * self.lag.late_s)
        return later or (
            now.left_out > _LEFT_OUT and 1 - now.left_out <= (1 - self.lag.left_out) / 2
        )
