"""The events of the books, with one struct for each kind of event.

Each struct defines the JSON body of one kind of event. The decorator `@EventKind` assigns the struct its kind, and adds
it to `KINDS`. A kind belongs to one type of stream, so there is one `create` for tables and another for meters.

Some kinds of events keep part of their data secret during the round. That part is sealed (struct `EventKind.sealed`).
"""

from functools import lru_cache
from typing import ClassVar, Literal, NamedTuple, Self, TypeVar, get_args

import msgspec
from msgspec import Struct
from msgspec.structs import asdict, replace

from highcardflush.game import actions as a
from highcardflush.game.actions import Action
from highcardflush.game.state import Phase
from highcardflush.house import codec
from highcardflush.house import commands as c
from highcardflush.house.commands import Kind, LeaveCode, Level, Role, TableState
from highcardflush.house.floor_settings import FloorSettings
from highcardflush.jackpot import Meter, Move
from highcardflush.rulebook.model import Rulebook
from highcardflush.rulebook.table_settings import HitPolicy

StreamType = Literal["table", "meter", "cage", "office"]
B = TypeVar("B", bound="type[Body]")


class EventKind(NamedTuple):
    """A kind of event, with its properties. Used as a decorator, it assigns the kind to a struct."""

    stream: StreamType
    name: str
    roles: tuple[Role, ...] = ()
    """Roles whose commands cause the event."""
    commands: tuple[type[c.Command | Action], ...] = ()
    """Commands that cause the event. If there are none, the action in `records` causes it."""
    follows: tuple[Role, ...] = ()
    """Roles whose commands to another stream cause the event. Such an event has no idempotency key."""
    transfers: str = ""
    """Text for the documentation: the accounts between which the event moves money."""
    records: type[Action] | None = None
    """The engine's action that the event records."""
    sealed: type[Struct] | None = None
    """The struct of the sealed part."""
    reveals: bool = False
    """True if the event reveals a random outcome to a player or to everybody."""
    always_allowed: bool = False
    """True if the limit on the number of a player's events ignores the event, because the round requires it."""
    starts_clock: bool = False
    """True if the event starts the players' clock for the next step of the round."""
    changes_setup: bool = False
    """True if the event changes the table's configuration, people or seats, or opens a round."""
    changes_access: bool = False
    """True if the event changes the floor's settings, or what a connected person may do."""
    phase: Phase | None = None
    """Earliest phase that the round can be in after the event. It is set only for events of a round."""

    def __call__(self, body: B) -> B:
        body.event_kind = self
        KINDS[self.stream, self.name] = body
        if self.records is not None:
            OF_ACTION[self.records] = body
        return body


class Body(Struct, frozen=True, gc=False, omit_defaults=True, forbid_unknown_fields=True, kw_only=True):
    """The body of an event."""

    event_kind: ClassVar[EventKind]
    carries_out: int | None = None
    """Number of the approved change that this event carries out."""


KINDS: dict[tuple[str, str], type[Body]] = {}
"""The struct of each kind of event, keyed by stream type and kind name."""
OF_ACTION: dict[type[Action], type[Body]] = {}
"""The struct that records each engine action."""


def kind_of(stream: str, kind: str) -> type[Body]:
    """Return the struct of a kind in a stream such as `table/oxford`; raise ValueError if there is none."""
    body = KINDS.get((stream.partition("/")[0], kind))
    if body is None:
        raise ValueError(f"{stream} has no events of kind {kind!r}")
    return body


def decode(stream: str, kind: str, text: str) -> Body:
    """Decode the body of an event; raise ValueError if it is malformed."""
    body = kind_of(stream, kind)
    return _decode_config(body, text) if issubclass(body, (TableCreated, TableChanged)) else codec.decode(text, body)


@lru_cache(256)
def _decode_config(body: type[Body], text: str) -> Body:
    """Decode a configuration once for all tables that have the same one: a rulebook has about a thousand objects."""
    return codec.decode(text, body)


_STAFF: tuple[Role, ...] = ("dealer", "supervisor", "cashier", "auditor", "administrator")
_SEATS: tuple[Role, ...] = ("player", "dealer", "supervisor")
"""Roles that act for seats: players for their own seats, and staff for the seats of a physical table."""
_RUNS: tuple[Role, ...] = ("dealer", "supervisor", "server")
_KEYS_IN: tuple[Role, ...] = ("dealer", "supervisor")
_ASSIGNS: tuple[Role, ...] = ("supervisor", "administrator")


