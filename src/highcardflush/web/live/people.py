"""Tasks for the people at the tables: caching names and breaks, sending balances, and signing guests out."""

import asyncio
import logging
from collections.abc import Iterable
from datetime import UTC, datetime
from functools import partial

from highcardflush.errors import HcfError
from highcardflush.house.accounts import sessions
from highcardflush.house.books.event import WALLET
from highcardflush.house.books.reader import in_batches
from highcardflush.house.bots import display_name, in_play
from highcardflush.house.house import Person
from highcardflush.house.table.state import Table
from highcardflush.money import MICROS_PER_CENT
from highcardflush.web.accounts.sessions import WATCH_S, Sessions
from highcardflush.web.errors import OnBreak
from highcardflush.web.messages.live import BalanceMessage
from highcardflush.web.server.context import MICROSECONDS, ServerContext
from highcardflush.words import refuse

LOG = logging.getLogger(__name__)
MOST_NAMES = 30_000
MINUTE = 60 * MICROSECONDS
BALANCES_S = 0.1


class Names:
    """Cache of the display names and kinds of the people who sit at tables."""

    def __init__(self, context: ServerContext) -> None:
        self._context = context
        self.display_names: dict[str, str] = {}
        self.kinds: dict[str, str] = {}

    async def learn(self, tables: Iterable[Table]) -> None:
        """Cache the names of the players at these tables."""
        if len(self.display_names) > MOST_NAMES:
            self.display_names.clear()
            tables = (*tables, *self._context.tables.values())
        players = {player for table in tables for player in table.seats.values() if player}
        if missing := sorted(player for player in players if player not in self.display_names)[:MOST_NAMES]:
            self.add(await self._context.ask(self._context.house.people, missing))

    def add(self, people: Iterable[Person]) -> None:
        """Cache people's names. House players get human names."""
        for person in people:
            self.display_names[person.name] = display_name(person.name) if person.kind == "bot" else person.shown
            self.kinds[person.name] = person.kind


class Breaks:
    """Cache of players' breaks, so that a wager can be checked without a query.

    A break is never shortened. So if the cache and the database have different ends for a break, the later end counts.
    """

    def __init__(self, context: ServerContext) -> None:
        self._context = context
        self._ends: dict[str, int] = {}
        """End of each player's break, in microseconds."""

    async def load(self) -> None:
        """Read all breaks from the database and drop those that are over."""
        now = self._context.now()
        ends = await self._context.read(partial(sessions.breaks_in_force, now=now))
        for person, until in self._ends.items():
            ends[person] = max(until, ends.get(person, 0))
        self._ends = {person: until for person, until in ends.items() if until > now}

    async def run(self) -> None:
        while True:
            await asyncio.sleep(WATCH_S[self._context.house.store.dialect])
            try:
                await self.load()
            except HcfError as error:
                LOG.warning("breaks could not be read", extra={"error": error.code})

    async def take(self, person: str, minutes: int) -> int:
        """Begin or extend a break; return its end in microseconds."""
        now = self._context.now()
        until = await self._context.write(lambda tx: sessions.take_break(tx, person, now, now + minutes * MINUTE))
        self._ends[person] = max(until, self._ends.get(person, 0))
        return until

    def until(self, person: str) -> int | None:
        """Return the end of a person's break in microseconds, or None if there is no break."""
        until = self._ends.get(person, 0)
        return until if until > self._context.now() else None

    def require_none(self, person: str) -> None:
        """Refuse a wager during a break."""
        if (until := self.until(person)) is not None:
            end = datetime.fromtimestamp(until / MICROSECONDS, UTC)
            raise refuse("on-break", OnBreak, until=f"{end:%Y-%m-%d %H:%M}", until_ms=until // 1000)


class Balances:
    """Sends players their wallet balance after it has changed, at most ten times a second."""

    def __init__(self, context: ServerContext) -> None:
        self._context = context
        self._due: set[str] = set()

    def note(self, accounts: Iterable[str]) -> None:
        """Queue a balance message for each connected player who owns one of these accounts."""
        self.note_players(account.removeprefix(WALLET) for account in accounts if account.startswith(WALLET))

    def note_players(self, players: Iterable[str | None]) -> None:
        self._due.update(player for player in players if player and self._context.connections.has(player))

    async def run(self) -> None:
        while True:
            await asyncio.sleep(BALANCES_S)
            players, self._due = sorted(self._due), set()
            for batch in in_batches(players):
                try:
                    balances = await self._context.ask(self._context.house.wallets, batch)
                except HcfError:
                    self._due.update(batch)
                    continue
                for player, micros in balances.items():
                    for connection in self._context.connections.of(player):
                        connection.send_message(BalanceMessage(micros // MICROS_PER_CENT))


class Guests:
    """Signs guests out once the floor no longer admits them. A guest who is playing a round may finish it first."""

    def __init__(self, context: ServerContext, sessions: Sessions) -> None:
        self._context, self._sessions = context, sessions
        self._check = asyncio.Event()

    async def run(self) -> None:
        self.look()
        while True:
            await self._check.wait()
            self._check.clear()
            try:
                await self._sessions.sign_out_guests(self._playing)
            except HcfError as error:  # retried when the next round ends
                LOG.warning("guests could not be signed out", extra={"error": error.code})

    def look(self) -> None:
        """Sign guests out if the floor does not admit them."""
        if not self._context.floor.guests:
            self._check.set()

    def table_changed(self, table: Table) -> None:
        if not in_play(table):
            self.look()

    def _playing(self) -> set[str | None]:
        return {
            table.round.seats.get(seat)
            for table in self._context.tables.values()
            if table.round is not None
            for seat in in_play(table)
        }
