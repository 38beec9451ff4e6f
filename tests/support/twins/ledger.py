"""A ledger that knows only events: it posts each event as transfers between accounts, in micro-dollars.

It shares no code with settlement. When the round is over, the table must be empty, every player must hold what the
results say, and every meter what the engine says. Since each posting is a transfer, no money is created or lost.
"""

from collections import defaultdict

from highcardflush.game import events as e
from highcardflush.game.state import Result

MICROS = 10_000


class Ledger:
    """Balances of `seat N`, `table`, `house`, `won N` (from a meter, not yet paid), `meter X` and `reserve X`."""

    def __init__(self, meters: dict[str, tuple[int, int]], *, bonus: bool) -> None:
        self.balances: dict[str, int] = defaultdict(int)
        self.placed: dict[int, list[int]] = {}
        self.bonus = bonus
        for name, (amount, reserve) in meters.items():
            self.balances[f"meter {name}"] = amount
            self.balances[f"reserve {name}"] = reserve
        self.total = sum(self.balances.values())

    def move(self, source: str, target: str, micros: int) -> None:
        self.balances[source] -= micros
        self.balances[target] += micros

    def post(self, event: e.Event) -> None:
        match event:
            case e.WagersPlaced(seat=seat, wagers=wagers):
                self.placed[seat] = [cents for _, cents in wagers.items()]
            case e.WagersCleared(seat=seat):
                del self.placed[seat]
            case e.WagersLocked():
                self._stake_all()
            case e.BonusShown(pay_cents=cents, paid_now=True):
                self.move("house", "table", cents * MICROS)
            case e.Raised(seat=seat, amount_cents=cents, from_wins_cents=wins_cents):
                self.move(f"seat {seat}", "table", (cents - wins_cents) * MICROS)
            case e.Contributed(meter=name, amount=amount):
                self.move("house", f"meter {name}", amount.amount_micros)
                self.move("house", f"reserve {name}", amount.reserve_micros)
            case e.ContributionReversed(meter=name, amount=amount):
                self.move(f"meter {name}", "house", amount.amount_micros)
                self.move(f"reserve {name}", "house", amount.reserve_micros)
            case e.MeterMoved():
                self._meter_moved(event)
            case e.RoundVoided():
                self._stake_all()
            case e.WagerSettled(result=result):
                self._settled(result)

    def _stake_all(self) -> None:
        """Take all stakes, once only. A round voided before the lock also takes them, to give them back."""
        for seat, amounts in self.placed.items():
            self.move(f"seat {seat}", "table", sum(amounts) * MICROS)
        self.placed = {}

    def _meter_moved(self, event: e.MeterMoved) -> None:
        move, name = event.move, event.meter
        if move.kind == "reseed" and self.bonus:
            self.move("display", f"meter {name}", move.meter_micros)
            return
        if move.kind == "reseed":
            self.move("house", f"meter {name}", -move.house_micros)
            self.move(f"reserve {name}", f"meter {name}", -move.reserve_micros)
            return
        self.move("house", f"won {move.seat}", -move.house_micros)
        # Lowering a display moves no money, because the house has paid.
        self.move(f"meter {name}", "display" if self.bonus else f"won {move.seat}", -move.meter_micros)

    def _settled(self, result: Result) -> None:
        player, stake = f"seat {result.seat}", result.stake_cents * MICROS
        is_returned = result.outcome in ("push", "returned") or (
            result.outcome == "win" and result.net_cents == result.paid_cents
        )
        self.move("table", player if is_returned else "house", stake)
        self.move("house", player, (result.paid_cents - result.meter_cents) * MICROS)
        # An early payment lay on the table, and the money in the Raise is settled with it.
        self.move("table", "house", result.early_cents * MICROS)
        if result.outcome == "win" or (result.outcome, result.wager) == ("forfeited", "raise"):
            self.move(player, "table", result.raised_cents * MICROS)
        self.move(f"won {result.seat}", player, result.meter_cents * MICROS)
