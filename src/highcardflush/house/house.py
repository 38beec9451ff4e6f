"""The house: `submit`, the one way in, and what may be read.

Any process takes any command: the state of a stream is kept in memory at the version it was read, and who appends to
an older version than is there loses the race, reads again and tries again. So memory is only ever a shortcut.
"""

from __future__ import annotations

import contextlib
import random
import re
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import msgspec
from msgspec import Struct

from highcardflush.errors import (
    Busy,
    HcfError,
    HouseError,
    KeyReused,
    NoFunds,
    NotFound,
    NotPermitted,
    OutcomeUnknown,
    SealError,
    StoreBusy,
    StoreError,
)
from highcardflush.game.actions import Action, TimeOut
from highcardflush.game.proof import write_proof
from highcardflush.game.view import View, Viewer, view
from highcardflush.house import commands as c
from highcardflush.house import meter as meters
from highcardflush.house import meterdesk, office, people, tabledesk, wire
from highcardflush.house import table as tables
from highcardflush.house.commands import Command, Role
from highcardflush.house.entry import Entry
from highcardflush.house.meter import MeterState, Reading
from highcardflush.house.posting import CAGE
from highcardflush.house.seal import Seal, read_key, write_new_key
from highcardflush.house.store import Conflict, Store, Transaction, open_store
from highcardflush.house.table import Config, Table
from highcardflush.house.work import COLUMNS, Work, read_entries, read_head, to_entry
from highcardflush.money import say_micros

