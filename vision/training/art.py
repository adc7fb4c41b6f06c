"""Card art: decks and backs, each with its licence and its split.

    python -m vision.training.art            # fetch and render everything into the cache
    python -m vision.training.art --contact sheet.png

Everything is kept under `datasets/.cache/art` as one array a deck, which is mapped rather than
read, so that many renderers share it.
"""

import argparse
import gzip
import json
import shutil
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from functools import cache as cached
from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray

from rules.cards import PACK, Card, Rank, Suit
from vision.training import drawn
from vision.training.backs import back as drawn_back
from vision.training.drawn import COLUMNS, HEIGHT, ROWS, WIDTH
from vision.training.fonts import SUIT_SIGNS, TYPE_FACES
from vision.training.sources import GNOME, HERUKA, KDE, SOURCES, YOUNES, ArtError, Split, fetch, run

Pixels = NDArray[np.uint8]

CACHE = Path("datasets/.cache/art")
"""Where the art is kept, from the root of the checkout. Git ignores it."""

DEMO_DECK = "house-jumbo"
"""The deck of the demo clip: a validation deck, so the model never trained on it."""

_SHEETS: dict[str, Split] = {
    "anglo": Split.TRAIN, "anglo_bitmap": Split.TRAIN, "anglo_modern": Split.TRAIN,
    "anglo_modern_4_color": Split.TRAIN, "atlasnye": Split.TRAIN, "bellot": Split.TRAIN,
    "dondorf": Split.TRAIN, "gnomangelo": Split.TRAIN, "gnomangelo_bitmap": Split.TRAIN,
    "neoclassical": Split.TRAIN, "neoclassical_4_color": Split.TRAIN, "ornamental": Split.TRAIN,
    "paris": Split.TRAIN, "plastic": Split.TRAIN, "simplistic": Split.TRAIN,
    "tango": Split.TRAIN, "anglo_poker": Split.VALIDATION, "orell": Split.VALIDATION,
    "tigullio": Split.VALIDATION,
}  # fmt: skip
"""Aisleriot themes with English indices; the others say B D K, R D V or В Д К."""

_KDE = {"standard": "svg-standard/standard.svgz", "jolly-royal": "svg-jolly-royal/jolly-royal.svgz"}
_COURTS = {Split.TRAIN: ("anglo", "anglo_modern", "2color", "bellot", "atlasnye", "paris"),
           Split.VALIDATION: ("anglo_poker", "tigullio")}  # fmt: skip
_DRAWN = {Split.TRAIN: 57, Split.VALIDATION: 8}
_SCRAMBLED = 33
"""From this seed on, court pictures are dealt out at random: the index alone says what a card is. A
reader that learns ranks from pictures takes one artist's jack for another's queen."""
_BACKS = {Split.TRAIN: 60, Split.VALIDATION: 16}


@dataclass(frozen=True, slots=True)
class Deck:
    """One deck: 52 faces and, where the art has one, its own back."""

    name: str
    licence: str
    """SPDX expression of the art."""
    credit: str
    split: Split
    aspect: float
    """Width over height of the card; the rasters are all 5:7 and are stretched when drawn."""
    has_back: bool
    folder: Path
    """The cache's folder that holds the deck's array."""

    def face(self, card: Card) -> Pixels:
        """Return a face: UInt8 (420, 300, 4), RGBA, alpha 0 outside the rounded corners."""
        return _picked(self.folder / f"{self.name}.npy", PACK.index(card))

    def back(self, number: int) -> Pixels:
        """Return back `number` of the deck's split, as `face` does; any number is good.

        Number 0 is the deck's own back when it has one.
        """
        if number == 0 and self.has_back:
            return _picked(self.folder / f"{self.name}.npy", 52)
        return _picked(self.folder / f"backs-{self.split.value}.npy", number)


def _picked(path: Path, number: int) -> Pixels:
    every = _load(path)
    return np.asarray(every[number % len(every)], np.uint8)


@cached
def _load(path: Path) -> Pixels:
    if not path.is_file():
        raise ArtError(f"no card art at {path}; make it with: python -m vision.training.art")
    stored: Pixels = np.load(path, mmap_mode="r")
    return stored


