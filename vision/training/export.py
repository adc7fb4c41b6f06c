"""Export trained runs as the weights that ship, check them, calibrate them and write the manifest.

    python -m vision.training.export --detector RUN --reader RUN [--refiner RUN]

Each network goes to ONNX and is run there on a batch of the validation data; it is refused when it
differs from torch. What the manifest says of a network is measured on the exported file.
"""

import argparse
import hashlib
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np
import onnxruntime  # type: ignore[import-untyped]
import torch
from numpy.typing import NDArray

from vision.index_reader import INDEX_CROP
from vision.indices import CARD, PATCH
from vision.training import nets, weigh
from vision.training.batches import (
    BACK,
    GROWN,
    READER_SIZE,
    Rows,
    detector_batch,
    reader_batch,
    refiner_batch,
)
from vision.training.calibrate import fit, judged
from vision.training.dataset import OUT, load, plan
from vision.training.halved import halve
from vision.training.index_crops import index_crops
from vision.training.indices import index_batch
from vision.training.loop import averaged
from vision.training.sources import ArtError
from vision.training.train import (
    judge_detector,
    judge_index_reader,
    judge_indices,
    judge_reader,
    judge_refiner,
    reader_logits,
)

MODELS = Path("models")
LICENCE = "AGPL-3.0-or-later"
OPSET = 17

MOST_WRONG = 0.02
"""Share of wrong readings among those told, on validation cards. Those are blurred, covered and
small far more often than a table's, where the same threshold leaves fewer wrong."""

_TUNED = 1000
"""Calibration pictures by which the index network is weighed: some 2000 boxes."""

TOLERANCE = {"detector": 0.5, "reader": 0.01, "refiner": 0.002, "indices": 0.02,
             "index_reader": 0.02}  # fmt: skip
"""Greatest difference from torch that is let pass: pixels, logits, shares of a crop, logits."""

Floats = NDArray[np.float32]


@dataclass(frozen=True, slots=True)
class Shipped:
    """One exported network."""

    name: str
    file: Path
    difference: float
    """Greatest difference between torch and ONNX Runtime on the checked batch."""
    lines: tuple[str, ...]
    """Its further lines of the manifest."""


class Session:
    """An exported network that is called like a torch one, for the judges."""

    def __init__(self, file: Path) -> None:
        """Open an ONNX file on the processor."""
        self._session = onnxruntime.InferenceSession(str(file), providers=["CPUExecutionProvider"])
        self._name = self._session.get_inputs()[0].name

    def __call__(self, tensor: nets.Tensor) -> nets.Tensor:
        """Return the output for a tensor, as a tensor."""
        values = np.ascontiguousarray(tensor.float().cpu().numpy())
        return torch.from_numpy(self._session.run(None, {self._name: values})[0])


def export(
    name: str, net: nets.Net, example: nets.Tensor, file: Path, *, halved: bool = True
) -> float:
    """Write a network as ONNX and return its greatest difference from torch.

    It is compared before its weights are stored as 16-bit numbers: what that costs is in the
    figures, which are measured on the file that ships.

    Raises:
        ArtError: The difference is over the network's tolerance.
    """
    net = net.eval().float()
    puts = "images" if name == "detector" else "crops"
    gets = {"detector": "boxes", "refiner": "corners", "indices": "cells"}.get(name, "logits")
    free = {0: "n"} if name != "detector" else {2: "height", 3: "width"}
    plain = example.contiguous()
    file.parent.mkdir(parents=True, exist_ok=True)
    torch.onnx.export(
        net, (plain,), str(file), input_names=[puts], output_names=[gets], opset_version=OPSET,
        dynamic_axes={puts: free, **({gets: {0: "n"}} if name != "detector" else {gets: {2: "k"}})},
        dynamo=False,
    )  # fmt: skip
    with torch.inference_mode():
        raw = net(plain)
    wanted = (raw[0] if isinstance(raw, tuple) else raw).numpy()
    difference = float(np.abs(Session(file)(plain).numpy() - wanted).max())
    if difference > TOLERANCE[name]:
        raise ArtError(f"{file} differs from torch by {difference:.4g}, over {TOLERANCE[name]}")
    if halved:
        halve(file)
    return difference


def prepared(name: str, run: Path) -> nets.Net:
    """Return the averaged network of a run, ready to be exported."""
    net = {
        "detector": nets.detector,
        "reader": nets.reader,
        "refiner": nets.refiner,
        "indices": nets.IndexNet,
        "index_reader": nets.index_reader,
    }[name]()
    net.load_state_dict(averaged(run))
    net = net.eval().float()
    if name == "indices":
        return net.trimmed()
    if name == "detector":
        head = net.model[-1]
        head.export, head.dynamic, head.format = True, True, "onnx"
    return net


