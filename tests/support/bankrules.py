"""What is asked in the bank test: commands that fit the tables as they stand, mostly, and some that do not."""

from __future__ import annotations

from collections.abc import Callable
from random import Random

from highcardflush.cards import DECK_SIZE, HAND_SIZE, Hand
from highcardflush.fairness import player_commitment
from highcardflush.game import actions as a
from highcardflush.game.actions import Action
from highcardflush.game.decisions import basic_decision
from highcardflush.game.state import State
from highcardflush.house import House
from highcardflush.house import commands as c
from highcardflush.house.commands import Command, Level
from highcardflush.house.meter.state import MeterState
from highcardflush.house.table.state import Round, Table
from support.floor import JACKPOT, SEVEN, SIX, STAFF, Floor, dollars

Choice = tuple[str, Command | Action, str]
"""A stream, a command for it, and who asks."""

GAME = "galaxy-v7 | progressive PT-BJS-HCF-SF-07, flush washington/PT-FLT-HCF-FB-01 |"
LEVELS = "galaxy-v7 | progressive PT-PRG-HCF-MLP-01 |"
ONE: dict[Level, str] = {"progressive": "mega"}
TWO: dict[Level, str] = {"level-1": "high", "level-2": "low"}
TABLES: dict[str, tuple[str, dict[Level, str], bool]] = {
    "virtual-1": (GAME, ONE, False),
    "virtual-2": (GAME, ONE, False),
    "physical": (GAME, ONE, True),
    "jackpot-1": (JACKPOT, ONE, True),
    "jackpot-2": (JACKPOT, ONE, True),
    "levels": (LEVELS, TWO, True),
}
METERS = ("mega", "high", "low")
KEPT = bytes(range(16))
"""A seed of which only the hash is known at first."""
PLAYERS = tuple(f"player-{number}" for number in range(1, 7))
SUPERVISORS = tuple(name for name, role in STAFF.items() if role == "supervisor")


def set_up(floor: Floor) -> None:
    floor.staff()
    floor.players(*PLAYERS, cents=20_000)
    floor.meter(limit_micros=dollars(1002), second_above_micros=dollars(500))
    for level, name in TWO.items():
        floor.meter(name, "galaxy-v7/PT-PRG-HCF-MLP-01", level=level, rate_bp=700, reserve_rate_bp=300)
    for name, (row, meters, physical) in TABLES.items():
        floor.table(name, row, meters, physical=physical, seats={1: PLAYERS[0], 2: PLAYERS[1], 3: PLAYERS[2]})


