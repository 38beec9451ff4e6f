"""`hcf serve`: runs the table server. Its options are the settings of `web/server/settings.py`."""

import os
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from typing import Any

import click

from highcardflush.cli.files import read_text
from highcardflush.web.server.settings import load, rows


def _options(command: Callable[..., Any]) -> Callable[..., Any]:
    for row in reversed(list(rows())):
        words = f"{row.description}." + (f" [default: {row.default}]" if row.default else "")
        command = click.option(row.option, row.key.replace("-", "_"), metavar=row.metavar, help=words)(command)
    return command


@click.command()
@click.option("--config", metavar="FILE", envvar="HCF_CONFIG", help="Settings file in TOML. [default: HCF_CONFIG]")
@_options
@click.option("--first-admin", is_flag=True, help="Print a one-time code for the administrator `admin` and exit.")
def serve(config: str | None, first_admin: bool, **options: str | None) -> int:
    """Serve live tables over HTTP and WebSocket.

    A new database gets a default floor for guests with play money. Each option can also be set by an environment
    variable (HCF_ and the option's name) or by a key in the settings file. docs/serving-settings.md lists them.
    """
    text = read_text(Path(config)) if config else ""
    by_key = {name.replace("_", "-"): value for name, value in options.items()}
    settings = load(text, os.environ, by_key, config)
    if not first_admin:
        from highcardflush.web.server.run import run

        return run(settings)
    from highcardflush.web.accounts.codes import first_admin_code
    from highcardflush.web.server.process import open_books
    from highcardflush.web.server.run import prepare, resolve

    settings = resolve(settings)
    prepare(settings)
    with closing(open_books(settings)) as house:
        click.echo(first_admin_code(house))
    usage = "send it to POST /api/v1/codes/use to set a name and password"
    click.echo(f"This code for admin works once, within a day: {usage}.", err=True)
    return 0
