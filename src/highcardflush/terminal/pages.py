"""Pages of the table: the rules as on a rack card, the pay tables, the history, and the summary at the end."""

from collections import Counter
from collections.abc import Iterable, Sequence

from rich.columns import Columns
from rich.console import RenderableType
from rich.padding import Padding
from rich.table import Table as Grid
from rich.text import Text

from highcardflush.cards import HAND_SIZE
from highcardflush.fairness import commitment
from highcardflush.game.posted import posted, texts
from highcardflush.money import say_cents, say_display
from highcardflush.rulebook import Offer, Rulebook
from highcardflush.rulebook.load import is_changed
from highcardflush.rulebook.model import quoted
from highcardflush.rulebook.settings import settings_table
from highcardflush.terminal.glyphs import cards_inline, say_net, wrapped
from highcardflush.terminal.screen import Screen
from highcardflush.terminal.table import Table
from highcardflush.words import pay_rows, say_raises, say_rulebook, say_wager

LAST_ROUNDS = 15
CARDS_WIDTH = 4 * HAND_SIZE
"""Width of a hand on one line, in columns, if every card is a ten."""
SEAL_DIGITS = 16
"""Number of hex digits of the seal that are shown before each round."""
SEAL = (
    f"Before you bet, the round's seed is drawn. You see the first {SEAL_DIGITS} digits of its SHA-256, the seal; the "
    "history (h) shows all 64. All cards come from the seed, so nothing can be changed after your bets without "
    "breaking the seal. When the round is over, the history shows the seed. Its SHA-256 must equal the seal."
)


def heading(text: str) -> Text:
    return Text(f" {text}", "bold green")


def grid(rows: Iterable[Sequence[RenderableType]], gap: int = 1, right: Sequence[int] = ()) -> Grid:
    """Return a table of rows with this gap between columns; the columns in `right` are right-aligned."""
    table = Grid.grid(padding=(0, gap))
    for row in rows:
        table.add_row(*row)
    for i in right:
        table.columns[i].justify = "right"
    return table


def _bullet(text: str) -> RenderableType:
    return Padding(grid([("-", Text(" ".join(text.split())))]), (0, 1))


def show_rules(screen: Screen, rulebook: Rulebook, pays: Sequence[RenderableType] = ()) -> None:
    """Show the rack card of a table. If it offers no side bets yet, show `pays` in place of its pay tables."""
    content = [pay_tables(rulebook, rulebook.offers)] if rulebook.offers else pays
    suffix = f": {say_rulebook(rulebook)}" if is_changed(rulebook) else ""
    screen.show(
        heading(f"{rulebook.title}, version {rulebook.version}{suffix}"),
        *map(_bullet, rulebook.rules_in_force),
        heading("Posted at this table"),
        *map(_bullet, texts(posted(rulebook))),
        *content,
        heading("The seal"),
        _bullet(SEAL),
    )


def raise_words(rulebook: Rulebook) -> str:
    """Return the Raise sizes: `1x the Ante with 2 to 4 cards, 1x or 2x with 5, 1x or 2x or 3x with 6 or 7`."""
    (first, size), *further_sizes = say_raises(rulebook)
    return ", ".join(
        [f"{size} the Ante with {first} cards", *(f"{size} with {cards}" for cards, size in further_sizes)]
    )


def say_caps(rulebook: Rulebook) -> list[str]:
    """Return the caps, such as `most paid to one player in a round, all wagers: $25,000`."""
    meanings = {row.key: row.description for row in settings_table()}
    caps = ((meanings[cap.key], cap.cents) for cap in rulebook.settings.caps_in_force)
    return [f"{meaning[0].lower()}{meaning[1:]}: {say_cents(cents)}" for meaning, cents in caps]


def pay_table_rows(rulebook: Rulebook, offer: Offer) -> list[dict[str, str]]:
    """Return the formatted lines of a pay table in play, best first."""
    envy, bonus = rulebook.settings.envy == "on", rulebook.jackpot_mode == "bonus"
    return pay_rows(rulebook.paytables[offer.paytable], int(offer.base), envy=envy, bonus=bonus)


def pay_tables(rulebook: Rulebook, offers: Sequence[Offer]) -> RenderableType:
    grids = []
    for offer in offers:
        table, rows = rulebook.paytables[offer.paytable], pay_table_rows(rulebook, offer)
        title = say_wager(rulebook, offer.wager).capitalize() + (f" ({table.id})" if table.id != offer.wager else "")
        grid = Grid(box=None, title=Text(title, "bold green"), title_justify="left", padding=(0, 1), header_style="dim")
        for head in rows[0]:
            grid.add_column(head, justify="right" if head in ("pays", "Envy Pay") else "left", overflow="fold")
        for row in rows:
            grid.add_row(*row.values())
        grids.append(grid)
    return Padding(Columns(grids, padding=(0, 3)), (0, 1))


