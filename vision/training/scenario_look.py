"""The looks of staged rounds: table, camera, deck, felt and lens, all drawn from one number.

Evaluation and development share no deck, no back, no felt, no print and no number. None of what is
used here occurs in the pictures that the card model learns from: decks, backs and words are of the
validation split, felts are drawn by `scenario_felt`, which makes no training picture.
"""

import math
from dataclasses import dataclass
from enum import StrEnum, unique
from pathlib import Path

import numpy as np

from rules.events import Area, Seat, Spot
from vision.training.scenario_table import CARD_HEIGHT, CARD_WIDTH, ROW_WIDTH, Camera, Place, Table

WHIST, RUMMY, TRI_CARD = "three-card-whist", "vegas-three-card-rummy", "tri-card-poker"


@unique
class Purpose(StrEnum):
    """What a staged clip is for; the two share nothing."""

    EVALUATION = "evaluation"
    DEVELOPMENT = "development"


DECKS = {
    Purpose.EVALUATION: ("younes", "anglo_poker", "drawn-validation-01", "drawn-validation-03",
                         "drawn-validation-04", "drawn-validation-06", "drawn-validation-07"),
    Purpose.DEVELOPMENT: ("house-jumbo", "drawn-validation-02", "drawn-validation-05"),
}  # fmt: skip
"""Decks of the validation split, by what they are for."""

BACKS = {Purpose.EVALUATION: tuple(range(1, 11)), Purpose.DEVELOPMENT: tuple(range(11, 16))}
"""Backs of the validation split, by number."""

_NUMBERS = {Purpose.EVALUATION: 5_000_000, Purpose.DEVELOPMENT: 9_000_000}

_GAMES = {
    WHIST: ((Area.RNB, -78.0, 40.0), (Area.ANTE, -29.0, 52.0), (Area.PLAY_WAGER, 29.0, 52.0),
            (Area.BONUS, 78.0, 46.0)),
    RUMMY: ((Area.ANTE, -58.0, 52.0), (Area.RAISE, 0.0, 52.0), (Area.BONUS, 58.0, 46.0)),
    TRI_CARD: ((Area.PAIR_PLUS, -58.0, 46.0), (Area.ANTE, 0.0, 52.0), (Area.RAISE, 58.0, 52.0)),
}  # fmt: skip
"""The betting circles of a seat, by game: how far right of its middle, and how wide."""


@dataclass(frozen=True, slots=True)
class Lens:
    """What the camera, the light and the wire add to a picture."""

    noise: float
    """Deviation of the sensor's noise, in steps of 255."""
    blur: float
    """How far the lens spreads a point, in pixels."""
    crf: int
    """How hard the video is compressed; x264's scale."""
    shake: float
    """How far the camera trembles, in pixels."""
    glare: float
    """How bright a reflection lies over the table, in steps of 255; 0 for none."""
    drift: float
    """How dark a shadow is that wanders over the table, 0 to 1."""


@dataclass(frozen=True, slots=True)
class Look:
    """Everything about a clip but what happens in it."""

    name: str
    purpose: Purpose
    seed: int
    table: Table
    camera: Camera
    fps: int
    deck: str
    back: int
    lens: Lens
    room: Path | None = None
    """The folder of the plates that were rendered for it in 3D; None for a drawn table."""


def _seat_places(
    game: str, seat: Seat, hand: Place, reach: tuple[float, float]
) -> dict[Spot, Place]:
    """Return the places of a seat: wagers and play spot lie `reach` in front of the hand."""
    bets = Place(*hand.at(0.0, reach[0]), hand.heading, ROW_WIDTH, 60.0)
    made = {Spot(Area.HAND, seat): hand}
    if game == WHIST:
        made[Spot(Area.PLAYED, seat)] = Place(
            *hand.at(0.0, reach[1]), hand.heading, ROW_WIDTH, CARD_HEIGHT
        )
    for area, right, width in _GAMES[game]:
        made[Spot(area, seat)] = Place(*bets.at(right, 0.0), hand.heading, width, width)
    return made


