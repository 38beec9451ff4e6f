"""Chain heads: where every stream stood, kept outside the database, so that no past can be written anew.

A hash chain shows a change in its middle, but whoever may write the database can write a stream anew to its end, or
cut its tail. An exported head cannot be met by either: the database must still have, at that place, an event of
that hash. docs/audit.md has the format of the file.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterator
from contextlib import suppress
from typing import Any

import msgspec
from msgspec import Struct

from highcardflush import structs
from highcardflush.errors import HcfError
from highcardflush.house.audit.books import Books
from highcardflush.house.audit.findings import Finding

LABEL = "highcardflush heads 1"


class HeadsError(HcfError, code="bad-heads"):
    """A file of heads, a key or a signature does not fit."""


class Head(Struct, frozen=True):
    """The last event of a stream; `hash` is hex."""

    stream: str
    seq: int
    hash: str


class Heads(Struct, frozen=True, omit_defaults=True, kw_only=True):
    """A file of heads. `house` is the hash of the first event of the office, which no two houses share."""

    format: str = LABEL
    house: str
    at: int
    streams: tuple[Head, ...]
    digest: str = ""
    signature: str = ""


def read_heads(books: Books, at: int) -> Heads:
    """The heads as they stand; `at` is the time of the export in microseconds since 1970 UTC."""
    rows = books.rows(
        "SELECT e.stream, e.seq, e.hash FROM events e"
        " JOIN (SELECT stream, MAX(seq) AS seq FROM events GROUP BY stream) l ON l.stream = e.stream AND l.seq = e.seq"
    )
    streams = tuple(Head(stream, seq, digest.hex()) for stream, seq, digest in sorted(rows))
    heads = Heads(house=house_id(books), at=at, streams=streams)
    return msgspec.structs.replace(heads, digest=digest_of(heads))


def house_id(books: Books) -> str:
    first = books.event("office", 1)
    if first is None:
        raise HeadsError("heads", read="no event in the office", expected="the books of a house")
    return first.hash.hex()


def digest_of(heads: Heads) -> str:
    plain = {"house": heads.house, "at": heads.at, "streams": heads.streams}
    return hashlib.sha256(msgspec.json.encode(plain, order="sorted")).hexdigest()


# --- keys and signatures -------------------------------------------------------------------------


def new_key() -> tuple[bytes, bytes]:
    """A new pair of keys in PEM, the private one first."""
    from cryptography.hazmat.primitives import serialization as s
    from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

    key = Ed25519PrivateKey.generate()
    private = key.private_bytes(s.Encoding.PEM, s.PrivateFormat.PKCS8, s.NoEncryption())
    return private, key.public_key().public_bytes(s.Encoding.PEM, s.PublicFormat.SubjectPublicKeyInfo)


def sign(heads: Heads, private_pem: bytes) -> Heads:
    from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
    from cryptography.hazmat.primitives.serialization import load_pem_private_key

    key = _key("signing key", "private", lambda: load_pem_private_key(private_pem, None), Ed25519PrivateKey)
    return msgspec.structs.replace(heads, signature=key.sign(_message(heads)).hex())


def verify(heads: Heads, public_pem: bytes) -> None:
    """Refuse heads that were not signed with this key."""
    from cryptography.exceptions import InvalidSignature
    from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey
    from cryptography.hazmat.primitives.serialization import load_pem_public_key

    if not heads.signature:
        raise HeadsError("signature", read="heads that are not signed", expected="a signature by this key")
    key = _key("public key", "public", lambda: load_pem_public_key(public_pem), Ed25519PublicKey)
    try:
        key.verify(bytes.fromhex(heads.signature), _message(heads))
    except (InvalidSignature, ValueError):
        raise HeadsError("signature", read=heads.signature, expected="a signature by this key") from None


def _message(heads: Heads) -> bytes:
    return f"{LABEL}\n{heads.digest}".encode()


def _key(what: str, sort: str, load: Callable[[], object], kind: Any) -> Any:
    """The key of a PEM text; anything else is refused."""
    with suppress(TypeError, ValueError):
        if isinstance(key := load(), kind):
            return key
    raise HeadsError(what, read=f"no {sort} key for Ed25519", expected=f"the PEM of a {sort} key")


# --- against the database ------------------------------------------------------------------------


def parse_heads(text: bytes) -> Heads:
    """The heads of a file; refused if they are not as they were written."""
    try:
        heads = structs.decode(text, Heads)
    except msgspec.DecodeError as error:
        raise HeadsError("heads", read=str(error), expected="a file that hcf audit --export-heads wrote") from None
    if heads.format != LABEL:
        raise HeadsError("heads", read=heads.format, expected=LABEL)
    if heads.digest != digest_of(heads):
        raise HeadsError("heads: digest", read=heads.digest or "nothing", expected=digest_of(heads))
    return heads


def check(heads: Heads, books: Books) -> Iterator[Finding]:
    """A database still has what these heads saw."""
    if (house := house_id(books)) != heads.house:
        yield Finding("office 1", "another house than that of the heads", house, heads.house)
        return
    for head in heads.streams:
        books.covered["heads"] += 1
        ((last,),) = books.rows("SELECT MAX(seq) FROM events WHERE stream = ?", head.stream)
        event, where = books.event(head.stream, head.seq), f"{head.stream} {head.seq}"
        if last is None:
            yield Finding(where, "the whole stream is gone", "no event", f"{head.seq} events")
        elif last < head.seq:
            yield Finding(where, "the tail was cut", f"{last} events", f"{head.seq} or more")
        elif event is None:
            yield Finding(where, "the event of the head", "nothing", head.hash)
        elif event.hash.hex() != head.hash:
            yield Finding(where, "the past was changed: this or an earlier event", event.hash.hex(), head.hash)
