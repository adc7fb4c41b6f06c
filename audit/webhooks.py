"""Webhooks: who is told of what, and how one message is signed and sent.

Messages follow the Standard Webhooks specification, version 1 (the headers `webhook-id`,
`webhook-timestamp` and `webhook-signature`), so that receivers can check them with libraries that
are there for most languages. `audit.messenger` sends them, from the outbox.
"""

import base64
import binascii
import hashlib
import hmac
import http.client
import json
import os
import ssl
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from typing import Annotated, Literal, Self
from urllib.parse import urlsplit

from pydantic import AfterValidator, BaseModel, ConfigDict, Field, SecretStr, model_validator

from audit.chain import JsonObject, canonical
from audit.errors import SettingsError
from audit.outbox import EVENT_TYPES, OutboxEvent
from audit.toml_lines import parse_toml, read_text
from rules.findings import Severity

TIMEOUT_S = 10.0
"""How long a receiver may take to answer: it should queue a message, not work on it."""

KEY_BYTES = 24
"""The fewest bytes of a secret, as the specification asks for."""

_ANSWER_BYTES = 4096
_PREFIX = "whsec_"
_ORDER = tuple(Severity)


@dataclass(frozen=True, slots=True)
class Subscription:
    """Somebody who is told."""

    name: str
    """Its name in messages and in the work that waits for it."""
    url: str
    secret: bytes = field(repr=False)
    types: frozenset[str] = frozenset()
    """Which events; empty for all."""
    tables: frozenset[str] = frozenset()
    """Of which tables; empty for all. Events of no table are then left out."""
    severity_at_least: Severity | None = None
    """Only alerts that are so grave; other events have no severity and are told."""
    ca_file: Path | None = None
    """The certificates that sign the receiver's, where it has one of the house's own."""

    @property
    def place(self) -> str:
        """Where it goes, as logs may show it: paths and queries often hold secrets."""
        parts = urlsplit(self.url)
        return f"{parts.scheme}://{parts.netloc}"

    def wants(self, event: OutboxEvent) -> bool:
        """Say whether it is told of an event."""
        if self.types and event.type not in self.types:
            return False
        if self.tables and event.table not in self.tables:
            return False
        least = self.severity_at_least
        if least is None or event.severity is None:
            return True
        return _ORDER.index(event.severity) >= _ORDER.index(least)


def _web_address(url: str) -> str:
    parts = urlsplit(url)
    if parts.scheme not in ("http", "https") or not parts.hostname:
        raise ValueError("expected an address that begins with http:// or https://")
    if parts.username or parts.password or parts.fragment:
        raise ValueError("expected an address without a user, password or fragment")
    if not url.isascii() or not url.isprintable() or " " in url:
        raise ValueError("expected an address of plain characters")
    return url


def _known_type(name: str) -> str:
    if name not in EVENT_TYPES.values():
        raise ValueError(f"expected one of {', '.join(sorted(EVENT_TYPES.values()))}")
    return name


_Grave = Literal["low", "medium", "high", "critical"]


class _Webhook(BaseModel):
    model_config = ConfigDict(extra="forbid", hide_input_in_errors=True)

    name: Annotated[str, Field(pattern=r"^[a-z0-9][a-z0-9-]{0,63}$")]
    url: Annotated[str, AfterValidator(_web_address)]
    secret: SecretStr | None = None
    secret_file: Path | None = None
    secret_env: str | None = None
    types: list[Annotated[str, AfterValidator(_known_type)]] = []
    tables: list[str] = []
    severity_at_least: _Grave | None = None
    ca_file: Path | None = None

    @model_validator(mode="after")
    def _one_secret(self) -> Self:
        given = [self.secret, self.secret_file, self.secret_env]
        if sum(one is not None for one in given) != 1:
            raise ValueError("expected one of secret, secret_file and secret_env")
        return self


class _File(BaseModel):
    model_config = ConfigDict(extra="forbid")

    webhook: list[_Webhook] = []


def load_subscriptions(path: Path | None) -> tuple[Subscription, ...]:
    """Return the subscriptions of a file; none where there is no file.

    Raises:
        SettingsError: It cannot be used; the line names the file, the line and the key, and never
            shows a secret.
    """
    if path is None:
        return ()
    hooks = parse_toml(read_text(path, "webhook subscriptions"), str(path), _File).webhook
    names = [hook.name for hook in hooks]
    twice = next((name for name in names if names.count(name) > 1), None)
    if twice is not None:
        raise SettingsError(f"{path}: webhook: found the name {twice!r} twice, expected it once")
    return tuple(_subscription(hook, path) for hook in hooks)