ATTEMPTS = 20
PATIENCE_S = 30.0
"""How long a command whose outcome is unknown is tried again."""
KEY_LENGTH = 200
NAMES = "a name of lower case letters, digits and -, at most 40"
RACES = ("events", "answers", "streams", "people", "wallets")
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
        self._tables: dict[str, Table] = {}
        self._meters: dict[str, MeterState] = {}
        store.on_failure = self._forget_all

    # --- the one way in --------------------------------------------------------------------------

    def submit(self, stream: str, command: Command | Action, actor: str, key: str) -> Answer:
        """Do what is asked, once. Every refusal is an HcfError with a code."""
        for what, text in (("stream", stream), ("actor", actor), ("key", key)):
            if not 0 < len(text) <= KEY_LENGTH or not text.isprintable():
                raise HouseError(what, read=repr(text)[:60], expected=f"1 to {KEY_LENGTH} printable characters")
        command, text = _checked(command)
        request = self._seal.digest(f"{stream}\n{actor}\n{text}")
        deadline = time.monotonic() + PATIENCE_S
        attempt, unknown = 0, None
        while True:
            attempt += 1
            try:
                return self.store.transact(lambda tx: self._attempt(tx, stream, command, actor, key, request))
            except Conflict as conflict:
                self._forget(stream)
                # A time-out asks again: with less in the wallet it folds.
                if conflict.what == "wallets" and not isinstance(command, TimeOut):
                    player = getattr(command, "player", None) or actor
                    return self._refuse(self._no_funds(stream, player), stream, actor, key, request)
                if conflict.what not in RACES:
                    raise
                if attempt >= ATTEMPTS:
                    raise Busy(stream, read=f"{attempt} lost races", expected="the command again, later") from None
                time.sleep(random.uniform(0, 0.002 * attempt))
            except OutcomeUnknown as error:
                self._forget(stream)
                unknown = error
                _wait(attempt, deadline, unknown)
            except StoreBusy:
                if unknown is None:
                    raise
                _wait(attempt, deadline, unknown)  # it may stand: not to be told as if nothing had been done
            except NOT_KEPT:
                raise
            except HcfError as refusal:
                return self._refuse(refusal, stream, actor, key, request)

    def _attempt(
        self, tx: Transaction, stream: str, command: Command | Action, actor: str, key: str, request: bytes
    ) -> Answer:
        role, answered = self._actor(tx, actor, key)
        if answered is not None:
            return self._repeat(tx, answered, actor, key, request)
        people.require(actor, role, command)
        work = Work(tx, self._seal, stream, actor, role, key, request, int(self._clock() * 1_000_000))
        entry = self._handle(work, stream, command)
        work.finish()
        _keep_answer(tx, actor, key, request, stream, entry.seq)
        return _answer(entry)

    def _actor(self, tx: Transaction, actor: str, key: str) -> tuple[Role, tuple[Any, ...] | None]:
        """The actor's role, and what was answered under this key before."""
        found = tx.read(
            "SELECT p.role, p.active, a.request, a.stream, a.seq, a.refusal FROM people p"
            " LEFT JOIN answers a ON a.actor = p.name AND a.key = ? WHERE p.name = ?",
            key, actor,
        )  # fmt: skip
        if not found:
            raise NotPermitted("actor", read=repr(actor), expected="somebody whom the office knows")
        role, active, request, *rest = found[0]
        if request is not None:
            return role, (bytes(request), *rest)
        if not active:
            raise NotPermitted("actor", read=f"{actor}, who is disabled", expected="somebody who is active")
        return role, None

    def _repeat(self, tx: Transaction, answered: tuple[Any, ...], actor: str, key: str, request: bytes) -> Answer:
        """The same answer to the same request."""
        before, stream, seq, refusal = answered
        if refusal is not None and before == request:
            raise _refusal(self._seal.open(bytes(refusal), f"{actor} {key}"))
        rows = tx.read(f"SELECT {COLUMNS} FROM events WHERE stream = ? AND seq = ?", stream, seq)
        entry = to_entry(rows[0]) if rows else None
        # What was digested with a key that is lost cannot be compared: the answer of that time is the best there is.
        if entry is None or (before != request and entry.at >= self._key_since):
            raise KeyReused("key", read=f"{key!r} with another request", expected="a new key for a new request")
        return _answer(entry)

    def _refuse(self, refusal: HcfError, stream: str, actor: str, key: str, request: bytes) -> Answer:
        """Keep the refusal under the key, so that asking again is refused again; sealed, for it may tell of cards."""

        def keep(tx: Transaction) -> Answer | None:
            try:
                _, answered = self._actor(tx, actor, key)
            except NotPermitted:
                return None
            if answered is not None:
                return self._repeat(tx, answered, actor, key, request)
            told = self._seal.close(msgspec.json.encode(refusal.as_dict()), f"{actor} {key}")
            tx.write(
                "INSERT INTO answers (actor, key, request, stream, seq, refusal) VALUES (?, ?, ?, ?, NULL, ?)",
                actor, key, request, stream, told,
            )  # fmt: skip
            return None

        deadline = time.monotonic() + PATIENCE_S
        for attempt in range(1, ATTEMPTS + 1):
            try:
                answer = self.store.transact(keep)
            except Conflict:  # the same key was answered meanwhile: that is the answer
                continue
            except OutcomeUnknown as error:
                _wait(attempt, deadline, error)
                continue
            if answer is not None:
                return answer
            raise refusal
        raise Busy(stream, read=f"{ATTEMPTS} lost races", expected="the command again, later")

    def _no_funds(self, stream: str, player: str) -> NoFunds:
        """What the wallet holds, if the command says whose it was."""
        rows = self.store.snapshot(lambda tx: tx.read("SELECT micros FROM wallets WHERE player = ?", player))
        held = f"at most {say_micros(int(rows[0][0]))}" if rows else "at most what the wallet holds"
        return NoFunds("wallet", read=f"more than it holds, at {stream}", expected=held)

    # --- streams ---------------------------------------------------------------------------------

    def _handle(self, work: Work, stream: str, command: Command | Action) -> Entry:
        kind, _, name = stream.partition("/")
        if stream in (CAGE, office.OFFICE):
            work.lock([stream])
            return office.handle(work, stream, command)
        if kind == "table":
            return self._handle_table(work, _checked_name(stream, name), command)
        if kind == "meter":
            return self._handle_meter(work, _checked_name(stream, name), command)
        raise NotFound("stream", read=repr(stream), expected="table/NAME, meter/NAME, cage or office")

    def _handle_table(self, work: Work, name: str, command: Command | Action) -> Entry:
        table = self._table(work.tx, name)
        desk = tabledesk.Desk(work, name, table, lambda meter: self._meter(work.tx, meter))
        try:
            after, entry = tabledesk.handle(desk, command)
        except HcfError:
            # What was kept in memory may be older than the books: only the newest state may refuse.
            if table is not None and read_head(work.tx, table.stream) != table.head:
                raise Conflict("events") from None
            raise
        work.tx.kept(lambda: self._keep_table(after))
        return entry

    def _handle_meter(self, work: Work, name: str, command: Command | Action) -> Entry:
        if isinstance(command, c.CreateMeter):
            if work.tx.read("SELECT 1 FROM streams WHERE name = ?", f"meter/{name}"):
                raise HouseError("meter", read=f"{name}, which is there", expected="a new name")
            return meterdesk.create(work, name, command)
        self._meter(work.tx, name)  # one that is not there cannot be locked
        work.lock([f"meter/{name}"])
        return meterdesk.handle(work, self._meter(work.tx, name), command)

    def _keep_table(self, table: Table) -> None:
        kept = self._tables.get(table.name)
        if kept is None or kept.head.seq < table.head.seq:
            self._tables[table.name] = table

    def _table(self, tx: Transaction, name: str) -> Table | None:
        """The table as this process last saw it, else read from the books."""
        return self._tables.get(name) or self._load_table(tx, name)

    def _load_table(self, tx: Transaction, name: str) -> Table | None:
        """Read a table from its last opening on."""
        stream = f"table/{name}"
        opened = tx.read("SELECT MAX(seq) FROM events WHERE stream = ? AND kind = 'open'", stream)[0][0]
        if opened is None:
            table, entries = None, read_entries(tx, stream)
        else:
            rows = tx.read(f"SELECT {COLUMNS} FROM events WHERE stream = ? AND seq = ?", stream, opened)
            seq = wire.decode(rows[0][8], tables.OpenBody).config
            body = tx.read("SELECT body FROM events WHERE stream = ? AND seq = ?", stream, seq)[0][0]
            config = wire.decode(body, _Configured).config
            table = tables.fold(None, to_entry(rows[0]), self._open, (seq, config))
            entries = read_entries(tx, stream, opened)
        for entry in entries:
            table = tables.fold(table, entry, self._open)
        return table

    def _open(self, entry: Entry) -> bytes:
        assert entry.sealed is not None
        return self._seal.open(entry.sealed, f"{entry.stream}/{entry.seq}")

    def _meter(self, tx: Transaction, name: str) -> MeterState:
        """The meter with every event up to now."""
        state = self._meters.get(name)
        entries = read_entries(tx, f"meter/{name}", state.head.seq - 1 if state else 0)
        if state is not None:
            if entries and entries[0].head == state.head:
                del entries[0]
            else:  # ahead of what this transaction may see
                state, entries = None, read_entries(tx, f"meter/{name}")
        for entry in entries:
            state = meters.fold(state, entry)
        if state is None:
            raise NotFound("meter", read=name, expected="a meter that was created")
        kept = state
        tx.kept(lambda: self._keep_meter(kept))
        return state

    def _keep_meter(self, state: MeterState) -> None:
        kept = self._meters.get(state.name)
        if kept is None or kept.head.seq < state.head.seq:
            self._meters[state.name] = state

    def _forget(self, stream: str) -> None:
        kind, _, name = stream.partition("/")
        (self._tables if kind == "table" else self._meters).pop(name, None)

    def _forget_all(self) -> None:
        self._tables.clear()
        self._meters.clear()

    # --- reading ---------------------------------------------------------------------------------

    def table(self, name: str) -> Table:
        """A table as the books have it now."""
        return self.store.snapshot(lambda tx: self._read_table(tx, name))

    def _read_table(self, tx: Transaction, name: str) -> Table:
        table = self._tables.get(name)
        # Memory may be behind the books, or ahead of them by what is being committed: that is not told yet.
        if table is None or read_head(tx, table.stream) != table.head:
            table = self._load_table(tx, name)
        if table is None:
            raise NotFound("table", read=name, expected="a table that was created")
        return table

    def view(self, name: str, actor: str) -> View | None:
        """The live round as this person may see it; None between rounds."""
        table = self.table(name)
        if table.round is None:
            return None
        seat = next((number for number, player in table.round.seats.items() if player == actor), None)
        viewer: Viewer = seat if seat is not None else "spectator"
        return view(table.round.rulebook, table.round.state, viewer)

    def meter(self, name: str) -> tuple[MeterState, Reading]:
        """A meter and what it holds now."""

        def read(tx: Transaction) -> tuple[MeterState, Reading]:
            state = self._meter(tx, name)
            return state, meters.count(tx, state)

        return self.store.snapshot(read)

    def proof(self, name: str, number: int) -> str:
        """The published record of a round that is over, with all that is needed to verify it."""
        return self.store.snapshot(lambda tx: self._proof(tx, name, number))

    def _proof(self, tx: Transaction, name: str, number: int) -> str:
        stream = f"table/{name}"
        opens = "SELECT seq, body FROM events WHERE stream = ? AND kind = 'open' ORDER BY seq LIMIT 1 OFFSET ?"
        opened = tx.read(opens, stream, number - 1) if number > 0 else []
        ends = (
            "SELECT body FROM events WHERE stream = ? AND seq > ? AND kind IN ('settle', 'void') ORDER BY seq LIMIT 1"
        )
        ended = tx.read(ends, stream, opened[0][0]) if opened else []
        if not ended:
            raise NotFound(f"round of table {name}", read=str(number), expected="a round that is over")
        begun, over = wire.decode(opened[0][1], _Opened), wire.decode(ended[0][0], _Ended)
        body = tx.read("SELECT body FROM events WHERE stream = ? AND seq = ?", stream, begun.config)[0][0]
        return write_proof(
            name,
            number,
            over.record,
            commitment=begun.commitment,
            seed=over.seed,
            player_seeds=over.player_seeds,
            rulebook=tables.configured(wire.decode(body, _Configured).config.rulebook, begun.settings),
        )

    def role(self, actor: str) -> Role:
        """What somebody is here; refused if nobody, or disabled."""
        return self.store.snapshot(lambda tx: self._actor(tx, actor, "")[0])

    def reopen(self) -> None:
        """After a failure of the store: open it again and check it, before any wager is taken."""
        self._forget_all()
        self.store.reopen()

    def close(self) -> None:
        self.store.close()


