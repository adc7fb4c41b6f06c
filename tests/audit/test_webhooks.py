"""Law: who asked is told at least once, under one name, signed, and nobody waits for it."""

import base64
import hashlib
import hmac
import json
import logging
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread

import pytest
from structlog.testing import capture_logs

from audit.alerts import AlertState
from audit.chain import SYSTEM
from audit.errors import ChainError, SettingsError
from audit.messenger import tell, telling
from audit.outbox import EVENT_TYPES
from audit.store import ProvedFinding, Step, Store
from audit.store.webhook_acts import BACKOFF_S, LEASE
from audit.verify import verify
from audit.webhooks import Message, Subscription, load_subscriptions, send, sign
from rules.findings import Severity
from tests.audit.record_builders import NOW, finding, kinds, later, proved

SECRET = "not-a-real-secret-but-long-enough"  # noqa: S105  # of this test alone


@dataclass
class Receiver:
    """A receiver on this machine that keeps what it gets."""

    statuses: list[int] = field(default_factory=list)
    """What it answers, in order; 204 afterwards."""
    got: list[tuple[dict[str, str], bytes]] = field(default_factory=list)
    url: str = ""

    def subscription(self, **fields: object) -> Subscription:
        return Subscription("pager", self.url, SECRET.encode(), **fields)  # type: ignore[arg-type]  # as named


@contextmanager
def receiving(*statuses: int) -> Iterator[Receiver]:
    receiver = Receiver(list(statuses))

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:  # named by the library
            body = self.rfile.read(int(self.headers["content-length"]))
            receiver.got.append(({k.lower(): v for k, v in self.headers.items()}, body))
            self.send_response(receiver.statuses.pop(0) if receiver.statuses else 204)
            self.end_headers()

        def log_message(self, *_: object) -> None:
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    receiver.url = f"http://127.0.0.1:{server.server_port}/hook?token=in-the-address"
    thread = Thread(target=server.serve_forever, kwargs={"poll_interval": 0.02})
    thread.start()
    try:
        yield receiver
    finally:
        server.shutdown()
        thread.join()
        server.server_close()


def test_an_alert_is_told_with_a_stable_id_and_a_signature(store: Store) -> None:
    with receiving() as receiver:
        told = receiver.subscription()
        store.record_finding("T1", proved(seat=1), anchor=NOW)
        assert tell(store, told) == 0  # what was before the subscription is not told
        store.record_finding("T1", proved(seat=2), anchor=NOW)
        store.record_finding("T1", proved(seat=2), anchor=NOW)  # the same breach again
        store.record_finding("T1", proved("card-exposed", severity="info"), anchor=NOW)
        store.move_alert(2, AlertState.ACKNOWLEDGED, user="kim", at=later(60))
        assert tell(store, told) == 2
        assert tell(store, told) == 0
    first, second = receiver.got
    opened, moved = json.loads(first[1]), json.loads(second[1])
    assert (opened["type"], opened["subject"], moved["type"]) == (
        "alert.opened",
        "alert 2",
        "alert.moved",
    )
    entry = store.entry(opened["entry"]["id"])
    assert opened["id"] == f"evt_{entry.hash[:32]}" == first[0]["webhook-id"]
    assert opened["data"]["finding"]["seat"] == 2
    stamp = first[0]["webhook-timestamp"]
    signed = f"{opened['id']}.{stamp}.".encode() + first[1]
    digest = hmac.new(SECRET.encode(), signed, hashlib.sha256).digest()
    assert first[0]["webhook-signature"] == f"v1,{base64.b64encode(digest).decode()}"
    assert verify(store).holds


def test_what_fails_is_tried_again_byte_for_byte_and_later_each_time(store: Store) -> None:
    def attempt(at: datetime, problem: str | None) -> datetime | None:
        delivery = store.take_delivery("pager", at=at)
        assert delivery is not None
        store.settle_delivery(delivery, problem, at=at)
        return store.deliveries()[0].due

    store.queue_events("pager", lambda _: True, at=NOW)
    store.record_finding("T1", proved(), anchor=NOW)
    store.queue_events("pager", lambda _: True, at=NOW)
    at = NOW
    for seconds in BACKOFF_S:
        due = attempt(at, "answered 500")
        assert due == at + timedelta(seconds=seconds)
        assert store.take_delivery("pager", at=due - timedelta(microseconds=1)) is None
        at = due
    assert attempt(at, "answered 500") is None
    (given_up,) = store.deliveries(waiting=False)
    assert (given_up.attempts, given_up.done, given_up.problem) == (
        1 + len(BACKOFF_S),
        None,
        "answered 500",
    )
    assert kinds(store, SYSTEM)[-1] == "system.webhook.failed"
    assert verify(store).holds


def test_a_sender_that_dies_in_the_middle_leaves_the_rest_to_another(store: Store) -> None:
    store.queue_events("pager", lambda _: True, at=NOW)
    store.record_finding("T1", proved(), anchor=NOW)
    store.queue_events("pager", lambda _: True, at=NOW)
    first = store.take_delivery("pager", at=NOW)
    assert first is not None
    assert store.take_delivery("pager", at=NOW) is None
    second = store.take_delivery("pager", at=NOW + LEASE)
    assert second is not None
    assert (second.event, second.attempts) == (first.event, 2)
    store.settle_delivery(second, None, at=NOW + LEASE)
    store.settle_delivery(first, "too late", at=NOW + LEASE)
    assert store.deliveries()[0].done is not None


