"""Reads a search form: what was typed, what it means, and what could not be understood."""

import re
from collections.abc import Callable, Iterable, Sequence
from datetime import UTC, datetime
from typing import TypeVar
from urllib.parse import urlencode
from zoneinfo import ZoneInfo

from starlette.datastructures import QueryParams

from audit.web.language import N_
from rules.cards import Card
from rules.errors import CardFormatError
from rules.events import MAX_CENTS

MAX_FIELD = 200
"""More characters than anybody types into a field of a search."""

_AMOUNT = re.compile(r"[+−-]?([0-9]{1,3}(?:,[0-9]{3})+|[0-9]{1,12})(?:\.([0-9]{1,2}))?")
_ENTRY = re.compile(r"[0-9]{1,18}")

NOT_A_CARD = N_("This is no card. A card is a rank and a suit, such as TD.")
NOT_AN_AMOUNT = N_("This is no amount. An amount is a figure such as 12.50.")
NOT_A_MOMENT = N_("This is no date and time.")
NOT_OFFERED = N_("This is not one of the choices.")
TOO_LONG = N_("This is too long.")

T = TypeVar("T")


class Form:
    """The fields of a search as a browser sent them. An empty field counts as left out."""

    def __init__(self, sent: QueryParams, zone: ZoneInfo) -> None:
        self._sent = sent
        self._zone = zone
        self.problems: dict[str, str] = {}
        """What is wrong with a field, by its name, still to be translated."""

    def text(self, name: str) -> str | None:
        """Return what was typed into a field."""
        typed = self._sent.get(name, "").strip()
        if len(typed) > MAX_FIELD:
            self.problems[name] = TOO_LONG
            return None
        return typed or None

    def ticked(self, name: str) -> bool:
        """Say whether a box is ticked."""
        return self.text(name) is not None

    def choice(self, name: str, offered: Iterable[str]) -> str | None:
        """Return the choice that was made, if it is one of those offered."""
        chosen = self.text(name)
        if chosen is None or chosen in offered:
            return chosen
        self.problems[name] = NOT_OFFERED
        return None

    def number(self, name: str, offered: Sequence[int]) -> int | None:
        """Return a number out of those offered."""
        chosen = self.choice(name, [str(number) for number in offered])
        return None if chosen is None else int(chosen)

    def entry(self, name: str) -> int | None:
        """Return the id of an entry, where a page begins; anything else begins with the newest."""
        typed = self.text(name)
        return int(typed) if typed and _ENTRY.fullmatch(typed) else None

    def amount(self, name: str) -> int | None:
        """Return an amount without its sign, in minor units."""
        return self._read(name, _cents, NOT_AN_AMOUNT)

    def moment(self, name: str) -> datetime | None:
        """Return a moment, told in the property's time zone, in UTC."""
        return self._read(name, self._utc, NOT_A_MOMENT)

    def cards(self, name: str) -> tuple[str, ...]:
        """Return the cards that were ticked or typed, as records write them."""
        typed = " ".join(self._sent.getlist(name))
        found: list[str] = []
        for word in typed[:MAX_FIELD].replace(",", " ").split():
            try:
                found.append(str(Card.parse(word)))
            except CardFormatError:
                self.problems[name] = NOT_A_CARD
        return tuple(dict.fromkeys(found))

    def address(self, path: str, **changed: object) -> str:
        """Return the address of the same search with some fields changed; None leaves one out."""
        fields = [
            (name, value)
            for name, value in self._sent.multi_items()
            if name not in changed and name != "lang" and value
        ]
        fields += [(name, str(value)) for name, value in changed.items() if value is not None]
        return f"{path}?{urlencode(fields)}" if fields else path

    def _read(self, name: str, read: Callable[[str], T], problem: str) -> T | None:
        typed = self.text(name)
        try:
            return None if typed is None else read(typed)
        except ValueError:
            self.problems[name] = problem
            return None

    def _utc(self, text: str) -> datetime:
        moment = datetime.fromisoformat(text)
        if not 2000 <= moment.year < 2100:
            raise ValueError(text)
        return (moment if moment.tzinfo else moment.replace(tzinfo=self._zone)).astimezone(UTC)


def _cents(text: str) -> int:
    """Return an amount in minor units, without its sign.

    >>> _cents("1,234.5"), _cents("-12")
    (123450, 1200)
    """
    found = _AMOUNT.fullmatch(text)
    if found is None:
        raise ValueError(text)
    whole, part = found[1].replace(",", ""), (found[2] or "").ljust(2, "0")
    cents = int(whole) * 100 + int(part)
    if cents > MAX_CENTS:
        raise ValueError(text)
    return cents