# --- a table -------------------------------------------------------------------------------------


class SeatEvent(Body, frozen=True):
    """An event at a seat."""

    seat: int


class Config(Struct, frozen=True, gc=False, omit_defaults=True):
    """The configuration of a table."""

    physical: bool
    meters: dict[Level, str]
    """Name of the meter for each level of the progressive."""
    rulebook: Rulebook
    """The complete rulebook, as played at this table."""
    second_above_micros: int
    """If a win at a physical table is above this amount, a second person must settle the round."""
    alone: bool = False
    """True for a virtual table with one seat, without clock and pause."""


@EventKind("table", "create", ("administrator", "server"), (c.CreateTable,), changes_setup=True)
class TableCreated(Body, frozen=True):
    """A table is set up."""

    config: Config
    dealers: tuple[str, ...]


@EventKind("table", "change", ("administrator",), (c.ChangeTable,), changes_setup=True)
class TableChanged(Body, frozen=True):
    """A table's configuration changes between rounds."""

    config: Config


@EventKind("table", "assign", _ASSIGNS, (c.Assign,), changes_setup=True)
class DealerAssigned(Body, frozen=True):
    """A dealer is assigned to the table."""

    dealer: str


@EventKind("table", "unassign", _ASSIGNS, (c.Unassign,), changes_setup=True)
class DealerUnassigned(Body, frozen=True):
    """A dealer is no longer assigned to the table."""

    dealer: str


@EventKind("table", "consent", ("player",), (c.Consent,))
class ConsentGiven(Body, frozen=True):
    """A player allows anybody who shows a token to seat them at this physical table. Each consent works once."""

    player: str
    token_sha256: str | None
    """Hash of the token, or null to withdraw the consent."""


@EventKind("table", "sit", _SEATS, (c.Sit,), changes_setup=True)
class SeatTaken(SeatEvent, frozen=True):
    """Somebody sits down."""

    player: str | None
    """The player; null for somebody who plays with chips at a physical table."""
    consent: str | None
    """Hash of the token that was shown, or null for players who seat themselves and for people who play with chips."""


@EventKind("table", "leave", (*_SEATS, "server"), (c.Leave,), changes_setup=True)
class SeatLeft(SeatEvent, frozen=True):
    """Somebody leaves a seat that has no wager in play."""

    player: str | None
    code: LeaveCode | None = None
    """Reason why the server freed the seat; null if somebody else freed it."""


@EventKind("table", "leaving", (*_SEATS, "server"), (c.Leave,))
class SeatLeaving(SeatEvent, frozen=True):
    """Somebody with a wager in play asks to leave when the round ends. A `leave` follows before the next `open`."""


@EventKind("table", "skip", ("player",), (c.Skip,))
class PauseSkipped(SeatEvent, frozen=True):
    """The only person at a virtual table ends the pause before the next round."""


@EventKind("table", "switch", _ASSIGNS, (c.SwitchTable,), changes_setup=True)
class TableSwitched(Body, frozen=True):
    """A table is opened, paused or closed. Only an open table accepts `open` and `wagers`, and a closed table accepts
    no `sit` either. A live round is played to its end. When a round opens, the table is always open."""

    state: TableState
    reason: str


@EventKind("table", "warn", ("supervisor",), (c.Warn,), changes_setup=True)
class PlayerWarned(SeatEvent, frozen=True):
    """A supervisor warns the player in a seat. The warning lasts until the player leaves the seat."""

    reason: str


class RulebookId(Struct, frozen=True, gc=False):
    """The name, version and hashes of the rulebook under which a round is played."""

    name: str
    version: str
    sha256: str
    """Hash of the rulebook without the table's changes."""
    table: str
    """Hash of the rulebook with the table's changes."""


class ShownMeter(Struct, frozen=True, gc=False):
    """A meter as it was displayed when the round opened."""

    meter: str
    seq: int
    """Number of the meter's newest event at that time."""
    amount_micros: int
    reserve_micros: int


