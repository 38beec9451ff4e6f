"""The house: `submit`, the one way in. What a command needs of the books is mostly in the cache (`cache.py`)."""

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

from highcardflush.errors import (
    Busy,
    HcfError,
    HouseError,
    KeyReused,
    NoFunds,
    NotFound,
    OutcomeUnknown,
    SealError,
    StoreBusy,
    StoreError,
    from_dict,
)
from highcardflush.game.actions import Action, TimeOut
from highcardflush.house import cage, codec, epoch, office, permissions
from highcardflush.house import commands as c
from highcardflush.house.books import standing
from highcardflush.house.books.accounts import CAGE
from highcardflush.house.books.event import Event
from highcardflush.house.books.reader import read_event, read_wallet
from highcardflush.house.books.seal import Seal
from highcardflush.house.books.standing import OFFICE, Standing, require_own
from highcardflush.house.books.writer import Asked, Writer
from highcardflush.house.cache import Cache, Loss
from highcardflush.house.commands import Command
from highcardflush.house.mark import REVEALS, Mark, Reached
from highcardflush.house.meter import commands as meter_commands
from highcardflush.house.misread import NAMES, explain, refuse_length
from highcardflush.house.reading import Reader
from highcardflush.house.store.protocol import Conflict, Store, Transaction, copy_error
from highcardflush.house.table import commands as table_commands
from highcardflush.house.table.context import Context
from highcardflush.money import say_micros

ATTEMPTS = 20
PATIENCE_S = 30.0
"""How long a command whose outcome is unknown is tried again."""
KEY_LENGTH = 200
RACES = ("events", "answers", "actor", "streams", "people", "wallets")
"""Conflicts that another command has caused: the newest state decides anew."""
NOT_KEPT = (StoreError, OutcomeUnknown, Busy, KeyReused, SealError)
"""Refusals that say nothing about the command: it may be sent again under its key."""
_ASKS = (
    f"SELECT p.role, p.active, {standing.COLUMNS}, a.request, a.stream, a.seq, a.refusal"
    " FROM people p CROSS JOIN house LEFT JOIN answers a ON a.actor = p.name AND a.key = ? WHERE p.name = ?"
)
"""Who asks, where the house stands, and what was answered under this key before."""


class Answer(Struct, frozen=True):
    """What became of a command: the event that it made."""

    stream: str
    seq: int
    kind: str
    text: str
    """The event's body, in JSON."""

    @property
    def body(self) -> dict[str, Any]:
        found: dict[str, Any] = msgspec.json.decode(self.text)
        return found


