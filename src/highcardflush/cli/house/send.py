"""The parts that the house commands share: the caller, options and amounts.

`hcf house submit` is also here. It sends any command as JSON, for scripts and for keying in a physical table.
"""

import re
import time
from collections.abc import Callable
from contextlib import closing
from functools import partial, wraps
from secrets import token_hex
from typing import Any, TypeVar

import click
from msgspec import Struct
from msgspec.structs import asdict

from highcardflush.cli import output
from highcardflush.cli.files import read_text
from highcardflush.cli.house.words import net
from highcardflush.cli.options import Function, db_option, json_option, number_option, parsed
from highcardflush.errors import NotFound, OutcomeUnknown, TextError
from highcardflush.formats.json import plain
from highcardflush.game.actions import Action, DealHand, TimeOut
from highcardflush.game.events import WagerSettled
from highcardflush.house import Answer, House
from highcardflush.house.books.reader import OFFICE
from highcardflush.house.commands import NAME, AnyChange, Command, DealCards, Draw, ProposeChange, Role, Roll
from highcardflush.house.events import Body, RoundEnded
from highcardflush.house.office.founding import open_house_at
from highcardflush.house.parse import NAMES, read_command
from highcardflush.house.reports.reading import ALL, FIRST
from highcardflush.house.store.address import default_url
from highcardflush.house.table.due import seconds_left
from highcardflush.money import as_typed, parse_micros, parse_positive, parse_rate
from highcardflush.words import refuse, say

T = TypeVar("T")


class Done(Struct, frozen=True):
    key: str
    actor: str
    answer: Answer


@plain.register
def done_data(receipt: Done) -> dict[str, Any]:
    return {"key": receipt.key, "actor": receipt.actor, **asdict(receipt.answer)}


class Caller(Struct, frozen=True):
    url: str | None
    actor: str | None
    key: str | None = None
    role: Role = "administrator"
    """Role of the sender. If only one person has this role, `actor` may be omitted."""
    proposes: str | None = None
    """Reason for a proposal. If set, the command is only proposed."""

    def read(self, report: Callable[..., T], *about: object, **more: object) -> T:
        """Read the part of a report that the caller may see."""
        with house_at(self.url) as house:
            return report(house, *about, self.actor, **more)

    def send(self, house: House, stream: str, command: Command | Action) -> Done:
        actor = self.actor if self.actor is not None else only(house, self.role)
        if self.proposes is not None and isinstance(command, AnyChange):
            stream, command = OFFICE, ProposeChange(stream, command, self.proposes)
        return send(house, stream, command, actor, self.key)

    def act(self, stream: str, command: Command | Action, words: str | Callable[[Answer], str]) -> Answer:
        """Send a command and print the result."""
        with house_at(self.url) as house:
            receipt = self.send(house, stream, command)
        text = words if isinstance(words, str) else "" if self.proposes is not None else words(receipt.answer)
        self.tell(receipt, text)
        return receipt.answer

    def tell(self, receipt: Done | list[Done], words: str) -> None:
        """Print the result of a command: a line for a person, or the answer with its idempotency key as JSON."""
        if isinstance(receipt, Done) and receipt.answer.kind == "propose-change":
            words = f"change {receipt.answer.seq}: proposed, another administrator must decide"
        output.tell(plain(receipt), words)

    def show(self, data: object, page: Callable[[], object]) -> None:
        output.show(plain(data), page)


def house_at(url: str | None) -> closing[House]:
    return closing(open_house_at(url or default_url()))


def send(house: House, stream: str, command: Command | Action, actor: str, key: str | None) -> Done:
    used = key if key is not None else token_hex(16)
    try:
        return Done(used, actor, house.submit(stream, command, actor, used))
    except OutcomeUnknown:
        click.echo(f"hcf: the outcome is unknown: send the command again with --key {used}", err=True)
        raise


def only(house: House, role: Role) -> str:
    sql = "SELECT name FROM people WHERE role = ? AND active AND kind <> 'bot' ORDER BY name"
    names = [str(name) for (name,) in house.store.snapshot(lambda tx: tx.read(sql, role))]
    if not names:
        raise refuse("nobody-in-role", NotFound, role=role)
    if len(names) > 1:
        raise refuse("several-in-role", role=role, names=", ".join(names))
    return names[0]


def _page(size: str, noun: str, start: Callable[[Function], Function]) -> Callable[[Function], Function]:
    limit = number_option(size, 1, ALL, f"Print at most N {noun}.", default=FIRST)
    return lambda function: limit(start(function))


def lists(noun: str) -> Callable[[Function], Function]:
    """Return the options for a list ordered by name: --first and --after."""
    after = click.option("--after", metavar="NAME", default="", help=f"Only {noun} after this name.")
    return _page("--first", noun, after)


def looks_back(noun: str) -> Callable[[Function], Function]:
    """Return the options for a list of the newest rows: --last and --before."""
    words = f"Only {noun} before this number."
    before = number_option("--before", 1, ALL, words, default=ALL, show_default=False)
    return _page("--last", noun, before)


