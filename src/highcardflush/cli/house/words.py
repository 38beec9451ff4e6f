"""Formats the house's figures: money in aligned columns, times and rates.

Every page of `hcf house` writes money the same way: dollars with cents, `$1,000.00`, and more decimals for fractions of
a cent. The only exceptions are settlement reasons, which keep the dealer's wording.
"""

from collections.abc import Callable, Iterable, Sequence
from datetime import UTC, datetime
from typing import Any, TypeVar

from highcardflush.cli.output import echo
from highcardflush.formats.json import plain, struct_data
from highcardflush.game.state import Phase
from highcardflush.house import Answer
from highcardflush.house.events import Case, Counted
from highcardflush.house.reports import Purses, Reconciliation, Statement
from highcardflush.house.reports.meters import HitWin
from highcardflush.house.reports.reconcile import Explained, Side
from highcardflush.jackpot import Meter
from highcardflush.money import MICROS_PER_CENT, MICROS_PER_DOLLAR, format_micros, format_rate

T = TypeVar("T")

plain.register(Purses, lambda purses: struct_data(purses, "net_micros"))
plain.register(Reconciliation, lambda sums: struct_data(sums, "agrees"))
plain.register(Side, lambda side: struct_data(side, "sum_micros", "agrees"))
plain.register(Statement, lambda report: struct_data(report, "agrees"))


def case_data(case: Case | HitWin) -> dict[str, Any]:
    """Return a win and its outcome as one object."""
    data = struct_data(case)
    return {**data.pop("win"), **data}


plain.register(Case, case_data)
plain.register(HitWin, case_data)


def columns(amounts: Iterable[int]) -> list[str]:
    """Return dollar amounts with the same number of decimals, at least two, so that their decimal points align.

    >>> columns([1_500000, -20_000000, 1])
    ['$1.500000', '-$20.000000', '$0.000001']
    """
    amount_list = list(amounts)
    digits = max([2, *(len(format_micros(amount).partition(".")[2]) for amount in amount_list)])
    parts = ((amount < 0, *divmod(abs(amount), MICROS_PER_DOLLAR)) for amount in amount_list)
    return [f"{'-' * below}${whole:,}.{f'{rest:06d}'[:digits]}" for below, whole, rest in parts]


def dollars(micros: int) -> str:
    """Return one amount in dollars, with cents and any fractions of a cent."""
    return columns([micros])[0]


def cash(cents: int) -> str:
    return dollars(cents * MICROS_PER_CENT)


def net(cents: int) -> str:
    """Return a gain or loss at the table: `+$25.00`, `-$10.00`."""
    return signed([cents * MICROS_PER_CENT])[0]


def moment(at: int) -> str:
    return datetime.fromtimestamp(at / 1_000_000, UTC).strftime("%Y-%m-%d %H:%M:%S")


def say_phase(phase: Phase | None) -> str:
    match phase:
        case None | "settled" | "void":
            return "between rounds"
        case "betting":
            return "wagers open"
        case "locked":
            return "locked"
        case "dealt" | "acting" | "showdown":
            return "cards out"


PARAMETERS = {
    "seed_micros": "seed",
    "reseed_micros": "reseed",
    "rate_bp": "rate",
    "reserve_rate_bp": "reserve rate",
    "limit_micros": "limit",
    "hits": "several hits",
    "second_above_micros": "second approval above",
    "server_approves": "server approves",
}
BONUS_PARAMETERS = {key: label for key, label in PARAMETERS.items() if not key.endswith("_bp")} | {
    "seed_micros": "first display",
    "reseed_micros": "returns after a win to",
}
"""Labels for the parameters of a bonus jackpot, whose display does not grow with the bets."""


PURPOSES = {
    "seed": ("seed", "the initial amount"),
    "contributions": ("in: contributions", ""),
    "taken-back": ("contributions taken back", "a round or a hand at {table} was voided"),
    "paid-whole-wins": ("paid: 100 % wins", "round {round} at {table}, {wins}"),
    "paid-percentage-wins": ("paid: percentage wins", "round {round} at {table}, {wins}"),
    "reseed-from-reserve": ("reseeds from the reserve", "after round {round} at {table}"),
    "reseed-from-house": ("reseeds from the house", "after round {round} at {table}"),
    "wins-returned": ("100 % wins returned", "win {win}: {reason}"),
    "won": ("won", "round {round} at {table}, {wins}, paid by {other}"),
    "paid-out": ("paid to winners", "win {win}, to {other}"),
    "returned-to-meter": ("returned to the meter", "win {win}: {reason}"),
    "returned-to-house": ("returned to the house", "win {win}: {reason}"),
    "made-good": ("made good by the house", "for {table} event {seq}: another table had already won its contributions"),
    "correction": ("corrections", "correction {correction}, proposed by {proposed_by}: {reason}"),
    "set": ("set by the house", "{reason}"),
    "reset-after-win": ("reset after a win", "after round {round} at {table}"),
    "overflow": ("overflow to the reserve", "the amount above the limit"),
    "overflow-waiting": ("overflow that the next count will move", ""),
    "unexplained": ("UNEXPLAINED", "a transfer with {other} in the event `{kind}`"),
}
"""Label and description of each kind of meter move, keyed by the code of its purpose."""


def say_move(move: Explained) -> str:
    (label, words), wins = PURPOSES[move.what], move.values.get("wins")
    wins = wins if isinstance(wins, tuple) else ()
    text = "; ".join(f"win {win.win}: {format_rate(win.percent_bp)} to {win.account}" for win in wins)
    return f"{label}: {words.format_map({**move.values, 'wins': text})}"


def parameter(key: str, value: int | str | bool | None) -> str:
    if value is None:
        return "none"
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, str):
        return value
    return format_rate(value) if key.endswith("_bp") else dollars(value)


def meter_after(answer: Answer) -> Meter:
    """Return the amounts of the meter and its reserve after an event that counts the meter."""
    count = answer.decode(Counted).count
    assert count is not None
    return count.after


def how_to_decide(meter: str, correction: int) -> str:
    """Return a line with the command that decides a pending correction."""
    return f"    hcf house decide {meter} {correction} --approve --as NAME"


def signed(amounts: Iterable[int]) -> list[str]:
    """Format amounts as `columns` does, but put a plus sign before amounts received."""
    amount_list = list(amounts)
    return [text if amount < 0 else f"+{text}" for amount, text in zip(amount_list, columns(amount_list), strict=True)]


def print_list(rows: Sequence[T], first: int, after: str, page: Callable[[], None], name: Callable[[T], str]) -> None:
    """Print one page of a list. If there may be more rows, also print the option that shows them."""
    if not rows and after:
        echo(f"nothing after {after}")
        return
    page()
    if len(rows) == first:
        echo(f"next page: --after {name(rows[-1])}")


def print_earlier(number: int | None) -> None:
    """Print the option that shows the rows before the oldest one listed."""
    if number is not None and number > 1:
        echo(f"earlier ones: --before {number}")
