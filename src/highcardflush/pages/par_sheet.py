"""A PAR sheet as a document: its pages in their order, and those on the table as a whole and on the method."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from typing import TYPE_CHECKING

from msgspec.structs import astuple, replace

from highcardflush.figures.main_game import MainGame
from highcardflush.figures.sheet import GENERATOR, ParSheet, Rules
from highcardflush.figures.spread import Z_90
from highcardflush.figures.totals import MAIN, Liability, Mix
from highcardflush.money import say_cents
from highcardflush.odds import NAMED
from highcardflush.odds.counting import DEALER_HANDS, DEALS, HANDS
from highcardflush.pages import document
from highcardflush.pages.document import Block, Bullets, Document, Figure, Figures, Grid, Heading, Paragraph, columns
from highcardflush.pages.main_game import game_blocks, strategy_appendix
from highcardflush.pages.side_bets import side_bet_blocks
from highcardflush.pages.words import EXPOSE, SHOWDOWNS, plural
from highcardflush.rulebook import PROGRESSIVE, SIDE_BETS, Rulebook, quoted
from highcardflush.rulebook.wagers import ANTE
from highcardflush.words import say_amounts, say_raises, say_result, say_rulebook, say_source, say_title

if TYPE_CHECKING:  # numpy and numba take their time to load
    from highcardflush.simulate import Simulation, WagerResult

NOT_STATED = "not stated"
COUNTED = (
    f"Main game: each of the player's {HANDS:,} hands is weighed against each of the {DEALER_HANDS:,} hands that the "
    f"dealer can then hold, {DEALS:,} deals in all. Hands that are alike but for their suits are counted together. The "
    "best play takes for every hand the decision with the greater expectation.",
    f"Side bets: each of the player's {HANDS:,} hands is put in the highest line that it reaches.",
    "Counts are whole numbers, everything made from them is a fraction of whole numbers: no figure is computed from a "
    "rounded one. Where a value is a fraction, the column Exact has it in lowest terms.",
    "Square roots, bands and session results are computed in floating point of 53 bits. A session is the exact "
    "distribution of one round convolved with itself by a fast Fourier transform, good to nine decimals.",
)
ROUNDED = (
    "A printed number is rounded to the nearest one with the digits shown: percentages to six decimals, bands and "
    "shares to four; probabilities to ten, below 10⁻⁷ to five significant digits; chances as 1 in so many to two; "
    "amounts of money to the cent. So a column may differ from its printed total in the last digit."
)
TERMS = (
    "House edge: what the house keeps on average, as a part of the Ante (main game) or of the bet (side bets).",
    "Element of risk: the same as a part of all money bet, Ante and Raise together.",
    f"Standard deviation: of the net result of one round, in Antes or in bets. Volatility index: {Z_90} times it.",
    "Return of a side bet: what comes back, the stake included where the bet pays to 1. House edge and return add up "
    "to 100 %.",
    "Combinations of the main game: seven cards for the player, then seven of the other 45 for the dealer, "
    f"{HANDS:,} x {DEALER_HANDS:,} deals. Combinations of a side bet: the player's {HANDS:,} hands.",
    "Bands: the house's hold over so many rounds lies in the band nine times in ten (90 %) or nineteen in twenty "
    "(95 %), and as often above it as below. The ends are quantiles of the exact distribution of so many independent "
    "rounds (by Fourier transform), so a rare large pay can leave the expected hold outside a band.",
)
LONG_RUN = (
    "Long run of a progressive: every meter at its mean amount at a 100 % win; a percentage win meets that amount on "
    "average, so the return is then exactly that of the long run. Bands count a percentage win at this amount.",
    "Advance: where a reserve pays for new seeds, what the house has put in because the reserve did not yet hold it; "
    "the mean is that right after a reseed, over all reseeds, with contributions as a steady stream.",
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
            *(_simulation_blocks(sheet.rulebook, sheet.simulation, sheet.best_play) if sheet.simulation else ()),
            Heading("Method and terms"),
            Heading("Method", 2),
            Bullets(method(sheet.simulation)),
            Heading("Terms", 2),
            Bullets((*TERMS, *(LONG_RUN if grows(sheet.rulebook) else ()))),
            *strategy_appendix(sheet.main_game),
        ),
    )


def say_mark(sheet: ParSheet) -> str:
    book, revision = sheet.rulebook, f", revision {sheet.revision}" if sheet.revision else ""
    return f"{say_rulebook(book)} version {book.version}, table hash {book.table_hash[:16]}{revision}"


def _facts(sheet: ParSheet) -> tuple[tuple[str, str], ...]:
    """Return the title block. Rulebook and table hash differ once a table has its own offers or settings."""
    book, software = sheet.rulebook, sheet.software
    offers = "; ".join(
        f"{say_title(offer.wager, bonus=book.bonus_jackpot)}: {book.paytables[offer.paytable].full_id}"
        + (f", base bet {say_cents(int(offer.base))}" if SIDE_BETS[offer.wager].jackpot else "")
        for offer in book.offers
    )
    rows = (
        ("Rulebook", f"{say_rulebook(book)}, version {book.version}"),
        ("Source", say_source(book)),
        ("Authority", book.authority),
        ("Rulebook hash", book.sha256),
        ("Table hash", book.table_hash if book.table_hash != book.sha256 else "as the rulebook's"),
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
    blocks: list[Block] = [Heading("Summary"), Grid("Every wager of the table", heads, tuple(rows))]
    blocks.append(
        Paragraph("All figures are exact counts over every deal, not estimates; simulated values are named as such.")
    )
    if not sheet.side_bets:
        text = "No side bet is offered at this table, so this sheet has none. An operator says which, and with which "
        blocks.append(Paragraph(text + "pay table."))
    if sheet.rulebook.progressive_only:
        text = "At this table only the jackpot is run by software: the main game's figures are those of the rulebook, "
        blocks.append(Paragraph(text + "dealt by hand."))
    if sheet.rules.warnings:
        blocks += [Paragraph("Warnings:"), Bullets(sheet.rules.warnings)]
    return blocks


def _rules(rulebook: Rulebook, rules: Rules) -> list[Block]:
    limits = tuple(
        (say_title(row.wager, bonus=rulebook.bonus_jackpot), say_amounts(row.amounts), "yes" if row.required else "no")
        for row in rules.limits
    )
    blocks: list[Block] = [
        Heading("Rules in force"),
        Bullets(rules.text),
        Heading("Raise and limits", 2),
        Paragraph(EXPOSE[rulebook.expose]),
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
        blocks.append(Grid("Settings that are not at their defaults (amounts in dollars)", heads, rows))
    if rules.notices:
        blocks += [Heading("Notices posted", 2), Bullets(rules.notices)]
    return blocks


def raise_grid(rulebook: Rulebook) -> Grid:
    rows = tuple((f"{cards} cards", amounts) for cards, amounts in say_raises(rulebook))
    return Grid("", columns(("text", "Flush", "Raise, in Antes")), rows)


def method(run: Simulation | None) -> tuple[str, ...]:
    if run is None:
        return *COUNTED, ROUNDED
    from highcardflush.simulate.chunks import CHUNK_ROUNDS

    simulated = (
        f"Simulation: random words come from {GENERATOR}, for every {CHUNK_ROUNDS:,} rounds a stream of its own that "
        f"begins where NumPy's SeedSequence sets it from the seed {run.seed} and the stream's number. A hand of seven "
        "is drawn without bias from the cards left in the deck, by one word of 64 bits (Brackett-Rozinsky and Lemire, "
        "Batched Ranged Random Integer Generation). The same seed gives the same totals."
    )
    return *COUNTED, ROUNDED, simulated


def frequency_blocks(game: MainGame) -> list[Block]:
    chances = {words.capitalize(): game.frequencies.get(result) for result, words in SHOWDOWNS.items()} | {
        "Ante paid: the player wins, or the dealer does not qualify": game.win_frequency,
        "Dealer qualifies, whatever the players hold": game.dealer_qualifies,
    }
    figures = (Figure(label, chance, "percent") for label, chance in chances.items() if chance is not None)
    heads = columns(("count", "Cards in the longest suit", "Hands"), ("chance", "Probability"))
    rows = tuple((cards, count, Fraction(count, HANDS)) for cards, count in game.flush_lengths.items())
    return [
        Heading("Frequencies", 2),
        Figures("Results of a hand, best play", tuple(figures)),
        Grid("Flush lengths, of the player or of the dealer", heads, rows, ("Total", HANDS, Fraction(1)), compact=True),
    ]


def mix_blocks(mix: Mix, *, bonus: bool) -> list[Block]:
    """Return all wagers of one hand together; nothing if there is only one."""
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
        "One unit on every wager of one hand, best play: Ante, side bets, and the Raise that follows. The wagers are "
        "settled on the same cards, so they vary together. Exact, from the joint distribution of flush, straight "
        "flush, decision and result; caps are not applied."
    )
    if PROGRESSIVE in mix.wagers:
        text += " The bonus jackpot is as displayed." if bonus else " The progressive is that of the long run."
    return [
        Heading("All wagers together"),
        Paragraph(text),
        Figures("The whole bet mix", figures),
        Grid(
            "Covariances, in squared units; variances on the diagonal",
            heads,
            tuple((name, *row) for name, row in zip(names, mix.covariances, strict=True)),
        ),
        Grid("Correlations", heads, tuple((name, *row) for name, row in zip(names, mix.correlations, strict=True))),
    ]


def liability_blocks(liability: Liability, *, bonus: bool) -> list[Block]:
    heads = columns(
        ("text", "Wager"), ("one in", "One hand, in bets", "Round, in bets"), ("text", "Largest bet", "Round at most")
    )

    def say(cents: int | None, otherwise: str) -> str:
        return otherwise if cents is None else say_cents(cents)

    rows = []
    for row in liability.rows:
        wager = say_title(MAIN if row.wager == ANTE.name else row.wager, bonus=bonus)
        limits = (say(row.largest_cents, "none posted"), say(row.round_cents, "no bound"))
        rows.append((wager, row.one_hand, row.round, *limits))
    bound = (
        "Neither posted maxima nor caps bound the round as a whole."
        if liability.total_cents is None
        else f"With the limits and caps in force a round costs at most {say_cents(liability.total_cents)}."
    )
    text = (
        f"The most that a round of {liability.seats} players can win from the house beyond the stakes (for a bet that "
        "pays for 1: the pay), before caps. At most four hands have seven cards of one suit. Percentages of a meter "
        f"are players' money and are not counted; Envy Pays and a bonus jackpot are the house's. {bound}"
    )
    return [Heading("Greatest liability of a round"), Paragraph(text), Grid("By wager", heads, tuple(rows))]


def grows(rulebook: Rulebook) -> bool:
    """Return whether the table has meters that the bets feed."""
    return rulebook.offer(PROGRESSIVE) is not None and not rulebook.bonus_jackpot


def page(book: Rulebook, run: Simulation) -> list[Block]:
    return [
        Paragraph(
            f"{run.rulebook}, {run.strategy}, {plural(run.seats, 'seat')}, seed {run.seed}: {run.rounds:,} rounds, "
            f"{run.hands:,} hands in {run.seconds:.2f} s, {run.hands_per_second / 1e6:.1f} million hands a second. "
            "Unit: one Ante in the main game, one bet on a side bet."
        ),
        _means("", run.wagers, bonus=book.bonus_jackpot),
        _counts(book, run),
    ]


def _simulation_blocks(rulebook: Rulebook, run: Simulation, best: Simulation | None) -> list[Block]:
    from highcardflush.simulate.simulation import ENOUGH

    text = (
        f"The same table played by a program that deals cards: {run.rounds:,} rounds with {run.seats} players, "
        f"{run.hands:,} hands, seed {run.seed}, strategy: {NAMED[run.strategy].title}. Values are mean net results in "
        "units of the wager. The exact values are those of the same strategy. Caps are not applied"
        f"{', and meters stand at their seeds' if grows(rulebook) else ''}. z is the distance in standard errors; "
        f"beyond 4 something is wrong. A result expected fewer than {ENOUGH} times has no z: so small a count is not "
        "near normal."
    )
    means = _means("Mean result of each wager", run.wagers, bonus=rulebook.bonus_jackpot)
    blocks: list[Block] = [Heading("Exact beside simulated"), Paragraph(text), means, _counts(rulebook, run)]
    if best:  # the main game alone, since side bets do not depend on how it is played
        main = {name: best.wagers[name] for name in ("main", "ante", "raise")}
        blocks.append(_means("The same rounds with the best play", main, bonus=False))
    return blocks


def _means(title: str, wagers: Mapping[str, WagerResult], *, bonus: bool) -> Grid:
    heads = columns(("text", "Wager"), ("signed", "Exact", "Simulated"), ("units", "Standard error"), ("z", "z"))
    rows = (
        (say_title(key, bonus=bonus), row.exact, row.mean, row.standard_error, row.z) for key, row in wagers.items()
    )
    return Grid(title, heads, tuple(rows))


def _counts(rulebook: Rulebook, run: Simulation) -> Grid:
    heads = columns(("text", "Wager", "Result"), ("one in", "Expected count"), ("count", "Simulated count"), ("z", "z"))
    rows: list[tuple[document.Value, ...]] = []
    for name, row in run.wagers.items():
        wager, table = say_title(name, bonus=rulebook.bonus_jackpot), rulebook.paytable(name)
        rows += (
            (wager, say_result(table, each.line), each.expected_count, each.observed, each.z) for each in row.lines
        )
    return Grid("How often each result came", heads, tuple(rows), grouped=True)
