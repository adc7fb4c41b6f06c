"""Type faces and suit signs of printed indices: many styles, each package with its licence.

Decks differ most in their indices. Drawing them in many type faces is cheaper than finding decks.
"""

from collections.abc import Iterator
from functools import cache as cached
from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray
from PIL import Image, ImageDraw, ImageFont

from rules.cards import Suit
from vision.training.sources import ArtError, Client, Source, fetch

Mask = NDArray[np.uint8]
"""UInt8 (H, W), 255 where ink is, cut to the ink."""

_OFL = "OFL-1.1"
TYPE_FACES = tuple(
    Source(f"fonts-{name}", Client.APT, licence, credit)
    for name, licence, credit in (
        ("averia-sans-gwf", _OFL, "Dan Sayers"),
        ("averia-serif-gwf", _OFL, "Dan Sayers"),
        ("bebas-neue", _OFL, "Ryoichi Tsunekawa"),
        ("cabin", _OFL, "Pablo Impallari, Rodrigo Fuenzalida"),
        ("cantarell", _OFL, "the Cantarell authors"),
        ("comic-neue", _OFL, "Craig Rozynski"),
        ("courier-prime", _OFL, "Alan Dague-Greene"),
        ("crosextra-caladea", "Apache-2.0", "Carolina Giovagnoli, Andres Torresi"),
        ("crosextra-carlito", _OFL, "tyPoland Lukasz Dziedzic"),
        ("dosis", _OFL, "Edgar Tolentino, Pablo Impallari, Igino Marini"),
        ("ebgaramond", _OFL, "Georg Duffner"),
        ("junicode", _OFL, "Peter S. Baker"),
        ("lato", _OFL, "tyPoland Lukasz Dziedzic"),
        ("linuxlibertine", "OFL-1.1 OR GPL-2.0-or-later", "Philipp H. Poll"),
        ("lobster", _OFL, "Pablo Impallari"),
        ("open-sans", "Apache-2.0", "Steve Matteson"),
        ("quattrocento", _OFL, "Pablo Impallari"),
        ("quicksand", _OFL, "Andrew Paglinawan"),
        ("roboto-slab", "Apache-2.0", "Christian Robertson"),
        ("roboto-unhinted", "Apache-2.0", "Christian Robertson"),
        ("sil-charis", _OFL, "SIL International"),
        ("sil-gentium", _OFL, "SIL International"),
        ("vollkorn", _OFL, "Friedrich Althausen"),
        ("yanone-kaffeesatz", _OFL, "Jan Gerner"),
    )
)
"""Debian packages of the train split; none resembles a type face of the validation split's."""
SUIT_SIGNS = (
    Source("fonts-freefont-ttf", Client.APT, "GPL-3.0-or-later WITH Font-exception-2.0", "GNU"),
    Source("fonts-linuxlibertine", Client.APT, "OFL-1.1 OR GPL-2.0-or-later", "Philipp H. Poll"),
    Source("fonts-dejavu-core", Client.APT, "Bitstream-Vera", "the DejaVu authors"),
)
"""Packages of which the signs ♠ ♥ ♦ ♣ alone are used."""
_SIZE = 160
"""Height in pixels at which letters are drawn, before they are scaled."""
_UNFIT = ("Italic", "Oblique", "Thin", "Hairline", "ExtraLight", "Initials", "Symbol", "Keyboard")
"""Styles in which no deck prints its indices."""


def are_fetched(cache: Path) -> bool:
    """Say whether every package of type faces and signs lies in a cache."""
    return all(
        (cache / "packages" / source.folder).is_dir() for source in (*TYPE_FACES, *SUIT_SIGNS)
    )


def type_faces(cache: Path) -> list[Path]:
    """Return the files of all type faces, fetching their packages where they aren't there.

    Raises:
        ArtError: A package can't be fetched, or holds no type face.
    """
    return [file for source in TYPE_FACES for file in _files(source, cache)]


def suit_faces(cache: Path) -> list[Path]:
    """Return the files whose suit signs are drawn."""
    every = [file for source in SUIT_SIGNS for file in _files(source, cache)]
    return [file for file in every if all(_has(file, suit.symbol) for suit in Suit)]


def _files(source: Source, cache: Path) -> Iterator[Path]:
    folder = fetch(source, cache)
    found = sorted(path for path in folder.rglob("*") if path.suffix.lower() in {".ttf", ".otf"})
    fit = [path for path in found if not any(part in path.stem for part in _UNFIT)]
    if not fit:
        raise ArtError(f"{folder} holds no type face")
    yield from fit


def _has(file: Path, sign: str) -> bool:
    font = ImageFont.truetype(str(file), _SIZE)
    return bytes(font.getmask(sign)) != bytes(font.getmask("\uffff"))


@cached
def sign(file: Path, text: str) -> Mask:
    """Return a text in a type face, cut to its ink.

    Raises:
        ArtError: The face has no ink for it.
    """
    font = ImageFont.truetype(str(file), _SIZE)
    canvas = Image.new("L", (_SIZE * (1 + len(text)), 2 * _SIZE))
    ImageDraw.Draw(canvas).text((_SIZE // 2, _SIZE // 3), text, 255, font)
    box = canvas.getbbox()
    if box is None:
        raise ArtError(f"{file} draws nothing for {text!r}")
    return np.asarray(canvas.crop(box), np.uint8)


def scaled(mask: Mask, size: tuple[int, int]) -> Mask:
    """Return a mask at a width and height, pixels."""
    way = cv2.INTER_AREA if size[1] < mask.shape[0] else cv2.INTER_LINEAR
    return np.asarray(cv2.resize(mask, size, interpolation=way), np.uint8)
