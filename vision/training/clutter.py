"""What lies on and over a table besides cards: chips, placards, papers, hands and sleeves.

Everything is drawn straight into the picture, in pixels, at the scale of the cards.
"""

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.training.grounds import clouds, words, write
from vision.training.sources import Split

Pixels = NDArray[np.uint8]
Colour = tuple[int, int, int]

_CHIPS: tuple[Colour, ...] = (
    (200, 30, 40), (30, 60, 160), (20, 120, 60), (25, 25, 30), (235, 235, 230), (120, 40, 130),
    (230, 160, 30), (230, 120, 150),
)  # fmt: skip
_SKINS: tuple[Colour, ...] = (
    (235, 195, 170), (220, 170, 140), (195, 140, 110), (150, 100, 75), (105, 68, 50), (70, 45, 35),
)  # fmt: skip
_SLEEVES: tuple[Colour, ...] = (
    (20, 20, 24), (240, 240, 240), (60, 20, 25), (30, 40, 80), (90, 90, 95), (200, 190, 170),
)  # fmt: skip


def boxes(
    canvas: Pixels, rng: np.random.Generator, outlines: list[NDArray[np.float64]], size: float
) -> None:
    """Print boxes on the cloth, all in one ink; `size` is a card's height in pixels."""
    ink = rng.uniform(140, 250, 3) if rng.random() < 0.8 else rng.uniform(0, 255, 3)
    worn = float(rng.uniform(0.0, 0.6))
    line = max(1, round(size * float(rng.uniform(0.01, 0.05))))
    drawn = canvas.copy()
    for outline in outlines:
        corners = np.rint(outline).astype(np.int32)
        cv2.polylines(drawn, [corners], True, ink.tolist(), line, cv2.LINE_AA)
    cv2.addWeighted(drawn, 1 - worn, canvas, worn, 0, dst=canvas)


def chips(canvas: Pixels, rng: np.random.Generator, size: float) -> None:
    """Draw one stack of chips somewhere; `size` is a card's height in pixels."""
    h, w = canvas.shape[:2]
    x, y = int(rng.integers(0, w)), int(rng.integers(0, h))
    radius = size * rng.uniform(0.2, 0.26)
    flat = rng.uniform(0.6, 1.0)
    lean = rng.normal(0, 0.1)
    tall = int(rng.integers(1, 9))
    step = max(1.0, radius * 0.17 * np.sqrt(max(0.05, 1 - flat**2)))
    colour = _CHIPS[int(rng.integers(len(_CHIPS)))]
    other = _CHIPS[int(rng.integers(len(_CHIPS)))]
    for level in range(tall):
        if rng.random() < 0.2:
            colour = _CHIPS[int(rng.integers(len(_CHIPS)))]
        at = (int(x + lean * level * step), int(y - level * step))
        _chip(canvas, at, (int(radius), int(radius * flat)), colour, other)


