"""`hcf house submit`: any command as JSON, for scripts and for keying in a physical table."""

from __future__ import annotations

import time

import click

from highcardflush import structs
from highcardflush.cli.files import read_text
from highcardflush.cli.house.send import done_data, house_at, key_option, send
from highcardflush.cli.house.words import net
from highcardflush.cli.options import db_option, json_option
from highcardflush.cli.output import echo, print_json
from highcardflush.errors import TextError
from highcardflush.game.actions import Action, DealHand, TimeOut
from highcardflush.house import House
from highcardflush.house.commands import Command, DealCards, Draw, Roll
from highcardflush.house.parse import read_command
from highcardflush.house.table.due import seconds_left
from highcardflush.words import Reason, say

_TIMED = (TimeOut, Roll, Draw, DealCards)
"""Commands that may have to wait for a player."""
WARNING = "warning: others on this machine can read arguments: send cards and tokens by - on standard input"


@click.command()
@click.argument("stream", metavar="STREAM")
@click.argument("text", metavar="JSON")
@click.option("--as", "actor", required=True, metavar="NAME", help="Sender of the command.")
@key_option
@db_option
@json_option
def submit(stream: str, text: str, actor: str, key: str | None, url: str | None, as_json: bool) -> None:
    """Send any command, as JSON.

    STREAM is table/NAME, meter/NAME, cage or office. JSON is an object whose "type" names the command, such as
    '{"type": "Sit", "seat": 1}'. - reads it from standard input: use that for cards and tokens, because others on the
    machine can read arguments. The answer is the event that it made. A TimeOut, and a draw before a seed is revealed,
    first lets the player's clock run out.
    """
    try:
        command = read_command(read_text("-") if text == "-" else text).command
    except TextError as error:
        raise error.at("-" if text == "-" else None) from None
    if text != "-" and any(getattr(command, name, False) for name in ("hand", "expose", "token")):
        click.echo(f"hcf: {WARNING}", err=True)
    with house_at(url) as house:
        if isinstance(command, _TIMED) and stream.startswith("table/"):
            _let_clock_run(house, stream.removeprefix("table/"), command)
        receipt = send(house, stream, command, actor, key)
    if as_json:
        print_json(done_data(receipt))
        return
    body = receipt.answer.body
    echo(f"{receipt.answer.stream} {receipt.answer.seq}: {receipt.answer.kind}")
    if isinstance(command, DealHand):  # A hand is sealed in the books, so print what was keyed in.
        echo(f"{f'seat {command.seat}' if command.seat else 'dealer'}: {command.hand}")
    for result in (event["result"] for event in body.get("told", ()) if event["type"] == "WagerSettled"):
        reason = say(structs.convert(result["reason"], Reason))
        echo(f"seat {result['seat']} {result['wager']} {net(result['net_cents'])}: {reason}")
    for meter in body.get("hits", {}):
        echo(f"meter {meter} was hit: `hcf house wins` lists what waits for a supervisor")


def _let_clock_run(house: House, name: str, command: Command | Action) -> None:
    """Wait for the player's clock, which starts when a process first sees the question."""
    table = house.table(name)
    if table.round is None:
        return
    seats = table.round.awaited
    if isinstance(command, TimeOut):
        seats = tuple(seat for seat in table.round.state.undecided if seat == command.seat)
    if seats:
        left_s = seconds_left(table.round, house.cache.watched_s(table))
        seat_names = ", ".join(f"seat {seat}" for seat in seats)
        click.echo(f"hcf: {left_s} s on the clock of {seat_names}, counted from here", err=True)
        time.sleep(left_s)
