"""The terminal table, driven through a pipe as a script does and through a pty as a person does."""

from __future__ import annotations

import fcntl
import os
import pty
import re
import select
import signal
import struct
import subprocess
import sys
import termios
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from highcardflush.cards import Hand
from highcardflush.cli.files import finder
from highcardflush.cli.table import result
from highcardflush.cli.table.coach import say_luck
from highcardflush.cli.table.model import Table
from highcardflush.cli.table.prompt import Pipe
from highcardflush.cli.table.screen import Screen
from highcardflush.cli.table.wagers import lowered, nudge
from highcardflush.game import parse, replay
from highcardflush.game.actions import Wagers
from highcardflush.game.legal import WagerOption
from highcardflush.game.replay import Played
from highcardflush.game.wagers import Amounts
from highcardflush.money import parse_cents
from highcardflush.ranking import straight_flush_cards

COMMAND = [sys.executable, "-W", "error", "-c", "from highcardflush.cli import main; main()", "play"]
ENVIRONMENT = {**os.environ, "PYTHONIOENCODING": "utf-8", "TERM": "xterm", "COLUMNS": "200", "FORCE_COLOR": "1"}
DISCARDED_RUN = "86"
"""The first hand of the last of three seats is Qs8s7s 8d7d6d Ac: a straight flush outside the best flush."""


def run(*args: str, answers: str = "", **environment: str) -> subprocess.CompletedProcess[str]:
    """A session with these answers, one a word; `.` is Enter."""
    lines = "".join(("" if answer == "." else answer) + "\n" for answer in answers.split())
    return subprocess.run(
        [*COMMAND, *args],
        input=lines,
        capture_output=True,
        text=True,
        encoding="utf-8",
        timeout=30,
        env={**ENVIRONMENT, **environment},
        check=False,
    )


def replayed(record: Path) -> list[Played]:
    """The rounds of a record, each played again without a difference."""
    rounds = [replay(found, str(record), finder(record.parent)) for found in parse(record.read_text("utf-8"))]
    assert [played.differences for played in rounds] == [()] * len(rounds)
    return rounds


def net_cents(rounds: list[Played], seat: int) -> int:
    settlements = [played.state.settlement for played in rounds]
    return sum(result.net_cents for s in settlements if s for result in s.results if result.seat == seat)


def last_bankroll(output: str) -> int:
    return parse_cents(re.findall(r"bankroll +\$([\d,.]+)", output)[-1].replace(",", ""))


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
def test_session(table: tuple[str, ...], tmp_path: Path) -> None:
    record = tmp_path / "rounds.txt"
    args = ("--rulebook", *table, "--seed", "c0ffee", "--record", str(record))
    played = run(*args, answers=". r . f . r . . r n n q")
    assert (played.returncode, played.stderr) == (0, "")
    assert "\x1b" not in played.stdout
    assert max(map(len, played.stdout.split("\n"))) <= 80
    seats = int(table[table.index("--seats") + 1]) if "--seats" in table else 3
    rounds = replayed(record)
    assert len(rounds) == 4
    assert last_bankroll(played.stdout) == 100_000 + net_cents(rounds, seats)
    assert "this run is repeatable" in played.stdout
    assert "Thank you for playing" in played.stdout


def test_same_seed_same_output() -> None:
    args = ("--rulebook", "galaxy-v7", "--offer", "progressive", "PT-PRG-HCF-D01a", "--seed", "00ff", "--seats", "4")
    first, second = (run(*args, answers=". r . r . f q").stdout for _ in range(2))
    assert first == second
    assert "Dynamic Pays this round: " in first
    assert run(*args[:-4], "--seed", "01ff", answers=". r q").stdout != first


def test_without_seed_every_session_differs() -> None:
    first, second = (run("--rulebook", "oxford", answers=". r q").stdout for _ in range(2))
    assert first != second
    assert "repeatable" not in first


