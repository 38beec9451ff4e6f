"""The events of the books: one struct per kind, with everything that the code knows about the kind.

A struct is the body of an event, as it is stored in JSON. `@EventKind` gives it its kind and the facts of that kind,
and adds it to `KINDS`. A kind belongs to one type of stream; tables and meters both have a `create` and a `change`.

Some kinds hide a part of what they say while their round is live. That part is sealed, and
`EventKind.sealed` is its struct.
"""

from __future__ import annotations

from functools import lru_cache
from typing import ClassVar, Literal, NamedTuple, Self, TypeVar

import msgspec
from msgspec import Struct
from msgspec.structs import asdict, replace

from highcardflush.game import actions as a
from highcardflush.game.actions import Action
from highcardflush.house import codec
from highcardflush.house import commands as c
from highcardflush.house.commands import Kind, Level, Role, TableState
from highcardflush.house.floor_settings import FloorSettings
from highcardflush.jackpot import Meter, Move
from highcardflush.rulebook.model import Rulebook
from highcardflush.rulebook.table_settings import HitPolicy

StreamType = Literal["table", "meter", "cage", "office"]
B = TypeVar("B", bound="type[Body]")


class EventKind(NamedTuple):
    """A kind of events, with everything that the code knows about it. As a decorator it gives a struct its kind."""

    stream: StreamType
    name: str
    roles: tuple[Role, ...] = ()
    """The roles whose command makes the event."""
    commands: tuple[type[c.Command | Action], ...] = ()
    """The commands that make the event, unless that is the action that it records."""
    follows: tuple[Role, ...] = ()
    """The roles whose command to another stream makes the event, which then has no key."""
    transfers: str = ""
    """The accounts between which the event moves money, for the documentation."""
    records: type[Action] | None = None
    """The engine's action that the event records."""
    sealed: type[Struct] | None = None
    """The struct of the sealed part."""
    during_round: bool = False
    """The event may happen during a round without being a step of it."""
    in_stale_round: bool = False
    """The event may happen during a round, even one that is stale because a new epoch has begun."""
    reveals: bool = False
    """The event tells a player or everybody an outcome of chance."""
    always_allowed: bool = False
    """The round asks a player for the event, so it does not count towards the bound on a player's events."""
    starts_clock: bool = False
    """From the event on the players have a set time for what the round asks next."""
    changes_setup: bool = False
    """The event changes the table's configuration, people or seats, or opens a round."""

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
    """The approved change that this event carries out, by its number."""


KINDS: dict[tuple[str, str], type[Body]] = {}
"""The struct of each kind, by the type of its stream."""
OF_ACTION: dict[type[Action], type[Body]] = {}
"""The struct that records each action of the engine."""


def kind_of(stream: str, kind: str) -> type[Body]:
    """Return the struct of a kind in a stream such as `table/oxford`; raise ValueError if there is none."""
    found = KINDS.get((stream.partition("/")[0], kind))
    if found is None:
        raise ValueError(f"{stream} has no events of kind {kind!r}")
    return found


def decode(stream: str, kind: str, text: str) -> Body:
    """Decode the body of an event; raise ValueError if it is not in the format."""
    body = kind_of(stream, kind)
    return _decode_config(body, text) if issubclass(body, (TableCreated, TableChanged)) else codec.decode(text, body)


@lru_cache(256)
def _decode_config(body: type[Body], text: str) -> Body:
    """Decode a table's configuration. Tables that are alike share it, because a rulebook is a thousand objects."""
    return codec.decode(text, body)


_STAFF: tuple[Role, ...] = ("dealer", "supervisor", "cashier", "auditor", "administrator")
_SEATS: tuple[Role, ...] = ("player", "dealer", "supervisor")
"""A player for the own seat, and staff for the seats of a physical table."""
_RUNS: tuple[Role, ...] = ("dealer", "supervisor", "server")
_KEYS_IN: tuple[Role, ...] = ("dealer", "supervisor")
_ASSIGNS: tuple[Role, ...] = ("supervisor", "administrator")


