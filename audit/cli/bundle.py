"""`pitwatch bundle`: the evidence of a round in one file that a stranger can check."""

from contextlib import closing
from datetime import UTC, datetime, timedelta
from pathlib import Path

from rich.console import Console

from audit.cli.hold import open_record, who
from audit.cli.output import print_json, print_line
from audit.cli.places import ROOT, settings_for
from audit.evidence.bundle import Bundle, Order, make_bundle
from audit.evidence.files import footage_path
from audit.evidence.footage import ClipState
from audit.evidence.gathering import Gathered
from audit.evidence.windows import is_recorded, span_of
from audit.settings import Settings
from audit.store import Store
from audit.watch.clips import cut_clip
from rules.house import default_house, default_house_text
from vision.clipping import Footage
from vision.viewing import viewing_copy

COMMON = ("README.md", "common.md")
"""The pages of the rules that every bundle holds, beside that of its game."""


def bundle_round(
    round_id: str, *, out: Path | None, user: str | None, data: Path | None, json: bool
) -> int:
    """Make the bundle of a round and say what is in it.

    Raises:
        AuditError: There is no such round, it is not over, or its evidence does not hold.
        VisionError: The footage cannot be read.
    """
    settings = settings_for(data)
    target = out or Path(f"{safe_name(round_id)}.bundle.zip")
    working = Console(stderr=True).status("Gathering, hashing and coding the viewing copy …")
    with closing(open_record(data)) as store, working:
        made = bundle(store, settings, round_id, who(user), target)
    if json:
        print_json(_json(made))
    else:
        for line in _lines(made):
            print_line(line)
    return 0


def bundle(store: Store, settings: Settings, round_id: str, user: str, target: Path) -> Bundle:
    """Make the bundle of a round; the page's button does the same.

    Raises:
        AuditError: There is no such round, it is not over, or its evidence does not hold.
        VisionError: The footage cannot be read.
    """
    _cut_first(store, settings, round_id)
    recorded = store.round(round_id)

    def view(gathered: Gathered, path: Path) -> bool:
        return _view(settings, gathered, path)

    rules = rule_texts(recorded.game, recorded.result)
    return make_bundle(store, Order(round_id, user, rules, view), target)


def safe_name(round_id: str) -> str:
    """Return a round's name as part of a file name: a round may be called anything.

    >>> safe_name("../T1 7")
    '..-T1-7'
    """
    kept = "".join(letter if letter.isalnum() or letter in "._-" else "-" for letter in round_id)
    return kept[:100] or "round"


def _cut_first(store: Store, settings: Settings, round_id: str) -> None:
    """Cut the round's clip when it is due and nobody has done so yet."""
    clip = store.clip_of(round_id)
    if clip is None or clip.state is not ClipState.PENDING:
        return
    span = span_of(store, clip)
    if span is not None and is_recorded(store, clip.table, span.until, datetime.now(UTC)):
        cut_clip(store, settings.data_dir, clip, span)


def rule_texts(game: str, result: dict[str, object]) -> dict[str, str]:
    """Return the text of the rules in force, by file name: the pages, and the house's options."""
    pages = [ROOT / "docs" / "rules" / name for name in (*COMMON, f"{game}.md")]
    texts = {page.name: page.read_text(encoding="utf-8") for page in pages if page.is_file()}
    rules = result.get("rules")
    version = rules.get("version") if isinstance(rules, dict) else None
    if version == default_house().version:
        texts["house.toml"] = default_house_text()
    return texts


def _view(settings: Settings, gathered: Gathered, path: Path) -> bool:
    span, recorded = gathered.span, gathered.round
    footage = [
        Footage(
            footage_path(settings.data_dir, one), (one.started - span.since) / timedelta(seconds=1)
        )
        for one in gathered.segments
        if one.deleted is None
    ]

    def caption(at: float) -> str:
        moment = span.since + timedelta(seconds=at)
        local = moment.astimezone(settings.zone)
        here = "" if settings.timezone == "UTC" else f" ({local:%F %T} {settings.timezone})"
        return f"{moment:%F %T}.{moment.microsecond // 1000:03d} UTC{here}  {recorded.round}"

    seconds = (span.until - span.since) / timedelta(seconds=1)
    return viewing_copy(footage, 0.0, seconds, caption, path) > 0


def _lines(made: Bundle) -> list[str]:
    lines = [
        f"{made.path}: {made.files} files, {made.size / 1e6:.1f} MB",
        f"SHA-256 {made.sha256}",
        f"Signed with key {made.key}: tell the receiver this fingerprint by another way.",
        "To check it: unzip it, then python3 verify.py",
    ]
    if made.absent:
        told = ", ".join(str(entry) for entry in made.absent)
        lines.append(f"Deleted before, only their hashes are in it: segments {told}")
    return lines


def _json(made: Bundle) -> dict[str, object]:
    return {
        "path": str(made.path),
        "sha256": made.sha256,
        "bytes": made.size,
        "files": made.files,
        "key": made.key,
        "absent": list(made.absent),
    }
