"""`pitwatch serve`: the web interface over the record."""

import socket
from contextlib import closing
from pathlib import Path

from audit.cli.output import say
from audit.cli.places import settings_for
from audit.errors import SettingsError
from audit.sealing import sealed_every
from audit.store import open_store
from audit.web.app import LOOPBACK_HOSTS, create_app
from audit.web.server import run


def serve_web(*, host: str | None, port: int | None, data: Path | None) -> int:
    """Serve until Ctrl-C.

    Raises:
        SettingsError: The port is in use or the address is not one of this machine.
        StoreError: The record cannot be opened.
    """
    settings = settings_for(data, host=host, port=port)
    need_free(settings.host, settings.port)
    store = open_store(settings.database_url, settings.data_dir)
    with closing(store), sealed_every(store, settings.checkpoint_every_s):
        if settings.host not in LOOPBACK_HOSTS | {"::1"}:
            say(f"Warning: no accounts yet: whoever reaches {settings.host} can use all of it")
        say(f"Serving on http://{settings.host}:{settings.port} (Ctrl-C ends it)")
        run(create_app(store, settings), host=settings.host, port=settings.port)
    return 0


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
