"""Sheets and cards: return tables, what they say, their files in every format, and the command `hcf par`."""

import csv
import io
import json
import re
from collections.abc import Iterable
from fractions import Fraction
from hashlib import sha256
from importlib.resources import files
from pathlib import Path
from typing import Any, get_args

import pytest
from msgspec.structs import asdict, replace
from pypdf import PdfReader

pytest.importorskip("altair", reason="reports need the extra `lab`")

from highcardflush.errors import HcfError
from highcardflush.figures.odds import by_choice, by_line, by_result
from highcardflush.figures.sheet import par_sheet, rules_in_force
from highcardflush.figures.side_bets import Mark, progressive, side_bet
from highcardflush.formats.charts import COLOURS, draw
from highcardflush.formats.files import check_ending, render
from highcardflush.formats.json import exact
from highcardflush.formats.pdf import page_count, template_inputs, to_pdf
from highcardflush.formats.show import show
from highcardflush.odds.counting import DEALS, HANDS
from highcardflush.pages.cards import card_document
from highcardflush.pages.document import Block, Bullets, Chart, Document, Grid, Heading, Paragraph, Picture, columns
from highcardflush.pages.par_sheet import method, par_document
from highcardflush.pages.plots import Axis, Label, Plot, Series
from highcardflush.pages.side_bets import side_bet_blocks
from highcardflush.pages.words import MARKS, SHOWDOWNS
from highcardflush.ranking import Showdown
from highcardflush.rulebook import PACKAGED, configure, packaged
from highcardflush.software import build_hash, software
from highcardflush.words import say_line_short, say_pay, say_raise, say_result
from highcardflush.words.en import ZONES, ZoneDecision
from support.data.report import DATE, TABLES, book_of, grids, rendered, sheet_of
from support.data.tables import table
from support.places.hcf import Hcf


@pytest.mark.parametrize("name", TABLES)
def test_totals_are_the_sample_spaces(name: str) -> None:
    sheet = sheet_of(name)
    best = sheet.main_game.best
    for counts in (by_choice(best), by_result(best)):
        assert counts.total.combinations == sum(row.combinations for row in counts.rows) == DEALS
        assert counts.total.probability == 1
        assert counts.total.returned == best.expected
    for bet in sheet.side_bets:
        counts = by_line(bet.odds)
        assert counts.total.combinations == HANDS
        assert counts.total.returned == bet.odds.returned


def test_a_bonus_jackpot_has_its_page() -> None:
    book = table("washington | progressive PT-BJS-HCF-SF-01 | jackpot bonus")
    blocks = side_bet_blocks(side_bet(book, book.offers[0]), page=False)
    assert heads(blocks) == ["Bonus Jackpot", "Return table", "Figures", "Return", "Bonus jackpot"]


def heads(blocks: Iterable[Block]) -> list[str]:
    return [block.text for block in blocks if isinstance(block, Heading)]


def bullets_under(document: Document, heading: Heading) -> tuple[str, ...]:
    block = document.blocks[document.blocks.index(heading) + 1]
    assert isinstance(block, Bullets)
    return block.items


@pytest.mark.parametrize("name", TABLES)
def test_a_rack_card_begins_with_the_game(name: str) -> None:
    titles = heads(card_document(sheet_of(name)).blocks)
    assert titles[:2] == ["The game", "Your Raise"]
    assert "Flush Bonus" in titles


@pytest.mark.clause("S24")
def test_a_rack_card_says_the_limits_that_a_table_has() -> None:
    items = [block.items for block in card_document(sheet_of("dynamic")).blocks if isinstance(block, Bullets)][-1]
    assert "Progressive: $1." in items
    assert "Ante: any amount." in items


@pytest.mark.parametrize("name", PACKAGED)
def test_a_table_without_side_bets_says_so(name: str) -> None:
    facts = dict(par_document(replace(sheet_of("oxford"), rulebook=book_of(name))).facts)
    assert (facts["Side bets"] == "none offered") == (not book_of(name).offers)


def test_texts_for_charts_state_the_figures() -> None:
    alts = [block.alt for block in par_document(sheet_of("dynamic")).blocks if isinstance(block, Picture)]
    assert any(
        "from −23.05 % without a minimum Raise to 2.66 % with 1x; it is above zero from 0.76x" in alt for alt in alts
    )
    assert any("from 20 % to 200 % of the bet, 21.9 % of it above 100 %" in alt for alt in alts)
    assert any("the break-even meter, $1,433,675" in alt for alt in alts)


