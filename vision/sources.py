"""Opening a source by the text that names it."""

from pathlib import Path

from vision import live, recordings
from vision.errors import SourceError
from vision.frames import Clock, FrameSource, redacted


def open_source(text: str, *, realtime: bool) -> FrameSource:
    """Return the source that a text names.

    Args:
        text: A video file, a folder of pictures, `rtsp://…` (or `rtsps://`, `http(s)://`), or the
            number of a device.
        realtime: Give a recording no faster than it was made; otherwise it is read as fast as it is
            asked for. A live source has its own pace.

    Raises:
        SourceError: There is nothing of that name, or it cannot be opened.
    """
    if "://" in text:
        return live.network_camera(text)
    if text.isdecimal():
        return live.device(int(text))
    path = Path(text)
    if path.is_dir():
        source: FrameSource = recordings.PictureFolder(path)
    elif path.is_file():
        source = recordings.VideoFile(path)
    else:
        raise SourceError(
            f"{redacted(text)}: found nothing there, expected a video file, a folder of pictures, "
            "rtsp://… or a device number"
        )
    return recordings.Paced(source, Clock()) if realtime else source
