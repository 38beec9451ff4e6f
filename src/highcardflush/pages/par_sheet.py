"""Assembles a PAR sheet and writes its sections on the table as a whole and on the method."""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING

from msgspec.structs import astuple, replace

from highcardflush.figures.main_game import MainGame
from highcardflush.figures.sheet import GENERATOR, ParSheet, Rules
from highcardflush.figures.spread import Z_90
from highcardflush.figures.totals import MAIN, Liability, Mix
from highcardflush.money import say_cents
from highcardflush.odds.counting import DEALER_HANDS, DEALS, HANDS
from highcardflush.pages.document import Block, Bullets, Document, Figure, Figures, Grid, Heading, Paragraph, columns
from highcardflush.pages.main_game import game_blocks, strategy_appendix
from highcardflush.pages.side_bets import side_bet_blocks
from highcardflush.pages.simulation import simulation_blocks
from highcardflush.pages.words import ENDS_BET, EXPOSE, SHOWDOWNS
from highcardflush.rulebook import PROGRESSIVE, SIDE_BETS, Rulebook, quoted
from highcardflush.rulebook.wagers import ANTE
from highcardflush.words import say_amounts, say_raises, say_source, say_title, say_version

if TYPE_CHECKING:  # NumPy and Numba are slow to load
    from highcardflush.simulate import Simulation

NOT_STATED = "not stated"
COUNTED = (
    f"Main game: each of the player's {HANDS:,} hands is evaluated against each of the {DEALER_HANDS:,} hands that the "
    f"dealer can then hold, {DEALS:,} deals in total. Hands that differ only in their suits are counted together. For "
    "every hand, the best play is the decision with the greatest expectation.",
    f"Side bets: each of the player's {HANDS:,} hands is counted in the highest pay-table line that it reaches.",
    "Counts are integers, and figures derived from them are exact fractions: no figure is computed from a rounded one. "
    "If a value is a fraction, the column Exact shows it in lowest terms.",
    "Square roots, bands and session results are computed in double-precision floating point. The distribution of a "
    "session is the exact distribution of one round, convolved with itself by a fast Fourier transform, accurate to "
    "nine decimals.",
)
ROUNDED = (
    "Printed numbers are rounded to the nearest value: percentages to six decimals; bands and shares to four; "
    "probabilities to ten, or to five significant digits below 10⁻⁷; odds of 1 in N to two; amounts of money to the "
    "cent. The sum of a column may therefore differ from its printed total in the last digit."
)
TERMS = (
    "House edge: the house's average win, as a percentage of the Ante (main game) or of the bet (side bets).",
    "Element of risk: the house's average win, as a percentage of all money bet (Ante and Raise).",
    "Standard deviation: the standard deviation of the net result of one round, in Antes or in bets. Volatility index: "
    f"{Z_90} standard deviations.",
    "Return of a side bet: the average amount paid back, including the stake if the bet pays to 1. House edge and "
    "return add up to 100 %.",
    "Combinations of the main game: seven cards for the player, then seven of the other 45 for the dealer, "
    f"{HANDS:,} x {DEALER_HANDS:,} deals. Combinations of a side bet: the player's {HANDS:,} hands.",
    "Bands: over the given number of rounds, the house hold is within the band with a probability of 90 % or 95 %, and "
    "equally likely above or below it. The limits are quantiles of the exact distribution of that many independent "
    "rounds (by Fourier transform), so a rare large pay can leave the expected hold outside a band.",
)
LONG_RUN = (
    "Long run of a progressive: every meter is at its mean amount at a 100 % win. Percentage wins also occur at this "
    "amount on average, so the return is exactly the long-run return. Bands count a percentage win at this amount.",
    "Advance: if a reserve pays for new seeds, the amount that the house has paid because the reserve was too small. "
    "The mean advance is measured directly after a reseed, with contributions treated as a steady stream.",
)


def par_document(sheet: ParSheet) -> Document:
    return Document(
        kind="sheet",
        kicker="PAR sheet",
        title=sheet.rulebook.title,
        facts=_facts(sheet),
        mark=say_mark(sheet),
        date=sheet.date,
        blocks=(
            *_summary(sheet),
            *_rules(sheet.rulebook, sheet.rules),
            *game_blocks(sheet.main_game),
            *frequency_blocks(sheet.main_game),
            *(block for i, bet in enumerate(sheet.side_bets) for block in side_bet_blocks(bet, page=i == 0)),
            *mix_blocks(sheet.mix, bonus=sheet.rulebook.bonus_jackpot),
            *liability_blocks(sheet.liability, bonus=sheet.rulebook.bonus_jackpot),
            *(simulation_blocks(sheet.rulebook, sheet.simulation, sheet.best_play) if sheet.simulation else ()),
            Heading("Method and terms"),
            Heading("Method", 2),
            Bullets(method(sheet.simulation)),
            Heading("Terms", 2),
            Bullets((*TERMS, *(LONG_RUN if sheet.rulebook.has_growing_meters else ()))),
            *strategy_appendix(sheet.main_game),
        ),
    )