# --- a table -------------------------------------------------------------------------------------


class SeatEvent(Body, frozen=True):
    """An event of a seat."""

    seat: int


class Config(Struct, frozen=True, gc=False):
    """The configuration of a table."""

    physical: bool
    meters: dict[Level, str]
    """The meter of each level of the progressive."""
    rulebook: Rulebook
    """The whole rulebook as this table plays it."""
    second_above_micros: int
    """At a physical table a win above this takes a second person to settle."""


@EventKind("table", "create", ("administrator",), (c.CreateTable,), changes_setup=True)
class TableCreated(Body, frozen=True):
    """A table is set up."""

    config: Config
    dealers: tuple[str, ...]


@EventKind("table", "change", ("administrator",), (c.ChangeTable,), changes_setup=True)
class TableChanged(Body, frozen=True):
    """A table gets another configuration, between two rounds."""

    config: Config


@EventKind("table", "assign", _ASSIGNS, (c.Assign,), in_stale_round=True, changes_setup=True)
class DealerAssigned(Body, frozen=True):
    """A dealer may deal here from now on."""

    dealer: str


@EventKind("table", "unassign", _ASSIGNS, (c.Unassign,), in_stale_round=True, changes_setup=True)
class DealerUnassigned(Body, frozen=True):
    """A dealer may no longer deal here."""

    dealer: str


@EventKind("table", "consent", ("player",), (c.Consent,), in_stale_round=True)
class ConsentGiven(Body, frozen=True):
    """A player lets whoever shows a token seat them at this physical table, once. Sitting down uses the consent up."""

    player: str
    token_sha256: str | None
    """The hash of the token; null withdraws the consent."""


@EventKind("table", "sit", _SEATS, (c.Sit,), in_stale_round=True, changes_setup=True)
class SeatTaken(SeatEvent, frozen=True):
    """Somebody sits down."""

    player: str | None
    """Null is somebody with chips, at a physical table."""
    consent: str | None
    """The hash of the token that was shown; null for a player in person, and for chips."""


@EventKind("table", "leave", (*_SEATS, "server"), (c.Leave,), in_stale_round=True, changes_setup=True)
class SeatLeft(SeatEvent, frozen=True):
    """Somebody leaves a seat that has no wager in play."""

    player: str | None


@EventKind("table", "switch", _ASSIGNS, (c.SwitchTable,), in_stale_round=True, changes_setup=True)
class TableSwitched(Body, frozen=True):
    """A table is opened, paused or closed. A table that is not open takes no `open` and no `wagers`, and a closed one
    no `sit` either. A live round is played to its end. Since only an open table opens a round, a table is open after
    each `open`."""

    state: TableState
    reason: str


@EventKind("table", "warn", ("supervisor",), (c.Warn,), in_stale_round=True, changes_setup=True)
class PlayerWarned(SeatEvent, frozen=True):
    """A supervisor warns the player of a seat. The warning holds until the seat is left."""

    reason: str


class RulebookId(Struct, frozen=True, gc=False):
    """The rulebook that a round is played under."""

    name: str
    version: str
    sha256: str
    """The hash of the printed rulebook."""
    table: str
    """The hash of the rulebook as the table plays it."""


class ShownMeter(Struct, frozen=True, gc=False):
    """A meter as it was displayed when the round opened."""

    meter: str
    seq: int
    """The meter's newest event at that time."""
    amount_micros: int
    reserve_micros: int


class SealedSeed(Struct, frozen=True, gc=False):
    """The sealed part of an `open`."""

    seed: str
    """The server seed, in hex."""


