"""How values are written for people: money, times, cards; and the templates, by language."""

import json
import re
from collections.abc import Callable, Mapping
from datetime import UTC, datetime, timedelta
from functools import cache
from pathlib import Path
from zoneinfo import ZoneInfo

from jinja2 import Environment, FileSystemLoader, StrictUndefined

from audit.web import labels
from audit.web.assets import version
from audit.web.language import N_, catalogue
from audit.web.shapes import Face
from audit.web.views import CardView, card_view
from rules import explain
from rules.events import Cents

TEMPLATES = Path(__file__).parent / "templates"
MINUS = "−"
_PROOF = re.compile(r"([23456789TJQKA][SHDC]) at trick ([1-3])")
_SHOWN = re.compile(r"([23456789TJQKA][SHDC]|a card) face up at (\S+)")
_CARD = re.compile(r"(?<![A-Za-z0-9])[23456789TJQKA][SHDC](?![A-Za-z0-9])")
BRIEF = 88
"""Characters of an entry's content that its row shows before it is opened."""


def money(cents: int | None) -> str:
    """Return an amount in main units with two decimals; None is a dash.

    >>> money(-123456)
    '−1,234.56'
    """
    if cents is None:
        return "–"
    return explain.money(Cents(cents), grouped=True).replace("-", MINUS)


def signed(cents: int | None) -> str:
    """Return a net amount with its sign; zero has none.

    >>> signed(2500)
    '+25.00'
    """
    return f"+{money(cents)}" if cents is not None and cents > 0 else money(cents)


def percent(part: float) -> str:
    """Return a probability as people read it, never rounded up to certainty.

    >>> percent(0.9987), percent(0.99999)
    ('99.8 %', '99.9 %')
    """
    thousandths = min(999, int(part * 1000))
    return f"{thousandths // 10}.{thousandths % 10} %"


def media_time(seconds: float) -> str:
    """Return a place in a recording.

    >>> media_time(74.25)
    '1:14.2'
    """
    tenths = int(seconds * 10)
    return f"{tenths // 600}:{tenths // 10 % 60:02}.{tenths % 10}"


def instant(text: str | None) -> datetime | None:
    """Return the moment that an ISO 8601 text names, in UTC, or None for no text or no moment."""
    if not text:
        return None
    try:
        moment = datetime.fromisoformat(text)
    except ValueError:
        return None
    return moment.astimezone(UTC) if moment.tzinfo else None


def card_text(face: Face) -> str:
    """Return a card as running text.

    >>> card_text("TD")
    '10♦'
    """
    view = card_view(face)
    return f"{view.rank}{view.symbol}" if view.kind == "face" else "?"


def prose(text: str) -> str:
    """Return a text of the rules with its cards drawn as pips.

    >>> prose("9S at trick 3"), prose("KS입니다")
    ('9♠ at trick 3', 'K♠입니다')
    """
    return _CARD.sub(lambda found: card_text(found[0]), text)


def proof(text: str, translate: Callable[[str], str]) -> str:
    """Return what proved a finding, in a language where it has the usual form.

    >>> proof("9S at trick 3", str), proof("QD face up at dealer", str)
    ('9♠ at trick 3', 'Q♦ face up at: Dealer')
    """
    if found := _PROOF.fullmatch(text):
        words = translate(N_("%(card)s at trick %(number)s"))
        return words % {"card": card_text(found[1]), "number": found[2]}
    if found := _SHOWN.fullmatch(text):
        card = translate(N_("a card")) if found[1] == "a card" else card_text(found[1])
        words = translate(N_("%(card)s face up at: %(spot)s"))
        return words % {"card": card, "spot": spot_name(found[2], translate)}
    return prose(text)


def pretty(value: object) -> str:
    """Return a JSON value over several lines, as the audit explorer shows it."""
    return json.dumps(value, indent=2, ensure_ascii=False, sort_keys=True, default=str)


def brief(value: object) -> str:
    """Return a JSON value on one short line."""
    text = json.dumps(value, ensure_ascii=False, sort_keys=True, default=str)
    return text if len(text) <= BRIEF else f"{text[: BRIEF - 1]}…"


@cache
def environment(language: str, zone: ZoneInfo) -> Environment:
    """Return the templates in a language; every value is escaped, a missing one is an error."""
    # Autoescaping is on for every template, whatever its name.
    env = Environment(
        loader=FileSystemLoader(TEMPLATES),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        extensions=["jinja2.ext.i18n"],
    )
    words = catalogue(language)
    env.install_gettext_translations(words, newstyle=True)  # type: ignore[attr-defined]  # the extension adds it
    translate = words.gettext
    env.filters |= _filters(zone, translate)
    env.globals |= {
        "labels": labels,
        "now": lambda: datetime.now(UTC),
        "seconds": lambda number: timedelta(seconds=number),
        "language": language,
        "zone_name": str(zone),
        "static": f"/static/{version()}",
    }
    return env


def _filters(zone: ZoneInfo, translate: Callable[[str], str]) -> dict[str, Callable[..., object]]:
    def label(code: str | None, table: Mapping[str, str]) -> str:
        return translate(table[code]) if code and code in table else (code or "–")

    def card_name(card: CardView) -> str:
        match card.kind:
            case "face":
                return f"{card.rank}{card.symbol}"
            case "back":
                return translate(N_("face down"))
            case "unread":
                return translate(N_("not readable"))
            case _:
                return translate(N_("no card"))

    return {
        "money": money,
        "signed": signed,
        "percent": percent,
        "count_of": lambda number: f"{number:,}",
        "media_time": media_time,
        "instant": instant,
        "card": card_view,
        "card_text": card_text,
        "prose": prose,
        "proof": lambda text: proof(text, translate),
        "pretty": pretty,
        "brief": brief,
        "label": label,
        "card_name": card_name,
        "spot": lambda spot: spot_name(spot, translate),
        "clock": lambda at: at.astimezone(zone).strftime("%H:%M:%S"),
        "stamp": lambda at: at.astimezone(zone).strftime("%Y-%m-%d %H:%M:%S"),
        "iso": lambda at: at.astimezone(UTC).isoformat(timespec="milliseconds")[:23] + "Z",
    }


def spot_name(spot: str, translate: Callable[[str], str]) -> str:
    """Return the name of a spot of the layout in a language.

    >>> spot_name("seat-3.play", str)
    'Seat 3'
    """
    seat, _, _area = spot.removeprefix("seat-").partition(".")
    if spot.startswith("seat-"):
        return translate(N_("Seat %(number)s")) % {"number": seat}
    return translate(labels.SPOTS[spot]) if spot in labels.SPOTS else spot
