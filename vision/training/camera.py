"""A pinhole camera over a flat table, as a homography from the table to the picture."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]

CARD_MM = 88.0
"""Height of a card; its width follows from the deck's aspect."""


@dataclass(frozen=True, slots=True)
class Camera:
    """Where the camera is and how it looks."""

    width: int
    height: int
    """The picture's size in pixels."""
    tilt: float
    """Angle off vertical in radians; 0 looks straight down."""
    turn: float
    """Turn of the table under the camera in radians."""
    focal: float
    """Focal length in pixels."""
    card_px: float
    """Height in pixels of a card that lies in the middle and is not foreshortened."""

    def matrix(self) -> Array:
        """Return the homography, Float64 (3, 3), from table millimetres to pixels.

        The table's origin is in the middle of the picture.
        """
        sin, cos = np.sin(self.tilt), np.cos(self.tilt)
        x, y = self.width / 2, self.height / 2
        far = self.focal * CARD_MM / self.card_px
        view = np.array(
            [
                [self.focal, -x * sin, x * far],
                [0.0, self.focal * cos - y * sin, y * far],
                [0.0, -sin, far],
            ]
        )
        c, s = np.cos(self.turn), np.sin(self.turn)
        return np.asarray(view @ np.array([[c, -s, 0], [s, c, 0], [0, 0, 1]]), np.float64)


def project(matrix: Array, points: Array) -> Array:
    """Return points, Float64 (N, 2), carried over by a homography."""
    full = np.column_stack([points, np.ones(len(points))]) @ matrix.T
    return np.asarray(full[:, :2] / full[:, 2:], np.float64)


def random_camera(
    rng: np.random.Generator, size: tuple[int, int], card_px: tuple[float, float]
) -> Camera:
    """Return a random camera: overhead to 55 degrees off vertical.

    Args:
        rng: The source of chance.
        size: Width and height of the picture in pixels.
        card_px: The least and greatest card height; drawn evenly on a logarithmic scale.
    """
    width, height = size
    steep = rng.random()
    tilt = rng.uniform(0, 0.2) if steep < 0.35 else rng.uniform(0.1, 0.96)
    turn = rng.uniform(-np.pi, np.pi) if rng.random() < 0.4 else rng.normal(0, 0.15)
    return Camera(
        width=width,
        height=height,
        tilt=float(tilt),
        turn=float(turn),
        focal=float(rng.uniform(0.8, 2.6) * width),
        card_px=float(np.exp(rng.uniform(np.log(card_px[0]), np.log(card_px[1])))),
    )
