"""Writes commands into the books.

The first attempt at a command relies on the cache (`cache.py`). If the books do not confirm the cached data, further
attempts read everything from the books, until the command is carried out or refused.
"""

import contextlib
import logging
import random
import re
import time
from collections import OrderedDict
from collections.abc import Callable, Iterable, Sequence
from functools import partial
from typing import NamedTuple, TypeVar

from msgspec import Struct
from msgspec.structs import replace

from highcardflush import errors
from highcardflush.game.actions import Action, TimeOut
from highcardflush.house import cage, permissions
from highcardflush.house import commands as c
from highcardflush.house.books.event import CAGE, TABLE, Event, Transfer
from highcardflush.house.books.reader import OFFICE, Standing, read_standing, read_wallet, require_own
from highcardflush.house.books.seal import Seal
from highcardflush.house.books.writer import Envelope, Writer
from highcardflush.house.cache import Cache, Loss
from highcardflush.house.commands import Command, Role
from highcardflush.house.events import IN_ROUND, IN_STALE_ROUND, Body, decode, kind_of
from highcardflush.house.meter import commands as meter_commands
from highcardflush.house.office import changes, epoch
from highcardflush.house.office import commands as office_commands
from highcardflush.house.office.mark import REVEALS, Mark, Reached
from highcardflush.house.parse import NAMES, Checked, check
from highcardflush.house.store.protocol import Conflict, Store, Transaction, copy_error, nothing
from highcardflush.house.table import commands as table_commands
from highcardflush.house.table.context import Context
from highcardflush.house.table.state import Table
from highcardflush.money import say_micros
from highcardflush.words import refuse

B = TypeVar("B", bound=Body)
T = TypeVar("T")
LOG = logging.getLogger(__name__)
ATTEMPTS = 20
PATIENCE_S = 30.0
"""Seconds for which a command with an unknown outcome is retried."""
LEAST_REFRESHED = 8
"""Minimum size of a group of commands for which the standing of the house is read beforehand."""
UNSETTLED = 10_000
"""Maximum number of stored commands with an unknown outcome."""
MOST_SHORT = 10_000
"""Maximum number of players who are remembered because their wallets were short."""
HOUSE_ROW = ", ".join(f"h.{field}" for field in Standing.__struct_fields__)
KEY_LENGTH = 200
RACES = ("events", "key", "actor", "streams", "people", "wallets")
"""Conflicts that other commands cause. After such a conflict, a command is retried with the newest state."""
DOES_NOT_REFUSE = (errors.StoreError, errors.OutcomeUnknown, errors.Busy, errors.KeyReused, errors.SealError)
"""Errors that do not mean that the command was refused."""


class Answer(Struct, frozen=True):
    """The event that a command made."""

    stream: str
    seq: int
    kind: str
    text: str
    """The event's body, in JSON."""

    def decode(self, body: type[B]) -> B:
        """Decode the event's body, which must be an instance of `body`."""
        decoded = decode(self.stream, self.kind, self.text)
        assert isinstance(decoded, body)
        return decoded


class Request(NamedTuple):
    """A command for a stream, with its actor and its idempotency key."""

    stream: str
    command: Command | Action | Checked
    actor: str
    key: str


class Committed(NamedTuple):
    """A committed event with its transfers. The last event of a table command also has the resulting table."""

    event: Event
    transfers: Sequence[Transfer]
    table: Table | None


Listener = Callable[[Sequence[Committed]], None]


class Submission(Struct):
    """A command in progress, until it is done or refused."""

    envelope: Envelope
    command: Command | Action
    deadline: float
    unknown: errors.OutcomeUnknown | None
    """The error of an attempt that may have written the command into the books."""
    outcome: Answer | Exception | None = None
    """The outcome of a command in a group, or None if the command must be retried."""
    attempts: int = 0
    tried: tuple[Writer, Standing] | None = None
    """The writer of the last attempt, and the standing of the house that the attempt relied on."""
    repeated: Standing | None = None
    """Set if the command was already recorded, possibly earlier in the same group: the standing of the house."""
    read: Standing | None = None
    """The standing of the house, set if the last attempt read it from the books."""


class Known(Struct, frozen=True):
    """Data from the books about a command's actor and key."""

    role: Role
    active: bool
    standing: Standing
    answered: tuple[bytes, Answer] | None
    """The digest of an earlier request with this key, and the answer to it."""
    ends: tuple[bytes, ...] = ()
    """Hashes of the newest events of the streams that the command relied on."""