@EventKind("table", "open", _RUNS, (c.OpenRound,), sealed=SealedSeed, changes_setup=True)
class RoundOpened(Body, frozen=True):
    """A round opens for wagers."""

    round: int
    engine: str
    """The version of the program."""
    format: int
    """The format of the books."""
    config: int
    """The number of the event that configured the table."""
    commitment: str | None
    """The SHA-256 of the server seed; null at a physical table."""
    rulebook: RulebookId
    settings: dict[str, str]
    """The meters' parameters, which are laid over the configuration."""
    meters: dict[str, ShownMeter]
    closed: str | None
    """The reason why the progressive takes no bets, or null."""
    seats: dict[int, str | None]
    warned: tuple[int, ...]
    dealers: tuple[str, ...]
    consents: dict[str, str]
    """The hash of each unused consent, by player."""


@EventKind("table", "seed", ("player",), (c.NameSeed,), during_round=True)
class SeedNamed(SeatEvent, frozen=True):
    """A player names a seed, before the lock."""

    seed: str
    """In hex."""


@EventKind("table", "commit-seed", ("player",), (c.CommitSeed,), during_round=True)
class SeedCommitted(SeatEvent, frozen=True):
    """A player commits to a seed, before the lock."""

    commitment: str
    """The SHA-256 of the seed, in hex."""


@EventKind("table", "reveal-seed", ("player",), (c.RevealSeed,), during_round=True, always_allowed=True)
class SeedRevealed(SeatEvent, frozen=True):
    """A player reveals the seed of a commitment, after the lock. `dice`, `dynamic` and `deal` wait for it 10 seconds
    from the lock."""

    seed: str
    """In hex."""


@EventKind("table", "wagers", _SEATS, records=a.PlaceWagers, transfers="wallet → play, or back: the difference")
class WagersPlaced(Body, frozen=True):
    """A seat places its wagers, or replaces them."""

    action: a.PlaceWagers
    told: tuple[codec.AnyEvent, ...]
    meters: dict[str, int] = {}
    """The newest event of each meter, which was still open by then; only with a new progressive bet that is not
    mandatory."""


@EventKind("table", "clear", _SEATS, records=a.ClearWagers, transfers="play → wallet")
class WagersCleared(Body, frozen=True):
    """A seat takes its wagers back."""

    action: a.ClearWagers
    told: tuple[codec.AnyEvent, ...]


@EventKind("table", "lock", _RUNS, records=a.Lock, transfers="house → meter, house → reserve", starts_clock=True)
class WagersLocked(Body, frozen=True):
    """Wagers close."""

    action: a.Lock
    told: tuple[codec.AnyEvent, ...]
    player_seeds: dict[int, str]
    """The seed of each seat in play that named one, in hex."""
    commitments: dict[int, str]
    """The commitment of each seat in play that made one, in hex."""


@EventKind("table", "dice", _RUNS, (c.Roll, a.RollDice), records=a.RollDice, reveals=True)
class DiceRolled(Body, frozen=True):
    """The dice of the alternative deal are rolled."""

    action: a.RollDice
    told: tuple[codec.AnyEvent, ...]


@EventKind("table", "dynamic", _RUNS, (c.Draw, a.DrawDynamic), records=a.DrawDynamic, reveals=True)
class DynamicDrawn(Body, frozen=True):
    """The Dynamic Pays of the round are drawn."""

    action: a.DrawDynamic
    told: tuple[codec.AnyEvent, ...]


class HiddenDeal(Struct, frozen=True, gc=False, tag="Deal"):
    """A deal without its deck, which follows from the seeds."""


@EventKind("table", "deal", _RUNS, (c.DealCards,), records=a.Deal, reveals=True, starts_clock=True)
class CardsDealt(Body, frozen=True):
    """A virtual table deals all hands."""

    action: HiddenDeal


class SealedStep(Struct, frozen=True, gc=False):
    """The sealed part of an event that tells of cards."""

    action: codec.AnyAction
    told: tuple[codec.AnyEvent, ...]


