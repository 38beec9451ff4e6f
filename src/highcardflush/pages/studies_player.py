"""The studies of what a player can know, remember, do wrong and lose."""

from __future__ import annotations

from fractions import Fraction

from highcardflush.figures.studies import (
    CHARTED_RATE,
    CHASE_BET,
    RISK_ROUNDS,
    ErrorsStudy,
    Frontier,
    RiskStudy,
    SeenStudy,
)
from highcardflush.odds.fallible import SAID, Kind
from highcardflush.odds.risk import Risk
from highcardflush.odds.seen import SeenOdds
from highcardflush.pages.document import Block, Figure, Figures, Grid, Paragraph, Picture, Value, columns
from highcardflush.pages.main_game import session_grid
from highcardflush.pages.strategy_card import say_rule
from highcardflush.pages.words import say_percent

COUNTED = "Method: every one of the 6,071,092,494,667,200 deals is counted; no figure here has an error."


def say_error(odds: SeenOdds) -> str:
    """`2.5845 % ± 0.0006 %`, or an exact edge."""
    if not odds.sampled:
        return f"{say_percent(odds.edge, 4)}, exact"
    return f"{say_percent(odds.edge, 4)} ± {_say_known(odds)}"


def seen_blocks(study: SeenStudy) -> list[Block]:
    sampled = next(row.cards for row in study.rows if row.cards.sampled)
    heads = columns(
        ("text", "Other hands seen"), ("units", "Their cards", "Their suits only", "Their cards and one of the dealer")
    )
    rows = tuple((str(row.hands), *map(say_error, (row.cards, row.suits, row.dealer))) for row in study.rows)
    last = study.rows[-1]
    return [
        Paragraph(
            "What is it worth to see other players' hands, or a card of the dealer, and to decide best on all of it? "
            "House edge in percent of the Ante, with its standard error; below zero the player has the edge."
        ),
        Grid("House edge against one who sees more, % of the Ante", heads, rows),
        Picture(
            study,
            "House edge by the number of other hands seen.",
            f"Three falling lines, from {say_percent(study.rows[0].cards.edge)} with nothing seen to "
            f"{say_percent(last.cards.edge)}, {say_percent(last.suits.edge)} and {say_percent(last.dealer.edge)} with "
            "five hands.",
        ),
        Paragraph(
            "A rule that a person can keep: one count, the most cards of one suit that are not seen, and the flush "
            "from which on to raise at each count. The one found has for each count the threshold by cards and highest "
            f"rank that did best in a sample of {sampled.deals:,} other deals; the edge is that of these deals. With "
            "five hands seen:"
        ),
        Grid(
            "Counting rules, five hands seen",
            columns(("text", "Rule", "Count and threshold"), ("units", "House edge, % of the Ante")),
            tuple((name, str(odds.rule), say_error(odds)) for name, odds in study.rules.items()),
        ),
        Paragraph(
            "What a table rule gives away: in atlantic-city and meadows straight flushes outside the kept flush are "
            "laid face up before the next player decides. To the last of six, all others with a Straight Flush bet, "
            f"that is worth {_gain(study.exposed)} of the Ante, and it changes {say_percent(study.exposed.changed)} "
            "of the decisions."
        ),
        Paragraph(
            f"Method: {sampled.deals:,} deals for each figure, seed {sampled.seed}. Deals are drawn at random; the "
            "best decision of each and its value over all hands that the dealer can still hold are counted exactly. "
            "Only the gain over the decision with nothing seen is sampled, and the hand's own value, whose mean is "
            "known, takes away more of the error (a control variate). ± is one standard error.",
            note=True,
        ),
    ]


def _gain(odds: SeenOdds) -> str:
    return f"{say_percent(odds.gain, 4)} ± {_say_known(odds)}"


def _say_known(odds: SeenOdds) -> str:
    return "an unknown error" if odds.known_error is None else say_percent(odds.known_error, 4)


def rules_blocks(study: Frontier) -> list[Block]:
    heads = columns(
        ("count", "Size"), ("text", "Raise with three cards from"), ("percent", "House edge, of the Ante", "Cost")
    )
    rows = tuple((rule.size, say_rule(rule.strategy), rule.odds.house_edge, rule.cost) for rule in study.rules)
    best = next((rule for rule in study.rules if rule.strategy.name == "eleven"), study.rules[-1])
    return [
        Paragraph(
            "Which is the smallest rule that a person can remember and that comes closest to the best play? Looked "
            "at are all thresholds, all pairs of thresholds by one condition on the cards beside the flush, and "
            "thresholds by the number of high cards there. A rule is listed if none of its size or smaller costs "
            "less. Size: how many ranks and numbers it names. Every rule raises the most that is allowed, as the best "
            "play by these rules does."
        ),
        Grid("The best rules by size; four cards or more always raise, two fold", heads, rows),
        Picture(
            study,
            "Cost over the best play by the size of the rule, logarithmic scale.",
            f"Points that fall from {say_percent(study.rules[0].cost, 3)} for one rank to "
            f"{say_percent(study.rules[-1].cost, 4)}, with a large step at size {best.size}.",
        ),
        Paragraph(
            "The rule of eleven: jack high or better raises, nine high or less folds. With ten high take the second "
            "card of the flush and add 2 for each jack or higher among the four cards beside it; raise if that "
            "comes to 11 or more."
        ),
        Figures(
            "Exactly, in Antes",
            (
                Figure("House edge, best play", study.best.house_edge, "percent"),
                *(Figure(f"Cost of the rule of size {rule.size}", rule.cost, "percent") for rule in study.rules),
            ),
        ),
        Paragraph(f"{COUNTED} Each rule found is priced again by the solver of the whole game.", note=True),
    ]


