"""The commands of the house, except the engine's actions. Each command is for one type of stream.

Commands to a virtual table contain no dice, Dynamic Pays or cards, because the house derives these from the round's
seeds. At a physical table the dealer keys them in with the engine's `RollDice`, `DrawDynamic` and `DealHand`.
"""

from collections.abc import Callable, Mapping
from inspect import isfunction, signature
from types import ModuleType, UnionType
from typing import Annotated, Any, Literal, TypeVar, get_args

from msgspec import Meta, Struct

from highcardflush.fairness import MAX_PLAYER_SEED_BYTES, MIN_COMMITTED_SEED_BYTES
from highcardflush.game.actions import LINE, Action, Remark
from highcardflush.money import MOST_CENTS, MOST_MICROS
from highcardflush.rulebook.model import Rulebook
from highcardflush.rulebook.table_settings import HitPolicy
from highcardflush.words import refuse

H = TypeVar("H", bound=Callable[..., Any])
NAME = r"^[a-z0-9][a-z0-9-]{0,39}\Z"
SEED = rf"^([0-9a-f]{{2}}){{0,{MAX_PLAYER_SEED_BYTES}}}\Z"
COMMITTED_SEED = rf"^([0-9a-f]{{2}}){{{MIN_COMMITTED_SEED_BYTES},{MAX_PLAYER_SEED_BYTES}}}\Z"
SHA256 = r"^[0-9a-f]{64}\Z"
TOKEN = r"^[0-9a-f]{32,64}\Z"
_TIME = "([01][0-9]|2[0-3]):[0-5][0-9]"
TIME = rf"^{_TIME}\Z"
HOURS = rf"^{_TIME}-{_TIME}\Z"
LONGEST = 100_000
"""Maximum length of a command's JSON text, in characters. Even the longest rulebook is far shorter than this."""
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
LeaveCode = Literal["away", "idle"]
"""Reason why the server frees a seat: its player has lost the connection, or stays but no longer bets."""
SECOND_ABOVE_MICROS = 10_000_000000
"""Default amount above which a win needs two people."""
ROLES: tuple[Role, ...] = get_args(Role)
GUEST_CENTS = 10_000_00
"""Maximum balance to which a server may fill a guest's wallet with play money."""


class Command(Struct, frozen=True, tag=True, omit_defaults=True, forbid_unknown_fields=True):
    """A command that `submit` accepts, other than the engine's actions."""


# --- a table -------------------------------------------------------------------------------------


class CreateTable(Command, frozen=True):
    """Create a table that plays this rulebook, with its offers and settings.

    `meters` gives the name of the meter for each level of the table's progressive.
    """

    rulebook: Rulebook
    physical: bool = False
    meters: dict[Level, Name] = {}
    second_above_micros: Micros = SECOND_ABOVE_MICROS
    """Amount above which a physical table's win must be settled by a supervisor who keyed in no hand of the round."""
    dealers: Annotated[tuple[Name, ...], Meta(max_length=100)] = ()
    """Dealers who are assigned to the table from the start."""
    alone: bool = False
    """True for a virtual table with one seat, at which nobody waits: no clock runs and there is no pause."""


class ChangeTable(Command, frozen=True):
    """Change the configuration of a table between rounds."""

    rulebook: Rulebook
    physical: bool = False
    meters: dict[Level, Name] = {}
    second_above_micros: Micros = SECOND_ABOVE_MICROS


class Assign(Command, frozen=True):
    """Assign a dealer to a table. Dealers may act only at tables to which they are assigned."""

    dealer: Name


class Unassign(Command, frozen=True):
    dealer: Name


class Consent(Command, frozen=True):
    """Let anybody who shows the token seat the player at this physical table, once.

    The player chooses the token and sends its SHA-256. A new hash replaces the old one, and null withdraws the consent.
    """

    token_sha256: Annotated[str, Meta(pattern=SHA256)] | None = None


class Sit(Command, frozen=True):
    """Take a seat. At a physical table, omit `player` for somebody who plays with chips.

    Staff who seat a player must show the token of the player's consent.
    """

    seat: Seat
    player: Name | None = None
    token: Annotated[str, Meta(pattern=TOKEN)] | None = None
    """The token of a consent: 32 to 64 random hex digits."""


