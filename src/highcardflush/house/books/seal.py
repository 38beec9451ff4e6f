"""Keeping a secret until its time: what a live round hides is encrypted with a key that is not in the database.

The stream and the number of the event go into the seal, so that what was sealed for one event cannot be put into
another. The digest of a request is keyed too: of seven cards there are only 133,784,560, and a plain hash would tell.
"""

from __future__ import annotations

import hashlib
import hmac
import os
import secrets
from pathlib import Path

from cryptography.exceptions import InvalidTag
from cryptography.hazmat.primitives.ciphers.aead import ChaCha20Poly1305

from highcardflush.errors import SealError

KEY_BYTES = 32
NONCE_BYTES = 12
BLOCK_BYTES = 512


class Seal:
    """The house key, at writer."""

    def __init__(self, key: bytes) -> None:
        if len(key) != KEY_BYTES:
            raise SealError("house key", read=f"{len(key)} bytes", expected=f"{KEY_BYTES} bytes")
        self._cipher = ChaCha20Poly1305(key)
        self._digest = hmac.new(hmac.digest(key, b"highcardflush request", "sha256"), digestmod="sha256")
        self.key_id = hashlib.sha256(b"highcardflush key id" + key).hexdigest()[:16]

    def close(self, plain: bytes, label: str) -> bytes:
        """Seal a JSON text. Blanks fill it up: else its length would tell in how many suits a hand lies."""
        nonce = secrets.token_bytes(NONCE_BYTES)
        filled = plain.ljust(-(-len(plain) // BLOCK_BYTES) * BLOCK_BYTES)
        return nonce + self._cipher.encrypt(nonce, filled, label.encode())

    def open(self, sealed: bytes, label: str) -> bytes:
        try:
            return self._cipher.decrypt(sealed[:NONCE_BYTES], sealed[NONCE_BYTES:], label.encode())
        except InvalidTag:
            raise SealError(
                label, read="a seal that does not open", expected="what was sealed with this house key"
            ) from None

    def digest(self, text: str) -> bytes:
        digest = self._digest.copy()
        digest.update(text.encode())
        return digest.digest()


def read_key(path: Path) -> bytes:
    """The house key in a file, 64 hex digits."""
    try:
        text = path.read_text(encoding="ascii").strip()
        key = bytes.fromhex(text)
    except FileNotFoundError:
        expected = "the house key: without it a live round cannot go on (HCF_KEY names its file)"
        raise SealError("house key", read="no such file", expected=expected, file=str(path)) from None
    except ValueError:
        raise SealError("house key", read="other characters", expected="64 hex digits", file=str(path)) from None
    except OSError as error:
        raise SealError("house key", read=str(error.strerror), expected="a file to read", file=str(path)) from None
    if len(key) != KEY_BYTES:
        raise SealError("house key", read=f"{len(text)} characters", expected="64 hex digits", file=str(path))
    return key


def write_new_key(path: Path) -> bytes:
    """A new house key in a new file that only its owner reads; there whole, on disk, or not at all."""
    key = secrets.token_bytes(KEY_BYTES)
    draft = path.with_name(f"{path.name}.{secrets.token_hex(4)}")
    try:
        handle = os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
        try:
            os.write(handle, key.hex().encode() + b"\n")
            os.fsync(handle)
        finally:
            os.close(handle)
        try:
            os.link(draft, path)  # unlike a rename it never replaces a key that is there
        finally:
            os.unlink(draft)
        _sync_folder(path.parent)
    except OSError as error:
        raise SealError("house key", read=str(error.strerror), expected="a new file", file=str(path)) from None
    return key


def _sync_folder(folder: Path) -> None:
    """A file is on disk when its name is too."""
    handle = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)
