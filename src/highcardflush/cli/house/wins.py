"""Decisions that may need two people: pending 100 % wins, and corrections to a meter."""

from functools import partial

import click

from highcardflush.cli.house.send import Caller, decides, reads, reason_option, signed_micros, text_option
from highcardflush.cli.house.status import print_notices
from highcardflush.cli.house.words import case_data, dollars, how_to_decide, meter_after, moment
from highcardflush.cli.output import echo, hanging
from highcardflush.formats.json import with_notice
from highcardflush.house import Answer
from highcardflush.house.commands import Decide, Propose, Vote
from highcardflush.house.events import CorrectionProposed, WinVoted
from highcardflush.house.reports import waiting_wins
from highcardflush.house.reports.overview import WinRow
from highcardflush.house.reports.reading import FIRST

_signed_option = partial(click.option, default="0", metavar="AMOUNT", callback=signed_micros)

OUTCOMES = {
    "paid": "it is paid",
    "returned": "it is returned to the meter",
    "waiting": "it waits for a second supervisor",
}


@click.command()
@reads
def wins(caller: Caller) -> None:
    """List the wins that wait for a supervisor.

    They are the undecided 100 % wins of all meters, including those that were refused once.
    """
    rows = caller.read(waiting_wins)
    data = [
        {"meter": row.meter, **case_data(row.case), "needed": row.needed, "hand": row.hand, **with_notice(row.notice)}
        for row in rows
    ]
    caller.show(data, lambda: _print_wins(rows))


def _print_wins(rows: list[WinRow]) -> None:
    for row in rows:
        case, win = row.case, row.case.win
        echo(hanging(f"meter {row.meter}, win {win.win}: ", f"{dollars(win.micros)} for {win.account}"))
        echo(hanging("    ", f"table {case.table}, round {case.round}, seat {win.seat}, {moment(case.at)} UTC"))
        echo(f"    with {row.hand}")
        approvals = sum(vote.approve for vote in case.votes)
        echo(f"    {approvals} of {row.needed} approval{'s' * (row.needed > 1)}")
        for vote in case.votes:
            echo(hanging("    ", f"{vote.actor} {'approves' if vote.approve else f'refuses: {vote.reason}'}"))
    print_notices({row.meter: row.notice for row in rows})
    if not rows:
        echo("no wins are waiting")
    if len(rows) == FIRST:
        echo(f"only the oldest {FIRST} wins are listed; decide some of them to see more")


@click.command()
@click.argument("meter")
@click.argument("win", type=click.IntRange(min=1))
@decides
def approve(caller: Caller, meter: str, win: int) -> None:
    """Approve win number WIN of a meter.

    With enough approvals the win is paid to the wallet. It needs one approval, or two if it is above the amount set
    with --second-above.
    """
    _vote(caller, meter, Vote(win, approve=True))


@click.command()
@click.argument("meter")
@click.argument("win", type=click.IntRange(min=1))
@reason_option
@decides
def refuse(caller: Caller, meter: str, win: int, reason: str) -> None:
    """Refuse win number WIN of a meter.

    The win stays pending until a second person decides. A second refusal returns the win to the meter.
    """
    _vote(caller, meter, Vote(win, approve=False, reason=reason))


def _vote(caller: Caller, meter: str, vote: Vote) -> None:
    word = "approved" if vote.approve else "refused"
    text = f"win {vote.win} of meter {meter}: {word} by {caller.actor}, "
    caller.act(f"meter/{meter}", vote, lambda answer: text + OUTCOMES[answer.decode(WinVoted).outcome])


@click.command()
@click.argument("meter")
@_signed_option("--amount", help="Amount to add to the display; may be negative.")
@_signed_option("--reserve", help="Amount to add to the reserve; may be negative.")
@reason_option
@decides
def correct(caller: Caller, meter: str, amount: int, reserve: int, reason: str) -> None:
    """Propose a correction to a meter. Another supervisor must approve it."""

    def words(answer: Answer) -> str:
        number = answer.decode(CorrectionProposed).correction
        instructions = how_to_decide(meter, number)
        return f"correction {number} of meter {meter}: another supervisor decides it with:\n{instructions}"

    caller.act(f"meter/{meter}", Propose(reason, amount, reserve), words)


@click.command()
@click.argument("meter")
@click.argument("correction", type=click.IntRange(min=1))
@click.option("--approve/--reject", "approved", default=None, help="Approve or reject, as a second supervisor.")
@text_option("--reason", help="Reason for the rejection.")
@decides
def decide(caller: Caller, meter: str, correction: int, approved: bool | None, reason: str) -> None:
    """Approve or reject a correction to a meter.

    CORRECTION is its number. The person who proposed it cannot decide it.
    """
    if approved is None:
        raise click.UsageError("give --approve or --reject")

    def words(answer: Answer) -> str:
        if not approved:
            return f"correction {correction} of meter {meter}: rejected, nothing was changed"
        shows = dollars(meter_after(answer).amount_micros)
        return f"correction {correction} of meter {meter}: approved, the meter now shows {shows}"

    caller.act(f"meter/{meter}", Decide(correction, approved, reason), words)
