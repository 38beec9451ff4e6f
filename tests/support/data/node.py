"""Run the pages' modules in node, to compare their results with Python's."""

import json
import shutil
import subprocess
from pathlib import Path
from typing import Any

import highcardflush.web
from support.places.postgres import need

STATIC = Path(highcardflush.web.__file__).parent / "static"
PATIENCE_SECONDS = 120


def run_module(folder: Path, script: str, data: Any) -> Any:
    """Run a script next to the pages' modules and return the JSON that it writes. It reads `data` as `given`."""
    node, place = shutil.which("node"), folder / "static"
    need(None if node else "node is not installed")
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
    process = subprocess.run(
        ["node", str(place / "test.js")],
        input=data if isinstance(data, bytes) else json.dumps(data).encode(),
        capture_output=True,
        timeout=PATIENCE_SECONDS,
        check=False,
    )
    assert process.returncode == 0, process.stderr.decode()
    return json.loads(process.stdout)