def say_mark(sheet: ParSheet) -> str:
    book, revision = sheet.rulebook, f", revision {sheet.revision}" if sheet.revision else ""
    return f"{say_version(book)}, table hash {book.table_hash[:16]}{revision}"


def _facts(sheet: ParSheet) -> tuple[tuple[str, str], ...]:
    """Return the title block. Its two hashes differ if the table has its own offers or settings."""
    book, software = sheet.rulebook, sheet.software
    offers = "; ".join(
        f"{say_title(offer.wager, bonus=book.bonus_jackpot)}: {book.paytables[offer.paytable].full_id}"
        + (f", base bet {say_cents(int(offer.base))}" if SIDE_BETS[offer.wager].jackpot else "")
        for offer in book.offers
    )
    rows = (
        ("Rulebook", say_version(book)),
        ("Source", say_source(book)),
        ("Authority", book.authority),
        ("Rulebook hash", book.sha256),
        ("Table hash", book.table_hash if book.table_hash != book.sha256 else "same as the rulebook hash"),
        ("Side bets", offers or "none offered"),
        ("Notice", quoted(book.bonus_notice) if book.bonus_notice else ""),
        ("Computed by", f"{software.name} {software.version}, Python {software.python}"),
        ("Build hash", software.build),
        ("Date", sheet.date),
        ("Prepared by", sheet.prepared_by or NOT_STATED),
        ("Revision", sheet.revision or NOT_STATED),
    )
    return tuple((label, text) for label, text in rows if text)


def _summary(sheet: ParSheet) -> list[Block]:
    game = sheet.main_game
    hold = game.hold
    figures = (hold.house_edge, game.win_frequency, hold.standard_deviation, hold.volatility_index_90)
    rows = [("Ante and Raise, best play", "Ante", *figures)]
    for bet in sheet.side_bets:
        name = say_title(bet.wager, bonus=bet.bonus)
        for when, odds in bet.named_odds.items():
            deviation = odds.standard_deviation
            rows.append((name + when, "bet", odds.house_edge, odds.hit_frequency, deviation, Z_90 * deviation))
    heads = columns(("text", "Wager", "Unit"), ("percent", "House edge", "Wins"), ("units", "Std. dev.", "Vol. index"))
    blocks: list[Block] = [Heading("Summary"), Grid("All wagers of the table", heads, tuple(rows))]
    blocks.append(Paragraph("All figures are exact, computed over every deal. Simulated values are labelled as such."))
    if not sheet.side_bets:
        text = "No side bet is offered at this table, so this sheet has none. The operator chooses the side bets and "
        blocks.append(Paragraph(text + "their pay tables."))
    if sheet.rulebook.progressive_only:
        text = "At this table, software runs only the jackpot. The main game is dealt by hand; its figures are those "
        blocks.append(Paragraph(text + "of the rulebook."))
    if sheet.rules.warnings:
        blocks += [Paragraph("Warnings:"), Bullets(tuple(map(say_warning, sheet.rules.warnings)))]
    return blocks


def say_warning(warning: str) -> str:
    """Return a warning with its keys in words: `settings.hits: …` becomes `Setting hits: …`."""
    keys, _, text = warning.partition(": ")
    names = [key.removeprefix("settings.").removeprefix("paytables.") for key in keys.split(", ")]
    kind = "Pay table" if keys.startswith("paytables.") else "Setting" if len(names) == 1 else "Settings"
    return f"{kind} {', '.join(names)}: {text}"


def _rules(rulebook: Rulebook, rules: Rules) -> list[Block]:
    limits = tuple(
        (say_title(row.wager, bonus=rulebook.bonus_jackpot), say_amounts(row.amounts), "yes" if row.required else "no")
        for row in rules.limits
    )
    blocks: list[Block] = [
        Heading("Rules in force"),
        Bullets(rules.text),
        Heading("Raise and limits", 2),
        Paragraph(" ".join([EXPOSE[rulebook.expose], *([ENDS_BET] if rulebook.exposing_ends_bet else [])])),
        replace(raise_grid(rulebook), title="The Raise, by the flush that plays", compact=True),
        Grid("Wagers", columns(("text", "Wager", "Amounts", "Required")), limits, compact=True),
    ]
    if rules.caps:
        rows = tuple((cap.meaning, say_cents(cap.cap_cents), cap.key, cap.set_by) for cap in rules.caps)
        heads = columns(("text", "Cap", "At most", "Setting", "Set by"))
        blocks.append(Grid("Maximum payouts", heads, rows, compact=True))
    caps = {cap.key for cap in rules.caps}
    if rows := tuple(astuple(row) for row in rules.settings if row.key not in caps):
        heads = columns(("ranks", "Setting"), ("text", "Value", "Default", "Set by", "Meaning"))
        blocks.append(Grid("Settings that differ from their defaults (amounts in dollars)", heads, rows))
    if rules.notices:
        blocks += [Heading("Posted at the table", 2), Bullets(rules.notices)]
    return blocks


def raise_grid(rulebook: Rulebook) -> Grid:
    rows = tuple((f"{cards} cards", amounts) for cards, amounts in say_raises(rulebook))
    return Grid("", columns(("text", "Flush", "Raise, in Antes")), rows)