class SealedSeed(Struct, frozen=True, gc=False):
    """The sealed part of an `open`."""

    seed: str
    """The server seed, in hex."""


@EventKind("table", "open", _RUNS, (c.OpenRound,), sealed=SealedSeed, changes_setup=True, phase="betting")
class RoundOpened(Body, frozen=True):
    """A round opens for wagers."""

    round: int
    engine: str
    """The version of the program."""
    format: int
    """The format of the books."""
    config: int
    """Number of the event that configured the table."""
    commitment: str | None
    """SHA-256 of the server seed; null at a physical table."""
    rulebook: RulebookId
    settings: dict[str, str]
    """Settings that come from the meters' parameters and override the configuration."""
    meters: dict[str, ShownMeter]
    closed: str | None
    """Reason why the progressive accepts no bets; null if it accepts bets."""
    seats: dict[int, str | None]
    warned: tuple[int, ...]
    dealers: tuple[str, ...]
    consents: dict[str, str]
    """Hash of the token of each unused consent, keyed by player."""


@EventKind("table", "seed", ("player",), (c.NameSeed,), phase="betting")
class SeedNamed(SeatEvent, frozen=True):
    """A player gives a seed before the lock."""

    seed: str
    """The seed, in hex."""


@EventKind("table", "commit-seed", ("player",), (c.CommitSeed,), phase="betting")
class SeedCommitted(SeatEvent, frozen=True):
    """A player commits to a seed before the lock."""

    commitment: str
    """The SHA-256 of the seed, in hex."""


@EventKind("table", "reveal-seed", ("player",), (c.RevealSeed,), always_allowed=True, phase="locked")
class SeedRevealed(SeatEvent, frozen=True):
    """A player reveals a committed seed after the lock. `dice`, `dynamic` and `deal` wait up to 10 seconds for it."""

    seed: str
    """The seed, in hex."""


@EventKind(
    "table", "wagers", _SEATS, records=a.PlaceWagers, phase="betting",
    transfers="wallet → play or play → wallet, for the difference",
)  # fmt: skip
class WagersPlaced(Body, frozen=True):
    """A seat places or replaces its wagers."""

    action: a.PlaceWagers
    told: tuple[codec.AnyEvent, ...]
    meters: dict[str, int] = {}
    """Number of each meter's newest event when it was seen to be open. Set only for a new, optional progressive bet."""


@EventKind("table", "clear", _SEATS, records=a.ClearWagers, phase="betting", transfers="play → wallet")
class WagersCleared(Body, frozen=True):
    """A seat takes back its wagers."""

    action: a.ClearWagers
    told: tuple[codec.AnyEvent, ...]


@EventKind(
    "table", "lock", _RUNS, records=a.Lock, phase="locked", starts_clock=True,
    transfers="house → meter, house → reserve",
)  # fmt: skip
class WagersLocked(Body, frozen=True):
    """Betting ends."""

    action: a.Lock
    told: tuple[codec.AnyEvent, ...]
    player_seeds: dict[int, str]
    """Seed of each seat in play, in hex, or an empty string if the seat has no seed."""
    commitments: dict[int, str]
    """Commitment of each seat in play that has committed to a seed, in hex."""


@EventKind("table", "dice", _RUNS, (c.Roll, a.RollDice), records=a.RollDice, phase="betting", reveals=True)
class DiceRolled(Body, frozen=True):
    """The dice of the alternative deal are rolled."""

    action: a.RollDice
    told: tuple[codec.AnyEvent, ...]


@EventKind("table", "dynamic", _RUNS, (c.Draw, a.DrawDynamic), records=a.DrawDynamic, phase="locked", reveals=True)
class DynamicDrawn(Body, frozen=True):
    """The Dynamic Pays of the round are drawn."""

    action: a.DrawDynamic
    told: tuple[codec.AnyEvent, ...]


class HiddenDeal(Struct, frozen=True, gc=False, tag="Deal"):
    """A recorded deal. It does not contain the deck, because the deck can be derived from the seeds."""


@EventKind("table", "deal", _RUNS, (c.DealCards,), records=a.Deal, phase="dealt", reveals=True, starts_clock=True)
class CardsDealt(Body, frozen=True):
    """A virtual table deals all hands."""

    action: HiddenDeal


