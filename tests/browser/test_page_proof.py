"""The proof as the round's page checks it, by node: it finds what `hcf verify` finds, and no byte changes unseen."""

import json
import shutil
import subprocess
from pathlib import Path
from random import Random
from typing import Any

import pytest

import highcardflush
from highcardflush.fairness import player_commitment
from highcardflush.notation.proof import parse_proofs, verify_proof
from highcardflush.rulebook import Rulebook, load
from highcardflush.web.messages.parts import Result, encode
from highcardflush.web.messages.rounds import replay_steps
from notation.test_proof import COMMITTED, OWN, TABLES, published, verify
from support.data.tables import table as felt
from support.walkers.rounds import walk
from web.test_steps import by_hand, record_of

NODE = shutil.which("node") or ""
HERE = Path(__file__).parents[1]
PROOF = Path(highcardflush.__file__).parent / "web" / "static" / "round" / "proof.js"
pytestmark = pytest.mark.skipif(not NODE, reason="needs node")
Published = dict[str, Any]
MORE = ("meadows | |", "four | |", "west | progressive galaxy-v7/PT-PRG-HCF-D01a | jackpot progressive")
JACKPOT = "galaxy-v7 | progressive PT-BJS-HCF-SF-07 | play progressive-only"
OTHERS = "0123456789abcdefAs \n-"


def published_record(rulebook: Rulebook, proof: str) -> Published:
    """Return the record of a round as the page assembles it."""
    record = record_of(rulebook, proof)
    settlement = verify_proof(next(parse_proofs(proof))).replay.state.settlement
    assert settlement is not None
    results = json.loads(encode([Result.of(each) for each in settlement.results]))
    steps = json.loads(encode(replay_steps(record, {})))
    data = {"table": "one", "number": 17, "notation": record.notation, "proof": proof}
    return {**data, "results": results, "rules": steps["rules"], "side_bets": steps["side_bets"]}


def ask(rounds: list[Published]) -> list[dict[str, Any]]:
    lines = "".join(json.dumps(each) + "\n" for each in rounds)
    command = [NODE, "--experimental-default-type=module", "--no-warnings", str(HERE / "support/verify.js"), str(PROOF)]
    process = subprocess.run(command, input=lines, capture_output=True, text=True, check=False)
    assert process.returncode == 0, process.stderr
    return [json.loads(line) for line in process.stdout.splitlines()]


def some_seeds(rng: Random) -> tuple[dict[int, str], dict[int, str]]:
    """Return seeds and commitments of a few seats, each of which named a seed, revealed one, or gave none."""
    seats = sorted(rng.sample(range(1, 7), rng.randint(1, 6)))
    seeds = {seat: rng.randbytes(rng.choice((0, 1, 16, 64))).hex() for seat in seats}
    hidden_seeds = {seat: seed for seat, seed in seeds.items() if len(seed) >= 32 and rng.random() < 0.5}
    return seeds, {seat: player_commitment(bytes.fromhex(seed)) for seat, seed in hidden_seeds.items()}


@pytest.mark.parametrize("row", [*TABLES, *MORE])
def test_the_page_verifies_what_the_command_verifies(row: str) -> None:
    rulebook, rng = felt(row), Random(row)
    rounds = [
        published_record(
            rulebook, published(rulebook, *some_seeds(rng), void=rng.random() < 0.1, server_seed=rng.randbytes(32))
        )
        for _ in range(25)
    ]
    checks = ask(rounds)
    assert [each["wrong"] for each in checks] == [None] * len(rounds)
    assert all(each["checks"][-2:] == ["hands", "results"] for each in checks)


@pytest.mark.parametrize("row", [*TABLES, *MORE[:2], JACKPOT])
def test_the_page_pays_as_the_rules_do(row: str) -> None:
    """Whatever is done at a table that is dealt by hand; what it leaves to the command are shares of a meter."""
    rulebook, rng = felt(row), Random(row)
    states = [[*walk(rulebook, rng)][-1] for _ in range(40)]
    rounds = [published_record(rulebook, by_hand(rulebook, state)) for state in states]
    checks = ask(rounds)
    assert [each["wrong"] for each in checks] == [None] * len(rounds)
    assert sum(each["left"] for each in checks) < len(rounds) // 10


@pytest.mark.parametrize("rules", ["packaged", "own"])
def test_no_byte_of_a_proof_changes_unseen(rules: str) -> None:
    rulebook = load(OWN) if rules == "own" else felt("oxford | |")
    good = published_record(rulebook, published(rulebook, {1: "00ff", 4: "5eed"}))
    text, rng = good["proof"], Random(1)
    places = range(len(text)) if rules == "packaged" else sorted(rng.sample(range(len(text)), 500))
    others = [rng.choice(OTHERS.replace(text[at], "")) for at in places]
    forgeries = [text[:at] + other + text[at + 1 :] for at, other in zip(places, others, strict=True)]
    forgeries += [text[:at] + text[at + 1 :] for at in rng.sample(range(len(text)), 100)]
    checks = ask([{**good, "proof": each} for each in [text, *forgeries]])
    assert checks[0]["good"]
    assert [each for each, check in zip(forgeries, checks[1:], strict=True) if check["good"]] == []


