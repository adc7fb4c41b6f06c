"""Train the detector, the refiner, the reader and the index network.

    python -m vision.training.train detector|refiner|reader|indices [--minutes M] [--data D]

A run is taken up again where it stopped. `vision.training.export` then makes the weights that ship.
"""

import argparse
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np
import torch
from numpy.typing import NDArray
from torch.nn import functional

from rules.cards import Rank
from vision.indices import CHANNELS, decoded
from vision.training import fonts, nets
from vision.training.art import CACHE
from vision.training.batches import (
    BACK,
    Rows,
    corners,
    detector_batch,
    reader_batch,
    refiner_batch,
)
from vision.training.boxes import decode, match
from vision.training.dataset import OUT, load
from vision.training.index_crops import index_crops
from vision.training.indices import index_batch, match_indices
from vision.training.loop import Batch, Run, ahead
from vision.training.pretrained import begin_pretrained
from vision.training.reprint import Printer
from vision.training.scene import Label
from vision.training.schedule import Plan

RUNS = Path("runs")
"""Where runs are kept. Git ignores it."""


INDEX_HEIGHTS = (45.0, 1e9)
"""Median card heights of the pictures that the index reader learns from: smaller indices are blots.
"""
HEIGHTS = (18.0, 170.0)
"""Card heights, in pixels of the scenes, that the detector learns: at run time its input is scaled
so that the cards come into this range."""


@dataclass(frozen=True, slots=True)
class Place:
    """Where a run takes its data from and where it is kept."""

    data: Path
    run: Path
    start_from: Path | None = None
    """An earlier run whose network a new run begins with."""


class Picker:
    """Takes rows at random without end; new shards are seen as they appear."""

    def __init__(self, folder: Path, seed: int, heights: tuple[float, float] = (0.0, 1e9)) -> None:
        """Take rows of a part of the data set whose cards have a median height in a range."""
        self._heights = heights
        self.rng = np.random.default_rng(seed)
        self._folder = folder
        self._rows: Rows = ()
        self._order: list[int] = []

    def take(self, count: int) -> Rows:
        """Return so many rows, each once an epoch."""
        if len(self._order) < count:
            low, high = self._heights
            self._rows = [row for row in load(self._folder) if low <= _height(row[1]) <= high]
            self._order = self.rng.permutation(len(self._rows)).tolist()
        return [self._rows[self._order.pop()] for _ in range(min(count, len(self._order)))]


def _height(labels: Sequence[Label]) -> float:
    """Return the median height of the cards in a picture, pixels; a middling one without any."""
    sides = [float(np.linalg.norm(each.quad[3] - each.quad[0])) for each in labels]
    return float(np.median(sides)) if sides else 50.0