class SealedStep(Struct, frozen=True, gc=False):
    """The sealed part of an event that involves cards."""

    action: codec.AnyAction
    told: tuple[codec.AnyEvent, ...]


@EventKind(
    "table", "hand", _KEYS_IN, records=a.DealHand, phase="dealt", sealed=SealedStep, reveals=True, starts_clock=True
)
class HandKeyedIn(Body, frozen=True):
    """A dealer keys in a hand at a physical table."""

    seat: int
    """The seat; 0 is the dealer."""


@EventKind("table", "take-back", ("supervisor",), (c.TakeBack,), phase="locked")
class HandTakenBack(Body, frozen=True):
    """A supervisor takes back the newest keyed-in hand if no action has followed it, and restores the state from before
    that hand."""

    seat: int
    """The seat; 0 is the dealer."""
    reason: str


@EventKind("table", "fold", _SEATS, records=a.Fold, phase="acting", sealed=SealedStep, always_allowed=True)
class Folded(SeatEvent, frozen=True):
    """A seat folds."""


@EventKind(
    "table", "raise", _SEATS, records=a.Raise, phase="acting", sealed=SealedStep, always_allowed=True,
    transfers="wallet → play. If a bonus is paid immediately: house → play, and wallet → play only for the part of the"
    " Raise that stake and win do not cover",
)  # fmt: skip
class Raised(SeatEvent, frozen=True):
    """A seat raises."""


@EventKind("table", "time-out", _RUNS, records=a.TimeOut, phase="acting", sealed=SealedStep, transfers="as for `raise`")
class TimedOut(SeatEvent, frozen=True):
    """A seat's clock runs out, and the table's default action is taken."""


@EventKind("table", "void-hand", ("supervisor",), records=a.VoidHand, phase="locked", sealed=SealedStep)
class HandVoided(SeatEvent, frozen=True):
    """A supervisor voids one hand."""


class Unsealed(Struct, frozen=True, gc=False):
    """The sealed part of an earlier event of the round."""

    seq: int
    action: codec.AnyAction
    told: tuple[codec.AnyEvent, ...]


class RoundEnded(Body, frozen=True):
    """The last event of a round."""

    round: int
    action: a.Settle | a.Void
    told: tuple[codec.AnyEvent, ...]
    record: str
    """The round as text in the notation, including the rulebook's hash."""
    seed: str | None
    """Server seed, in hex; null at a physical table or if the house key was lost."""
    player_seeds: dict[int, str]
    commitments: dict[int, str]
    unsealed: tuple[Unsealed, ...]
    """The sealed parts of the round's events, now readable."""
    hits: dict[str, int]
    """Number of the `hit` event of each meter that was hit, keyed by meter."""


@EventKind(
    "table", "settle", _RUNS, (c.SettleRound,), records=a.Settle, phase="settled", reveals=True,
    transfers="see the list below",
)  # fmt: skip
class RoundSettled(RoundEnded, frozen=True):
    """The round is settled, and everything about it is revealed."""

    action: a.Settle
    uncollected: dict[int, int] = {}
    """Cents of forfeited Raises that the wallets do not hold, keyed by seat. They are the house's loss."""


@EventKind("table", "void", ("supervisor",), records=a.Void, phase="void", reveals=True, transfers="see the list below")
class RoundVoided(RoundEnded, frozen=True):
    """A supervisor voids the round, and everything about it is revealed."""

    action: a.Void
    lost: bool = False
    """True if the house key was lost, so that the sealed parts cannot be opened."""