def ship_detector(run: Path, data: Path, out: Path, size: tuple[int, int]) -> Shipped:
    """Export the detector and measure it."""
    rows = load(data / "scenes-validation")
    example = nets.pixels(detector_batch(rows[:1], size, None).pictures, "cpu")
    file = out / "detector.onnx"
    difference = export("detector", prepared("detector", run), example, file)
    session = Session(file)
    scores = judge_detector(_one_by_one(session), rows[:200], size, "cpu")
    return Shipped("detector", file, difference, (
        f"size = [{size[0]}, {size[1]}]",
        'dynamic = true  # height and width: any multiples of 32',
        'colour = "rgb"', "scale = 255.0", f"grey = {114}", 'classes = ["face", "back"]',
        "# output rows: cx, cy, w, h (w along the card's top), face, back, angle in radians",
        f"long_side = {size[0]}", "card_height = 60  # pixels of the input: what it knows best",
        "threshold = 0.35", *_figures(scores),
    ))  # fmt: skip


def _one_by_one(session: Session) -> nets.Net:
    return lambda batch: torch.cat([session(each[None]) for each in batch])


def ship_reader(run: Path, data: Path, out: Path) -> Shipped:
    """Export the reader, calibrate it, and measure it on cards that neither has seen."""
    rows = load(data / "closeups-validation")
    crops = reader_batch(rows[:2], np.random.default_rng(1)).crops
    file = out / "reader.onnx"
    difference = export("reader", prepared("reader", run), nets.pixels(crops, "cpu"), file)
    session = Session(file)
    tuned = fit(*_faces(session, load(data / "calibration-validation")), most_wrong=MOST_WRONG)
    told = judged(tuned.temperature, tuned.threshold, *_faces(session, rows))
    scores = judge_reader(session, rows, "cpu")
    return Shipped("reader", file, difference, (
        f"size = {list(READER_SIZE)}", 'colour = "rgb"', "scale = 255.0",
        'classes = "the 52 cards of rules.cards.PACK in order, back, reject"',
        "turns = 2  # the mean of the logits of both 180 degree turns is to be taken",
        f"temperature = {tuned.temperature:.4f}", f"threshold = {tuned.threshold:.3f}",
        *_figures({**scores, "calibration_error": told.error, "kept": told.kept,
                   "wrong_of_kept": told.wrong}),
    ))  # fmt: skip


def _faces(session: Session, rows: Rows) -> tuple[Floats, NDArray[np.int64]]:
    """Return logits and classes of the faces that are meant to be read and are taken for faces."""
    logits, wanted = reader_logits(session, meant_for(rows), "cpu")
    faces = (logits.argmax(axis=1) < BACK) & (wanted < BACK)
    return logits[faces], wanted[faces]


def meant_for(rows: Rows) -> Rows:
    """Return rows with those cards alone that the model card promises to read."""
    return [
        (
            path,
            tuple(
                each
                for each in labels
                if each.visible >= 0.6 and np.linalg.norm(each.quad[3] - each.quad[0]) >= 40
            ),
        )
        for path, labels in rows
    ]


def ship_refiner(run: Path, data: Path, out: Path) -> Shipped:
    """Export the refiner and measure it."""
    rows = load(data / "closeups-validation")
    crops = refiner_batch(rows[:2], np.random.default_rng(1)).crops
    file = out / "refiner.onnx"
    difference = export("refiner", prepared("refiner", run), nets.pixels(crops, "cpu"), file)
    scores = judge_refiner(Session(file), rows[:300], "cpu")
    return Shipped("refiner", file, difference, (
        "size = [128, 128]", 'colour = "rgb"', "scale = 255.0",
        f"grown = {GROWN}  # the crop is the quad scaled by this about its centre",
        "# output: x, y of the corners, shares of the crop, clockwise from the top left one",
        *_figures(scores),
    ))  # fmt: skip


def ship_indices(run: Path, data: Path, out: Path) -> Shipped:
    """Export the index network and measure it."""
    rows = load(data / "closeups-validation")
    patches = index_batch(rows[:2], np.random.default_rng(1)).patches
    file = out / "indices.onnx"
    difference = export("indices", prepared("indices", run), nets.pixels(patches, "cpu"), file)
    scores = judge_indices(Session(file), rows[:300], "cpu")
    return Shipped("indices", file, difference, (
        f"size = [{PATCH}, {PATCH}]", 'colour = "rgb"', "scale = 255.0",
        f"card = {list(CARD)}  # width and height of the card in the middle of the input",
        "# output cells: whether an index is there, 8 corners of its card from the cell's middle",
        *_figures(scores),
    ))  # fmt: skip


