"""The commands of the house, apart from the engine's actions. Each is for one type of stream.

A command to a virtual table contains no chance: the house derives dice, Dynamic Pays and cards from the round's seeds.
At a physical table the dealer keys in what happened, with the engine's `RollDice`, `DrawDynamic` and `DealHand`.
"""

from __future__ import annotations

from collections.abc import Callable
from inspect import getfullargspec, isfunction
from types import ModuleType
from typing import Annotated, Any, Literal, get_args, get_type_hints

from msgspec import Meta, Struct

from highcardflush.fairness import MAX_PLAYER_SEED_BYTES, MIN_COMMITTED_SEED_BYTES
from highcardflush.game.actions import LINE, Remark
from highcardflush.money import MOST_CENTS, MOST_MICROS
from highcardflush.rulebook.model import Rulebook
from highcardflush.rulebook.table_settings import HitPolicy

NAME = r"^[a-z0-9][a-z0-9-]{0,39}\Z"
SEED = rf"^([0-9a-f]{{2}}){{0,{MAX_PLAYER_SEED_BYTES}}}\Z"
COMMITTED_SEED = rf"^([0-9a-f]{{2}}){{{MIN_COMMITTED_SEED_BYTES},{MAX_PLAYER_SEED_BYTES}}}\Z"
SHA256 = r"^[0-9a-f]{64}\Z"
TOKEN = r"^[0-9a-f]{32,64}\Z"
_TIME = "([01][0-9]|2[0-3]):[0-5][0-9]"
TIME = rf"^{_TIME}\Z"
HOURS = rf"^{_TIME}-{_TIME}\Z"
LONGEST = 100_000
"""The most characters of a command in JSON: several times the longest rulebook."""
Name = Annotated[str, Meta(pattern=NAME)]
Reason = Annotated[str, Meta(min_length=1, max_length=500, pattern=LINE)]
PayTableId = Annotated[str, Meta(max_length=100, pattern=LINE)]
Number = Annotated[int, Meta(ge=0, le=2**53)]
Micros = Annotated[int, Meta(ge=0, le=MOST_MICROS)]
Change = Annotated[int, Meta(ge=-MOST_MICROS, le=MOST_MICROS)]
Cents = Annotated[int, Meta(gt=0, le=MOST_CENTS)]
Rate = Annotated[int, Meta(ge=0, le=10_000)]
Seat = Annotated[int, Meta(ge=1, le=6)]
TableState = Literal["open", "paused", "closed"]
Level = Literal["progressive", "level-1", "level-2"]
Role = Literal["player", "dealer", "supervisor", "cashier", "auditor", "administrator", "server"]
Kind = Literal["person", "bot", "guest"]
SECOND_ABOVE_MICROS = 10_000_000000
"""The default amount above which a win takes two people."""
ROLES: tuple[Role, ...] = get_args(Role)
GUEST_CENTS = 10_000_00
"""The balance up to which a server may fill a guest's wallet with play money."""


class Command(Struct, frozen=True, tag=True, omit_defaults=True, forbid_unknown_fields=True):
    """A command that `submit` takes, apart from the engine's actions."""


# --- a table -------------------------------------------------------------------------------------


class CreateTable(Command, frozen=True):
    """Create a table that plays this rulebook, with its offers and settings.

    `meters` names the meter of each level of its progressive.
    """

    rulebook: Rulebook
    physical: bool = False
    meters: dict[Level, Name] = {}
    second_above_micros: Micros = SECOND_ABOVE_MICROS
    """At a physical table, a round with a greater win is settled by a supervisor who keyed in no hand of it."""
    dealers: Annotated[tuple[Name, ...], Meta(max_length=100)] = ()
    """The dealers who are assigned at first."""


class ChangeTable(Command, frozen=True):
    """Change the configuration of a table between two rounds, from the next round on."""

    rulebook: Rulebook
    physical: bool = False
    meters: dict[Level, Name] = {}
    second_above_micros: Micros = SECOND_ABOVE_MICROS


class Assign(Command, frozen=True):
    """Assign a dealer to a table. Dealers act only where they are assigned."""

    dealer: Name


class Unassign(Command, frozen=True):
    dealer: Name