def tables_beside(table: Table, width: int) -> list[Text]:
    """Return the pay tables in play, with the round's Dynamic Pays, for the space to the right of the table."""
    lines: list[Text] = []
    dynamic_pays = dict(table.in_play.dynamic or ()) if table.in_play else {}
    for offer in table.rulebook.offers:
        lines += [*([Text()] if lines else []), Text(table.say(offer.wager).capitalize(), "bold green")]
        names = (line.name for line in table.rulebook.paytables[offer.paytable].lines)
        for name, row in zip(names, pay_table_rows(table.rulebook, offer), strict=True):
            hand, pays = row.pop("hand"), row.pop("pays")
            beside = len(hand) + 2 + len(pays) <= width
            line = Text(pays.rjust(width), "bold")
            lines += [Text(hand) + line[len(hand) :]] if beside else [Text(hand), line]
            if offer.wager == "progressive" and name in dynamic_pays:
                row.pop("Dynamic Pays")
                lines.append(Text(f"  this round {say_cents(dynamic_pays[name] * int(offer.base))}", "bold magenta"))
            words = [f"  {head} {cell}" for head, cell in row.items() if cell]
            lines += [line for each in words for line in wrapped(Text(each, "dim"), width)]
    lines += [line for each in table.say_meters() for line in wrapped(Text(each), width)]
    lines += [part for text in say_all_posted(table.rulebook) for part in wrapped(Text(text, "dim"), width)]
    return lines


def say_all_posted(rulebook: Rulebook) -> list[str]:
    """Return the short form of every line that is posted at the table."""
    return [line.short for line in posted(rulebook)]


def show_history(table: Table) -> None:
    screen, width = table.screen, table.screen.width - 1
    seal = Text(f"Seal of round {table.number}, shown before the cards: {commitment(table.seed)}", "dim")
    if not table.past:
        lines = [Text("No round has been played yet."), *wrapped(seal, width)]
        screen.show(*(Text(" ") + line for line in lines))
        return
    heads = f"{'round':<6}{'decision':<14}{'net':>10}  {'bankroll':>10}   "
    beside = width >= len(heads) + CARDS_WIDTH
    lines = wrapped(Text(heads + "cards" * beside, "dim"), width)
    for past in table.past[-LAST_ROUNDS:]:
        cents = past.decision.raise_cents
        line = Text(f"{past.number:<6}{f'raised {say_cents(cents)}' if cents else 'folded':<14}")
        line.append_text(say_net(past.net_cents, 10))
        line.append(f"  {say_cents(past.bankroll_cents):>10}   ", "dim")
        cards = cards_inline(past.spot.hand, screen.glyphs)
        rows = [line + cards] if beside else [line, Text(" " * 6) + cards]
        lines += [part for row in rows for part in wrapped(row, width, 6)]
    last = table.past[-1]
    seed = f"Seed of round {last.number} (32 bytes in hex), whose SHA-256 is the seal of that round: {last.seed.hex()}"
    lines += [*wrapped(Text(seed, "dim"), width), *wrapped(seal, width)]
    screen.show(*(Text(" ") + line for line in lines))


def show_summary(table: Table) -> None:
    nets: Counter[str] = Counter()
    for past in table.past:
        nets.update(past.nets)
    best = max((past.net_cents for past in table.past), default=0)
    shows = "display" if table.rulebook.bonus_jackpot else "meter"
    rows: list[tuple[str, RenderableType]] = [
        ("rounds", str(len(table.past))),
        *((f"on {table.say(wager)}", say_net(cents)) for wager, cents in nets.items()),
        ("best round", say_net(best).plain if best > 0 else "none won"),
        ("net", say_net(sum(nets.values()))),
        *([("bought in again", say_cents(table.bought_cents))] if table.bought_cents else []),
        *((f"{table.say(name)} {shows}", say_display(meter.amount_micros)) for name, meter in table.meters.items()),
        ("bankroll", Text(say_cents(table.bankroll_cents), "bold")),
    ]
    table.screen.panel(grid(rows, 3, right=[1]), "Thank you for playing")
    if notice := table.rulebook.bonus_notice:
        table.screen.line(quoted(notice), "dim")
    if table.recorder is not None and table.past:
        words = "Use hcf replay to replay the rounds, and hcf verify to verify their cards."
        table.screen.line(f"Recorded in {table.recorder.path}. {words}", "dim")