def test_an_act_that_is_taken_back_tells_nobody(store: Store) -> None:
    store.queue_events("pager", lambda _: True)
    broken = ProvedFinding(finding(text="\ud800"), at=3.0)
    with pytest.raises(ChainError):
        store.record("T1", Step(findings=(proved(), broken)), anchor=NOW)
    assert store.queue_events("pager", lambda _: True) == 0


def test_the_server_tells_in_the_background_and_a_dead_receiver_holds_up_nobody(
    store: Store, caplog: pytest.LogCaptureFixture, capsys: pytest.CaptureFixture[str]
) -> None:
    dead = Subscription("dead", "http://127.0.0.1:9/hook?token=hidden", SECRET.encode())
    with receiving(500) as receiver, caplog.at_level(logging.DEBUG), capture_logs() as told:
        hook = receiver.subscription()
        for one in (dead, hook):
            tell(store, one)
        store.record_finding("T1", proved(), anchor=NOW)
        with telling(store, (dead, hook)):
            deadline = datetime.now(NOW.tzinfo) + timedelta(seconds=20)
            while not receiver.got and datetime.now(NOW.tzinfo) < deadline:
                store.record_finding("T1", proved(), anchor=NOW)
        assert len(receiver.got) == 1
    shown = caplog.text + capsys.readouterr().out + str(store.entries_after(limit=1000)) + str(told)
    assert any(found.attempts for found in store.deliveries()), "what failed is known"
    for secret in (SECRET, "hidden", "in-the-address"):
        assert secret not in shown
    assert SECRET not in repr(hook)


def test_a_subscription_takes_what_it_asked_for(store: Store) -> None:
    store.queue_events("pager", lambda _: True)
    high = Subscription("a", "http://x", b"", severity_at_least=Severity.HIGH)
    moved = Subscription("b", "http://x", b"", types=frozenset({"alert.moved"}))
    table = Subscription("c", "http://x", b"", tables=frozenset({"T2"}))
    store.record_finding("T1", proved(severity="medium"), anchor=NOW)
    store.record_finding("T2", proved(severity="high"), anchor=NOW)
    store.acknowledge(1, user="kim")
    store.queue_events("pager", lambda _: True)
    events = [store.outbox_event(found.entry) for found in reversed(store.deliveries())]
    assert [[sub.wants(event) for event in events] for sub in (high, moved, table)] == [
        [False, True, False],
        [False, False, True],
        [False, True, False],
    ]


def test_a_redirect_or_an_unknown_place_is_told_in_few_words() -> None:
    with receiving(302, 200) as receiver:
        assert send(receiver.subscription(), Message("evt_1", b"{}")) == "answered 302"
        assert len(receiver.got) == 1
    assert "not reached" in str(send(receiver.subscription(), Message("evt_1", b"{}")))


def test_the_signature_is_that_of_the_published_example() -> None:
    # Standard Webhooks specification, version 1: its own example of a signature.
    key = base64.b64decode("MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw")
    message = Message("msg_p5jXN8AQM9LWM0D4loKWxJek", b'{"test": 2432232314}')
    assert sign(key, message, 1614265330) == "v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE="


HOOK = '[[webhook]]\nname = "pager"\nurl = "https://pager.example/x"\n'


@pytest.mark.parametrize(
    ("text", "told"),
    [
        (HOOK, "w.toml, line 1: webhook[1]: expected one of secret, secret_file"),
        (f'{HOOK}secret = "short"', "w.toml: webhook pager: secret: expected at least 24 bytes"),
        (f'{HOOK}secret = "whsec_%"', "w.toml: webhook pager: secret: expected base64"),
        (f'{HOOK}secret_env = "NO_SUCH"', "w.toml: webhook pager: secret_env: no variable NO_S"),
        (f'{HOOK}types = ["alert.lost"]', "w.toml, line 4: webhook[1].types[1]: found 'alert.los"),
        (
            HOOK.replace("https", "ftp"),
            "w.toml, line 3: webhook[1].url: expected an address that begins",
        ),
        (HOOK.replace("//", "//kim:pw@"), "w.toml, line 3: webhook[1].url:"),
        (f'{HOOK}secrets = "x"', "w.toml, line 4: webhook[1].secrets: unknown key"),
    ],
)
def test_a_subscription_that_cannot_be_used_is_told_with_its_line_and_without_its_secret(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, text: str, told: str
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("w.toml").write_text(text)
    with pytest.raises(SettingsError) as caught:
        load_subscriptions(Path("w.toml"))
    assert str(caught.value).startswith(told)
    assert "kim:pw" not in str(caught.value)


def test_every_told_kind_is_in_the_documentation() -> None:
    text = (Path(__file__).parents[2] / "docs" / "alerts.md").read_text(encoding="utf-8")
    assert all(f"`{name}`" in text for name in EVENT_TYPES.values())