class Submitter:
    """Writes commands into the books, singly or in groups."""

    def __init__(self, store: Store, seal: Seal, cache: Cache, clock: Callable[[], float], mark: Mark | None) -> None:
        self._store, self._seal, self._cache, self._clock, self.mark = store, seal, cache, clock, mark
        self.interruptions = 0
        """Number of times the books could not be reached. Clocks that run out during an interruption are restarted."""
        self.unsettled = OrderedDict[tuple[str, str], errors.OutcomeUnknown]()
        """Errors of commands that may be in the books, keyed by actor and idempotency key. If a retry of such a command
        fails, its error must not imply that nothing was done."""
        self.listeners: list[Listener] = []
        self._short: set[str] = set()
        """Players whose wallets were short for a command. Wallets are normally debited without a read, but a debit
        below zero rolls back the transaction, which is costly. So these wallets are read first until they can pay."""
        store.listen(on_failure=cache.forget_all, on_committed=self._announce)
        self._checked_connections = store.connections
        """Number of connections that the store had made when the books were last compared with the mark."""
        self.behind = self.compare_with_mark()
        """Error with which every command is refused after the books were restored by hand. Otherwise it is None."""

    def compare_with_mark(self) -> errors.StoreError | None:
        """Return an error if the books lack events that the mark records."""
        loss = self._store.snapshot(self.mark.find_loss) if self.mark is not None else None
        return self.mark.refusal(loss) if self.mark is not None and loss is not None else None

    # --- one command, or several -----------------------------------------------------------------

    def submit(self, request: Request) -> Answer:
        return self.pursue(self.begin(request))

    def submit_many(
        self, requests: Sequence[Request], on_committing: Callable[[], object] = nothing
    ) -> list[Answer | Exception]:
        submissions = [_outcome(self.begin, request) for request in requests]
        waiting = [submission for submission in submissions if isinstance(submission, Submission)]
        while waiting:
            group, waiting = self._next_group(waiting)
            self._refresh_standing(group)
            blocked: set[str] = set()
            attempt = partial(self._attempt_in_turn, blocked) if self._store.sees_earlier_jobs else self.attempt
            jobs = [partial(attempt, submission) for submission in group]
            for submission, outcome in zip(group, self._store.transact_many(jobs, on_committing), strict=True):
                # A command is retried once in a group, and after that on its own.
                again = isinstance(outcome, Conflict) and submission.attempts == 0
                submission.outcome = _outcome(self._prepare_retry if again else self.pursue, submission, outcome)
            waiting = [*(submission for submission in group if submission.outcome is None), *waiting]
        outcomes = [one.outcome if isinstance(one, Submission) else one for one in submissions]
        return [outcome for outcome in outcomes if outcome is not None]

    def _next_group(self, waiting: list[Submission]) -> tuple[list[Submission], list[Submission]]:
        """Split the waiting commands into those for the next commit and the rest. If jobs cannot see the effects of
        earlier jobs, a commit takes only the first command of each stream. An office command is committed alone,
        because later commands rely on the office, and because a change that it approves may write to another stream."""
        if self._store.sees_earlier_jobs:
            return waiting, []
        first = {submission.envelope.stream: submission for submission in reversed(waiting)}
        alone = waiting[0].envelope.stream == OFFICE
        group = {id(one) for one in first.values() if (one.envelope.stream == OFFICE) == alone}
        return [one for one in waiting if id(one) in group], [one for one in waiting if id(one) not in group]

    def _refresh_standing(self, group: Sequence[Submission]) -> None:
        """Read the standing before a large group. The whole group would be retried if the office had advanced."""
        cached = self._cache.standing
        if cached is None or len(group) < LEAST_REFRESHED:
            return
        with contextlib.suppress(errors.StoreError):  # the group will meet the same error
            standing = self._store.snapshot(read_standing)
            # If the standing differs in more than `office`, each command must detect the difference.
            if standing is not None and replace(standing, office=cached.office) == cached:
                self._cache.keep_standing(standing)

    def _attempt_in_turn(self, blocked: set[str], submission: Submission, tx: Transaction) -> Answer:
        """Attempt a command in a group. A command that must be retried blocks later commands of its stream."""
        try:
            if submission.envelope.stream in blocked:
                raise Conflict("events")
            return self.attempt(submission, tx)
        except (Conflict, Loss):
            blocked.add(submission.envelope.stream)
            raise

    def begin(self, request: Request) -> Submission:
        """Start a command. Refuse a command whose values are out of range."""
        stream, command, actor, key = request
        for what, text in (("stream", stream), ("actor", actor), ("key", key)):
            if not 0 < len(text) <= KEY_LENGTH or not text.isprintable():
                raise errors.HouseError(what, read=repr(text)[:60], expected=f"1 to {KEY_LENGTH} printable characters")
        command, text = command if isinstance(command, Checked) else check(command)
        if self.behind is not None:
            raise copy_error(self.behind)
        digest, *older = self._seal.digests(f"{stream}\n{actor}\n{text}")
        envelope = Envelope(stream, actor, key, digest, tuple(older))
        return Submission(envelope, command, time.monotonic() + PATIENCE_S, self.unsettled.get((actor, key)))

    def pursue(self, submission: Submission, outcome: Answer | Exception | None = None) -> Answer:
        """Attempt a command until it is done or refused. `outcome` is the outcome of an earlier attempt, if any."""
        while True:
            try:
                if isinstance(outcome, Exception):
                    raise outcome
                answer = outcome or self._store.transact(partial(self.attempt, submission))
            except Exception as error:
                outcome = None
                self._prepare_retry(submission, error)
            else:
                self.unsettled.pop((submission.envelope.actor, submission.envelope.key), None)
                if submission.repeated is not None:  # an earlier attempt may have committed without an answer
                    self._raise_mark([answer], submission.repeated)
                return answer

    def _prepare_retry(self, submission: Submission, error: Exception) -> None:
        """Prepare another attempt after a failed one, or raise the error for the caller."""
        submission.attempts += 1
        envelope, is_last = submission.envelope, submission.attempts >= ATTEMPTS
        match error:
            case Conflict(what=what) if what in RACES:
                # A time-out is retried, because the retry folds if the player cannot pay for the Raise.
                if what == "wallets" and not isinstance(submission.command, TimeOut):
                    self._refuse_funds(submission)
                self._cache.roles.pop(envelope.actor, None)
                if is_last:
                    raise submission.unknown or refuse("busy", errors.Busy, attempts=submission.attempts) from None
                if submission.attempts > 1:
                    time.sleep(random.uniform(0, 0.002 * submission.attempts))
            case Loss():
                if is_last:
                    raise epoch.frozen(error) from None
                self.record_loss(error)
            case errors.OutcomeUnknown():
                self.interruptions += 1
                self._cache.roles.pop(envelope.actor, None)
                submission.unknown = self.unsettled[envelope.actor, envelope.key] = error
                if len(self.unsettled) > UNSETTLED:
                    self.unsettled.popitem(last=False)
                _wait(submission)
            case errors.StoreBusy() if submission.unknown is not None:
                _wait(submission)
            case errors.StoreError():
                self.interruptions += 1
                raise submission.unknown or error from None
            case errors.HcfError():
                if submission.read is not None:  # the refusal may be due to a new epoch
                    self._cache.keep_standing(submission.read)
                error.__context__ = None
                raise error.with_traceback(None)  # the frames contain cards
            case _:
                raise error

    # --- after a commit --------------------------------------------------------------------------

    def _announce(self, events: Sequence[Committed]) -> None:
        self._raise_mark([committed.event for committed in events])
        for listener in self.listeners:
            try:
                listener(events)
            except Exception:
                LOG.exception("a commit listener has failed")

    def _raise_mark(self, events: Iterable[Event | Answer], standing: Standing | None = None) -> None:
        """Raise the mark after the commit and before any answer, because revealed cards and seeds stay known."""
        standing = standing or self._cache.standing
        if self.mark is None or standing is None:
            return
        marked = [event for event in events if event.kind in REVEALS or event.stream in (OFFICE, CAGE)]
        if marked:
            self.mark.raise_to({event.stream: Reached(standing.epoch, event.seq) for event in marked})

    def record_loss(self, loss: Loss) -> None:
        number = epoch.record_loss(self._store, self._seal, self._clock, self._cache, loss)
        if self.mark is not None and number is not None:
            with contextlib.suppress(errors.StoreError):  # a mark of an old epoch has no effect
                self.mark.reset(number)

    # --- one attempt -----------------------------------------------------------------------------

    def attempt(self, submission: Submission, tx: Transaction) -> Answer:
        """Attempt a command in a transaction. The first attempt of a command trusts the cache."""
        envelope, trusting = submission.envelope, submission.attempts == 0
        submission.read = None  # its value may come from a group that was rolled back
        self._require_all_events(tx)
        role, standing = (self._cache.roles.get(envelope.actor), self._cache.standing) if trusting else (None, None)
        if role is None or standing is None:
            known = self._learn(submission, tx)
            if known.answered is not None:
                return known.answered[1]
            role, standing = known.role, known.standing
        writer = Writer(tx, self._seal, envelope, role, standing, self._clock)
        event, table = self._carry_out(submission.command, writer, envelope, trusting=trusting)
        submission.tried = writer, standing
        if writer.standing == standing:
            tx.defer(writer.finish)
        else:  # later commands must see the new standing
            writer.finish()
            tx.on_cacheable(partial(self._cache.keep_standing, writer.standing))
        for appended, transfers, _ in writer.appended:
            is_last = table is not None and appended.head == table.head
            tx.note(Committed(appended, transfers, table if is_last else None))
        return Answer(event.stream, event.seq, event.kind, event.body)

    def _require_all_events(self, tx: Transaction) -> None:
        """If the store has reconnected, compare the books with the mark, because the new server may lack events."""
        connections = self._store.connections
        if self.mark is not None and self._checked_connections != connections:
            if (loss := self.mark.find_loss(tx)) is not None:
                raise loss
            self._checked_connections = connections

    def _learn(self, submission: Submission, tx: Transaction) -> Known:
        """Read the books' data about a command's actor and key, and cache the data if the key has no answer yet."""
        envelope, before = submission.envelope, self._cache.standing
        known = self._read_known(tx, envelope)
        if known.answered is not None:
            submission.repeated = known.standing
            if known.answered[0] not in (envelope.request, *envelope.older):
                raise refuse("key-reused", errors.KeyReused, key=envelope.key)
            return known
        require_own(known.standing, self._seal)  # before it is cached, because the cache is trusted
        self._cache.meet(tx, known.standing, before)
        submission.read = known.standing
        permissions.require_active(envelope.actor, active=known.active)
        self._cache.roles[envelope.actor] = known.role
        return known

    def _carry_out(
        self, command: Command | Action, writer: Writer, envelope: Envelope, *, trusting: bool
    ) -> tuple[Event, Table | None]:
        """Handle a command, or refuse it. If the refusal relied on stale data, raise a conflict instead."""
        standing = writer.standing
        try:
            permissions.require(writer.role, command)
            if writer.role == "administrator" and isinstance(command, c.AnyChange) and changes.is_required(writer.tx):
                raise refuse("needs-proposal", errors.NeedsSecond)
            event, table = handle(writer, self._cache, envelope.stream, command, trusting=trusting)
            if not isinstance(command, TimeOut):  # a time-out folds if the player cannot pay for the Raise
                self._require_funds(writer.tx, writer, self._short & writer.debits.keys())
            return event, table
        except DOES_NOT_REFUSE:
            raise
        except errors.HcfError:
            # Attempts without the cache are checked too. They may have waited for the commit of an earlier attempt.
            if not self.is_current(writer.tx, envelope, writer, standing):
                raise Conflict("events") from None
            raise

    def is_current(self, tx: Transaction, envelope: Envelope, writer: Writer, standing: Standing) -> bool:
        """Return whether the books confirm the data that a refused command relied on, and lack the command's key."""
        ends = tuple(head.hash for head in writer.relied.values())
        return self._read_known(tx, envelope, writer.relied) == Known(writer.role, True, standing, None, ends)

    def _read_known(self, tx: Transaction, envelope: Envelope, streams: Iterable[str] = ()) -> Known:
        """Read the books' data about an actor and a key, and the hashes of the newest events of some streams."""
        ends = "".join(", (SELECT hash FROM events WHERE stream = ? ORDER BY seq DESC LIMIT 1)" for _ in streams)
        rows = tx.read(
            f"SELECT p.role, p.active, {HOUSE_ROW}, e.request, e.stream, e.seq, e.kind, e.body{ends}"
            " FROM people p CROSS JOIN house h LEFT JOIN events e ON e.actor = p.name AND e.key = ? WHERE p.name = ?",
            *streams, envelope.key, envelope.actor,
        )  # fmt: skip
        row = permissions.require_known(envelope.actor, rows)
        role, active, epoch_, key_id, revision, number, request, stream, seq, kind, body, *hashes = row
        answered = (request, Answer(stream, seq, kind, body)) if request is not None else None
        return Known(role, bool(active), Standing(epoch_, key_id, revision, number), answered, tuple(hashes))

    def _refuse_funds(self, submission: Submission) -> None:
        """Refuse a command if a wallet is short. Do nothing if the cache was stale, so that the command is retried."""
        assert submission.tried is not None
        writer, standing = submission.tried

        def read(tx: Transaction) -> None:
            if self.is_current(tx, submission.envelope, writer, standing):
                if len(self._short) + len(writer.debits) > MOST_SHORT:
                    self._short.clear()
                self._short |= writer.debits.keys()
                self._require_funds(tx, writer, set(writer.debits))

        with contextlib.suppress(errors.StoreError):  # the next attempt will meet the same error
            self._store.transact(read)

    def _require_funds(self, tx: Transaction, writer: Writer, players: set[str]) -> None:
        """Refuse a command if the wallet of one of these players is short."""
        lacks = {player: writer.debits[player] - (read_wallet(tx, player) or 0) for player in players}
        self._short -= {player for player, micros in lacks.items() if micros <= 0}
        player = max(lacks, key=lacks.__getitem__, default=writer.actor)
        if lacks.get(player, 0) <= 0:
            return
        if writer.actor == player or writer.role in permissions.READS["any wallet"]:
            raise refuse("no-funds", errors.NoFunds, held=say_micros(writer.debits[player] - lacks[player]))
        raise refuse("no-funds-there", errors.NoFunds)


