"""The shell of each page: the HTML that fetches its script and its style sheets. All else is drawn by the script.

It also names every module that the script imports, so that they are fetched at once and not one after another found.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from posixpath import dirname, join, normpath
from typing import Final

STYLES: Final = {
    "lobby": ("cards", "comparison", "lobby"),
    "table": ("cards", "table"),
    "round": ("round",),
    "rules": ("comparison", "rules"),
    "account": ("account",),
}
"""Each page by the name of its script, with its style sheets beside the one that all have."""
_SHEET = '<link rel="stylesheet" href="/static/{}.css">'
_MODULE = '<link rel="modulepreload" href="/static/{}">'
_IMPORT = re.compile(r'^(?:import|export)\b[^;]*?"(\.[^"]+)";', re.MULTILINE)
_SHELL = """\
<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>High Card Flush</title>
<link rel="icon" href="/static/icon.svg" type="image/svg+xml">
{links}
<script type="module" src="/static/{page}.js"></script>
</head>
<body class="{page}">
<header></header>
<p id="notice" role="alert" hidden></p>
<main id="main"><noscript>This page needs JavaScript. The tables are also at \
<a href="/api/v1/tables">/api/v1/tables</a>.</noscript></main>
<footer></footer>
</body>
</html>
"""


def shell(page: str, read: Callable[[str], str]) -> str:
    """`read` gives the text of a file in `static/`."""
    sheets = [_SHEET.format(style) for style in ("style", *STYLES[page])]
    modules = [_MODULE.format(name) for name in imported(f"{page}.js", read)]
    return _SHELL.format(page=page, links="\n".join([*sheets, *modules]))


def imported(script: str, read: Callable[[str], str]) -> list[str]:
    """The modules that a script needs to begin, the nearest first."""
    found = [script]
    for name in found:  # grows meanwhile
        needed = (normpath(join(dirname(name), path)) for path in _IMPORT.findall(read(name)))
        found += [each for each in dict.fromkeys(needed) if each not in found]
    return found[1:]
