"""Watches staged clips as `pitwatch watch` does, and keeps what was told."""

import time

from audit.errors import SettingsError
from audit.watch.compare import Told, ToldEvent, ToldFinding, ToldRound
from audit.watch.feeds import FileFeed, read_feed
from audit.watch.follow import Moment, Table, follow
from audit.watch.truth import StagedClip
from rules.events import CardEvent, SpotCleared
from rules.games import GAMES
from rules.house import HouseRules
from rules.reader import Naming
from rules.round_state import Setting
from rules.wire import sighting_json
from vision.layout import load_layout
from vision.model import Sight
from vision.sources import open_source


def watch_clip(clip: StagedClip, model: Sight, house: HouseRules) -> Told:
    """Watch a clip from start to end.

    Raises:
        AuditError: Its feed cannot be used.
        VisionError: Its video or layout cannot be used.
    """
    layout = load_layout(clip.layout)
    if layout.game not in GAMES:
        raise SettingsError(
            f"{clip.layout}: field 'game': found {layout.game!r}, "
            f"expected one of {', '.join(GAMES)}"
        )
    game = GAMES[layout.game]
    feed = read_feed(clip.feed, game) if clip.feed else FileFeed()
    source = open_source(str(clip.video), realtime=False)
    setting = Setting(game, house, layout.table)
    table = Table(source, layout, model, setting, Naming(), feed)
    told = Told()
    begun = time.monotonic()
    for moment in follow(table):
        keep(moment, told)
    told.seconds = time.monotonic() - begun
    return told


def keep(moment: Moment, told: Told) -> None:
    """Add what a moment led to."""
    for sighting in moment.step.sightings:
        if isinstance(sighting.event, CardEvent) and not isinstance(sighting.event, SpotCleared):
            row = sighting_json(sighting)
            face = row["card"]
            told.events.append(
                ToldEvent(str(row["kind"]), str(row["spot"]), None if face is None else str(face),
                          sighting.at, moment.at)
            )  # fmt: skip
    for proved in moment.step.findings:
        found = proved.finding
        told.findings.append(
            ToldFinding(
                found["code"],
                found["seat"],
                found["trick"],
                found["severity"],
                found["text"],
                moment.at,
            )
        )
    for judged in moment.step.rounds:
        told.rounds.append(ToldRound(judged.record, judged.result, judged.at))
