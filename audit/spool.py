"""The spool: a file beside the record where a watcher keeps its acts while the database is away.

Each act is one line: a checksum, a blank, canonical JSON. A line counts once it is on the disk. The
file is made full of zeros beforehand, and lines are written over them, so that there is room for
them when the disk has none left. What follows the last whole line says nothing.
"""

import fcntl
import hashlib
import json
import os
from collections.abc import Iterable
from contextlib import suppress
from pathlib import Path
from typing import Any, assert_never

from audit.chain import EntryKind, JsonObject, canonical, utc_moment, utc_text
from audit.errors import SettingsError, StoreError
from audit.store.acts import JudgedRound, ProvedFinding, Step
from audit.store.delivery import Act, Noted, Sent, Started, Stepped, Stopped
from audit.tables import StepMark, TableStart
from rules.errors import RulesError
from rules.events import Sighting
from rules.wire import event_json, parse_event

RESERVE_BYTES = 4 << 20
"""The room that is set aside: some ten thousand acts, hours of a busy table."""

FOLDER = "spool"
"""Where the spools lie in the data folder, one a table."""

_CHECKSUM_DIGITS = 16


def spool_file(data_dir: Path, table: str) -> Path:
    """Return where the acts at a table are kept while the database is away."""
    return data_dir / FOLDER / f"{table}.spool"


def waiting_in(path: Path) -> int:
    """Return how many acts a spool keeps, whoever holds it.

    Raises:
        OSError: It cannot be read.
    """
    return len(_whole_lines(path.read_bytes()))


