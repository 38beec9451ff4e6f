"""Writes the docs that are made from the code and the tests. A test checks that they are current.

python tools/docs.py          write them
python tools/docs.py --check  say which are out of date
"""

import ast
import re
import subprocess
import sys
import tomllib
from collections import defaultdict
from collections.abc import Callable, Iterator
from functools import lru_cache
from pathlib import Path

import click
import msgspec
from msgspec.structs import asdict

from highcardflush import fairness
from highcardflush.cli import cli
from highcardflush.cli.house.office import say_value
from highcardflush.game.phases import FULL, PROGRESSIVE_ONLY, Table
from highcardflush.house import events
from highcardflush.house.floor_settings import FloorSettings, meanings
from highcardflush.house.permissions import MAY
from highcardflush.rulebook import PACKAGED, packaged
from highcardflush.rulebook.settings import settings_table
from highcardflush.web.server.app import document_bytes
from highcardflush.web.server.settings import rows

ROOT = Path(__file__).parent.parent
TESTS = ROOT / "tests"
sys.path[:0] = [str(TESTS), str(ROOT / "tools")]

from wire_types import wire_types  # noqa: E402

from support.data.clauses import CLAUSES, TITLES  # noqa: E402
from support.data.golden import FILES, bites, claims  # noqa: E402

NOTE = "<!-- Made by `make docs`; do not edit. -->\n"


@lru_cache
def clause_tests() -> dict[str, list[str]]:
    """Collect the tests that carry each clause id."""
    # The tests of this tool ask for this list, so they are left out of the collection.
    options = ["--collect-only", "--clauses", "-q", "-p", "no:cacheprovider", "--ignore=tests/docs/test_docs.py"]
    collect = [sys.executable, "-m", "pytest", *options, "tests"]
    output = subprocess.run(collect, cwd=ROOT, capture_output=True, text=True, check=True).stdout
    tests: dict[str, list[str]] = defaultdict(list)
    for clause, test in re.findall(r"^clause (\S+) (\S+)$", output, re.MULTILINE):
        tests[clause].append(test)
    return tests


@lru_cache
def clause_rounds() -> dict[str, list[str]]:
    """The golden and refused rounds that fail while a clause is broken, of those that claim to show it."""
    found = defaultdict(list)
    for path in FILES:
        for clause in claims(path):
            if bites(path, clause):
                found[clause].append(path.relative_to(TESTS).as_posix())
    return found


def clause_steps() -> dict[str, list[str]]:
    """The steps of the dealers' procedures that carry each clause id."""
    found = defaultdict(list)
    for name in PACKAGED:
        for number, step in enumerate(packaged(name).procedure, 1):
            for clause in step.clauses:
                found[clause].append(f"{name} step {number}")
    return found


def conformance() -> str:
    lines = [
        "# Conformance",
        "",
        NOTE,
        "Every clause of the rules, and what shows it. *Behaviour* is shown by tests, by their marks, and by rounds of",
        "`tests/golden` and `tests/refused` that fail while the clause is broken",
        "(`tests/support/faults/breakages.py`).",
        "*Procedure* is what people do at the table: the product keeps it as data of the rulebook and prints it.",
        "The last column has the steps of `hcf rules procedure`.",
        "",
    ]
    tests, rounds, steps = clause_tests(), clause_rounds(), clause_steps()
    for chapter, title in TITLES.items():
        lines += [
            f"## {chapter}: {title}",
            "",
            "| id | clause | kind | tests | rounds | procedure |",
            "| - | - | - | - | - | - |",
        ]
        for key, clause in CLAUSES.items():
            if key[0] == chapter:
                kind = f"procedure, printed by `hcf {clause.printed}`" if clause.printed else clause.kind
                cells = [_cell(shown.get(key, [])) for shown in (tests, rounds, steps)]
                lines.append(f"| **{key}** | {clause.text} | {kind} | {' | '.join(cells)} |")
        lines.append("")
    return "\n".join(lines)


def _cell(shown: list[str]) -> str:
    return "<br>".join(f"`{name}`" for name in dict.fromkeys(shown))


def settings_page() -> str:
    lines = [
        "# Settings",
        "",
        NOTE,
        "What an operator may set: in a rulebook under `[settings]`, in the notation as `set KEY VALUE`, on the",
        "command line as `--set KEY VALUE`. Amounts are dollars; `none` takes an optional setting back.",
        "",
        "| key | kind | range | default | meaning |",
        "| - | - | - | - | - |",
    ]
    for row in settings_table():
        cells = (f"`{row.key}`", row.kind, row.range, row.default, row.description)
        lines.append("| " + " | ".join(cell.replace("|", "\\|") for cell in cells) + " |")
    lines += [
        "",
        "## The floor",
        "",
        "What an administrator sets for a whole house while it runs: with `hcf house floor set`, or by the command",
        "`SetFloor`. There a `-` is a `_`, `on` is `true`.",
        "",
        "| key | default | meaning |",
        "| - | - | - |",
    ]
    means = meanings()
    for key, value in asdict(FloorSettings()).items():
        lines.append(f"| `{key.replace('_', '-')}` | {say_value(value)} | {means[key]} |")
    return "\n".join(lines) + "\n"