def _wait(attempt: int, deadline: float, error: HcfError) -> None:
    """A little longer each time, until patience ends."""
    if time.monotonic() > deadline:
        raise error
    time.sleep(min(0.5, 0.02 * attempt))


class _Configured(Struct, frozen=True):
    config: Config


class _Opened(Struct, frozen=True):
    config: int
    commitment: str | None
    settings: dict[str, str]


class _Ended(Struct, frozen=True):
    record: str
    seed: str | None
    player_seeds: dict[int, str]


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
    try:
        text = wire.encode(command)
        return wire.decode(text, type(command)), text
    except (msgspec.ValidationError, UnicodeEncodeError) as error:
        expected = NAMES if c.NAME in str(error) else "values in range"
        raise HouseError(type(command).__name__, read=str(error).partition(" matching")[0], expected=expected) from None


def _checked_name(stream: str, name: str) -> str:
    if not re.match(c.NAME, name):
        raise NotFound("stream", read=repr(stream), expected=NAMES)
    return name


# --- opening -------------------------------------------------------------------------------------


def open_house(url: str, key: Path | bytes, clock: Callable[[], float] = time.time) -> House:
    """The house in a database that has the schema, founded now if it is new. `key` is the house key, or its file."""
    store = open_store(url)
    try:
        known, since = store.snapshot(_key_in_force)
        if isinstance(key, Path):
            key = read_key(key) if known or key.exists() else _new_key(key)
        seal = Seal(key)
        if known is None:
            at = int(clock() * 1_000_000)
            with contextlib.suppress(Conflict):  # another process was faster
                store.transact(lambda tx: _found(tx, seal, at))
            known, since = store.snapshot(_key_in_force)
        if known != seal.key_id:
            raise SealError("house key", read=f"key {seal.key_id}", expected=f"key {known}, which seals this house")
    except BaseException:
        store.close()
        raise
    return House(store, seal, clock, since)


