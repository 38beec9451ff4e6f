"""The house: `submit`, the one way in, and what may be read.

Any process takes any command. What a command needs of the books is mostly in memory (`memory.py`), so most commands
read nothing: they write, and the books refuse what relies on something old. Then everything is read and tried again.
"""

from __future__ import annotations

import contextlib
import random
import re
import time
from collections.abc import Callable
from functools import partial
from typing import Any

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from highcardflush.errors import (
    Busy,
    HcfError,
    HouseError,
    KeyReused,
    NoFunds,
    NotFound,
    NotPermitted,
    OutcomeUnknown,
    StoreBusy,
    StoreError,
)
from highcardflush.game.actions import Action, DealHand, TimeOut
from highcardflush.game.state import State
from highcardflush.game.view import HandView, View, Viewer, view
from highcardflush.house import commands as c
from highcardflush.house import meter as meters
from highcardflush.house import meterdesk, office, people, tabledesk, wire
from highcardflush.house import table as tables
from highcardflush.house.commands import Command, Role
from highcardflush.house.desk import Desk
from highcardflush.house.entry import Entry
from highcardflush.house.memory import Configured, Memory
from highcardflush.house.meter import MeterState, Reading
from highcardflush.house.misread import NAMES, explain
from highcardflush.house.posting import CAGE
from highcardflush.house.seal import Seal
from highcardflush.house.store import Conflict, Store, Transaction
from highcardflush.house.table import Table
from highcardflush.house.work import COLUMNS, Asked, Work, read_head, to_entry
from highcardflush.money import say_micros
from highcardflush.notation.proof import format_proof

ATTEMPTS = 20
PATIENCE_S = 30.0
"""How long a command whose outcome is unknown is tried again."""
KEY_LENGTH = 200
RACES = ("events", "answers", "actor", "streams", "people", "wallets")
"""Conflicts that another command has caused: the newest state decides anew."""
NOT_KEPT = (StoreError, OutcomeUnknown, Busy, KeyReused)
"""Refusals that say nothing about the command: it may be sent again under its key."""


class Answer(Struct, frozen=True):
    """What became of a command: the event that it made."""

    stream: str
    seq: int
    kind: str
    body: dict[str, Any]


