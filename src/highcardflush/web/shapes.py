"""The shapes of the wire as types: what the documents of the interface are made from, and what tests hold answers
against. `wire.py` makes what has them."""

from __future__ import annotations

from functools import reduce
from operator import or_
from typing import TYPE_CHECKING, Any, Literal, NotRequired, TypedDict, get_type_hints

from msgspec import Struct, defstruct

from highcardflush import cards
from highcardflush.coach.advice import MistakeKind
from highcardflush.coach.severity import Severity
from highcardflush.game import events, state
from highcardflush.house import reports
from highcardflush.house.commands import Kind, Role
from highcardflush.house.floor_settings import FloorSettings
from highcardflush.house.office.alerts import Acknowledged
from highcardflush.house.office.people import OnDuty
from highcardflush.house.reports import floor as by_day
from highcardflush.house.reports.meters import HitReport
from highcardflush.house.table.told import HouseTold
from highcardflush.jackpot import Meter as MeterAmount
from highcardflush.web.server.audits import Audit
from highcardflush.web.server.health import Health
from highcardflush.words import Reason

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
    closed: Words | None
    """Why the progressive is not taken."""
    stale: Words | None
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
    coach: bool
    """Whether the coach helps there."""


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
    void: state.HandVoid | None


class Words(TypedDict):
    """What a person reads: by code and values for other languages, and in English."""

    code: str
    values: dict[str, int | str]
    text: str
    own_text: NotRequired[str]
    """The text for the player in the seat that it is about, where it differs: "you folded"."""
    more: NotRequired[list[Words]]
    """What is said after it."""


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
    meters: dict[str, MeterAmount]
    """What the displays show."""
    dynamic: dict[str, int] | None
    dice: tuple[int, int, int] | None
    results: list[Result]
    void: state.RoundVoid | None
    notice: str | None
    """What stands beside the amount of a bonus jackpot, word for word."""


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


TELLS: dict[Any, Any] = {cards.Hand: Cards, Reason: Words, state.Result: Result}
"""What `wire.py` makes of what a fact has."""


def _fact(kind: type[Struct]) -> Any:
    """Something that is told, as it is on the wire: always with all that it has."""
    hints: dict[str, Any] = {**get_type_hints(kind), "keep": Suit | None, "closed": Words | None}
    fields = [(name, TELLS.get(hints[name], hints[name])) for name in kind.__struct_fields__]
    return defstruct(kind.__name__, fields, namespace={"__doc__": kind.__doc__}, tag=True)


FACTS: dict[str, Any] = {
    kind.__name__: _fact(kind) for family in (events.Event, HouseTold) for kind in family.__subclasses__()
}
if TYPE_CHECKING:
    Fact = dict[str, Any]
else:
    Fact = reduce(or_, FACTS.values())


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


class RaiseOf(TypedDict):
    """The Raise with so many cards in the flush that plays, in Antes."""

    cards: int
    minimum_antes: float
    maximum_antes: float
    step_antes: float | None
    """Between one Raise and the next; none where any amount may be raised."""


class Traits(TypedDict):
    """What tells a rulebook from another."""

    expose: Literal["refused", "optional", "required"]
    paid_at_once: bool
    dealing_methods: list[Literal["left-to-right", "dice"]]
    kind: Literal["exact", "multiples", "between", "steps"]
    """Of the Raise; in steps where an own rulebook says so."""
    minimum_open: bool
    side_bets: list[str]
    jackpot_modes: list[Literal["progressive", "bonus"]]
    envy: bool
    dynamic: bool
    levels: int
    """The most meters that a pay table has."""
    raises: list[RaiseOf]
    posted: list[Words]
    """The limits that the document prints."""


class Rulebook(TypedDict):
    name: str
    title: str
    version: str
    sha256: str
    paytables: list[str]
    traits: Traits


class SideBetRule(TypedDict):
    """A side bet: its names, and the hands that it pays for."""

    title: str
    noun: str
    """The hands in its pay table: a five-card *flush*."""
    key: str
    """The preferred key on a keyboard; empty if it has none."""
    counts: Literal["cards", "run"] | None
    """The bet counts the cards of one suit, or the longest run in one suit; null if neither describes it."""
    ranks: str
    """The ranks that count."""
    smallest: int
    """The fewest cards that count."""
    shown: bool
    """Only cards that are kept or face up count, where the rulebook requires it."""
    jackpot: bool