def test_newcomer_presses_enter() -> None:
    shown = run("--seed", "2a", answers=". . . . . 1 . f").stdout
    assert "High Card Flush, Oxford Casino (Maine)" in shown
    assert "Your bets $20  ante $10 · flush $5 · straight flush $5" in shown
    assert shown.count("Fold and give up $10, or raise $10? One key, please.") == 3
    assert "You raise $10 and keep spades." in shown
    assert re.search(r"rounds +2 ", shown)


def test_menus_of_side_bets() -> None:
    envy = run("--seed", "2a", answers="4 2 . r q").stdout
    assert "Progressive $30,000.00 · Bankroll $1,000" in envy
    assert "Your bets $16  ante $10 · flush $5 · progressive $1" in envy
    bonus = run("--seed", "2a", answers="5 ? 3 q").stdout
    assert "This Bonus Jackpot is the casino's own prize" in bonus
    assert "Bonus jackpot $10,000.00 · Bankroll $1,000" in bonus
    assert "Side bets: none." in run("--rulebook", "galaxy-v7", answers="6 q").stdout
    assert "A key from 1 to 5, please." in run(answers="9 meadows q").stdout


@pytest.mark.parametrize(
    ("answers", "recorded", "reason"),
    [
        (". 1 .", "3 raise 10 expose 8d7d6d", "three-card straight flush, eight high, pays 7 to 1"),
        (". f y", "3 fold expose 8d7d6d", "three-card straight flush, eight high, pays 7 to 1"),
        (". 1 n", "3 raise 10", "no straight flush was kept or laid face up"),
        (". 1 = 9s 6d7d10s 8d,7d 6d7d8d", "3 raise 10 expose 8d7d6d", "not among your discards"),
        (". k 1", "3 raise 10 keep diamonds", "three-card straight flush, eight high, pays 7 to 1"),
    ],
)
def test_keep_and_expose(answers: str, recorded: str, reason: str, tmp_path: Path) -> None:
    record = tmp_path / "rounds.txt"
    args = ("--rulebook", "atlantic-city", "--seed", DISCARDED_RUN, "--record", str(record))
    played = run(*args, answers=answers + " q")
    assert f"\n{recorded}\n" in record.read_text("utf-8")
    assert reason in " ".join(played.stdout.split())
    assert len(replayed(record)) == 1


def test_no_keep_or_expose_where_the_best_flush_plays() -> None:
    shown = run("--rulebook", "washington", "--seed", DISCARDED_RUN, answers="1 . 1 q").stdout
    assert "face up" not in shown
    assert "keep" not in shown


def test_raise_of_any_amount_between(tmp_path: Path) -> None:
    args = ("--rulebook", "meadows", "--seed", "2c", "--record", str(tmp_path / "r"))
    shown = run(*args, answers=". =25 17.50 q").stdout
    assert "[1] raise $10  [2] raise $20  [=] raise other" in shown
    assert "$25 cannot be raised here, only $10 to 20." in shown
    assert "\n3 raise 17.50\n" in (tmp_path / "r").read_text("utf-8")
    assert "[f] fold  [2] raise $20  [k]" in run("--rulebook", "atlantic-city", "--seed", "2c", answers=". q").stdout


def test_bets_change_and_stay() -> None:
    shown = run("--rulebook", "oxford", "--seed", "2a", answers=". r a 3 f 0 s + + . . f a 12.50 a - . s x 0 q").stdout
    bets = re.findall(r"Your bets (.*)", shown)
    assert bets[0] == "$20  ante $10 · flush $5 · straight flush $5"
    assert bets[2] == "$35  ante $25 · flush $5 · straight flush $5"
    assert bets[4] == bets[5] == "$40  ante $25 · straight flush $15"
    assert bets[6:] == [
        "$27.50  ante $12.50 · straight flush $15",
        "$22.50  ante $7.50 · straight flush $15",
        "$7.50  ante $7.50",
    ]