class House:
    """The books, opened."""

    def __init__(self, store: Store, seal: Seal, clock: Callable[[], float] = time.time, key_since: int = 0) -> None:
        self.store = store
        self._key_since = key_since
        self._seal = seal
        self._clock = clock
        self._memory = Memory(seal)
        store.on_failure = self._memory.forget_all

    # --- the one way in --------------------------------------------------------------------------

    def submit(self, stream: str, command: Command | Action, actor: str, key: str) -> Answer:
        """Do what is asked, once. Every refusal is an HcfError with a code.

        The first attempt relies on memory; what fails then is tried again with all that matters read from the books.
        A refusal is kept under the key like an answer, so that asking again is refused again.
        """
        for what, text in (("stream", stream), ("actor", actor), ("key", key)):
            if not 0 < len(text) <= KEY_LENGTH or not text.isprintable():
                raise HouseError(what, read=repr(text)[:60], expected=f"1 to {KEY_LENGTH} printable characters")
        command, text = _checked(command)
        asked = Asked(stream, actor, key, self._seal.digest(f"{stream}\n{actor}\n{text}"))
        deadline = time.monotonic() + PATIENCE_S
        refusal: HcfError | None = None
        unknown: OutcomeUnknown | None = None
        job: Callable[[Transaction], Answer | None] = partial(self._attempt, asked, command, trusting=True)
        attempt = 0
        while True:
            attempt += 1
            try:
                answer = self.store.transact(job)
            except Conflict as conflict:
                self._memory.forget(stream, actor)
                if conflict.what not in RACES:
                    raise
                # A time-out asks again: with less in the wallet it folds.
                if conflict.what == "wallets" and attempt > 1 and not isinstance(command, TimeOut):
                    refusal = self._no_funds(stream, getattr(command, "player", None) or actor)
                elif attempt > ATTEMPTS:
                    read = f"{attempt} lost races"
                    raise unknown or Busy(stream, read=read, expected="the command again, later") from None
                elif attempt > 1:
                    time.sleep(random.uniform(0, 0.002 * attempt))
            except OutcomeUnknown as error:
                self._memory.forget(stream, actor)
                unknown = error
                _wait(attempt, deadline, unknown)
            except StoreBusy:
                if unknown is None:
                    raise
                _wait(attempt, deadline, unknown)  # it may stand: not to be told as if nothing had been done
            except StoreError as error:
                raise unknown or error from None
            except NOT_KEPT:
                raise
            except HcfError as error:
                if refusal is not None:
                    raise  # it was kept before
                refusal = error
            else:
                if answer is not None:
                    return answer
                assert refusal is not None
                raise refusal
            job = partial(self._attempt, asked, command) if refusal is None else partial(self._refuse, asked, refusal)

    def _attempt(
        self, asked: Asked, command: Command | Action, tx: Transaction, *, trusting: bool = False
    ) -> Answer | None:
        role = self._memory.roles.get(asked.actor) if trusting else None
        if role is None:
            role, active, answered = self._actor(tx, asked.actor, asked.key)
            if answered is not None:
                return self._repeat(tx, answered, asked)
            _require_active(asked.actor, active=active)
            known = role
            tx.kept(lambda: self._memory.roles.__setitem__(asked.actor, known))
        work = Work(tx, self._seal, asked, role, self._clock)
        try:
            people.require(asked.actor, role, command)
            entry = self._handle(work, asked.stream, command, trusting=trusting)
        except NOT_KEPT:
            raise
        except HcfError:
            if trusting:  # memory may be behind the books: only they refuse
                raise Conflict("events") from None
            raise
        work.finish(entry.seq)
        return _answer(entry)

    def _actor(self, tx: Transaction, actor: str, key: str) -> tuple[Role, bool, tuple[Any, ...] | None]:
        """The actor's role, whether it is in force, and what was answered under this key before."""
        found = tx.read(
            "SELECT p.role, p.active, a.request, a.stream, a.seq, a.refusal FROM people p"
            " LEFT JOIN answers a ON a.actor = p.name AND a.key = ? WHERE p.name = ?",
            key, actor,
        )  # fmt: skip
        if not found:
            raise NotPermitted("actor", read=repr(actor), expected="somebody whom the office knows")
        role, active, request, *rest = found[0]
        return role, bool(active), (bytes(request), *rest) if request is not None else None

    def _repeat(self, tx: Transaction, answered: tuple[Any, ...], asked: Asked) -> Answer:
        """The same answer to the same request."""
        before, stream, seq, refusal = answered
        if refusal is not None and before == asked.request:
            raise _refusal(self._seal.open(bytes(refusal), f"{asked.actor} {asked.key}"))
        rows = tx.read(f"SELECT {COLUMNS} FROM events WHERE stream = ? AND seq = ?", stream, seq)
        entry = to_entry(rows[0]) if rows else None
        # What was digested with a key that is lost cannot be compared: the answer of that time is the best there is.
        if entry is None or (before != asked.request and entry.at >= self._key_since):
            read = f"{asked.key!r} with another request"
            raise KeyReused("key", read=read, expected="a new key for a new request")
        return _answer(entry)

    def _refuse(self, asked: Asked, refusal: HcfError, tx: Transaction) -> Answer | None:
        """Keep the refusal under the key, sealed, for it may tell of cards; or what was answered meanwhile."""
        try:
            _, _, answered = self._actor(tx, asked.actor, asked.key)
        except NotPermitted:  # of a stranger nothing is kept
            return None
        if answered is not None:
            return self._repeat(tx, answered, asked)
        told = self._seal.close(msgspec.json.encode(refusal.as_dict()), f"{asked.actor} {asked.key}")
        tx.write(
            "INSERT INTO answers (actor, key, request, stream, seq, refusal) VALUES (?, ?, ?, ?, NULL, ?)",
            asked.actor, asked.key, asked.request, asked.stream, told,
        )  # fmt: skip
        return None

    def _no_funds(self, stream: str, player: str) -> NoFunds:
        """What the wallet holds, if the command says whose it was."""
        rows: list[tuple[Any, ...]] = []
        with contextlib.suppress(StoreError):  # it is only for the words
            rows = self.store.snapshot(lambda tx: tx.read("SELECT micros FROM wallets WHERE player = ?", player))
        held = f"at most {say_micros(int(rows[0][0]))}" if rows else "at most what the wallet holds"
        return NoFunds("wallet", read=f"more than it holds, at {stream}", expected=held)

    # --- streams ---------------------------------------------------------------------------------

    def _handle(self, work: Work, stream: str, command: Command | Action, *, trusting: bool) -> Entry:
        kind, _, name = stream.partition("/")
        if stream in (CAGE, office.OFFICE):
            work.lock([stream])
            return office.handle(work, stream, command)
        if kind == "table":
            return self._handle_table(work, _checked_name(stream, name), command, trusting=trusting)
        if kind == "meter":
            return self._handle_meter(work, _checked_name(stream, name), command)
        raise NotFound("stream", read=repr(stream), expected="table/NAME, meter/NAME, cage or office")

    def _handle_table(self, work: Work, name: str, command: Command | Action, *, trusting: bool) -> Entry:
        table = self._memory.tables.get(name) if trusting else None

        def newest(meter: str) -> MeterState:
            return self._memory.newest_meter(work.tx, meter)

        def known(meter: str) -> MeterState:
            return (self._memory.meters.get(meter) if trusting else None) or newest(meter)

        if table is not None:
            work.follow(table.stream, table.head)
        else:
            table = self._memory.read_table(work.tx, name)
        desk = Desk(work, name, table, newest, known, partial(self._memory.count_meter, work.tx))
        after, entry = tabledesk.handle(desk, command)
        work.tx.kept(lambda: self._memory.keep_table(after))
        return entry

    def _handle_meter(self, work: Work, name: str, command: Command | Action) -> Entry:
        if isinstance(command, c.CreateMeter):
            if work.tx.read("SELECT 1 FROM streams WHERE name = ?", f"meter/{name}"):
                raise HouseError("meter", read=f"{name}, which is there", expected="a new name")
            return meterdesk.create(work, name, command)
        self._memory.newest_meter(work.tx, name)  # one that is not there cannot be locked
        work.lock([f"meter/{name}"])
        return meterdesk.handle(work, self._memory.newest_meter(work.tx, name), command)

    # --- reading ---------------------------------------------------------------------------------

    def table(self, name: str) -> Table:
        """A table as the books have it now."""
        return self.store.snapshot(lambda tx: self._read_table(tx, name))

    def _read_table(self, tx: Transaction, name: str) -> Table:
        table = self._memory.tables.get(name)
        # Memory may be behind the books, or ahead of them by what is being committed: that is not told yet.
        if table is None or read_head(tx, table.stream) != table.head:
            table = self._memory.read_table(tx, name)
        if table is None:
            raise NotFound("table", read=name, expected="a table that was created")
        return table

    def view(self, name: str, actor: str) -> View | None:
        """The live round as this person may see it; None between rounds."""
        table = self.table(name)
        if table.round is None:
            return None
        round_ = table.round
        seat = next((number for number, player in round_.seats.items() if player == actor), None)
        viewer: Viewer = seat if seat is not None else "spectator"
        seen = view(round_.rulebook, round_.state, viewer)
        return _keyed_in(seen, round_.state) if table.config.physical and self._keys_in(actor) else seen

    def _keys_in(self, actor: str) -> bool:
        """Whether somebody keys in hands, and so must see what was keyed in."""
        try:
            return DealHand in people.MAY[self.role(actor)]
        except NotPermitted:
            return False

    def meter(self, name: str) -> tuple[MeterState, Reading]:
        """A meter and what it holds now."""

        def read(tx: Transaction) -> tuple[MeterState, Reading]:
            state = self._memory.newest_meter(tx, name)
            return state, meters.count(tx, state)

        return self.store.snapshot(read)

    def proof(self, name: str, number: int) -> str:
        """The published record of a round that is over, with all that is needed to verify it."""
        return self.store.snapshot(lambda tx: self._proof(tx, name, number))

    def _proof(self, tx: Transaction, name: str, number: int) -> str:
        stream = f"table/{name}"
        opens = "SELECT seq, body FROM events WHERE stream = ? AND kind = 'open' ORDER BY seq LIMIT 1 OFFSET ?"
        opened = tx.read(opens, stream, number - 1) if 0 < number < 2**63 else []
        ends = (
            "SELECT body FROM events WHERE stream = ? AND seq > ? AND kind IN ('settle', 'void') ORDER BY seq LIMIT 1"
        )
        ended = tx.read(ends, stream, opened[0][0]) if opened else []
        if not ended:
            raise NotFound(f"round of table {name}", read=str(number), expected="a round that is over")
        begun, over = wire.decode(opened[0][1], _Opened), wire.decode(ended[0][0], _Ended)
        body = tx.read("SELECT body FROM events WHERE stream = ? AND seq = ?", stream, begun.config)[0][0]
        return format_proof(
            name,
            number,
            over.record,
            commitment=begun.commitment,
            seed=over.seed,
            player_seeds=over.player_seeds,
            rulebook=tables.configured(wire.decode(body, Configured).config.rulebook, begun.settings),
        )

    def role(self, actor: str) -> Role:
        """What somebody is here; refused if nobody, or disabled."""
        role, active, _ = self.store.snapshot(lambda tx: self._actor(tx, actor, ""))
        _require_active(actor, active=active)
        return role

    def reopen(self) -> None:
        """After a failure of the store: open it again and check it, before any wager is taken."""
        self._memory.forget_all()
        self.store.reopen()

    def close(self) -> None:
        self.store.close()


