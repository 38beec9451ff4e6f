"""The page at the root: tables, meters and links, in plain HTML without a script. And what robots may read."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from html import escape
from importlib.resources import files
from urllib.parse import quote

from litestar import MediaType, Response, get
from litestar.di import NamedDependency

from highcardflush.money import say_cents, say_display
from highcardflush.web import wire
from highcardflush.web.routes.meters import read_meters
from highcardflush.web.routes.tables import listed
from highcardflush.web.services import Services

PUBLIC = {"access": "public"}
TITLE = "High Card Flush"
LINKS = {
    f"{wire.API}/rulebooks": "Rulebooks",
    f"{wire.API}/tables": "Tables as data",
    f"{wire.API}/meters": "Meters as data",
    f"{wire.API}/openapi.json": "Calls (OpenAPI)",
    f"{wire.API}/asyncapi.json": "Messages (AsyncAPI)",
    "/health": "Health",
}
ROBOTS = "User-agent: *\nDisallow: /api/\n"
STYLE = files("highcardflush.web").joinpath("static/style.css").read_text("utf-8")
KEPT = {"Cache-Control": "public, max-age=3600"}


@get("/", opt=PUBLIC, media_type=MediaType.HTML, include_in_schema=False)
async def page(services: NamedDependency[Services]) -> str:
    """Tables, meters and links."""
    tables = [listed(services, table) for _, table in sorted(services.hub.tables.items())]
    return _page(map(_table, tables), map(_meter, await read_meters(services)))


@get("/robots.txt", opt=PUBLIC, media_type=MediaType.TEXT, include_in_schema=False, sync_to_thread=False)
def robots() -> str:
    return ROBOTS


@get("/style.css", opt=PUBLIC, include_in_schema=False, sync_to_thread=False)
def style() -> Response[str]:
    return Response(STYLE, media_type="text/css", headers=KEPT)


def _page(tables: Iterable[str], meters: Iterable[str]) -> str:
    return f"""<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>{TITLE}</title>
<link rel="stylesheet" href="/style.css">
</head>
<body>
<header>
<h1>{TITLE}</h1>
<p class="quiet">The longest suit in seven cards wins. Play money only.</p>
</header>
<main>
{_section("Meters", meters)}
{_section("Tables", tables)}
</main>
<footer>
<h2>More</h2>
{_links(LINKS)}
</footer>
</body>
</html>
"""


def _section(title: str, entries: Iterable[str]) -> str:
    listed = "\n".join(f"<li>{entry}</li>" for entry in entries)
    shown = f'<ul class="cards">\n{listed}\n</ul>' if listed else '<p class="quiet">There are none.</p>'
    return f"<section>\n<h2>{title}</h2>\n{shown}\n</section>"


def _table(table: wire.Data) -> str:
    place = f"{wire.API}/tables/{quote(table['name'], safe='')}"
    taken = f"{len(table['taken'])} of {table['seats']} seats taken"
    facts = [f"{taken}, {'open' if table['open'] else 'closed'}", *_ante(table)]
    quiet = "".join(f'<p class="quiet">{escape(fact)}</p>' for fact in facts)
    links = _links({place: "Now", f"{place}/rules": "Rules"})
    return f"<h3>{escape(table['name'])}</h3><p>{escape(table['title'])}</p>{quiet}{links}"


def _ante(table: wire.Data) -> list[str]:
    limit = table["limits"].get("ante")
    if limit is None:
        return []
    most = limit["maximum_cents"]
    to = f" to {say_cents(most)}" if most is not None else ""
    return [f"Ante {say_cents(limit['minimum_cents'])}{to}"]


def _meter(meter: wire.Data) -> str:
    amount = f'<p class="amount">{say_display(meter["amount_micros"])}</p>'
    notice = f'<p class="quiet">{escape(meter["notice"])}</p>' if meter["notice"] else ""
    return f"<h3>{escape(meter['name'])}</h3>{amount}{notice}"


def _links(links: Mapping[str, str]) -> str:
    entries = "".join(f'<li><a href="{escape(place)}">{escape(words)}</a></li>' for place, words in links.items())
    return f'<ul class="links">{entries}</ul>'


HANDLERS = (page, robots, style)
