"""Opening a source by the text that names it."""

from collections.abc import Generator, Iterator
from pathlib import Path

from av.video.frame import VideoFrame

from vision import live, recordings
from vision.dating import Dating
from vision.errors import SourceError
from vision.frames import Clock, Frame, FrameSource, redacted
from vision.recorder import (
    Plan,
    Recorder,
    RecorderItem,
    encoded,
    file_recorder,
    network_recorder,
    told_plainly,
)


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


def open_recorder(text: str, source: FrameSource) -> Recorder:
    """Return what records a source, beside those who look at its pictures.

    A file and a camera on the network are read a second time. A device cannot be, so its pictures
    are branched off as they come.

    Args:
        text: What the source was opened by.
        source: The source.
    """
    if isinstance(source, live.LiveSource) and source.tap is not None:
        return source.tap.recorder(source.name)
    if "://" in text:
        return network_recorder(text, live.network_options(text))
    path = Path(text)
    return _folder_recorder(path) if path.is_dir() else file_recorder(str(path))


def _folder_recorder(path: Path) -> Recorder:
    def frames(plan: Plan) -> Iterator[tuple[VideoFrame, float]]:
        began = plan.clock.monotonic()
        for item in recordings.PictureFolder(path):
            early = began + item.at - plan.clock.monotonic()
            if plan.stop.is_set() or (plan.paced and early > 0 and plan.stop.wait(early)):
                return
            if isinstance(item, Frame):
                yield VideoFrame.from_ndarray(item.image, format="bgr24"), item.at

    def run(plan: Plan) -> Generator[RecorderItem, None, None]:
        with told_plainly(str(path)):
            yield from encoded(frames(plan), plan, Dating())

    return Recorder(str(path), run, endless=False)
