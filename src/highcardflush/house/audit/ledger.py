"""The ledger: compares what each event of tables, cage and office moved with what it had to move.

Meters are compared in `meters.py`, and the rows of wallets in `wallets.py`. What a sealed event moved can be judged
when its round is over. Of a live round only the accounts of a Raise are known, not yet its amount. At the end of a
stream nothing is in play but the wagers of a live round.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from highcardflush.house import events as ev
from highcardflush.house.audit.books import Event, Move, body_of
from highcardflush.house.audit.findings import Finding, differs, dollars, guarded
from highcardflush.house.audit.follower import Follower
from highcardflush.house.audit.postings import Accounts, Sealed, accounts_of, moved, posted
from highcardflush.money import MICROS_PER_CENT

ACCOUNTS = ("wallet", "chips", "play", "meter", "reserve", "advances", "pending")
"""The kinds of accounts with a name after the slash. `house` and `cage` have none."""


class Ledger(Follower):
    """Follows the cage, where money comes and goes, and the office, where nothing moves."""

    check = "ledger"

    def follow(self, event: Event) -> Iterator[Finding]:
        moves: list[Move] = []
        match event.body:
            case ev.BoughtIn(player=player, micros=micros):
                moves = [("cage", f"wallet/{player}", micros)]
            case ev.CashedOut(player=player, micros=micros):
                moves = [(f"wallet/{player}", "cage", micros)]
        yield from moved(event, moves)


class TableLedger(Follower):
    check = "ledger"

    def begin(self) -> None:
        self.placed: dict[int, int] = {}
        """The wagers of the live round before the cards, in cents by seat."""
        self.sealed: dict[int, Event] = {}

    def follow(self, event: Event) -> Iterator[Finding]:
        match event.body:
            case ev.RoundOpened() as body:
                yield from moved(event, ())
                yield from differs(event.where, "the players at the table", body.seats, self.table.seats)
                if self.table.round:
                    yield Finding(event.where, "this open", "a second one", "the end of the round before")
                self.placed, self.sealed = {}, {}
            case ev.WagersPlaced(action=action):
                yield from moved(event, self._place(action.seat, sum(action.wagers.values())))
            case ev.WagersCleared(action=action):
                yield from moved(event, self._place(action.seat, 0))
            case ev.WagersLocked() as body:
                yield from moved(event, posted(self._accounts(), body.told))
            case body if isinstance(body, Sealed):
                self._accounts()
                self.sealed[event.seq] = event
            case ev.RoundSettled() | ev.RoundVoided() as body:
                yield from self._over(event, body)
            case _:
                yield from moved(event, ())

    def _accounts(self) -> Accounts:
        opening = self.table.opening
        if opening is None:
            raise ValueError("no round is open")
        return accounts_of(self.task.name, body_of(opening, ev.RoundOpened), self.table.owners)

    def _place(self, seat: int, cents: int) -> list[Move]:
        """Return the move from what a seat had placed before to what it places now."""
        accounts = self._accounts()
        before, self.placed[seat] = self.placed.get(seat, 0), cents
        return [(accounts.seat(seat), accounts.play, (cents - before) * MICROS_PER_CENT)]

    def _over(self, event: Event, body: ev.RoundSettled | ev.RoundVoided) -> Iterator[Finding]:
        """Judge the end of a round: what was sealed is open, the results are paid, and nothing stays in play."""
        accounts = self._accounts()
        if isinstance(body, ev.RoundVoided) and body.lost:
            yield from self._lost(event, body, accounts)
            return
        in_play = sum(self.placed.values()) * MICROS_PER_CENT
        unsealed = {part.seq: part.told for part in body.unsealed}
        for seq, sealed in self.sealed.items():
            moves = posted(accounts, unsealed.get(seq, ()))
            in_play += sum(micros for _, _, micros in moves)
            yield from moved(sealed, moves)
        expected = posted(accounts, body.told)
        yield from moved(event, expected)
        cleared = sum(micros for source, _, micros in expected if source == accounts.play)
        if cleared != in_play:
            yield Finding(event.where, "the wagers in play", f"{dollars(cleared)} settled", dollars(in_play))

    def _lost(self, event: Event, body: ev.RoundVoided, accounts: Accounts) -> Iterator[Finding]:
        """Judge the void of a round whose key was lost: all that is in play returns to where it came from."""
        reversed_ = [move for move in posted(accounts, body.told) if accounts.play not in move]
        placed = [(accounts.play, accounts.seat(seat), cents * MICROS_PER_CENT) for seat, cents in self.placed.items()]
        raised = [
            (target, source, micros) for each in self.sealed.values() for source, target, micros in each.transfers()
        ]
        yield from self._unopened(accounts)
        yield from moved(event, [*reversed_, *placed, *raised])

    def _unopened(self, accounts: Accounts) -> Iterator[Finding]:
        for event in self.sealed.values():
            yield from guarded(event, _still_sealed(accounts, event))

    def end(self) -> Iterator[Finding]:
        if self.table.round:
            accounts = self._accounts()
            raised = sum(micros for event in self.sealed.values() for _, _, micros in event.transfers())
            self.part.in_play = {accounts.play: sum(self.placed.values()) * MICROS_PER_CENT + raised}
            yield from self._unopened(accounts)


def _still_sealed(accounts: Accounts, event: Event) -> Iterator[Finding]:
    """Judge an event that stays sealed: a Raise went from its seat into play, with a win that was paid at once."""
    allowed, body = [], event.body
    if isinstance(body, ev.Raised | ev.TimedOut):
        allowed = [("house", accounts.play), (accounts.seat(body.seat), accounts.play)]
    read = [(source, target) for source, target, _ in event.transfers()]
    if read not in (allowed, allowed[:1], allowed[1:]) and not (event.kind == "time-out" and not read):
        yield Finding(event.where, f"{event.kind} of a live round", str(read), str(allowed))


# --- all streams together ------------------------------------------------------------------------


def check_streams(
    rows: Mapping[str, tuple[int, int]], moved: Mapping[str, int], balances: Mapping[str, int]
) -> Iterator[Finding]:
    """Compare the rows of `streams` with what each stream moved to the house, and with the chips at a table."""
    for stream, (house, chips) in sorted(rows.items()):
        yield from differs(stream, "the house amount in its row", house, moved.get(stream, 0), dollars)
        kind, _, name = stream.partition("/")
        expected = balances.get(f"chips/{name}", 0) if kind == "table" else 0
        yield from differs(stream, "the chips in its row", chips, expected, dollars)


def check_accounts(balances: Mapping[str, int], in_play: Mapping[str, int]) -> Iterator[Finding]:
    """Find accounts of no known kind, and money in play beyond the wagers of live rounds."""
    for account in sorted(balances):
        kind, _, name = account.partition("/")
        if account not in ("house", "cage") and (kind not in ACCOUNTS or not name):
            yield Finding(account, "an account of no known kind", account, "one of docs/books.md")
    for account in sorted({*in_play, *(name for name in balances if name.startswith("play/"))}):
        yield from differs(account, "its balance in play", balances.get(account, 0), in_play.get(account, 0), dollars)
