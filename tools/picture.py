"""Draws docs/table.svg, the picture in the README: a real round in a real terminal (needs tmux).

python tools/picture.py [SEED] [KEYS]
"""

from __future__ import annotations

import io
import subprocess
import sys
import time
from pathlib import Path

from rich.console import Console
from rich.text import Text

ROOT = Path(__file__).parent.parent
SVG = """\
<svg class="rich-terminal" viewBox="0 0 {width} {height}" xmlns="http://www.w3.org/2000/svg">
<style>
.{unique_id}-matrix {{ font-family: Menlo, Consolas, "DejaVu Sans Mono", monospace; font-size: {char_height}px;
 line-height: {line_height}px; }}
.{unique_id}-title {{ font-size: 18px; font-weight: bold; font-family: sans-serif; }}
{styles}
</style>
<defs><clipPath id="{unique_id}-clip-terminal"><rect x="0" y="0" width="{terminal_width}" height="{terminal_height}"/>
</clipPath>{lines}</defs>
{chrome}
<g transform="translate({terminal_x}, {terminal_y})" clip-path="url(#{unique_id}-clip-terminal)">
{backgrounds}
<g class="{unique_id}-matrix">{matrix}</g>
</g>
</svg>
"""


def screen(seed: str, keys: list[str]) -> str:
    """The screen of a table after these keys, with its colours."""
    name = "hcf-picture"
    program = "from highcardflush.cli import main; main()"
    command = f"PYTHONPATH={ROOT}/src {sys.executable} -c '{program}' play --rulebook atlantic-city --seed {seed}"
    subprocess.run(["tmux", "new-session", "-d", "-s", name, "-x", "80", "-y", "24", command], check=True)
    try:
        for key in keys:
            time.sleep(1)
            subprocess.run(["tmux", "send-keys", "-t", name, key], check=True)
        time.sleep(1)
        shown = subprocess.run(["tmux", "capture-pane", "-t", name, "-p", "-e"], check=True, capture_output=True)
    finally:
        subprocess.run(["tmux", "kill-session", "-t", name], check=True)
    return shown.stdout.decode()


def main(seed: str = "33", keys: str = "s 5 Enter Enter") -> None:
    console = Console(width=80, record=True, file=io.StringIO(), force_terminal=True)
    console.print(Text.from_ansi(screen(seed, keys.split()).rstrip()))
    (ROOT / "docs" / "table.svg").write_text(console.export_svg(title="hcf play", code_format=SVG), encoding="utf-8")


if __name__ == "__main__":
    main(*sys.argv[1:])
