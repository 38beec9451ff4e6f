"""A player's finished rounds, and the player's decision in one round, which the server sends to players and the coach.

The event that ends a round reveals all decisions in order. A replay shows which cards lay face up at each decision.
"""

from msgspec import Struct

from highcardflush.coach.advice import Spot, spot_of
from highcardflush.game import actions as a
from highcardflush.game import step, view
from highcardflush.game.state import Decision, Phase, Result
from highcardflush.house.books.event import TABLE
from highcardflush.house.events import ENDS, RoundSettled
from highcardflush.house.house import House
from highcardflush.house.proofs import read_rulebook
from highcardflush.house.reports.reading import ALL
from highcardflush.house.reports.rounds import read_round
from highcardflush.house.reports.statement import Statement, statement
from highcardflush.house.store.protocol import Transaction
from highcardflush.notation.replay import play
from highcardflush.notation.rounds import Round, parse_rounds
from highcardflush.notation.statements import DoDecision, DoVoid, Expect, ExpectMeter

MOVES_A_ROUND = 4
"""Few rounds have more wallet moves than this: wagers, changed wagers, a Raise and the settlement."""
DECISIONS = (a.Fold, a.Raise, a.TimeOut, a.VoidHand)
AFTER_DEAL = (DoDecision, DoVoid, Expect, ExpectMeter)
"""Kinds of statements that follow the deal in a record."""


class PlayedRound(Struct, frozen=True):
    table: str
    number: int
    at: int
    seat: int
    outcome: Phase
    bonus: bool
    """True if the table's jackpot was a bonus jackpot."""
    results: tuple[Result, ...]

    @property
    def net_cents(self) -> int:
        return sum(result.net_cents for result in self.results)


def played_rounds(house: House, player: str, last: int, before: int = ALL) -> tuple[list[PlayedRound], int | None]:
    """Return up to `last` finished rounds of a player, oldest first, and the number of the wallet move before which to
    look for earlier rounds. Only a limited number of moves is read, so frequent changes of wagers shorten the list."""
    moves = statement(house, player, player, last * MOVES_A_ROUND, before)
    ends = [line for line in moves.lines if line.kind in ENDS and line.wagers]
    earlier = first_move(moves)
    if len(ends) > last:  # The next page ends just before the first move of the oldest round here.
        place = ends[-last].stream, ends[-last].round
        numbers = (line.number for line in moves.lines if (line.stream, line.round) == place)
        earlier = min((number for number in numbers if number is not None), default=None)
    return [
        PlayedRound(
            table=line.stream.removeprefix(TABLE),
            number=line.round,
            at=line.at,
            seat=line.wagers[0].seat,
            outcome=ENDS[line.kind],
            bonus=line.bonus,
            results=line.wagers,
        )
        for line in ends[-last:]
        if line.round is not None
    ], earlier


def first_move(moves: Statement) -> int | None:
    """Return the number of the oldest move in a statement, or `None` if it is the wallet's first move."""
    first = min((line.number for line in moves.lines if line.number is not None), default=1)
    return first if first > 1 else None


def decision_in(house: House, table: str, number: int, seat: int) -> tuple[Spot, Decision] | None:
    """Return what a player saw and decided, or `None` if the seat had no decision or its hand was voided."""
    return house.store.snapshot(lambda tx: _decision_in(tx, table, number, seat))


def _decision_in(tx: Transaction, table: str, number: int, seat: int) -> tuple[Spot, Decision] | None:
    round_ = read_round(tx, f"{TABLE}{table}", number)
    settled = round_.ending if round_ is not None else None
    if not isinstance(settled, RoundSettled) or (rulebook := read_rulebook(tx, table, number)).progressive_only:
        return None
    actions = [one.action for one in settled.unsealed if isinstance(one.action, DECISIONS)]
    if any(isinstance(action, a.VoidHand) and action.seat == seat for action in actions):
        return None
    (record,) = parse_rounds(settled.record)
    dealt = Round(tuple(statement for statement in record.statements if not isinstance(statement, AFTER_DEAL)))
    state = play(dealt, find=lambda _: rulebook).state
    for action in actions:
        before, (state, _) = state, step(rulebook, state, action)
        if action.seat == seat:
            decided = state.seat(seat).decision
            assert decided is not None
            return spot_of(rulebook, view(rulebook, before, seat), seat), decided
    return None
