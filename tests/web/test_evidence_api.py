"""The law: evidence over the web is sent whole or in parts, held by people, and made on request."""

from datetime import UTC, datetime
from pathlib import Path

from fastapi import FastAPI

from audit.errors import RecordConflict
from audit.store import Store
from tests.audit.footage_builders import clip, segment
from tests.audit.record_builders import NOW, later
from tests.web.asking import Client, session

ACT = {"X-Pitwatch-Act": "1"}


def test_a_clip_is_sent_whole_or_in_parts_and_a_pending_one_is_told(
    client: Client, store: Store
) -> None:
    made = clip(store, "T1-1", segment(store, NOW))
    whole = client.get(f"/media/clips/{made.name}")
    assert (whole.status_code, whole.content) == (200, b"the clip of T1-1")
    part = client.get(f"/media/clips/{made.name}", headers={"Range": "bytes=4-7"})
    assert (part.status_code, part.content) == (206, b"clip")
    assert part.headers["content-range"] == "bytes 4-7/16"
    beyond = client.get(f"/media/clips/{made.name}", headers={"Range": "bytes=99-"})
    assert beyond.status_code == 416
    body = {"table": "T1", "since": NOW.isoformat(), "until": later(20).isoformat()}
    asked = client.post("/api/v1/clips", json=body, headers=ACT)
    assert (asked.status_code, asked.json()["state"]) == (202, "pending")
    told = client.get(f"/media/clips/{asked.json()['name']}")
    assert (told.status_code, "pending" in told.text) == (404, True)
    assert {one["state"] for one in client.get("/api/v1/clips").json()} == {"pending", "ready"}


def test_a_hold_is_placed_by_one_and_released_by_two(client: Client, store: Store) -> None:
    clip(store, "T1-1", segment(store, NOW))
    placed = client.post("/api/v1/holds", json={"round": "T1-1", "reason": "court"}, headers=ACT)
    assert (placed.status_code, placed.json()["placed_by"]) == (201, "local")
    assert client.act("/api/v1/holds/1/release").json()["released"] is None
    assert client.act("/api/v1/holds/1/release").status_code == 409
    assert isinstance(client.app, FastAPI)
    second = Client(client.app, token=session(client.app, name="lee"))
    assert second.act("/api/v1/holds/1/release").json()["released_by"] == "lee"
    assert client.get("/api/v1/holds").json()[0]["release_by"] == "local"
    unfit = {"table": "T1", "reason": "no time"}
    assert client.post("/api/v1/holds", json=unfit, headers=ACT).status_code == 409


def test_a_bundle_is_made_when_it_is_asked_for_and_sent_once(
    client: Client, store: Store, tmp_path: Path
) -> None:
    assert isinstance(client.app, FastAPI)
    clip(store, "T1-1", segment(store, NOW))
    assert client.get("/bundles/T1-1").status_code == 409
    made: list[Path] = []

    def bundler(round_id: str, user: str) -> Path:
        if made:
            raise RecordConflict("no room for another one")
        path = tmp_path / "evidence.zip"
        path.write_text(f"{round_id} for {user} at {datetime.now(UTC):%Y}")
        made.append(path)
        return path

    client.app.state.bundler = bundler
    sent = client.get("/bundles/T1-1")
    assert (sent.status_code, sent.headers["content-type"]) == (200, "application/zip")
    assert sent.text.startswith("T1-1 for local")
    assert not made[0].exists()
    assert client.get("/bundles/T1-1").status_code == 409
    assert client.get("/bundles/T1-9").status_code == 404
