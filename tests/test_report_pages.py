"""The pages: return tables, what a sheet and a card say, and words for every code."""

from fractions import Fraction
from typing import get_args

import pytest
from msgspec.structs import replace

pytest.importorskip("altair", reason="reports need the extra `lab`")

from highcardflush.odds.counting import DEALS, HANDS
from highcardflush.ranking import Showdown
from highcardflush.report.figures.meters import Mark
from highcardflush.report.figures.side_bets import side_bet
from highcardflush.report.pages import card_document, par_document
from highcardflush.report.pages.document import Bullets, Document, Grid, Heading, Picture
from highcardflush.report.pages.returns import by_choice, by_line, by_result
from highcardflush.report.pages.side_bets import side_bet_blocks
from highcardflush.report.pages.words import MARKS, SHOWDOWNS
from highcardflush.rulebook import PACKAGED, configure, packaged, parse_offer
from highcardflush.rulebook.amounts import Amounts
from highcardflush.words import say_amounts, say_pay, say_raise
from highcardflush.words.en import ZONES, ZoneDecision
from support.report import TABLES, book_of, sheet_of


@pytest.mark.parametrize("name", TABLES)
def test_totals_are_the_sample_spaces(name: str) -> None:
    sheet = sheet_of(name)
    best = sheet.main_game.best
    for table in (by_choice(best), by_result(best)):
        assert table.total.combinations == DEALS == 6_071_092_494_667_200
        assert sum(row.combinations for row in table.rows) == DEALS
        assert table.total.probability == 1
        assert table.total.returned == best.expected
    for bet in sheet.side_bets:
        table = by_line(bet)
        assert table.total.combinations == HANDS == 133_784_560
        assert table.total.returned == bet.odds.returned


def test_a_bonus_jackpot_has_its_page() -> None:
    offer = parse_offer("progressive", "PT-BJS-HCF-SF-01")
    book = configure(packaged("washington"), [offer], {"jackpot": "bonus"})
    blocks = side_bet_blocks(side_bet(book, offer), page=False)
    assert [block.text for block in blocks if isinstance(block, Heading)] == [
        "Bonus Jackpot", "Return table", "Figures", "Return", "Bonus jackpot",
    ]  # fmt: skip


def heads(document: Document) -> list[str]:
    return [block.text for block in document.blocks if isinstance(block, Heading)]


@pytest.mark.parametrize("name", TABLES)
def test_a_rack_card_begins_with_the_game(name: str) -> None:
    found = heads(card_document(sheet_of(name)))
    assert found[:2] == ["The game", "Your Raise"]
    assert "Flush Bonus" in found


def test_a_rack_card_says_the_limits_that_a_table_has() -> None:
    items = [block.items for block in card_document(sheet_of("dynamic")).blocks if isinstance(block, Bullets)][-1]
    assert "Progressive: $1." in items
    assert not any(item.startswith("Ante:") for item in items)


@pytest.mark.parametrize("name", PACKAGED)
def test_a_table_without_side_bets_says_so(name: str) -> None:
    facts = dict(par_document(replace(sheet_of("oxford"), rulebook=book_of(name))).facts)
    assert (facts["Side bets"] == "none offered") == (not book_of(name).offers)


def test_texts_for_charts_state_the_figures() -> None:
    alts = [block.alt for block in par_document(sheet_of("dynamic")).blocks if isinstance(block, Picture)]
    assert any(
        "from −23.05 % with no smallest Raise to 2.66 % with 1x; it is above zero from 0.76x" in alt for alt in alts
    )
    assert any("from 20 % to 200 % of the bet, 21.9 % of it above 100 %" in alt for alt in alts)
    assert any("the break-even meter, $1,433,675" in alt for alt in alts)


def test_every_grid_has_a_value_for_each_column() -> None:
    for name in TABLES:
        for block in par_document(sheet_of(name)).blocks:
            if isinstance(block, Grid):
                assert {len(row) for row in (*block.rows, block.total) if row} == {len(block.columns)}


def test_every_code_has_words() -> None:
    assert set(SHOWDOWNS) == set(get_args(Showdown))
    assert set(ZONES) == set(get_args(ZoneDecision))
    assert set(MARKS) == {None, *get_args(Mark)}


@pytest.mark.parametrize(
    ("amounts", "words"),
    [
        (Amounts(1, None, 1), "any amount"),
        (Amounts(500, None, 1), "$5 or more"),
        (Amounts(500, 10_000, 500), "$5 to $100 in steps of $5"),
        (Amounts(100, 100, 1), "$1"),
    ],
)
def test_amounts_as_they_are_said(amounts: Amounts, words: str) -> None:
    assert say_amounts(amounts) == words


def test_raises_and_pays_as_they_are_said() -> None:
    one, two = Fraction(1), Fraction(2)
    assert say_raise(two, two, whole_antes=True) == "2x"
    assert say_raise(one, two, whole_antes=True) == "1x or 2x"
    assert say_raise(Fraction(1, 2), two, whole_antes=False) == "0.5x to 2x"
    table = book_of("envy").paytable("progressive")
    assert table is not None
    assert {say_pay(table, line, 500) for line in table.lines} >= {"100 % of meter", "$250"}
