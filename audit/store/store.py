"""The store: every write to the record goes through here, each in one transaction."""

import time
from collections.abc import Callable, Iterable, Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import TypeVar

from sqlalchemy.engine import Engine
from sqlalchemy.exc import DBAPIError
from sqlmodel import Session

from audit.chain import SYSTEM, Entry, EntryKind, JsonObject, check_chain_name
from audit.checkpoint import Checkpoint
from audit.database import WRITING, is_passing, store_error
from audit.issued import Handover
from audit.keys import current_key, fingerprint, public_text, sign_rotation, stage_key
from audit.policy import Policy, load_policy
from audit.store import acts
from audit.store.acts import ProvedFinding, Step, Written
from audit.store.alert_acts import AlertActs
from audit.store.approval_acts import ApprovalActs
from audit.store.case_acts import CaseActs
from audit.store.delivery import Sent, deliver, delivered
from audit.store.footage_acts import FootageActs
from audit.store.import_acts import ImportActs
from audit.store.payout_acts import table_name
from audit.store.sealing import make_checkpoint
from audit.store.unit import POLICY, Unit
from audit.store.webhook_acts import WebhookActs

ATTEMPTS = 8
"""How often a transaction is tried when another writer got in its way."""

EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
"""The anchor of live sources, whose own line of time is Unix seconds."""

T = TypeVar("T")


class Store(AlertActs, CaseActs, ApprovalActs, ImportActs, WebhookActs, FootageActs):
    """Reads and writes the record. Make it with `open_store`; one for a process is enough."""

    def __init__(self, engine: Engine, data_dir: Path, policy: Policy | None = None) -> None:
        super().__init__(engine)
        self._policy = policy or load_policy()
        self._writing = engine.execution_options(**{WRITING: True})
        self.data_dir = data_dir

    def append(self, chain: str, kind: EntryKind, body: JsonObject, *, at: datetime) -> Entry:
        """Append one entry to a chain, with the projections that follow from its kind.

        The verbs below say more and check more; use this for kinds that have none.

        Raises:
            AuditError: The body has no canonical form, the time no zone, or the database refuses.
        """
        return self._write(chain, lambda unit: unit.append(kind, body, at))

    def record(self, table: str, step: Step, *, anchor: datetime = EPOCH) -> Written:
        """Record all that one frame or one feed line led to, in one transaction.

        Use this when watching: an event and the findings that it proved stand or fall together.

        Args:
            table: The table's name.
            step: Sightings, findings and rounds; written in this order.
            anchor: The moment at which the source's line of time is 0: for a recorded video when it
                began, for a live source the Unix epoch.
        """

        def work(unit: Unit) -> Written:
            opened = acts.write_step(unit, step, anchor)
            return Written(tuple(unit.entries), opened)

        return self._write(table_name(table), work)

    def deliver_all(self, table: str, sent: Sequence[Sent]) -> int:
        """Record acts of a watcher in one transaction; return how many were not there already.

        Raises:
            StoreAway: The database is away; whether the acts are recorded cannot be known. Send
                them again under the same marks.
            AuditError: An act does not fit what the record says; none is recorded then.
        """
        check_chain_name(table_name(table))
        return self._transact(lambda session: deliver(session, table, sent))

    def delivered(self, runs: Iterable[str]) -> dict[str, int]:
        """Return the number of the last act that is recorded, of each of some runs of watchers."""
        return self._read(lambda session: delivered(session, runs))

    def record_finding(
        self, table: str, proved: ProvedFinding, *, anchor: datetime = EPOCH
    ) -> Written:
        """Record a finding; one alert a breach, however often it is reported; see `record`."""
        return self.record(table, Step(findings=(proved,)), anchor=anchor)

    def record_act(
        self, user: str, act: str, detail: JsonObject | None = None, *, at: datetime | None = None
    ) -> Entry:
        """Record that a user did something that changes nothing: viewed, exported, signed in."""
        body: JsonObject = {"user": user, "act": act, "detail": detail or {}}
        return self.append(SYSTEM, EntryKind.USER_ACTED, body, at=at or _now())

    def record_report(self, handover: Handover, *, at: datetime | None = None) -> Entry:
        """Record that a report was issued: its file, its range, and what it rests on."""
        return self.append(SYSTEM, EntryKind.REPORT_ISSUED, handover.json(), at=at or _now())

    def checkpoint(self, *, at: datetime | None = None) -> Checkpoint:
        """Sign what the record holds, in the database and in the data folder's file.

        Call it on a schedule and when watching ends: the tail after the last checkpoint is the only
        part of the record that could be cut off unnoticed. Nothing new since the last one: that one
        is returned.

        Raises:
            StoreError: The signing key or the file does not fit the record, or cannot be written.
            ChainError: The file holds a checkpoint that the record contradicts.
        """
        return self._transact(lambda session: make_checkpoint(session, self.data_dir, at or _now()))

    def rotate_key(self, *, user: str, at: datetime | None = None) -> str:
        """Make a new signing key, named in the record under the old key's signature.

        Returns:
            The new key's fingerprint.

        Raises:
            StoreError: The data folder does not hold the key that the record names.
        """
        old = current_key(self.data_dir, self.signing_key())
        new = public_text(stage_key(self.data_dir))
        body: JsonObject = {
            "public": new,
            "previous": public_text(old),
            "signature": sign_rotation(old, new),
            "user": user,
        }
        self.append(SYSTEM, EntryKind.KEY_ROTATED, body, at=at or _now())
        current_key(self.data_dir, new)
        return fingerprint(new)

    def name_first_key(self, public: str, *, at: datetime) -> None:
        """Name the key that signs checkpoints, unless the record names one already."""

        def work(unit: Unit) -> None:
            if unit.is_empty:
                unit.append(EntryKind.KEY_CREATED, {"public": public}, at)

        self._write(SYSTEM, work)

    def _write(self, chain: str, work: Callable[[Unit], T]) -> T:
        """Run one write transaction on a chain."""
        check_chain_name(chain)
        return self._transact(lambda session: work(Unit(session, chain)))

    def _transact(self, work: Callable[[Session], T]) -> T:
        """Run one write transaction, again when another writer got in its way."""
        info = {POLICY: self._policy}
        for attempt in range(1, ATTEMPTS):
            try:
                with Session(self._writing, info=info) as session, session.begin():
                    return work(session)
            except DBAPIError as error:
                if not is_passing(error):
                    raise store_error(error, self._engine.url) from None
            time.sleep(0.01 * attempt)
        try:
            with Session(self._writing, info=info) as session, session.begin():
                return work(session)
        except DBAPIError as error:
            raise store_error(error, self._engine.url) from None


def _now() -> datetime:
    return datetime.now(UTC)
