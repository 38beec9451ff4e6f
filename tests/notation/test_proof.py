"""A published record verifies from itself alone, and any part of it that is changed is found."""

from __future__ import annotations

import hashlib
import re
from pathlib import Path

import msgspec
import pytest

from core.test_fairness import Chance
from highcardflush.cards import RANKS, SUITS
from highcardflush.cli import run
from highcardflush.errors import FairnessError, HcfError
from highcardflush.fairness import commitment, draw_dynamic, player_commitment, roll_dice, shuffle
from highcardflush.game import actions as a
from highcardflush.game import locked_meters, open_round, step
from highcardflush.game.decisions import basic_decision
from highcardflush.notation import format_round
from highcardflush.notation.proof import format_proof, parse_proofs, verify_proof
from highcardflush.rulebook import PACKAGED, Rulebook, configure, load, packaged
from highcardflush.rulebook.load import RELEASED, content_hash, from_json, packaged_text, released_hashes, to_json
from support.data.tables import table as felt
from support.places.terminal import Play

SEED = bytes(range(100, 132))
OTHER = bytes(32)
OXFORD = packaged("oxford").sha256
OWN = 'extends = "oxford"\nname = "mine"\nversion = "7"\n[settings]\nante-minimum = 5\n'
"""A rulebook that a player wrote."""
NAMED = {1: "00ff", 4: ""}
KEPT = "5eed" * 8
COMMITTED = {1: KEPT, 4: ""}, {1: player_commitment(bytes.fromhex(KEPT)), 4: "ab" * 32}
"""Two seats that commit: one reveals, one does not."""

Seeds = tuple[dict[int, str], dict[int, str]]


def published(
    rulebook: Rulebook,
    seat_names: dict[int, str] = NAMED,
    commitments: dict[int, str] | None = None,
    *,
    void: bool = False,
    server_seed: bytes = SEED,
) -> str:
    state = open_round(rulebook)
    offers = {offer.wager: int(offer.base) if offer.wager == "progressive" else 500 for offer in rulebook.offers}
    for seat in seat_names:
        state, _ = step(rulebook, state, a.PlaceWagers(seat, {"ante": 2500, **offers}))
    state, _ = step(rulebook, state, a.Lock())
    chance = [bytes.fromhex(seed) for seed in seat_names.values()]
    if rulebook.settings.dealing == "dice":
        state, _ = step(rulebook, state, a.RollDice(roll_dice(server_seed, chance)))
    progressive = rulebook.paytable("progressive")
    if progressive is not None and progressive.dynamic_lines:
        state, _ = step(rulebook, state, a.DrawDynamic(draw_dynamic(server_seed, progressive, chance)))
    state, _ = step(rulebook, state, a.Deal(shuffle(server_seed, chance)))
    if void:
        state, _ = step(rulebook, state, a.Void("other", "a test"))
    else:
        for seat in seat_names:
            state, _ = step(rulebook, state, basic_decision(rulebook, state.seat(seat)))
        state, _ = step(rulebook, state, a.Settle(locked_meters(rulebook, state)))
    record = format_round(rulebook, state, with_hash=True)
    return format_proof(
        "one",
        17,
        record,
        commitment=commitment(server_seed),
        seed=server_seed.hex(),
        player_seeds=seat_names,
        player_commitments=commitments or {},
        rulebook=rulebook,
    )


def verify(text: str) -> str:
    try:
        for proof in parse_proofs(text, "p.hcf"):
            verify_proof(proof, "p.hcf")
    except HcfError as error:
        return str(error)
    return ""


def files(folder: Path, *texts: str) -> list[str]:
    for number, text in enumerate(texts, 1):
        (folder / str(number)).write_text(text)
    return [str(folder / str(number)) for number, _ in enumerate(texts, 1)]


TABLES = (
    "oxford | |",
    "atlantic-city | |",
    "galaxy-v7 | progressive PT-PRG-HCF-D01a |",
    "galaxy-v7 | progressive PT-PRG-HCF-MLP-01 |",
    "washington | flush PT-FLT-HCF-FB-07 | dealing dice",
)


@pytest.mark.parametrize("row", TABLES)
@pytest.mark.parametrize("void", [False, True])
def test_a_round_verifies_from_its_record_alone(row: str, void: bool) -> None:
    assert verify(published(felt(row), void=void)) == ""


