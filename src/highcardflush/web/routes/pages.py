"""The pages for browsers: the HTML of each page, the files in `static/`, and `robots.txt`.

The HTML names every module that a page's script imports, so that the browser fetches all modules at the same time. A
file is served only if it was in the package when the server started, so no path leads anywhere else.
"""

import re
from collections.abc import Callable, Iterator
from functools import lru_cache
from gzip import compress
from hashlib import sha256
from importlib.resources import files
from importlib.resources.abc import Traversable
from posixpath import dirname, join, normpath
from typing import Final

from litestar import MediaType, Response, get
from litestar.params import FromPath
from msgspec import Struct

from highcardflush.errors import NotFound
from highcardflush.web.routes.previews import Preview, find_preview
from highcardflush.web.server.access import Asked
from highcardflush.web.server.services import Served
from highcardflush.words import refuse

PUBLIC = {"access": "public"}
ROBOTS = "User-agent: *\nDisallow: /api/\n"
TYPES = {
    ".js": "text/javascript",
    ".css": "text/css",
    ".svg": "image/svg+xml",
    ".woff2": "font/woff2",
    ".txt": "text/plain; charset=utf-8",
}
KEPT = "no-cache"
"""Cache-Control of pages and files. Browsers check their copies each time, so that all files have the same version."""
KEPT_FOR_GOOD = "public, max-age=31536000, immutable"
"""Cache-Control of typefaces. A typeface has its version in its name, so its file never changes."""
TYPEFACE: Final = "fonts/besley-700-5.3.0.woff2"
STYLES: Final = {
    "lobby": ("core/cards", "core/comparison", "lobby/lobby"),
    "table": ("core/cards", "table/felt", "table/place", "table/sheet", "core/coach"),
    "round": ("round/round",),
    "rules": ("core/cards", "core/comparison", "rules/rules"),
    "how-to-play": ("how-to-play/how-to-play",),
    "account": ("account/account",),
}
"""Style sheets of each page, apart from `core/style`, which every page has. A page's script is `PAGE/PAGE.js`."""
PATHS = [
    *("/", "/table/{name:str}", "/round/{name:str}/{number:int}"),
    *("/how-to-play", "/rules", "/rules/{name:str}", "/account"),
]
_SHEET = '<link rel="stylesheet" href="/static/{}.css">'
_MODULE = '<link rel="modulepreload" href="/static/{}">'
_IMPORT = re.compile(r'^(?:import|export)\b[^;]*?"(\.[^"]+)";', re.MULTILINE)
PREVIEW = "<!-- preview -->"
"""Place of the title and description in a page."""
_SHELL = """\
<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
{preview}
<link rel="icon" href="/static/icon.svg" type="image/svg+xml">
<link rel="preload" href="/static/{typeface}" as="font" type="font/woff2" crossorigin>
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
    return _SHELL.format(page=page, preview=PREVIEW, typeface=TYPEFACE, links="\n".join([*sheets, *modules]))


def imported(script: str, read: Callable[[str], str]) -> list[str]:
    """Return the modules that a script imports directly or indirectly, in breadth-first order."""
    modules = [script]
    for name in modules:  # the loop appends to the list that it walks
        imports = (normpath(join(dirname(name), path)) for path in _IMPORT.findall(read(name)))
        modules += [each for each in dict.fromkeys(imports) if each not in modules]
    return modules[1:]


class File(Struct, frozen=True):
    data: bytes
    media_type: str
    tag: str
    packed: bytes | None
    """The data compressed by gzip; None for a typeface, which is compressed already."""


def _file(data: bytes, media_type: str) -> File:
    packed = None if media_type == TYPES[".woff2"] else compress(data, mtime=0)
    return File(data, media_type, sha256(data).hexdigest()[:16], packed)


def _read(folder: Traversable, prefix: str = "") -> Iterator[tuple[str, File]]:
    for each in folder.iterdir():
        name = prefix + each.name
        if each.is_dir():
            yield from _read(each, f"{name}/")
        elif (ending := f".{each.name.rpartition('.')[2]}") in TYPES:
            yield name, _file(each.read_bytes(), TYPES[ending])


FILES = dict(_read(files("highcardflush.web").joinpath("static")))
SHELLS = {page: shell(page, lambda name: FILES[name].data.decode()) for page in STYLES}
"""HTML of each page, without its preview."""
NOT_FOUND = """\
<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>Page not found</title>
<link rel="icon" href="/static/icon.svg" type="image/svg+xml">
<link rel="stylesheet" href="/static/core/style.css">
</head>
<body>
<main id="main"><h1>This page does not exist.</h1><p><a href="/">Go to the tables</a></p></main>
</body>
</html>
"""


@lru_cache(1024)
def _page(name: str, preview: Preview) -> File:
    return _file(SHELLS[name].replace(PREVIEW, preview.tags(), 1).encode(), MediaType.HTML)


def _answer(request: Asked, file: File) -> Response[bytes]:
    """Return a file, compressed if the client accepts that. The files are public, so their length reveals nothing."""
    if file.packed is None:
        body, headers = file.data, {"ETag": f'"{file.tag}"', "Cache-Control": KEPT_FOR_GOOD}
    elif "gzip" in request.headers.get("Accept-Encoding", ""):
        body, headers = file.packed, {"ETag": f'"{file.tag}-gzip"', "Cache-Control": KEPT, "Content-Encoding": "gzip"}
    else:
        body, headers = file.data, {"ETag": f'"{file.tag}"', "Cache-Control": KEPT}
    headers["Vary"] = "Accept-Encoding"
    if request.headers.get("If-None-Match") == headers["ETag"]:
        return Response(b"", status_code=304, headers=headers)
    return Response(body, media_type=file.media_type, headers=headers)


@get(PATHS, opt=PUBLIC, include_in_schema=False)
async def page(request: Asked, services: Served) -> Response[bytes]:  # the page's script reads the rest of the path
    path = request.url.path
    return _answer(request, _page(path.split("/")[1] or "lobby", await find_preview(services, path)))


@get("/static/{path:path}", opt=PUBLIC, include_in_schema=False, sync_to_thread=False)
def static(request: Asked, path: FromPath[str]) -> Response[bytes]:
    name = path.lstrip("/")
    if (file := FILES.get(name)) is None:
        raise refuse("no-file", NotFound, name=f"/static/{name}"[:200])
    return _answer(request, file)


@get("/robots.txt", opt=PUBLIC, media_type=MediaType.TEXT, include_in_schema=False, sync_to_thread=False)
def robots() -> str:
    return ROBOTS


HANDLERS = (page, static, robots)
