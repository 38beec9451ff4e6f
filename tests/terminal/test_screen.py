"""The table in a real terminal: keys without Enter, typed amounts, Ctrl-C, new sizes, pay tables next to the table."""

import os
import pty
import re
import select
import signal
import sys
import threading
from functools import partial
from typing import Any

import pytest

from highcardflush.terminal.input import open_answers
from support.places.terminal import terminal


def test_one_key_without_enter() -> None:
    with terminal("--seed", "2a") as screen:
        screen.answer("Whose rules?", "1")
        screen.answer("Your bets $10", "a")
        screen.answer("Ante: $10", "25\r")
        screen.answer("Your bets $25", "a17.x\x7f5\r")
        screen.answer("Your bets $17.50", "a9\x1b")
        screen.until("[Esc] back")
        screen.answer("[+] more", "\x1b")
        screen.answer("Your bets $17.50", "a10\r")
        screen.answer("Your bets $10", "\x1b[A")
        screen.answer("does nothing here", "?")
        screen.answer("[b] back", "b")
        screen.answer("Your bets $10", "\n")
        screen.answer("Your hand, seat 3", "r")
        screen.answer("This round", "q")


def test_a_typed_raise() -> None:
    with terminal("--rulebook", "meadows", "--seed", "2c") as screen:
        screen.answer("quit", "\n")
        screen.answer("raise another amount", "17\x7f9\r")
        assert "you win 76.7 %" in screen.until("[Enter] again to raise $19")
        screen.keys("\r")
        screen.answer("You raise $19", "q")


@pytest.mark.parametrize("keys", ["", "\n"], ids=["bets", "decision"])
def test_interrupt(keys: str) -> None:
    with terminal("--rulebook", "oxford", "--seed", "2a", status=130) as screen:
        screen.answer("[q]", keys)
        screen.until("Your hand" if keys else "quit")
        screen.process.send_signal(signal.SIGINT)


def test_end_of_keys() -> None:
    with terminal("--rulebook", "oxford") as screen:
        screen.answer("quit", "\x04")


def test_a_new_size_draws_the_round_again() -> None:
    with terminal("--rulebook", "oxford", "--seed", "2a") as screen:
        screen.answer("quit", "\n")
        screen.until("Your hand, seat 3")
        screen.until("quit")
        for width, heading in (50, "Your hand, seat 3, three cards, king high, of"), (40, "Your hand, seat 3"):
            screen.resize(width, 30)
            screen.until("\x1b[2J")
            drawing = re.sub(r"\x1b\[[\d;]*[A-Za-z]", "", screen.until("quit"))
            assert "Round 1" in drawing
            assert heading in drawing  # above the cards now
            assert max(map(len, drawing.split("\r\n"))) <= width
        screen.keys("r")
        screen.answer("This round", "q")


def test_a_new_size_on_a_page_and_while_typing() -> None:
    with terminal("--rulebook", "oxford", "--seed", "2a") as screen:
        screen.answer("quit", "?")
        screen.until("back")
        screen.until("> ")
        screen.resize(60, 20)
        screen.until("Oxford Casino")
        screen.answer("back", "b")
        screen.answer("Your bets $10", "a12")
        screen.until("> 12")
        screen.resize(80, 24)
        screen.answer("> 12", "\r")
        screen.answer("Your bets $12", "q")


def test_a_new_size_just_before_the_wait_for_a_key_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    """The signal reaches another thread, so it does not interrupt the wait, and no handler runs before a key comes."""
    master, slave = pty.openpty()
    waits, wait = threading.Event(), select.select

    def waiting(*args: Any) -> Any:
        waits.set()
        return wait(*args)

    def get_new_size() -> None:
        assert waits.wait(60)
        signal.pthread_sigmask(signal.SIG_UNBLOCK, {signal.SIGWINCH})
        signal.pthread_kill(threading.get_ident(), signal.SIGWINCH)

    monkeypatch.setattr(select, "select", waiting)
    impatient = threading.Timer(60, os.write, (master, b"k"))
    with os.fdopen(slave) as terminal_in:
        monkeypatch.setattr(sys, "stdin", terminal_in)
        before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGWINCH})
        threads = [impatient, threading.Thread(target=get_new_size)]
        try:
            with open_answers(partial(os.write, master, b"d")) as answers:
                for thread in threads:
                    thread.start()
                assert answers.answer() == "d"
        finally:
            impatient.cancel()
            for thread in threads:
                thread.join()
            signal.pthread_sigmask(signal.SIG_SETMASK, before)
            os.close(master)


def test_pay_tables_stand_beside_a_wide_table() -> None:
    with terminal("--rulebook", "oxford", "--seed", "2a", columns=120, lines=40) as screen:
        drawing = screen.until("\x1b8")
        assert re.search(r"\x1b\[2;83H\x1b\[K7-card flush +300 to 1", drawing)
        assert "8,000 to 1" in drawing
        screen.keys("\n")
        assert "\x1b[2;83H\x1b[K\x1b[3;83H" in screen.until("Your hand")
        screen.answer("7-card flush", "qy")
    with terminal("--rulebook", "oxford", "--seed", "2a", columns=119, lines=40) as screen:
        assert "7-card flush" not in screen.answer("quit", "q")


def test_both_hands_are_in_sight_beside_the_result_on_a_low_screen() -> None:
    """The line that repeats the hands and the next question fit on one screen."""
    with terminal("--rulebook", "oxford", "--seed", "2a", columns=60, lines=20) as screen:
        screen.answer("quit", "\nr")
        screen.until("You had    ")
        after = screen.until("quit")
        hands, _, rest = after.partition("This round")
        assert re.fullmatch(r"(\S+ ){6}\S+ *\r\n Dealer had (\S+ ){6}\S+ *\r\n ", hands)
        assert "Round 2" in rest
        assert after.count("\n") < 19
        screen.keys("q")
    with terminal("--rulebook", "oxford", "--seed", "2a", columns=60, lines=24) as screen:
        screen.answer("quit", "\nr")
        assert "You had" not in screen.answer("Round 2", "q")


def test_a_dynamic_pay_of_the_round_is_marked_beside_the_table() -> None:
    table = ("--rulebook", "galaxy-v7", "--offer", "progressive", "PT-PRG-HCF-D01a", "--seed", "00ff")
    with terminal(*table, columns=120, lines=40) as screen:
        assert "this round" not in screen.answer("\x1b8", "\n")
        screen.until("Your hand")
        assert "this round $5,000" in screen.answer("\x1b8", "qy")
