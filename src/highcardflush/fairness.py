"""Chance that anyone can check afterwards: the one shuffle of the product.

The house draws a server seed of 32 bytes and publishes its SHA-256, the *commitment*, before any
player names a seed. The players' seeds come after it. When the seed is revealed, everybody can compute
the round again: `verify` does, and this page is all that a second implementation needs
(`tests/data/fairness-vectors.json` has worked examples).

*What a proof proves.* The server seed is the one whose SHA-256 is the commitment; cards, dice and Dynamic Pays follow
from it and the seats' seeds; the results follow from the rules. So the house could not change its seed once the
commitment was published, and a player who contributes a seed has a part in the chance.

*What it does not prove.* It does not prove that the commitment was published before the bets: note it when the round
opens, and compare. It does not prove that the seed was used once: whoever has seen one round of a seed knows the cards
of the next. So `hcf verify` of several records refuses a second round under one commitment; give it all the records you
have. It does not prove that nobody chose among seeds: the house sees a seed named in the open, and knows its own. If
the house has a seat of its own and names last, it can try seeds until it likes the cards. A house may also void a
round: voids are on record with their reason.

*Commit and reveal.* A player who trusts nobody gives the SHA-256 of a seed before the lock (`CommitSeed`) and the seed
itself after it (`RevealSeed`). Nothing is drawn before all such seeds have arrived, or 10 s have passed since the lock;
once anything is drawn, no seed is accepted. A house that does not know your seed before the lock cannot choose its own
to fit. Two powers remain to the house: as the last to reveal it can reveal or not, one choice of two for each seat of
its own, and it can ignore your seed. A seed that was not revealed in time is left out as if none had been given, and
the record of that seat shows it. Be suspicious of a seat that often does not reveal, and of a record that says you did
not when you did.

*How to.* Draw 16 to 64 random bytes of your own for each round; a shorter or reused seed can be guessed. Keep them.
Commit after the round has opened and its commitment is noted, reveal after the lock, and look for both in the record:
`player-commitment` is what you gave, SHA-256 of `player-seed` is the same. A seat gives one seed a round, either named
or committed to. By hand, with the seed in hex:

    printf %s "$SEED" | xxd -r -p | sha256sum

*Stream.* A purpose is `deck`, `dynamic` or `dice`; each has its own stream, so that one draw never
affects another. Block i = 0, 1, 2, ... of a stream is the 32 bytes HMAC-SHA256(key, message) with

    key       the server seed, 32 bytes
    message   "highcardflush 1 " + purpose + "\\n"       ASCII
              for each seat in play, in seat order:      the length of its seed, 1 byte (0 to 64); the seed
              i                                          8 bytes, big-endian

Each block is read as eight 32-bit big-endian words, and the blocks follow each other.

*Uniform number below n.* Take the next word w. If w >= 2^32 - (2^32 mod n), throw it away and take
the next; else the number is w mod n. A word is taken for n = 1 as well.

*Order of n things 0 to n-1.* Start with 0, 1, ..., n-1; for i = n-1 down to 1 swap places i and j, where
j is a uniform number below i+1.

*Deck.* The order of 52 things; card c is rank c mod 13 of 23456789TJQKA in suit c div 13 of clubs,
diamonds, hearts, spades. Place 0 is dealt first.

*Dice.* Three times 1 + a uniform number below 6.

*Dynamic.* With n lines that have Dynamic Pays, numbered from the top of the pay table: k = 1 + a uniform
number below n-1; the lines are the first k of an order of n things; then each of them, from the top of
the pay table, gets its pay number p, a uniform number below its number of pays, counted from 0.

*Round seed.* A run of many rounds from one master seed: the seed of round r is HMAC-SHA256(master seed,
"highcardflush 1 round\\n" + r in 8 bytes, big-endian).

*At the terminal's table* (`hcf play`) no player names a seed: there the seal shown before the bets proves only
that the cards did not depend on them. Rounds count from 1; a `--seed` of fewer than 64 hex digits is filled with
zeros on the left. A record (`--record FILE`) has each round with its proof: `hcf verify FILE` checks the seal, the
cards and the results.
"""

