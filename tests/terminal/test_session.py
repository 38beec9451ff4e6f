"""Sessions at the table in the terminal: repeatable, recorded, left at any moment, and their money right."""

import re
import subprocess
import sys
from contextlib import suppress
from pathlib import Path

import pytest

from support.places.terminal import COMMAND, Play, last_amount, net_cents, replayed

TABLES = [
    ("oxford",),
    ("atlantic-city",),
    ("meadows", "--seats", "6"),
    ("galaxy-v7", "--offer", "progressive", "PT-PRG-HCF-D01a"),
    ("galaxy-v7", "--offer", "progressive", "PT-BJS-HCF-SF-E05", "--offer", "flush", "washington/PT-FLT-HCF-FB-01"),
    ("galaxy-v7", "--offer", "progressive", "PT-PRG-HCF-MLP-01 base=5", "--set", "mandatory", "progressive"),
    ("washington", "--offer", "progressive", "PT-BJS-HCF-SF-01", "--set", "jackpot", "progressive", "--set", "seed",
     "30000", "--set", "rate", "23%", "--set", "reserve-rate", "5%", "--set", "dealing", "dice", "--seats", "1"),
]  # fmt: skip


@pytest.mark.parametrize("table", TABLES, ids=lambda table: " ".join(table[:4]))
def test_session(play: Play, table: tuple[str, ...], tmp_path: Path) -> None:
    record = tmp_path / "rounds.txt"
    args = ("--rulebook", *table, "--seed", "c0ffee", "--record", str(record))
    result = play(*args, answers=". r . f . r . r n n q")
    assert (result.status, result.err) == (0, "")
    assert "\x1b" not in result.out
    assert max(map(len, result.out.split("\n"))) <= 80
    seats = int(table[table.index("--seats") + 1]) if "--seats" in table else 3
    rounds = replayed(record)
    assert len(rounds) == 4
    assert last_amount(result.out, "bankroll") == 100_000 + net_cents(rounds, seats)
    assert "this session is repeatable" in result.out
    assert "Thank you for playing" in result.out


def test_same_seed_same_output(play: Play) -> None:
    args = ("--rulebook", "galaxy-v7", "--offer", "progressive", "PT-PRG-HCF-D01a", "--seed", "00ff", "--seats", "4")
    first, second = (play(*args, answers=". r . r . f q").out for _ in range(2))
    assert first == second
    assert re.search(r"Dynamic Pays this round: \d-card straight flush pays \$", first)
    assert play(*args[:-4], "--seed", "01ff", answers=". r q").out != first


def test_without_seed_every_session_differs(play: Play) -> None:
    first, second = (play("--rulebook", "oxford", answers=". r q").out for _ in range(2))
    assert first != second
    assert "repeatable" not in first


def test_end_of_input_at_the_decision(play: Play, tmp_path: Path) -> None:
    record = tmp_path / "rounds.txt"
    result = play("--rulebook", "oxford", "--seed", "2a", "--record", str(record), answers=".")
    assert (result.status, result.err) == (0, "")
    assert "Round 1 was not finished: it is void, and you get your bets back." in result.out
    assert last_amount(result.out, "bankroll") == 100_000
    (void,) = replayed(record)
    assert "void other the player left" in record.read_text("utf-8")
    assert void.state.phase == "void"
    assert play(answers="").status == 0


def test_leaving_a_round_is_asked_twice(play: Play) -> None:
    args = ("--rulebook", "oxford", "--seed", "2a")
    stays = play(*args, answers=". q n r q")
    assert "Leave now? This voids the round, and you get your bets of $10 back." in stays.words
    assert "You raise $10" in stays.out
    leaves = play(*args, answers=". q y r")
    assert "it is void" in leaves.out
    assert "You raise" not in leaves.out
    assert "Leave now?" not in play(*args, answers="q").out


