"""Decks drawn by this project: own indices and pips over blank faces, in many styles.

A deck is one SVG sheet of 13 columns (ace to king) and 4 rows (clubs, diamonds, hearts, spades),
the order of the Aisleriot card themes, so that both kinds are cut up by the same code.
"""

from dataclasses import dataclass

import numpy as np

from rules.cards import Suit
from vision.training.sources import Split

WIDTH, HEIGHT = 300, 420
"""The raster of a card in pixels: the 5:7 of a poker card."""

ROWS = (Suit.CLUBS, Suit.DIAMONDS, Suit.HEARTS, Suit.SPADES)
COLUMNS = ("A", "2", "3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K")

FONTS = {
    Split.TRAIN: (
        "DejaVu Sans", "DejaVu Serif", "DejaVu Sans Condensed", "Liberation Serif",
        "Liberation Sans Narrow", "C059", "URW Gothic", "Nimbus Mono PS", "Nimbus Roman",
        "Noto Sans CJK KR", "Noto Serif CJK JP",
    ),
    Split.VALIDATION: ("Nimbus Sans", "URW Bookman", "P052", "Liberation Sans"),
}  # fmt: skip
"""Font families of the indices; a family is in one split only."""

_PIPS = {
    Suit.DIAMONDS: (
        "M0,-.5Q.12,-.2 .4,0Q.12,.2 0,.5Q-.12,.2 -.4,0Q-.12,-.2 0,-.5Z",
        "M0,-.5L.38,0L0,.5L-.38,0Z",
    ),
    Suit.HEARTS: (
        "M0,.5C-.1,.3 -.5,.05 -.5,-.22C-.5,-.42 -.35,-.5 -.25,-.5C-.12,-.5 -.03,-.42 0,-.28"
        "C.03,-.42 .12,-.5 .25,-.5C.35,-.5 .5,-.42 .5,-.22C.5,.05 .1,.3 0,.5Z",
        "M0,.5L-.42,0C-.55,-.2 -.46,-.48 -.24,-.48C-.1,-.48 -.02,-.38 0,-.3"
        "C.02,-.38 .1,-.48 .24,-.48C.46,-.48 .55,-.2 .42,0Z",
    ),
    Suit.SPADES: (
        "M0,-.5C.1,-.3 .48,-.05 .48,.18C.48,.34 .36,.4 .27,.4C.15,.4 .06,.33 .03,.24"
        "C.04,.36 .1,.46 .18,.5L-.18,.5C-.1,.46 -.04,.36 -.03,.24C-.06,.33 -.15,.4 -.27,.4"
        "C-.36,.4 -.48,.34 -.48,.18C-.48,-.05 -.1,-.3 0,-.5Z",
        "M0,-.5L.38,-.04C.54,.16 .42,.38 .24,.38C.12,.38 .06,.33 .04,.28L.14,.5L-.14,.5"
        "L-.04,.28C-.06,.33 -.12,.38 -.24,.38C-.42,.38 -.54,.16 -.38,-.04Z",
    ),
    Suit.CLUBS: (
        "M0,-.5a.22,.22 0 0 1 .15,.38a.22,.22 0 1 1 -.1,.36C.06,.36 .1,.46 .18,.5L-.18,.5"
        "C-.1,.46 -.06,.36 -.05,.24a.22,.22 0 1 1 -.1,-.36a.22,.22 0 0 1 .15,-.38Z",
        "M0,-.5a.25,.25 0 0 1 .2,.4a.25,.25 0 1 1 -.16,.36L.12,.5L-.12,.5L-.04,.26"
        "a.25,.25 0 1 1 -.16,-.36a.25,.25 0 0 1 .2,-.4Z",
    ),
}

_FRAMES = ("#4656b8", "#1d2f7a", "#303038", "#b02030", "#7a7a80")

