"""The live picture: the newest frame with its cards drawn, for the pit wall."""

import time
from pathlib import Path

import cv2

from vision.annotate import annotate
from vision.pipeline import Observation

EVERY_S = 0.2
"""The pause between two pictures, in seconds: the wall asks about four times a second."""

WIDTH_PX = 960
"""Wide enough for a tile on a large wall, small enough for eight tables on one network link."""

QUALITY = 80


class LivePicture:
    """Leaves the newest picture of one table where the web interface looks for it."""

    def __init__(self, live_dir: Path, table: str) -> None:
        self._path = live_dir / f"{table}.jpg"
        self._part = live_dir / f".{table}.part"
        self._due = 0.0
        live_dir.mkdir(parents=True, exist_ok=True)

    def show(self, observation: Observation) -> None:
        """Write the picture of an observation, unless the last one is too new.

        The file is replaced as a whole, so that nobody ever reads half of one.
        """
        now = time.monotonic()
        if observation.frame is None or now < self._due:
            return
        self._due = now + EVERY_S
        picture = annotate(observation.frame.image, observation.cards)
        scale = min(1.0, WIDTH_PX / picture.shape[1])
        small = cv2.resize(picture, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA)
        encoded, data = cv2.imencode(".jpg", small, [cv2.IMWRITE_JPEG_QUALITY, QUALITY])
        if encoded:
            self._part.write_bytes(data.tobytes())
            self._part.replace(self._path)
