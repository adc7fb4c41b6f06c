"""Passwords, tokens and their digests: what is kept of them never gives them back.

Passwords follow NIST SP 800-63B-4 section 3.1.1.2: at least 15 characters where a password is all
there is, no rules of composition, no changing by the calendar, and none that is easily guessed.
"""

import hashlib
import hmac
import secrets
import unicodedata
from collections.abc import Iterable
from threading import BoundedSemaphore

from pwdlib import PasswordHash
from pwdlib.hashers.argon2 import Argon2Hasher
from zxcvbn import zxcvbn

from audit.errors import AuditError

MIN_PASSWORD = 15
"""Characters: SP 800-63B-4 section 3.1.1.2, for a password without a second factor."""

MAX_PASSWORD = 128
"""Characters; the standard asks for at least 64."""

MIN_SCORE = 3
"""Of zxcvbn's 0 to 4: beyond 10^8 guesses. Below it stand common passwords, runs, repeated words
and the account's own names."""

_GUESSED = 72
"""Characters that zxcvbn looks at: its time grows faster than the length."""

TOKEN_BYTES = 32
"""Of randomness in every token; nobody guesses 256 bits."""

_HASHER = PasswordHash((Argon2Hasher(),))

_AT_ONCE = BoundedSemaphore(2)
"""Each hash takes 64 MiB and a core: many at once would starve the record."""


def new_token() -> str:
    """Return a random token for a session, link or key, fit for an address."""
    return secrets.token_urlsafe(TOKEN_BYTES)


def digest(secret: str) -> str:
    """Return what is kept of a random token or a password hash: SHA-256, 64 hexadecimal digits.

    >>> digest("token")[:8]
    '3c469e9d'
    """
    return hashlib.sha256(secret.encode("utf-8", "surrogatepass")).hexdigest()


def form_token(token: str) -> str:
    """Return what the forms of a session carry, so that no other site can send them."""
    return hmac.new(token.encode(), b"pitwatch form v1", hashlib.sha256).hexdigest()


def same(one: str, other: str) -> bool:
    """Say whether two secrets are the same, in a time that does not tell where they differ."""
    return hmac.compare_digest(one.encode(), other.encode())


def normal(password: str) -> str:
    """Return a password as it is hashed: the same however the keyboard put it together."""
    return unicodedata.normalize("NFKC", password)


def check_password(password: str, about: Iterable[str] = ()) -> None:
    """Refuse a password that is easily guessed.

    Args:
        password: As it was typed.
        about: What an attacker would try first: the account's and the person's name.

    Raises:
        WeakPassword: The line says what is wrong with it.
    """
    typed = normal(password)
    if len(typed) < MIN_PASSWORD:
        raise WeakPassword("short", f"password: expected at least {MIN_PASSWORD} characters")
    if len(typed) > MAX_PASSWORD:
        raise WeakPassword("long", f"password: expected at most {MAX_PASSWORD} characters")
    if any(unicodedata.category(character) in ("Cc", "Cs") for character in typed):
        raise WeakPassword("signs", "password: found a control character")
    known = ["pitwatch", "casino", *(word for word in about if word)]
    if zxcvbn(typed[:_GUESSED], user_inputs=known)["score"] < MIN_SCORE:
        raise WeakPassword("common", "password: easily guessed; several unrelated words are better")


class WeakPassword(AuditError):  # noqa: N818  # named for what was given
    """A password that may not be used."""

    def __init__(self, reason: str, line: str) -> None:
        super().__init__(line)
        self.reason = reason
        """`short`, `long`, `signs` or `common`."""


def hashed(password: str) -> str:
    """Return an argon2id hash with a salt of its own."""
    with _AT_ONCE:
        return _HASHER.hash(normal(password))


def matches(password: str, kept: str | None) -> bool:
    """Say whether a password is the one that was hashed.

    Without a hash it takes as long and says no, so that the time does not tell who has an account.
    """
    if len(password) > 4 * MAX_PASSWORD:
        return False
    with _AT_ONCE:
        try:
            found = _HASHER.verify(normal(password), kept or _nobodys_hash())
        except (ValueError, UnicodeEncodeError):
            return False
    return found and kept is not None


_nobodys: list[str] = []


def _nobodys_hash() -> str:
    if not _nobodys:
        _nobodys.append(_HASHER.hash(new_token()))
    return _nobodys[0]
