"""Ends a round by settling or voiding it, which reveals everything.

A round locks its meters only if it hits them or takes contributions back. The settlement is first computed with the
displayed amounts, and if it needs the meters, it is computed again with the amounts of the locked meters.
"""

from collections import Counter
from collections.abc import Sequence
from typing import Any

from msgspec.structs import replace

from highcardflush.errors import NeedsSecond, SealError
from highcardflush.game import actions as a
from highcardflush.game import events as e
from highcardflush.game import locked_meters
from highcardflush.game.settle import contributed
from highcardflush.game.state import Settlement
from highcardflush.house import codec
from highcardflush.house import commands as c
from highcardflush.house import events as ev
from highcardflush.house.books.event import Accounts, Event, Transfer
from highcardflush.house.books.postings import post
from highcardflush.house.books.reader import OFFICE, OPENING, read_wallet, who_dealt
from highcardflush.house.books.writer import Writer, flows, net
from highcardflush.house.events import MeterHit, ShortfallMadeGood, Win
from highcardflush.house.meter.count import Reading, append_count, count
from highcardflush.house.meter.state import MeterState
from highcardflush.house.table.context import Context, Handled
from highcardflush.house.table.state import Round, Table, act, after_play
from highcardflush.jackpot import Meter, Move
from highcardflush.money import MICROS_PER_CENT, WHOLE_BP, say_micros
from highcardflush.notation import format_round
from highcardflush.rulebook.paytable import Plan
from highcardflush.words import refuse

LockedMeter = tuple[MeterState, Reading]


def settle(ctx: Context, table: Table, command: c.SettleRound) -> Handled:
    round_ = table.require_playable_round()
    action = a.Settle(locked_meters(round_.rulebook, round_.state))
    next_round, engine_events = act(round_, action)
    locked: dict[str, LockedMeter] = {}
    if any(isinstance(event, (e.MeterMoved, e.ContributionReversed)) for event in engine_events):
        locked = _lock_meters(ctx, table, round_)
        # A bonus jackpot pays on the amount that was displayed when the wagers locked.
        displays = {level: reading.display for level, (meter, reading) in locked.items() if not meter.parameters.bonus}
        action = a.Settle({**action.meters, **displays})
        next_round, engine_events = act(round_, action)
    if table.config.physical:
        _require_second(ctx, table, next_round)
    return _close(ctx, table, next_round, action, engine_events, locked)


def _require_second(ctx: Context, table: Table, next_round: Round) -> None:
    """Require that a supervisor who did not deal settles a large win of keyed-in cards. Votes decide pending wins."""
    settlement = next_round.state.settlement
    assert settlement is not None
    above, writer = table.config.second_above_micros, ctx.writer
    pending = Counter[int]()
    for move in (move for moves in settlement.moves.values() for move in moves if move.percent_bp == WHOLE_BP):
        pending[move.seat] += move.player_cents
    paid = [result.paid_cents - min(result.meter_cents, pending[result.seat]) for result in settlement.results]
    great = max(paid, default=0) * MICROS_PER_CENT
    if great <= above:
        return
    dealt = who_dealt(writer.tx, table.stream, next_round.number, table.head.seq)
    if writer.role != "supervisor" or writer.actor in dealt:
        raise refuse("great-win", NeedsSecond, amount=say_micros(great), limit=say_micros(above))


def void(ctx: Context, table: Table, command: a.Void) -> Handled:
    round_ = table.require_round()
    if round_.lost:  # Without its seal, a round may be voided only if the house key was lost after it opened.
        sql = "SELECT body FROM events WHERE stream = ? AND kind = 'new-key' AND seq > ?"
        rows = ctx.writer.tx.read(sql, OFFICE, round_.office)
        if not any(codec.decode(body, ev.KeyReplaced).lost for (body,) in rows):
            raise refuse("seal-broken", SealError)
    action = replace(command, by=ctx.writer.actor)
    next_round, engine_events = act(round_, action)
    reverses = any(isinstance(event, e.ContributionReversed) for event in engine_events)
    locked = _lock_meters(ctx, table, round_) if reverses else {}
    return _close(ctx, table, next_round, action, engine_events, locked)


def _lock_meters(ctx: Context, table: Table, round_: Round) -> dict[str, LockedMeter]:
    """Lock and count the round's meters. If contributions of the round have left a meter, the house replaces them."""
    needed: dict[str, Plan] = round_.rulebook.plans
    names = {level: table.config.meters[level] for level in needed}  # type: ignore[index]
    ctx.writer.tx.lock([f"meter/{name}" for name in names.values()])
    added: dict[str, Meter] = contributed(round_.rulebook, round_.state.seats)
    locked: dict[str, LockedMeter] = {}
    for level, name in sorted(names.items(), key=lambda pair: pair[1]):
        state = ctx.newest_meter(name)
        reading = count(ctx.writer.tx, state)
        missing = added[level].amount_micros - reading.display.amount_micros
        if missing > 0:  # A hit at another table has paid out the contributions.
            body, after = ShortfallMadeGood(table.name, table.head.seq + 1), reading.display.plus(Meter(missing))
            advance = (Transfer(f"advances/{name}", f"meter/{name}", missing),)
            state, _ = append_count(ctx.writer, state, reading, body, after, advance)
            reading = replace(reading, display=after, overflow_micros=0, cut={})
        locked[level] = state, reading
    return locked