def test_every_chart_colour_has_a_rule_for_dark_mode() -> None:
    css = files("highcardflush.formats").joinpath("report.css").read_text("utf-8")
    lines = Series(((0.0, 1.0), (1.0, 2.0)), (Label(0.0, 1.0, "name"),))
    charts: list[Chart] = [Plot(Axis("x", 2), Axis("y", 2), (lines,) * len(COLOURS), has_zero_line=True)]
    charts += [block.chart for block in par_document(sheet_of("dynamic")).blocks if isinstance(block, Picture)]
    colours = {colour for chart in charts for colour in re.findall('(?:fill|stroke)="#[^"]*"', draw(chart))}
    assert f'fill="{COLOURS[2]}"' in colours
    assert [colour for colour in sorted(colours) if f"svg [{colour}] {{" not in css] == []


def test_every_grid_has_a_head_and_a_value_for_each_column() -> None:
    for name in (*TABLES, "envy", "levels"):
        for document in (par_document(sheet_of(name)), card_document(sheet_of(name), odds=True)):
            for block in grids(document).values():
                assert {len(row) for row in (*block.rows, block.total) if row} == {len(block.columns)}
                assert all(column.head for column in block.columns)


def test_caps_are_printed_once() -> None:
    sections = grids(par_document(sheet_of("oxford")))
    assert sections["Maximum payouts"].rows == (
        ("Maximum paid to one player in a round, on all wagers", "$25,000", "cap-player", "rulebook"),
        ("Maximum paid on all Straight Flush Bonus bets of a round", "$50,000", "cap-straight-flush-table", "rulebook"),
    )
    assert not any(title.startswith("Settings") for title in sections)
    capped = configure(book_of("oxford"), None, {"cap-player": "1000", "seats": "5"})
    own = grids(par_document(replace(sheet_of("oxford"), rulebook=capped, rules=rules_in_force(capped))))
    assert own["Maximum payouts"].rows[0][1:] == ("$1,000", "cap-player", "table")
    (title,) = (title for title in own if title.startswith("Settings"))
    assert [row[0] for row in own[title].rows] == ["seats"]


def test_lines_are_said_in_words() -> None:
    counts = grids(par_document(par_sheet(book_of("dynamic"), rounds=100)))["Number of times that each result occurred"]
    names = [f"{cards}-card straight flush" for cards in (7, 6, 5, 4, 3)]
    assert [row[1] for row in counts.rows if row[0] == "Progressive"] == names
    envy = book_of("envy").paytables["PT-BJS-HCF-SF-E05"]
    assert [say_result(envy, line.name) for line in envy.lines][:2] == [
        "7-card, or 6-card ace high straight flush",
        "6-card, king high or lower straight flush",
    ]
    assert say_result(None, "dealer does not qualify") == "dealer does not qualify"


def test_a_sheet_says_who_made_it_with_what() -> None:
    sheet = sheet_of("oxford")
    names = software()
    facts = dict(par_document(replace(sheet, prepared_by="A. Preparer", revision="B")).facts)
    assert list(facts) == [
        "Rulebook", "Source", "Authority", "Rulebook hash", "Table hash", "Side bets", "Computed by", "Build hash",
        "Date", "Prepared by", "Revision",
    ]  # fmt: skip
    assert facts["Computed by"] == f"highcardflush {names.version}, Python {names.python}"
    assert (facts["Build hash"], facts["Prepared by"], facts["Revision"]) == (names.build, "A. Preparer", "B")
    blank = par_document(sheet)
    assert dict(blank.facts)["Prepared by"] == dict(blank.facts)["Revision"] == "not stated"
    assert blank.mark == f"oxford version 1, table hash {book_of('oxford').table_hash[:16]}"
    assert par_document(replace(sheet, revision="B")).mark == f"{blank.mark}, revision B"


