"""PAR sheets and rack cards: totals, agreement with the odds, the same bytes twice, and forms that stand alone."""

import csv
import io
import json
import re
from fractions import Fraction
from functools import cache
from typing import Any

import click.testing
import pytest
from msgspec.structs import replace

pytest.importorskip("altair", reason="reports need the extra `lab`")

from highcardflush.cli.par import par
from highcardflush.errors import HcfError
from highcardflush.odds.game import DEALS, HANDS, game_odds
from highcardflush.odds.paytable import table_odds
from highcardflush.odds.progressive import progressive_odds
from highcardflush.report import ParSheet, check_ending, par_sheet, render
from highcardflush.report.card import card_document
from highcardflush.report.charts import meter_return
from highcardflush.report.document import Grid, Heading
from highcardflush.report.header import header, rules_in_force
from highcardflush.report.layout import par_document
from highcardflush.report.layout_bets import side_bet_blocks
from highcardflush.report.meters import progressive_page
from highcardflush.report.pdf import pages, template_inputs
from highcardflush.report.show import exact, show
from highcardflush.report.sidebets import side_bet
from highcardflush.report.spread import session
from highcardflush.rulebook import PACKAGED, Rulebook, configure, packaged, parse_offer

DATE = "2026-02-01"
OFFERS: dict[str, tuple[str, list[tuple[str, str]]]] = {
    "dynamic": ("galaxy-v7", [("progressive", "PT-PRG-HCF-D01a"), ("flush", "washington/PT-FLT-HCF-FB-01")]),
    "envy": ("galaxy-v7", [("progressive", "PT-BJS-HCF-SF-E05")]),
    "levels": ("galaxy-v7", [("progressive", "PT-PRG-HCF-MLP-01")]),
}


@cache
def book_of(name: str) -> Rulebook:
    rulebook, offers = OFFERS.get(name, (name, []))
    return configure(packaged(rulebook), [parse_offer(*offer) for offer in offers] or None)


@cache
def sheet_of(name: str, rounds: int = 0) -> ParSheet:
    return par_sheet(book_of(name), date=DATE, rounds=rounds)


TABLES = ("oxford", "dynamic")


@pytest.mark.parametrize("name", TABLES)
def test_totals_are_the_sample_spaces(name: str) -> None:
    sheet = sheet_of(name)
    for table in (sheet.main_game.table, sheet.main_game.results):
        assert table.total.combinations == DEALS == 6_071_092_494_667_200
        assert sum(row.combinations for row in table.rows) == DEALS
        assert table.total.probability == 1
        assert table.total.returned == sheet.main_game.expected
    for bet in sheet.side_bets:
        assert bet.table.total.combinations == HANDS == 133_784_560
        assert bet.table.total.returned == bet.returned
    assert sum(zone.hands for zone in sheet.main_game.zones) == HANDS


def test_the_main_game_is_that_of_the_odds() -> None:
    game, odds = sheet_of("oxford").main_game, game_odds(packaged("oxford"))
    assert game.house_edge == odds.house_edge
    assert game.element_of_risk == odds.element_of_risk
    assert game.volatility_index_90 == 1.645 * odds.standard_deviation
    assert f"{100 * float(game.house_edge):.10f}" == "2.6645303991"
    by_name = {row.name: row for row in game.strategies}
    assert f"{100 * float(by_name['t-8-6'].house_edge):.10f}" == "2.7113820571"
    assert f"{100 * float(by_name['always'].house_edge):.10f}" == "9.9984089304"
    assert by_name["optimal"].cost == 0


def test_side_bets_are_those_of_the_odds() -> None:
    sheet = sheet_of("oxford")
    assert [bet.wager for bet in sheet.side_bets] == ["flush", "straight-flush"]
    for bet in sheet.side_bets:
        table = book_of("oxford").table(bet.wager)
        assert table is not None
        assert bet.house_edge == table_odds(table).house_edge


def test_caps_lower_the_return_of_large_bets() -> None:
    bet = sheet_of("oxford").side_bets[1]
    table = book_of("oxford").table("straight-flush")
    assert table is not None
    assert bet.uncapped_cents == 312  # $25,000 / 8,000
    rows = {row.bet_cents: row for row in bet.caps}
    assert rows[100].returned == bet.returned
    assert rows[500].returned == table_odds(table, cap=Fraction(5000)).returned < bet.returned
    assert not sheet_of("dynamic").side_bets[0].caps


