"""Languages of the interface: which one a request wants, and its gettext catalogue."""

import gettext
from functools import cache
from pathlib import Path

LANGUAGES: tuple[str, ...] = ("en", "ko")
"""The languages that the interface speaks; the first one is the source language."""

LOCALE_DIR = Path(__file__).parent / "locale"
DOMAIN = "pitwatch"


@cache
def catalogue(language: str) -> gettext.NullTranslations:
    """Return the catalogue of a language; English is the source and needs none.

    Raises:
        FileNotFoundError: The installed catalogue is missing.
    """
    if language == LANGUAGES[0]:
        return gettext.NullTranslations()
    return gettext.translation(DOMAIN, LOCALE_DIR, [language])


def N_(text: str) -> str:  # noqa: N802 - the name that gettext tools look for
    """Mark a text for translation without translating it yet.

    >>> N_("Dealer")
    'Dealer'
    """
    return text


def choose(asked: str | None, remembered: str | None, accepted: str) -> str:
    """Return the language to answer in.

    Args:
        asked: The `lang` of the query, which wins.
        remembered: The cookie's language.
        accepted: The `Accept-Language` header (RFC 9110 section 12.5.4), possibly empty.

    >>> choose(None, None, "fr;q=0.9, ko-KR;q=0.8, en;q=0.1")
    'ko'
    """
    for wish in (asked, remembered):
        if wish in LANGUAGES:
            return wish
    for tag in _by_preference(accepted):
        language = tag.split("-")[0].lower()
        if language in LANGUAGES:
            return language
    return LANGUAGES[0]


def _by_preference(accepted: str) -> list[str]:
    weighed: list[tuple[float, str]] = []
    for part in accepted.split(","):
        tag, _, parameter = part.strip().partition(";")
        weight = parameter.strip().removeprefix("q=") or "1"
        try:
            weighed.append((float(weight), tag.strip()))
        except ValueError:
            continue  # A malformed preference counts as none.
    return [tag for weight, tag in sorted(weighed, key=lambda pair: -pair[0]) if weight > 0]
