"""The curve of the reading threshold: how much is read, and how much of it wrongly.

    python -m vision.training.curve [--data datasets/generated] [--models models]

It is drawn from the faces that the shipped model finds and reads in the validation pictures, and
printed as the table that `docs/card-model.md` shows.
"""

import argparse
from collections.abc import Sequence
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from vision.reading import weighing_of
from vision.training import weigh
from vision.training.calibrate import calibration_error
from vision.training.dataset import OUT, load
from vision.training.export import MODELS
from vision.weights import load_weights

THRESHOLDS = (0.5, 0.6, 0.7, 0.8, 0.9, 0.95, 0.97, 0.98, 0.99, 0.995)


def table(sure: NDArray[np.floating], right: NDArray[np.bool_]) -> str:
    """Return the rows of the curve as Markdown.

    Args:
        sure: Float (N,), the probability of each reading.
        right: Bool (N,), whether it was right.

    >>> print(table(np.array([0.55, 0.95]), np.array([False, True])).splitlines()[2])
    | 0.5 | 100.0 % | 50.0 % |
    """
    rows = ["| threshold | read | wrong of those read |", "|---|---|---|"]
    for threshold in THRESHOLDS:
        kept = sure >= threshold
        wrong = float(1 - right[kept].mean()) if kept.any() else 0.0
        rows.append(f"| {threshold} | {kept.mean():.1%} | {wrong:.1%} |".replace("%", " %"))
    return "\n".join(rows)


def main(arguments: Sequence[str] | None = None) -> None:
    """Print the curve; see the module."""
    parser = argparse.ArgumentParser(prog="python -m vision.training.curve")
    parser.add_argument("--data", type=Path, default=OUT)
    parser.add_argument("--models", type=Path, default=MODELS)
    args = parser.parse_args(arguments)
    found = weigh.gathered(args.models, load(args.data / "closeups-validation"))
    sure, right = weigh.faces(found, weighing_of(load_weights(args.models)["index_reader"]))
    print(table(sure, right))  # noqa: T201
    print(f"\n{len(sure)} faces, calibration error {calibration_error(sure, right):.1%}")  # noqa: T201


if __name__ == "__main__":
    main()