text_option = partial(click.option, default="", metavar="TEXT")
reason_option = click.option("--reason", required=True, metavar="TEXT", help="Reason to record in the books.")
key_option = click.option(
    "--key", metavar="TEXT", help="Idempotency key: repeating it returns the first answer. [default: a new key]"
)
propose_option = click.option(
    "--propose", "proposed", metavar="TEXT",
    help="Only propose the change, for this reason. Another administrator decides.",
)  # fmt: skip
ADMIN: dict[str, Any] = {"default": "admin", "show_default": True}
ASKS = "The administrator who gives the command."
admin_option = click.option("--as", "actor", metavar="NAME", help=ASKS, **ADMIN)


def _called(
    words: str, role: Role = "administrator", *, writes: bool = True, proposes: bool = False, **who: Any
) -> Callable[[Function], Function]:
    """Add the options for books, caller and output. The command receives them as a `Caller`."""

    def decorate(function: Function) -> Function:
        @wraps(function)
        def serve(
            url: str | None, actor: str | None, key: str | None = None, proposed: str | None = None, **options: Any
        ) -> Any:
            return function(Caller(url, actor, key, role, proposed), **options)

        who_asks: Any = click.option("--as", "actor", metavar="NAME", help=words, **who)
        command: Function = db_option(who_asks(key_option(json_option(serve)) if writes else json_option(serve)))
        return propose_option(command) if proposes else command

    return decorate


reads = _called("The person who reads the report.", writes=False, **ADMIN)
administers = _called(ASKS, **ADMIN)
changes = _called(ASKS, proposes=True, **ADMIN)
decides = _called("The supervisor who decides.", required=True)
works = _called("The member of staff.", required=True)
consents = _called("The player who consents.", required=True)


def serves(role: Role) -> Callable[[Function], Function]:
    """Return the options for a command of one role. If only one person has this role, --as may be omitted."""
    return _called(f"The {role} who gives the command. [default: the {role}, if there is only one]", role)


def _new_name(text: str) -> str:
    if not re.fullmatch(NAME, text):
        raise TextError("name", read=repr(text), expected=NAMES)
    return text


def read_micros(text: str) -> int:
    """Parse a meter amount, which may be zero."""
    return parse_micros(as_typed(text))


new_name_argument = click.argument("name", callback=parsed(_new_name))
cents = parsed(parse_positive)
micros = parsed(read_micros)
signed_micros = parsed(lambda text: parse_micros(as_typed(text), signed=True))
rate = parsed(parse_rate)


_TIMED = (TimeOut, Roll, Draw, DealCards)
"""Commands that may have to wait for a player."""
WARNING = "warning: other users of this machine can read arguments; use - and send cards and tokens on standard input"


@click.command()
@click.argument("stream", metavar="STREAM")
@click.argument("text", metavar="JSON")
@click.option("--as", "actor", required=True, metavar="NAME", help="Sender of the command.")
@key_option
@db_option
@json_option
def submit(stream: str, text: str, actor: str, key: str | None, url: str | None) -> None:
    """Send any command, as JSON.

    STREAM is table/NAME, meter/NAME, cage or office. JSON is an object whose "type" is the name of the command, such as
    '{"type": "Sit", "seat": 1}'. With -, it is read from standard input, as cards and tokens should be, because other
    users of the machine can read arguments. The answer is the event that the command created. A TimeOut, or a draw
    before a seed is revealed, first waits until the player's clock has run out.
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
    if output.is_json():
        output.print_json(done_data(receipt))
        return
    output.echo(f"{receipt.answer.stream} {receipt.answer.seq}: {receipt.answer.kind}")
    if isinstance(command, DealHand):  # A hand is sealed in the books, so print what was keyed in.
        output.echo(f"{f'seat {command.seat}' if command.seat else 'dealer'}: {command.hand}")
    if isinstance(end := receipt.answer.decode(Body), RoundEnded):
        for result in (told.result for told in end.told if isinstance(told, WagerSettled)):
            output.echo(f"seat {result.seat} {result.wager} {net(result.net_cents)}: {say(result.reason)}")
        for meter in end.hits:
            output.echo(f"meter {meter} was hit: `hcf house wins` lists the wins that wait for a supervisor")


def _let_clock_run(house: House, name: str, command: Command | Action) -> None:
    """Wait until the player's clock has run out. The clock starts when a process first sees the question."""
    table = house.table(name)
    if table.round is None:
        return
    seats = table.round.awaited
    if isinstance(command, TimeOut):
        seats = tuple(seat for seat in table.round.state.undecided if seat == command.seat)
    if seats:
        left_s = seconds_left(table.round, house.cache.elapsed_s(table))
        seat_names = ", ".join(f"seat {seat}" for seat in seats)
        click.echo(f"hcf: waiting {left_s} s for the clock of {seat_names}", err=True)
        time.sleep(left_s)
