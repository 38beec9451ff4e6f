"""Chain heads: the last event of every stream, stored outside the database to reveal any rewriting.

A hash chain reveals a change in its middle. But anybody who may write to the database can rewrite a stream up to its
end, or delete its last events. Exported heads reveal both, because the database must still have an event with the same
number and hash. The file (docs/audit.md) also contains the sums at that time, so the next audit continues from there.
"""

import hashlib
from collections import Counter
from collections.abc import Iterator
from contextlib import suppress
from typing import Any

import msgspec
from msgspec import Struct

from highcardflush import structs
from highcardflush.errors import HcfError
from highcardflush.house.audit.books import Books, Event, Moment, Wallet, chain_hash
from highcardflush.house.audit.findings import Finding

LABEL = "highcardflush heads 1"


class HeadsError(HcfError, code="bad-heads"):
    """An error in a heads file, a key or a signature."""


class Head(Struct, frozen=True, omit_defaults=True):
    """The last event of a stream. For a table, the next audit begins with the events `opening` and `config`."""

    stream: str
    seq: int
    hash: str
    opening: int = 0
    config: int = 0
    config_hash: str = ""
    house_micros: int = 0
    """Micro-dollars that the stream's events had moved to the house."""


class Flowed(Struct, frozen=True):
    """The amounts that a table had moved into a meter and its reserve, in total and up to the meter's last count."""

    meter: str
    stream: str
    seq: int
    meter_micros: int
    reserve_micros: int
    cut: int
    cut_meter_micros: int
    cut_reserve_micros: int


class Heads(Struct, frozen=True, omit_defaults=True, kw_only=True):
    """The contents of a heads file. `house` is the hash of the office's first event, which identifies the house."""

    format: str = LABEL
    house: str
    at: int
    since: str = ""
    """Digest of the heads from which the audit continued. It is empty after a full audit."""
    streams: tuple[Head, ...]
    accounts: dict[str, int]
    """The balance of each account, in micro-dollars."""
    wallets: dict[str, Wallet]
    """The row of each player's wallet."""
    flows: tuple[Flowed, ...]
    digest: str = ""
    signature: str = ""


def house_id(books: Books) -> str:
    """Return the hash of the office's first event, or an empty string if that event is missing."""
    first = books.event("office", 1)
    return first.hash.hex() if first else ""


def digest_of(heads: Heads) -> str:
    names = ("house", "at", "since", "streams", "accounts", "wallets", "flows")
    plain = {name: getattr(heads, name) for name in names}
    return hashlib.sha256(msgspec.json.encode(plain, order="sorted")).hexdigest()


def new_key() -> tuple[bytes, bytes]:
    """Return a new key pair in PEM format, the private key first."""
    from cryptography.hazmat.primitives import serialization as s
    from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

    key = Ed25519PrivateKey.generate()
    private = key.private_bytes(s.Encoding.PEM, s.PrivateFormat.PKCS8, s.NoEncryption())
    return private, key.public_key().public_bytes(s.Encoding.PEM, s.PublicFormat.SubjectPublicKeyInfo)


def sign(heads: Heads, private_pem: bytes) -> Heads:
    signature = _key("signing key", "private", private_pem).sign(_message(heads))
    return msgspec.structs.replace(heads, signature=signature.hex())


def verify(heads: Heads, public_pem: bytes) -> None:
    """Refuse heads that were not signed with this key."""
    from cryptography.exceptions import InvalidSignature

    if not heads.signature:
        raise HeadsError("signature", read="nothing", expected="a signature by this key")
    key = _key("public key", "public", public_pem)
    try:
        key.verify(bytes.fromhex(heads.signature), _message(heads))
    except (InvalidSignature, ValueError):
        raise HeadsError("signature", read=heads.signature, expected="a signature by this key") from None


def _message(heads: Heads) -> bytes:
    return f"{LABEL}\n{heads.digest}".encode()


def _key(what: str, sort: str, pem: bytes) -> Any:
    """Return the private or public key in PEM data. Refuse any other data."""
    from cryptography.hazmat.primitives import serialization as s
    from cryptography.hazmat.primitives.asymmetric import ed25519

    with suppress(TypeError, ValueError):
        key = s.load_pem_private_key(pem, None) if sort == "private" else s.load_pem_public_key(pem)
        if isinstance(key, ed25519.Ed25519PrivateKey | ed25519.Ed25519PublicKey):
            return key
    raise HeadsError(what, read="other data", expected=f"an Ed25519 {sort} key in PEM format")


def parse_heads(text: bytes) -> Heads:
    """Parse a heads file. Refuse a file that has been changed."""
    try:
        heads = structs.decode(text, Heads)
    except msgspec.DecodeError as error:
        raise HeadsError("heads", read=str(error), expected="a file that hcf audit --export-heads wrote") from None
    if heads.format != LABEL:
        raise HeadsError("heads", read=heads.format, expected=LABEL)
    if heads.digest != digest_of(heads):
        raise HeadsError("heads: digest", read=heads.digest or "nothing", expected=digest_of(heads))
    return heads


def check(heads: Heads, books: Books, moment: Moment, covered: Counter[str]) -> Iterator[Finding]:
    """Require that the database still has the event of every head."""
    if (house := house_id(books)) != heads.house:
        yield Finding("office 1", "the heads belong to another house", house or "nothing", heads.house)
        return
    for head in heads.streams:
        covered["heads"] += 1
        event, where, last = books.event(head.stream, head.seq), f"{head.stream} {head.seq}", moment.end(head.stream)
        if not last:
            yield Finding(where, "the whole stream is missing", "no events", f"{head.seq} events")
        elif last < head.seq:
            yield Finding(where, "the last events are missing", f"{last} events", f"{head.seq} or more")
        else:
            yield from _met(event, where, head.hash)
        if head.config:  # The audit may not read this old event again, so its own hash is checked here.
            event, where = books.event(head.stream, head.config), f"{head.stream} {head.config}"
            yield from _met(event, where, head.config_hash)
            before = books.event(head.stream, head.config - 1)
            if event and (digest := chain_hash(before, event)) != event.hash:
                yield Finding(where, "the hash of this configuration", event.hash.hex(), digest.hex())


def _met(event: Event | None, where: str, expected: str) -> Iterator[Finding]:
    if event is None:
        yield Finding(where, "the event of the head", "nothing", expected)
    elif event.hash.hex() != expected:
        yield Finding(where, "the hash of the head (this or an earlier event was changed)", event.hash.hex(), expected)