BetweenRounds = TableCreated | TableChanged | PauseSkipped | RoundOpened
"""An event that happens only while no round is live."""
AnyTime = (
    DealerAssigned | DealerUnassigned | ConsentGiven | SeatTaken | SeatLeft | SeatLeaving | TableSwitched | PlayerWarned
)  # fmt: skip
"""An event that may happen at any time, even during a round that is stale because a new epoch has begun."""
SeedEvent = SeedNamed | SeedCommitted | SeedRevealed
"""An event that happens only during a round, but is not a step of it."""
Step = (
    WagersPlaced | WagersCleared | WagersLocked | DiceRolled | DynamicDrawn | CardsDealt | HandKeyedIn | HandTakenBack
    | Folded | Raised | TimedOut | HandVoided | RoundSettled | RoundVoided
)  # fmt: skip
"""A step of a round."""
RoundEvent = SeedEvent | Step
"""An event of a live round."""
TableEvent = BetweenRounds | AnyTime | RoundEvent
"""An event of a table. The union that contains it says when it may happen."""
IN_ROUND: frozenset[type[Body]] = frozenset(get_args(AnyTime | RoundEvent))
"""The events that may happen during a live round."""
IN_STALE_ROUND: frozenset[type[Body]] = frozenset(get_args(AnyTime | RoundVoided))
"""The events that may happen during a round that is stale because a new epoch has begun."""
End = RoundSettled | RoundVoided
"""The last event of a round."""
ENDS: dict[str, Phase] = {body.event_kind.name: body.event_kind.phase for body in get_args(End)}
"""Phase of a round after it has ended, keyed by the kind of event that ended it."""


# --- a meter -------------------------------------------------------------------------------------


class Parameters(Struct, frozen=True, gc=False):
    """The parameters of a meter."""

    paytable: str
    base_cents: int
    level: Level
    bonus: bool
    seed_micros: int
    reseed_micros: int
    """Amount of the meter after a 100 % win. The display of a bonus jackpot returns to this amount with the next round.
    If the amount is 0, a supervisor must set the display again instead."""
    rate_bp: int
    reserve_rate_bp: int
    limit_micros: int | None
    hits: HitPolicy
    second_above_micros: int
    """Amount above which a 100 % win needs two supervisors."""
    server_approves: bool
    """True if the server may approve wins that have a valid proof, which only virtual tables can provide."""


class Win(Struct, frozen=True, gc=False):
    """One payout from a meter."""

    win: int
    seat: int
    account: str
    percent_bp: int
    micros: int
    from_house_micros: int
    display_micros: int
    """Amount by which the win lowered the display."""
    pending: bool


class Verdict(Struct, frozen=True, gc=False):
    """One person's vote on a win."""

    actor: str
    approve: bool
    reason: str


Outcome = Literal["waiting", "paid", "returned"]


class Case(Struct, frozen=True, gc=False):
    """A win, with its table and round, and the votes on it."""

    win: Win
    table: str
    round: int
    seq: int
    """Number of the `hit` in the meter's stream."""
    settled: int
    """Number of the `settle` in the table's stream."""
    at: int
    approvals: int
    """Number of approvals that the win needs, under the rule that was in force at the time of the hit."""
    votes: tuple[Verdict, ...] = ()
    outcome: Outcome = "waiting"
    """Result of the votes. A win that never needed a vote is `paid` from the start."""


class Correction(Struct, frozen=True, gc=False):
    """A proposed correction of a meter."""

    number: int
    amount_micros: int
    reserve_micros: int
    reason: str
    actor: str
    outcome: Literal["waiting", "approved", "rejected"] = "waiting"


class Tally(Struct, frozen=True, gc=False):
    """A number of wins and their total amount."""

    count: int = 0
    micros: int = 0

    def plus(self, *amounts: int) -> "Tally":
        return Tally(self.count + len(amounts), self.micros + sum(amounts))

    def minus(self, micros: int) -> "Tally":
        return Tally(self.count - 1, self.micros - micros)


class Sums(Struct, frozen=True):
    """Totals of the money that all events of a meter have moved."""

    overflow_micros: int = 0
    """Total moved to the reserve because the meter was above its limit."""
    advances_micros: int = 0
    """Total that the house has advanced, minus repayments."""
    won: Meter = Meter(0)
    """Total moved by hits in payouts and reseeds. Bonus jackpots are excluded, because their display is not money."""
    fed_at_win_micros: int = 0
    """Total of the contributions to the meter up to the newest 100 % win."""