def decks(cache: Path = CACHE, split: Split | None = None) -> list[Deck]:
    """Return the decks in the cache, of one split or of both.

    Raises:
        ArtError: The cache was not built.
    """
    index = cache / "decks.json"
    if not index.is_file():
        raise ArtError(f"no card art at {cache}; make it with: python -m vision.training.art")
    rows = json.loads(index.read_text())
    every = [Deck(**{**row, "split": Split(row["split"]), "folder": cache}) for row in rows]
    return [deck for deck in every if split is None or deck.split is split]


def deck(name: str, cache: Path = CACHE) -> Deck:
    """Return the deck of a name.

    Raises:
        ArtError: There is none of that name, or the cache was not built.
    """
    for each in decks(cache):
        if each.name == name:
            return each
    raise ArtError(f"no deck {name!r} in {cache}")


def rounded(picture: Pixels, *, radius: float = 0.05) -> Pixels:
    """Return a card's picture, UInt8 (H, W, 3) or (H, W, 4), as RGBA at 420x300, corners cut round.

    Whatever is transparent in it becomes paper white.
    """
    small = cv2.resize(picture, (WIDTH, HEIGHT), interpolation=cv2.INTER_AREA)
    scaled = np.asarray(small, np.float64)
    if scaled.shape[2] == 4:
        alpha = scaled[..., 3:] / 255
        scaled = scaled[..., :3] * alpha + 254 * (1 - alpha)
    big = np.zeros((HEIGHT * 2, WIDTH * 2), np.uint8)
    r = int(radius * WIDTH * 2)
    right, low = WIDTH * 2 - 1, HEIGHT * 2 - 1
    cv2.rectangle(big, (r, 0), (right - r, low), 255, -1)
    cv2.rectangle(big, (0, r), (right, low - r), 255, -1)
    for x in (r, right - r):
        for y in (r, low - r):
            cv2.circle(big, (x, y), r, 255, -1, cv2.LINE_AA)
    mask = cv2.resize(big, (WIDTH, HEIGHT), interpolation=cv2.INTER_AREA)
    return np.dstack([np.clip(scaled, 0, 255).astype(np.uint8), mask])


def build(cache: Path = CACHE) -> list[Deck]:
    """Fetch and render every deck and back that the cache lacks, and return all decks.

    Raises:
        ArtError: A package can't be fetched, or art can't be rendered.
    """
    cache.mkdir(parents=True, exist_ok=True)
    for source in (*SOURCES, *TYPE_FACES, *SUIT_SIGNS):
        fetch(source, cache)
    made = [*_build_sheets(cache), *_build_files(cache), *_build_kde(cache)]
    made += _build_drawn(cache)
    for split, count in _BACKS.items():
        path = cache / f"backs-{split.value}.npy"
        if not path.is_file():
            _save(path, [rounded(drawn_back(split, seed)) for seed in range(count)])
    rows = [{k: v for k, v in asdict(each).items() if k != "folder"} for each in made]
    (cache / "decks.json").write_text(json.dumps(rows, indent=1))
    return made


def _save(path: Path, pictures: Sequence[Pixels]) -> None:
    fresh = path.with_suffix(".part.npy")
    np.save(fresh, np.stack(pictures))
    fresh.rename(path)


def _read(path: Path) -> Pixels:
    picture = cv2.imread(str(path), cv2.IMREAD_UNCHANGED)
    if picture is None:
        raise ArtError(f"{path} is not a picture")
    if picture.shape[2] == 4:
        return np.asarray(cv2.cvtColor(picture, cv2.COLOR_BGRA2RGBA), np.uint8)
    return np.asarray(cv2.cvtColor(picture, cv2.COLOR_BGR2RGB), np.uint8)


def _trim(picture: Pixels, share: float) -> Pixels:
    h, w = picture.shape[:2]
    y, x = round(h * share), round(w * share)
    return picture[y : h - y, x : w - x]


def _cut(sheet: Pixels, rows: int, *, trim: float, back: bool) -> list[Pixels]:
    """Cut a sheet of 13 columns into the faces in the order of PACK, and the back behind them."""
    cell_h, cell_w = sheet.shape[0] / rows, sheet.shape[1] / 13

    def cell(row: int, column: int) -> Pixels:
        top, left = round(row * cell_h), round(column * cell_w)
        part = sheet[top : round((row + 1) * cell_h), left : round((column + 1) * cell_w)]
        return rounded(_trim(part, trim))

    names = {name.replace("10", "T"): column for column, name in enumerate(COLUMNS)}
    faces = [cell(ROWS.index(c.suit), names[c.rank.letter]) for c in PACK]
    return [*faces, cell(4, 2)] if back else faces


