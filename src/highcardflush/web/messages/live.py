"""The messages of the live socket, in both directions."""

from msgspec import UNSET, Raw, Struct, UnsetType

from highcardflush.house.commands import Role
from highcardflush.web.messages.facts import Fact
from highcardflush.web.messages.parts import Message, Refusal
from highcardflush.web.messages.tables import Clock, Round, View, You


class Watch(Struct, tag="watch", forbid_unknown_fields=True):
    """Subscribe to a table's events. Those after number `after` come first, or the whole table if `after` is absent."""

    table: str
    after: int | None = None


class Unwatch(Struct, tag="unwatch", forbid_unknown_fields=True):
    table: str


class Do(Struct, tag="do", forbid_unknown_fields=True):
    """Submit a command under an idempotency key."""

    key: str
    stream: str
    command: Raw


class Ping(Struct, tag="ping", forbid_unknown_fields=True):
    n: int = 0


ClientMessage = Watch | Unwatch | Do | Ping


class Accepted(Message, frozen=True):
    """Event that an accepted command has written to disk."""

    stream: str
    seq: int
    kind: str


class Hello(Message, frozen=True, tag="hello"):
    """First message of every connection."""

    protocol: int
    name: str
    role: Role
    balance_cents: int | UnsetType = UNSET
    """Balance of the person's wallet; absent for staff, who have no wallet."""


class TableMessage(Message, frozen=True, kw_only=True, tag="table"):
    """The whole state of a table, sent after `watch` and to a client that has fallen behind."""

    table: str
    seq: int
    round: Round | None
    taken: dict[str, str]
    view: View | None
    you: You | None
    clock: Clock | None
    next: Round | None = None
    """At a table for one, the round that takes wagers while the last one is still in view."""


class ToldMessage(TableMessage, frozen=True, kw_only=True, tag="told"):
    """A committed event: its facts, and the table after it."""

    kind: str
    told: list[Fact]


class DoneMessage(Message, frozen=True, tag="done"):
    """The command has been accepted, and its event is on disk."""

    key: str
    answer: Accepted


class RefusedMessage(Message, frozen=True, tag="refused"):
    """The message could not be read, or the command was refused and changed nothing."""

    key: str | None
    error: Refusal


class PongMessage(Message, frozen=True, tag="pong"):
    n: int


class BalanceMessage(Message, frozen=True, tag="balance"):
    balance_cents: int


class MeterMessage(Message, frozen=True, tag="meter"):
    name: str
    amount_micros: int


class WinMessage(Message, frozen=True, tag="win"):
    """A meter was hit, or supervisors have decided on one of its wins."""

    meter: str
    table: str
    seat: int
    amount_cents: int
    state: str


class ByeMessage(Message, frozen=True, tag="bye"):
    """Last message before the server closes the connection."""

    code: str
    message: str


ServerMessage = (
    Hello
    | TableMessage
    | ToldMessage
    | DoneMessage
    | RefusedMessage
    | PongMessage
    | BalanceMessage
    | MeterMessage
    | WinMessage
    | ByeMessage
)
