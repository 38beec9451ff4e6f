"""Checks the ledger: compares the transfers of each table, cage and office event with those that the event must make.

The transfers of a sealed event can be judged only when its round is over. While the round is live, the accounts of a
Raise are known, but its amount is not. At the end of a stream, only the wagers of a live round may be in play.

The moves of a wallet are numbered 1, 2, 3, ... Each move belongs to an event that moved the wallet, and contains the
balance after that event. The moves caused by one stream are in the order of its events, so no event has two moves. If
there are as many moves as events that moved the wallet, no move is missing.
"""

from collections.abc import Callable, Iterator, Mapping
from itertools import groupby
from typing import assert_never, cast

from msgspec import Struct

from highcardflush.game.events import WagerSettled
from highcardflush.house import events as ev
from highcardflush.house.audit.books import PIECE, Books, Event, Moment, Move, Wallet, body_of
from highcardflush.house.audit.findings import Finding, differs, dollars, guarded
from highcardflush.house.audit.folds import meters_of
from highcardflush.house.audit.follower import Follower
from highcardflush.house.audit.postings import Accounts, Sealed, check_moves, funded_cents, posted
from highcardflush.money import MICROS_PER_CENT

ACCOUNTS = ("wallet", "chips", "play", "meter", "reserve", "advances", "pending")
"""The kinds of accounts that have a name after a slash. `house` and `cage` have no name."""


class Ledger(Follower):
    """Follows the cage, where players buy in and cash out, and the office, which moves no money."""

    check = "ledger"

    def follow(self, event: Event) -> Iterator[Finding]:
        moves: list[Move] = []
        match cast(ev.CageEvent | ev.OfficeEvent, event.body):
            case ev.BoughtIn(player=player, micros=micros):
                moves = [("cage", f"wallet/{player}", micros)]
            case ev.CashedOut(player=player, micros=micros):
                moves = [(f"wallet/{player}", "cage", micros)]
            case other if not isinstance(other, ev.OfficeEvent):
                assert_never(other)
        yield from check_moves(event, moves)


WithoutMoney = (
    ev.BetweenRounds | ev.AnyTime | ev.SeedEvent | ev.DiceRolled | ev.DynamicDrawn | ev.CardsDealt | ev.HandTakenBack
)  # fmt: skip
"""The events of a table that move no money."""


class TableLedger(Follower):
    check = "ledger"

    def follow(self, event: Event) -> Iterator[Finding]:
        match cast(ev.TableEvent, event.body):
            case ev.RoundOpened() as body:
                yield from check_moves(event, ())
                yield from differs(event.where, "the players at the table", body.seats, self.table.seats)
                if self.table.round:
                    yield Finding(event.where, "the round before this open", "a live round", "a finished round")
            case ev.WagersPlaced(action=action):
                yield from check_moves(event, self._place(action.seat, sum(action.wagers.values())))
            case ev.WagersCleared(action=action):
                yield from check_moves(event, self._place(action.seat, 0))
            case ev.WagersLocked() as body:
                yield from check_moves(event, posted(self._accounts(), body.told))
            case body if isinstance(body, Sealed):
                self._accounts()
            case ev.RoundSettled() | ev.RoundVoided() as body:
                yield from self._over(event, body)
            case other:
                if not isinstance(other, WithoutMoney | Sealed):
                    assert_never(other)
                yield from check_moves(event, ())

    def _accounts(self) -> Accounts:
        opening = self.table.opening
        if opening is None:
            raise ValueError("no round is open")
        return Accounts(self.task.name, self.table.owners, meters_of(body_of(opening, ev.RoundOpened)))

    def _place(self, seat: int, cents: int) -> list[Move]:
        """Return the move that adjusts a seat's wagers from the earlier amount to the new amount."""
        accounts, before = self._accounts(), sum(self.table.wagers.get(seat, {}).values())
        return [(accounts.seat(seat), accounts.play, (cents - before) * MICROS_PER_CENT)]

    def _placed_micros(self) -> int:
        return sum(sum(wagers.values()) for wagers in self.table.wagers.values()) * MICROS_PER_CENT

    def _sealed(self) -> list[Event]:
        return [event for event in self.table.round if isinstance(event.body, Sealed)]

    def _over(self, event: Event, body: ev.RoundSettled | ev.RoundVoided) -> Iterator[Finding]:
        """Judge the end of a round. It must reveal all sealed events, pay all results, and leave nothing in play."""
        accounts = self._accounts()
        if isinstance(body, ev.RoundVoided) and body.lost:  # All money in play returns to its source.
            returned = [move for move in posted(accounts, body.told) if accounts.play not in move]
            for seat, wagers in self.table.wagers.items():
                returned.append((accounts.play, accounts.seat(seat), sum(wagers.values()) * MICROS_PER_CENT))
            for sealed in self._sealed():
                returned += [(target, source, micros) for source, target, micros in sealed.transfers()]
            yield from self._unopened(accounts)
            yield from check_moves(event, returned)
            return
        in_play = self._placed_micros()
        unsealed = {part.seq: part.told for part in body.unsealed}
        for sealed in self._sealed():
            moves = list(posted(accounts, unsealed.get(sealed.seq, ())))
            in_play += sum(micros for _, _, micros in moves)
            yield from check_moves(sealed, moves)
        uncollected = body.uncollected if isinstance(body, ev.RoundSettled) else {}
        yield from _check_uncollected(event, accounts, body, uncollected)
        expected = list(posted(accounts, body.told, uncollected))
        yield from check_moves(event, expected)
        cleared = sum(micros for source, _, micros in expected if source == accounts.play)
        if cleared != in_play:
            yield Finding(event.where, "the amount settled", dollars(cleared), f"{dollars(in_play)} (in play)")

    def _unopened(self, accounts: Accounts) -> Iterator[Finding]:
        for event in self._sealed():
            yield from guarded(event, _still_sealed(accounts, event))

    def end(self) -> Iterator[Finding]:
        if self.table.round:
            accounts = self._accounts()
            raised = sum(micros for event in self._sealed() for _, _, micros in event.transfers())
            self.part.in_play = {accounts.play: self._placed_micros() + raised}
            yield from self._unopened(accounts)