class Facts(Struct, frozen=True, gc=False, kw_only=True):
    """The complete state of a meter, as stored in a checkpoint."""

    parameters: Parameters
    waiting: dict[str, int | str | None] = {}
    """New values of the parameters that change at the next 100 % win."""
    closed: str | None = None
    """Reason why the meter's side bet accepts no wagers; null if it accepts wagers."""
    failed: bool = False
    linked: tuple[str, ...] = ()
    """Linked tables, in the order in which they were linked."""
    unlinked: tuple[str, ...] = ()
    """Tables that have been unlinked. If such a table voids a round later, the void still affects the meter."""
    cut: dict[str, int] = {}
    """Number of each table's newest event that is included in a count."""
    cases: dict[int, Case] = {}
    """Pending wins and the wins of the last 25 hits, keyed by number."""
    wins: Tally = Tally()
    """Tally of the 100 % wins, except those that were returned."""
    percentage_wins: Tally = Tally()
    """Tally of the percentage wins, which are paid without a vote."""
    returned: Tally = Tally()
    corrections: dict[int, Correction] = {}
    proposed: int = 0
    """Number of corrections that have been proposed so far."""
    hits: int = 0
    last_hits: tuple[int, ...] = ()
    """Event numbers of the last 25 hits, oldest first."""
    last_win: int = 0
    """Number of the newest hit with a 100 % win; 0 if there was none."""
    reset: int = 0
    """Number of the newest `display` event, which set the display of a bonus jackpot; 0 if there was none."""
    sums: Sums = Sums()

    @property
    def tables(self) -> tuple[str, ...]:
        """Every table that was ever linked."""
        return (*self.linked, *self.unlinked)

    @property
    def won(self) -> int:
        """Number of wins so far. The next win gets the next number."""
        return self.wins.count + self.percentage_wins.count + self.returned.count


class Count(Struct, frozen=True, gc=False):
    """An exact count of a meter, made while its stream was locked."""

    after: Meter
    """Amounts of the meter and its reserve after the event."""
    flowed: Meter
    """Sum of the meter's rows in the table `flows` at the time of the count, including those of a hit's `settle`."""
    cut: dict[str, int]
    """For each table that has moved the meter's money since the last count, the number of its newest such event."""
    overflow_micros: int = 0
    """Amount moved to the reserve with the event, because the meter was above its limit."""
    advances_micros: int = 0
    """Amount that the house advances with the event, minus repayments."""


class Counted(Body, frozen=True, kw_only=True):
    """An event that can contain a count of its meter. A `change` or a `vote` contains one only if it moves money."""

    amount_micros: int | None = None
    reserve_micros: int | None = None
    flowed: Meter | None = None
    cut: dict[str, int] | None = None
    overflow_micros: int = 0
    advances_micros: int = 0

    @property
    def count(self) -> Count | None:
        if self.amount_micros is None or self.reserve_micros is None or self.flowed is None or self.cut is None:
            return None
        after = Meter(self.amount_micros, self.reserve_micros)
        return Count(after, self.flowed, self.cut, self.overflow_micros, self.advances_micros)

    def with_count(self, count: Count) -> Self:
        fields = {name: getattr(count, name) for name in ("flowed", "cut", "overflow_micros", "advances_micros")}
        return replace(self, **asdict(count.after), **fields)


@EventKind("meter", "create", ("administrator",), (c.CreateMeter,), transfers="advances → meter")
class MeterCreated(Counted, frozen=True):
    """A meter is set up with its seed."""

    parameters: Parameters


@EventKind("meter", "link", follows=("administrator", "server"))
class TableLinked(Body, frozen=True):
    """A table is linked to the meter."""

    table: str


@EventKind("meter", "unlink", follows=("administrator",))
class TableUnlinked(Body, frozen=True):
    """A table is no longer linked to the meter."""

    table: str


@EventKind(
    "meter", "change", ("administrator",), (c.ChangeMeter,),
    transfers="if the limit changes: meter → reserve (overflow)",
)  # fmt: skip
class ParameterChanged(Counted, frozen=True):
    """A parameter changes. If it is the limit, the event also contains a count of the meter."""

    key: str
    before: int | str | bool | None
    after: int | str | bool | None
    reason: str
    applies: Literal["now", "next-win"]


@EventKind(
    "meter", "checkpoint", ("supervisor",), (c.Checkpoint,), follows=(*_RUNS, "administrator"),
    transfers="meter → reserve (overflow)",
)  # fmt: skip
class CheckpointWritten(Counted, frozen=True):
    """The complete state of the meter is recorded."""

    checkpoint: int
    state: Facts