class House(Reader):
    """The books, opened."""

    def __init__(
        self,
        store: Store,
        seal: Seal,
        clock: Callable[[], float] = time.time,
        monotonic: Callable[[], float] = time.monotonic,
        mark: Mark | None = None,
    ) -> None:
        super().__init__(store, Cache(seal, monotonic))
        self._seal = seal
        self._clock = clock
        self._mark = mark
        self._unsettled: dict[tuple[str, str], OutcomeUnknown] = {}
        """Commands by actor and key that may be in the books: not to be told as if nothing had been done."""
        store.on_failure = self._cache.forget_all
        self._met = store.connections
        """How many connections the store had made when the books were last held against the mark."""
        self.behind = self._refusal()
        """Why these books may only be read: they were put back by hand."""

    def _refusal(self) -> StoreError | None:
        loss = self.store.snapshot(self._mark.find_loss) if self._mark is not None else None
        return self._mark.refusal(loss) if self._mark is not None and loss is not None else None

    # --- the one way in --------------------------------------------------------------------------

    def submit(self, stream: str, command: Command | Action, actor: str, key: str) -> Answer:
        """Do what is asked, once. Every refusal is an HcfError with a code.

        The first attempt relies on the cache; what fails then is tried again with all that matters read from the books.
        A refusal is kept under the key like an answer, so that asking again is refused again.
        """
        for what, text in (("stream", stream), ("actor", actor), ("key", key)):
            if not 0 < len(text) <= KEY_LENGTH or not text.isprintable():
                raise HouseError(what, read=repr(text)[:60], expected=f"1 to {KEY_LENGTH} printable characters")
        command, text = _checked(command)
        if self.behind is not None:
            raise copy_error(self.behind)
        request, *older = self._seal.digests(f"{stream}\n{actor}\n{text}")
        asked = Asked(stream, actor, key, request, tuple(older))
        deadline = time.monotonic() + PATIENCE_S
        unknown = self._unsettled.get((actor, key))
        job: Callable[[Transaction], Answer | HcfError] = partial(self._attempt, asked, command, trusting=True)
        attempt = 0
        while True:
            attempt += 1
            refusal: HcfError | None = None
            try:
                outcome = self.store.transact(job)
            except Conflict as conflict:
                self._cache.roles.pop(actor, None)
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
            except Loss as loss:
                if attempt > ATTEMPTS:
                    raise epoch.frozen(loss) from None
                self._record_loss(loss)
            except OutcomeUnknown as error:
                self._cache.roles.pop(actor, None)
                unknown = self._unsettled[actor, key] = error
                _wait(attempt, deadline, unknown)
            except StoreBusy:
                if unknown is None:
                    raise
                _wait(attempt, deadline, unknown)
            except StoreError as error:
                raise unknown or error from None
            except NOT_KEPT:
                raise
            except HcfError as error:
                refusal = error
            else:
                self._unsettled.pop((actor, key), None)
                if isinstance(outcome, Answer):
                    self._raise_mark(outcome)
                    return outcome
                outcome.__context__ = None
                raise outcome.with_traceback(None)  # what it went through had cards at hand
            job = partial(self._attempt, asked, command) if refusal is None else partial(self._refuse, asked, refusal)

    def _raise_mark(self, answer: Answer) -> None:
        """After the commit and before the answer is given: what becomes known now is known outside the books too."""
        stands, matters = self._cache.standing, answer.stream in (OFFICE, CAGE) or answer.kind in REVEALS
        if self._mark is not None and stands is not None and matters:
            self._mark.raise_to(answer.stream, Reached(stands.epoch, answer.seq))

    def _record_loss(self, loss: Loss) -> None:
        number = epoch.record_loss(self.store, self._seal, self._clock, self._cache, loss)
        if self._mark is not None and number is not None:
            with contextlib.suppress(StoreError):  # it is of an epoch that is over, and says nothing any more
                self._mark.reset(number)

    def _attempt(
        self, asked: Asked, command: Command | Action, tx: Transaction, *, trusting: bool = False
    ) -> Answer | HcfError:
        """The answer, or the refusal that was given before under this key."""
        self._require_all(tx)
        role, stands = (self._cache.roles.get(asked.actor), self._cache.standing) if trusting else (None, None)
        if role is None or stands is None:
            before = self._cache.standing
            rows = tx.read(_ASKS, asked.key, asked.actor)
            role, active, epoch, key_id, revision, number, *answered = permissions.require_known(asked.actor, rows)
            if answered[0] is not None:
                return self._repeat(tx, asked, *answered)
            stands = Standing(epoch, key_id, revision, number)
            require_own(stands, self._seal)  # first: what is kept is trusted
            self._cache.meet(stands, before)
            permissions.require_active(asked.actor, active=active)
            self._cache.roles[asked.actor] = role
        writer = Writer(tx, self._seal, asked, role, stands, self._clock)
        try:
            permissions.require(asked.actor, role, command)
            event = self._handle(writer, asked.stream, command, trusting=trusting)
        except NOT_KEPT:
            raise
        except HcfError:
            if trusting:  # the cache may be behind the books: only they refuse
                raise Conflict("events") from None
            raise
        writer.answer(event.seq)
        if writer.standing != stands:
            tx.on_kept(partial(self._cache.keep_standing, writer.standing))
        return _answer(event)

    def _require_all(self, tx: Transaction) -> None:
        """Behind a new connection may be books that lack what this process never saw, but the mark knows of."""
        made = self.store.connections
        if self._mark is not None and self._met != made:
            if (loss := self._mark.find_loss(tx)) is not None:
                raise loss
            self._met = made

    def _repeat(
        self, tx: Transaction, asked: Asked, request: bytes, stream: str, seq: int | None, refusal: bytes | None
    ) -> Answer | HcfError:
        """The same answer to the same request."""
        if request not in (asked.request, *asked.older):
            read = f"{asked.key!r} with another request"
            raise KeyReused("key", read=read, expected="a new key for a new request")
        if refusal is not None:
            return from_dict(msgspec.json.decode(self._seal.open(refusal, f"answers/{asked.actor}", asked.key)))
        event = read_event(tx, stream, seq) if seq is not None else None
        assert event is not None
        return _answer(event)

    def _refuse(self, asked: Asked, refusal: HcfError, tx: Transaction) -> HcfError:
        """Keep the refusal under the key, sealed, for it may tell of cards; of a stranger nothing is kept."""
        told = self._seal.close(msgspec.json.encode(refusal.as_dict()), f"answers/{asked.actor}", asked.key)
        tx.write(
            "INSERT INTO answers (actor, key, request, stream, seq, refusal)"
            " SELECT name, ?, ?, ?, NULL, ? FROM people WHERE name = ?",
            asked.key, asked.request, asked.stream, told, asked.actor,
        )  # fmt: skip
        return refusal

    def _no_funds(self, stream: str, player: str) -> NoFunds:
        """What the wallet holds, if the command says whose it was."""
        held: int | None = None
        with contextlib.suppress(StoreError):  # it is only for the words
            held = self.store.snapshot(lambda tx: read_wallet(tx, player))
        expected = f"at most {say_micros(held) if held is not None else 'what the wallet holds'}"
        return NoFunds("wallet", read=f"more than it holds, at {stream}", expected=expected)

    # --- streams ---------------------------------------------------------------------------------

    def _handle(self, writer: Writer, stream: str, command: Command | Action, *, trusting: bool) -> Event:
        kind, _, name = stream.partition("/")
        if stream in (CAGE, OFFICE):
            writer.tx.lock([stream])
            return cage.handle(writer, command) if stream == CAGE else office.handle(writer, command)
        if kind == "table":
            return self._handle_table(writer, _checked_name(stream, name), command, trusting=trusting)
        if kind == "meter":
            return self._handle_meter(writer, _checked_name(stream, name), command)
        raise NotFound("stream", read=repr(stream), expected="table/NAME, meter/NAME, cage or office")

    def _handle_table(self, writer: Writer, name: str, command: Command | Action, *, trusting: bool) -> Event:
        table = self._cache.tables.get(name) if trusting else None
        if table is not None:
            writer.require_event(table.stream, table.head)
        else:
            table = self._cache.newest_table(writer.tx, name)
        if table is not None:
            table = epoch.in_epoch(writer.tx, table, writer.standing.epoch)
        watched_s = self._cache.watched_s(table) if table is not None else 0.0
        ctx = Context(writer, self._cache, watched_s, trusting)
        after, event = table_commands.handle(ctx, name, table, command)
        writer.tx.on_kept(partial(self._cache.keep_table, after))
        return event

    def _handle_meter(self, writer: Writer, name: str, command: Command | Action) -> Event:
        if isinstance(command, c.CreateMeter):
            if writer.tx.read("SELECT 1 FROM streams WHERE name = ?", f"meter/{name}"):
                raise HouseError("meter", read=f"{name}, which is there", expected="a new name")
            return meter_commands.create(writer, name, command)
        self._cache.newest_meter(writer.tx, name)  # one that is not there cannot be locked
        writer.tx.lock([f"meter/{name}"])
        return meter_commands.handle(writer, self._cache.newest_meter(writer.tx, name), command)

    def reopen(self) -> None:
        """After a failure of the store: open it again and check it, before any wager is taken."""
        self.store.reopen()
        if self.behind is not None:
            self.behind = self._refusal()

    def close(self) -> None:
        self.store.close()


def _wait(attempt: int, deadline: float, error: HcfError) -> None:
    """A little longer each time, until patience ends."""
    if time.monotonic() > deadline:
        raise error
    time.sleep(min(0.5, 0.02 * attempt))


def _answer(event: Event) -> Answer:
    return Answer(event.stream, event.seq, event.kind, event.body)


def _checked(command: Command | Action) -> tuple[Command | Action, str]:
    """The command as it would come over the wire: what is out of range is refused here, for every front end."""
    kind = type(command)
    try:
        text = codec.encode(command)
    except UnicodeEncodeError as error:
        raise HouseError(kind.__name__, read=str(error), expected="text that can be written") from None
    wrong = refuse_length(text, kind.__name__)
    try:
        if wrong is None:
            return codec.decode(text, kind), text
    except msgspec.ValidationError as error:
        wrong = explain(error, text, {kind.__name__: kind})
    raise HouseError(wrong.what, read=wrong.read, expected=wrong.expected)


def _checked_name(stream: str, name: str) -> str:
    if not re.match(c.NAME, name):
        raise NotFound("stream", read=repr(stream), expected=NAMES)
    return name
