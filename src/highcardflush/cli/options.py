"""Options that several commands share, and a function that configures a rulebook from them."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from datetime import datetime
from typing import TYPE_CHECKING, Any, TypeVar

import click

from highcardflush.cli import complete
from highcardflush.cli.files import find_rulebook, read_strategy
from highcardflush.cli.lazy import JSON
from highcardflush.errors import HcfError, TextError
from highcardflush.rulebook import MAX_SEATS, Offer, Rulebook, configure, read_offer
from highcardflush.rulebook.load import parse_setting

if TYPE_CHECKING:  # numba and Dask load slowly.
    from highcardflush.simulate.cluster import Cluster

Function = TypeVar("Function", bound=Callable[..., Any])
Settings = tuple[tuple[str, str], ...]

INTERRUPTED = 130
"""Exit status after Ctrl-C."""

json_option = click.option(
    "--json", is_flag=True, help="Print JSON.", expose_value=False,
    callback=lambda context, _, value: context.meta.update({JSON: value}),
)  # fmt: skip
db_option = click.option(
    "--db", "url", metavar="URL", help="Database of the books. [default: HCF_DB, or house.db in the data folder]"
)
rulebook_argument = click.argument("rulebook", metavar="RULEBOOK", shell_complete=complete.rulebooks)


def parsed(read: Callable[[Any], Any]) -> Callable[[click.Context, click.Parameter, Any], Any]:
    """Return a callback that parses a value. Errors are reported as usage errors, except errors in a file."""

    def callback(context: click.Context, parameter: click.Parameter, value: Any) -> Any:
        try:
            return None if value is None else read(value)
        except HcfError as error:
            if error.file is not None:
                raise
            raise click.BadParameter(str(error)) from error

    return callback


def _read_settings(pairs: Settings) -> Settings:
    for key, text in pairs:  # Only parse the settings here; the rulebook checks them later.
        parse_setting(key, text)
    return pairs


settings_option = click.option(
    "--set", "settings", nargs=2, multiple=True, metavar="KEY VALUE", callback=parsed(_read_settings),
    shell_complete=complete.settings,
    help="A table setting, such as seats 4. `hcf rules settings` lists all settings.",
)  # fmt: skip


offers_option = click.option(
    "--offer", "offers", nargs=2, multiple=True, metavar="WAGER PAYTABLE",
    callback=parsed(lambda pairs: tuple(read_offer(*pair) for pair in pairs)), shell_complete=complete.offers,
    help="A side bet that the table offers, with its pay table: an id, or RULEBOOK/ID. For a progressive, "
    "'PAYTABLE base=AMOUNT' sets the base bet, $1 by default.",
)  # fmt: skip


meters_option = click.option(
    "--meter", "meters", multiple=True, metavar="AMOUNT",
    help="Amount of the meter in dollars, or NAME=AMOUNT. [default: its seed]",
)  # fmt: skip


def number_option(
    name: str, least: int, most: int | None, help: str, **attributes: Any
) -> Callable[[Function], Function]:
    """Add an option for a whole number within a range. The help shows its default."""
    attributes = {"metavar": "N", "show_default": True, **attributes}
    return click.option(name, type=click.IntRange(least, most), help=help, **attributes)


seed_option = number_option(
    "--seed", 0, None, "Random seed. The same seed gives the same totals on any number of threads and workers.",
    default=0, metavar="S",
)  # fmt: skip


_ADDRESS = re.compile(r"((tcp|tls|ws|wss)://)?([A-Za-z0-9._-]{1,253}|\[[0-9A-Fa-f:.]{2,45}\]):[0-9]{1,5}", re.ASCII)


def _scheduler(text: str) -> str:
    if not _ADDRESS.fullmatch(text):
        raise TextError("scheduler", read=repr(text), expected="an address such as tcp://10.0.0.5:8786")
    return text


threads_option = number_option("--threads", 1, 256, "Run in N threads.", default=1)


def pool_options(command: Function) -> Function:
    """Add the options that choose where the chunks of a simulation run."""
    for option in (
        click.option(
            "--cluster", metavar="ADDRESS", callback=parsed(_scheduler),
            help="Run on the Dask cluster of this scheduler, such as tcp://10.0.0.5:8786.",
        ),
        number_option("--workers", 1, 256, "Run in N local processes."),
        threads_option,
    ):  # fmt: skip
        command = option(command)
    return command


@contextmanager
def pool(threads: int, workers: int | None, cluster: str | None) -> Iterator[Cluster | None]:
    """Yield the chosen cluster, or None if the simulation runs in threads of this process."""
    chosen = {"--threads": threads > 1, "--workers": workers, "--cluster": cluster}
    if len(several := [name for name, value in chosen.items() if value]) > 1:
        raise TextError("options", read=" and ".join(several), expected="only one of " + ", ".join(chosen))
    if not workers and not cluster:
        yield None
        return
    from highcardflush.simulate.cluster import connect, local

    with connect(cluster) if cluster else local(workers or 1) as connected:
        yield connected


def ended_early(pool: Cluster | None, progress: str) -> int:
    """Print why a run ended early and return the exit status. Lost workers are an error, but Ctrl-C is not."""
    lost = pool.lost if pool else None
    words = f"lost the workers after {progress}: {lost}" if lost else f"interrupted after {progress}"
    click.echo(f"hcf: {words}", err=True)
    return 1 if lost else INTERRUPTED


strategy_reader = parsed(read_strategy)


def seats_option(help: str, **attributes: Any) -> Callable[[Function], Function]:
    return number_option("--seats", 1, MAX_SEATS, help, **attributes)


def date_option(help: str) -> Callable[[Function], Function]:
    """Add the --date option. The command receives the date as a string."""
    return click.option(
        "--date", type=click.DateTime(["%Y-%m-%d"]), help=f"{help} [default: today]",
        callback=lambda *values: (values[-1] or datetime.now()).date().isoformat(),
    )  # fmt: skip


def table(name: str, offers: Iterable[Offer] = (), settings: Settings = ()) -> Rulebook:
    """Return the rulebook with these settings and offers. If no offers are given, the rulebook keeps its own."""
    return configure(find_rulebook(name), tuple(offers) or None, dict(settings))
