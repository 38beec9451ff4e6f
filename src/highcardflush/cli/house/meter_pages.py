"""A meter on the screen: its fields, its hits, its reconciliation."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from highcardflush.cli.house.status import print_notices, why_closed
from highcardflush.cli.house.words import cash, columns, dollars, moment, parameter, parameters_of, signed
from highcardflush.cli.output import echo, grid, hanging, plural, put
from highcardflush.house.reports.meters import HitReport, MeterFields
from highcardflush.house.reports.reconcile import Reconciliation, Side
from highcardflush.money import format_rate
from highcardflush.rulebook.model import quoted


def print_fields(meter: MeterFields) -> None:
    parameters = meter.parameters
    kind = ", bonus jackpot" * parameters.bonus
    words = f"{parameters.paytable}{kind}, base bet {cash(parameters.base_cents)}, {why_closed(meter) or 'open'}"
    echo(hanging(f"meter {meter.meter}: ", words))
    put(grid("field", "value", rows=_fields(meter)))
    print_notices({meter.meter: meter.notice})
    if meter.last_hits:
        put(f"\nlast {plural(len(meter.last_hits), 'hit')}, newest first")
        print_hits(meter.last_hits[::-1])


def _fields(meter: MeterFields) -> Iterable[tuple[str, str]]:
    parameters = meter.parameters
    yield "display", dollars(meter.display_micros)
    if not parameters.bonus:
        yield "reserve", dollars(meter.reserve_micros) + " (the house's advance)" * (meter.reserve_micros < 0)
    if parameters.level != "progressive":
        yield "level", parameters.level
    for key, label in parameters_of(bonus=parameters.bonus).items():
        waits = f" ({parameter(key, meter.waiting[key])} with the next 100 % win)" if key in meter.waiting else ""
        yield label, parameter(key, getattr(parameters, key)) + waits
    if not parameters.bonus:
        yield "in, total", dollars(meter.in_micros)
        yield "in, since the last 100 % win", dollars(meter.in_since_win_micros)
        yield "in, to the reserve", dollars(meter.reserve_in_micros)
        later = f" ({dollars(meter.overflow_waiting_micros)} moved by the next count)"
        yield "overflow to the reserve", dollars(meter.overflow_micros) + later * bool(meter.overflow_waiting_micros)
        yield "advances of the house", dollars(meter.advances_micros)
    yield "hits", f"{meter.hits:,}"
    for label, tally in (
        ("100 % wins", meter.wins),
        ("percentage wins", meter.percentage_wins),
        ("pending", meter.pending),
        ("refused and returned", meter.returned),
    ):
        yield label, f"{tally.count:,}, {dollars(tally.micros)}"
    yield "last 100 % win", f"{moment(meter.last_win_at)} UTC" if meter.last_win_at is not None else "none yet"
    yield "linked tables", ", ".join(meter.tables) or "none"
    for correction in meter.corrections:
        display, reserve = signed((correction.amount_micros, correction.reserve_micros))
        change = f"display {display}, reserve {reserve}"
        yield f"correction {correction.number}", f"waits: {change}, by {correction.actor}: {correction.reason}"


def print_hits(hits: Sequence[HitReport], *, with_cut: bool = False) -> None:
    """Print each hit with the amounts before and after it, and its wins."""
    for hit in hits:
        saw, amount_after = columns((hit.before.amount_micros, hit.after.amount_micros))
        place = f"{hit.table} round {hit.round}"
        echo(hanging(f"event {hit.seq}  {moment(hit.at)}  ", f"{place}, saw {saw}, left {amount_after}"))
        for case in hit.wins:
            win, win_text = case.win, f"{case.win.account}, seat {case.win.seat}: {case.outcome}"
            echo(f"    win {win.win:<5}{format_rate(win.percent_bp):>5}  {dollars(win.micros):>14}  {win_text}")
        if with_cut:
            counted = ", ".join(f"{stream} to event {seq}" for stream, seq in sorted(hit.cut.items()))
            echo(hanging("    ", f"counted {counted}; reserve {dollars(hit.before.reserve_micros)}"))


# --- reconciliation ------------------------------------------------------------------------------


def print_reconciliation(sums: Reconciliation, *, moves: bool = False) -> None:
    for title, side in (("display", sums.display), ("reserve", sums.reserve), ("pending wins", sums.pending)):
        if side.items or side.shown_micros or title == "display":
            _print_side(title, side)
    if moves:
        _print_moves(sums)
    if sums.notice:
        echo(hanging("", quoted(sums.notice)))
    echo(_verdict(sums))


def _verdict(sums: Reconciliation) -> str:
    if sums.agrees:
        return f"meter {sums.meter} agrees, to the micro-dollar (event {sums.seq})"
    differences = [
        f"{side.account}: {dollars(side.sum_micros)} by its moves, {dollars(side.shown_micros)} shown"
        for side in sums.sides
        if not side.agrees
    ]
    return f"meter {sums.meter} does NOT agree: {'; '.join(differences)}"


def _print_side(title: str, side: Side) -> None:
    table = grid(f"{title} ({side.account})", ">moves", ">amount")
    amounts = [*(item.micros for item in side.items), side.sum_micros, side.shown_micros]
    for item, amount in zip(side.items, signed(amounts), strict=False):
        table.add_row(item.what, f"{item.count:,}", amount)
    table.add_section()
    *_, by_moves, by_display = columns(amounts)
    table.add_row("= by its moves", "", by_moves)
    table.add_row(f"{title} as shown", "", by_display)
    put(table, "")


def _print_moves(sums: Reconciliation) -> None:
    """Print every move of each account; contributions, one per round, are summed by table."""
    for side in sums.sides:
        moves = [move for move in sums.moves if move.account == side.account]
        amounts = signed(move.micros for move in moves)
        if moves:
            echo(f"moves of {side.account}")
        for move, amount in zip(moves, amounts, strict=True):
            head = f"{moment(move.at)}  {f'{move.stream} {move.seq}':<14}  {amount:>14}  "
            echo(hanging(head, f"{move.what}: {move.words}"))
        for item in sums.by_table if side is sums.display else ():
            head = f"{'':19}  {item.what:<14}  {signed([item.micros])[0]:>14}  "
            echo(f"{head}in: {plural(item.count, 'round')}")
        if moves:
            put()
