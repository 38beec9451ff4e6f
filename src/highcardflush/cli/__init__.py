"""The `hcf` command. Its subcommands are thin layers over the library.

Exit status: 0 for success, 1 if something is refused or differs from the expectation, 2 for an error in the command
line itself, 130 if the command was interrupted. Each error is one line on stderr. If the command line is wrong, the
usage text precedes it. `--json` also prints the error as an object on stdout.
"""

import sys

import click

from highcardflush.cli.lazy import LazyGroup, not_installed
from highcardflush.errors import HcfError, TextError

COMMANDS = {
    "audit": ("audit", "Audit the books: hash chains, money, meters, approvals and every round."),
    "db": ("db", "Create, upgrade, check, copy and restore the books; grant rights to a role."),
    "house": ("house", "Run tables, meters and wallets, and record everything in the books."),
    "odds": ("odds", "Compute exact odds of a hand, the whole game, pay tables and strategies."),
    "par": ("reports", "Write the PAR sheet or the rack card of a rulebook."),
    "play": ("play", "Play at a table in the terminal."),
    "replay": ("replay", "Replay rounds written in the round notation and compare their results."),
    "rules": ("rules", "List, show and check rulebooks and pay tables."),
    "serve": ("serve", "Serve live tables over HTTP and WebSocket."),
    "simulate": ("simulate", "Deal random rounds and compare the results with the exact odds."),
    "study": ("reports", "Write the lab's studies as a document with charts, in HTML, PDF and CSV."),
    "verify": ("replay", "Verify rounds from their published records."),
}


@click.group(cls=LazyGroup, package=__name__, places=COMMANDS, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(package_name="highcardflush", prog_name="hcf")
def cli() -> None:
    """High Card Flush: play it, run it, prove it."""


def main() -> None:
    sys.exit(run(sys.argv[1:]))


def run(args: list[str]) -> int:
    as_json = "--json" in args
    try:
        _refuse_bytes(args)
        status = cli.main(args, prog_name="hcf", standalone_mode=False)
    except click.ClickException as error:
        error.show()
        status, code = (2, "usage") if isinstance(error, click.UsageError) else (1, HcfError.code)
        if as_json:
            cause = error.__cause__ if isinstance(error.__cause__, HcfError) else HcfError(error.format_message())
            print_error(cause.as_dict() | {"code": code})
        return status
    except HcfError as error:
        return refuse(error, as_json=as_json)
    except ModuleNotFoundError as error:
        if (refusal := not_installed(error)) is None:
            raise
        return refuse(refusal, as_json=as_json)
    except (KeyboardInterrupt, click.Abort):
        return 130
    except BrokenPipeError:
        sys.stderr.close()
        return 1
    return status if isinstance(status, int) else 0


def refuse(error: HcfError, *, as_json: bool) -> int:
    for finding in (error, *error.others):
        click.echo(f"hcf: {finding}", err=True)
    if as_json:
        print_error(error.as_dict())
    return 2 if isinstance(error, TextError) and error.file is None else 1


def _refuse_bytes(args: list[str]) -> None:
    """Refuse arguments that are not UTF-8, because Python decodes them to characters that cannot be printed."""
    for arg in args:
        try:
            arg.encode()
        except UnicodeEncodeError:
            raise TextError("command line", read=ascii(arg), expected="UTF-8 text") from None


def print_error(data: dict[str, str | int | None]) -> None:
    from highcardflush.cli.output import print_json  # Loads rich, which `--help` does not need.

    print_json({"error": data})