def _new_key(path: Path) -> bytes:
    try:
        return write_new_key(path)
    except SealError:
        return read_key(path)  # another process was faster


def _key_in_force(tx: Transaction) -> tuple[str | None, int]:
    """The id of the key in force, and since when, if it has replaced a lost one."""
    rows = tx.read(
        "SELECT body, at, kind FROM events WHERE stream = ? AND kind IN ('found', 'new-key') ORDER BY seq DESC LIMIT 1",
        office.OFFICE,
    )
    if not rows:
        return None, 0
    return str(msgspec.json.decode(rows[0][0])["key_id"]), int(rows[0][1]) if rows[0][2] == "new-key" else 0


def _found(tx: Transaction, seal: Seal, at: int) -> None:
    if _key_in_force(tx)[0] is not None:
        return  # another process was faster
    request = seal.digest("found")
    work = Work(tx, seal, office.OFFICE, "admin", "administrator", "found", request, at)
    office.found(work, seal.key_id)
    _keep_answer(tx, "admin", "found", request, office.OFFICE, 1)


def replace_lost_key(url: str, path: Path, actor: str, reason: str, clock: Callable[[], float] = time.time) -> str:
    """A new house key for a house whose key is gone. Live rounds cannot be opened any more and must be voided."""
    store = open_store(url)
    try:
        store.snapshot(lambda tx: _require_administrator(tx, actor))
        seal = Seal(write_new_key(path))
        at = int(clock() * 1_000_000)

        def change(tx: Transaction) -> None:
            tx.lock([office.OFFICE])
            _require_administrator(tx, actor)
            key, request = f"new key {seal.key_id}", seal.digest("new key")
            work = Work(tx, seal, office.OFFICE, actor, "administrator", key, request, at)
            entry = office.new_key(work, seal.key_id, reason)
            _keep_answer(tx, actor, key, request, office.OFFICE, entry.seq)

        store.transact(change)
        return seal.key_id
    finally:
        store.close()


def _require_administrator(tx: Transaction, actor: str) -> None:
    found = tx.read("SELECT role, active FROM people WHERE name = ?", actor)
    if not found or found[0][0] != "administrator" or not found[0][1]:
        raise NotPermitted("new key", read=repr(actor), expected="an administrator")


def _keep_answer(tx: Transaction, actor: str, key: str, request: bytes, stream: str, seq: int) -> None:
    tx.write(
        "INSERT INTO answers (actor, key, request, stream, seq, refusal) VALUES (?, ?, ?, ?, ?, NULL)",
        actor, key, request, stream, seq,
    )  # fmt: skip
