"""The published JSON Schema of the round record (draft 2020-12), which `pitwatch schema` prints."""

from typing import Any

from rules.events import MAX_CENTS, Area, Decision, Wager
from rules.games import GAMES
from rules.record import When

_CARD = {
    "description": "Rank 23456789TJQKA and suit SHDC; 10D, lower case and 10♦ are read too.",
    "type": "string",
    "pattern": "^\\s*([2-9TJQKAtjqka]|10)[SHDCshdc♠♥♦♣]\\ufe0f?\\s*$",
}
_FACE = {
    "description": "A card; null when it was not seen; ? when it lay face up and was unreadable.",
    "anyOf": [{"$ref": "#/$defs/card"}, {"const": "?"}, {"type": "null"}],
}
_SPOT_AREAS = "|".join(
    area.value for area in Area if area not in (Area.DEALER, Area.TRUMP, Area.DISCARD, Area.HAND)
)
_SPOT = {
    "description": "A place on the table.",
    "type": "string",
    "pattern": f"^(dealer|trump|discard|seat-[1-6](\\.({_SPOT_AREAS}))?)$",
}
_STAKE = {"description": "Cents.", "type": "integer", "minimum": 0, "maximum": MAX_CENTS}
_NET = {
    "description": "Cents the player gained, net: winnings, 0 for a push, or minus the stake.",
    "type": "integer",
    "minimum": -MAX_CENTS,
    "maximum": MAX_CENTS,
}


def round_schema() -> dict[str, Any]:
    """Return the JSON Schema of a round record, one line of a `.rounds.jsonl` file.

    >>> round_schema()["required"]
    ['round', 'game', 'seats']
    """
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "pitwatch round record",
        "description": "What was seen of one round. What is missing is not known.",
        "type": "object",
        "required": ["round", "game", "seats"],
        "additionalProperties": False,
        "properties": _round_properties(),
        "$defs": {"card": _CARD, "face": _FACE, "spot": _SPOT, "seat": _seat()},
    }


def _round_properties() -> dict[str, Any]:
    return {
        "round": _text("The round's id, such as T1-20261130-0042."),
        "game": {"enum": list(GAMES)},
        "table": _text("The table's name.", optional=True),
        "trump": {"$ref": "#/$defs/face"},
        "dealer": _list("The dealer's cards, in the order turned.", {"$ref": "#/$defs/face"}),
        "seats": {
            "description": "Seat number → what was seen of it.",
            "type": "object",
            "additionalProperties": False,
            "patternProperties": {"^[1-6]$": {"$ref": "#/$defs/seat"}},
        },
        "exposed": _list("Cards seen face up before their time.", _exposure()),
        "started": {
            "description": "When it began: RFC 3339 with its zone, UTC where pitwatch writes it.",
            "type": ["string", "null"],
            "format": "date-time",
        },
        "dealer_cards": {
            "description": "How many cards the dealer was dealt, where that was counted.",
            "type": ["integer", "null"],
            "minimum": 0,
            "maximum": 52,
        },
        "sequence": _list(
            "Whose card came up, in order, from the dealer's first one on.",
            {"$ref": "#/$defs/spot"},
        ),
        "loose": _list(
            "Cards seen whose place in the play is not certain.",
            _object(
                {"spot": {"$ref": "#/$defs/spot"}, "card": {"$ref": "#/$defs/card"}},
                "spot",
                "card",
            ),
        ),
        "confidence": {
            "description": "Card → how surely it was read, where hardly or in two places.",
            "type": "object",
            "additionalProperties": {"type": "number", "minimum": 0, "maximum": 1},
        },
        "gaps": _list("Times in which nothing could be seen.", _object({"seconds": _seconds()})),
    }


def _seat() -> dict[str, Any]:
    wagers = {wager.value: _STAKE for wager in Wager}
    paid = {wager.value: _NET for wager in Wager}
    return _object(
        {
            "wagers": _object(wagers),
            "decision": {"enum": [*(decision.value for decision in Decision), None]},
            "hand": _list("The cards dealt, in no order.", {"$ref": "#/$defs/face"}),
            "plays": _list("plays[i] answers dealer[i].", {"$ref": "#/$defs/face"}),
            "paid": _object(paid) | {"type": ["object", "null"]},
            "corrections": _list("Plays put right; `plays` keeps the first.", _correction()),
            "changes": _list("Wagers that came or changed after the deal began.", _change()),
            "gap": {"description": "Part of the hand could not be seen.", "type": "boolean"},
        }
    )


def _correction() -> dict[str, Any]:
    seen = {
        "description": "How many dealer cards had been turned by then.",
        "type": ["integer", "null"],
        "minimum": 0,
        "maximum": 52,
    }
    trick = {"type": "integer", "minimum": 1, "maximum": 3}
    return _object(
        {"trick": trick, "card": {"$ref": "#/$defs/face"}, "seen": seen}, "trick", "card"
    )


def _change() -> dict[str, Any]:
    fields = {
        "wager": {"enum": [wager.value for wager in Wager]},
        "before": _STAKE,
        "after": _STAKE,
    }
    return _object(fields, *fields)


def _exposure() -> dict[str, Any]:
    fields = {
        "spot": {"$ref": "#/$defs/spot"},
        "card": {"$ref": "#/$defs/face"},
        "when": {"enum": [when.value for when in When]},
        "seconds": _seconds(),
    }
    return _object(fields, "spot")


def _seconds() -> dict[str, Any]:
    return {"type": ["number", "null"], "minimum": 0, "exclusiveMaximum": 10**7}


def _text(description: str, *, optional: bool = False) -> dict[str, Any]:
    kind = ["string", "null"] if optional else "string"
    return {"description": description, "type": kind, "minLength": 1, "maxLength": 200}


def _list(description: str, items: dict[str, Any]) -> dict[str, Any]:
    return {"description": description, "type": "array", "items": items, "maxItems": 60}


def _object(properties: dict[str, Any], *required: str) -> dict[str, Any]:
    return {
        "type": "object",
        "additionalProperties": False,
        "properties": properties,
        "required": list(required),
    }
