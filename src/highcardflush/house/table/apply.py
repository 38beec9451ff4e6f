"""Applies events to tables. New events and events that are read from the books are applied in the same way."""

from collections.abc import Callable
from typing import Any, TypeVar, assert_never, cast

from msgspec.structs import replace

from highcardflush.errors import SealError
from highcardflush.game import open_round
from highcardflush.game.actions import Deal
from highcardflush.house import codec
from highcardflush.house import events as ev
from highcardflush.house.books.event import Event
from highcardflush.house.events import Body, Config
from highcardflush.house.secret import Secret
from highcardflush.house.table import told as t
from highcardflush.house.table.state import (
    Hidden,
    Round,
    Table,
    act,
    after,
    after_opening,
    after_play,
    configured,
    remember,
)
from highcardflush.jackpot import Meter

Unseal = Callable[[Event], bytes]
Played = tuple[Round, tuple[t.Told, ...]]
"""A round after one of its events, and the messages of that event."""
K = TypeVar("K")
T = TypeVar("T")


def begin(config: Config, body: ev.RoundOpened, seed: bytes | None) -> Round:
    rulebook = configured(config.rulebook, body.settings)
    displays = {level: Meter(meter.amount_micros, meter.reserve_micros) for level, meter in body.meters.items()}
    hidden = Secret(Hidden(open_round(rulebook, displays), seed))
    return Round(body.round, rulebook, hidden, body.seats, body.commitment, body.closed)


def _sealed(event: Event) -> bytes:
    raise AssertionError(f"{event.stream}/{event.seq} is sealed")


def apply(
    table: Table | None, event: Event, unseal: Unseal = _sealed, config: tuple[int, Config] | None = None
) -> Table:
    """Apply one event from the books. If the first event is an `open`, `config` is the configuration in force."""
    return apply_body(table, event, event.decode(), unseal, config)


def apply_body(
    table: Table | None, event: Event, body: Body, unseal: Unseal = _sealed, config: tuple[int, Config] | None = None
) -> Table:
    if table is None:
        name = event.stream.partition("/")[2]
        if isinstance(body, ev.TableCreated):
            return Table(name, event.head, body.config, event.seq, frozenset(body.dealers))
        assert config is not None
        table = Table(name, event.head, config[1], config[0])
    match cast(ev.TableEvent, body):
        case ev.TableCreated():
            raise AssertionError(f"{event.stream} was created twice")
        case ev.TableChanged(config=changed):
            return replace(after(table, event), config=changed, config_seq=event.seq)
        case ev.DealerAssigned(dealer=dealer):
            return replace(after(table, event), dealers=table.dealers | {dealer})
        case ev.DealerUnassigned(dealer=dealer):
            return replace(after(table, event), dealers=table.dealers - {dealer})
        case ev.ConsentGiven(player=player, token_sha256=digest):
            return after(_with_consent(table, player, digest), event)
        case ev.SeatTaken(seat=seat, player=taker):
            return after(_take_seat(table, seat, taker), event, t.Seated(seat, taker))
        case ev.SeatLeft(seat=seat, code=code):
            return after(_leave_seat(table, seat), event, t.SeatLeft(seat, code))
        case ev.SeatLeaving(seat=seat):
            return replace(after(table, event, t.SeatLeaving(seat)), leaving=table.leaving | {seat})
        case ev.PlayerWarned(seat=seat, reason=reason):
            return replace(after(table, event, t.Warned(seat, reason)), warned=table.warned | {seat})
        case ev.PauseSkipped():
            return replace(after(table, event), pause_skipped=True)
        case ev.TableSwitched(state=state, reason=reason):
            return replace(after(table, event, t.TableSwitched(state, reason)), state=state)
        case ev.RoundOpened() as opening:
            return _open(table, event, opening, unseal)
        case ev.RoundSettled() if table.round is not None and table.round.lost:
            return replace(after(table, event), round=None)  # Another process had the key and settled the round.
        case round_event:
            assert table.round is not None
            return after_play(table, event, *_apply_in_round(table.round, event, round_event, unseal))