def _build_sheets(cache: Path) -> list[Deck]:
    made = []
    for name, split in _SHEETS.items():
        path = cache / f"{name}.npy"
        themes = cache / "packages" / GNOME.folder / "usr/share/aisleriot/cards"
        svg = cache / f"{name}.svg"
        png = cache / f"{name}.png"
        if not path.is_file():
            svg.write_bytes(gzip.decompress((themes / f"{name}.svgz").read_bytes()))
            run(["rsvg-convert", "-w", str(WIDTH * 13), svg.name, "-o", png.name], cache)
            _save(path, _cut(_read(png), 5, trim=0.02, back=True))
            svg.unlink()
            png.unlink()
        made.append(Deck(name, GNOME.licence, GNOME.credit, split, 0.68, True, cache))
    return made


def _build_files(cache: Path) -> list[Deck]:
    heruka = cache / "packages" / HERUKA.folder / "package/src/images"
    younes = cache / "packages" / YOUNES.folder / "package/cards"
    numbers = {Rank.JACK: 11, Rank.QUEEN: 12, Rank.KING: 13, Rank.ACE: 1}

    def kennard(kind: str, card: Card) -> Path:
        return heruka / kind / f"{card}.svg"

    made = []
    for kind in ("2color", "2color-bf", "4color", "4color-bf"):
        files = [kennard(kind, card) for card in PACK]
        _render_files(cache, kind, files)
        made.append(Deck(kind, HERUKA.licence, HERUKA.credit, Split.TRAIN, 0.716, False, cache))
    files = [younes / f"{numbers.get(c.rank, int(c.rank))}{c.suit.lower()}.svg" for c in PACK]
    _render_files(cache, "younes", files)
    made.append(Deck("younes", YOUNES.licence, YOUNES.credit, Split.VALIDATION, 0.7, False, cache))
    return made


def _render_files(cache: Path, name: str, files: Sequence[Path]) -> None:
    path = cache / f"{name}.npy"
    if path.is_file():
        return
    pictures = []
    for file in files:
        png = cache / f"{name}-one.png"
        size = ["-w", str(WIDTH), "-h", str(HEIGHT)]
        run(["rsvg-convert", *size, str(file.resolve()), "-o", png.name], cache)
        pictures.append(rounded(_trim(_read(png), 0.01)))
        png.unlink()
    _save(path, pictures)


def _build_kde(cache: Path) -> list[Deck]:
    made = []
    names = {Rank.JACK: "jack", Rank.QUEEN: "queen", Rank.KING: "king", Rank.ACE: "1"}
    suits = {
        Suit.SPADES: "spade",
        Suit.HEARTS: "heart",
        Suit.DIAMONDS: "diamond",
        Suit.CLUBS: "club",
    }
    for name, file in _KDE.items():
        path = cache / f"{name}.npy"
        source = cache / "packages" / KDE.folder / "usr/share/carddecks" / file
        if not path.is_file():
            svg = cache / f"{name}.svg"
            svg.write_bytes(gzip.decompress(source.read_bytes()))
            ids = [f"{names.get(c.rank, str(int(c.rank)))}_{suits[c.suit]}" for c in PACK]
            _save(path, [_element(svg, each) for each in (*ids, "back")])
            svg.unlink()
        made.append(Deck(name, KDE.licence, KDE.credit, Split.TRAIN, 0.7, True, cache))
    return made


def _element(svg: Path, name: str) -> Pixels:
    """Return one element of a drawing: drawn alone on the whole page, cut by its alpha."""
    png = svg.with_suffix(".one.png")
    command = ["rsvg-convert", "-z", "4", "--export-id", name, svg.name, "-o", png.name]
    run(command, svg.parent)
    picture = _read(png)
    png.unlink()
    ys, xs = np.nonzero(picture[..., 3] > 128)
    part = picture[ys.min() : ys.max() + 1, xs.min() : xs.max() + 1]
    return rounded(_trim(part, 0.015))