class Spool:
    """The spool of one table, held by one process at a time."""

    def __init__(self, path: Path) -> None:
        """Open the spool, making it when there is none.

        Raises:
            SettingsError: Another process watches this table already.
            StoreError: The file cannot be written.
        """
        self.path = path
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            self._handle = os.open(path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
        except OSError as error:
            raise StoreError(
                f"{path}: {error.strerror}; give this user the right to write to it"
            ) from None
        try:
            fcntl.flock(self._handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            os.close(self._handle)
            raise SettingsError(
                f"{path}: another process watches this table (expected one watcher a table; "
                "end that one, or name another table in the layout)"
            ) from None
        self._set_aside()
        self._waiting = _whole_lines(path.read_bytes())
        self._end = sum(len(line) for line in self._waiting)

    def waiting(self) -> list[Sent]:
        """Return the acts that were kept, in order.

        Raises:
            StoreError: A line is whole and is not one that this program writes.
        """
        return [_parse(line, self.path) for line in self._waiting]

    @property
    def is_empty(self) -> bool:
        """Whether nothing is kept."""
        return self._end == 0

    def keep(self, acts: Iterable[Sent]) -> None:
        """Add acts and see them on the disk.

        Raises:
            OSError: They cannot be written; none of them counts.
            ChainError: One has no canonical form.
        """
        content = b"".join(_line(sent) for sent in acts)
        # The zero ends what counts: lines of an earlier time may follow.
        _write_all(self._handle, content + b"\0", self._end)
        os.fdatasync(self._handle)
        self._end += len(content)

    def clear(self) -> None:
        """Forget all acts: they are in the record.

        Raises:
            OSError: The file cannot be written; the acts are sent again then, and known.
        """
        if self.is_empty:
            return
        self._end = 0
        _write_all(self._handle, b"\0", 0)
        os.fdatasync(self._handle)
        with suppress(OSError):
            os.ftruncate(self._handle, RESERVE_BYTES)

    def set_aside(self, sent: Sent) -> None:
        """Keep an act that the record refuses in a file of its own, for a person to look at.

        Raises:
            OSError: The file cannot be written.
        """
        with self.path.with_suffix(".refused").open("ab") as file:
            file.write(_line(sent))
            file.flush()
            os.fsync(file.fileno())

    def discard(self) -> None:
        """Take an empty spool away again, so that nothing says that this table was watched."""
        if self.is_empty:
            self.path.unlink(missing_ok=True)
        self.close()

    def close(self) -> None:
        """Let another process have it."""
        os.close(self._handle)

    def _set_aside(self) -> None:
        """Fill the file with zeros up to the reserve; a full disk gives what it has."""
        size = os.fstat(self._handle).st_size
        with suppress(OSError):
            while size < RESERVE_BYTES:
                size += os.pwrite(self._handle, bytes(min(1 << 20, RESERVE_BYTES - size)), size)
            os.fsync(self._handle)


def _write_all(handle: int, content: bytes, place: int) -> None:
    view = memoryview(content)
    while view:
        written = os.pwrite(handle, view, place)
        view, place = view[written:], place + written


def _checksum(content: bytes) -> bytes:
    return hashlib.sha256(content).hexdigest()[:_CHECKSUM_DIGITS].encode()


def _whole_lines(content: bytes) -> list[bytes]:
    """Return the lines up to the first that is not whole, each with its end."""
    found, start = [], 0
    while (end := content.find(b"\n", start)) >= 0:
        checksum, _, told = content[start:end].partition(b" ")
        if checksum != _checksum(told):
            break
        found.append(content[start : end + 1])
        start = end + 1
    return found


def _line(sent: Sent) -> bytes:
    content = canonical(
        {"run": sent.mark.run, "number": sent.mark.number, "act": act_json(sent.act)}
    )
    return _checksum(content) + b" " + content + b"\n"


def _parse(line: bytes, path: Path) -> Sent:
    try:
        fields: dict[str, Any] = json.loads(line.partition(b" ")[2])
        mark = StepMark(str(fields["run"]), int(fields["number"]))
        return Sent(mark, parse_act(fields["act"]))
    except (ValueError, KeyError, TypeError, RulesError) as error:
        raise StoreError(
            f"{path}: found an act that this program does not know ({error}); "
            "expected one of its own version"
        ) from None


def act_json(act: Act) -> JsonObject:
    """Return an act as a JSON object."""
    match act:
        case Started(start, at):
            told = {name: getattr(start, name) for name in TableStart.__dataclass_fields__}
            return {"act": "started", "start": told, "at": utc_text(at)}
        case Stepped(step, anchor):
            return {"act": "stepped", "anchor": utc_text(anchor), **_step_json(step)}
        case Noted(kind, body, at):
            return {"act": "noted", "kind": kind.value, "body": body, "at": utc_text(at)}
        case Stopped(reason, at):
            return {"act": "stopped", "reason": reason, "at": utc_text(at)}
        case _:
            assert_never(act)


def parse_act(fields: JsonObject) -> Act:
    """Return the act that `act_json` wrote.

    Raises:
        KeyError, TypeError, ValueError, RulesError: The object is not one.
    """
    match fields["act"]:
        case "started":
            return Started(TableStart(**fields["start"]), utc_moment(fields["at"]))
        case "stepped":
            return Stepped(_step(fields), utc_moment(fields["anchor"]))
        case "noted":
            return Noted(EntryKind(fields["kind"]), fields["body"], utc_moment(fields["at"]))
        case "stopped":
            return Stopped(str(fields["reason"]), utc_moment(fields["at"]))
        case other:
            raise ValueError(f"no act {other!r}")


def _step_json(step: Step) -> JsonObject:
    return {
        "sightings": [
            {
                "event": event_json(seen.event),
                "at": seen.at,
                "confidence": seen.confidence,
                "frame": seen.frame,
                "since": seen.since,
            }
            for seen in step.sightings
        ],
        "findings": [
            {"finding": told.finding, "at": told.at, "round": told.round, "frame": told.frame}
            for told in step.findings
        ],
        "rounds": [
            {"record": told.record, "result": told.result, "at": told.at} for told in step.rounds
        ],
    }


def _step(fields: JsonObject) -> Step:
    return Step(
        tuple(
            Sighting(
                parse_event(told["event"]),
                float(told["at"]),
                told["confidence"],
                told["frame"],
                told.get("since"),  # a spool of an earlier version has none
            )
            for told in fields["sightings"]
        ),
        tuple(ProvedFinding(**told) for told in fields["findings"]),
        tuple(JudgedRound(**told) for told in fields["rounds"]),
    )