def test_the_smallest_raise_is_tried_where_it_is_open() -> None:
    minima = {row.minimum: row.house_edge for row in sheet_of("dynamic").main_game.raise_minima}
    assert f"{100 * float(minima[Fraction(0)]):.5f}" == "-23.05307"
    assert f"{100 * float(minima[Fraction(1, 2)]):.5f}" == "-6.52733"
    assert minima[Fraction(3, 4)] < 0 < minima[Fraction(76, 100)]
    assert not sheet_of("oxford").main_game.raise_minima


def test_dynamic_draws() -> None:
    page = sheet_of("dynamic").progressive
    assert page is not None
    assert page.dynamic is not None
    assert round(float(page.dynamic.over_one), 3) == 0.219
    assert page.dynamic.mean == page.fixed
    assert sum(bar.chance for bar in page.dynamic.bars) == pytest.approx(1)
    assert sum(bar.chance for bar in page.dynamic.bars if bar.low >= 1) == pytest.approx(float(page.dynamic.over_one))


def test_envy_by_players() -> None:
    book = book_of("envy")
    page = progressive_page(book)
    assert page is not None
    assert [row.seats for row in page.envy] == [1, 2, 3, 4, 5, 6]
    for row in page.envy:
        odds = progressive_odds(book, {"progressive": row.break_even_meter}, row.seats)
        assert odds.at_meters.returned == 1
    off = progressive_page(configure(book, None, {"envy": "off"}))
    assert off is not None
    assert not off.envy


@pytest.mark.parametrize("name", ["dynamic", "envy", "levels"])
def test_meters_break_even_where_they_say(name: str) -> None:
    page = progressive_page(book_of(name))
    assert page is not None
    for meter in page.meters:
        marks = {row.mark: row for row in meter.returns}
        assert marks["break-even"].returned == 1
        assert marks["seed"].meter * 1_000_000 == meter.seed_micros
        assert "break-even" in meter_return(meter)


def test_a_bonus_jackpot_has_no_long_run() -> None:
    offer = parse_offer("progressive", "PT-BJS-HCF-SF-01")
    book = configure(packaged("washington"), [offer], {"jackpot": "bonus"})
    page = progressive_page(book)
    assert page is not None
    assert page.long_run_return is None
    sheet: ParSheet = replace(sheet_of("oxford"), progressive=page, side_bets=(side_bet(book, offer),))
    assert side_bet_blocks(sheet, sheet.side_bets[0])


def test_sessions_agree_with_counting() -> None:
    nets = {Fraction(-1): Fraction(1, 2), Fraction(1): Fraction(1, 4), Fraction(0): Fraction(1, 4)}
    found = session(nets, 2)
    assert found.ahead == pytest.approx(1 / 16 + 2 / 16)
    assert found.even == pytest.approx(1 / 16 + 2 * 2 / 16)
    assert found.behind == pytest.approx(1 - found.ahead - found.even)
    assert found.expected == Fraction(-1, 2)


@cache
def rendered(name: str, form: str, *, card: bool = False) -> bytes:
    return render(sheet_of(name), form, card=card)


@cache
def worked_out_again() -> ParSheet:
    return par_sheet(book_of("oxford"), date=DATE)


@pytest.mark.parametrize("form", ["html", "pdf", "json", "csv"])
def test_the_same_input_gives_the_same_bytes(form: str) -> None:
    assert worked_out_again() == sheet_of("oxford")
    assert render(worked_out_again(), form) == rendered("oxford", form)


def test_only_the_date_line_differs_on_another_day() -> None:
    sheet = sheet_of("oxford")
    later = replace(sheet, header=header(book_of("oxford"), "2026-02-02"))
    first, other = (data.decode().splitlines() for data in (rendered("oxford", "html"), render(later, "html")))
    assert [line for line in first if line not in other] == [f"<div><dt>Date</dt><dd>{DATE}</dd></div>"]


@pytest.mark.parametrize("name", TABLES)
@pytest.mark.parametrize("card", [False, True])
def test_html_stands_alone(name: str, card: bool) -> None:
    page = rendered(name, "html", card=card).decode()
    assert not re.search(r"https?:|//|src=|@import|<script|<link", re.sub(r"<style>.*?</style>", "", page, flags=re.S))
    assert "url(" not in page
    assert book_of(name).table_hash[:16] in page
    assert page.count("<svg") == (0 if card else page.count("<figure>"))