_L, _M, _R = 0.28, 0.5, 0.72
_T, _B = 0.17, 0.83
_PLACES: dict[int, tuple[tuple[float, float], ...]] = {
    2: ((_M, _T), (_M, _B)),
    3: ((_M, _T), (_M, 0.5), (_M, _B)),
    4: ((_L, _T), (_R, _T), (_L, _B), (_R, _B)),
    5: ((_L, _T), (_R, _T), (_M, 0.5), (_L, _B), (_R, _B)),
    6: ((_L, _T), (_R, _T), (_L, 0.5), (_R, 0.5), (_L, _B), (_R, _B)),
    7: ((_L, _T), (_R, _T), (_L, 0.5), (_R, 0.5), (_L, _B), (_R, _B), (_M, 0.335)),
    8: ((_L, _T), (_R, _T), (_L, 0.5), (_R, 0.5), (_L, _B), (_R, _B), (_M, 0.335), (_M, 0.665)),
    9: ((_L, _T), (_R, _T), (_L, 0.39), (_R, 0.39), (_L, 0.61), (_R, 0.61), (_L, _B), (_R, _B),
        (_M, 0.5)),
    10: ((_L, _T), (_R, _T), (_L, 0.39), (_R, 0.39), (_L, 0.61), (_R, 0.61), (_L, _B), (_R, _B),
         (_M, 0.28), (_M, 0.72)),
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class Style:
    """How a drawn deck looks. Lengths are fractions of the card's height."""

    font: str
    bold: bool
    index: float
    """Size of the rank in the corner; 0.11 is a bridge index, 0.3 a jumbo one."""
    inset: float
    """Distance of the index from the card's edges."""
    suit_ratio: float
    """Size of the corner's suit against the rank's."""
    pip: float
    squeeze: float
    """Width of a rank against its natural width; the 10 is squeezed more."""
    red: str
    black: str
    four_colours: bool
    corners: int
    """2, or 4 for four-index cards."""
    pip_shape: int
    court_frame: tuple[float, float]
    """Share of the card's width and height that the court's picture fills."""
    paper: str
    frame: str | None = None
    """Colour of the thin frame about the middle, between the indices; None without one."""
    ornate: bool = False
    """Whether the ace of spades is a large one, with a pattern and writing."""


def style(split: Split, seed: int) -> Style:
    """Return a random style; jumbo and ordinary indices are about equally common."""
    rng = np.random.default_rng([seed, 7 if split is Split.TRAIN else 8])
    jumbo = bool(rng.random() < 0.55)
    index = rng.uniform(0.2, 0.31) if jumbo else rng.uniform(0.1, 0.18)
    frame = (0.5, 0.62) if jumbo else (0.62, 0.76)
    return Style(
        font=FONTS[split][seed % len(FONTS[split])],
        bold=bool(rng.random() < 0.6),
        index=float(index),
        inset=float(rng.uniform(0.02, 0.045)),
        suit_ratio=float(rng.uniform(0.55, 0.85)),
        pip=float(rng.uniform(0.09, 0.13) if jumbo else rng.uniform(0.13, 0.17)),
        squeeze=float(rng.uniform(0.7, 1.0)),
        red=str(rng.choice(["#d40000", "#c81e28", "#e01b24", "#b5121b", "#ff2a1c"])),
        black=str(rng.choice(["#000000", "#15151a", "#20242c"])),
        four_colours=bool(rng.random() < 0.12),
        corners=4 if rng.random() < 0.4 and not jumbo else 2,
        pip_shape=int(rng.integers(2)),
        court_frame=(frame[0] + float(rng.uniform(-0.04, 0.06)), frame[1]),
        paper=str(rng.choice(["#ffffff", "#fdfdf8", "#fbf8ee", "#f6f4f0"])),
        frame=str(rng.choice(_FRAMES)) if rng.random() < (0.4 if jumbo else 0.1) else None,
        ornate=bool(rng.random() < 0.5),
    )


def sheet(look: Style, *, courts: dict[str, str]) -> str:
    """Return the SVG of a deck.

    Args:
        look: The style.
        courts: Picture file for each court, by rank and suit (`KS`), lying beside the SVG. It
            is stretched into the frame. A court without one gets a big letter.
    """
    cells = [
        f'<g transform="translate({column * WIDTH},{row * HEIGHT})">'
        f'<rect width="{WIDTH}" height="{HEIGHT}" fill="{look.paper}"/>'
        f"{_face(look, rank, suit, courts)}</g>"
        for row, suit in enumerate(ROWS)
        for column, rank in enumerate(COLUMNS)
    ]
    return (
        '<svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink" '
        f'width="{WIDTH * 13}" height="{HEIGHT * 4}">{"".join(cells)}</svg>'
    )


def _ink(look: Style, suit: Suit) -> str:
    if look.four_colours and suit is Suit.CLUBS:
        return "#0a7d2c"
    if look.four_colours and suit is Suit.DIAMONDS:
        return "#1f4fd8"
    return look.red if suit in (Suit.HEARTS, Suit.DIAMONDS) else look.black


def _pip(look: Style, suit: Suit, at: tuple[float, float], size: float, *, turn: bool) -> str:
    spin = " rotate(180)" if turn else ""
    return (
        f'<path transform="translate({at[0]:.2f},{at[1]:.2f}){spin} scale({size:.2f})" '
        f'fill="{_ink(look, suit)}" d="{_PIPS[suit][look.pip_shape]}"/>'
    )


def _index(look: Style, rank: str, suit: Suit, *, left: bool) -> str:
    size = look.index * HEIGHT
    squeeze = look.squeeze * (0.66 if rank == "10" else 1.0)
    # Two digits of the widest font are 1.4 times as wide as its size: none is cut off at the edge.
    half = size * look.squeeze * (0.47 if rank == "10" else 0.36)
    x = look.inset * HEIGHT + half
    x = x if left else WIDTH - x
    baseline = look.inset * HEIGHT + size * 0.74
    pip = size * look.suit_ratio * 0.8
    weight = "bold" if look.bold else "normal"
    return (
        f'<text transform="translate({x:.2f},{baseline:.2f}) scale({squeeze:.3f},1)" '
        f'font-family="{look.font}" font-weight="{weight}" font-size="{size:.2f}" '
        f'text-anchor="middle" fill="{_ink(look, suit)}">{rank}</text>'
        + _pip(look, suit, (x, baseline + size * 0.08 + pip / 2), pip, turn=False)
    )


def _face(look: Style, rank: str, suit: Suit, courts: dict[str, str]) -> str:
    corner = _index(look, rank, suit, left=True)
    if look.corners == 4:
        corner += _index(look, rank, suit, left=False)
    return (
        _middle(look, rank, suit, courts)
        + corner
        + f'<g transform="rotate(180,{WIDTH / 2},{HEIGHT / 2})">{corner}</g>'
    )


def _middle(look: Style, rank: str, suit: Suit, courts: dict[str, str]) -> str:
    frame = _frame(look) if look.frame else ""
    if rank == "A":
        return frame + _ace(look, suit)
    if rank in "JQK":
        return _court(look, rank, suit, courts)
    shrink = 0.26 if look.index > 0.18 or look.corners == 4 else 0.0
    parts = [frame]
    for x, y in _PLACES[int(rank)]:
        near_x = 0.5 + (x - 0.5) * (1 - 1.1 * shrink)
        near_y = 0.5 + (y - 0.5) * (1 - shrink)
        at = (near_x * WIDTH, near_y * HEIGHT)
        parts.append(_pip(look, suit, at, HEIGHT * look.pip, turn=y > 0.51))
    return "".join(parts)


def _frame(look: Style) -> str:
    width, height = look.court_frame[0] * WIDTH, look.court_frame[1] * HEIGHT
    return (
        f'<rect x="{(WIDTH - width) / 2:.1f}" y="{(HEIGHT - height) / 2:.1f}" width="{width:.1f}" '
        f'height="{height:.1f}" fill="none" stroke="{look.frame}" stroke-width="2.5"/>'
    )


def _ace(look: Style, suit: Suit) -> str:
    """Draw the middle of an ace: one pip, in many decks a large ornate one for spades."""
    middle = (WIDTH / 2, HEIGHT / 2)
    if suit is not Suit.SPADES or not look.ornate:
        size = HEIGHT * look.pip * (2.6 if suit is Suit.SPADES else 1.7)
        return _pip(look, suit, middle, size, turn=False)
    size = HEIGHT * (0.3 if look.index > 0.18 else 0.42)
    rings = "".join(
        f'<path transform="translate({middle[0]},{middle[1]}) scale({size * share:.1f})" '
        f'fill="{colour}" d="{_PIPS[suit][look.pip_shape]}"/>'
        for share, colour in ((1.0, look.black), (0.8, look.paper), (0.7, look.black),
                              (0.42, look.paper), (0.3, look.black))
    )  # fmt: skip
    words = "".join(
        f'<text x="{middle[0]}" y="{middle[1] + size * (0.66 + 0.12 * row):.1f}" '
        f'font-family="{look.font}" font-size="{size * 0.1:.1f}" text-anchor="middle" '
        f'fill="{look.black}">{text}</text>'
        for row, text in enumerate(("THE HOUSE PLAYING CARD", "COMPANY"))
    )
    return rings + words


def _court(look: Style, rank: str, suit: Suit, courts: dict[str, str]) -> str:
    width, height = look.court_frame[0] * WIDTH, look.court_frame[1] * HEIGHT
    x, y = (WIDTH - width) / 2, (HEIGHT - height) / 2
    picture = courts.get(f"{rank}{suit.value}")
    if picture is None:
        return (
            f'<text x="{WIDTH / 2}" y="{HEIGHT * 0.6}" font-family="{look.font}" '
            f'font-size="{HEIGHT * 0.3}" text-anchor="middle" fill="{_ink(look, suit)}">'
            f"{rank}</text>"
        )
    return (
        f'<image x="{x:.1f}" y="{y:.1f}" width="{width:.1f}" height="{height:.1f}" '
        f'preserveAspectRatio="none" xlink:href="{picture}"/>'
        f'<rect x="{x:.1f}" y="{y:.1f}" width="{width:.1f}" height="{height:.1f}" fill="none" '
        f'stroke="{_ink(look, suit)}" stroke-width="2"/>'
    )