CHANGES = (
    ("# seed 6465", "# seed 6466", "commitment"),
    ("# commitment ", "# commitment 00", "commitment"),
    ("# player-seed 1 00ff", "# player-seed 1 00fe", "hands"),
    ("# player-seed 1 00ff", "# player-seed 1 -", "hands"),
    ("# player-seed 4 -\n", "", "player-seeds"),
    ("# player-seed 4 -", "# player-seed 5 -", "player-seeds"),
    ("# seed 6465", "# seed lost 6465", "commitment"),
    ("# round one 17", "# round one 18", "head"),
    ("# round one 17", "# round two 17", "head"),
    ("# round one 17\n", "", "head"),
    ("# highcardflush proof 1", "# highcardflush proof 2", "head"),
)  # fmt: skip


@pytest.mark.parametrize(("old", "new", "step"), CHANGES)
def test_a_forged_proof_is_refused_at_its_step(old: str, new: str, step: str) -> None:
    rulebook = felt("oxford | |")
    good = published_record(rulebook, published(rulebook))
    assert old in good["proof"]
    (check,) = ask([{**good, "proof": good["proof"].replace(old, new, 1)}])
    assert check["wrong"]["code"] == step


def test_a_seed_that_was_committed_to_is_the_one_that_was_revealed() -> None:
    rulebook = felt("oxford | |")
    good = published_record(rulebook, published(rulebook, *COMMITTED))
    line = f"# player-seed 1 {COMMITTED[0][1]}"
    changes = (line, line[:-2] + "00"), ("# player-commitment 1 ", "# player-commitment 1 00")
    checks = ask([good, *({**good, "proof": good["proof"].replace(*change)} for change in changes)])
    codes = [each["wrong"] and each["wrong"]["code"] for each in checks]
    assert codes == [None, "player-commitment", "player-commitment"]


@pytest.mark.parametrize("row", TABLES)
def test_the_page_refuses_every_proof_the_command_refuses(row: str) -> None:
    """Hands, dice, Dynamic Pays and results are changed in the record too: only the seeds and the rules tell."""
    rulebook, rng = felt(row), Random(row)
    forgeries, refusals = [], []
    for _ in range(25):
        good = published_record(rulebook, published(rulebook, *some_seeds(rng), server_seed=rng.randbytes(32)))
        text = forge(good["proof"], rng)
        nets = {
            (nets_by_seat[0], wager): cents
            for nets_by_seat in nets_of(text)
            for wager, cents in nets_by_seat[1].items()
        }
        results = [{**each, "net_cents": nets.get((each["seat"], each["wager"]), 0)} for each in good["results"]]
        forgeries.append({**good, "proof": text, "notation": text[text.index("hcf 1\n") :], "results": results})
        refusals.append(verify(text))
    checks = ask(forgeries)
    unnoticed = [
        nets_by_seat for nets_by_seat, each in zip(refusals, checks, strict=True) if nets_by_seat and each["good"]
    ]
    assert len([nets_by_seat for nets_by_seat in refusals if nets_by_seat]) > 10
    assert unnoticed == []


def nets_of(text: str) -> list[tuple[int, dict[str, int]]]:
    lines = [line.split()[1:] for line in text.splitlines() if line.startswith("= ") and not line.startswith("= meter")]
    pairs = [(int(seat), zip(rest[::2], rest[1::2], strict=True)) for seat, *rest in lines]
    return [(seat, {wager: round(float(net) * 100) for wager, net in nets}) for seat, nets in pairs]


def forge(text: str, rng: Random) -> str:
    """Exchange two hands, or change dice, a Dynamic Pay or a result."""
    lines = text.splitlines()
    kinds = {"deal": "deal ", "dice": "dice ", "result": "= ", "dynamic": "dynamic "}
    ours = [(at, line) for at, line in enumerate(lines) if "meter" not in line]
    places = {kind: [at for at, line in ours if line.startswith(begin)] for kind, begin in kinds.items()}
    kind = rng.choice([kind for kind, spots in places.items() if spots])
    at = rng.choice(places[kind])
    if kind == "deal":
        other = rng.choice([i for i in places["deal"] if i != at])
        heads = [lines[i].split(" ", 2)[:2] for i in (at, other)]
        rests = [lines[i].split(" ", 2)[2] for i in (other, at)]
        for i, head, rest in zip((at, other), heads, rests, strict=True):
            lines[i] = " ".join([*head, rest])
    elif kind == "dice":
        one, *others = lines[at].split()[1:]
        lines[at] = " ".join(["dice", str(int(one) % 6 + 1), *others])
    elif kind == "result":
        old = next(word for word in lines[at].split()[2:] if word[-1].isdigit() or word == "0")
        lines[at] = lines[at].replace(f" {old}", " +1" if old != "+1" else " -1", 1)
    else:
        words = lines[at].split()
        lines[at] = " ".join([*words[:-1], words[-1].replace("=", "=1")])
    return "\n".join(lines) + "\n"
