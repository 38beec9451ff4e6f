"""Fairness: a second implementation from the documented bytes, vectors on disk, and what biased chance looks like.

The statistics use fixed seeds, so they give the same numbers on every run; each also has a planted bias that
it must catch. Nothing of the second implementation comes from the package.
"""

from __future__ import annotations

import hashlib
import json
import random
from collections import Counter
from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping, Sequence
from itertools import chain, islice, product
from math import comb, sqrt
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from highcardflush.cards import Hand, format_card, parse_cards
from highcardflush.errors import FairnessError
from highcardflush.fairness import (
    Purpose,
    below,
    commitment,
    draw_dynamic,
    roll_dice,
    round_seed,
    shuffle,
    stream,
    verify,
)
from highcardflush.ranking import flush_rank
from highcardflush.rulebook.paytable import Line, PayTable

DATA = Path(__file__).parents[1] / "data"
FILE: dict[str, Any] = json.loads((DATA / "fairness-vectors.json").read_text())
VECTORS: list[dict[str, Any]] = FILE["vectors"]
SEED = bytes(range(32))
MASTER = bytes.fromhex(FILE["round_seeds"]["master_seed"])
PURPOSES: tuple[Purpose, ...] = ("deck", "dynamic", "dice")
ROUNDS = 20_000


def pay_table(lines: Mapping[str, list[int]]) -> PayTable:
    fixed = (Line(cards=int(name[0]), pay=pays[0], dynamic=tuple(pays)) for name, pays in lines.items())
    top = Line(cards=7, pay="100%")
    return PayTable(wager="progressive", pays="for 1", lines=(top, *fixed), id="D", rulebook="test")


TABLES = {name: pay_table(lines) for name, lines in FILE["tables"].items()}
D01 = TABLES["PT-PRG-HCF-D01a"]


def hand_made_hmac(key: bytes, message: bytes) -> bytes:
    """HMAC-SHA256 as RFC 2104 writes it."""
    key = key.ljust(64, b"\0")
    inner = hashlib.sha256(bytes(byte ^ 0x36 for byte in key) + message).digest()
    return hashlib.sha256(bytes(byte ^ 0x5C for byte in key) + inner).digest()


def block(server_seed: bytes, purpose: str, player_seeds: list[bytes], i: int) -> bytes:
    message = f"highcardflush 1 {purpose}\n".encode("ascii")
    for seed in player_seeds:
        message += len(seed).to_bytes(1, "big") + seed
    return hand_made_hmac(server_seed, message + i.to_bytes(8, "big"))


