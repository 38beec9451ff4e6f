"""Ways to break a rule: a breakage is a function of a monkeypatch, and these functions make them.

`swap` replaces a function wherever it was imported to; `around` and `wrapped` build on the old one. `written` changes a
rulebook before a table is set up from it, `table` the rules of the table. `both` does two.
"""

import sys
from collections.abc import Callable
from typing import Any

import pytest
from msgspec.structs import replace

from highcardflush import ranking
from highcardflush.ranking import FlushRank
from highcardflush.rulebook.load import configure
from highcardflush.rulebook.model import Rulebook
from highcardflush.rulebook.paytable import Line, PayTable, Plan
from highcardflush.rulebook.wagers import SIDE_BETS, Match

Breakage = Callable[[pytest.MonkeyPatch], None]
Anything = Callable[..., Any]


def swap(old: Anything, new: Anything) -> Breakage:
    """Another function, in every module and in every table of functions that has this one."""

    def apply(patch: pytest.MonkeyPatch) -> None:
        for module in [module for name, module in sys.modules.items() if name.startswith("highcardflush")]:
            for name, value in list(vars(module).items()):
                if (changed := _exchanged(value, old, new)) is not value:
                    patch.setattr(module, name, changed)

    return apply


def _exchanged(value: Any, old: Anything, new: Anything) -> Any:
    if value is old:
        return new
    if type(value) is dict and any(each is old for each in value.values()):
        return {key: new if each is old else each for key, each in value.items()}
    if type(value) is tuple and any(each is old for each in value):
        return tuple(new if each is old else each for each in value)
    return value


def method(owner: type, name: str, new: Any) -> Breakage:
    return lambda patch: patch.setattr(owner, name, new)


def constant(module: str, name: str, value: Any) -> Breakage:
    return lambda patch: patch.setattr(sys.modules[f"highcardflush.{module}"], name, value)


def entry(table: dict[Any, Any], key: Any, value: Any) -> Breakage:
    return lambda patch: patch.setitem(table, key, value)


def both(*breakages: Breakage) -> Breakage:
    def apply(patch: pytest.MonkeyPatch) -> None:
        for breakage in breakages:
            breakage(patch)

    return apply


def written(**changes: Any) -> Breakage:
    """Every rulebook changed before its offers and settings are put in and checked."""
    return swap(configure, lambda book, *rest: configure(replace(book, **changes), *rest))


def table(edit: Callable[[Rulebook], Rulebook]) -> Breakage:
    """The rules of every table changed when all is set."""
    return swap(configure, lambda *parts: edit(configure(*parts)))


def rules(**changes: Any) -> Breakage:
    return table(lambda book: replace(book, **changes))


def setting(**changes: Any) -> Breakage:
    return table(lambda book: replace(book, settings=replace(book.settings, **changes)))


def tables(edit: Callable[[PayTable], PayTable]) -> Breakage:
    return table(lambda book: replace(book, paytables={key: edit(each) for key, each in book.paytables.items()}))


def lines(edit: Callable[[Line], Line]) -> Breakage:
    return tables(lambda each: replace(each, lines=tuple(edit(line) for line in each.lines)))


def raising(kind: str = "", antes: int = 0) -> Breakage:
    """Another kind of Raise, or as many Antes with any flush."""

    def edit(book: Rulebook) -> Rulebook:
        rule = book.raise_
        most = {cards: antes or largest for cards, largest in rule.maximum.items()}
        return replace(book, raise_=replace(rule, kind=kind or rule.kind, maximum=most))

    return table(edit)


def plans(edit: Callable[[Plan], Plan]) -> Breakage:
    """The plan of every meter changed."""
    plan = Rulebook._plan
    return method(Rulebook, "_plan", lambda *parts: edit(plan(*parts)))


def around(old: Anything, new: Anything) -> Breakage:
    """A function that gets the old one first."""
    return swap(old, lambda *parts, **rest: new(old, *parts, **rest))


def wrapped(old: Anything, change: Callable[..., Any]) -> Breakage:
    """A function whose value is changed: `change` gets it and the arguments."""
    return swap(old, lambda *parts, **rest: change(old(*parts, **rest), *parts))


def matching(match: Callable[[int], Match]) -> Breakage:
    """Another straight flush for the side bets."""
    return both(*(entry(SIDE_BETS, name, replace(bet, match=match)) for name, bet in SIDE_BETS.items() if bet.tops))


def compared(key: Callable[[FlushRank], Any]) -> Breakage:
    """Hands compared in another way."""

    def showdown(flush: FlushRank, dealer: FlushRank, qualifier: FlushRank) -> str:
        if not ranking.dealer_qualifies(dealer, qualifier):
            return "not-qualified"
        return "win" if key(flush) > key(dealer) else "lose" if key(flush) < key(dealer) else "tie"

    return swap(ranking.showdown, showdown)