def test_a_build_is_known_by_its_files(tmp_path: Path) -> None:
    (tmp_path / "b").mkdir()
    (tmp_path / "b" / "x.py").write_text("1\n")
    (tmp_path / "a.py").write_text("2\n")
    first = build_hash(tmp_path)
    lines = (f"{sha256(text).hexdigest()}  {name}\n" for text, name in ((b"2\n", "a.py"), (b"1\n", "b/x.py")))
    assert first == sha256("".join(lines).encode()).hexdigest()
    (tmp_path / "__pycache__").mkdir()
    (tmp_path / "__pycache__" / "a.pyc").write_text("3")
    assert build_hash(tmp_path) == first
    (tmp_path / "a.py").write_text("3\n")
    assert build_hash(tmp_path) != first


METHOD = """\
Main game: each of the player's 133,784,560 hands is evaluated against each of the 45,379,620 hands that the dealer \
can then hold, 6,071,092,494,667,200 deals in total. Hands that differ only in their suits are counted together. For \
every hand, the best play is the decision with the greatest expectation.
Side bets: each of the player's 133,784,560 hands is counted in the highest pay-table line that it reaches.
Counts are integers, and figures derived from them are exact fractions: no figure is computed from a rounded one. If a \
value is a fraction, the column Exact shows it in lowest terms.
Square roots, bands and session results are computed in double-precision floating point. The distribution of a session \
is the exact distribution of one round, convolved with itself by a fast Fourier transform, accurate to nine decimals.
Printed numbers are rounded to the nearest value: percentages to six decimals; bands and shares to four; probabilities \
to ten, or to five significant digits below 10⁻⁷; odds of 1 in N to two; amounts of money to the cent. The sum of a \
column may therefore differ from its printed total in the last digit."""
SIMULATED = """\
Simulation: random words come from xoshiro256**. Every 65,536 rounds have their own stream, which NumPy's SeedSequence \
initialises from the seed 7 and the stream's number. A seven-card hand is drawn without bias from the cards left in \
the deck, with one 64-bit word (Brackett-Rozinsky and Lemire, Batched Ranged Random Integer Generation). The same seed \
gives the same totals."""


def test_the_method_is_stated() -> None:
    run = par_sheet(book_of("oxford"), rounds=1, seed=7).simulation
    assert "\n".join(method(None)) == METHOD
    assert "\n".join(method(run)) == f"{METHOD}\n{SIMULATED}"
    assert bullets_under(par_document(sheet_of("oxford")), Heading("Method", 2)) == method(None)


def test_a_card_for_players_has_no_odds() -> None:
    plain, full = (card_document(sheet_of("dynamic"), odds=odds) for odds in (False, True))
    assert card_document(sheet_of("dynamic")) == plain
    assert "House edge" not in heads(plain.blocks)
    assert bullets_under(full, Heading("House edge")) == (
        "Ante and Raise: 2.66 % of the Ante with the best play.",
        "Ante and Raise: 2.71 % of the Ante if you raise with ten-eight-six or better.",
        "Flush Bonus: 7.81 % of the bet.",
        "Progressive: 22.29 % of the bet, long run.",
    )


@pytest.mark.clause("S24", "A6", "A7")
def test_a_card_says_an_increment_once() -> None:
    book = packaged("atlantic-city")
    straights = "Straight Flush Bonus: $5 or more."
    notices = (
        "Every wager is a multiple of $5.",
        "No more than $50,000 is paid in one round, over the whole table.",
        "Wrong discards are the player's own risk and are not put right.",
    )
    assert bullets_under(card_document(par_sheet(book, rounds=0)), Heading("At this table")) == (
        "Ante: $5 or more.",
        "Flush Bonus: $5 or more.",
        straights,
        *notices,
    )
    tight = configure(book, None, {"ante-minimum": "15", "flush-maximum": "100", "cap-table": "40000"})
    assert bullets_under(card_document(par_sheet(tight, rounds=0)), Heading("At this table")) == (
        "Ante: $15 or more.",
        "Flush Bonus: $5 to $100.",
        straights,
        notices[0],
        "No more than $40,000 is paid in one round, over the whole table.",
        notices[2],
    )


