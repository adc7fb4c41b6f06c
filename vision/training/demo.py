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
from fractions import Fraction
from pathlib import Path
from typing import Any

import av
import cv2
import numpy as np
from numpy.typing import NDArray

from vision.training.art import DEMO_DECK, deck
from vision.training.demo_compose import FPS, Canvas, Film, Textures
from vision.training.demo_plates import Picture, Plates, draft, read
from vision.training.demo_script import DEMO
from vision.training.plates_felt import felt, felt_to_pixels
from vision.training.scenario import Staged
from vision.training.scenario_stage import stage
from vision.training.scenario_table import Camera, layout_toml
from vision.training.scenario_truth import truth

_LOG = logging.getLogger("demo")
_BACK_DECK = "anglo_poker"
"""The deck whose back the pack has: a validation deck too."""
_NOISE = 1.15
"""The camera's noise, in steps of 255."""
_POSTER_AT = 12.6


def write_texts(staged: Staged, camera: Camera, folder: Path) -> None:
    """Write the layout, the feed and the truth."""
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "whist.layout.toml").write_text(layout_toml(camera, table=staged.scenario.table))
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


class Sensor:
    """What the camera adds: softness and noise."""

    def __init__(self, seed: int, shape: tuple[int, int]) -> None:
        self._random = np.random.default_rng(seed)
        h, w = shape
        field = self._random.normal(0, 1, (h + 128, w + 128, 3)).astype(np.float32)
        field = cv2.GaussianBlur(field, (0, 0), 0.6)
        self._field = field / field.std() * _NOISE

    def __call__(self, picture: Picture) -> NDArray[np.uint8]:
        """Return a frame as the camera gives it: UInt8 (H, W, 3), RGB."""
        h, w = picture.shape[:2]
        y, x = self._random.integers(0, 128, 2)
        soft = cv2.GaussianBlur(picture, (0, 0), 0.45)
        noisy = soft + self._field[y : y + h, x : x + w]
        return np.clip(noisy + 0.5, 0, 255).astype(np.uint8)


def write_video(film: Film, sensor: Sensor, path: Path, *, crf: int) -> None:
    """Draw and encode every frame: H.264, 4:2:0."""
    with av.open(str(path), "w", options={"movflags": "+faststart"}) as container:
        options = {"crf": str(crf), "preset": "slow"}
        stream = container.add_stream("libx264", rate=FPS, options=options)
        first = sensor(film.frame(0))
        stream.height, stream.width = first.shape[:2]
        stream.pix_fmt = "yuv420p"
        stream.time_base = Fraction(1, FPS)
        for index in range(film.frames):
            pixels = sensor(film.frame(index))
            frame = av.VideoFrame.from_ndarray(pixels, format="rgb24")
            frame.pts = index
            container.mux(stream.encode(frame))
            if index % 250 == 0:
                _LOG.info("frame %d of %d", index, film.frames)
        container.mux(stream.encode(None))


def _plates(folder: Path, camera: Camera) -> Plates:
    if (folder / "plates.json").is_file():
        return read(folder)
    _LOG.warning("no plates in %s: drawing plain ones", folder)
    return draft(camera, felt(), felt_to_pixels())


def main(arguments: Sequence[str] | None = None) -> None:
    """Make the clip; see the module."""
    parser = argparse.ArgumentParser(prog="python -m vision.training.demo")
    parser.add_argument("--out", type=Path, default=Path("datasets/demo"))
    parser.add_argument("--plates", type=Path, default=Path("datasets/demo/plates"))
    parser.add_argument("--still", type=float, action="append", default=[], metavar="SECONDS",
                        help="write only these frames, as PNG")  # fmt: skip
    parser.add_argument("--texts-only", action="store_true", help="leave the video as it is")
    parser.add_argument("--crf", type=int, default=22)
    args = parser.parse_args(arguments)
    logging.basicConfig(level=logging.INFO, format="%(message)s")
    camera, staged = Camera(), stage(DEMO)
    write_texts(staged, camera, args.out)
    if args.texts_only:
        return
    canvas = Canvas(_plates(args.plates, camera), camera, Textures.of(deck(DEMO_DECK), deck(_BACK_DECK)))
    film = Film(staged, canvas)
    sensor = Sensor(DEMO.seed, (camera.height, camera.width))
    for when in args.still:
        still = cv2.cvtColor(sensor(film.frame(round(when * FPS))), cv2.COLOR_RGB2BGR)
        cv2.imwrite(str(args.out / f"still-{when:05.2f}.png"), still)
    if args.still:
        return
    write_video(film, sensor, args.out / "whist.mp4", crf=args.crf)
    poster = cv2.cvtColor(sensor(film.frame(round(_POSTER_AT * FPS))), cv2.COLOR_RGB2BGR)
    cv2.imwrite(str(args.out / "whist.jpg"), poster, [cv2.IMWRITE_JPEG_QUALITY, 90])


if __name__ == "__main__":
    main()
