"""Provably fair shuffles, dice and Dynamic Pays, which anyone can check after the round.

docs/fairness.md specifies how random words, numbers below n and shuffled orders are derived, and what a proof shows.
`tests/data/fairness-vectors.json` has worked examples.
"""

import hashlib
import hmac
from collections.abc import Iterator, Sequence
from itertools import chain, count
from struct import unpack
from typing import Literal

from highcardflush.cards import DECK_SIZE, Card, format_card
from highcardflush.errors import FairnessError
from highcardflush.rulebook.document import MAX_SEATS
from highcardflush.rulebook.paytable import PayTable

Purpose = Literal["deck", "dynamic", "dice"]
SEED_BYTES = 32
MAX_PLAYER_SEED_BYTES = 64
MIN_COMMITTED_SEED_BYTES = 16
"""Minimum length of a committed seed. A shorter seed could be guessed from its hash."""
WORDS = 1 << 32
_LABEL = b"highcardflush 1 "


def commitment(server_seed: bytes) -> str:
    """Return the commitment that the house publishes before the round: the SHA-256 of its seed, in hex."""
    _check_seed("server seed", server_seed)
    return hashlib.sha256(server_seed).hexdigest()


def player_commitment(seed: bytes) -> str:
    """Return the commitment to a player's seed that stays secret until the lock: its SHA-256, in hex."""
    return hashlib.sha256(seed).hexdigest()


def shuffle(server_seed: bytes, player_seeds: Sequence[bytes] = ()) -> tuple[Card, ...]:
    return tuple(_order(stream(server_seed, "deck", player_seeds), DECK_SIZE))


def roll_dice(server_seed: bytes, player_seeds: Sequence[bytes] = ()) -> tuple[int, int, int]:
    words = stream(server_seed, "dice", player_seeds)
    return 1 + below(words, 6), 1 + below(words, 6), 1 + below(words, 6)


def draw_dynamic(
    server_seed: bytes, table: PayTable, player_seeds: Sequence[bytes] = ()
) -> tuple[tuple[str, int], ...]:
    """Return the round's Dynamic Pays as pairs of line name and pay for a bet of 1, in table order."""
    lines = table.dynamic_lines
    if len(lines) < 2:
        read = f"{len(lines)} lines with Dynamic Pays"
        raise FairnessError(f"pay table {table.full_id}", read=read, expected="two or more")
    words = stream(server_seed, "dynamic", player_seeds)
    count = 1 + below(words, len(lines) - 1)
    lines_drawn = [lines[i] for i in sorted(_order(words, len(lines))[:count])]
    return tuple((line.name, line.dynamic[below(words, len(line.dynamic))]) for line in lines_drawn)


def round_seed(master: bytes, number: int) -> bytes:
    _check_seed("master seed", master)
    if not 0 <= number < 1 << 64:
        raise FairnessError("round number", read=str(number), expected="0 to 2^64 - 1")
    return hmac.digest(master, _LABEL + b"round\n" + number.to_bytes(8, "big"), "sha256")


def verify(
    server_seed: bytes,
    commitment_hex: str,
    player_seeds: Sequence[bytes] = (),
    deck: Sequence[Card] | None = None,
    dice: Sequence[int] | None = None,
    dynamic: Sequence[tuple[str, int]] | None = None,
    table: PayTable | None = None,
) -> None:
    """Refuse a round whose deck, dice or Dynamic Pays do not follow from its seeds.

    Pass `None` for anything that the round did not use. `dynamic` requires the pay table for which it was drawn.
    """
    expected_commitment = commitment(server_seed)
    if commitment_hex.lower() != expected_commitment:
        raise FairnessError("commitment", read=commitment_hex, expected=expected_commitment)
    if deck is not None:
        _verify_deck(deck, shuffle(server_seed, player_seeds))
    if dice is not None:
        rolled = roll_dice(server_seed, player_seeds)
        _verify_text("dice", " ".join(map(str, dice)), " ".join(map(str, rolled)))
    if dynamic is not None:
        if table is None:
            raise FairnessError("dynamic", read="no pay table", expected="the pay table for which it was drawn")
        expected_dynamic = draw_dynamic(server_seed, table, player_seeds)
        _verify_text("dynamic", _dynamic_text(dynamic), _dynamic_text(expected_dynamic))


def verify_revealed(seat: int, seed: bytes, commitment_hex: str) -> None:
    if len(seed) < MIN_COMMITTED_SEED_BYTES:
        expected = f"{MIN_COMMITTED_SEED_BYTES} bytes or more, because a shorter seed could be guessed"
        raise FairnessError(f"seed revealed by seat {seat}", read=f"{len(seed)} bytes", expected=expected)
    _verify_text(f"hash of the seed revealed by seat {seat}", player_commitment(seed), commitment_hex)


def stream(server_seed: bytes, purpose: Purpose, player_seeds: Sequence[bytes] = ()) -> Iterator[int]:
    """Return the endless stream of 32-bit words for one purpose."""
    _check_seed("server seed", server_seed)
    if len(player_seeds) > MAX_SEATS:
        raise FairnessError("player seeds", read=str(len(player_seeds)), expected=f"at most {MAX_SEATS}")
    message = _LABEL + purpose.encode() + b"\n"
    for number, seed in enumerate(player_seeds, start=1):
        if len(seed) > MAX_PLAYER_SEED_BYTES:
            expected = f"at most {MAX_PLAYER_SEED_BYTES}"
            raise FairnessError(f"player seed {number}", read=f"{len(seed)} bytes", expected=expected)
        message += bytes([len(seed)]) + seed
    blocks = (hmac.digest(server_seed, message + i.to_bytes(8, "big"), "sha256") for i in count())
    return chain.from_iterable(unpack(">8I", block) for block in blocks)


def below(words: Iterator[int], n: int, span: int = WORDS) -> int:
    """Return a uniformly distributed number below n, made from words that are uniformly distributed below `span`."""
    # Discard words at or above the largest multiple of n, which would make small results more likely.
    limit = span - span % n
    while (word := next(words)) >= limit:
        pass
    return word % n


def _order(words: Iterator[int], n: int) -> list[int]:
    order = list(range(n))
    for i in range(n - 1, 0, -1):
        j = below(words, i + 1)
        order[i], order[j] = order[j], order[i]
    return order


def _check_seed(name: str, seed: bytes) -> None:
    # Report only the length: errors are logged, and a seed is secret until the round is over.
    if len(seed) != SEED_BYTES:
        raise FairnessError(name, read=f"{len(seed)} bytes", expected=f"{SEED_BYTES} bytes")


def _verify_deck(deck: Sequence[Card], expected: Sequence[Card]) -> None:
    if len(deck) != DECK_SIZE:
        raise FairnessError("deck", read=f"{len(deck)} cards", expected=f"{DECK_SIZE} cards")
    for place, (read, right) in enumerate(zip(deck, expected, strict=True), start=1):
        if read != right:
            # The value may not be a card.
            text = format_card(read) if 0 <= read < DECK_SIZE else repr(read)
            raise FairnessError(f"deck, card {place}", read=text, expected=format_card(right))


def _verify_text(name: str, read: str, expected: str) -> None:
    if read != expected:
        raise FairnessError(name, read=read or "nothing", expected=expected)


def _dynamic_text(pays: Sequence[tuple[str, int]]) -> str:
    return " ".join(f"{name}={pay}" for name, pay in pays)
