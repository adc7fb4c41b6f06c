"""Sightings as JSON: the `event` lines that `pitwatch watch` prints, and the lines of a feed file.

Times stay as they are on the source's own line of time; the edge that knows whether a source is
live turns them into UTC text.
"""

from collections.abc import Callable, Iterator, Mapping
from typing import Any, Literal, TypeVar, assert_never

from rules.cards import Card
from rules.errors import RecordFormatError, RulesError, shown
from rules.events import (
    MAX_CENTS,
    SEATS,
    UNREADABLE,
    CardHidden,
    CardMoved,
    CardPlaced,
    CardRemoved,
    CardTurned,
    Cents,
    Decision,
    DecisionMade,
    Face,
    FeedBack,
    FeedEvent,
    FeedLost,
    PayoutMade,
    Seat,
    Sighting,
    Spot,
    SpotCleared,
    TableEvent,
    Unread,
    Wager,
    WagerPlaced,
    face_text,
)
from rules.fits import check_event_fits
from rules.games.base import AnyGame

_Member = TypeVar("_Member", Wager, Decision)

_FACE_KINDS: dict[str, type[CardPlaced] | type[CardHidden] | type[CardRemoved]] = {
    "card-placed": CardPlaced,
    "card-hidden": CardHidden,
    "card-removed": CardRemoved,
}
_CARD_KINDS = {kind: name for name, kind in _FACE_KINDS.items()} | {CardTurned: "card-turned"}


def parse_face(value: object) -> Face:
    """Return the face that a JSON value stands for, the inverse of `face_text`.

    Raises:
        RulesError: The value is neither a card, `?` nor null.

    >>> parse_face(None) is None
    True
    """
    if value is None:
        return None
    if not isinstance(value, str):
        raise RecordFormatError(
            f"not a card: {shown(value)} (expected a text such as 'TD', '?' or null)"
        )
    return UNREADABLE if value == UNREADABLE.value else Card.parse(value)


def event_json(event: TableEvent) -> dict[str, object]:
    """Return the kind and the fields of an event by their published names.

    >>> event_json(SpotCleared(Spot.parse("dealer")))
    {'kind': 'spot-cleared', 'spot': 'dealer'}
    """
    match event:
        case CardPlaced() | CardTurned() | CardHidden() | CardRemoved():
            fields = {"kind": _CARD_KINDS[type(event)]} | _card(event.spot, event.card)
        case CardMoved(source, spot, face):
            fields = {"kind": "card-moved", "from": str(source)} | _card(spot, face)
        case SpotCleared(spot):
            fields = {"kind": "spot-cleared", "spot": str(spot)}
        case WagerPlaced() | PayoutMade() | DecisionMade():
            fields = _feed_json(event)
        case FeedLost(reason):
            fields = {"kind": "feed-lost", "reason": reason}
        case FeedBack():
            fields = {"kind": "feed-back"}
        case _:  # pragma: no cover - the union is closed
            assert_never(event)
    return fields


def _feed_json(event: FeedEvent) -> dict[str, object]:
    match event:
        case WagerPlaced(seat, wager, amount):
            return {"kind": "wager", "seat": seat, "wager": wager.value, "amount": amount}
        case PayoutMade(seat, wager, amount):
            return {"kind": "payout", "seat": seat, "wager": wager.value, "amount": amount}
        case DecisionMade(seat, decision):
            return {"kind": "decision", "seat": seat, "decision": decision.value}
        case _:  # pragma: no cover - the union is closed
            assert_never(event)


def _card(spot: Spot, face: Face) -> dict[str, object]:
    return {"spot": str(spot), "card": face_text(face)}


def sighting_json(sighting: Sighting) -> dict[str, object]:
    """Return an `event` line; its times are left on the source's own line of time.

    `hidden_since` is in it where a card may have been turned, out of sight, as early as that.

    >>> sighting_json(Sighting(CardTurned(Spot.parse("dealer"), Card.parse("KD")), 9.12))["card"]
    'KD'
    """
    line = {"type": "event"} | event_json(sighting.event)
    line |= {"at": round(sighting.at, 3), "confidence": round(sighting.confidence, 4)}
    if sighting.since is not None:
        line["hidden_since"] = round(sighting.since, 3)
    return line if sighting.frame is None else line | {"frame": sighting.frame}


def parse_event(fields: Mapping[str, Any]) -> TableEvent:
    """Return the event that a JSON object describes, the inverse of `event_json`.

    Raises:
        RulesError: A field is missing or is not what was expected; the message names it.

    >>> parse_event({"kind": "wager", "seat": 1, "wager": "ante", "amount": 1000})
    WagerPlaced(seat=1, wager=<Wager.ANTE: 'ante'>, amount=1000)
    """
    match fields.get("kind"):
        case "card-turned":
            return CardTurned(_spot(fields), _face_up(fields))
        case "card-placed" | "card-hidden" | "card-removed" as kind:
            return _FACE_KINDS[kind](_spot(fields), parse_face(fields.get("card")))
        case "card-moved":
            return CardMoved(_spot(fields, "from"), _spot(fields), parse_face(fields.get("card")))
        case "spot-cleared":
            return SpotCleared(_spot(fields))
        case "feed-lost" | "feed-back" as kind:
            return FeedBack() if kind == "feed-back" else FeedLost(str(fields.get("reason", "")))
        case _:
            return parse_feed_event(fields)


