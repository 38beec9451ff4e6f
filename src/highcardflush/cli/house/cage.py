"""The commands of the cage: buy-in, cash-out, balances and statements."""

import click
from msgspec.structs import astuple
from rich.table import Table

from highcardflush.cli.house.send import Caller, cents, house_at, lists, looks_back, reads, serves
from highcardflush.cli.house.words import cash, columns, dollars, moment, net, print_earlier, signed
from highcardflush.cli.output import echo, grid, hanging, plural, put
from highcardflush.formats.json import picked
from highcardflush.house import reports
from highcardflush.house.commands import BuyIn, CashOut
from highcardflush.house.reports import Balances, Purses, Statement
from highcardflush.house.reports.statement import Line, say_cause
from highcardflush.words import say, say_bet

FIGURES = ("bought_in_micros", "cashed_out_micros", "held_micros", "net_micros")
DECIDED = {
    "waiting": "waits for a supervisor",
    "paid": "was approved and is paid on a separate line",
    "returned": "was refused twice and returned to the meter",
}


def _counter(name: str, kind: type[BuyIn | CashOut], way: str, words: str) -> click.Command:
    """Return a command that moves money over the counter and prints the wallet's new balance."""

    @click.command(name, help=words)
    @click.argument("player")
    @click.argument("amount", callback=cents)
    @serves("cashier")
    def move(caller: Caller, player: str, amount: int) -> None:
        with house_at(caller.url) as house:
            receipt = caller.send(house, "cage", kind(player, amount))
            balance = house.wallet(player)
        caller.tell(receipt, f"{player}: {cash(amount)} {way}, balance {dollars(balance)}")

    return move


buy_in = _counter("buy-in", BuyIn, "in", "Take AMOUNT from a player into the wallet.")
cash_out = _counter("cash-out", CashOut, "out", "Pay AMOUNT from a player's wallet.")


@click.command()
@lists("wallets")
@reads
def balances(caller: Caller, first: int, after: str) -> int:
    """Show the balance of every account.

    A cashier sees only the wallets, and a player only their own. The exit status is 1 if the accounts do not balance,
    or if a wallet's stored balance differs from the balance after its newest move.
    """
    report = caller.read(reports.balances, first=first, after=after)
    split = ("accounts", "total_micros", "people", "bots", "guests") if report.whole else ()
    caller.show(picked(report, *split, "wallets", "wrong", "agrees"), lambda: _print_balances(report, first))
    return 0 if report.agrees else 1


def _print_balances(report: Balances, first: int) -> None:
    listed = grid("account", ">balance")
    rows = [*report.accounts, *report.wallets]
    amounts = columns([*(balance.micros for balance in rows), report.total_micros])
    for row, amount in zip(rows, amounts, strict=False):
        listed.add_row(row.account, amount)
    if report.whole:
        listed.add_section()
        listed.add_row("total", amounts[-1])
    put(listed)
    if len(report.wallets) == first:
        echo(f"next page: --after {report.wallets[-1].account.partition('/')[2]}")
    if (report.bots.wallets or report.guests.wallets) and report.whole:
        put("", _kinds(report))
    wrong = f"{plural(len(report.wrong), 'wallet')} whose stored balance differs from the balance after the newest move"
    each = "the wallet" if len(report.wallets) == 1 else "every wallet"
    good = f"the stored balance of {each} matches its newest move"
    put(f"{wrong}: {', '.join(report.wrong)}" if report.wrong else good)


def _kinds(report: Balances) -> Table:
    listed = grid("players", ">wallets", ">bought in", ">cashed out", ">in wallets", ">won or lost")
    kinds = {"people": report.people, "bots": report.bots, "guests": report.guests}
    total = Purses(*map(sum, zip(*map(astuple, kinds.values()), strict=True)))
    for name, purses in {**kinds, "total": total}.items():
        if not purses.wallets and name in ("bots", "guests"):
            continue
        listed.add_row(name, f"{purses.wallets:,}", *(dollars(getattr(purses, key)) for key in FIGURES))
    return listed


@click.command()
@click.argument("player")
@looks_back("moves")
@reads
def statement(caller: Caller, player: str, last: int, before: int) -> int:
    """Show the last transactions of a player's wallet.

    Settlements are listed wager by wager, including lost wagers. Players may see only their own statement.
    """
    report = caller.read(reports.statement, player, last=last, before=before)
    caller.show(report, lambda: _print(report))
    return 0 if report.agrees else 1


def _print(report: Statement) -> None:
    who = report.player if report.kind == "person" else f"{report.player}, a {report.kind}"
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
        what = say_cause(line, cash)
        echo(hanging(head, f"round {line.round}, {what}" if line.round else what))
        _print_wagers(line)
    print_earlier(next((line.number for line in report.lines if line.number), None))
    row = dollars(report.wallet_micros)
    if report.agrees:
        verdict = ", equal to the wallet's stored balance" if report.newest else f"; the wallet now has {row}"
    else:
        now = f"; the wallet's stored balance is {row}" if report.newest else ""
        verdict = f", but the transfers do NOT add up to these balances{now}"
    echo(f"balance {dollars(report.balance_micros)}{verdict}")


def _print_wagers(line: Line) -> None:
    last_reason = None
    for each in line.wagers:
        # Ante and Raise share their reason, which is printed once.
        words = say(each.reason) if each.reason != last_reason else ""
        head = f"{'':10}{say_bet(each.wager, bonus=line.bonus):<15}{net(each.net_cents):>12}  "
        echo(hanging(head, words).rstrip())
        last_reason = each.reason
    if line.pending_micros:
        echo(hanging(f"{'':10}", f"{dollars(line.pending_micros)} of it {DECIDED[line.decided]}"))
