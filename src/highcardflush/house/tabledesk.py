"""What a table does with a command: checks who asks, lets the engine step, and appends the event with its transfers."""

from __future__ import annotations

import secrets
from collections.abc import Callable
from typing import Any

from msgspec.structs import replace

from highcardflush.cards import HAND_SIZE
from highcardflush.errors import BetClosed, HouseError, NotFound, NotPermitted, RulebookError
from highcardflush.fairness import commitment, draw_dynamic, roll_dice
from highcardflush.game import actions as a
from highcardflush.game import events as e
from highcardflush.house import commands as c
from highcardflush.house import ending, meterdesk
from highcardflush.house.desk import Desk, Handled
from highcardflush.house.entry import Head, Transfer
from highcardflush.house.meter import settings as meter_settings
from highcardflush.house.posting import WALLET, post, post_wagers
from highcardflush.house.table import (
    KINDS,
    SEALED,
    Config,
    OpenBody,
    Round,
    ShownMeter,
    Table,
    act,
    begin,
    configured,
    left,
    remember,
    sat,
    take_back,
    with_seed,
)
from highcardflush.house.work import lock_row
from highcardflush.rulebook.check import house_problems, problems
from highcardflush.rulebook.load import as_printed, content_hash
from highcardflush.rulebook.model import Rulebook
from highcardflush.rulebook.wagers import PROGRESSIVE
from highcardflush.words import say_wager


def handle(desk: Desk, command: Any) -> Handled:
    if isinstance(command, c.CreateTable):
        return _create(desk, command)
    if desk.table is None:
        raise NotFound("table", read=desk.name, expected="a table that was created")
    if type(command) not in _HANDLERS:
        raise HouseError(desk.table.stream, read=type(command).__name__, expected="a command for a table")
    return _HANDLERS[type(command)](desk, desk.table, command)


# --- configuration and seats ---------------------------------------------------------------------


def _create(desk: Desk, command: c.CreateTable) -> Handled:
    if desk.table is not None:
        raise HouseError("table", read=f"{desk.name}, which is there", expected="a new name")
    config = _checked_config(desk, command)
    stream = f"table/{desk.name}"
    _lock_meters(desk, config)
    lock_row(desk.work.tx, stream)
    entry = desk.work.append(Head(), stream, "create", {"config": config})
    for meter in sorted(set(config.meters.values())):
        meterdesk.link(desk.work, desk.meter(meter), desk.name)
    return Table(desk.name, entry.head, config, entry.seq), entry


def _change(desk: Desk, table: Table, command: c.ChangeTable) -> Handled:
    if table.round is not None:
        raise HouseError(f"table {table.name}", read="a round is open", expected="a change between rounds")
    config = _checked_config(desk, command)
    if config.physical != table.config.physical:
        raise HouseError(f"table {table.name}", read="another kind of table", expected="virtual or physical as created")
    if any(seat > config.rulebook.settings.seats for seat in table.seats):
        raise HouseError(f"table {table.name}", read="a player on a seat that goes", expected="that seat empty")
    old, new = set(table.config.meters.values()), set(config.meters.values())
    _lock_meters(desk, config, table.config)
    entry = desk.work.append(table.head, table.stream, "change", {"config": config})
    for meter in sorted(old - new):
        meterdesk.unlink(desk.work, desk.meter(meter), table.name)
    for meter in sorted(new - old):
        meterdesk.link(desk.work, desk.meter(meter), table.name)
    return replace(table, head=entry.head, config=config, config_seq=entry.seq), entry


def _lock_meters(desk: Desk, *configs: Config) -> None:
    desk.work.lock([f"meter/{meter}" for config in configs for meter in config.meters.values()])