def parse_feed_event(fields: Mapping[str, Any]) -> FeedEvent:
    """Return the wager, payout or decision that a line of a feed tells.

    Raises:
        RulesError: A field is missing or is not what was expected; the message names it.

    >>> parse_feed_event({"kind": "decision", "seat": 3, "decision": "fold"})
    DecisionMade(seat=3, decision=<Decision.FOLD: 'fold'>)
    """
    match fields.get("kind"):
        case "wager":
            return WagerPlaced(_seat(fields), _member(fields, "wager", Wager), _stake(fields))
        case "payout":
            return PayoutMade(_seat(fields), _member(fields, "wager", Wager), _amount(fields))
        case "decision":
            return DecisionMade(_seat(fields), _member(fields, "decision", Decision))
        case _:
            kind = fields.get("kind")
            raise RecordFormatError(
                f"kind: found {shown(kind)} (expected wager, payout or decision)"
            )


def feed_faults(fields: Mapping[str, Any]) -> Iterator[str]:
    """Give all that is wrong with the fields of a wager or payout: `parse_feed_event` tells one.

    >>> list(feed_faults({"kind": "payout", "seat": 9, "wager": "ante", "amount": 1}))
    ['seat: found 9 (expected a whole number from 1 to 6)']
    >>> list(feed_faults({"kind": "tip", "seat": 1, "wager": "ante", "amount": 1}))
    ["kind: found 'tip' (expected wager or payout)"]
    """
    kind = fields.get("kind")
    if kind not in ("wager", "payout"):
        yield f"kind: found {shown(kind)} (expected wager or payout)"
    readers: tuple[Callable[[Mapping[str, Any]], object], ...] = (
        _seat,
        lambda told: _member(told, "wager", Wager),
        _stake if kind == "wager" else _amount,
    )
    for read in readers:
        try:
            read(fields)
        except RulesError as error:
            yield str(error)


def parse_feed_line(fields: object, game: AnyGame) -> Sighting:
    """Return the sighting that a line of a game's feed file tells.

    Raises:
        RulesError: The line is not an object, a field is missing or wrong, or the game does not
            have such a wager or decision; the message names the field.

    >>> from rules.games.whist import WHIST
    >>> parse_feed_line({"at": 1, "kind": "decision", "seat": 3, "decision": "fold"}, WHIST).at
    1.0
    """
    if not isinstance(fields, Mapping):
        raise RecordFormatError(f"found {type(fields).__name__} (expected an object)")
    at = fields.get("at")
    if isinstance(at, bool) or not isinstance(at, int | float) or not 0 <= at < 10**11:
        raise RecordFormatError(
            f"at: found {shown(at)} (expected seconds as a number of 0 or more)"
        )
    event = parse_feed_event(fields)
    check_event_fits(event, game)
    return Sighting(event, float(at))


def _spot(fields: Mapping[str, Any], name: str = "spot") -> Spot:
    value = fields.get(name)
    if not isinstance(value, str):
        raise RecordFormatError(f"{name}: found {shown(value)} (expected a spot such as 'seat-1')")
    return Spot.parse(value)


def _face_up(fields: Mapping[str, Any]) -> Card | Literal[Unread.UNREADABLE]:
    face = parse_face(fields.get("card"))
    if face is None:
        raise RecordFormatError("card: found null (expected a card or '?' for a card turned up)")
    return face


def _seat(fields: Mapping[str, Any]) -> Seat:
    value = fields.get("seat")
    if isinstance(value, bool) or value not in SEATS:
        raise RecordFormatError(f"seat: found {shown(value)} (expected a whole number from 1 to 6)")
    return Seat(int(value))


def _amount(fields: Mapping[str, Any]) -> Cents:
    value = fields.get("amount")
    if isinstance(value, bool) or not isinstance(value, int) or abs(value) > MAX_CENTS:
        raise RecordFormatError(f"amount: found {shown(value)} (expected whole minor units)")
    return Cents(value)


def _stake(fields: Mapping[str, Any]) -> Cents:
    amount = _amount(fields)
    if amount < 0:
        raise RecordFormatError(f"amount: found {amount} (expected 0 or more for a wager)")
    return amount


def _member(fields: Mapping[str, Any], name: str, kind: type[_Member]) -> _Member:
    value = fields.get(name)
    known = [member.value for member in kind]
    if value not in known:
        raise RecordFormatError(
            f"{name}: found {shown(value)} (expected one of {', '.join(known)})"
        )
    return kind(value)