@EventKind(
    "meter", "hit", follows=_RUNS,
    transfers="overflow; the `settle` transfers the payouts and the reseed",
)  # fmt: skip
class MeterHit(Counted, frozen=True):
    """A round hits the meter."""

    table: str
    seq: int
    """Number of the round's `settle`."""
    round: int
    before: Meter
    """Amounts of the meter and its reserve, including the contributions of this round, before any payout."""
    moves: tuple[Move, ...]
    wins: tuple[Win, ...]
    applied: dict[str, int | str | None]
    """New values of the parameters whose changes take effect with this win."""


@EventKind(
    "meter",
    "vote",
    ("supervisor", "server"),
    (c.Vote,),
    transfers="paid: pending → wallet; returned: pending → meter or house",
)
class WinVoted(Counted, frozen=True):
    """A supervisor or the server votes on a pending win. If this returns the win, the event contains a count."""

    win: int
    approve: bool
    reason: str
    outcome: Outcome


@EventKind("meter", "propose", ("supervisor",), (c.Propose,))
class CorrectionProposed(Body, frozen=True):
    """A supervisor proposes a correction of the meter."""

    correction: int
    amount_micros: int
    """Change of the meter's amount."""
    reserve_micros: int
    """Change of the reserve."""
    reason: str


@EventKind("meter", "reject", ("supervisor",), (c.Decide,))
class CorrectionRejected(Body, frozen=True):
    """Another supervisor rejects a correction."""

    correction: int
    reason: str


@EventKind("meter", "approve", ("supervisor",), (c.Decide,), transfers="advances ↔ meter, advances ↔ reserve")
class CorrectionApproved(Counted, frozen=True):
    """Another supervisor approves a correction."""

    correction: int
    before: Meter


@EventKind("meter", "make-good", follows=_RUNS, transfers="overflow; advances → meter")
class ShortfallMadeGood(Counted, frozen=True):
    """The house replaces the money for a contribution that was taken back when the meter no longer had it."""

    table: str
    seq: int
    """Number of the table's event that took back the contribution."""


@EventKind("meter", "display", ("supervisor",), (c.SetDisplay,))
class DisplaySet(Counted, frozen=True):
    """The display of a bonus jackpot is set, which moves no money. If wins reset it, later wins use this amount."""

    before: int
    """The previous display, in micro-dollars."""
    after: int
    """The new display, in micro-dollars."""
    reason: str


@EventKind("meter", "pause", ("supervisor",), (c.PauseMeter,))
class MeterPaused(Body, frozen=True):
    """The side bet accepts no new wagers from now on."""

    reason: str


@EventKind("meter", "fail", ("supervisor",), (c.CheckMeter,))
class MeterFailed(Body, frozen=True):
    """A check finds that the meter disagrees with its ledger, and closes the meter."""

    reason: str


@EventKind("meter", "resume", ("supervisor",), (c.ResumeMeter,))
class MeterResumed(Body, frozen=True):
    """The side bet accepts wagers again."""

    reason: str


MeterEvent = (
    MeterCreated | TableLinked | TableUnlinked | ParameterChanged | CheckpointWritten | MeterHit | WinVoted
    | CorrectionProposed | CorrectionRejected | CorrectionApproved | ShortfallMadeGood | DisplaySet | MeterPaused
    | MeterFailed | MeterResumed
)  # fmt: skip
"""An event of a meter."""


# --- the cage ------------------------------------------------------------------------------------


@EventKind("cage", "buy-in", ("cashier", "server"), (c.BuyIn,), transfers="cage → wallet")
class BoughtIn(Body, frozen=True):
    """A player buys in."""

    player: str
    micros: int


@EventKind("cage", "cash-out", ("cashier",), (c.CashOut,), transfers="wallet → cage")
class CashedOut(Body, frozen=True):
    """A player cashes out."""

    player: str
    micros: int


CageEvent = BoughtIn | CashedOut
"""An event of the cage."""


# --- the office ----------------------------------------------------------------------------------


@EventKind("office", "found", ("administrator",))
class HouseFounded(Body, frozen=True):
    """The house is founded. This is the first event of the office."""

    key_id: str
    format: int
    """The format of the books."""


@EventKind("office", "person", ("administrator", "server"), (c.AddPerson,))
class PersonAdded(Body, frozen=True):
    """A person is added. The name is a permanent id."""

    name: str
    role: Role
    kind: Kind
    """A `bot` is a player or cashier run by the house, and a `guest` is a player with play money."""