def _chip(
    canvas: Pixels, at: tuple[int, int], axes: tuple[int, int], colour: Colour, other: Colour
) -> None:
    dark = tuple(int(c * 0.55) for c in colour)
    cv2.ellipse(canvas, (at[0], at[1] + 1), axes, 0, 0, 360, dark, -1, cv2.LINE_AA)
    cv2.ellipse(canvas, at, axes, 0, 0, 360, colour, -1, cv2.LINE_AA)
    rim = max(1, axes[0] // 5)
    for start in range(0, 360, 60):
        inner = (max(1, axes[0] - rim // 2), max(1, axes[1] - rim // 2))
        cv2.ellipse(canvas, at, inner, 0, start, start + 24, other, rim, cv2.LINE_AA)
    inside = (max(1, int(axes[0] * 0.55)), max(1, int(axes[1] * 0.55)))
    cv2.ellipse(canvas, at, inside, 0, 0, 360, (235, 230, 215), -1, cv2.LINE_AA)
    mark = (max(1, axes[0] // 4), max(1, axes[1] // 4))
    cv2.ellipse(canvas, at, mark, 0, 0, 360, colour, -1)


def paper(canvas: Pixels, rng: np.random.Generator, size: float, split: Split) -> None:
    """Draw a placard, slip, note or phone: rectangles that are no cards."""
    h, w = canvas.shape[:2]
    long = int(size * rng.uniform(0.6, 2.6))
    short = int(long * rng.uniform(0.25, 0.95))
    kind = rng.random()
    if kind < 0.65:
        shade = int(rng.integers(190, 256))
        base = np.array([shade, shade, int(shade * rng.uniform(0.75, 1))])
    else:
        base = rng.integers(5, 255, 3)
    sheet = np.full((240, 320, 3), base, np.uint8)
    if kind < 0.35:
        for row in range(int(rng.integers(1, 8))):
            size_text = float(rng.uniform(0.4, 1.6))
            write(sheet, rng, words(rng, split), (12, 30 + row * 30), size_text)
    elif kind < 0.5:
        for row in range(10, 230, int(rng.integers(8, 22))):
            cv2.line(sheet, (10, row), (int(rng.integers(100, 310)), row), (60, 60, 60), 3)
    elif kind < 0.6:
        cv2.rectangle(
            sheet, (14, 14), (306, 226), tuple(int(v) for v in rng.integers(0, 255, 3)), 6
        )
    centre = (float(rng.uniform(0, w)), float(rng.uniform(0, h)))
    box = cv2.boxPoints((centre, (long, short), float(rng.uniform(0, 180))))
    box = np.asarray(box + rng.normal(0, long * 0.02, (4, 2)), np.float32)
    source = np.array([[0, 240], [0, 0], [320, 0], [320, 240]], np.float32)
    view = cv2.getPerspectiveTransform(source, box)
    small = cv2.GaussianBlur(sheet, (0, 0), max(0.3, 320 / max(long, 8) * 0.4))
    cv2.warpPerspective(
        small, view, (w, h), dst=canvas, flags=cv2.INTER_LINEAR, borderMode=cv2.BORDER_TRANSPARENT
    )


def hand(shape: tuple[int, int], rng: np.random.Generator, size: float) -> tuple[Pixels, Pixels]:
    """Return a hand that reaches in from the picture's edge.

    Args:
        shape: Height and width of the picture.
        rng: The source of chance.
        size: A card's height in pixels; a hand is about two cards long.

    Returns:
        Its colours, UInt8 (H, W, 3), and its mask, UInt8 (H, W).
    """
    h, w = shape
    tip = np.array([rng.uniform(0.1, 0.9) * w, rng.uniform(0.1, 0.9) * h])
    edge = rng.uniform(-np.pi, np.pi)
    back = np.array([np.cos(edge), np.sin(edge)])
    palm = tip + back * size * 0.9
    wrist = palm + back * size * 0.7
    far = wrist + back * (w + h)
    mask = np.zeros((h, w), np.uint8)
    colours = np.zeros((h, w, 3), np.uint8)
    skin = _SKINS[int(rng.integers(len(_SKINS)))]
    sleeve = _SLEEVES[int(rng.integers(len(_SLEEVES)))]
    thick = max(2, int(size * rng.uniform(0.42, 0.6)))
    shapes: list[tuple[NDArray[np.float64], NDArray[np.float64], int, Colour]] = [
        (wrist + back * size * rng.uniform(0.2, 1.2), far, int(thick * 1.5), sleeve),
        (palm, far, thick, skin),
        (palm, palm + back * size * 0.2, int(thick * 1.5), skin),
    ]
    if rng.random() < 0.5:
        cuff = wrist + back * size * 0.3
        shapes.append((cuff, cuff + back * size * 0.1, int(thick * 1.3), _SLEEVES[1]))
    shapes.sort(key=lambda each: each[3] is not sleeve)
    spread = rng.uniform(0.1, 0.35)
    for finger in range(5):
        angle = (finger - 2) * spread + rng.normal(0, 0.06)
        c, s = np.cos(angle), np.sin(angle)
        way = -np.array([back[0] * c - back[1] * s, back[0] * s + back[1] * c])
        reach = size * rng.uniform(0.55, 1.0) * (0.7 if finger in (0, 4) else 1)
        start = palm + way * size * 0.15
        shapes.append((start, start + way * reach, max(2, int(size * 0.17)), skin))
    for start, end, width, colour in shapes:
        shade = tuple(int(np.clip(c + rng.normal(0, 6), 0, 255)) for c in colour)
        ends = tuple(int(v) for v in start), tuple(int(v) for v in end)
        cv2.line(colours, ends[0], ends[1], shade, width, cv2.LINE_AA)
        cv2.line(mask, ends[0], ends[1], 255, width, cv2.LINE_AA)
    return _rounded(colours, mask, rng, size), mask


def _rounded(colours: Pixels, mask: Pixels, rng: np.random.Generator, size: float) -> Pixels:
    """Return flat limbs shaded as if they were round."""
    h, w = mask.shape
    light = 1 + clouds(rng, max(h, w), 24)[:h, :w, None] * 0.1
    depth = cv2.distanceTransform((mask > 127).astype(np.uint8), cv2.DIST_L2, 3)
    round_edge = 0.65 + 0.35 * np.clip(depth / max(2.0, size * 0.07), 0, 1)
    shaded = np.clip(colours * light * round_edge[..., None], 0, 255)
    return np.asarray(shaded, dtype=np.uint8)