def _checked_config(desk: Desk, command: c.CreateTable | c.ChangeTable) -> Config:
    rulebook = command.rulebook
    if (rulebook.table_hash, rulebook.sha256) != (content_hash(rulebook), content_hash(as_printed(rulebook))):
        raise HouseError("rulebook", read="a hash that is not its own", expected="a rulebook as `configure` gives it")
    for problem in (*problems(rulebook), *house_problems(rulebook)):
        raise problem
    needed = rulebook.plans
    if set(command.meters) != set(needed):
        expected = ", ".join(needed) or "no meter: no progressive is offered"
        raise HouseError("meters", read=", ".join(command.meters) or "no meter", expected=f"a meter for {expected}")
    if rulebook.progressive_only and not command.physical:
        raise HouseError("table", read="progressive-only on a virtual table", expected="a physical table")
    laid: dict[str, str] = {}
    for level, plan in needed.items():
        meter = desk.meter(command.meters[level])  # type: ignore[index]
        meterdesk.check_fits(meter, plan, rulebook)
        laid |= meter_settings(meter, plan)
    configured(rulebook, laid)  # meters that each are right may still ask too much together
    return Config(command.physical, command.meters, rulebook)


def _sit(desk: Desk, table: Table, command: c.Sit) -> Handled:
    seats = table.config.rulebook.settings.seats
    if command.seat > seats:
        raise HouseError("seat", read=f"seat {command.seat}", expected=f"a seat from 1 to {seats}")
    if command.seat in table.seats:
        raise HouseError(f"seat {command.seat}", read="a seat that is taken", expected="an empty seat")
    player = command.player or (desk.work.actor if desk.work.role == "player" else None)
    if desk.work.role == "player" and player != desk.work.actor:
        raise NotPermitted("Sit", read=f"{desk.work.actor} for {player}", expected="a player for oneself")
    if desk.work.role != "player" and not table.config.physical:
        raise NotPermitted(
            "Sit", read=f"{desk.work.actor}, a {desk.work.role}", expected="the player, at a virtual table"
        )
    if player is not None:
        _check_player(desk, table, player)
    entry = desk.work.append(table.head, table.stream, "sit", {"seat": command.seat, "player": player})
    return replace(sat(table, command.seat, player), head=entry.head), entry


def _check_player(desk: Desk, table: Table, player: str) -> None:
    if player in table.seats.values():
        raise HouseError(f"player {player}", read="a second seat", expected="one hand a player")
    found = desk.work.tx.read("SELECT role, active FROM people WHERE name = ?", player)
    if not found or found[0][0] != "player":
        raise NotFound("player", read=player, expected="a player with a wallet")
    if not found[0][1]:
        raise NotPermitted("Sit", read=f"{player}, who is disabled", expected="a player who is active")


def _leave(desk: Desk, table: Table, command: c.Leave) -> Handled:
    if desk.work.role != "supervisor" or command.seat not in table.seats:  # who frees a seat that was abandoned
        _own_seat(desk, table, command.seat, "Leave")
    if table.round is not None and any(seat.number == command.seat for seat in table.round.state.seats):
        raise HouseError(
            f"seat {command.seat}", read="wagers in play", expected="no wager: take it back, or play the hand"
        )
    body = {"seat": command.seat, "player": table.seats[command.seat]}
    entry = desk.work.append(table.head, table.stream, "leave", body)
    return replace(left(table, command.seat), head=entry.head), entry


def _own_seat(desk: Desk, table: Table, seat: int, what: str) -> None:
    """A player acts for the own seat, the dealer of a physical table for any, nobody else."""
    if seat not in table.seats:
        raise HouseError(f"seat {seat}", read="nobody sits there", expected="a seat that is taken")
    if desk.work.role == "player":
        if table.seats[seat] != desk.work.actor:
            raise NotPermitted(what, read=f"{desk.work.actor} for seat {seat}", expected="the player who sits there")
    elif not table.config.physical:
        raise NotPermitted(what, read=f"{desk.work.actor}, a {desk.work.role}", expected="the player who sits there")


# --- the round -----------------------------------------------------------------------------------


