"""The published JSON form of a round record, one object a line, and how it is read: strictly."""

import json
import re
from collections.abc import Callable, Mapping
from datetime import datetime
from typing import Any, TypeVar

from rules.cards import PACK, Card
from rules.errors import CardFormatError, RecordFormatError, SpotFormatError, shown
from rules.events import (
    MAX_CENTS,
    SEATS,
    UNREADABLE,
    Cents,
    Decision,
    Face,
    Seat,
    Spot,
    Wager,
)
from rules.record import Change, Correction, Exposure, Gap, RoundRecord, SeatRecord, When
from rules.record_written import record_to_json

__all__ = ["each_once", "read_record", "record_from_json", "record_to_json"]

_CARDS: dict[object, Face] = {str(card): card for card in PACK} | {None: None, "?": UNREADABLE}
_WAGERS = {wager.value: wager for wager in Wager}
_DECISIONS = {decision.value: decision for decision in Decision}
_SEATS = {str(seat): seat for seat in SEATS}
_SPOTS: dict[str, Spot] = {}
_HALF_CHARACTER = re.compile("[\ud800-\udfff]")
r"""JSON can escape half a surrogate pair (`\ud800`), which no file or database can hold."""
_BYTE_ORDER_MARK = "\ufeff"
"""What some editors write before a text; it says nothing."""
_MOMENT = re.compile(
    r"[0-9]{4}(-[0-9]{2}){2}T[0-9]{2}(:[0-9]{2}){2}(\.[0-9]{1,9})?(Z|[+-][0-9]{2}:[0-9]{2})"
)
_MOST_ENTRIES = 60
"""More than any table can hold: a longer list is a fault, not a round."""

Item = TypeVar("Item")


def read_record(text: str | bytes) -> RoundRecord:
    """Return the record that a line of JSON holds.

    Raises:
        RecordFormatError: It is not JSON, or not a round record; the message names the field.

    >>> read_record('{"round": "a", "game": "three-card-whist", "seats": {}}').round
    'a'
    """
    try:
        plain = text.decode("utf-8") if isinstance(text, bytes) else text
        value = _DECODER.decode(plain.removeprefix(_BYTE_ORDER_MARK))
    except RecordFormatError:
        raise
    except UnicodeDecodeError as error:
        raise RecordFormatError("not JSON: found bytes that are not UTF-8") from error
    except (ValueError, RecursionError) as error:
        raise RecordFormatError(f"not JSON: {error}") from error
    return record_from_json(value)


def each_once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """Return an object; of two values for one field nobody could say which one was meant.

    For `json.loads` as its `object_pairs_hook`.

    Raises:
        RecordFormatError: A field is told twice.

    >>> json.loads('{"a": 1}', object_pairs_hook=each_once)
    {'a': 1}
    """
    found = dict(pairs)
    if len(found) < len(pairs):
        keys = [key for key, _ in pairs]
        twice = next(key for key in found if keys.count(key) > 1)
        raise RecordFormatError(f"{_named_so(twice)}: found twice in one object, expected once")
    return found


_DECODER = json.JSONDecoder(object_pairs_hook=each_once)


def record_from_json(value: object) -> RoundRecord:
    """Return the record that a decoded JSON value holds.

    Raises:
        RecordFormatError: It is not a round record; the message names the field.

    >>> record_from_json({"round": "a", "game": "three-card-whist", "seats": {}}).seats
    {}
    """
    found = _object(value, "the record")
    for key in ("round", "game", "seats"):
        if key not in found:
            raise RecordFormatError(f"{key}: missing (a record needs round, game and seats)")
    return RoundRecord(**_fields(found, _ROUND_FIELDS, ""))


def _named_so(key: str) -> str:
    """Return a key nobody expected as a message may name it."""
    return key if key.isprintable() and len(key) <= 40 else shown(key)


def _object(value: object, where: str) -> dict[str, Any]:
    if not isinstance(value, dict):
        raise RecordFormatError(f"{where}: found {shown(value)}, expected an object")
    return value


def _fields(
    found: dict[str, Any], readers: Mapping[str, Callable[[Any, str], Any]], where: str
) -> dict[str, Any]:
    values = {}
    for key, value in found.items():
        reader = readers.get(key)
        if reader is None:
            raise RecordFormatError(
                f"{where}{_named_so(key)}: not a field here (expected {', '.join(readers)})"
            )
        values[key] = reader(value, where + key)
    return values