def _subscription(hook: _Webhook, path: Path) -> Subscription:
    where = f"{path}: webhook {hook.name}"
    if hook.ca_file is not None and not hook.ca_file.is_file():
        raise SettingsError(f"{where}: ca_file: {hook.ca_file}: not found")
    return Subscription(
        name=hook.name,
        url=hook.url,
        secret=_key(_secret_text(hook, where), where),
        types=frozenset(hook.types),
        tables=frozenset(hook.tables),
        severity_at_least=_severity(hook.severity_at_least),
        ca_file=hook.ca_file,
    )


def _severity(text: _Grave | None) -> Severity | None:
    return None if text is None else Severity(text)


def _secret_text(hook: _Webhook, where: str) -> str:
    if hook.secret is not None:
        return hook.secret.get_secret_value()
    if hook.secret_file is not None:
        try:
            return hook.secret_file.read_text(encoding="utf-8").strip()
        except (OSError, UnicodeDecodeError):
            raise SettingsError(
                f"{where}: secret_file: {hook.secret_file}: cannot be read"
            ) from None
    name = str(hook.secret_env)
    if name not in os.environ:
        raise SettingsError(f"{where}: secret_env: no variable {name} in the environment")
    return os.environ[name]


def _key(text: str, where: str) -> bytes:
    key = text.encode()
    if text.startswith(_PREFIX):
        try:
            key = base64.b64decode(text.removeprefix(_PREFIX), validate=True)
        except binascii.Error:
            raise SettingsError(f"{where}: secret: expected base64 after {_PREFIX}") from None
    if len(key) < KEY_BYTES:
        raise SettingsError(f"{where}: secret: expected at least {KEY_BYTES} bytes")
    return key


@dataclass(frozen=True, slots=True)
class Message:
    """One message as it is sent."""

    id: str
    """The event's stable name: the same at every try."""
    body: bytes

    @classmethod
    def of(cls, content: JsonObject) -> Self:
        """Return the message with a content, byte for byte the same each time."""
        return cls(str(content["id"]), canonical(content))


def sign(secret: bytes, message: Message, timestamp: int) -> str:
    """Return the signature header of a message sent at a time.

    The time is signed too, so that a message that was overheard cannot be sent again later.

    Args:
        secret: The key.
        message: What is sent.
        timestamp: Unix seconds.

    >>> sign(b"0" * 24, Message("evt_1", b"{}"), 1)
    'v1,CuLpiSnIcl7TyeBK7ygyArUvNo6jmTCoF9ano8nSUPA='
    """
    signed = f"{message.id}.{timestamp}.".encode() + message.body
    digest = hmac.new(secret, signed, hashlib.sha256).digest()
    return f"v1,{base64.b64encode(digest).decode()}"


def send(subscription: Subscription, message: Message) -> str | None:
    """Send a message once; return what went wrong, or None when it arrived.

    Any answer of 200 to 299 is an arrival. Redirects are not followed: a receiver that moved is a
    matter for whoever wrote its address down.
    """
    timestamp = int(datetime.now(UTC).timestamp())
    headers = {
        "Content-Type": "application/json",
        "User-Agent": "pitwatch",
        "webhook-id": message.id,
        "webhook-timestamp": str(timestamp),
        "webhook-signature": sign(subscription.secret, message, timestamp),
    }
    parts = urlsplit(subscription.url)
    path = parts.path or "/"
    try:
        connection = _connection(subscription)
        try:
            target = f"{path}?{parts.query}" if parts.query else path
            connection.request("POST", target, message.body, headers)
            answer = connection.getresponse()
            answer.read(_ANSWER_BYTES)
        finally:
            connection.close()
    except (OSError, http.client.HTTPException, ValueError) as error:
        # The text of an error may repeat the address, which may hold a secret.
        reason = error.strerror if isinstance(error, OSError) else None
        return f"not reached: {reason or type(error).__name__}"
    return None if 200 <= answer.status < 300 else f"answered {answer.status}"


def _connection(subscription: Subscription) -> http.client.HTTPConnection:
    parts = urlsplit(subscription.url)
    host = str(parts.hostname)
    if parts.scheme == "http":
        return http.client.HTTPConnection(host, parts.port, timeout=TIMEOUT_S)
    context = ssl.create_default_context(cafile=subscription.ca_file)
    return http.client.HTTPSConnection(host, parts.port, timeout=TIMEOUT_S, context=context)


def check_event() -> Message:
    """Return a message that only says that messages arrive; it tells of no entry."""
    now = datetime.now(UTC)
    told = {"id": f"evt_check_{now:%Y%m%d%H%M%S%f}", "type": "webhook.check"}
    return Message(told["id"], json.dumps(told).encode())
