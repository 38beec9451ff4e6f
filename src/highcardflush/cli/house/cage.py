"""Money that comes and goes, and where it is: buy-in, cash-out, balances, statements."""

from __future__ import annotations

from operator import add
from typing import Any

import click
from msgspec.structs import astuple
from rich.table import Table

from highcardflush.cli.house.send import Caller, cents, house_at, reads, serves
from highcardflush.cli.house.words import cash, columns, dollars, moment, net, signed
from highcardflush.cli.output import echo, grid, hanging, picked, plural, put
from highcardflush.house import reports
from highcardflush.house.commands import BuyIn, CashOut
from highcardflush.house.reports import Balances, Purses, Statement
from highcardflush.house.reports.statement import Line
from highcardflush.words import say, say_bet

FIGURES = ("bought_in_micros", "cashed_out_micros", "held_micros", "net_micros")
DECIDED = {
    "waiting": "waits for a supervisor",
    "paid": "was approved: it was paid on a line of its own",
    "returned": "was refused twice and went back to the meter",
}


@click.command("buy-in")
@click.argument("player")
@click.argument("amount", callback=cents)
@serves("cashier")
def buy_in(caller: Caller, player: str, amount: int) -> None:
    """Take AMOUNT from a player into the wallet."""
    _move(caller, player, BuyIn(player, amount), f"{cash(amount)} in")


@click.command("cash-out")
@click.argument("player")
@click.argument("amount", callback=cents)
@serves("cashier")
def cash_out(caller: Caller, player: str, amount: int) -> None:
    """Pay AMOUNT from a player's wallet."""
    _move(caller, player, CashOut(player, amount), f"{cash(amount)} out")


def _move(caller: Caller, player: str, command: BuyIn | CashOut, words: str) -> None:
    """Move money over the counter, and say what the wallet holds now."""
    with house_at(caller.url) as house:
        done = caller.send(house, "cage", command)
        rows = house.store.snapshot(lambda tx: tx.read("SELECT micros FROM wallets WHERE player = ?", player))
    caller.tell(done, f"{player}: {words}, balance {dollars(int(rows[0][0]))}")


@click.command()
@reads
def balances(caller: Caller) -> int:
    """Show what every account holds.

    A cashier sees the wallets, a player the own one. The exit status is 1 if the accounts do not add up, or a wallet's
    row differs.
    """
    report = caller.read(reports.balances)
    caller.show(_balances_data(report), lambda: _print_balances(report))
    return 0 if report.agrees else 1


def _balances_data(report: Balances) -> dict[str, Any]:
    split = ("people", "bots") if report.whole else ()
    return picked(report, "accounts", "total_micros", "wrong", "agrees", *split)


def _print_balances(report: Balances) -> None:
    amounts = columns([*(balance.micros for balance in report.accounts), report.total_micros])
    rows = zip((balance.account for balance in report.accounts), amounts, strict=False)
    listed = grid("account", ">balance", rows=rows)
    if report.whole:
        listed.add_section()
        listed.add_row("all together", amounts[-1])
    put(listed)
    if report.bots.wallets and report.whole:
        put("", _kinds(report))
    wrong = f"{plural(len(report.wrong), 'wallet')} with another amount in their row: {', '.join(report.wrong)}"
    each = "the wallet" if len(report.accounts) == 1 else "every wallet"
    put(wrong if report.wrong else f"{each} agrees with its transfers")


def _kinds(report: Balances) -> Table:
    """The players' money without the bots', the bots', and both together."""
    listed = grid("players", ">wallets", ">bought in", ">cashed out", ">in wallets", ">won or lost")
    together = Purses(*map(add, astuple(report.people), astuple(report.bots)))
    for name, purses in (("people", report.people), ("bots", report.bots), ("together", together)):
        listed.add_row(name, f"{purses.wallets:,}", *(dollars(getattr(purses, key)) for key in FIGURES))
    return listed


@click.command()
@click.argument("player")
@click.option("--last", type=click.IntRange(min=1), metavar="N", help="Only the last so many events.")
@reads
def statement(caller: Caller, player: str, last: int | None) -> int:
    """Show all that moved a player's wallet.

    Settlements are told wager by wager. A player may see only the own statement.
    """
    report = caller.read(reports.statement, player, last=last)
    caller.show(report, lambda: _print(report))
    return 0 if report.agrees else 1


def _print(report: Statement) -> None:
    """A day at a time; below a settlement each wager with its reason, as the dealer told it."""
    who = f"{report.player}, a bot" if report.bot else report.player
    echo(f"{who}: {dollars(report.opening_micros)} before the first line")
    amounts = signed(line.micros for line in report.lines)
    stands = columns(line.balance_micros for line in report.lines)
    events = [f"{line.stream} {line.seq}" for line in report.lines]
    wide = [max(map(len, cells), default=0) for cells in (events, amounts, stands)]
    day = ""
    for line, event, amount, balance in zip(report.lines, events, amounts, stands, strict=True):
        date, _, clock = moment(line.at).partition(" ")
        if date != day:
            echo(f"{date} UTC")
            day = date
        head = f"{clock}  {event:<{wide[0]}}  {amount:>{wide[1]}}  {balance:>{wide[2]}}  "
        echo(hanging(head, f"round {line.round}, {_what(line)}" if line.round else _what(line)))
        _print_wagers(line)
    row = "which the wallet's row says too" if report.agrees else f"but its row says {dollars(report.wallet_micros)}"
    echo(f"balance {dollars(report.balance_micros)}, {row}")


def _what(line: Line) -> str:
    bets = {say_bet(wager, bonus=line.bonus): cash(cents) for wager, cents in line.placed_cents.items()}
    placed = ", ".join(f"{bet} {amount}" for bet, amount in bets.items())
    return f"wagers: {placed}" if placed else line.what


def _print_wagers(line: Line) -> None:
    told = None
    for each in line.wagers:
        # Ante and Raise share their reason: it is said once.
        words = say(each.reason) if each.reason != told else ""
        head = f"{'':10}{say_bet(each.wager, bonus=line.bonus):<15}{net(each.net_cents):>12}  "
        echo(hanging(head, words).rstrip())
        told = each.reason
    if line.pending_micros:
        echo(hanging(f"{'':10}", f"{dollars(line.pending_micros)} of it {DECIDED[line.decided]}"))
