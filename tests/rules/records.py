"""Short ways to write round records in tests."""

from typing import Any

from rules.check import judge, result_to_json
from rules.findings import Finding
from rules.house import HouseRules, parse_house
from rules.record_json import record_from_json
from rules.result import Result

Json = dict[str, Any]


def words(text: str) -> list[str | None]:
    """Return the cards of a text with blanks between; - is a card not seen, ? an unreadable one."""
    return [None if word == "-" else word for word in text.split()]


def seat(plays: str = "", **more: object) -> Json:
    """Return a seat that went on with an Ante and a Play of 1000, and laid these cards."""
    found: Json = {"wagers": {"ante": 1000, "play": 1000}, "decision": "play"}
    if plays:
        found["plays"] = words(plays)
    return found | more


def whist(
    trump: str | None = "4S", dealer: str = "6H 7C 8D", seats: Json | None = None, **more: object
) -> Json:
    """Return a record of Three Card Whist with these cards."""
    found: Json = {"round": "T1-20261130-0001", "game": "three-card-whist", "table": "T1"}
    found |= {"trump": trump, "dealer": words(dealer), "seats": seats or {}}
    return found | more


def result_of(
    record: Json, house: HouseRules | None = None, watched: tuple[int, ...] = ()
) -> Result:
    return judge(record_from_json(record), house, watched)  # type: ignore[arg-type]


def judged(record: Json, house: str = "", watched: tuple[int, ...] = ()) -> Json:
    """Return what `check` prints for a record, under the options of a house rules text."""
    return result_to_json(result_of(record, parse_house(house), watched))


def codes(result: Json) -> list[str]:
    return [finding["code"] for finding in result["findings"]]


def verdicts(result: Json, number: int = 1) -> list[str]:
    return [play["verdict"] for play in result["seats"][str(number)]["plays"]]


def finding(result: Json, code: str) -> Json:
    """Return the only finding of a kind."""
    (found,) = [one for one in result["findings"] if one["code"] == code]
    return dict(found)


def find(found: tuple[Finding, ...], code: str) -> Finding:
    (one,) = [finding for finding in found if finding.code.value == code]
    return one
