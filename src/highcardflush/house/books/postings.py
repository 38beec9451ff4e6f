"""Translates the engine's events into transfers between accounts.

All moves from one account to another within one event are combined into one transfer, so a settlement takes few rows.
"""

from collections import defaultdict
from collections.abc import Iterable, Mapping

from highcardflush.game import events as e
from highcardflush.game.actions import Wagers
from highcardflush.game.state import Result
from highcardflush.house.books.event import HOUSE, Accounts, Transfer
from highcardflush.jackpot import Meter
from highcardflush.money import MICROS_PER_CENT, WHOLE_BP


def post_wagers(accounts: Accounts, seat: int, before: Wagers | None, after: Wagers | None) -> tuple[Transfer, ...]:
    """Return the transfers that move the difference when wagers are placed, replaced or cleared before the lock."""
    change = sum((after or {}).values()) - sum((before or {}).values())
    return to_transfers([(accounts.seat(seat), accounts.play, change * MICROS_PER_CENT)])


def post(
    accounts: Accounts, engine_events: Iterable[e.Event], uncollected: Mapping[int, int] | None = None
) -> tuple[Transfer, ...]:
    """Return the transfers for engine events that occur at the lock or later.

    `uncollected` contains the cents that the wallets lack for forfeited Raises, keyed by seat.
    """
    moves: list[tuple[str, str, int]] = []
    for event in engine_events:
        match event:
            case e.BonusShown(pay_cents=cents, paid_now=True):
                moves.append((HOUSE, accounts.play, cents * MICROS_PER_CENT))
            case e.Raised(seat=seat, amount_cents=cents, from_wins_cents=won):
                moves.append((accounts.seat(seat), accounts.play, (cents - won) * MICROS_PER_CENT))
            case e.Contributed(meter=level, amount=amount):
                moves += _contribution(accounts.meters[level], amount)
            case e.ContributionReversed(meter=level, amount=amount):
                moves += _contribution(accounts.meters[level], Meter(0).minus(amount))
            case e.MeterMoved(meter=level, move=move):
                meter, house = accounts.meters[level], -move.house_micros
                if move.kind == "reseed":
                    moves.append((f"advances/{meter}", f"meter/{meter}", house))
                    moves.append((f"reserve/{meter}", f"meter/{meter}", -move.reserve_micros))
                    continue
                target = f"pending/{meter}" if move.percent_bp == WHOLE_BP else accounts.seat(move.seat)
                # The house itself pays a bonus jackpot, because the jackpot's display is not money.
                from_meter = 0 if accounts.bonus else -move.meter_micros
                moves += [(HOUSE, target, house), (f"meter/{meter}", target, from_meter)]
            case e.WagerSettled(result=result):
                moves += _result(accounts, result)
                if result.charged_cents:
                    collected = result.charged_cents - (uncollected or {}).get(result.seat, 0)
                    moves.append((accounts.seat(result.seat), HOUSE, collected * MICROS_PER_CENT))
    return to_transfers(moves)


def _contribution(meter: str, amount: Meter) -> list[tuple[str, str, int]]:
    return [(HOUSE, f"meter/{meter}", amount.amount_micros), (HOUSE, f"reserve/{meter}", amount.reserve_micros)]


def _result(accounts: Accounts, result: Result) -> list[tuple[str, str, int]]:
    """Return the moves that settle a wager. A win that was paid early is still in play, or funded a Raise."""
    player, play = accounts.seat(result.seat), accounts.play
    stake, early = result.stake_cents * MICROS_PER_CENT, result.early_cents * MICROS_PER_CENT
    raised, paid = result.raised_cents * MICROS_PER_CENT, (result.paid_cents - result.meter_cents) * MICROS_PER_CENT
    if result.outcome != "win":
        back = player if result.outcome in ("push", "returned") else HOUSE
        return [(play, back, stake - result.charged_cents * MICROS_PER_CENT), (play, HOUSE, early)]
    if result.net_cents == result.paid_cents:
        return [(play, player, stake + early - raised), (HOUSE, player, paid - early)]
    return [(play, HOUSE, stake), (play, player, early - raised), (HOUSE, player, paid - early)]


def to_transfers(moves: Iterable[tuple[str, str, int]]) -> tuple[Transfer, ...]:
    """Combine moves into one transfer per source and target. Negative amounts move the other way; zeros are dropped."""
    total: dict[tuple[str, str], int] = defaultdict(int)
    for source, target, micros in moves:
        pair = (source, target) if micros >= 0 else (target, source)
        total[pair] += abs(micros)
    return tuple(Transfer(source, target, micros) for (source, target), micros in total.items() if micros)
