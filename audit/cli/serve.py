"""`pitwatch serve`: the web interface over the record."""

import socket
import ssl
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path

from fastapi import FastAPI

from audit.auth.door import Door
from audit.auth.registry import Registry
from audit.auth.sessions import Purpose
from audit.cli.bundling import Bundling
from audit.cli.output import say
from audit.cli.places import settings_for
from audit.errors import SettingsError
from audit.evidence.retention import load_retention
from audit.messenger import telling
from audit.policy import load_policy
from audit.reports.schedule import reporting
from audit.sealing import sealed_every
from audit.settings import Settings, check_web_address
from audit.stamping import stamper_for
from audit.store import open_store
from audit.watch.keeping import Keeper
from audit.web.app import LOOPBACK_HOSTS, create_app
from audit.web.server import run
from audit.webhooks import load_subscriptions

TERMINAL = "terminal"
"""Who acts at the command line, in the record: whoever may read the data folder."""


@dataclass(frozen=True, slots=True)
class ServeOptions:
    """What the command was asked for."""

    host: str | None = None
    port: int | None = None
    data: Path | None = None
    url: str | None = None
    cert: Path | None = None
    key: Path | None = None
    demo: bool = False


def serve_web(options: ServeOptions) -> int:
    """Serve until Ctrl-C.

    Raises:
        SettingsError: The port is in use, the address is not one of this machine, or people would
            reach it without TLS.
        StoreError: The record cannot be opened.
    """
    settings = _settings(options)
    need_tls(settings, demo=options.demo)
    need_free(settings.host, settings.port)
    subscriptions = load_subscriptions(settings.webhooks)
    policy = load_policy(settings.alert_policy)
    rules = load_retention(settings.retention)
    stamper = stamper_for(settings)
    store = open_store(settings.database_url, settings.data_dir, policy)
    keeper = Keeper(lambda: store, settings.data_dir, rules)
    with (
        closing(store),
        sealed_every(store, settings.checkpoint_every_s, stamper),
        telling(store, subscriptions),
        reporting(store, settings),
        keeper.at_work(),
    ):
        app = create_app(store, settings, demo=options.demo)
        app.state.bundler = Bundling(settings).bundle
        say(f"Serving on {settings.address} (Ctrl-C ends it)")
        if not options.demo:
            _say_how_to_begin(app, settings)
        run(app, settings)
    return 0


def _settings(options: ServeOptions) -> Settings:
    settings = settings_for(options.data, host=options.host, port=options.port)
    try:
        url = settings.public_url if options.url is None else check_web_address(options.url)
    except ValueError as error:
        raise SettingsError(f"--url: found {options.url!r}: {error}") from None
    return settings.model_copy(
        update={
            # The demonstration lets in whoever asks: no name but this machine's reaches it.
            "public_url": "" if options.demo else url,
            "tls_cert": options.cert or settings.tls_cert,
            "tls_key": options.key or settings.tls_key,
        }
    )


def _say_how_to_begin(app: FastAPI, settings: Settings) -> None:
    """Tell the way in while nobody can manage accounts: there is no default password."""
    registry: Registry = app.state.registry
    door: Door = app.state.door
    if registry.needs_administrator():
        token = door.make_link(Purpose.SETUP, TERMINAL)
        say("There is no administrator yet. Make the first one with this link; it works once:")
        say(f"  {settings.address}/welcome/{token}")


def need_tls(settings: Settings, *, demo: bool = False) -> None:
    """See that passwords never cross a network in the clear.

    Raises:
        SettingsError: They would; the line says what to do.
    """
    if (settings.tls_cert is None) is not (settings.tls_key is None):
        raise SettingsError("TLS: expected both a certificate (--cert) and its key (--key)")
    for file in (settings.tls_cert, settings.tls_key):
        if file is not None and not file.is_file():
            raise SettingsError(f"{file}: not found (expected a PEM file for TLS)")
    if settings.tls_cert is not None and settings.tls_key is not None:
        _try_tls(settings.tls_cert, settings.tls_key)
    if settings.host in LOOPBACK_HOSTS | {"::1"}:
        return
    if demo:
        raise SettingsError("the demonstration has no passwords: it is shown on this machine only")
    if not settings.public_url.startswith("https://"):
        raise SettingsError(
            f"--host {settings.host!r} is not 127.0.0.1: expected --url https://NAME, the address "
            "under which people reach it, and TLS: --cert, --key or a proxy (see docs/access.md)"
        )


def _try_tls(cert: Path, key: Path) -> None:
    try:
        ssl.create_default_context(ssl.Purpose.CLIENT_AUTH).load_cert_chain(cert, key)
    except (ssl.SSLError, OSError) as error:
        raise SettingsError(
            f"{cert}, {key}: not a certificate with its key (PEM): {error}"
        ) from None


def need_free(host: str, port: int) -> None:
    """See that a port can be listened on.

    Raises:
        SettingsError: It cannot; the line says why and what to do.
    """
    if not host.strip() or not 1 <= port <= 65535:
        # The system would take no host for every address, and port 0 for any port.
        raise SettingsError(
            f"cannot serve on {host!r}, port {port}: expected an address such as 127.0.0.1 "
            "and a port from 1 to 65535"
        )
    with socket.socket(socket.AF_INET6 if ":" in host else socket.AF_INET) as probe:
        # As the server will: a port that a just-ended server left in TIME_WAIT is free.
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind((host, port))
        except OSError as error:
            raise SettingsError(
                f"cannot serve on {host}:{port}: {(error.strerror or str(error)).lower()} "
                f"(choose another with --port, such as --port {port + 1 if port < 65535 else 8000})"
            ) from None
