"""The trained detector run by its own framework, for comparison with the runtime's.

It keeps Ultralytics' picture preparation, its network in torch and its way to drop repeated boxes;
so what differs from `vision.detector.OnnxDetector` is the export and this project's own code.
"""

from pathlib import Path

import numpy as np
import torch
from ultralytics.data.augment import LetterBox
from ultralytics.utils.nms import non_max_suppression

from vision.detector import Box
from vision.geometry import Image, oriented_box
from vision.training.export import prepared
from vision.training.nets import pixels

_SHARED = 0.4
"""Boxes that share more are one card, so none is kept here that the runtime would drop."""


class UltralyticsDetector:
    """Satisfies `vision.detector.Detector` with the network of a training run."""

    def __init__(self, run: Path, *, size: tuple[int, int], threshold: float) -> None:
        """Load the averaged weights of a run.

        Args:
            run: The folder of the run.
            size: Width and height of the input, multiples of 32.
            threshold: The least score of a box.

        Raises:
            ArtError: The folder holds no run.
        """
        self._net = prepared("detector", run)
        self._size, self._threshold = size, threshold

    def find(self, image: Image, *, card_height_px: float | None = None) -> tuple[Box, ...]:
        """Return the cards in a picture, searched at the input's size, the surest first."""
        del card_height_px
        wide, tall = self._size
        scale = min(wide / image.shape[1], tall / image.shape[0])
        shown = LetterBox((tall, wide), auto=False, center=False)(image=image)
        with torch.inference_mode():
            raw = self._net(pixels(np.ascontiguousarray(shown[None, ..., ::-1]), "cpu"))
        raw = raw[0] if isinstance(raw, tuple) else raw
        (rows,) = non_max_suppression(
            raw, self._threshold, iou_thres=_SHARED, agnostic=True, nc=2, rotated=True
        )
        return tuple(
            Box(
                (oriented_box((x, y), (w, h), angle) / np.float32(scale)).astype(np.float32),
                score,
                back=kind,
            )
            for x, y, w, h, score, kind, angle in rows.tolist()
        )
