"""Small clips for the tests of sources and recorders."""

from fractions import Fraction
from pathlib import Path
from typing import Literal

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


Codec = Literal["libx264", "mjpeg"]


def even(seconds: float, fps: float = 12.5) -> list[float]:
    """The moments of frames at an even pace."""
    return [n / fps for n in range(round(seconds * fps))]


def film(
    path: Path, times: list[float], *, size: tuple[int, int] = (64, 48), codec: Codec = "libx264"
) -> Path:
    """Write a clip of a moving shade, declared as 25 frames a second, a key frame every 1.6 s."""
    options = {"g": "20", "bf": "0", "sc_threshold": "0"} if codec == "libx264" else {}
    base = Fraction(1, 1000) if codec == "libx264" else Fraction(2, 25)
    with av.open(str(path), "w") as container:
        stream = container.add_stream(codec, rate=25, options=options)
        stream.width, stream.height = size
        stream.pix_fmt = "yuv420p" if codec == "libx264" else "yuvj420p"
        stream.time_base = stream.codec_context.time_base = base
        for number, at in enumerate(times):
            shade = np.full((size[1], size[0], 3), 40 + number * 7 % 180, dtype=np.uint8)
            frame = av.VideoFrame.from_ndarray(shade, format="bgr24")
            frame.pts, frame.time_base = round(at / base), base
            container.mux(stream.encode(frame))
        container.mux(stream.encode(None))
    return path


def joined(path: Path, *parts: Path) -> Path:
    """Put transport streams one after another, as a camera does that is set to another size."""
    path.write_bytes(b"".join(part.read_bytes() for part in parts))
    return path


def images(path: Path) -> list[bytes]:
    """The decoded pictures of a clip, as players show them."""
    with av.open(str(path)) as container:
        return [frame.to_ndarray(format="gray").tobytes() for frame in container.decode(video=0)]


def brightness(path: Path) -> list[float]:
    """The mean grey of each picture of a clip."""
    return [float(np.frombuffer(image, np.uint8).mean()) for image in images(path)]