from __future__ import annotations

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
"""Shortest committed seed; a shorter one could be guessed from its hash."""
WORDS = 1 << 32
"""Number of different words."""
_LABEL = b"highcardflush 1 "


def commitment(server_seed: bytes) -> str:
    """Return the commitment that the house publishes before the round: the SHA-256 of its seed, in hex."""
    _check_seed("server seed", server_seed)
    return hashlib.sha256(server_seed).hexdigest()


def player_commitment(seed: bytes) -> str:
    """Return the commitment of a player who keeps a seed secret until the lock: its SHA-256, in hex."""
    return hashlib.sha256(seed).hexdigest()


def shuffle(server_seed: bytes, player_seeds: Sequence[bytes] = ()) -> tuple[Card, ...]:
    """Return the 52 cards in the order in which they are dealt."""
    return tuple(_order(stream(server_seed, "deck", player_seeds), DECK_SIZE))


def roll_dice(server_seed: bytes, player_seeds: Sequence[bytes] = ()) -> tuple[int, int, int]:
    words = stream(server_seed, "dice", player_seeds)
    return 1 + below(words, 6), 1 + below(words, 6), 1 + below(words, 6)


def draw_dynamic(
    server_seed: bytes, table: PayTable, player_seeds: Sequence[bytes] = ()
) -> tuple[tuple[str, int], ...]:
    """Return the round's Dynamic Pays as (name of the line, pay for a bet of 1), in table order."""
    lines = table.dynamic_lines
    if len(lines) < 2:
        read = f"{len(lines)} lines with Dynamic Pays"
        raise FairnessError(f"pay table {table.full_id}", read=read, expected="two or more")
    words = stream(server_seed, "dynamic", player_seeds)
    count = 1 + below(words, len(lines) - 1)
    lines_drawn = [lines[i] for i in sorted(_order(words, len(lines))[:count])]
    return tuple((line.name, line.dynamic[below(words, len(line.dynamic))]) for line in lines_drawn)


def round_seed(master: bytes, number: int) -> bytes:
    """Return the server seed of one round in a repeatable run of many."""
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
    """Refuse a round whose chance does not follow from its seeds, naming the first part that differs.

    None is a part that the round did not use; `dynamic` needs the pay table that it was drawn for.
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
            raise FairnessError("dynamic", read="no pay table", expected="the one that it was drawn for")
        expected_dynamic = draw_dynamic(server_seed, table, player_seeds)
        _verify_text("dynamic", _dynamic_text(dynamic), _dynamic_text(expected_dynamic))


def verify_revealed(seat: int, seed: bytes, commitment_hex: str) -> None:
    """Refuse a player's seed that does not match the seat's commitment."""
    if len(seed) < MIN_COMMITTED_SEED_BYTES:
        expected = f"{MIN_COMMITTED_SEED_BYTES} or more: a shorter one could be guessed"
        raise FairnessError(f"the seed that seat {seat} revealed", read=f"{len(seed)} bytes", expected=expected)
    _verify_text(f"the seed that seat {seat} revealed: its hash", player_commitment(seed), commitment_hex)


def stream(server_seed: bytes, purpose: Purpose, player_seeds: Sequence[bytes] = ()) -> Iterator[int]:
    """Yield the endless words of one purpose."""
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
    """Return a uniform number below n from words that are uniform below `span`."""
    # Values above the last whole multiple of n would favour the small numbers.
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
            # Report values that are not cards as well.
            text = format_card(read) if 0 <= read < DECK_SIZE else repr(read)
            raise FairnessError(f"deck, card {place}", read=text, expected=format_card(right))


def _verify_text(name: str, read: str, expected: str) -> None:
    if read != expected:
        raise FairnessError(name, read=read or "nothing", expected=expected)


def _dynamic_text(pays: Sequence[tuple[str, int]]) -> str:
    return " ".join(f"{name}={pay}" for name, pay in pays)