def test_only_legal_amounts() -> None:
    shown = run("--rulebook", "atlantic-city", "--set", "ante-maximum", "50", answers="a 12 60 = 45 q").stdout
    assert "[1] $5  [2] $10  [3] $25  [+] more" in shown
    assert "$12 is refused: $5 to 50 in steps of 5 is allowed." in shown
    assert "$60 is refused" in shown
    assert "Your bets $55  ante $45" in shown


def test_rules_and_history() -> None:
    shown = run("--rulebook", "oxford", "--seed", "2a", answers="h ? . ? r h q").stdout
    assert "No round has been played yet." in shown
    assert "7-card straight flush  8,000" in shown
    assert "No more than $25,000 is paid to one player on one hand." in shown
    assert shown.count("Your hand, seat 3") == 2
    assert re.search(r"Round 1 +raised \$10 +-\$30 +\$970 +K♠ J♠ 6♠ Q♦ 2♦ 9♣ 2♣", shown)


def test_small_bankroll() -> None:
    poor = run("--rulebook", "oxford", "--bankroll", "10", "--seed", "2a", answers="a 2 . . 1 f").stdout
    assert "Your bets $5  ante $5" in poor
    assert "too little for a Raise" in poor
    assert "[1] raise" not in poor
    assert "The $0 you have left cannot raise this flush: f folds." in poor
    assert "A bankroll of $0 covers no bet at this table: the Ante is $0.01 or more." in poor
    refused = run("--rulebook", "oxford", "--bankroll", "30", answers="a 4 q").stdout
    assert "$100 on ante refused: the bankroll leaves $20." in refused


def test_lowered_wagers() -> None:
    options = [
        WagerOption("ante", Amounts(100, None, 1), required=True),
        WagerOption("flush", Amounts(1, None, 1), required=False),
        WagerOption("progressive", Amounts(100, 100, 1), required=True),
    ]
    usual = Wagers(ante=1000, flush=500, progressive=100)
    assert lowered(options, usual, 2600) == usual
    assert lowered(options, usual, 2599) == Wagers(ante=1000, progressive=100)
    assert lowered(options, usual, 1150) == Wagers(ante=500, progressive=100)
    assert lowered(options, usual, 250) == Wagers(ante=100, progressive=100)
    assert lowered(options, usual, 199) is None


def test_fit_and_nudge() -> None:
    fives = Amounts(500, 5000, 500)
    assert [fives.nearest(cents) for cents in (1, 700, 1000, 99999)] == [500, 500, 1000, 5000]
    free = Amounts(1, None, 1)
    assert [nudge(cents, free, True) for cents in (0, 100, 400, 500, 1000)] == [100, 200, 500, 1000, 1500]
    assert [nudge(cents, free, False) for cents in (1500, 1000, 500, 100, 50)] == [1000, 500, 400, 100, 50]


def test_straight_flush_cards() -> None:
    assert straight_flush_cards(Hand.parse("As2s3s9s Kd4d5h")) == Hand.parse("As2s3s")
    assert straight_flush_cards(Hand.parse("As2s3s QdKdAd 5h")) == Hand.parse("QdKdAd")
    assert not straight_flush_cards(Hand.parse("AsKs 2d3d 5h6h7c"))


def test_end_of_input_at_the_decision(tmp_path: Path) -> None:
    record = tmp_path / "rounds.txt"
    ended = run("--rulebook", "oxford", "--seed", "2a", "--record", str(record), answers=".")
    assert (ended.returncode, ended.stderr) == (0, "")
    assert "Round 1 was not finished: it is void, and your bets go back to you." in ended.stdout
    assert last_bankroll(ended.stdout) == 100_000
    (void,) = replayed(record)
    assert "void other the player left" in record.read_text("utf-8")
    assert void.state.phase == "void"
    assert run(answers="").returncode == 0


def test_record_is_appended_and_names_a_path_from_its_own_folder(tmp_path: Path) -> None:
    (tmp_path / "rules").mkdir()
    (tmp_path / "rules" / "mine.toml").write_text('extends = "oxford"\nname = "mine"\n', "utf-8")
    (tmp_path / "out").mkdir()
    record = tmp_path / "out" / "rounds.txt"
    for _ in range(2):
        args = ("--rulebook", str(tmp_path / "rules" / "mine.toml"), "--record", str(record))
        assert run(*args, answers=". f q").returncode == 0
    assert "\nrulebook ../rules/mine.toml @" in record.read_text("utf-8")
    assert len(replayed(record)) == 2


