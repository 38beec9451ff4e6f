"""Everything that is posted at a table, in a fixed order: limits, caps, ways to pay several winners, and notices.

Browser, terminal, rack card, PAR sheet and wall displays all show this list. Every line is made from the settings in
force, so none contradicts the pays that a table shows.
"""

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from msgspec import Struct

from highcardflush.game.legal import wager_options
from highcardflush.rulebook.model import Rulebook
from highcardflush.rulebook.table_settings import EVERY_WAGER, HitPolicy
from highcardflush.rulebook.wagers import PROGRESSIVE
from highcardflush.words import say_posted, say_raises

PRINTED_LIMITS = ("increment", "cap", "games", "games-above")
"""Codes of the limits that a document can print for every table."""
WITH_PAYS = ("base", "hits")
"""Codes of the lines that belong to a pay table."""


class Posted(Struct, frozen=True):
    """A line posted at a table. `text` is the whole text, and `short` is one line that fits next to the game."""

    code: str
    short: str
    text: str
    values: dict[str, Any]


def posted(book: Rulebook) -> list[Posted]:
    return [_say(code, values) for code, values in _lines(book)]


def printed_limits(book: Rulebook) -> list[Posted]:
    return [_say(code, values) for code, values in _limits(book)]


def posted_on_display(meter: str, hits: HitPolicy, notice: str, *, bonus: bool) -> list[Posted]:
    """Return the lines for the display of one meter. `notice` is the notice of a bonus jackpot, or empty."""
    quotation = [_say("bonus-notice", {"notice": notice})] if notice else []
    return [_say("hits", {"meter": meter, "policy": hits, "bonus": bonus}), *quotation]


def texts(lines: Iterable[Posted], *, without: tuple[str, ...] = ()) -> tuple[str, ...]:
    return tuple(line.text for line in lines if line.code not in without)


def _say(code: str, values: Mapping[str, Any]) -> Posted:
    short, text = say_posted(code, values)
    return Posted(code, short, text, dict(values))


Lines = Iterator[tuple[str, Mapping[str, Any]]]


def _lines(book: Rulebook) -> Lines:
    bonus, full = book.bonus_jackpot, not book.progressive_only
    for option in wager_options(book):
        amounts = option.amounts
        yield (
            "limit",
            {
                "wager": option.wager,
                "minimum_cents": amounts.minimum_cents,
                "maximum_cents": amounts.maximum_cents,
                "step_cents": amounts.step_cents,
                "required": option.required,
                "bonus": bonus,
            },
        )
    if full:
        yield "raise", {"antes": say_raises(book)}
    yield from _limits(book)
    if full and book.settings.mandatory != "none":
        yield "mandatory", {"wager": book.settings.mandatory, "bonus": bonus}
    offer, table = book.offer(PROGRESSIVE), book.paytable(PROGRESSIVE)
    if offer is not None and table is not None:
        yield (
            "base",
            {
                "base_cents": int(offer.base),
                "bonus": bonus,
                "envy": "envy" in book.features,
                "dynamic": "dynamic" in book.features,
            },
        )
        for plan in book.plans.values():
            yield "hits", {"meter": plan.name, "policy": plan.hits, "bonus": plan.bonus}
    for text in book.in_force(book.notices):
        yield "notice", {"notice": text}
    if book.bonus_notice:
        yield "bonus-notice", {"notice": book.bonus_notice}


def _limits(book: Rulebook) -> Lines:
    settings, games = book.settings, book.separate_games
    if settings.increment:
        yield "increment", {"cents": int(settings.increment)}
    for cap in settings.caps_in_force:
        beyond = cap.wager == EVERY_WAGER and book.offer(PROGRESSIVE) is not None
        values = {"cents": int(cap.cents), "scope": cap.scope, "wager": cap.wager}
        yield "cap", values | ({"beyond": "bonus" if book.bonus_jackpot else "meter"} if beyond else {})
    if games:
        yield "games", {"most": games.maximum}
        yield "games-above", {"most": games.above, "cents": int(games.amount)}