def _wait(submission: Submission) -> None:
    """Wait before the next attempt, longer each time. After the deadline, or if the command came from a clock, raise
    the stored `OutcomeUnknown` error instead."""
    if time.monotonic() > submission.deadline or runs_clock(submission.envelope):
        assert submission.unknown is not None
        raise submission.unknown
    time.sleep(min(0.5, 0.02 * submission.attempts))


def runs_clock(envelope: Envelope | Request) -> bool:
    """Return whether a command was submitted because a clock ran out. Clocks restart after an outage of the books."""
    return envelope.actor == permissions.SERVER and envelope.stream.startswith(TABLE)


def _outcome(job: Callable[..., T], *args: object) -> T | Exception:
    try:
        return job(*args)
    except Exception as error:
        return error


# --- the handler of each stream -------------------------------------------------------------------


def handle(
    writer: Writer, cache: Cache, stream: str, command: Command | Action, *, trusting: bool
) -> tuple[Event, Table | None]:
    """Return a command's event and, after a table command, the changed table. If `trusting`, rely on the cache."""
    kind, _, name = stream.partition("/")
    if stream == CAGE:
        writer.tx.lock([stream])
        return cage.handle(writer, command), None
    if stream == OFFICE:
        writer.tx.lock([stream])
        event, table = office_commands.handle(writer, command), None
        if (change := changes.approved(writer, command)) is not None:
            _, table = handle(writer, cache, change.stream, change.command, trusting=False)
        return event, table
    if kind not in ("table", "meter"):
        raise refuse("no-stream", errors.NotFound, stream=stream)
    if not re.match(c.NAME, name):
        raise refuse("stream-name", errors.NotFound, names=NAMES)
    if kind == "table":
        return _handle_table(writer, cache, name, command, trusting=trusting)
    if isinstance(command, c.CreateMeter):
        if writer.tx.read("SELECT 1 FROM streams WHERE name = ?", stream):
            raise refuse("name-taken", what="meter", name=name)
        return meter_commands.create(writer, name, command), None
    cache.newest_meter(writer.tx, name)  # raises an error if the meter, and therefore the row to lock, does not exist
    writer.tx.lock([stream])
    return meter_commands.handle(writer, cache.newest_meter(writer.tx, name), command), None


def _handle_table(
    writer: Writer, cache: Cache, name: str, command: Command | Action, *, trusting: bool
) -> tuple[Event, Table]:
    table = cache.tables.get(name) if trusting else None
    if table is not None:
        writer.guard_event(table.stream, table.head)
    else:
        table = cache.newest_table(writer.tx, name)
    if table is not None:
        table = epoch.in_epoch(writer.tx, table, writer.standing.epoch)
    elapsed_s = cache.elapsed_s(table) if table is not None else 0.0
    context = Context(writer, cache, elapsed_s, trusting)
    after, event = table_commands.handle(context, name, table, command)
    if table is not None and table.round is not None:
        permitted = IN_ROUND if table.round.stale is None else IN_STALE_ROUND
        assert kind_of(event.stream, event.kind) in permitted, f"{event.kind} must not happen during this round"
    writer.tx.on_cacheable(partial(cache.keep_table, after), cache.put_back(name))
    return event, after