@pytest.mark.clause("W5a", "W7", "S24", "S26")
def test_a_card_of_a_bonus_jackpot() -> None:
    book = table("washington | progressive PT-BJS-HCF-SF-01 5 | jackpot bonus, seed 30000")
    card = card_document(par_sheet(book, rounds=0), odds=True)
    assert bullets_under(card, Heading("House edge"))[-1] == "Bonus Jackpot: 52.08 % of the bet, as displayed."
    note, pays = card.blocks[card.blocks.index(Heading("Bonus Jackpot")) + 1 :][:2]
    assert isinstance(pays, Grid)
    assert [row[1] for row in pays.rows] == ["100 % of display", "10 % of display", "$1,250", "$200", "$15"]
    assert isinstance(note, Paragraph)
    assert note.text.startswith("Bonus jackpot pays are for a bet of $5: they are already multiplied by 5. If several ")
    assert note.text.endswith("gets the whole amount. The bet itself is not returned.")
    assert "Flush and Straight Flush Bonus pay to 1." not in bullets_under(card, Heading("The game"))


def test_the_side_bet_figures_say_what_they_count() -> None:
    opening = "Pays for 1, on the player's seven cards, regardless of the result of the main hand. The stake is not "
    opening += "returned. Percentages are valued with every meter at its seed. Dollar pays are for the base bet of $1."
    bet = side_bet(book_of("envy"), book_of("envy").offers[0])
    envy = " Envy Pays are not included. A separate section shows them by number of players."
    assert side_bet_blocks(bet, page=False)[2] == Paragraph(opening + envy)
    assert side_bet_blocks(replace(bet, envy=False), page=False)[2] == Paragraph(opening)


def test_a_simulation_says_what_it_is() -> None:
    document = par_document(par_sheet(book_of("dynamic"), rounds=1000))
    assert document.blocks[document.blocks.index(Heading("Exact and simulated results")) + 1] == Paragraph(
        "A program dealt and played this table: 1,000 rounds with 6 players, 6,000 hands, seed 0, strategy: Raise "
        "with ten-eight-six or better (Mousseau). Values are mean net results in units of the wager. The exact values "
        "are for the same strategy. Caps are not applied, and meters are at their seeds. z is the difference from the "
        "exact value in standard errors; a value beyond ±4 indicates an error. A result with an expected count below "
        "10 has no z, because such a count is not approximately normal."
    )


def test_every_code_has_words() -> None:
    assert set(SHOWDOWNS) == set(get_args(Showdown))
    assert set(ZONES) == set(get_args(ZoneDecision))
    assert set(MARKS) == {None, *get_args(Mark)}


def test_raises_and_pays_as_they_are_said() -> None:
    half, one, two = Fraction(1, 2), Fraction(1), Fraction(2)
    assert say_raise(two, two, one) == "2x"
    assert say_raise(one, two, one) == "1x or 2x"
    assert say_raise(half, two, None) == "0.5x to 2x"
    assert say_raise(half, two, half) == "0.5x or 1x or 1.5x or 2x"
    assert say_raise(half, Fraction(3), half) == "0.5x to 3x in steps of 0.5x"
    envy = book_of("envy").paytables["PT-BJS-HCF-SF-E05"]
    assert {say_pay(envy, line, 500) for line in envy.lines} >= {"100 % of meter", "$250"}


def test_the_same_input_gives_the_same_bytes() -> None:
    again = par_sheet(book_of("oxford"), date=DATE)
    assert again == sheet_of("oxford")
    for form in ("html", "pdf", "json", "csv"):
        assert render(again, form) == rendered("oxford", form)


def test_only_the_date_line_differs_on_another_day() -> None:
    sheet = sheet_of("oxford")
    later = replace(sheet, date="2026-02-02")
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
    inputs = template_inputs(par_document(sheet_of(name)))
    assert rendered(name, "pdf").startswith(b"%PDF-1.7")
    assert page_count(inputs) >= 5
    source = inputs["document"]
    for text in ("6,071,092,494,667,200", "133,784,560", "2.664530 %", book_of(name).sha256, DATE):
        assert text in source


def test_a_key_in_a_table_of_texts_stays_whole() -> None:
    heads = columns(("ranks", "Setting"), ("text", "Value", "Default", "Set by", "Meaning"))
    grid = Grid("Settings", heads, (("reserve-rate", "5%", "none", "table", "Part of each bet that feeds it; " * 9),))
    page = to_pdf(replace(par_document(sheet_of("oxford")), blocks=(grid,)))
    assert "reserve-rate" in PdfReader(io.BytesIO(page)).pages[0].extract_text()