class Chance:
    """The words of one stream, one after the other."""

    def __init__(self, server_seed: bytes, purpose: str, player_seeds: list[bytes]) -> None:
        self.seeds = server_seed, purpose, player_seeds
        self.word_count = 0

    def word(self) -> int:
        start = 4 * (self.word_count % 8)
        word = int.from_bytes(block(*self.seeds, self.word_count // 8)[start : start + 4], "big")
        self.word_count += 1
        return word

    def number(self, n: int) -> int:
        while (word := self.word()) >= 2**32 - 2**32 % n:
            pass
        return word % n

    def order(self, n: int) -> list[int]:
        things = list(range(n))
        for i in range(n - 1, 0, -1):
            j = self.number(i + 1)
            things[i], things[j] = things[j], things[i]
        return things


def computed_again(vector: dict[str, Any], tables: dict[str, dict[str, list[int]]]) -> dict[str, Any]:
    server_seed = bytes.fromhex(vector["server_seed"])
    player_seeds = [bytes.fromhex(seed) for seed in vector["player_seeds"]]
    deck = Chance(server_seed, "deck", player_seeds).order(52)
    dice = Chance(server_seed, "dice", player_seeds)
    dynamic = {}
    for name, lines in tables.items():
        chance = Chance(server_seed, "dynamic", player_seeds)
        number = 1 + chance.number(len(lines) - 1)
        order = sorted(chance.order(len(lines))[:number])
        dynamic[name] = [
            [line, pays[chance.number(len(pays))]] for line, pays in (list(lines.items())[i] for i in order)
        ]
    return {
        "server_seed": vector["server_seed"],
        "player_seeds": vector["player_seeds"],
        "commitment": hashlib.sha256(server_seed).hexdigest(),
        "first_blocks": {purpose: block(server_seed, purpose, player_seeds, 0).hex() for purpose in PURPOSES},
        "deck": "".join("23456789TJQKA"[card % 13] + "cdhs"[card // 13] for card in deck),
        "dice": [1 + dice.number(6) for _ in range(3)],
        "dynamic": dynamic,
    }


@pytest.mark.parametrize("vector", VECTORS)
def test_the_vectors_are_what_the_documented_bytes_give(vector: dict[str, Any]) -> None:
    assert computed_again(vector, FILE["tables"]) == vector


@pytest.mark.parametrize("vector", VECTORS)
def test_the_package_gives_the_vectors(vector: dict[str, Any]) -> None:
    server_seed = bytes.fromhex(vector["server_seed"])
    player_seeds = [bytes.fromhex(seed) for seed in vector["player_seeds"]]
    assert commitment(server_seed) == vector["commitment"]
    for purpose in PURPOSES:
        words = islice(stream(server_seed, purpose, player_seeds), 8)
        assert b"".join(word.to_bytes(4, "big") for word in words).hex() == vector["first_blocks"][purpose]
    assert list(shuffle(server_seed, player_seeds)) == parse_cards(vector["deck"])
    assert list(roll_dice(server_seed, player_seeds)) == vector["dice"]
    for name, table in TABLES.items():
        assert [list(pay) for pay in draw_dynamic(server_seed, table, player_seeds)] == vector["dynamic"][name]


def test_round_seeds_are_what_the_documented_bytes_give() -> None:
    for number, seed in FILE["round_seeds"]["seeds"].items():
        message = b"highcardflush 1 round\n" + int(number).to_bytes(8, "big")
        assert hand_made_hmac(MASTER, message).hex() == seed
        assert round_seed(MASTER, int(number)).hex() == seed


@given(
    st.binary(min_size=32, max_size=32), st.lists(st.binary(max_size=64), max_size=6), st.sampled_from(sorted(TABLES))
)
def test_a_round_from_any_seeds_verifies(server_seed: bytes, seeds: list[bytes], name: str) -> None:
    deck, dice = shuffle(server_seed, seeds), roll_dice(server_seed, seeds)
    dynamic = draw_dynamic(server_seed, TABLES[name], seeds)
    assert sorted(deck) == list(range(52))
    verify(server_seed, commitment(server_seed), seeds, deck, dice, dynamic, TABLES[name])


@pytest.mark.parametrize("size", [0, 16, 31, 33, 64])
@pytest.mark.parametrize(
    ("what", "use"),
    [
        ("server seed", commitment),
        ("server seed", shuffle),
        ("server seed", roll_dice),
        ("server seed", lambda seed: draw_dynamic(seed, D01)),
        ("server seed", lambda seed: verify(seed, "00" * 32)),
        ("master seed", lambda seed: round_seed(seed, 1)),
    ],
)
def test_a_seed_that_is_not_32_bytes_is_refused(size: int, what: str, use: Callable[[bytes], object]) -> None:
    with pytest.raises(FairnessError) as error_info:
        use(b"\xaa" * size)
    assert str(error_info.value) == f"{what}: read {size} bytes, expected 32 bytes"
    assert error_info.value.code == "bad-proof"


def test_too_many_or_too_long_player_seeds_are_refused() -> None:
    with pytest.raises(FairnessError, match=r"^player seeds: read 7, expected at most 6$"):
        shuffle(SEED, [b"a"] * 7)
    with pytest.raises(FairnessError, match=r"^player seed 2: read 65 bytes, expected at most 64$"):
        roll_dice(SEED, [b"a", b"b" * 65])


@pytest.mark.parametrize("number", [-1, 2**64])
def test_a_round_number_that_does_not_fit_is_refused(number: int) -> None:
    with pytest.raises(FairnessError, match=rf"^round number: read {number}, expected 0 to 2\^64 - 1$"):
        round_seed(SEED, number)


def test_below_is_exactly_uniform() -> None:
    """If each of 256 words is used once, all numbers are equally frequent and as few words as possible are rejected."""
    for n in range(1, 257):
        words = iter(range(256))
        numbers: Counter[int] = Counter()
        while True:
            try:
                numbers[below(words, n, 256)] += 1
            except StopIteration:
                break
        assert numbers == dict.fromkeys(range(n), 256 // n)


def test_below_rejects_exactly_the_left_over_words() -> None:
    for n in range(1, 53):
        limit = 2**32 // n * n
        assert below(iter([limit - 1]), n) == n - 1
        for word in range(limit, 2**32):
            assert below(iter([word, 7 * n + n // 2]), n) == n // 2


def chi_square(counts: Mapping[Any, int], expected: Mapping[Any, float]) -> float:
    assert set(counts) <= set(expected)
    return sum((counts.get(key, 0) - mean) ** 2 / mean for key, mean in expected.items())


def limit(freedom: int) -> float:
    """Wilson and Hilferty's chi-square quantile at 4 sigma: a fair source is above it once in 30,000 tests."""
    return freedom * (1 - 2 / (9 * freedom) + 4 * sqrt(2 / (9 * freedom))) ** 3


def looks_fair(outcomes: Iterable[Hashable], chances: Mapping[Any, float]) -> bool:
    counts = Counter(outcomes)
    expected = {key: counts.total() * chance for key, chance in chances.items()}
    return chi_square(counts, expected) < limit(len(chances) - 1)


def uniform(keys: Iterable[Any]) -> dict[Any, float]:
    every = list(keys)
    return dict.fromkeys(every, 1 / len(every))


def positions_look_fair(decks: Iterable[Iterable[int]]) -> bool:
    """Card by position. Rows and columns each add up, which leaves 51 x 51 free and scales by 51/52."""
    counts = Counter(chain.from_iterable(map(enumerate, decks)))
    mean = counts.total() / 52**2
    statistic = chi_square(counts, dict.fromkeys(product(range(52), repeat=2), mean))
    return statistic * 51 / 52 < limit(51 * 51)


@pytest.fixture(scope="module")
def decks() -> list[tuple[int, ...]]:
    return [shuffle(round_seed(MASTER, number), [number.to_bytes(4, "big")]) for number in range(ROUNDS)]


def biased_decks(other_place: Callable[[random.Random, int], int]) -> Iterator[list[int]]:
    """Decks of a shuffle that swaps place i, from the top down, with another place."""
    rng = random.Random(1)
    for _ in range(ROUNDS):
        deck = list(range(52))
        for i in range(51, 0, -1):
            j = other_place(rng, i)
            deck[i], deck[j] = deck[j], deck[i]
        yield deck


@pytest.mark.clause("G1")
def test_every_card_comes_equally_often_at_every_position(decks: list[tuple[int, ...]]) -> None:
    assert positions_look_fair(decks)


@pytest.mark.parametrize(
    "other_place",
    [
        pytest.param(lambda rng, _: int(rng.random() * 52), id="any of 52"),
        pytest.param(lambda rng, i: int(rng.random() * i), id="never itself"),
        pytest.param(lambda rng, i: min(i, int(rng.random() * (i + 2))), id="one too many"),
        pytest.param(lambda rng, i: rng.getrandbits(8) % (i + 1), id="modulo of a byte"),
    ],
)
def test_a_biased_shuffle_is_caught(other_place: Callable[[random.Random, int], int]) -> None:
    assert not positions_look_fair(biased_decks(other_place))


@pytest.mark.clause("G1")
def test_dealt_hands_have_the_exact_chances(decks: list[tuple[int, ...]]) -> None:
    """Each card can be fair alone while cards stick together: the longest flush of the first hand tells."""
    exact = json.loads((DATA / "exact-counts.json").read_text())["longest_flush"]
    chances = {int(length): number / comb(52, 7) for length, number in exact.items()}
    assert looks_fair(first_flushes(decks), chances)
    new_decks = ([(place + number) % 52 for place in range(52)] for number in range(ROUNDS // 50))  # only cut
    sticky = [*decks[: -ROUNDS // 50], *new_decks]
    assert positions_look_fair(sticky)
    assert not looks_fair(first_flushes(sticky), chances)


def first_flushes(decks: Iterable[Sequence[int]]) -> Iterator[int]:
    return (flush_rank(Hand.of(deck[:7])).length for deck in decks)


@pytest.mark.clause("W10")
def test_dice_are_fair() -> None:
    rolls = [roll_dice(round_seed(MASTER, number)) for number in range(ROUNDS)]
    chances = uniform(product(range(1, 7), repeat=3))
    assert looks_fair(rolls, chances)
    loaded_dice = (roll if number % 10 else (6, *roll[1:]) for number, roll in enumerate(rolls))
    assert not looks_fair(loaded_dice, chances)


@pytest.mark.clause("V7")
@pytest.mark.parametrize(("name", "most"), [("PT-PRG-HCF-D01a", 3), ("PT-PRG-HCF-D03", 2)])
def test_dynamic_draws_have_the_printed_chances(name: str, most: int) -> None:
    """The number of lines is uniform, then every choice of that many lines, then every pay of each."""
    table = TABLES[name]
    names = [line.name for line in table.dynamic_lines]
    draws = [draw_dynamic(round_seed(MASTER, number), table) for number in range(ROUNDS)]
    chances = {
        tuple(line for line, is_in in zip(names, choice, strict=True) if is_in): 1
        / most
        / comb(len(names), sum(choice))
        for choice in product((False, True), repeat=len(names))
        if 1 <= sum(choice) <= most
    }
    assert looks_fair((tuple(line for line, _ in draw) for draw in draws), chances)
    for line in table.dynamic_lines:
        assert looks_fair((dict(draw)[line.name] for draw in draws if line.name in dict(draw)), uniform(line.dynamic))
    top_only = (draw if number % 10 else draw[:1] for number, draw in enumerate(draws))
    assert not looks_fair((tuple(line for line, _ in draw) for draw in top_only), chances)


@pytest.mark.clause("V7")
@pytest.mark.parametrize("lines", [{}, {"5-card": [75, 100]}])
def test_a_table_with_nothing_to_choose_from_is_refused(lines: dict[str, list[int]]) -> None:
    with pytest.raises(FairnessError) as error_info:
        draw_dynamic(SEED, pay_table(lines))
    assert str(error_info.value) == f"pay table test/D: read {len(lines)} lines with Dynamic Pays, expected two or more"


PLAYERS = [b"one", b"", b"three"]
DECK, DICE, DYNAMIC = shuffle(SEED, PLAYERS), roll_dice(SEED, PLAYERS), draw_dynamic(SEED, D01, PLAYERS)


def refused(**changes: Any) -> str:
    good: dict[str, Any] = {
        "server_seed": SEED,
        "commitment_hex": commitment(SEED),
        "player_seeds": PLAYERS,
        "deck": DECK,
        "dice": DICE,
        "dynamic": DYNAMIC,
        "table": D01,
    }
    with pytest.raises(FairnessError) as error_info:
        verify(**good | changes)
    return str(error_info.value)


def test_verify_accepts_a_round_and_parts_that_were_not_used() -> None:
    commitment_hex = commitment(SEED)
    verify(SEED, commitment_hex, PLAYERS, DECK, DICE, DYNAMIC, D01)
    verify(SEED, commitment_hex, PLAYERS, list(DECK), list(DICE), [list(pay) for pay in DYNAMIC], D01)  # type: ignore[misc]
    verify(SEED, commitment_hex, PLAYERS, DECK)
    verify(SEED, commitment_hex.upper())


OTHER = SEED[::-1]
FIRST, *MORE = DICE
THROWN = " ".join(map(str, DICE))
(NAME, PAY), *LATER = DYNAMIC
DRAWN = " ".join(f"{name}={pay}" for name, pay in DYNAMIC)


@pytest.mark.clause("V7")
@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"server_seed": OTHER}, f"commitment: read {commitment(SEED)}, expected {commitment(OTHER)}"),
        ({"commitment_hex": ""}, f"commitment: read , expected {commitment(SEED)}"),
        (
            {"deck": [*DECK[:12], DECK[13], DECK[12], *DECK[14:]]},
            f"deck, card 13: read {format_card(DECK[13])}, expected {format_card(DECK[12])}",
        ),
        (
            {"deck": [*DECK[:51], DECK[0]]},
            f"deck, card 52: read {format_card(DECK[0])}, expected {format_card(DECK[51])}",
        ),
        *(
            ({"deck": [no_card, *DECK[1:]]}, f"deck, card 1: read {no_card}, expected {format_card(DECK[0])}")
            for no_card in (-1, 52, 10**9)
        ),
        *(({"deck": deck}, f"deck: read {len(deck)} cards, expected 52 cards") for deck in (DECK[:51], (*DECK, 0), ())),
        ({"dice": (FIRST % 6 + 1, *MORE)}, f"dice: read {FIRST % 6 + 1} {THROWN[2:]}, expected {THROWN}"),
        ({"dice": DICE[:2]}, f"dice: read {THROWN[:3]}, expected {THROWN}"),
        (
            {"dynamic": ((NAME, PAY + 1), *LATER)},
            f"dynamic: read {DRAWN.replace(f'={PAY}', f'={PAY + 1}', 1)}, expected {DRAWN}",
        ),
        ({"dynamic": ()}, f"dynamic: read nothing, expected {DRAWN}"),
        ({"table": None}, "dynamic: read no pay table, expected the pay table for which it was drawn"),
    ],
)
def test_verify_says_what_is_wrong(changes: dict[str, Any], message: str) -> None:
    assert refused(**changes) == message


@pytest.mark.parametrize(
    ("changes", "part"),
    [
        ({"player_seeds": [b"one", b"two", b"three"]}, "deck, card 1: read "),
        ({"player_seeds": PLAYERS[:2], "deck": None}, "dice: read "),
        ({"player_seeds": PLAYERS[::-1], "deck": None, "dice": None}, "dynamic: read "),
        ({"deck": DECK[::-1], "dice": (0, 0, 0), "dynamic": ()}, "deck, card 1: "),
        ({"dice": (0, 0, 0), "dynamic": ()}, "dice: "),
    ],
)
def test_verify_names_the_first_part_that_differs(changes: dict[str, Any], part: str) -> None:
    assert refused(**changes).startswith(part)
