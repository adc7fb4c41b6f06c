"""Makes the evaluation clips, or the development clips, from their numbers.

    python -m vision.training.scenarios --out datasets/evaluation
    python -m vision.training.scenarios --purpose development --out datasets/development --only 3

Each clip is a video with its layout, feed and truth, named after its look. Clip `n` has the look of
that number and rounds drawn from the same number: it comes out the same wherever it is made. The
card art must be in the cache of `vision.training.art`.
"""

import argparse
import json
import logging
import multiprocessing
from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

import cv2

from vision.training.scenario import Scenario, Staged
from vision.training.scenario_cases import Author
from vision.training.scenario_film import write
from vision.training.scenario_look import Look, Purpose, look
from vision.training.scenario_stage import stage
from vision.training.scenario_table import layout_toml
from vision.training.scenario_truth import truth

_LOG = logging.getLogger("scenarios")

CLIPS = {Purpose.EVALUATION: 41, Purpose.DEVELOPMENT: 8}
"""How many clips there are of each kind, each at a table of its own."""
ROUNDS = {Purpose.EVALUATION: 5, Purpose.DEVELOPMENT: 3}
"""How many rounds a clip has."""


@dataclass(frozen=True, slots=True)
class Clip:
    """A clip before it is filmed."""

    look: Look
    staged: Staged


def clip(purpose: Purpose, number: int) -> Clip:
    """Write and stage a clip: the same number always gives the same one."""
    view = look(purpose, number)
    author = Author(view, payouts=number % 2 == 0)
    rounds = tuple(author.round() for _ in range(ROUNDS[purpose]))
    scenario = Scenario(f"{purpose.value[0].upper()}{number:02d}", view.seed, rounds)
    return Clip(view, stage(scenario, view.table))


def feed_lines(staged: Staged) -> list[dict[str, Any]]:
    """Return what the table's feed tells, in the order of time."""
    return [
        {"at": line.at, "kind": line.kind, "seat": line.seat, "wager": line.wager.value,
         "amount": line.amount}
        for line in sorted(staged.feed, key=lambda line: line.at)
    ]  # fmt: skip


def make(folder: Path, purpose: Purpose, number: int, *, texts_only: bool = False) -> str:
    """Write one clip and what belongs to it into a folder; return its name."""
    made = clip(purpose, number)
    view, staged = made.look, made.staged
    folder.mkdir(parents=True, exist_ok=True)
    layout = layout_toml(view.camera, table=view.table, name=staged.scenario.table)
    (folder / f"{view.name}.layout.toml").write_text(layout)
    lines = "".join(json.dumps(line) + "\n" for line in feed_lines(staged))
    (folder / f"{view.name}.feed.jsonl").write_text(lines)
    count = round(staged.seconds * view.fps)
    if not texts_only:
        cv2.setNumThreads(1)
        count = write(view, staged, folder / f"{view.name}.mp4")
    told = {"video": {"file": f"{view.name}.mp4", "frames": count, "fps": view.fps,
                      "seconds": count / view.fps,
                      "size": [view.camera.width, view.camera.height]},
            "look": _described(view), **truth(staged)}  # fmt: skip
    (folder / f"{view.name}.truth.json").write_text(json.dumps(told, indent=1) + "\n")
    return view.name


def _described(view: Look) -> dict[str, Any]:
    lens = {name: round(getattr(view.lens, name), 2) for name in view.lens.__slots__}
    tilt = round(view.camera.tilt * 57.2958)
    return {"deck": view.deck, "back": view.back, "tilt": tilt, "seats": list(view.table.seats),
            "rendered": view.room is not None, **lens}  # fmt: skip


def _make(number: int, *, folder: Path, purpose: Purpose, texts_only: bool) -> str:
    return make(folder, purpose, number, texts_only=texts_only)


def main(arguments: Sequence[str] | None = None) -> None:
    """Make the clips; see the module."""
    parser = argparse.ArgumentParser(prog="python -m vision.training.scenarios")
    parser.add_argument("--purpose", type=Purpose, choices=tuple(Purpose),
                        default=Purpose.EVALUATION)  # fmt: skip
    parser.add_argument("--out", type=Path, help="default: datasets/generated/PURPOSE")
    parser.add_argument("--only", type=int, action="append", metavar="N", help="only clip N")
    parser.add_argument("--jobs", type=int, default=1, help="how many processes draw")
    parser.add_argument("--texts-only", action="store_true", help="leave the videos as they are")
    args = parser.parse_args(arguments)
    logging.basicConfig(level=logging.INFO, format="%(message)s")
    numbers = args.only or range(CLIPS[args.purpose])
    folder = args.out or Path("datasets/generated") / args.purpose.value
    job = partial(_make, folder=folder, purpose=args.purpose, texts_only=args.texts_only)
    with multiprocessing.get_context("fork").Pool(args.jobs) as pool:
        for done, name in enumerate(pool.imap(job, numbers), start=1):
            _LOG.info("%s (%d of %d)", name, done, len(numbers))


if __name__ == "__main__":
    main()
