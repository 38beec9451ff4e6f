"""A table after each event of its stream: how it comes back from the books."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeVar

from msgspec import Struct
from msgspec.structs import replace

from highcardflush.errors import SealError
from highcardflush.game import open_round
from highcardflush.game.actions import Deal
from highcardflush.house import codec
from highcardflush.house.books.event import Event
from highcardflush.house.commands import TableState
from highcardflush.house.events import Config, ShownMeter
from highcardflush.house.secret import Secret
from highcardflush.house.table.state import (
    SEALED,
    Hidden,
    Round,
    Table,
    act,
    after,
    configured,
    opened,
    played,
    read_config,
    remember,
)
from highcardflush.house.table.told import (
    HandTakenBack,
    Seated,
    SeatLeft,
    SeedCommitted,
    SeedNamed,
    TableSwitched,
    Told,
    Warned,
)
from highcardflush.jackpot import Meter

Unseal = Callable[[Event], bytes]
"""Opens the seal of an event."""
K = TypeVar("K")
T = TypeVar("T")


class _Dealer(Struct, frozen=True, gc=False):
    dealer: str


class _Consent(Struct, frozen=True, gc=False):
    player: str
    token_sha256: str | None


class _Seat(Struct, frozen=True, gc=False):
    seat: int
    player: str | None = None
    seed: str = ""
    commitment: str = ""
    reason: str = ""


class _Switch(Struct, frozen=True, gc=False):
    state: TableState
    reason: str


class OpenBody(Struct, frozen=True, gc=False):
    """What an `open` says."""

    round: int
    engine: str
    format: int
    config: int
    commitment: str | None
    rulebook: dict[str, str]
    settings: dict[str, str]
    meters: dict[str, ShownMeter]
    closed: str | None
    seats: dict[int, str | None]
    warned: tuple[int, ...]
    dealers: tuple[str, ...]
    consents: dict[str, str]


class _Act(Struct, frozen=True, gc=False):
    action: codec.AnyAction


class _Secret(Struct, frozen=True, gc=False):
    action: codec.AnyAction
    told: tuple[codec.AnyEvent, ...]


class _Seed(Struct, frozen=True, gc=False):
    seed: str


def begin(config: Config, body: OpenBody, seed: bytes | None) -> Round:
    """The round that an `open` describes."""
    rulebook = configured(config.rulebook, body.settings)
    shown = {level: Meter(meter.amount_micros, meter.reserve_micros) for level, meter in body.meters.items()}
    hidden = Secret(Hidden(open_round(rulebook, shown), seed))
    return Round(body.round, rulebook, hidden, body.seats, body.commitment, body.closed)


def _sealed(event: Event) -> bytes:
    raise AssertionError(f"{event.stream}/{event.seq} is sealed")


def apply(
    table: Table | None, event: Event, unseal: Unseal = _sealed, config: tuple[int, Config] | None = None
) -> Table:
    """The table after one more event. `config` is the one in force, where the stream is read from an `open` on."""
    if table is None:
        name = event.stream.partition("/")[2]
        if config is None:
            body = read_config(event.body)
            return Table(name, event.head, body.config, event.seq, body.dealers)
        table = Table(name, event.head, config[1], config[0])
    match event.kind:
        case "change":
            config_ = read_config(event.body).config
            return replace(after(table, event), config=config_, config_seq=event.seq)
        case "assign":
            return replace(after(table, event), dealers=table.dealers | {codec.decode(event.body, _Dealer).dealer})
        case "unassign":
            return replace(after(table, event), dealers=table.dealers - {codec.decode(event.body, _Dealer).dealer})
        case "consent":
            given = codec.decode(event.body, _Consent)
            return after(_consented(table, given.player, given.token_sha256), event)
        case "sit":
            taken = codec.decode(event.body, _Seat)
            return after(_sat(table, taken.seat, taken.player), event, Seated(taken.seat, taken.player))
        case "leave":
            seat = codec.decode(event.body, _Seat).seat
            return after(_left(table, seat), event, SeatLeft(seat))
        case "warn":
            warned = codec.decode(event.body, _Seat)
            told = Warned(warned.seat, warned.reason)
            return replace(after(table, event, told), warned=table.warned | {warned.seat})
        case "switch":
            switch = codec.decode(event.body, _Switch)
            return replace(after(table, event, TableSwitched(switch.state, switch.reason)), state=switch.state)
        case "open":
            return _opened(table, event, unseal)
        case "settle" if table.round is not None and table.round.lost:  # when it was settled, the key was there
            return replace(after(table, event), round=None)
        case _:
            assert table.round is not None
            return played(table, event, *_in_round(table.round, event, unseal))


def _opened(table: Table, event: Event, unseal: Unseal) -> Table:
    body = codec.decode(event.body, OpenBody)
    round_ = begin(table.config, body, None)
    try:
        seed = bytes.fromhex(codec.decode(unseal(event), _Seed).seed) if event.sealed else None
        round_ = round_.hide(seed=seed)
    except SealError:
        round_ = replace(round_, lost=True)
    return opened(
        table,
        event,
        round_,
        dealers=frozenset(body.dealers),
        consents=body.consents,
        seats=body.seats,
        warned=frozenset(body.warned),
    )


def _consented(table: Table, player: str, digest: str | None) -> Table:
    """A player has consented to be seated by a token with this hash, or no longer does."""
    others = _without(table.consents, player)
    return replace(table, consents={**others, player: digest} if digest else others)


def _sat(table: Table, seat: int, player: str | None) -> Table:
    """Somebody has sat down, and a consent is used up. Before the lock this counts for the live round too."""
    if player is not None:
        table = _consented(table, player, None)
    table = _left(table, seat)
    round_ = table.round
    if round_ is not None and round_.state.phase == "betting":
        round_ = replace(round_, seats={**round_.seats, seat: player})
    return replace(table, seats={**table.seats, seat: player}, round=round_)


def _left(table: Table, seat: int) -> Table:
    """Somebody has left, without a wager in play; a seed that was named goes too."""
    round_ = table.round
    if round_ is not None and round_.state.phase == "betting":
        round_ = replace(
            round_,
            seats=_without(round_.seats, seat),
            player_seeds=_without(round_.player_seeds, seat),
            commitments=_without(round_.commitments, seat),
        )
    return replace(table, seats=_without(table.seats, seat), warned=table.warned - {seat}, round=round_)


def _without(held: dict[K, T], key: K) -> dict[K, T]:
    return {other: value for other, value in held.items() if other != key}


def _in_round(round_: Round, event: Event, unseal: Unseal) -> tuple[Round, tuple[Told, ...]]:
    """The round after one of its events, and what was told."""
    match event.kind:
        case "seed" | "reveal-seed":
            named = codec.decode(event.body, _Seat)
            seeds = {**round_.player_seeds, named.seat: named.seed}
            return replace(_given(round_, named.seat), player_seeds=seeds), (SeedNamed(named.seat, named.seed),)
        case "commit-seed":
            named = codec.decode(event.body, _Seat)
            commitments = {**round_.commitments, named.seat: named.commitment}
            told = SeedCommitted(named.seat, named.commitment)
            return replace(_given(round_, named.seat), commitments=commitments), (told,)
        case "take-back":
            told_back = (HandTakenBack(codec.decode(event.body, _Seat).seat),)
            if round_.lost:
                return round_, told_back
            return round_.hide(state=round_.keyed[-1].before, keyed=round_.keyed[:-1]), told_back
        case _:
            return _acted(round_, event, unseal)


def _given(round_: Round, seat: int) -> Round:
    return replace(round_, seeds_given={**round_.seeds_given, seat: round_.seeds_given.get(seat, 0) + 1})


def _acted(round_: Round, event: Event, unseal: Unseal) -> tuple[Round, tuple[Told, ...]]:
    if event.kind not in SEALED and event.kind != "deal":
        return act(round_, codec.decode(event.body, _Act).action)
    if round_.lost:  # the state stays as it was before the cards
        return round_, ()
    if event.kind == "deal":
        return act(round_, Deal(round_.deck()))
    try:
        secret = codec.decode(unseal(event), _Secret)
    except SealError:
        return replace(round_, lost=True), ()
    round_, told = act(round_, secret.action)
    return remember(round_, event.seq, secret.action, secret.told), told
