"""Choosing a table: the rulebook, and side bets where the rulebook leaves them to the operator."""

from __future__ import annotations

from dataclasses import dataclass, field

from rich.text import Text

from highcardflush.cli.table.pages import show_rules
from highcardflush.cli.table.prompt import Answers, Leave
from highcardflush.cli.table.screen import Screen
from highcardflush.rulebook import Offer, Rulebook, packaged, parse_offer

RULEBOOKS = ("oxford", "atlantic-city", "meadows", "galaxy-v7", "washington")
FLUSH = ("flush", "washington/PT-FLT-HCF-FB-01")
STRAIGHT_FLUSH = ("straight-flush", "PT-FLT-HCF-SF-01")


@dataclass(frozen=True)
class Choice:
    """Side bets that go together, with the settings they need."""

    words: str
    offers: tuple[tuple[str, str], ...] = ()
    settings: dict[str, str] = field(default_factory=dict)

    def as_offers(self) -> tuple[Offer, ...]:
        return tuple(parse_offer(*offer) for offer in self.offers)


JACKPOT = ("progressive", "PT-BJS-HCF-SF-01")
SIDE_BETS: dict[str, tuple[Choice, ...]] = {
    "galaxy-v7": (
        Choice("Flush Bonus and the Straight Flush Progressive", (FLUSH, ("progressive", "PT-BJS-HCF-SF-07"))),
        Choice("the same with Envy Pays", (FLUSH, ("progressive", "PT-BJS-HCF-SF-E05"))),
        Choice("Flush Bonus and the Multi-Level Progressive", (FLUSH, ("progressive", "PT-PRG-HCF-MLP-01"))),
        Choice("Flush Bonus and the Dynamic Progressive", (FLUSH, ("progressive", "PT-PRG-HCF-D01a"))),
        Choice("Flush Bonus", (FLUSH,)),
        Choice("no side bets"),
    ),
    "washington": (
        Choice("Flush Bonus and Straight Flush Bonus", (FLUSH, STRAIGHT_FLUSH)),
        Choice(
            "both, and a Progressive Jackpot that grows with the bets",
            (FLUSH, STRAIGHT_FLUSH, JACKPOT),
            {"jackpot": "progressive", "seed": "30000", "rate": "23%", "reserve-rate": "5%"},
        ),
        Choice(
            "both, and a Bonus Jackpot of $10,000 from the house",
            (FLUSH, STRAIGHT_FLUSH, JACKPOT),
            {"jackpot": "bonus", "seed": "10000"},
        ),
        Choice("no side bets"),
    ),
}


def choose_rulebook(screen: Screen, answers: Answers) -> str:
    """The rulebook that a newcomer picks."""
    screen.line(Text("High Card Flush", "bold green"))
    screen.say(
        "Seven cards for you, seven for the dealer. The longer suit wins; at equal length the higher cards. "
        "Look at your cards, then fold or raise."
    )
    titles = [f"{name:<15}{packaged(name).title}" for name in RULEBOOKS]
    return RULEBOOKS[_pick(screen, answers, packaged(RULEBOOKS[0]), "Whose rules?", titles)]


def choose_side_bets(screen: Screen, answers: Answers, rulebook: Rulebook) -> Choice:
    """The side bets of a table whose rulebook offers none by itself."""
    choices = SIDE_BETS.get(rulebook.name, ()) if not rulebook.offers else ()
    if not choices:
        return Choice("")
    words = [choice.words[0].upper() + choice.words[1:] for choice in choices]
    return choices[_pick(screen, answers, rulebook, f"Side bets at this {rulebook.name} table?", words)]


def _pick(screen: Screen, answers: Answers, rulebook: Rulebook, question: str, words: list[str]) -> int:
    """The place of the line that is chosen; Enter is the first."""
    lines = [Text(question, "bold")]
    lines += [Text.assemble((f"  [{i}]", "bold cyan"), f" {line}") for i, line in enumerate(words, 1)]
    hint = ""
    while True:
        noted = [*lines, Text(hint, "yellow")] if hint else lines
        screen.prompt(noted, {}, {"": "takes 1", "?": "rules", "q": "quit"})
        answer = answers.answer()
        screen.answered(answer)
        hint = ""
        if answer == "q":
            raise Leave
        if answer == "?":
            show_rules(screen, answers, rulebook)
            continue
        names = [line.split()[0] for line in words]
        if answer in names:  # a script may give the name
            return names.index(answer)
        if answer in ("", *map(str, range(1, len(words) + 1))):
            return int(answer or 1) - 1
        hint = f"A key from 1 to {len(words)}, please."
