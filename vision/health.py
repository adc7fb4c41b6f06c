"""Whether the camera can see at all: frozen, covered, dark, blurred or moved."""

from collections import deque
from dataclasses import dataclass, field
from enum import StrEnum, unique

import cv2
import numpy as np
from numpy.typing import NDArray

from rules.events import FeedBack, FeedLost
from vision.frames import Frame
from vision.geometry import Floats
from vision.settings import Settings

_ACROSS = 320
"""Pixels across the grey picture that is judged."""
_CHECK_S = 0.2
"""Seconds between two checks: nothing here needs every frame."""
_DARK = 14.0
"""Mean grey level under which nothing can be read."""
_EVEN = 3.0
"""Standard deviation of grey under which there is nothing at all to see."""
_EVENED = 0.35
"""Part of the usual standard deviation that is left when a hand or a cloth is over the lens."""
_BLURRED = 0.2
"""Part of the usual sharpness (variance of the Laplacian) that is left when the lens is blurred."""
_SHIFT = 0.015
"""Part of the picture's width by which a bumped camera is off: about a quarter of a card."""


@unique
class Ailment(StrEnum):
    """What keeps the camera from seeing, as told to the staff."""

    FROZEN = "the picture is frozen"
    DARK = "the picture is dark"
    COVERED = "the camera is covered"
    BLURRED = "the picture is blurred"
    MOVED = "the camera has moved"


@dataclass(slots=True)
class Health:
    """Judges frame after frame, and tells when sight is lost and when it is back."""

    settings: Settings
    ailment: Ailment | None = None
    """What is wrong, once told; None while the camera sees."""
    _suspect: Ailment | None = None
    _since: float = 0.0
    _checked_at: float | None = None
    _changed_at: float | None = None
    _last: NDArray[np.uint8] | None = None
    _reference: Floats | None = None
    _sharpness: deque[float] = field(default_factory=lambda: deque(maxlen=50))

    def update(self, frame: Frame) -> FeedLost | FeedBack | None:
        """Take the next frame; return an event when sight was lost or came back with it."""
        self._note_change(frame)
        if self._checked_at is not None and frame.at - self._checked_at < _CHECK_S:
            return None
        self._checked_at = frame.at
        found = self._judge(frame)
        if found is not self._suspect:
            self._suspect, self._since = found, frame.at
        waited = frame.at - self._since
        if found is self.ailment or (found is not Ailment.FROZEN and not self._lasts(waited)):
            return None
        lost = self.ailment is None
        self.ailment = found
        if found is None:
            return FeedBack()
        return FeedLost(found.value) if lost else None

    def restart(self) -> None:
        """Begin anew after a gap: the picture may have changed in the meantime."""
        self._last = self._changed_at = None
        self._checked_at = None

    def _lasts(self, waited: float) -> bool:
        return waited >= self.settings.unwell_s

    def _note_change(self, frame: Frame) -> None:
        if self._last is None or not np.array_equal(self._last, frame.image):
            self._last, self._changed_at = frame.image, frame.at

    def _judge(self, frame: Frame) -> Ailment | None:
        since = frame.at if self._changed_at is None else self._changed_at
        if frame.at - since >= self.settings.frozen_s:
            return Ailment.FROZEN
        tall, wide = frame.image.shape[:2]
        size = (_ACROSS, max(8, round(_ACROSS * tall / wide)))
        small = cv2.resize(frame.image, size, interpolation=cv2.INTER_AREA)
        grey = cv2.cvtColor(small, cv2.COLOR_BGR2GRAY).astype(np.float32)
        if float(grey.mean()) < _DARK and float(np.percentile(grey, 99)) < 4 * _DARK:
            return Ailment.DARK
        if self._is_covered(grey):
            return Ailment.COVERED
        if self._is_blurred(grey):
            return Ailment.BLURRED
        soft = np.asarray(cv2.GaussianBlur(grey, (0, 0), 2.5), dtype=np.float32)
        return Ailment.MOVED if self._has_moved(soft) else None

    def _is_covered(self, grey: Floats) -> bool:
        contrast = float(grey.std())
        usual = 0.0 if self._reference is None else float(self._reference.std())
        return contrast < max(_EVEN, _EVENED * usual)

    def _is_blurred(self, grey: Floats) -> bool:
        sharpness = float(cv2.Laplacian(grey, cv2.CV_32F).var())
        if len(self._sharpness) >= 10:
            usual = float(np.median(self._sharpness))
            if sharpness < _BLURRED * usual:
                return True
        if self.ailment is None:
            self._sharpness.append(sharpness)
        return False

    def _has_moved(self, grey: Floats) -> bool:
        """Say whether the picture as a whole lies elsewhere than at first.

        The shift must also explain the picture: what merely moves on the table does not. Fine lines
        are blurred before, since they would have to lie on each other to a part of a pixel.
        """
        if self._reference is None:
            self._reference = grey
            return False
        window = cv2.createHanningWindow((grey.shape[1], grey.shape[0]), cv2.CV_32F)
        # OpenCV multiplies its arguments by the window in place, so it gets copies.
        (right, down), _ = cv2.phaseCorrelate(self._reference.copy(), grey.copy(), window)
        shift = float(np.hypot(right, down))
        if shift < _SHIFT * grey.shape[1] or shift > 0.3 * min(grey.shape):
            if self.ailment is None:
                self._reference = np.asarray(0.98 * self._reference + 0.02 * grey, np.float32)
            return False
        way = np.array([[1, 0, right], [0, 1, down]], dtype=np.float32)
        moved = cv2.warpAffine(self._reference, way, (grey.shape[1], grey.shape[0]))
        edge = int(shift) + 2
        inner = np.s_[edge:-edge, edge:-edge]
        as_moved = float(np.abs(grey[inner] - moved[inner]).mean())
        as_before = float(np.abs(grey[inner] - self._reference[inner]).mean())
        return as_moved < 0.6 * as_before