def _table(rng: np.random.Generator, game: str, count: int) -> Table:
    """Draw a table: seats round an arc or in a row, the dealer's spots opposite."""
    dealer_y = float(rng.uniform(190, 225))
    dealer_x = float(rng.uniform(-60, 20))
    trump = float(rng.choice([190.0, 205.0, -168.0]))
    discard = dealer_x - (290.0 if trump > 0 or game != WHIST else 350.0)
    places = {
        Spot(Area.DEALER): Place(dealer_x, dealer_y, 0.0, ROW_WIDTH, CARD_HEIGHT),
        Spot(Area.DISCARD): Place(discard, dealer_y + 4, 0.0, 190.0, CARD_HEIGHT),
    }
    if game == WHIST:
        places[Spot(Area.TRUMP)] = Place(dealer_x + trump, dealer_y, 0.0, CARD_WIDTH, CARD_HEIGHT)
    first = int(rng.integers(1, 8 - count))
    reach = (float(rng.uniform(86, 94)), float(rng.uniform(176, 190)))
    if game != WHIST:
        reach = (float(rng.uniform(88, 100)), 0.0)
    near = -250.0 if game == WHIST else -150.0
    row = rng.random() < 0.45
    for index in range(count):
        seat = Seat(first + index)
        along = (count - 1) / 2 - index  # seat 1 is at the dealer's left: on the right
        if row:
            hand = Place(along * 238.0, near - 20, 0.0, ROW_WIDTH, CARD_HEIGHT)
        else:
            turn = along * math.radians(24.0)
            away = 800.0
            hand = Place(math.sin(turn) * away, near + away * (1 - math.cos(turn)) - 30, turn,
                         ROW_WIDTH, CARD_HEIGHT)  # fmt: skip
        places |= _seat_places(game, seat, hand, reach)
    return Table(places, game)


def _fitted(table: Table, size: tuple[int, int], tilt: float, roll: float) -> Camera:
    """Return a camera that shows all spots of a table as large as they can be."""
    corners = np.concatenate([place.corners(10.0) for place in table.places.values()])
    middle = (corners.min(axis=0) + corners.max(axis=0)) / 2
    camera = Camera(*size, tilt=tilt, look_at=(float(middle[0]), float(middle[1])), roll=roll)
    for _ in range(4):
        seen = camera.project(corners)
        low, high = seen.min(axis=0), seen.max(axis=0)
        share = ((high - low) / np.array(size)).max()
        scale = camera.scale * 0.9 / share
        off = (low + high) / 2 - np.array(size) / 2
        c, s = math.cos(roll), math.sin(roll)
        right, down = (off[0] * c + off[1] * s, -off[0] * s + off[1] * c)
        x, y = camera.look_at
        moved = (x + right / camera.scale, y - down / camera.scale / math.cos(tilt))
        camera = Camera(*size, tilt=tilt, scale=scale, look_at=moved, roll=roll)
    return camera


def _lens(rng: np.random.Generator) -> Lens:
    return Lens(
        noise=float(rng.uniform(0.8, 3.4)),
        blur=float(rng.choice([0.0, 0.4, 0.7, 1.0])),
        crf=int(rng.integers(21, 31)),
        shake=float(rng.choice([0.0, 0.0, 0.25, 0.6])),
        glare=float(rng.choice([0.0, 0.0, 0.0, rng.uniform(25, 80)])),
        drift=float(rng.choice([0.0, 0.0, rng.uniform(0.1, 0.35)])),
    )


ROOMS = Path("datasets/rooms")
"""The plates of the tables that were rendered in 3D, a folder a look."""

ROOMED = {Purpose.EVALUATION: tuple(range(0, 40, 8)), Purpose.DEVELOPMENT: (0,)}
"""The looks whose tables were rendered in 3D, by number."""


def game_of(number: int) -> str:
    """Return the game that is played at the table of a look."""
    return {3: RUMMY, 7: TRI_CARD}.get(number % 11, WHIST)


def look(purpose: Purpose, number: int) -> Look:
    """Return a look: the same number always gives the same one.

    Args:
        purpose: What it is for.
        number: Which of the looks for that purpose, from 0.
    """
    name = f"{purpose.value}-{number:02d}"
    room = ROOMS / name if number in ROOMED[purpose] else None
    seed = _NUMBERS[purpose] + number
    rng = np.random.default_rng(seed)
    count = int(rng.choice([1, 1, 2, 2, 2, 3, 4]))
    size = ((960, 540), (960, 540), (960, 540), (1280, 720))[int(rng.integers(4))]
    fps = int(rng.choice([10, 12, 15, 25, 30], p=[0.58, 0.24, 0.1, 0.05, 0.03]))
    if room is not None:
        size = (960, 540)
    tilt = math.radians(float(rng.uniform(0, 14) if rng.random() < 0.5 else rng.uniform(18, 42)))
    roll = 0.0
    if room is None:
        roll = float(rng.choice([0.0, 0.0, rng.uniform(-0.08, 0.08), math.pi]))
    table = _table(rng, game_of(number), count)
    decks, backs = DECKS[purpose], BACKS[purpose]
    return Look(
        name=name,
        purpose=purpose,
        seed=seed,
        table=table,
        camera=_fitted(table, size, tilt, roll),
        fps=fps,
        deck=decks[number % len(decks)],
        back=backs[(number * 3) % len(backs)],
        lens=_lens(rng),
        room=room,
    )
