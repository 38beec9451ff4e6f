"""The house: `submit`, the one way in. What a command needs of the books is mostly in the cache (`cache.py`)."""

from __future__ import annotations

import contextlib
import logging
import random
import re
import time
from collections import OrderedDict
from collections.abc import Callable, Iterable, Sequence
from functools import partial
from typing import Any, NamedTuple, TypeVar

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
    OutcomeUnknown,
    SealError,
    StoreBusy,
    StoreError,
)
from highcardflush.game.actions import Action, TimeOut
from highcardflush.house import cage, codec, permissions
from highcardflush.house import commands as c
from highcardflush.house.books.accounts import CAGE, TABLE
from highcardflush.house.books.event import Event, Transfer
from highcardflush.house.books.seal import Seal
from highcardflush.house.books.standing import OFFICE, Standing, read_standing, require_own
from highcardflush.house.books.writer import Asked, Writer
from highcardflush.house.cache import Cache, Loss
from highcardflush.house.commands import Command, Role
from highcardflush.house.funds import Funds
from highcardflush.house.meter import commands as meter_commands
from highcardflush.house.office import changes, epoch
from highcardflush.house.office import commands as office
from highcardflush.house.office.mark import REVEALS, Mark, Reached
from highcardflush.house.parse import NAMES, explain_command, refuse_length
from highcardflush.house.reading import Reader
from highcardflush.house.store.protocol import Conflict, Store, Transaction, copy_error
from highcardflush.house.table import commands as table_commands
from highcardflush.house.table.context import Context
from highcardflush.house.table.state import Table
from highcardflush.words import refuse

T = TypeVar("T")
LOG = logging.getLogger(__name__)
ATTEMPTS = 20
PATIENCE_S = 30.0
"""How long a command whose outcome is unknown is tried again."""
REFRESH_S = 0.25
"""How old what is shown of a meter may be: what is paid is counted."""
WORTH_A_LOOK = 8
"""From how many commands in a group on the house is looked up first."""
UNSETTLED = 10_000
"""How many commands are remembered whose outcome is unknown."""
HOUSE_ROW = ", ".join(f"h.{field}" for field in Standing.__struct_fields__)
KEY_LENGTH = 200
RACES = ("events", "key", "actor", "streams", "people", "wallets")
"""Conflicts that another command has caused: the newest state decides anew."""
DOES_NOT_REFUSE = (StoreError, OutcomeUnknown, Busy, KeyReused, SealError)
"""Errors that say nothing about the command."""


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


class Request(NamedTuple):
    """A command: to which stream, by whom, under which key."""

    stream: str
    command: Command | Action
    actor: str
    key: str


class Committed(NamedTuple):
    """An event that is on disk."""

    event: Event
    transfers: Sequence[Transfer]
    table: Table | None
    """The table after it, if it is one's."""


Listener = Callable[[Sequence[Committed]], None]


class _Pursuit(Struct):
    """A command until it is done or refused."""

    asked: Asked
    command: Command | Action
    deadline: float
    unknown: OutcomeUnknown | None
    """It may be in the books."""
    attempts: int = 0
    tried: tuple[Writer, Standing] | None = None
    """What the last attempt would have written, and where the house stood for it."""
    repeated: Standing | None = None
    """It was in the books already: in those of this very commit, where a group has it twice."""
    met: Standing | None = None
    """Where the house stood in the books, if they were asked."""


class _Known(Struct, frozen=True):
    """Who asks, as the books have it: the role, whether it is in force, where the house stands, and what was answered
    under this key before, with the digest of its request."""

    role: Role
    active: bool
    standing: Standing
    answered: tuple[bytes, Answer] | None
    ends: tuple[bytes, ...] = ()
    """The hashes at which some streams end."""