@EventKind("table", "hand", _KEYS_IN, records=a.DealHand, sealed=SealedStep, reveals=True, starts_clock=True)
class HandKeyedIn(Body, frozen=True):
    """A dealer keys in a hand of a physical table."""

    seat: int
    """0 is the dealer."""


@EventKind("table", "take-back", ("supervisor",), (c.TakeBack,))
class HandTakenBack(Body, frozen=True):
    """A supervisor takes the newest keyed-in hand back, and the round is as it was before that `hand`. That is possible
    only while nothing but hands was keyed in after it."""

    seat: int
    """0 is the dealer."""
    reason: str


@EventKind("table", "fold", _SEATS, records=a.Fold, sealed=SealedStep, always_allowed=True)
class Folded(SeatEvent, frozen=True):
    """A seat folds."""


@EventKind(
    "table", "raise", _SEATS, records=a.Raise, sealed=SealedStep, always_allowed=True,
    transfers="wallet → play; with a bonus that is paid at once house → play, and of the Raise only what stake and win"
    " do not cover",
)  # fmt: skip
class Raised(SeatEvent, frozen=True):
    """A seat raises."""


@EventKind("table", "time-out", _RUNS, records=a.TimeOut, sealed=SealedStep, transfers="as for `raise`")
class TimedOut(SeatEvent, frozen=True):
    """The clock of a seat has run out, and the table's default action is taken."""


@EventKind("table", "void-hand", ("supervisor",), records=a.VoidHand, sealed=SealedStep)
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
    """The round in the notation, with the rulebook's hash."""
    seed: str | None
    """The server seed, in hex; null at a physical table, and where the house key was lost."""
    player_seeds: dict[int, str]
    commitments: dict[int, str]
    unsealed: tuple[Unsealed, ...]
    """The sealed parts of the round's events."""
    hits: dict[str, int]
    """The number of the `hit` of each meter that was hit."""


@EventKind("table", "settle", _RUNS, (c.SettleRound,), records=a.Settle, reveals=True, transfers="see the list below")
class RoundSettled(RoundEnded, frozen=True):
    """The round is settled, and everything about it is revealed."""

    action: a.Settle


@EventKind("table", "void", ("supervisor",), records=a.Void, reveals=True, transfers="see the list below")
class RoundVoided(RoundEnded, frozen=True):
    """A supervisor voids the round, and everything about it is revealed."""

    action: a.Void
    lost: bool = False
    """The house key was lost, so the seal of the round does not open."""


RoundEvent = (
    SeedNamed | SeedCommitted | SeedRevealed | WagersPlaced | WagersCleared | WagersLocked | DiceRolled
    | DynamicDrawn | CardsDealt | HandKeyedIn | HandTakenBack | Folded | Raised | TimedOut | HandVoided | RoundSettled
    | RoundVoided
)  # fmt: skip
"""An event of a live round."""
TableEvent = (
    TableCreated | TableChanged | DealerAssigned | DealerUnassigned | ConsentGiven | SeatTaken | SeatLeft
    | TableSwitched | PlayerWarned | RoundOpened | RoundEvent
)  # fmt: skip
"""An event of a table."""


# --- a meter -------------------------------------------------------------------------------------


class Parameters(Struct, frozen=True, gc=False):
    """The parameters that govern a meter."""

    paytable: str
    base_cents: int
    level: Level
    bonus: bool
    seed_micros: int
    reseed_micros: int
    """For a bonus jackpot, the amount to which its display returns with the next round, or 0 if it waits to be set."""
    rate_bp: int
    reserve_rate_bp: int
    limit_micros: int | None
    hits: HitPolicy
    second_above_micros: int
    """A 100 % win above this takes two supervisors."""
    server_approves: bool
    """The server may approve wins of virtual tables whose proof holds."""