@pytest.mark.parametrize(
    ("args", "status", "said"),
    [
        (("--record", "/"), 1, "hcf: /: record: read Is a directory, expected a file to append to"),
        (("--record", "/no/such/folder/r"), 1, "hcf: /no/such/folder/r: record: read No such file"),
        (("--record", "/dev/full", "--rulebook", "oxford"), 1, "hcf: /dev/full: record: read No space left on device"),
        (("--rulebook", "nevada"), 1, "hcf: rulebook: read 'nevada'"),
        (("--rulebook", "oxford", "--set", "seats", "2", "--seats", "3"), 1, "hcf: seats: read 3, expected at most 2"),
        (("--seed", "abc"), 2, "an even number of them"),
        (("--seed", "00" * 33), 2, "2 to 64 hex digits"),
        (("--bankroll", "0"), 2, "an amount above zero"),
        (("--bankroll", "ten"), 2, "expected dollars such as 25"),
        (("--offer", "poker", "x"), 2, "one of flush, straight-flush, progressive"),
    ],
)
def test_refused(args: tuple[str, ...], status: int, said: str) -> None:
    refused = run(*args, answers=". f")
    assert refused.returncode == status
    assert said in refused.stderr.splitlines()[-1]
    assert "Traceback" not in refused.stderr


def test_progressive_only_has_no_cards_to_play() -> None:
    args = ("--rulebook", "galaxy-v7", "--offer", "progressive", "PT-BJS-HCF-SF-07", "--set", "play")
    assert "this table deals cards" in run(*args, "progressive-only").stderr


def test_letters_where_there_are_no_symbols() -> None:
    shown = run("--rulebook", "oxford", "--seed", "2a", answers=". r q", PYTHONIOENCODING="ascii").stdout
    assert shown.isascii()
    assert "| Ks| Js| 6s| | Qd| 2d| | 9c| 2c|" in shown
    assert "?" not in shown.replace("[?]", "")


