"""What takes two people: 100 % wins that wait for supervisors, and corrections of a meter."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from highcardflush.cli.house.desk import Done, opened, send, tell
from highcardflush.cli.house.options import decides, reads, signed_micros

if TYPE_CHECKING:
    from highcardflush.house.reports import WinRow


@click.command()
@reads
def wins(url: str | None, actor: str, as_json: bool) -> None:
    """List the wins that wait for a supervisor.

    Those are the 100 % wins of all meters that nobody has decided, refused ones among them.
    """
    from highcardflush.cli.house.meter_pages import case_data
    from highcardflush.cli.output import print_json
    from highcardflush.house.reports import waiting_wins

    with opened(url) as house:
        found = waiting_wins(house, actor)
    if as_json:
        print_json(
            [{"meter": row.meter, **case_data(row.case), "needed": row.needed, "hand": row.hand} for row in found]
        )
        return
    if not found:
        click.echo("no win waits")
        return
    for row in found:
        _print_win(row)


def _print_win(row: WinRow) -> None:
    from highcardflush.cli.house.words import dollars, hanging, moment

    case, approvals = row.case, sum(vote.approve for vote in row.case.votes)
    words = f"{dollars(case.win.micros)} for {case.win.account}"
    click.echo(hanging(f"meter {row.meter}, win {case.win.win}: ", words))
    place = f"table {case.table}, round {case.round}, seat {case.win.seat}, {moment(case.at)} UTC"
    click.echo(hanging("    ", place))
    click.echo(f"    with {row.hand}")
    click.echo(f"    {approvals} of {row.needed} approval{'s' * (row.needed > 1)}")
    for vote in case.votes:
        click.echo(hanging("    ", f"{vote.actor} {'approves' if vote.approve else f'refuses: {vote.reason}'}"))


@click.command()
@click.argument("meter")
@click.argument("win", type=click.IntRange(min=1))
@decides
def approve(meter: str, win: int, url: str | None, actor: str, key: str | None, as_json: bool) -> None:
    """Approve the win number WIN of a meter.

    Enough approvals pay it to the wallet: one, or two above the meter's amount.
    """
    from highcardflush.house.commands import Vote

    with opened(url) as house:
        done = send(house, f"meter/{meter}", Vote(win, approve=True), actor, key)
    _tell_vote(done, meter, as_json=as_json)


@click.command()
@click.argument("meter")
@click.argument("win", type=click.IntRange(min=1))
@click.option("--reason", required=True, metavar="TEXT", help="Why; it stays in the books.")
@decides
def refuse(meter: str, win: int, reason: str, url: str | None, actor: str, key: str | None, as_json: bool) -> None:
    """Refuse the win number WIN of a meter.

    It stays pending until a second person decides; a second refusal returns it to the meter.
    """
    from highcardflush.house.commands import Vote

    with opened(url) as house:
        done = send(house, f"meter/{meter}", Vote(win, approve=False, reason=reason), actor, key)
    _tell_vote(done, meter, as_json=as_json)


def _tell_vote(done: Done, meter: str, *, as_json: bool) -> None:
    body = done.answer.body
    means = {
        "paid": "it is paid",
        "returned": "it is returned to the meter",
        "waiting": "it waits for a second supervisor",
    }[body["outcome"]]
    word = "approved" if body["approve"] else "refused"
    tell(done, f"win {body['win']} of meter {meter}: {word} by {done.actor}, {means}", as_json=as_json)


@click.command()
@click.argument("meter")
@click.option(
    "--amount", default="0", metavar="AMOUNT", type=signed_micros, help="Added to the display; may be below 0."
)
@click.option("--reserve", default="0", metavar="AMOUNT", type=signed_micros, help="Added to the reserve.")
@click.option("--reason", required=True, metavar="TEXT", help="Why; it stays in the books.")
@decides
def correct(
    meter: str, amount: int, reserve: int, reason: str, url: str | None, actor: str, key: str | None, as_json: bool
) -> None:
    """Propose a correction of a meter. Another supervisor decides it."""
    from highcardflush.cli.house.words import how_to_decide
    from highcardflush.house.commands import Propose

    with opened(url) as house:
        done = send(house, f"meter/{meter}", Propose(reason, amount, reserve), actor, key)
    number = done.answer.body["correction"]
    words = f"another supervisor decides it:\n{how_to_decide(meter, number)}"
    tell(done, f"correction {number} of meter {meter}: {words}", as_json=as_json)


@click.command()
@click.argument("meter")
@click.argument("correction", type=click.IntRange(min=1))
@click.option("--approve/--reject", "approved", default=None, help="The word of a second supervisor.")
@click.option("--reason", default="", metavar="TEXT", help="Why it is rejected.")
@decides
def decide(
    meter: str,
    correction: int,
    approved: bool | None,
    reason: str,
    url: str | None,
    actor: str,
    key: str | None,
    as_json: bool,
) -> None:
    """Decide a correction of a meter.

    CORRECTION is its number; whoever proposed it cannot decide it.
    """
    from highcardflush.cli.house.words import dollars
    from highcardflush.house.commands import Decide

    if approved is None:
        raise click.UsageError("--approve or --reject says what is decided")
    with opened(url) as house:
        done = send(house, f"meter/{meter}", Decide(correction, approved, reason), actor, key)
    body = done.answer.body
    shows = (
        f"approved, the meter shows {dollars(body['amount_micros'])}" if approved else "rejected, nothing is changed"
    )
    tell(done, f"correction {correction} of meter {meter}: {shows}", as_json=as_json)