@pytest.mark.parametrize("name", TABLES)
def test_a_rack_card_is_one_page(name: str) -> None:
    assert rendered(name, "pdf", card=True).startswith(b"%PDF-1.7")


def test_a_rack_card_of_two_pages_is_refused() -> None:
    card = card_document(sheet_of("oxford"))
    with pytest.raises(HcfError, match="more than one page"):
        to_pdf(replace(card, blocks=(*card.blocks, Bullets(("A rule.",) * 500))))


@pytest.mark.parametrize("name", ["dynamic", "envy", "levels"])
def test_a_meter_is_drawn_with_its_marks(name: str) -> None:
    for meter in progressive(book_of(name)).meters:
        svg = draw(meter)
        assert all(words in svg for words in ("seed $", "expected at a win $", "break-even $"))


def test_json_has_exact_values() -> None:
    data: dict[str, Any] = json.loads(rendered("oxford", "json"))
    best = sheet_of("oxford").main_game.best
    assert data["main_game"]["expected"] == exact(best.expected)
    assert data["main_game"]["house_edge"] == float(best.house_edge)
    assert data["main_game"]["house_edge_exact"] == exact(best.house_edge)
    assert data["side_bets"][0]["return"] == exact(sheet_of("oxford").side_bets[0].odds.returned)
    assert data["header"]["sha256"] == book_of("oxford").sha256


@pytest.mark.clause("V10")
def test_json_says_which_meter_pays_a_percentage() -> None:
    bet = next(bet for bet in json.loads(rendered("levels", "json"))["side_bets"] if bet["wager"] == "progressive")
    paid = [(line["pays"], line["paid_from"]) for line in bet["lines"]]
    assert paid[:3] == [("100%", "level-1"), ("100%", "level-2"), (250, None)]


def keys(value: Any) -> set[str]:
    """Yield every key in the data except those of the terms."""
    if isinstance(value, list):
        return {key for each in value for key in keys(each)}
    if not isinstance(value, dict):
        return set()
    return set(value) | {key for name, each in value.items() if name != "terms" for key in keys(each)}


def test_json_says_what_its_keys_mean() -> None:
    sheets = [sheet_of(name) for name in ("oxford", "dynamic", "envy", "levels", "atlantic-city")]
    sheets.append(par_sheet(book_of("dynamic"), rounds=10))
    sheets.append(par_sheet(table("washington | progressive PT-BJS-HCF-SF-01 | jackpot bonus")))
    keys_used = {key.removesuffix("_exact") for sheet in sheets for key in keys(json.loads(render(sheet, "json")))}
    terms = json.loads(rendered("oxford", "json"))["terms"]
    assert keys_used | {"unit"} == set(terms)
    assert terms["break_even_meter"] == {
        "unit": "dollars",
        "meaning": "amount in the meter at which the bet returns 100 %",
    }
    for key in keys_used:
        assert terms[key]["unit"] == {"cents": "whole cents", "micros": "whole millionths of a dollar"}.get(
            key.rpartition("_")[2], terms[key]["unit"]
        )
        assert key == key.lower().replace("-", "_")


def test_preparer_and_revision_are_in_every_form() -> None:
    sheet = replace(sheet_of("oxford"), prepared_by="A. <Preparer>", revision="B")
    header = json.loads(render(sheet, "json"))["header"]
    assert (header["prepared_by"], header["revision"]) == ("A. <Preparer>", "B")
    assert header["software"] == asdict(software())
    page = render(sheet, "html").decode()
    assert "<div><dt>Prepared by</dt><dd>A. &lt;Preparer&gt;</dd></div>" in page
    assert "<div><dt>Revision</dt><dd>B</dd></div>" in page
    rows = list(csv.reader(io.StringIO(render(sheet, "csv").decode())))
    assert ["Prepared by", "A. <Preparer>"] in rows
    assert ["Revision", "B"] in rows
    facts = json.loads(template_inputs(par_document(sheet))["document"])["facts"]
    assert ["Prepared by", "A. <Preparer>"] in facts
    assert render(sheet, "pdf") != rendered("oxford", "pdf")