class Leave(Command, frozen=True):
    """Leave a seat without a wager in play. With `after_hand`, a player with a wager leaves when the round ends."""

    seat: Seat
    after_hand: bool = False
    code: LeaveCode | None = None
    """Reason why the server frees an abandoned seat."""


class Skip(Command, frozen=True):
    """End the pause between two rounds of a virtual table. Only a player who sits alone with house players may."""

    seat: Seat


class SwitchTable(Command, frozen=True):
    """Open, pause or close a table.

    A live round is played to its end. Only an open table accepts rounds and wagers, and nobody can sit at a closed one.
    """

    state: TableState
    reason: Reason


class OpenRound(Command, frozen=True):
    """Open a round. At a virtual table, the house draws a seed and publishes its commitment."""


class TakeBack(Command, frozen=True):
    """Take back a hand that was keyed in incorrectly, so that it can be keyed in again.

    Only the newest hand can be taken back, and only before the next step of the round. Seat 0 is the dealer.
    """

    seat: Annotated[int, Meta(ge=0, le=6)]
    reason: Reason


class Warn(Command, frozen=True):
    """Warn the player in a seat. Only after a warning can the player's hand be voided for conduct."""

    seat: Seat
    reason: Reason


class NameSeed(Command, frozen=True):
    """Give a player's seed for the round, at most 64 bytes in hex. A player can do this once, before the lock."""

    seat: Seat
    seed: Annotated[str, Meta(pattern=SEED)]


class CommitSeed(Command, frozen=True):
    """Commit to a seed by sending its SHA-256 in hex. The player keeps the seed secret until the lock."""

    seat: Seat
    commitment: Annotated[str, Meta(pattern=SHA256)]


class RevealSeed(Command, frozen=True):
    """Reveal the seed whose hash was given with `CommitSeed`, after the lock and before anything is drawn or dealt.

    The seed has 16 to 64 bytes, in hex, so that nobody can guess it.
    """

    seat: Seat
    seed: Annotated[str, Meta(pattern=COMMITTED_SEED)]


class Roll(Command, frozen=True):
    """Roll the dice of the alternative deal."""

    clockwise: bool = False


class Draw(Command, frozen=True):
    """Draw the round's Dynamic Pays."""


class DealCards(Command, frozen=True):
    """Deal all hands from the shuffled deck."""


class SettleRound(Command, frozen=True):
    """Settle the round, pay from its meters, and reveal its seed."""


# --- a meter -------------------------------------------------------------------------------------


class CreateMeter(Command, frozen=True):
    """Create a meter for one level of one pay table at one base bet. Amounts are given as the display shows them."""

    paytable: PayTableId
    """The pay table, given as RULEBOOK/ID."""
    seed_micros: Micros
    rate_bp: Rate
    reserve_rate_bp: Rate = 0
    reseed_micros: Micros | None = None
    """Amount to which a 100 % win resets the meter; the default is the seed. A bonus jackpot's display is reset to this
    amount for the next round; by default, a supervisor must set it again."""
    base_cents: Cents = 100
    level: Level = "progressive"
    bonus: bool = False
    limit_micros: Micros | None = None
    hits: HitPolicy | None = None
    """Rule that divides several 100 % wins in one round. The default is `share`, or `each` for a bonus jackpot."""
    second_above_micros: Micros = SECOND_ABOVE_MICROS
    """Amount above which a 100 % win needs two supervisors."""
    server_approves: bool = False
    """True if the server may approve wins that have a valid proof, which only virtual tables can provide."""


class ChangeMeter(Command, frozen=True):
    """Change one parameter of a meter, given by its key in `CreateMeter`."""

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
    """Compare the amounts that have moved since the last count with their transfers. Close the meter if they differ."""


class Checkpoint(Command, frozen=True):
    """Count the meter and record its complete state, so that earlier events need not be read."""


class Vote(Command, frozen=True):
    """Vote on a pending win. A vote against the win needs a reason.

    Supervisors may vote either way. The server may only approve a win, and only if the meter allows that.
    """

    win: Number
    approve: bool
    reason: Remark = ""