def _open(table: Table, event: Event, body: ev.RoundOpened, unseal: Unseal) -> Table:
    round_ = begin(table.config, body, None)
    try:
        seed = bytes.fromhex(codec.decode(unseal(event), ev.SealedSeed).seed) if event.sealed else None
        round_ = round_.hide(seed=seed)
    except SealError:
        round_ = replace(round_, lost=True)
    people = {"dealers": frozenset(body.dealers), "warned": frozenset(body.warned)}
    return after_opening(table, event, round_, consents=body.consents, seats=body.seats, **people)


def _with_consent(table: Table, player: str, digest: str | None) -> Table:
    """Store the hash of a player's consent token, or remove it if there is no new one."""
    remaining = _without(table.consents, player)
    return replace(table, consents={**remaining, player: digest} if digest else remaining)


def _take_seat(table: Table, seat: int, player: str | None) -> Table:
    """Seat somebody, and use up the player's consent. Before the lock, the player also joins the live round."""
    if player is not None:
        table = _with_consent(table, player, None)
    table = _leave_seat(table, seat)
    round_ = table.round
    if round_ is not None and round_.state.phase == "betting":
        round_ = replace(round_, seats={**round_.seats, seat: player})
    return replace(table, seats={**table.seats, seat: player}, round=round_)


def _leave_seat(table: Table, seat: int) -> Table:
    """Free a seat that has no wager in play. Before the lock, this also drops the player's seed."""
    round_ = table.round
    if round_ is not None and round_.state.phase == "betting":
        round_ = replace(
            round_,
            seats=_without(round_.seats, seat),
            player_seeds=_without(round_.player_seeds, seat),
            commitments=_without(round_.commitments, seat),
        )
    others: dict[str, Any] = {"warned": table.warned - {seat}, "leaving": table.leaving - {seat}}
    if table.config.alone and table.round is not None:
        others["last"] = None  # The next player must not see this player's round.
    return replace(table, seats=_without(table.seats, seat), round=round_, **others)


def _without(values: dict[K, T], key: K) -> dict[K, T]:
    return {other: value for other, value in values.items() if other != key}


def _apply_in_round(round_: Round, event: Event, body: ev.RoundEvent, unseal: Unseal) -> Played:
    match body:
        case ev.SeedNamed(seat=seat, seed=seed) | ev.SeedRevealed(seat=seat, seed=seed):
            seeds = {**round_.player_seeds, seat: seed}
            return replace(_count_seed(round_, seat), player_seeds=seeds), (t.SeedNamed(seat, seed),)
        case ev.SeedCommitted(seat=seat, commitment=commitment):
            commitments = {**round_.commitments, seat: commitment}
            return replace(_count_seed(round_, seat), commitments=commitments), (t.SeedCommitted(seat, commitment),)
        case ev.HandTakenBack(seat=seat):
            if not round_.lost:
                round_ = round_.hide(state=round_.keyed[-1].before, keyed=round_.keyed[:-1])
            return round_, (t.HandTakenBack(seat),)
        case (
            ev.WagersPlaced(action=action)
            | ev.WagersCleared(action=action)
            | ev.WagersLocked(action=action)
            | ev.DiceRolled(action=action)
            | ev.DynamicDrawn(action=action)
            | ev.RoundSettled(action=action)
            | ev.RoundVoided(action=action)
        ):
            return act(round_, action)
        case ev.CardsDealt():
            return (round_, ()) if round_.lost else act(round_, Deal(round_.deck()))
        case ev.HandKeyedIn() | ev.Folded() | ev.Raised() | ev.TimedOut() | ev.HandVoided():
            return _apply_sealed(round_, event, unseal)
        case _:
            assert_never(body)


def _count_seed(round_: Round, seat: int) -> Round:
    return replace(round_, seeds_given={**round_.seeds_given, seat: round_.seeds_given.get(seat, 0) + 1})


def _apply_sealed(round_: Round, event: Event, unseal: Unseal) -> Played:
    """Apply an event whose action is sealed. If its seal cannot be opened, mark the round as lost instead."""
    if round_.lost:
        return round_, ()
    try:
        step = codec.decode(unseal(event), ev.SealedStep)
    except SealError:
        return replace(round_, lost=True), ()
    round_, messages = act(round_, step.action)
    return remember(round_, event.seq, step.action, step.told), messages