class Rules(TypedDict):
    """A rulebook as data: what stands here, and all else of its document."""

    name: str
    title: str
    version: str
    sha256: str
    rules: list[Any]
    notices: list[Any]
    notices_in_force: list[str]
    paytables: list[dict[str, Any]]
    side_bets: dict[str, SideBetRule]
    settings: list[dict[str, Any]]
    traits: Traits
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


class Bar(TypedDict):
    """The dealer's hands that a Raise meets, by what they do to it."""

    not_qualified: int
    win: int
    tie: int
    lose: int


class Worth(TypedDict):
    """What a decision is worth on Ante and Raise, in cents and in Antes, and beside the best; exactly as a text n/d."""

    type: Literal["Fold", "Raise"]
    amount_cents: NotRequired[int]
    keep: NotRequired[Suit | None]
    value_cents: float
    value_cents_exact: str
    antes: float
    antes_exact: str
    cost_cents: float
    """Against the best."""
    cost_cents_exact: str
    cost_antes: float
    severity: Severity
    bar: NotRequired[Bar]


class MistakeMade(TypedDict):
    kind: MistakeKind
    cost_cents: float


class AskedWorth(Worth):
    """A decision that was asked about or made, with what is laid face up."""

    mistakes: list[MistakeMade]


class Advice(TypedDict):
    seat: int
    best: Worth
    options: list[Worth]
    why: list[Words]
    """A sentence each."""
    asked: AskedWorth | None


class BreakEven(TypedDict):
    meter: str
    amount_micros: int | None
    break_even_micros: int
    """From so much on the bet is in the player's favour, the other meters at their seeds."""


class SideBet(TypedDict):
    """What a side bet is worth: below nothing it costs money."""

    wager: str
    stake_cents: int
    value_cents: float
    value_cents_exact: str
    edge: float
    edge_exact: str
    in_your_favour: bool
    bonus: bool
    """Whether it is a bonus jackpot, which must not pass for a progressive."""
    notice: str | None
    """What stands beside the amount of a bonus jackpot, word for word."""
    meters: list[BreakEven]


class SideBets(TypedDict):
    table: str
    bets: list[SideBet]


# --- what is one's own ---------------------------------------------------------------------------


class OwnRound(TypedDict):
    """A round of one's own that is over."""

    table: str
    number: int
    at_ms: int
    seat: int
    outcome: Literal["settled", "void"]
    bonus: bool
    """Whether the jackpot of the table was then a bonus jackpot."""
    net_cents: int
    results: list[Result]


class OwnRounds(TypedDict):
    """The oldest first; `before` asks for those before them."""

    rounds: list[OwnRound]
    before: int | None


class OwnLine(TypedDict):
    """What moved the wallet, or the end of a round from which nothing came back."""

    at_ms: int
    stream: str
    round: int | None
    what: Words
    """By the kind of the event; the values are wagers that were placed."""
    bonus: bool
    amount_cents: int
    balance_cents: int
    pending_cents: int
    """A 100 % win that supervisors decide."""


class OwnStatement(TypedDict):
    opening_cents: int
    lines: list[OwnLine]
    balance_cents: int
    agrees: bool
    before: int | None


class GradedRound(TypedDict):
    """A round of one's own with its grade; what runs on is summed from the first one on."""

    table: str
    number: int
    at_ms: int
    net_cents: int
    expected_cents: float
    cost_cents: float
    cost_antes: float
    severity: Severity
    mistakes: list[MistakeMade]
    result_cents: int
    """All nets so far."""
    line_cents: float
    """What best play expects so far."""
    low_cents: float
    high_cents: float
    """The band: two standard deviations about it."""


class GradedSession(TypedDict):
    """result = expectation - mistakes + luck."""

    rounds: list[GradedRound]
    left_out: int
    """Rounds of which nothing can be graded."""
    net_cents: int
    expected_cents: float
    cost_cents: float
    luck_cents: float
    z: float
    luck: Words
    since_ms: int | None
    """When the first of them ended."""


class Break(TypedDict):
    until_ms: int | None
    """Until then no wager of the caller is taken; None: no break."""


class Weighed(TypedDict):
    """A decision that was made: what it was worth, and what each choice would have been."""

    seat: int
    ante_cents: int
    hand: Cards
    seen: Cards
    """Of other seats, face up before it."""
    best: Worth
    options: list[Worth]
    """Whole Antes, the ends and what was raised."""
    why: list[Words]
    """A sentence each."""
    made: AskedWorth


