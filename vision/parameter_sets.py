"""Parameter sets: what a coded stream says of itself, its profile and its size.

H.264 and H.265 streams carry them as units of their own, between start codes (Annex B of both
standards) in what comes over a network, or in the head of a file (ISO/IEC 14496-15).
"""

import io
import re
from contextlib import closing

import av
import av.error
from av.container import InputContainer

_START = re.compile(b"\x00\x00\x01")
_STARTS = (b"\x00\x00\x01", b"\x00\x00\x00\x01")
_LOOK_BYTES = 4096
"""Parameter sets stand at the beginning of a key frame's packet; no more of it is read."""


def browser_codec(name: str, extradata: bytes | None) -> str:
    """Return a codec as RFC 6381 names it, for `video/mp4; codecs="…"`.

    >>> browser_codec("h264", bytes([1, 0x64, 0x00, 0x1F]))
    'avc1.64001F'

    Args:
        name: FFmpeg's name of the codec.
        extradata: The head of the stream: `avcC` (ISO/IEC 14496-15) or Annex B.
    """
    head = extradata or b""
    if name == "h264":
        if not head.startswith(b"\x01"):
            units = sequence_sets(head, name)
            head = units[0] if units else b""
        profile = head[1:4]
        return f"avc1.{profile.hex().upper()}" if len(profile) == 3 else "avc1"
    return {"hevc": "hvc1", "av1": "av01", "vp9": "vp09.00.10.08"}.get(name, name)


def sequence_sets(packet: bytes, name: str) -> list[bytes]:
    """Return the sequence parameter sets in the beginning of a packet with start codes.

    Args:
        packet: A coded frame, or the head of a stream.
        name: FFmpeg's name of the codec; none but `h264` and `hevc` have such sets.
    """
    if name not in ("h264", "hevc") or not packet.startswith(_STARTS):
        return []
    units = [unit.rstrip(b"\x00") for unit in _START.split(packet[:_LOOK_BYTES])[1:]]
    return [unit for unit in units if unit and _is_sequence(unit[0], name)]


def _is_sequence(header: int, name: str) -> bool:
    """Say whether a unit is a sequence parameter set: type 7 of H.264, 33 of H.265."""
    return header & 0x1F == 7 if name == "h264" else header >> 1 & 0x3F == 33


def probed(packet: bytes, name: str) -> InputContainer | None:
    """Return a container whose video stream has the parameters that a key frame tells.

    Close it when it is no longer needed. None when the packet does not tell them.
    """
    try:
        container = av.open(io.BytesIO(packet), mode="r", format=name)
    except (av.error.FFmpegError, ValueError):
        return None
    if container.streams.video and container.streams.video[0].codec_context.width:
        return container
    with closing(container):
        return None
