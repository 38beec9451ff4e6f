"""The HTML shell of each page. It fetches the page's script and style sheets; the script draws the rest.

The shell also preloads every module that the script imports, so that the browser fetches them all at once.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from posixpath import dirname, join, normpath
from typing import Final

STYLES: Final = {
    "lobby": ("core/cards", "core/comparison", "lobby/lobby"),
    "table": ("core/cards", "table/table", "core/coach"),
    "round": ("round/round",),
    "rules": ("core/comparison", "rules/rules"),
    "account": ("account/account",),
}
"""Style sheets of each page, apart from `core/style`, which every page has. A page's script is `PAGE/PAGE.js`."""
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
<script type="module" src="/static/{page}/{page}.js"></script>
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
    """Return the HTML of a page; `read` returns the text of a file in `static/`."""
    sheets = [_SHEET.format(style) for style in ("core/style", *STYLES[page])]
    modules = [_MODULE.format(name) for name in imported(f"{page}/{page}.js", read)]
    return _SHELL.format(page=page, links="\n".join([*sheets, *modules]))


def imported(script: str, read: Callable[[str], str]) -> list[str]:
    """Return the modules that a script imports, directly or not, breadth first."""
    modules = [script]
    for name in modules:  # the loop appends to the list it walks
        imports = (normpath(join(dirname(name), path)) for path in _IMPORT.findall(read(name)))
        modules += [each for each in dict.fromkeys(imports) if each not in modules]
    return modules[1:]