def method(run: Simulation | None) -> tuple[str, ...]:
    if run is None:
        return *COUNTED, ROUNDED
    from highcardflush.simulate.chunks import CHUNK_ROUNDS

    simulated = (
        f"Simulation: random words come from {GENERATOR}. Every {CHUNK_ROUNDS:,} rounds have their own stream, which "
        f"NumPy's SeedSequence initialises from the seed {run.seed} and the stream's number. A seven-card hand is "
        "drawn without bias from the cards left in the deck, with one 64-bit word (Brackett-Rozinsky and Lemire, "
        "Batched Ranged Random Integer Generation). The same seed gives the same totals."
    )
    return *COUNTED, ROUNDED, simulated


def frequency_blocks(game: MainGame) -> list[Block]:
    chances = {words.capitalize(): game.frequencies.get(result) for result, words in SHOWDOWNS.items()} | {
        "Ante paid: the player wins, or the dealer does not qualify": game.win_frequency,
        "Dealer qualifies, over all deals": game.dealer_qualifies,
    }
    figures = (Figure(label, chance, "percent") for label, chance in chances.items() if chance is not None)
    heads = columns(("count", "Cards in the longest suit", "Hands"), ("chance", "Probability"))
    rows = tuple((cards, count, Fraction(count, HANDS)) for cards, count in game.flush_lengths.items())
    return [
        Heading("Frequencies", 2),
        Figures("Results of a hand, best play", tuple(figures)),
        Grid("Flush lengths (player or dealer)", heads, rows, ("Total", HANDS, Fraction(1)), compact=True),
    ]


def mix_blocks(mix: Mix, *, bonus: bool) -> list[Block]:
    """Return the blocks for all wagers of a hand combined, or an empty list if there is only one wager."""
    if len(mix.wagers) < 2:
        return []
    names = [say_title(wager, bonus=bonus) for wager in mix.wagers]
    heads = columns(("text", "Wager"), ("units", *names))
    figures = (
        Figure("Player's expectation, in units", mix.expected, "signed"),
        Figure("Variance, in squared units", mix.variance, "units"),
        Figure("Standard deviation, in units", mix.standard_deviation, "units"),
    )
    text = (
        "One unit is bet on every wager of a hand with the best play: Ante, side bets, and the Raise that follows. The "
        "wagers are settled on the same cards, so their results are correlated. The figures are exact, from the joint "
        "distribution of flush, straight flush, decision and result. Caps are not applied."
    )
    if PROGRESSIVE in mix.wagers:
        text += " The bonus jackpot is valued as displayed." if bonus else " The progressive has its long-run return."
    return [
        Heading("All wagers together"),
        Paragraph(text),
        Figures("All wagers", figures),
        Grid(
            "Covariances, in squared units (variances on the diagonal)",
            heads,
            tuple((name, *row) for name, row in zip(names, mix.covariances, strict=True)),
        ),
        Grid("Correlations", heads, tuple((name, *row) for name, row in zip(names, mix.correlations, strict=True))),
    ]


def liability_blocks(liability: Liability, *, bonus: bool) -> list[Block]:
    heads = columns(
        ("text", "Wager"),
        ("one in", "One hand, in bets", "Round, in bets"),
        ("text", "Largest bet", "Maximum per round"),
    )

    def say(cents: int | None, otherwise: str) -> str:
        return otherwise if cents is None else say_cents(cents)

    rows = []
    for row in liability.rows:
        wager = say_title(MAIN if row.wager == ANTE.name else row.wager, bonus=bonus)
        limits = (say(row.largest_cents, "none posted"), say(row.round_cents, "no limit"))
        rows.append((wager, row.one_hand, row.round, *limits))
    bound = (
        "Posted maxima and caps do not limit the total for a round."
        if liability.total_cents is None
        else f"With the limits and caps in force, a round costs at most {say_cents(liability.total_cents)}."
    )
    text = (
        f"The maximum that {liability.seats} players can win from the house in one round, without the stakes (for a "
        "bet that pays for 1, the whole pay), before caps. At most four hands can have seven cards of one suit. "
        "Percentages that a meter pays are players' money and are not counted. Envy Pays and a bonus jackpot are the "
        "house's money and are counted. "
    )
    blocks: list[Block] = [Heading("Maximum liability per round")]
    if not liability.jackpots:
        return [*blocks, Paragraph(text + bound), Grid("By wager", heads, tuple(rows))]
    text += (
        "So is what the house pays or advances for new seeds and to winners beyond the first, with each meter at its "
        f"mean amount at a 100 % win and an empty reserve. {bound}"
    )
    house_heads = columns(("text", "Meter"), ("count", "Winners"), ("dollars", "Paid in total", "Paid by the house"))
    costs = tuple(
        (each.meter, each.winners, Fraction(each.paid_cents, 100), Fraction(each.house_cents, 100))
        for each in liability.jackpots
    )
    title = "100 % winners in the costliest round, in dollars"
    return [*blocks, Paragraph(text), Grid("By wager", heads, tuple(rows)), Grid(title, house_heads, costs)]