def _needed(value: object, where: str, readers: Mapping[str, Any], needs: str) -> dict[str, Any]:
    values = _fields(_object(value, where), readers, f"{where}.")
    for key in needs.split():
        if key not in values:
            raise RecordFormatError(f"{where}.{key}: missing")
    return values


def _text(value: object, where: str) -> str:
    if not isinstance(value, str) or not 0 < len(value) <= 200:
        raise RecordFormatError(
            f"{where}: found {shown(value)}, expected a text of 1 to 200 characters"
        )
    if not value.isascii() and _HALF_CHARACTER.search(value):
        raise RecordFormatError(f"{where}: found {shown(value)}, expected whole characters")
    return value


def _face(value: object, where: str) -> Face:
    if isinstance(value, str) or value is None:
        if value in _CARDS:
            return _CARDS[value]
        try:
            return Card.parse(str(value))
        except CardFormatError as error:
            raise RecordFormatError(f"{where}: {error}") from error
    raise RecordFormatError(f'{where}: found {shown(value)}, expected a card, "?" or null')


def _card(value: object, where: str) -> Card:
    face = _face(value, where)
    if not isinstance(face, Card):
        raise RecordFormatError(f"{where}: found {shown(value)}, expected a card")
    return face


def _list(value: object, where: str, read: Callable[[Any, str], Item]) -> tuple[Item, ...]:
    if not isinstance(value, list) or len(value) > _MOST_ENTRIES:
        raise RecordFormatError(
            f"{where}: found {shown(value)}, expected a list of at most {_MOST_ENTRIES}"
        )
    return tuple(read(item, f"{where}[{place}]") for place, item in enumerate(value))


def _faces(value: object, where: str) -> tuple[Face, ...]:
    if isinstance(value, list) and len(value) <= _MOST_ENTRIES:
        try:
            return tuple([_CARDS[item] for item in value])
        except (KeyError, TypeError):
            pass  # Written in another form, or wrong: read again slowly, which says where.
    return _list(value, where, _face)


def _number(value: object, where: str, least: int, most: int) -> int:
    if type(value) is not int or not least <= value <= most:
        raise _no_number(value, where, least, most)
    return value


def _no_number(value: object, where: str, least: int, most: int) -> RecordFormatError:
    return RecordFormatError(
        f"{where}: found {shown(value)}, expected a whole number from {least} to {most}"
    )


def _seconds(value: object, where: str) -> float | None:
    if value is None:
        return None
    if isinstance(value, bool) or not isinstance(value, int | float) or not 0 <= value < 10**7:
        raise RecordFormatError(f"{where}: found {shown(value)}, expected seconds from 0")
    return float(value)


def _fraction(value: object, where: str) -> float:
    if isinstance(value, bool) or not isinstance(value, int | float) or not 0 <= value <= 1:
        raise RecordFormatError(f"{where}: found {shown(value)}, expected a number from 0 to 1")
    return float(value)


def _named(value: object, where: str, names: Mapping[str, Item]) -> Item:
    if not isinstance(value, str) or value not in names:
        raise RecordFormatError(
            f"{where}: found {shown(value)}, expected one of {', '.join(names)}"
        )
    return names[value]


def _amounts(value: object, where: str, least: int) -> dict[Wager, Cents]:
    found: dict[Wager, Cents] = {}
    for name, amount in _object(value, where).items():
        wager = _WAGERS.get(name) or _named(name, where, _WAGERS)
        if type(amount) is not int or not least <= amount <= MAX_CENTS:
            raise _no_number(amount, f"{where}.{name}", least, MAX_CENTS)
        found[wager] = Cents(amount)
    return found


def _spot(value: object, where: str) -> Spot:
    text = _text(value, where)
    if text not in _SPOTS:
        try:
            _SPOTS[text] = Spot.parse(text)
        except SpotFormatError as error:
            raise RecordFormatError(f"{where}: {error}") from error
    return _SPOTS[text]


def _flag(value: object, where: str) -> bool:
    if not isinstance(value, bool):
        raise RecordFormatError(f"{where}: found {shown(value)}, expected true or false")
    return value


def _wagers(value: object, where: str) -> dict[Wager, Cents]:
    return _amounts(value, where, 0)


