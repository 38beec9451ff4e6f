"""The dealer's procedure lists every step that people do at the table, in order, with its figures, and is printed."""

from __future__ import annotations

from itertools import groupby

import pytest

from highcardflush.rulebook import PACKAGED, packaged
from support.data.clauses import CLAUSES, RULEBOOKS, Clause
from support.places.hcf import Hcf
from support.walkers.rounds import cases

PARTS = ("opening", "wagers", "deal", "decisions", "showdown", "settlement", "closing", "irregularities")
LETTERS = {name: letter for letter, name in RULEBOOKS.items()}

STEPS = """
clause | rulebook | parts of its steps | what they say
V3 | galaxy-v7 | decisions settlement | Tuck a folded hand that has a side bet under that bet ... main game is over
V4 | galaxy-v7 | settlement | Main game first ... Only when every Ante and Raise is done, settle the side bets
A3 | atlantic-city | decisions settlement | all cards outside that flush face down ... face up ... who folds
A4 | atlantic-city | decisions | Do not give discards back ... kept plays, even when a better one
W2 | washington | opening | post the limit ... at most four separate games ... three of them above $5
W5a | washington | opening closing | required notice ... does not grow ... displayed when the wagers locked
W5a | washington | opening closing | the bet is closed, until the house
W10 | washington | deal | the dealer is position 1 ... counterclockwise or all clockwise ... three dice
W10 | washington | deal | empty seats included ... first packet of seven ... a packet for every position
W10 | washington | deal | collect those of unoccupied positions into the discard rack
W10 | washington | deal | the dealer is position 1 ... three dice ... first packet of seven ... unoccupied
W11 | washington | opening | a view of the meter
M2 | meadows | decisions | best flush, puts it on the Raise area ... outside the flush go face down
M3 | meadows | decisions | face up ... Pay it at once ... only then let the player raise
M3 | meadows | decisions | on top of the four other cards
M5 | meadows | decisions | the player's own responsibility
O1 | oxford | wagers decisions | Up to six players ... one hand each ... no decision made blind
O3 | oxford | wagers | before any card, and only beside an Ante ... From the first card on, let no player touch
O4 | oxford | opening wagers | table minimum and maximum are posted ... within the posted limits
O5 | oxford | deal | seven cards face down ... seat 1 to seat 6, and to the dealer last ... remaining cards
O5 | oxford | deal | in the discard rack
O6 | oxford | deal irregularities | fewer or more than seven cards, all hands are void
O7 | oxford | decisions | above the table ... shows or discusses ... supervisor warns ... may be declared void
O8 | oxford | decisions | in seats 1, 2 and 3 under the Straight Flush Bonus bet
O8 | oxford | decisions | in seats 4, 5 and 6 under the Flush Bonus bet
O9 | oxford | decisions | chooses one of them and plays it to the end ... turns them face up ... pay the bonus then
O10 | oxford | decisions showdown | Pick up all discards from left to right, seat 1 to seat 6
O10 | oxford | decisions showdown | highest possible hand ... push no cards forward
O11 | oxford | settlement closing | right to left, seat 6 to seat 1 ... outside in ... tapping the table
O11 | oxford | settlement closing | Dealer not qualified ... Then settle the Flush Bonus ... Then settle the Straight
O11 | oxford | settlement closing | Then settle the Straight Flush Bonus ... pick and pay ... dealer's seven cards last
O14 | oxford | deal irregularities | cards too many or too few ... shuffler miscount ... button pressed in error
O14 | oxford | deal irregularities | two hands mixed ... two players dropping cards on the floor at the same time
O14 | oxford | deal irregularities | wrong number of cards dealt to anyone ... return all wagers to all players
O14 | oxford | deal irregularities | that decision is final
O15 | oxford | opening closing irregularities | inspect every card ... the manager replaces the whole deck
O15 | oxford | opening closing irregularities | automatic shuffler ... shuffle by hand
O15 | oxford | opening closing irregularities | riffle, strip, riffle, then load the shuffler
O15 | oxford | opening closing irregularities | approval of the Maine Gambling Control Board
"""


@pytest.mark.parametrize(("clause", "rulebook", "parts", "facts"), cases(STEPS))
def test_a_clause_is_carried_by_steps(clause: str, rulebook: str, parts: str, facts: str) -> None:
    steps = [step for step in packaged(rulebook).procedure if clause in step.clauses]
    assert list(dict.fromkeys(step.part for step in steps)) == parts.split()
    text = " ".join(step.text for step in steps)
    places = [text.index(fact) for fact in facts.split(" ... ")]
    assert places == sorted(places)


@pytest.mark.parametrize("clause", [each for each in CLAUSES.values() if each.kind == "procedure"], ids=lambda c: c.id)
def test_procedure_clauses_are_printed(clause: Clause, hcf: Hcf) -> None:
    rulebook = packaged(clause.printed.split()[-1])
    steps = [f"{step.text} [{', '.join(step.clauses)}]" for step in rulebook.procedure if clause.id in step.clauses]
    output = " ".join(hcf(*clause.printed.split()).out.split())
    lines = steps if "procedure" in clause.printed else rulebook.record
    assert lines
    assert [line for line in lines if line not in output] == []


@pytest.mark.parametrize("name", PACKAGED)
def test_the_parts_stand_in_order(name: str) -> None:
    parts = [part for part, _ in groupby(packaged(name).procedure, lambda step: step.part)]
    assert parts == sorted(set(parts), key=PARTS.index)
    assert {"wagers", "deal", "decisions", "showdown", "settlement", "closing"} <= set(parts)


@pytest.mark.parametrize("name", PACKAGED)
def test_a_step_carries_clauses_of_its_own_rulebook(name: str) -> None:
    for step in packaged(name).procedure:
        assert step.text == step.text.strip()
        assert "\n" not in step.text
        assert set(step.clauses) <= set(CLAUSES)
        assert {clause[0] for clause in step.clauses} <= {"G", LETTERS[name]}


@pytest.mark.parametrize(
    "words",
    [
        "Andromeda Bonus Jackpot System",
        "only with Galaxy Gaming's written consent",
        "controls say how the jackpots are configured, how they are won",
        "the pays are multiplied by it and shown on the table display",
        "a bonus wager has no effect on the main game",
        "no intelligence or function of its own",
        "no network link, wired or wireless",
        "held by the card room as custodian, for the players",
        "accounts for all funds collected, with a reason for every move",
    ],
)
def test_washingtons_conditions_are_on_record(words: str) -> None:
    assert sum(words in line for line in packaged("washington").record) == 1


@pytest.mark.clause("O7", "O14")
def test_each_irregularity_of_oxford_has_a_code_with_its_meaning() -> None:
    reasons = packaged("oxford").irregularities
    misdeals = ["deck-count", "shuffler", "button", "dropped-cards", "co-mingled", "card-count"]
    assert {code: reason.voids for code, reason in reasons.items()} == dict.fromkeys(misdeals, "round") | {
        "conduct": "hand"
    }
    assert [code for code, reason in reasons.items() if reason.after_warning] == ["conduct"]
    assert all(reason.meaning.strip() for reason in reasons.values())
