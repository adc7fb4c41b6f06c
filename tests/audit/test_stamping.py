"""Law: a time stamp is kept once it was verified, waits while it cannot be had, and is checked."""

import subprocess
import threading
import time
from collections.abc import Iterator
from dataclasses import dataclass
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path

import pytest
from rfc3161_client import decode_timestamp_response

from audit.errors import SettingsError
from audit.faults import FaultKind
from audit.sealing import sealed_every
from audit.settings import Settings
from audit.stamping import (
    Authority,
    Stamper,
    StampProbe,
    load_roots,
    stamp_file,
    stamper_for,
    waiting_stamps,
)
from audit.store import Store, open_store
from audit.verify import Outside, verify
from tests.audit.record_builders import NOW, see, turned

CONFIG = """
[tsa]
default_tsa = here
[here]
serial = serial
signer_cert = tsa.pem
signer_key = tsa.key
signer_digest = sha256
default_policy = 1.2.3.4.1
digests = sha256
ess_cert_id_alg = sha256
[leaf]
extendedKeyUsage = critical,timeStamping
"""


@dataclass(frozen=True, slots=True)
class LocalAuthority:
    """A time stamp authority of this test's own, made with openssl."""

    folder: Path

    def run(self, command: str) -> None:
        words = ["openssl", *command.split()]
        subprocess.run(words, cwd=self.folder, check=True, capture_output=True)

    def set_up(self) -> None:
        (self.folder / "tsa.cnf").write_text(CONFIG)
        (self.folder / "serial").write_text("01\n")
        new = "-newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes"
        self.run(f"req -x509 {new} -keyout ca.key -out ca.pem -subj /CN=Root -days 30")
        self.run(f"req {new} -keyout tsa.key -out tsa.csr -subj /CN=TSA")
        signed = "-CA ca.pem -CAkey ca.key -CAcreateserial -extfile tsa.cnf -extensions leaf"
        self.run(f"x509 -req -in tsa.csr {signed} -out tsa.pem -days 30")

    def answer(self, request: bytes) -> bytes:
        (self.folder / "asked").write_bytes(request)
        self.run("ts -reply -config tsa.cnf -queryfile asked -out told")
        return (self.folder / "told").read_bytes()


@pytest.fixture(scope="module")
def authority(tmp_path_factory: pytest.TempPathFactory) -> LocalAuthority:
    made = LocalAuthority(tmp_path_factory.mktemp("tsa"))
    made.set_up()
    return made


@pytest.fixture
def address(authority: LocalAuthority) -> Iterator[str]:
    """Serves the authority over HTTP, as a real one does."""

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:  # its name in the library
            request = self.rfile.read(int(self.headers["Content-Length"]))
            assert self.headers["Content-Type"] == "application/timestamp-query"
            self.send_response(200)
            self.end_headers()
            self.wfile.write(authority.answer(request))

        def log_message(self, *_: object) -> None:
            pass

    server = HTTPServer(("127.0.0.1", 0), Handler)
    thread = threading.Thread(target=server.serve_forever)
    thread.start()
    yield f"http://127.0.0.1:{server.server_port}/tsr"
    server.shutdown()
    thread.join()
    server.server_close()


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    opened = open_store(f"sqlite:///{tmp_path / 'record.db'}", tmp_path / "data")
    yield opened
    opened.close()


def grow(store: Store) -> None:
    see(store, "T1", [turned()], anchor=NOW)


def test_checkpoints_are_stamped_over_http_and_openssl_agrees(
    store: Store, address: str, authority: LocalAuthority
) -> None:
    settings = Settings(
        data_dir=store.data_dir,
        timestamp_url=address,
        timestamp_roots=authority.folder / "ca.pem",
    )
    with sealed_every(store, 0.05, stamper_for(settings)):
        grow(store)
        deadline = time.monotonic() + 20
        while not stamp_file(store.data_dir, 1).exists() and time.monotonic() < deadline:
            time.sleep(0.02)
    stamp = stamp_file(store.data_dir, 1)
    asked = stamp.with_suffix(".tsq")
    authority.run(f"ts -verify -queryfile {asked} -in {stamp} -CAfile ca.pem")
    at = decode_timestamp_response(stamp.read_bytes()).tst_info.gen_time
    assert abs(at.timestamp() - time.time()) < 60
    probe = StampProbe(load_roots(settings.timestamp_roots))
    assert verify(store, Outside(store.data_dir, probes=(probe,))).holds


def test_requests_wait_while_the_authority_is_away_also_across_a_restart(
    store: Store, authority: LocalAuthority
) -> None:
    roots = load_roots(authority.folder / "ca.pem")
    away = Stamper(store.data_dir, roots, Authority("http://127.0.0.1:9/tsr").send)
    for _ in range(3):
        grow(store)
        away.ask(store.checkpoint())
        assert away.send() == 0
    assert waiting_stamps(store.data_dir) == [1, 2, 3]
    back = Stamper(store.data_dir, roots, authority.answer)
    assert back.send() == 3
    assert waiting_stamps(store.data_dir) == []
    assert verify(store, Outside(store.data_dir, probes=(StampProbe(roots),))).holds


def test_an_answer_that_is_none_is_not_kept(store: Store, authority: LocalAuthority) -> None:
    roots = load_roots(authority.folder / "ca.pem")
    grow(store)
    checkpoint = store.checkpoint()
    earlier: list[bytes] = []

    def replayed(request: bytes) -> bytes:
        earlier.append(authority.answer(request))
        return earlier[0]

    for send in (lambda _: b"", lambda _: b"nonsense", replayed):
        stamper = Stamper(store.data_dir, roots if send is not replayed else (), send)
        stamper.ask(checkpoint)
        assert stamper.send() == 0
    stamper = Stamper(store.data_dir, roots, replayed)
    stamper.send()
    assert waiting_stamps(store.data_dir) == [1]


def test_a_time_stamp_swapped_bent_or_of_another_authority_is_named(
    store: Store, authority: LocalAuthority, tmp_path: Path
) -> None:
    roots = load_roots(authority.folder / "ca.pem")
    stamper = Stamper(store.data_dir, roots, authority.answer)
    for _ in range(2):
        grow(store)
        stamper.ask(store.checkpoint())
    assert stamper.send() == 2
    one, two = (stamp_file(store.data_dir, number) for number in (1, 2))
    kept = two.read_bytes()
    other = LocalAuthority(tmp_path)
    other.set_up()
    wrongs = {
        "something else than checkpoint 2": one.read_bytes(),
        "not a time stamp of this authority": kept[:-40] + bytes(40),
        "of this authority: ": other.answer(two.with_suffix(".tsq").read_bytes()),
    }
    outside = Outside(store.data_dir, probes=(StampProbe(roots),))
    for told, content in wrongs.items():
        two.write_bytes(content)
        fault = verify(store, outside).fault
        assert fault is not None
        assert (fault.kind, fault.where) == (FaultKind.TIME_STAMP, "timestamps/00000002.tsr")
        assert told in fault.text
    two.write_bytes(kept)
    assert verify(store, outside).holds


def test_an_authority_without_certificates_is_a_wrong_setting(tmp_path: Path) -> None:
    settings = Settings(data_dir=tmp_path, timestamp_url="http://tsa.example/tsr")
    with pytest.raises(SettingsError, match="timestamp_roots: expected"):
        stamper_for(settings)
    (tmp_path / "empty.pem").write_text("nothing")
    with pytest.raises(SettingsError, match="found no certificates"):
        load_roots(tmp_path / "empty.pem")
