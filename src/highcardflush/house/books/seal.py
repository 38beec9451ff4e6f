"""Encrypts the secrets of a live round with a key that is not in the database.

A seal is bound to the stream and number of its event, so it cannot be moved to another event. Each stream has its own
key, derived from the house key. Request digests are keyed too: there are only 133,784,560 hands of seven cards, so a
plain hash could be reversed by trying them all.
"""

import hashlib
import hmac
import secrets
from contextlib import suppress
from functools import lru_cache
from pathlib import Path

from cryptography.exceptions import InvalidTag
from cryptography.hazmat.primitives.ciphers.aead import ChaCha20Poly1305

from highcardflush.errors import SealError
from highcardflush.house.files import read_private, write_whole
from highcardflush.house.secret import Secret

KEY_BYTES = 32
NONCE_BYTES = 12
BLOCK_BYTES = 512
CIPHERS = 4_096
"""Maximum number of streams whose ciphers are cached."""


class HouseKey:
    """A house key and the keys derived from it. `replaces` is the id of the house key before it."""

    def __init__(self, key: Secret[bytes], replaces: str = "") -> None:
        if len(key.reveal()) != KEY_BYTES:
            raise SealError("house key", read=f"{len(key.reveal())} bytes", expected=f"{KEY_BYTES} bytes")
        self._key = key
        self.replaces = replaces
        self.id = hashlib.sha256(b"highcardflush key id" + key.reveal()).hexdigest()[:16]
        self._requests = self._derive("request")
        self.cipher = lru_cache(CIPHERS)(lambda stream: ChaCha20Poly1305(self._derive(f"seal {stream}").reveal()))

    def _derive(self, purpose: str) -> Secret[bytes]:
        return Secret(hmac.digest(self._key.reveal(), f"highcardflush {purpose}".encode(), "sha256"))

    def digest(self, text: str) -> bytes:
        return hmac.digest(self._requests.reveal(), text.encode(), "sha256")

    def line(self) -> str:
        return f"{self._key.reveal().hex()} {self.replaces}".rstrip() + "\n"


class Seal:
    """The current house key, and older keys that are used only to open seals."""

    def __init__(self, key: HouseKey, *older: HouseKey) -> None:
        self._keys = (key, *older)
        self.key_id = key.id

    def close(self, plain: bytes, stream: str, place: int | str) -> bytes:
        """Seal a JSON text, padded with blanks so that its length does not reveal the number of suits in a hand."""
        nonce = secrets.token_bytes(NONCE_BYTES)
        filled = plain.ljust(-(-len(plain) // BLOCK_BYTES) * BLOCK_BYTES)
        return nonce + self._keys[0].cipher(stream).encrypt(nonce, filled, f"{stream}/{place}".encode())

    def open(self, sealed: bytes, stream: str, place: int | str) -> bytes:
        label = f"{stream}/{place}"
        for key in self._keys:
            with suppress(InvalidTag):
                return key.cipher(stream).decrypt(sealed[:NONCE_BYTES], sealed[NONCE_BYTES:], label.encode())
        raise SealError(label, read="a seal that cannot be opened", expected="a seal made with this house key")

    def digests(self, text: str) -> tuple[bytes, ...]:
        """Return the digests of a text under all keys, starting with the current key."""
        return tuple(key.digest(text) for key in self._keys)


def read_keys(path: Path) -> tuple[HouseKey, ...]:
    """Read a file of house keys, newest first. Each line has a key in 64 hex digits and the id of the replaced key."""
    try:
        lines = (line.decode("ascii").strip().partition(" ") for line in read_private(path).reveal().splitlines())
        keys = tuple(HouseKey(Secret(bytes.fromhex(key)), replaces) for key, _, replaces in lines)
    except FileNotFoundError:
        expected = "the house key file, as set in HCF_KEY; if every copy is lost, run `hcf house new-key --lost`"
        raise key_error(path, "no such file", expected) from None
    except ValueError:
        raise key_error(path, "text that is not hexadecimal", "64 hex digits") from None
    except OSError as error:
        raise key_error(path, str(error.strerror), "a file that only its owner may read") from None
    except SealError as error:
        raise error.at(str(path)) from None
    if not keys:
        raise key_error(path, "an empty file", "64 hex digits")
    return keys


def key_error(path: Path, read: str, expected: str) -> SealError:
    return SealError("house key", read=read, expected=expected, file=str(path))


def add_key(path: Path, keys: tuple[HouseKey, ...] = (), replaces: str = "") -> HouseKey:
    """Add a new house key at the top of the key file, or write it to a new file that only its owner may read."""
    key = HouseKey(Secret(secrets.token_bytes(KEY_BYTES)), replaces)
    try:
        write_whole(path, Secret("".join(each.line() for each in (key, *keys)).encode()), 0o600, over=bool(keys))
    except OSError as error:
        raise key_error(path, str(error.strerror), "a writable file" if keys else "a new file") from None
    return key