class Chooser:
    """Reads the books and thinks of something to ask."""

    def __init__(self, house: House, rng: Random) -> None:
        self._house = house
        self._rng = rng

    def __call__(self) -> Choice:
        chance = self._rng.random()
        if chance < 0.08:
            return self._cage()
        if chance < 0.22:
            return self._meter()
        if chance < 0.23:
            return "office", c.AddPerson(f"guest-{self._rng.randrange(100)}", "player"), "admin"
        name = self._rng.choice(list(TABLES))
        command, actor = self._table(self._house.table(name))
        return f"table/{name}", command, actor

    def _cage(self) -> Choice:
        player, cents = self._rng.choice(PLAYERS), self._rng.choice((1, 500, 5_000, 50_000))
        command: Command = c.BuyIn(player, cents) if self._rng.random() < 0.5 else c.CashOut(player, cents)
        return "cage", command, "cal"

    # --- a meter

    def _meter(self) -> Choice:
        name = self._rng.choice(METERS)
        state, _ = self._house.meter(name)
        command, actor = self._meter_command(state)
        return f"meter/{name}", command, actor

    def _meter_command(self, state: MeterState) -> tuple[Command, str]:
        rng, actor = self._rng, self._rng.choice(SUPERVISORS)
        if state.closed is not None and rng.random() < 0.7:
            return c.ResumeMeter("it goes on"), actor
        waiting = [number for number, case in state.cases.items() if case.outcome == "waiting"]
        if waiting and rng.random() < 0.7:
            approve = rng.random() < 0.75
            return c.Vote(rng.choice(waiting), approve, "" if approve else "not sure"), actor
        open_ones = [number for number, made in state.corrections.items() if made.outcome == "waiting"]
        if open_ones and rng.random() < 0.7:
            return c.Decide(rng.choice(open_ones), rng.random() < 0.7, "a second look"), actor
        return rng.choice(
            (
                (c.Propose("misread", rng.choice((-5, 3, 7)) * 10_000, rng.choice((-2, 0, 4)) * 10_000), actor),
                (c.PauseMeter("a test"), actor),
                (c.Checkpoint(), actor),
                (c.CheckMeter(), actor),
                (c.ChangeMeter("rate_bp", rng.randrange(100, 2500), "a test"), "admin"),
                (c.ChangeMeter("hits", rng.choice(("share", "each", "in-turn")), "a test"), "admin"),
                (c.ChangeMeter("limit_micros", dollars(rng.randrange(1001, 1004)), "a test"), "admin"),
                (c.ChangeMeter("reseed_micros", dollars(rng.randrange(1, 900)), "a test"), "admin"),
            )
        )

    # --- a table

    def _table(self, table: Table) -> tuple[Command | Action, str]:
        if self._rng.random() < 0.03:
            return self._wrong()
        if table.round is None:
            return self._between(table)
        if self._rng.random() < 0.02:
            return self._accident(table.round.state)
        phases: dict[str, Callable[[Table, Round], tuple[Command | Action, str]]] = {
            "betting": self._betting,
            "locked": self._locked,
        }
        return phases.get(table.round.state.phase, self._acting)(table, table.round)

    def _between(self, table: Table) -> tuple[Command | Action, str]:
        free = [seat for seat in range(1, 7) if seat not in table.seats]
        chance = self._rng.random()
        if chance < 0.08 and free:
            player = self._rng.choice(PLAYERS)
            return c.Sit(self._rng.choice(free)), player
        if chance < 0.14 and len(table.seats) > 2:
            seat = self._rng.choice(list(table.seats))
            return c.Leave(seat), table.seats[seat] or "dan"
        return c.OpenRound(), "dan"

    def _who(self, table: Table, seat: int) -> str:
        """The player who sits there, or the dealer of a physical table."""
        by_dealer = table.config.physical and self._rng.random() < 0.5
        return "dan" if by_dealer else table.seats.get(seat) or "dan"

    def _betting(self, table: Table, round_: Round) -> tuple[Command | Action, str]:
        rng, betting = self._rng, {seat.number for seat in round_.state.seats}
        if betting and rng.random() < 0.25 + 0.15 * len(betting):
            return a.Lock(), "dan"
        seat = rng.choice(list(table.seats) or [1])
        chance = rng.random()
        if chance < 0.05 and betting:
            seat = rng.choice(list(betting))
            return a.ClearWagers(seat), self._who(table, seat)
        if chance < 0.1 and not table.config.physical:
            seed = rng.choice((c.NameSeed(seat, rng.randbytes(4).hex()), c.CommitSeed(seat, player_commitment(KEPT))))
            return seed, self._who(table, seat)
        only, jackpot = table.config.rulebook.progressive_only, 100 if rng.random() < 0.8 else 0
        flush = 300 if "virtual" in table.name and rng.random() < 0.3 else 0
        ante = rng.choice((500, 1000, 2500, 60_000))
        wagers = {"progressive": 100} if only else {"ante": ante, "flush": flush, "progressive": jackpot}
        return a.PlaceWagers(seat, wagers), self._who(table, seat)

    def _locked(self, table: Table, round_: Round) -> tuple[Command | Action, str]:
        if not table.config.physical:
            waits = round_.awaited[:1]
            return (c.RevealSeed(waits[0], KEPT.hex()), self._who(table, waits[0])) if waits else (c.DealCards(), "dan")
        state, only = round_.state, round_.rulebook.progressive_only
        missing = [seat.number for seat in state.seats if seat.hand is None]
        missing += [0] * (state.dealer is None and not only)
        if only and (not missing or self._rng.random() < 0.3):
            return c.SettleRound(), "dan"
        return a.DealHand(self._rng.choice(missing or [1]), self._hand(state)), "dan"

    def _hand(self, state: State) -> Hand:
        """A hand of cards that are left; now and then one that wins a meter."""
        taken = Hand(0)
        for hand in state.hands.values():
            taken = Hand(taken | hand)
        winners = [Hand.parse(cards) for cards in (*SEVEN, *SIX)]
        winners = [hand for hand in winners if not hand & taken]
        if winners and self._rng.random() < 0.3:
            return self._rng.choice(winners)
        return Hand.of(self._rng.sample([card for card in range(DECK_SIZE) if card not in taken], HAND_SIZE))

    def _acting(self, table: Table, round_: Round) -> tuple[Command | Action, str]:
        if round_.rulebook.progressive_only:
            return self._locked(table, round_)
        if not round_.state.undecided:
            return c.SettleRound(), "dan"
        seat = self._rng.choice(round_.state.undecided)
        if self._rng.random() < 0.05:
            return a.TimeOut(seat), "dan"
        return basic_decision(round_.rulebook, round_.state.seat(seat)), self._who(table, seat)

    def _accident(self, state: State) -> tuple[Command | Action, str]:
        actor = self._rng.choice(SUPERVISORS)
        seats = [seat.number for seat in state.seats if seat.void is None]
        if seats and state.phase != "betting" and self._rng.random() < 0.6:
            disposition: a.Disposition = self._rng.choice(("return", "forfeit"))
            return a.VoidHand(self._rng.choice(seats), disposition, "other", "a test"), actor
        return a.Void("other", "a test"), actor

    def _wrong(self) -> tuple[Command | Action, str]:
        """Something that is likely to be refused."""
        seat, player = self._rng.randint(1, 6), self._rng.choice(PLAYERS)
        return self._rng.choice(
            (
                (c.OpenRound(), "dan"),
                (c.SettleRound(), "dan"),
                (a.Lock(), "dan"),
                (c.DealCards(), "dan"),
                (a.Fold(seat), player),
                (a.Raise(seat, 123), player),
                (a.PlaceWagers(seat, {"ante": 10**9}), player),
                (c.Leave(seat), player),
                (a.Void("other", "mine"), player),
            )
        )
