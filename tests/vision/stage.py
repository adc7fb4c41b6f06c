"""A make-believe table: drawn frames, and a sight that tells its cards by their colours."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field

import cv2
import numpy as np

from rules.cards import PACK, Card
from rules.events import Sighting, Spot
from vision import pipeline
from vision.detector import Box
from vision.frames import Frame, SourceItem
from vision.geometry import Floats, Image, Quad, centre, oriented_box, quad
from vision.layout import SpotPlace, TableLayout
from vision.reader import BACK, CLASSES, REJECT
from vision.settings import Settings

WIDTH, HEIGHT = 640, 480
CARD = (44, 62)
FELT = (60, 110, 40)
HAND = (120, 150, 200)


@dataclass(frozen=True)
class At:
    """Where a card is at a moment; in between it slides straight."""

    t: float
    x: float
    y: float
    up: bool = False
    angle: float = 0.0


@dataclass(frozen=True)
class Actor:
    """A card's life; before its first and after its last moment it is off the table."""

    card: Card
    keys: tuple[At, ...]
    until: float = 1e9

    def at(self, t: float) -> At | None:
        if not self.keys[0].t <= t < self.until:
            return None
        before = [key for key in self.keys if key.t <= t][-1]
        after = [key for key in self.keys if key.t > t]
        if not after:
            return before
        share = (t - before.t) / (after[0].t - before.t)
        mix = [
            a + (b - a) * share
            for a, b in (
                (before.x, after[0].x),
                (before.y, after[0].y),
                (before.angle, after[0].angle),
            )
        ]
        return At(t, mix[0], mix[1], before.up, mix[2])


@dataclass(frozen=True)
class Hand:
    """Something over the table: left, top, right, bottom from one moment to another."""

    start: float
    end: float
    box: tuple[int, int, int, int]


@dataclass
class Play:
    """A scene; iterating over it gives its frames, so it is a source."""

    actors: Sequence[Actor]
    hands: Sequence[Hand] = ()
    seconds: float = 4.0
    fps: float | None = 25.0
    name: str = "make-believe"
    live: bool = False

    @property
    def duration(self) -> float:
        return self.seconds

    def __iter__(self) -> Iterator[SourceItem]:
        rate = self.fps or 25.0
        for index in range(round(self.seconds * rate)):
            yield Frame(self.draw(index / rate), index, index / rate)

    def draw(self, t: float) -> Image:
        image = np.empty((HEIGHT, WIDTH, 3), dtype=np.uint8)
        image[:] = FELT
        for left, top, right, bottom in SPOTS.values():
            cv2.rectangle(image, (left, top), (right, bottom), (160, 200, 150), 2)
        for actor in self.actors:
            pose = actor.at(t)
            if pose is not None:
                shape = np.rint(oriented_box((pose.x, pose.y), CARD, pose.angle)).astype(np.int32)
                cv2.fillConvexPoly(image, shape, _colour(actor.card, up=pose.up))
        for hand in self.hands:
            if hand.start <= t < hand.end:
                left, top, right, bottom = hand.box
                cv2.rectangle(image, (left, top), (right, bottom), HAND, -1)
        image[0, 0] = round(t * 1000) % 251  # a camera's picture never stands still
        return image


def _colour(card: Card, *, up: bool) -> tuple[int, int, int]:
    """Faces are nearly white, backs bluish; the card hides in the last bits."""
    number = PACK.index(card)
    return (250, 250, 190 + number) if up else (190, 90, 20 + number)


@dataclass
class ColourSight:
    """Finds cards by their colours; what is covered it does not see, as a real detector."""

    lies: Mapping[int, Card] = field(default_factory=dict)
    """Which card the n-th read of a face wrongly gives, counted from 0."""
    blind: bool = False
    """Whether it sees faces but cannot read them."""
    looks: int = 0
    reads: int = 0

    def find(
        self,
        image: Image,
        *,
        card_height_px: float | None = None,
        known: Sequence[Quad] = (),
        quick: bool = False,
    ) -> tuple[Box, ...]:
        del card_height_px, known, quick
        self.looks += 1
        boxes = []
        blue, green, red = image[..., 0], image[..., 1], image[..., 2]
        face = (blue == 250) & (green == 250)
        back = (blue == 190) & (green == 90)
        for up, value in [(True, v) for v in np.unique(red[face])] + [
            (False, v) for v in np.unique(red[back])
        ]:
            ys, xs = np.nonzero((face if up else back) & (red == value))
            if len(xs) < 0.55 * CARD[0] * CARD[1]:
                continue
            points = np.stack([xs, ys], axis=1).astype(np.float32)
            middle, size, angle = cv2.minAreaRect(points)
            wide, tall = float(size[0]) + 1, float(size[1]) + 1
            corners = oriented_box(
                (float(middle[0]), float(middle[1])), (wide, tall), float(np.radians(angle))
            )
            boxes.append(Box(corners, 0.9, 0.1 if up else 0.9))
        return tuple(boxes)

    def read(self, image: Image, quads: Sequence[Quad]) -> Floats:
        rows = np.full((len(quads), CLASSES), 1e-4, dtype=np.float32)
        for row, corners in zip(rows, quads, strict=True):
            x, y = (round(value) for value in centre(corners))
            colour = image[min(max(y, 0), HEIGHT - 1), min(max(x, 0), WIDTH - 1)]
            card = _card_of(colour)
            if card is None or (self.blind and colour[0] != 190):
                row[REJECT] = 1
            elif colour[0] == 190:
                row[BACK] = 1
            else:
                row[PACK.index(self.lies.get(self.reads, card))] = 1
                self.reads += 1
        return np.asarray(rows / rows.sum(axis=1, keepdims=True), dtype=np.float32)


def _card_of(colour: Image) -> Card | None:
    blue, green, red = (int(value) for value in colour)
    if (blue, green) == (250, 250) and 190 <= red < 190 + len(PACK):
        return PACK[red - 190]
    if (blue, green) == (190, 90) and 20 <= red < 20 + len(PACK):
        return PACK[red - 20]
    return None


SPOTS = {
    "dealer": (220, 20, 420, 110),
    "trump": (440, 20, 520, 110),
    "discard": (40, 20, 200, 110),
    "seat-1": (40, 345, 260, 435),
    "seat-1.play": (40, 190, 260, 310),
    "seat-2": (340, 345, 600, 435),
    "seat-2.play": (340, 190, 600, 310),
}
"""Left, top, right, bottom."""


def layout() -> TableLayout:
    places = []
    for name, (left, top, right, bottom) in SPOTS.items():
        polygon = quad([[left, top], [right, top], [right, bottom], [left, bottom]])
        places.append(SpotPlace(Spot.parse(name), polygon))
    return TableLayout("T1", "three-card-whist", WIDTH, HEIGHT, tuple(places))


def watched(
    play: Play, sight: ColourSight | None = None, settings: Settings | None = None
) -> list[Sighting]:
    """Return everything told about a scene."""
    model = sight or ColourSight()
    observations = pipeline.watch(play, layout(), model, settings or Settings())
    return [sighting for seen in observations for sighting in seen.sightings]


def told(sightings: Sequence[Sighting]) -> list[str]:
    """Return the events as short texts, to compare."""
    return [str(short(sighting)) for sighting in sightings]


def short(sighting: Sighting) -> str:
    event = sighting.event
    words = [type(event).__name__]
    for name in ("source", "spot", "card", "reason"):
        if hasattr(event, name):
            value = getattr(event, name)
            words.append(getattr(value, "value", str(value)) if value is not None else "-")
    return " ".join(words)
