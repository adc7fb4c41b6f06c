"""`pitwatch watch`: one table, from camera or video to printed lines and the record."""

import hashlib
from collections.abc import Iterator
from contextlib import ExitStack, closing, contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from importlib.metadata import version
from pathlib import Path

import structlog

from audit.cli.lines import Lines
from audit.cli.places import house_in, model_in, models_dir, settings_for
from audit.courier import Courier
from audit.errors import SettingsError
from audit.evidence.retention import load_retention
from audit.settings import Settings
from audit.store import EPOCH
from audit.tables import TableStart, second_camera
from audit.watch.feeds import Feed, FileFeed, RecordFeed, read_feed
from audit.watch.filming import Filming
from audit.watch.follow import Table, follow
from audit.watch.keeping import Keeper
from audit.watch.layouts import game_of, layout_faults
from audit.watch.opening import names_for, open_courier
from audit.watch.recording import Recording
from rules.house import HouseRules
from rules.round_state import Setting
from vision.frames import FrameSource
from vision.layout import TableLayout, load_layout
from vision.sources import open_recorder, open_source
from vision.weights import MANIFEST

_log = structlog.get_logger()


@dataclass(frozen=True, slots=True)
class WatchOptions:
    """What the command was asked for."""

    source: str
    layout: Path
    feed: Path | None = None
    house: Path | None = None
    data: Path | None = None
    models: Path | None = None
    json: bool = False
    realtime: bool = False
    record: bool = True
    second: str | None = None
    """A second camera of the table, which is recorded and not watched."""
    rules: HouseRules | None = None
    """House rules to be used whatever a file or the settings say."""


def watch_table(options: WatchOptions) -> int:
    """Watch to the end of the source, printing what happens as it happens.

    Raises:
        AuditError: The feed, a setting or the record cannot be used.
        RulesError: The house rules cannot be used.
        VisionError: The source, layout or model cannot be used.
    """
    layout = load_layout(options.layout)
    game = game_of(options.layout, layout)
    for fault in layout_faults(layout, game):
        _log.warning("layout.doubtful", file=str(options.layout), reason=fault)
    house = options.rules or house_in(options.house)
    feed = read_feed(options.feed, game) if options.feed else None
    model = model_in(options.models)
    source = open_source(options.source, realtime=options.realtime)
    second = _second_source(options)
    settings = settings_for(options.data)
    with ExitStack() as ending:
        courier = None
        if options.record:
            courier = ending.enter_context(open_courier(settings, layout.table))
        table = Table(
            source,
            layout,
            model,
            Setting(game, house, layout.table),
            names_for(layout.table, courier, now=datetime.now(UTC), live=source.live),
            feed or _network_feed(source, courier, layout),
        )
        moments = follow(table)
        if courier is not None:
            recording = _recording(options, settings, courier, (source, layout, house))
            if second is not None:
                ending.enter_context(_beside(options, settings, second, recording))
            moments = recording.keep(moments)
        # Closed here, however this ends: the record then says that watching stopped.
        lines = ending.enter_context(closing(Lines(source, json=options.json)))
        ending.enter_context(closing(moments))
        for moment in moments:
            lines.tell(moment)
    return 0


def _network_feed(source: FrameSource, courier: Courier | None, layout: TableLayout) -> Feed:
    return RecordFeed(courier, layout.table) if source.live and courier else FileFeed()


def _recording(
    options: WatchOptions,
    settings: Settings,
    courier: Courier,
    watched: tuple[FrameSource, TableLayout, HouseRules],
) -> Recording:
    source, layout, house = watched
    start = TableStart(
        game=layout.game,
        source=source.name,
        layout=_digest(options.layout),
        house=house.version,
        model=_digest(models_dir(options.models) / MANIFEST),
        software=f"pitwatch {version('pitwatch')}",
    )
    anchor = _anchor(source, options)
    recorder = open_recorder(options.source, source)
    paced = options.realtime and not source.live
    rules = load_retention(settings.retention)
    keeper = Keeper(lambda: courier.store, settings.data_dir, rules, layout.table)
    filming = Filming(recorder, courier, settings.data_dir, layout.table, anchor, paced, keeper)
    return Recording(courier, settings, layout.table, start, anchor, filming)


def _second_source(options: WatchOptions) -> FrameSource | None:
    if options.second is None:
        return None
    if not options.record:
        raise SettingsError("--second: a second camera is recorded only; leave --no-record out")
    if options.second.isdecimal():
        raise SettingsError(
            f"--second: found {options.second!r}, expected a video file or rtsp://…: pictures of a "
            "device come to who watches it, and nobody watches a second camera"
        )
    return open_source(options.second, realtime=options.realtime)


@contextmanager
def _beside(
    options: WatchOptions, settings: Settings, second: FrameSource, recording: Recording
) -> Iterator[None]:
    """Record a second camera while the body runs: with a way to the record of its own.

    Whatever becomes of it, the table is watched and recorded as without it.
    """
    name = second_camera(recording.table)
    anchor = EPOCH if second.live else recording.anchor  # Two videos begin together.
    if not second.live and recording.anchor == EPOCH:
        anchor = datetime.now(UTC)
    recorder = open_recorder(str(options.second), second)
    paced = options.realtime and not second.live
    with open_courier(settings, name) as courier:
        filming = Filming(recorder, courier, settings.data_dir, name, anchor, paced, watched=False)
        with filming.rolling():
            yield


def _anchor(source: FrameSource, options: WatchOptions) -> datetime:
    """Return the moment of the source's time 0.

    Nobody told when a video was recorded. Played at its own speed it is taken to begin now,
    otherwise to have ended now, so that nothing in the record lies in the future.
    """
    if source.live:
        return EPOCH
    now = datetime.now(UTC)
    return now if options.realtime else now - timedelta(seconds=source.duration or 0)


def _digest(path: Path) -> str:
    return f"sha256:{hashlib.sha256(path.read_bytes()).hexdigest()}"
