"""House edge against a player who sees other hands or a dealer card."""

from msgspec import Struct

from highcardflush.odds.seen import CountRule, SeenOdds, Sight
from highcardflush.pages.document import Block, Grid, Paragraph, Picture, columns
from highcardflush.pages.plots import Axis, Label, Plot, Series
from highcardflush.pages.study import Effort, Study, Tell, progress
from highcardflush.pages.words import plural, say_percent
from highcardflush.rulebook import MAX_SEATS, packaged

BOOK, EXPOSING = "washington", "atlantic-city"
RULES = {
    "five thresholds": "3:always 4:J-high 5:K-high 6:5-4-3-2 7:never",
    "two thresholds": "3:always 4:Q-high",
}
"""Rules whose threshold depends on the largest number of unseen cards of one suit."""


class SeenRow(Struct, frozen=True):
    """Odds for a player who sees some other hands: their cards, their suits only, or their cards and a dealer card."""

    hands: int
    cards: SeenOdds
    suits: SeenOdds
    dealer: SeenOdds


def blocks(effort: Effort, tell: Tell) -> list[Block]:
    from highcardflush.simulate.seen import find_rule, seen_odds  # Numba is slow to load

    def sample(words: str, sight: Sight, rule: CountRule | None = None, name: str = BOOK) -> SeenOdds:
        report = progress(tell, f"seen cards: {words}")
        odds = seen_odds(packaged(name), sight, effort.deals, effort.seed, effort.threads, rule, report)
        if odds.interrupted:
            raise KeyboardInterrupt
        return odds

    seen = [
        SeenRow(
            hands,
            sample(f"{hands} hands", Sight(hands)),
            sample(f"suits of {hands} hands", Sight(hands, suits_only=True)),
            sample(f"{hands} hands and a dealer card", Sight(hands, 1)),
        )
        for hands in range(MAX_SEATS)
    ]
    most = MAX_SEATS - 1
    report = progress(tell, "seen cards: the best rule by a count")
    best = find_rule(packaged(BOOK), most, effort.deals, effort.seed + 1, effort.threads, report)
    rules = {"found": best} | {name: CountRule.parse(text) for name, text in RULES.items()}
    ruled = {name: sample(f"a rule, {name}", Sight(most, suits_only=True), rule) for name, rule in rules.items()}
    return _blocks(seen, ruled, sample("exposed cards", Sight(most, exposed_only=True), name=EXPOSING))


def _blocks(seen: list[SeenRow], ruled: dict[str, SeenOdds], exposed: SeenOdds) -> list[Block]:
    sampled = next(row.cards for row in seen if row.cards.sampled)
    heads = columns(
        ("text", "Other hands seen"), ("units", "Their cards", "Their suits only", "Their cards and a dealer's card")
    )
    rows = tuple((str(row.hands), *map(say_edge, (row.cards, row.suits, row.dealer))) for row in seen)
    last = seen[-1]
    return [
        Paragraph(
            "How much is it worth to see other players' hands, or a dealer's card, and to use this information "
            "optimally? House edge as a percentage of the Ante, with its standard error. If it is negative, the player "
            "has the edge."
        ),
        Grid("House edge against a player who sees more cards, % of the Ante", heads, rows),
        Picture(
            _plot(seen),
            "House edge by the number of other hands seen.",
            f"Three falling lines, from {say_percent(seen[0].cards.edge)} with nothing seen to "
            f"{say_percent(last.cards.edge)}, {say_percent(last.suits.edge)} and {say_percent(last.dealer.edge)} with "
            "five hands.",
        ),
        Paragraph(
            "A rule that a person can remember: find the largest number of unseen cards of one suit, and raise with "
            "the flush that the rule lists for this count or with a better flush. For each count, the rule lists the "
            f"threshold, by length and highest rank, that did best in a sample of {sampled.deals:,} other deals. The "
            "table shows the house edge against each rule in the deals of this study."
        ),
        Grid(
            "Counting rules, five hands seen",
            columns(("text", "Rule", "Count and threshold"), ("units", "House edge, % of the Ante")),
            tuple((name, str(odds.rule), say_edge(odds)) for name, odds in ruled.items()),
        ),
        Paragraph(
            "A table rule also gives away information: in atlantic-city straight flushes outside the kept flush must, "
            "and in meadows should, be laid face up before the next player decides. If all the others have a Straight "
            f"Flush bet, this is worth {_with_error(exposed.gain, exposed)} of the Ante to the last of six players, "
            f"and it changes {say_percent(exposed.changed)} of the decisions."
        ),
        Paragraph(
            f"Method: {sampled.deals:,} deals for each figure, seed {sampled.seed}. Deals are drawn at random. For "
            "each deal, the best decision and its value over all possible dealer hands are computed exactly. Only the "
            "gain over the decision with nothing seen is sampled. The hand's own value, whose mean is known, serves as "
            "a control variate and further reduces the error. ± is one standard error.",
            note=True,
        ),
    ]


def say_edge(odds: SeenOdds) -> str:
    """Return an edge with its standard error, such as `2.5845 % ± 0.0006 %`, or an exact edge without one."""
    return _with_error(odds.edge, odds) if odds.sampled else f"{say_percent(odds.edge, 4)}, exact"


def _with_error(value: float, odds: SeenOdds) -> str:
    error = "an unknown error" if odds.known_error is None else say_percent(odds.known_error, 4)
    return f"{say_percent(value, 4)} ± {error}"


def _plot(seen: list[SeenRow]) -> Plot:
    lines = {
        "their cards": [row.cards for row in seen],
        "suits only": [row.suits for row in seen],
        "and a dealer's card": [row.dealer for row in seen],
    }
    series = []
    for name, odds in lines.items():
        points = tuple((float(each.sight.hands), round(100 * each.edge, 6)) for each in odds)
        series.append(Series(points, (Label(*points[-1], name),)))
    x = Axis("Other hands seen", tuple(float(row.hands) for row in seen), (0, 6.7))
    return Plot(x, Axis("House edge, % of the Ante", 7), tuple(series), has_zero_line=True)


def page(odds: SeenOdds) -> list[Block]:
    method = f"{odds.deals:,} deals, seed {odds.seed}" if odds.sampled else "exact"
    sight = odds.sight
    part = "the suits of " if sight.suits_only else "the exposed cards of " if sight.exposed_only else ""
    hands = [part + plural(sight.hands, "other hand")] if sight.hands else []
    seen = " and ".join(hands + ["a dealer card"] * sight.dealer_cards) or "only their own hand"
    play = f"play by the rule {odds.rule}" if odds.rule else "optimal play"
    error = ("not known" if odds.known_error is None else odds.known_error) if odds.sampled else 0
    items = (
        ("house edge", odds.edge, error),
        ("value of the cards seen", odds.gain, error),
        ("decisions changed", odds.changed, None),
        ("hands folded", odds.fold_frequency, None),
    )
    notes = []
    if odds.known_error is None:
        notes.append("No decision changed in any of these deals. Sample more deals to estimate the standard error.")
    if not odds.sampled:
        notes.append(f"The house edge is exactly {odds.unseen.numerator} / {odds.unseen.denominator}.")
    return [
        Paragraph(f"{odds.rulebook}, {play} by a player who sees {seen}: {method}. Unit: one Ante."),
        Grid("", columns(("text", "figure"), ("percent", "value", "standard error")), items),
        *map(Paragraph, notes),
    ]


STUDY = Study("Seen cards", 10, blocks)
