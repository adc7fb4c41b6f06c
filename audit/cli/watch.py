"""`pitwatch watch`: one table, from camera or video to printed lines and the record."""

import hashlib
from contextlib import closing
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from importlib.metadata import version
from pathlib import Path

from audit.chain import check_chain_name
from audit.cli.lines import Lines
from audit.cli.places import house_in, models_dir, settings_for
from audit.errors import ChainError, SettingsError
from audit.settings import Settings
from audit.store import EPOCH, Store, open_store
from audit.tables import TableStart
from audit.watch.feeds import Feed, FileFeed, RecordFeed, read_feed
from audit.watch.follow import Table, follow
from audit.watch.naming import rounds_of
from audit.watch.recording import Recording
from rules.games import GAMES
from rules.games.base import AnyGame
from rules.house import HouseRules
from rules.round_state import Setting
from vision.frames import FrameSource
from vision.layout import TableLayout, load_layout
from vision.model import load_model
from vision.sources import open_source
from vision.weights import MANIFEST


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


def watch_table(options: WatchOptions) -> int:
    """Watch to the end of the source, printing what happens as it happens.

    Raises:
        AuditError: The feed, a setting or the record cannot be used.
        RulesError: The house rules cannot be used.
        VisionError: The source, layout or model cannot be used.
    """
    layout = load_layout(options.layout)
    game = _game(options.layout, layout)
    house = house_in(options.house)
    feed = read_feed(options.feed) if options.feed else None
    model = load_model(models_dir(options.models))
    source = open_source(options.source, realtime=options.realtime)
    settings = settings_for(options.data)
    store = open_store(settings.database_url, settings.data_dir) if options.record else None
    table = Table(
        source,
        layout,
        model,
        Setting(game, house, layout.table),
        rounds_of(layout.table, store, now=datetime.now(UTC), live=source.live),
        feed or _network_feed(source, store, layout),
    )
    moments = follow(table)
    if store is not None:
        moments = _recording(options, settings, store, (source, layout, house)).keep(moments)
    # Closed here, however this ends: the record then says that watching stopped.
    with closing(Lines(source, json=options.json)) as lines, closing(moments):
        for moment in moments:
            lines.tell(moment)
    return 0


def _game(path: Path, layout: TableLayout) -> AnyGame:
    try:
        check_chain_name(layout.table)
    except ChainError as error:
        raise SettingsError(f"{path}: field 'table': {error}") from None
    if layout.game not in GAMES:
        raise SettingsError(
            f"{path}: field 'game': found {layout.game!r}, expected one of {', '.join(GAMES)}"
        )
    return GAMES[layout.game]


def _network_feed(source: FrameSource, store: Store | None, layout: TableLayout) -> Feed:
    return RecordFeed(store, layout.table) if source.live and store else FileFeed()


def _recording(
    options: WatchOptions,
    settings: Settings,
    store: Store,
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
    return Recording(store, settings, layout.table, start, _anchor(source, options))


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