def test_a_broke_player_buys_in_again(play: Play) -> None:
    args = ("--rulebook", "oxford", "--bankroll", "10", "--seed", "2a")
    result = play(*args, answers="a 10 . f y . f f q")
    assert "Your bankroll of $0 is too small for this table: the Ante is $5 or more." in result.words
    assert "Buy in again for $10?" in result.out
    assert "You buy in for $10." in result.out
    assert last_amount(result.out, "bought in again") == 1000
    assert last_amount(result.out, "net") == last_amount(result.out, "bankroll") - 1000 - 1000
    result_left = play(*args, answers="a 10 . f n")
    assert "bought in" not in result_left.out
    assert last_amount(result_left.out, "net") == -1000


def test_record_is_appended_and_names_a_path_from_its_own_folder(play: Play, tmp_path: Path) -> None:
    (tmp_path / "rules").mkdir()
    (tmp_path / "rules" / "mine.toml").write_text('extends = "oxford"\nname = "mine"\n', "utf-8")
    (tmp_path / "out").mkdir()
    record = tmp_path / "out" / "rounds.txt"
    for _ in range(2):
        args = ("--rulebook", str(tmp_path / "rules" / "mine.toml"), "--record", str(record))
        assert play(*args, answers=". f q").status == 0
    assert "\nrulebook ../rules/mine.toml @" in record.read_text("utf-8")
    assert len(replayed(record)) == 2


@pytest.mark.parametrize(
    ("args", "status", "message"),
    [
        (("--record", "/"), 1, "hcf: /: record: read Is a directory, expected a file to append to"),
        (("--record", "/no/such/folder/r"), 1, "hcf: /no/such/folder/r: record: read No such file"),
        (("--record", "/dev/full", "--rulebook", "oxford"), 1, "hcf: /dev/full: record: read No space left on device"),
        (("--rulebook", "nevada"), 2, "hcf: rulebook: read 'nevada'"),
        (("--rulebook", "oxford", "--set", "seats", "2", "--seats", "3"), 1, "hcf: seats: read 3, expected at most 2"),
        (("--rulebook", "galaxy-v7", "--offer", "progressive", "PT-BJS-HCF-SF-07", "--set", "play", "progressive-only"),
         1, "set `play` to `full` to play with cards"),
        (("--seed", "abc"), 2, "an even number of hex digits"),
        (("--seed", "00" * 33), 2, "hex digits, from 2 to 64"),
        (("--bankroll", "0"), 2, "an amount above zero"),
        (("--bankroll", "ten"), 2, "expected dollars such as 25"),
        (("--offer", "poker", "x"), 2, "one of flush, straight-flush, progressive"),
    ],
)  # fmt: skip
def test_refused(play: Play, args: tuple[str, ...], status: int, message: str) -> None:
    refusal = play(*args, answers=". f")
    assert refusal.status == status
    assert message in refusal.err.splitlines()[-1]
    assert "Traceback" not in refusal.err


def test_closed_output_ends_quietly() -> None:
    pipe = subprocess.PIPE
    with subprocess.Popen([*COMMAND, "--rulebook", "oxford"], stdin=pipe, stdout=pipe, stderr=pipe) as process:
        assert process.stdin and process.stdout and process.stderr  # noqa: PT018
        process.stdout.readline()
        process.stdout.close()
        with suppress(BrokenPipeError):  # it may have noticed already
            process.stdin.write(b"\nf\n" * 50)
            process.stdin.close()
        assert process.stderr.read() == b""
        assert process.wait(timeout=60) == 1


def test_the_coach_plays_in_the_bare_package() -> None:
    code = "import sys; sys.modules.update(numpy=None, numba=None); from highcardflush.cli import main; main()"
    command = [sys.executable, "-c", code, "play", "--rulebook", "oxford"]
    bare = subprocess.run(command, input="\nr\nr\nq\n", capture_output=True, text=True, timeout=60, check=False)
    assert (bare.returncode, bare.stderr) == (0, "")
    assert "The coach's account of 1 round" in bare.stdout
