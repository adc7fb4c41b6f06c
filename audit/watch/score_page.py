"""The report of `pitwatch eval` as one page for a person, with a short clip of every failure."""

import base64
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import cv2
import numpy as np
from jinja2 import Environment
from numpy.typing import NDArray

from audit.watch.compare import Failure, Fault, Score
from audit.watch.truth import StagedClip
from vision.frames import Frame
from vision.snippet import snippet
from vision.sources import open_source

_BEFORE_S, _AFTER_S = 1.0, 1.6
"""How much of the video is shown around a failure."""
_WIDE = 480
"""Pixels across the clip of a failure."""
_MOST = 80
"""Failures shown with a clip; the rest are listed."""

_GRAVEST = (Fault.FALSE_BREACH, Fault.MISSED, Fault.FALSE_OTHER, Fault.PLAY_WRONG, Fault.DOUBTED,
            Fault.EVENT_WRONG, Fault.ROUND_LOST, Fault.PLAY_UNREAD, Fault.EVENT_MISSED,
            Fault.EVENT_EXTRA, Fault.EVENT_UNREAD)  # fmt: skip
"""Faults, the gravest first."""

_PAGE = """<!doctype html>
<html lang="en"><meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>pitwatch eval: {{ folder }}</title>
<style>
:root { color-scheme: light dark; font: 15px/1.45 system-ui, sans-serif; }
body { margin: 2rem auto; max-width: 76rem; padding: 0 1rem; }
table { border-collapse: collapse; margin: 1rem 0; }
th, td { border-bottom: 1px solid #8886; padding: .25rem .8rem .25rem 0; text-align: left; }
td.n { text-align: right; font-variant-numeric: tabular-nums; }
.grid { display: grid; gap: 1rem; grid-template-columns: repeat(auto-fill, minmax(20rem, 1fr)); }
figure { border: 1px solid #8886; border-radius: 6px; margin: 0; padding: .5rem; }
video { width: 100%; } figcaption b { display: block; }
</style>
<h1>What was told, against what happened</h1>
<p>{{ folder }}: {{ clips|length }} clips, {{ total.rounds }} rounds.</p>
<table>{% for name, value in figures %}<tr><th scope="row">{{ name }}</th>
<td class="n">{{ value }}</td></tr>{% endfor %}</table>
<h2>Clips</h2>
<table><tr><th>clip</th><th>look</th><th>rounds</th><th>without fault</th><th>plays read</th>
<th>planted found</th><th>false findings</th><th>faults</th></tr>
{% for row in clips %}<tr><td>{{ row.name }}</td><td>{{ row.look }}</td>
<td class="n">{{ row.score.rounds }}</td><td class="n">{{ row.score.clean }}</td>
<td class="n">{{ row.score.plays_right }} of {{ row.score.plays }}</td>
<td class="n">{{ row.score.found }} of {{ row.score.planted }}</td>
<td class="n">{{ row.false }}</td><td class="n">{{ row.score.failures|length }}</td></tr>
{% endfor %}</table>
<h2>Faults, the gravest first</h2>
{% if not shown %}<p>There was none.</p>{% endif %}
<div class="grid">{% for each in shown %}<figure>
{% if each.video %}<video controls loop muted preload="metadata" poster="{{ each.poster }}"
src="{{ each.video }}"></video>{% endif %}
<figcaption><b>{{ each.fault }}</b>{{ each.clip }} at {{ each.at }} s<br>{{ each.text }}
</figcaption></figure>
{% endfor %}</div>
{% if more %}<p>{{ more }} more are in the JSON report.</p>{% endif %}
"""


@dataclass(slots=True)
class Cutting:
    """A failure and the pictures around it, while its clip is read."""

    clip: str
    failure: Failure
    pictures: list[NDArray[np.uint8]]
    poster: NDArray[np.uint8] | None = None


def write_page(
    page: Path, folder: Path, scores: Sequence[tuple[StagedClip, Score]], total: Score
) -> None:
    """Write the page; its clips are inside it, so that it can be sent as one file.

    Raises:
        OSError: It cannot be written.
        VisionError: A video cannot be read any more.
    """
    every = [(clip, failure) for clip, score in scores for failure in score.failures]
    every.sort(key=lambda pair: _GRAVEST.index(pair[1].fault))
    shown = every[:_MOST]
    cut = [row for clip, _ in scores for row in _cut(clip, [f for c, f in shown if c is clip])]
    cut.sort(key=lambda row: _GRAVEST.index(row.failure.fault))
    # Names and texts come from files: jinja escapes them.
    template = Environment(autoescape=True).from_string(_PAGE)
    rows = [
        {"name": clip.name, "look": _look(clip.truth.look), "score": score,
         "false": score.count(Fault.FALSE_BREACH, Fault.FALSE_OTHER)}
        for clip, score in scores
    ]  # fmt: skip
    text = template.render(
        folder=str(folder), clips=rows, total=total, figures=figures(total),
        shown=[_figure(each) for each in cut], more=len(every) - len(shown),
    )  # fmt: skip
    page.write_text(text, encoding="utf-8")


