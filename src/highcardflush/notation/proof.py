"""A round's proof: its published record, with which anybody can check that its cards were fixed before the round.

A proof is a round in the notation below a header of comment lines, so `hcf replay` can play it too. docs/fairness.md
describes the format, what is verified, and what that proves.
"""

from collections.abc import Iterator, Mapping
from itertools import pairwise
from typing import Literal

from msgspec import Struct

from highcardflush.errors import FairnessError, HcfError, NotationError
from highcardflush.fairness import shuffle, verify, verify_revealed
from highcardflush.game.dealing import deal_hands
from highcardflush.notation.replay import Finder, Replay, replay
from highcardflush.notation.rounds import Round, parse_rounds
from highcardflush.rulebook.document import MAX_SEATS
from highcardflush.rulebook.load import PACKAGED, as_printed, from_json, is_changed, packaged, to_json
from highcardflush.rulebook.model import Rulebook
from highcardflush.rulebook.wagers import PROGRESSIVE

FIRST = "# highcardflush proof 1"
NO_SEED = "-"
BY_HAND = "none"
LOST = "lost"
LONGEST_NUMBER = 18

SeedUse = Literal["named", "none", "revealed", "left-out", "committed"]
"""Use made of a seat's seed. The last three values are for a seat that committed to its seed before the lock."""


class Proof(Struct, frozen=True):
    """A published record: its header, and the round below the header. `line` is the record's first line in the file."""

    table: str
    round: int
    commitment: str
    seed: str
    player_seeds: dict[int, str]
    player_commitments: dict[int, str]
    rules: Rulebook | None
    text: str
    line: int = 1


class Verification(Struct, frozen=True):
    """A round that matches its proof. Either its seed was revealed, or it was dealt by hand, or its seed was lost."""

    proof: Proof
    replay: Replay

    @property
    def rules(self) -> Literal["packaged", "released-before", "own"]:
        """Source of the rules: a packaged rulebook of this or an earlier release, or the record's own rules."""
        book = self.replay.rulebook
        if book.name not in PACKAGED:
            return "own"
        return "packaged" if book.sha256 == packaged(book.name).sha256 else "released-before"

    @property
    def seats(self) -> dict[int, SeedUse]:
        state, uses = self.replay.state, dict[int, SeedUse]()
        for seat, seed in sorted(self.proof.player_seeds.items()):
            if seat not in self.proof.player_commitments:
                uses[seat] = "named" if seed else "none"
            else:
                drawn = state.hands or state.dice or state.dynamic
                uses[seat] = "revealed" if seed else "left-out" if drawn else "committed"
        return uses

    @property
    def by_hand(self) -> bool:
        return self.proof.commitment == BY_HAND

    @property
    def lost(self) -> bool:
        return self.proof.seed == LOST


def format_proof(
    table: str,
    number: int,
    record: str,
    *,
    commitment: str | None,
    seed: str | None,
    player_seeds: Mapping[int, str],
    player_commitments: Mapping[int, str],
    rulebook: Rulebook,
) -> str:
    lines = [
        FIRST,
        f"# round {table} {number}",
        f"# commitment {commitment or BY_HAND}",
        f"# seed {seed or (LOST if commitment else BY_HAND)}",
        *(f"# player-seed {seat} {seed_text or NO_SEED}" for seat, seed_text in sorted(player_seeds.items())),
        *(f"# player-commitment {seat} {player_hash}" for seat, player_hash in sorted(player_commitments.items())),
    ]
    if rulebook.name not in PACKAGED or packaged(rulebook.name).sha256 != rulebook.sha256:
        lines.append(f"# rules {to_json(as_printed(rulebook))}")
    return "\n".join(lines) + "\n" + record


def parse_proofs(text: str, file: str | None = None) -> Iterator[Proof]:
    for proof in parse_each_proof(text, file):
        if isinstance(proof, HcfError):
            raise proof
        yield proof


def parse_each_proof(text: str, file: str | None = None) -> Iterator[Proof | HcfError]:
    lines = text.splitlines()
    starts = [number for number, line in enumerate(lines) if line.rstrip() == FIRST]
    if not starts:
        read = repr(lines[0][:60]) if lines else "an empty file"
        yield NotationError("proof", read=read, expected=f"{FIRST!r}").at(file, 1)
    for start, end in pairwise([*starts, len(lines)]):
        try:
            yield _parse_proof(lines[start:end], start)
        except HcfError as error:
            yield error.at(file, start + 1)


