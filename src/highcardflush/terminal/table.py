"""The state of a session: the table, the player's money, the finished rounds, and their record."""

import os
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path

from highcardflush.coach.advice import Spot
from highcardflush.errors import HcfError
from highcardflush.fairness import commitment, round_seed
from highcardflush.game import State, view
from highcardflush.game.actions import Wagers
from highcardflush.game.state import Decision
from highcardflush.jackpot import Meter
from highcardflush.money import say_display
from highcardflush.notation import format_proof, format_round
from highcardflush.rulebook import Rulebook
from highcardflush.terminal.screen import Screen
from highcardflush.words import say_wager

NAME = "terminal"
"""Name of this table in a proof."""


class Recorder:
    """A file of rounds in the round notation, open for appending. A round is written before its result is shown."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.rulebook_name = ""
        try:
            self._created = not path.exists()
            self._file = path.open("a", encoding="utf-8", newline="\n")
            self._empty = path.stat().st_size == 0
        except OSError as error:
            read = error.strerror or str(error)
            raise HcfError("record", read=read, expected="a file to append to", file=str(path)) from None

    def name_rulebook(self, name: str) -> None:
        """Set the rulebook's name for the record. A path is stored relative to the record's folder."""
        if name.endswith(".toml"):
            name = os.path.relpath(os.path.realpath(name), os.path.realpath(self.path.parent))
            if "#" in name or name.split() != [name]:
                expected = "a path without spaces or #, which the notation does not allow"
                raise HcfError("record: rulebook", read=repr(name), expected=expected, file=str(self.path))
        self.rulebook_name = name

    def write(self, number: int, rulebook: Rulebook, state: State, seed: bytes) -> None:
        """Append a round and its proof."""
        round_text = format_round(rulebook, state, name=self.rulebook_name, with_hash=True)
        seeds = {"commitment": commitment(seed), "seed": seed.hex()}
        text = format_proof(
            NAME, number, round_text, **seeds, player_seeds={}, player_commitments={}, rulebook=rulebook
        )
        try:
            self._file.write(("" if self._empty else "\n") + text)
            self._file.flush()
        except OSError as error:
            raise HcfError("record", read=error.strerror, expected="room to write", file=str(self.path)) from None
        self._empty = False

    def close(self) -> None:
        with suppress(OSError):  # A failed write has already been reported.
            self._file.close()
            if self._created and self._empty:
                self.path.unlink()


@dataclass(frozen=True)
class PastRound:
    """A finished round, as shown in the history."""

    number: int
    spot: Spot
    """The player's view at the time of the decision."""
    decision: Decision
    nets: dict[str, int]
    """Gain or loss of each wager, in cents."""
    bankroll_cents: int
    seed: bytes

    @property
    def net_cents(self) -> int:
        return sum(self.nets.values())


@dataclass
class Table:
    """A table in play. The player sits in the last seat."""

    screen: Screen
    rulebook: Rulebook
    seats: int
    bankroll_cents: int
    master: bytes
    recorder: Recorder | None = None
    coach: bool = False
    """True while the coach is on."""
    coached: bool = False
    """True if the coach was on at any time in the session."""
    meters: dict[str, Meter] = field(default_factory=dict)
    wagers: Wagers | None = None
    """The player's wagers in the last round."""
    past: list[PastRound] = field(default_factory=list)
    in_play: State | None = None
    """The current round until it is settled."""
    bought_cents: int = 0
    """Total of all buy-ins after the first one."""

    @property
    def seat(self) -> int:
        return self.seats

    @property
    def number(self) -> int:
        return len(self.past) + 1

    @property
    def seed(self) -> bytes:
        return round_seed(self.master, self.number)

    def say(self, wager: str) -> str:
        """Return the name of a wager or its meter at this table."""
        return say_wager(self.rulebook, wager)

    def say_meters(self) -> list[str]:
        """Return each meter with its amount, which includes this round's bets once they are locked."""
        meters = view(self.rulebook, self.in_play, self.seat).meters if self.in_play else self.meters
        return [f"{self.say(name).capitalize()} {say_display(meter.amount_micros)}" for name, meter in meters.items()]