def serving_page() -> str:
    lines = [
        "# Settings of the server",
        "",
        NOTE,
        "Settings of `hcf serve`. An option overrides a variable, and a variable overrides the file that `--config` or",
        '`HCF_CONFIG` names. In the file a list is written `["10.0.0.0/8", "::1"]`; elsewhere separate its parts by',
        "commas. Clocks, guests, opening hours and everything else that changes while the server runs are set by an",
        "administrator with `SetFloor`.",
        "",
        "| key in the file | option | variable | value | default | meaning |",
        "| - | - | - | - | - | - |",
    ]
    for row in rows():
        cells = (f"`{row.key}`", f"`{row.option}`", f"`{row.variable}`", row.kind, row.default, row.description)
        lines.append("| " + " | ".join(cells) + " |")
    return "\n".join(lines) + "\n"


def commands_page() -> str:
    """Every command of the house, from its struct and the permission table."""
    lines = [
        "# Commands of a house",
        "",
        NOTE,
        "What `house.submit` and `hcf house submit` take, as JSON with the command's name as `type`. Amounts in",
        "`wagers` and those called cents are cents, `_micros` millionths of a dollar, `_bp` hundredths of a percent;",
        'cards are text such as `"AsKs9s7s 6d7d8d"`, a suit is `c`, `d`, `h` or `s`. A field in brackets may be',
        "left out.",
        "",
        "| command | fields | who | |",
        "| - | - | - | - |",
    ]
    kinds = sorted({kind for kinds in MAY.values() for kind in kinds}, key=lambda kind: kind.__name__)
    for kind in kinds:
        named = [(f"`{field.encode_name}`", field.required) for field in msgspec.structs.fields(kind)]
        fields = [name if required else f"[{name}]" for name, required in named]
        roles = ", ".join(role for role, may in MAY.items() if kind in may)
        said = (kind.__doc__ or "").strip().split("\n")[0]
        lines.append(f"| `{kind.__name__}` | {' '.join(fields)} | {roles} | {said} |")
    return "\n".join(lines) + "\n"


def calls_page() -> str:
    """Every call over HTTP, with who may make it."""
    lines = [
        "# Calls",
        "",
        NOTE,
        "Every call of `hcf serve` over HTTP. *Who* is a row of `web/server/access.py`: `public` and `begins`",
        "require no session, `anybody` requires one; *proved* requires a recent password. See [the wire](protocol.md).",
        "",
        "| call | who | |",
        "| - | - | - |",
    ]
    paths = msgspec.json.decode(document_bytes()["openapi"])["paths"]
    for path, methods in sorted(paths.items()):
        for method, call in methods.items():
            description = (call.get("description") or "").split("\n")[0]
            lines.append(f"| `{method.upper()} {path}` | {call['x-access']} | {description} |")
    return "\n".join(lines) + "\n"


def diagram(table: Table) -> list[str]:
    """A phase table as a diagram."""
    lines = ["```mermaid", "stateDiagram-v2", "    [*] --> betting"]
    for phase, actions in table.items():
        arrows = defaultdict(list)
        for action, targets in actions.items():
            for target in targets:
                arrows[target].append(action.__name__)
        lines += [f"    {phase} --> {target}: {', '.join(names)}" for target, names in arrows.items()]
    return [*lines, "    settled --> [*]", "    void --> [*]", "```", ""]


def round_page() -> str:
    lines = [
        "# The phases of a round",
        "",
        NOTE,
        "Drawn from the phase tables in `game/phases.py`: `step` refuses every action that is not an arrow here and",
        "leaves the state as it was.",
        "",
        *diagram(FULL),
        "With `play progressive-only` there is no dealer's hand and no decision:",
        "",
        *diagram(PROGRESSIVE_ONLY),
    ]
    return "\n".join(lines)


def cli_page() -> str:
    status = "Exit status: 0 good; 1 refused or differing; 2 wrong by the command line alone; 130 interrupted."
    lines = ["# Commands", "", NOTE, status, ""]
    for name, command in _commands("hcf", cli):
        context = click.Context(command, info_name=name, **cli.context_settings)
        context.max_content_width = 100
        context.terminal_width = 100
        lines += [f"## {name}", "", "```text", command.get_help(context).rstrip(), "```", ""]
    return "\n".join(lines)


def _commands(name: str, command: click.Command) -> Iterator[tuple[str, click.Command]]:
    yield name, command
    if isinstance(command, click.Group):
        context = click.Context(command)
        for key in command.list_commands(context):
            if inner := command.get_command(context, key):
                yield from _commands(f"{name} {key}", inner)