def _wait(attempt: int, deadline: float, error: HcfError) -> None:
    """A little longer each time, until patience ends."""
    if time.monotonic() > deadline:
        raise error
    time.sleep(min(0.5, 0.02 * attempt))


class _Opened(Struct, frozen=True):
    config: int
    commitment: str | None
    settings: dict[str, str]


class _Ended(Struct, frozen=True):
    record: str
    seed: str | None
    player_seeds: dict[int, str]


def _keyed_in(seen: View, state: State) -> View:
    """The same, with every hand open."""
    hands = {seat.number: seat.hand for seat in state.seats}
    seats = [
        replace(seat, hand=HandView(len(hand), hand)) if (hand := hands[seat.number]) is not None else seat
        for seat in seen.seats
    ]
    dealer = HandView(len(state.dealer), state.dealer) if state.dealer is not None else None
    return replace(seen, seats=tuple(seats), dealer=dealer)


def _require_active(actor: str, *, active: bool) -> None:
    if not active:
        raise NotPermitted("actor", read=f"{actor}, who is disabled", expected="somebody who is active")


def _answer(entry: Entry) -> Answer:
    return Answer(entry.stream, entry.seq, entry.kind, msgspec.json.decode(entry.body))


def _refusal(told: bytes) -> HcfError:
    """The error that was told before."""
    said = msgspec.json.decode(told)
    known = {kind.code: kind for kind in _family(HcfError)}
    kind = known.get(said.pop("code"), HcfError)
    return kind(said.pop("message"), **said)


def _family(kind: type[HcfError]) -> list[type[HcfError]]:
    return [kind, *(member for child in kind.__subclasses__() for member in _family(child))]


def _checked(command: Command | Action) -> tuple[Command | Action, str]:
    """The command as it would come over the wire: what is out of range is refused here, for every front end."""
    kind = type(command)
    try:
        text = wire.encode(command)
    except UnicodeEncodeError as error:
        raise HouseError(kind.__name__, read=str(error), expected="text that can be written") from None
    try:
        return wire.decode(text, kind), text
    except msgspec.ValidationError as error:
        what, read, expected = explain(error, text, {kind.__name__: kind})
        raise HouseError(what, read=read, expected=expected) from None


def _checked_name(stream: str, name: str) -> str:
    if not re.match(c.NAME, name):
        raise NotFound("stream", read=repr(stream), expected=NAMES)
    return name