def _check_uncollected(
    event: Event, accounts: Accounts, body: ev.RoundSettled | ev.RoundVoided, uncollected: Mapping[int, int]
) -> Iterator[Finding]:
    """Require that the house collects no less than a forfeited Raise costs, unless a player's wallet may lack it."""
    results = (fact.result for fact in body.told if isinstance(fact, WagerSettled))
    owed = {result.seat: funded for result in results if (funded := funded_cents(result))}
    for seat, cents in uncollected.items():
        most = owed.get(seat, 0) if accounts.seats.get(seat) is not None else 0
        if not 0 < cents <= most:
            what = f"the forfeited cents that the wallet of seat {seat} lacks"
            yield Finding(event.where, what, str(cents), f"1 to {most}" if most else "none")


def _still_sealed(accounts: Accounts, event: Event) -> Iterator[Finding]:
    """Judge an event that is still sealed. A seat moves its Raise into play, and the house may add a win to it."""
    allowed, body = [], event.body
    if isinstance(body, ev.Raised | ev.TimedOut):
        allowed = [("house", accounts.play), (accounts.seat(body.seat), accounts.play)]
    read = [(source, target) for source, target, _ in event.transfers()]
    if read not in (allowed, allowed[:1], allowed[1:]) and not (event.kind == "time-out" and not read):
        yield Finding(event.where, f"the accounts of this {event.kind} in a live round", str(read), str(allowed))


def check_streams(
    rows: Mapping[str, tuple[int, int]], house_micros: Mapping[str, int], balances: Mapping[str, int]
) -> Iterator[Finding]:
    """Compare the rows of `streams` with the amount that each stream moved to the house, and with a table's chips."""
    for stream, (house, chips) in sorted(rows.items()):
        yield from differs(stream, "the house amount in its row", house, house_micros.get(stream, 0), dollars)
        kind, _, name = stream.partition("/")
        expected = balances.get(f"chips/{name}", 0) if kind == "table" else 0
        yield from differs(stream, "the chips in its row", chips, expected, dollars)


def check_accounts(balances: Mapping[str, int], in_play: Mapping[str, int]) -> Iterator[Finding]:
    """Find accounts of unknown kinds, and amounts in play that differ from the wagers of live rounds."""
    for account in sorted(balances):
        kind, _, name = account.partition("/")
        if account not in ("house", "cage") and (kind not in ACCOUNTS or not name):
            yield Finding(account, "the kind of this account", account, "a kind in docs/books.md")
    for account in sorted({*in_play, *(name for name in balances if name.startswith("play/"))}):
        yield from differs(account, "its balance in play", balances.get(account, 0), in_play.get(account, 0), dollars)