def test_closed_output_ends_quietly() -> None:
    started = subprocess.Popen(
        [*COMMAND, "--rulebook", "oxford"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE
    )
    assert started.stdin
    assert started.stdout
    assert started.stderr
    started.stdout.readline()
    started.stdout.close()
    started.stdin.write(b"\nf\n" * 50)
    started.stdin.close()
    assert started.stderr.read() == b""
    started.stderr.close()
    assert started.wait(timeout=20) == 1


def test_each_pause_fits_the_screen() -> None:
    """Six seats, three side bets and dice: what comes between two answers is never more than a screen."""
    args = ["--rulebook", "washington", "--seats", "6", "--seed", "2b", "--set", "dealing", "dice"]
    shown = run(*args, answers="2 " + ". r " * 12 + "q").stdout
    blocks = shown.split("[q] quit  > ")
    assert len(blocks) > 20
    assert max(block.partition("\n")[2].count("\n") + 1 for block in blocks) <= 24


def test_meter_pays_and_starts_again(capsys: pytest.CaptureFixture[str]) -> None:
    text = """\
hcf 1
rulebook galaxy-v7
offer progressive PT-BJS-HCF-SF-E05
seat 1 ante 10 progressive 1
seat 2 ante 10 progressive 1
deal 1 AsKsQsJsTs9s8s
deal 2 2c9c Jh4h 5s7s Qd
deal dealer 9h8h6h Kc3c Td2s
1 raise 30
2 fold
"""
    played = replay(parse(text)[0])
    table = Table(Screen(), Pipe(), played.rulebook, 2, 100_000, bytes(32))
    result.tell_settlement(table, played.state, played.events)
    shown = capsys.readouterr().out
    assert "envy                     win        +$250  Envy Pay of $250 for seat 1's hand" in shown
    assert "The progressive meter pays $30,000.46 to Seat 1 Ruth." in shown
    assert "The progressive meter starts again at $30,000.00." in shown


def test_coach_shows_warns_and_sums_up(tmp_path: Path) -> None:
    record = tmp_path / "rounds.txt"
    args = ("--rulebook", "oxford", "--seed", "2a", "--record", str(record), "--coach")
    shown = run(*args, answers=". f 1 1 . f f q").stdout
    assert " Coach: fold -1.0000 (-$10.00) · raise $10 +0.0466 (+$0.47)\n" in shown
    assert "dealer: 25.1 % no hand, 32.2 % you win, 0.3 % tie, 42.4 % you lose" in shown
    assert "best: raise $10; the flush alone decides" in shown
    assert "That costs $10.47 on average. [f] again to fold, any other key to think again." in shown
    assert re.findall(r"\n3 (raise|fold)", record.read_text("utf-8")) == ["raise", "fold"]
    account = dict(re.findall(r"│  (best play expects|mistakes cost|luck|net) +([-+]\$[\d.]+) ", shown))
    cents = [parse_cents(account[name].replace("$", ""), signed=True) for name in account if name != "net"]
    assert sum(cents) == parse_cents(re.findall(r"net +(-\$[\d.]+)", shown)[-1].replace("$", ""), signed=True) == -5000
    assert account["mistakes cost"] == "-$9.85"
    assert "1 fold" in shown
    assert "z is luck in standard deviations. It means little before some 200 rounds." in shown


def test_coach_on_keeping_and_showing() -> None:
    args = ("--rulebook", "atlantic-city", "--seed", DISCARDED_RUN, "--coach")
    shown = run(*args, answers=". k 1 . k 1 n n q").stdout
    assert "best: keep spades and raise $10; the flush alone decides" in shown
    assert "[1] again to raise $10, any other key to think again." in " ".join(shown.split())
    assert "Coach: face down you lose $40.00" in shown
    assert "That costs $40.00. [n] again to hide it, any other key to think again." in shown
    assert "1 straight flush not shown" in shown
    assert "paid face up or face down" in run("--rulebook", "oxford", *args[2:], answers=". 1 q").stdout


def test_coach_on_a_typed_raise() -> None:
    args = ("--rulebook", "meadows", "--seed", "2c", "--coach")
    shown = run(*args, answers=". 17.50 x 17.50 17.50 q").stdout
    assert shown.count("[=] again to raise $17.50") == 2
    assert "You raise $17.50" in shown
    assert "1 wrong amount" in shown


def test_c_calls_the_coach_and_sends_it_away() -> None:
    args = ("--rulebook", "oxford", "--seed", "2a")
    plain = run(*args, answers=". f . r q").stdout
    assert "coach" not in plain.lower()
    called = run(*args, answers="c . f c f . r q").stdout
    assert "The coach speaks at each decision." in called
    assert "[c] coach off" in called
    assert "[c] coach on" in called
    assert called.count("Coach:") == 1
    assert "The coach's account of 2 rounds" in called
    cards = re.compile(r"║.*")
    assert cards.findall(plain)[0] == cards.findall(called)[0]
    assert last_bankroll(plain) == last_bankroll(called)


def test_coach_in_letters_and_in_the_bare_package() -> None:
    ascii_only = run(
        "--rulebook", "oxford", "--seed", "2a", "--coach", answers=". r q", PYTHONIOENCODING="ascii"
    ).stdout
    assert ascii_only.isascii()
    code = "import sys; sys.modules.update(numpy=None, numba=None); from highcardflush.cli import main; main()"
    command = [sys.executable, "-c", code, "play", "--rulebook", "oxford", "--coach"]
    bare = subprocess.run(command, input="\nr\nr\nq\n", capture_output=True, text=True, timeout=30, check=False)
    assert (bare.returncode, bare.stderr) == (0, "")
    assert "The coach's account of 1 round" in bare.stdout


def test_each_pause_with_the_coach_fits_the_screen() -> None:
    args = ["--rulebook", "washington", "--seats", "6", "--seed", "2b", "--set", "dealing", "dice", "--coach"]
    shown = run(*args, answers="2 " + ". r r " * 12 + "q").stdout
    blocks = shown.split("[q] quit  > ")
    assert shown.count("Coach:") >= 12
    assert max(block.partition("\n")[2].count("\n") + 1 for block in blocks) <= 24


class Terminal:
    """A session in a terminal of 80 by 24."""

    def __init__(self, process: subprocess.Popen[bytes], master: int) -> None:
        self.process, self.master, self.seen = process, master, ""

    def keys(self, keys: str) -> None:
        os.write(self.master, keys.encode())

    def until(self, text: str) -> None:
        """Wait for a text, and forget what came up to it."""
        end = time.monotonic() + 20
        while text not in self.seen:
            assert time.monotonic() < end, f"no {text!r} in {self.seen!r}"
            if select.select([self.master], [], [], 0.1)[0]:
                self.seen += os.read(self.master, 65536).decode()
        self.seen = self.seen.partition(text)[2]


@contextmanager
def terminal(*args: str) -> Iterator[Terminal]:
    master, slave = pty.openpty()
    fcntl.ioctl(slave, termios.TIOCSWINSZ, struct.pack("HHHH", 24, 80, 0, 0))
    before = termios.tcgetattr(slave)
    environment = {key: value for key, value in ENVIRONMENT.items() if key != "COLUMNS"}
    with subprocess.Popen(
        [*COMMAND, *args], stdin=slave, stdout=slave, stderr=slave, env=environment, start_new_session=True
    ) as process:
        try:
            yield Terminal(process, master)
            assert termios.tcgetattr(slave) == before
        finally:
            process.kill()
            os.close(slave)
            os.close(master)


def test_one_key_without_enter() -> None:
    with terminal("--seed", "2a") as screen:
        screen.until("Whose rules?")
        screen.keys("2")
        screen.until("Your bets $20")
        screen.keys("a")
        screen.until("Ante $10")
        screen.keys("3")
        screen.until("Your bets $35")
        screen.keys("a=17x\x7f\r")
        screen.until("$17 is refused")
        screen.keys("=15\x7f0\r")
        screen.until("Your bets $20")
        screen.keys("\x1b[A")
        screen.until("no answer here")
        screen.keys("?")
        screen.until("[b] back to the table")
        screen.keys("b")
        screen.until("Your bets $20")
        screen.keys("\n")
        screen.until("Your hand, seat 3")
        screen.keys("1")
        screen.until("This round")
        screen.keys("q")
        screen.until("Thank you for playing")
        assert screen.process.wait(timeout=10) == 0


@pytest.mark.parametrize("keys", ["", "\n"], ids=["bets", "decision"])
def test_interrupt(keys: str) -> None:
    with terminal("--rulebook", "oxford", "--seed", "2a") as screen:
        screen.until("[q]")
        screen.keys(keys)
        screen.until("Your hand" if keys else "quit")
        time.sleep(0.2)
        screen.process.send_signal(signal.SIGINT)
        screen.until("Thank you for playing")
        screen.until("bankroll")
        assert screen.process.wait(timeout=10) == 130
        assert "Traceback" not in screen.seen


def test_end_of_keys() -> None:
    with terminal("--rulebook", "oxford") as screen:
        screen.until("quit")
        screen.keys("\x04")
        screen.until("Thank you for playing")
        assert screen.process.wait(timeout=10) == 0


@pytest.mark.parametrize(
    ("z", "rounds", "words"),
    [
        (4.45, 2, "It means little before some 200 rounds."),
        (0.5, 500, "Yours was ordinary: about 62 of 100 such sessions stray as far"),
        (-3.5, 500, "Yours was extremely bad: about 1 of 2,149 such sessions"),
    ],
)
def test_luck_in_words(z: float, rounds: int, words: str) -> None:
    assert words in say_luck(z, rounds)
