"""The synthetic data set: made by many processes, kept as pictures with one line of labels each.

    python -m vision.training.dataset [--out datasets/generated] [--processes 2] [--share 1.0]

Four parts, told in `datasets/dataset.toml`: scenes for the detector and close-ups for the refiner
and the reader, each for training and for validation. Every shard has its own seed, so the set is
the same however many processes make it. Shards that are there already are left alone.
"""

import argparse
import json
import multiprocessing
import os
import tomllib
from collections.abc import Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import cv2
import numpy as np

from rules.cards import Card
from vision.training.art import CACHE, build
from vision.training.scene import Label, Recipe, Scene, Studio
from vision.training.sources import ArtError, Split

PLAN = Path("datasets/dataset.toml")
"""What the set is made of."""

OUT = Path("datasets/generated")
"""Where it is kept. Git ignores it."""


@dataclass(frozen=True, slots=True)
class Part:
    """One part of the set."""

    name: str
    split: Split
    size: tuple[int, int]
    """Width and height of a picture in pixels."""
    ranges: tuple[tuple[float, float], ...]
    """Ranges of the card's height in pixels; each scene takes one of them."""
    shares: tuple[float, ...]
    """How often each range is taken."""
    empty: float
    shards: int
    per_shard: int
    seed: int
    decks: str = ""
    """What the names of its decks begin with."""
    dealt: bool = False
    """Whether the cards lie as a dealer lays them."""


def plan(path: Path = PLAN) -> tuple[str, tuple[Part, ...]]:
    """Return the version of the set and its parts.

    Raises:
        ArtError: The plan is missing or isn't one.
    """
    try:
        read = tomllib.loads(path.read_text())
        parts = tuple(_part(row) for row in read["part"])
        return str(read["version"]), parts
    except (OSError, KeyError, ValueError, TypeError) as error:
        raise ArtError(f"{path} is not the plan of a data set: {error}") from error


def _part(row: dict[str, Any]) -> Part:
    return Part(
        name=row["name"],
        split=Split(row["split"]),
        size=(row["size"][0], row["size"][1]),
        ranges=tuple((low, high) for low, high in row["card_px"]),
        shares=tuple(row["shares"]),
        empty=row["empty"],
        shards=row["shards"],
        per_shard=row["per_shard"],
        seed=row["seed"],
        decks=row.get("decks", ""),
        dealt=row.get("dealt", False),
    )


def save(scenes: Iterator[Scene], folder: Path) -> None:
    """Write scenes into a folder as `NNNN.jpg` and `labels.jsonl`; it appears when it is whole."""
    fresh = folder.with_name(f".{folder.name}")
    fresh.mkdir(parents=True, exist_ok=True)
    lines = []
    for number, scene in enumerate(scenes):
        file = f"{number:04d}.jpg"
        picture = np.ascontiguousarray(scene.picture[..., ::-1])
        cv2.imwrite(str(fresh / file), picture, [cv2.IMWRITE_JPEG_QUALITY, 95])
        cards = [
            {
                "card": None if label.card is None else str(label.card),
                "quad": np.round(label.quad, 2).tolist(),
                "visible": round(label.visible, 3),
                "index": round(label.index, 3),
            }
            for label in scene.labels
        ]
        lines.append(json.dumps({"file": file, "cards": cards}))
    (fresh / "labels.jsonl").write_text("\n".join(lines) + "\n")
    fresh.rename(folder)


def load(folder: Path) -> list[tuple[Path, tuple[Label, ...]]]:
    """Return the pictures of a part, as paths, and their labels: those shards that are there.

    Raises:
        ArtError: There are none.
    """
    found = []
    for labels in sorted(folder.glob("[0-9]*/labels.jsonl")):
        for line in labels.read_text().splitlines():
            row = json.loads(line)
            found.append((labels.parent / row["file"], tuple(_label(c) for c in row["cards"])))
    if not found:
        raise ArtError(f"no data in {folder}; make it with: python -m vision.training.dataset")
    return found


def _label(row: dict[str, Any]) -> Label:
    card = None if row["card"] is None else Card.parse(row["card"])
    return Label(np.array(row["quad"], np.float64), card, row["visible"], row["index"])


def make_shard(part: Part, number: int, out: Path, cache: Path = CACHE) -> str:
    """Make one shard unless it is there, and return its name."""
    folder = out / part.name / f"{number:03d}"
    if folder.is_dir():
        return str(folder)
    cv2.setNumThreads(1)
    seed = part.seed * 1000 + number
    studios = [
        Studio(
            Recipe(part.size, each, part.split, part.empty, part.decks, dealt=part.dealt),
            seed * 10 + i,
            cache,
        )
        for i, each in enumerate(part.ranges)
    ]
    rng = np.random.default_rng(seed)
    picks = rng.choice(len(studios), part.per_shard, p=np.array(part.shares))
    folder.parent.mkdir(parents=True, exist_ok=True)
    save((studios[pick].scene() for pick in picks), folder)
    return str(folder)


def jobs(parts: Sequence[Part], share: float) -> list[tuple[Part, int]]:
    """Return the shards to make: the parts take turns, so an early stop leaves some of each."""
    wanted = {part.name: max(1, round(part.shards * share)) for part in parts}
    every = [(number / wanted[part.name], part, number) for part in parts
             for number in range(wanted[part.name])]  # fmt: skip
    return [(part, number) for _, part, number in sorted(every, key=lambda each: each[0])]


def main(arguments: Sequence[str] | None = None) -> None:
    """Make the data set; see the module."""
    parser = argparse.ArgumentParser(prog="python -m vision.training.dataset")
    parser.add_argument("--out", type=Path, default=OUT)
    parser.add_argument("--plan", type=Path, default=PLAN)
    parser.add_argument("--processes", type=int, default=os.cpu_count() or 1)
    parser.add_argument("--share", type=float, default=1.0, help="of the shards, 0 to 1")
    parser.add_argument("--cache", type=Path, default=CACHE)
    args = parser.parse_args(arguments)
    build(args.cache)
    _, parts = plan(args.plan)
    todo = jobs(parts, args.share)
    # A fork would copy OpenCV's locks, held by threads that the copy doesn't have.
    fresh = multiprocessing.get_context("spawn")
    with ProcessPoolExecutor(args.processes, mp_context=fresh) as pool:
        waiting = [pool.submit(make_shard, part, number, args.out, args.cache)
                   for part, number in todo]  # fmt: skip
        for each in waiting:
            each.result()


if __name__ == "__main__":
    main()
