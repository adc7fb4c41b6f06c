"""Calibrated confidence for the reader: one temperature, fitted on data not trained on."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.floating]
Classes = NDArray[np.integer]


STRICT = 0.9
"""The threshold where none makes wrong readings as rare as asked for."""


@dataclass(frozen=True, slots=True)
class Calibration:
    """How sure a reading has to be, and how its probability comes about."""

    temperature: float
    """Logits are divided by this before the softmax."""
    threshold: float
    """A reading below this probability is given as unreadable."""
    error: float
    """Expected calibration error after it, 0 to 1, over 15 bins."""
    kept: float
    """Share of the readings that are at or over the threshold."""
    wrong: float
    """Share of wrong ones among those kept."""


def softmax(logits: Floats, temperature: float = 1.0) -> Floats:
    """Return probabilities, the same shape as the logits (N, classes).

    >>> softmax(np.array([[0.0, 0.0]])).tolist()
    [[0.5, 0.5]]
    """
    scaled = logits / temperature
    powers = np.exp(scaled - scaled.max(axis=1, keepdims=True))
    return np.asarray(powers / powers.sum(axis=1, keepdims=True))


def fit(logits: Floats, wanted: Classes, *, most_wrong: float = 0.005) -> Calibration:
    """Return the temperature of least negative log likelihood and the least threshold that serves.

    Args:
        logits: Float (N, classes), the mean over both turns.
        wanted: Int (N,), the true classes.
        most_wrong: The share of wrong readings that may pass the threshold.
    """
    tries = np.exp(np.linspace(np.log(0.2), np.log(4), 80))
    temperature = float(min(tries, key=lambda t: _loss(logits, wanted, float(t))))
    probabilities = softmax(logits, temperature)
    best = probabilities.max(axis=1)
    right = probabilities.argmax(axis=1) == wanted
    threshold = STRICT
    for candidate in np.linspace(0.4, 0.99, 60):
        kept = best >= candidate
        if kept.any() and 1 - right[kept].mean() <= most_wrong:
            threshold = float(candidate)
            break
    return judged(temperature, threshold, logits, wanted)


def judged(temperature: float, threshold: float, logits: Floats, wanted: Classes) -> Calibration:
    """Return how good a temperature and a threshold are on data, best on data they don't know.

    Args:
        temperature: Divides the logits.
        threshold: The least probability of a reading that is told.
        logits: Float (N, classes), the mean over both turns.
        wanted: Int (N,), the true classes.
    """
    probabilities = softmax(logits, temperature)
    best = probabilities.max(axis=1)
    right = probabilities.argmax(axis=1) == wanted
    kept = best >= threshold
    wrong = float(1 - right[kept].mean()) if kept.any() else 0.0
    return Calibration(
        temperature, threshold, calibration_error(best, right), float(kept.mean()), wrong
    )


def calibration_error(sure: Floats, right: NDArray[np.bool_], bins: int = 15) -> float:
    """Return the expected calibration error: how far confidence is from the share that is right.

    >>> calibration_error(np.array([0.75] * 4), np.array([True, True, True, False]))
    0.0
    """
    places = np.minimum((sure * bins).astype(int), bins - 1)
    gaps = [
        abs(float(sure[places == b].mean()) - float(right[places == b].mean()))
        * float((places == b).mean())
        for b in range(bins)
        if (places == b).any()
    ]
    return float(sum(gaps))


def _loss(logits: Floats, wanted: Classes, temperature: float) -> float:
    probabilities = softmax(logits, temperature)
    return float(-np.log(probabilities[np.arange(len(wanted)), wanted] + 1e-9).mean())