class Win(Struct, frozen=True, gc=False):
    """One pay from a meter."""

    win: int
    seat: int
    account: str
    percent_bp: int
    micros: int
    from_house_micros: int
    display_micros: int
    """The amount by which the display fell for it."""
    pending: bool


class Verdict(Struct, frozen=True, gc=False):
    """A vote of one person on a win."""

    actor: str
    approve: bool
    reason: str


Outcome = Literal["waiting", "paid", "returned"]


class Case(Struct, frozen=True, gc=False):
    """A win, where it was won, and the votes on it."""

    win: Win
    table: str
    round: int
    seq: int
    """The `hit` in the meter's stream."""
    settled: int
    """The `settle` in the table's stream."""
    at: int
    approvals: int
    """The approvals that it takes, by the rule that was in force when it was won."""
    votes: tuple[Verdict, ...] = ()
    outcome: Outcome = "waiting"
    """A win that is not pending is paid at once."""


class Correction(Struct, frozen=True, gc=False):
    """A proposed correction of a meter."""

    number: int
    amount_micros: int
    reserve_micros: int
    reason: str
    actor: str
    outcome: Literal["waiting", "approved", "rejected"] = "waiting"


class Tally(Struct, frozen=True, gc=False):
    """A number of wins and their sum."""

    count: int = 0
    micros: int = 0

    def plus(self, *amounts: int) -> Tally:
        return Tally(self.count + len(amounts), self.micros + sum(amounts))

    def minus(self, micros: int) -> Tally:
        return Tally(self.count - 1, self.micros - micros)


class Sums(Struct, frozen=True):
    """The sums of what all events of a meter have moved."""

    overflow_micros: int = 0
    """Moved to the reserve because the meter was at its limit."""
    advances_micros: int = 0
    """Given by the house, less what was repaid."""
    won: Meter = Meter(0)
    """Moved by hits: pays and reseeds. Hits of a bonus jackpot, whose display is no money, are not in it."""
    fed_at_win_micros: int = 0
    """Fed to the meter by the time of the newest 100 % win."""


class Facts(Struct, frozen=True, gc=False, kw_only=True):
    """The whole state of a meter, as a checkpoint holds it."""

    parameters: Parameters
    waiting: dict[str, int | str | None] = {}
    """Parameters that change with the next 100 % win."""
    closed: str | None = None
    """The reason why its side bet takes no wagers."""
    failed: bool = False
    linked: tuple[str, ...] = ()
    """The linked tables, in the order in which they were linked."""
    unlinked: tuple[str, ...] = ()
    """Tables that are no longer linked. A void after that still counts."""
    cut: dict[str, int] = {}
    """The newest event of each table that was counted."""
    cases: dict[int, Case] = {}
    """Wins that wait, and the wins of the last 25 hits."""
    wins: Tally = Tally()
    """100 % wins, without those that were returned."""
    percentage_wins: Tally = Tally()
    """Wins that were never pending."""
    returned: Tally = Tally()
    corrections: dict[int, Correction] = {}
    proposed: int = 0
    """The number of corrections ever proposed."""
    hits: int = 0
    last_hits: tuple[int, ...] = ()
    """The numbers of the last 25 hits in the stream, the newest last."""
    last_win: int = 0
    """The newest hit with a 100 % win; 0 for none."""
    reset: int = 0
    """The newest `display`, by which an operator set what a bonus jackpot shows; 0 for none."""
    sums: Sums = Sums()

    @property
    def tables(self) -> tuple[str, ...]:
        """Every table that was ever linked."""
        return (*self.linked, *self.unlinked)

    @property
    def won(self) -> int:
        """The number of wins ever. The next win has the number after it."""
        return self.wins.count + self.percentage_wins.count + self.returned.count


