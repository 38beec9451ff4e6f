"""Money that comes and goes, and where it is: buy-in, cash-out, balances, statements."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from highcardflush.cli.house.desk import opened, send, tell
from highcardflush.cli.house.options import cents, reads, serves

if TYPE_CHECKING:
    from highcardflush.house import House
    from highcardflush.house.reports import Statement
    from highcardflush.house.reports.statement import Line

DECIDED = {
    "waiting": "waits for a supervisor",
    "paid": "was approved: it was paid on a line of its own",
    "returned": "was refused twice and went back to the meter",
}


@click.command("buy-in")
@click.argument("player")
@click.argument("amount", type=cents)
@serves("cashier")
def buy_in(player: str, amount: int, url: str | None, actor: str | None, key: str | None, as_json: bool) -> None:
    """Take AMOUNT from a player into the wallet."""
    from highcardflush.cli.house.words import cash
    from highcardflush.house.commands import BuyIn

    with opened(url) as house:
        done = send(house, "cage", BuyIn(player, amount), actor, key, "cashier")
        balance = _balance(house, player)
    tell(done, f"{player}: {cash(amount)} in, balance {balance}", as_json=as_json)


@click.command("cash-out")
@click.argument("player")
@click.argument("amount", type=cents)
@serves("cashier")
def cash_out(player: str, amount: int, url: str | None, actor: str | None, key: str | None, as_json: bool) -> None:
    """Pay AMOUNT from a player's wallet."""
    from highcardflush.cli.house.words import cash
    from highcardflush.house.commands import CashOut

    with opened(url) as house:
        done = send(house, "cage", CashOut(player, amount), actor, key, "cashier")
        balance = _balance(house, player)
    tell(done, f"{player}: {cash(amount)} out, balance {balance}", as_json=as_json)


def _balance(house: House, player: str) -> str:
    """What the wallet holds now."""
    from highcardflush.cli.house.words import dollars

    rows = house.store.snapshot(lambda tx: tx.read("SELECT micros FROM wallets WHERE player = ?", player))
    return dollars(int(rows[0][0]))


@click.command()
@reads
def balances(url: str | None, actor: str, as_json: bool) -> int:
    """Show what every account holds.

    A cashier sees the wallets, a player the own one. The exit status is 1 if the accounts do not add up, or a wallet's
    row differs.
    """
    from highcardflush.cli.house.words import columns, plural
    from highcardflush.cli.output import console, grid, print_json
    from highcardflush.house.reports import balances as read

    with opened(url) as house:
        found = read(house, actor)
    if as_json:
        print_json(
            {
                "accounts": found.accounts,
                "total_micros": found.total_micros,
                "wrong": found.wrong,
                "agrees": found.agrees,
            }
        )
        return 0 if found.agrees else 1
    out, listed = console(), grid("account", "balance", right=("balance",))
    amounts = columns([*(balance.micros for balance in found.accounts), found.total_micros])
    for balance, amount in zip(found.accounts, amounts, strict=False):
        listed.add_row(balance.account, amount)
    if found.whole:
        listed.add_section()
        listed.add_row("all together", amounts[-1])
    out.print(listed)
    wrong = f"{plural(len(found.wrong), 'wallet')} with another amount in their row: {', '.join(found.wrong)}"
    each = "the wallet" if len(found.accounts) == 1 else "every wallet"
    out.print(wrong if found.wrong else f"{each} agrees with its transfers")
    return 0 if found.agrees else 1


@click.command()
@click.argument("player")
@click.option("--last", type=click.IntRange(min=1), metavar="N", help="Only the last so many events.")
@reads
def statement(player: str, last: int | None, url: str | None, actor: str, as_json: bool) -> int:
    """Show all that moved a player's wallet.

    Settlements are told wager by wager. A player may see only the own statement.
    """
    from highcardflush.cli.output import print_json
    from highcardflush.house.reports import statement as read

    with opened(url) as house:
        found = read(house, player, actor, last)
    if as_json:
        print_json(_as_data(found))
    else:
        _print(found)
    return 0 if found.agrees else 1


def _as_data(found: Statement) -> dict[str, Any]:
    import msgspec

    data: dict[str, Any] = msgspec.to_builtins(found, str_keys=True)
    for line, told in zip(data["lines"], found.lines, strict=True):
        line["wagers"] = [{key: getattr(each, key) for key in each.__struct_fields__} for each in told.wagers]
    return data | {"agrees": found.agrees}


def _print(found: Statement) -> None:
    """A day at a time; below a settlement each wager with its reason, as the dealer told it."""
    from highcardflush.cli.house.words import columns, dollars, hanging, moment, signed

    click.echo(f"{found.player}: {dollars(found.opening_micros)} before the first line")
    amounts, stands = signed(line.micros for line in found.lines), columns(line.balance_micros for line in found.lines)
    events = [f"{line.stream} {line.seq}" for line in found.lines]
    wide = [max(map(len, cells), default=0) for cells in (events, amounts, stands)]
    day = ""
    for line, event, amount, balance in zip(found.lines, events, amounts, stands, strict=True):
        date, _, clock = moment(line.at).partition(" ")
        if date != day:
            click.echo(f"{date} UTC")
            day = date
        head = f"{clock}  {event:<{wide[0]}}  {amount:>{wide[1]}}  {balance:>{wide[2]}}  "
        click.echo(hanging(head, f"round {line.round}, {_what(line)}" if line.round else _what(line)))
        _print_wagers(line)
    row = "which the wallet's row says too" if found.agrees else f"but its row says {dollars(found.wallet_micros)}"
    click.echo(f"balance {dollars(found.balance_micros)}, {row}")


def _what(line: Line) -> str:
    from highcardflush.cli.house.words import cash

    placed = ", ".join(f"{wager} {cash(cents)}" for wager, cents in line.placed_cents.items())
    return f"wagers: {placed}" if placed else line.what


def _print_wagers(line: Line) -> None:
    from highcardflush.cli.house.words import dollars, hanging, net

    told = ""
    for each in line.wagers:
        # Ante and Raise share their reason: it is said once.
        words = each.reason if each.reason != told else ""
        click.echo(hanging(f"{'':10}{each.wager:<15}{net(each.net_cents):>12}  ", words).rstrip())
        told = each.reason
    if line.pending_micros:
        click.echo(hanging(f"{'':10}", f"{dollars(line.pending_micros)} of it {DECIDED[line.decided]}"))
