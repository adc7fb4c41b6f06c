"""The key that signs checkpoints: an Ed25519 key in the data folder, made on the first start.

The private key lies in `keys/signing.pem`, mode 0600, unencrypted, since a watcher starts without a
person. Whoever can read it can sign; keep the folder to the account that runs pitwatch. The record
itself names the public key in the first entry of the `system` chain, and a new one only by an entry
that the old one has signed.
"""

import hashlib
import os
import tempfile
from contextlib import suppress
from pathlib import Path

from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey, Ed25519PublicKey
from cryptography.hazmat.primitives.serialization import (
    Encoding,
    NoEncryption,
    PrivateFormat,
    PublicFormat,
    load_pem_private_key,
)

from audit.errors import StoreError


class KeyUnreadable(StoreError):  # noqa: N818  # named for what the caller learns
    """There is a key file that this user may not read."""


ROTATION_PREFIX = b"pitwatch key rotation v1\x00"
"""What comes before a new public key when the old key signs it."""


def key_file(data_dir: Path) -> Path:
    """Return where the private key lies."""
    return data_dir / "keys" / "signing.pem"


def public_text(key: Ed25519PrivateKey) -> str:
    """Return a key's public half: 64 hexadecimal digits."""
    return key.public_key().public_bytes(Encoding.Raw, PublicFormat.Raw).hex()


def fingerprint(public: str) -> str:
    """Return a public key's short name, for people: 16 hexadecimal digits of its SHA-256."""
    return hashlib.sha256(bytes.fromhex(public)).hexdigest()[:16]


def signature_holds(public: str, signature: str, message: bytes) -> bool:
    """Say whether a signature, in hexadecimal digits, is that of a public key over a message."""
    try:
        key = Ed25519PublicKey.from_public_bytes(bytes.fromhex(public))
        key.verify(bytes.fromhex(signature), message)
    except (InvalidSignature, ValueError):
        return False
    return True


def load_key(data_dir: Path) -> Ed25519PrivateKey | None:
    """Return the signing key of a data folder; None when there is none yet.

    Raises:
        StoreError: There is a file, but it cannot be read or is no Ed25519 key.
    """
    return _load(key_file(data_dir))


def _load(path: Path) -> Ed25519PrivateKey | None:
    try:
        key = load_pem_private_key(path.read_bytes(), password=None)
    except (FileNotFoundError, NotADirectoryError):
        return None
    except OSError as error:
        raise KeyUnreadable(
            f"{path}: {error.strerror}; give this user the right to read it"
        ) from None
    except (ValueError, TypeError):
        raise StoreError(f"{path}: not a signing key; restore it from the last backup") from None
    if not isinstance(key, Ed25519PrivateKey):
        raise StoreError(f"{path}: found another kind of key, expected an Ed25519 key")
    return key


def make_key(data_dir: Path) -> Ed25519PrivateKey:
    """Return the signing key of a data folder, making it when there is none.

    Several processes may do so at once: one of them makes it, and all get the same.

    Raises:
        StoreError: The folder cannot be written.
    """
    path = key_file(data_dir)
    found = load_key(data_dir)
    if found is not None:
        return found
    key = Ed25519PrivateKey.generate()
    try:
        path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
        with suppress(FileExistsError):
            place_file(path, _pem(key), replace=False)
    except OSError as error:
        raise StoreError(
            f"cannot write {path}: {error.strerror}; choose another data folder"
        ) from None
    return load_key(data_dir) or key


def stage_key(data_dir: Path) -> Ed25519PrivateKey:
    """Make the key that is to follow, beside the one in use; `current_key` puts it in its place.

    Raises:
        StoreError: The folder cannot be written.
    """
    key = Ed25519PrivateKey.generate()
    try:
        place_file(_next_file(data_dir), _pem(key), replace=True)
    except OSError as error:
        raise StoreError(f"cannot write {_next_file(data_dir)}: {error.strerror}") from None
    return key


def sign_rotation(old: Ed25519PrivateKey, public: str) -> str:
    """Return the old key's signature under a new public key."""
    return old.sign(ROTATION_PREFIX + bytes.fromhex(public)).hex()


def current_key(data_dir: Path, public: str) -> Ed25519PrivateKey:
    """Return the private half of the key that the record names.

    After a rotation the next key takes the place of the old one, whose file stays beside it.

    Raises:
        StoreError: The data folder does not hold it.
    """
    path, follows = key_file(data_dir), _next_file(data_dir)
    key, after = load_key(data_dir), _load(follows)
    if key is not None and public_text(key) == public:
        return key
    if after is not None and public_text(after) == public:
        if key is not None:
            path.rename(path.with_name(f"signing-{fingerprint(public_text(key))}.pem"))
        follows.rename(path)
        return after
    found = "no signing key" if key is None else f"key {fingerprint(public_text(key))}"
    raise StoreError(
        f"{path}: found {found}, expected key {fingerprint(public)}, which the record names; "
        "put it back from the last backup"
    )


def _next_file(data_dir: Path) -> Path:
    return key_file(data_dir).with_name("signing-next.pem")


def _pem(key: Ed25519PrivateKey) -> bytes:
    return key.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, NoEncryption())


def place_file(path: Path, content: bytes, *, replace: bool) -> None:
    """Put a whole file in its place at once, readable by its owner alone.

    Raises:
        FileExistsError: It is there, and is not to be replaced.
        OSError: It cannot be written.
    """
    handle, name = tempfile.mkstemp(dir=path.parent)  # mkstemp makes files of mode 0600
    temporary = Path(name)
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(content)
            file.flush()
            os.fsync(file.fileno())
        if replace:
            temporary.replace(path)
        else:
            path.hardlink_to(temporary)
    finally:
        temporary.unlink(missing_ok=True)