class Count(Struct, frozen=True, gc=False):
    """An exact count of a meter under its lock."""

    after: Meter
    """Meter and reserve after the event."""
    flowed: Meter
    """The sum over the rows of `flows` that the count saw; of a hit with what its own `settle` moves."""
    cut: dict[str, int]
    """The newest counted event of each table, by its stream, that has moved the meter since the count before."""
    overflow_micros: int = 0
    """Moved to the reserve with the event, because the meter was above its limit."""
    advances_micros: int = 0
    """Given by the house with the event, less what it got back."""


class Counted(Body, frozen=True, kw_only=True):
    """An event that counts its meter. `change` and `vote` count only where they move money."""

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


@EventKind("meter", "link", follows=("administrator",))
class TableLinked(Body, frozen=True):
    """A table is linked to the meter."""

    table: str


@EventKind("meter", "unlink", follows=("administrator",))
class TableUnlinked(Body, frozen=True):
    """A table is no longer linked to the meter."""

    table: str


@EventKind("meter", "change", ("administrator",), (c.ChangeMeter,), transfers="of a limit: meter → reserve (overflow)")
class ParameterChanged(Counted, frozen=True):
    """A parameter changes. A change of the limit counts the meter."""

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
    """The whole state of the meter is written down."""

    checkpoint: int
    state: Facts


@EventKind(
    "meter", "hit", follows=_RUNS,
    transfers="overflow; the pays are transfers of the `settle`. Where the house gave the reseed and there is a"
    " reserve: reserve → advances up to that, the rest reserve → meter",
)  # fmt: skip
class MeterHit(Counted, frozen=True):
    """A round has hit the meter."""

    table: str
    seq: int
    """The `settle` of the round."""
    round: int
    before: Meter
    """Meter and reserve with the contributions of this round, before any pay."""
    moves: tuple[Move, ...]
    wins: tuple[Win, ...]
    applied: dict[str, int | str | None]
    """Parameters whose change waited for this win."""


@EventKind(
    "meter", "vote", ("supervisor", "server"), (c.Vote,), transfers="paid: pending → wallet; returned: → meter or house"
)
class WinVoted(Counted, frozen=True):
    """A supervisor or the server votes on a pending win. A vote that returns the win counts the meter."""

    win: int
    approve: bool
    reason: str
    outcome: Outcome


@EventKind("meter", "propose", ("supervisor",), (c.Propose,))
class CorrectionProposed(Body, frozen=True):
    """A supervisor proposes a correction."""

    correction: int
    amount_micros: int
    """The change of the meter."""
    reserve_micros: int
    """The change of the reserve."""
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
    """The house makes good a contribution that was taken back from a meter that no longer had it."""

    table: str
    seq: int
    """The event of the table that took it back."""


@EventKind("meter", "display", ("supervisor",), (c.SetDisplay,))
class DisplaySet(Counted, frozen=True):
    """The display of a bonus jackpot is set, which moves no money. After a win it returns to this amount."""

    before: int
    """In micro-dollars."""
    after: int
    """In micro-dollars."""
    reason: str


@EventKind("meter", "pause", ("supervisor",), (c.PauseMeter,))
class MeterPaused(Body, frozen=True):
    """The side bet takes no new wagers."""

    reason: str


@EventKind("meter", "fail", ("supervisor",), (c.CheckMeter,))
class MeterFailed(Body, frozen=True):
    """A check found that the meter disagrees with its ledger, and closes it."""

    reason: str


@EventKind("meter", "resume", ("supervisor",), (c.ResumeMeter,))
class MeterResumed(Body, frozen=True):
    """The side bet takes wagers again."""

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
    """A player brings money."""

    player: str
    micros: int


@EventKind("cage", "cash-out", ("cashier",), (c.CashOut,), transfers="wallet → cage")
class CashedOut(Body, frozen=True):
    """A player takes money."""

    player: str
    micros: int


# --- the office ----------------------------------------------------------------------------------


@EventKind("office", "found", ("administrator",))
class HouseFounded(Body, frozen=True):
    """The house is founded. This is the first event of the office."""

    key_id: str
    format: int
    """The format of the books."""


