"""The printed felt of the demo table, drawn from the table's own places, in millimetres.

Everything is drawn as one SVG, rendered by rsvg-convert; text on an arc is drawn straight and bent.
The fonts are Debian's URW and Liberation families.
"""

import math
import subprocess
import tempfile
from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray

from rules.events import SEATS, Area, Spot
from vision.training.scenario_table import CARD_HEIGHT, CARD_WIDTH, DEMO_TABLE, PLACES, Place

Picture = NDArray[np.float32]

LEFT, RIGHT, LOW, HIGH = -840.0, 840.0, -580.0, 520.0
"""The part of the felt that the texture shows, in millimetres."""

PIXELS_PER_MM = 2.4

_GOLD = "#d9b765"
_CREAM = "#efe6cc"
_FELT = np.array([14, 82, 58], np.float32)

_LABELS = {Area.ANTE: "ANTE", Area.PLAY_WAGER: "PLAY", Area.BONUS: "BONUS", Area.RNB: "RnB"}


def _bracket(place: Place, *, margin: float, arm: float, width: float, colour: str) -> str:
    """Four corner brackets round a place."""
    w, h = place.width / 2 + margin, place.height / 2 + margin
    paths = []
    for sx, sy in ((-1, 1), (1, 1), (1, -1), (-1, -1)):
        points = [(sx * (w - arm), sy * h), (sx * w, sy * h), (sx * w, sy * (h - arm))]
        paths.append("M" + " L".join(f"{x:.1f} {-y:.1f}" for x, y in points))
    return (
        f'<path d="{" ".join(paths)}" transform="{_turn(place)}" fill="none" stroke="{colour}" '
        f'stroke-width="{width}" stroke-linecap="round" stroke-linejoin="round" opacity="0.85"/>'
    )


def _turn(place: Place, right: float = 0.0, up: float = 0.0) -> str:
    x, y = place.at(right, up)
    return f"translate({x:.2f} {-y:.2f}) rotate({-math.degrees(place.heading):.2f})"


def _text(transform: str, text: str, size: float, *, colour: str = _CREAM, font: str = "") -> str:
    family = font or "Liberation Sans Narrow"
    return (
        f'<text transform="{transform}" font-family="{family}" font-weight="bold" '
        f'font-size="{size}" fill="{colour}" text-anchor="middle" letter-spacing="0.6" '
        f'y="{size * 0.34:.2f}">{text}</text>'
    )


def _seat_svg() -> list[str]:
    made = []
    for seat in SEATS:
        hand, played = PLACES[Spot(Area.HAND, seat)], PLACES[Spot(Area.PLAYED, seat)]
        made.append(_bracket(hand, margin=5.5, arm=15, width=1.5, colour=_GOLD))
        made.append(_bracket(played, margin=5.5, arm=15, width=1.1, colour=_CREAM))
        made.append(_text(_turn(hand), str(seat), 46, colour="#2c8a66", font="P052"))
        for area, label in _LABELS.items():
            place = PLACES[Spot(area, seat)]
            radius = place.width / 2 - 1.5
            main = area in (Area.ANTE, Area.PLAY_WAGER)
            made.append(
                f'<circle transform="{_turn(place)}" r="{radius}" fill="#0a4a36" '
                f'fill-opacity="0.6" '
                f'stroke="{_GOLD if main else _CREAM}" stroke-width="{2.0 if main else 1.4}"/>'
            )
            made.append(_text(_turn(place), label, 13.5 if main else 9.5))
    return made


def _dealer_svg() -> list[str]:
    made = []
    dealer, trump, discard = (PLACES[Spot(a)] for a in (Area.DEALER, Area.TRUMP, Area.DISCARD))
    for index in range(3):
        x, y = DEMO_TABLE.slot(Spot(Area.DEALER), index)
        place = Place(x, y, 0.0, CARD_WIDTH, CARD_HEIGHT)
        made.append(_bracket(place, margin=-2, arm=9, width=1.1, colour=_CREAM))
    made.append(_bracket(trump, margin=7, arm=20, width=2.0, colour=_GOLD))
    made.append(_bracket(discard, margin=5, arm=16, width=1.1, colour=_CREAM))
    made.append(_text(_turn(dealer, 0, -62), "DEALER", 14))
    made.append(_text(_turn(trump, 0, -64), "TRUMP", 16, colour=_GOLD))
    made.append(_text(_turn(trump), "&#9824;", 36, colour="#2c8a66", font="DejaVu Sans"))
    made.append(_text(_turn(discard, 0, -62), "DISCARD", 14))
    return made


def _arcs_svg() -> list[str]:
    """Half ellipses: inside the played cards, and along the rail."""
    made = []
    for rx, ry, centre, width in ((420, 188, 58, 2.2), (412, 180, 58, 0.9), (724, 472, -2, 2.2),
                                  (717, 465, -2, 0.9)):  # fmt: skip
        path = f"M {-rx} {-centre} A {rx} {ry} 0 0 0 {rx} {-centre}"
        if rx > 600:
            path = f"M {-rx} -418 L{path[1:]} L {rx} -418"
        made.append(
            f'<path d="{path}" fill="none" stroke="{_GOLD}" stroke-width="{width}" opacity="0.9"/>'
        )
    return made


