"""Writes the docs that are made from the code and the tests. A test checks that they are current.

python tools/docs.py          write them
python tools/docs.py --check  list those that are out of date
"""

import ast
import re
import subprocess
import sys
import tomllib
from collections import defaultdict
from collections.abc import Callable, Iterable
from functools import lru_cache
from itertools import zip_longest
from pathlib import Path

import click
import msgspec
from msgspec.structs import asdict

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
from support.places.hcf import commands  # noqa: E402

NOTE = "<!-- Made by `make docs`; do not edit. -->\n"


@lru_cache
def clause_tests() -> dict[str, list[str]]:
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
    """Return the rounds that fail while a clause is broken, among those that claim to show it."""
    rounds = defaultdict(list)
    for path in FILES:
        for clause in claims(path):
            if bites(path, clause):
                rounds[clause].append(path.relative_to(TESTS).as_posix())
    return rounds


def clause_steps() -> dict[str, list[str]]:
    steps = defaultdict(list)
    for name in PACKAGED:
        for number, step in enumerate(packaged(name).procedure, 1):
            for clause in step.clauses:
                steps[clause].append(f"{name} step {number}")
    return steps


def table(heading: str, rows: Iterable[Iterable[str]]) -> str:
    lines = [heading, "|" + " - |" * (heading.count("|") - 1)]
    return "\n".join([*lines, *(f"| {' | '.join(row)} |" for row in rows)])


def conformance() -> str:
    evidence = clause_tests(), clause_rounds(), clause_steps()
    chapters = []
    for chapter, title in TITLES.items():
        rows = []
        for key, clause in CLAUSES.items():
            if key[0] == chapter:
                kind = f"procedure, printed by `hcf {clause.printed}`" if clause.printed else clause.kind
                cells = ("<br>".join(f"`{name}`" for name in dict.fromkeys(names.get(key, []))) for names in evidence)
                rows.append((f"**{key}**", clause.text, kind, *cells))
        chapters.append(f"## {chapter}: {title}\n\n")
        chapters.append(table("| id | clause | kind | tests | rounds | procedure |", rows) + "\n\n")
    return f"""# Conformance

{NOTE}
This page lists every clause of the rules with its evidence.

- *Behaviour* is what the software does. Its evidence is the tests that are marked with the clause, and the rounds of
  `tests/golden` and `tests/refused` that fail while `tests/support/faults/breakages.py` breaks the clause.
- *Procedure* is what people do at the table. The rulebook has it as data, and the software prints it.

The last column has the steps of `hcf rules procedure` that carry out the clause.

{"".join(chapters)[:-1]}"""


def settings_page() -> str:
    rows = [
        [cell.replace("|", "\\|") for cell in (f"`{row.key}`", row.kind, row.range, row.default, row.description)]
        for row in settings_table()
    ]
    means = meanings()
    floor = [
        (f"`{key.replace('_', '-')}`", say_value(value), means[key]) for key, value in asdict(FloorSettings()).items()
    ]
    return f"""# Settings

{NOTE}
Operators can change these settings of a table: in a rulebook under `[settings]`, in the notation with
`set KEY VALUE`, and on the command line with `--set KEY VALUE`. Amounts are in dollars. `none` removes an optional
setting.

{table("| key | kind | range | default | meaning |", rows)}

## The floor

Administrators can change these settings for a whole house while it runs, with `hcf house floor set` or with the command
`SetFloor`. In the command, keys have `_` in place of `-`, and `on` and `off` are `true` and `false`.

{table("| key | default | meaning |", floor)}
"""


def serving_page() -> str:
    cells = (
        (f"`{row.key}`", f"`{row.option}`", f"`{row.variable}`", row.kind, row.default, row.description)
        for row in rows()
    )
    return f"""# Settings of the server

{NOTE}
Settings of `hcf serve`. An option overrides a variable, and a variable overrides the file that `--config` or
`HCF_CONFIG` names. In the file, write a list as `["10.0.0.0/8", "::1"]`; elsewhere separate its parts by
commas. Clocks, guests, opening hours and everything else that can change while the server runs are settings of
[the floor](settings.md#the-floor).

{table("| key in the file | option | variable | value | default | meaning |", cells)}
"""


def commands_page() -> str:
    kinds = sorted({kind for kinds in MAY.values() for kind in kinds}, key=lambda kind: kind.__name__)
    cells = []
    for kind in kinds:
        field_names = [(f"`{field.encode_name}`", field.required) for field in msgspec.structs.fields(kind)]
        fields = " ".join(name if is_required else f"[{name}]" for name, is_required in field_names)
        roles = ", ".join(role for role, may in MAY.items() if kind in may)
        cells.append((f"`{kind.__name__}`", fields, roles, (kind.__doc__ or "").strip().split("\n")[0]))
    return f"""# Commands of a house

{NOTE}
`house.submit` and `hcf house submit` accept these commands, as JSON with the command's name as `type`. Amounts in
`wagers` and in `_cents` are cents; `_micros` are millionths of a dollar, and `_bp` are hundredths of a percent.
Cards are text such as `"AsKs9s7s 6d7d8d"`, and a suit is `c`, `d`, `h` or `s`. Fields in brackets are optional.

{table("| command | fields | roles | meaning |", cells)}
"""


