"""Acts on footage: asking for and cutting clips, legal holds, deletions, bundles."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta

from sqlalchemy import func, select
from sqlmodel import col

from audit.chain import SYSTEM, Entry, EntryKind, JsonObject, check_chain_name, utc_text
from audit.errors import NotInRecord, RecordConflict
from audit.evidence.footage import Clip, ClipState, Segment, clip_asked
from audit.evidence.holds import Hold, is_second_release
from audit.evidence.records import HoldRecord
from audit.store.unit import Unit
from audit.store.writing import NAME_LENGTH, Writer, fit, now_or
from audit.tables import table_filmed

LONGEST_CLIP = timedelta(hours=1)
"""More than this is not a clip: its segments can be looked at one by one."""


@dataclass(frozen=True, slots=True)
class NewHold:
    """What is to be held."""

    table: str
    since: datetime
    until: datetime
    reason: str
    round: str | None = None


class FootageActs(Writer):
    """The acts on footage."""

    def ask_clip(
        self,
        table: str,
        since: datetime,
        until: datetime,
        *,
        user: str,
        at: datetime | None = None,
    ) -> Clip:
        """Ask for the clip of a time, which may not be over yet: it is pending, then ready.

        Raises:
            RecordConflict: The time is none, or longer than an hour.
            ChainError: The name is not one for a table.
        """
        if not timedelta(0) < until - since <= LONGEST_CLIP:
            raise RecordConflict(
                f"a clip from {since:%F %T} to {until:%F %T}: expected an end after its "
                "beginning, at most an hour later"
            )
        body: JsonObject = {
            "table": check_chain_name(table),
            "since": utc_text(since),
            "until": utc_text(until),
            "user": user,
        }

        def work(unit: Unit) -> Clip:
            entry = unit.append(EntryKind.CLIP_ASKED, body, now_or(at))
            return _needed_clip(unit, clip_asked(entry.id))

        return self._write(SYSTEM, work)

    def cut_clip(self, name: str, cut: JsonObject, *, at: datetime | None = None) -> Clip | None:
        """Record that a clip was cut, or that nothing of its time was recorded.

        Returns:
            The clip; None when somebody else has cut it meanwhile: then throw the file away.

        Raises:
            NotInRecord: Nobody asked for it.
        """
        table = self.clip(name).table

        def work(unit: Unit) -> Clip | None:
            if _needed_clip(unit, name).state is not ClipState.PENDING:
                return None
            unit.append(EntryKind.CLIP_CUT, {"clip": name, **cut}, now_or(at))
            return _needed_clip(unit, name)

        return self._write(table, work)

    def place_hold(self, new: NewHold, *, user: str, at: datetime | None = None) -> Hold:
        """Place a legal hold: what it covers is not deleted until two people have released it.

        Raises:
            RecordConflict: The time is none.
            ChainError: A text is missing or too long, or the table has no name for one.
        """
        if new.until <= new.since:
            raise RecordConflict(
                f"a hold from {new.since:%F %T} to {new.until:%F %T}: expected an end after its "
                "beginning"
            )
        body: JsonObject = {
            "table": check_chain_name(new.table),
            "since": utc_text(new.since),
            "until": utc_text(new.until),
            "round": new.round,
            "reason": fit("reason", new.reason),
            "user": fit("user", user, most=NAME_LENGTH),
        }

        def work(unit: Unit) -> Hold:
            last = unit.session.connection().execute(select(func.max(col(HoldRecord.number))))
            number = 1 + int(last.scalar() or 0)
            unit.append(EntryKind.HOLD_PLACED, {"hold": number, **body}, now_or(at))
            return _needed_hold(unit, number)

        return self._write(SYSTEM, work)

    def release_hold(
        self, number: int, *, user: str, note: str = "", at: datetime | None = None
    ) -> Hold:
        """Release a hold. The first person asks for it, a second one, another, ends it.

        Raises:
            NotInRecord: There is no such hold.
            RecordConflict: It is released already, or the same person comes twice.
        """
        user = fit("user", user, most=NAME_LENGTH)
        body: JsonObject = {"hold": number, "user": user, "note": fit("note", note, least=0)}

        def work(unit: Unit) -> Hold:
            second = is_second_release(_needed_hold(unit, number), user)
            kind = EntryKind.HOLD_RELEASED if second else EntryKind.HOLD_RELEASE_ASKED
            unit.append(kind, body, now_or(at))
            return _needed_hold(unit, number)

        return self._write(SYSTEM, work)

    def delete_footage(
        self,
        table: str,
        footage: Sequence[Segment | Clip],
        *,
        reason: str,
        at: datetime | None = None,
    ) -> list[Segment | Clip]:
        """Record the deletion of footage; delete the files after this, never before.

        What a hold covers is left out, also one that was placed since the caller looked.

        Args:
            table: Whose footage it is.
            footage: What is to be deleted; all of this table.
            reason: Why, such as `kept for 30 days (routine)`.
            at: When; now by default.

        Returns:
            What was deleted.
        """

        def work(unit: Unit) -> list[Segment | Clip]:
            query = select(col(HoldRecord.number)).where(
                col(HoldRecord.table).in_({table, table_filmed(table)}),
                col(HoldRecord.released).is_(None),
            )
            numbers = list(unit.session.connection().execute(query).scalars())
            holds = [_needed_hold(unit, number) for number in numbers]
            known = [_as_it_stands(unit, one) for one in footage]
            gone = [one for one in known if one.deleted is None and not _is_held(one, holds)]
            if gone:
                unit.append(EntryKind.FOOTAGE_DELETED, _deletion(gone, reason), now_or(at))
            return gone

        return self._write(check_chain_name(table), work)

    def note_bundle(
        self, round_id: str, detail: JsonObject, *, user: str, at: datetime | None = None
    ) -> Entry:
        """Record that the evidence of a round leaves the house, before it does."""
        body: JsonObject = {"round": round_id, "user": user, **detail}
        return self._write(
            SYSTEM, lambda unit: unit.append(EntryKind.BUNDLE_MADE, body, now_or(at))
        )


def _as_it_stands(unit: Unit, one: Segment | Clip) -> Segment | Clip:
    """Return footage as this transaction sees it: somebody may have deleted it meanwhile."""
    match one:
        case Segment():
            return unit.find(Segment, (one.entry,)) or one
        case Clip():
            return unit.find(Clip, (one.name,)) or one


def _is_held(one: Segment | Clip, holds: Sequence[Hold]) -> bool:
    match one:
        case Segment():
            since, until = one.started, one.ended
        case Clip():
            if one.since is None or one.until is None:
                return True  # nobody knows yet what it covers
            since, until = one.since, one.until
    return any(hold.covers(one.table, since, until) for hold in holds)


def _deletion(gone: Sequence[Segment | Clip], reason: str) -> JsonObject:
    return {
        "segments": [
            {"entry": one.entry, "name": one.name, "sha256": one.sha256}
            for one in gone
            if isinstance(one, Segment)
        ],
        "clips": [
            {"clip": one.name, "name": one.file, "sha256": one.sha256}
            for one in gone
            if isinstance(one, Clip)
        ],
        "reason": reason,
    }


def _needed_clip(unit: Unit, name: str) -> Clip:
    clip = unit.find(Clip, (name,))
    if clip is None:
        raise NotInRecord(f"no clip {name!r} in the record")
    return clip


def _needed_hold(unit: Unit, number: int) -> Hold:
    hold = unit.find(Hold, (number,))
    if hold is None:
        raise NotInRecord(f"no hold {number} in the record")
    return hold
