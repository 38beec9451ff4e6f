"""Shortens the betting clock of a table once everybody who played its last round has bet.

Nobody who bets in every round waits for somebody who only sits there. The house would also accept a later lock, so this
is not in the books, and a process that has not seen the last round gives the full time.
"""

from collections.abc import Callable

from highcardflush.house.table.state import Round, Table


class LastCalls:
    def __init__(self, monotonic: Callable[[], float]) -> None:
        self._monotonic = monotonic
        self._players: dict[str, frozenset[str]] = {}
        """Players of each table's last round."""
        self._called: dict[str, tuple[int, float]] = {}
        """Round and time of the last call at each table."""

    def note(self, table: Table) -> None:
        """Take in a table after its newest event."""
        round_ = table.round
        if round_ is None:
            if table.last is not None:
                self._players[table.name] = _players(table.last)
        elif round_.state.phase == "betting" and self._called.get(table.name, (0, 0.0))[0] != round_.number:
            seated = self._players.get(table.name, frozenset()) & set(table.seats.values())
            if seated and seated <= _players(round_):
                self._called[table.name] = round_.number, self._monotonic()

    def elapsed_s(self, table: Table) -> float | None:
        """Return the seconds since the last call of the live round, or None if there was none."""
        number, at = self._called.get(table.name, (0, 0.0))
        is_called = table.round is not None and table.round.number == number
        return self._monotonic() - at if is_called else None


def _players(round_: Round) -> frozenset[str]:
    players = (round_.seats.get(seat.number) for seat in round_.state.seats)
    return frozenset(player for player in players if player is not None)
