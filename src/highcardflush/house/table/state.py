"""A table as its stream tells it: its configuration, who sits, and the live round with the engine's state.

Everything here follows from events, so a table that was lost with its process comes back as it was acknowledged, with
the same deck: the seed lies sealed in the event that opened the round.
"""

from __future__ import annotations

from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from highcardflush.cards import Card
from highcardflush.fairness import shuffle
from highcardflush.game import events as e
from highcardflush.game import step
from highcardflush.game.actions import Action, DealHand
from highcardflush.game.state import State
from highcardflush.house.books.accounts import Accounts
from highcardflush.house.books.event import Event, Head
from highcardflush.house.commands import TableState
from highcardflush.house.events import Config, Unsealed, kind_of
from highcardflush.house.secret import Secret
from highcardflush.house.table.told import RoundOpened, Told
from highcardflush.rulebook.load import configure
from highcardflush.rulebook.model import Rulebook
from highcardflush.words import refuse


class Keyed(Struct, frozen=True, gc=False):
    """A hand that was keyed in, and the round before it."""

    seat: int
    before: State


class Hidden(Struct, frozen=True, gc=False):
    """What of a round only the house knows."""

    state: State
    seed: bytes | None
    """The server seed of a virtual table."""
    unsealed: tuple[Unsealed, ...] = ()
    keyed: tuple[Keyed, ...] = ()
    """The hands that were keyed in since anything else was done: they may be taken back."""


class Round(Struct, frozen=True, gc=False):
    """The live round, or the last one. Whoever prints or encodes it tells nothing of its cards."""

    number: int
    rulebook: Rulebook
    hidden: Secret[Hidden]
    seats: dict[int, str | None]
    """Who sat down before the lock: a seat keeps its owner to the end of the round."""
    commitment: str | None = None
    """Of the server seed of a virtual table."""
    closed: str | None = None
    player_seeds: dict[int, str] = {}
    """Named in the open, or revealed."""
    commitments: dict[int, str] = {}
    """Of seats that commit to a seed first."""
    seeds_given: dict[int, int] = {}
    """How often a seat named or committed a seed, whoever sat there."""
    opened_at: int = 0
    """When it was opened, by the clock of who did."""
    asked: Head = Head()
    """The event since which players are asked: for bets the opening, then the first wager, for seeds the lock, then the
    cards; of a round that is over its end. See `due`."""
    office: int = 0
    """The office's newest event when it was opened."""
    lost: bool = False
    """Its seal cannot be opened: the house key was lost. Nothing is left but to void it."""
    stale: str | None = None
    """Which epoch has begun since it was opened, and why: its cards may be known. Nothing is left but to void it."""

    @property
    def state(self) -> State:
        return self.hidden.reveal().state

    @property
    def seed(self) -> bytes | None:
        return self.hidden.reveal().seed

    @property
    def unsealed(self) -> tuple[Unsealed, ...]:
        return self.hidden.reveal().unsealed

    @property
    def keyed(self) -> tuple[Keyed, ...]:
        return self.hidden.reveal().keyed

    def hide(self, **changes: Any) -> Round:
        """The round with other fields of what is hidden."""
        return replace(self, hidden=Secret(replace(self.hidden.reveal(), **changes)))

    @property
    def seeds_in_play(self) -> dict[int, str]:
        """The seed of each seat in play, in seat order; empty where none was named."""
        return {seat.number: self.player_seeds.get(seat.number, "") for seat in self.state.seats}

    @property
    def commitments_in_play(self) -> dict[int, str]:
        return {
            seat.number: self.commitments[seat.number] for seat in self.state.seats if seat.number in self.commitments
        }

    @property
    def awaited(self) -> tuple[int, ...]:
        """The seats whose committed seed may be revealed now: after the lock, before anything is drawn."""
        if self.state.phase != "locked" or (self.state.dice, self.state.dynamic) != (None, None):
            return ()
        return tuple(seat for seat in self.commitments_in_play if seat not in self.player_seeds)

    def chance(self) -> tuple[bytes, list[bytes]]:
        """The server's seed and the players', as the shuffle takes them."""
        if self.seed is None:
            raise refuse("no-virtual-chance")
        return self.seed, [bytes.fromhex(seed) for seed in self.seeds_in_play.values()]

    def deck(self) -> tuple[Card, ...]:
        return shuffle(*self.chance())