def _open(desk: Desk, table: Table, command: c.OpenRound) -> Handled:
    if table.round is not None:
        raise HouseError(f"table {table.name}", read="a round is open", expected="it to be settled or voided first")
    config = table.config
    seed = None if config.physical else secrets.token_bytes(32)
    body, round_ = _begin(table, seed, *_meters_shown(desk, table))
    if body.closed is not None and config.rulebook.progressive_only:
        wager = say_wager(config.rulebook, PROGRESSIVE)
        raise BetClosed(wager, read=body.closed, expected="an open meter: this table has nothing else")
    entry = desk.work.append(
        table.head,
        table.stream,
        "open",
        {
            "round": body.round,
            "config": body.config,
            "commitment": commitment(seed) if seed else None,
            "rulebook": _rules_in_force(round_.rulebook),
            "settings": body.settings,
            "meters": body.meters,
            "closed": body.closed,
            "seats": table.seats,
            "warned": sorted(table.warned),
        },
        secret={"seed": seed.hex()} if seed else None,
    )
    return replace(table, head=entry.head, rounds=body.round, round=round_), entry


def _begin(
    table: Table, seed: bytes | None, shown: dict[str, ShownMeter], settings: dict[str, str], closed: str | None
) -> tuple[OpenBody, Round]:
    """The round with its meters' parameters; if they do not fit together it takes no progressive bets."""
    lifted = {"mandatory": "none"} if table.config.rulebook.settings.mandatory == "progressive" else {}
    while True:
        laid = {**settings, **lifted} if closed is not None else settings
        body = OpenBody(table.rounds + 1, table.config_seq, laid, shown, closed, table.seats, table.warned)
        try:
            return body, begin(table.config, body, seed)
        except RulebookError as error:
            if not settings:
                raise
            settings, closed = {}, f"its meters do not fit together: {error}"


def _meters_shown(desk: Desk, table: Table) -> tuple[dict[str, ShownMeter], dict[str, str], str | None]:
    """What the table's meters show, what they lay over its settings, and why one of them is closed."""
    config, shown, settings, closed = table.config, {}, {}, None
    names = {str(level): name for level, name in config.meters.items()}
    for level, plan in sorted(config.rulebook.plans.items(), key=lambda pair: names[pair[0]]):
        meter, reading = meterdesk.displayed(desk, names[level])
        shown[level] = ShownMeter(meter.name, reading.display.amount_micros, reading.display.reserve_micros)
        settings.update(meter_settings(meter, plan))
        closed = closed or meterdesk.why_closed(meter) or meterdesk.why_empty(meter, reading)
    return shown, settings, closed


def _rules_in_force(rulebook: Rulebook) -> dict[str, str]:
    return {
        "name": rulebook.name,
        "version": rulebook.version,
        "sha256": rulebook.sha256,
        "table": rulebook.table_hash,
    }


def _name_seed(desk: Desk, table: Table, command: c.NameSeed) -> Handled:
    round_ = table.live()
    _own_seat(desk, table, command.seat, "NameSeed")
    if round_.state.phase != "betting" or round_.seed is None:
        raise HouseError("seed", read=f"phase {round_.state.phase}", expected="before the lock, at a virtual table")
    entry = desk.work.append(table.head, table.stream, "seed", {"seat": command.seat, "seed": command.seed})
    return replace(table, head=entry.head, round=with_seed(round_, command.seat, command.seed)), entry


def _wagers(desk: Desk, table: Table, command: a.PlaceWagers | a.ClearWagers) -> Handled:
    round_, seat = table.live(), command.seat
    _own_seat(desk, table, seat, type(command).__name__)
    before = next((s.wagers for s in round_.state.seats if s.number == seat), None)
    made = command.wagers if isinstance(command, a.PlaceWagers) else None
    # Where it is mandatory nobody could bet at all in this round; one that has nothing else may wait, or be voided.
    required = round_.rulebook.settings.mandatory == "progressive"
    had, wants = ((wagers or {}).get(PROGRESSIVE, 0) for wagers in (before, made))
    if wants and not required and not had:
        _refuse_closed(desk, table, round_)
    changed, told = act(round_, command)
    transfers = post_wagers(table.accounts(), seat, before, made)
    return _append_action(desk, table, changed, command, told, transfers)


