"""Messages make themselves from the objects of the house, and a new field needs an edit in one place."""

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import highcardflush
from highcardflush.game.state import Result as WagerResult
from highcardflush.web.messages.parts import Message, Result, Words
from highcardflush.words import Reason

PACKAGE = Path(highcardflush.__file__).parent
TOOLS = Path(__file__).parents[2] / "tools"
SCRIPT = """
import json, sys
sys.path.insert(0, sys.argv[1])
from wire_types import wire_types
from highcardflush.game.state import Result as WagerResult
from highcardflush.web.messages.parts import encode
from highcardflush.web.messages.parts import Result
from highcardflush.web.server.app import document_bytes
from highcardflush.words import Reason
openapi, asyncapi = (json.loads(document_bytes()[name]) for name in ("openapi", "asyncapi"))
result = WagerResult(1, "ante", 500, "lose", 250, 0, 0, -500, Reason("fold", {"seat": 1}))
print(json.dumps([
    openapi["components"]["schemas"]["Result"],
    asyncapi["components"]["schemas"]["Result"],
    "full_cents: number;" in wire_types(),
    json.loads(encode(Result.of(result))),
]))
"""


def test_a_new_field_of_an_answer_is_an_edit_in_one_place(tmp_path: Path) -> None:
    """OpenAPI, AsyncAPI, the pages' types and the answer have a field that one line adds to its struct."""
    _copy(tmp_path / PACKAGE.name, PACKAGE, ("web", "messages"))
    module = tmp_path / PACKAGE.name / "web" / "messages" / "parts.py"
    field = "    paid_cents: int\n    net_cents: int\n"
    before = module.read_text("utf-8")
    assert field in before
    module.write_text(before.replace(field, f"    full_cents: int\n{field}"), "utf-8")
    environment = {**os.environ, "PYTHONPATH": str(tmp_path)}
    command = [sys.executable, "-c", SCRIPT, str(TOOLS)]
    output = subprocess.run(command, env=environment, capture_output=True, text=True, check=True).stdout
    openapi, asyncapi, has_type, answer = json.loads(output)
    assert openapi["properties"]["full_cents"] == asyncapi["properties"]["full_cents"] == {"type": "integer"}
    assert has_type
    assert list(answer)[3:6] == ["outcome", "full_cents", "paid_cents"]
    assert answer["full_cents"] == 250


def _copy(target: Path, source: Path, path: tuple[str, ...]) -> None:
    """Copy the package at the end of the path, and link to everything else."""
    target.mkdir()
    for entry in source.iterdir():
        if entry.name != "__pycache__" and entry.name not in path[:1]:
            (target / entry.name).symlink_to(entry)
    if len(path) > 1:
        _copy(target / path[0], source / path[0], path[1:])
    else:
        shutil.copytree(source / path[0], target / path[0], ignore=shutil.ignore_patterns("__pycache__"))


class Source:
    ended_at = 1_234_567
    paid_micros = 50_000
    results = (WagerResult(1, "ante", 500, "lose", 0, 0, 0, -500, Reason("fold", {"seat": 1})),)
    best = None


class Made(Message, frozen=True):
    ended_at_ms: int
    paid_cents: int
    results: tuple[Result, ...]
    best: Result | None
    note: str


def test_a_message_is_made_from_the_attributes_of_its_sources() -> None:
    """Times come in milliseconds and money in cents; a part is made as its own class says."""
    message = Made.of(object(), Source(), note="a test")
    assert (message.ended_at_ms, message.paid_cents, message.best, message.note) == (1234, 5, None, "a test")
    (result,) = message.results
    assert (result.stake_cents, result.reason) == (500, Words.of(Reason("fold", {"seat": 1})))
