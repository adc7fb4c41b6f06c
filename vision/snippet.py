"""A few pictures as a small film, for a report."""

import io
from collections.abc import Sequence
from fractions import Fraction

import av

from vision.geometry import Image


def snippet(pictures: Sequence[Image], *, rate: int) -> bytes:
    """Return pictures as an H.264 film in an MP4 file.

    Args:
        pictures: At least one; UInt8 (H, W, 3), BGR, all of one size, both sides even.
        rate: Pictures a second.
    """
    held = io.BytesIO()
    with av.open(held, "w", format="mp4") as container:
        options = {"crf": "30", "preset": "veryfast", "threads": "1"}
        stream = container.add_stream("libx264", rate=rate, options=options)
        stream.height, stream.width = pictures[0].shape[:2]
        stream.pix_fmt = "yuv420p"
        for index, picture in enumerate(pictures):
            frame = av.VideoFrame.from_ndarray(picture, format="bgr24")
            frame.pts, frame.time_base = index, Fraction(1, rate)
            container.mux(stream.encode(frame))
        container.mux(stream.encode(None))
    return held.getvalue()