class Step(TypedDict):
    """One action of a round that is over."""

    kind: str
    told: list[Fact]
    view: View
    """The round after it, all cards open."""
    weighed: NotRequired[Weighed]
    """Of a decision."""


class Steps(TypedDict):
    """A round that is over, step by step."""

    table: str
    number: int
    you: int | None
    """The seat that the caller had."""
    bonus: bool
    """Whether its jackpot was a bonus jackpot, which must not pass for a progressive."""
    base_cents: int | None
    """What the dollars of the jackpot's pay table are for; null where none was offered."""
    steps: list[Step]
    rules: dict[str, str]
    side_bets: dict[str, SideBetRule]
    """The side bets of these rulebooks."""
    """The rulebook that was played by, and those whose pay tables it has taken, by name: JSON whose hash the record
    has."""


# --- operators -----------------------------------------------------------------------------------


def timed(key: str) -> str:
    """The key of a whole number of the books, which have moments in microseconds: on the wire they are in `_ms`."""
    return f"{key}_ms" if key == "at" or key.endswith("_at") else key


def _with(kind: type[Struct], **more: type) -> Any:
    """A report, and what follows from it."""
    return defstruct(f"{kind.__name__}Told", list(more.items()), bases=(kind,), kw_only=True)


class DayReport(Struct):
    """A report of a gaming day."""

    day: str
    starts_ms: int
    ends_ms: int
    names: dict[str, str]
    """How players are called."""


def _of_day(row: Any) -> Any:
    return defstruct(f"{row.__name__}s", [("rows", list[row])], bases=(DayReport,))


OF_DAY = tuple(map(_of_day, (by_day.FloorRow, by_day.HoldRow, by_day.DayRow, by_day.PlayerRow, by_day.MeterRow)))


class ProposedChange(TypedDict):
    stream: str
    command: dict[str, Any]
    reason: str


class WaitingChange(TypedDict):
    change: int
    at_ms: int
    actor: str
    proposed: ProposedChange


HOUSE: dict[str, Any] = {
    "GET /house/overview": reports.Overview,
    "GET /house/floor": FloorSettings,
    "GET /house/tables/{name}": reports.TableRow,
    "GET /house/tables/{name}/rounds": list[reports.RoundRow],
    "GET /house/meters": list[reports.MeterFields],
    "GET /house/meters/{name}": reports.MeterFields,
    "GET /house/meters/{name}/hits": list[HitReport],
    "GET /house/meters/{name}/reconciliation": _with(reports.Reconciliation, agrees=bool),
    "GET /house/wins": list[reports.WinRow],
    "GET /house/changes": list[WaitingChange],
    "GET /house/alerts": list[reports.AlertRow],
    "GET /house/alerts/acknowledged": list[Acknowledged],
    "GET /house/people": list[_with(reports.PersonRow, shown=str)],  # type: ignore[misc]
    "GET /house/people/{person}/statement": _with(reports.Statement, agrees=bool),
    "GET /house/shifts": list[OnDuty],
    "GET /house/balances": _with(reports.Balances, total_micros=int, agrees=bool),
    "GET /house/audits": list[Audit],
    "GET /house/audits/{name}": Audit,
    "POST /house/audits": Audit,
    "PATCH /house/floor": Accepted,
    "POST /house/tables/{name}": Accepted,
    "PATCH /house/tables/{name}": Accepted,
    "POST /house/tables/{name}/state": Accepted,
    "POST /house/meters/{name}": Accepted,
    "POST /house/alerts/acknowledge": Accepted,
}
"""What staff are answered: what the reports of the house are made of."""
ANSWERS: dict[str, Any] = {
    **HOUSE,
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
    "GET /tables/{name}/advice": Advice,
    "GET /tables/{name}/bets": SideBets,
    "GET /me/rounds": OwnRounds,
    "GET /me/statement": OwnStatement,
    "GET /me/session": GradedSession,
    "GET /break": Break,
    "POST /break": Break,
    "GET /meters": list[Meter],
    "GET /meters/{name}": Meter,
    "POST /commands/{stream}": Accepted,
    "GET /rounds/{table}/{number}": Record,
    "GET /rounds/{table}/{number}/steps": Steps,
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
    "GET /house/reports/{name}": {"application/json": OF_DAY, "text/csv": str},
}
"""Of those that do not answer in JSON, or not only; of several shapes it is any."""
ALSO = {"GET /health": "503", "POST /guest": "200"}
"""Other statuses that answer the same as the first does."""


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
