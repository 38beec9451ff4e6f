"""What a player may read of the own play: rounds that are over, and what was known and decided in one of them.

A round's end tells everything, decisions in the order in which they were made among it: so what lay face up at each of
them is known again.
"""

from __future__ import annotations

from collections.abc import Iterator

from msgspec import Struct

from highcardflush.coach.advice import Spot, spot_of
from highcardflush.game import actions as a
from highcardflush.game import step, view
from highcardflush.game.state import Decision, Result, State
from highcardflush.house import codec
from highcardflush.house.books.accounts import TABLE
from highcardflush.house.events import Unsealed
from highcardflush.house.house import House
from highcardflush.house.proofs import read_rulebook
from highcardflush.house.reports.reading import ALL
from highcardflush.house.reports.rounds import read_end
from highcardflush.house.reports.statement import Line, Statement, statement
from highcardflush.house.store.protocol import Transaction
from highcardflush.notation.replay import play
from highcardflush.notation.rounds import Round, parse_rounds
from highcardflush.notation.statements import DoDecision, DoVoid, Expect, ExpectMeter
from highcardflush.rulebook.model import Rulebook

MOVES_A_ROUND = 4
"""So often a round moves a wallet: wagers, wagers placed again, a Raise, the end. Seldom more often."""
ENDS = {"settle": "settled", "void": "void"}


class PlayedRound(Struct, frozen=True):
    table: str
    number: int
    at: int
    seat: int
    outcome: str
    bonus: bool
    """Whether the jackpot of the table was then a bonus jackpot."""
    results: tuple[Result, ...]

    @property
    def net_cents(self) -> int:
        return sum(result.net_cents for result in self.results)


def played_rounds(house: House, player: str, last: int, before: int = ALL) -> tuple[list[PlayedRound], int | None]:
    """The last so many rounds of a player that are over, the oldest first; and the move before which there are more.

    The moves of the wallet are read, a bounded number of them: who bets again and again before a deal has fewer.
    """
    told = statement(house, player, player, last * MOVES_A_ROUND, before)
    rounds = [_played(line) for line in told.lines if line.kind in ENDS and line.wagers]
    return rounds[-last:], first_move(told) if len(rounds) <= last else _move_of(told, rounds[-last])


def first_move(told: Statement) -> int | None:
    """The number of a statement's oldest move; None if nothing is before it."""
    first = min((line.number for line in told.lines if line.number is not None), default=1)
    return first if first > 1 else None


def _move_of(told: Statement, oldest: PlayedRound) -> int | None:
    """The first move of the wallet in a round."""
    stream = f"{TABLE}{oldest.table}"
    moves = (line.number for line in told.lines if (line.stream, line.round) == (stream, oldest.number))
    return min((number for number in moves if number is not None), default=None)


def _played(line: Line) -> PlayedRound:
    assert line.round is not None
    name, seat = line.stream.removeprefix(TABLE), line.wagers[0].seat
    return PlayedRound(name, line.round, line.at, seat, ENDS[line.kind], line.bonus, line.wagers)


# --- a decision ----------------------------------------------------------------------------------


class _Told(Struct, frozen=True):
    record: str
    unsealed: tuple[Unsealed, ...]


def decision_in(house: House, table: str, number: int, seat: int) -> tuple[Spot, Decision] | None:
    """What a seat knew when it decided, and what it did; None where it had nothing to decide, or no longer."""
    return house.store.snapshot(lambda tx: _decision_in(tx, table, number, seat))


def _decision_in(tx: Transaction, table: str, number: int, seat: int) -> tuple[Spot, Decision] | None:
    end = read_end(tx, f"{TABLE}{table}", number)
    if end is None or end.kind != "settle":
        return None
    told, rulebook = codec.decode(end.body, _Told), read_rulebook(tx, table, number)
    if rulebook.progressive_only:
        return None
    for state, action in _decisions(rulebook, told):
        if isinstance(action, a.VoidHand) and action.seat == seat:
            return None
        if isinstance(action, (a.Fold, a.Raise, a.TimeOut)) and action.seat == seat:
            decided = step(rulebook, state, action)[0].seat(seat).decision
            assert decided is not None
            voided = any(isinstance(one.action, a.VoidHand) and one.action.seat == seat for one in told.unsealed)
            return None if voided else (spot_of(rulebook, view(rulebook, state, seat), seat), decided)
    return None


def _decisions(rulebook: Rulebook, told: _Told) -> Iterator[tuple[State, a.Action]]:
    """Each decision after the deal, with the round before it."""
    (record,) = parse_rounds(told.record)
    after = (DoDecision, DoVoid, Expect, ExpectMeter)
    dealt = Round(tuple(statement for statement in record.statements if not isinstance(statement, after)))
    state = play(dealt, find=lambda _: rulebook).state
    for one in told.unsealed:
        if isinstance(one.action, (a.Fold, a.Raise, a.TimeOut, a.VoidHand)):
            yield state, one.action
            state, _ = step(rulebook, state, one.action)
