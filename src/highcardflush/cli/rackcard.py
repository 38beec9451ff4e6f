"""A rulebook on the terminal: the rack card, a pay table, the dealer's procedure."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from rich.padding import Padding
from rich.table import Table
from rich.text import Text

from highcardflush.cli.output import grid, put
from highcardflush.game.legal import wager_options
from highcardflush.money import format_rate, say_cents, say_micros
from highcardflush.rulebook import PayTable, Rulebook
from highcardflush.rulebook.paytable import Plan
from highcardflush.rulebook.settings import flat, format_setting, settings_table
from highcardflush.rulebook.wagers import SIDE_BETS
from highcardflush.words import pay_rows, say_amounts, say_limits, say_notices, say_raise, say_rulebook, say_source

OFFERED = "Side bets offered"


def print_rack_card(book: Rulebook) -> None:
    authority = f". Authority: {book.authority}" if book.authority else ""
    put(Text(book.title, style="bold"))
    put(Text(f"{say_rulebook(book)}, version {book.version}, content hash {book.sha256[:12]}", style="dim"))
    put(Text(f"From: {say_source(book)}{authority}", style="dim"))
    if book.offers:
        rules, notices = book.rules_in_force, say_notices(book)
    else:
        rules, notices = tuple(map(str, book.rules)), (*say_limits(book), *map(str, book.notices))
    _list("Rules", rules)
    raises = ((f"{n} cards", say_raise(*book.raise_antes(n), book.raise_step)) for n in book.raise_.largest)
    limits = ((bet.wager, say_amounts(bet.amounts), "yes" if bet.required else "no") for bet in wager_options(book))
    _section("Raise", ("flush", "Raise (in Antes)"), raises)
    _section("Limits", ("wager", "amounts", "required"), limits)
    if caps := tuple(_caps(book)):
        _section("Maximum payouts", ("cap", "at most", "setting"), caps)
    _offers(book)
    _list("Notices", notices)
    _list("On record", book.record)
    reasons = ((code, reason.voids, reason.meaning) for code, reason in book.reasons.items())
    _section("Reasons for a void", ("code", "voids", "meaning"), reasons)
    _section("Settings (amounts in dollars)", ("key", "value", "range", "meaning"), _settings(book))


def _heading(text: str) -> None:
    put("", Text(text, style="bold"))


def _list(title: str, lines: Sequence[str]) -> None:
    if lines:
        _heading(title)
    for line in lines:
        _item("-", line)


def _item(mark: str, text: str) -> None:
    row = Table.grid(padding=(0, 1))
    row.add_row(mark, Text(text))
    put(row)


def _section(title: str, columns: tuple[str, ...], rows: Iterable[Sequence[str]], *, note: str = "") -> None:
    """Print a heading, an optional line below it, and a grid."""
    _heading(title)
    if note:
        put(Text(note))
    put(Padding(grid(*columns, rows=(map(Text, row) for row in rows)), (0, 2)))


def _caps(book: Rulebook) -> Iterator[tuple[str, str, str]]:
    meanings = {row.key: row.description for row in settings_table()}
    for cap in book.settings.caps_in_force:
        yield meanings[cap.key], say_cents(cap.cents), cap.key


def _settings(book: Rulebook) -> Iterator[tuple[str, str, str, str]]:
    values = flat(book.settings)
    for row in settings_table():
        yield row.key, format_setting(values[row.key]), row.range, row.description


def _offers(book: Rulebook) -> None:
    if not book.offers:
        ids: dict[str, list[str]] = {}
        for key, table in book.paytables.items():
            ids.setdefault(table.wager, []).append(key)
        rows = ((wager, ", ".join(keys)) for wager, keys in ids.items())
        note = "None until the operator says which. Pay tables to choose from:"
        _section(OFFERED, ("wager", "pay tables"), rows, note=note)
        return
    _heading(OFFERED)
    for offer in book.offers:
        print_pay_table(book.paytables[offer.paytable], int(offer.base), book.plans)


def print_pay_table(table: PayTable, base_cents: int = 100, in_force: dict[str, Plan] | None = None) -> None:
    """Print one pay table with its meters, as printed or as in force at a table. Dollars are those for the base bet."""
    base = f", base bet {say_cents(base_cents)}" if SIDE_BETS[table.wager].jackpot else ""
    put("", Text(f"  {table.wager}: {table.full_id}, pays {table.pays}{base}"))
    bonus = any(plan.bonus for plan in (in_force or {}).values())
    rows = pay_rows(table, base_cents, every_dynamic=True, bonus=bonus)
    columns = (f">{name}" if name in ("pays", "Envy Pay") else name for name in rows[0])
    lines = grid(*columns, rows=((cell or "-" for cell in row.values()) for row in rows))
    lines_below = (Padding(Text(words), (0, 4)) for words in _meters(table, base_cents, in_force))
    put(Padding(lines, (0, 4)), *lines_below)


def _meters(table: PayTable, base_cents: int, in_force: dict[str, Plan] | None) -> list[str]:
    lines = []
    for name in table.meter_names:
        printed, plan = table.meters.get(name), (in_force or {}).get(name)
        if plan is not None:
            seed, rate, reserve = say_micros(plan.seed_micros), plan.rate_bp, plan.reserve_rate_bp
        elif printed is not None:
            seed = say_cents((printed.seed or 0) * base_cents // 100)
            rate, reserve = printed.rate or 0, printed.reserve_rate or 0
        else:
            lines.append(f"meter {name}: seed and rates are the operator's")
            continue
        main_text = f"{format_rate(rate)} of each bet" if rate else "does not grow with the bets"
        reserve_text = f"{format_rate(reserve)} of each bet" if reserve else "none"
        lines.append(f"meter {name}: seed {seed}, main contribution {main_text}, reserve contribution {reserve_text}")
    return lines


def print_procedure(book: Rulebook) -> None:
    """Print the steps under their headings, with consecutive numbers."""
    put(Text(f"{book.title}: dealer's procedure", style="bold"))
    part = ""
    for number, step in enumerate(book.procedure, 1):
        if step.part != part:
            part = step.part
            _heading(part.capitalize())
        _item(f"{number:>3}.", f"{step.text} [{', '.join(step.clauses)}]" if step.clauses else step.text)