def figures(score: Score) -> list[tuple[str, str]]:
    """Return the figures that matter, in words."""
    late = sorted(score.latencies)
    within = sum(each <= 0.7 for each in late)
    delay = f"{late[len(late) // 2]:.2f} s, at most {late[-1]:.2f} s" if late else "-"
    events = score.right + score.count(Fault.EVENT_WRONG, Fault.EVENT_UNREAD, Fault.EVENT_MISSED)
    return [
        ("rounds without any fault", f"{score.clean} of {score.rounds}"),
        ("card events told rightly", _share(score.right, events)),
        ("  with another card", str(score.count(Fault.EVENT_WRONG))),
        ("  as unreadable", str(score.count(Fault.EVENT_UNREAD))),
        ("  missed", str(score.count(Fault.EVENT_MISSED))),
        ("card events that did not happen", str(score.count(Fault.EVENT_EXTRA))),
        ("plays read rightly", _share(score.plays_right, score.plays)),
        ("  wrongly", str(score.count(Fault.PLAY_WRONG))),
        ("  not read", str(score.count(Fault.PLAY_UNREAD))),
        ("planted breaches and misdeals found", _share(score.found, score.planted)),
        ("other planted findings found", _share(score.others_found, score.others)),
        ("  planted ones left unsure", str(score.count(Fault.DOUBTED))),
        ("  planted ones missed", str(score.count(Fault.MISSED))),
        ("false breach findings", str(score.count(Fault.FALSE_BREACH))),
        ("other false findings", str(score.count(Fault.FALSE_OTHER))),
        ("seats unsure without need", str(score.unsure)),
        ("from the proof at rest to the finding", delay),
        ("  of them within 0.7 s", f"{within} of {len(late)}"),
    ]


def _share(part: int, whole: int) -> str:
    return f"{part} of {whole} ({100 * part / whole:.2f} %)" if whole else "none"


def _look(look: Mapping[str, Any]) -> str:
    if not look:
        return ""
    rendered = ", 3D" if look.get("rendered") else ""
    return f"{look.get('deck')}, tilt {look.get('tilt')}°{rendered}"


def _cut(clip: StagedClip, failures: Sequence[Failure]) -> list[Cutting]:
    """Return the pictures around each failure of a clip, read in one go."""
    rows = [Cutting(clip.name, failure, []) for failure in failures]
    if not rows:
        return []
    for item in open_source(str(clip.video), realtime=False):
        if isinstance(item, Frame):
            _take(item, rows)
    return rows


def _take(frame: Frame, rows: Sequence[Cutting]) -> None:
    small: NDArray[np.uint8] | None = None
    for row in rows:
        away = frame.at - row.failure.at
        if not -_BEFORE_S <= away <= _AFTER_S:
            continue
        if small is None:
            tall = round(frame.image.shape[0] * _WIDE / frame.image.shape[1] / 2) * 2
            resized = cv2.resize(frame.image, (_WIDE, tall), interpolation=cv2.INTER_AREA)
            small = np.asarray(resized, np.uint8)
        row.pictures.append(small)
        if away >= 0 and row.poster is None:
            row.poster = small


def _figure(row: Cutting) -> dict[str, str]:
    made = {"fault": row.failure.fault.value, "clip": row.clip, "text": row.failure.text,
            "at": f"{row.failure.at:.2f}", "video": "", "poster": ""}  # fmt: skip
    if row.pictures:
        poster = row.pictures[-1] if row.poster is None else row.poster
        quality = [cv2.IMWRITE_JPEG_QUALITY, 70]
        made["poster"] = _inline("image/jpeg", cv2.imencode(".jpg", poster, quality)[1].tobytes())
        rate = max(1, round(len(row.pictures) / (_BEFORE_S + _AFTER_S)))
        made["video"] = _inline("video/mp4", snippet(row.pictures, rate=rate))
    return made


def _inline(kind: str, data: bytes) -> str:
    return f"data:{kind};base64,{base64.b64encode(data).decode()}"