def _close(
    ctx: Context, table: Table, next_round: Round, action: a.Settle | a.Void, engine_events: tuple[e.Event, ...],
    locked: dict[str, LockedMeter],
) -> Handled:  # fmt: skip
    """Append the last event of a round, which reveals everything, and record the hits on the round's meters."""
    accounts = table.accounts()
    settlement = next_round.state.settlement
    assert settlement is not None
    won = {meter.name: meter.head.seq + 1 for meter, _ in (locked[level] for level in settlement.moves)}
    facts: dict[str, Any] = {
        "round": next_round.number,
        "action": action,
        "told": engine_events,
        "record": format_round(next_round.rulebook, next_round.state, with_hash=True),
        "seed": next_round.seed.hex() if next_round.seed else None,
        "player_seeds": next_round.seeds_in_play,
        "commitments": next_round.commitments_in_play,
        "unsealed": next_round.unsealed,
        "hits": won,
    }
    settles, uncollected = isinstance(action, a.Settle), _uncollected(ctx, accounts, settlement)
    body = (
        ev.RoundSettled(**facts, uncollected=uncollected) if settles else ev.RoundVoided(lost=next_round.lost, **facts)
    )
    transfers = post(accounts, engine_events, uncollected)
    if next_round.lost:
        transfers = _returned(ctx, table, transfers)
    event = ctx.writer.append(table.head, table.stream, body, number=next_round.number, transfers=transfers)
    sums = flows(net(transfers))
    for level, moves in sorted(settlement.moves.items(), key=lambda pair: locked[pair[0]][0].name):
        balance = settlement.meters[level]
        flowed = Meter(*sums.get(locked[level][0].name, (0, 0)))
        _record_hit(ctx.writer, locked[level], moves, balance, accounts, event, next_round.number, flowed)
    return after_play(table, event, next_round, engine_events), event


def _uncollected(ctx: Context, accounts: Accounts, settlement: Settlement) -> dict[int, int]:
    """Return the cents that the players' wallets lack for their forfeited Raises, keyed by seat."""
    lacks: dict[int, int] = {}
    for result in settlement.results:
        player = accounts.seats[result.seat] if result.charged_cents else None
        if player is not None:
            held_cents = (read_wallet(ctx.writer.tx, player) or 0) // MICROS_PER_CENT
            lacks[result.seat] = max(0, result.charged_cents - held_cents)
    return {seat: cents for seat, cents in lacks.items() if cents}


def _returned(ctx: Context, table: Table, transfers: tuple[Transfer, ...]) -> tuple[Transfer, ...]:
    """Return the transfers that void a round whose key was lost. All wagers and Raises go back to their sources."""
    play = table.accounts().play
    sql = f"SELECT source, target, micros FROM transfers WHERE stream = ? AND seq > ({OPENING}) ORDER BY seq, n"
    rows = ctx.writer.tx.read(sql, table.stream, table.stream, table.rounds)
    staked = Counter[str]()
    for source, target, micros in rows:
        staked[source] += micros * (target == play)
        staked[target] -= micros * (source == play)
    remaining = tuple(transfer for transfer in transfers if transfer.source != play)
    return (*remaining, *(Transfer(play, account, micros) for account, micros in staked.items() if micros))


def _record_hit(
    writer: Writer, locked: LockedMeter, moves: Sequence[Move], balance: Meter, accounts: Accounts, settle: Event,
    round_: int, flowed: Meter,
) -> None:  # fmt: skip
    """Record a round's hit on a meter, with the meter's count and the pays. `flowed` is what `settle` itself moves."""
    state, reading = locked
    whole = any(move.percent_bp == WHOLE_BP for move in moves)
    first = state.won + 1
    falls, balance = _fallen(state, reading, moves, balance)
    wins = tuple(
        Win(
            win=first + i,
            seat=move.seat,
            account=accounts.seat(move.seat),
            percent_bp=move.percent_bp,
            micros=move.player_cents * MICROS_PER_CENT,
            from_house_micros=-move.house_micros,
            display_micros=falls[i],
            pending=move.percent_bp == WHOLE_BP and move.player_cents > 0,
        )
        for i, move in enumerate(move for move in moves if move.kind == "pay")
    )
    body = MeterHit(
        table=settle.stream.removeprefix("table/"),
        seq=settle.seq,
        round=round_,
        before=reading.display,
        moves=tuple(moves),
        wins=wins,
        applied=state.waiting if whole else {},
    )
    new_reading = replace(reading, flowed=reading.flowed.plus(flowed), cut={**reading.cut, settle.stream: settle.seq})
    append_count(writer, state, new_reading, body, balance)


def _fallen(state: MeterState, reading: Reading, moves: Sequence[Move], balance: Meter) -> tuple[list[int], Meter]:
    """Return the amount by which each pay lowers the display, and the meter after all pays. A bonus jackpot pays on the
    amount that the round displayed, but lowers the current display, which may have changed since."""
    if not state.parameters.bonus:
        return [-move.meter_micros for move in moves if move.kind == "pay"], balance
    pays, now, falls = [move for move in moves if move.kind == "pay"], reading.display.amount_micros, []
    if len(pays) < len(moves):
        return [0] * len(pays), Meter(moves[-1].after_micros)
    for move in pays:
        falls.append(min(now, move.player_cents * MICROS_PER_CENT))
        now -= falls[-1]
    return falls, Meter(now)