def errors_blocks(study: ErrorsStudy) -> list[Block]:
    found = study.errors
    heads = columns(
        ("text", "Error"),
        ("text", "Best flush"),
        ("band", "Hands with the occasion"),
        ("units", "One costs, in Antes"),
        ("band", "Made always, of the Ante"),
    )
    rows = tuple(
        (SAID[each.kind].capitalize(), f"{each.cards} cards", each.chance, each.cost_each, each.cost)
        for each in found.mistakes
    )
    players = columns(
        ("text", "Player"),
        ("band", "House edge, of the Ante", "Of it errors", "Hold, of all bet"),
        ("units", "Std. dev., Antes"),
    )
    known = tuple(
        (f"{name}: {_rates(each.rates)}", each.house_edge, each.cost, each.hold, each.standard_deviation)
        for name, each in study.players.items()
    )
    return [
        Paragraph(
            f"What do the errors of real players cost? By the rules of {found.best.rulebook}, where the player keeps "
            "one flush: how often a hand gives the occasion, what one such error costs on average, and what it "
            "costs to make it always. Who keeps the wrong flush has two of three cards or more and plays the lesser "
            "as well as it can be."
        ),
        Grid("Errors by kind and by the cards of the best flush", heads, rows, grouped=True),
        Picture(
            study,
            f"What it costs to make one kind of error in {say_percent(CHARTED_RATE, 0)} of the hands that give the "
            "occasion.",
            f"Bars: folding what should be raised costs {say_percent(study.at(CHARTED_RATE)['folds'].cost)} of the "
            "Ante, the others less than a tenth of it.",
        ),
        Paragraph(
            "Three players who make several errors, each in a part of the hands that give the occasion. Their rates "
            "are examples, nothing measured; what they cost is exact."
        ),
        Grid("Players who err", players, known),
        Paragraph(
            f"{COUNTED} An error is another way to play some of the deals, so mean, mean square and average bet of one "
            "who makes it now and then lie between the two games, in that part. A hand has one error at the most.",
            note=True,
        ),
    ]


def _rates(rates: dict[Kind, Fraction]) -> str:
    return ", ".join(f"{kind} {say_percent(rate, 1)}" for kind, rate in rates.items())


def risk_blocks(study: RiskStudy) -> list[Block]:
    heads = columns(
        ("count", "Bankroll, Antes"),
        ("band", "Ruined", "Still playing"),
        ("band", "Doubled first", "Ruined first", "Neither"),
        ("text", "Method"),
    )
    rows = tuple(
        (antes, ruin.ruin, ruin.playing, goal.goal, goal.ruin, goal.playing, _method(ruin, goal))
        for (antes, ruin), goal in zip(study.ruin.items(), study.double.values(), strict=True)
    )
    chase_heads = columns(
        ("text", "Pay table"),
        ("bets", "Rounds to the win"),
        ("units", "A round costs, Antes"),
        ("count", "50 %", "90 %", "99 %"),
    )
    chases: tuple[tuple[Value, ...], ...] = tuple(
        (name, each.rounds, each.cost, *(each.bankroll(part) for part in (0.5, 0.9, 0.99)))
        for name, each in study.chases.items()
    )
    return [
        Paragraph(
            f"The chance to be ruined within {RISK_ROUNDS} rounds of one Ante and the best play, and the chances of "
            "one who stops at twice the bankroll. Ruined is who has less than a round may ask for: four Antes."
        ),
        Grid(f"Within {RISK_ROUNDS} rounds", heads, rows),
        Picture(
            study,
            f"Chance of ruin, and to double the bankroll first, within {RISK_ROUNDS} rounds.",
            "The chance of ruin falls quickly with the bankroll; that of doubling it falls too, as it takes longer.",
        ),
        session_grid("Net result in Antes after so many rounds, never stopped", study.sessions),
        Paragraph(
            f"A chaser bets {float(CHASE_BET):g} Antes on the progressive of galaxy-v7 in every round until its 100 % "
            "win: what to bring, in Antes, for the win to come before ruin in so many cases."
        ),
        Grid("Bankrolls of a chaser, in Antes", chase_heads, chases),
        Paragraph(
            "Method: the bankroll's distribution is followed round by round from the exact chances of one round; with "
            "fractions where it says exact, else in floats, whose error stays below 0.0000001 %. Sessions are "
            "convolved by a Fourier transform, good to nine decimals. A chaser's bankroll is a bound that surely "
            "suffices, from a martingale; meters stand at their seeds.",
            note=True,
        ),
    ]


def _method(*risks: Risk) -> str:
    return "exact" if all(risk.method == "exact" for risk in risks) else "floats"
