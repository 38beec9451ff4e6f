"""A player's own finished rounds, and the decision made in one of them.

The end of a round reveals everything, its decisions in their order, so the cards that lay face up at each decision
follow from it.
"""

from __future__ import annotations

from collections.abc import Iterator

from msgspec import Struct

from highcardflush.coach.advice import Spot, spot_of
from highcardflush.game import actions as a
from highcardflush.game import step, view
from highcardflush.game.state import Decision, Result, State
from highcardflush.house.books.event import TABLE
from highcardflush.house.events import RoundSettled
from highcardflush.house.house import House
from highcardflush.house.proofs import read_rulebook
from highcardflush.house.reports.reading import ALL
from highcardflush.house.reports.rounds import read_round
from highcardflush.house.reports.statement import Line, Statement, statement
from highcardflush.house.store.protocol import Transaction
from highcardflush.notation.replay import play
from highcardflush.notation.rounds import Round, parse_rounds
from highcardflush.notation.statements import DoDecision, DoVoid, Expect, ExpectMeter
from highcardflush.rulebook.model import Rulebook

MOVES_A_ROUND = 4
"""Moves of a wallet in a round: wagers, wagers placed again, a Raise, the end. A round seldom has more."""
ENDS = {"settle": "settled", "void": "void"}


class PlayedRound(Struct, frozen=True):
    table: str
    number: int
    at: int
    seat: int
    outcome: str
    bonus: bool
    """The jackpot of the table was a bonus jackpot."""
    results: tuple[Result, ...]

    @property
    def net_cents(self) -> int:
        return sum(result.net_cents for result in self.results)


def played_rounds(house: House, player: str, last: int, before: int = ALL) -> tuple[list[PlayedRound], int | None]:
    """Return up to `last` finished rounds of a player, oldest first, and the move before which there are more.

    A bounded number of moves of the wallet is read, so a player who changes wagers many times in a round gets fewer.
    """
    moves = statement(house, player, player, last * MOVES_A_ROUND, before)
    rounds = [_played(line) for line in moves.lines if line.kind in ENDS and line.wagers]
    return rounds[-last:], first_move(moves) if len(rounds) <= last else _move_of(moves, rounds[-last])


def first_move(moves: Statement) -> int | None:
    """Return the number of a statement's oldest move, or None if it is the wallet's first."""
    first = min((line.number for line in moves.lines if line.number is not None), default=1)
    return first if first > 1 else None


def _move_of(moves: Statement, oldest: PlayedRound) -> int | None:
    """Return the number of the first move of the wallet in a round."""
    stream = f"{TABLE}{oldest.table}"
    numbers = (line.number for line in moves.lines if (line.stream, line.round) == (stream, oldest.number))
    return min((number for number in numbers if number is not None), default=None)


def _played(line: Line) -> PlayedRound:
    assert line.round is not None
    name, seat = line.stream.removeprefix(TABLE), line.wagers[0].seat
    return PlayedRound(name, line.round, line.at, seat, ENDS[line.kind], line.bonus, line.wagers)


# --- a decision ----------------------------------------------------------------------------------


def decision_in(house: House, table: str, number: int, seat: int) -> tuple[Spot, Decision] | None:
    """Return what a seat knew when it decided and what it did; None if it had no decision or its hand was voided."""
    return house.store.snapshot(lambda tx: _decision_in(tx, table, number, seat))


def _decision_in(tx: Transaction, table: str, number: int, seat: int) -> tuple[Spot, Decision] | None:
    round_ = read_round(tx, f"{TABLE}{table}", number)
    settled = round_.ending if round_ is not None else None
    if not isinstance(settled, RoundSettled) or (rulebook := read_rulebook(tx, table, number)).progressive_only:
        return None
    for state, action in _decisions(rulebook, settled):
        if isinstance(action, a.VoidHand) and action.seat == seat:
            return None
        if isinstance(action, (a.Fold, a.Raise, a.TimeOut)) and action.seat == seat:
            decided = step(rulebook, state, action)[0].seat(seat).decision
            assert decided is not None
            voided = any(isinstance(one.action, a.VoidHand) and one.action.seat == seat for one in settled.unsealed)
            return None if voided else (spot_of(rulebook, view(rulebook, state, seat), seat), decided)
    return None


def _decisions(rulebook: Rulebook, settled: RoundSettled) -> Iterator[tuple[State, a.Action]]:
    """Yield each decision after the deal, with the state of the round before it."""
    (record,) = parse_rounds(settled.record)
    after = (DoDecision, DoVoid, Expect, ExpectMeter)
    dealt = Round(tuple(statement for statement in record.statements if not isinstance(statement, after)))
    state = play(dealt, find=lambda _: rulebook).state
    for one in settled.unsealed:
        if isinstance(one.action, (a.Fold, a.Raise, a.TimeOut, a.VoidHand)):
            yield state, one.action
            state, _ = step(rulebook, state, one.action)