def _build_drawn(cache: Path) -> list[Deck]:
    made = []
    for split, count in _DRAWN.items():
        for seed in range(count):
            house = split is Split.VALIDATION and seed == 0
            scrambled = split is Split.TRAIN and seed >= _SCRAMBLED
            name = f"{'scrambled' if scrambled else 'drawn'}-{split.value}-{seed:02d}"
            name = DEMO_DECK if house else name
            source = _COURTS[split][seed % len(_COURTS[split])]
            look = HOUSE if house else drawn.style(split, seed)
            _draw_deck(cache, name, look, (source, seed if scrambled else None))
            licence = HERUKA.licence if source == "2color" else GNOME.licence
            credit = f"this project; court pictures from {source}"
            aspect = 0.716 if seed % 3 else 0.65
            made.append(Deck(name, licence, credit, split, aspect, False, cache))
    return made


HOUSE = drawn.Style(
    font="Nimbus Sans", bold=True, index=0.235, inset=0.03, suit_ratio=0.72, pip=0.115,
    squeeze=0.9, red="#cc1424", black="#101014", four_colours=False, corners=2, pip_shape=0,
    court_frame=(0.56, 0.66), paper="#fdfdfa",
)  # fmt: skip
"""The style of the demo deck: a casino's jumbo indices."""


def _draw_deck(cache: Path, name: str, look: drawn.Style, art: tuple[str, int | None]) -> None:
    """Draw a deck with the court pictures of another; scrambled when there is a seed for it."""
    source, scramble = art
    path = cache / f"{name}.npy"
    if path.is_file():
        return
    folder = cache / f".{name}"
    folder.mkdir(exist_ok=True)
    courts = {}
    faces = _load(cache / f"{source}.npy")
    royal = [card for card in PACK if card.rank in (Rank.JACK, Rank.QUEEN, Rank.KING)]
    shown = [faces[PACK.index(card)] for card in royal]
    if scramble is not None:
        order = np.random.default_rng(scramble).permutation(len(royal))
        shown = [shown[place] for place in order]
    for card, face in zip(royal, shown, strict=True):
        h, w = face.shape[:2]
        part = face[round(h * 0.12) : round(h * 0.88), round(w * 0.2) : round(w * 0.8), 2::-1]
        cv2.imwrite(str(folder / f"{card}.png"), part)
        courts[str(card)] = f"{card}.png"
    (folder / "deck.svg").write_text(drawn.sheet(look, courts=courts))
    run(["rsvg-convert", "deck.svg", "-o", "deck.png"], folder)
    _save(path, _cut(_read(folder / "deck.png"), 4, trim=0.0, back=False))
    shutil.rmtree(folder)


def contact(made: Sequence[Deck]) -> Pixels:
    """Return a contact sheet of some cards of each deck: UInt8 (H, W, 3), RGB."""
    shown = [Card.parse(code) for code in ("AS", "TH", "KC", "QD", "JH", "6D", "9C")]
    rows = []
    for number, each in enumerate(made):
        cards = [*(each.face(card) for card in shown), each.back(0), each.back(number + 1)]
        thumbs = [
            cv2.resize(card[..., :3], (75, 105), interpolation=cv2.INTER_AREA) for card in cards
        ]
        row = np.hstack(thumbs)
        cv2.putText(row, each.name, (2, 100), cv2.FONT_HERSHEY_SIMPLEX, 0.4, (255, 0, 255), 1)
        rows.append(row)
    rows += [np.zeros_like(rows[0])] * (-len(rows) % 3)
    third = len(rows) // 3
    return np.hstack([np.vstack(rows[i * third : (i + 1) * third]) for i in range(3)])


def main(arguments: Sequence[str] | None = None) -> None:
    """Build the art cache; see the module."""
    parser = argparse.ArgumentParser(prog="python -m vision.training.art")
    parser.add_argument("--cache", type=Path, default=CACHE)
    parser.add_argument("--contact", type=Path, help="write a contact sheet there")
    args = parser.parse_args(arguments)
    made = build(args.cache)
    if args.contact:
        cv2.imwrite(str(args.contact), np.ascontiguousarray(contact(made)[..., ::-1]))


if __name__ == "__main__":
    main()