@EventKind("office", "new-key", ("administrator",))
class KeyReplaced(Body, frozen=True):
    """The house key is replaced."""

    key_id: str
    lost: bool
    """True if the old key was lost; false if the replacement was planned."""
    reason: str


class Loss(Struct, frozen=True, gc=False):
    """A loss of acknowledged events from the books."""

    stream: str
    acknowledged: int
    """Number of the newest acknowledged event."""
    found: int
    """Number of the newest event that was left in the books."""


@EventKind("office", "epoch", ("administrator", "dealer"))
class EpochBegun(Body, frozen=True):
    """An epoch begins. Its number is the number of this event. A round that was opened earlier can only be voided."""

    cause: Literal["restore", "loss"]
    reason: str
    lost: Loss | None


@EventKind("office", "audited", ("administrator", "supervisor", "auditor"), (c.Audited,))
class AuditRecorded(Body, frozen=True):
    """A member of staff has audited the books."""

    heads: str
    """Digest of the streams' heads at which the audit ended."""
    since: str | None
    """Digest of the streams' heads at which the audit started, or null if it covered the books from the start."""
    findings: int


@EventKind("office", "role", ("administrator",), (c.ChangeRole,), changes_access=True)
class RoleChanged(Body, frozen=True):
    """A person's role changes. Players and servers always keep their roles."""

    name: str
    before: Role
    after: Role
    reason: str


@EventKind("office", "disable", ("administrator",), (c.Disable,), changes_access=True)
class PersonDisabled(Body, frozen=True):
    """A person is disabled. This also ends the person's shift."""

    name: str
    reason: str


@EventKind("office", "enable", ("administrator",), (c.Enable,), changes_access=True)
class PersonEnabled(Body, frozen=True):
    """A disabled person is enabled again."""

    name: str
    reason: str


@EventKind("office", "start-shift", _STAFF, (c.StartShift,))
class ShiftStarted(Body, frozen=True):
    """The actor goes on duty."""


@EventKind("office", "end-shift", _STAFF, (c.EndShift,))
class ShiftEnded(Body, frozen=True):
    """The actor goes off duty."""

    began: int
    """Number of the event that started the shift."""


@EventKind("office", "acknowledge", ("administrator", "supervisor"), (c.Acknowledge,))
class AlertAcknowledged(Body, frozen=True):
    """The actor acknowledges an alert and takes charge of it."""

    alert: str
    """Name of the alert, as reported by the program that watches the house."""
    note: str


@EventKind("office", "propose-change", ("administrator",), (c.ProposeChange,))
class ChangeProposed(Body, frozen=True):
    """An administrator proposes a change. The number of this event identifies the change."""

    stream: str
    command: msgspec.Raw
    """The command, including default values, because a later version may have other defaults."""
    reason: str

    @property
    def change(self) -> c.AnyChange:
        return codec.decode(bytes(self.command), c.AnyChange)  # type: ignore[arg-type]


@EventKind("office", "decide-change", ("administrator",), (c.DecideChange,))
class ChangeDecided(Body, frozen=True):
    """Another administrator approves or rejects a change. Approval carries out the change."""

    change: int
    approve: bool
    reason: str


@EventKind("office", "require-approval", ("administrator",), (c.RequireApproval,))
class ApprovalRequired(Body, frozen=True):
    """Two-person approval of administrators' changes is turned on or off."""

    on: bool
    reason: str


@EventKind("office", "floor", ("administrator",), (c.SetFloor,), changes_access=True)
class FloorChanged(Body, frozen=True):
    """Floor settings change."""

    floor: int
    """Number of the change, which is also in the column `number` of the table `events`."""
    changes: dict[str, c.FloorValue]
    settings: FloorSettings
    reason: str


OfficeEvent = (
    HouseFounded | PersonAdded | KeyReplaced | EpochBegun | AuditRecorded | RoleChanged | PersonDisabled | PersonEnabled
    | ShiftStarted | ShiftEnded | AlertAcknowledged | ChangeProposed | ChangeDecided | ApprovalRequired | FloorChanged
)  # fmt: skip
"""An event of the office."""
