"""Makes the bundled demo clip and all that lies beside it.

    python -m vision.training.demo --out datasets/demo
    python -m vision.training.demo --out /tmp/try --still 12.5

The card art comes from the cache of `vision.training.art`; the plates of the table, which were
rendered by `vision.training.plates`, lie in the folder already.
"""

import argparse
import json
import logging
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import cv2

from vision.training.demo_compose import FPS
from vision.training.demo_script import DEMO
from vision.training.demo_video import Shoot, Studio, write_video
from vision.training.scenario import Staged
from vision.training.scenario_stage import stage
from vision.training.scenario_table import DEMO_TABLE, Camera, layout_toml
from vision.training.scenario_truth import truth

_POSTER_AT = 19.16
"""Seconds into the clip of the still that is kept beside it."""


def write_texts(staged: Staged, camera: Camera, folder: Path) -> None:
    """Write the layout, the feed and the truth."""
    folder.mkdir(parents=True, exist_ok=True)
    layout = layout_toml(camera, table=DEMO_TABLE, name=staged.scenario.table)
    (folder / "whist.layout.toml").write_text(layout)
    lines = [
        {"at": line.at, "kind": line.kind, "seat": line.seat, "wager": line.wager.value,
         "amount": line.amount}
        for line in sorted(staged.feed, key=lambda line: line.at)
    ]  # fmt: skip
    (folder / "whist.feed.jsonl").write_text("".join(json.dumps(line) + "\n" for line in lines))
    frames = round(staged.seconds * FPS)
    video = {"file": "whist.mp4", "frames": frames, "fps": FPS, "seconds": frames / FPS,
             "size": [camera.width, camera.height]}  # fmt: skip
    (folder / "whist.truth.json").write_text(_pretty({"video": video, **truth(staged)}))


def _pretty(whole: dict[str, Any]) -> str:
    """JSON with one row a line inside the lists, so that a change can be read as a diff."""
    parts = []
    for key, value in whole.items():
        if isinstance(value, list):
            rows = ",\n".join(f"  {json.dumps(row)}" for row in value)
            parts.append(f' "{key}": [\n{rows}\n ]')
        else:
            parts.append(f' "{key}": {json.dumps(value)}')
    return "{\n" + ",\n".join(parts) + "\n}\n"


def main(arguments: Sequence[str] | None = None) -> None:
    """Make the clip; see the module."""
    parser = argparse.ArgumentParser(prog="python -m vision.training.demo")
    parser.add_argument("--out", type=Path, default=Path("datasets/demo"))
    parser.add_argument("--plates", type=Path, default=Path("datasets/demo/plates"))
    parser.add_argument("--still", type=float, action="append", default=[], metavar="SECONDS",
                        help="write only these frames, as PNG")  # fmt: skip
    parser.add_argument("--texts-only", action="store_true", help="leave the video as it is")
    parser.add_argument("--jobs", type=int, default=2, help="how many processes draw")
    args = parser.parse_args(arguments)
    logging.basicConfig(level=logging.INFO, format="%(message)s")
    camera, staged = Camera(), stage(DEMO)
    write_texts(staged, camera, args.out)
    if args.texts_only:
        return
    studio = Studio(Shoot(DEMO, args.plates, camera))
    for when in args.still:
        _keep(studio, when, args.out / f"still-{when:05.2f}.png")
    if not args.still:
        _keep(studio, _POSTER_AT, args.out / "whist.jpg")
        write_video(studio, args.out / "whist.mp4", jobs=args.jobs)


def _keep(studio: Studio, when: float, path: Path) -> None:
    picture = cv2.cvtColor(studio.still(round(when * FPS)), cv2.COLOR_RGB2BGR)
    cv2.imwrite(str(path), picture, [cv2.IMWRITE_JPEG_QUALITY, 90])


if __name__ == "__main__":
    main()