def _parse_proof(lines: list[str], start: int) -> Proof:
    entries: dict[str, str] = {}
    seats: dict[str, dict[int, str]] = {"player-seed": {}, "player-commitment": {}}
    for number, line in enumerate(lines[1:], start + 2):
        if not line.startswith("# "):
            break
        word, _, rest = line[2:].partition(" ")
        if word in seats:
            seat, _, seed = rest.partition(" ")
            if seat not in map(str, range(1, MAX_SEATS + 1)) or int(seat) in seats[word]:
                expected = f"a seat from 1 to {MAX_SEATS}, given only once"
                raise NotationError(word, read=repr(rest), expected=expected, line=number)
            seats[word][int(seat)] = "" if seed == NO_SEED else _hex(seed, word, number)
        elif word in ("commitment", "seed") and rest not in (BY_HAND, LOST):
            entries[word] = _hex(rest, word, number)
        else:
            entries[word] = rest
    for word in ("round", "commitment", "seed"):
        if word not in entries:
            raise NotationError("proof", read=f"no {word} line", expected=f"# {word} ...")
    table, _, count = entries["round"].rpartition(" ")
    if not (count.isascii() and count.isdecimal() and len(count) <= LONGEST_NUMBER):
        raise NotationError("round", read=repr(entries["round"]), expected="TABLE NUMBER")
    rules = from_json(entries["rules"]) if "rules" in entries else None
    text = "\n" * start + "\n".join(lines) + "\n"  # The blank lines preserve the line numbers of the file.
    seeds, commitments = seats.values()
    return Proof(table, int(count), entries["commitment"], entries["seed"], seeds, commitments, rules, text, start + 1)


def _hex(text: str, name: str, line: int) -> str:
    try:
        return bytes.fromhex(text).hex()
    except ValueError:
        raise NotationError(name, read=repr(text[:80]), expected="hex digits", line=line) from None


def verify_proof(proof: Proof, file: str | None = None, find: Finder = packaged) -> Verification:
    """Verify a round against its proof, or raise an error that names the first difference."""
    result = replay(round_of(proof, file), file, finder_of(proof, find))
    for difference in result.differences:
        raise difference
    verification = Verification(proof, result)
    try:
        rulebook = result.rulebook
        if rulebook.name in PACKAGED and is_changed(rulebook):
            expected = f"a released version, such as @{packaged(rulebook.name).sha256[:12]}, or another name"
            raise FairnessError(f"rules named {rulebook.name}", read=f"@{rulebook.sha256[:12]}", expected=expected)
        _check(verification)
    except FairnessError as error:
        raise error.at(file, proof.line) from None
    return verification


def round_of(proof: Proof, file: str | None = None) -> Round:
    rounds = parse_rounds(proof.text, file)
    if len(rounds) != 1:
        read, expected = f"{len(rounds)} rounds", "one round below its header"
        raise NotationError("proof", read=read, expected=expected, file=file, line=proof.line)
    return rounds[0]


def require_own_commitment(proof: Proof, used: dict[str, Proof], file: str | None = None) -> None:
    """Refuse a second round with the same commitment, because its cards could have been known in advance.

    `used` contains the first proof of each commitment.
    """
    first = used.setdefault(proof.commitment, proof)
    if proof.commitment != BY_HAND and first.text.strip() != proof.text.strip():
        read = f"the commitment of table {first.table} round {first.round}"
        raise FairnessError("commitment", read=read, expected="one that no other round uses").at(file, proof.line)


def finder_of(proof: Proof, find: Finder = packaged) -> Finder:
    """Return a function like `find` that returns the record's own rules for their name and for any .toml file."""
    rules = proof.rules

    def find_own(name: str) -> Rulebook:
        return rules if rules is not None and (rules.name == name or name.endswith(".toml")) else find(name)

    return find_own


def _check(verification: Verification) -> None:
    proof, state = verification.proof, verification.replay.state
    if verification.by_hand:
        if proof.seed != BY_HAND:
            raise FairnessError("seed", read=proof.seed, expected="none, because there is no commitment")
        return
    if verification.lost:
        if state.phase != "void":
            raise FairnessError("seed", read="a settled round whose seed is lost", expected="the seed, or a void round")
        return
    locked = state.void.phase if state.void else state.phase
    in_play = [seat.number for seat in state.seats]
    if locked != "betting" and proof.player_seeds and sorted(proof.player_seeds) != in_play:
        read, expected = f"seats {sorted(proof.player_seeds)}", f"seats {in_play}"
        raise FairnessError("player seeds", read=read, expected=expected)
    for seat, player_hash in proof.player_commitments.items():
        if seat not in proof.player_seeds:
            expected = "a seat with a player-seed line"
            raise FairnessError("player commitment", read=f"seat {seat}", expected=expected)
        if proof.player_seeds[seat]:
            verify_revealed(seat, bytes.fromhex(proof.player_seeds[seat]), player_hash)
    seed = bytes.fromhex(proof.seed)
    seeds = [bytes.fromhex(text) for _, text in sorted(proof.player_seeds.items())]
    table = verification.replay.rulebook.paytable(PROGRESSIVE)
    verify(seed, proof.commitment, seeds, dice=state.dice, dynamic=state.dynamic, table=table)
    dealt = deal_hands(verification.replay.rulebook, state, shuffle(seed, seeds))
    for number, hand in state.hands.items():
        if hand != dealt[number]:
            who = f"seat {number}" if number else "the dealer"
            raise FairnessError(f"hand of {who}", read=str(hand), expected=str(dealt[number]))