CHANGES = (
    ("# commitment ", "# commitment 00", "commitment"),
    ("# seed 6465", "# seed 6466", "commitment"),
    ("# player-seed 1 00ff", "# player-seed 1 00fe", "hand"),
    ("# player-seed 1 00ff", "# player-seed 1 -", "hand"),
    ("# player-seed 4 -\n", "", "player seeds"),
    ("# player-seed 4 -", "# player-seed 5 -", "player seeds"),
    ("# player-seed 4 -", "# player-seed 1 -", "a seat from 1 to 6"),
    ("# player-seed 4 -", "# player-seed 9 -", "a seat from 1 to 6"),
    ("# seed 6465", "# seed lost", "seed"),
    ("# seed 6465", "# seed zz", "hex digits"),
    ("# round one 17", "# round one", "TABLE NUMBER"),
    ("# round one 17\n", "", "no round line"),
    ("# highcardflush proof 1", "# highcardflush proof 2", "proof"),
    ("ante -", "ante +", "result differs"),
    (f"@{OXFORD[:12]}", f"@{'0' * 12}", "content hash"),
)
SEED_LINE = f"# player-seed 1 {KEPT}"
COMMITTED_CHANGES = (
    (SEED_LINE, f"{SEED_LINE[:-2]}00", "hash of the seed revealed by seat 1"),
    (SEED_LINE, "# player-seed 1 00ff", "seed revealed by seat 1: read 2 bytes, expected 16 bytes or more"),
    (SEED_LINE, "# player-seed 1 -", "hand"),
    ("# player-commitment 1 ", "# player-commitment 1 00", "hash of the seed revealed by seat 1"),
    ("# player-commitment 4 ", "# player-commitment 5 ", "player commitment: read seat 5"),
    ("# player-commitment 4 ", "# player-commitment 1 ", "a seat from 1 to 6"),
    ("# player-commitment 4 ab", "# player-commitment 4 zz", "hex digits"),
)


@pytest.mark.parametrize(
    ("seeds", "old", "new", "failed_step"),
    [*(((NAMED, {}), *row) for row in CHANGES), *((COMMITTED, *row) for row in COMMITTED_CHANGES)],
)
def test_every_change_of_a_proof_is_found(seeds: Seeds, old: str, new: str, failed_step: str) -> None:
    text = published(packaged("oxford"), *seeds)
    assert verify(text) == ""
    assert old in text
    finding_text = verify(text.replace(old, new, 1))
    assert failed_step in finding_text
    assert finding_text.startswith("p.hcf:"), "the error names its place"


def test_another_hand_is_found() -> None:
    """Two cards change places between the seats: still a legal round, whose results are then left out."""
    lines = [line for line in published(packaged("oxford")).splitlines() if not line.startswith("=")]
    hands = [i for i, line in enumerate(lines) if line.startswith("deal ")]
    one, two = (lines[i].split(" ", 2) for i in hands[:2])
    lines[hands[0]], lines[hands[1]] = f"deal 1 {two[2]}", f"deal 4 {one[2]}"
    lines = [f"{line.split()[0]} fold" if line[0] in "14" else line for line in lines]
    assert "hand of seat 1" in verify("\n".join(lines) + "\n")


@pytest.mark.parametrize(("row", "word"), [(TABLES[4], "dice"), (TABLES[2], "dynamic")])
def test_another_roll_or_draw_is_found(row: str, word: str) -> None:
    text = published(felt(row), void=True)
    (line,) = (line for line in text.splitlines() if line.startswith(word))
    other = "dice 1 1 1" if line != "dice 1 1 1" else "dice 2 2 2"
    if word == "dynamic":
        table = felt(row).progressive[1]
        name, pay = line.split()[1].split("=")
        pays = next(candidate.dynamic for candidate in table.lines if candidate.name == name)
        other = line.replace(f"{name}={pay}", f"{name}={next(p for p in pays if str(p) != pay)}")
    assert word in verify(text.replace(line, other))


def test_dealt_by_hand_and_lost() -> None:
    text = published(packaged("oxford"))
    head = text.replace(f"# seed {SEED.hex()}", "# seed none").replace(
        f"# commitment {commitment(SEED)}", "# commitment none"
    )
    (proof,) = parse_proofs(head)
    assert verify_proof(proof).by_hand
    void = published(packaged("oxford"), void=True).replace(f"# seed {SEED.hex()}", "# seed lost")
    (proof,) = parse_proofs(void)
    assert verify_proof(proof).lost
    with pytest.raises(FairnessError, match="a void round"):
        verify_proof(next(parse_proofs(text.replace(f"# seed {SEED.hex()}", "# seed lost"))))


def test_several_proofs_in_one_file_each_with_its_line() -> None:
    good = published(packaged("oxford"))
    bad = good.replace("# player-seed 1 00ff", "# player-seed 1 01")
    first, second = parse_proofs(good + bad, "p.hcf")
    verify_proof(first)
    with pytest.raises(FairnessError) as error_info:
        verify_proof(second, "p.hcf")
    assert error_info.value.line == len(good.splitlines()) + 1