def _refuse_closed(desk: Desk, table: Table, round_: Round) -> None:
    """A side bet whose meter is closed takes no new wager."""
    for name in sorted(set(table.config.meters.values())):
        meter = desk.known_meter(name)
        desk.work.trust(f"meter/{name}", meter.head)
        why = f"{round_.closed}, as this round was opened" if round_.closed else meterdesk.why_closed(meter)
        if why is not None:
            wager = say_wager(round_.rulebook, PROGRESSIVE)
            raise BetClosed(wager, read=why, expected="a wager without it: the table plays on")


def _lock(desk: Desk, table: Table, command: a.Lock) -> Handled:
    round_ = table.live()
    changed, told = act(round_, command)
    body = {"player_seeds": round_.seeds_in_play}
    return _append_action(desk, table, changed, command, told, post(table.accounts(), told), body)


def _roll(desk: Desk, table: Table, command: c.Roll) -> Handled:
    _after_lock(table.live(), "dice")
    return _plain_action(desk, table, a.RollDice(roll_dice(*table.live().chance()), command.clockwise))


def _draw(desk: Desk, table: Table, command: c.Draw) -> Handled:
    round_ = table.live()
    _after_lock(round_, "the draw")
    paytable = round_.rulebook.paytable("progressive")
    if paytable is None or not paytable.dynamic_lines:
        raise HouseError("dynamic", read="a draw of Dynamic Pays", expected="none: no Dynamic pay table is offered")
    seed, player_seeds = round_.chance()
    return _plain_action(desk, table, a.DrawDynamic(draw_dynamic(seed, paytable, player_seeds)))


def _after_lock(round_: Round, what: str) -> None:
    # Before the lock a player could still name a seed, and change what was drawn.
    if round_.state.phase == "betting":
        raise HouseError(what, read="wagers are open", expected="the lock first")


def _keyed_in(desk: Desk, table: Table, command: a.RollDice | a.DrawDynamic | a.DealHand) -> Handled:
    """What a dealer saw happen."""
    if not table.config.physical:
        raise NotPermitted(
            type(command).__name__, read="a virtual table", expected="a physical one: here the house's seed decides"
        )
    if isinstance(command, a.DealHand) and len(command.hand) != HAND_SIZE:
        expected = f"{HAND_SIZE}: what was misdealt is not keyed in, a supervisor voids it"
        raise HouseError(f"hand of seat {command.seat}", read=f"{len(command.hand)} cards", expected=expected)
    return _plain_action(desk, table, command)


def _take_back(desk: Desk, table: Table, command: c.TakeBack) -> Handled:
    round_ = table.live()
    last = round_.keyed[-1].seat if round_.keyed else None
    if last != command.seat:
        expected = _whose(last) if last is not None else "a hand that was keyed in, and nothing done after it"
        raise HouseError("TakeBack", read=_whose(command.seat), expected=expected)
    entry = desk.work.append(table.head, table.stream, "take-back", {"seat": command.seat, "reason": command.reason})
    return replace(table, head=entry.head, round=take_back(round_)), entry


def _whose(seat: int) -> str:
    return f"the hand of seat {seat}" if seat else "the dealer's hand"


def _plain_action(desk: Desk, table: Table, action: a.Action) -> Handled:
    changed, told = act(table.live(), action)
    return _append_action(desk, table, changed, action, told)


def _deal(desk: Desk, table: Table, command: c.DealCards) -> Handled:
    round_ = table.live()
    _after_lock(round_, "the deal")
    changed, _ = act(round_, a.Deal(round_.deck()))
    changed = replace(changed, dealt_at=desk.work.at)
    entry = desk.work.append(table.head, table.stream, "deal", {"action": {"type": "Deal"}})
    return replace(table, head=entry.head, round=changed), entry