def _paid(value: object, where: str) -> dict[Wager, Cents] | None:
    return None if value is None else _amounts(value, where, -MAX_CENTS)


def _decision(value: object, where: str) -> Decision | None:
    return None if value is None else _named(value, where, _DECISIONS)


def _optional_text(value: object, where: str) -> str | None:
    return None if value is None else _text(value, where)


def _moment(value: object, where: str) -> str | None:
    if value is None:
        return None
    if isinstance(value, str) and _MOMENT.fullmatch(value):
        try:
            datetime.fromisoformat(value)
        except ValueError:
            pass  # The form of a moment, but no day or hour that there is.
        else:
            return value
    raise RecordFormatError(
        f"{where}: found {shown(value)}, expected an RFC 3339 date and time with its zone, "
        "such as 2026-11-30T05:33:00Z"
    )


def _count(value: object, where: str) -> int | None:
    return None if value is None else _number(value, where, 0, 52)


def _cents(value: object, where: str) -> Cents:
    return Cents(_number(value, where, 0, MAX_CENTS))


def _correction(value: object, where: str) -> Correction:
    return Correction(**_needed(value, where, _CORRECTION_FIELDS, "trick card"))


def _change(value: object, where: str) -> Change:
    return Change(**_needed(value, where, _CHANGE_FIELDS, "wager before after"))


def _exposure(value: object, where: str) -> Exposure:
    found = _needed(value, where, _EXPOSURE_FIELDS, "spot")
    return Exposure(found["spot"], found.pop("card", UNREADABLE), **_without_spot(found))


def _without_spot(found: dict[str, Any]) -> dict[str, Any]:
    return {key: value for key, value in found.items() if key != "spot"}


def _loose(value: object, where: str) -> tuple[Spot, Card]:
    found = _needed(value, where, {"spot": _spot, "card": _card}, "spot card")
    return found["spot"], found["card"]


def _gap(value: object, where: str) -> Gap:
    return Gap(**_fields(_object(value, where), {"seconds": _seconds}, f"{where}."))


def _confidence(value: object, where: str) -> dict[Card, float]:
    return {
        _card(card, where): _fraction(number, f"{where}.{card}")
        for card, number in _object(value, where).items()
    }


def _seats(value: object, where: str) -> dict[Seat, SeatRecord]:
    found = {}
    for name, seat in _object(value, where).items():
        if name not in _SEATS:
            raise RecordFormatError(f"{where}.{_named_so(name)}: not a seat (expected 1 to 6)")
        path = f"{where}.{name}"
        found[_SEATS[name]] = SeatRecord(**_fields(_object(seat, path), _SEAT_FIELDS, f"{path}."))
    return found


_CORRECTION_FIELDS: Mapping[str, Callable[[Any, str], Any]] = {
    "trick": lambda value, where: _number(value, where, 1, 3),
    "card": _face,
    "seen": _count,
}
_CHANGE_FIELDS: Mapping[str, Callable[[Any, str], Any]] = {
    "wager": lambda value, where: _named(value, where, _WAGERS),
    "before": _cents,
    "after": _cents,
}
_EXPOSURE_FIELDS: Mapping[str, Callable[[Any, str], Any]] = {
    "spot": _spot,
    "card": _face,
    "when": lambda value, where: _named(value, where, {when.value: when for when in When}),
    "seconds": _seconds,
}
_SEAT_FIELDS: Mapping[str, Callable[[Any, str], Any]] = {
    "wagers": _wagers,
    "decision": _decision,
    "hand": _faces,
    "plays": _faces,
    "paid": _paid,
    "corrections": lambda value, where: _list(value, where, _correction),
    "changes": lambda value, where: _list(value, where, _change),
    "gap": _flag,
}
_ROUND_FIELDS: Mapping[str, Callable[[Any, str], Any]] = {
    "round": _text,
    "game": _text,
    "table": _optional_text,
    "trump": _face,
    "dealer": _faces,
    "seats": _seats,
    "exposed": lambda value, where: _list(value, where, _exposure),
    "started": _moment,
    "dealer_cards": _count,
    "sequence": lambda value, where: _list(value, where, _spot),
    "loose": lambda value, where: _list(value, where, _loose),
    "confidence": _confidence,
    "gaps": lambda value, where: _list(value, where, _gap),
}
