"""The live feed: one line an entry, told in the few words that fit a wall."""

from dataclasses import dataclass
from datetime import datetime

from audit.auth.folding import ACCESS_KINDS
from audit.chain import Entry, EntryKind
from audit.store import EVENT_KINDS

TOLD_KINDS = frozenset(EntryKind) - ACCESS_KINDS
"""What open pages are told of. Looking at a page must not make every open page look again."""

EVENT_WORDS = {kind: word for word, kind in EVENT_KINDS.items()}
"""The published names of table events, by entry kind."""

_CARD_WORDS = frozenset({"card-placed", "card-turned", "card-hidden", "card-moved", "card-removed"})
_OTHER_WORDS = {
    EntryKind.TABLE_STARTED: "table-started",
    EntryKind.TABLE_STOPPED: "table-stopped",
    EntryKind.TABLE_BEHIND: "table-behind",
    EntryKind.TABLE_CAUGHT_UP: "table-caught-up",
    EntryKind.ALERT_MOVED: "alert-moved",
    EntryKind.ALERT_ASSIGNED: "alert-assigned",
    EntryKind.ALERT_COMMENTED: "alert-commented",
}


@dataclass(frozen=True, slots=True)
class FeedLineView:
    """One line of the feed."""

    id: int
    at: datetime
    table: str
    sort: str
    """`card`, `money`, `decision`, `finding`, `round`, `camera` or `other`."""
    word: str = ""
    """What happened, as a code of `labels.EVENTS` or a round's outcome."""
    spot: str = ""
    card: str | None = None
    seat: int | None = None
    name: str = ""
    """The wager, decision, finding code, round or reason."""
    amount: int | None = None
    severity: str = "info"
    rule: str = ""


def feed_line(entry: Entry) -> FeedLineView | None:
    """Return an entry's line, or None for entries that the wall does not tell."""
    match entry.kind:
        case EntryKind.FINDING_RAISED:
            return _finding_line(entry)
        case EntryKind.ROUND_READ | EntryKind.ROUND_CORRECTED:
            name = str(entry.body["record"].get("round", ""))
            outcome = str(entry.body["result"].get("outcome", ""))
            return FeedLineView(*_place(entry), "round", outcome, name=name)
        case kind if kind in _OTHER_WORDS:
            return FeedLineView(*_place(entry), "other", _OTHER_WORDS[kind])
        case kind if kind in EVENT_WORDS:
            return _event_line(entry, EVENT_WORDS[kind])
        case _:
            return None


def _place(entry: Entry) -> tuple[int, datetime, str]:
    return entry.id, entry.at, entry.chain


def _finding_line(entry: Entry) -> FeedLineView:
    finding = entry.body["finding"]
    return FeedLineView(
        *_place(entry),
        "finding",
        seat=finding.get("seat"),
        name=str(finding.get("code", "")),
        severity=str(finding.get("severity", "info")),
        rule=str(finding.get("rule") or ""),
    )


def _event_line(entry: Entry, word: str) -> FeedLineView | None:
    body = entry.body
    if word in _CARD_WORDS:
        spot = str(body.get("spot", ""))
        if word == "card-moved" and spot == "discard":
            word, spot = "card-discarded", str(body.get("from", ""))
        elif word == "card-moved" and spot.endswith(".play"):
            word = "card-laid"
        return FeedLineView(*_place(entry), "card", word, spot=spot, card=body.get("card"))
    match word:
        case "wager" | "payout":
            amount, name = body.get("amount"), str(body.get("wager", ""))
            return FeedLineView(
                *_place(entry), "money", word, seat=body.get("seat"), name=name, amount=amount
            )
        case "decision":
            name = str(body.get("decision", ""))
            return FeedLineView(*_place(entry), "decision", seat=body.get("seat"), name=name)
        case "feed-lost" | "feed-back":
            reason = str(body.get("reason") or "")
            return FeedLineView(*_place(entry), "camera", word, name=reason)
        case _:
            return None
