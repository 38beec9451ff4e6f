"""`hcf odds risk`: ruin, a goal, session bands, and what a chaser of a progressive must bring."""

from __future__ import annotations

import re
from fractions import Fraction
from typing import Any

import click

from highcardflush.cli import complete, options
from highcardflush.cli.options import Settings, parsed
from highcardflush.cli.output import grid, percent, progress_bar, put, show
from highcardflush.errors import HcfError, TextError
from highcardflush.figures.plain import exact
from highcardflush.odds import Strategy, game_odds, progressive_odds, table_odds
from highcardflush.odds.prospect import TOLD
from highcardflush.odds.risk import Chase, chase_win, main_nets, main_stake, round_nets, round_stake, session_risk
from highcardflush.odds.whatif import parse_meters
from highcardflush.rulebook import Offer, Rulebook
from highcardflush.rulebook.wagers import PROGRESSIVE, SIDE_BETS

CONFIDENCE = (0.5, 0.9, 0.95, 0.99)
_ANTES = re.compile(r"[0-9]{1,7}(\.[0-9]{1,2})?", re.ASCII)


def _antes(text: str) -> Fraction:
    if not _ANTES.fullmatch(text) or not Fraction(text):
        raise TextError("amount", read=repr(text), expected="Antes above zero such as 100 or 0.5")
    return Fraction(text)


def _bets(pairs: tuple[tuple[str, str], ...]) -> dict[str, Fraction]:
    for wager, _ in pairs:
        if wager not in SIDE_BETS or SIDE_BETS[wager].match not in TOLD:
            raise TextError("bet", read=repr(wager), expected=f"one of {', '.join(SIDE_BETS)}")
    return {wager: _antes(amount) for wager, amount in pairs}


@click.command()
@options.rulebook_argument
@click.option("--bankroll", metavar="ANTES", required=True, callback=parsed(_antes), help="The player's bankroll.")
@click.option("--goal", metavar="ANTES", callback=parsed(_antes), help="Stop at this bankroll.")
@click.option("--rounds", type=click.IntRange(1, 100_000), default=200, show_default=True, metavar="N")
@click.option(
    "--bet", "bets", nargs=2, multiple=True, metavar="WAGER ANTES", callback=parsed(_bets),
    help="A side bet in every round, with the best play of the main game.",
)  # fmt: skip
@click.option(
    "--strategy", metavar="STRATEGY", callback=options.strategy_reader, shell_complete=complete.strategies,
    help="Strategy of the main game alone. [default: optimal]",
)  # fmt: skip
@click.option("--chase", "chasing", is_flag=True, help="Also play the progressive bet until its 100 % win.")
@click.option("--players", type=click.IntRange(100, 10_000_000), default=20_000, show_default=True, metavar="N",
              help="Sessions to simulate where exact figures take too long.")  # fmt: skip
@options.meters_option
@click.option("--seed", type=click.IntRange(min=0), default=0, show_default=True, metavar="S")
@options.offers_option
@options.settings_option
@options.json_option
def risk(
    rulebook: str, bankroll: Fraction, goal: Fraction | None, rounds: int, bets: dict[str, Fraction],
    strategy: Strategy | None, chasing: bool, players: int, meters: tuple[str, ...], seed: int,
    offers: tuple[Offer, ...], settings: Settings, as_json: bool,
) -> int:  # fmt: skip
    """The chance to be ruined, or to reach a goal, within so many rounds of RULEBOOK. Unit: one Ante.

    A player is ruined who has less than a round may ask for: Ante, largest Raise, side bets.
    Percentages of a meter are valued at --meter; caps are not applied. It says whether figures are exact, summed with
    floats, or simulated. Ctrl-C gives what is simulated so far.
    """
    from highcardflush.figures.spread import session

    if strategy is not None and bets:
        raise TextError("--strategy", read=strategy.name, expected="none beside --bet: the best play")
    book = options.table(rulebook, offers, settings)
    tables = _tables(book, bets, meters)
    with progress_bar("every hand") as tell:
        if bets:
            nets, stake = round_nets(book, tables, bets), round_stake(book, bets)
        else:
            played = game_odds(book, strategy, tell)
            nets, stake = main_nets(played), main_stake(played)
    data, interrupted = _session(nets, stake, bankroll, goal, rounds, players, seed)
    bands = session(nets, rounds)
    data |= {"expected": exact(bands.expected), "low_5": bands.low_5, "median": bands.median, "high_95": bands.high_95}
    if chasing:
        data["chase"] = _chase_data(_chase(book, tables, bets), bankroll)
    show(data, lambda: _print(book, data), as_json=as_json)
    return options.INTERRUPTED if interrupted else 0


