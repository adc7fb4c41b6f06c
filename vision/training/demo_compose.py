"""Draws the frames of a staged scenario: cards, chips and hands over the plates of a table.

All light is added up in linear values. What moves fast is drawn at several moments of the open
shutter and averaged.
"""

import math
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from rules.cards import PACK, Card
from vision.training.art import Deck
from vision.training.demo_plates import Picture, Plates, Sprite, to_linear, to_srgb
from vision.training.scenario import Staged
from vision.training.scenario_chips import CHIP_THICKNESS, stacks
from vision.training.scenario_motion import Arm, CardTrack, ChipTrack, Gesture, Pose, Track
from vision.training.scenario_table import CARD_HEIGHT, CARD_WIDTH, Camera, Table

FPS = 25
"""Frames a second of the demo clip."""
_SHUTTER = 0.5
"""The part of a frame's time for which the shutter is open."""
_BLUR_STEP = 5.5
"""Pixels between two moments of one blurred frame."""
_SOFT = 0.45
"""How far the lens spreads a point, in pixels."""
_TEXTURE = (120, 168)
_SHADOW_X, _SHADOW_Y = 0.10, -0.26
"""Where a shadow falls for each millimetre of height, in millimetres."""


def _texture(face: NDArray[np.uint8]) -> Picture:
    """Return a card's picture, made small and premultiplied in linear light."""
    alpha = face[..., 3:].astype(np.float32) / 255
    whole = np.dstack([to_linear(face[..., :3]) * alpha, alpha])
    return np.asarray(cv2.resize(whole, _TEXTURE, interpolation=cv2.INTER_AREA), np.float32)


@dataclass(frozen=True, slots=True)
class Textures:
    """The pack that lies on the table."""

    faces: dict[Card, Picture]
    back: Picture

    @classmethod
    def of(cls, faces: Deck, backs: Deck, *, back: int = 0) -> "Textures":
        """Return the textures of a pack with the faces of one deck and a back of another."""
        return cls({c: _texture(faces.face(c)) for c in PACK}, _texture(backs.back(back)))


def card_corners(pose: Pose) -> NDArray[np.float64]:
    """Return a card's corners in the air, from the top left of the side seen: Float64 (4, 3)."""
    c, s = math.cos(pose.heading), math.sin(pose.heading)
    right = np.array([c * math.cos(pose.flip), s * math.cos(pose.flip), math.sin(pose.flip)])
    if pose.face_up:
        right = -right
    up = np.array([-s, c, 0.0])
    middle = np.array([pose.x, pose.y, pose.z + abs(math.sin(pose.flip)) * CARD_WIDTH / 2])
    w, h = CARD_WIDTH / 2, CARD_HEIGHT / 2
    signs = ((-1, 1), (1, 1), (1, -1), (-1, -1))
    return np.array([middle + a * w * right + b * h * up for a, b in signs])


Window = tuple[int, int, int, int]
"""A part of the frame: left, top, right, bottom in pixels."""