def ship_index_reader(run: Path, data: Path, out: Path) -> Shipped:
    """Export the index reader and measure it."""
    rows = load(data / "closeups-validation")
    crops = index_crops(rows[:2], np.random.default_rng(1)).crops
    file, net = out / "index_reader.onnx", prepared("index_reader", run)
    difference = export("index_reader", net, nets.pixels(crops, "cpu"), file)
    scores = judge_index_reader(Session(file), rows[:300], "cpu")
    return Shipped("index_reader", file, difference, (
        f"size = {list(INDEX_CROP)}", 'colour = "rgb"', "scale = 255.0",
        "# output: whether there is an index, ranks 2 to ace, suits S H D C", *_figures(scores),
    ))  # fmt: skip


def weighed(shipped: Shipped, data: Path, out: Path) -> Shipped:
    """Return the index reader with its weight against the reader, measured on cards of neither.

    All networks lie in `out`, with a manifest.
    """
    tuned = weigh.gathered(out, load(data / "calibration-validation")[:_TUNED])
    weighing = weigh.fit(tuned)
    best = weigh.judged(tuned, weighing, most_wrong=MOST_WRONG)
    rows = load(data / "closeups-validation")
    told = weigh.judged(weigh.gathered(out, rows), weighing, threshold=best.threshold)
    scores = {"error": told.error, "kept": told.kept, "wrong_of_kept": told.wrong}
    inside = ", ".join(f"{key} = {value:.4f}" for key, value in scores.items())
    return replace(shipped, lines=(
        *shipped.lines,
        "# powers of the reader's probabilities and of these, and how often a card whose index is",
        "# to be seen is no card to the reader; then the least probability that is told",
        f"face = {weighing.face:.3g}", f"index = {weighing.index:.3g}",
        f"covered = {weighing.covered:.3g}", f"threshold = {best.threshold:.3f}",
        f"together = {{ {inside} }}  # of the faces that the model finds in held-out pictures",
    ))  # fmt: skip


def _figures(scores: dict[str, float]) -> tuple[str, ...]:
    inside = ", ".join(f"{key} = {value:.4f}" for key, value in scores.items())
    return (f"metrics = {{ {inside} }}  # held-out synthetic data",)


def manifest(version: str, shipped: Sequence[Shipped]) -> str:
    """Return the text of the manifest."""
    parts = ["# The weights of the card model. Written by: python -m vision.training.export", ""]
    for each in shipped:
        parts += _entry(version, each)
    return "\n".join(parts)


def _entry(version: str, shipped: Shipped) -> list[str]:
    digest = hashlib.sha256(shipped.file.read_bytes()).hexdigest()
    return [
        f"[{shipped.name}]",
        f'file = "{shipped.file.name}"',
        f'sha256 = "{digest}"',
        f'licence = "{LICENCE}"',
        f'dataset = "{version}"',
        *shipped.lines,
        f"parity = {shipped.difference:.6f}  # greatest difference from torch, before halving",
        "",
    ]


def main(arguments: Sequence[str] | None = None) -> None:
    """Export everything; see the module."""
    parser = argparse.ArgumentParser(prog="python -m vision.training.export")
    parser.add_argument("--detector", type=Path, required=True)
    parser.add_argument("--reader", type=Path, required=True)
    parser.add_argument("--refiner", type=Path)
    parser.add_argument("--indices", type=Path, help="needs a refiner and an index reader")
    parser.add_argument("--index-reader", type=Path)
    parser.add_argument("--data", type=Path, default=OUT)
    parser.add_argument("--out", type=Path, default=MODELS)
    parser.add_argument("--size", type=int, nargs=2, default=(640, 384))
    args = parser.parse_args(arguments)
    if bool(args.indices) != bool(args.index_reader) or (args.indices and not args.refiner):
        parser.error("--indices and --index-reader go together, and need --refiner")
    version, _ = plan()
    shipped = [ship_detector(args.detector, args.data, args.out, tuple(args.size))]
    shipped.append(ship_reader(args.reader, args.data, args.out))
    if args.refiner:
        shipped.append(ship_refiner(args.refiner, args.data, args.out))
    (args.out / "manifest.toml").write_text(manifest(version, shipped))
    if args.indices:
        shipped.append(ship_indices(args.indices, args.data, args.out))
        shipped.append(ship_index_reader(args.index_reader, args.data, args.out))
        (args.out / "manifest.toml").write_text(manifest(version, shipped))
        shipped[-1] = weighed(shipped[-1], args.data, args.out)
    (args.out / "manifest.toml").write_text(manifest(version, shipped))


if __name__ == "__main__":
    main()
