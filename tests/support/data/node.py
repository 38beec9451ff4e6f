"""The pages' own modules run by node, as a browser runs them: what they say is held against what Python says."""

from __future__ import annotations

import json
import shutil
import subprocess
from pathlib import Path
from typing import Any

import highcardflush.web
from support.places.postgres import need

STATIC = Path(highcardflush.web.__file__).parent / "static"
PATIENCE_SECONDS = 120


def need_node() -> str:
    found = shutil.which("node")
    need(None if found else "node is not installed")
    assert found is not None
    return found


def run_module(folder: Path, script: str, given: Any) -> Any:
    """What a script writes that finds the modules beside it and `given` on its standard input; both are JSON."""
    node, place = need_node(), folder / "static"
    if not place.exists():
        shutil.copytree(STATIC, place)
        (place / "package.json").write_text('{"type": "module"}')
    (place / "test.js").write_text(
        'import { readFileSync, writeSync } from "node:fs";\n'
        "const given = JSON.parse(readFileSync(0));\n"
        "const put = (value) => { const text = Buffer.from(JSON.stringify(value)); "
        "for (let at = 0; at < text.length; ) at += writeSync(1, text, at); };\n"
        f"{script}\n"
    )
    done = subprocess.run(
        [node, str(place / "test.js")],
        input=given if isinstance(given, bytes) else json.dumps(given).encode(),
        capture_output=True,
        timeout=PATIENCE_SECONDS,
        check=False,
    )
    assert done.returncode == 0, done.stderr.decode()
    return json.loads(done.stdout)
