"""One table followed: frames and feed in, sightings, findings and finished rounds out."""

from collections.abc import Generator, Iterator
from dataclasses import dataclass

import structlog

from audit.store import JudgedRound, ProvedFinding, Step
from audit.watch.feeds import Feed, Reported
from rules.check import finding_to_json, result_to_json
from rules.events import Area, CardPlaced, Sighting
from rules.reader import FinishedRound, Naming, Reader
from rules.record_json import record_to_json
from rules.round import LiveFinding
from rules.round_state import Setting
from vision.frames import FrameSource
from vision.layout import TableLayout
from vision.model import Sight
from vision.pace import Lag, Pace
from vision.pipeline import Observation, watch
from vision.settings import Settings

_IN_PLAY = (Area.DEALER, Area.TRUMP, Area.HAND, Area.PLAYED)
_LAY_S = 0.3
"""A card that lies still so soon after the first frame lay there before it."""

_log = structlog.get_logger()


@dataclass(frozen=True, slots=True)
class Table:
    """What is watched, and with what."""

    source: FrameSource
    layout: TableLayout
    model: Sight
    setting: Setting
    naming: Naming
    feed: Feed


@dataclass(frozen=True, slots=True)
class Moment:
    """What one frame or one report of a feed led to."""

    at: float
    """On the source's line of time."""
    step: Step
    """What is new for the record."""
    observation: Observation | None = None
    """What was seen; None for a report of a feed and for the end."""
    lag: Lag | None = None
    """How far watching has fallen behind the frames, where that is news."""


def follow(table: Table) -> Generator[Moment, None, None]:
    """Watch a table to the end of its source, one moment after another.

    What the feed told up to a frame's time comes before that frame.

    Raises:
        VisionError: The source, layout or model cannot be used.
    """
    reader, pace = Reader(table.setting, table.naming), Pace()
    last = 0.0
    first: float | None = None
    for observation in watch(table.source, table.layout, table.model, Settings()):
        last = _moment_of(observation, last)
        first = last if first is None else first
        if any(_lay_there(sighting, first) for sighting in observation.sightings):
            reader.join()
        for report in table.feed.until(last):
            yield _reported(reader, report)
        lag = None if observation.frame is None else pace.update(observation.frame)
        if lag is not None:
            _tell(table.layout.table, lag)
        yield Moment(last, _judged(reader, observation.sightings), observation, lag)
    for report in table.feed.until(float("inf")):
        last = max(last, report.sighting.at)
        yield _reported(reader, report)
    yield Moment(last, _step(reader, (), reader.close(last)))


def _tell(table: str, lag: Lag) -> None:
    if lag.is_over:
        _log.warning("watch.caught-up", table=table)
        return
    left_out = f"{lag.left_out:.0%}"
    _log.warning("watch.behind", table=table, late_s=round(lag.late_s, 1), left_out=left_out)


def _moment_of(observation: Observation, last: float) -> float:
    if observation.frame is not None:
        return observation.frame.at
    return max((sighting.at for sighting in observation.sightings), default=last)


def _lay_there(sighting: Sighting, first: float) -> bool:
    """Say whether a card lay in play when watching began: then a round was under way."""
    event = sighting.event
    in_play = isinstance(event, CardPlaced) and event.spot.area in _IN_PLAY
    return in_play and sighting.at - first < _LAY_S


def _reported(reader: Reader, report: Reported) -> Moment:
    seen = report.sighting
    return Moment(seen.at, _step(reader, () if report.recorded else (seen,), reader.see(seen)))


def _judged(reader: Reader, sightings: tuple[Sighting, ...]) -> Step:
    return _step(reader, sightings, (told for seen in sightings for told in reader.see(seen)))


def _step(
    reader: Reader, sightings: tuple[Sighting, ...], told: Iterator[LiveFinding | FinishedRound]
) -> Step:
    findings: list[ProvedFinding] = []
    rounds: list[JudgedRound] = []
    for item in told:
        match item:
            case LiveFinding(finding, at, frame):
                # Asked while the round that it belongs to is still the one on the table.
                live = reader.round
                json = finding_to_json(finding, live.setting.game.name)
                findings.append(ProvedFinding(json, at, live.name, frame))
            case FinishedRound(record, result, at):
                rounds.append(JudgedRound(record_to_json(record), result_to_json(result), at))
    return Step(sightings, tuple(findings), tuple(rounds))
