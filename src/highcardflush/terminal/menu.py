"""Lets the player choose a table: its rulebook, and its side bets if the rulebook leaves them to the operator."""

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import NamedTuple

from rich.console import RenderableType
from rich.padding import Padding
from rich.text import Text

from highcardflush.money import say_cents
from highcardflush.rulebook import PACKAGED, Offer, Rulebook, configure, packaged
from highcardflush.rulebook.settings import flat
from highcardflush.terminal.glyphs import joined, wrapped
from highcardflush.terminal.input import Leave
from highcardflush.terminal.pages import grid, heading, pay_table_rows, pay_tables, raise_words, say_caps, show_rules
from highcardflush.terminal.screen import Drawing, Screen
from highcardflush.words import say_wager

RULEBOOKS = tuple(reversed(PACKAGED))
"""Rulebooks in menu order. Rulebooks that offer side bets come first, because Enter chooses the first rulebook."""
GAME = (
    "You and the dealer get seven cards each. The longer flush wins; if the lengths are equal, the higher cards win. "
    "Look at your cards, then fold or raise."
)
RAISING = {"exact": "Raise fixed by your flush", "multiples": "Raise whole Antes", "between": "Raise any amount"}
SHOWN = "you keep one flush; a straight flush among your discards is paid only if you turn it face up"
KEEPING = {
    "refused": ("best flush plays", "your best flush plays automatically"),
    "optional": ("keep one flush", "you keep one flush; a bonus among your discards is paid face up or face down"),
    "required": ("keep one, show bonuses", SHOWN),
}
"""Ways to choose the flush that plays, with a short and a full description."""
FLUSH = Offer("flush", "washington/PT-FLT-HCF-FB-01")
STRAIGHT_FLUSH = Offer("straight-flush", "PT-FLT-HCF-SF-01")
JACKPOT = Offer("progressive", "PT-BJS-HCF-SF-01")


class Choice(NamedTuple):
    """Side bets that are offered together, and the settings that they need."""

    words: str
    offers: tuple[Offer, ...] = ()
    settings: Mapping[str, str] = {}


SIDE_BETS: dict[str, tuple[Choice, ...]] = {
    "galaxy-v7": (
        Choice("Flush Bonus and the Straight Flush Progressive", (FLUSH, Offer("progressive", "PT-BJS-HCF-SF-07"))),
        Choice("The same with Envy Pays", (FLUSH, Offer("progressive", "PT-BJS-HCF-SF-E05"))),
        Choice("Flush Bonus and the Multi-Level Progressive", (FLUSH, Offer("progressive", "PT-PRG-HCF-MLP-01"))),
        Choice("Flush Bonus and the Dynamic Progressive", (FLUSH, Offer("progressive", "PT-PRG-HCF-D01a"))),
        Choice("Flush Bonus", (FLUSH,)),
        Choice("No side bets"),
    ),
    "washington": (
        Choice("Flush Bonus and Straight Flush Bonus", (FLUSH, STRAIGHT_FLUSH)),
        Choice(
            "Both, and a Progressive Jackpot that grows with the bets",
            (FLUSH, STRAIGHT_FLUSH, JACKPOT),
            {"jackpot": "progressive", "seed": "30000", "rate": "23%", "reserve-rate": "5%"},
        ),
        Choice(
            "Both, and a Bonus Jackpot of $10,000 from the house",
            (FLUSH, STRAIGHT_FLUSH, JACKPOT),
            {"jackpot": "bonus", "seed": "10000", "display-returns": "on"},
        ),
        Choice("No side bets"),
    ),
}


POSTED = {"ante-minimum": "5", "ante-maximum": "1000"}
"""Limits that this table posts if its rulebook requires posted limits, in dollars."""


def posted_limits(rulebook: Rulebook) -> dict[str, str]:
    """Return the limits that this table posts because the rulebook requires limits but does not set them."""
    values = flat(rulebook.settings)
    return {key: value for key, value in POSTED.items() if rulebook.posted_limits and values[key] is None}


def choose_rulebook(screen: Screen) -> str:
    screen.line("High Card Flush", "bold green")
    screen.line(GAME, indent=0)
    books = [packaged(name) for name in RULEBOOKS]
    titles = [
        Text.assemble((f"{book.name:<15}", "bold"), book.title.removeprefix("High Card Flush, ")) for book in books
    ]
    items = partial(_items, screen, titles, [brief_differences(book) for book in books], 2)
    parts: list[RenderableType] = []
    for book in books:
        rows = [(Text(head, "bold"), Text(words)) for head, words in differences(book).items()]
        parts += [heading(f"{book.name}: {book.title}"), Padding(grid(rows), (0, 3))]
    comparison = partial(screen.show, *parts)
    return RULEBOOKS[_pick(screen, "Whose rules?", items, RULEBOOKS, "how they differ", comparison)]