def calls_page() -> str:
    paths = msgspec.json.decode(document_bytes()["openapi"])["paths"]
    cells = (
        (f"`{method.upper()} {path}`", call["x-access"], (call.get("description") or "").split("\n")[0])
        for path, methods in sorted(paths.items())
        for method, call in methods.items()
    )
    return f"""# Calls

{NOTE}
Every call of `hcf serve` over HTTP. *Who* is a row of `web/server/access.py`: `public` and `begins`
require no session, `anybody` requires one; *proved* requires a recent password. See [the wire](protocol.md).

{table("| call | who | answer |", cells)}
"""


def diagram(phases: Table) -> str:
    lines = ["```mermaid", "stateDiagram-v2", "    [*] --> betting"]
    for phase, actions in phases.items():
        arrows = defaultdict(list)
        for action, targets in actions.items():
            for target in targets:
                arrows[target].append(action.__name__)
        lines += [f"    {phase} --> {target}: {', '.join(names)}" for target, names in arrows.items()]
    return "\n".join([*lines, "    settled --> [*]", "    void --> [*]", "```", ""])


def round_page() -> str:
    return f"""# The phases of a round

{NOTE}
A round moves through these phases. Each arrow has the actions that take the round from one phase to the next. `step`
refuses every other action and leaves the state as it was. The diagrams are drawn from the phase tables in
`game/phases.py`.

{diagram(FULL)}
With the setting `play progressive-only`, the dealer has no hand and players make no decision:

{diagram(PROGRESSIVE_ONLY)}"""


def cli_page() -> str:
    status = "Exit status: 0 success; 1 a refusal, a difference or a finding; 2 a usage error; 130 interrupted."
    lines = ["# Commands", "", NOTE, status, ""]
    for words, _, command in [("", cli, cli), *commands(cli)]:
        name = f"hcf {words}".rstrip()
        context = click.Context(command, info_name=name, **cli.context_settings)
        context.max_content_width = 100
        context.terminal_width = 100
        lines += [f"## {name}", "", "```text", command.get_help(context).rstrip(), "```", ""]
    return "\n".join(lines)


def released() -> str:
    """Keep the hashes of other versions, and write today's under the current version."""
    version = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]["version"]
    path = ROOT / RELEASED
    others = [line for line in path.read_text("utf-8").splitlines() if not line.startswith(("#", f"{version} "))]
    today = [f"{version} {book.name} {book.sha256} {book.version}" for book in map(packaged, PACKAGED)]
    head = (
        "# Every rulebook that a version of the package was released with; its own version last. Made by `make docs`."
    )
    return "\n".join([head, *others, *today]) + "\n"


def books_page() -> str:
    """Return the page of the books, with its tables made from the structs of events and records."""
    text = (ROOT / "docs" / "books.md").read_text("utf-8")
    for part in ("table", "meter", "cage", "office"):
        rows = [_event_row(body) for (stream, _), body in events.KINDS.items() if stream == part]
        text = _insert(text, f"events of {part}", table("| kind | event | body | by | transfers |", rows))
    records = [
        record
        for record in vars(events).values()
        if isinstance(record, type) and issubclass(record, msgspec.Struct) and not issubclass(record, events.Body)
        if record.__module__ == events.__name__
    ]
    cells = ((f"`{record.__name__}`", _sentence(record), _fields(record)) for record in records)
    return _insert(text, "records", table("| record | | fields |", cells))


def _insert(text: str, name: str, rows: str) -> str:
    """Put a table between the two comments that name their place."""
    begin, end = f"<!-- {name}, made by `make docs` -->", f"<!-- end of {name} -->"
    before, _, rest = text.partition(begin)
    _, _, after = rest.partition(end)
    return f"{before}{begin}\n\n{rows}\n\n{end}{after}"


def _event_row(body: type[events.Body]) -> tuple[str, ...]:
    kind = body.event_kind
    seal_note = f"; sealed: {_fields(kind.sealed)}" if kind.sealed else ""
    counts = " *count*" if issubclass(body, events.Counted) else ""
    by = ", ".join(kind.roles) or "follows: " + ", ".join(kind.follows)
    return f"`{kind.name}`", _sentence(body), f"{_fields(body)}{counts}{seal_note}", by, kind.transfers


def _sentence(record: type) -> str:
    return " ".join((record.__doc__ or "").split())


@lru_cache
def _documented() -> dict[str, dict[str, tuple[str, str]]]:
    """Return annotation and docstring of each field of the structs in `house/events.py`."""
    structs = {}
    for node in ast.parse(Path(str(events.__file__)).read_text("utf-8")).body:
        if isinstance(node, ast.ClassDef):
            fields = structs[node.name] = dict[str, tuple[str, str]]()
            for line, below in zip_longest(node.body, node.body[1:]):
                if isinstance(line, ast.AnnAssign) and isinstance(line.target, ast.Name):
                    text = ast.literal_eval(below.value) if isinstance(below, ast.Expr) else ""
                    fields[line.target.id] = ast.unparse(line.annotation), " ".join(text.split())
    return structs


def _fields(record: type) -> str:
    cells = []
    structs = [each.__name__ for each in reversed(record.__mro__) if each not in (events.Body, events.Counted)]
    documented_fields = {name: field for each in structs for name, field in _documented().get(each, {}).items()}
    for name, (kind, text) in documented_fields.items():
        type_ = re.sub(r"\b(codec|msgspec|a|c)\.", "", kind).replace("|", "\\|")
        cells.append(f"`{name}: {type_}`" + (f" ({text.rstrip('.')})" if text else ""))
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
