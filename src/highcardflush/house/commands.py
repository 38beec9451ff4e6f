"""What can be asked of the house, beside the engine's own actions. Each is for one kind of stream.

Chance is never in a command to a virtual table: the house derives dice, Dynamic Pays and cards from the round's seeds.
At a physical table the dealer keys in what happened, with the engine's `RollDice`, `DrawDynamic` and `DealHand`.
"""

from __future__ import annotations

from typing import Annotated, Literal, get_args

from msgspec import Meta, Struct

from highcardflush.fairness import MAX_PLAYER_SEED_BYTES, MIN_COMMITTED_SEED_BYTES
from highcardflush.game.actions import LINE, Remark
from highcardflush.money import MOST_CENTS, MOST_MICROS
from highcardflush.rulebook.model import HitPolicy, Rulebook

NAME = r"^[a-z0-9][a-z0-9-]{0,39}\Z"
SEED = rf"^([0-9a-f]{{2}}){{0,{MAX_PLAYER_SEED_BYTES}}}\Z"
COMMITTED_SEED = rf"^([0-9a-f]{{2}}){{{MIN_COMMITTED_SEED_BYTES},{MAX_PLAYER_SEED_BYTES}}}\Z"
SHA256 = r"^[0-9a-f]{64}\Z"
TOKEN = r"^[0-9a-f]{32,64}\Z"
_TIME = "([01][0-9]|2[0-3]):[0-5][0-9]"
TIME = rf"^{_TIME}\Z"
HOURS = rf"^{_TIME}-{_TIME}\Z"
LONGEST = 100_000
"""Characters of a command in JSON: several times the longest rulebook."""
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
"""Above this a win is the matter of two people, if nothing else is said."""
ROLES: tuple[Role, ...] = get_args(Role)
GUEST_CENTS = 10_000_00
"""What a server's buy-in may fill a guest's wallet up to: play money."""


class Command(Struct, frozen=True, tag=True, omit_defaults=True, forbid_unknown_fields=True):
    """Anything that may be passed to `submit`, beside the engine's actions."""


# --- a table -------------------------------------------------------------------------------------


class CreateTable(Command, frozen=True):
    """A table that plays this rulebook, with the offers and settings that are in it.

    `meters` says which meter each level of its progressive is linked to.
    """

    rulebook: Rulebook
    physical: bool = False
    meters: dict[Level, Name] = {}
    second_above_micros: Micros = SECOND_ABOVE_MICROS
    """A physical table's round with a greater win is settled by a supervisor who keyed in no hand of it."""
    dealers: Annotated[tuple[Name, ...], Meta(max_length=100)] = ()
    """Who deals here from the first day."""


class ChangeTable(Command, frozen=True):
    """The same, for a table that is there: between rounds, from the next one on."""

    rulebook: Rulebook
    physical: bool = False
    meters: dict[Level, Name] = {}
    second_above_micros: Micros = SECOND_ABOVE_MICROS


class Assign(Command, frozen=True):
    """A dealer works at this table from now on: dealers act only where they are assigned."""

    dealer: Name


class Unassign(Command, frozen=True):
    dealer: Name


class Consent(Command, frozen=True):
    """A player lets whoever shows the token seat them at this physical table, once.

    The player chooses the token and names only its SHA-256. Another consent takes the place of this one; without a
    hash it is withdrawn.
    """

    token_sha256: Annotated[str, Meta(pattern=SHA256)] | None = None


class Sit(Command, frozen=True):
    """A player takes a seat. Without a player, at a physical table: somebody who plays with chips.

    Whoever seats a player shows the token of that player's consent.
    """

    seat: Seat
    player: Name | None = None
    token: Annotated[str, Meta(pattern=TOKEN)] | None = None
    """At random, 32 to 64 hex digits."""


class Leave(Command, frozen=True):
    seat: Seat


class SwitchTable(Command, frozen=True):
    """Open a table, pause or close it: a live round is finished, no other is opened and no wager placed.

    At a closed one nobody sits down either.
    """

    state: TableState
    reason: Reason


class OpenRound(Command, frozen=True):
    """A new round: a virtual table draws its seed and publishes the commitment."""


class TakeBack(Command, frozen=True):
    """A hand that was keyed in wrongly is taken back, to be keyed in anew: the newest first, before anything else is
    done. Seat 0 is the dealer's."""

    seat: Annotated[int, Meta(ge=0, le=6)]
    reason: Reason


class Warn(Command, frozen=True):
    """A supervisor warns the player of a seat: before that no hand there is void for conduct."""

    seat: Seat
    reason: Reason


class NameSeed(Command, frozen=True):
    """A player's part of the chance, in the open, once a round before the lock; hex, at most 64 bytes."""

    seat: Seat
    seed: Annotated[str, Meta(pattern=SEED)]


class CommitSeed(Command, frozen=True):
    """Instead of a seed its SHA-256, in hex: the seed stays with the player until the lock."""

    seat: Seat
    commitment: Annotated[str, Meta(pattern=SHA256)]


class RevealSeed(Command, frozen=True):
    """The seed of a `CommitSeed`, after the lock and before any chance; hex, 16 to 64 bytes: no guess finds it."""

    seat: Seat
    seed: Annotated[str, Meta(pattern=COMMITTED_SEED)]