def fairness_page() -> str:
    text = (fairness.__doc__ or "").strip()
    return f"# Fairness\n\n{NOTE}\n{text}\n"


def released() -> str:
    """The hashes of released rulebooks: those of other versions as they stand, today's under the version at work."""
    version = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]["version"]
    path = ROOT / RELEASED
    kept = [line for line in path.read_text("utf-8").splitlines() if not line.startswith(("#", f"{version} "))]
    today = [f"{version} {book.name} {book.sha256} {book.version}" for book in map(packaged, PACKAGED)]
    head = (
        "# Every rulebook that a version of the package was released with; its own version last. Made by `make docs`."
    )
    return "\n".join([head, *kept, *today]) + "\n"


def books_page() -> str:
    """The page of the books, with its tables of events and records made from their structs."""
    text = (ROOT / "docs" / "books.md").read_text("utf-8")
    for part in ("table", "meter", "cage", "office"):
        kinds = [body for (stream, _), body in events.KINDS.items() if stream == part]
        rows = ["| kind | event | body | by | transfers |", "| --- | --- | --- | --- | --- |", *map(_event_row, kinds)]
        text = _insert(text, f"events of {part}", rows)
    records = [
        record
        for record in vars(events).values()
        if isinstance(record, type) and issubclass(record, msgspec.Struct) and not issubclass(record, events.Body)
        if record.__module__ == events.__name__
    ]
    rows = [f"| `{record.__name__}` | {_sentence(record)} | {_fields(record)} |" for record in records]
    return _insert(text, "records", ["| record | | fields |", "| --- | --- | --- |", *rows])


def _insert(text: str, name: str, rows: list[str]) -> str:
    """Put rows between the two comments that name their place."""
    begin, end = f"<!-- {name}, made by `make docs` -->", f"<!-- end of {name} -->"
    before, _, rest = text.partition(begin)
    _, _, after = rest.partition(end)
    return "\n".join([before + begin, "", *rows, "", end + after])


def _event_row(body: type[events.Body]) -> str:
    kind = body.event_kind
    sealed = f"; sealed: {_fields(kind.sealed)}" if kind.sealed else ""
    counts = " *count*" if issubclass(body, events.Counted) else ""
    by = ", ".join(kind.roles) or "follows: " + ", ".join(kind.follows)
    return f"| `{kind.name}` | {_sentence(body)} | {_fields(body)}{counts}{sealed} | {by} | {kind.transfers} |"


def _sentence(record: type) -> str:
    return " ".join((record.__doc__ or "").split())


@lru_cache
def _documented() -> dict[str, dict[str, tuple[str, str]]]:
    """The annotation and the docstring of each field of the structs in `house/events.py`."""
    found = {}
    for node in ast.parse(Path(str(events.__file__)).read_text("utf-8")).body:
        if isinstance(node, ast.ClassDef):
            fields = found[node.name] = dict[str, tuple[str, str]]()
            for line, below in zip(node.body, [*node.body[1:], None], strict=True):
                if isinstance(line, ast.AnnAssign) and isinstance(line.target, ast.Name):
                    text = (
                        below.value.value
                        if isinstance(below, ast.Expr) and isinstance(below.value, ast.Constant)
                        else ""
                    )
                    fields[line.target.id] = ast.unparse(line.annotation), " ".join(str(text).split())
    return found


def _fields(record: type) -> str:
    cells = []
    structs = [each.__name__ for each in reversed(record.__mro__) if each not in (events.Body, events.Counted)]
    documented = {name: field for each in structs for name, field in _documented().get(each, {}).items()}
    for name, (kind, text) in documented.items():
        shown = re.sub(r"\b(codec|msgspec|a|c)\.", "", kind).replace("|", "\\|")
        cells.append(f"`{name}: {shown}`" + (f" ({text.rstrip('.')})" if text else ""))
    return ", ".join(cells)


RELEASED = "src/highcardflush/rulebook/documents/released.txt"
PAGES: dict[str, Callable[[], str]] = {
    "docs/conformance.md": conformance,
    "docs/settings.md": settings_page,
    "docs/serving-settings.md": serving_page,
    "docs/round.md": round_page,
    "docs/cli.md": cli_page,
    "docs/commands.md": commands_page,
    "docs/calls.md": calls_page,
    "docs/books.md": books_page,
    "docs/fairness.md": fairness_page,
    "src/highcardflush/web/static/wire.d.ts": wire_types,
    RELEASED: released,
}
"""The files that are made."""


def main(arguments: list[str]) -> int:
    check, stale = arguments == ["--check"], False
    for name, make in PAGES.items():
        path, text = ROOT / name, make()
        if not path.exists() or path.read_text("utf-8") != text:
            stale = True
            print(("out of date: " if check else "wrote ") + name)
            if not check:
                path.write_text(text, encoding="utf-8")
    return 1 if stale and check else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
