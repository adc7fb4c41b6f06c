"""Small clips for the tests of sources and recorders."""

from fractions import Fraction
from pathlib import Path

import av
import numpy as np

from vision.geometry import Image


def image(value: int, noise: int = 0) -> Image:
    made = np.full((48, 64, 3), value, dtype=np.uint8)
    made[0, 0] = noise % 251
    return made


def video(path: Path, times: list[float], *, key_every: int = 10) -> Path:
    """Write a small H.264 clip with frames at these moments."""
    options = {"g": str(key_every), "bf": "0", "sc_threshold": "0"}
    with av.open(str(path), "w") as container:
        stream = container.add_stream("libx264", rate=25, options=options)
        stream.width, stream.height, stream.pix_fmt = 64, 48, "yuv420p"
        stream.time_base = Fraction(1, 1000)
        stream.codec_context.time_base = Fraction(1, 1000)
        for number, at in enumerate(times):
            frame = av.VideoFrame.from_ndarray(image(40 + 3 * number % 200, number), format="bgr24")
            frame.pts, frame.time_base = round(at * 1000), Fraction(1, 1000)
            container.mux(stream.encode(frame))
        container.mux(stream.encode(None))
    return path