class Table(Struct, frozen=True, gc=False):
    name: str
    head: Head
    config: Config
    config_seq: int
    dealers: frozenset[str] = frozenset()
    """Who is assigned to it."""
    consents: dict[str, str] = {}
    """Players who may be seated by whoever shows a token, and the token's hash."""
    state: TableState = "open"
    """How it was switched since the last opening: before one it is always open."""
    seats: dict[int, str | None] = {}
    warned: frozenset[int] = frozenset()
    """Seats whose players were warned since they sat down."""
    made: dict[str, int] = {}
    """How many events each player has made here since the last opening, decisions apart."""
    rounds: int = 0
    round: Round | None = None
    last: Round | None = None
    """The round that is over, until the next is opened."""
    told: Secret[tuple[Told, ...]] = Secret(())
    """What the newest event told, cards and all: `view.told` says how much of it to whom."""

    @property
    def stream(self) -> str:
        return f"table/{self.name}"

    @property
    def asked(self) -> Head:
        """The event since which this is waited for: what players are asked, or the next round."""
        round_ = self.round or self.last
        return round_.asked if round_ is not None else Head()

    def live(self) -> Round:
        """The round, to be played on."""
        round_ = self.open()
        if round_.lost:
            raise refuse("key-lost")
        if round_.stale is not None:
            raise refuse("round-stale", why=round_.stale)
        return round_

    def open(self) -> Round:
        """The round, to be voided at least."""
        if self.round is None:
            if self.state != "open":
                raise refuse("table-state", table=self.name, state=self.state)
            raise refuse("no-round", table=self.name)
        return self.round

    def accounts(self) -> Accounts:
        bonus = self.config.rulebook.jackpot_mode == "bonus"
        seats = self.round.seats if self.round else self.seats
        return Accounts(self.name, {**self.seats, **seats}, {str(k): v for k, v in self.config.meters.items()}, bonus)


# --- what an event changes -----------------------------------------------------------------------


def act(round_: Round, action: Action) -> tuple[Round, tuple[e.Event, ...]]:
    """The round after one action of the engine."""
    state, told = step(round_.rulebook, round_.state, action)
    keyed = (*round_.keyed, Keyed(action.seat, round_.state)) if isinstance(action, DealHand) else ()
    return round_.hide(state=state, keyed=keyed), told


_CONFIGURED: dict[tuple[str, tuple[tuple[str, str], ...]], Rulebook] = {}


def configured(rulebook: Rulebook, settings: dict[str, str]) -> Rulebook:
    """The rulebook with more settings laid over it. Checking them is slow, and every round asks: some are kept."""
    if not settings:
        return rulebook
    key = (rulebook.table_hash, tuple(settings.items()))
    found = _CONFIGURED.get(key)
    if found is None:
        if len(_CONFIGURED) >= 256:
            _CONFIGURED.clear()
        found = _CONFIGURED[key] = configure(rulebook, None, settings)
    return found


def opened(table: Table, event: Event, round_: Round, **changes: Any) -> Table:
    """The table after the event that opened a round."""
    told = RoundOpened(round_.number, round_.state.meters, round_.commitment, round_.closed)
    round_ = replace(round_, opened_at=event.at, office=event.office, asked=event.head)
    return replace(after(table, event, told), made={}, rounds=round_.number, round=round_, last=None, **changes)


def played(table: Table, event: Event, round_: Round, told: tuple[Told, ...]) -> Table:
    """The table after an event of its round, which may be its end."""
    if round_.state.settlement is not None:
        over = replace(round_.hide(unsealed=(), keyed=()), asked=event.head, stale=None)
        return replace(after(table, event, *told), round=None, last=over)
    first = table.round is not None and not table.round.state.seats and bool(round_.state.seats)
    if first or kind_of(event.stream, event.kind).event_kind.starts_clock:
        round_ = replace(round_, asked=event.head)
    return replace(after(table, event, *told), round=round_)


def after(table: Table, event: Event, *told: Told) -> Table:
    """The table with another newest event, counted if a player made it and it is no decision."""
    made = table.made
    if event.role == "player" and not kind_of(event.stream, event.kind).event_kind.always_allowed:
        made = {**made, event.actor: made.get(event.actor, 0) + 1}
    return replace(table, head=event.head, made=made, told=Secret(told))


def remember(round_: Round, seq: int, action: Action, told: tuple[e.Event, ...]) -> Round:
    """Keep what was sealed, to be told when the round is over."""
    return round_.hide(unsealed=(*round_.unsealed, Unsealed(seq, action, told)))