def choose_side_bets(screen: Screen, rulebook: Rulebook) -> Choice:
    """Let the player choose the side bets of a table whose rulebook offers none."""
    choices = SIDE_BETS.get(rulebook.name, ()) if not rulebook.offers else ()
    if not choices:
        return Choice("")
    tables = [configure(rulebook, choice.offers or None, choice.settings) for choice in choices]
    items = partial(_items, screen, [Text(choice.words) for choice in choices], list(map(brief_pays, tables)), 0)
    parts: list[RenderableType] = []
    listed: set[str] = set()
    for choice, table in zip(choices, tables, strict=True):  # List each pay table below the first choice that has it.
        new = [offer for offer in table.offers if offer.paytable not in listed]
        listed |= {offer.paytable for offer in new}
        parts += [heading(choice.words), pay_tables(table, new)] if new else []
    explain = partial(show_rules, screen, rulebook, parts)
    names = [choice.words.lower() for choice in choices]
    question = f"Side bets at this {rulebook.name} table?"
    return choices[_pick(screen, question, items, names, "rules and pays", explain)]


def brief_pays(table: Rulebook) -> list[str]:
    """Return the lowest and highest pay of each pay table on offer, such as `flush bonus 1 to 1 ... 300 to 1`."""
    pays = {say_wager(table, offer.wager): pay_table_rows(table, offer) for offer in table.offers}
    return [f"{wager} {rows[-1]['pays']} ... {rows[0]['pays']}" for wager, rows in pays.items()]


def brief_differences(rulebook: Rulebook) -> list[str]:
    """Return the features of a rulebook, in a few words each. The first two distinguish all packaged rulebooks."""
    lowest = min((cap.cents for cap in rulebook.settings.caps_in_force), default=None)
    raise_step = rulebook.settings.raise_step
    return [
        RAISING[rulebook.raise_.kind] if raise_step is None else f"Raise multiples of {raise_step}",
        KEEPING[rulebook.expose][0],
        f"{len(rulebook.offers)} side bets" if rulebook.offers else "side bets by choice",
        f"capped at {say_cents(lowest)}" if lowest is not None else "no cap",
    ]


def differences(rulebook: Rulebook) -> dict[str, str]:
    offered = " and ".join(say_wager(rulebook, offer.wager) for offer in rulebook.offers)
    return {
        "Raise": raise_words(rulebook),
        "Flush": KEEPING[rulebook.expose][1],
        "Side bets": offered or "you choose which side bets the table offers",
        "Caps": "; ".join(say_caps(rulebook)) or "none",
    }


def _items(
    screen: Screen, titles: Sequence[Text], notes: Sequence[Sequence[str]], fewer: int, width: int
) -> list[Text]:
    """Return the numbered lines of a menu with their notes, or with fewer notes if the screen has few rows."""
    lines: list[Text] = []
    for count in (None, fewer):
        lines = []
        for i, (title, item_notes) in enumerate(zip(titles, notes, strict=True), 1):
            lines += wrapped(Text.assemble((f"  [{i}]", "bold cyan"), " ") + title, width, 6)
            below = [Text(words, "dim") for words in item_notes[:count]]
            lines += [Text("      ") + line for line in joined(below, screen.glyphs, width - 6) if below]
        if len(lines) <= screen.height - 8:
            break
    return lines


def _pick(
    screen: Screen, question: str, drawing: Drawing, names: Sequence[str], help_words: str, explain: Callable[[], None]
) -> int:
    """Return the index of the chosen line. Enter chooses the first line, and a script may also answer with a name."""
    places = {"": 0, **{str(i): i - 1 for i in range(1, len(names) + 1)}, **{name: i for i, name in enumerate(names)}}
    keys, hint = {"": "choose 1", "?": help_words, "q": "quit"}, ""

    def draw(width: int) -> list[Text]:
        return [Text(question, "bold"), *drawing(width), *([Text(hint, "yellow")] if hint else [])]

    while (answer := screen.ask(draw, {}, keys)) not in places:
        if answer == "q":
            raise Leave
        if answer == "?":
            explain()
        hint = f"Press a key from 1 to {len(names)}." if answer != "?" else ""
    return places[answer]
