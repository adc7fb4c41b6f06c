"""Texts as the fonts of the papers can set them: what they cannot is written out, never dropped.

A character without a glyph would be an empty box, and one that turns the writing around or is not
seen at all could make a name read as another one. Each is shown as `<U+202E>` in its place.
"""

import re
import unicodedata
from functools import cache
from pathlib import Path

_HIDDEN = frozenset({"Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp"})

FONTS = Path(__file__).parent / "fonts"
"""Pretendard, whole and unchanged, under the SIL Open Font License (`OFL.txt`)."""


@cache
def _unset() -> re.Pattern[str]:
    """Return what finds a character that the fonts do not have."""
    lines = (FONTS / "coverage.txt").read_text(encoding="ascii").split()
    pairs = (line.split("-") for line in lines)
    known = "".join(f"{_escaped(first)}-{_escaped(last)}" for first, last in pairs)
    return re.compile(f"[^{known}]")


def _escaped(code: str) -> str:
    return re.escape(chr(int(code, 16)))


def settable(text: str) -> str:
    r"""Return a text of which every character can be set and seen.

    >>> settable("김하늘 \u202eKim"), settable("a\nb")
    ('김하늘 <U+202E>Kim', 'a b')
    """
    spaced = re.sub(r"[\t\n\r\x0b\x0c\x85\u2028\u2029]+", " ", unicodedata.normalize("NFC", text))
    if spaced.isascii() and spaced.isprintable():
        return spaced
    shown = _unset().sub(_written_out, spaced)
    return "".join(_named(one) if unicodedata.category(one) in _HIDDEN else one for one in shown)


BREAK = "\u200b"
"""Where a line may end although no word does."""


def breakable(text: str, room: float) -> str:
    """Return a text of which no word is wider than some room.

    Args:
        text: As `settable` gives it.
        room: In widths of a digit; a Hangul syllable takes two.

    >>> breakable("Kim T1-20261130-0042", 8).split(BREAK)
    ['Kim T1-20261', '130-0042']
    """
    return " ".join(_broken(word, room) for word in text.split(" "))


def _broken(word: str, room: float) -> str:
    if len(word) * 2 <= room:
        return word
    parts: list[str] = []
    used = 0
    for character in word:
        width = 1 if character.isascii() else 2
        if used + width > room and parts:
            parts.append(BREAK)
            used = 0
        parts.append(character)
        used += width
    return "".join(parts)


def _written_out(found: re.Match[str]) -> str:
    return _named(found[0])


def _named(character: str) -> str:
    return f"<U+{ord(character):04X}>"
