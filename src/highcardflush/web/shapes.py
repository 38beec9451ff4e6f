"""The shapes of the wire as types: what the documents of the interface are made from, and what tests hold answers
against. `wire.py` makes what has them."""

from __future__ import annotations

from typing import Any, Literal, NotRequired, TypedDict

from highcardflush.house.commands import Kind, Role
from highcardflush.web.health import Health

Cards = str
"""Such as `AsKs9s 6d`."""
Suit = Literal["c", "d", "h", "s"]


# --- errors --------------------------------------------------------------------------------------


class Refusal(TypedDict):
    code: str
    message: str
    read: NotRequired[str]
    expected: NotRequired[str]


class Failed(TypedDict):
    error: Refusal


# --- people --------------------------------------------------------------------------------------


class Me(TypedDict):
    name: str
    role: Role
    kind: Kind
    balance_cents: NotRequired[int]
    """Of who has a wallet."""


class Balance(TypedDict):
    balance_cents: int


class Ticket(TypedDict):
    ticket: str


class SignedIn(TypedDict):
    """A session, or a token of a program."""

    id: str
    kind: Literal["session", "token"]
    name: str | None
    made_ms: int
    until_ms: int
    this: bool
    """Whether it is the one that asks."""


class Token(SignedIn):
    token: str
    """Shown now and never again."""


class Code(TypedDict):
    code: str
    person: str
    until_ms: int


class FactorKey(TypedDict):
    key: str
    uri: str


class Factor(TypedDict):
    second_factor: FactorKey


class Signed(TypedDict):
    """The name to sign in with, and what staff are shown now and never again."""

    name: str
    second_factor: NotRequired[FactorKey]


# --- a table -------------------------------------------------------------------------------------


class Limit(TypedDict):
    minimum_cents: int
    maximum_cents: int | None
    step_cents: int
    required: bool


class Round(TypedDict):
    number: int
    commitment: str | None
    closed: str | None
    """Why the progressive is not taken."""
    stale: str | None
    """Why it can only be voided."""


class Place(TypedDict):
    """A table."""

    name: str
    rulebook: str
    title: str
    physical: bool
    open: bool
    phase: str | None
    round: Round | None
    seats: int
    taken: dict[str, str]
    """Who sits where, by the number of the seat."""
    limits: dict[str, Limit]
    offers: dict[str, str]
    """Pay tables by side bet."""
    meters: dict[str, str]
    """Meters by level."""


class Hand(TypedDict):
    cards: int
    seen: Cards
    """What this viewer may see."""


class Decision(TypedDict):
    raise_cents: NotRequired[int]
    """A fold has none."""
    keep: Suit | None
    expose: Cards


class Seat(TypedDict):
    number: int
    wagers: dict[str, int]
    hand: Hand | None
    decision: Decision | None
    void: Any


class Words(TypedDict):
    """What a person reads: by code and values for other languages, and in English."""

    code: str
    values: dict[str, Any]
    text: str


class Result(TypedDict):
    seat: int
    wager: str
    stake_cents: int
    outcome: str
    paid_cents: int
    net_cents: int
    reason: Words


class View(TypedDict):
    phase: Literal["betting", "locked", "dealt", "acting", "showdown", "settled", "void"]
    seats: list[Seat]
    """Those with wagers."""
    dealer: Hand | None
    meters: dict[str, Any]
    dynamic: dict[str, int] | None
    dice: Any
    results: list[Result]


class Option(TypedDict):
    """Something that may be done."""

    type: Literal["PlaceWagers", "ClearWagers", "Raise", "Fold"]
    wagers: NotRequired[dict[str, Limit]]
    amounts_cents: NotRequired[list[int]]
    minimum_cents: NotRequired[int]
    maximum_cents: NotRequired[int | None]
    step_cents: NotRequired[int]
    keep: NotRequired[Suit | None]
    exposable: NotRequired[Cards]


class Default(TypedDict):
    type: Literal["Fold", "Raise"]
    amount_cents: NotRequired[int]
    keep: NotRequired[Suit | None]


class You(TypedDict):
    seat: int
    legal: list[Option]
    default: Default | None
    """What happens when the clock runs out."""


Clock = TypedDict("Clock", {"for": Literal["betting", "decision", "pause"], "ends_in_ms": int})


class TableNow(Place):
    """A table as the caller may see it."""

    seq: int
    view: View | None
    you: You | None
    clock: Clock | None


class Accepted(TypedDict):
    """A command that is on disk: the event that it made."""

    stream: str
    seq: int
    kind: str


class Fact(TypedDict):
    """Something that was told, by its `type`: its other keys depend on that."""

    type: str


class Event(TypedDict):
    seq: int
    at_ms: int
    kind: str
    told: list[Fact]


# --- the rest ------------------------------------------------------------------------------------