class Roll(Command, frozen=True):
    """The house rolls the dice of the alternative deal."""

    clockwise: bool = False


class Draw(Command, frozen=True):
    """The house draws the round's Dynamic Pays."""


class DealCards(Command, frozen=True):
    """The house deals from the shuffled deck."""


class SettleRound(Command, frozen=True):
    """The round is settled, its meters are paid from, and its seed is revealed."""


# --- a meter -------------------------------------------------------------------------------------


class CreateMeter(Command, frozen=True):
    """A meter for one level of one pay table at one base bet. Amounts are what the display shows."""

    paytable: PayTableId
    """RULEBOOK/ID"""
    seed_micros: Micros
    rate_bp: Rate
    reserve_rate_bp: Rate = 0
    reseed_micros: Micros | None = None
    """The seed, if not said. Of a bonus jackpot: what its display returns to with the round after a win; nothing, if
    not said, and the display waits to be set anew."""
    base_cents: Cents = 100
    level: Level = "progressive"
    bonus: bool = False
    limit_micros: Micros | None = None
    hits: HitPolicy | None = None
    """`share`, if not said, and `each` for a bonus jackpot."""
    second_above_micros: Micros = SECOND_ABOVE_MICROS
    """A 100 % win above this needs two supervisors."""
    server_approves: bool = False
    """Whether the server has a voice on wins of virtual tables whose proof holds."""


class ChangeMeter(Command, frozen=True):
    """Another value of one parameter, by its key in `CreateMeter`."""

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
    """Hold what tables have moved since the last count against their transfers; a meter that differs is closed."""


class Checkpoint(Command, frozen=True):
    """Count the meter and write down its whole state, so that nobody reads what was before."""


class Vote(Command, frozen=True):
    """A supervisor's word on a pending win, or the server's where the meter lets it approve. A refusal has a reason."""

    win: Number
    approve: bool
    reason: Remark = ""


class Propose(Command, frozen=True):
    """A correction of a meter, to be approved by another supervisor: what is added to meter and reserve."""

    reason: Reason
    amount_micros: Change = 0
    reserve_micros: Change = 0


class Decide(Command, frozen=True):
    """Another supervisor's word on a correction."""

    correction: Number
    approve: bool
    reason: Remark = ""


class SetDisplay(Command, frozen=True):
    """What a bonus jackpot shows from now on."""

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
    """Somebody new. A `bot` is of the house's own, a `guest` plays with play money: reports tell them apart.

    `name` is an id and stays: the name that is shown lives with the credentials.
    """

    name: Name
    role: Role
    kind: Kind = "person"


class ChangeRole(Command, frozen=True):
    name: Name
    role: Role
    reason: Reason


class Disable(Command, frozen=True):
    """This person may do nothing more, until enabled."""

    name: Name
    reason: Reason


class Enable(Command, frozen=True):
    name: Name
    reason: Reason


class StartShift(Command, frozen=True):
    """Somebody of the staff is on duty from now on."""


class EndShift(Command, frozen=True):
    """And is no longer."""


FloorKey = Annotated[str, Meta(max_length=40)]
FloorNumber = Annotated[int, Meta(ge=-(10**9), le=10**9)] | Annotated[float, Meta(ge=-(10**9), le=10**9)]
FloorValue = (
    bool
    | FloorNumber
    | Annotated[str, Meta(max_length=100)]
    | Annotated[tuple[Name, ...], Meta(max_length=1_000)]
    | None
)
"""What else is wrong with a text the settings say: msgspec frees a pattern beside a list as what it is not."""
Alert = Annotated[str, Meta(min_length=1, max_length=200, pattern=LINE)]


class Acknowledge(Command, frozen=True):
    """Somebody has seen an alert, such as `meter/mega closed 41`, and sees to it. An alert is acknowledged once."""

    alert: Alert
    note: Remark = ""


class RequireApproval(Command, frozen=True):
    """Whether what an administrator changes takes a second one from now on."""

    on: bool
    reason: Reason


class SetFloor(Command, frozen=True):
    """Other values of settings of the floor, by their keys in `docs/settings.md`; the others stay."""

    changes: Annotated[dict[FloorKey, FloorValue], Meta(min_length=1, max_length=40)]
    reason: Reason


AnyChange = (
    CreateTable | ChangeTable | CreateMeter | ChangeMeter | AddPerson | ChangeRole | Disable | Enable | RequireApproval
    | SetFloor
)  # fmt: skip
"""What takes two administrators where the house requires it."""


class ProposeChange(Command, frozen=True):
    """A command of an administrator that another one is to approve; its number is that of its event in the office."""

    stream: Annotated[str, Meta(max_length=50)]
    command: AnyChange
    reason: Reason


class DecideChange(Command, frozen=True):
    """Another administrator's word on a proposed change: an approval carries it out."""

    change: Number
    approve: bool
    reason: Remark = ""


class Audited(Command, frozen=True):
    """Somebody has audited the books: up to which heads, by their digest, since which, and how much was wrong."""

    heads: Annotated[str, Meta(pattern=SHA256)]
    findings: Number
    since: Annotated[str, Meta(pattern=SHA256)] | None = None
