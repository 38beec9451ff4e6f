"""Options that several commands take, and the table that they describe."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, TypeVar

import click

from highcardflush.cli import complete
from highcardflush.cli.files import find_rulebook, read_strategy
from highcardflush.errors import HcfError, TextError
from highcardflush.rulebook import Offer, Rulebook, configure, read_offer
from highcardflush.rulebook.load import parse_setting
from highcardflush.rulebook.model import MAX_SEATS

if TYPE_CHECKING:  # numba and Dask take their time to load
    from highcardflush.simulate.cluster import Cluster

Function = TypeVar("Function", bound=Callable[..., Any])
Settings = tuple[tuple[str, str], ...]

INTERRUPTED = 130
"""The exit status after Ctrl-C."""

json_option = click.option("--json", "as_json", is_flag=True, help="The same as data.")
db_option = click.option("--db", "url", metavar="URL", help="The books; else HCF_DB, else house.db in the data folder.")
rulebook_argument = click.argument("rulebook", metavar="RULEBOOK", shell_complete=complete.rulebooks)


def parsed(read: Callable[[Any], Any]) -> Callable[[click.Context, click.Parameter, Any], Any]:
    """A callback that reads a value; what is wrong with it is an error of the command line, unless a file has it."""

    def callback(context: click.Context, parameter: click.Parameter, value: Any) -> Any:
        try:
            return None if value is None else read(value)
        except HcfError as error:
            if error.file is not None:
                raise
            raise click.BadParameter(str(error)) from error

    return callback


def _read_settings(pairs: Settings) -> Settings:
    """Settings that exist, with values of their kind: whether they fit a rulebook is said by it."""
    for key, text in pairs:
        parse_setting(key, text)
    return pairs


settings_option = click.option(
    "--set", "settings", nargs=2, multiple=True, metavar="KEY VALUE", callback=parsed(_read_settings),
    shell_complete=complete.settings,
    help="A setting of the table, such as seats 4; `hcf rules settings` lists them.",
)  # fmt: skip


offers_option = click.option(
    "--offer", "offers", nargs=2, multiple=True, metavar="WAGER PAYTABLE",
    callback=parsed(lambda pairs: tuple(read_offer(*pair) for pair in pairs)), shell_complete=complete.offers,
    help="A side bet that the table offers, with its pay table: an id, or RULEBOOK/ID. For a progressive "
    "'PAYTABLE base=AMOUNT' says its base bet, $1 if not said.",
)  # fmt: skip


meters_option = click.option(
    "--meter", "meters", multiple=True, metavar="AMOUNT",
    help="Dollars in the meter, or NAME=AMOUNT. [default: its seed]",
)  # fmt: skip


seed_option = click.option(
    "--seed", type=click.IntRange(min=0), default=0, show_default=True, metavar="S",
    help="Same seed, same totals, on any number of threads and workers.",
)  # fmt: skip


_ADDRESS = re.compile(r"((tcp|tls|ws|wss)://)?([A-Za-z0-9._-]{1,253}|\[[0-9A-Fa-f:.]{2,45}\]):[0-9]{1,5}", re.ASCII)


def _scheduler(text: str) -> str:
    if not _ADDRESS.fullmatch(text):
        raise TextError("scheduler", read=repr(text), expected="its address such as tcp://10.0.0.5:8786")
    return text


threads_option = click.option("--threads", type=click.IntRange(1, 256), default=1, show_default=True, metavar="N")


def pool_options(command: Function) -> Function:
    """Where chunks of a simulation are played."""
    for option in (
        click.option(
            "--cluster", metavar="ADDRESS", callback=parsed(_scheduler),
            help="The scheduler of a Dask cluster, such as tcp://10.0.0.5:8786, whose workers do it.",
        ),
        click.option(
            "--workers", type=click.IntRange(1, 256), metavar="N", help="So many processes of this machine do it."
        ),
        threads_option,
    ):  # fmt: skip
        command = option(command)
    return command


@contextmanager
def pool(threads: int, workers: int | None, cluster: str | None) -> Iterator[Cluster | None]:
    """The cluster that the options name; None: the threads of this process do it."""
    given = {"--threads": threads > 1, "--workers": workers, "--cluster": cluster}
    if len(several := [name for name, value in given.items() if value]) > 1:
        raise TextError(several[0], read=f"{several[1]} beside it", expected="one of " + ", ".join(given))
    if not workers and not cluster:
        yield None
        return
    from highcardflush.simulate.cluster import connect, local

    with connect(cluster) if cluster else local(workers or 1) as found:
        yield found


def ended_early(pool: Cluster | None, done: str) -> int:
    """Say why a run ended before its time; the exit status. Lost workers are an error, Ctrl-C is none."""
    lost = pool.lost if pool else None
    click.echo(f"hcf: workers lost after {done}: {lost}" if lost else f"hcf: interrupted after {done}", err=True)
    return 1 if lost else INTERRUPTED


strategy_reader = parsed(read_strategy)


def seats_option(help: str, **attributes: Any) -> Callable[[Function], Function]:
    """How many players there are."""
    return click.option("--seats", type=click.IntRange(1, MAX_SEATS), metavar="N", help=help, **attributes)


def table(name: str, offers: Iterable[Offer] = (), settings: Settings = ()) -> Rulebook:
    """The rulebook as a table plays it: with these offers, its own if there are none, and these settings."""
    return configure(find_rulebook(name), tuple(offers) or None, dict(settings))