@EventKind("office", "person", ("administrator", "server"), (c.AddPerson,))
class PersonAdded(Body, frozen=True):
    """A person is added. The name is an id that stays for ever."""

    name: str
    role: Role
    kind: Kind
    """`bot` is a player or cashier of the house's own, `guest` a player with play money."""


@EventKind("office", "new-key", ("administrator",))
class KeyReplaced(Body, frozen=True):
    """The house key is replaced."""

    key_id: str
    lost: bool
    """The old key was lost; false if it was changed by plan."""
    reason: str


class Loss(Struct, frozen=True, gc=False):
    """Acknowledged events that the books lacked."""

    stream: str
    acknowledged: int
    """The number of the newest acknowledged event."""
    found: int
    """The number of the newest event that was there."""


@EventKind("office", "epoch", ("administrator", "dealer"))
class EpochBegun(Body, frozen=True):
    """An epoch begins, and its number is that of this event. A round opened before it can only be voided."""

    cause: Literal["restore", "loss"]
    reason: str
    lost: Loss | None


@EventKind("office", "audited", ("administrator", "supervisor", "auditor"), (c.Audited,))
class AuditRecorded(Body, frozen=True):
    """Somebody has audited the books."""

    heads: str
    """The digest of the heads up to which they were audited."""
    since: str | None
    """The digest of the heads from which they were audited, or null."""
    findings: int


@EventKind("office", "role", ("administrator",), (c.ChangeRole,))
class RoleChanged(Body, frozen=True):
    """A person gets another role. Players and servers keep theirs."""

    name: str
    before: Role
    after: Role
    reason: str


@EventKind("office", "disable", ("administrator",), (c.Disable,))
class PersonDisabled(Body, frozen=True):
    """A person may do nothing more. It ends their shift."""

    name: str
    reason: str


@EventKind("office", "enable", ("administrator",), (c.Enable,))
class PersonEnabled(Body, frozen=True):
    """A disabled person may act again."""

    name: str
    reason: str


@EventKind("office", "start-shift", _STAFF, (c.StartShift,))
class ShiftStarted(Body, frozen=True):
    """The actor comes on duty."""


@EventKind("office", "end-shift", _STAFF, (c.EndShift,))
class ShiftEnded(Body, frozen=True):
    """The actor goes off duty."""

    began: int
    """The event that started the shift."""


@EventKind("office", "acknowledge", ("administrator", "supervisor"), (c.Acknowledge,))
class AlertAcknowledged(Body, frozen=True):
    """Somebody has seen an alert, and takes care of it."""

    alert: str
    """Its name, which the program that watches the house has given it."""
    note: str


@EventKind("office", "propose-change", ("administrator",), (c.ProposeChange,))
class ChangeProposed(Body, frozen=True):
    """An administrator proposes a change, whose number is that of this event."""

    stream: str
    command: msgspec.Raw
    """The command with its defaults written out, because a later version may have other defaults."""
    reason: str

    @property
    def change(self) -> c.AnyChange:
        return codec.decode(bytes(self.command), c.AnyChange)  # type: ignore[arg-type]


@EventKind("office", "decide-change", ("administrator",), (c.DecideChange,))
class ChangeDecided(Body, frozen=True):
    """Another administrator approves a change, which carries it out, or rejects it."""

    change: int
    approve: bool
    reason: str


@EventKind("office", "require-approval", ("administrator",), (c.RequireApproval,))
class ApprovalRequired(Body, frozen=True):
    """Changes by administrators take two-person approval from now on, or no longer."""

    on: bool
    reason: str


@EventKind("office", "floor", ("administrator",), (c.SetFloor,))
class FloorChanged(Body, frozen=True):
    """Settings of the floor change."""

    floor: int
    """The number of the change, also in the column `number`."""
    changes: dict[str, c.FloorValue]
    settings: FloorSettings
    reason: str