def _tables(book: Rulebook, bets: dict[str, Fraction], meters: tuple[str, ...]) -> dict[str, Any]:
    if meters and PROGRESSIVE not in bets:
        raise TextError("--meter", read="no bet on the progressive", expected="--bet progressive ANTES")
    found = {}
    for wager in bets:
        table = book.paytable(wager)
        if table is None:
            raise HcfError("--bet", read=wager, expected="a side bet that the table offers: see --offer")
        jackpot = SIDE_BETS[wager].jackpot
        found[wager] = progressive_odds(book, parse_meters(table, meters)).at_meters if jackpot else table_odds(table)
    return found


def _session(
    nets: dict[Fraction, Fraction], stake: Fraction, bankroll: Fraction, goal: Fraction | None, rounds: int,
    players: int, seed: int,
) -> tuple[dict[str, Any], bool]:  # fmt: skip
    """Ruin and goal as data, and whether an interrupt came."""
    told: dict[str, Any] = {"rounds": rounds, "bankroll": float(bankroll), "stake": float(stake)}
    told["largest_loss"], told["goal"] = float(-min(nets)), None if goal is None else float(goal)
    with progress_bar("rounds") as tell:
        found = session_risk(nets, stake, bankroll, rounds, goal, tell)
    if found is not None:
        known = {"ruin": found.ruin, "reach_goal": found.goal}
        told |= {"method": found.method} | {key: float(each) for key, each in known.items()}
        return told | {f"{key}_exact": exact(each) for key, each in known.items() if isinstance(each, Fraction)}, False
    from highcardflush.simulate.risk import simulate_risk

    with progress_bar("players") as tell:
        drawn = simulate_risk(nets, stake, bankroll, rounds, goal, players, seed, tell)
    if drawn.interrupted:
        click.echo(f"hcf: interrupted after {drawn.players:,} of {players:,} players", err=True)
    parts = {"ruin": drawn.ruin, "reach_goal": drawn.goal}
    told |= {"method": "simulated", "players": drawn.players, "seed": seed} | parts
    return told | {
        f"{key}_standard_error": drawn.standard_error(part) for key, part in parts.items()
    }, drawn.interrupted


def _chase(book: Rulebook, tables: dict[str, Any], bets: dict[str, Fraction]) -> Chase:
    if PROGRESSIVE not in bets:
        raise TextError("--chase", read="no bet on the progressive", expected="--bet progressive ANTES")
    return chase_win(book, tables, bets)


def _chase_data(found: Chase, bankroll: Fraction) -> dict[str, Any]:
    low, high = found.ruin(bankroll)
    needed = {f"{part:g}": found.bankroll(part) for part in CONFIDENCE}
    return {"rounds": float(found.rounds), "ruin_low": low, "ruin_high": high, "bankroll": needed}


def _print(book: Rulebook, data: dict[str, Any]) -> None:
    put(
        f"{book.name}, {data['rounds']:,} rounds with {data['bankroll']:,g} Antes; a round may ask for "
        f"{data['stake']:g}: Ante, largest Raise, side bets. Figures are {METHODS[data['method']]}."
    )
    rows = grid("figure", ">value")
    rows.add_row("ruin", _with_error(data, "ruin"))
    if data["goal"] is not None:
        rows.add_row(f"{data['goal']:,g} Antes reached", _with_error(data, "reach_goal"))
    bands = tuple(f"{data[key]:+,g}" for key in ("low_5", "median", "high_95"))
    rows.add_row("net of all rounds, never stopped: 5 %, median, 95 %", ", ".join(bands))
    if chased := data.get("chase"):
        rows.add_row("rounds until a 100 % win, on average", f"{chased['rounds']:,.0f}")
        rows.add_row("ruin before it, between", f"{percent(chased['ruin_low'])} and {percent(chased['ruin_high'])}")
        for part, antes in chased["bankroll"].items():
            rows.add_row(f"Antes for it in {float(part):.0%} of cases", f"{antes:,}")
    put(rows)


METHODS = {
    "exact": "exact",
    "floats": "exact sums, in floats",
    "simulated": "simulated, with standard errors",
}


def _with_error(data: dict[str, Any], key: str) -> str:
    error = data.get(f"{key}_standard_error")
    return percent(data[key]) + ("" if error is None else f" ± {percent(error)}, seed {data['seed']}")