class Canvas:
    """A frame in the making; everything is drawn into `picture` in place."""

    def __init__(self, plates: Plates, camera: Camera, textures: Textures, table: Table) -> None:
        self.plates = plates
        self.table = table
        self.camera = camera
        self.textures = textures
        self.picture = plates.table.copy()
        self.touched: list[Window] = []
        """The parts of the picture that were drawn on since the list was last emptied."""

    def restore(self, picture: Picture) -> None:
        """Put what was drawn on back to what another picture shows there."""
        for left, top, right, bottom in self.touched:
            self.picture[top:bottom, left:right] = picture[top:bottom, left:right]
        self.touched.clear()

    def _window(self, points: NDArray[np.float64], pad: float) -> Window | None:
        """The part of the frame that points span, padded: left, top, right, bottom."""
        low = np.floor(points.min(axis=0) - pad).astype(int)
        high = np.ceil(points.max(axis=0) + pad).astype(int)
        left, top = max(0, low[0]), max(0, low[1])
        right, bottom = min(self.camera.width, high[0]), min(self.camera.height, high[1])
        if left >= right or top >= bottom:
            return None
        window = int(left), int(top), int(right), int(bottom)
        self.touched.append(window)
        return window

    def card(self, card: Card, pose: Pose) -> None:
        """Draw a card and its shadow."""
        corners = card_corners(pose)
        self._shadow(corners)
        quad = self.camera.project(corners)
        window = self._window(quad, 2)
        if window is None or cv2.contourArea(quad.astype(np.float32)) < 20:
            return
        left, top, right, bottom = window
        texture = self.textures.faces[card] if pose.face_up else self.textures.back
        w, h = _TEXTURE
        flat = np.array([[0, 0], [w, 0], [w, h], [0, h]], np.float32) - 0.5
        target = ((quad - [left, top]) * 2 - 0.5).astype(np.float32)
        warp = cv2.getPerspectiveTransform(flat, target)
        size = ((right - left) * 2, (bottom - top) * 2)
        drawn = cv2.warpPerspective(texture, warp, size, flags=cv2.INTER_LINEAR)
        drawn = cv2.resize(drawn, (right - left, bottom - top), interpolation=cv2.INTER_AREA)
        part = self.picture[top:bottom, left:right]
        tilt = 0.62 + 0.38 * abs(math.cos(pose.flip))
        lit = self.plates.light[top:bottom, left:right] * (tilt * (1 + pose.z / 900))
        part *= 1 - drawn[..., 3:]
        part += drawn[..., :3] * lit

    def _shadow(self, corners: NDArray[np.float64]) -> None:
        high = float(corners[:, 2].mean())
        fallen = corners[:, :2] + corners[:, 2:] * [_SHADOW_X, _SHADOW_Y]
        quad = self.camera.project(fallen) + np.array([0.5, 0.9])
        sigma = 1.3 + high * 0.085
        window = self._window(quad, 3 * sigma + 2)
        if window is None:
            return
        left, top, right, bottom = window
        mask = np.zeros((bottom - top, right - left), np.float32)
        shifted = ((quad - [left, top]) * 16).round().astype(np.int32)
        cv2.fillConvexPoly(mask, shifted, 1.0, cv2.LINE_AA, 4)
        mask = np.asarray(cv2.GaussianBlur(mask, (0, 0), sigma), np.float32)
        self.picture[top:bottom, left:right] *= 1 - (0.62 / (1 + high / 70)) * mask[..., None]

    def chips(self, chip: ChipTrack, pose: Pose) -> None:
        """Draw a stack of chips, on top of each other those of which there is a picture."""
        drawn = (count for colour, count in self.plates.chips if colour is chip.colour)
        high = pose.z
        for count in stacks(chip.count, tuple(drawn)):
            sprite = self.plates.chips[chip.colour, count]
            points = np.array([[pose.x, pose.y, high], [pose.x + 10, pose.y, high]])
            (x, y), (nx, ny) = self.camera.project(points).tolist()
            self._lay(sprite, (x, y), 0.0, math.hypot(nx - x, ny - y) / 10 / sprite.scale)
            high += count * CHIP_THICKNESS

    def hand(self, gesture: Gesture, tip: tuple[float, float]) -> None:
        """Draw an arm with its finger tips on a point of the felt."""
        who = "dealer" if gesture.seat is None else f"player-{gesture.seat}"
        sprite = self.plates.hands.get((who, gesture.grip))
        if sprite is None:
            return
        end = self.table.shoulder(gesture.seat, left=gesture.arm is Arm.DEALER_LEFT)
        points = np.array([tip, end, (tip[0] + 10, tip[1])])
        (x, y), (sx, sy), (nx, ny) = self.camera.project(points).tolist()
        turn = math.atan2(sy - y, sx - x) - math.pi / 2 * (-1 if gesture.seat is None else 1)
        self._lay(
            sprite,
            (x, y),
            turn,
            math.hypot(nx - x, ny - y) / 10 / sprite.scale,
            mirror=gesture.arm is Arm.DEALER_LEFT,
        )

    def _lay(self, sprite: Sprite, at: tuple[float, float], turn: float, scale: float,
             *, mirror: bool = False) -> None:  # fmt: skip
        """Lay a sprite over the frame, turned by radians clockwise and scaled about its anchor."""
        c, s = math.cos(turn) * scale, math.sin(turn) * scale
        flip = -1.0 if mirror else 1.0
        ax, ay = sprite.anchor
        warp = np.array([[c * flip, -s, at[0] - c * flip * ax + s * ay],
                         [s * flip, c, at[1] - s * flip * ax - c * ay]])  # fmt: skip
        h, w = sprite.picture.shape[:2]
        corners = np.array([[0, 0, 1], [w, 0, 1], [w, h, 1], [0, h, 1]]) @ warp.T
        window = self._window(corners, 1)
        if window is None:
            return
        left, top, right, bottom = window
        warp[:, 2] -= (left, top)
        size = (right - left, bottom - top)
        drawn = cv2.warpAffine(sprite.picture, warp, size, flags=cv2.INTER_LINEAR)
        part = self.picture[top:bottom, left:right]
        part *= 1 - drawn[..., 3:]
        part += drawn[..., :3]

    def props(self) -> None:
        """Lay the shoe and the rack over everything drawn so far."""
        if self.plates.props is not None:
            self._lay(self.plates.props, (0.0, 0.0), 0.0, 1.0)


