"""The state of a table: its configuration, its seats, and the live round with the engine's state.

The whole state is derived from events, so after a crash, a table is restored to its last acknowledged state. The deck
is also the same, because its seed is sealed in the event that opened the round.
"""

from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from highcardflush.cards import Card
from highcardflush.fairness import shuffle
from highcardflush.game import events as e
from highcardflush.game import step
from highcardflush.game.actions import Action, DealHand
from highcardflush.game.state import State
from highcardflush.house.books.event import Accounts, Event, Head
from highcardflush.house.commands import TableState
from highcardflush.house.events import Config, Unsealed, kind_of
from highcardflush.house.secret import Secret
from highcardflush.house.table.told import RoundOpened, Told
from highcardflush.rulebook.load import configure
from highcardflush.rulebook.model import Rulebook
from highcardflush.words import refuse


class Keyed(Struct, frozen=True, gc=False):
    seat: int
    before: State


class Hidden(Struct, frozen=True, gc=False):
    """The secret part of a round, which only the house may see."""

    state: State
    seed: bytes | None
    """The server seed of a virtual table."""
    unsealed: tuple[Unsealed, ...] = ()
    keyed: tuple[Keyed, ...] = ()
    """The newest keyed-in hands. They can be taken back until an event of another kind follows."""


class Round(Struct, frozen=True, gc=False):
    """The live round, or the last finished one. Printing or encoding it reveals no cards."""

    number: int
    rulebook: Rulebook
    hidden: Secret[Hidden]
    seats: dict[int, str | None]
    """The player at each seat. After the lock, the players stay the same until the round ends."""
    commitment: str | None = None
    """The hash of the server seed of a virtual table."""
    closed: str | None = None
    player_seeds: dict[int, str] = {}
    commitments: dict[int, str] = {}
    seeds_given: dict[int, int] = {}
    """Number of seeds and commitments given at each seat, by all players who sat there."""
    opened_at: int = 0
    """The time of the opening in microseconds since 1970, by the clock of the process that opened the round."""
    clock_start: Head = Head()
    """The event that started the current clock (`due.py`): the opening or first wager for betting, the lock for
    revealing seeds, the newest cards or decision for decisions, and the end of the round for the pause."""
    office: int = 0
    """Number of the office's newest event when the round was opened."""
    lost: bool = False
    """True if the house key was lost. Then the round's seal cannot be opened, and the round can only be voided."""
    stale: str | None = None
    """Set if the round is of an earlier epoch, so its cards may be known: the reason why it can only be voided."""

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

    def hide(self, **changes: Any) -> "Round":
        return replace(self, hidden=Secret(replace(self.hidden.reveal(), **changes)))

    @property
    def seeds_in_play(self) -> dict[int, str]:
        """Return the seed of each seat in play, in seat order. A seat without a seed has an empty string."""
        return {seat.number: self.player_seeds.get(seat.number, "") for seat in self.state.seats}

    @property
    def commitments_in_play(self) -> dict[int, str]:
        return {
            seat.number: self.commitments[seat.number] for seat in self.state.seats if seat.number in self.commitments
        }

    @property
    def awaited(self) -> tuple[int, ...]:
        """Return the seats that must still reveal a committed seed. There are none before the lock or after a draw."""
        if self.state.phase != "locked" or (self.state.dice, self.state.dynamic) != (None, None):
            return ()
        return tuple(seat for seat in self.commitments_in_play if seat not in self.player_seeds)

    @property
    def deciding(self) -> tuple[int, ...]:
        """Return the seats that have cards and no decision yet."""
        return tuple(self.state.undecided) if self.state.phase in ("dealt", "acting") else ()

    def chance(self) -> tuple[bytes, list[bytes]]:
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
    consents: dict[str, str] = {}
    """The hash of each player's consent token. Anybody who presents the token may seat that player."""
    state: TableState = "open"
    """The table's state. Only an open table opens a round, so a table whose first read event is an opening is open."""
    seats: dict[int, str | None] = {}
    warned: frozenset[int] = frozenset()
    """Seats whose players have been warned since they sat down."""
    leaving: frozenset[int] = frozenset()
    """Seats whose players leave when the round ends."""
    pause_skipped: bool = False
    """True if the next round opens without waiting for the end of the pause."""
    event_counts: dict[str, int] = {}
    """Number of events that each player has caused since the last opening, except events that are always allowed."""
    rounds: int = 0
    round: Round | None = None
    last: Round | None = None
    messages: Secret[tuple[Told, ...]] = Secret(())
    """The messages of the newest event, with all cards. `view.told` removes what a viewer may not see."""

    @property
    def stream(self) -> str:
        return f"table/{self.name}"

    @property
    def shown(self) -> Round | None:
        """Return the round that viewers see: the live one, or the last one until the next opens. At a table for one,
        the last round stays in view until the player bets again."""
        if self.round is None or (self.last is not None and not self.round.state.seats):
            return self.last
        return self.round

    @property
    def clock_start(self) -> Head:
        """Return the event that started the clock for the players or for the next round."""
        round_ = self.round or self.last
        return round_.clock_start if round_ is not None else Head()

    def require_playable_round(self) -> Round:
        """Return the live round. Refuse if there is none, or if it can only be voided."""
        round_ = self.require_round()
        if round_.lost:
            raise refuse("key-lost")
        if round_.stale is not None:
            raise refuse("round-stale", why=round_.stale)
        return round_

    def require_round(self) -> Round:
        if self.round is None:
            if self.state != "open":
                raise refuse("table-state", table=self.name, state=self.state)
            raise refuse("no-round", table=self.name)
        return self.round

    def accounts(self) -> Accounts:
        bonus = self.config.rulebook.jackpot_mode == "bonus"
        seats = self.round.seats if self.round else self.seats
        return Accounts(self.name, {**self.seats, **seats}, {str(k): v for k, v in self.config.meters.items()}, bonus)


