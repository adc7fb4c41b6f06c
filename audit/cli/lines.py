"""The lines that `pitwatch watch` prints: JSON for programs, words for people."""

import sys
from collections.abc import Mapping
from datetime import UTC, datetime

from rich.console import Console
from rich.progress import BarColumn, Progress, TextColumn, TimeRemainingColumn

from audit.cli.output import print_json, print_line
from audit.store import JudgedRound, ProvedFinding
from audit.watch.follow import Moment
from rules.events import UNREADABLE, Cents, Sighting
from rules.explain import money
from rules.wire import sighting_json
from vision.frames import FrameSource


class Lines:
    """Prints moments as they come, with a progress bar where a person watches a file."""

    def __init__(self, source: FrameSource, *, json: bool) -> None:
        self._live, self._json = source.live, json
        self._bar = Progress(
            TextColumn("{task.description}"),
            BarColumn(),
            TextColumn("{task.completed:.0f} of {task.total:.0f} s"),
            TimeRemainingColumn(),
            console=Console(stderr=True),
            transient=True,
            disable=not source.duration or not sys.stderr.isatty(),
        )
        self._task = self._bar.add_task("Watching", total=source.duration)
        self._bar.start()

    def close(self) -> None:
        """End the progress bar."""
        self._bar.stop()

    def tell(self, moment: Moment) -> None:
        """Print what a moment led to."""
        self._bar.update(self._task, completed=moment.at)
        for sighting in moment.step.sightings:
            self._event(sighting)
        for finding in moment.step.findings:
            self._finding(finding)
        for judged in moment.step.rounds:
            self._round(judged)

    def _event(self, sighting: Sighting) -> None:
        line = sighting_json(sighting) | {"at": self._at(sighting.at)}
        if self._json:
            print_json(line)
        else:
            print_line(f"{self._clock(sighting.at)}  {_words(line)}")

    def _finding(self, proved: ProvedFinding) -> None:
        if self._json:
            where: dict[str, object] = {
                "round": proved.round,
                "at": self._at(proved.at),
                "frame": proved.frame,
            }
            print_json({"type": "finding"} | proved.finding | where)
        else:
            severity = str(proved.finding["severity"]).upper()
            print_line(f"{self._clock(proved.at)}  {severity}: {proved.finding['text']}")

    def _round(self, judged: JudgedRound) -> None:
        if self._json:
            print_json({"type": "round", "record": judged.record, "result": judged.result})
        else:
            seats = judged.result["seats"]
            told = "; ".join(f"seat {seat} {result['status']}" for seat, result in seats.items())
            outcome = f"{judged.result['round']}: {judged.result['outcome']}"
            print_line(f"{self._clock(judged.at)}  round {outcome}{f' ({told})' if told else ''}")

    def _at(self, at: float) -> float | str:
        """Return a time as it is published: UTC of a live source, media time of a file."""
        if not self._live:
            return round(at, 3)
        return datetime.fromtimestamp(at, UTC).isoformat(timespec="milliseconds")[:-6] + "Z"

    def _clock(self, at: float) -> str:
        if self._live:
            return f"{datetime.fromtimestamp(at, UTC):%H:%M:%S}"
        return f"{int(at) // 60:02d}:{at % 60:05.2f}"


def _words(line: Mapping[str, object]) -> str:
    """Return an event's line in words."""
    kind = str(line["kind"])
    match kind:
        case "wager" | "payout":
            amount = money(Cents(int(str(line["amount"]))), signed=kind == "payout")
            return f"seat {line['seat']}: {line['wager']} {kind} {amount}"
        case "decision":
            return f"seat {line['seat']}: {line['decision']}"
        case "feed-lost" | "feed-back":
            reason = f": {line['reason']}" if "reason" in line else ""
            return kind.replace("-", " ") + reason
        case "spot-cleared":
            return f"{line['spot']}: cleared"
        case _:
            source = f" from {line['from']}" if "from" in line else ""
            act = kind.removeprefix("card-")
            return f"{line['spot']}: {_face_words(line['card'])} {act}{source}"


def _face_words(face: object) -> str:
    if face is None:
        return "a card face down"
    return "a card that cannot be read" if face == UNREADABLE.value else str(face)
