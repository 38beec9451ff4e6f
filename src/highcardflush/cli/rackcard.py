"""A rulebook on the screen: the rack card, a pay table, the dealer's procedure."""

from __future__ import annotations

from rich.console import Console
from rich.padding import Padding
from rich.table import Table
from rich.text import Text

from highcardflush.cli.output import grid
from highcardflush.game.caps import PLAYER_CAPS, TABLE_CAPS
from highcardflush.game.wagers import allowed_wagers, required_wagers
from highcardflush.jackpot import Plan, plans
from highcardflush.money import format_rate, say_cents, say_micros
from highcardflush.rulebook import Line, PayTable, Rulebook
from highcardflush.rulebook.settings import setting_text, settings_table


def print_rack_card(console: Console, book: Rulebook) -> None:
    """Rules, limits, pay tables, notices and settings."""
    console.print(Text(book.title, style="bold"))
    origin = ", ".join(
        part for part in (book.source.document, book.source.publisher, book.source.place, book.source.edition) if part
    )
    console.print(Text(f"{book.name}, version {book.version}, content hash {book.sha256[:12]}", style="dim"))
    console.print(Text(f"From: {origin}" + (f". Authority: {book.authority}" if book.authority else ""), style="dim"))
    _list(console, "Rules", book.rules)
    _raise_rule(console, book)
    _limits(console, book)
    _offers(console, book)
    _list(console, "Notices", (*book.notices, *((book.notice,) if book.jackpot_mode == "bonus" else ())))
    _list(console, "On record", book.record)
    _irregularities(console, book)
    _settings(console, book)


def _heading(console: Console, text: str) -> None:
    console.print()
    console.print(Text(text, style="bold"))


def _list(console: Console, title: str, lines: tuple[str, ...]) -> None:
    if lines:
        _heading(console, title)
    for line in lines:
        row = Table.grid(padding=(0, 1))
        row.add_row("-", Text(line))
        console.print(row)


def _raise_rule(console: Console, book: Rulebook) -> None:
    _heading(console, "Raise")
    low = setting_text(book.settings.raise_minimum)
    words = {"exact": "exactly {}", "multiples": "1x to {}, whole Antes", "between": f"{low} to {{}}, any amount"}
    table = grid("flush", "Raise (in Antes)")
    for cards, most in book.raise_.maximum.items():
        only = book.raise_.kind != "exact" and low == f"{most}x"
        table.add_row(f"{cards} cards", low if only else words[book.raise_.kind].format(f"{most}x"))
    console.print(Padding(table, (0, 2)))


def _limits(console: Console, book: Rulebook) -> None:
    _heading(console, "Limits (dollars)")
    table = grid("wager", "amounts", "")
    for wager, amounts in allowed_wagers(book).items():
        table.add_row(wager, str(amounts), "required" if wager in required_wagers(book) else "optional")
    for name in (*PLAYER_CAPS, *TABLE_CAPS):
        if (cap := getattr(book.settings, name)) is not None:
            table.add_row(name.replace("_", "-"), f"at most {cap}", "is paid")
    console.print(Padding(table, (0, 2)))


def _offers(console: Console, book: Rulebook) -> None:
    _heading(console, "Side bets offered")
    if not book.offers:
        console.print(Text("None until the operator says which. Pay tables to choose from:"))
        table = grid("wager", "pay tables")
        for wager in dict.fromkeys(table.wager for table in book.paytables.values()):
            ids = ", ".join(key for key, known in book.paytables.items() if known.wager == wager)
            table.add_row(wager, Text(ids))
        console.print(Padding(table, (0, 2)))
    for offer in book.offers:
        print_pay_table(console, book.paytables[offer.paytable], int(offer.base), plans(book))


def print_pay_table(
    console: Console, table: PayTable, base_cents: int = 100, in_force: dict[str, Plan] | None = None
) -> None:
    """One pay table with its meters, as printed or as in force at a table; dollars are those for the base bet."""
    base = f", base bet {say_cents(base_cents)}" if table.wager == "progressive" else ""
    console.print()
    console.print(Text(f"  {table.wager}: {table.full_id}, pays {table.pays}{base}"))
    kind = "flush" if table.wager == "flush" else "straight flush"
    columns = ["hand", "pays"]
    columns += ["Envy Pay"] if any(line.envy for line in table.lines) else []
    columns += ["Dynamic Pays"] if table.dynamic_lines else []
    rows = grid(*columns, right=("pays", "Envy Pay"))
    for line in table.lines:
        label = line.label or f"{line.cards}-card"
        cells = [f"{label} {kind}", _pay(table, line, base_cents)]
        cells += [say_cents(line.envy * base_cents) if line.envy else "-"] if "Envy Pay" in columns else []
        dynamic = " ".join(say_cents(pay * base_cents) for pay in line.dynamic)
        cells += [dynamic or "-"] if table.dynamic_lines else []
        rows.add_row(*cells)
    console.print(Padding(rows, (0, 4)))
    for words in _meters(table, base_cents, in_force):
        console.print(Padding(Text(words), (0, 4)))


def _meters(table: PayTable, base_cents: int, in_force: dict[str, Plan] | None) -> list[str]:
    """A line for each meter of the table."""
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
        fed = f"{format_rate(rate)} of each bet" if rate else "does not grow with the bets"
        kept = f"{format_rate(reserve)} of each bet" if reserve else "none"
        lines.append(f"meter {name}: seed {seed}, main contribution {fed}, reserve contribution {kept}")
    return lines


def _pay(table: PayTable, line: Line, base_cents: int) -> str:
    if isinstance(line.pay, str):
        return f"{line.pay} of the {line.meter} meter"
    return say_cents(line.pay * base_cents) if table.wager == "progressive" else f"{line.pay:,} {table.pays}"


def _irregularities(console: Console, book: Rulebook) -> None:
    _heading(console, "Reasons for a void")
    table = grid("code", "meaning")
    for code, meaning in book.irregularities.items():
        table.add_row(code, Text(meaning))
    table.add_row("other", "anything else, with a text")
    console.print(Padding(table, (0, 2)))


def _settings(console: Console, book: Rulebook) -> None:
    _heading(console, "Settings (amounts in dollars)")
    table = grid("key", "value", "range", "meaning")
    for row in settings_table():
        value = setting_text(getattr(book.settings, row.key.replace("-", "_")))
        table.add_row(row.key, value, row.range, Text(row.description))
    console.print(Padding(table, (0, 2)))


def print_procedure(console: Console, book: Rulebook) -> None:
    """The steps, numbered through, under their headings."""
    console.print(Text(f"{book.title}: dealer's procedure", style="bold"))
    part = ""
    for number, step in enumerate(book.procedure, 1):
        if step.part != part:
            part = step.part
            _heading(console, part.capitalize())
        row = Table.grid(padding=(0, 1))
        row.add_row(f"{number:>3}.", Text(f"{step.text} [{', '.join(step.clauses)}]" if step.clauses else step.text))
        console.print(row)
