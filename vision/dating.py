"""Dating a live stream: its own time stamps tell how far apart frames are, arrivals tell when.

The clock of a camera is not ours and drifts. The frame that was delayed least on its way tells best
by how much the two differ, so the least difference counts; it follows slowly, a few milliseconds a
segment, so that neither a slow network nor a drifting camera makes or hides a time without frames.
"""

from collections.abc import Callable

_SLEW_S = 0.01
"""The most by which a segment moves against the one before: over 3 s it follows 3000 parts per
million, far more than clocks of cameras drift."""

_STEP_S = 2.0
"""Beyond this the camera's clock was set; it is believed at once."""


class Dating:
    """Turns time stamps of a stream into times on the source's line of time.

    While a segment is written, its times count from the stream's first frame; what to add to them
    is known when it is closed.
    """

    def __init__(self, now: Callable[[], float] | None = None) -> None:
        """Date frames by their arrival; in media time when `now` is None."""
        self._now = now
        self._first: float | None = None
        self._settled: float | None = None
        self._least: float | None = None

    def see(self, stamp: float) -> float:
        """Take a frame's time stamp, seconds; return it counted from the stream's first frame."""
        self._first = stamp if self._first is None else self._first
        at = stamp - self._first
        if self._now is not None:
            ahead = self._now() - at
            self._least = ahead if self._least is None else min(self._least, ahead)
        return at

    def offset(self) -> float:
        """Return what is to be added to the times of the segment that is being written."""
        if self._settled is not None:
            return self._settled
        return self._least or 0.0

    def told(self, at: float) -> float:
        """Return a frame's time on the source's line of time."""
        return at + self.offset()

    def has_stepped(self, at: float) -> bool:
        """Say whether a frame's time stamp does not fit its arrival: the camera's clock was set."""
        return self._now is not None and abs(self._now() - at - self.offset()) > _STEP_S

    def restart(self, at: float) -> None:
        """Begin anew with a frame whose time stamp does not go on after those before it."""
        self._settled = None
        if self._now is not None:
            self._least = self._now() - at

    def settle(self) -> float:
        """Return the offset of a segment that is closed now; the next one follows the arrivals."""
        used = self.offset()
        if self._least is not None:
            away = self._least - used
            slew = away if abs(away) > _STEP_S else max(-_SLEW_S, min(_SLEW_S, away))
            self._settled = used + slew
        self._least = None
        return used