WALLET = "wallet/"
GUEST_MICROS = 10_000_000000
"""Highest balance, in micro-dollars, to which a server may fill a guest's wallet."""
MOVES = (
    "SELECT m.n, m.stream, m.seq, m.micros, t.source, t.micros FROM"
    " (SELECT n, stream, seq, micros FROM moves WHERE player = ? AND n > ? AND n <= ?"
    f" ORDER BY n LIMIT {PIECE}) AS m"
    " LEFT JOIN transfers t ON t.stream = m.stream AND t.seq = m.seq AND (t.source = ? OR t.target = ?) ORDER BY m.n"
)


class Wallets(Struct):
    """The expected state of the wallets: their state at the earlier audit, changed by all events since then."""

    books: Books
    moment: Moment
    before: Mapping[str, Wallet]
    ends: dict[str, int]
    """Number of each stream's last event at the earlier audit."""
    balances: Mapping[str, int]
    moved: Mapping[str, int]
    """Number of events that have moved each wallet since the earlier audit."""
    cage: Mapping[str, tuple[int, int]]
    """Micro-dollars that each player has bought in and cashed out since the earlier audit."""

    def check(self, progress: Callable[[str, int, int], None]) -> Iterator[Finding]:
        moment = self.moment
        players = {name for name, (role, *_) in moment.people.items() if role == "player"}
        owners = {name.removeprefix(WALLET) for name in self.balances if name.startswith(WALLET)}
        everybody = sorted({*moment.wallets, *moment.moves, *owners, *players})
        for number, player in enumerate(everybody, 1):
            progress("wallets", number, len(everybody))
            if player not in players:
                yield Finding(f"{WALLET}{player}", "the owner of the wallet", player, "a player known to the office")
            yield from self._wallet(player)

    def _wallet(self, player: str) -> Iterator[Finding]:
        where, start, row = f"{WALLET}{player}", self.before.get(player, Wallet()), self.moment.wallets.get(player)
        balance, moves = self.balances.get(where, 0), start.moves + self.moved.get(player, 0)
        bought, cashed = (micros // MICROS_PER_CENT for micros in self.cage.get(player, (0, 0)))
        if row is None:
            yield Finding(where, "its row in wallets", "nothing", dollars(balance))
        else:
            yield from differs(where, "its row in wallets", row.micros, balance, dollars)
            yield from differs(where, "its number of moves", row.moves, moves)
            bought, cashed = start.bought_cents + bought, start.cashed_cents + cashed
            yield from differs(where, "its total bought in, in cents", row.bought_cents, bought)
            yield from differs(where, "its total cashed out, in cents", row.cashed_cents, cashed)
        if balance < 0:
            yield Finding(where, "its balance", dollars(balance), "zero or more")
        first, top = self.moment.moves.get(player, (1, 0))
        yield from differs(where, "the number of its first move", first, 1)
        yield from differs(where, "the number of its last move", top, moves)
        if top > start.moves:
            yield from self._moves(player, start, top)

    def _moves(self, player: str, start: Wallet, top: int) -> Iterator[Finding]:
        """Check new moves. After a wrong row the check continues from that row, so one change causes one finding."""
        wallet, (balance, last), ends = f"{WALLET}{player}", (start.micros, start.moves), dict(self.ends)
        guest = player in self.moment.people and self.moment.people[player][2] == "guest"
        while rows := self.books.rows(MOVES, player, last, top, wallet, wallet):
            for (n, stream, seq, micros), changes in groupby(rows, lambda row: tuple(row[:4])):
                where, moves = f"move {n} of {player}", [row[4:] for row in changes]
                yield from differs(where, "the number of this move", n, last + 1)
                if moves[0][-1] is None:
                    yield Finding(where, "the event of this move", f"{stream} {seq}", "an event that moved this wallet")
                elif seq <= ends.get(stream, 0):
                    expected = f"an event after {stream} {ends[stream]}"
                    yield Finding(where, "the event of this move", f"{stream} {seq}", expected)
                change = sum(-each if source == wallet else each for source, each in moves if each is not None)
                yield from differs(where, "the balance after this move", micros, balance + change, dollars)
                if micros < 0:
                    yield Finding(where, "the balance after this move", dollars(micros), "zero or more")
                if guest and stream == "cage" and micros > GUEST_MICROS:
                    expected = f"at most {dollars(GUEST_MICROS)}"
                    yield Finding(f"{stream} {seq}", f"the wallet of {player}, a guest", dollars(micros), expected)
                balance, last, ends[stream] = micros, n, seq
