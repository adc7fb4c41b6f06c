"""The whole flow in one place: frames in, what lies where and what happened out."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import assert_never

import numpy as np

from rules.events import UNREADABLE, Face, FeedBack, FeedLost, Sighting, Spot
from vision.eye import Eye
from vision.frames import Frame, FrameSource, SourceBack, SourceLost
from vision.geometry import Image, Quad, centre
from vision.health import Health
from vision.layout import TableLayout
from vision.model import Sight
from vision.observer import Observer
from vision.scene import Region, Scene
from vision.settings import Settings
from vision.sieve import Sieve
from vision.sizes import Sizes
from vision.track import Track
from vision.tracker import Tracker


@dataclass(frozen=True, slots=True)
class SeenCard:
    """A card as it is believed to be at one moment, for drawing."""

    number: int
    """Which physical card, from 1; a card keeps its number for as long as it is followed."""
    corners: Quad
    face: Face
    confidence: float
    spot: Spot | None
    covered: bool
    """Whether something is over it, so that this is where it was last seen."""


@dataclass(frozen=True, slots=True)
class Observation:
    """What one frame, or the loss of frames, added."""

    frame: Frame | None
    """None when the source was lost or came back."""
    cards: tuple[SeenCard, ...]
    sightings: tuple[Sighting, ...]


def watch(
    source: FrameSource, layout: TableLayout, model: Sight, settings: Settings
) -> Iterator[Observation]:
    """Watch a table: give one observation a frame, with the events that became certain with it.

    Args:
        source: Where the frames come from.
        layout: Where the spots are; it is scaled to the frames.
        model: Finds and reads cards.
        settings: How much evidence is asked for.

    Raises:
        LayoutError: The frames have another shape than the layout.
        SourceError: The source broke for good.
        ModelError: The model does not fit its network.
    """
    health = Health(settings)
    table: Table | None = None
    for item in source:
        match item:
            case Frame():
                told = health.update(item)
                if table is None or table.shape != item.image.shape:
                    table = Table(item.image, layout, model, settings)
                if health.ailment is None:
                    sightings = table.update(item)
                else:
                    table.interrupted()
                    sightings = ()
                news = () if told is None else (Sighting(told, item.at, 1.0, item.index),)
                yield Observation(item, table.cards(), news + sightings)
            case SourceLost(reason, at):
                health.restart()
                if table is not None:
                    table.interrupted()
                yield Observation(None, (), (Sighting(FeedLost(reason), at),))
            case SourceBack(at):
                yield Observation(None, (), (Sighting(FeedBack(), at),))
            case _:
                assert_never(item)


class Table:
    """Everything that is remembered about one table between two frames."""

    def __init__(self, image: Image, layout: TableLayout, model: Sight, settings: Settings) -> None:
        """Begin with a table of which nothing has been seen.

        Args:
            image: A first frame, for its size.
            layout: Where the spots are.
            model: Finds and reads cards.
            settings: How much evidence is asked for.
        """
        self.shape = image.shape
        tall, wide = image.shape[:2]
        self._layout = layout.scaled(wide, tall)
        self._scene = Scene(wide, tall)
        self._eye = Eye(model, self._scene, _around(self._layout), looks=settings.looks)
        self._sizes = Sizes(self._layout)
        self._sieve = Sieve(self._layout, self._sizes)
        self._tracker = Tracker(settings, self._sizes)
        self._observer = Observer(self._layout, settings)

    def update(self, frame: Frame) -> tuple[Sighting, ...]:
        """Take the next frame and return the events that became certain with it."""
        card_height = self._sizes.card_height
        self._scene.update(frame.image, frame.at)
        boxes = self._eye.look(frame, self._tracker.tracks, card_height)
        boxes = tuple(box for box in boxes if not self._scene.is_print(box.corners))
        boxes = self._sieve.cards_among(boxes)
        self._tracker.update(frame.at, boxes, self._scene)
        self._eye.read(frame, self._tracker.tracks, card_height)
        self._scene.learn([track.place() for track in self._tracker.tracks])
        return self._observer.update(frame, self._tracker, self._scene)

    def interrupted(self) -> None:
        """Take note of a gap in the frames."""
        self._scene.interrupted()

    def cards(self) -> tuple[SeenCard, ...]:
        """Return the cards that are believed to be on the table."""
        return tuple(self._seen(track) for track in self._tracker.tracks if track.alive)

    def _seen(self, track: Track) -> SeenCard:
        told = self._observer.resident(track)
        named = self._observer.named.get(track.number)
        face: Face = None
        confidence = track.votes.side_confidence()
        if track.votes.up:
            face = UNREADABLE
            if named is not None and self._observer.is_sure(track, named):
                face, confidence = named.card, named.confidence
        spot = told.spot if told else self._layout.spot_at(centre(track.corners))
        covered = not track.is_seen
        return SeenCard(track.number, track.place(), face, confidence, spot, covered)


def _around(layout: TableLayout) -> Region:
    """Return the part of the frame that holds all spots, and a margin for what comes and goes."""
    points = np.concatenate([place.polygon for place in layout.places])
    margin = 0.06 * layout.width
    low, high = points.min(axis=0) - margin, points.max(axis=0) + margin
    return (
        max(0, int(low[0])),
        max(0, int(low[1])),
        min(layout.width, int(high[0])),
        min(layout.height, int(high[1])),
    )
