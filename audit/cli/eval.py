"""`pitwatch eval`: how well staged clips are watched, against what really happened in them."""

import multiprocessing
import signal
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from rich.console import Console
from rich.progress import track

from audit.cli.output import print_json, print_line
from audit.cli.places import house_in, models_dir
from audit.errors import SettingsError
from audit.watch.compare import Score, Told, compare
from audit.watch.evaluate import watch_clip
from audit.watch.score_page import figures, write_page
from audit.watch.truth import StagedClip, staged_clips
from vision.model import load_model


@dataclass(frozen=True, slots=True)
class EvalOptions:
    """What the command was asked for."""

    folder: Path
    html: Path | None = None
    house: Path | None = None
    models: Path | None = None
    only: tuple[str, ...] = ()
    limit: int | None = None
    jobs: int = 1
    json: bool = False


def evaluate(options: EvalOptions) -> int:
    """Watch every clip, compare, and tell the figures.

    Raises:
        AuditError: There is no clip of that name, or a file beside one cannot be used.
        VisionError: A video, a layout or the model cannot be used.
    """
    clips = _wanted(options)
    if options.html is not None and not options.html.parent.is_dir():
        raise SettingsError(
            f"{options.html.parent}: found no such folder, expected one to write to"
        )
    scores: list[tuple[StagedClip, Score]] = []
    total = Score()
    for clip, told in zip(clips, _told(clips, options), strict=True):
        score = compare(clip.truth, told)
        scores.append((clip, score))
        total.add(score)
        _tell(clip.name, score, json=options.json)
    _tell("all", total, json=options.json)
    if options.html is not None:
        write_page(options.html, options.folder, scores, total)
    return 0


def _wanted(options: EvalOptions) -> list[StagedClip]:
    clips = staged_clips(options.folder)
    for name in options.only:
        if name not in [clip.name for clip in clips]:
            raise SettingsError(f"{options.folder}: found no clip {name!r}")
    wanted = [clip for clip in clips if not options.only or clip.name in options.only]
    return wanted[: options.limit]


def _told(clips: Sequence[StagedClip], options: EvalOptions) -> Iterator[Told]:
    console = Console(stderr=True)
    watch = partial(_watch, models=models_dir(options.models), house=options.house)
    if options.jobs == 1 or len(clips) == 1:
        yield from track(map(watch, clips), "Watching", len(clips), console=console)
        return
    with multiprocessing.get_context("spawn").Pool(*_workers(options.jobs)) as pool:
        yield from track(pool.imap(watch, clips), "Watching", len(clips), console=console)


def _workers(count: int) -> tuple[int, Callable[[int, int], object], tuple[int, int]]:
    """Return what makes workers that leave Ctrl-C to this process, which ends them."""
    return count, signal.signal, (signal.SIGINT, signal.SIG_IGN)


def _watch(clip: StagedClip, *, models: Path, house: Path | None) -> Told:
    # The model is loaded for each clip: processes share nothing, and it takes half a second.
    return watch_clip(clip, load_model(models), house_in(house))


def _tell(name: str, score: Score, *, json: bool) -> None:
    if json:
        faults = [
            {"fault": failure.fault.value, "at": round(failure.at, 2), "text": failure.text}
            for failure in score.failures
        ]
        print_json(
            {"clip": name, **score.to_json()} | ({} if name == "all" else {"faults": faults})
        )
        return
    print_line(f"{name}:")
    for what, value in figures(score):
        print_line(f"  {what:<42}{value}")