class Propose(Command, frozen=True):
    """Propose amounts to add to a meter and its reserve as a correction, for another supervisor to approve."""

    reason: Reason
    amount_micros: Change = 0
    reserve_micros: Change = 0


class Decide(Command, frozen=True):
    """Approve or reject a correction that another supervisor proposed."""

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
    """Add a person. A `bot` belongs to the house, and a `guest` plays with play money. Reports list both separately.

    `name` is a permanent id. The display name is stored with the credentials.
    """

    name: Name
    role: Role
    kind: Kind = "person"


class ChangeRole(Command, frozen=True):
    name: Name
    role: Role
    reason: Reason


class Disable(Command, frozen=True):
    """Bar a person from all actions until they are enabled again."""

    name: Name
    reason: Reason


class Enable(Command, frozen=True):
    name: Name
    reason: Reason


class StartShift(Command, frozen=True):
    """Go on duty, as a member of staff."""


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
"""Value of a floor setting. `FloorSettings` checks the patterns of strings, because msgspec frees memory incorrectly if
a union contains a list and a string with a pattern."""
Alert = Annotated[str, Meta(min_length=1, max_length=200, pattern=LINE)]


class Acknowledge(Command, frozen=True):
    """Acknowledge an alert, such as `meter/mega closed 41`, and take charge of it. Each alert is acknowledged once."""

    alert: Alert
    note: Remark = ""


class RequireApproval(Command, frozen=True):
    """Turn two-person approval of administrators' changes on or off."""

    on: bool
    reason: Reason


class SetFloor(Command, frozen=True):
    """Change floor settings, given by their keys in `docs/settings.md`. Other settings do not change."""

    changes: Annotated[dict[FloorKey, FloorValue], Meta(min_length=1, max_length=40)]
    reason: Reason


AnyChange = (
    CreateTable | ChangeTable | CreateMeter | ChangeMeter | AddPerson | ChangeRole | Disable | Enable | RequireApproval
    | SetFloor
)  # fmt: skip
"""Commands that need two administrators if the house requires two-person approval."""


class ProposeChange(Command, frozen=True):
    """Propose a command for another administrator to approve. The number of its office event identifies the change."""

    stream: Annotated[str, Meta(max_length=50)]
    command: AnyChange
    reason: Reason


class DecideChange(Command, frozen=True):
    """Approve or reject a proposed change. Approval carries out the change."""

    change: Number
    approve: bool
    reason: Remark = ""


class Audited(Command, frozen=True):
    """Record an audit of the books and the number of its findings.

    `heads` is the digest of the heads at which the audit ended, and `since` that of the heads at which it started.
    """

    heads: Annotated[str, Meta(pattern=SHA256)]
    findings: Number
    since: Annotated[str, Meta(pattern=SHA256)] | None = None


def handlers(*modules: ModuleType) -> dict[type, Callable[..., Any]]:
    """Return the handlers in these modules, keyed by command type. A handler is a public function whose third and last
    parameter is annotated with a command type or a union of command types."""
    by_command: dict[type, Callable[..., Any]] = {}
    for module in modules:
        for name, function in vars(module).items():
            if name.startswith("_") or not isfunction(function) or function.__module__ != module.__name__:
                continue
            for command in _command_types(function):
                if command in by_command:
                    raise TypeError(f"{command.__name__} has two handlers: {by_command[command].__name__} and {name}")
                by_command[command] = function
    return by_command


def find_handler(by_command: Mapping[type, H], command: object, stream: str) -> H:
    """Return the handler of a command. Refuse a command that is for another type of stream."""
    if type(command) not in by_command:
        raise refuse("wrong-stream", command=type(command).__name__, stream=stream)
    return by_command[type(command)]


def _command_types(function: Callable[..., Any]) -> tuple[type, ...]:
    """Return the command types that a handler accepts, or an empty tuple if the function is not a handler."""
    parameters = list(signature(function, eval_str=True).parameters.values())
    if len(parameters) != 3:
        return ()
    hint = parameters[2].annotation
    types = get_args(hint) if isinstance(hint, UnionType) else (hint,)
    return types if all(isinstance(each, type) and issubclass(each, (Command, Action)) for each in types) else ()
