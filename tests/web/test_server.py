"""The law: the server ends when it is asked to, without an error, and believes no stranger.

Over its own TLS its cookies are for TLS only.
"""

import gc
import logging
import ssl
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta
from ipaddress import IPv4Address
from pathlib import Path
from time import monotonic, sleep

import httpx
import pytest
import uvicorn
from cryptography import x509
from cryptography.hazmat.primitives.asymmetric.ec import SECP256R1, generate_private_key
from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.serialization import Encoding, NoEncryption, PrivateFormat
from cryptography.x509.oid import NameOID
from fastapi import FastAPI

from audit.auth.door import Door
from audit.auth.sessions import Purpose
from audit.settings import Settings
from audit.store import Store
from audit.store.access import AccessQuery, AccessStore
from audit.web.app import create_app
from audit.web.server import Server, config_of, set_aside
from tests.web import samples
from tests.web.asking import COOKIE, session
from tests.web.visitors import PASSWORD


def test_what_is_there_before_the_first_request_is_no_garbage_to_search() -> None:
    set_aside()
    try:
        assert gc.get_freeze_count() > 10_000
        assert len(gc.get_objects()) < gc.get_freeze_count() / 10
    finally:
        gc.unfreeze()


def test_the_server_ends_at_once_although_pages_are_open(
    store: Store, settings: Settings, caplog: pytest.LogCaptureFixture
) -> None:
    samples.start_table(store)
    app = create_app(store, settings)  # its streams last a quarter of an hour
    server = Server(uvicorn.Config(app, host="127.0.0.1", port=0, log_config=None))
    thread = threading.Thread(target=server.run, daemon=True)
    with caplog.at_level(logging.WARNING):
        thread.start()
        while not server.started:
            sleep(0.01)
        port = server.servers[0].sockets[0].getsockname()[1]
        address = f"http://127.0.0.1:{port}/api/v1/stream?after=0"
        cookies = {COOKIE: session(app)}
        with httpx.stream("GET", address, cookies=cookies) as answer:
            lines = answer.iter_lines()
            assert any(line.startswith("id: ") for line in lines)
            server.should_exit = True
            asked = monotonic()
            assert list(lines) is not None  # to its end, which is an ordinary one
            thread.join(timeout=20)
    assert not thread.is_alive()
    assert monotonic() - asked < 20
    assert [record.message for record in caplog.records if record.levelno >= logging.ERROR] == []


@contextmanager
def running(app: FastAPI, settings: Settings) -> Iterator[int]:
    """The port of a server that runs while the body does."""
    server = Server(config_of(app, settings))
    thread = threading.Thread(target=server.run, daemon=True)
    thread.start()
    while not server.started:
        sleep(0.01)
    try:
        yield server.servers[0].sockets[0].getsockname()[1]
    finally:
        server.should_exit = True
        thread.join(timeout=20)


def certificate(folder: Path) -> tuple[Path, Path]:
    """A certificate of this machine, signed by itself, and its key."""
    key = generate_private_key(SECP256R1())
    name = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, "pitwatch")])
    here = x509.SubjectAlternativeName([x509.IPAddress(IPv4Address("127.0.0.1"))])
    now = datetime.now(UTC)
    made = (
        x509.CertificateBuilder()
        .subject_name(name)
        .issuer_name(name)
        .public_key(key.public_key())
        .serial_number(x509.random_serial_number())
        .not_valid_before(now - timedelta(days=1))
        .not_valid_after(now + timedelta(days=1))
        .add_extension(here, critical=False)
        .sign(key, SHA256())
    )
    (folder / "cert.pem").write_bytes(made.public_bytes(Encoding.PEM))
    secret = key.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, NoEncryption())
    (folder / "key.pem").write_bytes(secret)
    return folder / "cert.pem", folder / "key.pem"


def test_over_its_own_tls_cookies_are_for_tls_only_and_no_header_changes_who_asks(
    store: Store, settings: Settings, tmp_path: Path
) -> None:
    cert, key = certificate(tmp_path)
    over_tls = settings.model_copy(update={"tls_cert": cert, "tls_key": key, "port": 0})
    app = create_app(store, over_tls)
    door: Door = app.state.door
    link = door.make_link(Purpose.SETUP, "terminal")
    form = {"name": "root", "password": PASSWORD, "again": PASSWORD}
    spoofed = {"X-Forwarded-For": "203.0.113.9", "X-Forwarded-Proto": "http"}
    with running(app, over_tls) as port:
        address = f"https://127.0.0.1:{port}"
        trusting = ssl.create_default_context(cafile=str(cert))
        with httpx.Client(verify=trusting, base_url=address) as browser:
            entered = browser.post(f"/welcome/{link}", data=form, headers=spoofed)
            chosen = browser.get("/accounts?lang=ko")
            wire = chosen.extensions["network_stream"].get_extra_info("ssl_object")
            spoken = wire.version()
        with pytest.raises(httpx.RemoteProtocolError):
            httpx.get(address.replace("https", "http"))
    assert spoken == "TLSv1.3"
    assert entered.status_code == 303
    assert entered.headers["set-cookie"].startswith("__Host-pitwatch=")
    for answer in (entered, chosen):
        assert "max-age=31536000" in answer.headers["strict-transport-security"]
        assert "Secure" in answer.headers["set-cookie"].split("; ")
    assert {line.address for line in AccessStore(store).log(AccessQuery(user="root"))} == {
        "127.0.0.1"
    }


@pytest.mark.parametrize(
    ("trusted", "seen"), [("127.0.0.1", "203.0.113.9"), ("192.0.2.1", "127.0.0.1")]
)
def test_only_a_proxy_that_is_known_says_where_a_request_came_from(
    store: Store, settings: Settings, trusted: str, seen: str
) -> None:
    url = "https://pitwatch.example"
    behind = settings.model_copy(update={"public_url": url, "trusted_proxies": trusted, "port": 0})
    app = create_app(store, behind)
    # What a stranger claims stands before what the proxy adds.
    told = {"X-Forwarded-For": "198.51.100.7, 203.0.113.9", "X-Forwarded-Proto": "http"}
    form = {"name": "nobody", "password": PASSWORD}
    with running(app, behind) as port:
        answer = httpx.post(
            f"http://127.0.0.1:{port}/login",
            data=form,
            headers=told | {"Host": "pitwatch.example", "Origin": url},
        )
    assert answer.headers["strict-transport-security"]
    lines = AccessStore(store).log(AccessQuery(act="session.failed"))
    assert [line.address for line in lines] == [seen]