class Hit(TypedDict):
    table: str
    seat: int
    at_ms: int
    amount_cents: int
    state: str


class Meter(TypedDict):
    name: str
    paytable: str
    kind: Literal["progressive", "bonus"]
    amount_micros: int
    notice: str | None
    tables: list[str]
    last_hits: list[Hit]


class Record(TypedDict):
    """A round that is over."""

    table: str
    number: int
    rulebook: str
    sha256: str
    notation: str
    proof: str
    results: list[Result]


class Rulebook(TypedDict):
    name: str
    title: str
    version: str
    sha256: str
    paytables: list[str]


class Rules(TypedDict):
    """A rulebook as data: what stands here, and all else of its document."""

    name: str
    title: str
    version: str
    sha256: str
    rules: list[Any]
    notices: list[Any]
    paytables: list[dict[str, Any]]
    settings: list[dict[str, Any]]
    limits: NotRequired[dict[str, Limit]]
    """At a table."""


class HandOdds(TypedDict):
    """`hcf odds hand --json`: an exact value is a text n/d."""

    fold: str
    best: str


class TableOdds(TypedDict):
    """`hcf odds paytable --json`."""

    wager: str
    lines: list[dict[str, Any]]
    house_edge: float
    house_edge_exact: str


class Document(TypedDict):
    """This interface."""

    info: dict[str, Any]


ANSWERS: dict[str, Any] = {
    "POST /guest": Me,
    "POST /register": Me,
    "POST /login": Me,
    "GET /me": Me,
    "POST /refill": Balance,
    "POST /ticket": Ticket,
    "POST /second-factor": Factor,
    "GET /sessions": list[SignedIn],
    "POST /tokens": Token,
    "POST /codes": Code,
    "POST /codes/use": Signed,
    "GET /tables": list[Place],
    "GET /tables/{name}": TableNow,
    "GET /tables/{name}/events": list[Event],
    "GET /tables/{name}/rules": Rules,
    "GET /meters": list[Meter],
    "GET /meters/{name}": Meter,
    "POST /commands/{stream}": Accepted,
    "GET /rounds/{table}/{number}": Record,
    "GET /rulebooks": list[Rulebook],
    "GET /rulebooks/{name}": Rules,
    "GET /odds/hand": HandOdds,
    "GET /odds/paytable": TableOdds,
    "GET /openapi.json": Document,
    "GET /asyncapi.json": Document,
    "GET /health": Health,
}
"""What calls answer whose handlers do not say it by their types."""
MEDIA: dict[str, dict[str, Any]] = {
    "GET /meters/{name}/live": {"text/event-stream": str},
    "GET /metrics": {"text/plain": str},
    "GET /house/reports/{name}": {"application/json": Any, "text/csv": str},
}
"""Of those that do not answer in JSON, or not only."""
UNWELL = {"GET /health": "503"}
"""Statuses that answer the same as a success does."""


# --- the live socket -----------------------------------------------------------------------------


class Hello(TypedDict):
    """The first message."""

    type: Literal["hello"]
    protocol: int
    name: str
    role: Role
    balance_cents: NotRequired[int]


class TableMessage(TypedDict):
    """The whole of a table: after `watch`, and whenever a client has fallen behind."""

    type: Literal["table"]
    table: str
    seq: int
    round: Round | None
    taken: dict[str, str]
    view: View | None
    you: You | None
    clock: Clock | None


class ToldMessage(TypedDict):
    """One committed event: what was told, and everything after it."""

    type: Literal["told"]
    table: str
    seq: int
    kind: str
    told: list[Fact]
    round: Round | None
    taken: dict[str, str]
    view: View | None
    you: You | None
    clock: Clock | None


class DoneMessage(TypedDict):
    """A command is on disk."""

    type: Literal["done"]
    key: str
    answer: Accepted


class RefusedMessage(TypedDict):
    """A message that could not be read, or a command that was refused and did nothing."""

    type: Literal["refused"]
    key: str | None
    error: Refusal


class PongMessage(TypedDict):
    type: Literal["pong"]
    n: int


class BalanceMessage(TypedDict):
    type: Literal["balance"]
    balance_cents: int


class MeterMessage(TypedDict):
    type: Literal["meter"]
    name: str
    amount_micros: int


class WinMessage(TypedDict):
    type: Literal["win"]
    meter: str
    table: str
    seat: int
    amount_cents: int
    state: str


class ByeMessage(TypedDict):
    """Before the server closes."""

    type: Literal["bye"]
    code: str
    message: str


SERVER_SAYS: tuple[Any, ...] = (
    Hello, TableMessage, ToldMessage, DoneMessage, RefusedMessage, PongMessage, BalanceMessage, MeterMessage,
    WinMessage, ByeMessage,
)  # fmt: skip