class Consent(Command, frozen=True):
    """Let whoever shows the token seat the player at this physical table, once.

    The player chooses the token and names only its SHA-256. Another consent replaces this one; without a hash it is
    withdrawn.
    """

    token_sha256: Annotated[str, Meta(pattern=SHA256)] | None = None


class Sit(Command, frozen=True):
    """Take a seat. At a physical table a seat without a player is for somebody with chips.

    A person who seats a player shows the token of that player's consent.
    """

    seat: Seat
    player: Name | None = None
    token: Annotated[str, Meta(pattern=TOKEN)] | None = None
    """Random, 32 to 64 hex digits."""


class Leave(Command, frozen=True):
    seat: Seat


class SwitchTable(Command, frozen=True):
    """Open, pause or close a table.

    A live round is finished, but a table that is not open takes no new round and no wagers, and nobody sits down at a
    closed one.
    """

    state: TableState
    reason: Reason


class OpenRound(Command, frozen=True):
    """Open a round. A virtual table draws its seed and publishes the commitment."""


class TakeBack(Command, frozen=True):
    """Take back a hand that was keyed in wrongly, so that it can be keyed in again. Only the newest hand can be taken
    back, before anything else is done. Seat 0 is the dealer."""

    seat: Annotated[int, Meta(ge=0, le=6)]
    reason: Reason


class Warn(Command, frozen=True):
    """Warn the player of a seat. Without a warning no hand there can be voided for conduct."""

    seat: Seat
    reason: Reason


class NameSeed(Command, frozen=True):
    """Name a player's part of the chance, once a round before the lock, in hex and at most 64 bytes."""

    seat: Seat
    seed: Annotated[str, Meta(pattern=SEED)]


class CommitSeed(Command, frozen=True):
    """Commit to a seed by its SHA-256 in hex, and keep the seed secret until the lock."""

    seat: Seat
    commitment: Annotated[str, Meta(pattern=SHA256)]


class RevealSeed(Command, frozen=True):
    """Reveal the seed of a `CommitSeed` after the lock and before any chance: 16 to 64 bytes in hex, too many to
    guess."""

    seat: Seat
    seed: Annotated[str, Meta(pattern=COMMITTED_SEED)]


class Roll(Command, frozen=True):
    """Roll the dice of the alternative deal."""

    clockwise: bool = False


class Draw(Command, frozen=True):
    """Draw the round's Dynamic Pays."""


class DealCards(Command, frozen=True):
    """Deal from the shuffled deck."""


class SettleRound(Command, frozen=True):
    """Settle the round, pay from its meters, and reveal its seed."""


# --- a meter -------------------------------------------------------------------------------------


class CreateMeter(Command, frozen=True):
    """Create a meter for one level of one pay table at one base bet. Amounts are those on the display."""

    paytable: PayTableId
    """RULEBOOK/ID."""
    seed_micros: Micros
    rate_bp: Rate
    reserve_rate_bp: Rate = 0
    reseed_micros: Micros | None = None
    """The seed by default. For a bonus jackpot, the amount to which its display returns with the round after a win; by
    default the display waits to be set."""
    base_cents: Cents = 100
    level: Level = "progressive"
    bonus: bool = False
    limit_micros: Micros | None = None
    hits: HitPolicy | None = None
    """By default `share`, and `each` for a bonus jackpot."""
    second_above_micros: Micros = SECOND_ABOVE_MICROS
    """A 100 % win above this needs two supervisors."""
    server_approves: bool = False
    """The server may approve wins of virtual tables whose proof holds."""


class ChangeMeter(Command, frozen=True):
    """Change one parameter, by its key in `CreateMeter`."""

    key: Literal[
        "rate_bp", "reserve_rate_bp", "hits", "reseed_micros", "limit_micros", "second_above_micros", "server_approves"
    ]
    value: Micros | HitPolicy | bool | None
    reason: Reason


class PauseMeter(Command, frozen=True):
    reason: Reason


class ResumeMeter(Command, frozen=True):
    reason: Reason


class CheckMeter(Command, frozen=True):
    """Compare what tables have moved since the last count with their transfers, and close a meter that differs."""


class Checkpoint(Command, frozen=True):
    """Count the meter and write down its whole state, so that nobody needs to read the events before it."""