class Film:
    """Draws any frame of a staged scenario."""

    def __init__(self, staged: Staged, canvas: Canvas, *, fps: int = FPS) -> None:
        self.fps = fps
        self._open = _SHUTTER / fps
        self._staged = staged
        self._canvas = canvas
        self._still: Picture | None = None
        self._still_key: tuple[object, ...] = ()
        self._still_srgb = _filmed(canvas.picture)
        self._total = np.zeros_like(canvas.picture)
        self.frames = round(staged.seconds * fps)

    def frame(self, index: int) -> NDArray[np.uint8]:
        """Return a frame: UInt8 (H, W, 3), RGB, without noise."""
        start = index / self.fps
        end = start + self._open
        moving = [c for c in self._staged.cards if c.track.moving(start, end)]
        sliding = [c for c in self._staged.chips if c.track.moving(start, end)]
        still = self._rest(start, [id(c) for c in (*moving, *sliding)])
        hands = [g for g in self._staged.gestures if g.start <= end and g.end >= start]
        if not (moving or sliding or hands):
            return self._still_srgb
        moments = self._moments(start, moving, hands)
        canvas = self._canvas
        touched: list[Window] = []
        total = self._total
        for when in moments:
            canvas.restore(still)
            self._draw(when, moving, sliding, hands)
            window = _union(canvas.touched)
            if window is not None:
                touched.append(window)
                part = _part(window)
                total[part] += canvas.picture[part] - still[part]
        whole = _union(touched)
        if whole is None:
            return self._still_srgb
        part = _part(whole)
        made = self._still_srgb.copy()
        made[part] = _filmed(still[part] + total[part] * np.float32(1 / len(moments)))
        total[part] = 0
        return made

    def _rest(self, when: float, moving: list[int]) -> Picture:
        """The table with everything that lies still."""
        cards = [c for c in self._staged.cards if id(c) not in moving and c.track.at(when)]
        chips = [c for c in self._staged.chips if id(c) not in moving and c.track.at(when)]
        tracks = [each.track for each in cards] + [each.track for each in chips]
        key = tuple((id(track), track.at(when)) for track in tracks)
        if self._still is None or key != self._still_key:
            np.copyto(self._canvas.picture, self._canvas.plates.table)
            self._cards(when, cards)
            self._chips(when, chips)
            self._still, self._still_key = self._canvas.picture.copy(), key
            self._still_srgb = _filmed(self._still)
            self._canvas.touched.clear()
        return self._still

    def _draw(self, when: float, cards: list[CardTrack], chips: list[ChipTrack],
              hands: list[Gesture]) -> None:  # fmt: skip
        self._cards(when, cards)
        self._chips(when, chips)
        if cards:
            self._canvas.props()
        for gesture in hands:
            tip = gesture.at(when)
            if tip is not None:
                self._canvas.hand(gesture, tip)

    def _cards(self, when: float, cards: list[CardTrack]) -> None:
        posed = [(each, pose) for each in cards if (pose := each.track.at(when))]
        for each, pose in sorted(posed, key=lambda pair: pair[1].layer):
            self._canvas.card(each.card, pose)

    def _chips(self, when: float, chips: list[ChipTrack]) -> None:
        posed = [(each, pose) for each in chips if (pose := each.track.at(when))]
        for each, pose in sorted(posed, key=lambda pair: (-round(pair[1].y), pair[1].z)):
            self._canvas.chips(each, pose)

    def _moments(self, start: float, cards: list[CardTrack], hands: list[Gesture]) -> list[float]:
        """The moments of the open shutter to draw: the more, the faster something moves."""
        far = [_travel(each.track, start, self._open) for each in cards]
        for gesture in hands:
            a, b = gesture.at(start), gesture.at(start + self._open)
            if a and b:
                far.append(math.hypot(b[0] - a[0], b[1] - a[1]))
        pixels = max(far, default=0.0) * self._canvas.camera.scale
        count = int(np.clip(math.ceil(pixels / _BLUR_STEP), 1, 6))
        return [start + self._open * (k + 0.5) / count for k in range(count)]


def _filmed(light: Picture) -> NDArray[np.uint8]:
    """Return light as bytes, a little soft as a lens makes it: UInt8 (H, W, 3)."""
    return np.asarray(cv2.GaussianBlur(to_srgb(light), (3, 3), _SOFT), np.uint8)


def _union(windows: list[Window]) -> Window | None:
    if not windows:
        return None
    lefts, tops, rights, bottoms = zip(*windows, strict=True)
    return min(lefts), min(tops), max(rights), max(bottoms)


def _part(window: Window) -> tuple[slice, slice]:
    left, top, right, bottom = window
    return slice(top, bottom), slice(left, right)


def _travel(track: Track, start: float, seconds: float) -> float:
    a, b = track.at(start), track.at(start + seconds)
    if a is None or b is None:
        return 0.0
    return math.hypot(b.x - a.x, b.y - a.y) + 20 * abs(b.flip - a.flip)
