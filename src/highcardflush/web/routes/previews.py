"""Titles and descriptions of pages, which messengers show with a link. A page without its own has a general one.

There is no picture: messengers do not show SVG, and the server draws no other.
"""

from collections import Counter
from html import escape

from msgspec import Struct

from highcardflush.errors import NotFound
from highcardflush.money import say_cents
from highcardflush.web.server.services import Services

SITE = "High Card Flush"
LONGEST_NAME = 40


class Preview(Struct, frozen=True):
    title: str
    description: str

    def tags(self) -> str:
        """Return the tags for the head of a page."""
        title, description = escape(self.title), escape(self.description)
        return "\n".join(
            (
                f"<title>{title}</title>",
                f'<meta name="description" content="{description}">',
                f'<meta property="og:site_name" content="{SITE}">',
                '<meta property="og:type" content="website">',
                f'<meta property="og:title" content="{title}">',
                f'<meta property="og:description" content="{description}">',
            )
        )


GENERAL = Preview(SITE, "Live tables with a coach, and with a proof for the shuffle of every round.")
ROUNDS: dict[tuple[str, int], Preview] = {}
"""Previews of finished rounds, which never change."""
MOST_ROUNDS = 10_000


async def find_preview(services: Services, path: str) -> Preview:
    """Return the preview of a page."""
    match path.strip("/").split("/"):
        case ["table", name] if (table := services.context.tables.get(name)) is not None:
            title = table.config.rulebook.title
            return Preview(
                f"{title} at table {name} – {SITE}", f"Watch table {name} or sit down. {GENERAL.description}"
            )
        case ["round", name, number] if number.isascii() and number.isdecimal() and len(number) < 10:
            return await _round(services, name[:LONGEST_NAME], int(number))
    return GENERAL


async def _round(services: Services, name: str, number: int) -> Preview:
    if (found := ROUNDS.get((name, number))) is not None:
        return found
    try:
        record = await services.context.ask(services.context.house.round_record, name, number)
    except NotFound:
        return GENERAL
    nets = Counter[int]()
    for result in record.results:
        nets[result.seat] += result.net_cents
    results = "; ".join(f"seat {seat} {_net(cents)}" for seat, cents in sorted(nets.items()))
    preview = Preview(
        f"Round {number} at table {name} – {SITE}",
        f"{results.capitalize()}. See every card, and check that the shuffle was fair." if results else "A void round.",
    )
    if len(ROUNDS) >= MOST_ROUNDS:
        ROUNDS.clear()
    ROUNDS[name, number] = preview
    return preview


def _net(cents: int) -> str:
    """Say a net result.

    >>> _net(92500), _net(-500), _net(0)
    ('won $925', 'lost $5', 'broke even')
    """
    return f"{'won' if cents > 0 else 'lost'} {say_cents(abs(cents))}" if cents else "broke even"