class Vote(Command, frozen=True):
    """Vote on a pending win, as a supervisor, or as the server where the meter lets it approve. A refusal needs a
    reason."""

    win: Number
    approve: bool
    reason: Remark = ""


class Propose(Command, frozen=True):
    """Propose a correction of a meter and its reserve, for another supervisor to approve. The amounts are added."""

    reason: Reason
    amount_micros: Change = 0
    reserve_micros: Change = 0


class Decide(Command, frozen=True):
    """Decide a correction that another supervisor has proposed."""

    correction: Number
    approve: bool
    reason: Remark = ""


class SetDisplay(Command, frozen=True):
    """Set the display of a bonus jackpot."""

    amount_micros: Micros
    reason: Reason


# --- cage and office -----------------------------------------------------------------------------


class BuyIn(Command, frozen=True):
    player: Name
    cents: Cents


class CashOut(Command, frozen=True):
    player: Name
    cents: Cents


class AddPerson(Command, frozen=True):
    """Add a person. A `bot` belongs to the house, a `guest` plays with play money, and reports tell them apart.

    `name` is an id and stays; the display name is kept with the credentials.
    """

    name: Name
    role: Role
    kind: Kind = "person"


class ChangeRole(Command, frozen=True):
    name: Name
    role: Role
    reason: Reason


class Disable(Command, frozen=True):
    """Bar a person from doing anything, until enabled."""

    name: Name
    reason: Reason


class Enable(Command, frozen=True):
    name: Name
    reason: Reason


class StartShift(Command, frozen=True):
    """Come on duty, as a member of the staff."""


class EndShift(Command, frozen=True):
    """Go off duty."""


FloorKey = Annotated[str, Meta(max_length=40)]
FloorNumber = Annotated[int, Meta(ge=-(10**9), le=10**9)] | Annotated[float, Meta(ge=-(10**9), le=10**9)]
FloorValue = (
    bool
    | FloorNumber
    | Annotated[str, Meta(max_length=100)]
    | Annotated[tuple[Name, ...], Meta(max_length=1_000)]
    | None
)
"""The settings themselves check the rest: msgspec frees the pattern of a text beside a list as the wrong type."""
Alert = Annotated[str, Meta(min_length=1, max_length=200, pattern=LINE)]


class Acknowledge(Command, frozen=True):
    """Acknowledge an alert, such as `meter/mega closed 41`, once, and take care of it."""

    alert: Alert
    note: Remark = ""


class RequireApproval(Command, frozen=True):
    """Require two-person approval of administrators' changes from now on, or no longer."""

    on: bool
    reason: Reason


class SetFloor(Command, frozen=True):
    """Change settings of the floor, by their keys in `docs/settings.md`; the others stay."""

    changes: Annotated[dict[FloorKey, FloorValue], Meta(min_length=1, max_length=40)]
    reason: Reason


AnyChange = (
    CreateTable | ChangeTable | CreateMeter | ChangeMeter | AddPerson | ChangeRole | Disable | Enable | RequireApproval
    | SetFloor
)  # fmt: skip
"""Commands that take two administrators where the house requires it."""


class ProposeChange(Command, frozen=True):
    """Propose a command that another administrator is to approve. Its number is that of its event in the office."""

    stream: Annotated[str, Meta(max_length=50)]
    command: AnyChange
    reason: Reason


class DecideChange(Command, frozen=True):
    """Approve a proposed change, which carries it out, or reject it."""

    change: Number
    approve: bool
    reason: Remark = ""


class Audited(Command, frozen=True):
    """Record an audit of the books: the digests of the heads up to which and from which it read, and its findings."""

    heads: Annotated[str, Meta(pattern=SHA256)]
    findings: Number
    since: Annotated[str, Meta(pattern=SHA256)] | None = None


def handlers(*modules: ModuleType) -> dict[type, Callable[..., Any]]:
    """Find the handlers in modules, by the command they take: functions whose third parameter is a `command`."""
    functions = [each for module in modules for each in vars(module).values() if isfunction(each)]
    takers = [each for each in functions if getfullargspec(each).args[2:] == ["command"]]
    hints = {each: get_type_hints(each)["command"] for each in takers}
    return {command: each for each, hint in hints.items() for command in get_args(hint) or (hint,)}
