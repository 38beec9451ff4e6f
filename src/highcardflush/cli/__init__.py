"""The command `hcf`: thin commands over the library.

Exit status: 0 good; 1 refused or differing; 2 usage; 130 interrupted. An error is one line on stderr, after the usage
if that was wrong; with `--json` it is also an object on stdout. Heavy imports are inside the commands, so
`--help` is quick.
"""

from __future__ import annotations

import sys

import click

from highcardflush.cli.audit import audit
from highcardflush.cli.db import db
from highcardflush.cli.house import house
from highcardflush.cli.odds import odds
from highcardflush.cli.par import par
from highcardflush.cli.play import play
from highcardflush.cli.replay import replay
from highcardflush.cli.rules import rules
from highcardflush.cli.simulate import simulate
from highcardflush.cli.verify import verify
from highcardflush.errors import HcfError

EXTRAS = {
    "lab": ("numpy", "numba", "llvmlite", "altair", "vl_convert", "typst"),
    "server": ("sqlalchemy", "alembic", "psycopg", "cryptography"),
}
"""What each extra installs, by the names under which it is imported."""


@click.group(context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(package_name="highcardflush", prog_name="hcf")
def cli() -> None:
    """High Card Flush: play it, run it, prove it."""


cli.add_command(audit)
cli.add_command(db)
cli.add_command(house)
cli.add_command(odds)
cli.add_command(par)
cli.add_command(play)
cli.add_command(replay)
cli.add_command(rules)
cli.add_command(simulate)
cli.add_command(verify)


def main() -> None:
    """The entry point of the command."""
    sys.exit(run(sys.argv[1:]))


def run(args: list[str]) -> int:
    """Run the command with these arguments; the exit status."""
    try:
        status = cli.main(args, prog_name="hcf", standalone_mode=False)
    except click.ClickException as error:
        error.show()
        status, code = (2, "usage") if isinstance(error, click.UsageError) else (1, HcfError.code)
        if "--json" in args:
            print_error(HcfError(error.format_message()).as_dict() | {"code": code})
        return status
    except HcfError as error:
        return refuse(error, as_json="--json" in args)
    except ModuleNotFoundError as error:
        missing = (error.name or "").partition(".")[0]
        extra = next((extra for extra, modules in EXTRAS.items() if missing in modules), None)
        if extra is None:
            raise
        expected = f"the {extra}: pip install 'highcardflush[{extra}]'"
        return refuse(HcfError("not installed", read=f"no {error.name}", expected=expected), as_json="--json" in args)
    except (KeyboardInterrupt, click.Abort):
        return 130
    except BrokenPipeError:
        sys.stderr.close()
        return 1
    return status if isinstance(status, int) else 0


def refuse(error: HcfError, *, as_json: bool) -> int:
    """Say an error, and everything found beside it."""
    for finding in (error, *error.others):
        click.echo(f"hcf: {finding}", err=True)
    if as_json:
        print_error(error.as_dict())
    return 1


def print_error(data: dict[str, str | int | None]) -> None:
    from highcardflush.cli.output import print_json

    print_json({"error": data})