def render_svg(body: str, width: float, height: float, origin: tuple[float, float]) -> Picture:
    """Render SVG elements in millimetres: Float32 (H, W, 4), RGBA, straight alpha, 0 to 255.

    Raises:
        OSError: rsvg-convert isn't installed.
        subprocess.CalledProcessError: It could not draw them.
    """
    w, h = round(width * PIXELS_PER_MM), round(height * PIXELS_PER_MM)
    text = (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{w}" height="{h}" '
        f'viewBox="{origin[0]} {origin[1]} {width} {height}">{body}</svg>'
    )
    with tempfile.TemporaryDirectory() as folder:
        source, target = Path(folder, "a.svg"), Path(folder, "a.png")
        source.write_text(text, encoding="utf-8")
        subprocess.run(["rsvg-convert", str(source), "-o", str(target)], check=True)  # noqa: S603, S607
        drawn = cv2.imread(str(target), cv2.IMREAD_UNCHANGED)
    if drawn is None:
        raise OSError("rsvg-convert wrote no picture")
    return cv2.cvtColor(drawn, cv2.COLOR_BGRA2RGBA).astype(np.float32)


def _bend(strip: Picture, *, centre_y: float, radius: float) -> Picture:
    """Bend a straight strip round a circle below its centre: Float32 (H, W, 4), as the felt."""
    w, h = round((RIGHT - LEFT) * PIXELS_PER_MM), round((HIGH - LOW) * PIXELS_PER_MM)
    xs = LEFT + (np.arange(w, dtype=np.float32) + 0.5) / PIXELS_PER_MM
    ys = HIGH - (np.arange(h, dtype=np.float32) + 0.5) / PIXELS_PER_MM
    x, y = np.meshgrid(xs, ys)
    away = np.hypot(x, y - centre_y)
    along = np.arctan2(x, centre_y - y) * radius
    u = along * PIXELS_PER_MM + strip.shape[1] / 2
    v = (away - radius) * PIXELS_PER_MM + strip.shape[0] / 2
    return np.asarray(
        cv2.remap(strip, u.astype(np.float32), v.astype(np.float32), cv2.INTER_LINEAR,
                  borderMode=cv2.BORDER_CONSTANT), np.float32)  # fmt: skip


def _strip(text: str, size: float, spacing: float, colour: str, font: str) -> Picture:
    body = (
        f'<text x="0" y="{size * 0.34}" font-family="{font}" font-weight="bold" font-size="{size}" '
        f'letter-spacing="{spacing}" fill="{colour}" text-anchor="middle">{text}</text>'
    )
    return render_svg(body, 900, size * 2, (-450, -size))


def _fibres(shape: tuple[int, int], seed: int) -> Picture:
    """The nap of the cloth: short soft streaks, about 1 on average: Float32 (H, W, 1)."""
    random = np.random.default_rng(seed)
    fine = random.normal(0, 1, shape).astype(np.float32)
    fine = np.asarray(cv2.GaussianBlur(fine, (0, 0), 1.4, sigmaY=0.7), np.float32)
    small = random.normal(0, 1, (shape[0] // 24, shape[1] // 24)).astype(np.float32)
    cloud = cv2.resize(small, (shape[1], shape[0]), interpolation=cv2.INTER_CUBIC)
    nap = 1 + 0.085 * fine / fine.std() + 0.022 * cloud / cloud.std()
    return np.asarray(nap[..., None], np.float32)


def felt(seed: int = 7) -> Picture:
    """Return the printed cloth seen straight from above: Float32 (H, W, 3), RGB, sRGB 0 to 255."""
    body = "".join([*_arcs_svg(), *_dealer_svg(), *_seat_svg()])
    print_layer = render_svg(body, RIGHT - LEFT, HIGH - LOW, (LEFT, -HIGH))
    h, w = print_layer.shape[:2]
    cloth = np.broadcast_to(_FELT, (h, w, 3)).copy()
    layers = [
        print_layer,
        _bend(_strip("THREE CARD WHIST", 66, 9, _GOLD, "P052"), centre_y=640, radius=649),
        _bend(_strip("FOLLOW SUIT IF YOU CAN  ·  TRUMP IF YOU CANNOT", 19, 3.2, _CREAM,
                     "Liberation Sans Narrow"), centre_y=640, radius=706),
        _bend(_strip("TWO TRICKS: PLAY PAYS 2 TO 1  ·  THREE TRICKS: PLAY PAYS 3 TO 1", 15, 2.2,
                     _CREAM, "Liberation Sans Narrow"), centre_y=640, radius=592),
    ]  # fmt: skip
    for layer in layers:
        alpha = layer[..., 3:] / 255 * 0.93
        cloth = np.asarray(cloth * (1 - alpha) + layer[..., :3] * alpha, np.float32)
    return np.asarray(np.clip(cloth * _fibres((h, w), seed), 0, 255), np.float32)


def felt_to_pixels() -> NDArray[np.float64]:
    """Return the transform from felt millimetres to pixels of the texture: Float64 (3, 3)."""
    k = PIXELS_PER_MM
    return np.array([[k, 0, -LEFT * k], [0, -k, HIGH * k], [0, 0, 1]])