class House(Reader):
    """The books, opened."""

    def __init__(
        self,
        store: Store,
        seal: Seal,
        clock: Callable[[], float] = time.time,
        monotonic: Callable[[], float] = time.monotonic,
        mark: Mark | None = None,
        refresh_s: float = REFRESH_S,
    ) -> None:
        super().__init__(store, Cache(seal, monotonic, refresh_s))
        self.seal = seal
        self._clock = clock
        self._mark = mark
        self.interruptions = 0
        """How often the books could not be reached: what time has run out meanwhile is given again."""
        self._unsettled = OrderedDict[tuple[str, str], OutcomeUnknown]()
        """Commands by actor and key that may be in the books: not to be told as if nothing had been done."""
        self._listeners: list[Listener] = []
        store.on_failure = self._cache.forget_all
        self._funds = Funds()
        store.on_committed = self._committed
        self._met = store.connections
        """How many connections the store had made when the books were last held against the mark."""
        self.behind = self._refusal()
        """Why these books may only be read: they were put back by hand."""

    def _refusal(self) -> StoreError | None:
        loss = self.store.snapshot(self._mark.find_loss) if self._mark is not None else None
        return self._mark.refusal(loss) if self._mark is not None and loss is not None else None

    # --- the one way in --------------------------------------------------------------------------

    def submit(self, stream: str, command: Command | Action, actor: str, key: str) -> Answer:
        """Do what is asked, once. Every refusal is an HcfError with a code; it did nothing, and its key stays free."""
        return self._pursue(self._begin(Request(stream, command, actor, key)))

    def submit_many(self, requests: Sequence[Request]) -> list[Answer | Exception]:
        """The same for commands that wait together: most of them share one commit."""
        begun = [_outcome(self._begin, request) for request in requests]
        waiting = [pursuit for pursuit in begun if isinstance(pursuit, _Pursuit)]
        outcomes: dict[int, Answer | Exception] = {}
        while waiting:
            group, waiting = self._group(waiting)
            self._look_up(group)
            held: set[str] = set()
            attempt = partial(self._attempt_in_turn, held) if self.store.in_turn else self._attempt
            tried = self.store.transact_many([partial(attempt, pursuit) for pursuit in group])
            again: list[_Pursuit] = []
            for pursuit, outcome in zip(group, tried, strict=True):
                if isinstance(outcome, Conflict) and pursuit.attempts == 0:  # once more together, then each for itself
                    refused = _outcome(self._again, pursuit, outcome)
                    if refused is None:
                        again.append(pursuit)
                    else:
                        outcomes[id(pursuit)] = refused
                else:
                    outcomes[id(pursuit)] = _outcome(self._pursue, pursuit, outcome)
            waiting = [*again, *waiting]
        return [outcomes[id(one)] if isinstance(one, _Pursuit) else one for one in begun]

    def _group(self, waiting: list[_Pursuit]) -> tuple[list[_Pursuit], list[_Pursuit]]:
        """Who goes first: where a job does not see those before it, the first of each stream. The office's goes alone:
        every command after it must know of it, and a change that it decides is of another stream."""
        if self.store.in_turn:
            return waiting, []
        first = {pursuit.asked.stream: pursuit for pursuit in reversed(waiting)}
        alone = waiting[0].asked.stream == OFFICE
        group = {id(one) for one in first.values() if (one.asked.stream == OFFICE) == alone}
        return [one for one in waiting if id(one) in group], [one for one in waiting if id(one) not in group]

    def _look_up(self, group: Sequence[_Pursuit]) -> None:
        """If the office has gone on each of a group would lose its race: one look spares that."""
        kept = self._cache.standing
        if kept is None or len(group) < WORTH_A_LOOK:
            return
        with contextlib.suppress(StoreError):  # the group meets it too
            stands = self.store.snapshot(read_standing)
            if stands is not None and replace(stands, office=kept.office) == kept:  # else each is to notice
                self._cache.keep_standing(stands)

    def _attempt_in_turn(self, held: set[str], pursuit: _Pursuit, tx: Transaction) -> Answer:
        """What is to be tried again holds up those after it on its stream."""
        try:
            if pursuit.asked.stream in held:
                raise Conflict("events")
            return self._attempt(pursuit, tx)
        except (Conflict, Loss):
            held.add(pursuit.asked.stream)
            raise

    def _begin(self, request: Request) -> _Pursuit:
        """Refuse what no house would read."""
        stream, command, actor, key = request
        for what, text in (("stream", stream), ("actor", actor), ("key", key)):
            if not 0 < len(text) <= KEY_LENGTH or not text.isprintable():
                raise HouseError(what, read=repr(text)[:60], expected=f"1 to {KEY_LENGTH} printable characters")
        command, text = _checked(command)
        if self.behind is not None:
            raise copy_error(self.behind)
        digest, *older = self.seal.digests(f"{stream}\n{actor}\n{text}")
        asked = Asked(stream, actor, key, digest, tuple(older))
        return _Pursuit(asked, command, time.monotonic() + PATIENCE_S, self._unsettled.get((actor, key)))

    def _pursue(self, pursuit: _Pursuit, outcome: Answer | Exception | None = None) -> Answer:
        """Try until it is done or refused; `outcome` is of an attempt that was made.

        The first attempt relies on the cache; what fails then is tried again with all that matters read from the books.
        """
        while True:
            try:
                if isinstance(outcome, Exception):
                    raise outcome
                answer = outcome or self.store.transact(partial(self._attempt, pursuit))
            except Exception as error:
                outcome = None
                self._again(pursuit, error)
            else:
                self._unsettled.pop((pursuit.asked.actor, pursuit.asked.key), None)
                if pursuit.repeated is not None:  # nobody may have seen its commit end
                    self._raise_mark([answer], pursuit.repeated)
                return answer

    def _again(self, pursuit: _Pursuit, error: Exception) -> None:
        """Prepare another attempt after one that failed, or raise what is to be told."""
        pursuit.attempts += 1
        asked, last = pursuit.asked, pursuit.attempts >= ATTEMPTS
        match error:
            case Conflict(what=what) if what in RACES:
                # A time-out asks again: with less in the wallet it folds.
                if what == "wallets" and not isinstance(pursuit.command, TimeOut):
                    self._refuse_funds(pursuit)
                self._cache.roles.pop(asked.actor, None)
                if last:
                    raise pursuit.unknown or refuse("busy", Busy, attempts=pursuit.attempts) from None
                if pursuit.attempts > 1:
                    time.sleep(random.uniform(0, 0.002 * pursuit.attempts))
            case Loss():
                if last:
                    raise epoch.frozen(error) from None
                self._record_loss(error)
            case OutcomeUnknown():
                self.interruptions += 1
                self._cache.roles.pop(asked.actor, None)
                pursuit.unknown = self._unsettled[asked.actor, asked.key] = error
                if len(self._unsettled) > UNSETTLED:
                    self._unsettled.popitem(last=False)
                _wait(pursuit)
            case StoreBusy() if pursuit.unknown is not None:
                _wait(pursuit)
            case StoreError():
                self.interruptions += 1
                raise pursuit.unknown or error from None
            case HcfError():
                if pursuit.met is not None:  # who is refused for an epoch has heard of it
                    self._cache.keep_standing(pursuit.met)
                error.__context__ = None
                raise error.with_traceback(None)  # what it went through had cards at hand
            case _:
                raise error

    # --- what is on disk -------------------------------------------------------------------------

    def on_committed(self, listener: Listener) -> None:
        """Let somebody know of each commit of this process: of all its events, in order, before they are answered.

        It is called by the thread that has committed, while others wait: it must be quick, and hand on what is to be
        done. In PostgreSQL two threads that write one stream may call it in either order; the events' numbers say.
        What has become of a commit whose end was not seen, what other processes do, and a new epoch, `newer` finds.
        """
        self._listeners.append(listener)

    def _committed(self, done: Sequence[Committed]) -> None:
        self._raise_mark([made.event for made in done])
        for listener in self._listeners:
            try:
                listener(done)
            except Exception:
                LOG.exception("a listener to commits has failed")

    def _raise_mark(self, done: Iterable[Event | Answer], stands: Standing | None = None) -> None:
        """After the commit and before anybody is told: what becomes known now is known outside the books too."""
        stands = stands or self._cache.standing
        if self._mark is None or stands is None:
            return
        matter = [one for one in done if one.kind in REVEALS or one.stream in (OFFICE, CAGE)]
        if matter:
            self._mark.raise_to({one.stream: Reached(stands.epoch, one.seq) for one in matter})

    def _record_loss(self, loss: Loss) -> None:
        number = epoch.record_loss(self.store, self.seal, self._clock, self._cache, loss)
        if self._mark is not None and number is not None:
            with contextlib.suppress(StoreError):  # it is of an epoch that is over, and says nothing any more
                self._mark.reset(number)

    def _attempt(self, pursuit: _Pursuit, tx: Transaction) -> Answer:
        asked, command, trusting = pursuit.asked, pursuit.command, pursuit.attempts == 0
        pursuit.met = None  # a group that was rolled back may have moved it
        self._require_all(tx)
        role, stands = (self._cache.roles.get(asked.actor), self._cache.standing) if trusting else (None, None)
        if role is None or stands is None:
            before = self._cache.standing
            known = self._known(tx, asked)
            role, stands = known.role, known.standing
            if known.answered is not None:
                pursuit.repeated = stands
                return _repeat(asked, *known.answered)
            require_own(stands, self.seal)  # first: what is kept is trusted
            self._cache.meet(tx, stands, before)
            pursuit.met = stands
            permissions.require_active(asked.actor, active=known.active)
            self._cache.roles[asked.actor] = role
        writer = Writer(tx, self.seal, asked, role, stands, self._clock)
        try:
            permissions.require(role, command)
            changes.require_second(writer, command)
            event, table = self._handle(writer, asked.stream, command, trusting=trusting)
            if not isinstance(command, TimeOut):  # with less in the wallet it folds
                self._funds.require(tx, asked, writer)
        except DOES_NOT_REFUSE:
            raise
        except HcfError:
            # Also when all was read from the books: meanwhile it may have waited for its own first attempt.
            if not self._is_current(tx, asked, writer, stands):
                raise Conflict("events") from None
            raise
        pursuit.tried = writer, stands
        if writer.standing == stands:
            tx.later(writer.finish)
        else:  # every command after it must know of it
            writer.finish()
            tx.on_kept(partial(self._cache.keep_standing, writer.standing))
        for made, transfers, _ in writer.appended:
            tx.note(Committed(made, transfers, table if table is not None and made.head == table.head else None))
        return _answer(event)

    def _is_current(self, tx: Transaction, asked: Asked, writer: Writer, stands: Standing) -> bool:
        """Whether the books say what a command that is to be refused relied on, and know nothing of its key."""
        ends = tuple(head.hash for head in writer.relied.values())
        return self._known(tx, asked, writer.relied) == _Known(writer.role, True, stands, None, ends)

    def _require_all(self, tx: Transaction) -> None:
        """Behind a new connection may be books that lack what this process never saw, but the mark knows of."""
        made = self.store.connections
        if self._mark is not None and self._met != made:
            if (loss := self._mark.find_loss(tx)) is not None:
                raise loss
            self._met = made

    def _known(self, tx: Transaction, asked: Asked, relied: Iterable[str] = ()) -> _Known:
        """What the books know of who asks; and the hashes at which streams end."""
        ends = "".join(", (SELECT hash FROM events WHERE stream = ? ORDER BY seq DESC LIMIT 1)" for _ in relied)
        found = tx.read(
            f"SELECT p.role, p.active, {HOUSE_ROW}, e.request, e.stream, e.seq, e.kind, e.body{ends}"
            " FROM people p CROSS JOIN house h LEFT JOIN events e ON e.actor = p.name AND e.key = ? WHERE p.name = ?",
            *relied, asked.key, asked.actor,
        )  # fmt: skip
        row = permissions.require_known(asked.actor, found)
        role, active, epoch, key_id, revision, number, request, stream, seq, kind, body, *hashes = row
        answered = (request, Answer(stream, seq, kind, body)) if request is not None else None
        return _Known(role, bool(active), Standing(epoch, key_id, revision, number), answered, tuple(hashes))

    def _refuse_funds(self, pursuit: _Pursuit) -> None:
        """Refuse for a wallet that holds too little; but if the cache was behind, the command is decided anew."""
        assert pursuit.tried is not None
        asked, (writer, stands) = pursuit.asked, pursuit.tried

        def read(tx: Transaction) -> NoFunds | None:
            if not self._is_current(tx, asked, writer, stands):
                return None
            return self._funds.found_short(tx, asked, writer)

        refusal: NoFunds | None = None
        with contextlib.suppress(StoreError):  # the next attempt meets it too
            refusal = self.store.transact(read)
        if refusal is not None:
            raise refusal

    # --- streams ---------------------------------------------------------------------------------

    def _handle(
        self, writer: Writer, stream: str, command: Command | Action, *, trusting: bool
    ) -> tuple[Event, Table | None]:
        """The event of a command; and the table after it, if it changed one."""
        kind, _, name = stream.partition("/")
        if stream in (CAGE, OFFICE):
            writer.tx.lock([stream])
            if stream == CAGE:
                return cage.handle(writer, command), None
            event, table = office.handle(writer, command), None
            if (change := changes.approved(writer, command)) is not None:
                _, table = self._handle(writer, change.stream, change.command, trusting=False)
            return event, table
        if kind == "table":
            return self._handle_table(writer, name, command, trusting=trusting)
        if kind == "meter":
            return self._handle_meter(writer, _checked_name(stream, name), command), None
        raise refuse("no-stream", NotFound, stream=stream)

    def _handle_table(
        self, writer: Writer, name: str, command: Command | Action, *, trusting: bool
    ) -> tuple[Event, Table]:
        table = self._cache.tables.get(name) if trusting else None
        if table is not None:
            writer.require_event(table.stream, table.head)
        else:
            table = self._cache.newest_table(writer.tx, _checked_name(f"table/{name}", name))
        if table is not None:
            table = epoch.in_epoch(writer.tx, table, writer.standing.epoch)
        watched_s = self._cache.watched_s(table) if table is not None else 0.0
        ctx = Context(writer, self._cache, watched_s, trusting)
        after, event = table_commands.handle(ctx, name, table, command)
        writer.tx.on_kept(partial(self._cache.keep_table, after), self._cache.put_back(name))
        return event, after

    def _handle_meter(self, writer: Writer, name: str, command: Command | Action) -> Event:
        if isinstance(command, c.CreateMeter):
            if writer.tx.read("SELECT 1 FROM streams WHERE name = ?", f"meter/{name}"):
                raise refuse("name-taken", what="meter", name=name)
            return meter_commands.create(writer, name, command)
        self._cache.newest_meter(writer.tx, name)  # one that is not there cannot be locked
        writer.tx.lock([f"meter/{name}"])
        return meter_commands.handle(writer, self._cache.newest_meter(writer.tx, name), command)

    def reopen(self) -> None:
        """After a failure of the store: open it again and check it, before any wager is taken."""
        self.store.reopen()
        self.watch_anew()
        if self.behind is not None:
            self.behind = self._refusal()

    def close(self) -> None:
        self.store.close()


def _wait(pursuit: _Pursuit) -> None:
    """A little longer each time, until patience ends."""
    if time.monotonic() > pursuit.deadline or runs_clock(pursuit.asked):
        assert pursuit.unknown is not None
        raise pursuit.unknown
    time.sleep(min(0.5, 0.02 * pursuit.attempts))


def runs_clock(asked: Asked | Request) -> bool:
    """Whether a command is what a clock does that has run out: if the books are away meanwhile it runs anew."""
    return asked.actor == permissions.SERVER and asked.stream.startswith(TABLE)


def _outcome(job: Callable[..., T], *args: object) -> T | Exception:
    try:
        return job(*args)
    except Exception as error:
        return error


def _repeat(asked: Asked, request: bytes, answer: Answer) -> Answer:
    """The same answer to the same request."""
    if request not in (asked.request, *asked.older):
        raise refuse("key-reused", KeyReused, key=asked.key)
    return answer


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
        wrong = explain_command(error, text, {kind.__name__: kind})
    raise HouseError(wrong.message, read=wrong.read, expected=wrong.expected)


def _checked_name(stream: str, name: str) -> str:
    if not re.match(c.NAME, name):
        raise refuse("stream-name", NotFound, names=NAMES)
    return name
