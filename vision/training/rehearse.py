"""Rehearse the whole training in a minute: two short runs a network, exported, checked, compared.

    python -m vision.training.rehearse [--seconds 8]

It trains nothing that is of use. It fails when a network cannot be trained, taken up again,
exported and run alike outside of torch, or when the framework's own detector sees other cards than
the runtime's. The cards are plain, so neither the network nor any package of card art is needed.
"""

import argparse
import json
import tempfile
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import cv2
import numpy as np

from vision.detector import OnnxDetector
from vision.geometry import Image, overlap
from vision.model import load_model
from vision.training import export, nets, train
from vision.training.dataset import make_shard, plan
from vision.training.sources import ArtError, Split
from vision.training.ultralytics_detector import UltralyticsDetector
from vision.weights import load_weights

_NETWORKS = ("detector", "reader", "refiner", "indices", "index_reader")
_SIZE = (320, 192)
"""The detector's input in the rehearsal."""
_THRESHOLD = 1e-6
"""A detector of a few seconds is sure of nothing; those boxes are compared that it likes best."""
_COMPARED = 20
_ALIKE = 0.97
"""Overlap from which a box of one detector is the other's."""
_MOST_UNLIKE = 0.1
"""Share of boxes that may differ: of two near-equal boxes each keeps another one."""


def plain_art(cache: Path) -> None:
    """Write an art cache of one plain deck and three backs for each split."""
    rows = []
    for split in Split:
        faces = np.full((53, 84, 60, 4), 255, np.uint8)
        for number, face in enumerate(faces):
            cv2.putText(face, f"{number}", (6, 40), 0, 0.8, (10, 10, 120, 255), 2)
        np.save(cache / f"plain-{split.value}.npy", faces)
        backs = np.full((3, 84, 60, 4), 255, np.uint8)
        backs[:, 6:-6, 6:-6, 0] = 20
        np.save(cache / f"backs-{split.value}.npy", backs)
        rows.append({"name": f"plain-{split.value}", "licence": "CC0-1.0", "credit": "nobody",
                     "split": split.value, "aspect": 0.7, "has_back": True})  # fmt: skip
    (cache / "decks.json").write_text(json.dumps(rows))


def tiny_data(out: Path, cache: Path) -> None:
    """Render one small shard of every part of the data set with plain cards."""
    for part in plan()[1]:
        small = replace(part, decks="", shards=1, per_shard=12)
        make_shard(small, 0, out, cache)


def rehearse(folder: Path, seconds: float) -> None:
    """Train, resume, export and compare in a folder.

    Raises:
        ArtError: Something does not work or does not agree; the line says what.
    """
    cache, data, models = folder / "art", folder / "data", folder / "models"
    cache.mkdir()
    plain_art(cache)
    tiny_data(data, cache)
    for epoch in (1, 2):
        for network in _NETWORKS:
            run = folder / network
            size = ["--size", str(_SIZE[0]), str(_SIZE[1])]
            minutes = _minutes_trained(run) + seconds / 60
            train.main([network, "--minutes", str(minutes), "--data", str(data),
                        "--run", str(run), "--batch", "4", *size])  # fmt: skip
            steps = [json.loads(line)["step"] for line in (run / "log.jsonl").open()]
            print(f"{network}, epoch {epoch}: {steps[-1]} steps")  # noqa: T201
            if steps != sorted(set(steps)):
                raise ArtError(f"{network} was not taken up where it stopped: steps {steps}")
    export.main([part for name in _NETWORKS
                 for part in (f"--{name.replace('_', '-')}", str(folder / name))]
                + ["--data", str(data), "--out", str(models)])  # fmt: skip
    picture = cv2.imread(str(next((data / "scenes-validation").rglob("*.jpg"))))
    scene: Image = np.asarray(picture, dtype=np.uint8)
    load_model(models).detect(scene)
    compare(models, folder / "detector", scene)


def _minutes_trained(run: Path) -> float:
    """Return how long a run has been trained; on a busy machine one step may take seconds."""
    log = run / "log.jsonl"
    return float(json.loads(log.read_text().splitlines()[-1])["minutes"]) if log.is_file() else 0.0


def compare(models: Path, run: Path, scene: Image) -> None:
    """Check that the framework's detector and the runtime's find the same boxes.

    Raises:
        ArtError: More of them differ than may.
    """
    size = (640, 384)
    # At full precision, as the framework has them: so untrained a network ranks its boxes by noise.
    whole, example = models / "whole.onnx", nets.pixels(scene[None], "cpu")
    export.export("detector", export.prepared("detector", run), example, whole, halved=False)
    weights = replace(load_weights(models)["detector"], path=whole)
    ours = OnnxDetector(weights).look(scene, 640 / max(scene.shape[:2]), _THRESHOLD)
    theirs = UltralyticsDetector(run, size=size, threshold=_THRESHOLD).find(scene)
    surest = theirs[:_COMPARED]
    unlike = [
        box for box in surest
        if max((overlap(box.corners, own.corners) for own in ours), default=0.0) < _ALIKE
    ]  # fmt: skip
    print(f"runtime {len(ours)} boxes, framework {len(theirs)}, {len(unlike)} differ")  # noqa: T201
    if not surest or len(unlike) > _MOST_UNLIKE * len(surest):
        raise ArtError(
            f"{len(unlike)} of {len(surest)} boxes of the framework are not the runtime's"
        )


def main(arguments: Sequence[str] | None = None) -> None:
    """Rehearse; see the module."""
    parser = argparse.ArgumentParser(prog="python -m vision.training.rehearse")
    parser.add_argument("--seconds", type=float, default=8.0, help="of training an epoch")
    args = parser.parse_args(arguments)
    with tempfile.TemporaryDirectory() as folder:
        rehearse(Path(folder), args.seconds)


if __name__ == "__main__":
    main()