def test_a_verifier_written_again_from_the_docs_agrees() -> None:
    """Nothing of the package in it: the head's lines, SHA-256, HMAC and a shuffle."""
    text = published(packaged("oxford"))
    head = [line.split(" ")[1:] for line in text.splitlines() if line.startswith("# ")]
    seeds_of_head = {words[0]: words[1] for words in head if words[0] in ("commitment", "seed")}
    seat_names = [(int(words[1]), words[2]) for words in head if words[0] == "player-seed"]
    seed = bytes.fromhex(seeds_of_head["seed"])
    assert hashlib.sha256(seed).hexdigest() == seeds_of_head["commitment"]
    players = [bytes.fromhex(player.strip("-")) for _, player in sorted(seat_names)]
    deck = Chance(seed, "deck", players).order(52)
    cards = [RANKS[card % 13] + SUITS[card // 13] for card in deck]
    for place, who in enumerate(("1", "4", "dealer")):
        (hand,) = re.findall(rf"^deal {who} (.*)$", text, re.MULTILINE)
        assert set(re.findall("..", hand.replace(" ", ""))) == set(cards[place * 7 : place * 7 + 7])


@pytest.mark.parametrize("table", ["oxford", "atlantic-city", OWN], ids=["oxford", "atlantic-city", "own"])
@pytest.mark.parametrize("seats", ["1", "4"])
def test_a_record_of_the_terminal_proves_its_cards(table: str, seats: str, tmp_path: Path, play: Play) -> None:
    """The record needs no other file, because it contains a rulebook that the player wrote."""
    record, book = tmp_path / "rounds.hcf", tmp_path / "club.toml"
    book.write_text(OWN)
    name = str(book) if table == OWN else table
    play("--rulebook", name, "--seats", seats, "--record", str(record), answers=". f . r . . f q y")
    book.unlink()
    text = record.read_text("utf-8")
    assert len(list(parse_proofs(text))) >= 3
    assert run(["verify", str(record)]) == 0
    assert table == OWN or run(["replay", str(record)]) == 0
    assert verify(text.replace("# seed ", "# seed 0", 1)) != ""
    first, other = (proof.seed for proof in list(parse_proofs(text))[:2])
    assert "commitment" in verify(text.replace(f"# seed {first}", f"# seed {other}"))


def test_the_seeds_of_each_seat_are_reported(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    paths = files(tmp_path, published(packaged("oxford"), *COMMITTED))
    assert run(["verify", *paths]) == 0
    output = " ".join(capsys.readouterr().out.split())
    assert "seeds: seat 1 committed and revealed, seat 4 committed but not revealed, so left out" in output
    assert run(["verify", "--json", *paths]) == 0
    (row,) = msgspec.json.decode(capsys.readouterr().out)["rounds"]
    assert (row["commitment"], row["seats"]) == (commitment(SEED), {"1": "revealed", "4": "left-out"})


def test_a_second_round_under_one_commitment_is_found(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """A record that is repeated is one round; any other record under its commitment is a second one."""
    first = published(packaged("oxford"))
    for proof in (published(packaged("oxford"), {2: "aa"}), first.replace("# round one 17", "# round two 1")):
        *others, second = files(tmp_path, first, f"\n{first}", proof)
        assert run(["verify", second]) == 0
        assert run(["verify", *others, second]) == 1
        message = "commitment: read the commitment of table one round 17, expected one that no other round uses"
        assert capsys.readouterr().err == f"hcf: {second}:1: {message}\n"


OTHER_OXFORD = packaged_text("oxford").replace("{ cards = 5, pay = 10 }", "{ cards = 5, pay = 9 }")


def test_other_rules_do_not_pass_under_a_packaged_name(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    other = load(OTHER_OXFORD)
    assert other.sha256 != OXFORD
    (path,) = files(tmp_path, published(other))
    assert run(["verify", path]) == 1
    output = capsys.readouterr()
    assert output.out == "table one round 17: DOES NOT MATCH its proof\n"
    wrong = f"rules named oxford: read @{other.sha256[:12]}, expected a released version"
    assert output.err == f"hcf: {path}:1: {wrong}, such as @{OXFORD[:12]}, or another name\n"
    assert run(["verify", "--json", path]) == 1
    (row,) = msgspec.json.decode(capsys.readouterr().out)["rounds"]
    assert (row["verified"], row["error"]["code"]) == (False, "bad-proof")


FORGED_RULES = {
    "other content under the own hash": (OWN, '"ante":{"minimum":500}', '"ante":{"minimum":400}', "other contents"),
    "other content under the packaged hash": (OTHER_OXFORD, load(OTHER_OXFORD).sha256, OXFORD, "other contents"),
    "a packaged name for rules of another": (OWN, "rulebook mine ", "rulebook oxford ", "content hash"),
}


@pytest.mark.parametrize(("book", "old", "new", "message"), FORGED_RULES.values(), ids=FORGED_RULES)
def test_rules_come_with_the_proof_and_are_what_their_hash_says(book: str, old: str, new: str, message: str) -> None:
    text = published(load(book))
    assert "# rules {" in text
    assert old in text
    assert verify(text) == "" or book == OTHER_OXFORD
    assert message in verify(text.replace(old, new))


def test_a_hash_that_is_not_the_contents_own_is_refused() -> None:
    """Other rules that claim the packaged hash, and whose own hash fits them."""
    table = configure(load(OTHER_OXFORD), None, {"seats": "5"})
    claims = msgspec.structs.replace(table, sha256=OXFORD)
    assert content_hash(claims) == claims.table_hash
    with pytest.raises(HcfError, match=f"other contents, expected contents with the hash {OXFORD[:12]}"):
        from_json(to_json(claims))
    assert from_json(to_json(table)) == table


def test_a_version_that_was_released_before_is_known(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    other = load(OTHER_OXFORD)
    paths = files(tmp_path, published(configure(other, None, {"ante-minimum": "5"})))
    (tmp_path / "released.txt").write_text(f"# a remark\n0.0.9 oxford {other.sha256} 2 of June\n")
    monkeypatch.setitem(released_hashes.__wrapped__.__globals__, "RELEASED", tmp_path / "released.txt")
    released_hashes.cache_clear()
    try:
        assert run(["verify", *paths]) == 0
    finally:
        released_hashes.cache_clear()
    assert "the packaged rulebook of an earlier release" in " ".join(capsys.readouterr().out.split())


def test_the_source_of_the_rules_is_reported(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    own = load(OWN)
    paths = files(tmp_path, published(own), published(packaged("oxford"), server_seed=OTHER))
    assert run(["verify", *paths]) == 0
    first = (
        "table one round 17: settled, cards from the committed seed and the seats' seeds,\n"
        "                    results by the rules\n    rules of "
    )
    seeds = "    seeds: seat 1 sent openly, seat 4 none\n"
    message = (
        f"{first}mine, version 7,\n             @{own.sha256}:\n"
        f"             the record's own rules, not a packaged rulebook\n    commitment {commitment(SEED)}\n{seeds}"
        f"{first}oxford, version {packaged('oxford').version},\n             @{OXFORD}:\n"
        f"             the packaged rulebook\n    commitment {commitment(OTHER)}\n{seeds}"
    )
    output = capsys.readouterr().out
    assert output.startswith(message)
    assert output.removeprefix(message).startswith("not proved: that you saw the commitment before you bet")
    assert run(["verify", "--json", paths[0]]) == 0
    (row,) = msgspec.json.decode(capsys.readouterr().out)["rounds"]
    assert row["rulebook"] == {"name": "mine", "version": "7", "sha256": own.sha256, "rules": "own"}


def test_today_s_rulebooks_are_in_the_list_of_released_ones() -> None:
    releases = [line.split(" ", 3) for line in RELEASED.read_text("utf-8").splitlines()[1:]]
    for name in PACKAGED:
        assert [name, packaged(name).sha256, packaged(name).version] in [line[1:] for line in releases], (
            "run `make docs`"
        )


def test_an_unreadable_file_or_proof_does_not_stop_the_others(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    good = published(packaged("oxford"))
    empty, mixed_file, last = files(tmp_path, "", good.replace("# seed 64", "# seed zz") + good, good)
    missing_file, binary = tmp_path / "gone", tmp_path / "binary"
    binary.write_bytes(b"\xff\xfe\x00")
    paths = [str(path) for path in (missing_file, binary, empty, tmp_path, mixed_file, last)]
    assert run(["verify", *paths]) == 1
    output = capsys.readouterr()
    assert output.out.count("cards from the committed seed") == 2
    assert "NOT" not in output.out, "what cannot be read has no name"
    seed = SEED.hex().replace("64", "zz", 1)
    assert output.err.splitlines() == [
        f"hcf: cannot read {missing_file}: no such file",
        f"hcf: cannot read {binary}: byte 0 is not UTF-8",
        f"hcf: {empty}:1: proof: read an empty file, expected '# highcardflush proof 1'",
        f"hcf: cannot read {tmp_path}: it is a folder",
        f"hcf: {mixed_file}:4: seed: read '{seed}', expected hex digits",
    ]
    assert run(["verify", "--json", *paths]) == 1
    told_as_data = msgspec.json.decode(capsys.readouterr().out)["rounds"]
    assert [row["verified"] for row in told_as_data] == [False] * 5 + [True] * 2
    assert [row["line"] for row in told_as_data] == [None, None, 1, None, 4, len(good.splitlines()) + 1, 1]