def act(round_: Round, action: Action) -> tuple[Round, tuple[e.Event, ...]]:
    state, messages = step(round_.rulebook, round_.state, action)
    keyed = (*round_.keyed, Keyed(action.seat, round_.state)) if isinstance(action, DealHand) else ()
    return round_.hide(state=state, keyed=keyed), messages


_CONFIGURED: dict[tuple[str, tuple[tuple[str, str], ...]], Rulebook] = {}


def configured(rulebook: Rulebook, settings: dict[str, str]) -> Rulebook:
    """Return the rulebook with additional settings. The result is cached, because checking settings is slow."""
    if not settings:
        return rulebook
    key = (rulebook.table_hash, tuple(settings.items()))
    cached = _CONFIGURED.get(key)
    if cached is None:
        if len(_CONFIGURED) >= 256:
            _CONFIGURED.clear()
        cached = _CONFIGURED[key] = configure(rulebook, None, settings)
    return cached


def after_opening(table: Table, event: Event, round_: Round, **changes: Any) -> Table:
    message = RoundOpened(round_.number, round_.state.meters, round_.commitment, round_.closed)
    round_ = replace(round_, opened_at=event.at, office=event.office, clock_start=event.head)
    return replace(
        after(table, event, message),
        event_counts={},
        pause_skipped=False,
        rounds=round_.number,
        round=round_,
        last=table.last if table.config.alone else None,
        **changes,
    )


def after_play(table: Table, event: Event, round_: Round, messages: tuple[Told, ...]) -> Table:
    if round_.state.settlement is not None:
        over = replace(round_.hide(unsealed=(), keyed=()), clock_start=event.head, stale=None)
        return replace(after(table, event, *messages), round=None, last=over)
    first = table.round is not None and not table.round.state.seats and bool(round_.state.seats)
    if first or kind_of(event.stream, event.kind).event_kind.starts_clock:
        round_ = replace(round_, clock_start=event.head)
    return replace(after(table, event, *messages), round=round_)


def after(table: Table, event: Event, *messages: Told) -> Table:
    """Return the table after one more event. Count a player's event, unless events of its kind are always allowed."""
    counts = table.event_counts
    if event.role == "player" and not kind_of(event.stream, event.kind).event_kind.always_allowed:
        counts = {**counts, event.actor: counts.get(event.actor, 0) + 1}
    return replace(table, head=event.head, event_counts=counts, messages=Secret(messages))


def remember(round_: Round, seq: int, action: Action, engine_events: tuple[e.Event, ...]) -> Round:
    """Store a sealed step, which is revealed when the round ends."""
    return round_.hide(unsealed=(*round_.unsealed, Unsealed(seq, action, engine_events)))