def _decide(desk: Desk, table: Table, command: a.Fold | a.Raise) -> Handled:
    _own_seat(desk, table, command.seat, type(command).__name__)
    changed, told = act(table.live(), command)
    return _append_action(desk, table, changed, command, told, post(table.accounts(), told))


def _time_out(desk: Desk, table: Table, command: a.TimeOut) -> Handled:
    round_ = table.live()
    due = round_.dealt_at + round_.rulebook.settings.clock * 1_000_000
    if round_.dealt_at and desk.work.at < due:
        left_s = -(-(due - desk.work.at) // 1_000_000)
        raise HouseError(f"seat {command.seat}", read=f"{left_s} s left on the clock", expected="the clock to run out")
    action = a.TimeOut(command.seat)
    changed, told = act(round_, action)
    if not _can_pay(desk, table, told):
        action = a.TimeOut(command.seat, fold=True)
        changed, told = act(round_, action)
    return _append_action(desk, table, changed, action, told, post(table.accounts(), told))


def _can_pay(desk: Desk, table: Table, told: tuple[e.Event, ...]) -> bool:
    """Whether the wallets hold what is to be raised for players who are not there."""
    for transfer in post(table.accounts(), told):
        player = transfer.source.removeprefix(WALLET)
        if player != transfer.source:
            held = desk.work.tx.read("SELECT micros FROM wallets WHERE player = ?", player)
            if int(held[0][0]) < transfer.micros:
                return False
    return True


def _warn(desk: Desk, table: Table, command: c.Warn) -> Handled:
    if command.seat not in table.seats:
        raise HouseError(f"seat {command.seat}", read="nobody sits there", expected="a seat that is taken")
    entry = desk.work.append(table.head, table.stream, "warn", {"seat": command.seat, "reason": command.reason})
    return replace(table, head=entry.head, warned=table.warned | {command.seat}), entry


def _void_hand(desk: Desk, table: Table, command: a.VoidHand) -> Handled:
    action = replace(command, by=desk.work.actor)
    changed, told = act(table.live(), action)
    if changed.rulebook.reasons[action.reason].after_warning and action.seat not in table.warned:
        read, expected = f"{action.reason} without a warning", "a warning since this player sat down"
        raise HouseError(f"seat {action.seat}", read=read, expected=expected)
    return _append_action(desk, table, changed, action, told)


def _append_action(
    desk: Desk,
    table: Table,
    changed: Round,
    action: Any,
    told: tuple[e.Event, ...],
    transfers: tuple[Transfer, ...] = (),
    more: dict[str, Any] | None = None,
) -> Handled:
    kind = KINDS[type(action).__name__]
    if kind in SEALED:
        secret = {"action": action, "told": told}
        body: dict[str, Any] = {"seat": action.seat}
        entry = desk.work.append(table.head, table.stream, kind, body, secret=secret, transfers=transfers)
        changed = remember(changed, entry.seq, action, told)
        if kind == "hand":
            changed = replace(changed, dealt_at=desk.work.at)
    else:
        body = {"action": action, "told": told, **(more or {})}
        entry = desk.work.append(table.head, table.stream, kind, body, transfers=transfers)
    return replace(table, head=entry.head, round=changed), entry


_HANDLERS: dict[type, Callable[[Desk, Table, Any], Handled]] = {
    c.ChangeTable: _change,
    c.Sit: _sit,
    c.Leave: _leave,
    c.OpenRound: _open,
    c.NameSeed: _name_seed,
    a.PlaceWagers: _wagers,
    a.ClearWagers: _wagers,
    a.Lock: _lock,
    c.Roll: _roll,
    c.Draw: _draw,
    c.DealCards: _deal,
    a.RollDice: _keyed_in,
    a.DrawDynamic: _keyed_in,
    a.DealHand: _keyed_in,
    c.TakeBack: _take_back,
    c.Warn: _warn,
    a.Fold: _decide,
    a.Raise: _decide,
    a.TimeOut: _time_out,
    a.VoidHand: _void_hand,
    a.Void: ending.void,
    c.SettleRound: ending.settle,
}