def train_detector(place: Place, plan: Plan, size: tuple[int, int], batch: int) -> None:
    """Train the detector at one input size (width, height)."""
    state = Run(_begun(nets.detector(), place), plan, place.run, place.start_from)
    criterion = state.net.init_criterion()
    picker = Picker(place.data / "scenes-train", state.progress.step, HEIGHTS)
    near = Picker(place.data / "closeups-train", state.progress.step + 11)
    deals = Picker(place.data / "deals-train", state.progress.step + 13, HEIGHTS)
    photos = _photos(place, state.progress.step)
    held = load(place.data / "scenes-validation")[:60]
    held_deals = load(place.data / "deals-validation")[:40]

    def loss() -> nets.Tensor:
        rows = [*(photos.take(batch // 8) if photos else ()), *near.take(batch // 4)]
        rows += deals.take(batch // 4)
        rows = [*picker.take(batch - len(rows)), *rows]
        made = detector_batch(rows, size, picker.rng)
        with nets.bfloat(state.device):
            raw = state.net(nets.pixels(made.pictures, state.device))
        raw = {
            k: [f.float() for f in v] if isinstance(v, list) else v.float() for k, v in raw.items()
        }
        value, _ = criterion(raw, nets.targets(made, state.device))
        return value.sum() / batch

    def judge(net: nets.Net) -> dict[str, float]:
        of_deals = judge_detector(net, held_deals, size, state.device)
        told = {f"deals_{name}": value for name, value in of_deals.items()}
        return {**judge_detector(net, held, size, state.device), **told}

    state.train(loss, judge)


def _begun(net: nets.Net, place: Place) -> nets.Net:
    """Return a network as a new run begins with it: pretrained, unless another run is given."""
    if place.start_from is None and not place.run.is_dir():
        begin_pretrained(net, CACHE)
    return net


def judge_detector(
    net: nets.Net, rows: Rows, size: tuple[int, int], device: str
) -> dict[str, float]:
    """Return recall, precision, side errors and mean overlap on rows that were held out."""
    total = np.zeros(5)
    for start in range(0, len(rows), 10):
        part = rows[start : start + 10]
        made = detector_batch(part, size, None)
        with nets.bfloat(device):
            raw = net(nets.pixels(made.pictures, device))
        values = (raw[0] if isinstance(raw, tuple) else raw).float().cpu().numpy()
        for number, one in enumerate(values):
            wanted = [
                (corners((x * size[0], y * size[1], w * size[0], h * size[1], angle)), int(kind))
                for i, kind, x, y, w, h, angle in made.targets.tolist()
                if i == number
            ]
            total += match(decode(one, least=0.35), wanted)
    right, wrong, missed, extra, shared = total.tolist()
    found = max(1.0, right + wrong)
    return {
        "recall": (right + wrong) / max(1.0, right + wrong + missed),
        "precision": (right + wrong) / max(1.0, right + wrong + extra),
        "wrong_side": wrong / found,
        "overlap": shared / found,
    }


def train_reader(place: Place, plan: Plan, batch: int) -> None:
    """Train the reader; `batch` counts pictures, of about eight crops each."""
    state = Run(_begun(nets.reader(), place), plan, place.run, place.start_from)
    picker = Picker(place.data / "closeups-train", state.progress.step)

    courts = Picker(place.data / "courts-train", state.progress.step + 3)
    photos = _photos(place, state.progress.step + 5)

    def loss() -> nets.Tensor:
        real = photos.take(batch // 12) if photos else ()
        royal = courts.take(batch // 4)
        rows = [*picker.take(batch - len(royal) - len(real)), *_royal(royal), *real]
        made = reader_batch(rows, picker.rng)
        with nets.bfloat(state.device):
            logits = state.net(nets.pixels(made.crops, state.device))
        wanted = torch.from_numpy(made.targets).to(state.device)
        return functional.cross_entropy(logits.float(), wanted, label_smoothing=0.03)

    held = load(place.data / "closeups-validation")[:250]
    state.train(loss, lambda net: judge_reader(net, held, state.device))


def _photos(place: Place, seed: int) -> Picker | None:
    """Return the photographs of real cards to train on, where they have been prepared."""
    folder = place.data / "photos-train"
    return Picker(folder, seed) if folder.is_dir() else None


def _royal(rows: Rows) -> Rows:
    """Return rows of whose faces only jacks, queens and kings are asked for.

    The others stay, so that nothing is taken for empty table where they lie.
    """
    return [(path, tuple(_unless_royal(each) for each in labels)) for path, labels in rows]


def _unless_royal(label: Label) -> Label:
    royal = label.card is None or Rank.JACK <= label.card.rank < Rank.ACE
    return label if royal else replace(label, visible=0.5, index=0.5)


def judge_reader(net: nets.Net, rows: Rows, device: str) -> dict[str, float]:
    """Return the share read rightly, of the faces and of all."""
    logits, wanted = reader_logits(net, rows, device)
    right = logits.argmax(axis=1) == wanted
    faces = wanted < BACK
    return {"faces": float(right[faces].mean()), "all": float(right.mean())}


def reader_logits(
    net: nets.Net, rows: Rows, device: str
) -> tuple[NDArray[np.float32], NDArray[np.int64]]:
    """Return the logits, mean of both turns, and the classes of held-out crops."""
    rng = np.random.default_rng(5)
    logits, wanted = [], []
    for start in range(0, len(rows), 20):
        made = reader_batch(rows[start : start + 20], rng)
        crops = nets.pixels(made.crops, device)
        with nets.bfloat(device):
            both = net(crops).float() + net(crops.flip(2, 3)).float()
        logits.append(both.cpu().numpy() / 2)
        wanted.append(made.targets)
    return np.concatenate(logits), np.concatenate(wanted)


def train_refiner(place: Place, plan: Plan, batch: int) -> None:
    """Train the refiner; `batch` counts pictures, of about eight crops each."""
    state = Run(_begun(nets.refiner(), place), plan, place.run, place.start_from)
    picker = Picker(place.data / "closeups-train", state.progress.step + 7)
    photos = _photos(place, state.progress.step + 9)

    def loss() -> nets.Tensor:
        real = photos.take(batch // 4) if photos else ()
        made = refiner_batch([*picker.take(batch - len(real)), *real], picker.rng)
        with nets.bfloat(state.device):
            found = state.net(nets.pixels(made.crops, state.device))
        wanted = torch.from_numpy(made.targets).to(state.device)
        return functional.smooth_l1_loss(found.float(), wanted, beta=0.02) * 10

    held = load(place.data / "closeups-validation")[:200]
    state.train(loss, lambda net: judge_refiner(net, held, state.device))


def judge_refiner(net: nets.Net, rows: Rows, device: str) -> dict[str, float]:
    """Return the mean and the 90th percentile of the corner error, as shares of the crop."""
    rng = np.random.default_rng(6)
    errors = []
    for start in range(0, len(rows), 20):
        made = refiner_batch(rows[start : start + 20], rng)
        with nets.bfloat(device):
            found = net(nets.pixels(made.crops, device)).float().cpu().numpy()
        gap = (found - made.targets.astype(np.float32)).reshape(-1, 4, 2)
        errors.append(np.hypot(gap[..., 0], gap[..., 1]).mean(axis=1))
    every = np.concatenate(errors)
    return {"corner": float(every.mean()), "corner90": float(np.percentile(every, 90))}


def _indices_ahead(
    place: Place, picker: Picker, batch: int, cut: Callable[..., Batch]
) -> Callable[[], Batch]:
    """Return a function that gives the next pictures' indices, cut out while others are learned.

    Args:
        place: Where the data is.
        picker: Takes the close-ups; its source of chance serves all.
        batch: Pictures a batch: a quarter of scrambled courts, a tenth of photographs.
        cut: Cuts indices out of rows, as `index_batch` does.
    """
    seed = int(picker.rng.integers(1 << 30))
    courts, photos = Picker(place.data / "courts-train", seed), _photos(place, seed + 1)
    printer = Printer(CACHE) if fonts.are_fetched(CACHE) else None

    def make() -> Batch:
        rows = [*courts.take(batch // 4), *(photos.take(batch // 10) if photos else ())]
        return cut([*picker.take(batch - len(rows)), *rows], picker.rng, printer=printer)

    return ahead(make)


def train_indices(place: Place, plan: Plan, batch: int) -> None:
    """Train the index network; `batch` counts pictures, of up to four patches each."""
    state = Run(_begun(nets.IndexNet(), place), plan, place.run, place.start_from)
    picker = Picker(place.data / "closeups-train", state.progress.step + 17)
    patches = _indices_ahead(place, picker, batch, index_batch)

    def loss() -> nets.Tensor:
        made = patches()
        with nets.bfloat(state.device):
            told = state.net(nets.pixels(made.patches, state.device))
        return nets.index_loss(told.float(), made, state.device)

    held = load(place.data / "closeups-validation")[:200]
    state.train(loss, lambda net: judge_indices(net, held, state.device))


def judge_indices(net: nets.Net, rows: Rows, device: str) -> dict[str, float]:
    """Return the share of the indices that are found, and of what is found that is none."""
    rng = np.random.default_rng(7)
    total = np.zeros(3)
    for start in range(0, len(rows), 20):
        made = index_batch(rows[start : start + 20], rng)
        with nets.bfloat(device):
            told = net(nets.pixels(made.patches, device)).float().cpu()
        told = nets.where(told, dim=1) if told.shape[1] > CHANNELS else told
        for number, one in enumerate(told.numpy()):
            total += match_indices(decoded(one), made, number)
    found, false, there = total.tolist()
    return {"found": found / max(1.0, there), "false": false / max(1.0, found + false)}


def train_index_reader(place: Place, plan: Plan, batch: int) -> None:
    """Train the index reader; `batch` counts pictures, of up to ten indices each."""
    state = Run(_begun(nets.index_reader(), place), plan, place.run, place.start_from)
    picker = Picker(place.data / "closeups-train", state.progress.step + 29, INDEX_HEIGHTS)
    crops = _indices_ahead(place, picker, batch, index_crops)

    def loss() -> nets.Tensor:
        made = crops()
        with nets.bfloat(state.device):
            told = state.net(nets.pixels(made.crops, state.device))
        return nets.index_reader_loss(told.float(), made, state.device)

    held = load(place.data / "closeups-validation")[:250]
    state.train(loss, lambda net: judge_index_reader(net, held, state.device))


def judge_index_reader(net: nets.Net, rows: Rows, device: str) -> dict[str, float]:
    """Return the share of held-out indices read rightly, and of crops told from none."""
    rng = np.random.default_rng(8)
    right = ranks = suits = shown = told_apart = count = 0.0
    for start in range(0, len(rows), 25):
        made = index_crops(rows[start : start + 25], rng)
        with nets.bfloat(device):
            told = net(nets.pixels(made.crops, device)).float().cpu().numpy()
        there = made.shown > 0
        rank = told[there, 1 : 1 + nets.RANKS].argmax(axis=1) == made.cards[there, 0]
        suit = told[there, 1 + nets.RANKS :].argmax(axis=1) == made.cards[there, 1]
        right += float((rank & suit).sum())
        ranks, suits = ranks + float(rank.sum()), suits + float(suit.sum())
        shown, count = shown + float(there.sum()), count + len(there)
        told_apart += float(((told[:, 0] > 0) == there).sum())
    return {
        "right": right / shown,
        "rank": ranks / shown,
        "suit": suits / shown,
        "there": told_apart / count,
    }


def main(arguments: Sequence[str] | None = None) -> None:
    """Train one network; see the module."""
    parser = argparse.ArgumentParser(prog="python -m vision.training.train")
    parser.add_argument(
        "network", choices=["detector", "refiner", "reader", "indices", "index_reader"]
    )
    parser.add_argument("--minutes", type=float, default=30)
    parser.add_argument("--data", type=Path, default=OUT)
    parser.add_argument("--run", type=Path, help="folder of the run; runs/NETWORK by default")
    parser.add_argument("--start-from", type=Path, help="folder of a run to begin with")
    parser.add_argument("--size", type=int, nargs=2, default=(416, 256), help="detector input")
    parser.add_argument("--batch", type=int, help="pictures a step")
    parser.add_argument("--start", type=float, default=0.0, help="place on the schedule, 0 to 1")
    parser.add_argument("--threads", type=int, help="processor threads")
    args = parser.parse_args(arguments)
    if args.threads:
        torch.set_num_threads(args.threads)
    place = Place(args.data, args.run or RUNS / args.network, args.start_from)
    match args.network:
        case "detector":
            plan = Plan(args.minutes, 1.5e-3, start=args.start)
            train_detector(place, plan, tuple(args.size), args.batch or 8)
        case "reader":
            train_reader(place, Plan(args.minutes, 2e-3, start=args.start), args.batch or 16)
        case "index_reader":
            train_index_reader(place, Plan(args.minutes, 2e-3, start=args.start), args.batch or 24)
        case "indices":
            train_indices(place, Plan(args.minutes, 2e-3, start=args.start), args.batch or 16)
        case _:
            train_refiner(place, Plan(args.minutes, 2e-3, start=args.start), args.batch or 12)


if __name__ == "__main__":
    main()
