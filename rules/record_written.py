"""How a round record is written in its published JSON form; `rules.record_json` reads it."""

from typing import Any

from rules.events import face_text
from rules.record import Correction, Exposure, RoundRecord, SeatRecord, When


def record_to_json(record: RoundRecord) -> dict[str, Any]:
    """Return a record as JSON values; what is not known is left out.

    >>> record_to_json(RoundRecord("a", "three-card-whist", {}))
    {'round': 'a', 'game': 'three-card-whist', 'seats': {}}
    """
    found: dict[str, Any] = {"round": record.round, "game": record.game}
    optional = {
        "table": record.table,
        "trump": face_text(record.trump),
        "dealer": [face_text(card) for card in record.dealer],
    }
    found |= {key: value for key, value in optional.items() if value}
    found["seats"] = {str(seat): _seat_json(value) for seat, value in record.seats.items()}
    later: dict[str, Any] = {
        "exposed": [_exposure_json(exposure) for exposure in record.exposed],
        "started": record.started,
        "sequence": [str(spot) for spot in record.sequence],
        "loose": [{"spot": str(spot), "card": str(card)} for spot, card in record.loose],
        "confidence": {str(card): value for card, value in record.confidence.items()},
        "gaps": [{} if gap.seconds is None else {"seconds": gap.seconds} for gap in record.gaps],
    }
    found |= {key: value for key, value in later.items() if value}
    if record.dealer_cards is not None:
        found["dealer_cards"] = record.dealer_cards
    return found


def _seat_json(seat: SeatRecord) -> dict[str, Any]:
    found: dict[str, Any] = {
        "wagers": {wager.value: amount for wager, amount in seat.wagers.items()},
        "decision": None if seat.decision is None else seat.decision.value,
        "hand": [face_text(card) for card in seat.hand],
        "plays": [face_text(card) for card in seat.plays],
        "corrections": [_correction_json(correction) for correction in seat.corrections],
        "changes": [
            {"wager": change.wager.value, "before": change.before, "after": change.after}
            for change in seat.changes
        ],
        "gap": seat.gap,
    }
    found = {key: value for key, value in found.items() if value}
    if seat.paid is not None:
        found["paid"] = {wager.value: amount for wager, amount in seat.paid.items()}
    return found


def _correction_json(correction: Correction) -> dict[str, Any]:
    found: dict[str, Any] = {"trick": correction.trick, "card": face_text(correction.card)}
    if correction.seen is not None:
        found["seen"] = correction.seen
    return found


def _exposure_json(exposure: Exposure) -> dict[str, Any]:
    found: dict[str, Any] = {"spot": str(exposure.spot), "card": face_text(exposure.card)}
    if exposure.when is not When.DEAL:
        found["when"] = exposure.when.value
    if exposure.seconds is not None:
        found["seconds"] = exposure.seconds
    return found
