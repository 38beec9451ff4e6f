"""Command groups that import a command only when it is called.

This keeps `--help` quick even though command modules have all their imports at the top. A command whose extra is not
installed is still listed, and calling it prints what to install.
"""

from collections.abc import Mapping
from importlib import import_module
from typing import Any, NoReturn

import click
from click.shell_completion import CompletionItem

from highcardflush.errors import HcfError

EXTRAS = {
    "lab": ("numpy", "numba", "llvmlite", "altair", "vl_convert", "typst"),
    "server": ("sqlalchemy", "alembic", "psycopg", "cryptography", "litestar", "uvicorn", "argon2"),
    "cluster": ("distributed", "dask"),
}
"""The modules that each extra installs."""

WORDS = "highcardflush.words"
"""Key under which a click context stores the words of the command line, for completion."""
JSON = "highcardflush.json"
"""Key under which a click context stores the --json flag, for the `output` module."""


def not_installed(error: ModuleNotFoundError) -> HcfError | None:
    missing = (error.name or "").partition(".")[0]
    extra = next((extra for extra, modules in EXTRAS.items() if missing in modules), None)
    if extra is None:
        return None
    return HcfError(f"{missing} is not installed: pip install 'highcardflush[{extra}]'")


class Group(click.Group):
    """A group whose help shows the whole first sentence of each command."""

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        with formatter.section("Commands"):
            formatter.write_dl([(name, self._sentence(name)) for name in self.list_commands(ctx)])

    def _sentence(self, name: str) -> str:
        return self.commands[name].get_short_help_str(1000)


class LazyGroup(Group):
    """A group defined by a table that maps each command's name to its module and help line."""

    def __init__(self, *args: Any, package: str, places: Mapping[str, tuple[str, str]], **attributes: Any) -> None:
        super().__init__(*args, **attributes)
        self.package, self.places = package, places

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        ctx.meta.setdefault(WORDS, tuple(args))
        return super().parse_args(ctx, args)

    def list_commands(self, ctx: click.Context) -> list[str]:  # noqa: ARG002
        return sorted(self.places)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:  # noqa: ARG002
        if cmd_name not in self.places:
            return None
        module, words = self.places[cmd_name]
        try:
            loaded = import_module(f"{self.package}.{module}")
        except ModuleNotFoundError as error:
            if (refusal := not_installed(error)) is None:
                raise
            return _missing(cmd_name, words, refusal)
        command: click.Command = getattr(loaded, cmd_name.replace("-", "_"))
        return command

    def _sentence(self, name: str) -> str:
        return self.places[name][1]

    def shell_complete(self, ctx: click.Context, incomplete: str) -> list[CompletionItem]:
        names = [name for name in self.list_commands(ctx) if name.startswith(incomplete)]
        return [
            *(CompletionItem(name, help=self._sentence(name)) for name in names),
            *click.Command.shell_complete(self, ctx, incomplete),
        ]


def _missing(name: str, words: str, refusal: HcfError) -> click.Command:

    def refuse(**_: object) -> NoReturn:
        raise refusal

    return click.Command(
        name,
        callback=refuse,
        params=[click.Argument(["words"], nargs=-1, type=click.UNPROCESSED)],
        help=f"{words}\n\n{refusal}",
        context_settings={"ignore_unknown_options": True},
    )


class CommandGroup(Group):
    """A command that also has subcommands. If the first word is a subcommand's name, that subcommand is called."""

    allow_extra_args, allow_interspersed_args = False, True  # Parse arguments as a plain command does.

    def make_context(
        self, info_name: str | None, args: list[str], parent: click.Context | None = None, **extra: Any
    ) -> click.Context:
        if args and args[0] in self.commands:
            inner = self.commands[args[0]]
            return inner.make_context(f"{info_name} {inner.name}", args[1:], parent, **extra)
        return super().make_context(info_name, args, parent, **extra)

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        return click.Command.parse_args(self, ctx, args)

    def invoke(self, ctx: click.Context) -> Any:
        return click.Command.invoke(self, ctx) if ctx.command is self else ctx.command.invoke(ctx)

    def collect_usage_pieces(self, ctx: click.Context) -> list[str]:
        return click.Command.collect_usage_pieces(self, ctx)