@pytest.mark.parametrize("name", ["dynamic", "envy", "levels"])
def test_no_label_of_a_chart_is_cut(name: str) -> None:
    for bet in sheet_of(name).side_bets:
        svg = draw(bet)
        assert "…" not in svg
        assert all(say_line_short(line.line) in svg for line in bet.odds.lines)


def test_an_exact_value_is_broken_at_its_stroke_only() -> None:
    edge = sheet_of("oxford").main_game.best.house_edge
    assert f'<td class="exact">{edge.numerator}/<wbr>{edge.denominator}</td>' in rendered("oxford", "html").decode()


def test_a_wide_table_says_that_it_scrolls() -> None:
    page = rendered("oxford", "html").decode()
    assert 'content: "Wider than the screen: scroll sideways \\2192"' in page
    assert "animation-timeline: scroll(self inline)" in page


def test_csv_parses_into_sections() -> None:
    rows = list(csv.reader(io.StringIO(rendered("oxford", "csv").decode())))
    titles = [row[0] for row in rows if len(row) == 1]
    sections = grids(par_document(sheet_of("oxford")))
    assert {title.partition(": ")[2] for title in titles} >= {f"{title}]" for title in sections}
    assert len(set(titles)) == len(titles)
    start = rows.index(["[Main game: By hand, decision and result]"])
    section = rows[start + 1 : rows.index([], start)]
    assert {len(row) for row in section} == {len(section[0])}
    place = section[0].index("Combinations")
    assert sum(int(row[place]) for row in section[1:-1]) == int(section[-1][place]) == DEALS


@pytest.mark.parametrize("output", ["sheet.txt", "sheet", "html", "-"])
def test_an_unknown_ending_is_refused(output: str) -> None:
    with pytest.raises(HcfError, match=r"expected a PAR sheet file name that ends in \.html, \.pdf, \.json, \.csv"):
        check_ending(output)
    with pytest.raises(HcfError, match=r"a rack card file name that ends in \.html, \.pdf"):
        check_ending("card.csv", "rack card")


def test_values_as_a_reader_sees_them() -> None:
    assert show("chance", Fraction(1, 10**9)) == "1.0000 × 10⁻⁹"
    assert show("signed", Fraction(0)) == "0.0000000000"
    assert show("text", None) == ""


def header(hcf: Hcf, *words: str) -> Any:
    """Return the head of the sheet that `hcf par` writes for washington."""
    result = hcf("par", "washington", "-o", "wa.json", "--rounds", 0, *words)
    assert result.status == 0, result.err
    assert "has no side bets of its own" in result.out
    return json.loads(Path("wa.json").read_bytes())["header"]


def test_the_command_writes_a_file(hcf: Hcf) -> None:
    assert header(hcf, "--date", DATE)["date"] == DATE
    head = header(hcf, "--prepared-by", " A. Preparer ", "--revision", "B")
    assert (head["prepared_by"], head["revision"]) == ("A. Preparer", "B")


@pytest.mark.parametrize(("words", "has_odds"), [((), False), (("--no-odds",), False), (("--odds",), True)])
def test_odds_are_put_on_a_card_when_asked(hcf: Hcf, words: tuple[str, ...], has_odds: bool) -> None:
    assert hcf("par", "oxford", "--card", *words, "-o", "card.html").status == 0
    assert ("House edge" in Path("card.html").read_text("utf-8")) is has_odds


@pytest.mark.parametrize(
    ("args", "status", "message"),
    [
        ("washington -o wa.json --prepared-by a\nb", 2, "'--prepared-by': text: read 'a\\nb', expected one line"),
        ("oxford --odds -o x.html", 2, "--odds needs --card; a PAR sheet always has the odds"),
        ("oxford --card --prepared-by Zoe -o x.html", 2, "--prepared-by excludes --card; a card does not print it"),
        ("washington -o wa.doc", 2, "output: read 'wa.doc', expected a PAR sheet file name that ends in .html"),
        ("oxford --rounds 0 -o no/x.csv", 1, "no such folder"),
    ],
)
def test_the_command_refuses_in_one_line(hcf: Hcf, args: str, status: int, message: str) -> None:
    result = hcf("par", *args.split(" "))
    assert (result.status, result.out) == (status, "")
    assert message in result.err.splitlines()[-1]