@pytest.mark.parametrize("name", TABLES)
def test_pdf_has_its_pages_and_texts(name: str) -> None:
    inputs = template_inputs(par_document(sheet_of(name)), "sheet")
    assert rendered(name, "pdf").startswith(b"%PDF-1.7")
    assert pages(inputs) >= 5
    source = inputs["document"]
    for text in ("6,071,092,494,667,200", "133,784,560", "2.664530 %", book_of(name).sha256, DATE):
        assert text in source


@pytest.mark.parametrize("name", ["oxford", "dynamic"])
def test_a_rack_card_is_one_page(name: str) -> None:
    assert render(sheet_of(name), "pdf", card=True).startswith(b"%PDF-1.7")
    heads = [block.text for block in card_document(sheet_of(name)).blocks if isinstance(block, Heading)]
    assert heads[:2] == ["The game", "Your Raise"]
    assert "Flush Bonus" in heads


def test_json_has_exact_values() -> None:
    data: dict[str, Any] = json.loads(rendered("oxford", "json"))
    game = sheet_of("oxford").main_game
    assert data["main_game"]["expected"] == exact(game.expected)
    assert data["main_game"]["house_edge"] == float(game.house_edge)
    assert data["main_game"]["house_edge_exact"] == exact(game.house_edge)
    assert data["side_bets"][0]["return"] == exact(sheet_of("oxford").side_bets[0].returned)
    assert data["header"]["sha256"] == book_of("oxford").sha256


def test_csv_parses_into_sections() -> None:
    rows = list(csv.reader(io.StringIO(rendered("oxford", "csv").decode())))
    titles = [row[0] for row in rows if len(row) == 1]
    grids = [block.title for block in par_document(sheet_of("oxford")).blocks if isinstance(block, Grid)]
    assert {title.partition(": ")[2] for title in titles} >= {f"{title}]" for title in grids}
    assert len(set(titles)) == len(titles)
    start = rows.index(["[Main game: By hand, decision and result]"])
    section = rows[start + 1 : rows.index([], start)]
    assert {len(row) for row in section} == {len(section[0])}
    place = section[0].index("Combinations")
    assert sum(int(row[place]) for row in section[1:-1]) == int(section[-1][place]) == DEALS


def test_a_simulation_stands_beside_the_exact_values() -> None:
    page = par_sheet(book_of("oxford"), date=DATE, rounds=20_000).simulation
    assert page is not None
    assert {row.wager for row in page.wagers} >= {"main", "flush", "straight-flush"}
    assert all(abs(row.z) < 5 for row in page.wagers)


@pytest.mark.parametrize("name", PACKAGED)
def test_a_table_without_side_bets_says_so(name: str) -> None:
    assert bool(header(book_of(name), DATE).offers) == bool(book_of(name).offers)
    assert len(rules_in_force(book_of(name)).raises) == 6


@pytest.mark.parametrize("output", ["sheet.txt", "sheet", "html", "-"])
def test_an_unknown_ending_is_refused(output: str) -> None:
    with pytest.raises(HcfError, match=r"expected for a PAR sheet a name that ends in \.html, \.pdf, \.json, \.csv"):
        check_ending(output)


def test_a_card_is_no_data_file() -> None:
    with pytest.raises(HcfError, match=r"rack card a name that ends in \.html, \.pdf"):
        check_ending("card.csv", card=True)


def run(*args: str) -> click.testing.Result:
    return click.testing.CliRunner().invoke(par, args)


def test_the_command_writes_a_file(tmp_path: Any) -> None:
    target = tmp_path / "wa.json"
    result = run("washington", "-o", str(target), "--rounds", "0", "--date", DATE)
    assert result.exit_code == 0, result.output
    assert "offers no side bet" in result.output
    assert json.loads(target.read_bytes())["header"]["date"] == DATE


def test_the_command_refuses_in_one_line(tmp_path: Any) -> None:
    refused = run("washington", "-o", str(tmp_path / "wa.doc"))
    assert isinstance(refused.exception, HcfError)
    assert "read" in str(refused.exception)
    nowhere = run("oxford", "--rounds", "0", "-o", str(tmp_path / "no" / "x.csv"))
    assert isinstance(nowhere.exception, HcfError)
    assert "expected a place to write" in str(nowhere.exception)


def test_values_as_a_reader_sees_them() -> None:
    assert show("percent", Fraction(-1, 8)) == "−12.500000 %"
    assert show("dollars", Fraction(67, 2)) == "$33.50"
    assert show("chance", Fraction(1, 10**9)) == "1.0000 × 10⁻⁹"
    assert show("signed", Fraction(0)) == "0.0000000000"
    assert show("text", None) == ""
